package unreal

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// TestScriptValues: what the record of a compiled object shows of it beside its properties.
func TestScriptValues(t *testing.T) {
	a := compiled(t)
	for _, c := range []struct{ path, want string }{
		{"UsherCode", "map[children:State'UsherCode.Idle' classFlags:[Compiled Parsed] codeBytes:0 config:System dependencies:[map[class:Class'UsherCode' crc:A694C498 deep:1] map[class:Class'Engine.Actor' crc:4E74A647 deep:1] "},
		{"UsherCode.Pair", "map[children:IntProperty'UsherCode.Pair.first' codeBytes:0 friendlyName:Pair line:0 next:ByteProperty'UsherCode.B' scriptText:None super:None]"},
		{"UsherCode.Idle", "map[children:Function'UsherCode.Idle.Tick' codeBytes:32 friendlyName:Idle line:27 next:Function'UsherCode.Loop' scriptText:None stateFlags:[] super:None]"},
		{"UsherCode.Fin", "map[children:IntProperty'UsherCode.Fin.Z' codeBytes:5 friendlyName:Fin functionFlags:[Final Defined] line:13 native:0 next:Function'UsherCode.Casts' precedence:0 scriptText:None super:None]"},
		{"UsherCode.L", "map[arrayDim:4 category:None next:ClassProperty'UsherCode.K' propertyFlags:[] super:None types:[]]"},
		{"UsherCode.K", "map[arrayDim:1 category:None next:ObjectProperty'UsherCode.U' propertyFlags:[] super:None types:[Class'Core.Class' Class'Engine.Actor']]"},
		{"UsherCode.Fin.ReturnValue", "map[arrayDim:1 category:None next:None propertyFlags:[Parm Out Return] super:None types:[]]"},
		{"UsherCode.ScriptText", "map[]"},
	} {
		o, err := a.Object(entry(t, a, c.path))
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(nativeValues(a.Package, o)); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %s\nwant %s", c.path, got, c.want)
		}
	}
	names := nativeValues(a.Package, &unreal.Enum{Names: []unreal.NameIndex{a.AddName("Pair"), a.AddName("Idle")}, Field: unreal.Field{Next: 1}})
	value := nativeValues(a.Package, &unreal.Const{Value: unreal.Str{Text: "12"}})
	if got, want := fmt.Sprint(names, value), "map[names:[Pair Idle] next:StrProperty'UsherCode.S' super:None] map[next:None super:None value:12]"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	class, err := a.Object(entry(t, a, "UsherCode"))
	if err != nil {
		t.Fatal(err)
	}
	v := nativeValues(a.Package, class)
	if got := fmt.Sprintln(v["guid"], v["within"], v["packageImports"], v["stateFlags"]); got != fmt.Sprintln("00000000000000000000000000000000", "Class'Core.Object'", "[UsherCode Engine Core]", "[]") {
		t.Errorf("%s", got)
	}
}

