package unreal

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// TestStandings: a node without its mark stands for the actor of its whole name, before that of its name without a number.
func TestStandings(t *testing.T) {
	a := hall(t, 69)
	sofa, second := a.AddExport(a.AddClass("Engine", "Light"), 0, "Sofa", 0), a.AddExport(a.AddClass("Engine", "Light"), 0, "Sofa.001", 0)
	e := &levelEdit{a: a, shownAs: &unreal.Level{Actors: []unreal.Ref{sofa, second, 1}}, was: map[unreal.Ref]*asset.Node{sofa: {}, second: {}}}
	node := func(name string, children ...*asset.Node) *asset.Node {
		n := asset.NewNode(name)
		n.Children = children
		return n
	}
	marked := node("Chair")
	marked.Native = &asset.Native{Format: levelName}
	scene.SetShown(marked.Native, "object", "Light'Sofa'")
	stranger := node("Sofa.002")
	stranger.Native = &asset.Native{Format: t3dName}
	scene.SetShown(stranger.Native, "object", "Light'Sofa.001'")
	s := &asset.Scene{Roots: []*asset.Node{node("Root", node("Sofa"), node("SOFA.001", node("Sofa.003"), node("Part")), marked, stranger, node("Empty", node("Sofa.004")), node("Lone", node("Leaf")), node(a.ObjectName(1)))}}
	e.parents = scene.Parents(s)
	list, rest := e.standings(s)
	var got, left []string
	for _, x := range list {
		got = append(got, x.node.Name+"="+a.ObjectName(x.actor))
	}
	for _, n := range rest {
		left = append(left, n.Name)
	}
	if want := "Sofa=Sofa SOFA.001=Sofa.001 Chair=Sofa Sofa.002=Sofa Sofa.004=Sofa"; strings.Join(got, " ") != want {
		t.Errorf("%v, want %s", got, want)
	}
	if want := "Lone Leaf " + a.ObjectName(1); strings.Join(left, " ") != want {
		t.Errorf("left %v, want %s", left, want)
	}
}

// TestFrames: what stands for the level's root is the node above most actors that can be; of two ways to see them the one counts in
// which more are where they were.
func TestFrames(t *testing.T) {
	turned := scene.TransformOf(mgl64.HomogRotate3DX(-math.Pi / 2))
	for name, c := range map[string]struct {
		edit       func(root, group *asset.Node, actors []*asset.Node)
		root, flat string
	}{
		"as it was": {func(root, _ *asset.Node, actors []*asset.Node) { root.Children = actors }, "Root", "false"},
		"most in a group": {func(root, group *asset.Node, actors []*asset.Node) {
			root.Children, group.Children = append([]*asset.Node{group}, actors[:2]...), actors[2:]
		}, "Group", "false"},
		"most in the root": {func(root, group *asset.Node, actors []*asset.Node) {
			root.Children, group.Children = append([]*asset.Node{group}, actors[2:]...), actors[:2]
		}, "Root", "false"},
		"a flat group": {func(root, group *asset.Node, actors []*asset.Node) {
			root.Children, group.Children, group.Transform.Scale = []*asset.Node{group}, actors, [3]float32{1, 0, 1}
		}, "", "false"},
		"Z up": {func(root, _ *asset.Node, actors []*asset.Node) {
			for _, n := range actors {
				n.Transform = scene.TransformOf(scene.Matrix(&turned).Inv().Mul4(scene.Matrix(&n.Transform)).Mul4(scene.Matrix(&turned)))
			}
			root.Children = actors
		}, "Root", "true"},
	} {
		root, group := asset.NewNode("Root"), asset.NewNode("Group")
		var actors []*asset.Node
		e := &levelEdit{was: map[unreal.Ref]*asset.Node{}, size: 10, lifted: &asset.Scene{Roots: []*asset.Node{asset.NewNode("Was")}}}
		var originals []standing
		for i := range 5 {
			n := asset.NewNode(fmt.Sprint("Actor", i))
			n.Transform.Translation = [3]float32{float32(i), float32(2 * i), float32(5 - i)}
			was := *n
			actors, e.was[unreal.Ref(i+1)] = append(actors, n), &was
			originals = append(originals, standing{n, unreal.Ref(i + 1)})
		}
		c.edit(root, group, actors)
		s := &asset.Scene{Roots: []*asset.Node{root}}
		e.worlds, e.parents = scene.Worlds(s), scene.Parents(s)
		f, got := e.findFrame(originals), ""
		if f.root != nil {
			got = f.root.Name
		}
		if got != c.root || fmt.Sprint(f.flat) != c.flat {
			t.Errorf("%s: %q, flat %v", name, got, f.flat)
		}
	}
}

