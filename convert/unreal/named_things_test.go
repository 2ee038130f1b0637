package unreal

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/testdata/corpus"
)

// TestEditedSources: of a source the text is stored, and it is told what an edit does not reach.
func TestEditedSources(t *testing.T) {
	defaults := "\r\ndefaultproperties\r\n{\r\n     X=0.500000\r\n}\r\n"
	for name, c := range map[string]struct {
		set    string // a default of the class
		edit   func(text string) string
		shown  string // told when it is shown
		told   string
		edited bool
	}{
		"as it is":        {"X", func(s string) string { return s }, "", "", false},
		"another line":    {"X", func(s string) string { return strings.Replace(s, "class UsherCode", "class  UsherCode", 1) }, "", "byte-code", true},
		"another default": {"X", func(s string) string { return strings.Replace(s, "X=0.5", "X=0.75", 1) }, "", "defaults", false},
		"no defaults":     {"X", func(s string) string { return strings.Replace(s, defaults[2:], "", 1) }, "", "defaults", false},
		"both": {"X", func(s string) string {
			return strings.NewReplacer("class UsherCode", "class  UsherCode", "X=0.5", "X=0.75").Replace(s)
		}, "", "defaults byte-code", true},
		"a class without any":   {"", func(s string) string { return s }, "", "", false},
		"one that nobody knows": {"Odd", func(s string) string { return s }, "defaults", "", false},
		"and without the others": {"Odd", func(s string) string {
			return strings.TrimRight(strings.Split(s, "defaultproperties")[0], "\r\n") + "\r\n"
		}, "defaults", "", false},
	} {
		a, d := compiled(t), new(schema.Diagnostics)
		class := a.FindExport("UsherCode", "Class")
		o, err := a.Object(int(class - 1))
		if err != nil {
			t.Fatal(err)
		}
		switch o.Base().Properties = nil; c.set {
		case "X":
			o.Base().Set("X", unreal.FloatProperty, int32(math.Float32bits(0.5)))
		case "Odd": // source has no words for it
			o.Base().Properties = []unreal.Property{{Name: a.AddName("Odd"), Type: unreal.MapProperty, Value: []byte{1, 2, 3}}}
		}
		if err := a.Store(int(class-1), o); err != nil {
			t.Fatal(err)
		}
		i := entry(t, a, "UsherCode.ScriptText")
		f := formatOf(a, i)
		b, _ := a.Payload(i)
		v, err := f.Read(b, nil)
		if err != nil {
			t.Fatal(err)
		}
		x, err := f.Lift(v, &format.Env{Diagnostics: d})
		if err != nil {
			t.Fatal(err)
		}
		text := x.(*asset.Text)
		if got := corpus.Codes(d, schema.Warning); got != c.shown || strings.Contains(text.Body, defaults) != (c.set == "X") || text.Name != "UsherCode" {
			t.Errorf("%s: shown as %q with %q", name, text.Body[len(text.Body)-90:], got)
		}
		d = new(schema.Diagnostics)
		text.Body = c.edit(text.Body)
		now, err := f.Lower(text, &format.Env{Diagnostics: d})
		if err != nil {
			t.Fatal(err)
		}
		w, err := f.Write(now)
		if err != nil || bytes.Equal(w, b) == c.edited || corpus.Codes(d, schema.Warning) != c.told {
			t.Errorf("%s: another text %v, told %v, %v", name, !bytes.Equal(w, b), d.All(), err)
		}
	}
}

