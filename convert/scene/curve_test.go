package scene

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/schema/asset"
)

func channel(path asset.Path, kind asset.Interpolation, times []float32, values ...float32) *asset.Channel {
	return &asset.Channel{Node: asset.NewNode("n"), Path: path, Interpolation: kind, Times: times, Values: values}
}

// turns returns rotations about z, in degrees.
func turns(times []float32, degrees ...float64) *asset.Channel {
	c := channel(asset.Rotation, asset.LinearKeys, times)
	for _, d := range degrees {
		q := NarrowTurn(mgl64.QuatRotate(d*math.Pi/180, mgl64.Vec3{0, 0, 1}))
		c.Values = append(c.Values, q[:]...)
	}
	return c
}

func TestAt(t *testing.T) {
	linear := channel(asset.Translation, asset.LinearKeys, []float32{1, 2}, 0, 0, 0, 10, 20, 30)
	step := channel(asset.Scale, asset.StepKeys, []float32{0.1, 2}, 1, 1, 1, 2, 2, 2)
	cubic := channel(asset.Translation, asset.CubicKeys, []float32{0, 2}, 9, 9, 9, 0, 0, 0, 3, 0, 0, 0, 0, 0, 1, 1, 1, 9, 9, 9)
	half := math.Sqrt(0.5)
	for _, c := range []struct {
		name string
		c    *asset.Channel
		t    float64
		want []float64
	}{
		{"before", linear, 0, []float64{0, 0, 0}},
		{"behind", linear, 5, []float64{10, 20, 30}},
		{"between", linear, 1.25, []float64{2.5, 5, 7.5}},
		{"at a key", linear, 2, []float64{10, 20, 30}},
		{"step", step, 1.999, []float64{1, 1, 1}},
		{"step, at a key", step, 2, []float64{2, 2, 2}},
		{"step, at what means a key", step, 2 - 1e-7, []float64{2, 2, 2}},
		{"cubic, at a key", cubic, 2, []float64{1, 1, 1}},
		{"cubic", cubic, 1, []float64{0.5 + 0.125*2*3, 0.5, 0.5}},
		{"turn", turns([]float32{0, 1}, 0, 90), 0.5, []float64{0, 0, math.Sin(math.Pi / 8), math.Cos(math.Pi / 8)}},
		{"the shorter way", turns([]float32{0, 1}, 0, 270), 0.5, []float64{0, 0, -math.Sin(math.Pi / 8), math.Cos(math.Pi / 8)}},
		{"cubic turns have unit length", channel(asset.Rotation, asset.CubicKeys, []float32{0, 1},
			0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0), 0.5, []float64{0, 0, half, half}},
	} {
		got := At(c.c, c.t, nil)
		for k := range c.want {
			if len(got) != len(c.want) || math.Abs(got[k]-c.want[k]) > 1e-7 {
				t.Errorf("%s: %v, want %v", c.name, got, c.want)
				break
			}
		}
	}
	into := make([]float64, 0, 4)
	if got := At(linear, 1.5, into); &got[0] != &into[:1][0] {
		t.Error("the buffer was not used")
	}
}

func TestValid(t *testing.T) {
	good := func() *asset.Channel { return turns([]float32{0, 1}, 0, 90) }
	if !Valid(good()) {
		t.Fatal("a good one is refused")
	}
	if c := (&asset.Channel{Node: asset.NewNode("n"), Path: asset.MorphWeights, Times: []float32{0, 2}, Values: []float32{1, 0}}); !Valid(c) {
		t.Error("the weight of one morph target is refused")
	}
	for name, spoil := range map[string]func(c *asset.Channel){
		"endless":         func(c *asset.Channel) { c.Times[1] = float32(math.Inf(1)) },
		"no node":         func(c *asset.Channel) { c.Node = nil },
		"no keys":         func(c *asset.Channel) { c.Times = nil },
		"a negative time": func(c *asset.Channel) { c.Times[0] = -1 },
		"no time":         func(c *asset.Channel) { c.Times[1] = float32(math.NaN()) },
		"two at once":     func(c *asset.Channel) { c.Times[1] = 0 },
		"a value short":   func(c *asset.Channel) { c.Values = c.Values[:7] },
		"another width":   func(c *asset.Channel) { c.Path = asset.Translation },
		"no tangents":     func(c *asset.Channel) { c.Interpolation = asset.CubicKeys },
		"no values":       func(c *asset.Channel) { c.Values = nil; c.Path = asset.MorphWeights },
	} {
		c := good()
		spoil(c)
		if Valid(c) {
			t.Errorf("%s: valid", name)
		}
	}
}