// TestPartsOfActors: what becomes of the mesh below an actor is told of by its name, as far as it was there.
func TestPartsOfActors(t *testing.T) {
	moved := func(n *asset.Node) *asset.Node {
		c := *n
		c.Name, c.Transform.Translation[0] = n.Name+".001", n.Transform.Translation[0]+3
		return &c
	}
	for name, c := range map[string]struct {
		edit func(actor *asset.Node)
		told string
	}{
		"as it was":               {func(*asset.Node) {}, ""},
		"gone":                    {func(actor *asset.Node) { actor.Children = nil }, `part-kept: shape "PlayerStart0/Cone" is no longer`},
		"the first of two stands": {func(actor *asset.Node) { actor.Children = append(actor.Children, moved(actor.Children[0])) }, `actor-copied: the mesh "PlayerStart0/Cone.001"`},
		"the second of two":       {func(actor *asset.Node) { actor.Children = slices.Insert(actor.Children, 0, moved(actor.Children[0])) }, `actor-copied: the mesh "PlayerStart0/Cone.001"`},
		"two that stand": {func(actor *asset.Node) {
			twin := *actor.Children[0]
			twin.Name += ".001"
			actor.Children = append(actor.Children, &twin)
		}, `actor-copied: the mesh "PlayerStart0/Cone.001"`},
		"the middle of three": {func(actor *asset.Node) {
			n := actor.Children[0]
			other := moved(n)
			other.Name = "Cone.002"
			actor.Children = []*asset.Node{moved(n), n, other}
		}, `actor-copied: 2 meshes, the first is "PlayerStart0/Cone.001"`},
		"another shape beside": {func(actor *asset.Node) {
			n := asset.NewNode("Hat")
			mesh, shape := *actor.Children[0].Mesh, *actor.Children[0].Mesh.Primitives[0]
			shape.Positions = slices.Clone(shape.Positions)
			shape.Positions[0][1] += 9
			mesh.Primitives, n.Mesh = []*asset.Primitive{&shape}, &mesh
			actor.Children = append(actor.Children, n)
		}, `shape: shape "PlayerStart0/Hat" is new`},
		"without its mark": {func(actor *asset.Node) { actor.Native = nil; actor.Children = nil }, ""},
	} {
		a, d := furnished(t), new(schema.Diagnostics)
		s := through(t, lifted(t, a, "MyLevel")).(*asset.Scene)
		n, _ := nodeNamed(t, s, "PlayerStart0")
		c.edit(n)
		for _, child := range n.Children {
			if !slices.Contains(s.Meshes, child.Mesh) {
				s.Meshes = append(s.Meshes, child.Mesh)
			}
		}
		a.Env.Diagnostics = d
		checked(t, scenedWith(t, a, through(t, s).(*asset.Scene)))
		var told []string
		for _, x := range d.All() {
			if x.Severity != schema.Note && x.Code != "paths" {
				told = append(told, x.Code+": "+x.Msg)
			}
		}
		if got := strings.Join(told, "; "); !strings.HasPrefix(got, c.told) || (got == "") != (c.told == "") {
			t.Errorf("%s: told %s, want %s", name, got, c.told)
		}
	}
	// The scene shows a mesh that is no longer at hand.
	a, d := hall(t, 69), new(schema.Diagnostics)
	s := through(t, lifted(t, furnished(t), "MyLevel")).(*asset.Scene)
	n, _ := nodeNamed(t, s, "PlayerStart0")
	n.Children = nil
	a.Env.Diagnostics = d
	s.Native = lifted(t, a, "MyLevel").(*asset.Scene).Native
	scenedWith(t, a, s)
	if !strings.Contains(fmt.Sprint(d.All()), `shape "PlayerStart0" is no longer below`) {
		t.Errorf("told %v", d.All())
	}
}

