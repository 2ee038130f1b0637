package batch_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/schema/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

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
		c := batch.Conversion{Out: dir, Force: true, Session: batch.Session{Workers: 1}}
		err := c.Run(context.Background(), []string{path}, func(r batch.Result) {
			if r.Err != nil {
				b.Fatal(r.Err)
			}
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkConvertModels converts 20 copies of a model to GLB files, on one core; bytes are those of the models.
func BenchmarkConvertModels(b *testing.B) {
	for _, model := range []string{"ultimate3d/windmill.u3d", "freelancer/ship.cmp"} {
		b.Run(filepath.Base(model), func(b *testing.B) {
			const count = 20
			content, err := os.ReadFile(filepath.Join("../../../testdata", model))
			if err != nil {
				b.Fatal(err)
			}
			in, out := b.TempDir(), b.TempDir()
			for i := range count {
				if err := os.WriteFile(filepath.Join(in, fmt.Sprint(i, filepath.Ext(model))), content, 0o644); err != nil {
					b.Fatal(err)
				}
			}
			b.SetBytes(int64(count * len(content)))
			b.ReportAllocs()
			for b.Loop() {
				c := batch.Conversion{Out: out, Force: true, Session: batch.Session{Workers: 1}}
				err := c.Run(context.Background(), []string{in}, func(r batch.Result) {
					if r.Err != nil {
						b.Fatal(r.Err)
					}
				})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
