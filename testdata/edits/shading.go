package edits

import "github.com/go-gl/mathgl/mgl64"

// shade gives a mesh the normals of its faces, or of what its vertices share.
func shade(smooth bool) func(d *Doc, i int) (Done, bool) {
	return func(d *Doc, i int) (Done, bool) {
		mesh := d.ownMesh(i)
		done := false
		around := map[[3]float32]mgl64.Vec3{} // sums of the normals of faces, by position
		list := objects(mesh["primitives"])
		for _, p := range list {
			if number(p, "mode", 4) != 4 || p["targets"] != nil || ref(sub(p, "attributes"), "NORMAL") < 0 {
				continue
			}
			corners := d.indices(p)
			d.split(p, corners)
			done = true
			v, _ := d.accessor(ref(sub(p, "attributes"), "POSITION"))
			for k := 0; k+9 <= len(v); k += 9 {
				n := faceNormal(v[k:])
				for c := k; c < k+9; c += 3 {
					around[place3(v[c:])] = around[place3(v[c:])].Add(n)
				}
			}
		}
		for _, p := range list {
			if number(p, "mode", 4) != 4 || p["targets"] != nil || ref(sub(p, "attributes"), "NORMAL") < 0 {
				continue
			}
			v, _ := d.accessor(ref(sub(p, "attributes"), "POSITION"))
			d.change(sub(p, "attributes"), "NORMAL", func(normals []float64, _ int) {
				for k := 0; k+3 <= len(normals); k += 3 {
					n := faceNormal(v[k/9*9:])
					if smooth {
						n = around[place3(v[k:])]
					}
					if l := n.Len(); l > 1e-12 {
						n = n.Mul(1 / l)
						copy(normals[k:], n[:])
					}
				}
			})
			delete(sub(p, "attributes"), "TANGENT")
		}
		return Done{Subjects: append(d.named(i), "normals")}, done
	}
}

// split gives each corner of a primitive a vertex of its own.
func (d *Doc) split(p Object, corners []int) {
	d.pick(sub(p, "attributes"), corners)
	list := make([]int, len(corners))
	for k := range list {
		list[k] = k
	}
	p["indices"] = float64(d.putInts(list, "SCALAR", 5125))
}

// faceNormal returns the normal of a triangle, as long as twice its area.
func faceNormal(v []float64) mgl64.Vec3 {
	a, b, c := mgl64.Vec3(v[:3]), mgl64.Vec3(v[3:6]), mgl64.Vec3(v[6:9])
	return b.Sub(a).Cross(c.Sub(a))
}

func place3(v []float64) [3]float32 {
	return [3]float32{float32(v[0]), float32(v[1]), float32(v[2])}
}

var shadingEdits = []Edit{
	{Name: "shaded flat", Normals: true, Targets: shaded, Apply: shade(false)},
	{Name: "shaded smooth", Normals: true, Targets: shaded, Apply: shade(true)},
}

// shaded returns the shapes that have normals.
func shaded(d *Doc) (list []int) {
	for _, i := range d.withRole(Shape, Skinned) {
		list = append(list, i)
	}
	return list
}