// TestNewNames: a copy that was laid in before is found again once, and what only bears its name is not it.
func TestNewNames(t *testing.T) {
	for name, c := range map[string]struct {
		edit  func(a *archive, e *levelEdit, twin unreal.Ref)
		again bool
		name  string
	}{
		"nothing of that name": {func(a *archive, _ *levelEdit, twin unreal.Ref) { a.Exports[twin-1].Name = a.AddName("Else") }, false, "Lamp9"},
		"it is there":          {func(*archive, *levelEdit, unreal.Ref) {}, true, "Lamp9"},
		"of another class": {func(a *archive, _ *levelEdit, twin unreal.Ref) {
			a.Exports[twin-1].Class = a.AddClass("Engine", "Sound")
		}, false, "Lamp"},
		"one that was shown": {func(_ *archive, e *levelEdit, twin unreal.Ref) { e.was[twin] = new(asset.Node) }, false, "Lamp"},
		"not of the level":   {func(_ *archive, e *levelEdit, _ unreal.Ref) { e.level.Actors = nil }, false, "Lamp"},
		"made in this run":   {func(_ *archive, e *levelEdit, twin unreal.Ref) { e.made[twin] = true }, false, "Lamp"},
		"taken out":          {func(a *archive, _ *levelEdit, twin unreal.Ref) { a.hide(int(twin - 1)) }, false, "Lamp9"},
		"in a group":         {func(a *archive, _ *levelEdit, twin unreal.Ref) { a.Exports[twin-1].Outer = 1 }, false, "Lamp9"},
	} {
		a := hall(t, 69)
		lamp := a.FindExport("Light0", "Light")
		twin := a.AddExport(a.Exports[lamp-1].Class, a.Exports[lamp-1].Outer, "Lamp9", unreal.ActorFlags)
		e := &levelEdit{a: a, was: map[unreal.Ref]*asset.Node{}, made: map[unreal.Ref]bool{}, level: &unreal.Level{Actors: []unreal.Ref{lamp, twin}}}
		c.edit(a, e, twin)
		got, again := e.newName(standing{asset.NewNode("lamp9"), lamp})
		if (again == twin) != c.again || again != 0 && !c.again || !strings.HasPrefix(strings.ToLower(got), strings.ToLower(c.name)) || (strings.EqualFold(got, "Lamp9")) != (c.name == "Lamp9") {
			t.Errorf("%s: %q, %d", name, got, again)
		}
		if c.again && !e.made[twin] {
			t.Errorf("%s: it could be found twice", name)
		}
	}
}

// TestAddedProperties: a value that somebody adds to an actor is of the type that others have it in, or refused, or told of.
func TestAddedProperties(t *testing.T) {
	source := written(t, hall(t, 69))
	for _, c := range []struct {
		name  string
		value any
		want  string // "" for what is told, "!" for what is refused
	}{
		{"LightHue", 77.0, "77"}, {"LightHue", 300.0, "!"}, {"LightHue", "x", "!"}, {"LightHue", 0.5, "!"}, {"Rotation", map[string]any{"Pitch": 1.0}, ""}, {"Unheard", 1.0, ""},
		{"Target", "Light'Light1'", "Light'Light1'"}, {"Target", "Light'Gone'", "!"}, {"Target", 7.0, "!"},
	} {
		a, d := openBytes(t, "Hall.unr", source), new(schema.Diagnostics)
		a.Env.Diagnostics = d
		s := through(t, lifted(t, a, "MyLevel")).(*asset.Scene)
		n, _ := nodeNamed(t, s, "Brush0")
		n.Native.Values[c.name] = c.value
		e := entry(t, a, "MyLevel")
		f := formatOf(a, e)
		x, err := f.Lower(s, &format.Env{Archive: a, Entry: "MyLevel", Diagnostics: d})
		if c.want == "!" || err != nil {
			if c.want != "!" || schema.Class(err) == nil || !strings.Contains(err.Error(), c.name) {
				t.Errorf("%s=%v: %v", c.name, c.value, err)
			}
			continue
		}
		b, err := f.Write(x)
		if err == nil {
			err = a.Replace(e, b)
		}
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, p := range recordOf(t, openBytes(t, "Hall.unr", written(t, a)), "Brush0").Properties {
			if p.Name == c.name {
				got = fmt.Sprint(p.Value)
			}
		}
		if got != c.want || d.Has("property-new") != (c.want == "") {
			t.Errorf("%s=%v is %q, told %v", c.name, c.value, got, d.All())
		}
	}
}

