package unreal

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
	write "github.com/usher-assets/usher/write/unreal"
)

// TestWrongValues: every format of objects refuses values and assets that are not its own, and says nothing of them.
func TestWrongValues(t *testing.T) {
	a := made(t, 69)
	type nothing struct{}
	for kind, x := range leafFormats {
		f := a.bind(x, -1)
		if _, err := f.Write(nothing{}); schema.Class(err) == nil {
			t.Errorf("%v writes what is none: %v", kind, err)
		}
		if _, err := f.Lift(nothing{}, &format.Env{}); schema.Class(err) == nil {
			t.Errorf("%v shows what is none: %v", kind, err)
		}
		if f.Name == meshName && schema.Class(f.Check(nothing{})) == nil {
			t.Error("what is no mesh is a good one")
		}
		if facts := f.Facts(nothing{}); facts != nil {
			t.Errorf("%v knows of what is none: %v", kind, facts)
		}
		for of, v := range map[format.Kind]asset.Asset{format.Text: &asset.Text{}, format.Sound: &asset.Sound{}, format.Texture: &asset.Texture{}, format.Model: &asset.Scene{}} {
			if of == f.Kind {
				continue
			}
			if _, err := f.Lower(v, &format.Env{}); schema.Class(err) == nil {
				t.Errorf("%v (%s) takes a %T: %v", kind, f.Name, v, err)
			}
		}
	}
}

