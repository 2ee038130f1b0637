package scene

import (
	"math"
	"slices"
	"sort"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/schema/asset"
)

// slack is how far a time may be from a key's and still mean it, relative to times above a second: keys are float32.
const slack = 1e-6

// around returns the first time from which on, and the last up to which, a time means the same moment.
func around(t float64) (from, to float64) {
	d := slack * max(1, math.Abs(t))
	return t - d, t + d
}

// Curve is how one property of a node moves: a channel, or the value at rest where there is none.
type Curve struct {
	*asset.Channel           // nil when nothing moves the property
	Rest           []float32 // as many as a key has
}

// CurveOf returns the curve of a property of a node. The channel may be nil; of an invalid one ([Valid]) nothing is
// taken.
func CurveOf(n *asset.Node, path asset.Path, c *asset.Channel) Curve {
	if c != nil && !Valid(c) {
		c = nil
	}
	return Curve{c, Rest(n, path)}
}

// Rest returns the value of a node's property that no animation moves.
func Rest(n *asset.Node, path asset.Path) []float32 {
	if path == asset.MorphWeights {
		if n.Weights == nil && n.Mesh != nil {
			return n.Mesh.Weights
		}
		return n.Weights
	}
	t := n.Transform
	if t.Matrix != nil {
		p, _ := PoseOf(&t)
		t = p.Transform()
	}
	switch path {
	case asset.Translation:
		return t.Translation[:]
	case asset.Rotation:
		return t.Rotation[:]
	}
	return t.Scale[:]
}

// widths are the floats of a value.
var widths = [...]int{asset.Translation: 3, asset.Rotation: 4, asset.Scale: 3}

// Valid tells whether a channel can be evaluated: it has a node, finite times from 0 on that ascend, and as many values
// as its property needs.
func Valid(c *asset.Channel) bool {
	n := len(c.Times)
	if n == 0 || c.Node == nil {
		return false
	}
	for i, t := range c.Times {
		if !(t >= 0) || math.IsInf(float64(t), 0) || i > 0 && t <= c.Times[i-1] {
			return false
		}
	}
	if c.Interpolation == asset.CubicKeys {
		n *= 3
	}
	w := c.Width()
	return w > 0 && len(c.Values) == n*w && (int(c.Path) >= len(widths) || w == widths[c.Path])
}

// Key returns the value of key i of a channel, without its tangents. It is the channel's own.
func Key(c *asset.Channel, i int) []float32 {
	w := c.Width()
	if c.Interpolation == asset.CubicKeys {
		i = 3*i + 1
	}
	return c.Values[i*w : (i+1)*w]
}

// At returns the value of a valid channel at a time by glTF's rules: that of the first or last key outside its times, a
// key as it is at its own, turns along the shorter arc. The result lies in into where that is large enough.
func At(c *asset.Channel, t float64, into []float64) []float64 {
	return at(c, t, into, evenly)
}

// At is [At] for curves.
func (c Curve) At(t float64, into []float64) []float64 {
	if c.Channel == nil {
		return widen(c.Rest, into)
	}
	return at(c.Channel, t, into, evenly)
}

// turning is how a linear rotation gets from one key to the next.
type turning uint8

const (
	evenly   turning = iota // as glTF has it
	straight                // as editors have it that blend the four numbers
	otherWay                // evenly, half turns in the other direction: which one it is depends on a rounding
)

// Narrow returns a value as keys have it.
func Narrow(v []float64) []float32 {
	out := make([]float32, len(v))
	for k, x := range v {
		out[k] = float32(x)
	}
	return out
}

func widen(v []float32, into []float64) []float64 {
	into = into[:0]
	for _, x := range v {
		into = append(into, float64(x))
	}
	return into
}

