package freelancer

import (
	"math"
	"strings"
)

// ChannelType says what a frame of a channel holds (reference section 8). At most one kind of position and one kind
// of rotation is stored.
type ChannelType uint32

// The parts of a frame, in the order in which they are stored.
const (
	ChannelScalar       ChannelType = 0x01 // angle in radians or distance; never combined
	ChannelPosition     ChannelType = 0x02
	ChannelQuaternion   ChannelType = 0x04 // four singles: w, x, y, z
	ChannelEvent        ChannelType = 0x08 // stores nothing
	ChannelZeroPosition ChannelType = 0x10 // stores nothing: the position is zero
	ChannelIdentity     ChannelType = 0x20 // stores nothing: the rotation is none
	ChannelVector       ChannelType = 0x40 // x, y, z as 16-bit fractions; w is positive and follows from them
	ChannelHalfAngle    ChannelType = 0x80 // axis times angle/π as 16-bit fractions
)

// HasRotation reports whether a frame has a rotation of any kind.
func (t ChannelType) HasRotation() bool {
	return t&(ChannelQuaternion|ChannelIdentity|ChannelVector|ChannelHalfAngle) != 0
}

// HasPosition reports whether a frame has a position of any kind.
func (t ChannelType) HasPosition() bool { return t&(ChannelPosition|ChannelZeroPosition) != 0 }

// Stride returns the bytes of a frame.
func (t ChannelType) Stride(timed bool) int {
	n := 0
	if timed {
		n = 4
	}
	for _, p := range [...]struct {
		bit  ChannelType
		size int
	}{{ChannelScalar, 4}, {ChannelPosition, 12}, {ChannelQuaternion, 16}, {ChannelVector, 6}, {ChannelHalfAngle, 6}} {
		if t&p.bit != 0 {
			n += p.size
		}
	}
	return n
}

// Channel is the content of a Channel directory. Each slice that the type names has Count elements, or fewer if frames are
// missing; the other slices are nil.
type Channel struct {
	Count       uint32  // frames, as stored
	Interval    float32 // seconds between frames; negative when each frame has its own time
	Type        ChannelType
	Times       []float32 // seconds
	Scalars     []float32
	Positions   [][3]float32
	Quaternions [][4]float32 // w, x, y, z
	Vectors     [][3]int16   // of ChannelVector
	HalfAngles  [][3]int16   // of ChannelHalfAngle
	HeaderTail  []byte       `json:",omitempty"`
	Tail        []byte       `json:",omitempty"`
}

// Timed reports whether each frame has its own time.
func (c *Channel) Timed() bool { return c.Interval < 0 }

// Frames returns the number of frames that are there.
func (c *Channel) Frames() int {
	for _, n := range [...]int{len(c.Times), len(c.Scalars), len(c.Positions), len(c.Quaternions), len(c.Vectors), len(c.HalfAngles)} {
		if n > 0 {
			return n
		}
	}
	if c.Type.Stride(c.Timed()) == 0 {
		return int(min(c.Count, 1)) // frames without content are all the same
	}
	return 0
}

// Time returns the time of frame i in seconds.
func (c *Channel) Time(i int) float32 {
	if c.Timed() {
		return c.Times[i]
	}
	return float32(i) * c.Interval
}

// Position returns the position in frame i; zero if the channel has none.
func (c *Channel) Position(i int) [3]float32 {
	if i < len(c.Positions) {
		return c.Positions[i]
	}
	return [3]float32{}
}

// Rotation returns the rotation in frame i as a quaternion x, y, z, w; the identity if the channel has none.
func (c *Channel) Rotation(i int) [4]float32 {
	switch {
	case i < len(c.Quaternions):
		q := c.Quaternions[i]
		return [4]float32{q[1], q[2], q[3], q[0]}
	case i < len(c.Vectors):
		return DecodeVector(c.Vectors[i])
	case i < len(c.HalfAngles):
		return DecodeHalfAngle(c.HalfAngles[i])
	}
	return [4]float32{0, 0, 0, 1}
}

const fraction = 32767

