package unreal

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/gltf"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/testdata/corpus"
	write "github.com/usher-assets/usher/write/unreal"
)

// hall is the room with some actors: a lamp, a spotlight, a start and the builder brush.
func hall(t testing.TB, version uint16) *archive {
	t.Helper()
	a := roomMap(t, version)
	info := a.FindExport("LevelInfo0", "LevelInfo")
	o, err := a.Object(int(info - 1))
	if err != nil {
		t.Fatal(err)
	}
	a.Exports[info-1].Flags = unreal.ActorFlags
	o.Base().Context, o.Base().Frame = a.Context(int(info-1)), newFrame(a.Exports[info-1].Class)
	full, err := write.Object(o)
	if err == nil {
		err = a.File.Replace(int(info-1), full)
	}
	if err != nil {
		t.Fatal(err)
	}
	actor := func(class, name string, at ...float32) (*unreal.Object, unreal.Ref) {
		c := a.AddClass("Engine", class)
		flags, frame := uint32(unreal.ActorFlags), newFrame(c)
		if version < unreal.LazyVersion && class == "PlayerStart" { // old maps have actors without a state
			flags, frame = flags&^unreal.HasStack, nil
		}
		r := a.AddExport(c, 0, name, flags)
		o := &unreal.Object{Context: a.Context(int(r - 1)), Frame: frame}
		o.Set("Level", unreal.ObjectProperty, int32(info))
		o.Set("Tag", unreal.NameProperty, int32(a.AddName(class)))
		o.SetStruct("Location", "Vector", vector(at...))
		return o, r
	}
	put2 := func(o *unreal.Object, r unreal.Ref) {
		put(t, a, r, o)
		if err := a.join(r); err != nil {
			t.Fatal(err)
		}
	}
	brush, r := actor("Brush", "Brush0", 0, 0, 0)
	put2(brush, r)
	lamp, r := actor("Light", "Light0", 64, 32, 16)
	lamp.Set("LightHue", unreal.ByteProperty, 40)
	lamp.Set("LightSaturation", unreal.ByteProperty, 100)
	put2(lamp, r)
	spot, r := actor("Light", "Light1", 10, 20, 30)
	spot.Set("LightEffect", unreal.ByteProperty, effectSpot)
	spot.SetStruct("Rotation", "Rotator", rotatorBytes([3]int32{-8192, 4096, 0}))
	put2(spot, r)
	start, r := actor("PlayerStart", "PlayerStart0", 5, 6, 7)
	start.Set("Target", unreal.ObjectProperty, int32(a.FindExport("Light0", "Light")))
	put2(start, r)
	b := written(t, a)
	if _, err := checkPackage(b); err != nil {
		t.Fatal(err)
	}
	return openBytes(t, "Hall.unr", b)
}

// deeds says what became of the objects of a package: "+path", "-path", "path" for one whose bytes are others.
func deeds(t testing.TB, was, now *archive) string {
	t.Helper()
	list := map[string]bool{}
	before := map[string]string{}
	for i, e := range was.Entries() {
		b, err := was.portable(i)
		if err != nil {
			t.Fatal(err)
		}
		before[e.Path] = e.Class + string(b)
	}
	for i, e := range now.Entries() {
		b, err := now.portable(i)
		if err != nil {
			t.Fatal(err)
		}
		switch old, known := before[e.Path]; {
		case !known:
			list["+"+e.Path] = true
		case old != e.Class+string(b):
			list[e.Path] = true
		}
		delete(before, e.Path)
	}
	for path := range before {
		list["-"+path] = true
	}
	return strings.Join(slices.Sorted(maps.Keys(list)), " ")
}

// namers are the objects that have to change when an actor goes.
func namers(t testing.TB, a *archive, path string) (list []string) {
	t.Helper()
	refs, err := a.findReferences()
	if err != nil {
		t.Fatal(err)
	}
	i, err := a.export(entry(t, a, path))
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range refs.users[unreal.Ref(i+1)] {
		if k != i {
			list = append(list, a.entries[k].Path)
		}
	}
	return list
}