func TestFrameTimes(t *testing.T) {
	linear := channel(asset.Translation, asset.LinearKeys, []float32{0, 1}, make([]float32, 6)...)
	step := channel(asset.Translation, asset.StepKeys, []float32{0, 0.5, 0.501}, make([]float32, 9)...)
	if got := FrameTimes(linear, nil, step); !slices.EqualFunc(got, []float64{0, 0.499, 0.5, 0.5005, 0.501, 1}, func(a, b float64) bool { return math.Abs(a-b) < 1e-6 }) {
		t.Error(got)
	}
	cubic := channel(asset.Translation, asset.CubicKeys, []float32{0, 1}, make([]float32, 18)...)
	if got := FrameTimes(cubic); len(got) != 31 || math.Abs(got[1]-1./30) > 1e-9 {
		t.Error(got)
	}
	long := channel(asset.Translation, asset.CubicKeys, []float32{0, 1e9}, make([]float32, 18)...)
	if got := FrameTimes(long); len(got) > maxFrames+1 {
		t.Error(len(got))
	}
}

// sampled returns a channel as an editor samples it at whole frames: straight is how some blend rotations.
func sampled(c *asset.Channel, fps float64, how turning) *asset.Channel {
	out := channel(c.Path, asset.LinearKeys, nil)
	if c.Interpolation == asset.StepKeys {
		out.Interpolation = asset.StepKeys
	}
	for f := math.Ceil(float64(c.Times[0])*fps - 0.01); f <= float64(c.Times[len(c.Times)-1])*fps+0.01; f++ {
		out.Times = append(out.Times, float32(f/fps))
		for _, x := range at(c, f/fps, nil, how) {
			out.Values = append(out.Values, float32(x))
		}
	}
	return out
}

// optimised leaves out keys that lie between their neighbours.
func optimised(c *asset.Channel) *asset.Channel {
	out := channel(c.Path, c.Interpolation, nil)
	for i, at := range c.Times {
		if i > 0 && i < len(c.Times)-1 {
			less := channel(c.Path, c.Interpolation, []float32{out.Times[len(out.Times)-1], c.Times[i+1]})
			less.Values = append(append(less.Values, Key(out, len(out.Times)-1)...), Key(c, i+1)...)
			gone := At(less, float64(at), nil)
			if SameValue(c.Path, Key(c, i), gone, 0.1) {
				continue
			}
		}
		out.Times = append(out.Times, at)
		out.Values = append(out.Values, Key(c, i)...)
	}
	return out
}

// curves are stored ones of every kind.
func curves() map[string]*asset.Channel {
	return map[string]*asset.Channel{
		"translation":      channel(asset.Translation, asset.LinearKeys, []float32{0, 0.35, 1, 1.71}, 0, 0, 0, 1, 2, 3, 1, 2, 8, 0, 0, 0),
		"jumps":            channel(asset.Translation, asset.StepKeys, []float32{0, 0.35, 1, 1.71}, 0, 0, 0, 1, 2, 3, 1, 2, 8, 0, 0, 0),
		"turns":            turns([]float32{0, 0.35, 1, 1.71}, 0, 80, 200, 190),
		"half turns":       turns([]float32{0, 0.5, 1}, 0, 180, 0),
		"thirtieths":       turns([]float32{0, 1. / 30, 2. / 30, 3. / 30, 4. / 30}, 0, 12, 31, 40, 42),
		"scale":            channel(asset.Scale, asset.LinearKeys, []float32{0, 0.5, 1}, 1, 1, 1, 2, 2, 2, 1, 1, 1),
		"weights":          channel(asset.MorphWeights, asset.LinearKeys, []float32{0, 0.5, 1}, 0, 0, 1, 0, 0, 1),
		"cubic":            channel(asset.Translation, asset.CubicKeys, []float32{0, 1}, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0),
		"far and back":     channel(asset.Translation, asset.LinearKeys, []float32{0, 10, 10.066667, 20}, -300, 0, 0, 300, 0, 0, -300, 0, 0, 300, 0, 0),
		"far and slow":     channel(asset.Translation, asset.LinearKeys, []float32{0, 40}, 1e5, 0, 0, 1e5, 1, 0),
		"what is constant": turns([]float32{0, 1, 3}, 40, 40, 40),
	}
}

