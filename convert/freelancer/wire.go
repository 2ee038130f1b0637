package freelancer

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
)

// featureAngle is how far the triangles at an edge must be bent for it to be a line of a wireframe, in degrees.
const featureAngle = 30

// featureEdges returns the lines that show the shape of a mesh: edges where it is bent, and where it ends.
func featureEdges(m *asset.Mesh) []*asset.Primitive {
	if m == nil {
		return nil
	}
	type place = [3]float32
	type edge [2]place
	type bend struct {
		normal mgl64.Vec3
		count  int
		sharp  bool
	}
	edges, order := map[edge]*bend{}, []edge(nil)
	limit := math.Cos(featureAngle * math.Pi / 180)
	for _, p := range m.Primitives {
		if p.Mode != asset.Triangles {
			continue
		}
		idx := scene.Indices(p)
		for i := 0; i+3 <= len(idx); i += 3 {
			corners := [3]place{p.Positions[idx[i]], p.Positions[idx[i+1]], p.Positions[idx[i+2]]}
			n := scene.Wide3(corners[1]).Sub(scene.Wide3(corners[0])).Cross(scene.Wide3(corners[2]).Sub(scene.Wide3(corners[0])))
			if !(n.Len() > 0) {
				continue // no area, or corners that are no numbers
			}
			n = n.Normalize()
			for k := range 3 {
				e := edge{corners[k], corners[(k+1)%3]}
				if less(e[1], e[0]) {
					e[0], e[1] = e[1], e[0]
				}
				b := edges[e]
				if b == nil {
					edges[e] = &bend{normal: n, count: 1}
					order = append(order, e)
					continue
				}
				b.count++
				b.sharp = b.sharp || b.normal.Dot(n) < limit
			}
		}
	}
	out := &asset.Primitive{Mode: asset.Lines}
	for _, e := range order {
		if b := edges[e]; b.sharp || b.count == 1 {
			out.Indices = append(out.Indices, uint32(len(out.Positions)), uint32(len(out.Positions)+1))
			out.Positions = append(out.Positions, e[0], e[1])
		}
	}
	return []*asset.Primitive{out}
}

func less(a, b [3]float32) bool {
	for k := range a {
		if a[k] != b[k] {
			return a[k] < b[k]
		}
	}
	return false
}
