package unreal

import (
	"fmt"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/unreal"
)

// TestFactsOfObjects: what "info" says of each kind of object.
func TestFactsOfObjects(t *testing.T) {
	p := &unreal.Package{Version: 69}
	none, wave, run := p.AddName("None"), p.AddName("wav"), p.AddName("Run")
	object := func() unreal.Object {
		return unreal.Object{Context: &unreal.Context{Package: p, Class: "Thing", Flags: unreal.Public}, End: none}
	}
	sized := object()
	sized.Set("USize", unreal.IntProperty, 8)
	sized.Set("bMasked", unreal.BoolProperty, 1)
	mesh := unreal.Mesh{Object: object(), AnimFrames: 2, FrameVerts: 5, Sequences: []unreal.Sequence{{Name: run}}, Triangles: make([]unreal.Triangle, 3)}
	for want, o := range map[string]unreal.AnyObject{
		"": &unreal.Object{Context: object().Context},
		"size [8 1], mips 1, compressed mips 2, masked true, palette None": &unreal.Texture{Object: sized, Mips: make([]unreal.Mip, 1), Compressed: make([]unreal.Mip, 2)},
		"file type wav, bytes 3":                                   &unreal.Sound{Object: object(), FileType: wave, Data: []byte("abc")},
		"file type wav, module , bytes 3":                          &unreal.Music{Object: object(), FileType: wave, Data: []byte("abc")},
		"frames 2, vertices 5, sequences [Run], triangles 3":       &mesh,
		"frames 2, vertices 5, sequences [Run], faces 2, wedges 4": &unreal.LodMesh{Mesh: mesh, Faces: make([]unreal.Face, 2), Wedges: make([]unreal.Wedge, 4)},
		"faces 0, points 2, bones 1, animation None":               &unreal.SkeletalMesh{LodMesh: unreal.LodMesh{Mesh: mesh}, Points: make([][3]float32, 2), Bones: make([]unreal.Bone, 1)},
		"nodes 1, surfaces 2, light maps 3":                        &unreal.Model{Object: object(), Nodes: make([]unreal.BspNode, 1), Surfs: make([]unreal.BspSurf, 2), LightMaps: make([]unreal.LightMap, 3)},
		"polygons 2":                                               &unreal.Polys{Object: object(), Polys: make([]unreal.Poly, 2)},
		"actors 3":                                                 &unreal.Level{Object: object(), Actors: make([]unreal.Ref, 3)},
	} {
		var list []string
		facts := objectFacts(o)
		for _, f := range facts[2:] {
			list = append(list, fmt.Sprint(f.Name, " ", f.Value))
		}
		if got := strings.Join(list, ", "); got != want || facts[0] != (format.Fact{Name: "class", Value: "Thing"}) || fmt.Sprint(facts[1].Value) != "[Public]" {
			t.Errorf("%T: %s, want %s", o, got, want)
		}
	}
}

// TestFactsOfRecords: a record has its class, its flags and how many properties, and what only some have.
func TestFactsOfRecords(t *testing.T) {
	f := recordFormat(nil, -1)
	for want, r := range map[string]*Record{
		"class Light, object flags [Public], properties 2": {Class: "Light", Flags: []string{"Public"}, Properties: make([]RecordProperty, 2)},
		"class FireTexture, object flags [], properties 0, picture computed from these parameters, as the engine does it; no pixels are stored": {Class: "FireTexture"},
		"class Animation, object flags [], properties 0, sequences [Run 7]":                                                                     {Class: "Animation", Native: map[string]any{"sequences": []any{map[string]any{"name": "Run"}, "odd", map[string]any{"name": 7}}}},
	} {
		var list []string
		for _, x := range f.Facts(r) {
			list = append(list, fmt.Sprint(x.Name, " ", x.Value))
		}
		if got := strings.Join(list, ", "); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestGuides: the game's paths run through the engine's navigation points, those below them, and what names a path.
func TestGuides(t *testing.T) {
	a := crates(t)
	light := a.AddClass("Engine", "Light")
	own := a.FindExport("Crate", "Class")
	actor := func(class unreal.Ref, property string) bool {
		r := a.AddExport(class, 0, "Any", unreal.LoadFlags)
		o := &unreal.Object{Context: a.Context(int(r - 1))}
		if property != "" {
			o.Set(property, unreal.ObjectProperty, 0)
		}
		return a.guides(o, r)
	}
	for _, name := range navigating {
		if !actor(a.AddClass("Engine", strings.ToUpper(name)), "") {
			t.Errorf("a %s is no point of a path", name)
		}
	}
	for _, name := range navigation {
		if !actor(light, strings.ToUpper(name)) {
			t.Errorf("%s leads nowhere", name)
		}
	}
	for _, c := range []struct {
		class    unreal.Ref
		property string
	}{{light, ""}, {light, "Target"}, {own, ""}} {
		if actor(c.class, c.property) {
			t.Errorf("a %s with %s is a point of a path", a.ObjectName(c.class), c.property)
		}
	}
	below := a.AddExport(0, 0, "NavigationPoint", unreal.ResourceFlags)
	put(t, a, below, &unreal.Class{})
	kid := a.AddExport(0, 0, "Spot", unreal.ResourceFlags)
	c := new(unreal.Class)
	c.Super = below
	put(t, a, kid, c)
	if !actor(kid, "") {
		t.Error("what is below a navigation point is none")
	}
}