// TestUnedited: what editors make of a curve that nobody touched is the same curve.
func TestUnedited(t *testing.T) {
	for name, c := range curves() {
		for form, visible := range map[string]*asset.Channel{
			"itself":                  c,
			"at 24 frames a second":   sampled(c, 24, evenly),
			"at 30":                   sampled(c, 30, evenly),
			"at 20, straight":         sampled(c, 20, straight),
			"at 60, the other way":    sampled(c, 60, otherWay),
			"at 24, with fewer keys":  optimised(sampled(c, 24, evenly)),
			"with fewer keys":         optimised(c),
			"at 24, straight, fewer":  optimised(sampled(c, 24, straight)),
			"rounded":                 rounded(c),
			"rounded, at 25, rounded": rounded(sampled(rounded(c), 25, evenly)),
		} {
			if c.Interpolation == asset.CubicKeys && form == "with fewer keys" || len(visible.Times) < 1 {
				continue
			}
			x := Compare(c.Path, Curve{c, Key(c, 0)}, Curve{visible, Key(c, 0)}, 10)
			if !x.Unedited() {
				t.Errorf("%s %s: edited", name, form)
			}
			for _, at := range c.Times {
				if x.EditedAt(float64(at)) {
					t.Errorf("%s %s: edited at %g", name, form, at)
				}
			}
		}
	}
}

// rounded changes values as taking matrices apart in float32 does.
func rounded(c *asset.Channel) *asset.Channel {
	out := *c
	out.Values = slices.Clone(c.Values)
	for i, x := range out.Values {
		out.Values[i] = x*(1+3e-7) + 4e-7
	}
	return &out
}

// nudged moves key i by so many thresholds.
func nudged(c *asset.Channel, i int, by, size float64) *asset.Channel {
	out := *c
	out.Values = slices.Clone(c.Values)
	v := Key(&out, i)
	switch c.Path {
	case asset.Rotation:
		q := NarrowTurn(Turn([4]float32(v)).Mul(mgl64.QuatRotate(by*TurnTolerance, mgl64.Vec3{0.6, 0, 0.8})))
		copy(v, q[:])
	case asset.Translation:
		v[1] += float32(by * MoveTolerance * size)
	case asset.Scale:
		v[2] *= float32(1 + by*ScaleTolerance)
	default:
		v[0] += float32(by * WeightTolerance)
	}
	return &out
}

// TestEditedKeys: a key moved by a little more than the threshold is edited, and only that; by a little less it is not.
func TestEditedKeys(t *testing.T) {
	for name, c := range curves() {
		size := map[string]float64{"far and slow": 1e5, "far and back": 300}[name]
		if size == 0 {
			size = 10
		}
		for i, at := range c.Times {
			for _, by := range []float64{0.7, 1.5} {
				x := Compare(c.Path, Curve{c, Key(c, 0)}, Curve{nudged(c, i, by, size), Key(c, 0)}, size)
				if x.Unedited() != (by < 1) {
					t.Errorf("%s: key %d moved by %g thresholds: unedited %v", name, i, by, x.Unedited())
				}
				for _, other := range c.Times {
					if got := x.EditedAt(float64(other)); got != (by > 1 && other == at) {
						t.Errorf("%s: key %d moved by %g thresholds: edited at %g: %v", name, i, by, other, got)
					}
				}
			}
		}
	}
}

// TestEditedCurves: edits that are not those of a stored key.
func TestEditedCurves(t *testing.T) {
	c := turns([]float32{0, 1, 2}, 0, 90, 0)
	rest := Key(c, 0)
	more := turns([]float32{0, 0.5, 1, 2}, 0, 46, 90, 0)
	shorter := turns([]float32{0, 1}, 0, 90)
	longer := turns([]float32{0, 1, 2, 3}, 0, 90, 0, 30)
	still := turns([]float32{0, 2}, 0, 0)
	bezier := channel(asset.Rotation, asset.CubicKeys, c.Times)
	for i := range c.Times {
		bezier.Values = append(append(append(bezier.Values, 0, 0, 0, 0), Key(c, i)...), 0, 0, 0, 0)
	}
	jumps := *c
	jumps.Interpolation = asset.StepKeys
	edit := sampled(c, 24, evenly)
	copy(Key(edit, 12), NarrowTurnOf(50))
	for name, x := range map[string]struct {
		stored, visible *asset.Channel
		same            bool
	}{
		"a key more":                  {c, more, false},
		"the end gone":                {c, shorter, false},
		"an end more":                 {c, longer, false},
		"nothing instead":             {c, nil, false},
		"still instead":               {c, still, false},
		"the same keys with tangents": {c, bezier, false},
		"tangents gone":               {bezier, c, false},
		"tangents sampled":            {bezier, sampled(bezier, 24, evenly), true},
		"jumps":                       {c, &jumps, false},
		"jumps gone":                  {&jumps, c, false},
		"one of the sampled keys":     {c, edit, false},
		"still for nothing":           {nil, still, true},
		"nothing for still":           {still, nil, true},
		"motion for nothing":          {nil, c, false},
		"nothing for nothing":         {nil, nil, true},
	} {
		if got := Compare(asset.Rotation, Curve{x.stored, rest}, Curve{x.visible, rest}, 1).Unedited(); got != x.same {
			t.Errorf("%s: unedited %v", name, got)
		}
	}
	turned := NarrowTurnOf(10)
	if Compare(asset.Rotation, Curve{nil, rest}, Curve{nil, turned}, 1).Unedited() {
		t.Error("another rest is an edit")
	}
	x := Compare(asset.Rotation, Curve{c, rest}, Curve{edit, rest}, 1)
	if x.EditedAt(0) || x.EditedAt(1) || !x.EditedAt(0.5) || !x.EditedAt(0.51) {
		t.Error("the edit is at other times")
	}
}

