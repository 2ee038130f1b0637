package unreal

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/unreal/mesh"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// TestChainOfColours: the frames of an animation whose textures have palettes of their own are true-colour pictures; those of one
// palette share it.
func TestChainOfColours(t *testing.T) {
	for _, c := range []struct {
		other  bool
		format asset.PixelFormat
	}{{false, asset.Indexed8}, {true, asset.RGBA8}} {
		a := moving(t)
		if c.other {
			edit(t, a, "Blink1", func(o *unreal.Texture) {
				palette, err := pack.As[unreal.Texture](a.File, exportOf(t, a, "Embers"))
				if err != nil {
					t.Fatal(err)
				}
				o.Set("Palette", unreal.ObjectProperty, int32(palette.Ref("Palette")))
			})
		}
		x := animation(t, a, "Blink0")
		if len(x.Frames) != 3 || (x.Palette == nil) != c.other {
			t.Fatalf("%d frames, %d colours", len(x.Frames), len(x.Palette))
		}
		for i, f := range x.Frames {
			m, still := f.Mips[0], lifted(t, a, fmt.Sprintf("Blink%d", i)).(*asset.Texture)
			if m.Format != c.format {
				t.Errorf("frame %d is of format %v", i, m.Format)
				continue
			}
			if !c.other {
				if !bytes.Equal(m.Pix, still.Base().Pix) {
					t.Errorf("frame %d is another picture", i)
				}
				continue
			}
			for k, n := range still.Base().Pix {
				if want := still.Palette[n]; [4]byte(m.Pix[4*k:]) != want {
					t.Fatalf("frame %d, pixel %d: %v, want %v", i, k, m.Pix[4*k:4*k+4], want)
				}
			}
		}
	}
}

// TestPolygonsOfText: the polygons of a brush are taken from text, in the place of all that it had; nothing but a brush takes them.
func TestPolygonsOfText(t *testing.T) {
	for _, c := range []struct {
		path string
		text string
		want string // of the error
	}{
		{"Polys1", block, ""}, {"Polys1", strings.ReplaceAll(block, "Vertex   +00064", "Vertex   +00100"), ""}, {"Model1", block, "T3D text goes into its Polys"},
		{"Polys1", strings.ReplaceAll(block, "Vertex   +00064.000000", "Vertex   nowhere"), "Vertex"},
	} {
		a := gallery(t, 69)
		x, err := t3dFormat.Read([]byte(c.text), nil)
		if err != nil {
			t.Fatal(err)
		}
		s := &asset.Scene{Native: &asset.Native{Format: t3dName, Payload: []byte(c.text)}}
		if _, err := t3dFormat.Lift(x, &format.Env{}); err != nil && c.want == "" {
			t.Fatal(err)
		}
		i := entry(t, a, c.path)
		o, err := lowerStored(a, i, s, &format.Env{})
		if (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.path, err, c.want)
		}
		if err != nil {
			continue
		}
		got, want := o.(*unreal.Polys).Polys, [][3]float32{{0, 0, 0}, {64, 0, 0}, {0, 64, 0}}
		if strings.Contains(c.text, "+00100") {
			want[1][0] = 100
		}
		if len(got) != 1 || fmt.Sprint(got[0].Vertices) != fmt.Sprint(want) {
			t.Errorf("%+v", got)
		}
	}
	for _, s := range []asset.Asset{new(asset.Texture), new(asset.Scene), &asset.Scene{Native: &asset.Native{Format: modelName}}} {
		if _, err := lowerStored(gallery(t, 69), -1, s, &format.Env{}); schema.Class(err) != schema.ErrUnsupported {
			t.Errorf("%T %+v: %v", s, s, err)
		}
	}
}

