package model

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/ultima9/look"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/u9"

	read "github.com/usher-assets/usher/read/ultima9"
)

// The node that shows a limb with levels is the one that people move: its vertices take that, those of its levels too
// unless they were moved themselves, and the limb stays.
func TestSappearShapeMoved(t *testing.T) {
	b := corpus.Bytes(t, u9.Synthetic(t, "mesh", "body.mesh"))
	before := u9.Do(read.Sappear(b, nil))(t)
	for name, by := range map[string]mgl64.Mat4{
		"moved": mgl64.Translate3D(3, -2, 5), "turned": mgl64.HomogRotate3DZ(math.Pi / 2), "scaled": mgl64.Scale3D(1.5, 1.5, 1.5),
		"scaled unevenly": mgl64.Scale3D(2, 1, 0.5), "mirrored": mgl64.Scale3D(-1, 1, 1),
	} {
		for _, apart := range []bool{false, true} {
			s := u9.Lift(t, Sappear, b, nil)
			top := u9.NodeNamed(t, s, "limb_2_lod0")
			top.Transform = scene.TransformOf(by)
			own := by
			if apart {
				own = mgl64.Translate3D(0, 0, 9)
				top.LODs[0].Transform = scene.TransformOf(own)
			}
			after := u9.Do(read.Sappear(u9.Lower(t, Sappear, s, nil), nil))(t)
			for i := range before.Limbs {
				x, y := &before.Limbs[i], &after.Limbs[i]
				if x.Position != y.Position || x.Scale != y.Scale || x.Rotation != y.Rotation {
					t.Errorf("%s: limb %d itself moved", name, x.ID)
				}
				for k := range x.LODs {
					want := mgl64.Ident4()
					switch {
					case x.ID == 2 && k == 1:
						want = own
					case x.ID == 2:
						want = by
					}
					sameShape(t, name, &x.LODs[k], &y.LODs[k], want)
				}
			}
		}
	}
}

// sameShape compares the triangles of a level, moved by a transform, with those of another, in any order.
func sameShape(t *testing.T, name string, a, b *ultima9.LOD, by mgl64.Mat4) {
	t.Helper()
	corners := func(l *ultima9.LOD, face int, by mgl64.Mat4) (out [3][3]float32) {
		for k, c := range l.Faces[face].Corners {
			out[k] = scene.Narrow3(scene.Point(&by, l.Vertices[c.Vertex]))
		}
		return out
	}
	if len(a.Faces) != len(b.Faces) {
		t.Errorf("%s: %d faces, %d expected", name, len(b.Faces), len(a.Faces))
		return
	}
	for i := range a.Faces {
		want, found := corners(a, i, by), false
		for k := range b.Faces {
			got := corners(b, k, mgl64.Ident4())
			found = found || !slices.ContainsFunc(want[:], func(v [3]float32) bool {
				return !slices.ContainsFunc(got[:], func(w [3]float32) bool { return distance(v, w) < 1e-3 })
			})
		}
		if !found {
			t.Errorf("%s: no face has the corners %v of face %d", name, want, i)
			return
		}
	}
}

// What a model cannot hold of an edit is told once, and names the thing; what an editor does by itself is not.
func TestSappearEditsTold(t *testing.T) {
	b := corpus.Bytes(t, u9.Synthetic(t, "mesh", "body.mesh"))
	for _, x := range []struct {
		code, names string
		edit        func(s *asset.Scene)
	}{
		{"", "", func(s *asset.Scene) {}},
		{"", "", func(s *asset.Scene) { s.Materials[0].Name += ".001" }},
		{"", "", func(s *asset.Scene) { u9.NodeNamed(t, s, "limb_2").Name = "limb_2.001" }},
		{"name", "Torso", func(s *asset.Scene) { u9.NodeNamed(t, s, "limb_2").Name = "Torso" }},
		{"name", "Torso", func(s *asset.Scene) { u9.NodeNamed(t, s, "limb_2_lod0").Name = "Torso" }},
		{"name", "Skin", func(s *asset.Scene) { s.Materials[0].Name = "Skin" }},
		{"material-colour", "texture_", func(s *asset.Scene) { s.Materials[0].BaseColor = [4]float32{1, 0, 0, 1} }},
		{"level-removed", "level 1 of limb_2", func(s *asset.Scene) { n := u9.NodeNamed(t, s, "limb_2_lod0"); n.LODs = n.LODs[1:] }},
		{"no-custom-properties", "limb_2_lod0", func(s *asset.Scene) { u9.NodeNamed(t, s, "limb_2_lod0").Mesh.Native = nil }},
	} {
		s := u9.Lift(t, Sappear, b, nil)
		x.edit(s)
		env := &format.Env{Diagnostics: new(schema.Diagnostics)}
		u9.Lower(t, Sappear, s, env)
		var told []schema.Diagnostic
		for _, d := range env.Diagnostics.All() {
			if d.Severity != schema.Note {
				told = append(told, d)
			}
		}
		switch {
		case x.code == "" && len(told) > 0:
			t.Errorf("nothing was edited, yet: %v", told)
		case x.code != "" && (len(told) != 1 || told[0].Code != x.code || !strings.Contains(told[0].Path+told[0].Msg, x.names)):
			t.Errorf("%s of %s expected: %v", x.code, x.names, told)
		}
	}
}

