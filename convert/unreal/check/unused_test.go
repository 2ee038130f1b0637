package check

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/usher-assets/usher/schema/unreal"

	write "github.com/usher-assets/usher/write/unreal"
)

// property returns the payload of an object with one property, which refers to r.
func property(t testing.TB, p *unreal.Package, r unreal.Ref) []byte {
	t.Helper()
	o := &unreal.Object{Context: p.Context(0), Properties: []unreal.Property{{Name: p.AddName("Skin"), Type: unreal.ObjectProperty, Number: int32(r)}}}
	p.AddName("None")
	b, err := write.Object(o)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestUnused: an import that anything refers to is in use, whatever it is that does, and so is what holds it. One that nothing
// refers to is told, without what holds it.
func TestUnused(t *testing.T) {
	const brick = unreal.Ref(-3) // behind Walls, and the group in it
	object := func(p *unreal.Package) *unreal.Export {
		p.AddExport(p.AddClass("Engine", "Info"), 0, "Info1", 0)
		return &p.Exports[len(p.Exports)-1]
	}
	for name, c := range map[string]struct {
		use  func(p *unreal.Package)
		want []string
	}{
		"nothing":         {func(p *unreal.Package) {}, []string{"Walls.Old.Brick"}},
		"another object":  {func(p *unreal.Package) { e := object(p); e.Data = property(t, p, p.AddClass("Engine", "Light")) }, []string{"Walls.Old.Brick"}},
		"the group alone": {func(p *unreal.Package) { p.AddExport(0, 0, "X", 0); p.Exports[0].Super = -2 }, []string{"Walls.Old.Brick"}},
		"the class of it": {func(p *unreal.Package) { p.AddExport(brick, 0, "X", 0) }, nil},
		"what it extends": {func(p *unreal.Package) { p.AddExport(0, 0, "X", 0); p.Exports[0].Super = brick }, nil},
		"what it is in":   {func(p *unreal.Package) { p.AddExport(0, brick, "X", 0) }, nil},
		"what cannot be read": {func(p *unreal.Package) {
			e := object(p)
			e.Data, e.Size, p.Source = nil, 4, strings.NewReader("abc")
		}, nil},
		"a property": {func(p *unreal.Package) { e := object(p); e.Data = property(t, p, brick) }, nil},
		"bytes that are dark": {func(p *unreal.Package) {
			e := object(p)
			e.Data = append(property(t, p, p.AddClass("Engine", "Light")), 1, 2, 0x83)
		}, nil},
		"other dark bytes": {func(p *unreal.Package) {
			e := object(p)
			e.Data = append(property(t, p, p.AddClass("Engine", "Light")), 1, 2, 0x03)
		}, []string{"Walls.Old.Brick"}},
		"two imports": {func(p *unreal.Package) { p.AddImport("Engine", "Texture", -2, "Stone") }, []string{"Walls.Old.Brick", "Walls.Old.Stone"}},
		"a class without one": {func(p *unreal.Package) {
			p.AddImport("Core", "Class", p.AddImport("Core", "Package", 0, "Core"), "Class")
			object(p)
		}, []string{"Walls.Old.Brick", "Core.Class"}},
		"a class": {func(p *unreal.Package) {
			p.AddImport("Core", "Class", p.AddImport("Core", "Package", 0, "Core"), "Class")
			p.AddExport(0, 0, "Door", 0)
		}, []string{"Walls.Old.Brick"}},
	} {
		p := newPackage()
		p.AddImport("Engine", "Texture", p.AddImport("Core", "Package", p.AddImport("Core", "Package", 0, "Walls"), "Old"), "Brick")
		c.use(p.Package)
		got := unusedImports(p.Package)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestUnusedTold: the check tells of it as a doubt.
func TestUnusedTold(t *testing.T) {
	files := fstest.MapFS{
		"System/Core.u": newPackage().holds("Class", "Object", unreal.Public|native).file(t), "System/Engine.u": newPackage().holds("Class", "Texture", unreal.Public|native).file(t),
		"Textures/Walls.utx": newPackage().holds("Texture", "Brick", unreal.Public).file(t), "Maps/hall.unr": newPackage().imports("Walls", "Texture", "Brick").file(t),
	}
	if got, want := found(t, files), []string{"import-unused Maps/hall.unr Walls.Brick"}; !slices.Equal(got, want) || !importUnused.Doubt {
		t.Errorf("found %q, want %q as a doubt", got, want)
	}
}
