package gltf

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// TestNearTransforms: how far apart two transforms may be to be the same for an editor.
func TestNearTransforms(t *testing.T) {
	type of = asset.Transform
	with := func(edit func(x *of)) of {
		x := asset.Identity
		edit(&x)
		return x
	}
	at := func(v float32) func(*of) { return func(x *of) { x.Translation[1] = v } }
	scaled := func(v float32) func(*of) { return func(x *of) { x.Scale[2] = v } }
	turned := func(angle float64) func(*of) {
		return func(x *of) { x.Rotation = [4]float32{0, float32(math.Sin(angle / 2)), 0, float32(math.Cos(angle / 2))} }
	}
	for i, c := range []struct {
		a, b func(*of)
		want bool
	}{
		{at(0), at(0.9e-5), true}, {at(0), at(-1.1e-5), false}, {at(100), at(100.0009), true}, {at(100), at(100.002), false}, {at(-100), at(-100.0009), true},
		{scaled(1), scaled(1.000009), true}, {scaled(1), scaled(1.00002), false}, {scaled(-50), scaled(-50.0004), true}, {scaled(50), scaled(50.001), false},
		{turned(1), turned(1.008), true}, {turned(1), turned(1.01), false},
		{turned(1), func(x *of) { turned(1)(x); x.Rotation = [4]float32{0, -x.Rotation[1], 0, -x.Rotation[3]} }, true},
	} {
		a, b := with(c.a), with(c.b)
		if near(&a, &b) != c.want {
			t.Errorf("%d: %v and %v are near: %t", i, a, b, !c.want)
		}
	}
}

// TestNodesOfOthers has nodes with what is read of them.
func TestNodesOfOthers(t *testing.T) {
	usual := asset.NewNode("")
	edit := func(f func(n *asset.Node)) *asset.Node {
		n := *usual
		f(&n)
		return &n
	}
	sheared := [16]float32{1, 0.5, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1}
	trs, _ := decompose(&sheared)
	place := fmt.Sprintf(`"translation":[1,2,3],"rotation":[%v,%v,%v,%v],"scale":[%v,%v,%v]`, trs.Rotation[0], trs.Rotation[1], trs.Rotation[2], trs.Rotation[3], trs.Scale[0], trs.Scale[1], trs.Scale[2])
	const record = `,"extras":{"usher":{"asset":{"matrix":[1,0.5,0,0,0,1,0,0,0,0,1,0,1,2,3,1]}}}`
	moved := trs
	moved.Translation[0] = 4
	for node, want := range map[string]*asset.Node{
		`{}`: usual,
		`{"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}`:                            usual,
		`{"matrix":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]}`:                            usual,
		`{"matrix":[1,0.5,0,0,0,1,0,0,0,0,1,0,1,2,3,1]}`:                          edit(func(n *asset.Node) { n.Transform.Matrix = &sheared }),
		`{` + place + record + `}`:                                                edit(func(n *asset.Node) { n.Transform.Matrix = &sheared }),
		`{` + strings.Replace(place, "[1,", "[4,", 1) + record + `}`:              edit(func(n *asset.Node) { n.Transform = moved }),
		`{"translation":[1,0,0],"extras":{"usher":{"asset":{"matrix":[1,0,0]}}}}`: edit(func(n *asset.Node) { n.Transform.Translation[0] = 1 }),
		`{"weights":[0.5,1]}`:                                                     edit(func(n *asset.Node) { n.Weights = []float32{0.5, 1} }),
		`{"extras":{"usher":{"asset":{"weights":[0.25]}}}}`:                       edit(func(n *asset.Node) { n.Weights = []float32{0.25} }),
		`{"weights":[0.5],"extras":{"usher":{"asset":{"weights":[0.25]}}}}`:       edit(func(n *asset.Node) { n.Weights = []float32{0.5} }),
		`{"extras":{"MSFT_screencoverage":[0.5,0.25]}}`:                           edit(func(n *asset.Node) { n.Coverage = []float32{0.5, 0.25} }),
		`{"extras":{"MSFT_screencoverage":[0.5],"a":1}}`:                          edit(func(n *asset.Node) { n.Coverage, n.Extras = []float32{0.5}, map[string]any{"a": 1.0} }),
		`{"extras":{"MSFT_screencoverage":["x"]}}`:                                edit(func(n *asset.Node) { n.Extras = map[string]any{"MSFT_screencoverage": []any{"x"}} }),
		`{"extras":{"usher":{"asset":{"kind":"hull"}}}}`:                          edit(func(n *asset.Node) { n.Kind = asset.Hull }),
		`{"extras":{"usher":{"asset":{"kind":"plain","mesh":{}}}}}`:               usual,
		`{"camera":0}`: edit(func(n *asset.Node) { n.Kind, n.Camera = asset.Eye, &asset.Camera{FieldOfView: 1, Near: 0.5} }),
		`{"camera":0,"extras":{"usher":{"asset":{"kind":"plain"}}}}`: edit(func(n *asset.Node) { n.Camera = &asset.Camera{FieldOfView: 1, Near: 0.5} }),
	} {
		s, d := told(t, document(`"cameras":[{"type":"perspective","perspective":{"yfov":1,"znear":0.5}}],"nodes":[`+node+`]`), nil)
		equal(t, node, s.Roots, []*asset.Node{want})
		if len(d.All()) > 0 {
			t.Errorf("%s: %v", node, d.All())
		}
	}
	for at, name := range map[int]string{0: "translation", 1: "rotation", 2: "scale"} {
		values := [3]string{"[0,0,1e39]", "[0,0,0,1e39]", "[1e39,1,1]"}[at]
		holdRefused(t, nil, refused{document(`"nodes":[{},{"` + name + `":` + values + `}]`), schema.ErrValue, "nodes/1: 1e+39 is no number from"})
	}
}

