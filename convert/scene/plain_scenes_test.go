package scene

import (
	"fmt"
	"slices"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// TestEmpties: nodes at ends that show nothing, that no format knows, and that nothing needs.
func TestEmpties(t *testing.T) {
	for name, c := range map[string]struct {
		edit func(s *asset.Scene, n *asset.Node)
		want bool
	}{
		"empty":            {func(s *asset.Scene, n *asset.Node) {}, true},
		"a mesh":           {func(s *asset.Scene, n *asset.Node) { n.Mesh = &asset.Mesh{} }, false},
		"a camera":         {func(s *asset.Scene, n *asset.Node) { n.Camera = &asset.Camera{} }, false},
		"a light":          {func(s *asset.Scene, n *asset.Node) { n.Light = asset.NewLight(asset.SunLight) }, false},
		"a level":          {func(s *asset.Scene, n *asset.Node) { n.LODs = []*asset.Node{shownBy("low")} }, false},
		"something below":  {func(s *asset.Scene, n *asset.Node) { n.Children = []*asset.Node{shownBy("low")} }, false},
		"known to a game":  {func(s *asset.Scene, n *asset.Node) { n.Native = &asset.Native{} }, false},
		"a joint":          {func(s *asset.Scene, n *asset.Node) { s.Skins = []*asset.Skin{{Joints: []*asset.Node{n}}} }, false},
		"moving":           {func(s *asset.Scene, n *asset.Node) { s.Animations = animation(n) }, false},
		"another joint":    {func(s *asset.Scene, n *asset.Node) { s.Skins = []*asset.Skin{{Joints: s.Roots[:1]}} }, true},
		"of a known name":  {func(s *asset.Scene, n *asset.Node) { n.Name = "known" }, false},
		"of no known name": {func(s *asset.Scene, n *asset.Node) { n.Name = "unknown" }, true},
	} {
		n := asset.NewNode("n")
		s := &asset.Scene{Roots: []*asset.Node{shownBy("shape", square()), n}}
		c.edit(s, n)
		if got := Empties(s, func(n *asset.Node) bool { return n.Name == "known" }); slices.Contains(got, n) != c.want || len(got) > 1 {
			t.Errorf("%s: %v", name, names(got))
		}
		if got := Empties(s, nil); slices.Contains(got, n) != (c.want || n.Name == "known") {
			t.Errorf("%s, where nothing is known: %v", name, names(got))
		}
	}
	parent, child := asset.NewNode("parent"), asset.NewNode("child")
	parent.Children = []*asset.Node{child}
	if got := Empties(&asset.Scene{Roots: []*asset.Node{parent}}, nil); !slices.Equal(got, []*asset.Node{child}) {
		t.Errorf("ends: %v", names(got))
	}
	for n, want := range [][]string{nil, {`empty-node: 1 empty node is left out, the first is "a": without a shape it is nothing here under that name`}, {`empty-node: 2 empty nodes are left out, the first is "a": without a shape it is nothing here under that name`}} {
		d := new(schema.Diagnostics)
		TellEmpties([]*asset.Node{asset.NewNode("a"), asset.NewNode("b")}[:n], d)
		equal(t, "said", said(d), want)
	}
	d := new(schema.Diagnostics)
	shot, lit := asset.NewNode("shot"), asset.NewNode("lit")
	shot.Camera, lit.Light = &asset.Camera{}, asset.NewLight(asset.SunLight)
	s := &asset.Scene{Roots: []*asset.Node{shot, lit, shot}}
	TellCameras(s, d)
	TellLights(s, d)
	equal(t, "said", said(d), []string{`camera: 2 cameras are left out, the first is "shot"`, `light: 1 light is left out, the first is "lit"`})
}

// TestPlainHidden: what is hidden shows nothing and is hidden no more; a node that shows nothing is no loss.
func TestPlainHidden(t *testing.T) {
	for name, c := range map[string]struct {
		edit func(n *asset.Node)
		want []string
	}{
		"a shape":        {func(n *asset.Node) {}, []string{`hidden-nodes: 1 hidden shape is left out, the first is "n"`}},
		"nothing":        {func(n *asset.Node) { n.Mesh = nil }, nil},
		"a light":        {func(n *asset.Node) { n.Mesh, n.Light = nil, asset.NewLight(asset.SunLight) }, []string{`hidden-nodes: 1 hidden shape is left out, the first is "n"`}},
		"a level":        {func(n *asset.Node) { n.Mesh, n.LODs = nil, []*asset.Node{asset.NewNode("low")} }, []string{`hidden-nodes: 1 hidden shape is left out, the first is "n"`}},
		"a camera":       {func(n *asset.Node) { n.Mesh, n.Camera = nil, &asset.Camera{} }, nil},
		"a shape within": {func(n *asset.Node) { n.Children = []*asset.Node{shownBy("in", square())} }, []string{`hidden-nodes: 2 hidden shapes are left out, the first is "n"`}},
		"not hidden":     {func(n *asset.Node) { n.Hidden = false }, nil},
	} {
		n, other := shownBy("n", square()), shownBy("other", square())
		n.Hidden = true
		n.Weights, n.Coverage, n.Skin = []float32{1}, []float32{1}, &asset.Skin{}
		c.edit(n)
		hidden := n.Hidden
		for _, list := range []string{"roots", "detached"} {
			s := &asset.Scene{Roots: []*asset.Node{n, other}}
			if list == "detached" {
				n.Hidden = hidden
				s.Roots, s.Detached = s.Roots[1:], s.Roots[:1]
			}
			s.Animations = []*asset.Animation{{Channels: []*asset.Channel{{Node: n, Path: asset.MorphWeights}, {Node: other, Path: asset.MorphWeights}, {Node: n, Path: asset.Rotation}}}}
			d := new(schema.Diagnostics)
			Plain(s, d)
			if list == "roots" {
				equal(t, name, said(d), c.want)
				if channels := len(s.Animations[0].Channels); channels != 3 && c.want == nil || channels != 2 && c.want != nil {
					t.Errorf("%s: %d channels are left", name, channels)
				}
			}
			if n.Hidden || c.want != nil && (n.Mesh != nil || n.Light != nil || n.LODs != nil || n.Weights != nil || n.Coverage != nil || n.Skin != nil) || other.Mesh == nil {
				t.Errorf("%s, %s: hidden %v, %+v", name, list, n.Hidden, n)
			}
		}
	}
}

// TestPlainSides: nodes of other scenes go, but for the roots of those that a skin of the model needs, and of those that
// these need.
func TestPlainSides(t *testing.T) {
	body, arm, hand, far := shownBy("body", square()), asset.NewNode("arm"), shownBy("hand", square()), asset.NewNode("far")
	other, empty := shownBy("other", square()), asset.NewNode("empty")
	arm.Children = []*asset.Node{hand}
	body.Skin = &asset.Skin{Joints: []*asset.Node{body, hand}}
	hand.Skin = &asset.Skin{Joints: []*asset.Node{far}}
	other.Skin = &asset.Skin{Joints: []*asset.Node{other}}
	s := &asset.Scene{Roots: []*asset.Node{body}, Skins: []*asset.Skin{body.Skin, hand.Skin, other.Skin}, Sides: []*asset.Side{{Roots: []*asset.Node{empty, other, arm}}, {Roots: []*asset.Node{far, body}}}}
	s.Animations = []*asset.Animation{{Channels: []*asset.Channel{{Node: other}, {Node: far}, {Node: body}, {Node: empty}}}}
	s.Meshes = []*asset.Mesh{body.Mesh, hand.Mesh, other.Mesh}
	d := new(schema.Diagnostics)
	Plain(s, d)
	equal(t, "nodes", []string{tree(s.Roots), tree(s.Detached)}, []string{"body", "arm(hand) far"})
	equal(t, "left", []any{len(s.Skins), s.Skins[1] == hand.Skin, len(s.Animations[0].Channels), len(s.Meshes), len(s.Sides)}, []any{2, true, 2, 2, 0})
	equal(t, "said", said(d), []string{`other-scenes: 5 nodes are left out that other scenes than the default one show; the first with a shape is "other"`})

	shape := shownBy("shape", square())
	for name, c := range map[string]struct {
		side []*asset.Node
		want []string
	}{
		"one node":        {[]*asset.Node{other}, []string{`other-scenes: 1 node is left out that other scenes than the default one show; the first with a shape is "other"`}},
		"nothing to see":  {[]*asset.Node{empty}, nil},
		"the same scene":  {[]*asset.Node{shape}, nil},
		"one of the same": {[]*asset.Node{shape, empty}, nil},
	} {
		d := new(schema.Diagnostics)
		s := &asset.Scene{Roots: []*asset.Node{shape}, Sides: []*asset.Side{{Roots: c.side}}}
		Plain(s, d)
		equal(t, name, said(d), c.want)
	}
}

// TestPlainSharedCoordinates: primitives that share coordinates share the mapped ones; there are eight sets at most.
func TestPlainSharedCoordinates(t *testing.T) {
	by := &asset.TextureTransform{Scale: [2]float32{2, 2}}
	shift := &asset.TextureTransform{Scale: [2]float32{1, 1}, Offset: [2]float32{0.5, 0}}
	x := &asset.Texture{Name: "x"}
	build := func(refs ...*asset.TextureRef) (*asset.Scene, *asset.Material) {
		m := asset.NewMaterial("m")
		for i, r := range refs {
			*[]**asset.TextureRef{&m.BaseColorTexture, &m.EmissiveTexture, &m.NormalTexture}[i] = r
		}
		n := shownBy("n")
		return &asset.Scene{Roots: []*asset.Node{n}, Meshes: []*asset.Mesh{n.Mesh}, Materials: []*asset.Material{asset.NewMaterial("other"), m}}, m
	}
	add := func(s *asset.Scene, m *asset.Material, sets ...[][2]float32) *asset.Primitive {
		p := square()
		p.Material, p.TexCoords = m, sets
		s.Meshes[0].Primitives = append(s.Meshes[0].Primitives, p)
		return p
	}
	set := [][2]float32{{0, 0}, {1, 0}, {1, 1}, {0, 1}}
	double := [][2]float32{{0, 0}, {2, 0}, {2, 2}, {0, 2}}

	s, m := build(&asset.TextureRef{Texture: x, Transform: by})
	p, q, plain, none := add(s, m, set), add(s, m, set), add(s, s.Materials[0], set), add(s, nil, set)
	Plain(s, nil)
	equal(t, "alone", p.TexCoords, [][][2]float32{double})
	if &p.TexCoords[0][0] != &q.TexCoords[0][0] || p.Load != nil || m.BaseColorTexture.Transform != nil {
		t.Error("the primitives share nothing any more, or are made later, or have a transform")
	}
	if &plain.TexCoords[0][0] != &set[0] || &none.TexCoords[0][0] != &set[0] {
		t.Error("another material was mapped")
	}

	s, m = build(&asset.TextureRef{Texture: x}, &asset.TextureRef{Texture: x, Transform: by})
	p, q = add(s, m, set), add(s, m, set, set, set)
	Plain(s, nil)
	equal(t, "the most sets", []int{len(p.TexCoords), len(q.TexCoords), m.EmissiveTexture.TexCoord}, []int{4, 4, 3})
	equal(t, "sets between", p.TexCoords[1:3], [][][2]float32{make([][2]float32, 4), make([][2]float32, 4)})
	equal(t, "the mapped one", p.TexCoords[3], double)

	s, m = build(&asset.TextureRef{Texture: x, TexCoord: 1, Transform: by})
	p = add(s, m, set, nil)
	Plain(s, nil)
	equal(t, "an empty set", p.TexCoords, [][][2]float32{set, nil})

	for _, c := range []struct {
		sets int
		uses []int
		want []string
	}{
		{6, []int{0, 6, 7}, nil},
		{7, []int{0, 7, 0}, []string{`texture-transform: the transform of "x" is left out: there are too many`}},
	} {
		s, m := build(&asset.TextureRef{Texture: x}, &asset.TextureRef{Texture: x, Transform: by}, &asset.TextureRef{Texture: x, Transform: shift})
		p := add(s, m, slices.Repeat([][][2]float32{set}, c.sets)...)
		d := new(schema.Diagnostics)
		Plain(s, d)
		equal(t, fmt.Sprint(c.sets, " sets"), []int{m.BaseColorTexture.TexCoord, m.EmissiveTexture.TexCoord, m.NormalTexture.TexCoord}, c.uses)
		equal(t, "said", said(d), c.want)
		if len(p.TexCoords) != 8 || m.NormalTexture.Transform != nil {
			t.Errorf("of %d sets: %d", c.sets, len(p.TexCoords))
		}
	}
}

// TestPlainPictures: what only goes with a mesh goes with its pictures of every use, and what others use stays.
func TestPlainPictures(t *testing.T) {
	pictures := []*asset.Texture{{Name: "gone"}, {Name: "shared"}, {Name: "shown"}, {Name: "nobody's"}}
	hidden, shown := asset.NewMaterial("hidden"), asset.NewMaterial("shown")
	hidden.Specular = &asset.Specular{Texture: &asset.TextureRef{Texture: pictures[0]}, ColorTexture: &asset.TextureRef{Texture: pictures[1]}}
	shown.NormalTexture, shown.OcclusionTexture = &asset.TextureRef{Texture: pictures[1]}, &asset.TextureRef{Texture: pictures[2]}
	p, q, bare := square(), square(), square()
	p.Material, q.Material = hidden, shown
	a, b := shownBy("a", p, bare), shownBy("b", q)
	a.Hidden = true
	s := &asset.Scene{Roots: []*asset.Node{a, b}, Meshes: []*asset.Mesh{a.Mesh, b.Mesh}, Materials: []*asset.Material{hidden, shown, asset.NewMaterial("unused")}, Textures: pictures}
	Plain(s, nil)
	var left []string
	for _, m := range s.Materials {
		left = append(left, m.Name)
	}
	for _, x := range s.Textures {
		left = append(left, x.Name)
	}
	equal(t, "left", left, []string{"shown", "unused", "shared", "shown", "nobody's"})
	equal(t, "meshes", []any{len(s.Meshes), s.Meshes[0] == b.Mesh}, []any{1, true})
}