// TestLightMapsMoved: second texture coordinates that are those of the light maps no more are told; those that an editor rounds,
// or that were none, are not.
func TestLightMapsMoved(t *testing.T) {
	level := func(lit bool, by float32) *asset.Scene {
		m := asset.NewMaterial("wall")
		if lit {
			m.OcclusionTexture = new(asset.TextureRef)
		}
		n := asset.NewNode("room")
		n.Mesh = &asset.Mesh{Primitives: []*asset.Primitive{{Positions: make([][3]float32, 2), TexCoords: [][][2]float32{make([][2]float32, 2), {{0.25, 0.5}, {0.75 + by, 1}}}, Material: m}}}
		return &asset.Scene{Roots: []*asset.Node{n}, Meshes: []*asset.Mesh{n.Mesh}, Materials: []*asset.Material{m}, Native: &asset.Native{Format: levelName}}
	}
	for _, c := range []struct {
		now, was *asset.Scene
		told     bool
	}{
		{level(true, 0), level(true, 0), false}, {level(true, 0.0009), level(true, 0), false}, {level(true, 0.002), level(true, 0), true}, {level(true, 0), level(true, 0.002), true},
		{level(false, 0.5), level(true, 0), false}, {level(false, 0), level(false, 0), false},
	} {
		d := new(schema.Diagnostics)
		tellLightMaps(c.now, c.was, "MyLevel", d)
		if n := len(d.All()); n > 1 || d.Has("light-map") != c.told {
			t.Errorf("told %v, want %v", d.All(), c.told)
		}
	}
}

// TestFormsOfTexts: an edited text keeps the width of its letters, one that was not edited its form; source that is added says that
// it makes no class.
func TestFormsOfTexts(t *testing.T) {
	for _, c := range []struct {
		was  unreal.Str
		body string
		want unreal.Str
	}{
		{unreal.Str{Text: "no", Form: unreal.NameRaw, Raw: []byte("no")}, "no", unreal.Str{Text: "no", Form: unreal.NameRaw, Raw: []byte("no")}},
		{unreal.Str{Text: "no", Form: unreal.NameRaw, Raw: []byte("no")}, "yes", unreal.Str{Text: "yes", Form: unreal.NameBytes}}, {unreal.Str{Text: "no", Form: unreal.NameWide}, "yes", unreal.Str{Text: "yes", Form: unreal.NameWide}},
		{unreal.Str{Text: "no", Form: unreal.NameRawWide, Raw: []byte("n\x00o\x00")}, "yes", unreal.Str{Text: "yes", Form: unreal.NameWide}},
	} {
		a := made(t, 69)
		i := entry(t, a, "Notes")
		o, err := pack.As[unreal.TextBuffer](a.File, i)
		if err == nil {
			o.Text = c.was
			err = a.Store(i, o)
		}
		if err != nil {
			t.Fatal(err)
		}
		text := lifted(t, a, "Notes").(*asset.Text)
		text.Body = c.body
		x, err := lowerText(a, i, text, &format.Env{})
		if err != nil {
			t.Fatal(err)
		}
		if got := x.(*unreal.TextBuffer).Text; fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%q of form %v becomes %+v, want %+v", c.was.Text, c.was.Form, got, c.want)
		}
	}
	for extension, told := range map[string]bool{".uc": true, ".txt": false} {
		d := new(schema.Diagnostics)
		if _, err := lowerText(made(t, 69), -1, &asset.Text{Body: "class It;", Extension: extension}, &format.Env{Diagnostics: d}); err != nil || d.Has("no-class") != told {
			t.Errorf("%s: told %v, %v", extension, d.All(), err)
		}
	}
}

