package freelancer

import (
	"math"
	"sort"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/freelancer/space"
	"github.com/usher-assets/usher/convert/freelancer/track"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
)

// editFrames puts new values into those frames of a part that were edited, in the encoding that they have. It reports whether
// the frames can follow the motion; where they cannot, they are to be made anew.
func (e *editor) editFrames(p *part, am *freelancer.AnimationMap, n *asset.Node, was, now *track.Track) bool {
	c := am.Channel
	if c == nil || was == nil {
		return false
	}
	rest := p.node
	if p.moved {
		rest = n
	}
	move, turn := track.Compare(was, now, rest, n, e.size)
	moved, turned := editedAt(was.Move, now.Move, move.SameAt), editedAt(was.Turn, now.Turn, turn.SameAt)
	for i := range c.Frames() {
		t := float64(c.Time(i))
		if moved(t) || turned(t) {
			x := now.Pose(n, t)
			setFrame(c, p.joint, am, i, &x)
		}
	}
	return track.Shows(c, e.trackOf(p, am, c), now, rest, n)
}

// editedAt returns a function that reports whether the visible curve is another than the stored one at the time of a frame.
// A time between two close keys that lie on the stored curve is unedited, whatever lies between them; a frame next to an
// edited key is edited too, since lines lead from it there.
func editedAt(stored, visible *asset.Channel, same func(t float64) bool) func(t float64) bool {
	if visible == nil {
		return func(t float64) bool { return stored != nil && !same(t) }
	}
	keys := make([]bool, len(visible.Times))
	for i, t := range visible.Times {
		keys[i] = same(float64(t))
	}
	return func(t float64) bool {
		if !track.Covered(visible, t) {
			return !same(t)
		}
		i := sort.Search(len(keys), func(i int) bool { return float64(visible.Times[i]) >= t })
		i = min(max(i, 1), len(keys)-1)
		return !(keys[i-1] && keys[i])
	}
}

// trackOf returns what a channel shows of a part.
func (e *editor) trackOf(p *part, am *freelancer.AnimationMap, c *freelancer.Channel) *track.Track {
	t := &track.Track{}
	for _, ch := range e.channels(p, &freelancer.AnimationMap{Object: am.Object, Channel: c}) {
		t.Set(ch)
	}
	return t
}

// drive returns what a pose adds to a joint: the place and the turn that stand before the joint's own.
func drive(j *freelancer.Joint, am *freelancer.AnimationMap, x *track.Pose) (mgl64.Vec3, mgl64.Quat) {
	if j == nil || am.Object {
		return x.At, x.Turn
	}
	turn := x.Turn.Mul(space.Quat(space.Rotation(j.Rotation)).Inverse()).Normalize()
	return x.At.Sub(scene.Wide3(j.Origin)).Add(x.Turn.Rotate(scene.Wide3(j.Offset))), turn
}

// stored returns a quaternion as frames have it: w, x, y, z.
func stored(q mgl64.Quat) [4]float32 {
	return [4]float32{float32(q.W), float32(q.V[0]), float32(q.V[1]), float32(q.V[2])}
}

// setFrame gives frame i a pose, as far as the channel's encoding can hold it.
func setFrame(c *freelancer.Channel, j *freelancer.Joint, am *freelancer.AnimationMap, i int, x *track.Pose) {
	if i < len(c.Scalars) {
		if j != nil {
			s := scalarOf(j, x)
			if was := float64(c.Scalars[i]); j.Kind != freelancer.Pris && math.Abs(was) > math.Pi {
				s = was + math.Remainder(s-was, 2*math.Pi)
			}
			c.Scalars[i] = float32(s)
		}
		return
	}
	place, turn := drive(j, am, x)
	if i < len(c.Positions) {
		c.Positions[i] = scene.Narrow3(place)
	}
	switch {
	case i < len(c.Quaternions):
		was := c.Quaternions[i]
		old := mgl64.Quat{W: float64(was[0]), V: mgl64.Vec3{float64(was[1]), float64(was[2]), float64(was[3])}}
		c.Quaternions[i] = stored(track.Shorter(turn, old))
	case i < len(c.Vectors):
		c.Vectors[i] = freelancer.EncodeVector(scene.NarrowTurn(turn))
	case i < len(c.HalfAngles):
		c.HalfAngles[i] = freelancer.EncodeHalfAngle(scene.NarrowTurn(turn))
	}
}
