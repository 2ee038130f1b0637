package rig

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/freelancer/space"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
)

// fullJoint is a joint that has a value wherever its kind has one.
func fullJoint(k freelancer.JointKind) *freelancer.Joint {
	j := &freelancer.Joint{Origin: [3]float32{1, 2, 3}, Offset: [3]float32{4, 5, 6}, Rotation: freelancer.Identity3, Axis: [3]float32{0, 0, 1},
		Min: [3]float32{-math.Pi / 2, -2, -3}, Max: [3]float32{math.Pi / 4, 2, 3}}
	j.SetKind(k)
	return j
}

// TestJointExtras: what is shown of each kind of joint, and that it makes the same joint of another one.
func TestJointExtras(t *testing.T) {
	low, high := float64(float32(-math.Pi/2)), float64(float32(math.Pi/4))
	list := func(v ...any) []any { return v }
	for kind, want := range map[freelancer.JointKind]map[string]any{
		freelancer.Fix:    {"construct": "fix"},
		freelancer.Loose:  {"construct": "loose"},
		freelancer.Trans:  {"construct": "trans"},
		freelancer.Rev:    {"construct": "rev", "min": low * 180 / math.Pi, "max": high * 180 / math.Pi, "offset": list(4.0, 5.0, 6.0), "axis_rotation": list(0.0, 0.0, 1.0)},
		freelancer.Pris:   {"construct": "pris", "min": low, "max": high, "offset": list(4.0, 5.0, 6.0), "axis_translation": list(0.0, 0.0, 1.0)},
		freelancer.Sphere: {"construct": "sphere", "min": list(low, -2.0, -3.0), "max": list(high, 2.0, 3.0), "offset": list(4.0, 5.0, 6.0)},
		freelancer.Cyl:    {"construct": "cyl", "min": list(low, -2.0), "max": list(high, 2.0), "offset": list(4.0, 5.0, 6.0), "axis_rotation": list(0.0, 0.0, 1.0)},
	} {
		got := JointExtras(fullJoint(kind))
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%v shows %v, want %v", kind, got, want)
		}
		made := freelancer.Joint{Origin: [3]float32{1, 2, 3}, Rotation: freelancer.Identity3}
		ApplyJoint(&made, got)
		if !reflect.DeepEqual(&made, fullJoint(kind)) {
			t.Errorf("%v becomes %+v", kind, made)
		}
	}
	if at := JointTransform(fullJoint(freelancer.Rev)); at.Translation != [3]float32{-3, -3, -3} {
		t.Errorf("at rest it is at %v", at.Translation)
	}
	turned := fullJoint(freelancer.Rev)
	turned.Rotation = [9]float32{0, -1, 0, 1, 0, 0, 0, 0, 1} // a quarter around z
	if at := JointTransform(turned); math.Abs(float64(at.Translation[0]-6)) > 1e-6 || math.Abs(float64(at.Translation[1]+2)) > 1e-6 || at.Translation[2] != -3 {
		t.Errorf("turned it is at %v", at.Translation)
	}
}