// TestValuesOfText: a value of text is one of its type, with what a structure leaves out as it usually is; what is none is left out
// and told.
func TestValuesOfText(t *testing.T) {
	a := hall(t, 69)
	for _, c := range []struct{ kind, name, text, want string }{
		{"Byte", "", "7", "7"}, {"Byte", "", "x", ""}, {"Int", "", "-7", "-7"}, {"Int", "", "x", ""}, {"Float", "", "1.5", "1.5"}, {"Float", "", "", ""},
		{"Bool", "", "True", "true"}, {"Bool", "", "TRUE", "true"}, {"Bool", "", "1", "true"}, {"Bool", "", "False", "false"}, {"Bool", "", "0", "false"},
		{"Str", "", `"a b"`, "a b"}, {"String", "", `"a"`, "a"}, {"Str", "", "a", "a"}, {"Name", "", "'Light'", "Light"}, {"Name", "", "Light", "Light"},
		{"Object", "", "None", "None"}, {"Object", "", "", "None"}, {"Object", "", "Light'MyLevel.Light0'", "Light'Light0'"}, {"Object", "", "Light'mylevel.light0'", "Light'Light0'"},
		{"Object", "", "Light'MyLevel.Gone'", ""}, {"Object", "", "Texture'Walls.Brick'", "Texture'Walls.Brick'"}, {"Class", "", "Class'Engine.Light'", "Class'Engine.Light'"},
		{"Struct", "Vector", "(X=1.5,Z=-2)", "map[X:1.5 Y:0 Z:-2]"}, {"Struct", "Vector", "()", "map[X:0 Y:0 Z:0]"}, {"Struct", "Vector", "(X=x)", ""}, {"Struct", "Vector", "X=1", ""},
		{"Vector", "", "(Y=3)", "map[X:0 Y:3 Z:0]"}, {"Rotator", "", "(Yaw=16384)", "map[Pitch:0 Roll:0 Yaw:16384]"}, {"Struct", "Rotator", "(Pitch=1,Roll=2)", "map[Pitch:1 Roll:2 Yaw:0]"},
		{"Struct", "Scale", "(Scale=(X=2,Z=-1),SheerAxis=SHEER_ZX)", "map[SheerAxis:5 SheerRate:0 X:2 Y:1 Z:-1]"}, {"Struct", "Scale", "(SheerRate=0.5)", "map[SheerAxis:0 SheerRate:0.5 X:1 Y:1 Z:1]"},
		{"Struct", "Scale", "(SheerAxis=SHEER_Nonsense)", ""}, {"Struct", "Scale", "(Scale=X)", ""},
		{"Struct", "PointRegion", "(Zone=LevelInfo'MyLevel.LevelInfo0',iLeaf=-1,ZoneNumber=3)", "map[Zone:LevelInfo'LevelInfo0' ZoneNumber:3 iLeaf:-1]"}, {"Struct", "PointRegion", "(iLeaf=2)", "map[Zone:None ZoneNumber:0 iLeaf:2]"},
		{"Struct", "PointRegion", "(Zone=Light'MyLevel.Gone')", ""}, {"Struct", "PointRegion", "(iLeaf=x)", ""}, {"Struct", "PointRegion", "(ZoneNumber=x)", ""},
		{"Struct", "Color", "(R=1,A=255)", "map[A:255 B:0 G:0 R:1]"}, {"Struct", "Unheard", "(X=1)", ""}, {"Map", "", "x", ""},
	} {
		x := &t3dReader{a: a}
		v, ok := x.value(&RecordProperty{Name: "It", Type: c.kind, Struct: c.name}, c.text)
		told := x.values.Count + x.strays.Count
		if got := fmt.Sprint(v); ok != (c.want != "") || ok && got != c.want || (told == 1) == ok {
			t.Errorf("%s %s of %q: %s, %v, want %s; told %d times", c.kind, c.name, c.text, got, ok, c.want, told)
		}
	}
}

// TestBoundsOfPolygons: the box of a brush reaches as far as its corners, and the sphere about its middle as well; one without
// polygons has none.
func TestBoundsOfPolygons(t *testing.T) {
	corners := func(v ...[3]float32) unreal.Poly { return unreal.Poly{Vertices: v} }
	for _, c := range []struct {
		polygons []unreal.Poly
		want     string // least, greatest, whether there is any, middle, radius
	}{
		{nil, "[0 0 0] [0 0 0] 0 [0 0 0] 0"}, {[]unreal.Poly{corners()}, "[0 0 0] [0 0 0] 0 [0 0 0] 0"},
		{[]unreal.Poly{corners([3]float32{1, 2, 3})}, "[1 2 3] [1 2 3] 1 [1 2 3] 0"},
		{[]unreal.Poly{corners([3]float32{-3, 0, 0}, [3]float32{3, 8, 0}), corners([3]float32{0, 4, 0})}, "[-3 0 0] [3 8 0] 1 [0 4 0] 5"},
		{[]unreal.Poly{corners([3]float32{0, 0, -10}), corners([3]float32{0, 0, -4}, [3]float32{0, 0, -6})}, "[0 0 -10] [0 0 -4] 1 [0 0 -7] 3"},
	} {
		p := boundsOf(c.polygons)
		if got := fmt.Sprint(p.Box.Min, p.Box.Max, p.Box.Valid, p.Sphere.Center, p.Sphere.Radius); got != c.want {
			t.Errorf("%v: %s, want %s", c.polygons, got, c.want)
		}
	}
}

