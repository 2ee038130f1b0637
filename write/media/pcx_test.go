package media_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	read "github.com/usher-assets/usher/read/media"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/media"
	"github.com/usher-assets/usher/testdata/made"
	write "github.com/usher-assets/usher/write/media"
)

// madePCX is a picture of 3 × 2 pixels whose first line has a pad byte.
func madePCX() *media.PCX {
	x := new(media.PCX)
	made.Fill(x)
	x.Version, x.Encoding, x.Bits, x.Planes, x.BytesPerLine = 5, 1, 8, 1, 4
	x.XMin, x.XMax, x.YMin, x.YMax = 5, 7, 9, 10
	x.Data = []byte{7, 0xC2, 0xC9, 0xC3, 0, 1, 0xC1, 0xFF} // 7 C9 C9 (0) | 0 0 1 (FF): a run leads into the next line
	return x
}

func TestPCX(t *testing.T) {
	want := madePCX()
	b, err := write.PCX(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := read.PCX(b, nil)
	if err != nil || !cmp.Equal(got, want) {
		t.Fatal(err, cmp.Diff(want, got))
	}
	if w, h := got.Size(); w != 3 || h != 2 {
		t.Errorf("%d x %d", w, h)
	}
	pixels, err := read.PCXPixels(got)
	if err != nil || !bytes.Equal(pixels, []byte{7, 0xC9, 0xC9, 0, 0, 1}) {
		t.Errorf("%v %x", err, pixels)
	}
	for n := range media.PCXHeader {
		if _, err := read.PCX(b[:n:n], nil); !errors.Is(err, schema.ErrTruncated) {
			t.Errorf("cut to %d bytes: %v", n, err)
		}
	}
	want.Version, want.Map = 4, nil // has no map, whatever its last bytes are
	if b, err = write.PCX(want); err != nil {
		t.Fatal(err)
	}
	b = append(b, append([]byte{0x0C}, make([]byte, 768)...)...)
	if got, err = read.PCX(b, nil); err != nil || got.Map != nil || len(got.Data) != len(want.Data)+769 {
		t.Errorf("%v %v", err, got)
	}
}

func TestPCXPlanes(t *testing.T) {
	x := madePCX()
	x.Encoding, x.Planes, x.BytesPerLine = 0, 3, 3
	x.Data = []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 0xC1, 11, 12, 13, 14, 15, 16, 17, 18}
	if got, err := read.PCXPixels(x); err != nil || !bytes.Equal(got, x.Data) {
		t.Errorf("%v %x", err, got)
	}
}

func TestPCXMalformed(t *testing.T) {
	for _, tt := range []struct {
		name  string
		edit  func(*media.PCX)
		class error
	}{
		{"no pixels", func(x *media.PCX) { x.XMax = 4 }, schema.ErrValue},
		{"no lines", func(x *media.PCX) { x.YMax = 8 }, schema.ErrValue},
		{"encoding", func(x *media.PCX) { x.Encoding = 2 }, schema.ErrUnsupported},
		{"bits", func(x *media.PCX) { x.Bits = 4 }, schema.ErrUnsupported},
		{"planes", func(x *media.PCX) { x.Planes = 2 }, schema.ErrUnsupported},
		{"short lines", func(x *media.PCX) { x.BytesPerLine = 2 }, schema.ErrMismatch},
		{"too large", func(x *media.PCX) { x.YMax = 65535 }, schema.ErrTruncated},
		{"cut", func(x *media.PCX) { x.Data = x.Data[:7] }, schema.ErrTruncated},
	} {
		x := madePCX()
		tt.edit(x)
		b, err := write.PCX(x)
		if err != nil {
			t.Fatal(err)
		}
		got, err := read.PCX(b, nil)
		if err == nil {
			_, err = read.PCXPixels(got)
		}
		if !errors.Is(err, tt.class) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.class)
		}
	}
	if _, err := read.PCX(make([]byte, 200), nil); !errors.Is(err, schema.ErrBadMagic) {
		t.Errorf("no signature: %v", err)
	}
}

func TestIndexedPCX(t *testing.T) {
	indices := append(bytes.Repeat([]byte{9}, 130), 1, 0xC0, 2, 2, 0xFF)
	x, err := write.IndexedPCX(indices, 27, 5, new([768]byte))
	if err != nil {
		t.Fatal(err)
	}
	if x.BytesPerLine != 28 || x.XMax != 26 || x.YMax != 4 {
		t.Errorf("%+v", x)
	}
	if got, err := read.PCXPixels(x); err != nil || !bytes.Equal(got, indices) {
		t.Errorf("%v %x", err, got)
	}
	if tail := []byte{1, 0xC1, 0xC0, 0xC2, 2, 0xC1, 0xFF, 0}; !bytes.HasSuffix(x.Data, tail) {
		t.Errorf("ends in %x, want %x", x.Data, tail)
	}
	for _, size := range [][2]int{{0, 5}, {27, 0}, {27, 4}, {65535, 1}} {
		if _, err := write.IndexedPCX(indices, size[0], size[1], new([768]byte)); !errors.Is(err, schema.ErrLimit) {
			t.Errorf("%v: %v", size, err)
		}
	}
}
