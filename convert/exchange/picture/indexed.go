package picture

import (
	"bytes"
	"image"
	"image/color"

	"github.com/usher-assets/usher/schema/asset"
	write "github.com/usher-assets/usher/write/media"
	"golang.org/x/image/bmp"
)

// Indexed returns an image with at most 256 colours and its palette. A paletted image is returned unchanged. For others,
// [Reduce] chooses the colours if there are more than fit; exact is then false. Fully transparent pixels become entry 0,
// which no other pixel uses.
func Indexed(m *asset.Image, palette []asset.RGBA, dither bool) (indices []byte, colors [256]asset.RGBA, exact bool, err error) {
	for i := range colors {
		colors[i][3] = 255
	}
	if m.Format == asset.Indexed8 {
		copy(colors[:], palette)
		return m.Pix[:min(len(m.Pix), m.Width*m.Height)], colors, true, nil
	}
	full, err := RGBA(m, palette)
	if err != nil {
		return nil, colors, false, err
	}
	first := 0
	count := map[[3]uint8]int{}
	for i := 0; i < len(full.Pix); i += 4 {
		if full.Pix[i+3] < 128 {
			first, colors[0] = 1, asset.RGBA{}
			continue
		}
		count[[3]uint8(full.Pix[i:])]++
	}
	shades := make([]Shade, 0, len(count))
	for c, n := range count {
		shades = append(shades, Shade{c, n})
	}
	chosen := Reduce(shades, 256-first)
	for i, c := range chosen {
		colors[first+i] = asset.RGBA{c[0], c[1], c[2], 255}
	}
	known := map[[3]uint8]byte{}
	nearest := func(c [3]uint8) (byte, [3]uint8) {
		k, ok := known[c]
		if !ok {
			k = byte(first + closest(c, chosen))
			known[c] = k
		}
		return k, [3]uint8(colors[k][:3])
	}
	at := func(i int) ([3]uint8, bool) { return [3]uint8(full.Pix[4*i:]), full.Pix[4*i+3] >= 128 }
	exact = len(count) <= 256-first
	if dither && !exact {
		return Dither(m.Width, m.Height, at, nearest), colors, exact, nil
	}
	indices = make([]byte, m.Width*m.Height)
	for i := range indices {
		if c, seen := at(i); seen {
			indices[i], _ = nearest(c)
		}
	}
	return indices, colors, exact, nil
}

// closest returns the colour with the least squared error.
func closest(c [3]uint8, colors [][3]uint8) (best int) {
	least := 1 << 30
	for i, p := range colors {
		x, y, z := int(c[0])-int(p[0]), int(c[1])-int(p[1]), int(c[2])-int(p[2])
		if d := x*x + y*y + z*z; d < least {
			best, least = i, d
		}
	}
	return best
}

// EncodeBMP encodes an image as an uncompressed BMP file of 256 colours; exact is false if the image has more.
func EncodeBMP(m *asset.Image, palette []asset.RGBA, dither bool) (b []byte, exact bool, err error) {
	indices, colors, exact, err := Indexed(m, palette, dither)
	if err != nil {
		return nil, false, err
	}
	out := &image.Paletted{Pix: indices, Stride: m.Width, Rect: image.Rect(0, 0, m.Width, m.Height)}
	for _, c := range colors {
		out.Palette = append(out.Palette, color.RGBA{c[0], c[1], c[2], 255})
	}
	var w bytes.Buffer
	err = bmp.Encode(&w, out)
	return w.Bytes(), exact, err
}

// EncodePCX encodes an image as a PCX file of 256 colours; exact is false if the image has more.
func EncodePCX(m *asset.Image, palette []asset.RGBA, dither bool) (b []byte, exact bool, err error) {
	indices, colors, exact, err := Indexed(m, palette, dither)
	if err != nil {
		return nil, false, err
	}
	var table [768]byte
	for i, c := range colors {
		copy(table[3*i:], c[:3])
	}
	x, err := write.IndexedPCX(indices, m.Width, m.Height, &table)
	if err != nil {
		return nil, false, err
	}
	b, err = write.PCX(x)
	return b, exact, err
}
