package texture

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/exchange/picture"
	"github.com/usher-assets/usher/convert/format"
	media "github.com/usher-assets/usher/read/media"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	blockcode "github.com/usher-assets/usher/schema/media"
	"github.com/usher-assets/usher/schema/unreal"
	encode "github.com/usher-assets/usher/write/media"
)

// A texture has one or two lists of mips (reference section 22): the first in Format, which is P8 where it is absent,
// the second, where bHasComp is set, in CompFormat.

// codec is a format of blocks.
type codec struct {
	name   string
	decode func(b []byte, width, height int) ([]byte, error)
	encode func(pix []byte, width, height int, effort blockcode.Effort) ([]byte, error)
}

var codecs = map[unreal.Compression]codec{
	unreal.BC1: {"bc1", media.BC1, encode.BC1},
	unreal.BC2: {"bc2", media.BC2, encode.BC2},
	unreal.BC3: {"bc3", media.BC3, encode.BC3},
}

// encodings are the compressed lists that a user can ask for.
var encodings = map[string]unreal.Compression{"bc1": unreal.BC1, "bc3": unreal.BC3}

func hasPixels(mips []unreal.Mip) bool { return len(mips) > 0 && len(mips[0].Pixels) > 0 }

// baseFormat is the format of the first list, 0 for P8.
func baseFormat(o *unreal.Texture) unreal.Compression {
	return unreal.Compression(o.Number("Format", 0))
}

// compFormat is the format of the second list.
func compFormat(o *unreal.Texture) unreal.Compression {
	return unreal.Compression(o.Number("CompFormat", 0))
}

// ShowsCompressed reports whether the second, compressed mip list is the one to show: the larger list, the first of two
// equal ones, or the one that the user chose.
func ShowsCompressed(o *unreal.Texture, env *format.Env) bool {
	switch {
	case !hasPixels(o.Compressed):
		return false
	case !hasPixels(o.Mips):
		return true
	}
	if env != nil {
		switch env.Options.Unreal.Mips {
		case "comp":
			return true
		case "base":
			return false
		}
	}
	a, b := &o.Compressed[0], &o.Mips[0]
	return uint64(a.USize)*uint64(a.VSize) > uint64(b.USize)*uint64(b.VSize)
}

// Second reports whether a texture is shown by its second list in an animation of second lists, if comp is set, or of first ones:
// by the list of the others where it has that.
func Second(o *unreal.Texture, comp bool) bool {
	return hasPixels(o.Compressed) && (comp || !hasPixels(o.Mips))
}

// Picture returns what a texture shows, without Native: its first mip list, or the second if the first has no pixels.
func Picture(from Palettes, o *unreal.Texture) (*asset.Texture, error) {
	return ListPicture(from, o, Second(o, false))
}

// ListPicture returns the picture of a mip list without Native: the second list if comp is set, otherwise the first.
func ListPicture(from Palettes, o *unreal.Texture, comp bool) (*asset.Texture, error) {
	t := named(o)
	mips, kind := o.Mips, baseFormat(o)
	if comp {
		mips, kind = o.Compressed, compFormat(o)
	}
	switch {
	case !hasPixels(mips):
		return nil, bare(o)
	case !comp && kind == 0:
		return t, indexed(from, t, o)
	}
	return t, blocks(t, o, mips, kind)
}

// named returns a texture without pictures.
func named(o *unreal.Texture) *asset.Texture {
	t := &asset.Texture{Name: o.Path[strings.LastIndexByte(o.Path, '.')+1:]}
	if o.Bool("bMasked") {
		t.Alpha = asset.Mask
	}
	return t
}

// bare is the error of a texture without pixels.
func bare(o *unreal.Texture) error {
	if strings.EqualFold(o.Class, "Texture") {
		return schema.Errorf(Name, schema.ErrBare, "mips", "%s has no pixels: somebody took them out, as it is done for servers", o.Path)
	}
	return schema.Errorf(Name, schema.ErrUnsupported, "mips", "%s has no pixels: the game makes them", o.Path)
}

// blocks decodes a list of blocks.
func blocks(t *asset.Texture, o *unreal.Texture, mips []unreal.Mip, kind unreal.Compression) error {
	c, known := codecs[kind]
	if !known {
		return schema.Errorf(Name, schema.ErrUnsupported, "CompFormat", "%s has pixels in format %d, which usher does not know", o.Path, kind)
	}
	frame := asset.Frame{Name: t.Name}
	for _, m := range mips {
		if err := schema.DefaultLimits.Picture(Name, int(m.USize), int(m.VSize), 4); err != nil {
			return err
		}
		pix, err := c.decode(m.Pixels, int(m.USize), int(m.VSize))
		if err != nil {
			return err
		}
		frame.Mips = append(frame.Mips, asset.Image{Width: int(m.USize), Height: int(m.VSize), Pix: pix,
			Stored: &asset.Stored{Encoding: c.name, Data: m.Pixels}})
	}
	t.Frames = []asset.Frame{frame}
	return nil
}

