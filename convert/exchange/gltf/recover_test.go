package gltf

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/qmuntal/gltf"

	"github.com/usher-assets/usher/convert/restore"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// edited returns a GLB whose document somebody changed.
func edited(t testing.TB, b []byte, edit func(doc map[string]any)) []byte {
	t.Helper()
	text, bin, err := splitGLB(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	edit(doc)
	if text, err = json.Marshal(doc); err != nil {
		t.Fatal(err)
	}
	return glb(string(text), bin)
}

// each calls f for the objects of lists.
func each(doc map[string]any, f func(list string, i int, o map[string]any), lists ...string) {
	for _, name := range lists {
		list, _ := doc[name].([]any)
		for i, x := range list {
			f(name, i, x.(map[string]any))
		}
	}
}

// bareOf takes all extras from a document.
func bareOf(doc map[string]any) {
	each(doc, func(_ string, _ int, o map[string]any) { delete(o, "extras") }, "nodes", "meshes", "materials", "scenes", "cameras")
}

// twins is a model with nodes and meshes of the same names, each with what only the original knows.
func twins() *asset.Scene {
	s := &asset.Scene{Name: "ship", Native: &asset.Native{Format: "fl", Payload: []byte("whole tree")}, Extras: map[string]any{"note": "a"}}
	m := &asset.Material{Name: "hull", BaseColor: [4]float32{1, 1, 1, 1}, Roughness: 1, Native: &asset.Native{Format: "fl", Values: map[string]any{"type": "DcDt"}}}
	s.Materials = []*asset.Material{m}
	root := asset.NewNode("Root")
	root.Native = &asset.Native{Format: "fl", Values: map[string]any{"part": 0.0}}
	s.Roots = []*asset.Node{root}
	for i := range 3 {
		p := quad()
		for k := range p.Positions {
			p.Positions[k][0] += float32(i)
		}
		p.Material = m
		mesh := &asset.Mesh{Name: "wing", Primitives: []*asset.Primitive{p}, Native: &asset.Native{Format: "fl", Payload: []byte{byte(i)}}}
		n := asset.NewNode("wing")
		n.Transform.Translation = [3]float32{float32(i), 0, 0}
		n.Mesh, n.Native = mesh, &asset.Native{Format: "fl", Values: map[string]any{"part": float64(i + 1)}}
		s.Meshes = append(s.Meshes, mesh)
		root.Children = append(root.Children, n)
	}
	point := asset.NewNode("HpWeapon01")
	point.Kind, point.Native = asset.Hardpoint, &asset.Native{Format: "fl", Values: map[string]any{"min": -1.5}}
	root.Children[1].Children = []*asset.Node{point}
	return s
}

func TestDecodeOnto(t *testing.T) {
	whole := encode(t, twins(), nil)
	number := func(format string, i int) string { return strings.Replace(format, "#", string(rune('0'+i)), 1) }
	for name, edit := range map[string]func(doc map[string]any){
		"bare": bareOf,
		"names with numbers, in another order": func(doc map[string]any) {
			bareOf(doc)
			each(doc, func(_ string, i int, o map[string]any) {
				if o["name"] == "wing" {
					o["name"] = number("wing.00#", i)
				}
			}, "nodes", "meshes")
			root := doc["nodes"].([]any)[0].(map[string]any)
			list := root["children"].([]any)
			list[0], list[2] = list[2], list[0]
		},
		"renamed": func(doc map[string]any) {
			bareOf(doc)
			each(doc, func(_ string, i int, o map[string]any) { o["name"] = number("new #", i) }, "nodes", "meshes", "materials")
			doc["nodes"].([]any)[0].(map[string]any)["name"] = "Root"
			doc["nodes"].([]any)[3].(map[string]any)["name"] = "HpWeapon01"
		},
		"meshes only": func(doc map[string]any) {
			each(doc, func(_ string, _ int, o map[string]any) { delete(o, "extras"); delete(o, "name") }, "meshes")
		},
		"the scene only": func(doc map[string]any) {
			each(doc, func(_ string, _ int, o map[string]any) { delete(o, "extras") }, "scenes")
		},
	} {
		t.Run(name, func(t *testing.T) {
			var d schema.Diagnostics
			s, err := DecodeOnto(edited(t, whole, edit), nil, func() (*asset.Scene, error) { return twins(), nil }, &d)
			if err != nil {
				t.Fatal(err)
			}
			if s.Native == nil || string(s.Native.Payload) != "whole tree" {
				t.Errorf("the scene keeps %v", s.Native)
			}
			found := 0
			s.Walk(func(n, _ *asset.Node) {
				switch {
				case n.Mesh != nil:
					at := n.Transform.Translation[0]
					if n.Native == nil || n.Native.Values["part"] != float64(at)+1 {
						t.Errorf("the wing at %v has %v", at, n.Native)
					}
					if n.Mesh.Native == nil || n.Mesh.Native.Payload[0] != byte(at) {
						t.Errorf("the mesh at %v has %v", at, n.Mesh.Native)
					}
					if m := n.Mesh.Primitives[0].Material; m.Native == nil || m.Native.Values["type"] != "DcDt" {
						t.Errorf("material %q has %v", m.Name, m.Native)
					}
				case n.Kind == asset.Hardpoint:
					if n.Native.Values["min"] != -1.5 {
						t.Errorf("hardpoint: %v", n.Native)
					}
				case n.Native == nil || n.Native.Values["part"] != 0.0:
					t.Errorf("%s has %v", n.Name, n.Native)
				}
				found++
			})
			if found != 5 || d.Has("base-unlike") || !d.Has("from-original") {
				t.Errorf("%d nodes, %v", found, d.All())
			}
		})
	}
}

// TestStrangers: what is like nothing of the original, of which something is left that nothing is like, may be that: it is told, once
// for all, where no object has kept what usher stored in it.
func TestStrangers(t *testing.T) {
	whole := encode(t, twins(), nil)
	for name, c := range map[string]struct {
		edit func(doc map[string]any)
		want string
	}{
		"bare": {bareOf, ""},
		"a point of another name": {func(doc map[string]any) {
			bareOf(doc)
			doc["nodes"].([]any)[3].(map[string]any)["name"] = "HpOther"
		}, `1 of them, the first is "HpOther"`},
		"a point beside it": {func(doc map[string]any) {
			bareOf(doc)
			doc["nodes"] = append(doc["nodes"].([]any), map[string]any{"name": "HpOther"})
		}, ""},
		"another one that kept the rest": {func(doc map[string]any) {
			point := doc["nodes"].([]any)[3].(map[string]any)
			delete(point, "extras")
			point["name"] = "HpOther"
			each(doc, func(_ string, _ int, o map[string]any) { delete(o, "extras") }, "meshes")
		}, ""},
	} {
		var d schema.Diagnostics
		if _, err := DecodeOnto(edited(t, whole, c.edit), nil, func() (*asset.Scene, error) { return twins(), nil }, &d); err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, x := range d.All() {
			if strings.Contains(x.Msg, "objects that are like none of the original") {
				got += x.Msg
			}
		}
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: told %v, want %q", name, d.All(), c.want)
		}
	}
}

