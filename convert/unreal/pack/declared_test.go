package pack

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// made is a package that is built for a test.
type made struct {
	*File
	t *testing.T
}

func (m made) add(class, name string, outer unreal.Ref, o unreal.AnyObject) unreal.Ref {
	m.t.Helper()
	c := unreal.Ref(0)
	if class != "" {
		c = m.AddClass("Core", class)
	}
	r := m.AddExport(c, outer, name, 0)
	if err := m.Put(r, o); err != nil {
		m.t.Fatal(err)
	}
	return r
}

// property adds the declaration of a number, which another declaration follows.
func (m made) property(class, name string, outer, next unreal.Ref) unreal.Ref {
	p := &unreal.PropertyDecl{ArrayDim: 1, Refs: make([]unreal.Ref, unreal.PropertyRefs(class))}
	p.Next = next
	return m.add(class, name, outer, p)
}

// class adds a class of properties, of which each names the next.
func (m made) class(name string, super unreal.Ref, properties ...string) unreal.Ref {
	m.t.Helper()
	own := m.add("", name, 0, &unreal.Class{})
	next := unreal.Ref(0)
	for i := len(properties) - 1; i >= 0; i-- {
		next = m.property("IntProperty", properties[i], own, next)
	}
	c := &unreal.Class{}
	c.Super, c.Children = super, next
	m.Exports[own-1].Super = super
	if err := m.Put(own, c); err != nil {
		m.t.Fatal(err)
	}
	return own
}

func build(t *testing.T) made {
	f := New(&unreal.Package{Version: 69}, &format.Env{Name: "Made.u", Diagnostics: new(schema.Diagnostics)})
	f.AddName("None")
	return made{f, t}
}

// TestDeclared: a property is found in its class and in those above it, by any letters; nothing is where nothing declares it.
func TestDeclared(t *testing.T) {
	m := build(t)
	above := m.class("Above", 0, "Size", "Colour")
	class := m.class("Door", above, "Width", "Height", "Size")
	looped := m.class("Looped", 0, "Own")
	m.Exports[looped-1].Super = looped
	c := &unreal.Class{}
	c.Super = looped
	if err := m.Put(looped, c); err != nil {
		t.Fatal(err)
	}
	_, wall := textured(t, m.File, 0, "Wall", 0)
	low := m.class("Low", wall, "Deep")
	odd := m.add("", "Odd", 0, &unreal.Class{})
	constant := m.add("Const", "Most", odd, &unreal.Const{})
	x := &unreal.Class{}
	x.Children = constant
	if err := m.Put(odd, x); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		class unreal.Ref
		name  string
		owner unreal.Ref // 0 for none
	}{
		{class, "Width", class}, {class, "HEIGHT", class}, {class, "size", class}, {class, "Colour", above}, {above, "size", above}, {above, "Width", 0}, {class, "Depth", 0}, {class, "", 0},
		{looped, "Width", 0}, {wall, "Palette", 0}, {0, "Width", 0}, {-1, "Width", 0}, {low, "deep", low}, {low, "Width", 0}, {odd, "Most", 0}, {class, "Door", 0},
	} {
		d, ok := m.Declared(x.class, x.name)
		if ok != (x.owner != 0) || ok && (m.Outer(d.Ref) != x.owner || !strings.EqualFold(d.Name(), x.name) || d.Property() == nil) {
			t.Errorf("%q of %d: %+v, %v", x.name, x.class, d, ok)
		}
	}
}

// TestChildren: declarations follow each other to the end; a list that comes back to itself or names what is none is not whole.
func TestChildren(t *testing.T) {
	m := build(t)
	class := m.class("Door", 0, "Width", "Height", "Size")
	first := class + 3 // they were added from the last one on
	_, wall := textured(t, m.File, 0, "Wall", 0)
	into := m.property("IntProperty", "Into", class, wall)
	away := m.property("IntProperty", "Away", class, m.AddClass("Core", "Object"))
	loop := m.property("IntProperty", "Loop", class, 0)
	p := &unreal.PropertyDecl{ArrayDim: 1}
	p.Next = loop
	if err := m.Put(loop, p); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		first unreal.Ref
		want  string
	}{
		{first, "Width Height Size true"}, {first - 2, "Size true"}, {0, " true"}, {-1, " false"}, {wall, " false"}, {class, " false"}, {into, "Into false"}, {away, "Away false"},
		{loop, strings.Repeat("Loop ", len(m.Exports)) + "false"},
	} {
		list, whole := m.Children(c.first)
		names := make([]string, len(list))
		for i, d := range list {
			names[i] = d.Name()
		}
		if got := fmt.Sprint(strings.Join(names, " "), " ", whole); got != c.want {
			t.Errorf("from %d: %q, want %q", c.first, got, c.want)
		}
	}
	for r, want := range map[unreal.Ref]bool{first: true, class: false, wall: false, 0: false, -1: false, unreal.Ref(len(m.Exports) + 1): false, loop: true} {
		if _, ok := m.DeclaredAt(r); ok != want {
			t.Errorf("%d declares a property: %v", r, ok)
		}
	}
}

