package texture

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/usher-assets/usher/convert/exchange/picture"
	media "github.com/usher-assets/usher/read/media"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
	pixels "github.com/usher-assets/usher/schema/media"
	encode "github.com/usher-assets/usher/write/media"
)

// The kinds in which a new picture can be stored, as Options.Encoding names them.
const (
	kindDXT1 = "dxt1" // alpha is there or not
	kindDXT3 = "dxt3" // alpha in 16 steps
	kindDXT5 = "dxt5" // smooth alpha
	kindRGBA = "rgba" // a DDS file without compression
	KindTGA  = "tga"  // Targas of 32 bits
)

var textureKinds = []string{kindDXT1, kindDXT3, kindDXT5, kindRGBA, KindTGA}

// iconSide is the longest side of pictures that are too small for blocks: the game's own are Targas.
const iconSide = 32

// Ending returns the end of the name of a texture with the given encoding.
func Ending(kind string) string {
	if kind == KindTGA {
		return ".tga"
	}
	return ".dds"
}

// NewKind returns the encoding for a new picture: the user's choice, or what the game's artists used (reference section
// 19.5). A picture with masked alpha gets DXT5 too, since not all materials support the alpha of DXT1.
func NewKind(m *asset.Image, asked string) string {
	switch {
	case slices.Contains(textureKinds, asked):
		return asked
	case max(m.Width, m.Height) <= iconSide:
		return KindTGA
	case m.AlphaMode(nil) != asset.Opaque:
		return kindDXT5
	}
	return kindDXT1
}

// richerKind returns the kind that a stored picture needs when it gains alpha; empty when its own will do. before is
// what it showed.
func richerKind(f *pixels.DDSFormat, before, m *asset.Image) string {
	need := m.AlphaMode(nil)
	switch {
	case need == asset.Opaque:
	case f.Block() == pixels.BC1Block && (need == asset.Blend || before == nil || before.AlphaMode(nil) == asset.Opaque):
		return kindDXT5
	case f.Block() == 0 && (f.Flags&(pixels.DDSAlphaPixels|pixels.DDSAlpha) == 0 || f.Alpha == 0):
		return kindRGBA
	}
	return ""
}

// New returns a texture for a picture, and reports if it cannot hold all of the alpha.
func New(name string, m *asset.Image, kind string, effort pixels.Effort, d *schema.Diagnostics) (*freelancer.TextureEntry, error) {
	x := &freelancer.TextureEntry{Name: name, Form: freelancer.DDSTexture}
	if kind == KindTGA {
		leaves, err := Targas(m)
		x.Form, x.Leaves = freelancer.TGATexture, leaves
		return x, err
	}
	b, err := newDDS(m, kind, effort)
	if err != nil {
		return nil, err
	}
	x.Leaves = []*freelancer.Node{freelancer.NewLeaf("MIPS", b)}
	noteStored(x, m, d)
	return x, nil
}

// noteStored tells when a texture has less alpha than the picture that it was made of.
func noteStored(x *freelancer.TextureEntry, m *asset.Image, d *schema.Diagnostics) {
	if now, err := Lift(x, nil); err == nil {
		noteAlpha(d, x.Name, m, now.Base())
	}
}

// Update replaces the picture of a stored texture, in the encoding that the user chose or else the stored one.
func Update(t *freelancer.TextureEntry, m *asset.Image, asked string, effort pixels.Effort, d *schema.Diagnostics) error {
	change := func() error { return encodeTexture(t, m, effort) }
	if slices.Contains(textureKinds, asked) {
		change = func() error { return replaceEntry(t, m, asked, effort) }
	}
	if err := change(); err != nil {
		return err
	}
	noteStored(t, m, d)
	return nil
}

// mostLevels is how many levels of a Targa the game knows: MIP0 to MIP9.
const mostLevels = 10

