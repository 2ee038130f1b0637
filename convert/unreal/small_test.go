package unreal

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/exchange/wav"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
	write "github.com/usher-assets/usher/write/unreal"
)

// TestRenamedPaths: what is renamed is told with its old path and its new one, what lies in it too, and nothing else; a name that
// another object of its group has is refused.
func TestRenamedPaths(t *testing.T) {
	rename := func(old, path string) func(a *archive) error {
		return func(a *archive) error { return a.rename(entry(t, a, old), path) }
	}
	for _, c := range []struct {
		name  string
		steps []func(a *archive) error
		want  string
		class error
	}{
		{"nothing", nil, "map[]", nil},
		{"a sound", []func(a *archive) error{rename("Beep", "Boop")}, "map[Beep:Boop]", nil},
		{"its own name", []func(a *archive) error{rename("Beep", "Beep")}, "map[]", nil},
		{"its own name in other letters, which are the same to the engine", []func(a *archive) error{rename("Beep", "BEEP")}, "map[Beep:BEEP]", nil},
		{"into a group", []func(a *archive) error{rename("Beep", "Walls/Boop")}, "map[Beep:Walls.Boop]", nil},
		{"into a new group", []func(a *archive) error{rename("Beep", "Noises.Boop")}, "map[Beep:Noises.Boop]", nil},
		{"out of its group", []func(a *archive) error{rename("Walls.Holes", "Holes")}, "map[Walls.Holes:Holes]", nil},
		{"a group", []func(a *archive) error{rename("Walls", "Floors")}, "map[Walls:Floors Walls.Board:Floors.Board Walls.Holes:Floors.Holes]", nil},
		{"with the class and number of a file", []func(a *archive) error{rename("Beep", "Boop@Sound5")}, "map[Beep:Boop]", nil},
		{"two", []func(a *archive) error{rename("Beep", "Boop"), rename("Walls.Board", "Walls.Plank")}, "map[Beep:Boop Walls.Board:Walls.Plank]", nil},
		{"one that is taken", []func(a *archive) error{rename("Walls.Board", "walls/HOLES")}, "map[]", schema.ErrMismatch},
		{"one of another group", []func(a *archive) error{rename("Walls.Board", "Walls.Beep")}, "map[Walls.Board:Walls.Beep]", nil},
		{"no name", []func(a *archive) error{rename("Beep", "./")}, "map[]", schema.ErrValue},
		{"a name that is none", []func(a *archive) error{rename("Beep", "a\x00b")}, "map[]", schema.ErrValue},
		{"a group that is none", []func(a *archive) error{rename("Beep", "a\x00b/c")}, "map[]", schema.ErrValue},
	} {
		a := openBytes(t, "Made.u", written(t, made(t, 69)))
		var err error
		for _, step := range c.steps {
			err = step(a)
		}
		got := map[string]string{}
		for old, now := range a.renamed() {
			if !strings.Contains(old, "@") && !strings.HasPrefix(old, "Palette") && !strings.Contains(old, ".Palette") { // those of the textures follow them
				got[old] = now
			}
		}
		if fmt.Sprint(got) != c.want || schema.Class(err) != c.class {
			t.Errorf("%s: %v, want %s: %v", c.name, got, c.want, err)
		}
		if err != nil {
			continue
		}
		again := openBytes(t, "Made.u", written(t, a))
		for _, now := range got {
			entry(t, again, now)
		}
	}
}