func TestDecodeOntoAsksWhenNeeded(t *testing.T) {
	whole := encode(t, twins(), nil)
	never := func() (*asset.Scene, error) { return nil, errors.New("asked") }
	if _, err := DecodeOnto(whole, nil, never, nil); err != nil {
		t.Errorf("all extras are there: %v", err)
	}
	if _, err := DecodeOnto(edited(t, whole, bareOf), nil, never, nil); err == nil || err.Error() != "asked" {
		t.Errorf("extras are gone: %v", err)
	}
	var d schema.Diagnostics
	other := asset.NewNode("something else")
	s, err := DecodeOnto(edited(t, whole, bareOf), nil, func() (*asset.Scene, error) { return &asset.Scene{Roots: []*asset.Node{other}}, nil }, &d)
	if err != nil || !d.Has("base-unlike") || s.Native != nil {
		t.Errorf("another model: %v, %v", err, d.All())
	}
}

// TestMark: a file without extras says that it had some, in a value that nobody sees and that is no edit. Earlier versions
// had it in the roughness.
func TestMark(t *testing.T) {
	pbr := func(doc map[string]any) map[string]any {
		return doc["materials"].([]any)[0].(map[string]any)["pbrMetallicRoughness"].(map[string]any)
	}
	for _, c := range []struct {
		metal, rough, old float32 // old: what the roughness was written as
		stripped          bool
	}{
		{0, 1, 0, true}, {0, 0.333333, 0, true}, {0, 0, 0, true}, {1, 1, 0, false}, {0.25, 0.5, 0, false},
		{0, 1, 0.99991387, true}, {0.5, 0.9, oldMarked(0.9), true}, {0, 1e-3, oldMarked(1e-3), true},
	} {
		s := twins()
		s.Materials[0].Metallic, s.Materials[0].Roughness = c.metal, c.rough
		whole := edited(t, encode(t, s, nil), func(doc map[string]any) {
			p := pbr(doc)
			if x := p["roughnessFactor"]; x != nil && float32(x.(float64)) != c.rough {
				t.Errorf("roughness %v is written as %v", c.rough, x)
			}
			x, told := p["metallicFactor"].(float64)
			if !told {
				x = 1
			}
			if math.Abs(x-float64(c.metal)) > 1e-19 || c.metal == 0 && x == 0 {
				t.Errorf("metalness %v is written as %v", c.metal, x)
			}
			if c.old > 0 {
				p["roughnessFactor"], p["metallicFactor"] = float64(c.old), float64(c.metal)
			}
		})
		back, err := Decode(whole, nil, nil)
		if err != nil || back.Materials[0].Roughness != c.rough || back.Materials[0].Metallic != c.metal || back.Stripped || back.Generator != "" {
			t.Errorf("%+v comes back as %v, %v, stripped %v, %v", c, back.Materials[0].Metallic, back.Materials[0].Roughness, back.Stripped, err)
		}
		saved := edited(t, whole, func(doc map[string]any) {
			bareOf(doc)
			doc["asset"].(map[string]any)["generator"] = "an editor"
		})
		if back, err = Decode(saved, nil, nil); err != nil || back.Stripped != c.stripped {
			t.Errorf("%+v without extras: stripped %v, %v", c, back.Stripped, err)
		}
	}
	foreign := twins()
	foreign.Native = nil
	foreign.Walk(func(n, _ *asset.Node) {
		if n.Native = nil; n.Mesh != nil {
			n.Mesh.Native = nil
		}
	})
	foreign.Materials[0].Native = nil
	b := encode(t, foreign, nil)
	if back, err := Decode(b, nil, nil); err != nil || back.Stripped || back.Generator != "" || bytes.Contains(b, []byte("e-20")) {
		t.Errorf("nothing is kept, and it is ours: %v", err)
	}
}

