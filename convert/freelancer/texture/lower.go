package texture

import (
	"bytes"
	"encoding/binary"
	"math/bits"

	"github.com/usher-assets/usher/convert/exchange/picture"
	media "github.com/usher-assets/usher/read/media"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
	pixels "github.com/usher-assets/usher/schema/media"
	encode "github.com/usher-assets/usher/write/media"
)

// encodeTexture gives a texture of a library a new picture, stored as the old one was: the same codec and as many
// levels. What the edit left alone stays.
func encodeTexture(t *freelancer.TextureEntry, m *asset.Image, effort pixels.Effort) error {
	switch t.Form {
	case freelancer.DDSTexture:
		b, err := encodeDDS(t.Leaves[0].Data, effort, m)
		if err != nil {
			return err
		}
		t.Leaves[0].Data = b
		return nil
	case freelancer.TGATexture:
		before := targa(t.Leaves[0].Data)
		if n := levelsOf(m); n < len(t.Leaves) {
			for _, l := range t.Leaves[n:] { // below one pixel nothing is smaller
				t.Node.Remove(l)
			}
			t.Leaves = t.Leaves[:n]
		}
		for i, l := range t.Leaves {
			if i > 0 {
				m, before = picture.Half(m), picture.Half(before)
			}
			b, err := tgaLevel(t.Leaves[0].Data, l.Data, m, before)
			if err != nil {
				return err
			}
			l.Data = b
		}
		return nil
	}
	return schema.Errorf(freelancer.Format, schema.ErrUnsupported, t.Name, "a picture of this kind cannot be replaced")
}

// encodeDDS writes a picture, or the six of a cube map, as a DDS file of the kind of another, or of a richer one when the
// picture has gained alpha. What shows in both stays as it is stored, unless the size differs.
func encodeDDS(like []byte, effort pixels.Effort, faces ...*asset.Image) ([]byte, error) {
	x, err := media.DDS(like, nil)
	if err != nil {
		return nil, err
	}
	if x.Faces() != len(faces) {
		return nil, schema.Errorf("dds", schema.ErrUnsupported, "faces", "a picture of %d faces cannot be made from %d", x.Faces(), len(faces))
	}
	m := faces[0]
	for _, f := range faces {
		if f.Width != m.Width || f.Height != m.Height {
			return nil, schema.Errorf("dds", schema.ErrMismatch, "faces", "their sizes differ")
		}
	}
	if len(faces) == 1 {
		before, err := ddsImage(x, 0, 0)
		if err != nil {
			return nil, err
		}
		if kind := richerKind(&x.Format, &before, m); kind != "" {
			return newDDS(m, kind, effort)
		}
	}
	out := *x
	mips, resized := x.Mips(), int(x.Width) != m.Width || int(x.Height) != m.Height
	if resized {
		if mips > 1 { // keep the size at which the chain ends
			mips = max(1, mips+bits.Len(uint(max(m.Width, m.Height)))-bits.Len32(max(x.Width, x.Height)))
			out.MipCount = uint32(mips)
		}
		out.Width, out.Height = uint32(m.Width), uint32(m.Height)
		if out.Pitch != 0 && out.Format.Block() > 0 {
			out.Pitch = uint32(pixels.BlocksSize(m.Width, m.Height, out.Format.Block()))
		} else if out.Pitch != 0 {
			out.Pitch = uint32(m.Width) * out.Format.Bits / 8
		}
	}
	out.Levels = nil
	for k, f := range faces {
		var stored [][]byte
		if !resized {
			stored = x.Levels[k*mips:][:mips]
		}
		levels, err := ddsLevels(&out.Format, f, mips, stored, effort)
		if err != nil {
			return nil, err
		}
		out.Levels = append(out.Levels, levels...)
	}
	return encode.DDS(&out)
}

