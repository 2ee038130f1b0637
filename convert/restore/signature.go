package restore

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
)

// Signature identifies the surface of a mesh: number of corners, area, centre and bounding box. It does not depend on the
// order of vertices, nor on duplicate triangles, which editors drop. It is nil for a mesh without triangles, or with values
// that are not finite.
func Signature(m *asset.Mesh) []float32 { return signature(m, true) }

// SameMesh reports whether a mesh has this signature, except for rounding.
func SameMesh(was []float32, m *asset.Mesh) bool {
	return sameSignature(was, signature(m, true)) || sameSignature(was, signature(m, false))
}

// signature returns the signature with each triangle once or, as files of before have it, with all of them.
func signature(m *asset.Mesh, once bool) []float32 {
	if m == nil {
		return nil
	}
	b := bounds{low: mgl64.Vec3{math.Inf(1), math.Inf(1), math.Inf(1)}, high: mgl64.Vec3{math.Inf(-1), math.Inf(-1), math.Inf(-1)}}
	if once {
		b.seen = make(map[uint64]bool, trianglesOf(m))
	}
	for _, p := range m.Primitives {
		if p.Mode != asset.Triangles || p.Load != nil {
			continue
		}
		idx := scene.Indices(p)
		for i := 0; i+3 <= len(idx); i += 3 {
			b.add(p.Positions, [3]uint32(idx[i:]))
		}
	}
	return b.signature()
}

// bounds sums up triangles.
type bounds struct {
	seen          map[uint64]bool // triangles, if each counts once
	corners, area float64
	middle        mgl64.Vec3 // times the area
	low, high     mgl64.Vec3
}

func (b *bounds) add(positions [][3]float32, corners [3]uint32) {
	var v [3]mgl64.Vec3
	for k, at := range corners {
		if int(at) >= len(positions) {
			continue
		}
		v[k] = scene.Wide3(positions[at])
		for axis, x := range v[k] {
			b.low[axis], b.high[axis] = min(b.low[axis], x), max(b.high[axis], x)
		}
	}
	if b.seen != nil {
		key := corner(v[0]) + corner(v[1]) + corner(v[2]) // in any order
		if b.seen[key] {
			return
		}
		b.seen[key] = true
	}
	area := v[1].Sub(v[0]).Cross(v[2].Sub(v[0])).Len()
	b.corners, b.area = b.corners+3, b.area+area
	for axis := range b.middle {
		b.middle[axis] += area * (v[0][axis] + v[1][axis] + v[2][axis])
	}
}

func (b *bounds) signature() []float32 {
	if b.corners == 0 {
		return nil
	}
	out := []float32{float32(b.corners), float32(b.area)}
	for axis := range b.middle {
		out = append(out, float32(b.middle[axis]/max(3*b.area, math.SmallestNonzeroFloat64)), float32(b.low[axis]), float32(b.high[axis]))
	}
	for _, x := range out {
		if x-x != 0 { // not finite
			return nil
		}
	}
	return out
}

// trianglesOf returns how many triangles a mesh has, about.
func trianglesOf(m *asset.Mesh) (n int) {
	for _, p := range m.Primitives {
		n += max(len(p.Indices), len(p.Positions)) / 3
	}
	return n
}

// corner returns a number for a point, which no two points of a mesh are likely to share.
func corner(v mgl64.Vec3) (h uint64) {
	for _, x := range v {
		h = (h ^ math.Float64bits(x+0)) * 0x9e3779b97f4a7c15 // + 0: −0 is 0
		h ^= h >> 32
	}
	return h * 0xbf58476d1ce4e5b9
}

// sameSignature reports whether two signatures are the same but for rounding.
func sameSignature(a, b []float32) bool {
	if len(a) != len(b) || len(a) == 0 {
		return len(a) == len(b)
	}
	size := float32(0)
	for k := 2; k+2 < len(a); k += 3 {
		size = max(size, a[k+2]-a[k+1])
	}
	for k, x := range a {
		room := 1e-4 * size
		switch k {
		case 0:
			continue // editors drop triangles without an area
		case 1:
			room = 1e-4 * max(x, size*size*1e-3)
		}
		if y := x - b[k]; !(y <= room && y >= -room) {
			return false
		}
	}
	return true
}