// TestNamedObjects: a text names an object of this package, one of another, or nothing that could be.
func TestNamedObjects(t *testing.T) {
	x, _ := Create(&format.Env{Name: "Props.u"})
	props := x.(*archive)
	add(t, props, "Red/Brick", checkerboard(8, 4), format.Texture)
	base := props.AddExport(0, 0, "Chair", unreal.ResourceFlags)
	put(t, props, base, &unreal.Class{})
	put(t, props, props.AddExport(base, 0, "Chair0", unreal.Public|unreal.LoadFlags), &unreal.Object{})
	add(t, props, "Hidden", checkerboard(8, 4), format.Texture)
	props.Exports[props.FindExport("Hidden", "Texture")-1].Flags &^= unreal.Public
	files := folder{"props.u": written(t, props)}
	source := written(t, hall(t, 69))
	for text, c := range map[string]struct{ ref, pkg, told, fault string }{
		"Texture'Wall'":            {ref: "Texture'Wall'"},
		"Texture'Hall.Wall'":       {ref: "Texture'Wall'"},
		"texture'HALL.wall'":       {ref: "Texture'Wall'"},
		"Texture'Hall.Gone'":       {fault: "this package holds no Texture'Hall.Gone'"},
		"Sound'Hall.Wall'":         {fault: "this package holds no Sound'Hall.Wall'"},
		"Texture'MyLevel.Gone'":    {fault: "Level'MyLevel' is of this package, which holds no Texture'MyLevel.Gone'"},
		"Texture'Gone'":            {fault: "neither holds nor imports Texture'Gone'"},
		"Texture'Props..Brick'":    {fault: "is no name of an object"},
		"Texture'Props.Red Brick'": {fault: "is no name of an object"},
		"Tex ture'Props.Brick'":    {fault: "is no name of an object"},
		"Texture'Props.Red.Brick'": {ref: "Texture'Props.Red.Brick'", pkg: "Engine"},
		"Texture'Props.Brick'":     {ref: "Texture'Props.Brick'", pkg: "Engine", told: "holds no such object"},
		"Texture'Else.Brick'":      {ref: "Texture'Else.Brick'", pkg: "Engine", told: "Else is not at hand"},
		"Chair'Props.Chair0'":      {ref: "Chair'Props.Chair0'", pkg: "Props"},
		"Chair'Else.Chair0'":       {fault: "of which package the class"},
		"Texture'Props.Hidden'":    {ref: "Texture'Props.Hidden'", pkg: "Engine", told: "it is not public"},
		"WaveTexture'Else.Pond'":   {ref: "WaveTexture'Else.Pond'", pkg: "Fire", told: "Else is not at hand"},
		"Light'Else.Lamp'":         {ref: "Light'Else.Lamp'", pkg: "Engine", told: "Else is not at hand"}, // as the package imports it
		"Wall":                     {fault: "does not say which class"},
	} {
		d := new(schema.Diagnostics)
		a, err := open(bytes.NewReader(source), int64(len(source)), &format.Env{Name: "Hall.unr", Files: files, Diagnostics: d})
		if err != nil {
			t.Fatal(err)
		}
		r, err := a.named(text, "Target")
		switch {
		case c.fault != "":
			if schema.Class(err) != schema.ErrRange || !strings.Contains(err.Error(), c.fault) {
				t.Errorf("%s: %d, %v, want %s", text, r, err, c.fault)
			}
			continue
		case err != nil || a.RefText(r) != c.ref:
			t.Errorf("%s is %s, %v", text, a.RefText(r), err)
		case r < 0 && a.Name(a.Imports[-r-1].ClassPackage) != c.pkg:
			t.Errorf("%s is of a class of %s, want %s", text, a.Name(a.Imports[-r-1].ClassPackage), c.pkg)
		}
		if got := fmt.Sprint(d.All()); d.Has("imported") != (c.told != "") || !strings.Contains(got, c.told) {
			t.Errorf("%s: told %s", text, got)
		}
	}
}