// TestTakenLamps: every light that an editor changes one thing of gives the bytes that show it, and no others.
func TestTakenLamps(t *testing.T) {
	const all = "kind effect brightness hue saturation radius cone"
	changes := func(a, b lamp) string {
		var list []string
		x, y := [...]uint8{a.kind, a.effect, a.brightness, a.hue, a.saturation, a.radius, a.cone}, [...]uint8{b.kind, b.effect, b.brightness, b.hue, b.saturation, b.radius, b.cone}
		for i, name := range strings.Fields(all) {
			if x[i] != y[i] {
				list = append(list, name)
			}
		}
		return strings.Join(list, " ")
	}
	edits := map[string]func(x *asset.Light){
		"nothing": func(*asset.Light) {}, "colour": func(x *asset.Light) { x.Color = [3]float32{1, 0.5, 0.25} }, "range": func(x *asset.Light) { x.Range *= 1.5; x.Intensity *= 1.5 * 1.5 },
		"intensity": func(x *asset.Light) { x.Intensity *= 0.5 }, "a point": func(x *asset.Light) { x.Kind = asset.PointLight }, "a spot": func(x *asset.Light) { x.Kind, x.Outer = asset.SpotLight, 0.5 }, "a sun": func(x *asset.Light) { x.Kind = asset.SunLight },
		"rounded": func(x *asset.Light) { x.Range *= 1.0005; x.Intensity *= 0.9995; x.Outer *= 1.0005 }, "outer": func(x *asset.Light) { x.Outer *= 0.5 }, "endless": func(x *asset.Light) { x.Range = 0 },
	}
	point, spot, sun := lamp{1, 0, 64, 40, 100, 63, 128}, lamp{1, effectSpot, 64, 40, 100, 63, 128}, lamp{1, effectSun, 64, 40, 100, 63, 128}
	want := map[string]string{
		"point colour": "hue saturation", "point range": "radius", "point intensity": "brightness", "point a spot": "effect cone", "point a sun": "effect",
		"spot colour": "hue saturation", "spot range": "radius", "spot intensity": "brightness", "spot a point": "effect", "spot a sun": "effect", "spot outer": "cone", "spot a spot": "cone",
		"sun colour": "hue saturation", "sun range": "brightness", "sun intensity": "brightness", "sun a point": "effect", "sun a spot": "effect cone",
	}
	// A sun has no range: what is brighter by that is brighter.
	for kind, was := range map[string]lamp{"point": point, "spot": spot, "sun": sun} {
		for _, name := range slices.Sorted(maps.Keys(edits)) {
			for _, patched := range []bool{true, false} {
				if kind == "sun" && !patched {
					continue
				}
				l, x := was, was.light(patched)
				edits[name](x)
				changed, cut := l.take(x, patched)
				expected := want[kind+" "+name]
				lost := name == "a sun" && !patched
				if lost {
					expected = ""
				}
				if got := changes(was, l); got != expected || changed != (expected != "") || cut != (lost || kind == "sun" && name == "range") {
					t.Errorf("%s, %s, patched %v: %q changed (%v), cut %v, want %q", kind, name, patched, got, changed, cut, expected)
				}
			}
		}
	}
}

// TestActorOfAZone: a zone that the model does not know, or that has no actor, is lit as the whole.
func TestActorOfAZone(t *testing.T) {
	m := &mapped{Model: &unreal.Model{Zones: []unreal.Zone{{Actor: 5}, {Actor: 6}, {Actor: 0}, {Actor: -1}}}}
	for zone, want := range map[int32]unreal.Ref{-1: 9, 0: 9, 1: 6, 2: 9, 3: 9, 4: 9, 5: 9} {
		if got := m.zoneActor(zone, 9); got != want {
			t.Errorf("zone %d: %d, want %d", zone, got, want)
		}
	}
}