// reencodes reports whether the user asks for other lists than a texture has.
func (p *Painter) reencodes(o *unreal.Texture) bool {
	switch p.Options.Unreal.TextureEncoding {
	case "":
		return false
	case "p8":
		return o.HasComp || baseFormat(o) != 0
	}
	return !o.HasComp || compFormat(o) != encodings[p.Options.Unreal.TextureEncoding]
}

// lists stores an edited picture in all lists of a texture, each in its format and with as many mips as it had. comp
// says that the picture is of the second list.
func (p *Painter) lists(o *unreal.Texture, t *asset.Texture, comp bool) error {
	base := t
	old := p.oldBase(o)
	if comp && hasPixels(o.Mips) && hasPixels(o.Compressed) {
		var err error
		if base, err = smaller(t, &o.Compressed[0], &o.Mips[0]); err != nil {
			return err
		}
	}
	if err := p.base(o, base); err != nil {
		return err
	}
	return p.compress(o, t, old, comp)
}

// oldBase returns the stored picture of the first list as RGBA8; nil where there is none.
func (p *Painter) oldBase(o *unreal.Texture) *asset.Image {
	t, err := ListPicture(p.Palettes, o, false)
	if err != nil {
		return nil
	}
	m, _ := full(t)
	return m
}

// smaller returns a picture that is to t as the mip small is to large.
func smaller(t *asset.Texture, large, small *unreal.Mip) (*asset.Texture, error) {
	u, v := bits.Len32(large.USize)-bits.Len32(small.USize), bits.Len32(large.VSize)-bits.Len32(small.VSize)
	if u <= 0 && v <= 0 {
		return t, nil
	}
	m, err := full(t)
	if err != nil {
		return nil, err
	}
	for ; u > 0 && v > 0; u, v = u-1, v-1 {
		m = picture.Half(m)
	}
	m = picture.Scale(m, max(m.Width>>max(u, 0), 1), max(m.Height>>max(v, 0), 1))
	out := *t
	out.Palette, out.Frames = nil, []asset.Frame{{Name: t.Frames[0].Name, Mips: []asset.Image{*m}}}
	return &out, nil
}

// base stores a picture in the first list.
func (p *Painter) base(o *unreal.Texture, t *asset.Texture) error {
	kind := baseFormat(o)
	if p.Options.Unreal.TextureEncoding != "" || codecs[kind].encode == nil {
		old, err := ListPicture(p.Palettes, o, false)
		if err == nil && old.Base().Format == asset.Indexed8 {
			return p.Repaint(o, old, t)
		}
		return p.paint(o, nil, t)
	}
	full, err := full(t)
	if err != nil {
		return err
	}
	if o.Mips, err = encodeMips(full, nil, kind, mipCount(o.Mips, full), o.Mips, p.Options.Effort); err != nil {
		return err
	}
	p.tellSoft(o, full, kind)
	mean, most := summaryOf(full)
	setSizes(o, full.Width, full.Height, mean, most)
	return nil
}

// compress stores a picture in the second list, where a texture has one or the user asks for one. own says that the
// picture comes from that list; otherwise it comes from the first one, whose old picture is before.
func (p *Painter) compress(o *unreal.Texture, t *asset.Texture, before *asset.Image, own bool) error {
	kind, asked := encodings[p.Options.Unreal.TextureEncoding]
	switch {
	case p.Options.Unreal.TextureEncoding == "p8" || !asked && o.HasComp && codecs[compFormat(o)].encode == nil:
		if o.HasComp && !(p.Options.Unreal.TextureEncoding == "p8") {
			p.Diagnostics.Lossf("compressed-dropped", o.Path, "the compressed copy of the old picture is of format %d, which usher cannot write; it was taken out", compFormat(o))
		}
		o.Unset("bHasComp")
		o.Unset("CompFormat")
		o.HasComp, o.Compressed = false, nil
		return nil
	case !asked && !o.HasComp:
		return nil
	case !asked:
		kind = compFormat(o)
	}
	full, err := full(t)
	if err != nil {
		return err
	}
	stored := o.Compressed
	if own {
		before = nil
	} else {
		keepAlpha(full, before, o)
	}
	if len(stored) > 0 && (int(stored[0].USize) > full.Width || int(stored[0].VSize) > full.Height) {
		p.Diagnostics.Hint("; edit it with --mips comp to keep its size").Warnf("smaller-list", o.Path, "the compressed list was %d x %d pixels and becomes as large as the picture",
			stored[0].USize, stored[0].VSize)
	}
	count := mipCount(stored, full)
	if kind != compFormat(o) {
		stored = nil
	}
	if o.Compressed, err = encodeMips(full, before, kind, count, stored, p.Options.Effort); err != nil {
		return err
	}
	p.tellSoft(o, full, kind)
	o.HasComp = true
	setBefore(o, "bHasComp", unreal.BoolProperty, 1, "CompFormat", "Palette")
	setBefore(o, "CompFormat", unreal.ByteProperty, int32(kind), "Palette")
	return nil
}

// full returns the full-size picture as RGBA8 of its own.
func full(t *asset.Texture) (*asset.Image, error) {
	m, err := picture.RGBA(t.Base(), t.Palette)
	if err != nil {
		return nil, err
	}
	m.Pix, m.Stored = slices.Clone(m.Pix), nil
	return &m, nil
}