// TestApplyJoint: single properties change what they name, where the kind has it; what is no value changes nothing.
func TestApplyJoint(t *testing.T) {
	for _, c := range []struct {
		kind freelancer.JointKind
		x    map[string]any
		edit func(j *freelancer.Joint)
	}{
		{freelancer.Rev, nil, func(*freelancer.Joint) {}},
		{freelancer.Rev, map[string]any{"min": -180.0}, func(j *freelancer.Joint) { j.Min[0] = -math.Pi }},
		{freelancer.Rev, map[string]any{"max": []any{180.0, 90.0}}, func(j *freelancer.Joint) { j.Max[0] = math.Pi }}, // one more than there is
		{freelancer.Pris, map[string]any{"min": -180.0, "max": int64(7)}, func(j *freelancer.Joint) { j.Min[0], j.Max[0] = -180, 7 }},
		{freelancer.Sphere, map[string]any{"min": []any{1.0, 2.0, 3.0, 4.0}}, func(j *freelancer.Joint) { j.Min = [3]float32{1, 2, 3} }},
		{freelancer.Sphere, map[string]any{"max": []any{1.0}}, func(j *freelancer.Joint) { j.Max[0] = 1 }},
		{freelancer.Fix, map[string]any{"min": 5.0, "max": 6.0, "offset": []any{1.0, 2.0, 3.0}, "axis_rotation": []any{1.0, 0.0, 0.0}}, func(*freelancer.Joint) {}},
		{freelancer.Sphere, map[string]any{"axis_rotation": []any{1.0, 0.0, 0.0}}, func(*freelancer.Joint) {}},
		{freelancer.Rev, map[string]any{"offset": []any{1.0, 2.0, 3.0}}, func(j *freelancer.Joint) { j.Offset = [3]float32{1, 2, 3} }},
		{freelancer.Rev, map[string]any{"offset": []any{1.0, 2.0}}, func(*freelancer.Joint) {}},
		{freelancer.Rev, map[string]any{"offset": []any{1.0, 2.0, 3.0, 4.0}}, func(*freelancer.Joint) {}},
		{freelancer.Rev, map[string]any{"offset": []any{1.0, "2", 3.0}}, func(*freelancer.Joint) {}},
		{freelancer.Rev, map[string]any{"axis_translation": []any{1.0, 0.0, 0.0}}, func(j *freelancer.Joint) { j.Axis = [3]float32{1, 0, 0} }},
		{freelancer.Pris, map[string]any{"axis_rotation": []any{1.0, 0.0, 0.0}}, func(j *freelancer.Joint) { j.Axis = [3]float32{1, 0, 0} }},
		{freelancer.Rev, map[string]any{"axis_rotation": []any{0.0, 0.0, 0.0}}, func(j *freelancer.Joint) { j.Axis = [3]float32{0, 1, 0} }}, // an axis is somewhere
		{freelancer.Rev, map[string]any{"construct": "fix"}, func(j *freelancer.Joint) { j.SetKind(freelancer.Fix) }},
		{freelancer.Fix, map[string]any{"construct": "rev"}, func(j *freelancer.Joint) { j.SetKind(freelancer.Rev); j.Axis = [3]float32{0, 1, 0} }},
		{freelancer.Fix, map[string]any{"construct": "sphere"}, func(j *freelancer.Joint) { j.SetKind(freelancer.Sphere) }},
		{freelancer.Rev, map[string]any{"construct": "hinge"}, func(*freelancer.Joint) {}},
	} {
		got, want := fullJoint(c.kind), fullJoint(c.kind)
		ApplyJoint(got, c.x)
		c.edit(want)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%v with %v is %+v, want %+v", c.kind, c.x, got, want)
		}
	}
}

// TestHardpointNodes: what a node shows of a hardpoint, and the hardpoint that it makes.
func TestHardpointNodes(t *testing.T) {
	quarter := [9]float32{0, -1, 0, 1, 0, 0, 0, 0, 1}
	for _, h := range []freelancer.Hardpoint{
		{Name: "HpEngine01", Position: [3]float32{1, 2, 3}, Orientation: quarter, Axis: [3]float32{0, 1, 0}},
		{Name: "HpWeapon01", Revolute: true, Orientation: freelancer.Identity3, Axis: [3]float32{1, 0, 0}, Min: -math.Pi / 2, Max: math.Pi / 4},
	} {
		n := HardpointNode(&h)
		if n.Name != h.Name || n.Kind != asset.Hardpoint || n.Transform.Translation != h.Position || n.Extras["hardpoint"] != true || (n.Extras["hptype"] == "rev") != h.Revolute || (n.Extras["axis"] != nil) != h.Revolute {
			t.Errorf("%+v: %v", n, n.Extras)
		}
		made, guessed := NewHardpoint(n, n.Transform)
		for i, v := range made.Orientation {
			made.Orientation[i] = float32(math.Round(float64(v)*1e6)) / 1e6 // a turn has no exact numbers
		}
		if *made != h || guessed {
			t.Errorf("%+v becomes %+v, guessed %v", h, made, guessed)
		}
	}
	for _, c := range []struct {
		name    string
		extras  map[string]any
		turns   bool
		min     float64
		max     float64
		guessed bool
	}{
		{"HpTurret_U1_01", nil, true, -45, 45, true}, {"hp_torpedo01", nil, true, -45, 45, true}, {"HpMissile", nil, true, -45, 45, true}, {"HpEngine01", nil, false, 0, 0, false}, {"MyHpWeapon", nil, false, 0, 0, false},
		{"HpWeapon01", map[string]any{"hptype": "fix"}, false, 0, 0, false}, {"HpWeapon01", map[string]any{"min": -10.0}, true, -10, 45, true},
		{"HpEngine01", map[string]any{"hptype": "rev", "max": 20.0}, true, 0, 20, false}, {"HpWeapon01", map[string]any{"hptype": 3.0}, false, 0, 0, false},
	} {
		h, guessed := NewHardpoint(&asset.Node{Name: c.name, Extras: c.extras}, asset.NewNode("").Transform)
		if h.Revolute != c.turns || guessed != c.guessed || h.Axis != [3]float32{0, 1, 0} || h.Orientation != freelancer.Identity3 || h.Min != float32(c.min*math.Pi/180) || h.Max != float32(c.max*math.Pi/180) {
			t.Errorf("%s with %v: %+v, guessed %v", c.name, c.extras, h, guessed)
		}
	}
	for _, c := range []struct {
		n    asset.Node
		want bool
	}{
		{asset.Node{Name: "x", Kind: asset.Hardpoint, Extras: map[string]any{"hardpoint": false}}, true}, {asset.Node{Name: "x", Extras: map[string]any{"hardpoint": true}}, true},
		{asset.Node{Name: "HpMount", Extras: map[string]any{"hardpoint": false}}, false}, {asset.Node{Name: "HpMount", Extras: map[string]any{"hardpoint": []any{}}}, true}, {asset.Node{Name: "HpMount"}, true},
		{asset.Node{Name: "Mount"}, false}, {asset.Node{Name: "HpMount", Mesh: new(asset.Mesh)}, false}, {asset.Node{Name: "HpMount", Camera: new(asset.Camera)}, false},
	} {
		if got := IsHardpoint(&c.n); got != c.want {
			t.Errorf("%s with %v: %v", c.n.Name, c.n.Extras, got)
		}
	}
}