// TestCamerasOfOthers has cameras, with values that stand for others that glTF does not allow.
func TestCamerasOfOthers(t *testing.T) {
	for _, c := range []struct {
		camera string
		want   asset.Camera
		said   string
	}{
		{`"type":"perspective","name":"c","perspective":{"yfov":1,"znear":0.5,"zfar":9,"aspectRatio":2}`, asset.Camera{Name: "c", FieldOfView: 1, Near: 0.5, Far: 9, Aspect: 2}, ""},
		{`"type":"perspective","perspective":{"yfov":0.8,"znear":0.01,"zfar":0.02,"aspectRatio":1},"extras":{"a":1,"usher":{"format":"f","asset":{"yfov":4,"znear":-1,"zfar":-2,"aspectRatio":-3}}}`,
			asset.Camera{FieldOfView: 4, Near: -1, Far: -2, Aspect: -3, Extras: map[string]any{"a": 1.0}, Native: &asset.Native{Format: "f"}}, ""},
		{`"type":"perspective","perspective":{"yfov":0.9,"znear":0.02,"zfar":0.05,"aspectRatio":1.5},"extras":{"usher":{"asset":{"yfov":4,"znear":-1,"zfar":-2,"aspectRatio":-3}}}`, asset.Camera{FieldOfView: 0.9, Near: 0.02, Far: 0.05, Aspect: 1.5}, ""},
		{`"type":"orthographic","orthographic":{"xmag":1,"ymag":1,"zfar":9,"znear":1}`, asset.Camera{FieldOfView: 0.8, Near: 0.01}, "cameras/0 orthographic-camera: an orthographic camera becomes a perspective one"},
	} {
		s, d := told(t, document(`"cameras":[{`+c.camera+`}],"nodes":[{"camera":0},{"camera":0}]`), nil)
		equal(t, c.camera, []any{s.Roots[0].Camera, strings.Join(saidBy(d), "; ")}, []any{&c.want, c.said})
		if s.Roots[0].Camera != s.Roots[1].Camera {
			t.Errorf("%s: two cameras", c.camera)
		}
	}
}

