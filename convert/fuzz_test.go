package convert_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/usher-assets/usher/convert"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
	write "github.com/usher-assets/usher/write/ultima9"
)

// FuzzVerify gives any bytes, under any name, to whatever format takes them for its own: nothing panics, and what is
// read is written back.
func FuzzVerify(f *testing.F) {
	for _, family := range []string{"freelancer", "ultimate3d", "unreal", "ultima9"} {
		seeds, err := filepath.Glob(filepath.Join("..", "testdata", family, "*.*"))
		if err != nil {
			f.Fatal(err)
		}
		for _, p := range seeds {
			if info, err := os.Stat(p); err == nil && info.Size() < 16<<10 {
				f.Add(filepath.Base(p), corpus.Bytes(f, p))
			}
		}
	}
	f.Fuzz(func(t *testing.T, name string, b []byte) {
		_, _, err := convert.Verify(b, nil, &format.Env{Name: name, Diagnostics: new(schema.Diagnostics)})
		var different *convert.DifferenceError
		if errors.As(err, &different) {
			t.Errorf("%s: %v", name, err)
		}
	})
}

// BenchmarkConvertTextures converts an archive of textures to PNG files, on one core; bytes are those of the pixels.
func BenchmarkConvertTextures(b *testing.B) {
	const side, count = 256, 16
	pixels := make([]byte, 2*side*side)
	for i := range pixels {
		pixels[i] = byte(i * i >> 9)
	}
	a := ultima9.NewArchive(count)
	for slot := range count {
		set := &ultima9.TextureSet{MaxWidth: side, MaxHeight: side, Frames: []ultima9.TextureFrame{{
			Width: side, Height: side, Flags: ultima9.RGB565.Flags(), Rows: make([]uint32, side), Levels: [][]byte{pixels},
		}}}
		set.Describe()
		record, err := write.Texture(set)
		if err != nil {
			b.Fatal(err)
		}
		if err := a.Replace(slot, record); err != nil {
			b.Fatal(err)
		}
	}
	path := filepath.Join(b.TempDir(), "bitmap16.flx")
	out, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	if err := write.FLX(out, a); err != nil {
		b.Fatal(err)
	}
	out.Close()
	dir := b.TempDir()
	b.SetBytes(4 * side * side * count)
	b.ReportAllocs()
	for b.Loop() {
		c := convert.Conversion{Out: dir, Force: true, Session: convert.Session{Workers: 1}}
		err := c.Run(context.Background(), []string{path}, func(r convert.Result) {
			if r.Err != nil {
				b.Fatal(r.Err)
			}
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}