// TestTextForms: levels and shapes are edited as text of the editor, others are not.
func TestTextForms(t *testing.T) {
	a := gallery(t, 69)
	for path, want := range map[string]string{"MyLevel": "[unreal-t3d]", "Polys1": "[unreal-t3d]", "Model1": "[]", "Wall": "[]"} {
		if got := fmt.Sprint(formatOf(a, entry(t, a, path)).Editable); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// TestSoundsApart: sounds are the same where all is that is heard.
func TestSoundsApart(t *testing.T) {
	for name, edit := range map[string]func(s *asset.Sound){
		"": func(*asset.Sound) {}, "name": func(s *asset.Sound) { s.Name = "Other" }, "Rate": func(s *asset.Sound) { s.Rate++ }, "Channels": func(s *asset.Sound) { s.Channels++ }, "Bits": func(s *asset.Sound) { s.Bits = 8 },
		"Float": func(s *asset.Sound) { s.Float = true }, "PCM": func(s *asset.Sound) { s.PCM[7]++ }, "shorter": func(s *asset.Sound) { s.PCM = s.PCM[2:] }, "none": func(s *asset.Sound) { s.PCM = nil },
		"Loops": func(s *asset.Sound) { s.Loops = append(s.Loops, asset.Loop{End: 3}) }, "Cues": func(s *asset.Sound) { s.Cues = append(s.Cues, asset.Cue{}) },
	} {
		a, b := beep(), beep()
		edit(b)
		if want := name == "" || name == "name"; sameSound(a, b) != want || sameSound(b, a) != want {
			t.Errorf("%q: %v, %v", name, sameSound(a, b), sameSound(b, a))
		}
	}
	stored := func(b string) *asset.Sound { return &asset.Sound{Stored: &asset.Stored{Data: []byte(b)}} }
	for _, c := range []struct {
		a, b *asset.Sound
		want bool
	}{{stored("a"), stored("a"), true}, {stored("a"), stored("b"), false}, {stored("a"), new(asset.Sound), false}, {new(asset.Sound), stored("a"), false}, {new(asset.Sound), new(asset.Sound), false}} {
		if got := sameSound(c.a, c.b); got != c.want {
			t.Errorf("%+v and %+v: %v", c.a, c.b, got)
		}
	}
	for _, c := range []struct {
		s    asset.Sound
		want string
	}{
		{asset.Sound{Rate: 8000, Channels: 2, Bits: 8, PCM: make([]byte, 8000)}, "[{rate 8000} {channels 2} {bits 8} {seconds 0.5}]"},
		{*heard(&unreal.Sound{Data: gsm(1)}), "[{rate 8000} {channels 1} {codec GSM 6.10}]"},
		{asset.Sound{Rate: 8000, Bits: 8}, "[]"}, {asset.Sound{Channels: 1, Bits: 8}, "[]"},
	} {
		if got := fmt.Sprint(soundFacts(&c.s)); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// TestCharactersInside: a character lies within its page, at its edges too.
func TestCharactersInside(t *testing.T) {
	page := &asset.Image{Width: 16, Height: 8}
	for c, want := range map[unreal.Char]bool{
		{}: true, {StartU: 15, StartV: 7, USize: 1, VSize: 1}: true, {USize: 16, VSize: 8}: true, {StartU: 16, StartV: 8}: true,
		{StartU: 16, USize: 1}: false, {StartV: 8, VSize: 1}: false, {USize: 17}: false, {VSize: 9}: false,
		{StartU: -1, USize: 1}: false, {StartV: -1, VSize: 1}: false, {StartU: 1, USize: -1}: false, {StartV: 1, VSize: -1}: false,
	} {
		if err := checkCharacters([]unreal.Char{{}, c}, page, 3); (err == nil) != want || err != nil && !strings.Contains(err.Error(), "character 1 of page 3 lies outside its 16 x 8 texels") {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// TestSettingsOfTextures: an entry of the list of properties has a name, a type and a value; without an index it is the first. An index
// that is none is refused.
func TestSettingsOfTextures(t *testing.T) {
	whole := map[string]any{"Name": "MipZero", "Type": "Struct", "Struct": "Color", "Index": 3.0, "Value": "x"}
	if got, err := settingOf(whole); err != nil || !reflect.DeepEqual(got, &RecordProperty{Name: "MipZero", Type: "Struct", Struct: "Color", Index: 3, Value: "x"}) {
		t.Errorf("%+v, %v", got, err)
	}
	for key, values := range map[string]map[any]int{"Index": {0.0: 0, 7.0: 7, -1.0: -1, 0.5: -1, float64(1<<30 - 1): 1<<30 - 1, float64(1 << 30): -1, "3": -1}} {
		for v, want := range values {
			m := maps.Clone(whole)
			m[key] = v
			if got, err := settingOf(m); (err != nil) != (want < 0) || err == nil && got.Index != want {
				t.Errorf("%s %v: %+v, %v", key, v, got, err)
			}
		}
	}
	first := maps.Clone(whole)
	delete(first, "Index")
	if got, err := settingOf(first); err != nil || got.Index != 0 {
		t.Errorf("without an index: %+v, %v", got, err)
	}
	for key, v := range map[string]any{"Name": "", "Type": "", "Value": nil, "Nonsense": 1} {
		m := maps.Clone(whole)
		m[key] = v
		if _, err := settingOf(m); schema.Class(err) == nil {
			t.Errorf("%s %v: %v", key, v, err)
		}
	}
	if _, err := settingOf("MipZero"); schema.Class(err) != schema.ErrValue {
		t.Error(err)
	}
}

// TestRoomOfLight: what has a picture of light holds a second set of texture coordinates, and what has none does not.
func TestRoomOfLight(t *testing.T) {
	lit := &asset.Scene{Materials: []*asset.Material{new(asset.Material), {OcclusionTexture: new(asset.TextureRef)}}}
	dark := &asset.Scene{Materials: []*asset.Material{new(asset.Material)}}
	looks := scene.LookOcclusionTexture | scene.LookLightTexture
	if got := litRoom(&brushRoom, lit); got.TexCoords != 2 || got.Looks&looks != looks {
		t.Errorf("lit: %d, %b", got.TexCoords, got.Looks)
	}
	for _, s := range []*asset.Scene{dark, {}} {
		if got := litRoom(&brushRoom, s); got.TexCoords != 1 || got.Looks&looks != 0 || got.Looks|looks != brushRoom.Looks || got.Target != brushRoom.Target {
			t.Errorf("dark: %d, %b", got.TexCoords, got.Looks)
		}
	}
	if levelRoom.TexCoords != 2 || brushRoom.TexCoords != 2 {
		t.Errorf("%d and %d", levelRoom.TexCoords, brushRoom.TexCoords)
	}
}

// TestClassesByName: a class is one of the package, one of another that it imports, or one of the engine's.
func TestClassesByName(t *testing.T) {
	a := hall(t, 69)
	own := a.AddExport(0, 0, "Thing", unreal.ResourceFlags)
	put(t, a, own, &unreal.Class{})
	for name, want := range map[string]string{"Thing": "Thing", "THING": "Thing", "Room.thing": "Thing", "Hall.Thing": "Thing", "Elsewhere.Thing": "Class'Elsewhere.Thing'", "Engine.Mover": "Class'Engine.Mover'",
		"Light": "Class'Engine.Light'", "Wall": "", "Nothing": "", "a*b.Light": "", "Hall.a*b": ""} {
		if strings.HasPrefix(name, "Room.") { // the package goes by its file
			want = "Class'Room.Thing'"
		}
		r, err := a.classNamed(name)
		got := ""
		if err == nil {
			got = a.RefText(r)
		}
		if r == own {
			got = "Thing"
		}
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// TestTerms: names and imports that a package lacks are added, each where it lies; an import that lies in nothing at hand is not.
func TestTerms(t *testing.T) {
	a := made(t, 69)
	if err := a.addTerms([]string{"Fresh", "Core.Package'Bricks'", "Core.Package'Bricks.Red'", "Engine.Texture'Bricks.Red.Mortar'", "Engine.Texture'Gone.Far.Mortar'"}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range a.Imports {
		if text := a.RefText(unreal.Ref(-i - 1)); strings.Contains(text, "Bricks") || strings.Contains(text, "Mortar") {
			got = append(got, text)
		}
	}
	if want := "[Package'Bricks' Package'Bricks.Red' Texture'Bricks.Red.Mortar']"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
	if !slices.ContainsFunc(a.Names, func(n unreal.Name) bool { return n.Text == "Fresh" }) {
		t.Error("there is no name Fresh")
	}
	terms, meanings := a.terms(), a.meanings()
	for want, term := range map[string]bool{"Fresh": true, "Engine.Texture'Bricks.Red.Mortar'": true, "Core.Package'Bricks'": true, a.RefText(1): false, a.RefText(unreal.Ref(len(a.Exports))): false} {
		if slices.Contains(terms, want) != term || !slices.Contains(meanings, want) {
			t.Errorf("%s is not among the terms %q, or the meanings %q", want, terms, meanings)
		}
	}
	before := len(a.Imports)
	if err := a.addTerms([]string{"Core.Package'Bricks'", "Engine.Texture'Bricks.Red.Mortar'"}); err != nil || len(a.Imports) != before {
		t.Errorf("again: %d imports more, %v", len(a.Imports)-before, err)
	}
	for _, bad := range []string{"Texture'", "'x'", "Texture'Bricks.Mortar'", "Engine.Texture''", "Engine.Texture'Bricks..Mortar'", "a*b.Texture'Bricks'"} {
		if err := a.addTerms([]string{bad}); schema.Class(err) != schema.ErrValue || !strings.Contains(err.Error(), "neither a name nor an import") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// TestTruth: a property that is true or false has the size of its kind, and no bytes.
func TestTruth(t *testing.T) {
	a := hall(t, 69)
	for v, number := range map[bool]int32{true: 1, false: 0} {
		q, err := a.property(&RecordProperty{Name: "bHidden", Type: "Bool", Value: v}, nil, nil, 0)
		if err != nil || q.Type != unreal.BoolProperty || q.Number != number || q.SizeCode != 5 || q.Value != nil {
			t.Errorf("%v: %+v, %v", v, q, err)
		}
	}
}

// TestMissingTextures: text whose polygons wear what nobody has says so, once for each texture.
func TestMissingTextures(t *testing.T) {
	a, d := hall(t, 69), new(schema.Diagnostics)
	a.Env = &format.Env{Name: "Hall.unr", Diagnostics: d}
	if err := a.Add("text", []byte(strings.Replace(mapText, "Texture=Wall", "Texture=Gone", 1)), &t3dFormat); err != nil {
		t.Fatal(err)
	}
	for _, x := range d.All() {
		if x.Code == "texture-missing" && strings.Contains(x.Msg, "imports 1 textures of brushes (Gone)") {
			return
		}
	}
	t.Errorf("told %v", d.All())
}

// TestSilentProperties: what text cannot say of an actor stays where it is when the text comes back as it was.
func TestSilentProperties(t *testing.T) {
	a := hall(t, 69)
	r := a.FindExport("PlayerStart0", "PlayerStart")
	o, err := a.Object(int(r - 1))
	if err != nil {
		t.Fatal(err)
	}
	base := o.Base()
	base.Properties = append([]unreal.Property{{Name: a.AddName("Odd"), Type: unreal.MapProperty, Value: []byte{1, 2, 3}}}, base.Properties...)
	b, err := write.Object(o)
	if err == nil {
		err = a.File.Replace(int(r-1), b)
	}
	if err != nil {
		t.Fatal(err)
	}
	was := openBytes(t, "Hall.unr", written(t, a))
	a = openBytes(t, "Hall.unr", written(t, a))
	text := textOf(t, was)
	if err := a.Add("text", []byte(text), &t3dFormat); err != nil {
		t.Fatal(err)
	}
	if got := deeds(t, was, checked(t, a)); got != "" {
		t.Errorf("changed: %s", got)
	}
	if err := a.Add("text", []byte(strings.Replace(text, "X=5.000000", "X=9.000000", 1)), &t3dFormat); err != nil {
		t.Fatal(err)
	}
	now := checked(t, a)
	if got := deeds(t, was, now); got != "PlayerStart0" || actorAt(t, now, "PlayerStart0") != [3]float32{9, 6, 7} {
		t.Errorf("changed: %s, at %v", got, actorAt(t, now, "PlayerStart0"))
	}
	if x, err := now.Object(entry(t, now, "PlayerStart0")); err != nil || x.Base().Property("Odd", 0) == nil || string(x.Base().Property("Odd", 0).Value) != "\x01\x02\x03" {
		t.Errorf("the odd one is %+v, %v", x.Base().Properties, err)
	}
}

// TestObjectsOfText: the value of a property names an object of the text's own level, of the package, or none.
func TestObjectsOfText(t *testing.T) {
	a := hall(t, 69)
	lamp := a.FindExport("Light0", "Light")
	x := &t3dReader{a: a, level: &unreal.Level{}, refs: map[string]unreal.Ref{"light'lamp7'": lamp}, missing: map[string]bool{}}
	for text, want := range map[string]any{"None": "None", "none": "None", "": "None", "Light'MyLevel.Lamp7'": "Light'Light0'", "LIGHT'mylevel.LAMP7'": "Light'Light0'",
		"Light'MyLevel.Light1'": "Light'Light1'", "PlayerStart'MyLevel.PlayerStart0'": "PlayerStart'PlayerStart0'"} {
		if got, ok := x.object("Target", text); !ok || got != want {
			t.Errorf("%q is %v, %v, want %v", text, got, ok, want)
		}
	}
	if got, ok := x.object("Target", "Light'MyLevel.Gone'"); ok {
		t.Errorf("what is not there is %v", got)
	}
}
