package edits

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"
)

// places of hardpoints, markers and cameras.
func (d *Doc) points() []int { return d.withRole(Point) }

func (d *Doc) mounts() []int { return d.withRole(Mount) }

var placeEdits = []Edit{
	{Name: "hardpoint moved", Targets: (*Doc).points, Apply: func(d *Doc, i int) (Done, bool) {
		d.moveNode(i, d.shiftOf(i, 0.1), unturn, unscale)
		return Done{Subjects: d.named(i)}, true
	}},
	{Name: "hardpoint turned", Targets: (*Doc).points, Apply: func(d *Doc, i int) (Done, bool) {
		d.moveNode(i, still, angled(40, mgl64.Vec3{1, 2, 3}), unscale)
		return Done{Subjects: d.named(i)}, true
	}},
	{Name: "hardpoint renamed", Targets: first((*Doc).points), Apply: func(d *Doc, i int) (Done, bool) {
		name := "HpRenamed07"
		subjects := append(d.named(i), name)
		d.nodes()[i]["name"] = name
		return Done{Subjects: subjects, Appears: []string{name}}, true
	}},
	{Name: "hardpoint copied", Targets: first((*Doc).points), Apply: func(d *Doc, i int) (Done, bool) {
		k := d.copyOf(i, false)
		d.moveNode(k, d.shiftOf(k, 0.2), unturn, unscale)
		return Done{Subjects: append(d.named(i), d.named(k)...)}, true
	}},
	{Name: "hardpoint added", Targets: (*Doc).mainRoots, Apply: func(d *Doc, i int) (Done, bool) {
		if len(d.points()) == 0 {
			return Done{}, false
		}
		t := d.shiftOf(i, 0.2)
		d.hang(d.add("nodes", Object{"name": "HpAdded01", "translation": anys(t[:])}), i)
		return Done{Subjects: []string{"HpAdded01"}}, true
	}},
	{Name: "hardpoint deleted", Targets: first((*Doc).points), Apply: func(d *Doc, i int) (Done, bool) {
		if len(d.below(i)) > 1 {
			return Done{}, false
		}
		names := d.named(i)
		d.removeNodes(map[int]bool{i: true})
		return Done{Subjects: names}, true
	}},
	{Name: "mount shape moved", Targets: (*Doc).mounts, Apply: func(d *Doc, i int) (Done, bool) {
		d.moveNode(i, d.shiftOf(i, 0.1), unturn, unscale)
		return Done{Subjects: d.named(i)}, true
	}},
	{Name: "mount shape turned", Targets: (*Doc).mounts, Apply: func(d *Doc, i int) (Done, bool) {
		d.moveNode(i, still, angled(40, mgl64.Vec3{1, 2, 3}), unscale)
		return Done{Subjects: d.named(i)}, true
	}},
	{Name: "mount shape copied", Targets: first((*Doc).mounts), Apply: func(d *Doc, i int) (Done, bool) {
		k := d.copyOf(i, false)
		d.moveNode(k, d.shiftOf(k, 0.2), unturn, unscale)
		return Done{Subjects: append(d.named(i), d.named(k)...)}, true
	}},
	{Name: "wireframe's vertex moved", Targets: first((*Doc).wires), Apply: moveVertex},
	{Name: "wireframe deleted", Keeps: true, Targets: first((*Doc).wires), Apply: func(d *Doc, i int) (Done, bool) {
		names := d.named(i)
		d.removeNodes(map[int]bool{i: true})
		return Done{Subjects: names}, true
	}},
	{Name: "mount shape deleted", Targets: first((*Doc).mounts), Apply: func(d *Doc, i int) (Done, bool) {
		names := d.named(i)
		d.removeNodes(map[int]bool{i: true})
		return Done{Subjects: names}, true
	}},
}

func (d *Doc) wires() []int { return d.withRole(Wire) }

func (d *Doc) levels() []int { return d.withRole(Level) }