// Targas encodes a picture and its smaller levels, at most as many as the game supports, as 32-bit Targas.
func Targas(m *asset.Image) (leaves []*freelancer.Node, err error) {
	like, err := encode.TGA(&pixels.TGA{ImageType: pixels.TGAColour, Width: 1, Height: 1, Bits: 32, Pixels: make([]byte, 4)})
	if err != nil {
		return nil, err
	}
	for level := range min(levelsOf(m), mostLevels) {
		if level > 0 {
			m = picture.Half(m)
		}
		b, err := encodeTGA(like, m)
		if err != nil {
			return nil, err
		}
		leaves = append(leaves, freelancer.NewLeaf(fmt.Sprintf("MIP%d", level), b))
	}
	return leaves, nil
}

// TargasOf is [Targas] for the picture in a Targa file.
func TargasOf(b []byte) ([]*freelancer.Node, error) {
	x, err := media.TGA(b, nil)
	if err != nil {
		return nil, err
	}
	m, err := tgaImage(x)
	if err != nil {
		return nil, err
	}
	return Targas(&m)
}

// AsTarga returns the picture for a new texture that is stored as Targas, because it is an icon or the user chose that. It
// is nil for other textures.
func AsTarga(payload []byte, asked string) *asset.Image {
	x, err := media.DDS(payload, nil)
	if err != nil || x.Format.Block() > 0 || x.Faces() > 1 || asked != KindTGA && (asked != "" || max(x.Width, x.Height) > iconSide) {
		return nil
	}
	m, err := ddsImage(x, 0, 0)
	if err != nil {
		return nil
	}
	return &m
}

// levelsOf returns the number of levels down to one pixel.
func levelsOf(m *asset.Image) int { return bits.Len(uint(max(m.Width, m.Height))) }

// newDDS writes a picture as a DDS file of a kind, with all levels.
func newDDS(m *asset.Image, kind string, effort pixels.Effort) ([]byte, error) {
	x := &pixels.DDS{
		HeaderSize: 124, Flags: 0xA1007, Width: uint32(m.Width), Height: uint32(m.Height), MipCount: uint32(levelsOf(m)), Caps: 0x401008,
		Format: pixels.DDSFormat{Size: 32, Flags: pixels.DDSFourCC},
	}
	switch kind {
	case kindDXT1, kindDXT3, kindDXT5:
		copy(x.Format.FourCC[:], map[string]string{kindDXT1: "DXT1", kindDXT3: "DXT3", kindDXT5: "DXT5"}[kind])
		x.Pitch = uint32(pixels.BlocksSize(m.Width, m.Height, x.Format.Block()))
	case kindRGBA:
		x.Flags, x.Pitch = 0x2100F, uint32(4*m.Width)
		x.Format = pixels.DDSFormat{Size: 32, Flags: pixels.DDSRGB | pixels.DDSAlphaPixels, Bits: 32, Red: 0xFF0000, Green: 0xFF00, Blue: 0xFF, Alpha: 0xFF000000}
	default:
		return nil, schema.Errorf("dds", schema.ErrUnsupported, "encoding", "%q is no kind of DDS file: %s, %s, %s and %s are", kind, kindDXT1, kindDXT3, kindDXT5, kindRGBA)
	}
	var err error
	if x.Levels, err = ddsLevels(&x.Format, m, levelsOf(m), nil, effort); err != nil {
		return nil, err
	}
	return encode.DDS(x)
}

// replaceEntry stores another picture in the place of a texture's, in another kind.
func replaceEntry(t *freelancer.TextureEntry, m *asset.Image, kind string, effort pixels.Effort) error {
	x, err := New(t.Name, m, kind, effort, nil)
	if err != nil {
		return err
	}
	if t.Node != nil {
		for _, l := range t.Leaves {
			t.Node.Remove(l)
		}
		for _, l := range x.Leaves {
			t.Node.Add(l)
		}
	}
	t.Form, t.Leaves = x.Form, x.Leaves
	return nil
}
