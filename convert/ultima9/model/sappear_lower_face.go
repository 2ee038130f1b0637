package model

import (
	"math"

	"github.com/usher-assets/usher/schema/ultima9"
)

// face makes the stored form of an item.
func (s *surface) face(it *item, v *vertexTable, sign float64) ultima9.Face {
	f := ultima9.Face{Color: [4]uint8{200, 200, 200, 255}}
	if it.face >= 0 {
		f = s.faces[it.face]
	}
	if it.visible == nil || it.pair != nil {
		for k := range f.Corners {
			c := &f.Corners[k]
			moveCorner(c, v.kept[c.Vertex])
		}
	}
	if it.visible == nil {
		return f
	}
	if it.visible.color != nil {
		f.Color = *it.visible.color
	}
	if it.pair == nil {
		for k := range f.Corners {
			c := &it.visible.corners[k]
			at := v.at(c.position)
			f.Corners[k] = ultima9.Corner{Vertex: at, VertexOffset: 12 * at, Normal: c.normal, UV: c.uv}
		}
		shapeFace(&f, v.list, sign)
		for k := range f.Corners {
			if !it.visible.corners[k].hasNormal {
				f.Corners[k].Normal = f.Normal
			}
		}
		return f
	}
	for k, exact := range it.pair.exact {
		if c := &it.visible.corners[k]; !exact {
			to := &f.Corners[(k+it.pair.turn)%3]
			to.UV = c.uv
			if c.hasNormal {
				to.Normal = c.normal
			}
		}
	}
	return f
}

// moveCorner sets a corner's vertex; an offset that was not 12 times the vertex stays where the vertex does.
func moveCorner(c *ultima9.Corner, to uint32) {
	if c.Vertex != to {
		c.Vertex, c.VertexOffset = to, 12*to
	}
}

// shapeFace computes normal, plane and extremes of a face from its corners.
func shapeFace(f *ultima9.Face, vertices [][3]float32, sign float64) {
	var p [3][3]float64
	for k := range p {
		for i, x := range vertices[f.Corners[k].Vertex] {
			p[k][i] = float64(x)
		}
	}
	n := faceNormal(p)
	dot := 0.0
	for i := range n {
		f.Normal[i] = float32(n[i])
		dot += n[i] * p[0][i]
	}
	f.PlaneW = float32(sign * dot)
	for axis := range 3 {
		low, high := 0, 0
		for k := 1; k < 3; k++ {
			if p[k][axis] < p[low][axis] {
				low = k
			}
			if p[k][axis] > p[high][axis] {
				high = k
			}
		}
		f.Extremes[2*axis], f.Extremes[2*axis+1] = uint8(low), uint8(high)
	}
}

// faceNormal returns (v2 − v0) × (v1 − v0) brought to length 1: it points outward, since corners are clockwise. A face
// without area has none.
func faceNormal(p [3][3]float64) (n [3]float64) {
	var a, b [3]float64
	for i := range a {
		a[i], b[i] = p[2][i]-p[0][i], p[1][i]-p[0][i]
	}
	n = [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
	length := math.Sqrt(n[0]*n[0] + n[1]*n[1] + n[2]*n[2])
	if length == 0 {
		return [3]float64{}
	}
	for i := range n {
		n[i] /= length
	}
	return n
}

// planeSign returns the sign of n·v0 in the planes of the stored faces: −1 unless most of them say otherwise.
func planeSign(faces []ultima9.Face, vertices [][3]float32) float64 {
	plus, minus := 0, 0
	for i := range faces {
		f := &faces[i]
		dot := 0.0
		for k, x := range vertices[f.Corners[0].Vertex] {
			dot += float64(x) * float64(f.Normal[k])
		}
		w := float64(f.PlaneW)
		near := 1e-3 * math.Abs(dot)
		switch {
		case math.Abs(dot) < 1e-6:
		case math.Abs(w-dot) < near:
			plus++
		case math.Abs(w+dot) < near:
			minus++
		}
	}
	if plus > minus {
		return 1
	}
	return -1
}

// vertexTable numbers the vertices of a rebuilt surface: stored ones that are still used, or that nothing ever used, in
// their order, then new ones.
type vertexTable struct {
	list  [][3]float32
	kept  []uint32 // by stored number
	where map[[3]float32]uint32
}

func newVertexTable(vertices [][3]float32, faces []ultima9.Face, items []item) *vertexTable {
	used, stays := make([]bool, len(vertices)), make([]bool, len(vertices))
	for i := range faces {
		for k := range faces[i].Corners {
			used[faces[i].Corners[k].Vertex] = true
		}
	}
	places := map[[3]float32]bool{}
	for i := range items {
		it := &items[i]
		if it.pair != nil || it.visible == nil {
			for k := range faces[it.face].Corners {
				stays[faces[it.face].Corners[k].Vertex] = true
			}
			continue
		}
		for k := range it.visible.corners {
			places[canonicalZero(it.visible.corners[k].position)] = true
		}
	}
	t := &vertexTable{kept: make([]uint32, len(vertices)), where: map[[3]float32]uint32{}}
	for i, p := range vertices {
		key := canonicalZero(p)
		_, known := t.where[key]
		if used[i] && !stays[i] && (known || !places[key]) {
			continue
		}
		t.kept[i] = uint32(len(t.list))
		if !known {
			t.where[key] = t.kept[i]
		}
		t.list = append(t.list, p)
	}
	return t
}

// at returns the number of the vertex at a place, and makes it when there is none. Only equal positions are one vertex.
func (t *vertexTable) at(p [3]float32) uint32 {
	key := canonicalZero(p)
	i, ok := t.where[key]
	if !ok {
		i = uint32(len(t.list))
		t.where[key] = i
		t.list = append(t.list, p)
	}
	return i
}
