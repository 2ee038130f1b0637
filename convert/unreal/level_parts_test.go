package unreal

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/look"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// change edits an object of a package.
func change(t testing.TB, a *archive, path string, edit func(o *unreal.Object)) {
	t.Helper()
	i := entry(t, a, path)
	o, err := a.Object(i)
	if err == nil {
		edit(o.Base())
		err = a.Store(i, o)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestRemovedShapes: a brush that goes takes its shape along, with what that is made of, unless another object has it too.
func TestRemovedShapes(t *testing.T) {
	share := func(a *archive) {
		shape, _ := shapeOfBrush(t, a, "Block")
		change(t, a, "PlayerStart0", func(o *unreal.Object) { o.Set("Brush", unreal.ObjectProperty, int32(shape)) })
	}
	for _, c := range []struct {
		version uint16
		before  func(a *archive)
		want    string
	}{
		{69, func(*archive) {}, "-Block -BlockModel -Polys MyLevel"},
		{61, func(*archive) {}, "-Block -BlockModel -BspNodes -BspSurfs -Polys -Vectors -Vectors2 -Verts MyLevel"},
		{69, share, "-Block MyLevel"}, {61, share, "-Block MyLevel"},
		{69, func(a *archive) {
			change(t, a, "Block", func(o *unreal.Object) { o.Unset("Brush") })
		}, "-Block MyLevel"},
		{69, func(a *archive) {
			change(t, a, "Block", func(o *unreal.Object) { o.Set("Brush", unreal.ObjectProperty, int32(a.FindExport("Wall", "Texture"))) })
		}, "-Block MyLevel"}, // surfaces wear it as well
	} {
		a := hall(t, c.version)
		if err := a.addText([]byte(block)); err != nil {
			t.Fatal(err)
		}
		a = openBytes(t, "Hall.unr", written(t, a))
		_, m := shapeOfBrush(t, a, "Block")
		polys, err := pack.As[unreal.Polys](a.File, int(m.Polys-1))
		if err != nil {
			t.Fatal(err)
		}
		for i := range polys.Polys {
			polys.Polys[i].Actor = 0 // which would keep it
		}
		if err := a.Store(int(m.Polys-1), polys); err != nil {
			t.Fatal(err)
		}
		c.before(a)
		source := written(t, a)
		a = openBytes(t, "Hall.unr", source)
		a.Env.Diagnostics = new(schema.Diagnostics)
		now := checked(t, scened(t, a, func(s *asset.Scene) { takeNode(t, s, "Block") }))
		if got := deeds(t, openBytes(t, "Hall.unr", source), now); got != c.want {
			t.Errorf("version %d: %s, want %s: %v", c.version, got, c.want, a.Env.Diagnostics.All())
		}
	}
}

// TestSameShown: values are the same where an editor keeps them in another way: truth as a number, whole numbers as floats, and
// floats in nine digits.
func TestSameShown(t *testing.T) {
	for _, c := range []struct {
		a, b any
		same bool
	}{
		{true, 1.0, true}, {false, 0.0, true}, {true, 0.0, false}, {true, false, false}, {int64(3), 3.0, true}, {3.0, 4.0, false}, {"3", 3.0, false}, {"a", "b", false},
		{float64(float32(0.1)), float64(float32(0.1)) + 1e-12, true}, {0.1, 0.1001, false}, {16777216.0, 16777217.0, false}, {1e12, 1e12 + 1, false},
		{[]any{1.0, true}, []any{int64(1), 1.0}, true}, {[]any{1.0, 2.0}, []any{2.0, 1.0}, false}, {[]any{1.0}, []any{1.0, 1.0}, false},
		{map[string]any{"X": 1.0}, map[string]any{"X": int64(1)}, true}, {map[string]any{"X": 1.0}, map[string]any{"Y": 1.0}, false}, {map[string]any{"X": 1.0}, map[string]any{"X": 1.5}, false},
		{nil, "", false}, {nil, nil, true}, {"a", []any{"a"}, true},
	} {
		if got := sameShown(c.a, c.b); got != c.same {
			t.Errorf("%v and %v: %v", c.a, c.b, got)
		}
	}
}

// TestPropertiesBeside: an edited property is taken, or told why it is not: because the node says otherwise, or since nobody knows
// whether it was edited.
func TestPropertiesBeside(t *testing.T) {
	a := hall(t, 69)
	change(t, a, "Light0", func(o *unreal.Object) { o.Set("bSpecialLit", unreal.BoolProperty, 1) })
	source := written(t, a)
	at := func(x, y, z float64) map[string]any { return map[string]any{"X": x, "Y": y, "Z": z} }
	for _, c := range []struct {
		name    string
		edit    func(n *asset.Node, values map[string]any)
		changed string // what of Light0 is another value
		told    string
	}{
		{"nothing", func(*asset.Node, map[string]any) {}, "", ""},
		{"truth as a number", func(_ *asset.Node, v map[string]any) { v["bSpecialLit"] = 0.0 }, "bSpecialLit=false", ""},
		{"the same truth as a number", func(_ *asset.Node, v map[string]any) { v["bSpecialLit"] = 1.0 }, "", ""},
		{"no truth", func(_ *asset.Node, v map[string]any) { delete(v, "bSpecialLit") }, "bSpecialLit=", ""},
		{"a hue", func(_ *asset.Node, v map[string]any) { v["LightHue"] = 41.0 }, "LightHue=41", ""},
		{"a hue of a scene of before", func(n *asset.Node, v map[string]any) {
			v["LightHue"] = 41.0
			delete(n.Native.Values[scene.ReadOnly].(map[string]any), keptKey)
		}, "", "property-stale"},
		{"a place", func(_ *asset.Node, v map[string]any) { v["Location"] = at(1, 2, 3) }, "Location=map[X:1 Y:2 Z:3]", ""},
		{"a place, and the node is moved", func(n *asset.Node, v map[string]any) {
			v["Location"] = at(1, 2, 3)
			n.Transform.Translation[1] += 10
		}, "Location=map[X:64 Y:32 Z:26]", "property-decided"},
		{"a hue, and the node is moved", func(n *asset.Node, v map[string]any) {
			v["LightHue"] = 41.0
			n.Transform.Translation[1] += 10
		}, "LightHue=41 Location=map[X:64 Y:32 Z:26]", ""},
		{"a saturation that others have", func(_ *asset.Node, v map[string]any) { v["LightEffect"] = 5.0 }, "LightEffect=5", ""},
		{"what nobody has", func(_ *asset.Node, v map[string]any) { v["Unheard"] = 5.0 }, "", "property-new"},
	} {
		a, d := openBytes(t, "Hall.unr", source), new(schema.Diagnostics)
		a.Env.Diagnostics = d
		was := recordOf(t, a, "Light0")
		now := recordOf(t, checked(t, scened(t, a, func(s *asset.Scene) {
			n, _ := nodeNamed(t, s, "Light0")
			c.edit(n, n.Native.Values)
		})), "Light0")
		values := map[string]string{}
		for _, p := range was.Properties {
			values[p.Name] = ""
		}
		for _, p := range now.Properties {
			values[p.Name] = fmt.Sprint(p.Value)
		}
		var changed []string
		for name, value := range values {
			if !slices.ContainsFunc(was.Properties, func(p RecordProperty) bool { return p.Name == name && fmt.Sprint(p.Value) == value }) {
				changed = append(changed, name+"="+value)
			}
		}
		slices.Sort(changed)
		var told []string
		for _, x := range d.All() {
			if strings.HasPrefix(x.Code, "property") {
				told = append(told, x.Code)
			}
		}
		if got := strings.Join(changed, " "); got != c.changed || strings.Join(told, " ") != c.told {
			t.Errorf("%s: %s, told %v, want %s, %s", c.name, got, told, c.changed, c.told)
		}
	}
}

// TestTexturesOfMaterials: a surface takes the texture whose path a material keeps, or the one that it is called after, where
// there is one alone.
func TestTexturesOfMaterials(t *testing.T) {
	a := hall(t, 69)
	add(t, a, "Left.Brick", checkerboard(8, 4), format.Texture)
	add(t, a, "Right.Brick", checkerboard(8, 4), format.Texture)
	mortar := a.AddImport("Engine", "Texture", a.AddImport("Core", "Package", 0, "Elsewhere"), "Mortar")
	for _, pkg := range []string{"Elsewhere", "Nowhere"} {
		a.AddImport("Engine", "Texture", a.AddImport("Core", "Package", 0, pkg), "Tile")
	}
	x := &repainter{e: &levelEdit{a: a}}
	if all := slices.Sorted(x.refs()); all[0] != unreal.Ref(-len(a.Imports)) || len(all) != len(a.Imports)+len(a.Exports) || all[len(a.Imports)-1] != -1 || all[len(all)-1] != unreal.Ref(len(a.Exports)) {
		t.Errorf("all objects are %v", all)
	}
	kept := func(path string) *asset.Material {
		m := asset.NewMaterial("Other")
		m.Native = &asset.Native{Format: look.Name, Values: map[string]any{}}
		scene.SetShown(m.Native, "texture", path)
		return m
	}
	for _, c := range []struct {
		m    *asset.Material
		want unreal.Ref
	}{
		{asset.NewMaterial("Wall"), a.FindExport("Wall", "Texture")}, {asset.NewMaterial("WALL.003"), a.FindExport("Wall", "Texture")}, {asset.NewMaterial("Mortar"), mortar},
		{asset.NewMaterial("Brick"), 0}, {asset.NewMaterial("Tile"), 0}, {asset.NewMaterial("Light0"), 0}, {asset.NewMaterial("Gone"), 0}, {asset.NewMaterial(""), 0},
		{kept("Texture'Right.Brick'"), a.FindExport("Right.Brick", "Texture")}, {kept("Texture'Gone'"), 0},
	} {
		if got, ok := x.texture(c.m); got != c.want || ok != (c.want != 0) {
			t.Errorf("%q %v: %d, %v, want %d", c.m.Name, c.m.Native, got, ok, c.want)
		}
	}
}

// TestAtlasRows: light maps stand side by side, the highest first, as long as there is room for them; those that no picture holds
// are left out, which is told.
func TestAtlasRows(t *testing.T) {
	model := func(sizes ...[2]int32) *unreal.Model {
		m := &unreal.Model{Lights: []unreal.Ref{5, 0}, LightBits: make([]byte, 128*1024)}
		m.Context = &unreal.Context{Path: "Model0"}
		for _, s := range sizes {
			m.LightMaps = append(m.LightMaps, unreal.LightMap{UClamp: s[0], VClamp: s[1], UScale: 1, VScale: 1})
		}
		return m
	}
	for _, c := range []struct {
		sizes  [][2]int32
		want   []place
		height int
	}{
		{[][2]int32{{600, 2}, {600, 3}, {424, 2}}, []place{{0, 3, 600, 2}, {1, 0, 600, 3}, {600, 3, 424, 2}}, 5},
		{[][2]int32{{600, 2}, {600, 3}, {425, 1}}, []place{{0, 3, 600, 2}, {1, 0, 600, 3}, {0, 5, 425, 1}}, 6},
		{[][2]int32{{1023, 1}}, []place{{1, 0, 1023, 1}}, 1}, {[][2]int32{{1024, 1}}, []place{{0, 1, 1024, 1}}, 2},
		{[][2]int32{{4, 4}, {4, 4}}, []place{{1, 0, 4, 4}, {5, 0, 4, 4}}, 4},
		{slices.Repeat([][2]int32{{1024, 1024}}, 64), nil, 0},
	} {
		d := new(schema.Diagnostics)
		a := newAtlas([]*unreal.Model{model(c.sizes...)}, d)
		if (a == nil) != (c.want == nil) || d.Has("light-map") != (c.want == nil) {
			t.Errorf("%v: left out %v, told %v", c.sizes[0], a == nil, d.All())
		}
		if a == nil {
			continue
		}
		if got := a.models["Model0"].places; !slices.Equal(got, c.want) || a.shadows.Base().Height != c.height {
			t.Errorf("%v: %v in %d rows, want %v in %d", c.sizes, got, a.shadows.Base().Height, c.want, c.height)
		}
	}
}

// TestZonesShown: the sky is seen from the last of its zones, or of those for high detail where there are any; a zone has a fog
// about its surfaces, and an actor shows a mesh where it is to, and where it is at hand.
func TestZonesShown(t *testing.T) {
	a := hall(t, 69)
	add(t, a, "Cone", pyramid(), format.Model)
	var zone unreal.Ref
	for _, c := range []struct {
		class, name string
		edit        func(o *unreal.Object)
	}{
		{"SkyZoneInfo", "Sky0", func(*unreal.Object) {}},
		{"SkyZoneInfo", "Sky1", func(o *unreal.Object) { o.Set("bHighDetail", unreal.BoolProperty, 1) }},
		{"SkyZoneInfo", "Sky2", func(o *unreal.Object) { o.Set("bHighDetail", unreal.BoolProperty, 0) }},
		{"WaterZone", "Water0", func(o *unreal.Object) { o.SetStruct("ViewFog", "Vector", vector(0.25, 0, 0.5)) }},
		{"Actor", "Shown0", func(o *unreal.Object) { o.Set("DrawType", unreal.ByteProperty, drawMesh) }},
		{"Actor", "Hidden0", func(o *unreal.Object) { o.Set("DrawType", unreal.ByteProperty, drawMesh-1) }},
		{"Actor", "Far0", func(o *unreal.Object) {
			o.Set("Mesh", unreal.ObjectProperty, int32(a.AddImport("Engine", "LodMesh", a.AddImport("Core", "Package", 0, "Elsewhere"), "Cone")))
		}},
		{"Actor", "Flat0", func(o *unreal.Object) { o.Set("Mesh", unreal.ObjectProperty, int32(a.FindExport("Wall", "Texture"))) }},
	} {
		r := a.AddExport(a.AddClass("Engine", c.class), 0, c.name, unreal.LoadFlags|unreal.Transactional)
		o := &unreal.Object{}
		o.Context = a.Context(int(r - 1))
		if c.class == "Actor" {
			o.Set("Mesh", unreal.ObjectProperty, int32(a.FindExport("Cone", "LodMesh")))
		}
		c.edit(o)
		put(t, a, r, o)
		if err := a.join(r); err != nil {
			t.Fatal(err)
		}
		if c.class == "WaterZone" {
			zone = r
		}
	}
	tree, err := pack.As[unreal.Model](a.File, entry(t, a, "Model0"))
	if err != nil {
		t.Fatal(err)
	}
	tree.Zones = append(tree.Zones, unreal.Zone{Actor: zone})
	tree.Nodes[0].Zones = [2]int32{1, 0}
	if err := a.Store(entry(t, a, "Model0"), tree); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ gone, sky string }{{"", "Sky1"}, {"Sky1", "Sky2"}, {"Sky1 Sky2", "Sky0"}, {"Sky0 Sky1 Sky2", ""}} {
		b := openBytes(t, "Hall.unr", written(t, a))
		if err := b.editLevel(func(l *unreal.Level) error {
			l.Actors = slices.DeleteFunc(l.Actors, func(r unreal.Ref) bool { return slices.Contains(strings.Fields(c.gone), b.ObjectName(r)) })
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		sky, meshes, tint := "", "", ""
		for _, n := range lifted(t, b, "MyLevel").(*asset.Scene).Roots[0].Children {
			if n.Native != nil && scene.RoleOf(n) == scene.Sky {
				sky += n.Name
			}
			if len(n.Children) > 0 && n.Children[0].Mesh != nil {
				meshes += n.Name
			}
			if n.Native != nil && scene.Shown(n.Native, "tint") != nil {
				tint += n.Name + fmt.Sprint(scene.Shown(n.Native, "tint").(map[string]any)["fog"])
			}
		}
		if sky != c.sky || meshes != "Shown0" || tint != "Water0[0.25 0 0.5]" {
			t.Errorf("without %s: the sky of %q, meshes of %q, a fog in %q", c.gone, sky, meshes, tint)
		}
	}
}

// TestPlaceOfActors: the place of an actor follows from where its node is, whatever its pivot, turn and size.
func TestPlaceOfActors(t *testing.T) {
	for _, shaped := range []bool{false, true} {
		for _, c := range []struct {
			pivot, scale [3]float32
			turn         [3]int32
		}{
			{[3]float32{}, [3]float32{1, 1, 1}, [3]int32{}}, {[3]float32{16, -8, 4}, [3]float32{1, 1, 1}, [3]int32{}}, {[3]float32{16, -8, 4}, [3]float32{1, 1, 1}, [3]int32{100, 16384, -300}},
			{[3]float32{16, -8, 4}, [3]float32{2, 3, 0.5}, [3]int32{0, 0, 8192}}, {[3]float32{0, 0, 64}, [3]float32{1, 1, -1}, [3]int32{4000, 0, 0}},
		} {
			a := hall(t, 69)
			change(t, a, "PlayerStart0", func(o *unreal.Object) {
				if o.SetStruct("PrePivot", "Vector", vector(c.pivot[:]...)); shaped {
					o.Set("Brush", unreal.ObjectProperty, int32(a.FindExport("Model0", "Model")))
				}
				o.SetStruct("MainScale", "Scale", append(floatBytes(c.scale[:]...), 0, 0, 0, 0, 0))
				o.SetStruct("Rotation", "Rotator", rotatorBytes(c.turn))
			})
			r := a.FindExport("PlayerStart0", "PlayerStart")
			o, err := a.Object(int(r - 1))
			if err != nil {
				t.Fatal(err)
			}
			n := a.nodeOf(r)
			pose, _ := scene.Decompose(scene.Matrix(&n.Transform))
			if got := actorPlace(o.Base(), pose, shaped); got.Sub(mgl64.Vec3{5, 6, 7}).Len() > 1e-4 {
				t.Errorf("shaped %v, %v: %v", shaped, c, got)
			}
			if shaped != (n.Mesh != nil) || shaped && n.Transform.Scale != [3]float32{c.scale[1], c.scale[2], c.scale[0]} {
				t.Errorf("shaped %v, %v: it is shown as %+v", shaped, c, n)
			}
		}
	}
}

// TestNewLights: a light that somebody made becomes an actor beside the level's own, under a name that none of them has; they stay
// as they are.
func TestNewLights(t *testing.T) {
	for _, c := range []struct {
		inLevel    bool // the actors lie in the level, as those of some maps do
		node, want string
	}{
		{false, "Lamp.001", "+Lamp_001 MyLevel"}, {false, "Light!0", "+Light02 MyLevel"}, {false, "Model0", "+Model0@Light MyLevel"}, {true, "Lamp", "+MyLevel.Lamp MyLevel"},
	} {
		a := hall(t, 69)
		if c.inLevel {
			for i := range a.Exports {
				if a.isActor(i) {
					a.Exports[i].Outer = a.FindExport("MyLevel", "Level")
				}
			}
		}
		source := written(t, a)
		now := checked(t, scened(t, openBytes(t, "Hall.unr", source), func(s *asset.Scene) {
			n := asset.NewNode(c.node)
			n.Transform.Translation = [3]float32{1, 0, 0}
			n.Light = asset.NewLight(asset.PointLight)
			n.Light.Range = 16
			s.Roots = append(s.Roots, n)
		}))
		if got := deeds(t, openBytes(t, "Hall.unr", source), now); got != c.want {
			t.Errorf("%q, in the level %v: %s, want %s", c.node, c.inLevel, got, c.want)
		}
	}
}

// TestNewLightAgain: a scene with a light that somebody made, laid in once more, makes no second one: the first one follows it. So it
// does in maps whose actors lie in the level.
func TestNewLightAgain(t *testing.T) {
	for _, group := range []string{"", "MyLevel."} {
		a := hall(t, 69)
		for i := range a.Exports {
			if group != "" && a.isActor(i) {
				a.Exports[i].Outer = a.FindExport("MyLevel", "Level")
			}
		}
		a = openBytes(t, "Hall.unr", written(t, a))
		s := through(t, lifted(t, a, "MyLevel")).(*asset.Scene)
		n := asset.NewNode("Lamp")
		n.Transform.Rotation = [4]float32{0, 0.6, 0, 0.8}
		n.Light = asset.NewLight(asset.SpotLight)
		n.Light.Range, n.Light.Intensity, n.Light.Outer = 16, 100, 0.5
		s.Roots = append(s.Roots, n)
		for _, c := range []struct {
			x, reach float32
			want     string // what becomes of the package
		}{{1, 16, "+" + group + "Lamp MyLevel"}, {1, 16, ""}, {2, 16, group + "Lamp"}, {2, 16, ""}, {2, 32, group + "Lamp"}} {
			n.Transform.Translation[0], n.Light.Range = c.x, c.reach
			was := openBytes(t, "Hall.unr", written(t, a))
			a = checked(t, scenedWith(t, openBytes(t, "Hall.unr", written(t, a)), through(t, s).(*asset.Scene)))
			if got := deeds(t, was, a); got != c.want {
				t.Errorf("at %v, reaching %v: %s, want %s", c.x, c.reach, got, c.want)
			}
			if axis := a.lamps().shine(unreal.Ref(exportOf(t, a, "Lamp") + 1)).axis; axis.Sub(mgl32.Vec3{-0.28, 0.96, 0}).Len() > 1e-3 {
				t.Errorf("it shines to %v", axis) // and was turned from -Z to (-0.96, 0, -0.28) in the scene
			}
		}
	}
}
