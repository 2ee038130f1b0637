package convert_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/gltf"
	editor "github.com/usher-assets/usher/testdata/edits"
)

// edited returns what the picture of a model of testdata shows otherwise after an edit of its first target.
func edited(t *testing.T, file, edit string) string {
	t.Helper()
	models := ownModels(t)
	m := models[slices.IndexFunc(models, func(m *model) bool { return m.name == file })]
	all := gltf.ShowAll
	m.show = &all
	if err := m.prepare(); err != nil {
		t.Fatal(err)
	}
	list := editor.All()
	e := &list[slices.IndexFunc(list, func(e editor.Edit) bool { return e.Name == edit })]
	doc, target := parse(m.glb), -1
	if e.Targets != nil {
		target = e.Targets(doc)[0]
	}
	if _, ok := e.Apply(doc, target); !ok {
		t.Fatalf("%s: %s: nothing to edit", file, edit)
	}
	again := parse(doc.Bytes()) // it is a file
	samples := again.Samples()
	before, after := parse(m.glb).Draw(samples), again.Draw(samples)
	if x := editor.Compare(before, before, m.limits(), true); len(x) > 0 {
		t.Errorf("%s differs from itself: %v", file, x)
	}
	var b strings.Builder
	for _, x := range editor.Compare(before, after, m.limits(), e.Motion) {
		fmt.Fprintf(&b, "%s; ", x)
	}
	return strings.TrimSuffix(b.String(), "; ")
}

// TestOracle: the pictures show what each edit does, as much as it does, and nothing else.
func TestOracle(t *testing.T) {
	for _, c := range []struct{ file, edit, want string }{
		{"crate.3db", "root moved", "12/12 triangles 13 %; 1/1 hardpoints 13 %"}, // √1.74 · 0.1
		{"crate.3db", "root turned 90°", "12/12 triangles 70 %; 1/1 hardpoints 65 %; 1/1 hardpoints turned ° 90"},
		{"crate.3db", "an Empty above the root as it is", ""},
		{"crate.3db", "hardpoint moved", "1/1 hardpoints 13 %"},
		{"crate.3db", "hardpoint deleted", "1/1 hardpoints gone"},
		{"crate.3db", "texture coordinates moved", "6/12 texture coordinates 25 %"},
		{"crate.3db", "material recoloured", "12/12 triangles with another material 85 %"},
		{"crate.3db", "mesh in another scene only", ""},
		{"crate.3db", "all names with .001", ""},
		{"crate.3db", "all extras dropped", ""},
		{"ship.cmp", "a mesh added at the root", "12/36 triangles too many"},
		{"ship.cmp", "part deleted", "12/36 triangles (12 fewer); 1/2 hardpoints gone; 1/1 pivots gone"},
		{"ship.cmp", "key turned 20°", "12/36 triangles in animations 4.9 %; 1/2 hardpoints in animations 4.8 %; 1/2 hardpoints in animations turned ° 17.9; 1/1 animated nodes in animations turned ° 17.9"},
		{"figure.dfm", "node above the skin scaled 0.01", "12/12 triangles 96 %"},
		{"figure.dfm", "skin in a frame turned −90° and scaled 0.01", ""},
		{"figure.dfm", "resampled at 24 fps", ""},
		{"figure.dfm", "cubic tangents, equal keys", "12/12 triangles in animations 3.8 %; 1/1 animated nodes in animations turned ° 4.42"},
		{"flag.u3d", "morph key changed", "56/56 triangles in animations 5.4 %"},
		{"ball.u3d", "level moved", "120/144 triangles of levels 13 %"},
		{"windmill.u3d", "part mirrored", "1496/1548 triangles (32 fewer) 8.9 %; 8/1548 triangles facing the other way; 52/1548 triangles in animations 20 %; 44/1548 texture coordinates 2e+02 %"},
	} {
		if got := edited(t, c.file, c.edit); got != c.want {
			t.Errorf("%s, %s: %q, want %q", c.file, c.edit, got, c.want)
		}
	}
}

