package picture

import (
	"bytes"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/media"
	write "github.com/usher-assets/usher/write/media"
)

// Bits of the header of a DDS file.
const (
	ddsUsual  = 0x1007 // caps, height, width, pixel format
	ddsPitch  = 0x8
	ddsMips   = 0x20000
	ddsLinear = 0x80000
	capsUsual = 0x1000
	capsMips  = 0x400000
	capsMany  = 0x8
)

// EncodeDDS encodes a frame of a texture as a DirectDraw surface: its mip levels, or the faces of a cube map. Images whose
// stored form fits such a surface keep it. Others are written without loss, at 32 bits a pixel or 8 for grey.
//
// It fails with ErrRange if there is no such frame, and with ErrValue if the number of pixels does not fit an image's size.
func EncodeDDS(t *asset.Texture, frame int) ([]byte, error) {
	if frame < 0 || frame >= len(t.Frames) || len(t.Frames[frame].Mips) == 0 {
		return nil, schema.Errorf("dds", schema.ErrRange, "frame", "%d, there are %d", frame, len(t.Frames))
	}
	f := &t.Frames[frame]
	base := &f.Mips[0]
	x := &media.DDS{HeaderSize: 124, Flags: ddsUsual, Width: uint32(base.Width), Height: uint32(base.Height), MipCount: 1, Caps: capsUsual}
	images := wholeLevels(f.Mips)
	if len(f.Faces) == 5 {
		images = append([]asset.Image{*base}, f.Faces...)
		x.Caps, x.Caps2 = x.Caps|capsMany, media.DDSCube|media.DDSFaces
	} else if len(images) > 1 {
		x.Flags, x.Caps, x.MipCount = x.Flags|ddsMips, x.Caps|capsMany|capsMips, uint32(len(images))
	}
	encode := surface(x, images, t.Palette)
	for i := range images {
		level, err := encode(&images[i])
		if err != nil {
			return nil, err
		}
		x.Levels = append(x.Levels, level)
	}
	if x.Format.Block() > 0 {
		x.Flags, x.Pitch = x.Flags|ddsLinear, uint32(len(x.Levels[0]))
	} else {
		x.Flags, x.Pitch = x.Flags|ddsPitch, (uint32(base.Width)*x.Format.Bits+7)/8
	}
	return write.DDS(x)
}

// wholeLevels returns the levels up to the first that is not half as large as the one before.
func wholeLevels(mips []asset.Image) []asset.Image {
	w, h := mips[0].Width, mips[0].Height
	for i, m := range mips {
		if m.Width != max(w>>i, 1) || m.Height != max(h>>i, 1) || i > 0 && max(w>>(i-1), h>>(i-1)) == 1 {
			return mips[:i:i]
		}
	}
	return mips[:len(mips):len(mips)]
}

// blockNames are the four CCs of codecs that are stored in blocks.
var blockNames = map[string]string{"bc1": "DXT1", "bc2": "DXT3", "bc3": "DXT5"}

// surface chooses how images are stored, and returns what stores them.
func surface(x *media.DDS, images []asset.Image, palette []asset.RGBA) func(*asset.Image) ([]byte, error) {
	x.Format.Size = 32
	if name, ok := storedAs(images); ok {
		if cc, blocks := blockNames[name]; blocks {
			x.Format.Flags = media.DDSFourCC
			copy(x.Format.FourCC[:], cc)
			return func(m *asset.Image) ([]byte, error) { return m.Stored.Data, nil }
		}
		for masks, c := range rgbCodecs {
			if c.name == name {
				setMasks(&x.Format, masks)
				return func(m *asset.Image) ([]byte, error) { return m.Stored.Data, nil }
			}
		}
	}
	if images[0].Format == asset.Gray8 {
		x.Format.Flags, x.Format.Bits, x.Format.Red = media.DDSLuminance, 8, 0xFF
		return func(m *asset.Image) ([]byte, error) {
			if m.Format != asset.Gray8 || len(m.Pix) != m.Width*m.Height {
				return nil, schema.Errorf("dds", schema.ErrValue, "pixels", "%d x %d pixels in %d bytes", m.Width, m.Height, len(m.Pix))
			}
			return m.Pix, nil
		}
	}
	opaque := true
	for i := range images {
		if images[i].AlphaMode(palette) != asset.Opaque {
			opaque = false
		}
	}
	store := write.BGRA8888
	setMasks(&x.Format, [5]uint32{32, 0xFF0000, 0x00FF00, 0x0000FF, 0xFF000000})
	if opaque {
		store = write.BGRX8888
		setMasks(&x.Format, [5]uint32{32, 0xFF0000, 0x00FF00, 0x0000FF, 0})
	}
	return func(m *asset.Image) ([]byte, error) { return packedAs(m, palette, 4, store) }
}

