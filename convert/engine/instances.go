package engine

import (
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// Limits for meshes that several nodes share. Most formats cannot share meshes, so each node gets a copy, and a few
// kilobytes could ask for gigabytes. This is refused before the first copy: if there would be more vertices than any of the
// formats can hold, most of them copies.
const (
	mostVertices = 1 << 21
	mostCopies   = 16 // of each vertex, on average
)

// checkCopies returns an error when the nodes of a scene share so many meshes that format f, which has to copy them, would
// take far more memory than the file has bytes.
func checkCopies(f *format.Format, a asset.Asset) error {
	s, ok := a.(*asset.Scene)
	if !ok || f.Piecewise {
		return nil
	}
	own, all := int64(0), int64(0)
	seen := map[*asset.Mesh]bool{}
	s.Walk(func(n, _ *asset.Node) {
		if n.Mesh == nil {
			return
		}
		vertices := int64(0)
		for _, p := range n.Mesh.Primitives {
			vertices += int64(max(len(p.Positions), len(p.Indices)))
		}
		all += vertices
		if !seen[n.Mesh] {
			seen[n.Mesh] = true
			own += vertices
		}
	})
	if all > mostVertices && all > mostCopies*own {
		return schema.Errorf(f.Name, schema.ErrLimit, "nodes", "the nodes share meshes of %d vertices and corners, and copies for all of them would have %d: at most %d", own, all, mostVertices)
	}
	return nil
}
