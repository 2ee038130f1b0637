package sheet_test

import (
	"bytes"
	"context"
	"errors"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/show/sheet"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/testdata/corpus"
)

// TestThumbnail: the picture has exactly the size that was asked for, something is on it, and another name changes nothing.
func TestThumbnail(t *testing.T) {
	for _, c := range []struct {
		file string
		size int
	}{
		{"ultimate3d/windmill.u3d", 96},
		{"freelancer/ship.cmp", 128},
		{"freelancer/tiles.txm", 16},
		{"unreal/pictures.utx", 300}, // its textures are smaller
		{"ultima9/sappear.flx", 64},
		{"ultima9/bell.snd", 50},
		{"unreal/made69.u", 70}, // the first entries have no picture
	} {
		draw := func(path string) []byte {
			var out bytes.Buffer
			if err := (&sheet.Drawing{Cell: c.size}).Thumbnail(context.Background(), &out, path); err != nil {
				t.Fatalf("%s: %v", c.file, err)
			}
			return out.Bytes()
		}
		other := filepath.Join(t.TempDir(), "a1b2c3")
		if err := os.WriteFile(other, corpus.Bytes(t, corpus.Testdata(t, c.file)), 0o666); err != nil {
			t.Fatal(err)
		}
		named := filepath.Join(t.TempDir(), filepath.Base(c.file))
		if err := os.WriteFile(named, corpus.Bytes(t, corpus.Testdata(t, c.file)), 0o666); err != nil {
			t.Fatal(err)
		}
		b := draw(named)
		if !bytes.Equal(b, draw(other)) {
			t.Errorf("%s: another name makes another picture", c.file)
		}
		m, err := png.Decode(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		if s := m.Bounds().Size(); s.X != c.size || s.Y != c.size {
			t.Errorf("%s: %v, want %d", c.file, s, c.size)
		}
		colours := map[[4]uint32]bool{}
		for y := range c.size {
			for x := range c.size {
				r, g, b, a := m.At(x, y).RGBA()
				colours[[4]uint32{r, g, b, a}] = true
			}
		}
		if len(colours) < 2 {
			t.Errorf("%s: nothing is on it", c.file)
		}
	}
	var out bytes.Buffer
	if err := (&sheet.Drawing{Cell: 64}).Thumbnail(context.Background(), &out, corpus.Testdata(t, "ultima9/people.npc")); !errors.Is(err, sheet.ErrBare) {
		t.Errorf("a table: %v", err)
	}
	broken := filepath.Join(t.TempDir(), "b.png")
	if err := os.WriteFile(broken, []byte("\x89PNG\r\n\x1a\nnot really"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := (&sheet.Drawing{Cell: 64}).Thumbnail(context.Background(), &out, broken); !errors.Is(err, sheet.ErrBare) || !errors.Is(err, schema.ErrTruncated) && !errors.Is(err, schema.ErrValue) || !strings.HasPrefix(err.Error(), broken) {
		t.Errorf("what cannot be read: %v", err)
	}
	if err := (&sheet.Drawing{Cell: 64}).Thumbnail(context.Background(), &out, broken+"?"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what is not there: %v", err)
	}
	if out.Len() > 0 {
		t.Errorf("of what cannot be drawn there are %d bytes", out.Len())
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	if err := (&sheet.Drawing{Cell: 64}).Thumbnail(stopped, &out, corpus.Testdata(t, "ultima9/bell.snd")); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	d := &sheet.Drawing{Out: filepath.Join(t.TempDir(), "s.png")}
	if pages, err := d.Run(stopped, []string{corpus.Testdata(t, "ultima9/bell.snd")}, func(sheet.Cell) {}); !errors.Is(err, context.Canceled) || len(pages) > 0 {
		t.Errorf("cancelled: %v, %v", pages, err)
	}
	if err := (&sheet.Drawing{}).Thumbnail(context.Background(), &out, corpus.Testdata(t, "ultima9/bell.snd")); !errors.Is(err, sheet.ErrSize) {
		t.Errorf("no size: %v", err)
	}
}