// TestWallsInOnePlace: of two walls in one place each keeps what it wears when a scene comes back as it was, and takes what is put
// on it alone.
func TestWallsInOnePlace(t *testing.T) {
	a := gallery(t, 69)
	tree, err := pack.As[unreal.Model](a.File, entry(t, a, "Model0"))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range tree.Nodes[:2] { // the wall once more, in the other surface
		n.Surf = 1
		tree.Nodes = append(tree.Nodes, n)
	}
	if err := a.Store(entry(t, a, "Model0"), tree); err != nil {
		t.Fatal(err)
	}
	source := written(t, a)
	const asItWas = "Wall 0x20 3,0 Floor 0x20 5,-6 (Wall 0x100 3,0) (Wall 0x100 3,0) (Floor 0x100 5,-6)"
	for _, c := range []struct {
		name string
		edit func(s *asset.Scene, walls []*asset.Primitive)
		want string
	}{
		{"as it was", func(*asset.Scene, []*asset.Primitive) {}, asItWas},
		{"in another order", func(_ *asset.Scene, walls []*asset.Primitive) { *walls[0], *walls[1] = *walls[1], *walls[0] }, asItWas},
		{"one is unlit", func(_ *asset.Scene, walls []*asset.Primitive) { walls[1].Material.Unlit = true }, strings.NewReplacer("Floor 0x20", "Floor 0x400020", "(Floor 0x100", "(Floor 0x400100").Replace(asItWas)},
	} {
		a, d := openBytes(t, "Gallery.unr", source), new(schema.Diagnostics)
		a.Env.Diagnostics = d
		s := through(t, lifted(t, a, "MyLevel")).(*asset.Scene)
		n, _ := nodeNamed(t, s, geometryName)
		c.edit(s, n.Mesh.Primitives)
		if got := surfaces(t, checked(t, scenedWith(t, a, s))); got != c.want || d.Has("surface") || d.Has("reshaped") {
			t.Errorf("%s: %s, want %s: %v", c.name, got, c.want, d.All())
		}
	}
}

// TestBrushesOfText: a new brush of text has a shape of the name that the text says, or of a usual one, and a mover one that the
// game loads; others are for the editor alone.
func TestBrushesOfText(t *testing.T) {
	for _, c := range []struct{ class, line, want string }{
		{"Brush", "Begin Brush Name=BlockModel", "BlockModel 0x340001"}, {"Brush", "Begin Brush", "Model 0x340001"}, {"Brush", "Begin Brush Name=", "Model 0x340001"},
		{"Brush", "Begin Brush Name=" + strings.Repeat("x", 64), "Model 0x340001"}, {"Mover", "Begin Brush Name=BlockModel", "BlockModel 0x70001"},
	} {
		for _, version := range []uint16{61, 69} {
			a := hall(t, version)
			text := strings.NewReplacer("Begin Brush Name=BlockModel", c.line, "Class=Brush", "Class="+c.class, "    Brush=Model'MyLevel.BlockModel'\n", "").Replace(block)
			if err := a.addText([]byte(text)); err != nil {
				t.Fatal(err)
			}
			now := checked(t, a)
			r, m := shapeOfBrush(t, now, "Block")
			if got := fmt.Sprintf("%s %#x", now.ObjectName(r), now.Exports[r-1].Flags); got != c.want || m.RootOutside != 1 || m.Linked != 1 || len(polysOf(t, now, m.Polys)) != 1 || (m.Old != nil) != (version == 61) {
				t.Errorf("%s, %q, version %d: %s, want %s: %+v", c.class, c.line, version, got, c.want, m)
			}
		}
	}
}

