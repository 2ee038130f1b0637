package png

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	stdpng "image/png"
	"io"
	"strings"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// Decode reads a PNG file into a texture of one image: Indexed8 with the palette as stored, Gray8, Gray16, or RGBA8 with
// straight alpha. Grey of fewer than 8 bits becomes Gray8, grey with transparency becomes RGBA8, and 16-bit colours are cut
// to 8 bits. Text and other ancillary chunks are dropped.
//
// It fails with ErrBadMagic, with ErrTruncated, with ErrLimit above schema.DefaultLimits, or with ErrValue for any other
// damage.
func Decode(r io.Reader) (*asset.Texture, error) {
	b, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	if err := checkSize(b); err != nil {
		return nil, err
	}
	m, err := stdpng.Decode(bytes.NewReader(b))
	if err != nil {
		return nil, classify(err)
	}
	t, err := texture(m)
	if err == nil && marked(b) {
		spread(t)
		t.Alpha = t.Base().AlphaMode(nil)
	}
	return t, err
}

// marked reports whether a file that could be read has the mark of a shorter form of RGBA8. It stands before the pixels.
func marked(b []byte) bool {
	const first, frame = 8, 12 // the signature; length, name and checksum of a chunk
	for b = b[first:]; len(b) >= frame; {
		switch string(b[4:8]) {
		case markRGBA:
			return true
		case "IDAT":
			return false
		}
		b = b[min(frame+uint64(binary.BigEndian.Uint32(b)), uint64(len(b))):]
	}
	return false
}

// spread turns grey or a palette back into the RGBA8 that they stand for.
func spread(t *asset.Texture) {
	m := t.Base()
	if m.Format != asset.Indexed8 && m.Format != asset.Gray8 {
		return
	}
	var colours [256]asset.RGBA
	for i := range colours {
		v := uint8(i)
		colours[i] = asset.RGBA{v, v, v, 255}
	}
	if m.Format == asset.Indexed8 { // indices past the palette's end are none that we write, nor are they decoded
		copy(colours[:], t.Palette)
		t.Palette = nil
	}
	out := asset.NewImage(m.Width, m.Height, asset.RGBA8)
	for i, v := range m.Pix {
		*(*asset.RGBA)(out.Pix[4*i:]) = colours[v]
	}
	*m = out
}

// Header reads only the header of a PNG file. The texture it returns has the size, pixel format and palette of the picture,
// but no pixels.
func Header(b []byte) (*asset.Texture, error) {
	if err := checkSize(b); err != nil && !errors.Is(err, schema.ErrLimit) { // nothing is allocated for the pixels
		return nil, err
	}
	c, err := stdpng.DecodeConfig(bytes.NewReader(b))
	if err != nil {
		return nil, classify(err)
	}
	t := &asset.Texture{Frames: []asset.Frame{{Mips: []asset.Image{{Width: c.Width, Height: c.Height}}}}}
	if p, ok := c.ColorModel.(color.Palette); ok {
		t.Frames[0].Mips[0].Format, t.Palette = asset.Indexed8, colours(p)
	}
	return t, nil
}

// checkSize looks at the header before anything is allocated for the pixels.
func checkSize(b []byte) error {
	const signature, header = "\x89PNG\r\n\x1a\n", 33
	if n := min(len(b), len(signature)); string(b[:n]) != signature[:n] {
		return &schema.FormatError{Format: name, Field: "signature", Class: schema.ErrBadMagic, Msg: "not a PNG file"}
	}
	if len(b) < header {
		return &schema.FormatError{Format: name, Field: "header", Class: schema.ErrTruncated, Msg: "the file ends inside its header"}
	}
	width, height := binary.BigEndian.Uint32(b[16:]), binary.BigEndian.Uint32(b[20:])
	if width > 1<<31-1 || height > 1<<31-1 {
		return schema.Errorf(name, schema.ErrLimit, "size", "%d x %d pixels", width, height)
	}
	bytesPerPixel := 4
	if b[24] == 16 { // bits of a channel
		bytesPerPixel = 8
	}
	if err := schema.DefaultLimits.Packed(name, int(width), int(height), bytesPerPixel, int64(len(b))); err != nil {
		return err
	}
	// Deflate packs at most some 1032 bytes into one, and a pixel takes a bit at least.
	const ratio, slack = 1040, 1 << 16
	if rows := int64(height) * (int64(width)/8 + 1); rows > int64(len(b))*ratio+slack {
		return schema.Errorf(name, schema.ErrTruncated, "pixels", "%d bytes cannot hold %d x %d pixels", len(b), width, height)
	}
	return nil
}

// classify maps the errors of the standard library onto ours.
func classify(err error) error {
	var unsupported stdpng.UnsupportedError
	class := schema.ErrValue
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF),
		errors.Is(err, stdpng.FormatError("not enough pixel data")), errors.Is(err, stdpng.FormatError(io.ErrUnexpectedEOF.Error())):
		class = schema.ErrTruncated
	case errors.As(err, &unsupported):
		class = schema.ErrUnsupported
	}
	return schema.Errorf(name, class, "", "%s", strings.TrimPrefix(err.Error(), name+": ")) // which it would say twice
}

func texture(m image.Image) (*asset.Texture, error) {
	size := m.Bounds().Size()
	out := asset.Image{Width: size.X, Height: size.Y}
	t := &asset.Texture{}
	switch m := m.(type) {
	case *image.Paletted:
		out.Format, out.Pix = asset.Indexed8, m.Pix
		t.Palette = colours(m.Palette)
	case *image.Gray:
		out.Format, out.Pix = asset.Gray8, m.Pix
	case *image.Gray16:
		out.Format, out.Pix = asset.Gray16, m.Pix
		swap16(out.Pix, out.Pix)
	case *image.NRGBA:
		out.Pix = m.Pix
	case *image.RGBA: // the library makes it from opaque colours only
		out.Pix = m.Pix
	case *image.NRGBA64:
		out.Pix = highBytes(m.Pix)
	case *image.RGBA64: // as RGBA
		out.Pix = highBytes(m.Pix)
	default:
		return nil, schema.Errorf(name, schema.ErrUnsupported, "colour type", "pixels of type %T", m)
	}
	t.Alpha = out.AlphaMode(t.Palette)
	t.Frames = []asset.Frame{{Mips: []asset.Image{out}}}
	return t, nil
}

func colours(p color.Palette) []asset.RGBA {
	out := make([]asset.RGBA, len(p))
	for i, c := range p {
		n := color.NRGBAModel.Convert(c).(color.NRGBA)
		out[i] = asset.RGBA{n.R, n.G, n.B, n.A}
	}
	return out
}

// highBytes keeps the upper half of big-endian words.
func highBytes(b []byte) []byte {
	out := make([]byte, len(b)/2)
	for i := range out {
		out[i] = b[2*i]
	}
	return out
}