// A picture that was painted is told of far from the archive that it came from; one that an editor saved again is not.
func TestSappearPictureDigest(t *testing.T) {
	shown := func(v ...byte) *asset.Texture {
		return &asset.Texture{Name: "texture_4", Frames: []asset.Frame{{Mips: []asset.Image{{Width: 1, Height: 2, Format: asset.RGBA8, Pix: v}}}}}
	}
	was := shown(1, 2, 3, 255, 9, 9, 9, 0)
	for _, x := range []struct {
		now  *asset.Texture
		told bool
	}{
		{shown(1, 2, 3, 255, 9, 9, 9, 0), false}, {shown(1, 2, 3, 255, 0, 0, 0, 0), false}, {shown(1, 2, 4, 255, 9, 9, 9, 0), true}, {nil, true},
	} {
		s := u9.Lift(t, Sappear, corpus.Bytes(t, u9.Synthetic(t, "mesh", "body.mesh")), nil)
		i := slices.IndexFunc(s.Materials, func(m *asset.Material) bool { return m.Name == "texture_4" })
		m := s.Materials[i]
		scene.SetShown(m.Native, "picture", float64(look.Digest(was)))
		m.BaseColorTexture.Texture = x.now
		env := &format.Env{Diagnostics: new(schema.Diagnostics)}
		u9.Lower(t, Sappear, s, env)
		if told := env.Diagnostics.Has("picture") || env.Diagnostics.Has("texture-gone"); told != x.told {
			t.Errorf("told %v, %v expected: %v", told, x.told, env.Diagnostics.All())
		}
	}
}

// A picture that takes another set of texture coordinates has those.
func TestSappearTextureSet(t *testing.T) {
	b := corpus.Bytes(t, u9.Synthetic(t, "mesh", "cube.mesh"))
	s := u9.Lift(t, Sappear, b, nil)
	for _, m := range s.Meshes {
		for _, p := range m.Primitives {
			p.TexCoords = [][][2]float32{make([][2]float32, len(p.Positions)), p.TexCoords[0]}
		}
	}
	for _, m := range s.Materials {
		if m.BaseColorTexture != nil {
			m.BaseColorTexture.TexCoord = 1
		}
	}
	if got := u9.Lower(t, Sappear, s, nil); !bytes.Equal(got, b) {
		t.Error("the model changed")
	}
}

// TestChangeMaterials: a stored material changes in its place, for its own faces, when all faces that are left of it agree on a
// new one.
func TestChangeMaterials(t *testing.T) {
	a, b, fresh, other := ultima9.Material{Texture: 1, ActiveAlpha: 9}, ultima9.Material{Texture: 2}, ultima9.Material{Texture: 3}, ultima9.Material{Texture: 4}
	for name, c := range map[string]struct {
		faces []int              // of the stored surface, whose first two wear a and whose last two b
		worn  []ultima9.Material // by each of them now
		want  [2]ultima9.Material
		bare  bool
	}{
		"nothing edited":          {[]int{0, 1, 2, 3}, []ultima9.Material{a, a, b, b}, [2]ultima9.Material{a, b}, false},
		"the first":               {[]int{0, 1, 2, 3}, []ultima9.Material{fresh, fresh, b, b}, [2]ultima9.Material{fresh, b}, false},
		"the second":              {[]int{0, 1, 2, 3}, []ultima9.Material{a, a, fresh, fresh}, [2]ultima9.Material{a, fresh}, false},
		"both":                    {[]int{0, 1, 2, 3}, []ultima9.Material{other, other, fresh, fresh}, [2]ultima9.Material{other, fresh}, false},
		"what is left of it":      {[]int{1, 2, 3}, []ultima9.Material{fresh, b, b}, [2]ultima9.Material{fresh, b}, false},
		"nothing is left of it":   {[]int{2, 3}, []ultima9.Material{fresh, fresh}, [2]ultima9.Material{a, fresh}, false},
		"one face of it":          {[]int{0, 1, 2, 3}, []ultima9.Material{fresh, a, b, b}, [2]ultima9.Material{a, b}, false},
		"each another":            {[]int{0, 1, 2, 3}, []ultima9.Material{fresh, other, b, b}, [2]ultima9.Material{a, b}, false},
		"the other one":           {[]int{0, 1, 2, 3}, []ultima9.Material{b, b, b, b}, [2]ultima9.Material{a, b}, false},
		"a new face":              {[]int{-1, 0, 1, 2}, []ultima9.Material{other, fresh, fresh, b}, [2]ultima9.Material{fresh, b}, false},
		"mounts have none":        {[]int{0, 1, 2, 3}, []ultima9.Material{fresh, fresh, b, b}, [2]ultima9.Material{a, b}, true},
		"two become the same new": {[]int{0, 1, 2, 3}, []ultima9.Material{fresh, fresh, fresh, fresh}, [2]ultima9.Material{fresh, b}, false},
	} {
		first, second := a, b
		first.FaceCount, second.FirstFace, second.FaceCount = 2, 2, 2
		stored := []ultima9.Material{first, second}
		s := &surface{materials: stored, bare: c.bare}
		x := &edit{stored: []triangle{{material: a}, {material: a}, {material: b}, {material: b}}, group: []int{0, 0, 1, 1}}
		for i, f := range c.faces {
			x.visible, x.pairs = append(x.visible, triangle{material: c.worn[i]}), append(x.pairs, pairing{face: f})
		}
		s.changeMaterials(x)
		for g, want := range c.want {
			for f := 2 * g; f < 2*g+2; f++ {
				if x.stored[f].material != want {
					t.Errorf("%s: face %d wears %+v, want %+v", name, f, x.stored[f].material, want)
				}
			}
			want.FirstFace, want.FaceCount = uint16(2*g), 2
			if s.materials[g] != want {
				t.Errorf("%s: material %d is %+v, want %+v", name, g, s.materials[g], want)
			}
		}
		if stored[0] != first || stored[1] != second {
			t.Errorf("%s: the stored ones are others now", name)
		}
	}
}
