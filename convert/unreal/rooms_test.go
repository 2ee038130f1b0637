package unreal

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/look"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// TestPropertyText: what text says of a property of each type, and what it cannot say.
func TestPropertyText(t *testing.T) {
	a := hall(t, 69)
	float := func(x float32) int32 { return int32(math.Float32bits(x)) }
	lamp := int32(a.FindExport("Light0", "Light"))
	for _, c := range []struct {
		name  string
		q     unreal.Property
		want  string
		known bool
	}{
		{"Count", unreal.Property{Type: unreal.IntProperty, Number: -3}, "-3", true},
		{"Count", unreal.Property{Type: unreal.IntProperty, Value: []byte{1}}, "0", false},
		{"LightHue", unreal.Property{Type: unreal.ByteProperty, Number: 40}, "40", true},
		{"LightType", unreal.Property{Type: unreal.ByteProperty, Number: 2}, "LT_Pulse", true},
		{"LightType", unreal.Property{Type: unreal.ByteProperty, Value: []byte{}}, "LT_None", false},
		{"bOn", unreal.Property{Type: unreal.BoolProperty, Number: 1}, "True", true},
		{"bOn", unreal.Property{Type: unreal.BoolProperty}, "False", true},
		{"Size", unreal.Property{Type: unreal.FloatProperty, Number: float(1.5)}, "1.500000", true},
		{"Size", unreal.Property{Type: unreal.FloatProperty, Number: float(1.5), Value: []byte{1}}, "1.500000", false},
		{"Size", unreal.Property{Type: unreal.FloatProperty, Number: float(float32(math.Inf(1)))}, "", false},
		{"Target", unreal.Property{Type: unreal.ObjectProperty, Number: lamp}, "Light'MyLevel.Light0'", true},
		{"Target", unreal.Property{Type: unreal.ObjectProperty, Number: 9999}, "", false},
		{"Target", unreal.Property{Type: unreal.ObjectProperty}, "None", true},
		{"Tag", unreal.Property{Type: unreal.NameProperty, Number: int32(a.AddName("Lamps"))}, "Lamps", true},
		{"Tag", unreal.Property{Type: unreal.NameProperty, Number: 99999}, "", false},
	} {
		c.q.Name = a.AddName(c.name)
		if got, ok := a.propertyText(&c.q); ok != c.known || got != c.want && c.want != "" {
			t.Errorf("%s of type %s: %q, %v, want %q, %v", c.name, c.q.Type, got, ok, c.want, c.known)
		}
	}
}

// TestMips: a procedural texture's sizes are powers of two, and come without pixels.
func TestMips(t *testing.T) {
	for _, c := range []struct {
		value any
		want  []unreal.Mip
		err   string
	}{
		{nil, nil, ""},
		{[]any{}, nil, ""},
		{[]any{[]any{8.0, 1.0, 0.0}, []any{4.0, 2.0, 0.0}}, []unreal.Mip{{USize: 8, VSize: 1, UBits: 3}, {USize: 4, VSize: 2, UBits: 2, VBits: 1}}, ""},
		{"8x8", nil, "expected a list of [width, height, bytes]"},
		{[]any{[]any{8.0, 8.0}}, nil, "mip 0: expected [width, height, bytes]"},
		{[]any{[]any{8.0, 8.0, 0.0}, []any{0.0, 8.0, 0.0}}, nil, "mip 1: [0 8 0] is no size"},
		{[]any{[]any{8.0, 6.0, 0.0}}, nil, "mip 0: [8 6 0] is no size"},
		{[]any{[]any{8.0, -8.0, 0.0}}, nil, "is no size"},
		{[]any{[]any{1.5, 8.0, 0.0}}, nil, "is no size"},
		{[]any{[]any{8.0, "8", 0.0}}, nil, "is no size"},
		{[]any{[]any{8.0, 8.0, "x"}}, nil, "is no size"},
		{[]any{[]any{8.0, 8.0, 1.0}}, nil, "mip 0 has 1 bytes of pixels"},
	} {
		o := &unreal.Texture{}
		err := newMips(o, c.value)
		if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) || c.err == "" && len(o.Mips) != len(c.want) {
			t.Errorf("%v: %v, %v, want %v, %q", c.value, o.Mips, err, c.want, c.err)
			continue
		}
		for i := range c.want {
			if m := o.Mips[i]; m.USize != c.want[i].USize || m.VSize != c.want[i].VSize || m.UBits != c.want[i].UBits || m.VBits != c.want[i].VBits {
				t.Errorf("%v: %+v, want %+v", c.value, m, c.want[i])
			}
		}
	}
}

