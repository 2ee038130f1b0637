package track

import (
	"math"
	"sort"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
)

// Track holds the sampled channels of one node.
type Track struct{ Move, Turn *asset.Channel }

// Of returns the tracks of an animation by node, and the nodes in the order of their channels.
func Of(a *asset.Animation) (map[*asset.Node]*Track, []*asset.Node) {
	out, order := map[*asset.Node]*Track{}, []*asset.Node(nil)
	for _, c := range a.Channels {
		t := out[c.Node]
		if t == nil {
			t = &Track{}
			out[c.Node] = t
			order = append(order, c.Node)
		}
		t.Set(c)
	}
	return out, order
}

// Still reports whether a track keeps its node at rest. size is that of the model.
func Still(t *Track, n *asset.Node, size float64) bool {
	return scene.Still(scene.CurveOf(n, asset.Translation, t.Move), size) && scene.Still(scene.CurveOf(n, asset.Rotation, t.Turn), size)
}

// Moves reports whether a channel ever differs from the rest value of its node.
func Moves(c *asset.Channel, rest []float32) bool {
	for _, t := range scene.FrameTimes(c) {
		for k, x := range at(c, t, rest) {
			if math.Abs(x-float64(rest[k])) > 1e-4*max(1, math.Abs(x)) {
				return true
			}
		}
	}
	return false
}

// Set adds a channel, unless it does not animate a node's transform.
func (t *Track) Set(c *asset.Channel) {
	switch c.Path {
	case asset.Translation:
		t.Move = c
	case asset.Rotation:
		t.Turn = c
	}
}

// Pose returns the transform of the track's node at a time.
func (t *Track) Pose(n *asset.Node, time float64) Pose {
	v := at(t.Move, time, n.Transform.Translation[:])
	return Pose{Time: time, At: mgl64.Vec3{v[0], v[1], v[2]}, Turn: quat4(at(t.Turn, time, n.Transform.Rotation[:]))}
}

// at evaluates a channel; nil gives the value of the node at rest.
func at(c *asset.Channel, t float64, rest []float32) []float64 {
	w := len(rest)
	key := func(i int) []float64 {
		out := make([]float64, w)
		base := i * w
		if c.Interpolation == asset.CubicKeys {
			base = i*3*w + w
		}
		for k := range out {
			out[k] = float64(c.Values[base+k])
		}
		return out
	}
	if c == nil || len(c.Times) == 0 {
		out := make([]float64, w)
		for k := range out {
			out[k] = float64(rest[k])
		}
		return out
	}
	i := sort.Search(len(c.Times), func(i int) bool { return float64(c.Times[i]) > t })
	if i == 0 {
		return key(0)
	}
	if i == len(c.Times) || c.Interpolation == asset.StepKeys {
		return key(i - 1)
	}
	span := float64(c.Times[i]) - float64(c.Times[i-1])
	f := (t - float64(c.Times[i-1])) / span
	a, b := key(i-1), key(i)
	switch {
	case c.Interpolation == asset.CubicKeys:
		for k := range a {
			out, in := float64(c.Values[(i-1)*3*w+2*w+k])*span, float64(c.Values[i*3*w+k])*span
			f2, f3 := f*f, f*f*f
			a[k] = (2*f3-3*f2+1)*a[k] + (f3-2*f2+f)*out + (3*f2-2*f3)*b[k] + (f3-f2)*in
		}
	case w == 4:
		q := mgl64.QuatSlerp(Shorter(quat4(a), quat4(b)), quat4(b), f)
		a = []float64{q.V[0], q.V[1], q.V[2], q.W}
	default:
		for k := range a {
			a[k] += (b[k] - a[k]) * f
		}
	}
	if w == 4 {
		q := quat4(a)
		a = []float64{q.V[0], q.V[1], q.V[2], q.W}
	}
	return a
}

func quat4(v []float64) mgl64.Quat {
	return mgl64.Quat{W: v[3], V: mgl64.Vec3{v[0], v[1], v[2]}}.Normalize()
}

// Shorter returns a or −a, whichever is on b's side.
func Shorter(a, b mgl64.Quat) mgl64.Quat {
	if a.Dot(b) < 0 {
		return a.Scale(-1)
	}
	return a
}

// Compare compares the motion of a node with the stored one.
func Compare(was, now *Track, restWas, restNow *asset.Node, size float64) (move, turn *scene.Comparison) {
	return scene.Compare(asset.Translation, scene.CurveOf(restWas, asset.Translation, was.Move), scene.CurveOf(restNow, asset.Translation, now.Move), size),
		scene.Compare(asset.Rotation, scene.CurveOf(restWas, asset.Rotation, was.Turn), scene.CurveOf(restNow, asset.Rotation, now.Turn), size)
}

// longGap is the longest time between keys, in seconds, that sampling an animation leaves: editors do at least 20 frames
// a second.
const longGap = 0.051

// Covered reports whether a time lies between two near keys of a channel, or just outside its ends. Cubic keys define
// everything between them.
func Covered(c *asset.Channel, t float64) bool {
	if c == nil || len(c.Times) < 2 || c.Interpolation == asset.CubicKeys {
		return false
	}
	i := sort.Search(len(c.Times), func(i int) bool { return float64(c.Times[i]) >= t })
	i = min(max(i, 1), len(c.Times)-1)
	from, to := float64(c.Times[i-1]), float64(c.Times[i])
	return to-from <= longGap && t > from-longGap && t < to+longGap
}

// How far frames may be from the motion that they stand for. They are float32, but for turns that are stored in 16 bits;
// where an editor sampled the motion, frames that go straight from one to the next cut its corners.
const (
	frameShift = 1e-4 // of the size of what moves, at least a metre
	frameTurn  = 5e-4 // radians
	shortTurn  = 5e-3 // radians, of turns in 16 bits

	sampledShift = 4e-3
	sampledTurn  = 0.018
	blendedTurn  = 1e-2 // of new keys, which an editor may have blended
)

// Shows reports whether frames show a motion as well as frames can. a is what the frames show.
func Shows(c *freelancer.Channel, a, b *Track, restA, restB *asset.Node) bool {
	size, shift, turn := 1.0, frameShift, frameTurn
	if a.Move != nil {
		for _, v := range a.Move.Values {
			size = max(size, math.Abs(float64(v)))
		}
	}
	if len(c.Vectors)+len(c.HalfAngles) > 0 {
		turn = shortTurn
	}
	for _, t := range scene.FrameTimes(a.Move, a.Turn, b.Move, b.Turn) {
		most, far := turn, shift
		if Covered(b.Turn, t) {
			most = sampledTurn
		}
		if Covered(b.Move, t) {
			far = sampledShift
		}
		x, y := a.Pose(restA, t), b.Pose(restB, t)
		if x.At.Sub(y.At).Len() > far*size || scene.Angle(x.Turn, y.Turn) > most {
			return false
		}
	}
	return true
}

// Pose is the position and rotation of a part at one time.
type Pose struct {
	Time float64
	At   mgl64.Vec3
	Turn mgl64.Quat
}

// Finite reports whether all values of a pose are finite.
func (x *Pose) Finite() bool {
	sum := x.At[0] + x.At[1] + x.At[2] + x.Turn.W + x.Turn.V[0] + x.Turn.V[1] + x.Turn.V[2]
	return sum-sum == 0
}