// TestTableThereAndBack: a row has the shortest numbers that are the same values, and these make the same hardpoint.
func TestTableThereAndBack(t *testing.T) {
	list := []freelancer.Hardpoint{
		{Name: "HpA", Position: [3]float32{0.1, -2, 1e-20}, Orientation: freelancer.Identity3, Axis: [3]float32{0, 1, 0}},
		{Name: "HpB", Revolute: true, Orientation: [9]float32{0, -1, 0, 1, 0, 0, 0, 0, 1}, Axis: [3]float32{1, 0, 0}, Min: -math.Pi / 2, Max: 0.1},
	}
	for i := range 300 { // angles of all sizes
		x := float32(math.Pow(1.13, float64(i-200))) * (1 + float32(i)/977)
		list = append(list, freelancer.Hardpoint{Name: fmt.Sprint("Hp", i), Revolute: true, Orientation: freelancer.Identity3, Axis: [3]float32{0, 1, 0}, Min: -x, Max: x})
	}
	cells := [][]any{}
	for i := range list {
		cells = append(cells, TableRow("part", &list[i]))
	}
	for i, want := range []string{"part HpA fix 0.1 -2 1e-20 1 0 0 0 1 0 0 0 1     ", "part HpB rev 0 0 0 0 -1 0 1 0 0 0 0 1 1 0 0 -90 5.729578"} {
		if got := strings.TrimSuffix(fmt.Sprintln(cells[i]...), "\n"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for k := range 2000 { // what a person wrote with six digits is shown so
		text := strconv.FormatFloat(0.0913*float64(k+1), 'g', 6, 64)
		d, _ := strconv.ParseFloat(text, 64)
		if got := angle(space.Radians(d)); got != strconv.FormatFloat(d, 'g', -1, 64) {
			t.Errorf("%s degrees are shown as %s", text, got)
		}
	}
	text := strings.Join(TableColumns, ",")
	for _, row := range cells {
		text += "\n" + strings.Trim(strings.ReplaceAll(fmt.Sprintf("%q", row), " ", ","), "[]")
	}
	placed, err := ReadTable([]byte(text), nil, nil)
	if err != nil || len(placed) != len(list) {
		t.Fatal(len(placed), err)
	}
	for i, p := range placed {
		if p.Part != "part" || *p.Hardpoint != list[i] {
			t.Errorf("%s: %+v, want %+v", cells[i], p.Hardpoint, list[i])
		}
	}
}

// TestTableCells: cells as people write them, and all that is wrong with a table at once.
func TestTableCells(t *testing.T) {
	const turn = float32(math.Pi / 4)
	for _, c := range []struct {
		text string
		want freelancer.Hardpoint
	}{
		{"name,kind,x\nHpA, Fixed ,\"1,5\"\n", freelancer.Hardpoint{Position: [3]float32{1.5, 0, 0}}},
		{"name,kind\nHpA,REVOLUTE\n", freelancer.Hardpoint{Revolute: true, Min: -turn, Max: turn}},
		{"name,max,min\nHpA,90,0\n", freelancer.Hardpoint{}}, // refused: it is fixed
		{"name\nHpWeapon\n", freelancer.Hardpoint{Name: "HpWeapon", Revolute: true, Min: -turn, Max: turn}},
		{"min,kind,name,axis_x,axis_y\n-90,rev,HpA,1,0\n", freelancer.Hardpoint{Revolute: true, Axis: [3]float32{1, 0, 0}, Min: -2 * turn, Max: turn}},
		{"name,kind,axis_x,min,max\nHpA,fix,0,0,0\n", freelancer.Hardpoint{}},
		{"name,xx,xy,yx,yy\nHpA,0,-1,1,0\n", freelancer.Hardpoint{Orientation: [9]float32{0, -1, 0, 1, 0, 0, 0, 0, 1}}},
	} {
		list, err := ReadTable([]byte(c.text), nil, nil)
		if c.text[:8] == "name,max" {
			if err == nil || !strings.Contains(err.Error(), "90, and the hardpoint is fixed") {
				t.Errorf("%q: %v", c.text, err)
			}
			continue
		}
		w := c.want
		if w.Name == "" {
			w.Name = "HpA"
		}
		if w.Orientation == [9]float32{} {
			w.Orientation = freelancer.Identity3
		}
		if w.Axis == [3]float32{} {
			w.Axis = [3]float32{0, 1, 0}
		}
		if err != nil || len(list) != 1 || *list[0].Hardpoint != w {
			t.Errorf("%q: %+v, want %+v: %v", c.text, list[0].Hardpoint, w, err)
		}
	}
	_, err := ReadTable([]byte("name,kind,x,axis_x,min\nHpA,wheel,one,NaN,+Inf\n,fix,1e39,0,0\nHpB,rev,0,0,-2e40\nHpC,rev,0,0,1e999\nHpD,rev,0,0,1.9e40\n"), nil, nil)
	for _, want := range []string{`kind: "wheel" is no kind`, `x: "one" is no number`, `axis_x: "NaN" is no number`, `min: "+Inf" is no number`, "name: there is no name", `line 3: x: "1e39" is no number from -3.4028234663852886e+38 to 3.4028234663852886e+38`,
		"line 4: min: -2e+40 is no angle from -1.949674", `line 5: min: "1e999" is no number from`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not told: %v", want, err)
		}
	}
	if strings.Contains(err.Error(), "line 6") || strings.Count(err.Error(), "line 5") != 1 {
		t.Errorf("what fits, or is told already, is told: %v", err)
	}
	if _, err := ReadTable([]byte(" \n\t"), nil, nil); err == nil || !strings.Contains(err.Error(), "the table is empty") {
		t.Errorf("blanks: %v", err)
	}
	if _, err := ReadTable([]byte("name,kind\nHpA,\"fix\n"), nil, nil); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("a quote that does not end: %v", err)
	}
}

