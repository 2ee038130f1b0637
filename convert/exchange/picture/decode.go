package picture

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"io"
	"path"
	"strings"

	"github.com/usher-assets/usher/convert/exchange/png"
	read "github.com/usher-assets/usher/read/media"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/media"
)

// Kind is one type of picture file.
type Kind struct {
	Name   string              // as Stored.Encoding has it
	Is     func(b []byte) bool // whether a file with this beginning is of this type
	Decode func(b []byte) (*asset.Texture, error)
}

// Kinds are the types of picture files that occur in the games, the most certain first. Decoders for other types, TIFF and
// WebP, are in package foreign, so that programs which only read the games' files do without them.
var Kinds = []Kind{
	{"png", Prefix("\x89PNG\r\n\x1a\n"), func(b []byte) (*asset.Texture, error) { return png.Decode(bytes.NewReader(b)) }},
	{"jpeg", Prefix("\xFF\xD8\xFF"), Standard("jpeg", jpeg.Decode, jpeg.DecodeConfig, nil)},
	{"gif", Prefix("GIF8"), Standard("gif", gif.Decode, gif.DecodeConfig, nil)},
	{"dds", Prefix("DDS "), decodeDDS},
	{"bmp", Prefix("BM"), decodeBMP},
	{"pcx", isPCX, decodePCX},
	{"tga", isTGA, decodeTGA},
}

// isTGA reports whether a header of 18 bytes makes sense; there is no signature.
func isTGA(b []byte) bool {
	if len(b) < 18 || b[1] > 1 {
		return false
	}
	kind, bits := b[2]&^media.TGARuns, b[16]
	return kind >= media.TGAIndexed && kind <= media.TGAGray && (bits == 8 || bits == 15 || bits == 16 || bits == 24 || bits == 32)
}

// decodeTGA reads a file without a signature: its header has to make sense.
func decodeTGA(b []byte) (*asset.Texture, error) {
	x, err := read.TGA(b, nil)
	if err != nil {
		return nil, err
	}
	t, err := TGA(x)
	if err != nil {
		return nil, err
	}
	// Pictures of 32 bits that claim no alpha and have none anywhere mean to be opaque.
	if m := t.Base(); m.Format == asset.RGBA8 && x.Descriptor&media.TGAAlphaBits == 0 && invisible(m.Pix) {
		for i := 3; i < len(m.Pix); i += 4 {
			m.Pix[i] = 255
		}
		t.Alpha = asset.Opaque
	}
	return t, nil
}

func invisible(pix []byte) bool {
	for i := 3; i < len(pix); i += 4 {
		if pix[i] != 0 {
			return false
		}
	}
	return true
}

func decodeDDS(b []byte) (*asset.Texture, error) {
	x, err := read.DDS(b, nil)
	if err != nil {
		return nil, err
	}
	return DDS(x)
}

// Prefix returns a function that reports whether a file begins with one of the signatures.
func Prefix(signatures ...string) func(b []byte) bool {
	return func(b []byte) bool {
		for _, p := range signatures {
			if len(b) >= len(p) && string(b[:len(p)]) == p {
				return true
			}
		}
		return false
	}
}

// DecodeImage decodes a picture file, recognised by its content. The texture gets the file's name without folder and
// extension, and keeps the file itself in Texture.File. Paletted pictures keep palette and indices; grey ones stay grey;
// all others become RGBA8 with straight alpha. Of an animated GIF it takes the first frame.
//
// It fails with ErrUnsupported if the type is not known, and otherwise with the class of the damage.
func DecodeImage(name string, b []byte) (*asset.Texture, error) { return DecodeAs(Kinds, name, b) }