func setMasks(f *media.DDSFormat, masks [5]uint32) {
	f.Flags = media.DDSRGB
	if masks[4] != 0 {
		f.Flags |= media.DDSAlphaPixels
	}
	f.Bits, f.Red, f.Green, f.Blue, f.Alpha = masks[0], masks[1], masks[2], masks[3], masks[4]
}

// storedAs returns the codec in which all images are stored. What is stored has to show what the image shows: some
// formats store rows from the bottom.
func storedAs(images []asset.Image) (string, bool) {
	for i := range images {
		m := &images[i]
		if m.Stored == nil || m.Stored.Encoding != images[0].Stored.Encoding || !shows(m) {
			return "", false
		}
	}
	return images[0].Stored.Encoding, true
}

// shows reports whether what is stored of an RGBA8 image is what it shows, in a codec that a surface has.
func shows(m *asset.Image) bool {
	c, size, ok := codecNamed(m.Stored.Encoding, m.Width, m.Height)
	if !ok || m.Format != asset.RGBA8 || len(m.Stored.Data) != size {
		return false
	}
	pix, err := c.decode(m.Stored.Data, m.Width, m.Height)
	return err == nil && bytes.Equal(pix, m.Pix)
}

// codecNamed returns the codec of a name, and how many bytes an image takes in it.
func codecNamed(name string, width, height int) (c codec, size int, ok bool) {
	for _, c := range []codec{codecBC1, codecBC2, codecBC3} {
		if c.name == name {
			block := media.BC3Block
			if name == codecBC1.name {
				block = media.BC1Block
			}
			return c, media.BlocksSize(width, height, block), true
		}
	}
	for masks, c := range rgbCodecs {
		if c.name == name {
			return c, width * height * int(masks[0]) / 8, true
		}
	}
	return c, 0, false
}

// packedAs stores the pixels of an image with a function that packs size bytes each.
func packedAs(m *asset.Image, palette []asset.RGBA, size int, store func(dst, src []byte) int) ([]byte, error) {
	whole, err := RGBA(m, palette)
	if err != nil {
		return nil, err
	}
	if len(whole.Pix) != 4*m.Width*m.Height {
		return nil, schema.Errorf("picture", schema.ErrValue, "pixels", "%d x %d pixels in %d bytes", m.Width, m.Height, len(whole.Pix))
	}
	out := make([]byte, size*m.Width*m.Height)
	store(out, whole.Pix)
	return out, nil
}

// EncodeTGA encodes an image as an uncompressed Truevision file: paletted, grey, 24 bits a pixel, or 32 with alpha.
//
// It fails with ErrLimit for more than 65,535 pixels a side, and with ErrValue if the number of pixels does not fit the
// size.
func EncodeTGA(m *asset.Image, palette []asset.RGBA) ([]byte, error) {
	const most = 1<<16 - 1
	if m.Width > most || m.Height > most || m.Width < 1 || m.Height < 1 {
		return nil, schema.Errorf("tga", schema.ErrLimit, "size", "%d x %d pixels, at most %d a side", m.Width, m.Height, most)
	}
	x := &media.TGA{Width: uint16(m.Width), Height: uint16(m.Height), ImageType: media.TGAColour}
	flipped := *m
	flipped.Pix = append([]byte(nil), m.Pix...)
	alpha := m.AlphaMode(palette) != asset.Opaque
	bits, store := uint8(24), write.BGR888
	if alpha {
		bits, store = 32, write.BGRA8888
	}
	var err error
	switch m.Format {
	case asset.Indexed8, asset.Gray8:
		x.Bits, x.ImageType = 8, media.TGAGray
		if m.Format == asset.Indexed8 {
			x.ImageType, x.MapType, x.MapLength, x.MapBits = media.TGAIndexed, 1, uint16(len(palette)), bits
			x.Map = make([]byte, len(palette)*int(bits/8))
			flat := make([]byte, 0, 4*len(palette))
			for _, c := range palette {
				flat = append(flat, c[:]...)
			}
			store(x.Map, flat)
		}
		if len(m.Pix) != m.Width*m.Height {
			return nil, schema.Errorf("tga", schema.ErrValue, "pixels", "%d x %d pixels in %d bytes", m.Width, m.Height, len(m.Pix))
		}
		flipRows(&flipped)
		x.Pixels = flipped.Pix
	default:
		x.Bits = bits
		if alpha {
			x.Descriptor = 8
		}
		if flipped, err = RGBA(&flipped, palette); err != nil {
			return nil, err
		}
		if len(flipped.Pix) != 4*m.Width*m.Height {
			return nil, schema.Errorf("tga", schema.ErrValue, "pixels", "%d x %d pixels in %d bytes", m.Width, m.Height, len(flipped.Pix))
		}
		flipRows(&flipped)
		if x.Pixels, err = packedAs(&flipped, nil, int(bits/8), store); err != nil {
			return nil, err
		}
	}
	return write.TGA(x)
}