// TestPlacesOnLightMaps: corners lie in the middle of their texels of the light map, at its edge where they are beside it; what no
// light reaches lies on the texel of its zone.
func TestPlacesOnLightMaps(t *testing.T) {
	bits := make([]byte, 64)
	m := &unreal.Model{LightBits: bits, Lights: []unreal.Ref{5, 0}, LightMaps: []unreal.LightMap{
		{UClamp: 8, VClamp: 4, UScale: 16, VScale: 32, Pan: [3]float32{-16, 32, 0}, Light: 0}, {UClamp: 3, VClamp: 3, Light: -1}}}
	m.Context = &unreal.Context{}
	a := newAtlas([]*unreal.Model{m}, nil)
	x := a.models[m.Path]
	if p := x.places[0]; p != (place{1, 0, 8, 4}) || a.dark != 3 {
		t.Fatalf("%+v, %d", p, a.dark)
	}
	at := func(u, v float32) [2]float32 { return [2]float32{(u + 0.5) / atlasWidth, (v + 0.5) / 4} }
	q := polygon{base: [3]float32{100, 0, 7}, axisU: [3]float32{1, 0, 0}, axisV: [3]float32{0, 1, 0},
		points: [][3]float32{{84, 32, 0}, {116, 96, 5}, {100, 64, 0}, {-999, -999, 0}, {9999, 9999, 0}, {float32(math.NaN()), 64, 0}}}
	for light, want := range map[int32][][2]float32{
		0:  {at(1, 0), at(3, 2), at(2, 1), at(1, 0), at(8, 3), at(1, 0)},
		-1: slices.Repeat([][2]float32{at(0, 0)}, 6), 2: slices.Repeat([][2]float32{at(0, 2)}, 6), 1: slices.Repeat([][2]float32{at(0, 2)}, 6),
	} {
		q.light, q.zone = light, 1
		got := a.coordinates(x, &q)
		for i := range want {
			if !(math.Hypot(float64(got[i][0]-want[i][0]), float64(got[i][1]-want[i][1])) < 1e-6) {
				t.Errorf("light map %d, corner %d: %v, want %v", light, i, got[i], want[i])
			}
		}
	}
	for zone, y := range map[int32]int{-5: 1, 0: 1, 1: 2, 2: 3, 3: 3, 64: 3} {
		if gx, gy := a.unlitAt((&polygon{light: 1, zone: zone})); gx != 0 || gy != y {
			t.Errorf("zone %d: %d, %d", zone, gx, gy)
		}
	}
	if x, y := new(atlas).unlitAt((&polygon{light: 1, zone: 2})); x != 0 || y != 0 {
		t.Errorf("without such texels: %d, %d", x, y)
	}
}

// TestVacantRows: an export reads before it has its own payload, with a state or without one.
func TestVacantRows(t *testing.T) {
	for flags, state := range map[uint32]bool{unreal.ActorFlags: true, unreal.ActorFlags &^ unreal.HasStack: false, unreal.HasStack: true, 0: false} {
		a := hall(t, 69)
		r := a.AddExport(a.AddClass("Engine", "Light"), 0, "Later", flags)
		if err := (&t3dReader{a: a}).vacant(r); err != nil {
			t.Fatal(err)
		}
		if o, err := a.Object(int(r - 1)); err != nil || (o.Base().Frame != nil) != state || len(o.Base().Properties) != 0 || len(o.Base().Tail) != 0 {
			t.Errorf("flags %#x: %+v, %v", flags, o, err)
		}
	}
}

