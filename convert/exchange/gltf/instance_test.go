package gltf_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/usher-assets/usher/convert/exchange/gltf"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// forest is a scene of trees between other nodes: of one mesh are the roots 1 and 3 and the children 0, 2 and 3 of root 2.
func forest() *asset.Scene {
	tree := &asset.Mesh{Name: "tree", Primitives: []*asset.Primitive{{Mode: asset.Triangles, Positions: [][3]float32{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, Indices: []uint32{0, 1, 2}}}}
	hut := &asset.Mesh{Name: "hut", Primitives: []*asset.Primitive{{Mode: asset.Triangles, Positions: [][3]float32{{0, 0, 0}, {2, 0, 0}, {0, 2, 0}}, Indices: []uint32{0, 1, 2}}}}
	count := 0
	node := func(name string, m *asset.Mesh) *asset.Node {
		n := asset.NewNode(name)
		count++
		n.Mesh, n.Transform.Translation, n.Transform.Rotation, n.Transform.Scale = m, [3]float32{float32(count), 0.1, 0}, [4]float32{0, 0.6, 0, 0.8}, [3]float32{1, float32(count), 1}
		n.Kind, n.Extras = asset.Marker, map[string]any{"by": name}
		n.Native = &asset.Native{Format: "toy", Values: map[string]any{"number": float64(count)}}
		return n
	}
	flat := node("flat", tree)
	flat.Transform.Scale = [3]float32{}
	low := node("low", tree)
	low.Kind, low.Native = asset.Plain, nil
	group := asset.NewNode("group")
	group.Children = []*asset.Node{flat, node("hut", hut), node("a", tree), node("a", tree)}
	moved := node("moved", tree)
	group.LODs = []*asset.Node{low}
	return &asset.Scene{
		Roots: []*asset.Node{node("first", hut), node("left", tree), group, node("right", tree), moved}, Meshes: []*asset.Mesh{tree, hut},
		Animations: []*asset.Animation{{Name: "swing", Channels: []*asset.Channel{{Node: moved, Path: asset.Translation, Times: []float32{0, 1}, Values: []float32{0, 0, 0, 1, 0, 0}}}}},
	}
}

func encodeForest(t *testing.T, instances bool) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := gltf.Encode(&b, forest(), gltf.Options{Instances: instances}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// editedGLB changes the JSON of a GLB.
func editedGLB(t *testing.T, b []byte, edit func(string) string) []byte {
	t.Helper()
	size := binary.LittleEndian.Uint32(b[12:])
	text := edit(string(b[20 : 20+size]))
	text += strings.Repeat(" ", -len(text)&3)
	out := append([]byte(nil), b[:20]...)
	binary.LittleEndian.PutUint32(out[12:], uint32(len(text)))
	out = append(append(out, text...), b[20+size:]...)
	binary.LittleEndian.PutUint32(out[8:], uint32(len(out)))
	return out
}

// TestInstancesNotFinite: a turn of a copy that is no number is refused by its own number.
func TestInstancesNotFinite(t *testing.T) {
	file := encodeForest(t, true)
	turn, _ := binary.Append(nil, binary.LittleEndian, []float32{0, 0.6, 0, 0.8})
	first := bytes.Index(file, turn)
	second := first + len(turn)
	if first < 0 || !bytes.HasPrefix(file[second:], turn) {
		t.Fatal("no turns of two copies")
	}
	binary.LittleEndian.PutUint32(file[second:], math.Float32bits(float32(math.NaN())))
	d := new(schema.Diagnostics)
	_, err := gltf.Decode(file, nil, d)
	if said := fmt.Sprint(err, d.All()); !strings.Contains(said, "element 1 of accessor") || !strings.Contains(said, "is [NaN 0.6 0 0.8]") {
		t.Error(said)
	}
}

// TestInstances writes a scene with instances, which comes back as the one without them.
func TestInstances(t *testing.T) {
	plain, err := gltf.Decode(encodeForest(t, false), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	file := encodeForest(t, true)
	var doc struct {
		Nodes []struct {
			Name       string
			Extensions map[string]any
		}
		ExtensionsRequired []string
	}
	if err := json.Unmarshal(file[20:20+binary.LittleEndian.Uint32(file[12:])], &doc); err != nil {
		t.Fatal(err)
	}
	var joined []string
	for _, n := range doc.Nodes {
		if n.Extensions["EXT_mesh_gpu_instancing"] != nil {
			joined = append(joined, n.Name)
		}
	}
	// Roots left and right, children flat, a and a: five nodes of nine become two.
	if len(doc.Nodes) != 6 || cmp.Diff([]string{"tree", "tree"}, joined) != "" || len(doc.ExtensionsRequired) != 1 {
		t.Errorf("%d nodes, of instances %v, required %v", len(doc.Nodes), joined, doc.ExtensionsRequired)
	}
	d := new(schema.Diagnostics)
	back, err := gltf.Decode(file, nil, d)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(plain, back); diff != "" {
		t.Error(diff)
	}
	if d.Has("instances") || d.Has("copies-changed") {
		t.Errorf("told: %v", d.All())
	}
}

// TestInstancesChanged holds that copies which are not those that usher wrote are told and shown.
func TestInstancesChanged(t *testing.T) {
	for name, edit := range map[string]func(string) string{
		"one record fewer": func(s string) string { return strings.Replace(s, `"copies":[{`, `"copies":[{},{`, 1) },
		"moved as one": func(s string) string {
			return strings.ReplaceAll(s, `"name":"tree"`, `"name":"tree","translation":[5,0,0]`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			file := encodeForest(t, true)
			d := new(schema.Diagnostics)
			s, err := gltf.Decode(editedGLB(t, file, edit), nil, d)
			if err != nil {
				t.Fatal(err)
			}
			shown := 0
			s.Walk(func(n, _ *asset.Node) {
				if n.Mesh != nil && n.Mesh.Name == "tree" {
					shown++
				}
			})
			if !d.Has("copies-changed") || shown != 7 { // the lower level is one as well
				t.Errorf("%d trees, want 7; told: %v", shown, d.All())
			}
		})
	}
}

// TestJoined: which nodes become instances: those beside each other that show one mesh and have nothing else that they do not share.
func TestJoined(t *testing.T) {
	for name, c := range map[string]struct {
		change func(s *asset.Scene, n *asset.Node) // n is one of three
		want   int                                 // nodes of the file
	}{
		"as they are":  {func(*asset.Scene, *asset.Node) {}, 1},
		"another mesh": {func(s *asset.Scene, n *asset.Node) { m := *n.Mesh; n.Mesh = &m; s.Meshes = append(s.Meshes, n.Mesh) }, 2},
		"no mesh":      {func(s *asset.Scene, n *asset.Node) { n.Mesh = nil }, 2},
		"a child":      {func(s *asset.Scene, n *asset.Node) { n.Children = []*asset.Node{asset.NewNode("c")} }, 3},
		"a light":      {func(s *asset.Scene, n *asset.Node) { n.Light = asset.NewLight(asset.PointLight) }, 2},
		"hidden":       {func(s *asset.Scene, n *asset.Node) { n.Hidden = true }, 2},
		"a camera":     {func(s *asset.Scene, n *asset.Node) { n.Camera = &asset.Camera{FieldOfView: 1, Near: 1} }, 2},
		"a level":      {func(s *asset.Scene, n *asset.Node) { n.LODs = []*asset.Node{asset.NewNode("l")} }, 3},
		"a matrix": {func(s *asset.Scene, n *asset.Node) {
			n.Transform = asset.Transform{Rotation: [4]float32{0, 0, 0, 1}, Scale: [3]float32{1, 1, 1}, Matrix: &[16]float32{2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}}
		}, 2},
		"no real matrix": {func(s *asset.Scene, n *asset.Node) {
			n.Transform = asset.Transform{Rotation: [4]float32{0, 0, 0, 1}, Scale: [3]float32{1, 1, 1}, Matrix: &[16]float32{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}}
		}, 1},
		"extras": {func(s *asset.Scene, n *asset.Node) { n.Extras = map[string]any{"a": 1.0} }, 1},
		"moves": {func(s *asset.Scene, n *asset.Node) {
			s.Animations = []*asset.Animation{{Name: "a", Channels: []*asset.Channel{{Node: n, Path: asset.Scale, Times: []float32{0}, Values: []float32{1, 1, 1}}}}}
		}, 2},
		"in another scene": {func(s *asset.Scene, n *asset.Node) {
			s.Roots = s.Roots[:2]
			s.Sides = []*asset.Side{{Name: "more", Roots: []*asset.Node{n}}}
		}, 2},
		"below a node": {func(s *asset.Scene, n *asset.Node) {
			top := asset.NewNode("top")
			top.Children, s.Roots = s.Roots, []*asset.Node{top, asset.NewNode("last")}
		}, 3},
	} {
		m := &asset.Mesh{Name: "tree", Primitives: []*asset.Primitive{{Mode: asset.Points, Positions: [][3]float32{{0, 0, 0}}}}}
		s := &asset.Scene{Meshes: []*asset.Mesh{m}}
		for i := range 3 {
			n := asset.NewNode(string(rune('a' + i)))
			n.Mesh, n.Transform.Translation = m, [3]float32{float32(i), 0, 1}
			s.Roots = append(s.Roots, n)
		}
		c.change(s, s.Roots[2])
		var b bytes.Buffer
		if err := gltf.Encode(&b, s, gltf.Options{Instances: true}); err != nil {
			t.Fatal(err)
		}
		var doc struct{ Nodes []any }
		if err := json.Unmarshal(b.Bytes()[20:20+binary.LittleEndian.Uint32(b.Bytes()[12:])], &doc); err != nil {
			t.Fatal(err)
		}
		if len(doc.Nodes) != c.want {
			t.Errorf("%s: %d nodes, want %d", name, len(doc.Nodes), c.want)
		}
		d := new(schema.Diagnostics)
		back, err := gltf.Decode(b.Bytes(), nil, d)
		if err != nil || len(d.All()) > 0 {
			t.Fatal(name, err, d.All())
		}
		if x := cmp.Diff(s, back, cmpopts.EquateEmpty()); x != "" {
			t.Errorf("%s (-want +got):\n%s", name, x)
		}
	}
	d := new(schema.Diagnostics)
	j := asset.NewNode("j")
	if err := gltf.Encode(new(bytes.Buffer), &asset.Scene{Roots: []*asset.Node{j}, Skins: []*asset.Skin{{Joints: []*asset.Node{j}}}}, gltf.Options{Instances: true, Diagnostics: d}); err != nil || !d.Has("no-instances") {
		t.Errorf("a skin: %v, %v", err, d.All())
	}
}

// TestInstancesOfOthers has attributes of instances with the nodes that they become.
func TestInstancesOfOthers(t *testing.T) {
	numbers, _ := binary.Append(nil, binary.LittleEndian, []float32{1, 2, 3, 4, 5, 6, 0, 0, 0, 2, 0, 0, 0, 1})
	for _, c := range []struct {
		node, attributes string
		want             []string // name, place, turn, size and extras of copies
		said             string
	}{
		{`"name":"n","mesh":0`, `"TRANSLATION":0,"SCALE":0`, []string{"n_1 [1 2 3] [0 0 0 1] [1 2 3] map[]", "n_2 [4 5 6] [0 0 0 1] [4 5 6] map[]"}, "nodes/0: 2 copies of meshes (EXT_mesh_gpu_instancing) become nodes"},
		{`"name":"n","mesh":0`, `"ROTATION":1`, []string{"n_1 [0 0 0] [0 0 0 1] [1 1 1] map[]", "n_2 [0 0 0] [0 0 0 1] [1 1 1] map[]"}, "nodes/0: 2 copies of meshes (EXT_mesh_gpu_instancing) become nodes"},
		{`"name":"n","mesh":0`, `"_ID":2,"_AT":0`, []string{"n_1 [0 0 0] [0 0 0 1] [1 1 1] map[_AT:[1 2 3] _ID:1]", "n_2 [0 0 0] [0 0 0 1] [1 1 1] map[_AT:[4 5 6] _ID:2]"}, "nodes/0: 2 copies of meshes (EXT_mesh_gpu_instancing) become nodes"},
		{`"name":"n","mesh":0,"weights":[0.5]`, `"_ID":3`, []string{"n_1 [0 0 0] [0 0 0 1] [1 1 1] map[_ID:1]"}, "nodes/0: 1 copies of meshes (EXT_mesh_gpu_instancing) become nodes"},
		{`"name":"n","mesh":0`, ``, nil, ""},
		{`"name":"n"`, `"TRANSLATION":0`, nil, ""},
		{`"name":"n","mesh":0`, `"TRANSLATION":0,"_ID":3`, nil, "nodes/0: EXT_mesh_gpu_instancing is left out: nodes/0/extensions/EXT_mesh_gpu_instancing/_ID: 1 elements, 2 expected"},
		{`"name":"n","mesh":0`, `"TRANSLATION":2`, nil, "nodes/0: EXT_mesh_gpu_instancing is left out: nodes/0/extensions/EXT_mesh_gpu_instancing/TRANSLATION: type SCALAR, 3 components expected"},
		{`"name":"n","mesh":0`, `"_M":4`, nil, "nodes/0: EXT_mesh_gpu_instancing is left out: nodes/0/extensions/EXT_mesh_gpu_instancing/_M: type MAT2"},
	} {
		doc := `{"asset":{"version":"2.0"},"buffers":[{"byteLength":56}],"bufferViews":[{"buffer":0,"byteLength":56}],"accessors":[{"bufferView":0,"componentType":5126,"count":2,"type":"VEC3"},{"bufferView":0,"byteOffset":24,"componentType":5126,"count":2,"type":"VEC4"},
			{"bufferView":0,"componentType":5126,"count":2,"type":"SCALAR"},{"bufferView":0,"componentType":5126,"count":1,"type":"SCALAR"},{"bufferView":0,"componentType":5126,"count":2,"type":"MAT2"}],"meshes":[{"primitives":[{"mode":0,"attributes":{"POSITION":0}}]}],
			"nodes":[{` + c.node + `,"extensions":{"EXT_mesh_gpu_instancing":{"attributes":{` + c.attributes + `}}}}]}`
		file := editedGLB(t, append(append(binary.LittleEndian.AppendUint32(make([]byte, 20), 56), "BIN\x00"...), numbers...), func(string) string { return doc })
		copy(file, "glTF\x02\x00\x00\x00")
		copy(file[16:], "JSON")
		d := new(schema.Diagnostics)
		s, err := gltf.Decode(file, nil, d)
		if err != nil {
			t.Fatal(c.attributes, err)
		}
		var got []string
		for _, n := range s.Roots[0].Children {
			got = append(got, fmt.Sprint(n.Name, " ", n.Transform.Translation, " ", n.Transform.Rotation, " ", n.Transform.Scale, " ", n.Extras))
			if n.Mesh != s.Meshes[0] || len(n.Weights) != len(s.Roots[0].Weights) {
				t.Errorf("%s: %s shows %v with %v", c.attributes, n.Name, n.Mesh, n.Weights)
			}
		}
		said := ""
		for _, x := range d.All() {
			said += x.Path + ": " + x.Msg
		}
		if diff := cmp.Diff(c.want, got); diff != "" || said != c.said || (s.Roots[0].Mesh != nil) != (got == nil && strings.Contains(c.node, "mesh")) {
			t.Errorf("%s: %s; said %q, want %q", c.attributes, diff, said, c.said)
		}
	}
}
