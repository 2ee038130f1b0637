package ultima9

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/ultima9/look"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/u9"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// TestIndexedEdits: an edit that the newer layout holds is refused, one that neither holds is told, and what an editor does
// to files that nobody edited is nothing.
func TestIndexedEdits(t *testing.T) {
	b := sampleIndexed(t)
	limb := func(s *asset.Scene) *asset.Node { return s.Roots[0].Children[0] }
	for _, x := range []struct {
		name string
		edit func(s *asset.Scene)
		told string // code of a warning; "refused" for an edit
	}{
		{"nothing", func(*asset.Scene) {}, ""},
		{"copied in Blender", func(s *asset.Scene) { limb(s).Name += ".001" }, ""},
		{"triangles in another order", func(s *asset.Scene) { slices.Reverse(limb(s).Mesh.Primitives) }, ""},
		{"limb renamed", func(s *asset.Scene) { limb(s).Name = "tent" }, "name"},
		{"material renamed", func(s *asset.Scene) { s.Materials[0].Name = "canvas" }, "name"},
		{"material recoloured", func(s *asset.Scene) { s.Materials[0].BaseColor = [4]float32{1, 0, 0, 1} }, "material-colour"},
		{"animation added", func(s *asset.Scene) {
			c := &asset.Channel{Node: limb(s), Path: asset.Translation, Times: []float32{0, 1}, Values: []float32{0, 0, 0, 9, 0, 0}}
			s.Animations = append(s.Animations, &asset.Animation{Name: "sway", Channels: []*asset.Channel{c}})
		}, "animations"},
		{"half-transparent", func(s *asset.Scene) { s.Materials[0].Alpha, s.Materials[0].BaseColor[3] = asset.Blend, 0.5 }, "refused"},
		{"another picture", func(s *asset.Scene) { s.Materials[0].BaseColorTexture.Texture.Name = "texture_9" }, "refused"},
		{"new picture", func(s *asset.Scene) { s.Materials[0].BaseColorTexture.Texture.Name = "canvas" }, "refused"},
		{"flags", func(s *asset.Scene) { s.Materials[0].Native.Values["flags"] = 2 }, "refused"},
		{"mirrored", func(s *asset.Scene) { limb(s).Transform.Scale[0] = -1 }, "refused"},
		{"moved", func(s *asset.Scene) { limb(s).Transform.Translation[0] = 1 }, "refused"},
		{"texture coordinates moved", func(s *asset.Scene) { limb(s).Mesh.Primitives[0].TexCoords[0][0][0] += 0.25 }, "refused"},
		{"coloured vertices", func(s *asset.Scene) {
			p := limb(s).Mesh.Primitives[0]
			p.Colors = slices.Repeat([][4]float32{{1, 0, 0, 1}}, len(p.Positions))
		}, "refused"},
		{"white vertices", func(s *asset.Scene) {
			p := limb(s).Mesh.Primitives[0]
			p.Colors = slices.Repeat([][4]float32{{1, 1, 1, 1}}, len(p.Positions))
		}, ""},
		{"triangle gone", func(s *asset.Scene) { p := limb(s).Mesh.Primitives[1]; p.Indices = p.Indices[3:] }, "refused"},
	} {
		s := u9.ThroughGLB(t, "", u9.Do(Indexed.Lift(u9.Do(read.Indexed(b, nil))(t), nil))(t))
		x.edit(s)
		d := new(schema.Diagnostics)
		m, err := Indexed.Lower(s, &format.Env{Diagnostics: d})
		if refused := errors.Is(err, schema.ErrUnsupported); refused != (x.told == "refused") || err != nil && !refused {
			t.Errorf("%s: %v", x.name, err)
		}
		if err == nil && !bytes.Equal(u9.Do(write.Indexed(m))(t), b) {
			t.Errorf("%s: other bytes", x.name)
		}
		told := slices.DeleteFunc(slices.Clone(d.All()), func(x schema.Diagnostic) bool { return x.Severity == schema.Note })
		if err == nil && (len(told) > 0) != (x.told != "") || err == nil && x.told != "" && !d.Has(x.told) {
			t.Errorf("%s: told %v, want %q", x.name, told, x.told)
		}
	}
}

// TestPicturesAlike: programs that keep one of two pictures that look alike have changed nothing; another picture counts.
func TestPicturesAlike(t *testing.T) {
	picture := func(v byte) *asset.Texture {
		return &asset.Texture{Name: "texture_77", Frames: []asset.Frame{{Mips: []asset.Image{{Width: 1, Height: 1, Format: asset.RGBA8, Pix: []byte{v, 0, 0, 255}}}}}}
	}
	for _, alike := range []bool{true, false} {
		was := picture(1)
		now := map[bool]*asset.Texture{true: was, false: picture(2)}[alike]
		show := func(s *asset.Scene, name string) {
			i := slices.IndexFunc(s.Materials, func(m *asset.Material) bool { return m.Name == name })
			m := s.Materials[i]
			scene.SetShown(m.Native, "picture", look.Digest(was))
			m.BaseColorTexture.Texture = now
		}
		s := u9.Lift(t, Terrain, corpus.Bytes(t, corpus.Testdata(t, "ultima9", "terrain.9")), nil).(*asset.Scene)
		show(s, s.Materials[0].Name)
		count := 0
		for _, p := range u9.Do(Terrain.Lower(s, nil))(t).Grid() {
			if p.Texture() == 77 {
				count++
			}
		}
		if (count == 0) != alike {
			t.Errorf("alike %v: %d cells of the ground took the other texture", alike, count)
		}
		m := u9.Do(read.Sappear(sampleBody(t), nil))(t)
		s = u9.Do(Sappear.Lift(m, nil))(t)
		for _, m := range s.Materials {
			if m.Native != nil && m.BaseColorTexture != nil {
				show(s, m.Name)
			}
		}
		if same := bytes.Equal(u9.Do(write.Sappear(u9.Do(Sappear.Lower(s, nil))(t)))(t), sampleBody(t)); same != alike {
			t.Errorf("alike %v: the same model %v", alike, same)
		}
	}
}
