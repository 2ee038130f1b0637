package unreal

import (
	"bytes"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/unreal"
)

// TestUses: a level uses what its package imports, each once, and what its actors show that only their class names: a mesh of
// another package, the textures of that mesh, and those that the class puts on it.
func TestUses(t *testing.T) {
	props := dressedPackage(t)
	x, _ := Create(&format.Env{Name: "Map.unr"})
	a := x.(*archive)
	pkg := a.AddImport("Core", "Package", 0, "Dressed")
	class := a.AddImport("Core", "Class", pkg, "RedProp")
	blue := a.AddImport("Engine", "Texture", pkg, "Blue")
	level := a.AddExport(a.AddClass("Engine", "Level"), 0, "MyLevel", 0x00070001)
	var actors []unreal.Ref
	for _, name := range []string{"RedProp0", "RedProp1"} {
		r := a.AddExport(class, level, name, unreal.LoadFlags)
		o := &unreal.Object{}
		o.Context = a.Context(int(r - 1))
		put(t, a, r, o)
		actors = append(actors, r)
	}
	odd := a.AddExport(a.AddClass("Engine", "Actor"), level, "Odd0", unreal.LoadFlags)
	o := &unreal.Object{}
	o.Context = a.Context(int(odd - 1))
	o.Set("Mesh", unreal.ObjectProperty, int32(blue)) // which is none
	put(t, a, odd, o)
	actors = append(actors, odd, 0, -1)
	put(t, a, level, &unreal.Level{Actors: actors, Capacity: int32(len(actors))})
	b := written(t, a)
	for _, c := range []struct {
		files format.Files
		want  string
	}{
		{nil, "Texture Dressed.Blue"},
		{folder{"dressed.u": written(t, props)}, "Texture Dressed.Blue, LodMesh Dressed.Cone, Texture Dressed.Red"},
	} {
		y, err := open(bytes.NewReader(b), int64(len(b)), &format.Env{Name: "Map.unr", Files: c.files})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, u := range y.uses() {
			got = append(got, u.Class+" "+u.Archive+"."+u.Path)
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("uses %s\nwant %s", s, c.want)
		}
	}
}
