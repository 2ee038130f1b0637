package mesh

import (
	"math"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/freelancer"
)

// Reference returns a reference that draws all of the mesh of a name.
func Reference(name string, v *freelancer.VMesh) (*freelancer.VMeshRef, error) {
	r := &freelancer.VMeshRef{Size: freelancer.RefSize, Mesh: freelancer.FLCRC(name), VertexCount: uint16(len(v.Positions)), IndexCount: uint16(len(v.Indices)), GroupCount: uint16(len(v.Groups))}
	ranges, err := r.Groups(v)
	if err == nil {
		Bound(r, ranges, v)
	}
	return r, err
}

// Bound sets box and sphere of a reference from the vertices that it draws.
func Bound(r *freelancer.VMeshRef, ranges []freelancer.GroupRange, v *freelancer.VMesh) {
	lo := [3]float32{math.MaxFloat32, math.MaxFloat32, math.MaxFloat32}
	hi := [3]float32{-math.MaxFloat32, -math.MaxFloat32, -math.MaxFloat32}
	each := func(f func(p [3]float32)) {
		for _, g := range ranges {
			for _, i := range v.Indices[g.FirstIndex : g.FirstIndex+g.Count] {
				f(v.Positions[g.FirstVertex+int(i)])
			}
		}
	}
	each(func(p [3]float32) {
		for k := range 3 {
			lo[k], hi[k] = min(lo[k], p[k]), max(hi[k], p[k])
		}
	})
	if lo[0] > hi[0] {
		lo, hi = [3]float32{}, [3]float32{}
	}
	r.Min, r.Max = lo, hi
	for k := range 3 {
		r.Center[k] = (lo[k] + hi[k]) / 2
	}
	far := 0.0
	each(func(p [3]float32) { far = max(far, scene.Wide3(p).Sub(scene.Wide3(r.Center)).Len()) })
	r.Radius = float32(far)
}