// TestLightMapBox: the box of the second texture coordinates of lit shapes alone, whichever way they reach.
func TestLightMapBox(t *testing.T) {
	lit := &asset.Material{OcclusionTexture: new(asset.TextureRef)}
	shape := func(m *asset.Material, uv ...[2]float32) *asset.Primitive {
		return &asset.Primitive{Positions: make([][3]float32, len(uv)), TexCoords: [][][2]float32{make([][2]float32, len(uv)), uv}, Material: m}
	}
	for _, c := range []struct {
		shapes []*asset.Primitive
		want   [4]float32
	}{
		{nil, [4]float32{}}, {[]*asset.Primitive{shape(lit, [2]float32{-1, -2}, [2]float32{3, 4})}, [4]float32{-1, -2, 3, 4}},
		{[]*asset.Primitive{shape(lit, [2]float32{1, 5}), shape(lit, [2]float32{-1, -3})}, [4]float32{-1, -3, 1, 5}},
		{[]*asset.Primitive{shape(new(asset.Material), [2]float32{9, 9}), shape(nil, [2]float32{9, 9}), {TexCoords: [][][2]float32{{{9, 9}}}, Material: lit}}, [4]float32{}},
	} {
		n := asset.NewNode("room")
		n.Mesh = &asset.Mesh{Primitives: c.shapes}
		if got := lightMapBox(&asset.Scene{Roots: []*asset.Node{n}, Meshes: []*asset.Mesh{n.Mesh}}); got != c.want {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
}

// TestStretch: the size of a brush changes along the axes that were scaled, the sheer stays, and what editors round changes nothing.
func TestStretch(t *testing.T) {
	for _, c := range []struct {
		was, now mgl64.Vec3 // in the axes of scenes
		stored   []byte
		want     [3]float32
		sheer    byte
		changed  bool
	}{
		{mgl64.Vec3{1, 1, 1}, mgl64.Vec3{2, 1, 1}, nil, [3]float32{1, 2, 1}, 0, true}, {mgl64.Vec3{1, 1, 1}, mgl64.Vec3{1, 3, 1}, nil, [3]float32{1, 1, 3}, 0, true}, {mgl64.Vec3{1, 1, 1}, mgl64.Vec3{1, 1, 4}, nil, [3]float32{4, 1, 1}, 0, true},
		{mgl64.Vec3{1, 1, 1}, mgl64.Vec3{1, 1, 1 + scene.ScaleTolerance/2}, nil, [3]float32{1, 1, 1}, 0, false}, {mgl64.Vec3{7, 8, 9}, mgl64.Vec3{7, 8, 9}, nil, [3]float32{1, 1, 1}, 0, false},
		{mgl64.Vec3{6, 7, 5}, mgl64.Vec3{6, 7, 2.123456}, append(floatBytes(5, 6, 7), 1, 2, 3, 4, 5), [3]float32{2.12346, 6, 7}, 5, true},
		{mgl64.Vec3{6, 7, 5}, mgl64.Vec3{-6, 7, 5}, append(floatBytes(5, 6, 7), 1, 2, 3, 4, 5), [3]float32{5, -6, 7}, 5, true},
	} {
		a := made(t, 69)
		o := &unreal.Object{Context: a.Context(0)}
		if c.stored != nil {
			o.SetStruct("MainScale", "Scale", c.stored)
		}
		if got := new(levelEdit).stretch(o, scene.Pose{Scale: c.was}, scene.Pose{Scale: c.now}); got != c.changed || mainScale(o) != c.want {
			t.Errorf("%v becomes %v: %v, %v", c.was, c.now, mainScale(o), got)
		}
		if p := o.Property("MainScale", 0); c.changed && (p == nil || len(p.Value) != 17 || p.Value[16] != c.sheer) {
			t.Errorf("%v becomes %v: %+v", c.was, c.now, p)
		}
	}
}

// TestMovedBase: the place and the turn that a mover starts from follow it; what has none gets none.
func TestMovedBase(t *testing.T) {
	a := made(t, 69)
	o := &unreal.Object{Context: a.Context(0)}
	moveBase(o, [3]float32{1, 2, 3}, [3]float32{9, 9, 9})
	turnBase(o, [3]int32{1, 2, 3}, [3]int32{9, 9, 9})
	if len(o.Properties) != 0 {
		t.Errorf("%+v", o.Properties)
	}
	o.SetStruct("BasePos", "Vector", floatBytes(10, 20, 30))
	o.SetStruct("BaseRot", "Rotator", rotatorBytes([3]int32{100, 200, 300}))
	moveBase(o, [3]float32{1, 2, 3}, [3]float32{9, 2, -3})
	turnBase(o, [3]int32{1, 2, 3}, [3]int32{9, 2, -3})
	if at, turn := property3(o, "BasePos", [3]float32{}), rotator(o, "BaseRot"); at != [3]float32{18, 20, 24} || turn != [3]int32{108, 200, 294} {
		t.Errorf("it starts from %v, turned %v", at, turn)
	}
}

// TestTextNeedsALevel: text of actors is laid into a level, and refused where there is none; the package stays as it was.
func TestTextNeedsALevel(t *testing.T) {
	a := made(t, 69)
	before := written(t, a)
	if err := a.addText([]byte("Begin Map\nBegin Actor Class=Light Name=Light7\nEnd Actor\nEnd Map\n")); schema.Class(err) != schema.ErrUnsupported || !strings.Contains(err.Error(), "no level to lay actors into") {
		t.Errorf("%v", err)
	}
	if string(written(t, a)) != string(before) {
		t.Error("the package is another one")
	}
	if err := a.editLevel(func(*unreal.Level) error { t.Error("there is a level"); return nil }); err != nil {
		t.Error(err)
	}
}

// TestTexturesOfText: a texture is found by its name or its path, in the package or among what it imports; none is no texture, and
// one that nobody has is remembered once.
func TestTexturesOfText(t *testing.T) {
	a := openBytes(t, "Made.u", written(t, made(t, 69)))
	a.Env = &format.Env{Name: "Made.u"}
	board := a.FindExport("Walls.Board", "Texture")
	imported := a.AddImport("Engine", "Texture", a.AddImport("Core", "Package", 0, "Bricks"), "Mortar")
	x := &t3dReader{a: a, missing: map[string]bool{}}
	for name, want := range map[string]unreal.Ref{"Board": board, "BOARD": board, "Made.Walls.Board": board, "Mortar": imported, "Bricks.Mortar": imported, "": 0, "None": 0, "none": 0, "Gone": 0, "Pyramid": 0} {
		if got := x.texture(name); got != want {
			t.Errorf("%q is %d, want %d", name, got, want)
		}
	}
	if got := fmt.Sprint(x.missing); got != "map[Gone:true Pyramid:true]" {
		t.Errorf("missing are %s", got)
	}
}

// TestEditedShapes: a brush whose polygon is another one in the text has its new polygon, and nothing else changes; the world is to
// be rebuilt, and no texture is missing.
func TestEditedShapes(t *testing.T) {
	a := openBytes(t, "Hall.unr", written(t, hall(t, 69)))
	a.Env = &format.Env{Name: "Hall.unr"}
	if err := a.Add("text", []byte(mapText), &t3dFormat); err != nil {
		t.Fatal(err)
	}
	was := openBytes(t, "Hall.unr", written(t, a))
	text := textOf(t, was)
	i := strings.Index(text, "Name=Wall9")
	k := i + strings.Index(text[i:], "Vertex ")
	line := text[k : k+strings.IndexAny(text[k:], "\r\n")]
	edited := text[:k] + strings.Replace(line, line[strings.LastIndexByte(line, ',')+1:], "+00777.000000", 1) + text[k+len(line):]
	now, d := openBytes(t, "Hall.unr", written(t, a)), new(schema.Diagnostics)
	now.Env = &format.Env{Name: "Hall.unr", Diagnostics: d}
	if err := now.Add("text", []byte(edited), &t3dFormat); err != nil {
		t.Fatal(err)
	}
	again := checked(t, now)
	if got := textOf(t, again); !strings.Contains(got, "+00777.000000") || len(got) != len(text) {
		t.Error("the polygon is not there")
	}
	if got := deeds(t, was, again); len(strings.Fields(got)) != 1 || !strings.Contains(got, "Polys") {
		t.Errorf("changed: %s", got)
	}
	if !d.Has("rebuild") || d.Has("texture-missing") {
		t.Errorf("told: %v", d.All())
	}
}

// TestSoundBits: the game plays sounds of 8 and 16 bits, which stay what they are; others become one of these.
func TestSoundBits(t *testing.T) {
	for bits, want := range map[int]int{8: 8, 16: 16, 24: 16} {
		a := made(t, 69)
		s := beep()
		s.Bits, s.Stored, s.Native = bits, nil, nil
		s.PCM = make([]byte, 400*s.Channels*bits/8)
		var w bytes.Buffer
		if err := wav.Encode(&w, s); err != nil {
			t.Fatal(err)
		}
		s.Stored = &asset.Stored{Encoding: wav.Encoding, Data: w.Bytes()} // it comes from such a file
		add(t, a, "Tone", s, format.Sound)
		x := lifted(t, openBytes(t, "Made.u", written(t, a)), "Tone").(*asset.Sound)
		if x.Bits != want || x.Rate != s.Rate || x.Frames() != 400 {
			t.Errorf("%d bits become %d, %d frames at %d", bits, x.Bits, x.Frames(), x.Rate)
		}
	}
}

// gsm is a WAV file of a codec that nobody decodes here, whose bytes are all the same.
func gsm(of byte) []byte {
	b := []byte("RIFF\x00\x00\x00\x00WAVEfmt \x14\x00\x00\x00\x31\x00\x01\x00\x40\x1F\x00\x00\x59\x06\x00\x00\x41\x00\x00\x00\x02\x00\x40\x01data\x82\x00\x00\x00")
	b = append(b, bytes.Repeat([]byte{of}, 130)...)
	b[4] = byte(len(b) - 8)
	return b
}

// TestSoundCodec: a sound in a codec is played in it, so that an edited one in the same codec is stored as it comes.
func TestSoundCodec(t *testing.T) {
	a := made(t, 69)
	x := &unreal.Sound{FileType: a.AddName("wav"), Data: gsm(1)}
	x.Context, x.End = &unreal.Context{Package: a.Package, Class: "Sound"}, a.AddName("None")
	b, err := write.Object(x)
	if err == nil {
		err = a.Add("Call", b, a.newLeaf(format.Sound))
	}
	if err != nil {
		t.Fatal(err)
	}
	a = openBytes(t, "Made.u", written(t, a))
	s := lifted(t, a, "Call").(*asset.Sound)
	s.Stored = &asset.Stored{Encoding: wav.Encoding, Data: gsm(2)}
	o, err := replaced(t, a, "Call", s).Object(entry(t, a, "Call"))
	if err != nil || !bytes.Equal(o.(*unreal.Sound).Data, gsm(2)) {
		t.Errorf("%v, %v", o, err)
	}
}

// TestStoredWhere: an entry says where its bytes lie, until they are others.
func TestStoredWhere(t *testing.T) {
	a := hall(t, 69)
	whole := written(t, a)
	a = openBytes(t, "Hall.unr", whole)
	for i, e := range a.Entries() {
		b, err := a.Payload(i)
		if err != nil || e.Offset < 0 || e.Size != int64(len(b)) || !bytes.Equal(whole[e.Offset:][:e.Size], b) {
			t.Errorf("%s: %d bytes at %d, %v", e.Path, e.Size, e.Offset, err)
		}
	}
	i := entry(t, a, "Wall")
	b, _ := a.Payload(i)
	if err := a.Replace(i, append(bytes.Clone(b), 0)); err != nil {
		t.Fatal(err)
	}
	if e := a.Entries()[i]; e.Offset >= 0 || e.Size != int64(len(b)+1) {
		t.Errorf("%d bytes at %d", e.Size, e.Offset)
	}
	n := len(a.Entries())
	fresh := a.AddExport(a.AddClass("Engine", "Texture"), 0, "Fresh", 0) // it has no entry yet
	if err := a.File.Replace(int(fresh-1), b); err != nil || len(a.Entries()) != n {
		t.Errorf("%d entries, %d before: %v", len(a.Entries()), n, err)
	}
}

// TestShapesAreNoActors: of what has a state, the shapes of brushes and the level are none of its actors.
func TestShapesAreNoActors(t *testing.T) {
	a := hall(t, 69)
	for name, want := range map[string]bool{"Light0": true, "Brush0": true, "Model0": false, "MyLevel": false, "Wall": false} {
		i := exportOf(t, a, name)
		if a.Exports[i].Flags |= unreal.HasStack; a.isActor(i) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}

// TestFirstIsTheLevel: the shapes of brushes are pieces of the level, wherever that stands.
func TestFirstIsTheLevel(t *testing.T) {
	x, _ := Create(&format.Env{Name: "Hall.unr"})
	a := x.(*archive)
	level := a.AddExport(a.AddClass("Engine", "Level"), 0, "MyLevel", unreal.ResourceFlags)
	put(t, a, level, &unreal.Level{})
	put(t, a, a.AddExport(a.AddClass("Engine", "Model"), 0, "Model0", unreal.ResourceFlags), &unreal.Model{RootOutside: 1})
	if i := entry(t, a, "Model0"); a.lead() != 0 || !a.piece(&a.Entries()[i]) || a.piece(&a.Entries()[0]) {
		t.Errorf("the level is entry %d", a.lead())
	}
}

// TestWriteAnything: what is no object of the engine is refused.
func TestWriteAnything(t *testing.T) {
	a := hall(t, 69)
	for i := range a.Entries() {
		if f := formatOf(a, i); f.Write != nil {
			if _, err := f.Write("a text"); err == nil {
				t.Errorf("%s takes a text", a.Entries()[i].Path)
			}
		}
	}
}

// TestTextOntoUnreadable: the polygons of a brush that cannot be read stay as they are.
func TestTextOntoUnreadable(t *testing.T) {
	x, _ := Create(&format.Env{Name: "First.u"}) // of one that is the first object the polygons come from the text
	first := x.(*archive)
	put(t, first, first.AddExport(first.AddClass("Engine", "Polys"), 0, "Polys0", 0), &unreal.Polys{})
	if o, err := first.polysFromText(0, &asset.Scene{Native: &asset.Native{Format: t3dName, Payload: []byte("Begin Polygon\nVertex 1,2,3\nEnd Polygon\n")}}); err != nil || len(o.(*unreal.Polys).Polys) != 1 {
		t.Errorf("%v, %v", o, err)
	}
	a := hall(t, 69)
	r := a.AddExport(a.AddClass("Engine", "Polys"), 0, "Polys9", 0)
	a.Exports[r-1].Data = []byte{0x3F}
	if o, err := a.polysFromText(int(r-1), &asset.Scene{Native: &asset.Native{Format: t3dName}}); err == nil {
		t.Errorf("%v", o)
	}
}

// TestUnreadableZones: boxes of zones need all parts of a level's shape.
func TestUnreadableZones(t *testing.T) {
	a := hall(t, 61)
	i := exportOf(t, a, "Model0")
	o, err := a.Object(i)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.zoneBoxes(o); err != nil {
		t.Error(err)
	}
	a.Exports[exportOf(t, a, "Verts0")].Data = []byte{0x3F}
	if all, err := a.zoneBoxes(o); err == nil {
		t.Errorf("boxes %v", all)
	}
}

// TestTexturesOfLevels: textures of a level that are not at hand are told of, in one line.
func TestTexturesOfLevels(t *testing.T) {
	a := hall(t, 69)
	i := exportOf(t, a, "Model0")
	m, err := pack.As[unreal.Model](a.File, i)
	if err != nil {
		t.Fatal(err)
	}
	m.Surfs[0].Texture = a.AddImport("Engine", "Texture", a.AddImport("Core", "Package", 0, "Elsewhere"), "Tile")
	put(t, a, unreal.Ref(i+1), m)
	a = openBytes(t, "Hall.unr", written(t, a))
	d := new(schema.Diagnostics)
	level := entry(t, a, "MyLevel")
	if _, err := formatOf(a, level).Lift(mustObject(t, a, level), &format.Env{Archive: a, Diagnostics: d}); err != nil {
		t.Fatal(err)
	}
	told := 0
	for _, x := range d.All() {
		if x.Code == "texture-missing" && x.Severity == schema.Warning && strings.Contains(x.Msg, "Elsewhere") {
			told++
		}
	}
	if told != 1 {
		t.Errorf("told %d times: %v", told, d.All())
	}
}

func mustObject(t *testing.T, a *archive, i int) unreal.AnyObject {
	t.Helper()
	o, err := a.Object(i)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// TestBareParts: of a sound without samples and a texture without pixels comes what is known of them, with the reason.
func TestBareParts(t *testing.T) {
	a := made(t, 69)
	for path, empty := range map[string]func(o unreal.AnyObject){"Beep": func(o unreal.AnyObject) { o.(*unreal.Sound).Data = nil }, "Walls.Board": func(o unreal.AnyObject) { o.(*unreal.Texture).Mips = nil }} {
		i := entry(t, a, path)
		o := mustObject(t, a, i)
		empty(o)
		x, err := formatOf(a, i).Lift(o, &format.Env{})
		if schema.Class(err) != schema.ErrBare || x == nil {
			t.Errorf("%s: %v, %v", path, x, err)
		}
	}
	if _, err := formatOf(a, entry(t, a, "Beep")).Lower(&asset.Sound{Stored: &asset.Stored{Encoding: "mod", Data: module()}}, &format.Env{}); schema.Class(err) != schema.ErrUnsupported {
		t.Errorf("a module as a sound: %v", err)
	}
}

// TestTooBright: a light that asks for more than bytes hold is told of.
func TestTooBright(t *testing.T) {
	for intensity, want := range map[float32]bool{50: false, 1e9: true} {
		a := hall(t, 69)
		a.Env.Diagnostics = new(schema.Diagnostics)
		scened(t, a, func(s *asset.Scene) {
			n := asset.NewNode("Lamp")
			n.Light = asset.NewLight(asset.PointLight)
			n.Light.Range, n.Light.Intensity = 16, intensity
			s.Roots = append(s.Roots, n)
		})
		if a.Env.Diagnostics.Has("light-cut") != want {
			t.Errorf("%v candela: %v", intensity, a.Env.Diagnostics.All())
		}
	}
}

// TestDrawScale: an actor has one number for its size: the mean of three, which is told where they differ.
func TestDrawScale(t *testing.T) {
	for scale, want := range map[[3]float64]float32{{1, 1, 1}: 0, {2, 2, 2}: 2, {1, 2, 4.5}: 2.5, {4.5, 1, 2}: 2.5, {-3, 3, 3}: 3, {1.00001, 1, 1}: 0} {
		e, o := &levelEdit{}, &unreal.Object{Context: &unreal.Context{Package: new(unreal.Package)}}
		changed := e.scale(o, scene.Pose{Scale: mgl64.Vec3{1, 1, 1}}, scene.Pose{Scale: scale}, "Rock")
		if got := math.Float32frombits(uint32(o.Number("DrawScale", 0))); got != want || changed != (want != 0) || (e.uneven.Count > 0) != (scale[0] < 0 || want == 2.5) {
			t.Errorf("%v: %v, changed %v, uneven %d", scale, got, changed, e.uneven.Count)
		}
	}
}

// TestLampOf: the bytes of a light are all there and bytes, or it has none.
func TestLampOf(t *testing.T) {
	whole := map[string]any{}
	for _, f := range lampFields {
		whole[f.key] = 7.0
	}
	for v, want := range map[any]bool{0.0: true, 255.0: true, 256.0: false, -1.0: false, "7": false, nil: false} {
		for key := range whole {
			m := maps.Clone(whole)
			m[key] = v
			if l, ok := lampOf(m); ok != want || ok && l == (lamp{}) {
				t.Errorf("%s %v: %v, %v", key, v, l, ok)
			}
		}
	}
}

// TestOneLightStays: a scene without its one light is told that the level keeps it.
func TestOneLightStays(t *testing.T) {
	a := hall(t, 69)
	if err := a.Remove(entry(t, a, "Light1")); err != nil {
		t.Fatal(err)
	}
	a = openBytes(t, "Hall.unr", written(t, a))
	for _, dark := range []bool{false, true} {
		d := new(schema.Diagnostics)
		a.Env.Diagnostics = d
		scened(t, a, func(s *asset.Scene) {
			if dark {
				takeNode(t, s, "Light0_light")
			}
		})
		if d.Has("lights-kept") != dark {
			t.Errorf("dark %v: %v", dark, d.All())
		}
	}
}