// TestWallKeys: a triangle is the same whichever corner comes first, and another one from its other side or a sixteenth away.
func TestWallKeys(t *testing.T) {
	corners := [][3]float32{{1, 2, 3}, {1, -2, 3}, {1, 2, -3.01}, {0, 5, 5}}
	for i, a := range corners {
		for j, b := range corners {
			for k, c := range corners {
				if i == j || j == k || i == k {
					continue
				}
				if x, y, z := wallKeyOf(a, b, c), wallKeyOf(b, c, a), wallKeyOf(c, a, b); x != y || x != z {
					t.Errorf("%v, %v, %v: %v, %v, %v", a, b, c, x, y, z)
				}
				if wallKeyOf(a, b, c) == wallKeyOf(a, c, b) {
					t.Errorf("%v, %v, %v is its own other side", a, b, c)
				}
				d := c
				if d[1] += 1.0 / 16; wallKeyOf(a, b, c) == wallKeyOf(a, b, d) {
					t.Errorf("%v is %v", c, d)
				}
				if d[1] = c[1] + 0.01; wallKeyOf(a, b, c) != wallKeyOf(a, b, d) {
					t.Errorf("%v is not %v", c, d)
				}
			}
		}
	}
}

// TestPartPlace: where an actor's mesh is beside its node: as the node says, or as the level showed it.
func TestPartPlace(t *testing.T) {
	at := func(x float32) asset.Transform { t := asset.Identity; t.Translation[0] = x; return t }
	native := func(name string, place asset.Transform) *asset.Native {
		n := &asset.Native{Format: name, Values: map[string]any{}}
		scene.SetShown(n, partKey, shownAt(&place))
		return n
	}
	flat := at(4)
	flat.Scale = [3]float32{}
	shown := func(place asset.Transform, mesh bool) *asset.Node {
		n, part := asset.NewNode("was"), asset.NewNode("part")
		if part.Transform = place; mesh {
			part.Mesh = &asset.Mesh{}
		}
		n.Children = []*asset.Node{part}
		return n
	}
	for _, c := range []struct {
		name     string
		native   *asset.Native
		was      *asset.Node
		x        float64
		kept, ok bool
	}{
		{"the node says so", native(levelName, at(2)), shown(at(3), true), 2, true, true},
		{"a node that has no area", native(levelName, flat), shown(at(3), true), 4, false, false},
		{"the level showed it", &asset.Native{Format: levelName}, shown(at(3), true), 3, false, true},
		{"the level showed it without area", nil, shown(flat, true), 4, false, false},
		{"the node is of elsewhere", native("other", at(2)), shown(at(3), true), 3, false, true},
		{"no mesh", nil, shown(at(3), false), 0, false, false},
		{"nothing below", nil, asset.NewNode("was"), 0, false, false},
		{"no actor", nil, nil, 0, false, false},
	} {
		e := &levelEdit{was: map[unreal.Ref]*asset.Node{}}
		if c.was != nil {
			e.was[7] = c.was
		}
		m, kept, ok := e.partPlace(standing{&asset.Node{Native: c.native}, 7})
		if m[12] != c.x || kept != c.kept || ok != c.ok {
			t.Errorf("%s: %v, kept %v, %v", c.name, m[12], kept, ok)
		}
	}
}