// shapesOf tells the nodes below others, those with a mesh with a star.
func shapesOf(nodes []*asset.Node) string {
	(&asset.Scene{Roots: nodes}).Walk(func(n, _ *asset.Node) {
		if n.Mesh != nil {
			n.Name += "*"
		}
		if n.Mesh != nil && n.Skin == nil {
			n.Name += "!"
		}
	})
	return names(nodes)
}

// TestTakenShapes: a skinned mesh that usher gave a node of its own comes back to the node that has its number or, where editors
// dropped that, its name; otherwise it stays where it is.
func TestTakenShapes(t *testing.T) {
	const carrier = `{"name":"body","mesh":0,"skin":0,"extras":{"usher":{"asset":{"meshOf":"body"%s}}}%s}`
	carrierOf := func(number, more string) string { return fmt.Sprintf(carrier, number, more) }
	node := func(name, own, more string) string {
		return fmt.Sprintf(`{"name":%q,"extras":{"usher":{"asset":{%s}}}%s}`, name, own, more)
	}
	for _, c := range []struct {
		name  string
		nodes []string // after the joint, or with it
		want  string
	}{
		{"as they were", []string{node("body", `"shape":1`, ""), carrierOf(`,"meshOfNode":1`, "")}, "j body*"},
		{"renamed and renumbered", []string{node("other", "", ""), node("torso", `"shape":7`, ""), carrierOf(`,"meshOfNode":7`, "")}, "j other torso*"},
		{"renamed, of the number 0", []string{node("torso", `"shape":0`, ""), carrierOf(`,"meshOfNode":0`, "")}, "j torso*"},
		{"no number", []string{node("body", "", ""), carrierOf(`,"meshOfNode":1`, "")}, "j body*"},
		{"a number of none", []string{node("body", "", ""), carrierOf(`,"meshOfNode":3`, "")}, "j body*"},
		{"a number of another", []string{node("body", "", ""), carrierOf(`,"meshOfNode":0`, "")}, "j body*"},
		{"no numbers at all", []string{node("body", "", ""), carrierOf("", "")}, "j body*"},
		{"the first of its name", []string{node("body", "", ""), node("body", "", ""), carrierOf("", "")}, "j body* body"},
		{"the second of its name by number", []string{node("body", "", ""), node("body", "", ""), carrierOf(`,"meshOfNode":2`, "")}, "j body body*"},
		{"no such name", []string{node("torso", "", ""), carrierOf(`,"meshOfNode":1`, "")}, "j torso body*"},
		{"one with a mesh", []string{node("body", `"shape":1`, `,"mesh":1`), carrierOf(`,"meshOfNode":1`, "")}, "j body*! body*"},
		{"itself", []string{carrierOf(`,"meshOfNode":1`, "")}, "j body*"},
		{"with something below it", []string{node("body", `"shape":1`, ""), carrierOf(`,"meshOfNode":1`, `,"children":[3]`), `{"name":"below"}`}, "j body body*(below)"},
		{"no skin", []string{node("body", `"shape":1`, ""), strings.Replace(carrierOf(`,"meshOfNode":1`, ""), `"skin":0,`, "", 1)}, "j body body*!"},
		{"below another", []string{node("body", `"shape":1`, ""), carrierOf(`,"meshOfNode":1`, ""), `{"name":"arm","children":[4,2,5]}`, `{"name":"a"}`, `{"name":"b"}`}, "j body* arm(a b)"},
		{"below the first", []string{`{"name":"j","children":[2]}`, node("body", `"shape":1`, ""), carrierOf(`,"meshOfNode":1`, "")}, "j body*"},
		{"a number of one that is gone", []string{node("body", `"shape":1`, ""), carrierOf(`,"meshOfNode":1`, ""), carrierOf(`,"meshOfNode":2`, "")}, "j body* body*"},
		{"copied", []string{node("body", `"shape":1`, ""), carrierOf(`,"meshOfNode":1`, ""), carrierOf(`,"meshOfNode":1`, "")}, "j body* body*"},
	} {
		if !strings.HasPrefix(c.nodes[0], `{"name":"j"`) {
			c.nodes = append([]string{`{"name":"j"}`}, c.nodes...)
		}
		s, d := told(t, document(`"buffers":[{"byteLength":36}],"bufferViews":[{"buffer":0,"byteLength":36}],"accessors":[{"bufferView":0,"componentType":5126,"count":1,"type":"VEC3"},{"bufferView":0,"byteOffset":12,"componentType":5121,"count":1,"type":"VEC4"},
			{"bufferView":0,"byteOffset":16,"componentType":5126,"count":1,"type":"VEC4"}],"meshes":[{"primitives":[{"mode":0,"attributes":{"POSITION":0,"JOINTS_0":1,"WEIGHTS_0":2}}]},{"primitives":[{"mode":0,"attributes":{"POSITION":0}}]}],
			"skins":[{"joints":[0]}],"nodes":[`+strings.Join(c.nodes, ",")+`]`), data([]float64{0, 0, 0}, []byte{0, 0, 0, 0}, []float64{1, 0, 0, 0}, []byte{0, 0, 0, 0}))
		if got := shapesOf(s.Roots); got != c.want || len(d.All()) > 0 {
			t.Errorf("%s: %s, want %s; %v", c.name, got, c.want, d.All())
		}
	}
}