// TestOutlineMesh: how many corners meshes have, and how far they reach, also where numbers lead nowhere.
func TestOutlineMesh(t *testing.T) {
	number := func(i int) *int { return &i }
	doc := &gltf.Document{Accessors: []*gltf.Accessor{
		{Count: 5, Min: []float64{-1, 0, 2}, Max: []float64{1, 3, 4}}, {Count: 12}, {Count: 7, Min: []float64{-2, 1, 3}, Max: []float64{0, 5, 3.5}}, {Count: 9, Min: []float64{0}}, {Count: 3, Min: []float64{0, 0, 0, 0}, Max: []float64{1, 1, 1, 1}},
	}}
	primitive := func(at int, indices *int) *gltf.Primitive {
		return &gltf.Primitive{Attributes: gltf.PrimitiveAttributes{gltf.POSITION: at}, Indices: indices}
	}
	for name, c := range map[string]struct {
		list    []*gltf.Primitive
		corners int
	}{
		"points": {[]*gltf.Primitive{primitive(0, nil)}, 5}, "joined": {[]*gltf.Primitive{primitive(0, number(1))}, 12}, "by the first": {[]*gltf.Primitive{primitive(2, number(0))}, 5},
		"two": {[]*gltf.Primitive{primitive(0, number(1)), primitive(2, nil)}, 19}, "no place": {[]*gltf.Primitive{{}, primitive(0, nil)}, 5}, "four values": {[]*gltf.Primitive{primitive(4, nil)}, 3}, "no such place": {[]*gltf.Primitive{primitive(5, nil), primitive(-1, nil)}, 0},
		"no such indices": {[]*gltf.Primitive{primitive(0, number(5)), primitive(0, number(-1))}, 10}, "no box": {[]*gltf.Primitive{primitive(3, nil)}, 9},
	} {
		if got := outlineMesh(doc, &gltf.Mesh{Primitives: c.list}); got.Corners != c.corners {
			t.Errorf("%s: %d corners, want %d", name, got.Corners, c.corners)
		}
	}
	x := outlineMesh(doc, &gltf.Mesh{Name: "m", Primitives: []*gltf.Primitive{primitive(0, nil), primitive(2, nil)}})
	if x.Name != "m" || x.Min != [3]float64{-2, 0, 2} || x.Max != [3]float64{1, 5, 4} || len(x.Materials) != 2 || x.Materials[1] != -1 {
		t.Errorf("%+v", x)
	}
}

