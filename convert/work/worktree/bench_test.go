package worktree

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/schema/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// benchmarkArchive writes an archive of records that no format knows and returns its path and the bytes of the records.
func benchmarkArchive(b *testing.B, records int) (path string, size int64) {
	b.Helper()
	random := rand.NewChaCha8([32]byte{1})
	a := ultima9.NewArchive(records)
	for i := range records {
		record := make([]byte, 4000+random.Uint64()%20001)
		random.Read(record)
		if err := a.Replace(i, record); err != nil {
			b.Fatal(err)
		}
		size += int64(len(record))
	}
	path = filepath.Join(b.TempDir(), "records.flx")
	out, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer out.Close()
	if err := write.FLX(out, a); err != nil {
		b.Fatal(err)
	}
	return path, size
}

// BenchmarkUnpackRaw takes 2,000 entries of 4 to 24 kB out of an archive.
func BenchmarkUnpackRaw(b *testing.B) {
	archive, size := benchmarkArchive(b, 2000)
	dir := b.TempDir()
	b.SetBytes(size)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		u := Unpacking{Raw: true}
		if err := u.Run(context.Background(), archive, filepath.Join(dir, fmt.Sprint(i)), func(r batch.Result) {
			if r.Err != nil {
				b.Fatal(r.Err)
			}
		}); err != nil {
			b.Fatal(err)
		}
	}
}