// TestLampChannels: the colours between the colours of light, and how saturation draws them to white.
func TestLampChannels(t *testing.T) {
	for _, c := range []struct {
		hue, saturation uint8
		want            [3]float64
	}{
		{0, 0, [3]float64{1, 0, 0}}, {0, 80, [3]float64{1, 32. / 104, 32. / 104}}, {0, 81, [3]float64{1, 34.4 / 104, 34.4 / 104}}, {0, 249, [3]float64{1, 101.6 / 104, 101.6 / 104}},
		{0, 250, [3]float64{1, 1, 1}}, {34, 0, [3]float64{0.6, 0.4, 0}}, {119, 0, [3]float64{0, 0.6, 0.4}}, {204, 0, [3]float64{0.4, 0, 0.6}}, {34, 80, [3]float64{0.6 + 12.8/104, 0.4 + 19.2/104, 32. / 104}},
	} {
		got := lampChannels(c.hue, c.saturation)
		for k := range got {
			if math.Abs(float64(got[k])-c.want[k]) > 1e-5 {
				t.Errorf("%d, %d: %v, want %v", c.hue, c.saturation, got, c.want)
			}
		}
	}
}

// TestAmbientOfNothing: what is no zone gives no light.
func TestAmbientOfNothing(t *testing.T) {
	a := hall(t, 69)
	w := a.lamps()
	for _, zone := range []unreal.Ref{0, -1, unreal.Ref(len(a.Exports) + 1), 9999} {
		if got := w.ambient(zone); got != (mgl32.Vec3{}) {
			t.Errorf("zone %d gives %v", zone, got)
		}
	}
}

// TestIndexOfProperties: elements of arrays are counted up to a bound.
func TestIndexOfProperties(t *testing.T) {
	a := hall(t, 69)
	for index, class := range map[int]error{0: nil, 7: nil, maxIndex: nil, maxIndex + 1: schema.ErrRange, -1: schema.ErrRange} {
		q, err := a.property(&RecordProperty{Name: "Weight", Type: "Int", Index: index, Value: 3.0}, nil, nil, 0)
		if schema.Class(err) != class || err == nil && (int(q.Index) != index || q.Number != 3) {
			t.Errorf("%d: %+v, %v", index, q, err)
		}
	}
}

// TestOddTypesStay: a property of another type than elsewhere is told of where somebody adds it, not where it is edited.
func TestOddTypesStay(t *testing.T) {
	odd := []RecordProperty{{Name: "LightEffect", Type: "Int", Value: 1.0}}
	for _, c := range []struct {
		was  []RecordProperty
		told bool
	}{{nil, true}, {[]RecordProperty{{Name: "lighteffect", Type: "Int", Value: 2.0}}, false}, {[]RecordProperty{{Name: "LightEffect", Type: "Byte", Value: 2.0}}, true}, {[]RecordProperty{{Name: "Weight", Type: "Int", Value: 2.0}}, true}} {
		a := hall(t, 69)
		a.Env.Diagnostics = new(schema.Diagnostics)
		a.checkProperties("Light0", c.was, odd)
		if got := warnings(a, "property-type"); (got != "") != c.told {
			t.Errorf("after %+v: %q", c.was, got)
		}
	}
}

// TestSourceAsText: a source file is no class where it is added, and is what it was where it is edited.
func TestSourceAsText(t *testing.T) {
	a := made(t, 69)
	for i, told := range map[int]bool{-1: true, 0: false, 1: false} {
		for _, extension := range []string{".uc", ".txt"} {
			d := new(schema.Diagnostics)
			if got := a.scriptOf(i, &unreal.TextBuffer{}, &asset.Text{Name: "Lamp", Body: "class Lamp;", Extension: extension}, &format.Env{Diagnostics: d}); got != "class Lamp;" || d.Has("no-class") != (told && extension == ".uc") {
				t.Errorf("%d, %s: %q, told %v", i, extension, got, d.All())
			}
		}
	}
}