var levelEdits = []Edit{
	{Name: "level moved", Targets: (*Doc).levels, Apply: func(d *Doc, i int) (Done, bool) {
		d.moveNode(i, d.shiftOf(i, 0.1), unturn, unscale)
		return Done{Subjects: d.named(i)}, true
	}},
	{Name: "level scaled", Targets: first((*Doc).levels), Apply: func(d *Doc, i int) (Done, bool) {
		d.moveNode(i, still, unturn, mgl64.Vec3{1.5, 1.5, 1.5})
		return Done{Subjects: d.named(i)}, true
	}},
	{Name: "level's vertex moved", Loose: true, Targets: first((*Doc).levels), Apply: moveVertex},
	{Name: "level deleted", Keeps: true, Targets: (*Doc).levels, Apply: func(d *Doc, i int) (Done, bool) {
		names := append(d.named(i), "level")
		d.removeNodes(map[int]bool{i: true})
		return Done{Subjects: names}, true
	}},
	{Name: "level added", Targets: first(func(d *Doc) (list []int) {
		for _, i := range slices.Concat(d.parts(), d.mainRoots()) {
			if d.roles()[i] == Shape {
				list = append(list, i)
			}
		}
		return list
	}), Apply: func(d *Doc, i int) (Done, bool) {
		next := 1
		for _, owner := range d.levelOwners() {
			if owner == i {
				next++
			}
		}
		n := d.nodes()[i]
		name := fmt.Sprintf("%s$lod%d", text(n, "name"), next)
		mesh := withoutExtras(clone(d.one("meshes", ref(n, "mesh"))))
		mesh["name"] = name
		p := objects(mesh["primitives"])[0]
		list := d.indices(p)
		if len(list) < 12 || p["targets"] != nil {
			return Done{}, false
		}
		d.setCorners(p, list[:len(list)/6*3]) // half of it
		mesh["primitives"] = []any{p}
		k := d.add("nodes", Object{"name": name, "mesh": float64(d.add("meshes", mesh))})
		d.hang(k, i)
		want := d.copy()
		makeSub(want.nodes()[k], "extras", "usher", "asset")["lodOf"] = text(n, "name")
		makeSub(want.nodes()[k], "extras", "usher", "asset")["lodBelow"] = 1.0
		return Done{Subjects: append(d.named(i), name), Want: want}, true
	}},
	{Name: "level copied", Targets: first((*Doc).levels), Apply: func(d *Doc, i int) (Done, bool) {
		owners := d.levelOwners()
		if owners[i] < 0 {
			return Done{}, false
		}
		next, name := 1, text(d.nodes()[i], "name")
		for _, owner := range owners {
			if owner == owners[i] {
				next++
			}
		}
		k := d.copyOf(i, true)
		n := d.nodes()[k]
		n["name"] = strings.TrimRight(name, "0123456789") + fmt.Sprint(next)
		mesh := d.ownMesh(k)
		mesh["name"] = n["name"]
		if p := objects(mesh["primitives"])[0]; p["targets"] == nil {
			if list := d.indices(p); len(list) >= 12 {
				d.setCorners(p, list[:len(list)/6*3])
			}
		}
		return Done{Subjects: append(append(d.named(i), d.named(k)...), d.named(owners[i])...)}, true
	}},
	{Name: "all levels deleted", Keeps: true, Apply: func(d *Doc, _ int) (Done, bool) {
		gone := map[int]bool{}
		for _, i := range d.levels() {
			gone[i] = true
		}
		d.removeNodes(gone)
		return Done{Subjects: []string{"level", "levels"}}, len(gone) > 0
	}},
}

// moveVertex moves a corner of a mesh, in all primitives that share it.
func moveVertex(d *Doc, i int) (Done, bool) {
	mesh := d.ownMesh(i)
	list := objects(mesh["primitives"])
	if len(list) == 0 || d.count(list[0]) < 3 {
		return Done{}, false
	}
	positions, _ := d.accessor(ref(sub(list[0], "attributes"), "POSITION"))
	v := d.indices(list[0])[0]
	at := mgl64.Vec3(positions[3*v : 3*v+3])
	scale := scaleOf(d.worlds(d.locals())[i])
	if ref(d.nodes()[i], "skin") >= 0 {
		scale = 1
	}
	by := mgl64.Vec3{1, 0.5, -0.7}.Mul(0.05 * d.size() / max(scale, 1e-9))
	for _, p := range list {
		d.change(sub(p, "attributes"), "POSITION", func(v []float64, _ int) {
			for k := 0; k < len(v); k += 3 {
				if mgl64.Vec3(v[k:k+3]).Sub(at).Len() < 1e-6*max(1, at.Len()) {
					x := at.Add(by)
					copy(v[k:], x[:])
				}
			}
		})
	}
	return Done{Subjects: d.named(i)}, true
}

func (d *Doc) shapes() []int { return d.withRole(Shape, Skinned) }

// attribute edits one attribute of all primitives of a mesh.
func attribute(name string, edit func(v []float64, w int)) func(d *Doc, i int) (Done, bool) {
	return func(d *Doc, i int) (Done, bool) {
		done := false
		for _, p := range objects(d.ownMesh(i)["primitives"]) {
			done = d.change(sub(p, "attributes"), name, edit) || done
		}
		return Done{Subjects: d.named(i)}, done
	}
}

