package freelancer

import (
	"fmt"

	"github.com/usher-assets/usher/schema/freelancer"
)

// SphereModel writes a Sphere directory; leaves that hold the same already are left as they are.
func SphereModel(n *freelancer.Node, s *freelancer.SphereModel) error {
	f := fields{n: n}
	for i, m := range s.Materials {
		name := fmt.Sprintf("M%d", i)
		if m == "" && n.Child(name) == nil {
			n.Add(freelancer.NewLeaf(name, []byte{0}))
		}
		f.text(name, m)
	}
	for i := len(s.Materials); n.Child(fmt.Sprintf("M%d", i)) != nil; i++ {
		n.Remove(n.Child(fmt.Sprintf("M%d", i)))
	}
	f.floats("Radius", s.Radius)
	f.words("Sides", uint32(s.Sides))
	return f.err
}