// TestProperties: what custom properties of nodes say in all the forms that editors leave them in.
func TestProperties(t *testing.T) {
	for _, c := range []struct {
		value       any
		yes, said   bool
		ignored     bool
		number      string
		listed      string
		description string
	}{
		{true, true, true, true, "0 false", "[]", "a truth"}, {false, false, true, false, "0 false", "[]", "an untruth"},
		{1.0, true, true, true, "1 true", "[1]", "a number"}, {0.0, false, true, false, "0 true", "[0]", "zero"},
		{"true", true, true, false, "0 false", "[]", "a word"}, {"no", false, true, false, "0 false", "[]", "another"},
		{3, false, false, false, "3 true", "[3]", "an int"}, {int64(4), false, false, false, "4 true", "[4]", "a long one"},
		{[]any{1.0, 2}, false, false, false, "0 false", "[1 2]", "a list"}, {[]any{1.0, "x"}, false, false, false, "0 false", "[]", "a list of other things"}, {nil, false, false, false, "0 false", "[]", "nothing"},
	} {
		n := &asset.Node{Extras: map[string]any{"p": c.value, "export_ignore": c.value}}
		yes, said := Flag(n, "p")
		v, ok := Number(n.Extras, "p")
		if yes != c.yes || said != c.said || Ignored(n) != c.ignored || fmt.Sprint(v, " ", ok) != c.number || fmt.Sprint(Numbers(n.Extras, "p")) != c.listed {
			t.Errorf("%s: %v %v, ignored %v, %v %v, %v", c.description, yes, said, Ignored(n), v, ok, Numbers(n.Extras, "p"))
		}
	}
	inf := float32(math.Inf(1))
	for _, c := range []struct {
		list []float32
		want string
	}{{nil, "[]"}, {[]float32{1, 2}, "[1 2]"}, {[]float32{1, inf}, "[]"}, {[]float32{float32(math.NaN()), 1}, "[]"}, {[]float32{0}, "[0]"}} {
		if got := Finite(c.list); fmt.Sprint(got) != c.want || (got == nil) != (c.want == "[]") {
			t.Errorf("%v: %v", c.list, got)
		}
	}
	shown := map[string]any{"readonly": map[string]any{"id": "Root/x"}, "look": 1.0}
	n := &asset.Node{Native: Native(shown)}
	if ID(n) != "Root/x" || len(Values(n.Native)) != 2 || len(shown) != 2 || shown["readonly"] == nil {
		t.Errorf("%q, %v of %v", ID(n), Values(n.Native), shown)
	}
	n.Native = Native(map[string]any{"id": "y"})
	if ID(n) != "y" {
		t.Errorf("without values for reading: %q", ID(n))
	}
	n.Native.Format = "other"
	if ID(n) != "" || Values(nil) != nil {
		t.Errorf("of another format: %q, %v", ID(n), Values(nil))
	}
}
