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

// TestFollow: a level of detail that stands beside its part moves as that was moved since.
func TestFollow(t *testing.T) {
	at := func(x float32) asset.Transform {
		place := asset.Identity
		place.Translation[0] = x
		return place
	}
	scaled := func(x, scale float32) asset.Transform {
		place := at(x)
		place.Scale = [3]float32{scale, scale, scale}
		return place
	}
	matrix := func(place asset.Transform) []float32 { m := matrixOf(&place); return m[:] }
	for i, c := range []struct {
		level, owner asset.Transform
		was          []float32
		want         asset.Transform
	}{
		{at(5), at(1), matrix(at(1)), at(5)},
		{at(5), at(1.000005), matrix(at(1)), at(5)},
		{at(1), at(3), matrix(at(1)), at(3)},
		{at(1.000005), at(3), matrix(at(1)), at(3)},
		{at(5), at(3), matrix(at(1)), at(7)},
		{at(5), scaled(3, 2), matrix(at(1)), scaled(11, 2)},
		{at(5), at(3), matrix(scaled(1, 0)), at(5)},
		{at(5), at(3), matrix(at(1))[:15], at(5)},
		{at(5), at(3), nil, at(5)},
	} {
		level, owner := &asset.Node{Transform: c.level}, &asset.Node{Transform: c.owner}
		if follow(level, owner, c.was); level.Transform != c.want {
			t.Errorf("%d: %v, want %v", i, level.Transform, c.want)
		}
	}
	for _, c := range []struct {
		a, b []float32
		want bool
	}{
		{[]float32{0.0005, 100}, []float32{0, 100}, true}, {[]float32{0.0015, 100}, []float32{0, 100}, false}, {[]float32{-0.0015, 100}, []float32{0, 100}, false}, {[]float32{0.0005, -100}, []float32{0, -100}, true}, {[]float32{0, -100.0015}, []float32{0, -100}, false},
		{[]float32{1.000009, 0}, []float32{1, 0}, true}, {[]float32{1.00002, 0}, []float32{1, 0}, false}, {[]float32{1, float32(math.NaN())}, []float32{1, 0}, false},
	} {
		if nearMatrix(c.a, c.b) != c.want {
			t.Errorf("%v and %v are near: %t", c.a, c.b, !c.want)
		}
	}
	if counting(1) != "1" || counting(2) != "1 to 2" {
		t.Errorf("levels %s, %s", counting(1), counting(2))
	}
}

// TestKeptSkins: what is hidden finds its joints by their numbers, else by their names, in the skin that it had, else in another; its
// vertices follow them in whatever order they are. Where one is gone, nothing is left of it.
func TestKeptSkins(t *testing.T) {
	rename := func(list []any, from, to string) {
		for _, x := range list {
			if n := x.(map[string]any); n["name"] == from {
				n["name"] = to
			}
		}
	}
	drop := func(list []any) { // the numbers of joints
		for _, x := range list {
			n := x.(map[string]any)
			if n["name"] == "hip" || n["name"] == "tip" {
				delete(n, "extras")
			}
		}
	}
	for name, c := range map[string]struct {
		edit func(nodes []any, skin map[string]any)
		want string
	}{
		"untouched": {func(nodes []any, skin map[string]any) {}, "hip+tip hip+tip 0 1"},
		"turned":    {func(nodes []any, skin map[string]any) { j := skin["joints"].([]any); j[0], j[1] = j[1], j[0] }, "tip+hip tip+hip 1 0"},
		"turned, renamed": {func(nodes []any, skin map[string]any) {
			j := skin["joints"].([]any)
			j[0], j[1] = j[1], j[0]
			rename(nodes, "hip", "a")
			rename(nodes, "tip", "b")
		}, "b+a b+a 1 0"},
		"names exchanged": {func(nodes []any, skin map[string]any) {
			rename(nodes, "hip", "x")
			rename(nodes, "tip", "hip")
			rename(nodes, "x", "tip")
		}, "tip+hip tip+hip 0 1"},
		"without numbers": {func(nodes []any, skin map[string]any) {
			drop(nodes)
			j := skin["joints"].([]any)
			j[0], j[1] = j[1], j[0]
		}, "tip+hip tip+hip 1 0"},
		"copied": {func(nodes []any, skin map[string]any) {
			drop(nodes)
			j := skin["joints"].([]any)
			j[0], j[1] = j[1], j[0]
			rename(nodes, "hip", "hip.001")
		}, "tip+hip.001 tip+hip.001 1 0"},
		"renamed, no number": {func(nodes []any, skin map[string]any) { drop(nodes); rename(nodes, "hip", "x") }, "x+tip"},
	} {
		s := skinScene(true)
		s.Native = &asset.Native{Format: "fl"}
		owner := s.Roots[0].Children[1]
		level := asset.NewNode("far")
		level.Transform, level.Skin = owner.Transform, owner.Skin
		p := *owner.Mesh.Primitives[0]
		p.Positions = append([][3]float32{{9, 9, 9}}, p.Positions[1:]...)
		p.Joints = [][][4]uint16{{{0}, {1}, {1}, {0}}}
		p.Weights = [][][4]float32{{{1}, {1}, {1}, {1}}}
		q := p // of the same vertices
		q.Indices = q.Indices[:3]
		level.Mesh = &asset.Mesh{Name: "far", Primitives: []*asset.Primitive{&p, &q}}
		other, farther := asset.NewNode("other"), asset.NewNode("farther") // of another skin, which is shown too
		other.Mesh, other.Skin = owner.Mesh, &asset.Skin{Joints: []*asset.Node{owner.Skin.Joints[1], owner.Skin.Joints[0]}}
		farther.Transform, farther.Skin, farther.Mesh = owner.Transform, other.Skin, mesh("farther", quad())
		s.Roots, s.Skins = append(s.Roots, other), append(s.Skins, other.Skin)
		s.Meshes, owner.LODs = append(s.Meshes, level.Mesh, farther.Mesh), []*asset.Node{level, farther}
		var d schema.Diagnostics
		back, err := Decode(edited(t, encode(t, s, nil), func(doc map[string]any) {
			c.edit(doc["nodes"].([]any), doc["skins"].([]any)[0].(map[string]any))
		}), nil, &d)
		if err != nil {
			t.Fatal(err)
		}
		joints := func(n *asset.Node) string {
			var list []string
			for _, j := range n.Skin.Joints {
				list = append(list, j.Name)
			}
			return strings.Join(list, "+")
		}
		body := back.Roots[0].Children[1]
		got := joints(body)
		if len(body.LODs) == 2 {
			far := body.LODs[0]
			got += fmt.Sprint(" ", joints(far), " ", far.Mesh.Primitives[0].Joints[0][0][0], " ", far.Mesh.Primitives[1].Joints[0][1][0])
		}
		if told := d.Has("bad-kept"); got != c.want || told != (len(body.LODs) == 0) {
			t.Errorf("%s: %s, want %s; %v", name, got, c.want, d.All())
		}
	}
}