// addPeak raises a triangle of new vertices over the first one of a primitive, as high as a tenth of the model.
func (d *Doc) addPeak(i int, p Object) {
	list := d.indices(p)
	first := slices.Clone(list[:3])
	fresh := d.count(Object{"attributes": p["attributes"]})
	h := 0.1 * d.size() / max(scaleOf(d.worlds(d.locals())[i]), 1e-9)
	if ref(d.nodes()[i], "skin") >= 0 {
		h = 0.1 * d.size()
	}
	attributes := sub(p, "attributes")
	for name := range attributes {
		k := ref(attributes, name)
		values, w := d.accessor(k)
		for c, v := range first {
			corner := slices.Clone(values[v*w : (v+1)*w])
			if name == "POSITION" && c == 2 {
				corner[1] += h
			}
			values = append(values, corner...)
		}
		kind := text(d.one("accessors", k), "type")
		if name == "JOINTS_0" || name == "JOINTS_1" {
			whole := make([]int, len(values))
			for n, x := range values {
				whole[n] = int(x)
			}
			attributes[name] = float64(d.putInts(whole, kind, 5123))
			continue
		}
		attributes[name] = float64(d.put(values, kind))
	}
	p["indices"] = float64(d.putInts(append(list, fresh, fresh+1, fresh+2), "SCALAR", 5125))
}

var surfaceEdits = []Edit{
	{Name: "vertex moved", Loose: true, Targets: (*Doc).shapes, Apply: moveVertex},
	{Name: "all vertices scaled", Loose: true, Targets: first((*Doc).shapes), Apply: func(d *Doc, i int) (Done, bool) {
		for _, p := range objects(d.ownMesh(i)["primitives"]) {
			d.mapPrimitive(p, mgl64.Scale3D(1.3, 1.3, 1.3))
		}
		return Done{Subjects: d.named(i)}, true
	}},
	{Name: "triangle deleted", Loose: true, Targets: first((*Doc).shapes), Apply: func(d *Doc, i int) (Done, bool) {
		p := objects(d.ownMesh(i)["primitives"])[0]
		list := d.indices(p)
		k := d.single(p, list)
		if len(list) < 6 || k < 0 {
			return Done{}, false
		}
		d.setCorners(p, slices.Delete(slices.Clone(list), k, k+3))
		return Done{Subjects: d.named(i)}, true
	}},
	{Name: "triangle added", Loose: true, Targets: first((*Doc).shapes), Apply: func(d *Doc, i int) (Done, bool) {
		p := objects(d.ownMesh(i)["primitives"])[0]
		if p["targets"] != nil {
			return Done{}, false
		}
		d.addPeak(i, p)
		return Done{Subjects: d.named(i)}, true
	}},
	{Name: "faces turned over", Loose: true, Targets: first((*Doc).shapes), Apply: func(d *Doc, i int) (Done, bool) {
		for _, p := range objects(d.ownMesh(i)["primitives"]) {
			list := d.indices(p)
			for k := 0; k+3 <= len(list); k += 3 {
				list[k+1], list[k+2] = list[k+2], list[k+1]
			}
			p["indices"] = float64(d.putInts(list, "SCALAR", 5125))
			d.change(sub(p, "attributes"), "NORMAL", func(v []float64, _ int) {
				for k := range v {
					v[k] = -v[k]
				}
			})
		}
		return Done{Subjects: d.named(i)}, true
	}},
	{Name: "texture coordinates moved", Targets: first((*Doc).shapes), Apply: attribute("TEXCOORD_0", func(v []float64, _ int) {
		for k := 0; k < len(v)/2; k += 2 { // the first half of the vertices, so that it is no shift of all
			if v[k] < 0.5 {
				v[k] += 0.25
			} else {
				v[k] -= 0.25
			}
		}
	})},
	{Name: "vertex colours changed", Targets: first((*Doc).shapes), Apply: attribute("COLOR_0", func(v []float64, w int) {
		for k := range v {
			if k%w == 0 {
				v[k] = 1 - v[k]
			}
		}
	})},
	{Name: "vertex colours added", Targets: first((*Doc).shapes), Apply: func(d *Doc, i int) (Done, bool) {
		done := false
		for _, p := range objects(d.ownMesh(i)["primitives"]) {
			a := sub(p, "attributes")
			if a["COLOR_0"] != nil {
				continue
			}
			done = true
			positions, _ := d.accessor(ref(a, "POSITION"))
			var colors []float64
			for k := range len(positions) / 3 {
				colors = append(colors, 0.25, float64(k%2), 0.5, 1)
			}
			a["COLOR_0"] = float64(d.put(colors, "VEC4"))
		}
		return Done{Subjects: append(d.named(i), "colours", "colors", "COLOR_0")}, done
	}},
}