// TestNewFromRecord: an object laid in under a new name is as the one whose record it is, in what its class stores beside its
// properties; what cannot be made of a record is refused with its reason.
func TestNewFromRecord(t *testing.T) {
	same := func(*Record) {}
	native := func(key string, v any) func(r *Record) {
		return func(r *Record) { r.Native[key] = v }
	}
	worm := written(t, wormPackage(t))
	hall61, moved := written(t, hall(t, 61)), written(t, moving(t))
	for _, c := range []struct {
		file   []byte
		path   string
		change func(r *Record)
		want   string // of the error
	}{
		{hall61, "Vectors0", same, ""}, {hall61, "BspNodes0", same, ""}, {hall61, "BspSurfs0", same, ""}, {hall61, "Verts0", same, ""}, {hall61, "Light0", same, ""},
		{hall61, "Light0", func(r *Record) { r.Class, r.Native = "Model", nil }, "a new Model cannot be made from JSON"},
		{hall61, "Light0", native("unknown", hexValue([]byte{1, 2, 3})), ""}, {hall61, "Light0", native("unheard", 1.0), `there is no "unheard"`},
		{hall61, "Light0", func(r *Record) { r.Class = "" }, "Class: it is missing"}, {hall61, "Light0", func(r *Record) { r.Flags = []string{"Shining"} }, "Shining"},
		{worm, "Beasts.WormAnim", same, ""}, {worm, "Beasts.WormAnim", func(r *Record) { r.Native["bones"].([]any)[0] = "Other" }, "which bones a new Animation moves cannot be edited"},
		{worm, "Beasts.WormAnim", func(r *Record) { r.Stored = r.Stored[:7] }, "a new Animation is made of the stored bytes of one"},
		{moved, "Flame", same, ""}, {moved, "Pool", same, ""},
		{moved, "Flame", native("mips", []any{[]any{8.0, 4.0, 0.0}, []any{4.0, 2.0, 0.0}}), ""},
		{moved, "Flame", native("mips", "none"), "mips: expected a list of [width, height, bytes]"}, {moved, "Flame", native("mips", []any{[]any{8.0, 4.0}}), "mip 0: expected [width, height, bytes]"},
		{moved, "Flame", native("mips", []any{[]any{8.0, 4.0, 0.0}, []any{12.0, 4.0, 0.0}}), "mip 1: [12 4 0] is no size; sides are powers of two"},
		{moved, "Flame", native("mips", []any{[]any{8.0, 0.0, 0.0}}), "mip 0: [8 0 0] is no size"}, {moved, "Flame", native("mips", []any{[]any{8.0, 4.0, 32.0}}), "mip 0 has 32 bytes of pixels"},
		{moved, "Flame", native("sparks", "none"), "sparks: expected a list"}, {moved, "Flame", native("sparks", []any{"0102030405060708"}), ""},
	} {
		a := openBytes(t, "Made.u", c.file)
		a.Env.Diagnostics = new(schema.Diagnostics)
		r := recordOf(t, a, c.path)
		c.change(r)
		err := layIn(t, a, "Copy9", r)
		if got := fmt.Sprint(err); (err != nil) != (c.want != "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %v, want %q", c.path, err, c.want)
		}
		if err != nil {
			continue
		}
		now := openBytes(t, "Made.u", written(t, a))
		if got := recordOf(t, now, "Copy9"); fmt.Sprint(got.Native) != fmt.Sprint(r.Native) || !slices.EqualFunc(got.Properties, r.Properties, sameProperty) {
			t.Errorf("%s: %v\nwant %v", c.path, got.Native, r.Native)
		}
		if _, unknown := r.Native["unknown"]; unknown != a.Env.Diagnostics.Has("unknown-bytes") {
			t.Errorf("%s: told %v", c.path, a.Env.Diagnostics.All())
		}
	}
}