// TestJointPlaces: which joints of a skin are those of numbers and names.
func TestJointPlaces(t *testing.T) {
	a, b, c, first, none := bone("a"), bone("b.001"), bone("c"), bone("first"), bone("none")
	d := newDecoder(nil, nil)
	d.numberOf[a], d.numberOf[b], d.numberOf[c], d.numberOf[first] = 11, 12, 13, 1
	s := &asset.Skin{Joints: []*asset.Node{a, b, c, none, first}}
	for _, x := range []struct {
		i      int
		name   string
		number int
		want   int
	}{
		{0, "a", 12, 0}, {1, "a", 12, 2}, {1, "a", -1, 0}, {0, "b", -1, 1}, {5, "c", 99, 2}, {0, "x", 10, 0}, {0, "x", 99, -1}, {0, "x", -1, -1}, {3, "a", -1, 0}, {0, "x", 0, 4}, {5, "x", 0, 4}, {3, "none", 0, 3},
	} {
		if got := d.jointPlace(s, x.i, x.name, x.number); got != x.want {
			t.Errorf("%+v: %d", x, got)
		}
	}
	places := make([]uint16, 2)
	if !d.jointPlaces(s, []any{"c", "a"}, []any{12.0}, places) || places[0] != 2 || places[1] != 0 {
		t.Errorf("%v", places)
	}
	if d.jointPlaces(s, []any{"c", "x"}, nil, nil) || !d.jointPlaces(s, nil, nil, nil) {
		t.Error("a joint that is not there is")
	}
	other := &asset.Skin{Joints: []*asset.Node{a}}
	d.s.Skins = []*asset.Skin{other, s}
	for _, x := range []struct {
		at   int
		name string
		want *asset.Skin
	}{{0, "c", s}, {1, "a", s}, {0, "a", other}, {7, "a", other}, {0, "x", nil}} {
		if got := d.skinOf(x.at, []any{x.name}, nil); got != x.want {
			t.Errorf("skin %d with %s: %v", x.at, x.name, got)
		}
	}
}

// TestMaterialOf: which material is meant by a number and a name, whatever editors did.
func TestMaterialOf(t *testing.T) {
	d := newDecoder(nil, nil)
	material := func(name string) *asset.Material {
		m := asset.NewMaterial(name)
		d.materials = append(d.materials, m)
		return m
	}
	a, copied, renamed, spoken := material("a"), material("b.001"), material("new"), material("shown")
	spoken.Native = &asset.Native{Values: map[string]any{"name": "own name"}}
	d.numbered[3], d.numbered[4] = []*asset.Material{renamed, a}, []*asset.Material{renamed}
	for _, c := range []struct {
		name   string
		number int
		want   *asset.Material
	}{
		{"a", 9, a}, {"b", 9, copied}, {"own name", 9, spoken}, {"x", 9, nil}, {"a", 3, a}, {"x", 3, renamed}, {"a", 4, renamed}, {"shown", 4, renamed},
	} {
		if got := d.materialOf(c.name, c.number); got != c.want {
			t.Errorf("%q of number %d: %v, want %v", c.name, c.number, got, c.want)
		}
	}
}

