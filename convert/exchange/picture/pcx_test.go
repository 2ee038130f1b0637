package picture

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	read "github.com/usher-assets/usher/read/media"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/media"
	write "github.com/usher-assets/usher/write/media"
)

// indexedImage is a picture of 256 colours with runs of every length in it.
func indexedImage(width, height int) (*asset.Image, []asset.RGBA) {
	r := rand.New(rand.NewPCG(1, 9))
	m := asset.NewImage(width, height, asset.Indexed8)
	for i := 0; i < len(m.Pix); {
		v := byte(r.UintN(256))
		for n := r.IntN(140); n >= 0 && i < len(m.Pix); n-- {
			m.Pix[i] = v
			i++
		}
	}
	palette := make([]asset.RGBA, 256)
	for i := range palette {
		palette[i] = asset.RGBA{byte(i), byte(255 - i), byte(3 * i), 255}
	}
	return &m, palette
}

// TestIndexedFiles: pictures of 256 colours keep indices and colours through both kinds of files, whatever their width.
func TestIndexedFiles(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {2, 3}, {7, 5}, {64, 64}, {255, 3}, {300, 70}} {
		m, palette := indexedImage(size[0], size[1])
		for name, encode := range map[string]func(*asset.Image, []asset.RGBA, bool) ([]byte, bool, error){"a.bmp": EncodeBMP, "a.pcx": EncodePCX} {
			b, exact, err := encode(m, palette, false)
			if err != nil || !exact {
				t.Fatalf("%s, %v: exact %v, %v", name, size, exact, err)
			}
			got, err := DecodeImage(name, b)
			if err != nil {
				t.Errorf("%s, %v: %v", name, size, err)
				continue
			}
			if g := got.Base(); g.Format != asset.Indexed8 || g.Width != size[0] || !bytes.Equal(g.Pix, m.Pix) || !slices.Equal(got.Palette, palette) {
				t.Errorf("%s, %v: other pixels or colours", name, size)
			}
		}
	}
}

// TestIndexed: pictures in true colour get a palette; what is not seen is entry 0 and nothing else is.
func TestIndexed(t *testing.T) {
	m := asset.NewImage(32, 32, asset.RGBA8)
	for i := range 32 * 32 {
		copy(m.Pix[4*i:], []byte{byte(i), byte(i / 4), 7, byte(255 * (i % 3 / 2))})
	}
	indices, colors, exact, err := Indexed(&m, nil, false)
	if err != nil || exact {
		t.Fatal(exact, err)
	}
	for i, v := range indices {
		if seen := m.Pix[4*i+3] > 0; seen != (v != 0) {
			t.Fatalf("pixel %d, alpha %d, has entry %d", i, m.Pix[4*i+3], v)
		}
		for k := range 3 {
			if d := int(m.Pix[4*i+k]) - int(colors[v][k]); v != 0 && (d > 24 || d < -24) {
				t.Fatalf("pixel %d: %v for %v", i, colors[v], m.Pix[4*i:4*i+4])
			}
		}
	}
}

// TestPCXKinds: three planes are true colours, lines may be longer than the picture and need not be packed, and a
// picture without a map is grey.
func TestPCXKinds(t *testing.T) {
	m, palette := indexedImage(6, 4)
	b, _, err := EncodePCX(m, palette, false)
	if err != nil {
		t.Fatal(err)
	}
	x, err := read.PCX(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	planes := *x
	planes.Planes, planes.Map, planes.Encoding, planes.BytesPerLine, planes.Data = 3, nil, 0, 8, nil
	for y := range 4 {
		for k := range 3 {
			for i := range 8 {
				planes.Data = append(planes.Data, byte(100*k+10*y+i))
			}
		}
	}
	grey := *x
	grey.Map = nil
	for name, c := range map[string]struct {
		x      int
		format asset.PixelFormat
		pixel  []byte // the second one of the third line
	}{"planes": {0, asset.RGBA8, []byte{21, 121, 221, 255}}, "grey": {1, asset.Gray8, m.Pix[13:14]}} {
		b, err := write.PCX(map[int]*media.PCX{0: &planes, 1: &grey}[c.x])
		if err != nil {
			t.Fatal(err)
		}
		got, err := DecodeImage("a.pcx", b)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		n := c.format.Bytes()
		if g := got.Base(); g.Format != c.format || !bytes.Equal(g.Pix[13*n:14*n], c.pixel) {
			t.Errorf("%s: format %d, pixel %v", name, g.Format, g.Pix[13*n:14*n])
		}
	}
}

// TestPCXMalformed: cut and senseless files are refused with their class.
func TestPCXMalformed(t *testing.T) {
	m, palette := indexedImage(40, 40)
	good, _, err := EncodePCX(m, palette, false)
	if err != nil {
		t.Fatal(err)
	}
	with := func(at int, v ...byte) []byte { return slices.Concat(good[:at], v, good[at+len(v):]) }
	for name, c := range map[string]struct {
		b     []byte
		class error
	}{
		"signature": {with(0, 9), schema.ErrBadMagic},
		"encoding":  {with(2, 2), schema.ErrUnsupported},
		"no pixels": {with(4, 41), schema.ErrValue},
		"depth":     {with(3, 1), schema.ErrUnsupported},
		"planes":    {with(65, 2), schema.ErrUnsupported},
		"line":      {with(66, 8, 0), schema.ErrMismatch},
		"huge":      {with(8, 0xFF, 0xFF, 0xFF, 0xFF), schema.ErrMismatch},
		"huger":     {with(66, 0xFF, 0xFF), schema.ErrTruncated},
		"header":    {good[:100], schema.ErrTruncated},
		"cut":       {slices.Concat(good[:200], good[len(good)-769:]), schema.ErrTruncated},
	} {
		x, err := read.PCX(c.b, nil)
		if err == nil {
			_, err = read.PCXPixels(x)
		}
		if schema.Class(err) != c.class {
			t.Errorf("%s: %v, want %v", name, err, c.class)
		}
	}
}

func FuzzPCX(f *testing.F) {
	for _, size := range [][2]int{{1, 1}, {7, 5}, {64, 9}} {
		m, palette := indexedImage(size[0], size[1])
		b, _, err := EncodePCX(m, palette, false)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := read.PCX(b, nil)
		if err != nil {
			return
		}
		if again, err := write.PCX(x); err != nil || !bytes.Equal(again, b) {
			t.Fatalf("%d bytes come back as %d, %v", len(b), len(again), err)
		}
		if _, err := decodePCX(b); err != nil && schema.Class(err) == nil {
			t.Fatalf("an error without a class: %v", err)
		}
	})
}
