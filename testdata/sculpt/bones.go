package sculpt

import (
	"math"

	"github.com/usher-assets/usher/schema/asset"
)

// chain is a row of bones, each from its place to the next one's. What follows it bends between them.
type chain struct {
	bones  []uint16
	places []vec // one more than bones: the last one ends
}

// near returns the bone that a point is nearest to, and where beside it: 0 at its place, 1 at its end.
func (c *chain) near(p vec) (bone int, along float64) {
	best := math.Inf(1)
	for i := range c.bones {
		a, b := c.places[i], c.places[i+1]
		t := clamp(p.minus(a).dot(b.minus(a))/max(b.minus(a).dot(b.minus(a)), 1e-9), 0, 1)
		if d := p.minus(mix(a, b, t)).length(); d < best {
			bone, along, best = i, t, d
		}
	}
	return bone, along
}

// bend is the part of a bone, at each of its ends, in which its neighbour has a share.
const bend = 0.35

// bind gives the newest vertex its bones: the nearest one, and near a joint that on its other side, with at most half.
func (p *part) bind(c *chain, at vec) {
	if c == nil {
		return
	}
	bone, along := c.near(at)
	other, share := bone, 0.0
	if along < bend && bone > 0 {
		other, share = bone-1, 0.5*(1-along/bend)
	} else if along > 1-bend && bone+1 < len(c.bones) {
		other, share = bone+1, 0.5*(1-(1-along)/bend)
	}
	share = math.Round(share*256) / 256
	if p.Joints == nil {
		p.Joints, p.Weights = make([][][4]uint16, 1), make([][][4]float32, 1)
	}
	p.Joints[0] = append(p.Joints[0], [4]uint16{c.bones[bone], c.bones[other]})
	p.Weights[0] = append(p.Weights[0], [4]float32{float32(1 - share), float32(share)})
}

// skeleton is bones that stand upright at their places, with what they hang on.
type skeleton struct {
	nodes  []*asset.Node
	places []vec
}

// bone adds a bone below another one, −1 for none, and returns its number.
func (s *skeleton) bone(name string, parent int, at vec) int {
	n := asset.NewNode(name)
	n.Kind = asset.Bone
	origin := vec{}
	if parent >= 0 {
		origin = s.places[parent]
		s.nodes[parent].Children = append(s.nodes[parent].Children, n)
	}
	n.Transform.Translation = onGrid(at.minus(origin)).narrow()
	s.nodes, s.places = append(s.nodes, n), append(s.places, onGrid(at))
	return len(s.nodes) - 1
}

// row adds bones one below the other, and returns them as a chain that ends at the last place.
func (s *skeleton) row(parent int, names []string, places ...vec) *chain {
	c := &chain{places: places}
	for i, name := range names {
		parent = s.bone(name, parent, places[i])
		c.bones = append(c.bones, uint16(parent))
	}
	return c
}

func (s *skeleton) skin(name string) *asset.Skin {
	k := &asset.Skin{Name: name, Joints: s.nodes, Root: s.nodes[0]}
	for _, p := range s.places {
		k.InverseBind = append(k.InverseBind, [16]float32{0: 1, 5: 1, 10: 1, 12: float32(-p[0]), 13: float32(-p[1]), 14: float32(-p[2]), 15: 1})
	}
	return k
}

// clip is an animation of a walk: a number of keys over some seconds, the first and the last one alike.
type clip struct {
	*asset.Animation
	keys    int
	seconds float64
}

func newClip(name string, keys int, seconds float64) clip {
	return clip{&asset.Animation{Name: name}, keys, seconds}
}

// each calls f with the phase of each key, 0 … 2π, and makes a channel of what it returns.
func (c clip) each(n *asset.Node, path asset.Path, f func(phase float64) []float64) {
	x := &asset.Channel{Node: n, Path: path}
	for k := range c.keys + 1 {
		x.Times = append(x.Times, float32(c.seconds*float64(k)/float64(c.keys)))
		for _, v := range f(2 * math.Pi * float64(k%c.keys) / float64(c.keys)) {
			x.Values = append(x.Values, float32(v))
		}
	}
	c.Channels = append(c.Channels, x)
}

// turn moves a bone around an axis by the degrees that f returns.
func (c clip) turn(n *asset.Node, axis vec, f func(phase float64) float64) {
	c.each(n, asset.Rotation, func(phase float64) []float64 {
		sin, cos := math.Sincos(math.Round(f(phase)*16) / 16 * math.Pi / 360)
		return []float64{sin * axis[0], sin * axis[1], sin * axis[2], cos}
	})
}