// DecodeVector returns the quaternion x, y, z, w of a frame of ChannelVector.
func DecodeVector(v [3]int16) [4]float32 {
	x, y, z := float64(v[0])/fraction, float64(v[1])/fraction, float64(v[2])/fraction
	w := math.Sqrt(max(0, 1-x*x-y*y-z*z))
	return [4]float32{float32(x), float32(y), float32(z), float32(w)}
}

// EncodeVector returns the nearest frame of ChannelVector to a unit quaternion.
func EncodeVector(q [4]float32) [3]int16 {
	if q[3] < 0 {
		q[0], q[1], q[2] = -q[0], -q[1], -q[2]
	}
	return [3]int16{toFraction(float64(q[0])), toFraction(float64(q[1])), toFraction(float64(q[2]))}
}

// DecodeHalfAngle returns the quaternion x, y, z, w of a frame of ChannelHalfAngle.
func DecodeHalfAngle(v [3]int16) [4]float32 {
	x, y, z := float64(v[0])/fraction, float64(v[1])/fraction, float64(v[2])/fraction
	n := math.Sqrt(x*x + y*y + z*z)
	if n == 0 {
		return [4]float32{0, 0, 0, 1}
	}
	s := math.Sin(math.Pi * n / 2)
	w := math.Sqrt(max(0, 1-s*s))
	return [4]float32{float32(x * s / n), float32(y * s / n), float32(z * s / n), float32(w)}
}

// EncodeHalfAngle returns the nearest frame of ChannelHalfAngle to a unit quaternion.
func EncodeHalfAngle(q [4]float32) [3]int16 {
	x, y, z, w := float64(q[0]), float64(q[1]), float64(q[2]), float64(q[3])
	if w < 0 {
		x, y, z, w = -x, -y, -z, -w
	}
	s := math.Sqrt(x*x + y*y + z*z)
	if s == 0 {
		return [3]int16{}
	}
	n := 2 * math.Atan2(s, w) / math.Pi / s
	return [3]int16{toFraction(x * n), toFraction(y * n), toFraction(z * n)}
}

func toFraction(x float64) int16 {
	return int16(math.Round(min(max(x, -1), 1) * fraction))
}

// Script is an animation (reference section 8).
type Script struct {
	Name       string
	RootHeight float32 // of a body's root above the floor; 0 when missing
	Maps       []*AnimationMap
	Node       *Node `json:"-" unwritten:"where it is written"`
}

// IsMap reports whether a child of a script is the directory of a map, and whether it is that of an object map.
func IsMap(n *Node) (isMap, object bool) {
	name := strings.ToLower(n.Name)
	object = strings.HasPrefix(name, "object map")
	return n.IsDir() && (object || strings.HasPrefix(name, "joint map")), object
}

// AnimationMap drives a part. An object map replaces the transform of Parent; a joint map drives the joint between
// Parent and Child.
type AnimationMap struct {
	Object        bool
	Parent, Child string
	Channel       *Channel // nil when it is missing
	Node          *Node    `json:"-" unwritten:"where it is written"`
}

// MaterialAnim moves the texture coordinates of a material (reference section 7.5).
type MaterialAnim struct {
	Material string
	Flags    uint32
	Segments []MaterialSegment
	Node     *Node `json:"-" unwritten:"where it is written"`
}

// MaterialSegment is one step of a material animation. It begins with the Key of the step before (the first one with zeros)
// and adds Speed times the seconds since then.
type MaterialSegment struct {
	Duration float32    // seconds
	Speed    [4]float32 // u offset, v offset, u scale, v scale, a second
	Key      [4]float32 // where the next step starts; zeros of the last step, which seldom has one
}

// At returns u offset, v offset, u scale and v scale at a time in seconds: u' = (1 + scale)·u + offset.
func (m *MaterialAnim) At(t float64) (v [4]float64) {
	total := 0.0
	for _, s := range m.Segments {
		total += max(0, float64(s.Duration))
	}
	if total > 0 {
		t = math.Mod(t, total)
	}
	for i, s := range m.Segments {
		if t > float64(s.Duration) && i+1 < len(m.Segments) {
			t -= float64(s.Duration)
			continue
		}
		for k := range v {
			v[k] = float64(s.Speed[k]) * t
			if i > 0 {
				v[k] += float64(m.Segments[i-1].Key[k])
			}
		}
		break
	}
	return v
}
