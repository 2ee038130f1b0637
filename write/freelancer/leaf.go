package freelancer

import (
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
)

// Leaf returns the payload of a leaf for a value that the reader Leaf returned.
func Leaf(v any) ([]byte, error) {
	switch v := v.(type) {
	case *freelancer.VMesh:
		return VMesh(v)
	case *freelancer.VMeshRef:
		return VMeshRef(v)
	case *freelancer.VWire:
		return VWire(v)
	case *freelancer.Joints:
		return Joints(v)
	case *freelancer.EffectLibrary:
		return EffectLibrary(v)
	case *freelancer.NodeLibrary:
		return NodeLibrary(v)
	case *freelancer.Text:
		return Text(v)
	case *freelancer.Floats:
		return Floats(v)
	case *freelancer.Ints:
		return Ints(v)
	case *freelancer.Shorts:
		return Shorts(v)
	case *freelancer.Wave:
		return Wave(v)
	}
	return nil, schema.Errorf(freelancer.Format, schema.ErrUnsupported, "leaf", "no writer for a %T", v)
}