// TestFirstExports: what a package has at its first place is found as well as what follows.
func TestFirstExports(t *testing.T) {
	x, err := Create(&format.Env{Name: "Room.unr"})
	if err != nil {
		t.Fatal(err)
	}
	a := x.(*archive)
	level := a.AddExport(a.AddClass("Engine", "Level"), 0, "MyLevel", unreal.LoadFlags)
	lamp := a.AddExport(a.AddClass("Engine", "Light"), 0, "Light0", unreal.LoadFlags)
	put(t, a, level, &unreal.Level{Actors: []unreal.Ref{lamp}, Capacity: 1})
	if got := a.actors(); level != 1 || !got[lamp] || len(got) != 1 {
		t.Errorf("the actors of level %d are %v", level, got)
	}

	b := newArchive(pack.Scratch())
	polys := b.AddExport(b.AddClass("Engine", "Polys"), 0, "Polys0", unreal.LoadFlags)
	put(t, b, polys, &unreal.Polys{Polys: []unreal.Poly{{Vertices: [][3]float32{{0, 0, 0}, {8, 0, 0}, {0, 8, 0}}, Normal: [3]float32{0, 0, 1}}}, Capacity: 1})
	m := &unreal.Model{Polys: polys}
	m.Context = b.Context(int(polys - 1))
	mesh, err := b.modelMesh(m, "brush", look.NewSkins(b.File, &asset.Scene{}, b.Env), nil, nil)
	if err != nil || mesh == nil || polys != 1 {
		t.Errorf("the shape of a brush of export %d is %v, %v", polys, mesh, err)
	}
}

// TestNewActorsOfText: actors of a text name each other, whichever comes first; textures of packages that nobody has are imported.
func TestNewActorsOfText(t *testing.T) {
	a := hall(t, 69)
	text := "Begin Map\r\nBegin Actor Class=PlayerStart Name=Start7\r\n    Target=Light'MyLevel.Lamp7'\r\nEnd Actor\r\nBegin Actor Class=Light Name=Lamp7\r\n    Target=PlayerStart'MyLevel.Start7'\r\nEnd Actor\r\nEnd Map\r\n"
	if err := a.addText([]byte(text)); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[[2]string][2]string{{"Start7", "PlayerStart"}: {"Lamp7", "Light"}, {"Lamp7", "Light"}: {"Start7", "PlayerStart"}} {
		o, err := a.Object(int(a.FindExport(name[0], name[1]) - 1))
		if err != nil || o.Base().Ref("Target") != a.FindExport(target[0], target[1]) || o.Base().Ref("Target") <= 0 {
			t.Errorf("%s looks at %d, %v", name[0], o.Base().Ref("Target"), err)
		}
	}
	x := &t3dReader{a: a, missing: map[string]bool{}}
	if r := x.texture("Faraway.Walls.Stone"); r >= 0 || a.RefText(r) != "Texture'Faraway.Walls.Stone'" || len(x.missing) > 0 {
		t.Errorf("a texture of another package is %d, missing are %v", r, x.missing)
	}
}

// TestShapesOfText: a new brush has a shape of its own, in parts where the package is an old one.
func TestShapesOfText(t *testing.T) {
	for _, version := range []uint16{60, unreal.LazyVersion - 1, unreal.LazyVersion, 69} {
		a := hall(t, version)
		if err := a.addText([]byte(mapText)); err != nil {
			t.Fatal(err)
		}
		r := a.FindExport("Wall9", "Brush")
		o, err := a.Object(int(r - 1))
		if err != nil {
			t.Fatal(err)
		}
		m, err := pack.As[unreal.Model](a.File, int(o.Base().Ref("Brush")-1))
		if err != nil || (m.Old != nil) != (version < unreal.LazyVersion) || m.Polys <= 0 || m.Box.Valid != 1 {
			t.Errorf("version %d: %+v, %v", version, m, err)
		}
	}
}

// TestBrushScale: a brush whose shape the level lacks has the scale that it says, along the axes of the level.
func TestBrushScale(t *testing.T) {
	for name, want := range map[string][3]float32{"Brush0": {3, 4, 2}, "PlayerStart0": {1, 1, 1}} {
		a := hall(t, 69)
		class := map[string]string{"Brush0": "Brush", "PlayerStart0": "PlayerStart"}[name]
		change(t, a, name, func(o *unreal.Object) {
			if class == "Brush" {
				o.Set("Brush", unreal.ObjectProperty, int32(a.FindExport("Model0", "Model")))
			}
			o.SetStruct("MainScale", "Scale", append(floatBytes(2, 3, 4), 0, 0, 0, 0, 0))
		})
		if n := a.nodeOf(a.FindExport(name, class)); n.Transform.Scale != want {
			t.Errorf("%s is shown with %v, want %v", name, n.Transform.Scale, want)
		}
	}
}