// ddsLevels encodes a picture and its smaller levels, the lowest row first. Of the levels that it takes the place of, if
// any, what does not depend on the edit stays.
func ddsLevels(f *pixels.DDSFormat, m *asset.Image, mips int, stored [][]byte, effort pixels.Effort) ([][]byte, error) {
	var levels [][]byte
	var before *asset.Image // the picture as it was, made smaller as the new one is
	for i := range mips {
		if i > 0 {
			m, before = picture.Half(m), picture.Half(before)
		}
		now := clone(m)
		var was asset.Image
		if stored != nil {
			var err error
			if was, err = ddsLevel(f, stored[i], m.Width, m.Height); err != nil {
				return nil, err
			}
			if i == 0 {
				before = clone(&was)
			}
			picture.Carry(now.Pix, before.Pix, was.Pix)
			flip(&was)
		}
		flip(now)
		b, err := encodeLevel(f, now, effort)
		if err != nil {
			return nil, err
		}
		if stored != nil {
			ddsBlocks(f).Keep(b, stored[i], was.Pix, now.Pix, now.Width)
		}
		levels = append(levels, b)
	}
	return levels, nil
}

// encodeLevel encodes one level, its rows as they are.
func encodeLevel(f *pixels.DDSFormat, m *asset.Image, effort pixels.Effort) ([]byte, error) {
	switch {
	case f.Block() == pixels.BC1Block:
		return encode.BC1(m.Pix, m.Width, m.Height, effort)
	case f.Block() > 0 && f.FourCC.String() < "DXT4":
		return encode.BC2(m.Pix, m.Width, m.Height, effort)
	case f.Block() > 0:
		return encode.BC3(m.Pix, m.Width, m.Height, effort)
	}
	return mask(m.Pix, f), nil
}

// ddsBlocks returns what a level is made of: blocks, or pixels.
func ddsBlocks(f *pixels.DDSFormat) picture.Blocks {
	if n := f.Block(); n > 0 {
		return picture.Blocks{Side: 4, Size: n}
	}
	return picture.Blocks{Side: 1, Size: int(f.Bits) / 8}
}

func clone(m *asset.Image) *asset.Image {
	c := *m
	c.Pix = bytes.Clone(m.Pix)
	return &c
}

// encodeTGA writes a picture as a Targa of the kind of another. One with a palette keeps it as long as 256 colours are
// enough, and a grey one stays grey as long as the picture is; otherwise it becomes one of 24 or 32 bits.
func encodeTGA(like []byte, m *asset.Image) ([]byte, error) {
	t, err := media.TGA(like, nil)
	if err != nil {
		return nil, err
	}
	out := *t
	out.Width, out.Height = uint16(m.Width), uint16(m.Height)
	up := clone(m)
	if t.Descriptor&pixels.TGAFromTop == 0 {
		flip(up)
	}
	if t.Descriptor&pixels.TGAFromRight != 0 {
		mirror(up)
	}
	kind := t.Kind()
	if kind == pixels.TGAIndexed && !palette(&out, up) || kind == pixels.TGAGray && !grey(up) {
		kind = pixels.TGAColour
		out.MapType, out.MapFirst, out.MapLength, out.MapBits, out.Map = 0, 0, 0, 0, nil
		out.Bits = 24
		if m.AlphaMode(nil) != asset.Opaque {
			out.Bits = 32
		}
	}
	if kind == pixels.TGAColour && out.Bits < 32 && m.AlphaMode(nil) != asset.Opaque { // it has gained alpha
		out.Bits = 32
	}
	switch kind {
	case pixels.TGAIndexed:
	case pixels.TGAGray:
		out.Bits, out.Pixels = 8, make([]byte, 0, len(up.Pix)/4)
		for i := 0; i < len(up.Pix); i += 4 {
			out.Pixels = append(out.Pixels, up.Pix[i])
		}
	default:
		out.Pixels = make([]byte, len(up.Pix)/4*out.PixelBytes())
		switch out.Bits {
		case 15, 16:
			encode.XRGB1555(out.Pixels, up.Pix)
		case 24:
			encode.BGR888(out.Pixels, up.Pix)
		default:
			encode.BGRA8888(out.Pixels, up.Pix)
		}
	}
	out.ImageType = kind
	if t.Runs() {
		out.ImageType |= pixels.TGARuns
		out.Pixels = encode.TGARuns(out.Pixels, out.PixelBytes(), m.Width, media.TGACrossesRows(t))
	}
	return encode.TGA(&out)
}