// TestMembers: a struct has the properties that it declares, which functions and constants are none of.
func TestMembers(t *testing.T) {
	m := build(t)
	s := m.add("Struct", "Place", 0, &unreal.Struct{})
	z := m.property("IntProperty", "Z", s, 0)
	constant := &unreal.Const{}
	constant.Next = z
	k := m.add("Const", "Most", s, constant)
	x := m.property("IntProperty", "X", s, k)
	above := m.add("Struct", "Point", 0, &unreal.Struct{})
	decl := &unreal.Struct{}
	decl.Children, decl.Super = x, above
	m.Exports[s-1].Super = above
	if err := m.Put(s, decl); err != nil {
		t.Fatal(err)
	}
	for range 2 { // as it is read, and as it was remembered
		list, super, ok := m.Members(int(s - 1))
		if len(list) != 2 || list[0].Name() != "X" || list[1].Name() != "Z" || super != above || !ok {
			t.Errorf("%v, above %d, %v", list, super, ok)
		}
	}
	if list, super, ok := m.Members(int(x - 1)); list != nil || super != 0 || ok {
		t.Errorf("of a property: %v, %d, %v", list, super, ok)
	}
	if got := m.FullPath(0); got != m.ObjectName(0) {
		t.Errorf("nothing is %s", got)
	}
}

// TestOutfitOf: an outfit has the first skin, the first texture and all of the list, where these are objects of the package.
func TestOutfitOf(t *testing.T) {
	m := build(t)
	_, wall := textured(t, m.File, 0, "Wall", 0)
	_, door := textured(t, m.File, 0, "Door", 0)
	object := func(r unreal.Ref) *unreal.Property {
		return &unreal.Property{Type: unreal.ObjectProperty, Number: int32(r)}
	}
	all := map[string]*unreal.Property{
		"Skin 0": object(wall), "Skin 1": object(door), "Texture 0": object(door), "Texture 1": object(wall), "MultiSkins 0": object(door), "MultiSkins 2": object(wall),
		"MultiSkins 3": object(999), "MultiSkins 4": {Type: unreal.IntProperty, Number: int32(wall)}, "MultiSkins 7": object(0),
	}
	w := OutfitOf(func(name string, index int) Found { return Found{m.File, all[fmt.Sprint(name, " ", index)]} })
	if w.Skin.Ref != wall || w.Texture.Ref != door || w.Skin.Owner != m.File {
		t.Errorf("skin %+v, texture %+v", w.Skin, w.Texture)
	}
	for i, want := range []unreal.Ref{door, 0, wall, 0, 0, 0, 0, 0} {
		if w.Multi[i].Ref != want {
			t.Errorf("skin %d is %d, want %d", i, w.Multi[i].Ref, want)
		}
	}
	if w := OutfitOf(func(string, int) Found { return Found{} }); w != (Outfit{}) {
		t.Errorf("of nothing: %+v", w)
	}
}

// TestPaletteUsed: the palette that a new texture gets is its own, so that its colours can change in their place.
func TestPaletteUsed(t *testing.T) {
	m := build(t)
	shared := m.addPalette(0, ramp(1, 256))
	textured(t, m.File, 0, "One", shared)
	two, _ := textured(t, m.File, 0, "Two", shared)
	if got := m.paletteUsers(shared); got != 2 {
		t.Errorf("%d textures use it", got)
	}
	own := m.NewPalette(ramp(9, 256))
	if got := m.paletteUsers(own); got != 1 {
		t.Errorf("%d textures use a new one", got)
	}
	d := new(schema.Diagnostics)
	if err := m.SetPalette(two, ramp(2, 256), d); err != nil || m.paletteUsers(shared) != 1 || m.paletteUsers(two.Ref("Palette")) != 1 {
		t.Errorf("%d and %d textures use them: %v", m.paletteUsers(shared), m.paletteUsers(two.Ref("Palette")), err)
	}
	// A texture that cannot be read may use any palette.
	n := build(t)
	one, _ := textured(t, n.File, 0, "One", n.addPalette(0, ramp(1, 256)))
	n.Exports[n.AddExport(n.AddClass("Engine", "Texture"), 0, "Broken", 0)-1].Data = []byte{0x7F}
	was := one.Ref("Palette")
	if err := n.SetPalette(one, ramp(2, 256), d); err != nil || one.Ref("Palette") == was || !d.Has("shared-palette") {
		t.Errorf("palette %d was %d: %v, %v", one.Ref("Palette"), was, err, d.All())
	}
}