// TestUnitKeys: keys of a rotation are brought to length 1 in the file, with a word; those of a tangent stay.
func TestUnitKeys(t *testing.T) {
	n := asset.NewNode("n")
	channel := func(i asset.Interpolation, times []float32, values ...float32) *asset.Channel {
		return &asset.Channel{Node: n, Path: asset.Rotation, Interpolation: i, Times: times, Values: values}
	}
	for name, c := range map[string]struct {
		channel *asset.Channel
		want    []float32
		told    bool
	}{
		"as they should be": {channel(asset.LinearKeys, []float32{0, 1}, 0, 0, 0, 1, 0, 0.6, 0, 0.8), []float32{0, 0, 0, 1, 0, 0.6, 0, 0.8}, false},
		"too long":          {channel(asset.LinearKeys, []float32{0, 1}, 0, 0, 0, 2, 0, 3, 0, 4), []float32{0, 0, 0, 1, 0, 0.6, 0, 0.8}, true},
		"cubic":             {channel(asset.CubicKeys, []float32{0, 1}, 5, 5, 5, 5, 0, 3, 0, 4, 6, 6, 6, 6, 7, 7, 7, 7, 0, 0, 0, 1, 8, 8, 8, 8), []float32{5, 5, 5, 5, 0, 0.6, 0, 0.8, 6, 6, 6, 6, 7, 7, 7, 7, 0, 0, 0, 1, 8, 8, 8, 8}, true},
	} {
		d := new(schema.Diagnostics)
		var w bytes.Buffer
		if err := Encode(&w, &asset.Scene{Roots: []*asset.Node{n}, Animations: []*asset.Animation{{Name: "a", Channels: []*asset.Channel{c.channel}}}}, Options{Diagnostics: d}); err != nil {
			t.Fatal(err)
		}
		s, err := Decode(w.Bytes(), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Animations[0].Channels[0].Values; !slices.Equal(got, c.want) || d.Has("rotation-not-unit") != c.told {
			t.Errorf("%s: %v, want %v; %v", name, got, c.want, d.All())
		}
	}
}

// TestOriginalOfWhatIsShown: whatever a file shows of its original, its nodes get what they kept from that.
func TestOriginalOfWhatIsShown(t *testing.T) {
	for _, show := range []Show{ShowHardpoints, ShowLevels, ShowWires | ShowHardpoints, ShowHulls, ShowMounts, ShowAll} {
		var b bytes.Buffer
		if err := Encode(&b, tower(), Options{Show: &show}); err != nil {
			t.Fatal(err)
		}
		want := decode(t, b.Bytes())
		var d schema.Diagnostics
		got, err := DecodeOnto(edited(t, b.Bytes(), bareOf), nil, func() (*asset.Scene, error) { return tower(), nil }, &d)
		if err != nil || !d.Has("from-original") || d.Has("base-unlike") {
			t.Fatal(err, d.All())
		}
		list := func(s *asset.Scene) (all []string) {
			s.Walk(func(n, _ *asset.Node) {
				if n.Native != nil {
					all = append(all, fmt.Sprint(n.Name, " ", n.Kind, " ", n.Native.Values))
				}
			})
			slices.Sort(all)
			return all
		}
		equal(t, fmt.Sprint("shown ", show), list(got), list(want))
	}
}

// TestRecovered: what of an original is given to what lacks it, and what is not.
func TestRecovered(t *testing.T) {
	original := func() *asset.Scene {
		s := twins()
		s.Roots[0].Extras = map[string]any{"of": "another", "kept": 1.0}
		eye := asset.NewNode("eye")
		eye.Kind, eye.Camera = asset.Eye, &asset.Camera{Name: "c", FieldOfView: 1, Near: 1, Native: &asset.Native{Format: "fl", Values: map[string]any{"id": 7.0}}}
		s.Roots = append(s.Roots, eye)
		return s
	}
	whole := encode(t, original(), nil)
	node := func(doc map[string]any, i int) map[string]any { return doc["nodes"].([]any)[i].(map[string]any) }
	for name, c := range map[string]struct {
		edit func(doc map[string]any)
		want string // extras of the first node, what it keeps, what the camera and the scene keep
		told string
	}{
		"untouched":              {func(doc map[string]any) {}, "map[kept:1 of:another] true true true", ""},
		"bare":                   {bareOf, "map[kept:1 of:another] true true true", "11 objects"},
		"bare, with a property":  {func(doc map[string]any) { bareOf(doc); node(doc, 0)["extras"] = map[string]any{"kept": 2.0} }, "map[kept:2 of:another] true true true", "11 objects"},
		"one without its record": {func(doc map[string]any) { node(doc, 0)["extras"] = map[string]any{"kept": 2.0} }, "map[kept:2] true true true", "1 objects"},
		"a camera alone": {func(doc map[string]any) {
			delete(doc["cameras"].([]any)[0].(map[string]any), "extras")
			delete(doc["scenes"].([]any)[0].(map[string]any), "extras")
		}, "map[kept:1 of:another] true true true", "2 objects"},
		"another scene": {func(doc map[string]any) { bareOf(doc); delete(doc, "scene"); delete(doc, "scenes") }, "map[kept:1 of:another] true true false", "10 objects"},
	} {
		var d schema.Diagnostics
		s, err := DecodeOnto(edited(t, whole, c.edit), nil, func() (*asset.Scene, error) { return original(), nil }, &d)
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprint(s.Roots[0].Extras, " ", s.Roots[0].Native != nil, " ", s.Roots[1].Camera.Native != nil, " ", s.Native != nil)
		told := ""
		for _, x := range d.All() {
			if x.Code == "from-original" {
				told, _, _ = strings.Cut(strings.TrimPrefix(x.Msg, "extras are gone: what they held of "), " is")
			}
		}
		if got != c.want || told != c.told {
			t.Errorf("%s: %s, want %s; told %q, want %q", name, got, c.want, told, c.told)
		}
	}
	bad := twins()
	bad.Meshes = nil
	if _, err := DecodeOnto(edited(t, whole, bareOf), nil, func() (*asset.Scene, error) { return bad, nil }, nil); schema.Class(err) != schema.ErrRange {
		t.Errorf("an original that contradicts itself: %v", err)
	}
}

// TestStrangeMaterials: materials that are like none of the original are counted with nodes that are.
func TestStrangeMaterials(t *testing.T) {
	original := func() *asset.Scene {
		s := twins()
		for _, name := range []string{"glass", "paint"} {
			m := asset.NewMaterial(name)
			m.Native = &asset.Native{Format: "fl"}
			s.Materials = append(s.Materials, m)
		}
		return s
	}
	for want, edit := range map[string]func(doc map[string]any){
		"":                              bareOf,
		`1 of them, the first is "new"`: func(doc map[string]any) { bareOf(doc); doc["materials"].([]any)[2].(map[string]any)["name"] = "new" },
		`2 of them, the first is "HpNew"`: func(doc map[string]any) {
			bareOf(doc)
			doc["materials"].([]any)[2].(map[string]any)["name"], doc["nodes"].([]any)[3].(map[string]any)["name"] = "new", "HpNew"
		},
	} {
		var d schema.Diagnostics
		if _, err := DecodeOnto(edited(t, encode(t, original(), nil), edit), nil, func() (*asset.Scene, error) { return original(), nil }, &d); err != nil {
			t.Fatal(err)
		}
		if text := fmt.Sprint(d.All()); strings.Contains(text, "of them, the first is") != (want != "") || !strings.Contains(text, want) {
			t.Errorf("%s: %s", want, text)
		}
	}
}

// TestUnlike: of an original with which a file has nothing in common a line tells, another one where the file says that usher made it.
func TestUnlike(t *testing.T) {
	other := func(nodes ...*asset.Node) func() (*asset.Scene, error) {
		return func() (*asset.Scene, error) { return &asset.Scene{Roots: nodes}, nil }
	}
	strange := asset.NewNode("strange")
	for _, c := range []struct {
		name     string
		edit     func(doc map[string]any)
		original func() (*asset.Scene, error)
		want     []string
	}{
		{"an editor's", func(doc map[string]any) {
			bareOf(doc)
			doc["asset"].(map[string]any)["generator"] = "editor"
			delete(doc, "materials")
			each(doc, func(_ string, _ int, o map[string]any) {
				delete(o["primitives"].([]any)[0].(map[string]any), "material")
			}, "meshes")
		}, other(strange), []string{"base-unlike"}},
		{"usher's", bareOf, other(strange), []string{"base-unlike", "extras-missing"}},
		{"of a scene without nodes", bareOf, other(), nil},
		{"without nodes", func(doc map[string]any) {
			bareOf(doc)
			delete(doc, "nodes")
			delete(doc, "scenes")
			delete(doc, "scene")
		}, other(strange), nil},
		{"with one record", func(doc map[string]any) { delete(doc["nodes"].([]any)[0].(map[string]any), "extras") }, other(strange), []string{"base-unlike", "extras-missing"}},
	} {
		var d schema.Diagnostics
		if _, err := DecodeOnto(edited(t, encode(t, twins(), nil), c.edit), nil, c.original, &d); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, x := range d.All() {
			code := x.Code
			if code == restore.NoExtras {
				code = "extras-missing"
			}
			got = append(got, code)
		}
		equal(t, c.name, got, c.want)
	}
}

// TestOutline: what is paired of a document, also where numbers lead nowhere.
func TestOutline(t *testing.T) {
	number := func(i int) *int { return &i }
	o := outlineOf(&gltf.Document{
		Nodes:     []*gltf.Node{{Name: "a", Children: []int{1, -1, 2, 3}, Translation: [3]float64{1, 2, 3}}, {Name: "b", Mesh: number(4)}, {Name: "c", Camera: number(5)}},
		Skins:     []*gltf.Skin{{Joints: []int{0, 3, -1}}, {Joints: []int{2}}},
		Materials: []*gltf.Material{{Name: "m"}}, Cameras: []*gltf.Camera{{Name: "k"}},
	})
	equal(t, "nodes", o.Nodes, []restore.OutlineNode{
		{Name: "a", Parent: -1, Children: []int{1, -1, 2, 3}, Mesh: -1, Camera: -1, Joint: true, Place: [3]float64{1, 2, 3}}, {Name: "b", Parent: 0, Mesh: 4, Camera: -1}, {Name: "c", Parent: 0, Mesh: -1, Camera: 5, Joint: true}})
	equal(t, "names", [][]string{o.Materials, o.Cameras}, [][]string{{"m"}, {"k"}})
}

// TestRoughness: files of earlier versions have a mark in the lowest bits of the roughness, and three digits of it or a record beside.
func TestRoughness(t *testing.T) {
	for _, c := range []struct {
		now, want float32
		record    record
		marked    bool
	}{
		{0.5, 0.5, nil, false}, {0, 0, nil, false}, {1, 1, nil, false}, {oldMarked(0.25), 0.25, nil, true}, {oldMarked(1), 1, nil, true}, {oldMarked(0.123456), 0.123, nil, true},
		{oldMarked(0.123456), 0.123456, record{keyRoughness: float64(float32(0.123456))}, true}, {oldMarked(0.123456), 0.123, record{keyRoughness: 0.2}, true}, {oldMarked(0.5), 0.5, record{keyRoughness: "x"}, true}, {oldMarked(0.5) * 2, oldMarked(0.5) * 2, nil, false},
	} {
		d := newDecoder(nil, nil)
		if got := d.readRoughness(c.now, c.record); got != c.want || d.marked != c.marked {
			t.Errorf("%v with %v: %v, marked %t, want %v", c.now, c.record, got, d.marked, c.want)
		}
	}
	for _, x := range []float32{1e-3, 0.25, 0.5, 0.9999, 1} {
		if y := oldMarked(x); y > 1 || y < x*0.999 || y > x*1.001 || math.Float32bits(y)&0xFFF != 0xA5B {
			t.Errorf("%v is marked as %v", x, y)
		}
	}
	for x, want := range map[float32]float32{0: 0, 0.5: 0.5, mark: 0, 2 * mark: 2 * mark} {
		d := newDecoder(nil, nil)
		if got := d.readMetal(x); got != want || d.marked != (x == mark) {
			t.Errorf("a metalness of %v: %v, marked %t", x, got, d.marked)
		}
	}
}

// TestKeepsNative: a scene keeps something of another format wherever a Native stands.
func TestKeepsNative(t *testing.T) {
	native := &asset.Native{Format: "f"}
	for name, put := range map[string]func(s *asset.Scene){
		"": func(*asset.Scene) {}, "scene": func(s *asset.Scene) { s.Native = native }, "mesh": func(s *asset.Scene) { s.Meshes[0].Native = native }, "node": func(s *asset.Scene) { s.Roots[0].Native = native }, "material": func(s *asset.Scene) { s.Materials[0].Native = native },
		"animation": func(s *asset.Scene) { s.Animations[0].Native = native }, "beside": func(s *asset.Scene) { s.Detached[0].Native = native }, "level": func(s *asset.Scene) { s.Roots[0].LODs[0].Native = native }, "child": func(s *asset.Scene) { s.Roots[0].Children[0].Native = native },
	} {
		s := scene(mesh("m", quad()))
		s.Materials, s.Animations, s.Detached = []*asset.Material{asset.NewMaterial("m")}, []*asset.Animation{{Name: "a"}}, []*asset.Node{asset.NewNode("d")}
		s.Roots[0].LODs, s.Roots[0].Children = []*asset.Node{asset.NewNode("l")}, []*asset.Node{asset.NewNode("c")}
		put(s)
		if got := (&encoder{s: s}).hasNative(); got != (name != "") {
			t.Errorf("a Native of the %s: %t", name, got)
		}
		want := map[bool]string{true: ourselves, false: copied}[name != ""]
		edited(t, encode(t, s, nil), func(doc map[string]any) { equal(t, name, doc["asset"].(map[string]any)["generator"], any(want)) })
	}
}
