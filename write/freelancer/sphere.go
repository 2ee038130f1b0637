package freelancer

import (
	"fmt"
	"slices"

	"github.com/usher-assets/usher/schema/freelancer"
)

// SphereModel writes a Sphere directory. Leaves with the right content are not touched.
func SphereModel(n *freelancer.Node, s *freelancer.SphereModel) error {
	f := fields{n: n}
	leaves := n.Numbered("M")
	for i, m := range s.Materials {
		f.textIn(leaves[i], fmt.Sprintf("M%d", i), m)
	}
	gone := map[*freelancer.Node]bool{}
	for i := len(s.Materials); leaves[i] != nil; i++ {
		gone[leaves[i]] = true
	}
	if len(gone) > 0 {
		n.Children = slices.DeleteFunc(slices.Clone(n.Children), func(c *freelancer.Node) bool { return gone[c] })
	}
	f.floats("Radius", s.Radius)
	f.words("Sides", uint32(s.Sides))
	return f.err
}
