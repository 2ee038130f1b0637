package unreal

import (
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// Words that mean nothing are refused, with the one that was meant.
func TestUnknownWords(t *testing.T) {
	a := openBytes(t, "Made.u", written(t, made(t, 69)))
	texture := func(values map[string]any) error {
		i := entry(t, a, "Walls.Board")
		x := lifted(t, a, "Walls.Board").(*asset.Texture)
		x.Native.Values = values
		_, err := formatOf(a, i).Lower(x, &format.Env{Archive: a})
		return err
	}
	setting := func(key string, value any) map[string]any {
		m := map[string]any{"Name": "bNoSmooth", "Type": "Bool", "Value": true}
		m[key] = value
		return map[string]any{"properties": []any{m}}
	}
	record := func(edit func(r *Record)) error {
		r := recordOf(t, a, "Walls.Palette1")
		edit(r)
		return layIn(t, a, "Walls/Palette77", r)
	}
	for want, err := range map[string]error{
		"properties": texture(map[string]any{"propertis": []any{}}),
		"Value":      texture(setting("Vale", 1.0)),
		"Bool":       texture(setting("Type", "Bol")),
		"colors":     record(func(r *Record) { r.Native = map[string]any{"colours": []any{"#000000"}} }),
		"Public":     record(func(r *Record) { r.Flags = []string{"Publik"} }),
		"Int":        record(func(r *Record) { r.Properties = []RecordProperty{{Name: "X", Type: "Itn", Value: 1.0}} }),
	} {
		if schema.Class(err) != schema.ErrValue || !strings.Contains(err.Error(), `did you mean "`+want+`"?`) {
			t.Errorf("%s: %v", want, err)
		}
	}
	if err := texture(setting("Name", "bNoSmooth")); err != nil {
		t.Error(err)
	}
}

// A new palette, a new fire, a new object of a class of another package.
func TestNewRecords(t *testing.T) {
	a := openBytes(t, "Made.u", written(t, made(t, 69)))
	r := recordOf(t, a, "Walls.Palette1")
	if err := layIn(t, a, "Walls/Palette77", r); err != nil {
		t.Fatal(err)
	}
	fire := &Record{Class: "FireTexture", Native: map[string]any{"mips": []any{[]any{32.0, 16.0, 0.0}}, "sparks": []any{"0102030405060708"}},
		Properties: []RecordProperty{{Name: "Palette", Type: "Object", Value: "Palette'Walls.Palette77'"}, {Name: "RenderHeat", Type: "Byte", Value: 200.0}}}
	if err := layIn(t, a, "Walls.Blaze", fire); err != nil {
		t.Fatal(err)
	}
	thing := &Record{Class: "Mod.Thing", Properties: []RecordProperty{{Name: "Skin", Type: "Object", Value: "Botpack.Skins.BrandNew"},
		{Name: "Mesh", Type: "Object", Value: "LodMesh'Pyramid'"}, {Name: "Kind", Type: "Object", Value: "Class'Botpack.DeathMatchPlus'"}}}
	if err := layIn(t, a, "Thing0", thing); err != nil {
		t.Fatal(err)
	}
	now := checked(t, a)
	if got := recordOf(t, now, "Walls.Blaze"); got.Class != "FireTexture" || !pack.SameValue(got.Native, fire.Native) || got.Properties[0].Value != "Palette'Walls.Palette77'" {
		t.Errorf("%+v", got)
	}
	if got := recordOf(t, now, "Walls.Palette77"); !pack.SameValue(got.Native, r.Native) || !pack.SameValue(got.Flags, r.Flags) {
		t.Errorf("%+v", got)
	}
	if got := recordOf(t, now, "Thing0"); got.Class != "Thing" || got.Properties[0].Value != "Texture'Botpack.Skins.BrandNew'" || got.Properties[2].Value != "Class'Botpack.DeathMatchPlus'" {
		t.Errorf("%+v", got)
	}
	for _, c := range []struct{ path, value string }{
		{"Odd0", "Texture'Walls.Missing'"}, // the group is here, the texture is not
		{"Odd1", "Texture'Missing'"},
		{"Odd2", "Unknown'Pack.Thing'"},
		{"Odd3", "Texture'Pack..Thing'"},
	} {
		thing.Properties = []RecordProperty{{Name: "Skin", Type: "Object", Value: c.value}}
		if err := layIn(t, a, c.path, thing); schema.Class(err) != schema.ErrRange {
			t.Errorf("%s: %v", c.value, err)
		}
	}
	for _, class := range []string{"", "Nowhere", "Class", "LodMesh"} {
		if err := layIn(t, a, "Odd4", &Record{Class: class}); err == nil {
			t.Errorf("class %q was taken", class)
		}
	}
	checked(t, a)
}

// New objects may name each other, whichever comes first.
func TestNewRecordsTogether(t *testing.T) {
	a := hall(t, 69)
	paths := []string{"Lamp1", "Start1"}
	a.expect(paths)
	for i, path := range paths {
		r := recordOf(t, a, []string{"Light0", "PlayerStart0"}[i])
		r.Properties = append(r.Properties, RecordProperty{Name: "Partner", Type: "Object", Value: []string{"PlayerStart'Start1'", "Light'Lamp1'"}[i]})
		bare := recordFormat(nil, -1)
		f, err := a.bindNew(&bare, path)
		if err != nil {
			t.Fatal(err)
		}
		b, err := f.Write(r)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			if _, err := a.WriteTo(discard{}); schema.Class(err) != schema.ErrMismatch {
				t.Errorf("a package without the promised object: %v", err)
			}
		}
		if err := a.Add(path, b, f); err != nil {
			t.Fatal(err)
		}
	}
	now := checked(t, a)
	if got := deeds(t, hall(t, 69), now); got != "+Lamp1 +Start1 MyLevel" {
		t.Errorf("changed: %s", got)
	}
	if r := recordOf(t, now, "Lamp1"); r.Properties[len(r.Properties)-1].Value != "PlayerStart'Start1'" {
		t.Errorf("%+v", r)
	}
}

type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }

// What a conversion adds to the tables is shared out among the entries of a run: it waits for its turn.
func TestTurns(t *testing.T) {
	a := openBytes(t, "Made.u", written(t, made(t, 69)))
	for _, path := range []string{"Walls.Board", "Beep", "Notes", "Pyramid"} {
		turns := 0
		env := &format.Env{Archive: a, Entry: path, Turn: func() { turns++ }}
		if _, err := formatOf(a, entry(t, a, path)).Lower(lifted(t, a, path), env); err != nil || turns != 1 {
			t.Errorf("%s: %d turns, %v", path, turns, err)
		}
	}
}