// TestTextLeavesOut: a value of the text that nothing can be told of keeps what the actor had of it, and makes nothing of its own.
func TestTextLeavesOut(t *testing.T) {
	for line, want := range map[string]string{"LightHue=nonsense": "40", "LightHue=50": "50", "LightPhase=nonsense": "", "LightPhase=3": "3"} {
		a := hall(t, 69)
		text := "Begin Actor Class=Light Name=Light0\n    " + line + "\nEnd Actor\n"
		if err := a.addText([]byte(text)); err != nil {
			t.Fatal(err)
		}
		key, _, _ := strings.Cut(line, "=")
		got, others := "", 0
		for _, p := range recordOf(t, openBytes(t, "Hall.unr", written(t, a)), "Light0").Properties {
			if others++; p.Name == key {
				got = fmt.Sprint(p.Value)
			}
		}
		if got != want || others > 1 {
			t.Errorf("%s: %q of %d, want %q", line, got, others, want)
		}
	}
}

// TestEmptyShapes: a model without polygons is a scene of nothing.
func TestEmptyShapes(t *testing.T) {
	a := hall(t, 69)
	m := &unreal.Model{}
	m.Context = &unreal.Context{Package: a.Package, Path: "Void"}
	s, err := a.modelScene(m, nil)
	if err != nil || len(s.Meshes) != 0 || s.Roots[0].Mesh != nil || s.Name != "Void" {
		t.Errorf("%+v, %v", s, err)
	}
	p := &unreal.Polys{Polys: []unreal.Poly{{Vertices: [][3]float32{{0, 0, 0}, {1, 0, 0}}}}}
	p.Context = m.Context
	if s, err := a.modelScene(p, nil); err != nil || len(s.Meshes) != 0 {
		t.Errorf("a line: %+v, %v", s, err)
	}
}

// TestSimplifiedShapes: what a program left out of a shape because nobody sees it is put back; where a person took it out it is an edit.
func TestSimplifiedShapes(t *testing.T) {
	for generator, taken := range map[string]bool{"glTF-Transform v4.5.1": true, "Khronos glTF Blender I/O v4.2": false} {
		a := gallery(t, 69)
		i := entry(t, a, "Polys1")
		s := through(t, lifted(t, a, "Polys1")).(*asset.Scene)
		s.Generator = generator
		for _, p := range s.Meshes[0].Primitives {
			p.Normals, p.TexCoords = nil, nil
		}
		if _, err := formatOf(a, i).Lower(s, &format.Env{Archive: a}); (err == nil) != taken {
			t.Errorf("%s: %v", generator, err)
		}
	}
}

// TestDressedInLight: a material shows light maps on the second set of texture coordinates, and their colours where light matters.
func TestDressedInLight(t *testing.T) {
	a := &atlas{shadows: checkerboard(4, 4), colours: checkerboard(8, 8)}
	for _, unlit := range []bool{false, true} {
		m, s := &asset.Material{Unlit: unlit}, new(asset.Scene)
		a.dress(m, s)
		a.dress(&asset.Material{Unlit: unlit}, s)
		want := asset.TextureRef{Texture: a.shadows, TexCoord: 1, WrapS: asset.Clamp, WrapT: asset.Clamp}
		if !reflect.DeepEqual(*m.OcclusionTexture, want) || (m.LightTexture == nil) != unlit || len(s.Textures) != map[bool]int{false: 2, true: 1}[unlit] {
			t.Errorf("unlit %v: %+v, %+v, %d pictures", unlit, m.OcclusionTexture, m.LightTexture, len(s.Textures))
		}
		if want.Texture = a.colours; !unlit && !reflect.DeepEqual(*m.LightTexture, want) {
			t.Errorf("%+v", m.LightTexture)
		}
	}
}

// TestBareMusic: music without a byte of its module is bare, and one byte is something.
func TestBareMusic(t *testing.T) {
	a := made(t, 69)
	for data, bare := range map[string]bool{"": true, "x": false, "xy": false} {
		m := &unreal.Music{Data: []byte(data), FileType: a.AddName("mod")}
		m.Context, m.End = &unreal.Context{Package: a.Package, Path: "Song", Class: "Music"}, a.AddName("None")
		x, err := liftMusic(a, m, nil)
		if (schema.Class(err) == schema.ErrBare) != bare || err != nil && !bare || x == nil || x.(*asset.Sound).Stored.Encoding != "mod" {
			t.Errorf("%q: %v, %v", data, x, err)
		}
	}
}

