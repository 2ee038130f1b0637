package picture

import (
	"bytes"

	read "github.com/usher-assets/usher/read/media"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/media"
	write "github.com/usher-assets/usher/write/media"
)

// packing is how true colour is stored: both directions, and the channel bits that the reading side ignores.
type packing struct {
	size    int
	read    func(dst, src []byte) int
	write   func(dst, src []byte) int
	ignored uint32 // mask within a little-endian pixel
}

// tgaPacking returns the packing of colours of a depth. The attribute bits say whether 16 bits hold alpha; 32 bits
// always do.
func tgaPacking(bits, descriptor uint8) packing {
	switch {
	case bits == 24:
		return packing{3, read.BGR888, write.BGR888, 0}
	case bits == 32:
		return packing{4, read.BGRA8888, write.BGRA8888, 0}
	case bits == 16 && descriptor&media.TGAAlphaBits == 1:
		return packing{2, read.ARGB1555, write.ARGB1555, 0}
	}
	return packing{2, read.XRGB1555, write.XRGB1555, 0x8000}
}

// TGA turns a Truevision picture into a texture of one image, upright: Indexed8 with the colour map as palette (black
// before its first entry), Gray8, or RGBA8. Colours of 32 bits have alpha; those of 16 bits have it when the descriptor
// says so; colour maps of 16 bits have none.
func TGA(x *media.TGA) (*asset.Texture, error) {
	raw, err := read.TGAPixels(x)
	if err != nil {
		return nil, err
	}
	t := &asset.Texture{}
	m := asset.Image{Width: int(x.Width), Height: int(x.Height), Pix: raw}
	switch x.Kind() {
	case media.TGAIndexed:
		m.Format, m.Pix = asset.Indexed8, bytes.Clone(raw)
		t.Palette = tgaPalette(x)
	case media.TGAGray:
		m.Format, m.Pix = asset.Gray8, bytes.Clone(raw)
	default:
		m.Pix = make([]byte, 4*m.Width*m.Height)
		tgaPacking(x.Bits, x.Descriptor).read(m.Pix, raw)
	}
	orient(&m, x.Descriptor)
	t.Frames = []asset.Frame{{Mips: []asset.Image{m}}}
	t.Alpha = m.AlphaMode(t.Palette)
	return t, nil
}

// orient turns stored order into upright order, and back.
func orient(m *asset.Image, descriptor uint8) {
	if descriptor&media.TGAFromTop == 0 {
		FlipRows(m)
	}
	if descriptor&media.TGAFromRight != 0 {
		flipColumns(m)
	}
}

// FlipRows turns an image upside down, in place.
func FlipRows(m *asset.Image) {
	row := m.Width * m.Format.Bytes()
	swap := make([]byte, row)
	for top, bottom := 0, m.Height-1; top < bottom; top, bottom = top+1, bottom-1 {
		a, b := m.Pix[top*row:(top+1)*row], m.Pix[bottom*row:(bottom+1)*row]
		copy(swap, a)
		copy(a, b)
		copy(b, swap)
	}
}

func flipColumns(m *asset.Image) {
	size := m.Format.Bytes()
	row := m.Width * size
	for y := range m.Height {
		line := m.Pix[y*row : (y+1)*row]
		for l, r := 0, row-size; l < r; l, r = l+size, r-size {
			for i := range size {
				line[l+i], line[r+i] = line[r+i], line[l+i]
			}
		}
	}
}

func tgaPalette(x *media.TGA) []asset.RGBA {
	p := tgaPacking(x.MapBits, 0)
	n := min(len(x.Map)/p.size, max(256-int(x.MapFirst), 0))
	rgba := make([]byte, 4*n)
	p.read(rgba, x.Map)
	palette := make([]asset.RGBA, min(int(x.MapFirst), 256), 256)
	for i := range palette {
		palette[i] = asset.RGBA{0, 0, 0, 255}
	}
	for ; len(rgba) > 0; rgba = rgba[4:] {
		palette = append(palette, asset.RGBA(rgba))
	}
	return palette
}

