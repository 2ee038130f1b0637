package scene

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

// tree writes nodes with their children in round and their levels in square brackets.
func tree(nodes []*asset.Node) string {
	var all []string
	for _, n := range nodes {
		s := n.Name
		if len(n.Children) > 0 {
			s += "(" + tree(n.Children) + ")"
		}
		if len(n.LODs) > 0 {
			s += "[" + tree(n.LODs) + "]"
		}
		all = append(all, s)
	}
	return strings.Join(all, " ")
}

func square() *asset.Primitive {
	return &asset.Primitive{Positions: [][3]float32{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, Indices: []uint32{0, 1, 2, 0, 2, 3}}
}

func shownBy(name string, primitives ...*asset.Primitive) *asset.Node {
	n := asset.NewNode(name)
	n.Mesh = &asset.Mesh{Name: name, Primitives: primitives}
	return n
}

// TestPlainScenes holds that what other scenes and hidden nodes show is no part of a model, and what is not shown because
// usher put it away is.
func TestPlainScenes(t *testing.T) {
	shown, hidden, below, beside, levels := shownBy("shown", square()), shownBy("hidden", square()), shownBy("below", square()), shownBy("beside", square()), asset.NewNode("of usher")
	low := shownBy("low", square())
	hidden.Hidden, hidden.Light = true, asset.NewLight(asset.PointLight)
	hidden.Children, hidden.LODs = []*asset.Node{below}, []*asset.Node{low}
	shown.LODs = []*asset.Node{shownBy("lower", square())}
	shown.Light = asset.NewLight(asset.SunLight)
	s := &asset.Scene{Roots: []*asset.Node{shown, hidden}, Detached: []*asset.Node{levels}, Sides: []*asset.Side{{Roots: []*asset.Node{beside, shown, levels}}, {Loose: true, Roots: []*asset.Node{shownBy("loose", square())}}}}
	for _, n := range []*asset.Node{shown, hidden, below, beside, low, shown.LODs[0], s.Sides[1].Roots[0]} {
		s.Meshes = append(s.Meshes, n.Mesh)
	}
	s.Animations = []*asset.Animation{{Channels: []*asset.Channel{{Node: hidden, Path: asset.MorphWeights}, {Node: hidden, Path: asset.Rotation}, {Node: beside}}}}
	var d schema.Diagnostics
	Plain(s, &d)
	equal(t, "nodes", []any{tree(s.Roots), tree(s.Detached), len(s.Sides)}, []any{"shown[lower] hidden(below)", "of usher", 0})
	equal(t, "shapes", []any{hidden.Mesh == nil, hidden.Light == nil, below.Mesh == nil, len(s.Meshes), len(s.Animations[0].Channels)}, []any{true, true, true, 2, 1})
	var codes []string
	for _, x := range d.All() {
		codes = append(codes, x.Code)
	}
	equal(t, "said", codes, []string{"other-scenes", "hidden-nodes"})
	d = schema.Diagnostics{}
	Plain(s, &d)
	TellLights(s, &d)
	equal(t, "said again", len(d.All()), 1)
}

// TestPlainPrunes takes away what only the nodes that go use, and leaves the joints that a skin needs.
func TestPlainPrunes(t *testing.T) {
	hip, tip, body := asset.NewNode("hip"), asset.NewNode("tip"), shownBy("body", square())
	hip.Children = []*asset.Node{tip}
	body.Skin = &asset.Skin{Joints: []*asset.Node{tip, hip}}
	s := &asset.Scene{Meshes: []*asset.Mesh{body.Mesh}, Skins: []*asset.Skin{body.Skin, {Joints: []*asset.Node{asset.NewNode("nowhere")}}}}
	odd, shared := asset.NewMaterial("odd"), asset.NewMaterial("shared")
	pictures := []*asset.Texture{{Name: "a"}, {Name: "b"}}
	odd.BaseColorTexture, odd.EmissiveTexture = &asset.TextureRef{Texture: pictures[0]}, &asset.TextureRef{Texture: pictures[1]}
	shared.BaseColorTexture = &asset.TextureRef{Texture: pictures[1]}
	p, q := square(), square()
	p.Material, q.Material = odd, shared
	body.Mesh.Primitives[0].Material = shared
	other := shownBy("other", p, q)
	s.Meshes = append(s.Meshes, other.Mesh, &asset.Mesh{Name: "never used"})
	s.Materials, s.Textures = []*asset.Material{odd, shared, asset.NewMaterial("never worn")}, pictures
	s.Animations = []*asset.Animation{{Channels: []*asset.Channel{{Node: other}, {Node: hip}}}}
	s.Roots, s.Sides = []*asset.Node{body}, []*asset.Side{{Roots: []*asset.Node{other, hip}}}
	Plain(s, nil)
	equal(t, "nodes", []any{tree(s.Roots), tree(s.Detached)}, []any{"body", "hip(tip)"})
	equal(t, "left", []any{len(s.Meshes), len(s.Skins), len(s.Materials), s.Materials[0].Name, len(s.Textures), s.Textures[0].Name, len(s.Animations[0].Channels)}, []any{2, 2, 2, "shared", 1, "b", 1})
}

// TestPlainCoordinates carries out the transforms of textures: in place where the whole material takes a set so, in sets
// of their own else.
func TestPlainCoordinates(t *testing.T) {
	twice := &asset.TextureTransform{Scale: [2]float32{2, 2}}
	shift := &asset.TextureTransform{Scale: [2]float32{1, 1}, Offset: [2]float32{0.5, 0}}
	x := &asset.Texture{Name: "x"}
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
		p := square()
		p.TexCoords, p.Material = [][][2]float32{one, two}, m
		later := square()
		later.TexCoords, later.Material = [][][2]float32{one, two}, m
		n := shownBy("m", p, &asset.Primitive{Material: m, Load: func() (*asset.Primitive, error) { return later, nil }})
		s := &asset.Scene{Roots: []*asset.Node{n}, Meshes: []*asset.Mesh{n.Mesh}, Materials: []*asset.Material{m}, Textures: []*asset.Texture{x}}
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

func names(list []*asset.Node) (names []string) {
	for _, n := range list {
		names = append(names, n.Name)
	}
	return names
}

func animation(n *asset.Node) []*asset.Animation {
	return []*asset.Animation{{Channels: []*asset.Channel{{Node: n}}}}
}