// grey reports whether a picture has no colours and hides nothing.
func grey(m *asset.Image) bool {
	for i := 0; i < len(m.Pix); i += 4 {
		if p := m.Pix[i : i+4]; p[0] != p[1] || p[1] != p[2] || p[3] != 255 {
			return false
		}
	}
	return true
}

// palette makes the colours and indices of a picture of at most 256 colours. A palette with alpha stays one.
func palette(t *pixels.TGA, m *asset.Image) bool {
	index := map[uint32]byte{}
	var colors []uint32
	t.Bits, t.Pixels = 8, make([]byte, 0, len(m.Pix)/4)
	opaque := t.MapBits != 32
	for i := 0; i < len(m.Pix); i += 4 {
		c := binary.LittleEndian.Uint32(m.Pix[i:])
		opaque = opaque && m.Pix[i+3] == 255
		k, ok := index[c]
		if !ok {
			if len(colors) == 256 {
				return false
			}
			k = byte(len(colors))
			index[c] = k
			colors = append(colors, c)
		}
		t.Pixels = append(t.Pixels, k)
	}
	t.MapType, t.MapFirst, t.MapLength, t.MapBits, t.Map = 1, 0, 256, 24, nil
	if !opaque {
		t.MapBits = 32
	}
	for len(colors) < 256 {
		colors = append(colors, 0xFF000000)
	}
	for _, c := range colors {
		t.Map = append(t.Map, byte(c>>16), byte(c>>8), byte(c))
		if !opaque {
			t.Map = append(t.Map, byte(c>>24))
		}
	}
	return true
}

// targa decodes a Targa; nil for none that can be read.
func targa(b []byte) *asset.Image {
	t, err := media.TGA(b, nil)
	if err != nil {
		return nil
	}
	m, err := tgaImage(t)
	if err != nil {
		return nil
	}
	return &m
}

// tgaLevel writes a level of detail as a Targa of the kind of another. Now and before are the edited picture and the one
// before the edit, made as small as the level: where they are the same, what is stored stays, but levels are of one kind.
func tgaLevel(like, stored []byte, now, before *asset.Image) ([]byte, error) {
	was := targa(stored)
	if was == nil || before == nil || !sameSize(was, now) || !sameSize(before, now) {
		return encodeTGA(like, now)
	}
	now = clone(now)
	picture.Carry(now.Pix, before.Pix, was.Pix)
	if bytes.Equal(now.Pix, was.Pix) && sameKind(stored, like) {
		return stored, nil
	}
	return encodeTGA(like, now)
}

// sameKind reports whether the pixels of two Targas are stored in the same way.
func sameKind(a, b []byte) bool {
	return a[2] == b[2] && a[7] == b[7] && bytes.Equal(a[16:18], b[16:18]) // type, bits of a colour of the map, bits, descriptor
}

func sameSize(a, b *asset.Image) bool { return a.Width == b.Width && a.Height == b.Height }

// SmallerTGA returns the new content of a leaf with a smaller mip level, made from a new picture for the largest one; nil where that
// is too small to have such a level.
func SmallerTGA(largest, before []byte, leaf *freelancer.Node) ([]byte, error) {
	t, err := media.TGA(largest, nil)
	if err != nil {
		return nil, err
	}
	m, err := tgaImage(t)
	if err != nil {
		return nil, err
	}
	level, _ := freelancer.MipLevel(leaf.Name)
	now, was := &m, targa(before)
	if level >= levelsOf(now) {
		return nil, nil
	}
	for range level {
		now, was = picture.Half(now), picture.Half(was)
	}
	return tgaLevel(largest, leaf.Data, now, was)
}
