package freelancer_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/library"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/testdata/corpus"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// codes lists what was told: "animation-kept", and the loss of what follows a "!".
func codes(d *schema.Diagnostics) string {
	var list []string
	for _, x := range d.All() {
		if x.Severity == schema.Loss {
			x.Code = "!" + x.Code
		}
		list = append(list, x.Code)
	}
	return strings.Join(list, " ")
}

// TestFactsOfFiles: what "info" tells of files that are no models.
func TestFactsOfFiles(t *testing.T) {
	for name, want := range map[string]string{
		"gunship.sur": "[{layout vers 2} {parts 3} {hulls 10} {faces 80} {copies of other parts' hulls 3} {hardpoints with hulls [0xF00FB9DE]} {radius 10.38}]",
		"older.sur":   "[{layout older, without a version} {parts 2} {hulls 7} {faces 64}]",
		"heron.ini":   "[{sections 3} {entries 13} {values 23} {names of sections [Ship a]b ship]}]",
		"tails.ini":   "[{sections 1} {entries 2} {values 3} {names of sections [Ship]} {table of strings of another tool than the game's}]",
		"fire.ale":    "[{version 0x101} {directories 3} {leaves 2} {root [ALEffectLib AlchemyNodeLibrary]} {effects 1} {nodes 1}]",
	} {
		b := corpus.Bytes(t, corpus.Testdata(t, "freelancer", name))
		f := sniff(t, name, b)
		v, err := f.Read(b, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(f.Facts(v)); got != want {
			t.Errorf("%s: %s\nwant %s", name, got, want)
		}
	}
	if got := fmt.Sprint(byName(t, "sur").Facts(new(freelancer.Sur))); got != "[{layout empty} {parts 0} {hulls 0} {faces 0}]" {
		t.Errorf("an empty one: %s", got)
	}
	many := new(freelancer.BINI)
	for i := range 13 {
		many.Sections = append(many.Sections, freelancer.BINISection{Name: fmt.Sprint("s", i)})
	}
	if got := fmt.Sprint(byName(t, "bini").Facts(many)); got != "[{sections 13} {entries 0} {values 0}]" {
		t.Errorf("many: %s", got)
	}
	many.Sections = many.Sections[:12]
	if got := fmt.Sprint(byName(t, "bini").Facts(many)); !strings.Contains(got, "names of sections [s0 s1") {
		t.Errorf("as many as are named: %s", got)
	}
}

// TestMadeHulls: each part of a model gets the hull of its mesh where that is asked for, unless it has one.
func TestMadeHulls(t *testing.T) {
	cmp := byName(t, "cmp")
	model, _, file := lowerBoth(t, cmp, "ship.cmp", gunship(), format.Options{}, nil)
	for _, c := range []struct {
		asked bool
		sur   []byte
		want  string
	}{
		{false, nil, ""}, {true, nil, "hull.0$hull turret.0$hull wing.0$hull"},
		{false, file, "HpMount.0$hull hull.0$hull hull.1$hull turret.0$hull wing.0$hull"}, {true, file, "HpMount.0$hull hull.0$hull hull.1$hull turret.0$hull wing.0$hull"},
	} {
		files := memory{}
		if c.sur != nil {
			files["ship.sur"] = c.sur
		}
		s := liftWith(t, cmp, model, &format.Env{Name: "ship.cmp", Files: files, Options: format.Options{Freelancer: format.FreelancerOptions{Hulls: c.asked}}})
		var got []string
		s.Walk(func(n, above *asset.Node) {
			if !strings.HasSuffix(n.Name, "$hull") {
				return
			}
			got = append(got, n.Name)
			if p := n.Mesh.Primitives[0]; c.sur == nil && (len(p.Positions) != 8 || len(p.Indices) != 36 || n.Extras["hull"] != true || above.Name+".0$hull" != n.Name || !slices.Contains(s.Meshes, n.Mesh)) {
				t.Errorf("%s of %s: %d corners, %d of triangles, %v", n.Name, above.Name, len(p.Positions), len(p.Indices), n.Extras)
			}
		})
		slices.Sort(got)
		if strings.ReplaceAll(strings.Join(got, " "), "Root.", "hull.") != c.want {
			t.Errorf("asked %v, with a file of %d bytes: %s, want %s", c.asked, len(c.sur), got, c.want)
		}
	}
}

// TestAnimationsEdited: what is done to the animations of a model is done to its scripts, and told where it is none of the keys.
func TestAnimationsEdited(t *testing.T) {
	cmp := byName(t, "cmp")
	stored := lower(t, cmp, "ship.cmp", ship(), nil)
	other := func(name string, c *asset.Channel) *asset.Animation {
		twin := *c
		return &asset.Animation{Name: name, Channels: []*asset.Channel{&twin}}
	}
	for _, c := range []struct {
		name string
		edit func(s *asset.Scene, n map[string]*asset.Node)
		want string // the scripts, and what each moves
		told string
	}{
		{"nothing", func(*asset.Scene, map[string]*asset.Node) {}, "Sc_spin turret", ""},
		{"another name", func(s *asset.Scene, _ map[string]*asset.Node) { s.Animations[0].Name = "Sc_turn" }, "Sc_turn turret", "animation-renamed"},
		{"no name", func(s *asset.Scene, _ map[string]*asset.Node) { s.Animations[0].Name = "" }, "Sc_spin turret", ""},
		{"no animations", func(s *asset.Scene, _ map[string]*asset.Node) { s.Animations = nil }, "Sc_spin turret", "animation-kept"},
		{"another one beside", func(s *asset.Scene, _ map[string]*asset.Node) {
			s.Animations = append(s.Animations, other("Sc_more", s.Animations[0].Channels[0]))
		}, "Sc_more turret, Sc_spin turret", ""},
		{"another one in its place", func(s *asset.Scene, _ map[string]*asset.Node) {
			s.Animations = []*asset.Animation{other("Sc_more", s.Animations[0].Channels[0])}
		}, "Sc_more turret", "animation-removed"},
		{"one without a name beside", func(s *asset.Scene, _ map[string]*asset.Node) {
			s.Animations = append(s.Animations, other("", s.Animations[0].Channels[0]))
		}, "Sc_animation turret, Sc_spin turret", ""},
		{"two without a name beside", func(s *asset.Scene, _ map[string]*asset.Node) {
			s.Animations = append(s.Animations, other("", s.Animations[0].Channels[0]), other("", s.Animations[0].Channels[0]))
		}, "Sc_animation turret, Sc_animation_2 turret, Sc_spin turret", "animation-renamed"},
		{"one of the same name beside", func(s *asset.Scene, _ map[string]*asset.Node) {
			s.Animations = append(s.Animations, other("SC_spin", s.Animations[0].Channels[0]))
		}, "SC_spin_2 turret, Sc_spin turret", "animation-renamed"},
		{"one of the new name beside", func(s *asset.Scene, _ map[string]*asset.Node) {
			s.Animations[0].Name = "Sc_turn"
			s.Animations = append(s.Animations, other("Sc_turn", s.Animations[0].Channels[0]), other("Sc_spin", s.Animations[0].Channels[0]))
		}, "Sc_spin turret, Sc_turn turret, Sc_turn_2 turret", "animation-renamed animation-renamed"},
		{"one that moves nothing beside", func(s *asset.Scene, _ map[string]*asset.Node) {
			s.Animations = append(s.Animations, &asset.Animation{Name: "Sc_still"})
		}, "Sc_spin turret", "!animation-empty"},
		{"a part more", func(s *asset.Scene, n map[string]*asset.Node) {
			s.Animations[0].Channels = append(s.Animations[0].Channels, &asset.Channel{Node: n["wing"], Path: asset.Translation, Times: []float32{0, 1}, Values: []float32{2, 0.25, 0, 2, 0.25, 5}})
		}, "Sc_spin turret wing", "joint-loosened"},
		{"another part", func(s *asset.Scene, n map[string]*asset.Node) {
			s.Animations[0].Channels = []*asset.Channel{{Node: n["wing"], Path: asset.Translation, Times: []float32{0, 1}, Values: []float32{2, 0.25, 0, 2, 0.25, 5}}}
		}, "Sc_spin wing", "joint-loosened"},
	} {
		s := lift(t, cmp, "ship.cmp", stored, nil)
		_, n := where(s)
		c.edit(s, n)
		d := new(schema.Diagnostics)
		var got []string
		for name, script := range scripts(t, lower(t, cmp, "ship.cmp", s, d)) {
			for _, m := range script.Maps {
				name += " " + m.Child
			}
			got = append(got, name)
		}
		slices.Sort(got)
		if strings.Join(got, ", ") != c.want || codes(d) != c.told {
			t.Errorf("%s: %q, told %s, want %s, %s", c.name, got, codes(d), c.want, c.told)
		}
	}
}

// TestScriptsOfOneName: scripts of one name stay apart, and none is renamed to another's name.
func TestScriptsOfOneName(t *testing.T) {
	fm := byName(t, "cmp")
	tree, err := read.UTF(lower(t, fm, "ship.cmp", ship(), nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := tree.Root.Find("Animation/Script")
	for _, name := range []string{"Sc_spin", "Sc_other"} {
		twin := dir.Add(freelancer.NewDir(name))
		library.Copy(twin, dir.Children[0])
		frames := twin.Find("Joint map 0/Channel/Frames")
		frames.Data = slices.Clone(frames.Data)
		frames.Data[len(frames.Data)-1] ^= 0x80 // it turns the other way
	}
	b := treeBytes(t, tree)
	s := fromGLB(t, glb(t, lift(t, fm, "ship.cmp", b, nil), nil))
	corpus.SameBytes(t, "unedited", lower(t, fm, "ship.cmp", s, nil), b)
	s.Animations[2].Name = "sc_spin"
	var d schema.Diagnostics
	if tree, err = read.UTF(lower(t, fm, "ship.cmp", s, &d), nil); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, n := range tree.Root.Find("Animation/Script").Children {
		names = append(names, n.Name)
	}
	if !slices.Equal(names, []string{"Sc_spin", "Sc_spin", "sc_spin_2"}) || codes(&d) != "animation-renamed" {
		t.Errorf("%v, told %s", names, codes(&d))
	}
}

// TestDistancesEdited: edited distances of levels of detail are stored, and those of a level more lie between the ones beside it.
func TestDistancesEdited(t *testing.T) {
	cmp := byName(t, "cmp")
	s := ship()
	_, n := where(s)
	n["turret"].LODs = []*asset.Node{lowerLevel(n["turret"], "turret$lod1", 0.25), lowerLevel(n["turret"], "turret$lod2", 0.125)}
	listMeshes(s)
	stored := lower(t, cmp, "ship.cmp", s, nil)
	for _, c := range []struct {
		name     string
		distance []any // nil keeps them
		more     int   // levels that are added
		want     string
	}{
		{"nothing", nil, 0, "[0 100 1000 1e+06]"}, {"other ones", []any{0.0, 40.0, 50.0, 60.0}, 0, "[0 40 50 60]"},
		{"one more", nil, 1, "[0 100 1000 10000 1e+06]"}, {"two more", nil, 2, "[0 100 1000 10000 100000 1e+06]"}, {"three more", nil, 3, "[0 100 1000 10000 100000 550000 1e+06]"},
		{"one more behind an end", []any{0.0, 40.0, 50.0, 60.0}, 1, "[0 40 50 60 1e+06]"}, {"one more behind a far one", []any{0.0, 40.0, 20000.0, 1e6}, 1, "[0 40 20000 200000 1e+06]"},
		{"one more behind one that is hardly seen", []any{0.0, 40.0, 500000.0, 1e6}, 1, "[0 40 500000 750000 1e+06]"},
	} {
		b := stored
		if c.distance != nil {
			s := lift(t, cmp, "ship.cmp", b, nil)
			_, n := where(s)
			n["turret"].Native.Values["switch2"] = c.distance
			b = lower(t, cmp, "ship.cmp", s, nil)
		}
		s := lift(t, cmp, "ship.cmp", b, nil)
		_, n := where(s)
		for i := range c.more {
			l := lowerLevel(n["turret"], fmt.Sprintf("turret$lod%d", 3+i), 0.1)
			n["turret"].LODs, s.Meshes = append(n["turret"].LODs, l), append(s.Meshes, l.Mesh)
		}
		_, now := where(lift(t, cmp, "ship.cmp", lower(t, cmp, "ship.cmp", s, nil), nil))
		if got := fmt.Sprint(now["turret"].Native.Values["switch2"]); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestScaledJoints: what turns and scales the part that another one hangs on turns and scales what the joint between them says.
func TestScaledJoints(t *testing.T) {
	cmp := byName(t, "cmp")
	half := float32(0.70710678)
	for _, c := range []struct {
		construct string
		edit      func(on *asset.Transform)
		want      string // kind, axis and limits
	}{
		{"rev", func(*asset.Transform) {}, "Rev [0 1 0] -1.57 0.79"}, {"pris", func(*asset.Transform) {}, "Pris [0 1 0] -2.00 3.00"},
		{"rev", func(on *asset.Transform) { on.Scale = [3]float32{2, 2, 2} }, "Rev [0 1 0] -1.57 0.79"}, {"pris", func(on *asset.Transform) { on.Scale = [3]float32{2, 2, 2} }, "Pris [0 1 0] -4.00 6.00"},
		{"pris", func(on *asset.Transform) { on.Scale = [3]float32{1, 0.5, 1} }, "Pris [0 1 0] -1.00 1.50"},
		{"rev", func(on *asset.Transform) { on.Scale = [3]float32{-1, 1, 1} }, "Rev [0 -1 0] -1.57 0.79"}, {"pris", func(on *asset.Transform) { on.Scale = [3]float32{-1, 1, 1} }, "Pris [0 1 0] -2.00 3.00"},
		{"rev", func(on *asset.Transform) { on.Rotation = [4]float32{half, 0, 0, half} }, "Rev [0 1 0] -1.57 0.79"}, // of the part between them
	} {
		s := ship()
		s.Animations = nil
		_, n := where(s)
		limits := map[string][2]any{"rev": {-90.0, 45.0}, "pris": {-2.0, 3.0}}[c.construct]
		n["turret"].Extras = map[string]any{"construct": c.construct, "min": limits[0], "max": limits[1]}
		axis := map[string]string{"rev": "axis_rotation", "pris": "axis_translation"}[c.construct]
		n["turret"].Extras[axis] = []any{0.0, 1.0, 0.0}
		s = lift(t, cmp, "ship.cmp", lower(t, cmp, "ship.cmp", s, nil), nil)
		c.edit(&s.Roots[0].Transform)
		_, x := compoundOf(t, lower(t, cmp, "ship.cmp", s, nil))
		for _, j := range x.Joints {
			if j.Child.Name != "turret" {
				continue
			}
			for k := range j.Axis {
				j.Axis[k] = float32(int(j.Axis[k]*1000+1000.5)-1000) / 1000
			}
			if got := fmt.Sprintf("%v %v %.2f %.2f", j.Kind, j.Axis, j.Min[0], j.Max[0]); got != c.want {
				t.Errorf("%s on %+v: %s, want %s", c.construct, s.Roots[0].Transform, got, c.want)
			}
		}
	}
}

// TestNamesOfPlanets: a planet without a name is called one, and shows its hardpoints.
func TestNamesOfPlanets(t *testing.T) {
	s := lift(t, byName(t, "sph"), "ball.sph", planet(t), nil)
	dock := asset.NewNode("HpDock")
	dock.Transform.Translation = [3]float32{0, 1600, 0}
	s.Roots[0].Children = append(s.Roots[0].Children, dock)
	b := lower(t, byName(t, "sph"), "ball.sph", s, nil)
	for name, want := range map[string]string{"ball.sph": "ball", "": "planet"} {
		s := lift(t, byName(t, "sph"), name, b, nil)
		places, n := where(s)
		if names := slices.Sorted(maps.Keys(n)); !slices.Contains(names, want) || !slices.Contains(names, "HpDock") || scene.Narrow3(places["HpDock"].Col(3).Vec3()) != [3]float32{0, 1600, 0} {
			t.Errorf("%q: there are %q, want %q", name, names, want)
		}
	}
}

// TestRangesTold: what the game's INI files are to say of new levels of detail is told of each part that has lower ones.
func TestRangesTold(t *testing.T) {
	for levels, want := range []string{"", "LODranges = 0, 100, 999999", "LODranges = 0, 100, 1000, 999999"} {
		s := ship()
		_, n := where(s)
		for i := range levels {
			n["turret"].LODs = append(n["turret"].LODs, lowerLevel(n["turret"], fmt.Sprintf("turret$lod%d", i+1), 0.25))
		}
		listMeshes(s)
		d := new(schema.Diagnostics)
		lower(t, byName(t, "cmp"), "ship.cmp", s, d)
		var told []string
		for _, x := range d.All() {
			if x.Code == "lod-ranges" {
				told = append(told, x.Path+x.Msg[strings.Index(x.Msg, ":")+1:])
			}
		}
		if got := strings.Join(told, "; "); strings.TrimPrefix(got, "turret ") != want {
			t.Errorf("%d levels: told %q, want %q", levels, got, want)
		}
	}
}

// TestPartMissing: that the fragment of a part is not there is told of, and the part stays without it.
func TestPartMissing(t *testing.T) {
	tree, c := compoundOf(t, corpus.Bytes(t, corpus.Testdata(t, "freelancer", "ship.cmp")))
	last := c.Parts[len(c.Parts)-1]
	if !tree.Root.Remove(tree.Root.Child(last.File)) {
		t.Fatalf("there is no %s", last.File)
	}
	b, err := write.UTF(tree)
	if err != nil {
		t.Fatal(err)
	}
	var d schema.Diagnostics
	cmp := byName(t, "cmp")
	s := lift(t, cmp, "ship.cmp", b, &d)
	i := slices.IndexFunc(d.All(), func(x schema.Diagnostic) bool { return x.Code == "part-missing" })
	if i < 0 || d.All()[i].Path != `Cmpnd\`+last.Object || d.All()[i].Msg != fmt.Sprintf("there is no %q", last.File) {
		t.Errorf("told %v", d.All())
	}
	if again := lower(t, cmp, "ship.cmp", s, new(schema.Diagnostics)); string(again) != string(b) {
		t.Error("it comes back as other bytes")
	}
}

// TestLevelOfNoPart: a level of detail that stays when its part goes is told to be left out, unless it is another part's now.
func TestLevelOfNoPart(t *testing.T) {
	cmp := byName(t, "cmp")
	for _, c := range []struct {
		name string
		told bool
	}{
		{"heron_wing_left$lod1", true},
		{"heron_wing_right$lod2", false},
		{"something else", false},
	} {
		s := lift(t, cmp, "heron.cmp", corpus.Bytes(t, corpus.Testdata(t, "show", "heron.cmp")), nil)
		_, n := where(s)
		part := n["heron_wing_left"]
		if part == nil || len(part.LODs) == 0 {
			t.Fatal("the ship has no such part, or it has no levels")
		}
		level := part.LODs[0]
		level.Name = c.name
		s.Walk(func(x, _ *asset.Node) {
			x.Children = slices.DeleteFunc(x.Children, func(k *asset.Node) bool { return k == part })
		})
		s.Roots[0].Children = append(s.Roots[0].Children, level)
		var d schema.Diagnostics
		lower(t, cmp, "heron.cmp", s, &d)
		if got := strings.Contains(codes(&d), "!level-left-out"); got != c.told {
			t.Errorf("%s: told %s", c.name, codes(&d))
		}
	}
}
