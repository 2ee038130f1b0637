// Package lamp makes small Unreal packages in which the same objects have other numbers, or other objects the same.
package lamp

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/usher-assets/usher/schema/unreal"

	write "github.com/usher-assets/usher/write/unreal"
)

// Package is one of two objects that refer to a class and a skin by numbers.
type Package struct {
	Before      []string // names and imports in front, so that all others have other numbers
	Class, Skin string   // what the first object refers to
	Brightness  int32
}

// File writes the package into a folder of its own and returns its path.
func (l Package) File(t testing.TB) string {
	t.Helper()
	p := &unreal.Package{Version: 69, Flags: 1}
	for _, name := range append([]string{"None"}, l.Before...) {
		p.AddName(name)
	}
	for _, name := range l.Before {
		p.AddClass("Engine", name)
	}
	for _, name := range []string{"Lamp", "Post"} {
		r := p.AddExport(p.AddClass("Engine", "Light"), 0, name, unreal.ResourceFlags)
		o := &unreal.Object{Context: p.Context(int(r - 1))}
		if name == "Lamp" {
			o.Set("LightBrightness", unreal.IntProperty, l.Brightness)
			o.Set("Skin", unreal.ObjectProperty, int32(p.AddImport("Engine", l.Class, p.AddImport("Core", "Package", 0, "Skins"), l.Skin)))
		} else {
			o.Set("LightRadius", unreal.ByteProperty, 5)
		}
		payload, err := write.Object(o)
		if err != nil {
			t.Fatal(err)
		}
		p.Exports[r-1].Data = payload
	}
	var w bytes.Buffer
	if err := write.Package(&w, p); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "lamps.u")
	if err := os.WriteFile(name, w.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}
