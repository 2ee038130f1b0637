package media_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	read "github.com/usher-assets/usher/read/media"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/media"
	"github.com/usher-assets/usher/testdata/pictures"
	write "github.com/usher-assets/usher/write/media"
	"pgregory.net/rapid"
)

type decoder = func(src []byte, width, height int) ([]byte, error)

var codecs = []struct {
	name  string
	read  decoder
	slow  func(block []byte, i int) [4]byte
	block int
}{
	{"bc1", read.BC1, func(b []byte, i int) [4]byte { return slowColour(b, i, true) }, media.BC1Block},
	{"bc2", read.BC2, slowBC2, media.BC2Block},
	{"bc3", read.BC3, slowBC3, media.BC3Block},
}

// slowColour is the definition of one pixel of a colour block.
func slowColour(b []byte, i int, bc1 bool) [4]byte {
	c0, c1 := binary.LittleEndian.Uint16(b), binary.LittleEndian.Uint16(b[2:])
	x, y := slow565(c0), slow565(c1)
	code := b[4+i/4] >> (i % 4 * 2) & 3
	var out [4]byte
	for c := range 3 {
		p, q := int(x[c]), int(y[c])
		switch {
		case code == 0:
			out[c] = x[c]
		case code == 1:
			out[c] = y[c]
		case bc1 && c0 <= c1 && code == 2:
			out[c] = byte((p + q) / 2)
		case bc1 && c0 <= c1:
			return [4]byte{}
		case code == 2:
			out[c] = byte((2*p + q) / 3)
		default:
			out[c] = byte((p + 2*q) / 3)
		}
	}
	out[3] = 255
	return out
}

func slow565(v uint16) [3]byte {
	r, g, b := byte(v>>11), byte(v>>5&63), byte(v&31)
	return [3]byte{r<<3 | r>>2, g<<2 | g>>4, b<<3 | b>>2}
}

func slowBC2(b []byte, i int) [4]byte {
	p := slowColour(b[8:], i, false)
	p[3] = b[i/2] >> (i % 2 * 4) & 15 * 17
	return p
}

func slowBC3(b []byte, i int) [4]byte {
	p := slowColour(b[8:], i, false)
	a0, a1 := int(b[0]), int(b[1])
	bits := uint64(0)
	for k := range 6 {
		bits |= uint64(b[2+k]) << (8 * k)
	}
	code := int(bits >> (3 * i) & 7)
	steps := 5
	if a0 > a1 {
		steps = 7
	}
	switch {
	case code == 0:
		p[3] = b[0]
	case code == 1:
		p[3] = b[1]
	case steps == 5 && code == 6:
		p[3] = 0
	case steps == 5 && code == 7:
		p[3] = 255
	default:
		p[3] = byte(((steps-(code-1))*a0 + (code-1)*a1) / steps)
	}
	return p
}

func TestBC1Values(t *testing.T) {
	// White and black ends, every row 0 1 2 3: four colours in one order, three and a hole in the other.
	four := []byte{0xFF, 0xFF, 0x00, 0x00, 0xE4, 0xE4, 0xE4, 0xE4}
	three := []byte{0x00, 0x00, 0xFF, 0xFF, 0xE4, 0xE4, 0xE4, 0xE4}
	row := func(b []byte) []byte {
		pix, err := read.BC1(b, 4, 4)
		if err != nil {
			t.Fatal(err)
		}
		return pix[48:]
	}
	if got, want := row(four), []byte{255, 255, 255, 255, 0, 0, 0, 255, 170, 170, 170, 255, 85, 85, 85, 255}; !bytes.Equal(got, want) {
		t.Errorf("four colours: %v, want %v", got, want)
	}
	if got, want := row(three), []byte{0, 0, 0, 255, 255, 255, 255, 255, 127, 127, 127, 255, 0, 0, 0, 0}; !bytes.Equal(got, want) {
		t.Errorf("three colours: %v, want %v", got, want)
	}
}

func TestBCAgainstDefinition(t *testing.T) {
	for _, c := range codecs {
		t.Run(c.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				w, h := rapid.IntRange(1, 13).Draw(t, "width"), rapid.IntRange(1, 13).Draw(t, "height")
				size := media.BlocksSize(w, h, c.block)
				src := rapid.SliceOfN(rapid.Byte(), size, size).Draw(t, "blocks")
				pix, err := c.read(src, w, h)
				if err != nil {
					t.Fatal(err)
				}
				for y := range h {
					for x := range w {
						at := (y/4*((w+3)/4) + x/4) * c.block
						want := c.slow(src[at:at+c.block], y%4*4+x%4)
						if got := [4]byte(pix[4*(y*w+x):]); got != want {
							t.Fatalf("pixel %d, %d: %v, want %v", x, y, got, want)
						}
					}
				}
			})
		})
	}
}

func TestBCMalformed(t *testing.T) {
	for _, c := range codecs {
		whole := make([]byte, media.BlocksSize(7, 9, c.block))
		for n := range whole {
			if _, err := c.read(whole[:n], 7, 9); !errors.Is(err, schema.ErrTruncated) {
				t.Fatalf("%s: %d of %d bytes: %v", c.name, n, len(whole), err)
			}
		}
		for _, bad := range []struct {
			w, h  int
			class error
		}{{0, 4, schema.ErrValue}, {4, -1, schema.ErrValue}, {1 << 20, 4, schema.ErrLimit}, {32768, 32768, schema.ErrLimit}, {32767, 16000, schema.ErrTruncated}} {
			if _, err := c.read(whole, bad.w, bad.h); !errors.Is(err, bad.class) {
				t.Errorf("%s: %d x %d: %v, want %v", c.name, bad.w, bad.h, err, bad.class)
			}
		}
	}
}

func FuzzBC(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}, uint8(3), uint8(3))
	f.Fuzz(func(t *testing.T, b []byte, w, h uint8) {
		for _, c := range codecs {
			pix, err := c.read(b, int(w), int(h))
			if err == nil && len(pix) != 4*int(w)*int(h) {
				t.Errorf("%s: %d bytes for %d x %d", c.name, len(pix), w, h)
			}
		}
	})
}

func BenchmarkBC(b *testing.B) {
	const side = 1024
	encoders := map[string]func([]byte, int, int, media.Effort) ([]byte, error){"bc1": write.BC1, "bc2": write.BC2, "bc3": write.BC3}
	for _, k := range pictures.Kinds {
		if k.Name != "stone" && k.Name != "foliage" {
			continue
		}
		pix := k.RGBA(side)
		for _, c := range codecs {
			b.Run(k.Name+"/"+c.name, func(b *testing.B) {
				src, err := encoders[c.name](pix, side, side, media.Quick)
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(4 * side * side)
				b.ReportAllocs()
				for b.Loop() {
					if _, err := c.read(src, side, side); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
