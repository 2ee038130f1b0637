package unreal

import (
	"bytes"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// crates is a package with a class Crate that declares Weight and a function, and a class BigCrate below it that
// declares Height. Nothing stands above them.
func crates(t testing.TB) *archive {
	t.Helper()
	x, err := Create(&format.Env{Name: "Crates.u"})
	if err != nil {
		t.Fatal(err)
	}
	a := x.(*archive)
	declaration := func(class, name string, outer, next unreal.Ref) unreal.Ref {
		r := a.AddExport(a.AddClass("Core", class), outer, name, unreal.ResourceFlags)
		if class == "Function" {
			f := &unreal.Function{}
			f.Context, f.Next, f.FriendlyName = a.Context(int(r-1)), next, a.AddName(name)
			put(t, a, r, f)
			return r
		}
		d := &unreal.PropertyDecl{}
		d.Context, d.Next, d.ArrayDim, d.Category = a.Context(int(r-1)), next, 1, a.AddName("None")
		put(t, a, r, d)
		return r
	}
	class := func(name string, super unreal.Ref, children func(r unreal.Ref) unreal.Ref) unreal.Ref {
		r := a.AddExport(0, 0, name, unreal.ResourceFlags)
		a.Exports[r-1].Super = super
		c := &unreal.Class{}
		c.Context = a.Context(int(r - 1))
		c.Super, c.FriendlyName, c.Config, c.Children = super, a.AddName(name), a.AddName("System"), children(r)
		put(t, a, r, c)
		return r
	}
	base := class("Crate", 0, func(r unreal.Ref) unreal.Ref {
		return declaration("Function", "Open", r, declaration("IntProperty", "Weight", r, 0))
	})
	class("BigCrate", base, func(r unreal.Ref) unreal.Ref { return declaration("IntProperty", "Height", r, 0) })
	return openBytes(t, "Crates.u", written(t, a))
}

// warnings returns what an archive warned of with a code, one a line.
func warnings(a *archive, code string) string {
	var list []string
	for _, d := range a.Env.Diagnostics.All() {
		if d.Code == code {
			list = append(list, d.Msg)
		}
	}
	return strings.Join(list, "\n")
}

// A property that the class of an object does not have is told, with the nearest that it has.
func TestMisspeltProperties(t *testing.T) {
	a := crates(t)
	a.Env.Diagnostics = new(schema.Diagnostics)
	whole := func(name string) RecordProperty { return RecordProperty{Name: name, Type: "Int", Value: 3.0} }
	if err := layIn(t, a, "Box0", &Record{Class: "BigCrate", Properties: []RecordProperty{whole("weight"), whole("Height")}}); err != nil {
		t.Fatal(err)
	}
	if got := warnings(a, "property-unknown"); got != "" {
		t.Errorf("right names, of the class and the one above it: %s", got)
	}
	if err := layIn(t, a, "Box1", &Record{Class: "Crate", Properties: []RecordProperty{whole("Wieght"), whole("Height"), whole("Open"), whole("LightRadius")}}); err != nil {
		t.Fatal(err)
	}
	want := "the class Crate has no property Wieght; did you mean Weight?\n" +
		"the class Crate has no property Height; did you mean Weight?\n" +
		"the class Crate has no property Open\n" +
		"the class Crate has no property LightRadius" // which others have
	if got := warnings(a, "property-unknown"); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}

	a = hall(t, 69) // whose classes are not at hand
	a.Env.Diagnostics = new(schema.Diagnostics)
	i := entry(t, a, "Light0")
	r := recordOf(t, a, "Light0")
	r.Properties = append(r.Properties, whole("LightRadius"), whole("LightEfect"), whole("Quux"))
	if _, err := formatOf(a, i).Write(r); err != nil {
		t.Fatal(err)
	}
	want = "nothing at hand has a property LightEfect, nor is the class Light; did you mean LightEffect?\n" +
		"nothing at hand has a property Quux, nor is the class Light"
	if got := warnings(a, "property-unknown"); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// A text of a level is looked through for such names as well.
func TestMisspeltPropertiesOfText(t *testing.T) {
	a := hall(t, 69)
	a.Env.Diagnostics = new(schema.Diagnostics)
	text := "Begin Map\r\nBegin Actor Class=Light Name=Light7\r\n    LightBrightnes=12\r\n    Location=(X=1.0)\r\nEnd Actor\r\nEnd Map\r\n"
	if err := a.addText([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if got := warnings(a, "property-unknown"); got != "nothing at hand has a property LightBrightnes, nor is the class Light; did you mean LightBrightness?" {
		t.Error(got)
	}
}

// The line of classes leads through packages that import from others in turn.
func TestDeclaredInOtherPackages(t *testing.T) {
	files := folder{"crates.u": written(t, crates(t))}
	packing := func(name, pkg, super, class string) {
		x, err := Create(&format.Env{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		a := x.(*archive)
		above := a.AddClass(pkg, super)
		r := a.AddExport(0, 0, class, unreal.ResourceFlags)
		a.Exports[r-1].Super = above
		c := &unreal.Class{}
		c.Context = a.Context(int(r - 1))
		c.Super, c.FriendlyName, c.Config = above, a.AddName(class), a.AddName("System")
		put(t, a, r, c)
		files[strings.ToLower(name)] = written(t, a)
	}
	packing("Boxes.u", "Crates", "BigCrate", "Box")
	packing("Mine.u", "Boxes", "Box", "MyBox")
	b := files["mine.u"]
	a, err := open(bytes.NewReader(b), int64(len(b)), &format.Env{Name: "Mine.u", Files: files})
	if err != nil {
		t.Fatal(err)
	}
	names, whole := declared(a.File, a.FindExport("MyBox", "Class"))
	if got := strings.Join(names, " "); got != "Height Weight" || !whole {
		t.Errorf("it has %q, to the end: %v", got, whole)
	}
}