// TestLightsLeftOut: a scene without any light leaves those of the level, and says how many they are.
func TestLightsLeftOut(t *testing.T) {
	for name, c := range map[string]struct {
		dark func(n *asset.Node) bool
		told string
	}{
		"all":  {func(*asset.Node) bool { return true }, "the level keeps its own, 2 of them"},
		"none": {func(*asset.Node) bool { return false }, ""},
	} {
		was, a, d := hall(t, 69), hall(t, 69), new(schema.Diagnostics)
		a.Env.Diagnostics = d
		now := scened(t, a, func(s *asset.Scene) {
			s.Walk(func(n, _ *asset.Node) {
				n.Children = slices.DeleteFunc(n.Children, func(x *asset.Node) bool { return isLamp(x) && c.dark(x) })
			})
		})
		if got := deeds(t, was, now); got != "" || d.Has("lights-kept") != (c.told != "") || !strings.Contains(fmt.Sprint(d.All()), c.told) {
			t.Errorf("%s: changed %s, told %v", name, got, d.All())
		}
	}
}

// TestSavedZUp: a level that was saved Z up is as it was, and that is told; what was moved in it is moved.
func TestSavedZUp(t *testing.T) {
	for _, moved := range []bool{false, true} {
		was, a, d := hall(t, 69), hall(t, 69), new(schema.Diagnostics)
		a.Env.Diagnostics = d
		now := scened(t, a, func(s *asset.Scene) {
			if n, _ := nodeNamed(t, s, "PlayerStart0"); moved {
				n.Transform.Translation[1] += 8
			}
			s.Walk(func(n, _ *asset.Node) {
				n.Transform = scene.TransformOf(upright.Transpose().Mul4(scene.Matrix(&n.Transform)).Mul4(upright))
			})
			for _, m := range s.Meshes {
				for _, p := range m.Primitives {
					for _, list := range []*[][3]float32{&p.Positions, &p.Normals} {
						*list = slices.Clone(*list)
						for i, v := range *list {
							(*list)[i] = [3]float32{v[0], -v[2], v[1]}
						}
					}
				}
			}
		})
		want := ""
		if moved {
			want = "PlayerStart0"
		}
		if got := deeds(t, was, now); got != want || !d.Has("z-up") || d.Has("level-moved") || d.Has("reshaped") || d.Has("paths") != moved {
			t.Errorf("moved %v: changed %s, told %v", moved, got, d.All())
		}
	}
}

// TestLampOfAnActor: a light shines as its own properties say, and else as Engine.Light does; what is stored is what differs.
func TestLampOfAnActor(t *testing.T) {
	a := hall(t, 69)
	usual := lamp{1, 0, 64, 0, 255, 64, 128}
	for i, f := range lampFields {
		o := &unreal.Object{Context: a.Context(0)}
		if got := lampIn(o); got != usual {
			t.Fatalf("%+v", got)
		}
		a.AddName(f.name)
		o.Set(f.name, unreal.ByteProperty, 7)
		want := usual
		*f.field(&want) = 7
		if got := lampIn(o); got != want {
			t.Errorf("%s: %+v, want %+v", f.name, got, want)
		}
		x := &unreal.Object{Context: a.Context(0)}
		want.store(x, usual)
		if len(x.Properties) != 1 || x.Property(f.name, 0) == nil || x.Properties[0].Number != 7 {
			t.Errorf("field %d is stored as %+v", i, x.Properties)
		}
	}
}

// TestTargets: of what goes those are taken off lists that are actors, or were until the level left them.
func TestTargets(t *testing.T) {
	a := hall(t, 69)
	wall, lamp, start := a.FindExport("Wall", "Texture"), a.FindExport("Light0", "Light"), a.FindExport("PlayerStart0", "PlayerStart")
	x := &release{a: a, going: map[int]bool{int(wall - 1): true, int(lamp - 1): true}, left: map[int]bool{}}
	if got := x.targets(); len(got) != 1 || !got[lamp] || got[start] {
		t.Errorf("%v", got)
	}
	x.left[int(wall-1)] = true
	if got := x.targets(); len(got) != 2 || !got[wall] {
		t.Errorf("%v", got)
	}
}