// TestUsualClasses: what a property that says no class usually names.
func TestUsualClasses(t *testing.T) {
	for property, want := range map[string]string{"Skin": "Texture", "MultiSkins": "Texture", "EnvironmentTexture": "Texture", "Mesh": "LodMesh", "PickupViewMesh": "LodMesh", "MeshScale": "", "AmbientSound": "Sound", "SoundVolume": "Sound", "Target": ""} {
		if got := propertyClass(property); got != want {
			t.Errorf("%s names a %q, want %q", property, got, want)
		}
	}
	for text, want := range map[string]string{"A'b.c'": "A b.c true", "A'b": "A  false", "'b'": " b false", "A''": "A  false", "": "  false", "A'b'c'": "A b'c true"} {
		class, path, ok := cutRef(text)
		if got := fmt.Sprint(class, " ", path, " ", ok); ok && got != want || ok != strings.HasSuffix(want, "true") {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestExportsAt: of several objects with one path a group comes first, and what was taken out is none.
func TestExportsAt(t *testing.T) {
	a := hall(t, 69)
	light := a.AddClass("Engine", "Light")
	plain := a.AddExport(light, 0, "Twin", unreal.LoadFlags)
	group := a.AddExport(a.AddClass("Core", "Package"), 0, "Twin", unreal.LoadFlags)
	inner := a.AddExport(light, group, "Twin", unreal.LoadFlags)
	other := a.AddExport(light, group, "Lone", unreal.LoadFlags)
	for path, want := range map[string]unreal.Ref{"Twin": group, "TWIN": group, "Twin.Twin": inner, "twin.lone": other, "Lone": 0, "Wall": a.FindExport("Wall", "Texture"), "": 0, "Wall.Twin": 0} {
		if got := a.exportAt(strings.Split(path, ".")); got != want {
			t.Errorf("%q is %d, want %d", path, got, want)
		}
	}
	a.hide(int(inner - 1))
	a.hide(int(other - 1))
	if got := [2]unreal.Ref{a.exportAt([]string{"Twin", "Twin"}), a.exportAt([]string{"Twin", "Lone"})}; got != [2]unreal.Ref{} {
		t.Errorf("what was taken out is there: %v, beside %d", got, plain)
	}
}

// TestPromisedRows: an object that another named before it was there takes the row that it was promised, with its class and flags.
func TestPromisedRows(t *testing.T) {
	a := hall(t, 69)
	a.expect([]string{"Group/Later"})
	r, err := a.named("Light'Group.Later'", "Target")
	if err != nil || !a.promises[r] {
		t.Fatal(r, err)
	}
	if err := a.checkPromises(); schema.Class(err) != schema.ErrMismatch || !strings.Contains(err.Error(), "Light'Group.Later' is named by others") {
		t.Errorf("before it is there: %v", err)
	}
	rows, class := len(a.Exports), a.AddClass("Engine", "Light")
	got, err := a.newExport(class, []string{"Group", "Later"}, 0x1234)
	if err != nil || got != r || a.Exports[r-1].Flags != 0x1234 || a.Exports[r-1].Class != class || len(a.Exports) != rows || a.checkPromises() != nil {
		t.Errorf("row %d, want %d: %+v, %v", got, r, a.Exports[r-1], err)
	}
	if _, err := a.newExport(class, []string{"Group", "Later"}, 0); schema.Class(err) != schema.ErrMismatch {
		t.Errorf("twice: %v", err)
	}
	a.hide(int(r - 1))
	if got, err = a.newExport(class, []string{"Group", "Later"}, 7); err != nil || got == r || a.Exports[got-1].Flags != 7 {
		t.Errorf("after it was taken out: row %d, %v", got, err)
	}
	if _, err := a.newExport(class, []string{"bad name"}, 0); schema.Class(err) != schema.ErrValue {
		t.Errorf("a bad name: %v", err)
	}
}

// TestValuesOfFields: what a record shows of a field comes back as it is, and what no field could be is refused.
func TestValuesOfFields(t *testing.T) {
	a := hall(t, 69)
	type inner struct{ Number int16 }
	type thing struct {
		Word   uint64
		Small  uint8
		Signed int32
		Real   float32
		Ref    unreal.Ref
		Name   unreal.NameIndex
		Pair   [2]int8
		List   []inner
	}
	full := func() map[string]any {
		return map[string]any{"Word": "00000000000000ff", "Small": 255.0, "Signed": -7.0, "Real": 0.5, "Ref": "Texture'Wall'", "Name": "Light0", "Pair": []any{-128.0, 127.0}, "List": []any{map[string]any{"Number": 3.0}}}
	}
	var x thing
	want := thing{255, 255, -7, 0.5, a.FindExport("Wall", "Texture"), a.AddName("Light0"), [2]int8{-128, 127}, []inner{{3}}}
	if err := a.setFields(&x, full()); err != nil || fmt.Sprint(x) != fmt.Sprint(want) {
		t.Errorf("%+v, %v", x, err)
	}
	again := thing{}
	if err := a.setFields(&again, shownFields(a.Package, &x)); err != nil || fmt.Sprint(again) != fmt.Sprint(want) {
		t.Errorf("%+v, %v", again, err)
	}
	for key, values := range map[string][]any{
		"Word": {"xyz", "", 7.0, nil, "10000000000000000"}, "Small": {256.0, -1.0, 0.5, "7", nil}, "Signed": {2147483648.0, -2147483649.0, 0.25, true}, "Real": {"0.5", 1e300, nil, map[string]any{"hex": "00"}},
		"Ref": {"Texture'Gone'", 7.0, nil}, "Name": {7.0, nil}, "Pair": {[]any{1.0}, []any{1.0, 2.0, 3.0}, []any{1.0, 128.0}, []any{-129.0, 0.0}, 7.0},
		"List": {[]any{map[string]any{}}, []any{map[string]any{"Number": 1.0, "More": 2.0}}, []any{7.0}, "x", []any{map[string]any{"Number": 32768.0}}},
	} {
		for _, v := range values {
			m := full()
			m[key] = v
			if err := a.setFields(&x, m); schema.Class(err) == nil || !strings.Contains(err.Error(), key) {
				t.Errorf("%s: %v is taken: %v", key, v, err)
			}
		}
		m := full()
		delete(m, key)
		if err := a.setFields(&x, m); schema.Class(err) != schema.ErrValue || !strings.Contains(err.Error(), key) {
			t.Errorf("without %s: %v", key, err)
		}
	}
	for _, v := range []any{map[string]any{"hex": "0000803f"}, 1.0} {
		if m := full(); true {
			if m["Real"] = v; a.setFields(&x, m) != nil || x.Real != 1 {
				t.Errorf("%v is %v", v, x.Real)
			}
		}
	}
}

// TestBareRecords: what has nothing beside its properties shows nothing beside them, and what has shows it.
func TestBareRecords(t *testing.T) {
	p := hall(t, 69).Package
	for name, c := range map[string]struct {
		o    *unreal.Object
		want string
	}{
		"nothing": {&unreal.Object{}, "map[]"},
		"a state": {&unreal.Object{Frame: &unreal.StateFrame{}}, "map[state:None]"},
		"bytes":   {&unreal.Object{Tail: []byte{1, 0xAB}}, "map[unknown:map[hex:01ab]]"},
		"opaque":  {&unreal.Object{Opaque: true, Tail: make([]byte, 7)}, "map[opaque:7]"},
	} {
		got := nativeValues(p, c.o)
		if fmt.Sprint(got) != c.want || (got == nil) != (name == "nothing") {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestListings: the listing of a class names what has byte code, and nothing else.
func TestListings(t *testing.T) {
	a := compiled(t)
	var heads []string
	for line := range strings.Lines(string(classListing(a.File, entry(t, a, "UsherCode")))) {
		if strings.Contains(line, "'") && strings.HasSuffix(line, "'\n") && !strings.HasPrefix(line, " ") && !(line[0] >= '0' && line[0] <= '9') {
			heads = append(heads, strings.TrimSpace(line))
		}
	}
	var want []string
	for i := range a.Exports {
		r := unreal.Ref(i + 1)
		if o, err := a.Object(i); err == nil {
			switch o := o.(type) {
			case *unreal.Function:
				if len(o.Code) > 0 {
					want = append(want, a.RefText(r))
				}
			case *unreal.State:
				if len(o.Code) > 0 {
					want = append(want, a.RefText(r))
				}
			}
		}
	}
	slices.Sort(heads)
	slices.Sort(want)
	if !slices.Equal(heads, want) || len(want) < 4 {
		t.Errorf("listed %v\nwant %v", heads, want)
	}
	none := a.FindExport("UsherCode.Fin", "Function")
	o, _ := a.Object(int(none - 1))
	o.(*unreal.Function).Code = nil
	if err := a.Store(int(none-1), o); err != nil {
		t.Fatal(err)
	}
	if text := string(classListing(a.File, entry(t, a, "UsherCode"))); strings.Contains(text, "UsherCode.Fin'\n") || !strings.Contains(text, "UsherCode.Casts'\n") {
		t.Error("a function without byte code is listed")
	}
}

// TestShownValues: a value is shown as what it says, and as its bytes where it would not come back as it is stored.
func TestShownValues(t *testing.T) {
	a := hall(t, 69)
	wall := int32(a.FindExport("Wall", "Texture"))
	vectorName, colorName, oddName := a.AddName("Vector"), a.AddName("Color"), a.AddName("Odd")
	for _, c := range []struct {
		q    unreal.Property
		want string
	}{
		{unreal.Property{Type: unreal.IntProperty, Number: -7}, "-7"}, {unreal.Property{Type: unreal.IntProperty, Value: []byte{1}}, "map[hex:01]"},
		{unreal.Property{Type: unreal.ByteProperty, Number: 200}, "200"}, {unreal.Property{Type: unreal.BoolProperty, Number: 0}, "false"}, {unreal.Property{Type: unreal.BoolProperty, Number: 1}, "true"},
		{unreal.Property{Type: unreal.FloatProperty, Number: int32(math.Float32bits(0.5))}, "0.5"},
		{unreal.Property{Type: unreal.ObjectProperty, Number: wall}, "Texture'Wall'"}, {unreal.Property{Type: unreal.ClassProperty, Number: 0}, "None"}, {unreal.Property{Type: unreal.ObjectProperty, Number: 9999}, "9999"},
		{unreal.Property{Type: unreal.NameProperty, Number: int32(oddName)}, "Odd"}, {unreal.Property{Type: unreal.NameProperty, Number: 0}, a.Name(0)},
		{unreal.Property{Type: unreal.NameProperty, Number: -1}, "-1"}, {unreal.Property{Type: unreal.NameProperty, Number: int32(len(a.Names))}, fmt.Sprint(len(a.Names))},
		{unreal.Property{Type: unreal.StringProperty, Value: []byte("ab\x00")}, "ab"}, {unreal.Property{Type: unreal.StringProperty, Value: []byte("\x00")}, ""},
		{unreal.Property{Type: unreal.StringProperty, Value: []byte("ab")}, "map[hex:6162]"}, {unreal.Property{Type: unreal.StringProperty, Value: []byte("a\x00b\x00")}, "map[hex:61006200]"}, {unreal.Property{Type: unreal.StringProperty, Value: []byte{}}, "map[hex:]"},
		{unreal.Property{Type: unreal.StrProperty, Value: []byte("\x03ab\x00")}, "ab"}, {unreal.Property{Type: unreal.StrProperty, Value: []byte("\x09ab\x00")}, "map[hex:09616200]"},
		{unreal.Property{Type: unreal.StructProperty, Struct: vectorName, Value: vector(1, 2, 4)}, "map[X:1 Y:2 Z:4]"}, {unreal.Property{Type: unreal.VectorProperty, Value: vector(1, 2, 4)}, "map[X:1 Y:2 Z:4]"},
		{unreal.Property{Type: unreal.StructProperty, Struct: vectorName, Value: vector(1, 2)}, "map[hex:0000803f00000040]"}, {unreal.Property{Type: unreal.StructProperty, Struct: oddName, Value: []byte{1}}, "map[hex:01]"},
		{unreal.Property{Type: unreal.StructProperty, Struct: colorName, Value: []byte{1, 2, 3, 255}}, "map[A:255 B:3 G:2 R:1]"},
		{unreal.Property{Type: unreal.RotatorProperty, Value: rotatorBytes([3]int32{1, -2, 3})}, "map[Pitch:1 Roll:3 Yaw:-2]"},
	} {
		if got := fmt.Sprint(readValue(a.Package, &c.q)); got != c.want {
			t.Errorf("%v %v %q: %s, want %s", c.q.Type, c.q.Number, c.q.Value, got, c.want)
		}
	}
}

// TestActorsAlone: an actor is shown alone, and nothing where there is none or it cannot be read.
func TestActorsAlone(t *testing.T) {
	a := hall(t, 69)
	r := a.FindExport("Light0", "Light")
	if n := a.nodeOf(r); n == nil || n.Name != "Light0" {
		t.Errorf("%+v", n)
	}
	if n := a.nodeOf(0); n != nil {
		t.Errorf("nothing is shown as %+v", n)
	}
	a.Exports[r-1].Data = []byte{0x3F}
	if n := a.nodeOf(r); n != nil {
		t.Errorf("what cannot be read is shown as %+v", n)
	}
}
