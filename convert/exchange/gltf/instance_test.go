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