// TestNativeName: native functions are called by the numbers that Core and Engine give them, in these themselves too.
func TestNativeName(t *testing.T) {
	declares := func(name string, functions map[string]uint16) made {
		f := New(&unreal.Package{Version: 69}, &format.Env{Name: name + ".u", Diagnostics: new(schema.Diagnostics)})
		m := made{f, t}
		m.AddName("None")
		for name, number := range functions {
			m.add("Function", name, 0, &unreal.Function{Native: number, Struct: unreal.Struct{FriendlyName: m.AddName(name + "Shown")}})
		}
		return m
	}
	core, engine := declares("Core", map[string]uint16{"Log": 231, "Script": 0}), declares("Engine", map[string]uint16{"Move": 266})
	game := declares("Game", map[string]uint16{"Own": 500})
	shelf := shelf{"Core.u": stored(t, core.File), "Engine.u": stored(t, engine.File)}
	for name, c := range map[string]struct {
		m     made
		files format.Files
		want  map[int]string
	}{
		"a game":           {game, shelf, map[int]string{231: "LogShown", 266: "MoveShown", 500: "", 0: ""}},
		"a game alone":     {game, nil, map[int]string{231: "", 266: ""}},
		"the engine":       {engine, shelf, map[int]string{231: "LogShown", 266: "MoveShown"}},
		"the engine alone": {engine, nil, map[int]string{231: "", 266: "MoveShown"}},
		"the core alone":   {core, nil, map[int]string{231: "LogShown", 266: "", 0: ""}},
	} {
		f := New(c.m.Package, &format.Env{Name: c.m.Env.Name, Files: c.files})
		for number, want := range c.want {
			if got := f.NativeName(number); got != want {
				t.Errorf("%s: %d is %q, want %q", name, number, got, want)
			}
		}
	}
}

// TestRate: a texture moves as fast as it may, and usually where that is no number within reason.
func TestRate(t *testing.T) {
	for _, c := range []struct{ most, least, want float32 }{
		{0, 0, usualRate}, {20, 10, 20}, {0, 10, 10}, {1, 10, 1}, {0.5, 10, 10}, {1000, 10, 1000}, {1001, 10, 10}, {-5, 0.5, usualRate}, {0, 1, 1},
	} {
		o := &unreal.Texture{}
		o.Context = &unreal.Context{Package: new(unreal.Package)}
		o.Set("MaxFrameRate", unreal.FloatProperty, int32(math.Float32bits(c.most)))
		o.Set("MinFrameRate", unreal.FloatProperty, int32(math.Float32bits(c.least)))
		if got := Rate(o); got != c.want {
			t.Errorf("%g to %g: %g, want %g", c.least, c.most, got, c.want)
		}
	}
}

// TestDecodeElsewhere: a payload with the positions of another file is read all the same, and told of once.
func TestDecodeElsewhere(t *testing.T) {
	m := build(t)
	r := pixels(m.File, "Wall", unreal.Mip{Pixels: []byte{1, 2, 3, 4}, USize: 2, VSize: 2, UBits: 1, VBits: 1}, unreal.Mip{Pixels: []byte{5}, USize: 1, VSize: 1})
	b := stored(t, m.File)
	f, err := Open(bytes.NewReader(b), int64(len(b)), m.Env)
	if err != nil {
		t.Fatal(err)
	}
	payload, err := f.Payload(int(r - 1))
	if err != nil {
		t.Fatal(err)
	}
	spans := func(payload []byte) (string, error) {
		var trace schema.Trace
		d := new(schema.Diagnostics)
		d.Record(&trace)
		trace.Place(payload, 0)
		o, err := f.Decode(int(r-1), payload, d)
		out := fmt.Sprintf("%T ", o)
		for _, s := range trace.Spans {
			out += fmt.Sprintf("%d+%d %s;", s.Offset, s.Size, s.Field)
		}
		return out, err
	}
	want, err := spans(payload)
	if err != nil {
		t.Fatal(err)
	}
	cut, cutErr := spans(payload[:len(payload)-1])
	f.Exports[r-1].Offset += 5
	if got, err := spans(payload); err != nil || got != want || want == "" {
		t.Errorf("%s, want %s: %v", got, want, err)
	}
	if got, err := spans(payload[:len(payload)-1]); err == nil || cutErr == nil || strings.Count(got, ";") > strings.Count(cut, ";") {
		t.Errorf("cut off: %s, and at its place %s: %v", got, cut, err)
	}
}