// TestVerdict: each kind of thing that is wrong must be named, in a message that can be about it.
func TestVerdict(t *testing.T) {
	wings := editor.Difference{What: "triangles", Count: 12, Names: []string{"wing"}}
	guns := editor.Difference{What: "hardpoints", Count: 2, Names: []string{"HpGun01", "HpGun02"}}
	plays := editor.Difference{What: "triangles in animations", Count: 12, Names: []string{"wing"}}
	lamps := editor.Difference{What: "lights too many", Count: 2, Names: []string{"Sun0_light", "Sun1_light"}}
	for _, c := range []struct {
		edit     editor.Edit
		kept     bool
		wrong    []editor.Difference
		messages []string
		want     verdict
	}{
		{want: arrived},
		{edit: editor.Edit{Exact: true}, kept: true, want: arrived},
		{edit: editor.Edit{Exact: true}, want: rebuilt},
		{edit: editor.Edit{Exact: true}, messages: []string{"root: the wires are lost"}, want: told},
		{wrong: []editor.Difference{wings}, want: silent},
		{wrong: []editor.Difference{wings}, messages: []string{"the material steel is new"}, want: vague},
		{wrong: []editor.Difference{wings}, messages: []string{"wing2: it cannot be mirrored"}, want: vague},
		{wrong: []editor.Difference{wings}, messages: []string{"wing: it cannot be mirrored"}, want: told},
		{wrong: []editor.Difference{wings, guns}, messages: []string{"wing: it cannot be mirrored"}, want: vague},
		{wrong: []editor.Difference{wings, guns}, messages: []string{"wing: it cannot be mirrored", "2 hardpoints (HpGun01, …) stay"}, want: told},
		{wrong: []editor.Difference{wings, guns}, messages: []string{"the scale of root is left out"}, want: told},
		{wrong: []editor.Difference{lamps}, messages: []string{"Sun0: the level keeps its 2 lights"}, want: told},
		{wrong: []editor.Difference{lamps}, messages: []string{"Sun0: it cannot be mirrored"}, want: vague},
		{wrong: []editor.Difference{plays}, messages: []string{"wing: it cannot be mirrored"}, want: vague},
		{wrong: []editor.Difference{plays}, messages: []string{"wing: its keys are left out"}, want: told},
		{edit: editor.Edit{Strict: true}, wrong: []editor.Difference{wings}, messages: []string{"wing: it cannot be mirrored"}, want: silent},
	} {
		o := &outcome{wrong: c.wrong, kept: c.kept}
		if got := o.judge(&c.edit, editor.Done{Subjects: []string{"root"}}, c.messages, true); got != c.want {
			t.Errorf("%v, said %q: %s, want %s", c.wrong, c.messages, got, c.want)
		}
	}
}

// TestExcused: what a program shows otherwise unasked excuses as much of the same, and no more.
func TestExcused(t *testing.T) {
	drift := editor.Difference{What: "triangles", Count: 3, Of: 12, Error: 0.2, Names: []string{"wing", "tail"}}
	gone := editor.Difference{What: "lines (4 fewer)", Count: 4, Of: 8, Names: []string{"wires"}}
	for _, c := range []struct {
		found editor.Difference
		want  bool
	}{
		{editor.Difference{What: "triangles", Count: 3, Error: 0.2, Names: []string{"wing"}}, true},
		{editor.Difference{What: "triangles", Count: 4, Error: 0.2, Names: []string{"wing"}}, false},
		{editor.Difference{What: "triangles", Count: 3, Error: 0.3, Names: []string{"wing"}}, false},
		{editor.Difference{What: "triangles", Count: 3, Error: 0.2, Names: []string{"hull"}}, false},
		{editor.Difference{What: "vertex colours", Count: 1, Error: 0.1, Names: []string{"wing"}}, false},
		{editor.Difference{What: "triangles in animations", Count: 1, Error: 0.02, Names: []string{"wing"}}, false},
		{editor.Difference{What: "triangles of levels too many", Count: 1, Names: []string{"wing"}}, false},
		{editor.Difference{What: "triangles too many", Count: 2, Names: []string{"wing"}}, true},
		{editor.Difference{What: "triangles too many", Count: 3, Names: []string{"wing"}}, false},
		{editor.Difference{What: "lines", Count: 1, Error: 0.1, Names: []string{"wing"}}, true},
		{editor.Difference{What: "lines (4 fewer)", Count: 4, Names: []string{"wing"}}, false},
		{editor.Difference{What: "lines too many", Count: 4, Names: []string{"wires"}}, true},
		{editor.Difference{What: "lines too many", Count: 5, Names: []string{"wires"}}, false},
		{editor.Difference{What: "lines too many", Count: 4, Names: []string{"wing"}}, false},
	} {
		e := editor.Edit{Loose: true, Rough: true, Spare: 2, Drift: []editor.Difference{drift, gone}}
		if got := len(e.Excused([]editor.Difference{c.found})) == 0; got != c.want {
			t.Errorf("%v of %v: excused %v", c.found, c.found.Names, got)
		}
	}
}

// TestDrifts: what a program shows otherwise at one sample of an animation excuses nothing at the others.
func TestDrifts(t *testing.T) {
	models := ownModels(t)
	m := models[slices.IndexFunc(models, func(m *model) bool { return m.name == "ship.cmp" })]
	if err := m.prepare(); err != nil {
		t.Fatal(err)
	}
	list := editor.All()
	e := &list[slices.IndexFunc(list, func(e editor.Edit) bool { return e.Name == "key turned 20°" })]
	doc := parse(m.glb)
	if _, ok := e.Apply(doc, e.Targets(doc)[0]); !ok {
		t.Fatal("nothing to edit")
	}
	samples := doc.Samples()
	before, after := parse(m.glb).Draw(samples), doc.Draw(samples)
	l := m.limits()
	for _, s := range samples {
		one := []editor.Sample{s}
		l.Drifts = append(l.Drifts, editor.DriftOf(parse(m.glb).Draw(one), doc.Draw(one), m.limits()))
	}
	if x := editor.Compare(before, after, l, true); len(x) > 0 {
		t.Errorf("what drifts is told: %v", x)
	}
	for i, d := range l.Drifts {
		if d == (editor.Drift{}) {
			continue
		}
		l.Drifts[i] = editor.Drift{}
		if x := editor.Compare(before, after, l, true); !slices.ContainsFunc(x, editor.Difference.Moves) {
			t.Errorf("sample %d of %d: what moves otherwise there is excused", i, len(samples))
		}
		l.Drifts[i] = d
	}
}