// TestShapesThatMove: morph weights of a node whose mesh has a node of its own in the file move the node again.
func TestShapesThatMove(t *testing.T) {
	s := skinScene(true)
	body := s.Roots[0].Children[1]
	body.Mesh.Primitives[0].Targets = []asset.Target{{Positions: [][3]float32{{1, 0, 0}, {}, {}, {}}}}
	body.Weights = []float32{0.5}
	s.Animations = append(s.Animations, &asset.Animation{Name: "talk", Channels: []*asset.Channel{{Node: body, Path: asset.MorphWeights, Times: []float32{0, 1}, Values: []float32{0, 1}}}})
	back := decode(t, encode(t, s, nil))
	if x := diff(s, back); x != "" {
		t.Errorf("(-want +got):\n%s", x)
	}
	if got := back.Animations[1].Channels[0].Node; got != back.Roots[0].Children[1] {
		t.Errorf("%q moves", got.Name)
	}
}

// TestPlacedNodes: what is in a scene, what usher put beside it, and what other programs did.
func TestPlacedNodes(t *testing.T) {
	const detached, level = `"extras":{"usher":{"asset":{"detached":1}}}`, `"extras":{"usher":{"asset":{"lodOf":"nobody"}}}`
	for _, c := range []struct {
		body                   string
		roots, detached, sides string
		said                   []string
	}{
		{`"nodes":[{"name":"a"},{"name":"b","children":[2]},{"name":"c"}]`, "a b(c)", "", "", nil},
		{`"scenes":[{"nodes":[0]}],"nodes":[{"name":"a"},{"name":"b","children":[2]},{"name":"c"}]`, "a", "", "loose b(c)", nil},
		{`"scenes":[{"nodes":[0]}],"nodes":[{"name":"a"},{"name":"b",` + detached + `}]`, "a", "b", "", nil},
		{`"scenes":[{"nodes":[1,0]}],"nodes":[{"name":"a"},{"name":"b",` + detached + `}]`, "a", "b", "", nil},
		{`"scenes":[{"nodes":[0]}],"nodes":[{"name":"a"},{"name":"b","children":[2]},{"name":"c","children":[3]},{"name":"d",` + level + `}]`, "a", "b(c(d))", "", nil},
		{`"scenes":[{"nodes":[0]},{"name":"more","nodes":[1,2,9]}],"nodes":[{"name":"a"},{"name":"b","children":[2]},{"name":"c"}]`, "a", "", "more b(c)", []string{"scenes/1/nodes bad-scene: index 9, there are 3"}},
		{`"scenes":[{"nodes":[0]},{"name":"more","nodes":[1]}],"nodes":[{"name":"a","children":[1]},{"name":"b"}]`, "a(b)", "", "more ", nil},
		{`"scene":1,"scenes":[{"name":"more","nodes":[1]},{"nodes":[0]}],"nodes":[{"name":"a"},{"name":"b"},{"name":"c"}]`, "a", "", "more b; loose c", nil},
		{`"scenes":[{"nodes":[0]},{"name":"more","nodes":[0,1]}],"nodes":[{"name":"a"},{"name":"b",` + detached + `}]`, "a", "b", "more a b", nil},
		{`"scenes":[{"nodes":[0]}],"nodes":[{"name":"Skeleton","children":[1,2],"extras":{"usher":{"asset":{"wraps":[0,1]}}}},{"name":"a"},{"name":"b"}]`, "a b", "", "", nil},
		{`"scenes":[{"nodes":[3,0,4]}],"nodes":[{"name":"Skeleton","children":[1,2],"extras":{"usher":{"asset":{"wraps":[0,2]}}}},{"name":"a"},{"name":"b"},{"name":"c"},{"name":"d"}]`, "a c b d", "", "", nil},
		{`"scenes":[{"nodes":[3,0,4]}],"nodes":[{"name":"Skeleton","children":[1,2],"extras":{"usher":{"asset":{"wraps":[1,1]}}}},{"name":"a"},{"name":"b"},{"name":"c"},{"name":"d"}]`, "c d a b", "", "", nil},
		{`"scenes":[{"nodes":[0]}],"nodes":[{"name":"Skeleton","children":[1,2],"extras":{"usher":{"asset":{"wraps":[0]}}}},{"name":"a"},{"name":"b"}]`, "Skeleton(a b)", "", "", nil},
		{`"scenes":[{"nodes":[0]}],"nodes":[{"name":"Skeleton","translation":[1,0,0],"children":[1,2],"extras":{"usher":{"asset":{"wraps":[0,1]}}}},{"name":"a"},{"name":"b"}]`, "Skeleton(a b)", "", "", nil},
		{`"scenes":[{"nodes":[0]}],"nodes":[{"name":"Skeleton","mesh":0,"children":[1],"extras":{"usher":{"asset":{"wraps":[0]}}}},{"name":"a"}],"meshes":[{"primitives":[{"attributes":{"_X":0}}]}]`, "Skeleton(a)", "", "", []string{"meshes/0/primitives/0 no-positions: a primitive without positions is left out"}},
	} {
		s, d := told(t, document(c.body), nil)
		var sides []string
		for _, x := range s.Sides {
			name := x.Name
			if x.Loose {
				name += "loose"
			}
			sides = append(sides, name+" "+names(x.Roots))
		}
		equal(t, c.body, []any{names(s.Roots), names(s.Detached), strings.Join(sides, "; "), saidBy(d)}, []any{c.roots, c.detached, c.sides, c.said})
	}
}

// TestDeepNodes: how deep nodes may be, with the levels of detail among them.
func TestDeepNodes(t *testing.T) {
	most := schema.DefaultLimits.Depth
	nodes := func(n int) string {
		var list []string
		for i := range n - 1 {
			list = append(list, fmt.Sprintf(`{"children":[%d]}`, i+1))
		}
		return strings.Join(list, ",")
	}
	told(t, document(`"nodes":[`+nodes(most)+`,{}]`), nil)
	holdRefused(t, nil, refused{document(`"nodes":[` + nodes(most+1) + `,{}]`), schema.ErrLimit, fmt.Sprintf("nodes/%d: nested deeper than %d", most, most)})
	backward := slices.Repeat([]string{`{}`}, most+1)
	for i := range most {
		backward[i+1] = fmt.Sprintf(`{"children":[%d]}`, i)
	}
	holdRefused(t, nil, refused{document(`"nodes":[` + strings.Join(backward, ",") + `]`), schema.ErrLimit, "nodes/0: nested deeper"},
		refused{document(`"nodes":[` + nodes(most) + `,{"extensions":{"MSFT_lod":{"ids":[` + fmt.Sprint(most) + `]}}},{}]`), schema.ErrLimit, "nested deeper"})
}