// DecodeAs is [DecodeImage] for the given types of files.
func DecodeAs(kinds []Kind, name string, b []byte) (*asset.Texture, error) {
	var names []string
	for _, k := range kinds {
		names = append(names, strings.ToUpper(k.Name))
		if !k.Is(b) {
			continue
		}
		t, err := k.Decode(b)
		if err != nil {
			return nil, schema.In(name, err)
		}
		base := path.Base(strings.ReplaceAll(name, `\`, "/"))
		t.Name = strings.TrimSuffix(base, path.Ext(base))
		t.File = &asset.Stored{Encoding: k.Name, Data: b}
		return t, nil
	}
	return nil, schema.In(name, schema.Errorf("picture", schema.ErrUnsupported, "", "it is none of %s", strings.Join(names, ", ")))
}

// Standard turns a decoder of Go's image packages into one for [Kind]. Before decoding it checks the dimensions in the
// header, which those decoders trust. It then passes the decoded image to look, which may be nil.
func Standard(name string, decode func(io.Reader) (image.Image, error), config func(io.Reader) (image.Config, error), look func(image.Image)) func(b []byte) (*asset.Texture, error) {
	return func(b []byte) (*asset.Texture, error) {
		c, err := config(bytes.NewReader(b))
		if err != nil {
			return nil, classify(name, err)
		}
		if err := schema.DefaultLimits.Packed(name, c.Width, c.Height, 4, int64(len(b))); err != nil {
			return nil, err
		}
		// None of these packs more than some thousand pixels into a byte.
		const ratio, slack = 4096, 1 << 20
		if int64(c.Width)*int64(c.Height) > int64(len(b))*ratio+slack {
			return nil, schema.Errorf(name, schema.ErrTruncated, "pixels", "%d bytes cannot hold %d x %d pixels", len(b), c.Width, c.Height)
		}
		m, err := decode(bytes.NewReader(b))
		if err != nil {
			return nil, classify(name, err)
		}
		if look != nil {
			look(m)
		}
		return texture(name, m)
	}
}

func classify(name string, err error) error {
	class := schema.ErrValue
	if strings.HasSuffix(err.Error(), io.EOF.Error()) { // gif tells of it in words alone
		class = schema.ErrTruncated
	} else if strings.Contains(err.Error(), "unsupported") {
		class = schema.ErrUnsupported
	}
	return schema.Errorf(name, class, "", "%s", strings.TrimPrefix(err.Error(), name+": ")) // which it would say twice
}

// texture copies the pixels of an image of the image packages.
func texture(name string, m image.Image) (*asset.Texture, error) {
	r := m.Bounds()
	if err := schema.DefaultLimits.Picture(name, r.Dx(), r.Dy(), 4); err != nil {
		return nil, err
	}
	t := &asset.Texture{}
	var out asset.Image
	switch m := m.(type) {
	case *image.Paletted:
		out = asset.NewImage(r.Dx(), r.Dy(), asset.Indexed8)
		copyRows(out.Pix, m.Pix, r.Dx(), m.Stride)
		t.Palette = palette(m.Palette, out.Pix)
	case *image.Gray:
		out = asset.NewImage(r.Dx(), r.Dy(), asset.Gray8)
		copyRows(out.Pix, m.Pix, r.Dx(), m.Stride)
	case *image.Gray16:
		out = asset.NewImage(r.Dx(), r.Dy(), asset.Gray16)
		copyRows(out.Pix, m.Pix, 2*r.Dx(), m.Stride)
		for i := 0; i+1 < len(out.Pix); i += 2 {
			out.Pix[i], out.Pix[i+1] = out.Pix[i+1], out.Pix[i]
		}
	case *image.NRGBA:
		out = asset.NewImage(r.Dx(), r.Dy(), asset.RGBA8)
		copyRows(out.Pix, m.Pix, 4*r.Dx(), m.Stride)
	default:
		out = asset.Image{Width: r.Dx(), Height: r.Dy(), Pix: straight(m)}
	}
	t.Frames = []asset.Frame{{Mips: []asset.Image{out}}}
	t.Alpha = out.AlphaMode(t.Palette)
	return t, nil
}

// straight returns the pixels of any other image. Opaque ones are the same with premultiplied alpha, for which the draw
// package is fast.
func straight(m image.Image) []byte {
	r := m.Bounds()
	rect := image.Rect(0, 0, r.Dx(), r.Dy())
	if o, ok := m.(interface{ Opaque() bool }); ok && o.Opaque() {
		out := image.NewRGBA(rect)
		draw.Draw(out, rect, m, r.Min, draw.Src)
		return out.Pix
	}
	out := image.NewNRGBA(rect)
	draw.Draw(out, rect, m, r.Min, draw.Src)
	return out.Pix
}

func copyRows(dst, src []byte, row, stride int) {
	for len(dst) > 0 {
		copy(dst[:row], src)
		dst = dst[row:]
		if len(src) > stride {
			src = src[stride:]
		}
	}
}

// palette returns the colours, with black for indices that have none.
func palette(p color.Palette, indices []byte) []asset.RGBA {
	var out []asset.RGBA
	for _, c := range p[:min(len(p), 256)] {
		n := color.NRGBAModel.Convert(c).(color.NRGBA)
		out = append(out, asset.RGBA{n.R, n.G, n.B, n.A})
	}
	top := 0
	for _, i := range indices {
		top = max(top, int(i))
	}
	for len(out) <= top {
		out = append(out, asset.RGBA{0, 0, 0, 255})
	}
	return out
}
