package gltf

import (
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// TestPlainScenes holds that what other scenes and hidden nodes show is no part of a model, and what is not shown because
// usher put it away is.
func TestPlainScenes(t *testing.T) {
	var d schema.Diagnostics
	s := decode(t, encode(t, sides(), nil))
	Plain(s, &d)
	equal(t, "nodes", []any{names(s.Roots), names(s.Detached), len(s.Sides)}, []any{"node of shown", "of usher", 0})
	equal(t, "shapes", []any{s.Roots[0].Mesh == nil, s.Roots[0].Light == nil, len(s.Meshes)}, []any{true, true, 0})
	for _, code := range []string{"other-scenes", "hidden-nodes"} {
		if !d.Has(code) {
			t.Errorf("no diagnostic %s in %v", code, d.All())
		}
	}
	s = lods()
	Plain(s, &d)
	equal(t, "levels", names(s.Roots), names(lods().Roots))
}

// TestPlainPrunes takes away what only the nodes that go use, and leaves the joints that a skin needs.
func TestPlainPrunes(t *testing.T) {
	s := skinScene(false)
	hip, body := s.Roots[0], s.Roots[1]
	odd, shared := asset.NewMaterial("odd"), asset.NewMaterial("shared")
	pictures := []*asset.Texture{picture8("a"), picture8("b")}
	odd.BaseColorTexture, odd.EmissiveTexture = &asset.TextureRef{Texture: pictures[0]}, &asset.TextureRef{Texture: pictures[1]}
	shared.BaseColorTexture = &asset.TextureRef{Texture: pictures[1]}
	p, q := quad(), quad()
	p.Material, q.Material = odd, shared
	body.Mesh.Primitives[0].Material = shared
	other := asset.NewNode("other")
	other.Mesh = mesh("other", p, q)
	s.Meshes = append(s.Meshes, other.Mesh, mesh("never used", quad()))
	s.Materials, s.Textures = []*asset.Material{odd, shared, asset.NewMaterial("never worn")}, pictures
	s.Animations = []*asset.Animation{{Channels: []*asset.Channel{{Node: other}, {Node: hip}}}}
	s.Roots, s.Sides = []*asset.Node{body}, []*asset.Side{{Roots: []*asset.Node{other, hip}}}
	Plain(s, nil)
	equal(t, "nodes", []any{names(s.Roots), names(s.Detached)}, []any{"body", "hip(tip)"})
	equal(t, "left", []any{len(s.Meshes), len(s.Skins), len(s.Materials), s.Materials[0].Name, len(s.Textures), s.Textures[0].Name, len(s.Animations[0].Channels)}, []any{2, 1, 2, "shared", 1, "b", 1})
}

// TestPlainCoordinates carries out the transforms of textures: in place where the whole material takes a set so, in sets
// of their own else.
func TestPlainCoordinates(t *testing.T) {
	twice := &asset.TextureTransform{Scale: [2]float32{2, 2}}
	shift := &asset.TextureTransform{Scale: [2]float32{1, 1}, Offset: [2]float32{0.5, 0}}
	x := picture8("x")
	use := func(set int, by *asset.TextureTransform) *asset.TextureRef {
		return &asset.TextureRef{Texture: x, TexCoord: set, Transform: by}
	}
	one, two := [][2]float32{{0, 0}, {1, 0}, {1, 1}, {0, 1}}, [][2]float32{{0, 0}, {0.25, 0}, {1, 1}, {0, 1}}
	double := [][2]float32{{0, 0}, {2, 0}, {2, 2}, {0, 2}}
	moved := [][2]float32{{0.5, 0}, {1.5, 0}, {1.5, 1}, {0.5, 1}}
	for name, c := range map[string]struct {
		base, emissive, normal *asset.TextureRef
		sets                   [][][2]float32 // as they become
		use                    [3]int
	}{
		"none":                  {use(0, nil), use(0, nil), use(1, nil), [][][2]float32{one, two}, [3]int{0, 0, 1}},
		"in place":              {use(0, twice), nil, use(1, nil), [][][2]float32{double, two}, [3]int{0, 0, 1}},
		"the same for all":      {use(0, twice), use(0, twice), use(1, nil), [][][2]float32{double, two}, [3]int{0, 0, 1}},
		"one plain":             {use(0, twice), use(0, nil), use(1, nil), [][][2]float32{one, two, double}, [3]int{2, 0, 1}},
		"two ways":              {use(0, twice), use(0, shift), use(1, nil), [][][2]float32{double, two, moved}, [3]int{0, 2, 1}},
		"of a set that is none": {use(5, twice), use(0, nil), nil, [][][2]float32{one, two}, [3]int{5, 0, 0}},
	} {
		m := asset.NewMaterial("m")
		m.BaseColorTexture, m.EmissiveTexture, m.NormalTexture = c.base, c.emissive, c.normal
		p := quad()
		p.TexCoords, p.Material = [][][2]float32{one, two}, m
		later := quad()
		later.TexCoords, later.Material = [][][2]float32{one, two}, m
		s := scene(mesh("m", p, &asset.Primitive{Material: m, Load: func() (*asset.Primitive, error) { return later, nil }}))
		s.Textures = []*asset.Texture{x}
		Plain(s, nil)
		whole, err := s.Meshes[0].Primitives[1].Whole()
		if err != nil {
			t.Fatal(err)
		}
		equal(t, name, p.TexCoords, c.sets)
		equal(t, name+", loaded", whole.TexCoords, c.sets)
		var got [3]int
		for k, r := range []*asset.TextureRef{m.BaseColorTexture, m.EmissiveTexture, m.NormalTexture} {
			if r != nil {
				if got[k] = r.TexCoord; r.Transform != nil {
					t.Errorf("%s: a transform is left", name)
				}
			}
		}
		equal(t, name+" uses", got, c.use)
		Plain(s, nil)
		equal(t, name+" again", p.TexCoords, c.sets)
	}
	equal(t, "the coordinates themselves", one[1], [2]float32{1, 0})
}