// tellSoft reports alpha that a list of blocks cannot hold.
func (p *Painter) tellSoft(o *unreal.Texture, m *asset.Image, kind unreal.Compression) {
	if kind == unreal.BC1 && softAlpha(m) {
		p.Diagnostics.Lossf("alpha", o.Path, "bc1 knows seen and unseen pixels only; bc3 keeps the alpha")
	}
}

// keepAlpha gives an opaque picture, and the one that was there before, the alpha of the second list, whose place it takes,
// in whatever format: the first list cannot show it.
func keepAlpha(m, before *asset.Image, o *unreal.Texture) {
	c, known := codecs[compFormat(o)]
	if !known || o.Bool("bMasked") || !opaquePixels(m) || before != nil && !opaquePixels(before) {
		return
	}
	was := decodedMip(c, o.Compressed, 0, m)
	for i := 3; i < len(was); i += 4 {
		m.Pix[i] = was[i]
		if before != nil && len(before.Pix) == len(was) {
			before.Pix[i] = was[i]
		}
	}
}

// opaquePixels reports whether all of a picture is seen.
func opaquePixels(m *asset.Image) bool {
	for i := 3; i < len(m.Pix); i += 4 {
		if m.Pix[i] != 255 {
			return false
		}
	}
	return true
}

// softAlpha reports whether a picture has pixels that are half seen.
func softAlpha(m *asset.Image) bool {
	for i := 3; i < len(m.Pix); i += 4 {
		if a := m.Pix[i]; a > 0 && a < 255 {
			return true
		}
	}
	return false
}

// encodeMips encodes a picture and up to count−1 halves of it. Where stored is a list of the same size, what the edit
// left alone stays: before is the picture that was edited, nil for that of the list itself.
func encodeMips(m, before *asset.Image, kind unreal.Compression, count int, stored []unreal.Mip, effort blockcode.Effort) ([]unreal.Mip, error) {
	c := codecs[kind]
	keep := picture.Blocks{Side: 4, Size: kind.BlockSize()}
	var mips []unreal.Mip
	if before != nil && (before.Width != m.Width || before.Height != m.Height) {
		before, stored = nil, nil
	}
	for i := 0; ; i++ {
		now := asset.Image{Width: m.Width, Height: m.Height, Pix: slices.Clone(m.Pix)}
		was := decodedMip(c, stored, i, m)
		if i == 0 && was != nil && before == nil {
			before = &asset.Image{Width: m.Width, Height: m.Height, Pix: was}
		}
		if was != nil && before != nil {
			picture.Carry(now.Pix, before.Pix, was)
		}
		b, err := c.encode(now.Pix, now.Width, now.Height, effort)
		if err != nil {
			return nil, err
		}
		if was != nil && before != nil {
			keep.Keep(b, stored[i].Pixels, was, now.Pix, now.Width)
		}
		mips = append(mips, unreal.Mip{Pixels: b, USize: uint32(m.Width), VSize: uint32(m.Height),
			UBits: uint8(bits.Len(uint(m.Width)) - 1), VBits: uint8(bits.Len(uint(m.Height)) - 1)})
		if len(mips) >= count || m.Width == 1 && m.Height == 1 {
			return mips, nil
		}
		m, before = picture.Half(m), picture.Half(before)
	}
}

// decodedMip returns the pixels of a stored mip of the size of m; nil where there is none.
func decodedMip(c codec, stored []unreal.Mip, i int, m *asset.Image) []byte {
	if i >= len(stored) || int(stored[i].USize) != m.Width || int(stored[i].VSize) != m.Height {
		return nil
	}
	pix, err := c.decode(stored[i].Pixels, m.Width, m.Height)
	if err != nil || len(pix) != len(m.Pix) {
		return nil
	}
	return pix
}

// summaryOf is summary of a picture in true colour.
func summaryOf(m *asset.Image) (mean, most []byte) {
	var sum [3]uint64
	mean, most = make([]byte, 4), []byte{0, 0, 0, 255}
	for i := 0; i < len(m.Pix); i += 4 {
		for k := range sum {
			sum[k] += uint64(m.Pix[i+k])
			most[k] = max(most[k], m.Pix[i+k])
		}
	}
	for k := range sum {
		mean[k] = byte(sum[k] / uint64(max(len(m.Pix)/4, 1)))
	}
	return mean, most
}

// setBefore sets a property that is one number; a new one stands before the first of the others, as the engine has it.
func setBefore(o *unreal.Texture, name string, t unreal.PropertyType, number int32, others ...string) {
	known := o.Property(name, 0) != nil
	o.Set(name, t, number)
	if known {
		return
	}
	last := len(o.Properties) - 1
	at := slices.IndexFunc(o.Properties[:last], func(q unreal.Property) bool { return slices.Contains(others, o.Package.Name(q.Name)) })
	if at < 0 {
		return
	}
	q := o.Properties[last]
	o.Properties = slices.Insert(o.Properties[:last], at, q)
}
