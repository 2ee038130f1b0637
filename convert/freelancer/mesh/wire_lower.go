package mesh

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
)

// featureAngle is how far the triangles at an edge must be bent for it to be a line of a wireframe, in degrees.
const featureAngle = 30

// FeatureEdges returns the lines that show the shape of a mesh: edges where it is bent, and where it ends.
func FeatureEdges(m *asset.Mesh) []*asset.Primitive {
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

// OfLines returns a mesh of lines, each place a vertex.
func OfLines(lines []*asset.Primitive, by mgl64.Mat4) *freelancer.VMesh {
	v := &freelancer.VMesh{Type: 1, Primitive: freelancer.LineList, FVF: freelancer.FVFPosition}
	known := map[[3]float32]uint16{}
	for _, p := range lines {
		if p.Mode != asset.Lines {
			continue
		}
		b := Baked(p, by)
		for _, i := range scene.Indices(b) {
			k, ok := known[b.Positions[i]]
			if !ok {
				k = uint16(len(v.Positions))
				known[b.Positions[i]] = k
				v.Positions = append(v.Positions, b.Positions[i])
			}
			v.Indices = append(v.Indices, k)
		}
	}
	v.Groups = []freelancer.MeshGroup{{VertexEnd: uint16(len(v.Positions) - 1), IndexCount: uint16(len(v.Indices)), Padding: freelancer.GroupPadding}}
	return v
}

// WireShows tells whether a stored wireframe shows these lines as it is.
func WireShows(w *freelancer.VWire, v *freelancer.VMesh, lines *asset.Primitive) bool {
	if len(lines.Indices) != len(w.Indices)/2*2 {
		return false
	}
	for i, k := range lines.Indices {
		at := v.Positions[int(w.VertexStart)+int(w.Indices[i])]
		for axis, x := range lines.Positions[k] {
			if x != at[axis] && !(math.Abs(float64(x-at[axis])) <= 2*scene.EditorTolerance.Position*(1+math.Abs(float64(x)))) && x == x {
				return false
			}
		}
	}
	return true
}

// WireOn returns a wireframe of lines between the vertices of a mesh; nil where some of them end elsewhere.
func WireOn(v *freelancer.VMesh, crc uint32, lines *asset.Primitive) *freelancer.VWire {
	number := map[[3]float32]int{}
	for i, at := range v.Positions {
		if _, known := number[at]; !known {
			number[at] = i
		}
	}
	var list []int
	for _, i := range lines.Indices {
		k, ok := number[lines.Positions[i]]
		if !ok {
			return nil
		}
		list = append(list, k)
	}
	low, high, distinct := slices.Min(list), slices.Max(list), map[int]bool{}
	w := &freelancer.VWire{Size: freelancer.WireHeader, Mesh: crc, VertexStart: uint16(low), VertexRange: uint16(high - low + 1)}
	for _, k := range list {
		distinct[k] = true
		w.Indices = append(w.Indices, uint16(k-low))
	}
	w.VertexCount = uint16(len(distinct))
	return w
}
