package unreal

import (
	"encoding/binary"
	"math"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
	write "github.com/usher-assets/usher/write/unreal"
)

// place gives an actor the place that its node has now, where it is another one than it was: what was not edited keeps
// its bits. It reports whether anything changed; losses are told of under a name.
func (e *levelEdit) place(actor unreal.Ref, name string, o *unreal.Object, was, now mgl64.Mat4) bool {
	before, _ := scene.Decompose(was)
	pose, exact := scene.Decompose(now)
	if !exact {
		e.skewed.Add(name)
	}
	shaped := o.Ref("Brush") > 0 && e.a.ClassName(actor) != "Brush"
	changed := false
	from := property3(o, "Location", [3]float32{})
	to, tolerance := from, scene.MoveTolerance*max(e.size, 1)
	a, b := actorPlace(o, before, shaped), actorPlace(o, pose, shaped)
	for k := range to {
		if math.Abs(a[k]-b[k]) > tolerance {
			to[k] = float32(math.Round(b[k]*256) / 256) // finer than any grid of the editor, coarser than what metres lose
			changed = true
		}
	}
	if changed {
		o.SetStruct("Location", "Vector", floatBytes(to[:]...))
		moveBase(o, from, to)
	}
	if turn(before.Turn, pose.Turn) > scene.TurnTolerance {
		old := rotator(o, "Rotation")
		next := rotatorOf(pose.Turn, old)
		o.SetStruct("Rotation", "Rotator", rotatorBytes(next))
		turnBase(o, old, next)
		changed = true
	}
	if shaped || isBrush(o, e.a.ClassName(actor)) {
		return e.stretch(o, before, pose) || changed
	}
	return e.scale(o, before, pose, name) || changed
}

// actorPlace returns the Location of an actor that a pose shows (reference section 11.7).
func actorPlace(o *unreal.Object, p scene.Pose, shaped bool) mgl64.Vec3 {
	pivot := property3(o, "PrePivot", [3]float32{})
	at := p.Place
	if shaped {
		v := scene.Wide3(space.Vertex.Point(pivot))
		for k := range v {
			v[k] *= p.Scale[k]
		}
		at = at.Add(p.Turn.Rotate(v))
		pivot = [3]float32{}
	}
	return mgl64.Vec3{at[2] - float64(pivot[0]), -at[0] - float64(pivot[1]), at[1] - float64(pivot[2])}
}

// turn returns the angle between two rotations.
func turn(a, b mgl64.Quat) float64 {
	return 2 * math.Acos(min(math.Abs(a.Dot(b)), 1))
}

// scale sets DrawScale, which is one number for all directions.
func (e *levelEdit) scale(o *unreal.Object, before, pose scene.Pose, name string) bool {
	mean := func(s mgl64.Vec3) float64 { return (math.Abs(s[0]) + math.Abs(s[1]) + math.Abs(s[2])) / 3 }
	was, is := mean(before.Scale), mean(pose.Scale)
	for _, s := range pose.Scale {
		if math.Abs(s-is) > 1e-3*is {
			e.uneven.Add(name)
			break
		}
	}
	if math.Abs(was-is) <= scene.ScaleTolerance*max(was, is) {
		return false
	}
	o.Set("DrawScale", unreal.FloatProperty, int32(math.Float32bits(float32(math.Round(is*1e5)/1e5))))
	return true
}

// stretch sets the MainScale of a mover or brush.
func (e *levelEdit) stretch(o *unreal.Object, before, pose scene.Pose) bool {
	changed := false
	stored := mainScale(o)
	for k, axis := range [3]int{1, 2, 0} { // of scenes X, Y, Z
		if math.Abs(before.Scale[k]-pose.Scale[k]) > scene.ScaleTolerance*max(math.Abs(before.Scale[k]), math.Abs(pose.Scale[k])) {
			stored[axis], changed = float32(math.Round(pose.Scale[k]*1e5)/1e5), true
		}
	}
	if !changed {
		return false
	}
	rest := []byte{0, 0, 0, 0, 0} // sheer
	if p := o.Property("MainScale", 0); p != nil && len(p.Value) == 17 {
		rest = p.Value[12:]
	}
	o.SetStruct("MainScale", "Scale", append(floatBytes(stored[:]...), rest...))
	return true
}

// moveBase moves the place that a mover starts from along with it.
func moveBase(o *unreal.Object, from, to [3]float32) {
	if p := o.Property("BasePos", 0); p != nil && len(p.Value) == 12 {
		v := property3(o, "BasePos", [3]float32{})
		for k := range v {
			v[k] += to[k] - from[k]
		}
		p.Value = floatBytes(v[:]...)
	}
}

// turnBase is moveBase for the rotation.
func turnBase(o *unreal.Object, from, to [3]int32) {
	if p := o.Property("BaseRot", 0); p != nil && len(p.Value) == 12 {
		v := rotator(o, "BaseRot")
		for k := range v {
			v[k] += to[k] - from[k]
		}
		p.Value = rotatorBytes(v)
	}
}

func floatBytes(v ...float32) (b []byte) {
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

func rotatorBytes(v [3]int32) (b []byte) {
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, uint32(x))
	}
	return b
}

// fullTurn is the units of a rotator that lead all round.
const fullTurn = 65536