func at(c *asset.Channel, t float64, into []float64, how turning) []float64 {
	from, to := around(t)
	i := sort.Search(len(c.Times), func(i int) bool { return float64(c.Times[i]) > to }) - 1
	switch {
	case i < 0:
		return widen(Key(c, 0), into)
	case i == len(c.Times)-1 || float64(c.Times[i]) >= from || c.Interpolation == asset.StepKeys:
		return widen(Key(c, i), into)
	}
	span := float64(c.Times[i+1]) - float64(c.Times[i])
	s := (t - float64(c.Times[i])) / span
	a, b := Key(c, i), Key(c, i+1)
	out := widen(a, into)
	switch {
	case c.Interpolation == asset.CubicKeys:
		w := c.Width()
		leaving, arriving := c.Values[(3*i+2)*w:(3*i+3)*w], c.Values[(3*i+3)*w:(3*i+4)*w]
		s2, s3 := s*s, s*s*s
		for k := range out {
			out[k] = (2*s3-3*s2+1)*float64(a[k]) + span*(s3-2*s2+s)*float64(leaving[k]) +
				(3*s2-2*s3)*float64(b[k]) + span*(s3-s2)*float64(arriving[k])
		}
		if c.Path == asset.Rotation {
			putTurn(out, turnOf(out))
		}
	case c.Path == asset.Rotation:
		p, q := Turn([4]float32(a)), Turn([4]float32(b))
		switch {
		case how == straight:
			p = unit(p.Scale(1 - s).Add(towards(q, p).Scale(s)))
		case how == otherWay && math.Abs(p.Dot(q)) < TurnTolerance:
			p = slerp(p, towards(q, p).Scale(-1), s)
		default:
			p = Slerp(p, q, s)
		}
		putTurn(out, p)
	default:
		for k := range out {
			out[k] += (float64(b[k]) - float64(a[k])) * s
		}
	}
	return out
}

func turnOf[T float32 | float64](v []T) mgl64.Quat {
	return unit(mgl64.Quat{W: float64(v[3]), V: mgl64.Vec3{float64(v[0]), float64(v[1]), float64(v[2])}})
}

func putTurn(v []float64, q mgl64.Quat) { v[0], v[1], v[2], v[3] = q.V[0], q.V[1], q.V[2], q.W }

// towards returns q or −q, whichever is nearer to p.
func towards(q, p mgl64.Quat) mgl64.Quat {
	if p.Dot(q) < 0 {
		return q.Scale(-1)
	}
	return q
}

// Slerp turns evenly from p to q, along the shorter arc; s is 0 at p and 1 at q.
func Slerp(p, q mgl64.Quat, s float64) mgl64.Quat {
	return slerp(p, towards(q, p), s)
}

func slerp(p, q mgl64.Quat, s float64) mgl64.Quat {
	arc := 2 * math.Atan2(p.Sub(q).Len(), p.Add(q).Len())
	if arc < 1e-6 {
		return unit(p.Scale(1 - s).Add(q.Scale(s)))
	}
	sin := math.Sin(arc)
	return unit(p.Scale(math.Sin((1-s)*arc) / sin).Add(q.Scale(math.Sin(s*arc) / sin)))
}

// Angle returns the angle between two rotations, in radians from 0 to π. It is exact for small ones, where the cosine is
// not.
func Angle(p, q mgl64.Quat) float64 {
	q = towards(q, p)
	return 4 * math.Atan2(p.Sub(q).Len(), p.Add(q).Len())
}