// TestKeptOfBefore: files of earlier versions have the materials of what is hidden, with their textures, below each node; the scene
// gets each once, in its place.
func TestKeptOfBefore(t *testing.T) {
	kept := func(material string, number, meshNumber int) string {
		m := asset.NewMaterial(material)
		m.BaseColorTexture = &asset.TextureRef{Texture: picture8("picture of " + material)}
		p := quad()
		p.Material = m
		s := scene(mesh("hull", p))
		s.Textures = []*asset.Texture{m.BaseColorTexture.Texture}
		r, err := pack(&asset.Native{Payload: encode(t, s, nil)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf(`"extras":{"usher":{"asset":{"kept":{"payload":%q,"places":[0],"materials":[%d],"meshes":[%d]}}}}`, r[keyPayload], number, meshNumber)
	}
	for _, c := range []struct {
		name              string
		nodes             []string
		materials, images string // of the scene
		worn, shown       string // by the number of the material and of the mesh, of each node
		unseen            bool
	}{
		{"one", []string{kept("paint", -1, 0)}, "paint a b", "picture of paint", "0", "0", false},
		{"in its place", []string{kept("paint", -2, 0)}, "a paint b", "picture of paint", "1", "0", false},
		{"behind all", []string{kept("paint", -9, 5)}, "a b paint", "picture of paint", "2", "0", false},
		{"twice", []string{kept("paint", -2, 0), kept("paint", -2, 0)}, "a paint b", "picture of paint", "1 1", "0 0", false},
		{"twice, of other numbers", []string{kept("paint", -2, 0), kept("paint", -3, 1)}, "a paint paint b", "picture of paint,picture of paint", "1 2", "0 1", false},
		{"two of a number", []string{kept("paint", -2, 0), kept("rust", -2, 1)}, "a paint b rust", "picture of paint,picture of rust", "1 3", "0 1", false},
		{"one that is there", []string{kept("b", 1, 0)}, "a b", "", "1", "0", false},
		{"one that is gone", []string{kept("c", 1, 0)}, "a b c", "picture of c", "2", "0", true},
	} {
		var nodes []string
		for i, n := range c.nodes {
			nodes = append(nodes, fmt.Sprintf(`{"name":"n%d",%s}`, i, n))
		}
		s, d := told(t, document(`"materials":[{"name":"a"},{"name":"b"}],"nodes":[`+strings.Join(nodes, ",")+`]`), nil)
		var materials, images, worn, shown []string
		for _, m := range s.Materials {
			materials = append(materials, m.Name)
		}
		for _, x := range s.Textures {
			images = append(images, x.Name)
		}
		for _, n := range s.Roots {
			hull := n.Children[0]
			m := hull.Mesh.Primitives[0].Material
			worn, shown = append(worn, fmt.Sprint(slices.Index(s.Materials, m))), append(shown, fmt.Sprint(slices.Index(s.Meshes, hull.Mesh)))
			if m.Unseen != c.unseen {
				t.Errorf("%s: unseen %t", c.name, m.Unseen)
			}
		}
		equal(t, c.name, []any{strings.Join(materials, " "), strings.Join(images, ","), strings.Join(worn, " "), strings.Join(shown, " "), len(d.All())}, []any{c.materials, c.images, c.worn, c.shown, 0})
	}
}

// TestKeptJointsBeyond: what is hidden may follow no joint that the skin has not.
func TestKeptJointsBeyond(t *testing.T) {
	for joint, want := range map[uint16]string{0: "", 1: "", 2: "the mesh has joint 2, the skin has 2", 3: "the mesh has joint 3, the skin has 2"} {
		m, _ := skinned()
		m.Primitives[0].Joints[0] = [][4]uint16{{joint}, {joint}, {joint}, {joint}}
		m.Primitives[0].Weights[0] = [][4]float32{{1}, {1}, {1}, {1}}
		inner := scene(m)
		inner.Extras = map[string]any{"-2": []any{"tip", "hip"}}
		r, err := pack(&asset.Native{Payload: encode(t, inner, nil)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		r["places"], r["skins"], r["meshes"] = []any{-1}, []any{-2}, []any{5}
		var d schema.Diagnostics
		s, err := Decode(edited(t, encode(t, skinScene(true), nil), func(doc map[string]any) {
			body := doc["nodes"].([]any)[3].(map[string]any)
			body["extras"].(map[string]any)["usher"].(map[string]any)["asset"].(map[string]any)[keyKept] = r
		}), nil, &d)
		if err != nil {
			t.Fatal(err)
		}
		body := s.Roots[0].Children[1]
		if text := fmt.Sprint(d.All()); strings.Contains(text, "bad-kept") != (want != "") || !strings.Contains(text, want) {
			t.Errorf("joint %d: %s", joint, text)
		}
		if want == "" && (len(body.LODs) != 1 || body.LODs[0].Mesh.Primitives[0].Joints[0][0][0] != 1-joint) {
			t.Errorf("joint %d: %v", joint, body.LODs)
		}
	}
}
