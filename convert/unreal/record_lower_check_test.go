package unreal

import (
	"fmt"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// TestRecordValues: what a property cannot hold is refused in a line that names it, and what it can hold.
func TestRecordValues(t *testing.T) {
	vector := func(v map[string]any) RecordProperty {
		return RecordProperty{Name: "Location", Type: "Struct", Struct: "Vector", Value: v}
	}
	for name, c := range map[string]struct {
		p    RecordProperty
		want string
	}{
		"text for a struct":     {RecordProperty{Name: "Location", Type: "Struct", Struct: "Vector", Value: "here"}, `Location: "here" is no value of a Struct property: expected an object with the numbers X, Y, Z`},
		"text in a struct":      {vector(map[string]any{"X": "12", "Y": 1.0, "Z": 2.0}), `Location.X: "12" is no value of a Float property`},
		"a field is missing":    {vector(map[string]any{"X": 12.0, "Y": 1.0}), "Location: Z is missing: a Vector has X, Y, Z"},
		"a field too many":      {vector(map[string]any{"X": 1.0, "Y": 1.0, "Z": 2.0, "W": 3.0}), `Location: there is no "W"`},
		"too large in a struct": {vector(map[string]any{"X": 1e300, "Y": 1.0, "Z": 2.0}), "Location.X: 1e+300 is no value of a Float property: expected a number that 32 bits hold"},
		"half a unit of an angle": {RecordProperty{Name: "Rotation", Type: "Struct", Struct: "Rotator", Value: map[string]any{"Pitch": 0.5, "Yaw": 1.0, "Roll": 0.0}},
			"Rotation.Pitch: 0.5 is no value of a Int property: expected a whole number"},
		"a struct of other fields": {RecordProperty{Name: "Drops", Type: "Struct", Struct: "ADrop", Value: map[string]any{"X": 1.0}}, "the fields of a ADrop are not known"},
		"too large":                {RecordProperty{Name: "DrawScale", Type: "Float", Value: 1e39}, "DrawScale: 1e+39 is no value of a Float property"},
		"byte of 300":              {RecordProperty{Name: "LightHue", Type: "Byte", Value: 300.0}, "expected a whole number from 0 to 255"},
		"truth as text":            {RecordProperty{Name: "bHidden", Type: "Bool", Value: "yes"}, `"yes" is no value of a Bool property: expected true or false`},
		"number for an object":     {RecordProperty{Name: "Skin", Type: "Object", Value: 5.0}, `5 is no value of a Object property: expected an object with its class, as "Texture'Package.Name'", or "None"`},
		"nothing for a name":       {RecordProperty{Name: "Tag", Type: "Name", Value: nil}, "Tag: null is no value of a Name property: expected text"},
		"a long name":              {RecordProperty{Name: "Tag", Type: "Name", Value: strings.Repeat("x", 64)}, "has 64 characters: a name has 1 to 63"},
		"no name":                  {RecordProperty{Name: "Tag", Type: "Name", Value: ""}, `Tag: "" has 0 characters`},
		"a long property":          {RecordProperty{Name: strings.Repeat("y", 64), Type: "Int", Value: 1.0}, "has 64 characters: a name has 1 to 63"},
		"a place before the first": {RecordProperty{Name: "Skins", Type: "Int", Index: -1, Value: 1.0}, "Skins.Index: -1: expected 0 to 1073741823"},
	} {
		t.Run(name, func(t *testing.T) {
			a := hall(t, 69)
			r := recordOf(t, a, "Light0")
			r.Properties = append(r.Properties, c.p)
			_, err := formatOf(a, entry(t, a, "Light0")).Write(r)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v\nwant %s", err, c.want)
			}
		})
	}
}