// checked returns a package as it reads after being written, once the independent parser has seen it.
func checked(t testing.TB, a *archive) *archive {
	t.Helper()
	b := written(t, a)
	if _, err := checkPackage(b); err != nil {
		t.Errorf("the written package: %v", err)
	}
	next := openBytes(t, a.Env.Name, b)
	corpus.SameBytes(t, "written again", written(t, next), b)
	return next
}

// loose is an actor that can be moved, copied and taken out: nothing but the level and lights need it.
func loose(t testing.TB, a *archive, class string) string {
	t.Helper()
	refs, err := a.findReferences()
	if err != nil {
		t.Fatal(err)
	}
	for i := range a.Exports {
		r := unreal.Ref(i + 1)
		x := &release{a: a, refs: refs, going: map[int]bool{i: true}}
		if !a.gone[i] && a.isActor(i) && a.ClassName(r) == class && x.keeper(r) == 0 {
			return a.entries[i].Path
		}
	}
	return ""
}

// recordOf returns the record of an entry as JSON has it.
func recordOf(t testing.TB, a *archive, path string) *Record {
	t.Helper()
	i := entry(t, a, path)
	b, err := a.Payload(i)
	if err != nil {
		t.Fatal(err)
	}
	f := formatOf(a, i)
	v, err := f.Read(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	return throughJSON(t, f, v).(*Record)
}

// layIn adds a record under a new name, as "usher pack" does.
func layIn(t testing.TB, a *archive, path string, r *Record) error {
	t.Helper()
	a.expect([]string{path})
	bare := recordFormat(nil, -1)
	f, err := a.bindNew(&bare, path)
	if err != nil {
		return err
	}
	b, err := f.Write(r)
	if err != nil {
		return err
	}
	return a.Add(path, b, f)
}

func setRecord(r *Record, name string, value any) {
	for i := range r.Properties {
		if r.Properties[i].Name == name {
			r.Properties[i].Value = value
		}
	}
}

// nodeNamed returns a node of a scene.
func nodeNamed(t testing.TB, s *asset.Scene, name string) (n, parent *asset.Node) {
	t.Helper()
	s.Walk(func(x, p *asset.Node) {
		if n == nil && x.Name == name {
			n, parent = x, p
		}
	})
	if n == nil {
		t.Fatalf("no node %q", name)
	}
	return n, parent
}

func takeNode(t testing.TB, s *asset.Scene, name string) {
	t.Helper()
	n, parent := nodeNamed(t, s, name)
	parent.Children = slices.DeleteFunc(parent.Children, func(c *asset.Node) bool { return c == n })
}

// copyNode copies a node as Blender does: with its properties, and a number behind its name.
func copyNode(t testing.TB, s *asset.Scene, name, as string) *asset.Node {
	t.Helper()
	n, parent := nodeNamed(t, s, name)
	c := *n
	c.Name = as
	c.Children = slices.Clone(n.Children)
	parent.Children = append(parent.Children, &c)
	return &c
}

// acts are what a mapper does to a level, by JSON or by GLB, with what has to become of the objects.
var acts = []struct {
	name string
	do   func(t *testing.T, a *archive, light, start string) *archive
	want func(t *testing.T, a *archive, light, start string) []string
}{
	{"add by JSON", func(t *testing.T, a *archive, light, start string) *archive {
		r := recordOf(t, a, light)
		setRecord(r, "Location", map[string]any{"X": 1.5, "Y": 2.0, "Z": -3.0})
		if err := layIn(t, a, "Light9999", r); err != nil {
			t.Fatal(err)
		}
		return a
	}, func(t *testing.T, a *archive, light, start string) []string { return []string{"+Light9999", "MyLevel"} }},
	{"move by JSON", func(t *testing.T, a *archive, light, start string) *archive {
		r := recordOf(t, a, light)
		setRecord(r, "Location", map[string]any{"X": 1.5, "Y": 2.0, "Z": -3.0})
		i := entry(t, a, light)
		b, err := formatOf(a, i).Write(r)
		if err == nil {
			err = a.Replace(i, b)
		}
		if err != nil {
			t.Fatal(err)
		}
		return a
	}, func(t *testing.T, a *archive, light, start string) []string { return []string{light} }},
	{"copy by JSON", func(t *testing.T, a *archive, light, start string) *archive {
		if err := layIn(t, a, "Other1", recordOf(t, a, start)); err != nil {
			t.Fatal(err)
		}
		return a
	}, func(t *testing.T, a *archive, light, start string) []string { return []string{"+Other1", "MyLevel"} }},
	{"delete by JSON", func(t *testing.T, a *archive, light, start string) *archive {
		if err := a.removeAll([]int{entry(t, a, light)}); err != nil {
			t.Fatal(err)
		}
		return a
	}, func(t *testing.T, a *archive, light, start string) []string {
		return append(namers(t, a, light), "-"+light)
	}},
	{"add by GLB", func(t *testing.T, a *archive, light, start string) *archive {
		return scened(t, a, func(s *asset.Scene) {
			n := asset.NewNode("Lamp.001")
			n.Transform.Translation = [3]float32{1, 2, 3}
			n.Light = asset.NewLight(asset.PointLight)
			n.Light.Color, n.Light.Intensity, n.Light.Range = [3]float32{1, 0.5, 0.5}, 100, 16
			s.Roots = append(s.Roots, n)
		})
	}, func(t *testing.T, a *archive, light, start string) []string { return []string{"+Lamp_001", "MyLevel"} }},
	{"add a spot by GLB", func(t *testing.T, a *archive, light, start string) *archive {
		return scened(t, a, func(s *asset.Scene) {
			n := asset.NewNode("Spot")
			n.Light = asset.NewLight(asset.SpotLight)
			n.Light.Intensity, n.Light.Range, n.Light.Outer = 100, 16, 0.5
			s.Roots = append(s.Roots, n)
		})
	}, func(t *testing.T, a *archive, light, start string) []string { return []string{"+Spot", "MyLevel"} }},
	{"copy a lamp by GLB", func(t *testing.T, a *archive, light, start string) *archive {
		return scened(t, a, func(s *asset.Scene) {
			copyNode(t, s, light+"_light", light+"_light.001").Transform.Translation[0] += 50
		})
	}, func(t *testing.T, a *archive, light, start string) []string {
		return []string{"+" + light + "_light_001", "MyLevel"}
	}},
	{"delete a lamp by GLB", func(t *testing.T, a *archive, light, start string) *archive {
		return scened(t, a, func(s *asset.Scene) { takeNode(t, s, light+"_light") })
	}, func(t *testing.T, a *archive, light, start string) []string {
		return append(namers(t, a, light), "-"+light)
	}},
	{"move by GLB", func(t *testing.T, a *archive, light, start string) *archive {
		return scened(t, a, func(s *asset.Scene) {
			n, _ := nodeNamed(t, s, light)
			n.Transform.Translation[1] += 20
		})
	}, func(t *testing.T, a *archive, light, start string) []string { return []string{light} }},
	{"turn and scale by GLB", func(t *testing.T, a *archive, light, start string) *archive {
		return scened(t, a, func(s *asset.Scene) {
			n, _ := nodeNamed(t, s, start)
			n.Transform.Rotation = [4]float32{0, 0.6, 0, 0.8}
			for k := range n.Transform.Scale {
				n.Transform.Scale[k] *= 3
			}
		})
	}, func(t *testing.T, a *archive, light, start string) []string { return []string{start} }},
	{"copy by GLB", func(t *testing.T, a *archive, light, start string) *archive {
		return scened(t, a, func(s *asset.Scene) {
			copyNode(t, s, start, start+".001").Transform.Translation[0] += 100
		})
	}, func(t *testing.T, a *archive, light, start string) []string {
		return []string{"+" + start + "_001", "MyLevel"}
	}},
	{"delete by GLB", func(t *testing.T, a *archive, light, start string) *archive {
		return scened(t, a, func(s *asset.Scene) { takeNode(t, s, light) })
	}, func(t *testing.T, a *archive, light, start string) []string {
		return append(namers(t, a, light), "-"+light)
	}},
}

// scened edits the scene of the level.
func scened(t *testing.T, a *archive, edit func(s *asset.Scene)) *archive {
	t.Helper()
	s := through(t, lifted(t, a, "MyLevel")).(*asset.Scene)
	edit(s)
	return scenedWith(t, a, through(t, s).(*asset.Scene))
}

// scenedWith lays a scene in as the level's.
func scenedWith(t *testing.T, a *archive, s *asset.Scene) *archive {
	t.Helper()
	inheritLevel(t, a, s)
	i := entry(t, a, "MyLevel")
	f := formatOf(a, i)
	x, err := f.Lower(s, &format.Env{Archive: a, Entry: "MyLevel", Diagnostics: a.Env.Diagnostics})
	if err != nil {
		t.Fatal(err)
	}
	b, err := f.Write(x)
	if err != nil {
		t.Fatal(err)
	}
	if old, err := a.Payload(i); err != nil || bytes.Equal(old, b) {
		return a
	}
	if err := a.Replace(i, b); err != nil {
		t.Fatal(err)
	}
	return a
}

// inheritLevel gives a scene without properties the stored ones, as packing does.
func inheritLevel(t *testing.T, a *archive, s *asset.Scene) {
	if s.Native == nil {
		s.Native = lifted(t, a, "MyLevel").(*asset.Scene).Native
	}
}

func sortedKeys(m map[string]bool) []string { return slices.Sorted(maps.Keys(m)) }

// TestLevelEdits: exactly the wanted objects change, and the independent parser finds every package consistent.
func TestLevelEdits(t *testing.T) {
	levels := map[string][]byte{}
	for _, v := range []uint16{60, 61, 63, 69} {
		levels[fmt.Sprintf("hall%d", v)] = written(t, hall(t, v))
	}
	t.Run("made", func(t *testing.T) { testLevelEdits(t, levels, "PlayerStart") })
	t.Run("corpus", func(t *testing.T) {
		dir := corpus.Folder(t, "unreal")
		levels := map[string][]byte{}
		for _, name := range []string{"1HH-TestBox.unr", "CTF-1on1-Joust.unr", "DM-Flux.unr", "MA-Revenge.unr", "SCR-CityStreet.unr"} {
			levels[name] = corpus.Bytes(t, dir+"/"+name)
		}
		testLevelEdits(t, levels, "")
	})
}

func testLevelEdits(t *testing.T, levels map[string][]byte, class string) {
	for _, name := range slices.Sorted(maps.Keys(levels)) {
		b := levels[name]
		was := openBytes(t, name, b)
		light := loose(t, was, "Light")
		start := ""
		for _, c := range []string{class, "PlayerStart", "HealthPack", "Spawnpoint", "Camera", "HealthVial", "Light"} {
			if start == "" && c != "" {
				start = loose(t, was, c)
			}
		}
		if light == "" || start == "" {
			t.Errorf("%s: no actors to edit: %q, %q", name, light, start)
			continue
		}
		shines := false
		lifted(t, was, "MyLevel").(*asset.Scene).Walk(func(n, _ *asset.Node) { shines = shines || n.Name == light+lampSuffix })
		for _, act := range acts {
			if !shines && strings.Contains(act.name, "a lamp") {
				continue // some lights of the corpus are out
			}
			t.Run(name+"/"+act.name, func(t *testing.T) {
				a := openBytes(t, name, b)
				want := act.want(t, was, light, start)
				slices.Sort(want)
				now := checked(t, act.do(t, a, light, start))
				if got := deeds(t, was, now); got != strings.Join(slices.Compact(want), " ") {
					t.Errorf("changed: %s\nwant: %s", got, strings.Join(want, " "))
				}
			})
		}
	}
}

// What nobody edited stays as it is, however the scene was saved: below another node, without its root, Z up, in other
// numbers.
func TestLevelSaved(t *testing.T) {
	for _, c := range []struct {
		name string
		save func(s *asset.Scene)
	}{
		{"as it was", func(s *asset.Scene) {}},
		{"below a node", func(s *asset.Scene) {
			n := asset.NewNode("Empty")
			n.Transform.Translation, n.Transform.Scale = [3]float32{3, 4, 5}, [3]float32{2, 2, 2}
			n.Children = s.Roots
			s.Roots = []*asset.Node{n}
		}},
		{"without its root", func(s *asset.Scene) {
			root := s.Roots[0]
			worlds := scene.Worlds(s)
			for _, n := range root.Children {
				n.Transform = scene.TransformOf(worlds[n])
			}
			s.Roots = root.Children
		}},
		{"Z up", func(s *asset.Scene) {
			s.Walk(func(n, _ *asset.Node) {
				n.Transform = scene.TransformOf(upright.Transpose().Mul4(scene.Matrix(&n.Transform)).Mul4(upright))
			})
			for _, m := range s.Meshes {
				for _, p := range m.Primitives {
					for i, v := range p.Positions {
						p.Positions[i] = [3]float32{v[0], -v[2], v[1]}
					}
					p.Normals = nil
				}
			}
		}},
		{"without properties", func(s *asset.Scene) {
			s.Native = nil
			s.Walk(func(n, _ *asset.Node) { n.Native = nil })
		}},
		{"without lights", func(s *asset.Scene) { s.Walk(func(n, _ *asset.Node) { n.Light = nil }) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			was := hall(t, 69)
			now := scened(t, hall(t, 69), c.save)
			if got := deeds(t, was, now); got != "" {
				t.Errorf("changed: %s", got)
			}
			now = scened(t, hall(t, 69), func(s *asset.Scene) {
				n, _ := nodeNamed(t, s, "PlayerStart0")
				n.Transform.Translation[2] += 16 // forward
				c.save(s)
			})
			if got := deeds(t, was, now); got != "PlayerStart0" {
				t.Errorf("moved: %s", got)
			}
			o, err := now.Object(entry(t, now, "PlayerStart0"))
			if err != nil {
				t.Fatal(err)
			}
			if at := property3(o.Base(), "Location", [3]float32{}); at != [3]float32{21, 6, 7} {
				t.Errorf("it is at %v", at)
			}
		})
	}
}

// The same scene laid in twice makes the same actors: a copy keeps the name of its node.
func TestLevelAgain(t *testing.T) {
	edit := func(s *asset.Scene) {
		start := copyNode(t, s, "PlayerStart0", "PlayerStart0.001")
		start.Transform.Translation[0] += 100
		kept := *start.Native
		kept.Values, start.Native = maps.Clone(kept.Values), &kept
		c := copyNode(t, s, "Light0", "Light0.001")
		c.Transform.Translation[0] += 50
		shown := *lampNode(c)
		light := *shown.Light
		shown.Name, shown.Light, c.Children = "Light0_light.001", &light, []*asset.Node{&shown}
		n := asset.NewNode("Point")
		n.Transform.Translation = [3]float32{1, 2, 3}
		n.Light = asset.NewLight(asset.PointLight)
		s.Roots = append(s.Roots, n)
	}
	a := hall(t, 69)
	s := through(t, lifted(t, a, "MyLevel")).(*asset.Scene)
	edit(s)
	a = checked(t, replaced(t, a, "MyLevel", s))
	first := openBytes(t, "Hall.unr", written(t, a))
	second := checked(t, replaced(t, a, "MyLevel", through(t, s).(*asset.Scene)))
	if got := deeds(t, first, second); got != "" {
		t.Errorf("changed: %s", got)
	}
	nodeOf := func(name string) *asset.Node { n, _ := nodeNamed(t, s, name); return n }
	nodeOf("PlayerStart0.001").Transform.Translation[1] += 8 // up
	nodeOf("Point").Transform.Translation[2] += 16           // forward, in metres
	third := checked(t, replaced(t, second, "MyLevel", through(t, s).(*asset.Scene)))
	if got := deeds(t, first, third); got != "PlayerStart0_001 Point" {
		t.Errorf("moved, and changed: %s", got)
	}
	// What else is edited of the copies reaches the actors that were made of them.
	lampNode(nodeOf("Light0.001")).Light.Color = [3]float32{0, 0, 1}
	values := nodeOf("PlayerStart0.001").Native.Values
	values["Tag"], values["LightHue"] = "Hero", 7.0
	fourth := third
	for _, want := range []string{"Light0_001 PlayerStart0_001", ""} { // once
		was := fourth
		fourth = checked(t, replaced(t, openBytes(t, "Hall.unr", written(t, was)), "MyLevel", through(t, s).(*asset.Scene)))
		if got := deeds(t, was, fourth); got != want {
			t.Errorf("edited, and changed: %s, want %s", got, want)
		}
		start, err := fourth.Object(exportOf(t, fourth, "PlayerStart0_001"))
		if err != nil || fourth.Name(unreal.NameIndex(start.Base().Number("Tag", 0))) != "Hero" || start.Base().Number("LightHue", 0) != 7 {
			t.Errorf("%+v, %v", start.Base().Properties, err)
		}
		o, err := fourth.Object(exportOf(t, fourth, "Light0_001"))
		if err != nil || lampIn(o.Base()) != (lamp{kind: 1, brightness: 64, hue: 170, radius: 64, cone: 128}) {
			t.Errorf("%+v, %v", lampIn(o.Base()), err)
		}
	}
	for name, by := range map[string][3]float32{"PlayerStart0_001": {0, 0, 8}, "Point": {840, 0, 0}} {
		was, is := actorAt(t, first, name), actorAt(t, third, name)
		if got := [3]float32{is[0] - was[0], is[1] - was[1], is[2] - was[2]}; got != by {
			t.Errorf("%s moved by %v, want %v", name, got, by)
		}
	}
}

// Every rotator comes back from its node, and stored numbers that say the same stay.
func TestRotators(t *testing.T) {
	for _, r := range [][3]int32{{0, 0, 0}, {16384, 0, 0}, {-16384, 1000, 0}, {100, -20000, 30000}, {20000, 40, -70}, {8192, 65536 * 3, -8192}, {0, 32768, 0}} {
		m := space.Vertex.Rotation(r)
		q := scene.Turn(space.Rotation(m))
		if got := rotatorOf(q, r); got != r && (max(r[0], -r[0]) != 16384 || !likeTurn(space.Vertex.Rotation(got), m)) { // straight up there is more than one
			t.Errorf("%v became %v", r, got)
		}
		got := rotatorOf(q, [3]int32{})
		if !likeTurn(space.Vertex.Rotation(got), m) {
			t.Errorf("%v became %v, which turns otherwise", r, got)
		}
	}
}

func likeTurn(a, b [9]float64) bool {
	for k := range a {
		if math.Abs(a[k]-b[k]) > 2e-4 {
			return false
		}
	}
	return true
}

// TestLamps: every byte of a light comes back, and so does what somebody sets in an editor.
func TestLamps(t *testing.T) {
	was := lamp{kind: 1, brightness: 64, hue: 40, saturation: 100, radius: 64, cone: 128}
	for _, c := range []struct {
		name string
		edit func(x *asset.Light)
		want lamp
	}{
		{"nothing", func(x *asset.Light) {}, was},
		{"an editor without ranges", func(x *asset.Light) { x.Range = 0 }, was},
		{"farther", func(x *asset.Light) { x.Range *= 2; x.Intensity *= 4 }, lamp{1, 0, 64, 40, 100, 129, 128}},
		{"brighter", func(x *asset.Light) { x.Intensity *= 1.5 }, lamp{1, 0, 144, 40, 100, 64, 128}},
		{"white", func(x *asset.Light) { x.Color = [3]float32{1, 1, 1} }, lamp{1, 0, 64, 0, 255, 64, 128}},
		{"blue", func(x *asset.Light) { x.Color = [3]float32{0, 0, 1} }, lamp{1, 0, 64, 170, 0, 64, 128}},
		{"a spot", func(x *asset.Light) { x.Kind, x.Outer = asset.SpotLight, math.Pi/3 }, lamp{1, effectSpot, 64, 40, 100, 64, 128}},
		{"a brighter spot", func(x *asset.Light) { x.Kind, x.Outer, x.Intensity = asset.SpotLight, math.Pi/3, x.Intensity*1.5 }, lamp{1, effectSpot, 144, 40, 100, 64, 128}},
		{"less than a metre", func(x *asset.Light) {
			x.Range = float32(lampReach(0))
			x.Intensity *= x.Range * x.Range / float32(lampReach(64)*lampReach(64))
		}, lamp{1, 0, 64, 40, 100, 0, 128}},
	} {
		x := was.light(false)
		c.edit(x)
		got := was
		if changed, cut := got.take(x, false); got != c.want || cut || changed != (c.want != was) {
			t.Errorf("%s: %v, want %v; changed %v, cut %v", c.name, got, c.want, changed, cut)
		}
	}
	sun := lamp{kind: 1, effect: effectSun, brightness: 64, hue: 40, saturation: 100, radius: 64, cone: 128}
	for _, c := range []struct {
		name string
		edit func(x *asset.Light)
		want lamp
	}{
		{"the sun", func(x *asset.Light) {}, sun},
		{"a brighter sun", func(x *asset.Light) { x.Intensity *= 1.5 }, lamp{1, effectSun, 144, 40, 100, 64, 128}},
		{"a lamp without a range", func(x *asset.Light) { x.Kind, x.Intensity = asset.PointLight, 5000 }, was},
		{"a lamp with one", func(x *asset.Light) {
			x.Kind, x.Range, x.Intensity = asset.PointLight, float32(lampReach(20)), float32(math.Pi*lampReach(20)*lampReach(20)/8)
		}, lamp{1, 0, 64, 40, 100, 20, 128}},
	} {
		x, got := sun.light(true), sun
		c.edit(x)
		if got.take(x, true); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if x := (&lamp{kind: 1, brightness: 255, saturation: 255, radius: 41}).light(false); x.Range != 20 || math.Abs(float64(x.Intensity)-math.Pi*100) > 1e-3 || x.Color != [3]float32{1, 1, 1} {
		t.Errorf("range %v, intensity %v, colour %v", x.Range, x.Intensity, x.Color)
	}
	for hue, want := range map[uint8][3]float32{0: {1, 0, 0}, 85: {0, 1, 0}, 170: {0, 0, 1}, 255: {1, 0, 0}} {
		if got := lampColor(hue, 0); got != want {
			t.Errorf("hue %d is %v", hue, got)
		}
	}
}

// FuzzLevelScene lays any scene into a level: what is taken makes a package that the independent parser finds consistent.
func FuzzLevelScene(f *testing.F) {
	source := written(f, hall(f, 69))
	var w bytes.Buffer
	if err := gltf.Encode(&w, lifted(f, openBytes(f, "Hall.unr", source), "MyLevel").(*asset.Scene), gltf.Options{}); err != nil {
		f.Fatal(err)
	}
	f.Add(w.Bytes())
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := gltf.Decode(b, nil, nil)
		if err != nil {
			return
		}
		a := openBytes(t, "Hall.unr", source)
		i := entry(t, a, "MyLevel")
		if s.Native == nil {
			s.Native = lifted(t, a, "MyLevel").(*asset.Scene).Native
		}
		onto := formatOf(a, i)
		v, err := onto.Lower(s, &format.Env{})
		if err != nil {
			return
		}
		payload, err := onto.Write(v)
		if err != nil {
			t.Fatal(err)
		}
		if a.Replace(i, payload) != nil {
			return
		}
		var out bytes.Buffer
		if _, err := a.WriteTo(&out); err != nil {
			return
		}
		if _, err := checkPackage(out.Bytes()); err != nil {
			t.Fatal(err)
		}
	})
}