// TestPropertyForms: a value of each type is stored and shown again as it was; one of another form is refused.
func TestPropertyForms(t *testing.T) {
	a := hall(t, 69)
	hex := hexValue([]byte{1, 2, 3, 4})
	region := func(zone any, leaf, number any) map[string]any {
		return map[string]any{"Zone": zone, "iLeaf": leaf, "ZoneNumber": number}
	}
	for _, c := range []struct {
		kind, name string
		value      any
		want       string // as it is shown again; empty where it is refused
	}{
		{"Byte", "", 0.0, "0"}, {"Byte", "", 255.0, "255"}, {"Byte", "", 256.0, ""}, {"Byte", "", -1.0, ""}, {"Byte", "", true, ""}, {"Byte", "", "1", ""},
		{"Int", "", -2147483648.0, "-2147483648"}, {"Int", "", 2147483647.0, "2147483647"}, {"Int", "", 2147483648.0, ""}, {"Int", "", 0.5, ""}, {"Int", "", hex, "map[hex:01020304]"},
		{"Bool", "", true, "true"}, {"Bool", "", false, "false"}, {"Bool", "", 1.0, ""}, {"Bool", "", "true", ""},
		{"Float", "", 1.5, "1.5"}, {"Float", "", 1e39, ""}, {"Float", "", true, ""},
		{"Name", "", "Light", "Light"}, {"Name", "", "a b", "a b"}, {"Name", "", 1.0, ""},
		{"Object", "", "Light'Light0'", "Light'Light0'"}, {"Object", "", "None", "None"}, {"Object", "", "Light0", ""},
		{"Str", "", "Grüße", "Grüße"}, {"Str", "", "", ""}, {"Str", "", 1.0, ""},
		{"String", "", "Grüße", "Grüße"}, {"String", "", "日", ""}, {"String", "", "a\x00b", ""},
		{"Struct", "Vector", map[string]any{"X": 1.0, "Y": -2.5, "Z": 0.0}, "map[X:1 Y:-2.5 Z:0]"}, {"Struct", "Vector", map[string]any{"X": hex, "Y": 0.0, "Z": 0.0}, "map[X:1.539989614439558e-36 Y:0 Z:0]"},
		{"Struct", "Vector", map[string]any{"X": 1.0, "Y": 1.0}, ""}, {"Struct", "Vector", hex, "map[hex:01020304]"},
		{"Struct", "Rotator", map[string]any{"Pitch": 1.0, "Yaw": -2.0, "Roll": 65536.0}, "map[Pitch:1 Roll:65536 Yaw:-2]"},
		{"Struct", "Color", map[string]any{"R": 1.0, "G": 2.0, "B": 3.0, "A": 255.0}, "map[A:255 B:3 G:2 R:1]"}, {"Struct", "Color", map[string]any{"R": 1.0, "G": 2.0, "B": 3.0, "A": 256.0}, ""},
		{"Struct", "PointRegion", region("Light'Light0'", -1.0, 255.0), "map[Zone:Light'Light0' ZoneNumber:255 iLeaf:-1]"}, {"Struct", "PointRegion", region("None", 0.0, 0.0), "map[Zone:None ZoneNumber:0 iLeaf:0]"},
		{"Struct", "PointRegion", region("None", 0.0, 256.0), ""}, {"Struct", "PointRegion", region("None", 0.0, -1.0), ""}, {"Struct", "PointRegion", region(1.0, 0.0, 0.0), ""}, {"Struct", "PointRegion", region("Light'Gone'", 0.0, 0.0), ""},
		{"Struct", "PointRegion", region("None", 0.5, 0.0), ""}, {"Struct", "PointRegion", map[string]any{"Zone": "None", "iLeaf": 0.0, "ZoneNumber": 0.0, "more": 1.0}, ""},
		{"Int", "Vector", 1.0, ""}, {"", "", 1.0, ""}, {"Unheard", "", 1.0, ""},
	} {
		q, err := a.property(&RecordProperty{Name: "It", Type: c.kind, Struct: c.name, Value: c.value}, nil, nil, 0)
		empty := c.kind == "Str" && c.value == "" // which is no refusal
		if (err == nil) != (c.want != "" || empty) {
			t.Errorf("%s %s of %v: %v", c.kind, c.name, c.value, err)
		}
		if err != nil {
			if schema.Class(err) == nil {
				t.Errorf("%s %s of %v: %v has no class", c.kind, c.name, c.value, err)
			}
			continue
		}
		shown := describeProperty(a.Package, &q)
		if got := fmt.Sprint(shown.Value); got != c.want || shown.Type != c.kind || shown.Struct != c.name || shown.Name != "It" {
			t.Errorf("%s %s of %v: shown as %+v", c.kind, c.name, c.value, shown)
		}
	}
	if _, err := a.property(&RecordProperty{Type: "Int", Value: 1.0}, nil, nil, 0); schema.Class(err) != schema.ErrValue {
		t.Errorf("a property without a name: %v", err)
	}
}

// TestTermsOfPackages: the names and imports of a package are those that addTerms takes; meanings are all of it.
func TestTermsOfPackages(t *testing.T) {
	a := compiled(t)
	a.AddName("It's")
	terms, all := a.terms(), a.meanings()
	for _, c := range []struct {
		text            string
		isTerm, meaning bool
	}{
		{"UsherCode", true, true}, {"DynamicLoadObject", true, true}, {"It's", false, true}, {"Core.Class'Engine.Light'", true, true}, {"Core.Package'Engine'", true, true},
		{"Function'UsherCode.Fin'", false, true}, {"Class'UsherCode'", false, true}, {"Unheard", false, false},
	} {
		if term, meaning := slices.Contains(terms, c.text), slices.Contains(all, c.text); term != c.isTerm || meaning != c.meaning {
			t.Errorf("%s: a term %v, has a meaning %v", c.text, term, meaning)
		}
	}
	if len(terms) != len(a.Names)-1+len(a.Imports) || len(all) != len(a.Names)+len(a.Imports)+len(a.Exports) {
		t.Errorf("%d terms and %d meanings of %d names, %d imports and %d exports", len(terms), len(all), len(a.Names), len(a.Imports), len(a.Exports))
	}
	x, _ := Create(nil)
	b := x.(*archive)
	if err := b.addTerms(terms); err != nil {
		t.Fatal(err)
	}
	more := b.terms()
	for _, text := range terms {
		if !slices.Contains(more, text) {
			t.Errorf("%s is not there", text)
		}
	}
	for _, bad := range []string{"Class'Engine.Light'", "Core.Class''", "Core.'Light'", "Core.Class'Engine..Light'", "Core.Class'Engine.Light"} {
		if err := b.addTerms([]string{bad}); schema.Class(err) != schema.ErrValue {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