// TestSettingsOfNewTextures: a new texture takes the settings that its picture brings, but for objects of another package.
func TestSettingsOfNewTextures(t *testing.T) {
	a := hall(t, 69)
	setting := func(name, kind string, value any) any {
		return map[string]any{"Name": name, "Type": kind, "Value": value}
	}
	wall := a.RefText(a.FindExport("Wall", "Texture"))
	for _, c := range []struct {
		class unreal.Ref
		value any
		want  string
		told  string
	}{
		{0, []any{setting("Detail", "Object", wall), setting("bNoSmooth", "Bool", true)}, "Detail bNoSmooth", ""},
		{0, []any{setting("Detail", "Object", "Texture'Gone.Away'"), setting("bNoSmooth", "Bool", true)}, "bNoSmooth", "setting"},
		{a.AddClass("Engine", "Texture"), []any{setting("Detail", "Object", "Texture'Gone.Away'")}, "Detail", ""},
		{0, []any{setting("USize", "Int", 9.0), setting("bNoSmooth", "Bool", true)}, "bNoSmooth", ""},
		{0, nil, "", ""},
	} {
		d := new(schema.Diagnostics)
		o := &unreal.Object{Context: a.Context(0)}
		if err := a.applySettings(o, c.class, c.value, d); err != nil {
			t.Errorf("%v: %v", c.value, err)
		}
		var names, codes []string
		for i := range o.Properties {
			names = append(names, a.Name(o.Properties[i].Name))
		}
		for _, x := range d.All() {
			codes = append(codes, x.Code)
		}
		if strings.Join(names, " ") != c.want || strings.Join(codes, " ") != c.told {
			t.Errorf("%v: %v, told %v, want %s, %s", c.value, names, codes, c.want, c.told)
		}
	}
	if err := a.applySettings(&unreal.Object{Context: a.Context(0)}, 0, "bNoSmooth", nil); schema.Class(err) != schema.ErrValue {
		t.Errorf("what is no list: %v", err)
	}
}

// TestColours: a palette has 1 to 256 colours, and says nothing else.
func TestColours(t *testing.T) {
	colours := func(n int) []any {
		list := make([]any, n)
		for i := range list {
			list[i] = "#01020304"
		}
		return list
	}
	opaque := &unreal.Palette{}
	if err := editColors(opaque, map[string]any{"colors": []any{"#010203"}}); err != nil || opaque.Colors[0] != [4]uint8{1, 2, 3, 255} {
		t.Errorf("without alpha %v, %v", opaque.Colors, err)
	}
	for _, c := range []struct {
		name  string
		value map[string]any
		count int
		class error
	}{
		{"one", map[string]any{"colors": colours(1)}, 1, nil}, {"all", map[string]any{"colors": colours(256)}, 256, nil}, {"too many", map[string]any{"colors": colours(257)}, 0, schema.ErrValue},
		{"none", map[string]any{"colors": colours(0)}, 0, schema.ErrValue}, {"no list", map[string]any{"colors": "#010203"}, 0, schema.ErrValue}, {"nothing", map[string]any{}, 0, schema.ErrValue},
		{"opaque", map[string]any{"colors": []any{"#010203", "#01020304"}}, 2, nil},
		{"no colour", map[string]any{"colors": []any{"red"}}, 0, schema.ErrValue}, {"a number", map[string]any{"colors": []any{3.0}}, 0, schema.ErrValue},
	} {
		o := &unreal.Palette{}
		if err := editColors(o, c.value); schema.Class(err) != c.class || err == nil && (len(o.Colors) != c.count || o.Colors[c.count-1] != [4]uint8{1, 2, 3, 4}) {
			t.Errorf("%s: %d colours, %v", c.name, len(o.Colors), err)
		}
	}
}

