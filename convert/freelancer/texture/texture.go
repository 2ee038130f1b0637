package texture

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/bits"

	"github.com/usher-assets/usher/convert/exchange/picture"
	"github.com/usher-assets/usher/convert/freelancer/space"
	media "github.com/usher-assets/usher/read/media"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
	pixels "github.com/usher-assets/usher/schema/media"
)

// Lift decodes a texture of a library. The lowest row is stored first in both kinds of files. A Targa says so in its
// descriptor; for a DDS file it is a convention.
func Lift(t *freelancer.TextureEntry, d *schema.Diagnostics) (*asset.Texture, error) {
	switch t.Form {
	case freelancer.DDSTexture, freelancer.CubeTexture:
		x, err := media.DDS(t.Leaves[0].Data, d.In(t.Name+"/"+t.Leaves[0].Name))
		if err != nil {
			return nil, schema.In(t.Name+`\`+t.Leaves[0].Name, err)
		}
		a, err := ddsTexture(x)
		if err != nil {
			return nil, err
		}
		a.Name = t.Name
		return a, nil
	case freelancer.TGATexture:
		f := asset.Frame{}
		for _, l := range t.Leaves {
			x, err := media.TGA(l.Data, d.In(t.Name+"/"+l.Name))
			if err != nil {
				return nil, schema.In(t.Name+`\`+l.Name, err)
			}
			m, err := tgaImage(x)
			if err != nil {
				return nil, schema.In(t.Name+`\`+l.Name, err)
			}
			f.Mips = append(f.Mips, m)
		}
		return &asset.Texture{Name: t.Name, Frames: []asset.Frame{f}, Alpha: f.Mips[0].AlphaMode(nil)}, nil
	}
	return nil, schema.In(t.Name, schema.Errorf(freelancer.Format, schema.ErrUnsupported, "texture", "there is no picture in it"))
}

// ddsTexture decodes the levels of a DDS file, and the first level of the further faces of a cube.
func ddsTexture(x *pixels.DDS) (*asset.Texture, error) {
	f := asset.Frame{}
	for mip := range x.Mips() {
		m, err := ddsImage(x, 0, mip)
		if err != nil {
			return nil, err
		}
		f.Mips = append(f.Mips, m)
	}
	for face := 1; face < x.Faces(); face++ {
		m, err := ddsImage(x, face, 0)
		if err != nil {
			return nil, err
		}
		f.Faces = append(f.Faces, m)
	}
	if len(f.Mips) == 0 {
		return nil, schema.Errorf("dds", schema.ErrValue, "", "it has no picture")
	}
	return &asset.Texture{Frames: []asset.Frame{f}, Alpha: f.Mips[0].AlphaMode(nil)}, nil
}

// ddsImage decodes a level, its rows from the top.
func ddsImage(x *pixels.DDS, face, mip int) (asset.Image, error) {
	w, h := x.LevelSize(mip)
	return ddsLevel(&x.Format, x.Level(face, mip), w, h)
}

// ddsLevel decodes the bytes of a level, its rows from the top.
func ddsLevel(f *pixels.DDSFormat, raw []byte, w, h int) (asset.Image, error) {
	m := asset.Image{Width: w, Height: h}
	var err error
	switch {
	case f.Block() == pixels.BC1Block:
		m.Pix, err = media.BC1(raw, w, h)
	case f.Block() > 0 && f.FourCC.String() < "DXT4":
		m.Pix, err = media.BC2(raw, w, h)
	case f.Block() > 0:
		m.Pix, err = media.BC3(raw, w, h)
	default:
		m.Pix = unmask(raw, w*h, f)
	}
	if err == nil {
		flip(&m)
	}
	return m, err
}

// unmask reads pixels whose channels are given as masks. Channels of fewer than 8 bits are widened so that the highest
// value becomes 255; a missing colour is that of a grey picture, a missing alpha 255.
func unmask(raw []byte, n int, f *pixels.DDSFormat) []byte {
	size := int(f.Bits) / 8
	masks := [4]uint32{f.Red, f.Green, f.Blue, 0}
	if f.Flags&(pixels.DDSAlphaPixels|pixels.DDSAlpha) != 0 {
		masks[3] = f.Alpha
	}
	if f.Flags&pixels.DDSLuminance != 0 {
		masks[1], masks[2] = f.Red, f.Red
	}
	out := make([]byte, 4*n)
	for i := range n {
		var v uint32
		for k := range size {
			v |= uint32(raw[i*size+k]) << (8 * k)
		}
		for c, mask := range masks {
			switch width := bits.OnesCount32(mask); {
			case mask != 0:
				most := uint64(1)<<width - 1
				out[4*i+c] = byte((uint64(v&mask>>bits.TrailingZeros32(mask))*255 + most/2) / most)
			case c == 3:
				out[4*i+c] = 255
			}
		}
	}
	return out
}

// mask is the inverse of unmask.
func mask(pix []byte, f *pixels.DDSFormat) []byte {
	size := int(f.Bits) / 8
	masks := [4]uint32{f.Red, f.Green, f.Blue, 0}
	if f.Flags&(pixels.DDSAlphaPixels|pixels.DDSAlpha) != 0 {
		masks[3] = f.Alpha
	}
	out := make([]byte, 0, len(pix)/4*size)
	var word [8]byte
	for i := 0; i+4 <= len(pix); i += 4 {
		var v uint32
		for c, m := range masks {
			if m != 0 {
				most := uint64(1)<<bits.OnesCount32(m) - 1
				v |= uint32((uint64(pix[i+c])*most+127)/255) << bits.TrailingZeros32(m) & m
			}
		}
		binary.LittleEndian.PutUint32(word[:], v)
		out = append(out, word[:size]...)
	}
	return out
}

// flip turns a picture upside down.
func flip(m *asset.Image) {
	row := m.Width * m.Format.Bytes()
	tmp := make([]byte, row)
	for i, j := 0, m.Height-1; i < j; i, j = i+1, j-1 {
		a, b := m.Pix[i*row:(i+1)*row], m.Pix[j*row:(j+1)*row]
		copy(tmp, a)
		copy(a, b)
		copy(b, tmp)
	}
}

// tgaImage decodes a Targa. 16-bit pictures are opaque in the game whatever their top bit says; those of 32 bits have
// alpha whatever their descriptor says (reference section 12.2).
func tgaImage(t *pixels.TGA) (asset.Image, error) {
	w, h := int(t.Width), int(t.Height)
	raw, err := media.TGAPixels(t)
	if err != nil {
		return asset.Image{}, err
	}
	m := asset.NewImage(w, h, asset.RGBA8)
	switch t.Kind() { // those with a palette and grey ones have a byte a pixel
	case pixels.TGAIndexed:
		colors := tgaColors(t.Map, int(t.MapBits))
		for i := range w * h {
			if k := int(raw[i]) - int(t.MapFirst); k >= 0 && 4*k < len(colors) {
				copy(m.Pix[4*i:], colors[4*k:4*k+4])
			}
		}
	case pixels.TGAGray:
		for i := range w * h {
			v := raw[i]
			m.Pix[4*i], m.Pix[4*i+1], m.Pix[4*i+2], m.Pix[4*i+3] = v, v, v, 255
		}
	default:
		m.Pix = tgaColors(raw, int(t.Bits))
	}
	if t.Descriptor&pixels.TGAFromTop == 0 {
		flip(&m)
	}
	if t.Descriptor&pixels.TGAFromRight != 0 {
		mirror(&m)
	}
	return m, nil
}

func tgaColors(raw []byte, depth int) []byte {
	size := (depth + 7) / 8
	out := make([]byte, len(raw)/size*4)
	switch depth {
	case 15, 16:
		media.XRGB1555(out, raw)
	case 24:
		media.BGR888(out, raw)
	case 32:
		media.BGRA8888(out, raw)
	}
	return out
}

func mirror(m *asset.Image) {
	for y := range m.Height {
		row := m.Pix[y*m.Width*4:][:m.Width*4]
		for i, j := 0, len(row)-4; i < j; i, j = i+4, j-4 {
			for k := range 4 {
				row[i+k], row[j+k] = row[j+k], row[i+k]
			}
		}
	}
}

// RGBA returns the full-size picture of a texture as RGBA8, or nil if there is none.
func RGBA(t *asset.Texture) *asset.Image {
	base := t.Base()
	if base == nil {
		return nil
	}
	m, err := picture.RGBA(base, t.Palette)
	if err != nil {
		return nil
	}
	return &m
}

// Fingerprint returns a hash of the visible picture, which shows whether it was edited. Colour under zero alpha is ignored,
// because editors drop it.
func Fingerprint(t *asset.Texture) string {
	m := RGBA(t)
	if m == nil {
		return ""
	}
	h := crc32.NewIEEE()
	row := make([]byte, 4*m.Width)
	for y := range m.Height {
		copy(row, m.Pix[y*4*m.Width:])
		for i := 0; i < len(row); i += 4 {
			if row[i+3] == 0 {
				row[i], row[i+1], row[i+2] = 0, 0, 0
			}
		}
		h.Write(row)
	}
	return fmt.Sprintf("%dx%d:%08x", m.Width, m.Height, h.Sum32())
}

// StoredRows is a value of Options.Freelancer.TextureRows and of the scene's property "textureRows": pictures have their
// rows in the order of the file, the lowest first (reference section 4, convention A).
const StoredRows = "stored"

// RowsStored reports whether the pictures of a scene have their rows in the order of the file.
func RowsStored(s *asset.Scene, option string) bool {
	if s.Native != nil {
		if rows, ok := s.Native.Values["textureRows"].(string); ok {
			return rows == StoredRows
		}
		if s.Native.Format != "" {
			return false
		}
	}
	return option == StoredRows
}

// TurnRows flips all pictures of a scene vertically, together with the texture coordinates.
func TurnRows(s *asset.Scene) {
	turned := map[*[2]float32][][2]float32{} // primitives may share them
	for _, m := range s.Meshes {
		for _, p := range m.Primitives {
			for set, uv := range p.TexCoords {
				if len(uv) == 0 {
					continue
				}
				if turned[&uv[0]] == nil {
					now := space.FlipV(uv)
					turned[&uv[0]], turned[&now[0]] = now, now // copies of a primitive share the list of sets too
				}
				p.TexCoords[set] = turned[&uv[0]]
			}
		}
	}
	for _, t := range s.Textures {
		t.File = nil
		for f := range t.Frames {
			for _, list := range [...][]asset.Image{t.Frames[f].Mips, t.Frames[f].Faces} {
				for i := range list {
					m := &list[i]
					m.Pix, m.Stored = bytes.Clone(m.Pix), nil
					flip(m)
				}
			}
		}
	}
}
