package gltf

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/jpeg"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
)

// inkJPEG is a JPEG of 9 x 2 pixels of cyan, magenta, yellow and black as Adobe writes them: the first eight columns have one colour,
// the last another. Each component of a block of 8 x 8 pixels is its mean alone.
func inkJPEG(blocks ...[4]byte) []byte {
	b := []byte{0xFF, 0xD8, 0xFF, 0xEE, 0, 14, 'A', 'd', 'o', 'b', 'e', 0, 100, 0, 0, 0, 0, 0}
	b = append(append(b, 0xFF, 0xDB, 0, 67, 0), bytes.Repeat([]byte{8}, 64)...) // a step of the mean is 1
	b = append(b, 0xFF, 0xC0, 0, 20, 8, 0, 2, 0, 9, 4, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0, 4, 0x11, 0)
	b = append(b, 0xFF, 0xC4, 0, 28, 0x00, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8) // means: four bits say how many follow
	b = append(b, 0xFF, 0xC4, 0, 20, 0x10, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)                         // the end of a block: a bit
	b = append(b, 0xFF, 0xDA, 0, 14, 4, 1, 0, 2, 0, 3, 0, 4, 0, 0, 63, 0)
	var stream, bits uint64
	put := func(x uint64, n uint64) { stream, bits = stream<<n|x, bits+n }
	flush := func() {
		for ; bits >= 8; bits -= 8 {
			x := byte(stream >> (bits - 8))
			if b = append(b, x); x == 0xFF {
				b = append(b, 0)
			}
		}
	}
	last := [4]int{128, 128, 128, 128}
	for _, block := range blocks {
		for k, x := range block {
			d := int(x) - last[k]
			last[k] = int(x)
			n, size := uint64(0), max(d, -d)
			for ; size>>n > 0; n++ {
			}
			if d < 0 {
				d += 1<<n - 1
			}
			put(n, 4)
			put(uint64(d), n)
			put(0, 1)
			flush()
		}
	}
	put(0x7F, 7)
	flush()
	return append(b, 0xFF, 0xD9)
}

// TestKindsOfJPEG reads pictures of grey, of colours and of inks, of sizes that are no whole number of blocks.
func TestKindsOfJPEG(t *testing.T) {
	file := func(m image.Image) []byte {
		var b bytes.Buffer
		if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: 100}); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	grey, colours := image.NewGray(image.Rect(0, 0, 5, 3)), image.NewRGBA(image.Rect(0, 0, 19, 5))
	for i := range grey.Pix {
		grey.Pix[i] = byte(10 * i)
	}
	for i := range 19 * 5 {
		colours.Set(i%19, i/19, color.RGBA{byte(200 - 2*(i%19)), byte(60 + 3*(i%19)), byte(90 + 5*(i/19)), 255})
	}
	for name, c := range map[string]struct {
		file          []byte
		width, height int
		want          func(x, y int) color.RGBA
	}{
		"grey":    {file(grey), 5, 3, func(x, y int) color.RGBA { v := grey.GrayAt(x, y).Y; return color.RGBA{v, v, v, 255} }},
		"colours": {file(colours), 19, 5, colours.RGBAAt},
		"inks": {inkJPEG([4]byte{255, 0, 0, 255}, [4]byte{51, 255, 102, 255}), 9, 2, func(x, y int) color.RGBA {
			return []color.RGBA{{255, 0, 0, 255}, {51, 255, 102, 255}}[x/8]
		}},
	} {
		got, err := decodeJPEG(c.file)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		m := got.Base()
		if m.Width != c.width || m.Height != c.height {
			t.Errorf("%s: %d x %d", name, m.Width, m.Height)
			continue
		}
		for i := range c.width * c.height {
			want, p := c.want(i%c.width, i/c.width), m.Pix[4*i:]
			for k, x := range []byte{want.R, want.G, want.B, want.A} {
				if d := int(p[k]) - int(x); d < -9 || d > 9 || k == 3 && d != 0 {
					t.Errorf("%s: pixel %d, %d is %v, want %v", name, i%c.width, i/c.width, p[:4], want)
					break
				}
			}
		}
	}
	sized := func(width, height uint16) []byte {
		b := file(colours)
		at := bytes.Index(b, []byte{0xFF, 0xC0})
		binary.BigEndian.PutUint16(b[at+5:], height)
		binary.BigEndian.PutUint16(b[at+7:], width)
		return b
	}
	whole := file(colours)
	for name, c := range map[string]struct {
		file  []byte
		class error
		want  string
	}{
		"no JPEG": {[]byte("\xff\xd8\xff"), nil, ""}, "cut": {whole[:len(whole)-40], nil, ""}, "too large": {sized(65535, 65535), schema.ErrLimit, "65535 x 65535 pixels"},
		"larger than its bytes": {sized(3000, 1000), schema.ErrTruncated, "bytes cannot hold 3000 x 1000 pixels"},
	} {
		if _, err := decodeJPEG(c.file); err == nil || c.class != nil && schema.Class(err) != c.class || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
