package scene

import (
	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/schema/asset"
)

// Motion holds the valid channels of an animation by node and path. If there are two for the same property, the first
// counts.
type Motion struct {
	Channels map[*asset.Node]*[asset.MorphWeights + 1]*asset.Channel
	Nodes    []*asset.Node // the nodes that it moves, in the order of the channels
}

// MotionOf returns the motion of an animation. a may be nil.
func MotionOf(a *asset.Animation) *Motion {
	m := &Motion{Channels: map[*asset.Node]*[asset.MorphWeights + 1]*asset.Channel{}}
	if a == nil {
		return m
	}
	for _, c := range a.Channels {
		if c.Path > asset.MorphWeights || !Valid(c) {
			continue
		}
		list := m.Channels[c.Node]
		if list == nil {
			list = new([asset.MorphWeights + 1]*asset.Channel)
			m.Channels[c.Node] = list
			m.Nodes = append(m.Nodes, c.Node)
		}
		if list[c.Path] == nil {
			list[c.Path] = c
		}
	}
	return m
}

// Channel returns the channel of a property of a node, or nil if the property is not animated.
func (m *Motion) Channel(n *asset.Node, path asset.Path) *asset.Channel {
	if list := m.Channels[n]; list != nil {
		return list[path]
	}
	return nil
}

// Curve returns the curve of a property of a node.
func (m *Motion) Curve(n *asset.Node, path asset.Path) Curve {
	return Curve{m.Channel(n, path), Rest(n, path)}
}

// Moves reports whether the node's transform is animated.
func (m *Motion) Moves(n *asset.Node) bool {
	list := m.Channels[n]
	return list != nil && (list[asset.Translation] != nil || list[asset.Rotation] != nil || list[asset.Scale] != nil)
}

// Pose returns the transform of a node relative to its parent at a time. If the node has a matrix and is animated, the
// matrix is decomposed.
func (m *Motion) Pose(n *asset.Node, t float64) Pose {
	p, _ := PoseOf(&n.Transform)
	list := m.Channels[n]
	if list == nil {
		return p
	}
	var buffer [4]float64
	if c := list[asset.Translation]; c != nil {
		p.Place = mgl64.Vec3(At(c, t, buffer[:]))
	}
	if c := list[asset.Rotation]; c != nil {
		p.Turn = turnOf(At(c, t, buffer[:]))
	}
	if c := list[asset.Scale]; c != nil {
		p.Scale = mgl64.Vec3(At(c, t, buffer[:]))
	}
	return p
}

// local returns the transform of a node at a time.
func (m *Motion) local(n *asset.Node, t float64) mgl64.Mat4 {
	if !m.Moves(n) {
		return Matrix(&n.Transform)
	}
	return m.Pose(n, t).Matrix()
}

// World returns the transform of a node in the world at a time.
func (m *Motion) World(n *asset.Node, parents map[*asset.Node]*asset.Node, t float64) mgl64.Mat4 {
	w := mgl64.Ident4()
	for ; n != nil; n = parents[n] {
		w = m.local(n, t).Mul4(w)
	}
	return w
}

// Weights returns the weights of a node's morph targets at a time.
func (m *Motion) Weights(n *asset.Node, t float64) []float64 {
	return m.Curve(n, asset.MorphWeights).At(t, nil)
}

// PoseAt returns the transform that channels give a node at a time.
func PoseAt(n *asset.Node, list *[asset.MorphWeights + 1]*asset.Channel, t float64) (p Pose) {
	value := func(path asset.Path) []float64 { return CurveOf(n, path, list[path]).At(t, nil) }
	x, q, s := value(asset.Translation), value(asset.Rotation), value(asset.Scale)
	return Pose{Place: mgl64.Vec3(x), Turn: turnOf(q), Scale: mgl64.Vec3(s)}
}