// TestEditedTwice: an actor that was edited in the scene of its level and in a file of its own is told of, of several each.
func TestEditedTwice(t *testing.T) {
	a := hall(t, 69)
	a.Env.Diagnostics = new(schema.Diagnostics)
	s := lifted(t, a, "MyLevel").(*asset.Scene)
	for _, name := range []string{"Light0", "PlayerStart0"} {
		n, _ := nodeNamed(t, s, name)
		n.Transform.Translation[1] += 20
	}
	scenedWith(t, a, s)
	for _, name := range []string{"Light0", "PlayerStart0", "Light1"} {
		i := entry(t, a, name)
		b, err := formatOf(a, i).Write(recordOf(t, a, name))
		if err == nil {
			err = a.Replace(i, b)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var told []string
	for _, x := range a.Env.Diagnostics.All() {
		if x.Code == "edited-twice" {
			told = append(told, x.Path)
		}
	}
	if got := strings.Join(told, " "); got != "Light'Light0' PlayerStart'PlayerStart0'" {
		t.Errorf("told of %s", got)
	}
}

// TestPlacesOfCharacters: the characters of a font can be edited, and its pages stay as many as they are.
func TestPlacesOfCharacters(t *testing.T) {
	page := func(list ...unreal.Char) []unreal.Char { return list }
	a, b := unreal.Char{StartU: 1, StartV: 2, USize: 3, VSize: 4}, unreal.Char{StartU: 5, StartV: 6, USize: 7, VSize: 8}
	value := func(pages ...[]unreal.Char) any {
		var list []any
		for _, p := range pages {
			var one []any
			for _, c := range p {
				one = append(one, []any{float64(c.StartU), float64(c.StartV), float64(c.USize), float64(c.VSize)})
			}
			list = append(list, one)
		}
		return list
	}
	for _, version := range []uint16{unreal.CountedVersion - 1, unreal.CountedVersion} {
		f := func() *unreal.Font {
			f := &unreal.Font{}
			f.Context = &unreal.Context{Package: &unreal.Package{Version: version}}
			if version < unreal.CountedVersion {
				f.Characters = page(a)
			} else {
				f.Pages = []unreal.FontPage{{Characters: page(a)}, {Characters: page(b)}}
			}
			return f
		}
		now := func(f *unreal.Font) (all [][]unreal.Char) {
			if version < unreal.CountedVersion {
				return [][]unreal.Char{f.Characters}
			}
			for _, p := range f.Pages {
				all = append(all, p.Characters)
			}
			return all
		}
		was := now(f())
		more, fewer := append(slices.Clone(was), page(b)), was[:len(was)-1]
		others := slices.Clone(was)
		others[0] = page(b, a)
		for _, c := range []struct {
			value any
			want  [][]unreal.Char
		}{{nil, was}, {value(was...), was}, {value(others...), others}, {value(more...), nil}, {value(fewer...), nil}, {"pages", nil}} {
			x := f()
			err := setCharacters(x, c.value)
			if (err == nil) != (c.want != nil) || err == nil && fmt.Sprint(now(x)) != fmt.Sprint(c.want) || err != nil && schema.Class(err) != schema.ErrValue {
				t.Errorf("version %d, %v: %v, %v, want %v", version, c.value, now(x), err, c.want)
			}
		}
	}
}

// TestWhereBuilt: what the editor built of a level is for the editor to build again.
func TestWhereBuilt(t *testing.T) {
	a := hall(t, 69)
	for class, built := range map[string]bool{"Model": true, "Level": true, "LevelInfo": false, "Texture": false, "Light": false} {
		name := map[string]string{"Model": "Model0", "Level": "MyLevel", "LevelInfo": "LevelInfo0", "Texture": "Wall", "Light": "Light0"}[class]
		if got := a.whereBuilt(a.FindExport(name, class)); (got != "") != built || built && !strings.Contains(got, "rebuild") {
			t.Errorf("a %s: %q", class, got)
		}
	}
}

// TestReshapedMovers: a text gives brushes another shape, and movers as long as nothing was built of them.
func TestReshapedMovers(t *testing.T) {
	for _, c := range []struct {
		class     string
		built     bool
		reshapes  bool
		untouched bool
	}{{"Brush", false, true, false}, {"Brush", true, true, false}, {"Mover", false, true, false}, {"Mover", true, false, false}, {"Mover", true, false, true}, {"Brush", false, false, true}} {
		a := hall(t, 69)
		text := strings.Replace(mapText, "Class=Brush Name=Wall9", "Class="+c.class+" Name=Wall9", 1)
		if err := a.addText([]byte(text)); err != nil {
			t.Fatal(err)
		}
		o, err := a.Object(int(a.FindExport("Wall9", c.class) - 1))
		if err != nil {
			t.Fatal(err)
		}
		model := o.Base().Ref("Brush")
		m, err := pack.As[unreal.Model](a.File, int(model-1))
		if err != nil {
			t.Fatal(err)
		}
		if c.built {
			room, err := pack.As[unreal.Model](a.File, int(a.FindExport("Model0", "Model")-1))
			if err != nil {
				t.Fatal(err)
			}
			m.Nodes, m.Surfs, m.Verts, m.Points, m.Vectors = room.Nodes, room.Surfs, room.Verts, room.Points, room.Vectors
			if err := a.Store(int(model-1), m); err != nil {
				t.Fatal(err)
			}
		}
		shape := func() string {
			p, err := pack.As[unreal.Polys](a.File, int(m.Polys-1))
			if err != nil {
				t.Fatal(err)
			}
			return fmt.Sprintf("%+v", p.Polys)
		}
		before := shape()
		if !c.untouched {
			text = strings.Replace(text, "+00064.500000", "+00777.000000", 1)
		}
		if err := a.addText([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if got := shape() != before; got != c.reshapes {
			t.Errorf("%+v: reshaped %v", c, got)
		}
	}
}

// TestAmbientLight: the light of a zone is what it says of it; what it does not say is dark, red and pale.
func TestAmbientLight(t *testing.T) {
	for _, c := range []struct {
		says map[string]int32
		want mgl32.Vec3
	}{
		{nil, mgl32.Vec3{}}, {map[string]int32{"AmbientHue": 85, "AmbientSaturation": 0}, mgl32.Vec3{}}, {map[string]int32{"AmbientBrightness": 255}, mgl32.Vec3{0.816, 0.816, 0.816}},
		{map[string]int32{"AmbientBrightness": 255, "AmbientSaturation": 0}, mgl32.Vec3{0.816, 0, 0}}, {map[string]int32{"AmbientBrightness": 255, "AmbientSaturation": 0, "AmbientHue": 85}, mgl32.Vec3{0, 0.816, 0}},
	} {
		a := hall(t, 69)
		change(t, a, "LevelInfo0", func(o *unreal.Object) {
			for name, n := range c.says {
				o.Set(name, unreal.ByteProperty, n)
			}
		})
		if got := a.lamps().ambient(a.FindExport("LevelInfo0", "LevelInfo")); !got.ApproxEqualThreshold(c.want, 1e-3) {
			t.Errorf("%v: %v, want %v", c.says, got, c.want)
		}
	}
}

// TestNamedAgain: a package is not written in which something names what was removed, since a later edit put it there.
func TestNamedAgain(t *testing.T) {
	for _, again := range []bool{false, true} {
		a := hall(t, 69)
		start := entry(t, a, "PlayerStart0")
		payload, err := a.Payload(start)
		if err == nil {
			payload = slices.Clone(payload)
			err = a.removeAll([]int{entry(t, a, "Light0")})
		}
		if err == nil && again {
			err = a.Replace(entry(t, a, "PlayerStart0"), payload)
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.WriteTo(io.Discard); again != (schema.Class(err) == schema.ErrUnsupported) || !again && err != nil {
			t.Errorf("named again %v: %v", again, err)
		}
	}
}
