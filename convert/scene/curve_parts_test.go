package scene

import (
	"math"
	"slices"
	"sort"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/schema/asset"
)

// near reports whether numbers are the same up to a millionth.
func near(got, want []float64) bool {
	return slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) <= 1e-6 })
}

// TestRest: what a property is where nothing moves it.
func TestRest(t *testing.T) {
	n := asset.NewNode("n")
	n.Transform = asset.Transform{Translation: [3]float32{1, 2, 3}, Rotation: [4]float32{0, 1, 0, 0}, Scale: [3]float32{4, 5, 6}}
	matrix := asset.NewNode("matrix")
	m := NarrowMatrix(trs(mgl64.Vec3{7, 8, 9}, mgl64.Vec3{2, 2, 4}, mgl64.Vec3{0, 0, 1}, 180))
	matrix.Transform.Matrix = &m
	mesh, own := shownBy("mesh", square()), shownBy("own", square())
	mesh.Mesh.Weights, own.Mesh.Weights, own.Weights = []float32{0.25}, []float32{0.25}, []float32{0.5}
	for _, c := range []struct {
		n    *asset.Node
		path asset.Path
		want []float32
	}{
		{n, asset.Translation, []float32{1, 2, 3}}, {n, asset.Rotation, []float32{0, 1, 0, 0}}, {n, asset.Scale, []float32{4, 5, 6}}, {n, asset.MorphWeights, nil},
		{matrix, asset.Translation, []float32{7, 8, 9}}, {matrix, asset.Scale, []float32{2, 2, 4}},
		{mesh, asset.MorphWeights, []float32{0.25}}, {own, asset.MorphWeights, []float32{0.5}},
	} {
		if got := Rest(c.n, c.path); !slices.EqualFunc(got, c.want, func(a, b float32) bool { return math.Abs(float64(a-b)) < 1e-6 }) {
			t.Errorf("%s, path %d: %v, want %v", c.n.Name, c.path, got, c.want)
		}
	}
	bad := channel(asset.Translation, asset.LinearKeys, []float32{0}, 1)
	good := channel(asset.Translation, asset.LinearKeys, []float32{0}, 5, 5, 5)
	for c, want := range map[*asset.Channel][]float64{nil: {1, 2, 3}, bad: {1, 2, 3}, good: {5, 5, 5}} {
		if got := CurveOf(n, asset.Translation, c).At(0, nil); !near(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
	equal(t, "narrow", Narrow([]float64{1.5, -2}), []float32{1.5, -2})
}

// TestValidCubic: a cubic channel has three values a key.
func TestValidCubic(t *testing.T) {
	for _, c := range []struct {
		path   asset.Path
		values int
		want   bool
	}{
		{asset.Translation, 18, true}, {asset.Translation, 17, false}, {asset.Translation, 24, false}, {asset.Rotation, 24, true}, {asset.Scale, 18, true},
		{asset.MorphWeights, 6, true}, {asset.MorphWeights, 12, true}, {asset.MorphWeights, 8, false}, {asset.MorphWeights, 0, false}, {asset.Translation, 6, false},
	} {
		if got := Valid(channel(c.path, asset.CubicKeys, []float32{0, 1}, make([]float32, c.values)...)); got != c.want {
			t.Errorf("path %d with %d values: %v", c.path, c.values, got)
		}
	}
}

// TestAtCubic: a segment is glTF's curve of its two keys, the tangent that leaves the first and the one that arrives at the
// second.
func TestAtCubic(t *testing.T) {
	c := channel(asset.MorphWeights, asset.CubicKeys, []float32{1, 2, 4}, 1, 2, 3, 4, 5, 6, 7, 8, 9)
	for _, x := range []struct {
		t, a, leaves, arrives, b, span, s float64
	}{{1.25, 2, 3, 4, 5, 1, 0.25}, {1.5, 2, 3, 4, 5, 1, 0.5}, {2.5, 5, 6, 7, 8, 2, 0.25}, {3.5, 5, 6, 7, 8, 2, 0.75}} {
		s := x.s
		want := (2*s*s*s-3*s*s+1)*x.a + x.span*(s*s*s-2*s*s+s)*x.leaves + (3*s*s-2*s*s*s)*x.b + x.span*(s*s*s-s*s)*x.arrives
		if got := At(c, x.t, nil); !near(got, []float64{want}) {
			t.Errorf("at %g: %v, want %v", x.t, got, want)
		}
	}
	for at, want := range map[float64]float64{0: 2, 1: 2, 2: 5, 4: 8, 9: 8} {
		if got := At(c, at, nil); !near(got, []float64{want}) {
			t.Errorf("at %g: %v, want %v", at, got, want)
		}
	}
	wide := channel(asset.Translation, asset.CubicKeys, []float32{0, 1, 2}, 0, 0, 0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 4, 5, 6, 0, 0, 0, 0, 0, 0, 8, 11, 16, 0, 0, 0)
	if got := At(wide, 1.5, nil); !near(got, []float64{6, 8, 11}) {
		t.Error(got)
	}
}

// TestAtTurns: how a rotation gets from one key to the next.
func TestAtTurns(t *testing.T) {
	about := func(degrees float64) []float64 {
		s, c := math.Sincos(degrees / 2 * math.Pi / 180)
		return []float64{0, 0, s, c}
	}
	blend := func(a, b, s float64) []float64 { // of the four numbers
		p, q := about(a), about(b)
		z, w := p[2]*(1-s)+q[2]*s, p[3]*(1-s)+q[3]*s
		return []float64{0, 0, z / math.Hypot(z, w), w / math.Hypot(z, w)}
	}
	for _, c := range []struct {
		name     string
		from, to float64
		how      turning
		want     []float64
	}{
		{"evenly", 0, 120, evenly, about(30)},
		{"straight", 0, 120, straight, blend(0, 120, 0.25)},
		{"a half turn", 0, 180, evenly, about(45)},
		{"a half turn, the other way", 0, 180, otherWay, about(-45)},
		{"less, the other way", 0, 120, otherWay, about(30)},
		{"a half turn, straight", 0, 180, straight, blend(0, 180, 0.25)},
		{"a half turn, straight the other way", 0, 180, straightOther, blend(0, -180, 0.25)},
		{"less, straight the other way", 0, 120, straightOther, blend(0, 120, 0.25)},
		{"from elsewhere", 40, 120, evenly, about(60)},
		{"straight from elsewhere", 40, 160, straight, blend(40, 160, 0.25)},
		{"next to nothing", 40, 40 + 1e-5, evenly, about(40)},
	} {
		if got := at(turns([]float32{1, 3}, c.from, c.to), 1.5, nil, c.how); !near(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestFastTurn: what turns half around within a frame is far along within the rounding of a time. A slow turn is not.
func TestFastTurn(t *testing.T) {
	for _, c := range []struct {
		name string
		last float32 // time of the second key
		off  float64 // of the time at which the editor looked, in roundings
		want bool
	}{
		{"fast, as it is", 8 + 1.0/32, 0, true},
		{"fast, a rounding off", 8 + 1.0/32, 0.9, true},
		{"fast, many off", 8 + 1.0/32, 30, false},
		{"slow, as many off", 16, 30, true},
	} {
		stored := turns([]float32{8, c.last}, 0, 170)
		middle := (8 + float64(c.last)) / 2
		seen := At(stored, middle*(1+c.off*timeRounding), nil)
		visible := channel(asset.Rotation, asset.LinearKeys, []float32{float32(middle)}, Narrow(seen)...)
		if got := Compare(asset.Rotation, CurveOf(asset.NewNode("n"), asset.Rotation, stored), CurveOf(asset.NewNode("n"), asset.Rotation, visible), 1).SameAt(middle); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestFastJump: what crosses a model between two frames, or turns around, is far from its key within the rounding of that key's
// time. Sampled by whoever looks a rounding earlier or later it is unedited, at every frame, rate and rounding; a key that was
// moved is edited.
func TestFastJump(t *testing.T) {
	place := func(x float64) []float32 { return []float32{float32(x), 0, 0} }
	turn := func(degrees float64) []float32 {
		s, c := math.Sincos(degrees / 2 * math.Pi / 180)
		return []float32{0, 0, float32(s), float32(c)}
	}
	for _, kind := range []struct {
		path                asset.Path
		value               func(x float64) []float32
		far, moved, somehow float64 // somehow: next to nothing beside the jump
	}{{asset.Translation, place, 3870, 1, 0.05}, {asset.Rotation, turn, 170, 1, 0.01}} {
		for frame := 1; frame < 600; frame += 23 {
			for ulps := range 4 {
				from, to := float32(frame)/30, float32(frame+1)/30
				for range ulps {
					from, to = math.Nextafter32(from, 99), math.Nextafter32(to, 99)
				}
				values := []float64{0, kind.far / 2, -kind.far / 2, -kind.far}
				stored := channel(kind.path, asset.LinearKeys, []float32{0, from, to, 25})
				moved := channel(kind.path, asset.LinearKeys, stored.Times)
				for i, x := range values {
					stored.Values = append(stored.Values, kind.value(x)...)
					moved.Values = append(moved.Values, kind.value(x+[]float64{0, 0, kind.somehow, 0}[i])...)
				}
				if c := comparison(stored, moved); c.Unedited() || !c.EditedAt(float64(to)) {
					t.Errorf("path %d, the key at %v moved by %v where nobody sampled: unedited", kind.path, to, kind.somehow)
				}
				for _, fps := range []float64{24, 25, 30, 60} {
					visible := sampledBy(stored, values, kind.value, fps, -1, 0)
					if c := comparison(stored, visible); !c.Unedited() || c.EditedAt(float64(from)) || c.EditedAt(float64(to)) {
						t.Errorf("path %d, the jump to %v, at %g a second: edited", kind.path, to, fps)
					}
					visible = sampledBy(stored, values, kind.value, fps, int(float64(to)*fps)+1, kind.moved)
					if comparison(stored, visible).Unedited() {
						t.Errorf("path %d, a key behind the jump to %v moved by %v, at %g a second: unedited", kind.path, to, kind.moved, fps)
					}
				}
			}
		}
	}
}

// sampledBy samples what moves evenly between the values at its four keys, at the exact time of each frame; one is off.
func sampledBy(stored *asset.Channel, values []float64, value func(x float64) []float32, fps float64, one int, off float64) *asset.Channel {
	out := channel(stored.Path, asset.LinearKeys, nil)
	for f := range int(25*fps) + 1 {
		at := float64(f) / fps
		i := min(max(sort.Search(4, func(i int) bool { return float64(stored.Times[i]) > at }), 1), 3)
		from, to := float64(stored.Times[i-1]), float64(stored.Times[i])
		x := values[i-1] + (values[i]-values[i-1])*(at-from)/(to-from)
		if f == one {
			x += off
		}
		out.Times, out.Values = append(out.Times, float32(at)), append(out.Values, value(x)...)
	}
	return out
}

func comparison(stored, visible *asset.Channel) *Comparison {
	n := asset.NewNode("n")
	return Compare(stored.Path, CurveOf(n, stored.Path, stored), CurveOf(n, stored.Path, visible), 1)
}

// TestAtHalfTurn: of the two ways of a half turn it is the one of the key itself.
func TestAtHalfTurn(t *testing.T) {
	for _, side := range []float32{1, -1} {
		c := channel(asset.Rotation, asset.LinearKeys, []float32{0, 1}, 0, 0, 0, 1, 0, 0, side, 0)
		if got := At(c, 0.5, nil); !near(got, []float64{0, 0, float64(side) * math.Sqrt(0.5), math.Sqrt(0.5)}) {
			t.Errorf("to %v: %v", side, got)
		}
	}
}

// TestAngle is exact for small angles, and the same for both signs of a quaternion.
func TestAngle(t *testing.T) {
	axis := mgl64.Vec3{1, 2, -2}.Normalize()
	for _, want := range []float64{0, 1e-9, 1e-5, 0.5, 2, 3, math.Pi} {
		p := mgl64.QuatRotate(0.7, mgl64.Vec3{0, 1, 0})
		q := p.Mul(mgl64.QuatRotate(want, axis))
		for _, q := range []mgl64.Quat{q, q.Scale(-1)} {
			if got := Angle(p, q); math.Abs(got-want) > 1e-15+1e-7*want {
				t.Errorf("%g, want %g", got, want)
			}
		}
	}
}

// TestTimes: every time once, in order, of whichever channel.
func TestTimes(t *testing.T) {
	a, b := &asset.Channel{Times: []float32{0, 1, 2}}, &asset.Channel{Times: []float32{0.5, 1, 3}}
	equal(t, "times", Times(a, nil, b), []float64{0, 0.5, 1, 2, 3})
	equal(t, "the other way round", Times(b, a), []float64{0, 0.5, 1, 2, 3})
	equal(t, "none", Times(nil), []float64(nil))
	equal(t, "frames", FrameTimes(b, nil, a), []float64{0, 0.5, 1, 2, 3})
	for _, c := range []struct {
		times []float64
		n     int
		want  []float64
	}{{nil, 4, nil}, {[]float64{3}, 4, []float64{3}}, {[]float64{1, 5}, 4, []float64{1, 2, 3, 4, 5}}, {[]float64{0, 2, 6}, 2, []float64{0, 1, 2, 4, 6}}, {[]float64{0, 2}, 1, []float64{0, 2}}} {
		equal(t, "between", between(c.times, c.n), c.want)
	}
	if got := dense([]float64{1, 1.01, 1.06}); !near(got, []float64{1, 1.01, 1.035, 1.06}) {
		t.Errorf("dense: %v", got)
	}
	if got := dense([]float64{2, 2.1}); !near(got, []float64{2, 2.025, 2.05, 2.075, 2.1}) && !near(got, []float64{2, 2 + 0.1/3, 2 + 0.2/3, 2.1}) {
		t.Errorf("dense: %v", got)
	}
	if got := len(dense([]float64{0, 1e9})); got != maxFrames+1 {
		t.Errorf("dense: %d", got)
	}
}

// TestFrameTimesEnds: a jump has a frame a thousandth of a second before it, or half way where its keys are closer.
func TestFrameTimesEnds(t *testing.T) {
	step := channel(asset.MorphWeights, asset.StepKeys, []float32{0, 0.5, 0.5005}, 1, 2, 3)
	if got := FrameTimes(step); !near(got, []float64{0, 0.499, 0.5, 0.50025, 0.5005}) {
		t.Error(got)
	}
}

// TestConstant: a curve stays at one value when it does so between its keys as well.
func TestConstant(t *testing.T) {
	rest := []float32{1}
	curve := func(kind asset.Interpolation, values ...float32) Curve {
		return Curve{channel(asset.MorphWeights, kind, []float32{0, 1}, values...), rest}
	}
	for _, c := range []struct {
		name            string
		c               Curve
		constant, still bool
	}{
		{"none", Curve{nil, rest}, true, true},
		{"at rest", curve(asset.LinearKeys, 1, 1), true, true},
		{"elsewhere", curve(asset.LinearKeys, 2, 2), true, false},
		{"moving", curve(asset.LinearKeys, 1, 2), false, false},
		{"jumping", curve(asset.StepKeys, 1, 2), false, false},
		{"bending", curve(asset.CubicKeys, 0, 1, 1, 0, 1, 0), false, false},
		{"cubic", curve(asset.CubicKeys, 0, 1, 0, 0, 1, 0), true, true},
		{"a tangent behind the end", curve(asset.CubicKeys, 0, 1, 0, 0, 1, 5), true, true},
	} {
		if Constant(c.c, 1) != c.constant || Still(c.c, 1) != c.still {
			t.Errorf("%s: constant %v, still %v", c.name, Constant(c.c, 1), Still(c.c, 1))
		}
	}
}

// TestSameValue: just below the threshold of a property is the same, just above is not.
func TestSameValue(t *testing.T) {
	for _, c := range []struct {
		name     string
		path     asset.Path
		was, now []float64
		size     float64
		want     bool
	}{
		{"moved a little", asset.Translation, []float64{0, 0, 0}, []float64{0, 4e-5, 0}, 10, true},
		{"moved", asset.Translation, []float64{0, 0, 0}, []float64{0, 6e-5, 0}, 10, false},
		{"moved a little, far away", asset.Translation, []float64{100, 0, 0}, []float64{100, 4e-4, 0}, 10, true},
		{"moved, far away", asset.Translation, []float64{100, 0, 0}, []float64{100, 6e-4, 0}, 10, false},
		{"moved a little from afar", asset.Translation, []float64{0, 1, 0}, []float64{4e-4, 1, -100}, 10, false},
		{"scaled a little", asset.Scale, []float64{0, 5, 0}, []float64{0.9e-4, 5, 0}, 10, true},
		{"scaled", asset.Scale, []float64{0, 5, 0}, []float64{0, 5, 1.1e-4}, 10, false},
		{"scaled a little, mirrored", asset.Scale, []float64{0, -5, 0}, []float64{0.9e-4, -5, 0}, 0, true},
		{"infinite", asset.Scale, []float64{math.Inf(1), 5, 0}, []float64{0, 5, 1.1e-4}, 10, false},
		{"infinite now", asset.Scale, []float64{1, 5, 0}, []float64{math.Inf(1), 5, 0}, 10, false},
		{"shorter", asset.Scale, []float64{1, 1, 1}, []float64{1, 1}, 10, false},
		{"no more turned than that", asset.Rotation, []float64{0, 0, 0, 1}, []float64{4e-5, 0, 0, 1}, 0, true},
		{"turned", asset.Rotation, []float64{0, 0, 0, 1}, []float64{5e-5, 0, 0, 1}, 0, false},
		{"weighed a little", asset.MorphWeights, []float64{0, 1}, []float64{0.0009, 1}, 0, true},
		{"weighed", asset.MorphWeights, []float64{0, 1}, []float64{0, 1.0011}, 0, false},
		{"weights more", asset.MorphWeights, []float64{0}, []float64{0, 0.5}, 0, false},
		{"weights less", asset.MorphWeights, []float64{0, 0.5}, []float64{0}, 0, false},
		{"weights of nothing", asset.MorphWeights, []float64{0, 0}, nil, 0, true},
		{"no weight stored", asset.MorphWeights, []float64{math.NaN()}, []float64{3}, 0, true},
		{"no weight", asset.MorphWeights, []float64{3}, []float64{math.NaN()}, 0, false},
	} {
		if got := SameValue(c.path, c.was, c.now, c.size); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestComparisonTimes: where a time lies among the keys of the visible curve.
func TestComparisonTimes(t *testing.T) {
	stored := channel(asset.MorphWeights, asset.LinearKeys, []float32{0, 10}, 0, 1)
	curve := func(kind asset.Interpolation, times ...float32) *Comparison {
		v := channel(asset.MorphWeights, kind, times, make([]float32, len(times))...)
		return Compare(asset.MorphWeights, Curve{Channel: stored}, Curve{Channel: v}, 1)
	}
	c := curve(asset.StepKeys, 1, 1.05, 2)
	for _, x := range []struct {
		t             float64
		before, after int
		in            bool
		beyond        bool
	}{
		{0.9, 0, 0, false, false}, {0.96, 0, 0, false, true}, {1, 0, 0, true, false}, {1 - 5e-7, 0, 0, true, true}, {1.02, 0, 1, true, false}, {1.05, 1, 1, true, false}, {1.5, 1, 2, true, false}, {2, 2, 2, true, false}, {2.04, 0, 0, false, true}, {2.06, 0, 0, false, false},
	} {
		before, after, in := c.gap(x.t)
		if before != x.before || after != x.after || in != x.in {
			t.Errorf("at %g: between %d and %d, in %v; want %d, %d, %v", x.t, before, after, in, x.before, x.after, x.in)
		}
		if got := c.beyondEnd(x.t); got != x.beyond {
			t.Errorf("at %g: beyond the end %v", x.t, got)
		}
	}
	if !c.short(0, 1) || c.short(1, 2) || c.short(0, 2) {
		t.Error("which keys are close")
	}
	if !c.waits(1.96, 2) || c.waits(1.9, 2) || curve(asset.LinearKeys, 1, 2).waits(1.96, 1) {
		t.Error("what waits for a jump")
	}
	none := Compare(asset.MorphWeights, Curve{Channel: stored}, Curve{Rest: []float32{0}}, 1)
	if before, after, in := none.gap(1); in || before != 0 || after != 0 || none.beyondEnd(1) || none.beyondEnd(0) {
		t.Error("what nothing moves has no keys")
	}
	if none.EditedAt(0) || !none.EditedAt(5) {
		t.Error("what nothing moves any more is edited where it moved")
	}
	if !none.SameAt(0) || none.SameAt(5) {
		t.Error("the curves meet at the start only")
	}
	if !SampledAround([]float32{0}, 0.051) || !SampledAround([]float32{0, 0.051}, 0.02) || SampledAround([]float32{0, 0.052}, 0.02) {
		t.Error("the longest gap is one of them")
	}
}

// TestBends: curves of one kind that is not cubic differ at keys only.
func TestBends(t *testing.T) {
	kinds := []asset.Interpolation{asset.LinearKeys, asset.StepKeys, asset.CubicKeys}
	curve := func(kind asset.Interpolation) Curve {
		n := 1
		if kind == asset.CubicKeys {
			n = 3
		}
		return Curve{channel(asset.MorphWeights, kind, []float32{0}, make([]float32, n)...), nil}
	}
	for i, a := range kinds {
		for k, b := range kinds {
			if got, want := Compare(asset.MorphWeights, curve(a), curve(b), 1).bends(), i != k || a == asset.CubicKeys; got != want {
				t.Errorf("kinds %d and %d: %v", a, b, got)
			}
		}
		if got, want := Compare(asset.MorphWeights, curve(a), Curve{}, 1).bends(), a != asset.LinearKeys; got != want {
			t.Errorf("kind %d and none: %v", a, got)
		}
	}
}

// TestCompareSize: a translation is held against the largest of its stored places, of those that are finite.
func TestCompareSize(t *testing.T) {
	inf := float32(math.Inf(1))
	for _, c := range []struct {
		path   asset.Path
		values []float32
		size   float64
		want   float64
	}{
		{asset.Translation, []float32{1, 2, 3, 4, -50, 6}, 10, 50}, {asset.Translation, []float32{1, 2, 3, 4, 5, 6}, 10, 10}, {asset.Translation, []float32{-70, 2, 3, inf, 5, -inf}, 10, 70}, {asset.Scale, []float32{1, 2, 3, 4, 50, 6}, 10, 10},
	} {
		stored := Curve{Channel: channel(c.path, asset.LinearKeys, []float32{0, 1}, c.values...)}
		if got := Compare(c.path, stored, Curve{Rest: []float32{0, 0, 0}}, c.size).size; got != c.want {
			t.Errorf("%v: %v, want %v", c.values, got, c.want)
		}
	}
	if got := Compare(asset.Translation, Curve{Rest: []float32{99, 0, 0}}, Curve{Rest: []float32{0, 0, 0}}, 10).size; got != 10 {
		t.Errorf("without keys: %v", got)
	}
}

// TestEditedAtEnds: what sampling cut off is told by the key at that end.
func TestEditedAtEnds(t *testing.T) {
	weights := func(times []float32, values ...float32) Curve {
		return Curve{Channel: channel(asset.MorphWeights, asset.LinearKeys, times, values...)}
	}
	gone := Compare(asset.MorphWeights, weights([]float32{0, 1, 2}, 0, 1, 0), weights([]float32{0, 2}, 0, 0), 1)
	if gone.EditedAt(0) || !gone.EditedAt(1) || gone.EditedAt(2) {
		t.Error("a key that is gone is edited, and no other")
	}
	one := Compare(asset.MorphWeights, weights([]float32{0, 0.04}, 1, 5), weights([]float32{0}, 1), 1)
	if one.EditedAt(0) || one.EditedAt(float64(float32(0.04))) {
		t.Error("of one key the end was cut off")
	}
	stored := channel(asset.MorphWeights, asset.LinearKeys, []float32{0, 0.04, 1, 1.04}, 0.5, 0.5, 0.5, 0.5)
	for _, c := range []struct {
		name   string
		values []float32
		first  bool // edited at the first, and last, stored key
		last   bool
	}{{"none", []float32{0.5, 0.5, 0.5}, false, false}, {"the first", []float32{0.9, 0.5, 0.5}, true, false}, {"the last", []float32{0.5, 0.5, 0.9}, false, true}} {
		x := Compare(asset.MorphWeights, Curve{Channel: stored}, Curve{Channel: channel(asset.MorphWeights, asset.LinearKeys, []float32{0.04, 0.5, 1}, c.values...)}, 1)
		if x.EditedAt(0) != c.first || x.EditedAt(float64(float32(1.04))) != c.last {
			t.Errorf("%s: edited at the start %v, at the end %v", c.name, x.EditedAt(0), x.EditedAt(float64(float32(1.04))))
		}
	}
}

// A curve without keys, as damaged files have them, ends nowhere.
func TestComparisonWithoutKeys(t *testing.T) {
	c := &Comparison{visible: Curve{Channel: new(asset.Channel)}}
	if c.beyondEnd(0) || c.beyondEnd(1) {
		t.Error("beyond the end of no keys")
	}
}
