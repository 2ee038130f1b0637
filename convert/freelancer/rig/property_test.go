package rig

import (
	"math"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
)

// TestUntaken: a property agrees with what was made of it up to what editors change by themselves.
func TestUntaken(t *testing.T) {
	made := map[string]any{"hardpoint": true, "hptype": "rev", "min": -45.0, "axis": []any{0.0, 1.0, 0.0}}
	for _, c := range []struct {
		name  string
		value any
		same  bool
	}{
		{"hardpoint", true, true}, {"hardpoint", 1.0, true}, {"hardpoint", "true", true}, {"hardpoint", false, false}, {"hardpoint", 0.0, false}, {"hardpoint", nil, false}, {"hardpoint", []any{}, false},
		{"hptype", "rev", true}, {"hptype", "fix", false}, {"hptype", 3.0, false}, {"hptype", true, false},
		{"min", -45.0, true}, {"min", -45, true}, {"min", int64(-45), true}, {"min", []any{-45.0}, true}, {"min", -45.0004, true}, {"min", -45.0005, false}, {"min", -44.9995, false}, {"min", 45.0, false}, {"min", "-45", false}, {"min", []any{-45.0, 0.0}, false}, {"min", nil, false},
		{"axis", []any{0.0, 1.0, 0.0}, true}, {"axis", []any{0, 1, 0}, true}, {"axis", []any{0.0, 1.000009, 0.0}, true}, {"axis", []any{0.000011, 1.0, 0.0}, false}, {"axis", []any{0.0, 1.0}, false}, {"axis", []any{0.0, 1.0, "0"}, false}, {"axis", 1.0, false}, {"axis", "y", false},
		{"max", "not asked for", true},
	} {
		got := strings.Join(Untaken(map[string]any{c.name: c.value}, made), " ")
		if (got == "") != c.same || got != "" && got != c.name || SameExtras(made, map[string]any{c.name: c.value}) != c.same {
			t.Errorf("%s %v: %q", c.name, c.value, got)
		}
	}
	if got := strings.Join(Untaken(map[string]any{"min": 1.0, "axis": 1.0}, made), " "); got != "axis min" {
		t.Errorf("two of them: %q", got)
	}
}

// TestCameras: a stored camera comes back from what an editor shows of it; proportions that nobody chose are those of before.
func TestCameras(t *testing.T) {
	stored := freelancer.Camera{FovX: 0.5, FovY: 0.4, Near: 1, Far: 200}
	shown := LiftCamera("c", &stored)
	if want := math.Tan(0.5) / math.Tan(0.4); shown.FieldOfView != 0.8 || math.Abs(float64(shown.Aspect)-want) > 1e-6 || shown.Near != 1 || shown.Far != 200 {
		t.Errorf("shown %+v", shown)
	}
	if flat := LiftCamera("c", &freelancer.Camera{FovX: 0.5}); flat.Aspect != 0 {
		t.Errorf("flat: %+v", flat)
	}
	for _, c := range []struct {
		aspect float32
		base   *asset.Camera
		want   float64
	}{{2, shown, 2}, {0, shown, float64(shown.Aspect)}, {16.0 / 9, shown, float64(shown.Aspect)}, {16.0/9 + 0.0009, nil, 4.0 / 3}, {16.0/9 + 0.0011, nil, 16.0/9 + 0.0011}, {0, nil, 4.0 / 3}, {1.6, nil, 1.6}} {
		var got freelancer.Camera
		LowerCamera(&got, &asset.Camera{FieldOfView: 0.8, Aspect: c.aspect, Near: 2, Far: 3}, c.base)
		if got.FovY != 0.4 || math.Abs(math.Tan(float64(got.FovX))/math.Tan(float64(got.FovY))-c.want) > 1e-5 || got.Near != 2 || got.Far != 3 {
			t.Errorf("%v: %+v", c.aspect, got)
		}
	}
	for i, edit := range []func(a *asset.Camera){func(*asset.Camera) {}, func(a *asset.Camera) { a.Aspect = 16.0 / 9 }, func(a *asset.Camera) { a.Far *= 1.000001 },
		func(a *asset.Camera) { a.Aspect = 1.5 }, func(a *asset.Camera) { a.FieldOfView = 0.7 }, func(a *asset.Camera) { a.Near = 1.1 }, func(a *asset.Camera) { a.Far = 199 }} {
		now := *shown
		edit(&now)
		if SameCamera(shown, &now) != (i < 3) {
			t.Errorf("edit %d", i)
		}
	}
}

// TestTableDefaults: what a table of hardpoints does not say is at the origin, not turned, fixed or of the usual turn.
func TestTableDefaults(t *testing.T) {
	list, err := ReadTable([]byte("name,kind\nHpA,fix\nHpB,rev\n"), nil, nil)
	if err != nil || len(list) != 2 {
		t.Fatal(list, err)
	}
	for i, p := range list {
		h := p.Hardpoint
		turn := float32(0)
		if i == 1 {
			turn = math.Pi / 4
		}
		if h.Position != [3]float32{} || h.Orientation != freelancer.Identity3 || h.Axis != [3]float32{0, 1, 0} || h.Revolute != (i == 1) || h.Min != -turn || h.Max != turn {
			t.Errorf("%+v", h)
		}
	}
	for text, want := range map[string]string{"": "empty", "name\n": "", "kind\nfix\n": "no column", "name,kind\nHpA,loose\n": "no kind of hardpoint", "name,x\n,1\n": "there is no name", "name,kind,min\nHpA,fix,5\n": "the hardpoint is fixed"} {
		if _, err := ReadTable([]byte(text), nil, nil); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
