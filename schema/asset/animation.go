package asset

// Animation moves nodes. Times are seconds.
type Animation struct {
	Name     string
	Channels []*Channel
	Extras   map[string]any
	Native   *Native
}

// Path is the property that a channel animates.
type Path uint8

// The paths, with the number of floats a key has.
const (
	Translation  Path = iota // 3
	Rotation                 // 4, unit quaternion x, y, z, w
	Scale                    // 3
	MorphWeights             // one a morph target
)

// Interpolation is how values between keys are found.
type Interpolation uint8

// The interpolations. Linear rotations take the shorter arc.
const (
	LinearKeys Interpolation = iota
	StepKeys
	CubicKeys // a key holds in-tangent, value, out-tangent
)

// Channel animates one property of one node.
type Channel struct {
	Node          *Node
	Path          Path
	Interpolation Interpolation
	Times         []float32 // strictly ascending, seconds
	Values        []float32 // keys one after the other
}

// Width returns the number of floats of one value: len(Values) / len(Times), or a third of it for cubic keys.
func (c *Channel) Width() int {
	if len(c.Times) == 0 {
		return 0
	}
	w := len(c.Values) / len(c.Times)
	if c.Interpolation == CubicKeys {
		w /= 3
	}
	return w
}