// TestRecordWarnings: what the game loses without a word is told, once, and only that.
func TestRecordWarnings(t *testing.T) {
	edits := map[string]struct {
		edit func(r *Record)
		as   string // the new object; empty where Light0 is edited
		code string
		want string // the only message; none where it is empty
	}{
		"nothing":       {func(r *Record) {}, "", "property", ""},
		"one more":      {func(r *Record) { appendProperty(r, "LightSaturation", "Byte", 7.0) }, "Light9", "property", "LightSaturation stands there twice"},
		"a second tag":  {func(r *Record) { appendProperty(r, "Tag", "Name", "Other") }, "", "property", "Tag stands there twice: the game takes the last one"},
		"another type":  {func(r *Record) { appendProperty(r, "LightEffect", "Int", 3.0) }, "", "property", "LightEffect is Int here, and Byte in other objects of the package"},
		"the same type": {func(r *Record) { appendProperty(r, "LightEffect", "Byte", 3.0) }, "", "property", ""},
		"a class that is not at hand": {func(r *Record) { r.Class = "NoSuch.Thing"; r.Native = nil }, "Thing0", "imported",
			"its package NoSuch is not at hand: whether the object is there was not seen"},
		"a key of a mover":         {func(r *Record) { appendProperty(r, "NumKeys", "Byte", 3.0) }, "", "property", ""},
		"a slip":                   {func(r *Record) { appendProperty(r, "NumKey", "Byte", 3.0) }, "", "property", "did you mean NumKeys?"},
		"a class that is imported": {func(r *Record) {}, "Light9", "imported", ""},
	}
	for name, c := range edits {
		t.Run(name, func(t *testing.T) {
			a := hall(t, 69)
			a.Env.Diagnostics = new(schema.Diagnostics)
			r := recordOf(t, a, "Light0")
			c.edit(r)
			var err error
			if c.as != "" {
				err = layIn(t, a, c.as, r)
			} else {
				_, err = formatOf(a, entry(t, a, "Light0")).Write(r)
			}
			if err != nil {
				t.Fatal(err)
			}
			var told []string
			for _, d := range a.Env.Diagnostics.All() {
				if strings.HasPrefix(d.Code, c.code) {
					told = append(told, d.Msg)
				}
			}
			if c.want == "" && len(told) > 0 || c.want != "" && (len(told) != 1 || !strings.Contains(told[0], c.want)) {
				t.Errorf("%q\nwant %q", told, c.want)
			}
		})
	}
}

func appendProperty(r *Record, name, kind string, value any) {
	r.Properties = append(r.Properties, RecordProperty{Name: name, Type: kind, Value: value})
}

// block is a brush of one polygon.
const block = `Begin Map
Begin Actor Class=Brush Name=Block
    CsgOper=CSG_Add
    Begin Brush Name=BlockModel
       Begin PolyList
          Begin Polygon Item=OUTSIDE
             Origin   +00000.000000,+00000.000000,+00000.000000
             Normal   +00000.000000,+00000.000000,+00001.000000
             TextureU +00001.000000,+00000.000000,+00000.000000
             TextureV +00000.000000,+00001.000000,+00000.000000
             Vertex   +00000.000000,+00000.000000,+00000.000000
             Vertex   +00064.000000,+00000.000000,+00000.000000
             Vertex   +00000.000000,+00064.000000,+00000.000000
          End Polygon
       End PolyList
    End Brush
    Brush=Model'MyLevel.BlockModel'
End Actor
End Map
`

// TestCopiedBrush: a brush whose record is laid in under a new name has a shape of its own, with polygons of its own;
// that of the first stays as it is.
func TestCopiedBrush(t *testing.T) {
	for _, version := range []uint16{61, 69} {
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			a := hall(t, version)
			if err := a.addText([]byte(block)); err != nil {
				t.Fatal(err)
			}
			was := checked(t, a)
			a = openBytes(t, "Hall.unr", written(t, was))
			a.Env.Diagnostics = new(schema.Diagnostics)
			if err := layIn(t, a, "Copy", recordOf(t, a, "Block")); err != nil {
				t.Fatal(err)
			}
			if !a.Env.Diagnostics.Has("built-world") {
				t.Error("nothing tells that the world is as it was built")
			}
			now := checked(t, a)
			m, first := shapeOfBrush(t, now, "Block")
			n, second := shapeOfBrush(t, now, "Copy")
			if k, _ := shapeOfBrush(t, was, "Block"); m != k || n == m {
				t.Errorf("Model %d, which was %d, and %d of the copy", m, k, n)
			}
			if first.Polys == second.Polys || len(polysOf(t, now, first.Polys)) != 1 || len(polysOf(t, now, second.Polys)) != 1 {
				t.Errorf("the polygons are %d and %d", first.Polys, second.Polys)
			}
		})
	}
}

// TestShapesOfRecords: a new actor has a shape of its own where another actor has the one that it names, and that one where
// none has; only of a brush it is told that the world is as it was built.
func TestShapesOfRecords(t *testing.T) {
	source := hall(t, 69)
	if err := source.addText([]byte(block)); err != nil {
		t.Fatal(err)
	}
	stored := written(t, source)
	for _, c := range []struct {
		class, taken string // the class of the new actor, and what Block has then
		own, told    bool
	}{
		{"Brush", "BlockModel", true, true}, {"Mover", "BlockModel", true, false},
		{"Brush", "Model0", false, true}, {"Mover", "Model0", false, false}, {"Mover", "", false, false},
	} {
		a, d := openBytes(t, "Hall.unr", stored), new(schema.Diagnostics)
		shape, _ := shapeOfBrush(t, a, "Block")
		r := recordOf(t, a, "Block")
		r.Class, r.Native = "Engine."+c.class, nil
		block := a.FindExport("Block", "Brush")
		o, err := a.Object(int(block - 1))
		if err != nil {
			t.Fatal(err)
		}
		if o.Base().Set("Brush", unreal.ObjectProperty, int32(a.FindExport(c.taken, "Model"))); c.taken == "" {
			o.Base().Unset("Brush")
		}
		if err := a.Store(int(block-1), o); err != nil {
			t.Fatal(err)
		}
		a.Env.Diagnostics = d
		if err := layIn(t, a, "Copy", r); err != nil {
			t.Fatal(err)
		}
		if got, _ := shapeOfBrush(t, checked(t, a), "Copy"); (got != shape) != c.own || d.Has("built-world") != c.told {
			t.Errorf("a %s, where Block has %q: shape %d, that of the record is %d; told %v", c.class, c.taken, got, shape, d.All())
		}
	}
}

