package freelancer

import (
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
)

// Leaf reads the payload of a leaf of a known kind. It returns nil for kinds that it does not decode: opaque bytes and
// pictures.
func Leaf(kind freelancer.LeafKind, n *freelancer.Node, d *schema.Diagnostics) (any, error) {
	switch kind {
	case freelancer.MeshLeaf:
		return VMesh(n.Data, d)
	case freelancer.RefLeaf:
		return VMeshRef(n.Data, d)
	case freelancer.WireLeaf:
		return VWire(n.Data, d)
	case freelancer.JointsLeaf:
		joint, _ := freelancer.JointKindOf(n.Name)
		return Joints(joint, n.Data, d)
	case freelancer.EffectsLeaf:
		return EffectLibrary(n.Data, d)
	case freelancer.NodesLeaf:
		return NodeLibrary(n.Data, d)
	case freelancer.TextLeaf:
		return Text(n.Data, d)
	case freelancer.FloatsLeaf:
		return Floats(n.Data, d)
	case freelancer.IntsLeaf:
		return Ints(n.Data, d)
	case freelancer.ShortsLeaf:
		return Shorts(n.Data, d)
	case freelancer.WaveLeaf:
		return Wave(n.Data, d)
	}
	return nil, nil
}