// rotatorOf returns pitch, yaw and roll of a rotation: of the two ways to say it the one nearer to what was stored, and
// stored numbers where they say the same.
func rotatorOf(q mgl64.Quat, stored [3]int32) [3]int32 {
	m := space.Vertex.Basis.Transpose().Mul3(q.Mat4().Mat3()).Mul3(space.Vertex.Basis)
	x, y, z := m.Col(0), m.Col(1), m.Col(2)
	units := func(sin, cos float64) float64 { return math.Atan2(sin, cos) * (fullTurn / (2 * math.Pi)) }
	flat := math.Hypot(x[0], x[1])
	p := [3]float64{units(x[2], flat), units(x[1], x[0]), units(-y[2], z[2])}
	if flat < 1e-6 { // straight up or down: yaw and roll turn about the same axis
		p[1], p[2] = units(-y[0], y[1]), 0
	}
	other := [3]float64{fullTurn/2 - p[0], p[1] + fullTurn/2, p[2] + fullTurn/2}
	if awry(other, stored) < awry(p, stored)-1e-6 {
		p = other
	}
	var out [3]int32
	for k, v := range p {
		if math.Abs(halfTurn(v-float64(stored[k]))) <= 1 {
			out[k] = stored[k]
			continue
		}
		out[k] = int32(math.Round(halfTurn(v)))
	}
	return out
}

// halfTurn brings an angle to half a turn to either side.
func halfTurn(units float64) float64 { return units - fullTurn*math.Round(units/fullTurn) }

// awry is how far a rotator is from another one.
func awry(p [3]float64, stored [3]int32) (sum float64) {
	for k := range p {
		sum += math.Abs(halfTurn(p[k] - float64(stored[k])))
	}
	return sum
}

// placeOf returns where an actor's node is. A lamp or mesh below it that somebody moved alone takes the actor along.
func (e *levelEdit) placeOf(x standing) mgl64.Mat4 {
	now := e.frame.place(e.worlds[x.node])
	if at, moved := e.partMoved(x); moved {
		return at
	}
	child := lampNode(x.node)
	if child == nil || child == x.node || e.frame.flat || !scene.SamePlace(e.shownPlace(x), now, e.size) {
		return now
	}
	pose, _ := scene.Decompose(now)
	lamp, _ := scene.Decompose(e.frame.place(e.worlds[child]).Mul4(backward.Transpose()))
	lamp.Scale = pose.Scale
	return lamp.Matrix()
}

// lampNode returns the node of an actor's light: itself, or one below it; nil when it has none.
func lampNode(n *asset.Node) *asset.Node {
	if n.Light != nil {
		return n
	}
	var first *asset.Node
	for _, c := range n.Children {
		if !isLamp(c) {
			continue
		}
		if _, copied := scene.Uncopied(c.Name); !copied {
			return c
		}
		if first == nil {
			first = c
		}
	}
	return first
}

// isLamp reports whether a node is the light of the actor above it.
func isLamp(n *asset.Node) bool {
	return n.Light != nil && (n.Native == nil || n.Native.Format != levelName)
}

// keptLamp returns the bytes of a light that a node carries.
func keptLamp(n *asset.Node) (lamp, bool) {
	if n.Native == nil || n.Native.Format != levelName {
		return lamp{}, false
	}
	return lampOf(scene.Shown(n.Native, "light"))
}

// relight takes over what a node's light shows otherwise. A light that an editor left out stays as it is.
func (e *levelEdit) relight(o *unreal.Object, x standing) bool {
	n := lampNode(x.node)
	if n == nil {
		return e.extinguish(o, x)
	}
	patched := e.a.Licensee == unreal.Licensee227
	was, ok := keptLamp(x.node)
	if !ok {
		if was, ok = keptLamp(e.was[x.actor]); !ok {
			l, cut := newLamp(n.Light, patched)
			e.cutOff(cut, x.node.Name)
			l.store(o, lamp{})
			return true
		}
	}
	l := was
	changed, cut := l.take(n.Light, patched)
	e.cutOff(cut, x.node.Name)
	if l == was {
		return false
	}
	l.store(o, was)
	return changed
}

// relightAgain gives an actor r, which an earlier run made of a node, the light that this shows now.
func (e *levelEdit) relightAgain(o *unreal.Object, r unreal.Ref, x standing) bool {
	n := lampNode(x.node)
	l, ok := keptLamp(x.node)
	if !ok {
		l, ok = keptLamp(e.was[x.actor])
	}
	if n == nil || !ok {
		return false
	}
	_, cut := l.take(n.Light, e.a.Licensee == unreal.Licensee227)
	e.cutOff(cut, x.node.Name)
	is, _ := e.a.lamps().lamp(o, e.a.Exports[r-1].Class)
	if l == is {
		return false
	}
	l.store(o, is)
	e.moved = append(e.moved, e.a.ObjectName(r))
	return true
}

// extinguish makes an actor dark whose light was taken away, in a scene that has others.
func (e *levelEdit) extinguish(o *unreal.Object, x standing) bool {
	if _, shone := keptLamp(x.node); !shone || !e.lamps {
		return false
	}
	o.Set("LightType", unreal.ByteProperty, 0)
	return true
}

func (e *levelEdit) cutOff(cut bool, name string) {
	if cut {
		e.cut.Add(name)
	}
}

// store puts an edited actor into the package.
func (e *levelEdit) store(actor unreal.Ref, o unreal.AnyObject) error {
	b, err := write.Object(o)
	if err != nil {
		return err
	}
	i := int(actor - 1)
	if e.a.placed == nil {
		e.a.placed = map[int]bool{}
	}
	e.a.placed[i] = true
	return e.a.File.Replace(i, b)
}