// TestUsualFlags: an object whose record tells no flags has those of the others of its class, else those that are usual.
func TestUsualFlags(t *testing.T) {
	const marked = unreal.ActorFlags | 4 // as no other actor
	for _, c := range []struct {
		class string
		level bool
		want  uint32
	}{
		{"Light", true, marked}, {"PlayerStart", true, unreal.ActorFlags}, {"Engine.Camera", true, unreal.ActorFlags}, {"Engine.LevelSummary", true, unreal.PrivateFlags},
		{"Fire.FireTexture", true, unreal.ResourceFlags}, {"Palette", true, unreal.PrivateFlags},
		{"Engine.Light", false, unreal.PrivateFlags}, {"Texture", false, unreal.ResourceFlags},
	} {
		a := made(t, 69)
		if c.level {
			a = hall(t, 69)
			a.Exports[a.FindExport("Light0", "Light")-1].Flags = marked
		}
		if _, got, err := a.identity(&Record{Class: c.class}); got != c.want || err != nil {
			t.Errorf("%s, in a level %v: %#x, want %#x: %v", c.class, c.level, got, c.want, err)
		}
	}
}

// TestOtherwiseWritten: the first byte is named that would be another one if an object were written from what was read of it:
// sounds and textures say where they end, and a longer number before that moves them.
func TestOtherwiseWritten(t *testing.T) {
	a := made(t, 69)
	for _, c := range []struct{ path, want string }{
		{"Beep", "Beep is otherwise from byte 3 on"}, {"Walls.Board", "Walls.Board is otherwise from byte 50 on"}, {"Notes", ""},
	} {
		i := entry(t, a, c.path)
		b, err := a.Payload(i)
		if err != nil {
			t.Fatal(err)
		}
		longer := append([]byte{b[0] | 0x40, 0}, b[1:]...)
		same, err := a.checkRecord(i, &Record{Stored: b}), a.checkRecord(i, &Record{Stored: longer})
		if got := fmt.Sprint(err); same != nil || (err != nil) != (c.want != "") || !strings.Contains(got, c.want) || err != nil && schema.Class(err) != schema.ErrMismatch {
			t.Errorf("%s: %v, and with a longer number %v", c.path, same, err)
		}
	}
}

// TestPlaceOfNew: where an object is to be found under the path that it was added under, before and after.
func TestPlaceOfNew(t *testing.T) {
	a := hall(t, 69)
	for _, c := range []struct {
		path string
		as   *format.Format
		want string
	}{
		{"Light9", nil, "Light9"}, {"Walls/Board", nil, "Walls.Board"}, {"Light0@Light2", nil, "Light0@Light2"}, {"text", &t3dFormat, "MyLevel"},
	} {
		if got := a.place(c.path, nil, c.as); got != c.want {
			t.Errorf("%s: %q, want %q", c.path, got, c.want)
		}
	}
	r := recordOf(t, a, "Light0")
	for _, c := range []struct{ path, want string }{{"Light9", "Light9"}, {"Wall", "Wall@Light"}, {"Group/Light9", "Group.Light9"}} {
		if err := layIn(t, a, c.path, r); err != nil {
			t.Fatal(err)
		}
		if got := a.place(c.path, nil, nil); got != c.want || indexOf(a, c.want) < 0 {
			t.Errorf("%s, once it is there: %q, want %q", c.path, got, c.want)
		}
	}
	if got := made(t, 69).place("text", nil, &t3dFormat); got != "text" {
		t.Errorf("text without a level: %q", got)
	}
}

func shapeOfBrush(t *testing.T, a *archive, path string) (unreal.Ref, *unreal.Model) {
	t.Helper()
	o, err := a.Object(entry(t, a, path))
	if err != nil {
		t.Fatal(err)
	}
	r := o.Base().Ref("Brush")
	if o, err = a.Object(int(r - 1)); err != nil {
		t.Fatal(err)
	}
	return r, o.(*unreal.Model)
}

func polysOf(t *testing.T, a *archive, r unreal.Ref) []unreal.Poly {
	t.Helper()
	o, err := a.Object(int(r - 1))
	if err != nil {
		t.Fatal(err)
	}
	return o.(*unreal.Polys).Polys
}
