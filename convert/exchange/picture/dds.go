package picture

import (
	"bytes"

	read "github.com/usher-assets/usher/read/media"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/media"
)

// codec is how the levels of a surface are stored.
type codec struct {
	name   string // Stored.Encoding
	format asset.PixelFormat
	decode func(b []byte, width, height int) ([]byte, error)
}

// packed adapts a function that reads packed pixels.
func packed(name string, read func(dst, src []byte) int) codec {
	return codec{name: name, decode: func(b []byte, width, height int) ([]byte, error) {
		pix := make([]byte, 4*width*height)
		read(pix, b)
		return pix, nil
	}}
}

func copied(name string, format asset.PixelFormat) codec {
	same := func(b []byte, _, _ int) ([]byte, error) { return bytes.Clone(b), nil }
	return codec{name, format, same}
}

// rgbCodecs is keyed by bits and the masks of red, green, blue and alpha.
var rgbCodecs = map[[5]uint32]codec{
	{16, 0xF800, 0x07E0, 0x001F, 0}:                packed("rgb565", read.RGB565),
	{16, 0x7C00, 0x03E0, 0x001F, 0x8000}:           packed("argb1555", read.ARGB1555),
	{16, 0x7C00, 0x03E0, 0x001F, 0}:                packed("xrgb1555", read.XRGB1555),
	{16, 0x0F00, 0x00F0, 0x000F, 0xF000}:           packed("argb4444", read.ARGB4444),
	{24, 0xFF0000, 0x00FF00, 0x0000FF, 0}:          packed("bgr888", read.BGR888),
	{24, 0x0000FF, 0x00FF00, 0xFF0000, 0}:          packed("rgb888", read.RGB888),
	{32, 0xFF0000, 0x00FF00, 0x0000FF, 0xFF000000}: packed("bgra8888", read.BGRA8888),
	{32, 0xFF0000, 0x00FF00, 0x0000FF, 0}:          packed("bgrx8888", read.BGRX8888),
	{32, 0x0000FF, 0x00FF00, 0xFF0000, 0xFF000000}: copied("rgba8888", asset.RGBA8),
	{32, 0x0000FF, 0x00FF00, 0xFF0000, 0}:          packed("rgbx8888", read.RGBX8888),
}

var (
	codecBC1    = codec{name: "bc1", decode: read.BC1}
	codecBC2    = codec{name: "bc2", decode: read.BC2}
	codecBC3    = codec{name: "bc3", decode: read.BC3}
	codecLight  = copied("l8", asset.Gray8)
	codecAlpha8 = codec{name: "a8", decode: readAlpha8}
)

// readAlpha8 makes black of pure alpha, as Direct3D does.
func readAlpha8(b []byte, width, height int) ([]byte, error) {
	pix := make([]byte, 4*width*height)
	for i := range b {
		pix[4*i+3] = b[i]
	}
	return pix, nil
}

func codecOf(f *media.DDSFormat) (codec, error) {
	if f.Flags&media.DDSFourCC != 0 {
		switch f.FourCC.String() {
		case "DXT1":
			return codecBC1, nil
		case "DXT2", "DXT3":
			return codecBC2, nil
		case "DXT4", "DXT5":
			return codecBC3, nil
		}
		return codec{}, schema.Errorf("dds", schema.ErrUnsupported, "four CC", "codec %s", f.FourCC)
	}
	alpha := f.Alpha
	if f.Flags&media.DDSAlphaPixels == 0 {
		alpha = 0 // the mask counts only with its flag
	}
	switch {
	case f.Flags&media.DDSRGB != 0:
		if c, ok := rgbCodecs[[5]uint32{f.Bits, f.Red, f.Green, f.Blue, alpha}]; ok {
			return c, nil
		}
	case f.Bits == 8 && f.Flags&media.DDSLuminance != 0:
		return codecLight, nil
	case f.Bits == 8 && f.Flags&media.DDSAlpha != 0:
		return codecAlpha8, nil
	}
	return codec{}, schema.Errorf("dds", schema.ErrUnsupported, "format", "%d bits, masks %x %x %x %x, flags %x", f.Bits, f.Red, f.Green, f.Blue, f.Alpha, f.Flags)
}

// DDS decodes a DirectDraw surface into a texture of one frame with all its mip levels. Rows stay in stored order, by
// convention the top one first. Of a cube map it takes the levels of +X and the first level of the other faces. Every image
// keeps its stored form.
func DDS(x *media.DDS) (*asset.Texture, error) {
	c, err := codecOf(&x.Format)
	if err != nil {
		return nil, err
	}
	faces := x.Faces()
	if faces != 1 && faces != 6 {
		return nil, schema.Errorf("dds", schema.ErrUnsupported, "caps2", "a cube map of %d faces", faces)
	}
	if want := faces * x.Mips(); len(x.Levels) != want {
		return nil, schema.Errorf("dds", schema.ErrMismatch, "levels", "%d levels, expected %d", len(x.Levels), want)
	}
	var f asset.Frame
	for mip := range x.Mips() {
		m, err := level(x, &c, 0, mip)
		if err != nil {
			return nil, err
		}
		f.Mips = append(f.Mips, m)
	}
	for face := 1; face < faces; face++ {
		m, err := level(x, &c, face, 0)
		if err != nil {
			return nil, err
		}
		f.Faces = append(f.Faces, m)
	}
	t := &asset.Texture{Frames: []asset.Frame{f}}
	t.Alpha = f.Mips[0].AlphaMode(nil)
	return t, nil
}

func level(x *media.DDS, c *codec, face, mip int) (asset.Image, error) {
	w, h := x.LevelSize(mip)
	b := x.Level(face, mip)
	if want := x.LevelBytes(mip); len(b) != want {
		return asset.Image{}, schema.Errorf("dds", schema.ErrMismatch, "level", "level %d has %d bytes, expected %d", mip, len(b), want)
	}
	pix, err := c.decode(b, w, h)
	return asset.Image{Width: w, Height: h, Format: c.format, Pix: pix, Stored: &asset.Stored{Encoding: c.name, Data: b}}, err
}
