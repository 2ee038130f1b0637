package media_test

import (
	"bytes"
	"testing"

	read "github.com/usher-assets/usher/read/media"
	write "github.com/usher-assets/usher/write/media"
)

type unpack = func(dst, src []byte) int

func TestPixels(t *testing.T) {
	cases := []struct {
		name string
		f    unpack
		src  []byte
		want []byte
	}{
		{"565 white", read.RGB565, []byte{0xFF, 0xFF}, []byte{255, 255, 255, 255}},
		{"565 one of each", read.RGB565, []byte{0x21, 0x08}, []byte{8, 4, 8, 255}},
		{"565 red", read.RGB565, []byte{0x00, 0xF8}, []byte{255, 0, 0, 255}},
		{"1555 clear", read.ARGB1555, []byte{0x00, 0x7C}, []byte{255, 0, 0, 0}},
		{"1555 set", read.ARGB1555, []byte{0x10, 0x80}, []byte{0, 0, 132, 255}},
		{"x555", read.XRGB1555, []byte{0xE0, 0x03}, []byte{0, 255, 0, 255}},
		{"4444", read.ARGB4444, []byte{0x34, 0x12}, []byte{0x22, 0x33, 0x44, 0x11}},
		{"rgb", read.RGB888, []byte{1, 2, 3}, []byte{1, 2, 3, 255}},
		{"bgr", read.BGR888, []byte{1, 2, 3}, []byte{3, 2, 1, 255}},
		{"bgra", read.BGRA8888, []byte{1, 2, 3, 4}, []byte{3, 2, 1, 4}},
		{"bgrx", read.BGRX8888, []byte{1, 2, 3, 4}, []byte{3, 2, 1, 255}},
		{"rgbx", read.RGBX8888, []byte{1, 2, 3, 4}, []byte{1, 2, 3, 255}},
	}
	for _, c := range cases {
		got := make([]byte, 4)
		if n := c.f(got, c.src); n != 1 || !bytes.Equal(got, c.want) {
			t.Errorf("%s: got %d pixels %v, want %v", c.name, n, got, c.want)
		}
		if n := c.f(got, c.src[:len(c.src)-1]); n != 0 {
			t.Errorf("%s: %d pixels of a part of one", c.name, n)
		}
		if n := c.f(got[:3], c.src); n != 0 {
			t.Errorf("%s: %d pixels into a part of one", c.name, n)
		}
	}
}

// Every packed word returns from the widened channels.
func TestPixelsThereAndBack(t *testing.T) {
	words := make([]byte, 0, 2<<16)
	for v := range 1 << 16 {
		words = append(words, byte(v), byte(v>>8))
	}
	noX := bytes.Clone(words)
	for i := 1; i < len(noX); i += 2 {
		noX[i] &= 0x7F
	}
	noX32 := bytes.Clone(words)
	for i := 3; i < len(noX32); i += 4 {
		noX32[i] = 0
	}
	cases := []struct {
		name        string
		read, write unpack
		src         []byte
		bytesAPixel int
	}{
		{"565", read.RGB565, write.RGB565, words, 2},
		{"1555", read.ARGB1555, write.ARGB1555, words, 2},
		{"x555", read.XRGB1555, write.XRGB1555, noX, 2},
		{"4444", read.ARGB4444, write.ARGB4444, words, 2},
		{"rgb", read.RGB888, write.RGB888, words[:3*40000], 3},
		{"bgr", read.BGR888, write.BGR888, words[:3*40000], 3},
		{"bgra", read.BGRA8888, write.BGRA8888, words, 4},
		{"bgrx", read.BGRX8888, write.BGRX8888, noX32, 4},
		{"rgbx", read.RGBX8888, write.RGBX8888, noX32, 4},
	}
	for _, c := range cases {
		n := len(c.src) / c.bytesAPixel
		pix, back := make([]byte, 4*n), make([]byte, len(c.src))
		if c.read(pix, c.src) != n || c.write(back, pix) != n || !bytes.Equal(back, c.src) {
			t.Errorf("%s: did not return", c.name)
		}
	}
}

func BenchmarkRGB565(b *testing.B) {
	src, dst := make([]byte, 2<<18), make([]byte, 4<<18)
	b.SetBytes(int64(len(dst)))
	b.ReportAllocs()
	for b.Loop() {
		read.RGB565(dst, src)
	}
}