// NewTGA makes a Truevision picture of an image, bottom row first: 8 bits with 24-bit colours (32 where they have
// alpha), grey, or 24 or 32 bits.
func NewTGA(m *asset.Image, palette []asset.RGBA) (*media.TGA, error) {
	x := &media.TGA{ImageType: media.TGAColour, Bits: 32, Descriptor: 8}
	switch {
	case m.Format == asset.Indexed8:
		x.ImageType, x.Bits, x.Descriptor, x.MapType, x.MapBits = media.TGAIndexed, 8, 0, 1, 24
		if m.AlphaMode(palette) != asset.Opaque {
			x.MapBits = 32
		}
		x.MapLength = uint16(len(palette))
	case m.Format == asset.Gray8:
		x.ImageType, x.Bits, x.Descriptor = media.TGAGray, 8, 0
	case m.Opaque():
		x.Bits, x.Descriptor = 24, 0
	}
	return EncodeTGA(m, palette, x)
}

// EncodeTGA returns a picture like another one, of the same kind, depth, origin and packets, with the pixels of an
// image. What pixels do not show (ignored bits, identification, trailing bytes) is kept. It fails with ErrMismatch when
// that kind cannot hold the image's pixel format, and with ErrLimit or ErrValue for a size or palette that does not fit.
func EncodeTGA(m *asset.Image, palette []asset.RGBA, like *media.TGA) (*media.TGA, error) {
	want := map[uint8]asset.PixelFormat{media.TGAIndexed: asset.Indexed8, media.TGAGray: asset.Gray8, media.TGAColour: asset.RGBA8}[like.Kind()]
	if m.Format != want {
		return nil, schema.Errorf("tga", schema.ErrMismatch, "pixels", "a picture of type %d cannot hold pixels of format %d", like.ImageType, m.Format)
	}
	if m.Width < 1 || m.Height < 1 || len(m.Pix) != m.Width*m.Height*m.Format.Bytes() {
		return nil, schema.Errorf("tga", schema.ErrValue, "size", "%d x %d pixels in %d bytes", m.Width, m.Height, len(m.Pix))
	}
	if err := schema.DefaultLimits.Picture("tga", m.Width, m.Height, 4); err != nil {
		return nil, err
	}
	x := *like
	x.Width, x.Height = uint16(m.Width), uint16(m.Height)
	stored := asset.Image{Width: m.Width, Height: m.Height, Format: m.Format, Pix: bytes.Clone(m.Pix)}
	orient(&stored, x.Descriptor)
	raw := stored.Pix
	if x.Kind() == media.TGAColour {
		p := tgaPacking(x.Bits, x.Descriptor)
		raw = make([]byte, p.size*m.Width*m.Height)
		p.write(raw, stored.Pix)
		if old, err := read.TGAPixels(like); err == nil {
			keepIgnored(raw, old, p)
		}
	}
	if x.Kind() == media.TGAIndexed {
		if err := setPalette(&x, palette); err != nil {
			return nil, err
		}
	}
	x.Pixels = raw
	if x.Runs() {
		x.Pixels = write.TGARuns(raw, x.PixelBytes(), m.Width, read.TGACrossesRows(like))
	}
	return &x, nil
}

// keepIgnored copies the bits that the reading side ignores, where there were as many pixels.
func keepIgnored(dst, old []byte, p packing) {
	if p.ignored == 0 || len(dst) != len(old) {
		return
	}
	for i := range dst {
		mask := byte(p.ignored >> (8 * (i % p.size)))
		dst[i] = dst[i]&^mask | old[i]&mask
	}
}

// setPalette stores the palette in the colour map, whose depth stays. Entries before the first one of the map have no
// place in it and have to be the black that reading made of them.
func setPalette(x *media.TGA, palette []asset.RGBA) error {
	first := int(x.MapFirst)
	if len(palette) <= first || len(palette) > 256 {
		return schema.Errorf("tga", schema.ErrValue, "colour map", "%d colours, the first has number %d", len(palette), first)
	}
	rgba := make([]byte, 0, 4*256)
	for _, c := range palette[first:] {
		rgba = append(rgba, c[:]...)
	}
	p := tgaPacking(x.MapBits, 0)
	old := x.Map
	x.MapLength = uint16(len(rgba) / 4)
	x.Map = make([]byte, p.size*len(rgba)/4)
	p.write(x.Map, rgba)
	keepIgnored(x.Map, old, p)
	return nil
}