// TestTextOfBoth: an actor whose properties and polygons are both other ones in the text has both.
func TestTextOfBoth(t *testing.T) {
	for _, c := range []struct {
		edit func(text string) string
		want string
	}{
		{func(text string) string { return text }, ""},
		{func(text string) string { return strings.Replace(text, "+00064.", "+00777.", 1) }, "Polys"},
		{func(text string) string { return strings.Replace(text, "CsgOper=CSG_Add", "CsgOper=CSG_Subtract", 1) }, "Block"},
		{func(text string) string {
			return strings.Replace(strings.Replace(text, "+00064.", "+00777.", 1), "CsgOper=CSG_Add", "CsgOper=CSG_Subtract", 1)
		}, "Block Polys"},
	} {
		a := hall(t, 69)
		if err := a.addText([]byte(block)); err != nil {
			t.Fatal(err)
		}
		was := checked(t, a)
		text := textOf(t, was)
		now := openBytes(t, "Hall.unr", written(t, was))
		if err := now.addText([]byte(c.edit(text))); err != nil {
			t.Fatal(err)
		}
		if got := deeds(t, was, checked(t, now)); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// TestNewBelowNothing: an object laid in below a group whose name is none is refused, and makes nothing.
func TestNewBelowNothing(t *testing.T) {
	a := hall(t, 69)
	r := recordOf(t, a, "Light0")
	rows := len(a.Exports)
	for _, path := range []string{"a\x00b/Light9", "Walls/a\x00b/Light9", "a\x00b", "/", strings.Repeat("x", 64) + ".Light9"} {
		if err := layIn(t, a, path, r); schema.Class(err) != schema.ErrValue || len(a.Exports) != rows {
			t.Errorf("%q: %v, %d rows more", path, err, len(a.Exports)-rows)
		}
	}
}

// TestSlipsInSettings: a setting of a new texture that no texture has is told, with the one that was meant.
func TestSlipsInSettings(t *testing.T) {
	for name, want := range map[string]string{"Skin": "", "Skim": "nothing at hand has a property Skim, nor is the class Texture; did you mean Skin?"} {
		x, _ := Create(&format.Env{Name: "Set.utx", Diagnostics: new(schema.Diagnostics)})
		a := x.(*archive)
		v := checkerboard(8, 8)
		v.Native = &asset.Native{Format: textureName, Values: map[string]any{"properties": []any{map[string]any{"Name": name, "Type": "Bool", "Value": true}}}}
		add(t, a, "Board", v, format.Texture)
		got := ""
		for _, d := range a.Env.Told().All() {
			if d.Code == "property-unknown" {
				got += d.Msg
			}
		}
		if got != want {
			t.Errorf("%s: told %q, want %q", name, got, want)
		}
	}
}

// TestNotAdded: what cannot be added is refused with its reason, and the package stays as it was.
func TestNotAdded(t *testing.T) {
	a := made(t, 69)
	sound, err := a.Payload(entry(t, a, "Beep"))
	if err != nil {
		t.Fatal(err)
	}
	rows := len(a.Exports)
	for _, c := range []struct {
		path    string
		payload []byte
		hint    *format.Format
		class   error
	}{
		{"It", sound, nil, schema.ErrUnsupported}, {"It", sound, &mesh.DataFormat, schema.ErrUnsupported}, {"It", sound, &mesh.AnivFormat, schema.ErrUnsupported},
		{"It", sound, &format.Format{Name: "png"}, schema.ErrUnsupported}, {"It", nil, &t3dFormat, schema.ErrUnsupported},
		{"/", sound, a.newLeaf(format.Sound), schema.ErrValue}, {"a\x00b", sound, a.newLeaf(format.Sound), schema.ErrValue}, {"a\x00b/It", sound, a.newLeaf(format.Sound), schema.ErrValue},
		{strings.Repeat("x", 64), sound, a.newLeaf(format.Sound), schema.ErrValue}, {"Beep", sound, a.newLeaf(format.Sound), schema.ErrMismatch}, {"BEEP", sound, a.newLeaf(format.Sound), schema.ErrMismatch},
		{"It", sound[:5], a.newLeaf(format.Sound), schema.ErrTruncated},
	} {
		if err := a.Add(c.path, c.payload, c.hint); schema.Class(err) != c.class || len(a.Exports) != rows {
			t.Errorf("%q: %v, %d rows more", c.path, err, len(a.Exports)-rows)
		}
	}
	if err := a.Add("Pyramid", sound, a.newLeaf(format.Sound)); err != nil || len(a.Exports) != rows+1 {
		t.Errorf("under the name of a mesh: %v", err)
	}
}
