package restore

import (
	"slices"

	"github.com/usher-assets/usher/schema/asset"
)

// Unwrap removes the node that some editors put above a whole scene, and moves its data back to the scene: three.js turns
// the scene itself into a node. Such a node is the only root, has the identity transform and no mesh.
func Unwrap(s *asset.Scene) {
	rejoin(s)
	if len(s.Roots) != 1 || s.Native != nil {
		return
	}
	n := s.Roots[0]
	if n.Transform != asset.Identity || n.Mesh != nil || n.Camera != nil || len(n.LODs) > 0 || n.Native == nil || len(n.Native.Payload) == 0 {
		return
	}
	below := false // what the children have of their own tells that n is none of them
	for _, c := range n.Children {
		below = below || c.Native != nil
	}
	for _, a := range s.Animations {
		below = below && !slices.ContainsFunc(a.Channels, func(c *asset.Channel) bool { return c.Node == n })
	}
	for _, x := range s.Skins {
		below = below && !slices.Contains(x.Joints, n)
	}
	const aux = "AuxScene" // what three.js calls the scene around that node
	three := Does(s, WrapsScene) && s.Name == aux
	if !below && !three {
		return
	}
	s.Roots, s.Native = n.Children, n.Native
	if s.Name == "" || three {
		s.Name = n.Name
	}
}