// NarrowTurnOf returns a rotation about z.
func NarrowTurnOf(degrees float64) []float32 {
	q := NarrowTurn(mgl64.QuatRotate(degrees*math.Pi/180, mgl64.Vec3{0, 0, 1}))
	return q[:]
}

func TestSameValueBroken(t *testing.T) {
	nan := math.NaN()
	if !SameValue(asset.Translation, []float64{nan, 1, 2}, []float64{0, 1, 2}, 1) || SameValue(asset.Translation, []float64{0, 1, 2}, []float64{nan, 1, 2}, 1) {
		t.Error("only of a stored value that is no number nothing can be told")
	}
	if !SameValue(asset.MorphWeights, []float32(nil), []float64{0, 0}, 1) || SameValue(asset.MorphWeights, []float32(nil), []float64{0, 1}, 1) {
		t.Error("no weights are zeros")
	}
}

func TestMotion(t *testing.T) {
	root, part := asset.NewNode("root"), asset.NewNode("part")
	root.Children = []*asset.Node{part}
	root.Transform.Scale = [3]float32{2, 2, 2}
	part.Transform.Matrix = &[16]float32{0: 3, 5: 3, 10: 3, 12: 1, 15: 1}
	turn := turns([]float32{0, 1}, 0, 90)
	turn.Node = part
	again := *turn
	broken := channel(asset.Translation, asset.LinearKeys, nil)
	s := &asset.Scene{Roots: []*asset.Node{root}}
	m := MotionOf(&asset.Animation{Channels: []*asset.Channel{turn, &again, broken}})
	if len(m.Nodes) != 1 || m.Channel(part, asset.Rotation) != turn || m.Channel(root, asset.Rotation) != nil || !m.Moves(part) || m.Moves(root) {
		t.Errorf("%+v", m)
	}
	want := trs(mgl64.Vec3{2, 0, 0}, mgl64.Vec3{6, 6, 6}, mgl64.Vec3{0, 0, 1}, 45)
	if got := m.World(part, Parents(s), 0.5); furthest(got, want) > 1e-6 {
		t.Errorf("%v, want %v", got, want)
	}
	part.Mesh = &asset.Mesh{Weights: []float32{0.25}}
	if w := m.Weights(part, 0); fmt.Sprint(w) != "[0.25]" {
		t.Error(w)
	}
	if w := MotionOf(nil).World(part, Parents(s), 3); furthest(w, World(part, Parents(s))) > 0 {
		t.Error(w)
	}
	if !Still(m.Curve(part, asset.Scale), 1) || Still(m.Curve(part, asset.Rotation), 1) || Constant(m.Curve(part, asset.Rotation), 1) {
		t.Error("what moves is still, or what is still moves")
	}
}

func BenchmarkCompare(b *testing.B) {
	c := turns(nil)
	for i := range 1000 {
		q := NarrowTurn(mgl64.QuatRotate(float64(i)/30, mgl64.Vec3{0, 0, 1}))
		c.Times, c.Values = append(c.Times, float32(i)/10), append(c.Values, q[:]...)
	}
	v := sampled(c, 24, straight)
	b.SetBytes(int64(4 * (len(v.Values) + len(v.Times))))
	b.ReportAllocs()
	for b.Loop() {
		if !Compare(asset.Rotation, Curve{c, nil}, Curve{v, nil}, 1).Unedited() {
			b.Fatal("edited")
		}
	}
}