// Times returns the times of the keys of some channels, each once, ascending; nil channels have none.
func Times(channels ...*asset.Channel) []float64 {
	var all []float64
	for _, c := range channels {
		if c == nil {
			continue
		}
		for _, t := range c.Times {
			all = append(all, float64(t))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// sampling is the time between frames that stand for a curve, in seconds; jump is that of one that stands for a jump;
// maxFrames bounds the frames that stand for one segment of a curve.
const (
	sampling  = 1.0 / 30
	jump      = 1e-3
	maxFrames = 1 << 10
)

// FrameTimes returns the moments at which frames, with straight lines between them, show the same motion as some
// channels: at all keys, along cubic curves 30 times a second or as often as it takes that nobody sees a difference, and a
// thousandth of a second before jumps.
func FrameTimes(channels ...*asset.Channel) []float64 {
	all := Times(channels...)
	for _, c := range channels {
		if c == nil || c.Interpolation == asset.LinearKeys {
			continue
		}
		for i := 1; i < len(c.Times); i++ {
			from, to := float64(c.Times[i-1]), float64(c.Times[i])
			if c.Interpolation == asset.StepKeys {
				all = append(all, to-min(jump, (to-from)/2))
				continue
			}
			n := pieces(c, from, to)
			for k := 1.0; k < n; k++ {
				all = append(all, from+(to-from)*k/n)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// SameValue tells whether two values of a property are the same as far as an editor keeps them. Size is how large what
// moves is: that of the model for translations, in their unit; it is not asked for otherwise. What is no number in the
// stored one cannot be compared: glTF has none.
func SameValue[A, B float32 | float64](path asset.Path, stored []A, now []B, size float64) bool {
	if path == asset.MorphWeights {
		return sameWeights(stored, now)
	}
	if len(stored) != len(now) {
		return false
	}
	if path == asset.Rotation {
		return Angle(turnOf(stored), turnOf(now)) <= TurnTolerance
	}
	most := 0.0
	for k, a := range stored {
		x, y := float64(a), float64(now[k])
		if x-x == 0 && y-y == 0 {
			most = max(most, math.Abs(x), math.Abs(y))
		}
	}
	tolerance := ScaleTolerance * most
	if path == asset.Translation {
		tolerance = MoveTolerance * max(size, most)
	}
	for k, a := range stored {
		if x := float64(a); x-x == 0 && !(math.Abs(x-float64(now[k])) <= tolerance) {
			return false
		}
	}
	return true
}

// sameWeights compares weights of morph targets; those that are not there are 0.
func sameWeights[A, B float32 | float64](stored []A, now []B) bool {
	for k := range max(len(stored), len(now)) {
		x, y := 0.0, 0.0
		if k < len(stored) {
			x = float64(stored[k])
		}
		if k < len(now) {
			y = float64(now[k])
		}
		if x-x == 0 && !(math.Abs(x-y) <= WeightTolerance) {
			return false
		}
	}
	return true
}

// Constant tells whether a curve stays at one value.
func Constant(c Curve, size float64) bool {
	if c.Channel == nil {
		return true
	}
	first := Key(c.Channel, 0)
	var v []float64
	for _, t := range c.moments() {
		if v = c.At(t, v); !SameValue(c.Path, first, v, size) {
			return false
		}
	}
	return true
}

// Still tells whether a curve stays where its node is at rest: then it is as good as none, and editors write such ones for
// everything.
func Still(c Curve, size float64) bool {
	return c.Channel == nil || Constant(c, size) && SameValue(c.Path, c.Rest, Key(c.Channel, 0), size)
}

// moments returns the times that tell the whole of a curve: those of its keys, and some between cubic ones.
func (c Curve) moments() []float64 {
	times := Times(c.Channel)
	if c.Channel == nil || c.Interpolation != asset.CubicKeys {
		return times
	}
	return between(times, quarters)
}

// quarters is into how many parts a segment is cut where its inside is compared.
const quarters = 4

// between returns ascending times with n−1 more ones between each two of them.
func between(times []float64, n int) []float64 {
	var all []float64
	for i, t := range times {
		if i > 0 {
			for k := 1; k < n; k++ {
				all = append(all, times[i-1]+(t-times[i-1])*float64(k)/float64(n))
			}
		}
		all = append(all, t)
	}
	return all
}

// longGap is the longest time between keys, in seconds, that sampling an animation leaves: editors have at least 20
// frames a second.
const longGap = 0.051

// Comparison holds a visible curve against the stored one, which an editor may have rewritten:
//
//   - Resampled at whole frames: keys at times of its own, at least 20 a second. They lie on the stored curve, which is
//     taken as it is and with its rotations blended number by number, as some editors do; what the stored curve does
//     between two of them is not lost, for nobody saw it go.
//   - With keys left out that lie between others. Then the visible curve lies on the stored one there.
//   - A channel that stays where its node rests is none, and the other way round.
//   - Cut off at the last whole frame.
//
// A curve is held against the other one as it runs, also between the keys of cubic ones: tangents are no keys.
type Comparison struct {
	stored, visible Curve
	path            asset.Path
	size            float64
	keys            []bool // of the visible curve: it lies on the stored one there
	a, b            []float64
}

// Compare holds a visible curve against the stored one. Size is as in [SameValue].
func Compare(path asset.Path, stored, visible Curve, size float64) *Comparison {
	c := &Comparison{stored: stored, visible: visible, path: path, size: size}
	if path == asset.Translation && stored.Channel != nil {
		for i := range stored.Times {
			for _, x := range Key(stored.Channel, i) {
				if x := math.Abs(float64(x)); x > c.size && !math.IsInf(x, 0) {
					c.size = x
				}
			}
		}
	}
	if visible.Channel != nil {
		c.keys = make([]bool, len(visible.Times))
		for i, t := range visible.Times {
			c.keys[i] = c.same(float64(t))
		}
	}
	return c
}

// SameAt tells whether the curves meet at a time.
func (c *Comparison) SameAt(t float64) bool { return c.same(t) }

func (c *Comparison) same(t float64) bool {
	c.b = c.visible.At(t, c.b)
	c.a = c.stored.At(t, c.a)
	if SameValue(c.path, c.a, c.b, c.size) {
		return true
	}
	if c.path != asset.Rotation || c.stored.Channel == nil || c.stored.Interpolation != asset.LinearKeys {
		return false
	}
	for _, how := range [...]turning{straight, otherWay} {
		if c.a = at(c.stored.Channel, t, c.a, how); SameValue(c.path, c.a, c.b, c.size) {
			return true
		}
	}
	return false
}

// Unedited tells whether the visible curve is the stored one.
func (c *Comparison) Unedited() bool {
	if slices.Contains(c.keys, false) {
		return false
	}
	for _, t := range c.inside() {
		if !c.same(t) {
			return false
		}
	}
	return true
}

// inside returns the times besides the keys of the visible curve at which it has to be the stored one: the keys of the
// stored one that sampling does not leave out, and times between, where the curves bend in different ways.
func (c *Comparison) inside() []float64 {
	if c.stored.Channel == nil && c.visible.Channel == nil {
		return []float64{0}
	}
	times := Times(c.stored.Channel, c.visible.Channel)
	if c.bends() {
		times = between(times, quarters)
	}
	cubic := c.visible.Channel != nil && c.visible.Interpolation == asset.CubicKeys
	return slices.DeleteFunc(times, func(t float64) bool {
		before, after, inGap := c.gap(t)
		switch {
		case !inGap:
			return c.beyondEnd(t)
		case before == after:
			return true // one of the keys, which was looked at
		case c.waits(t, after):
			return true
		}
		return !cubic && c.short(before, after)
	})
}

// bends tells whether the curves may differ between times at which they meet.
func (c *Comparison) bends() bool {
	kind := func(x Curve) asset.Interpolation {
		if x.Channel == nil {
			return asset.LinearKeys
		}
		return x.Interpolation
	}
	a, b := kind(c.stored), kind(c.visible)
	return a != b || a == asset.CubicKeys
}

// gap returns the keys of the visible curve around a time, both the same one at its own time; ok is false outside them.
func (c *Comparison) gap(t float64) (before, after int, ok bool) {
	if c.visible.Channel == nil {
		return 0, 0, false
	}
	from, to := around(t)
	n := len(c.visible.Times)
	after = sort.Search(n, func(i int) bool { return float64(c.visible.Times[i]) >= from })
	switch {
	case after == n:
		return 0, 0, false
	case float64(c.visible.Times[after]) <= to:
		return after, after, true
	case after == 0:
		return 0, 0, false
	}
	return after - 1, after, true
}

// waits tells whether a time lies in the frame before a jump: sampled jumps wait for the next frame.
func (c *Comparison) waits(t float64, after int) bool {
	return c.visible.Interpolation == asset.StepKeys && float64(c.visible.Times[after])-t <= longGap
}

// short tells whether two keys are as near to each other as those of a sampled curve.
func (c *Comparison) short(before, after int) bool {
	return float64(c.visible.Times[after])-float64(c.visible.Times[before]) <= longGap
}

// beyondEnd tells whether a time lies just outside the visible keys, where sampling cuts a curve off.
func (c *Comparison) beyondEnd(t float64) bool {
	if c.visible.Channel == nil || len(c.visible.Times) == 0 {
		return false
	}
	times := c.visible.Times
	return t < float64(times[0]) && float64(times[0])-t <= longGap || t > float64(times[len(times)-1]) && t-float64(times[len(times)-1]) <= longGap
}

// EditedAt tells whether the visible curve is another than the stored one at a time, that of a stored key: it is told by
// the visible key there; between two visible keys of a sampled curve, by both; else by what the curve shows. A curve may
// be edited without being so at any stored key.
func (c *Comparison) EditedAt(t float64) bool {
	before, after, inGap := c.gap(t)
	switch {
	case inGap && before == after:
		return !c.keys[before]
	case inGap && c.short(before, after) && c.visible.Interpolation != asset.CubicKeys:
		return !c.keys[before] || !c.keys[after]
	case inGap && c.waits(t, after):
		return !c.keys[after]
	case !inGap && c.beyondEnd(t):
		if float64(c.visible.Times[0]) > t {
			return !c.keys[0]
		}
		return !c.keys[len(c.keys)-1]
	}
	return !c.same(t)
}
