package edits

import (
	"slices"

	"github.com/go-gl/mathgl/mgl64"
)

// ownMesh gives a node a mesh that no other node has, and returns it.
func (d *Doc) ownMesh(i int) Object {
	n := d.nodes()[i]
	m := ref(n, "mesh")
	count := 0
	for _, o := range d.nodes() {
		if ref(o, "mesh") == m {
			count++
		}
	}
	if count > 1 {
		n["mesh"] = float64(d.add("meshes", clone(d.one("meshes", m))))
	}
	return d.one("meshes", ref(n, "mesh"))
}

// indices returns the corners of a primitive.
func (d *Doc) indices(p Object) []int {
	var list []int
	if k := ref(p, "indices"); k >= 0 {
		values, _ := d.accessor(k)
		for _, x := range values {
			list = append(list, int(x))
		}
		return list
	}
	for i := range d.count(p) {
		list = append(list, i)
	}
	return list
}

// single returns where the first triangle begins that is not there a second time, from behind or not; −1 for none. Taking one of two
// away shows nothing where both sides are seen.
func (d *Doc) single(p Object, list []int) int {
	at, _ := d.accessor(ref(sub(p, "attributes"), "POSITION"))
	key := func(i int) (k [3][3]float64) {
		for c, v := range list[i : i+3] {
			k[c] = [3]float64(at[3*v:])
		}
		slices.SortFunc(k[:], func(a, b [3]float64) int { return slices.Compare(a[:], b[:]) })
		return k
	}
	count := map[[3][3]float64]int{}
	for i := 0; i+3 <= len(list); i += 3 {
		count[key(i)]++
	}
	for i := 0; i+3 <= len(list); i += 3 {
		if count[key(i)] == 1 {
			return i
		}
	}
	return -1
}

// setCorners gives a primitive the corners of a list and only the vertices that they use.
func (d *Doc) setCorners(p Object, list []int) {
	to, from := map[int]int{}, []int{}
	indices := make([]int, len(list))
	for i, v := range list {
		k, ok := to[v]
		if !ok {
			k = len(from)
			to[v], from = k, append(from, v)
		}
		indices[i] = k
	}
	d.pick(sub(p, "attributes"), from)
	for _, t := range objects(p["targets"]) {
		d.pick(t, from)
	}
	p["indices"] = float64(d.putInts(indices, "SCALAR", 5125))
}

// pick gives attributes new accessors, of these of their vertices.
func (d *Doc) pick(attributes Object, vertices []int) {
	for name := range attributes {
		i := ref(attributes, name)
		kind := text(d.one("accessors", i), "type")
		values, w := d.accessor(i)
		var v []float64
		for _, k := range vertices {
			v = append(v, values[k*w:(k+1)*w]...)
		}
		if name != "JOINTS_0" && name != "JOINTS_1" {
			attributes[name] = float64(d.put(v, kind))
			continue
		}
		joints := make([]int, len(v))
		for k, x := range v {
			joints[k] = int(x)
		}
		attributes[name] = float64(d.putInts(joints, kind, 5123))
	}
}

// seen returns all nodes with a shape of their own that are shown and not skinned.
func (d *Doc) seen() []int { return d.withRole(Shape) }

// withoutExtras takes the properties of a copy away, as those of a new object are.
func withoutExtras(o Object) Object {
	delete(o, "extras")
	return o
}

// separate puts the second half of a mesh's triangles into a node of their own beside it.
func separate(keep bool) func(d *Doc, i int) (Done, bool) {
	return func(d *Doc, i int) (Done, bool) {
		mesh := d.ownMesh(i)
		n := d.nodes()[i]
		total := 0
		for _, p := range objects(mesh["primitives"]) {
			total += len(d.indices(p)) / 3
		}
		if total < 2 {
			return Done{}, false
		}
		left := total / 2
		var first, second []any
		for _, p := range objects(mesh["primitives"]) {
			corners := d.indices(p)
			k := min(left, len(corners)/3)
			left -= k
			if k > 0 {
				a := clone(p)
				d.setCorners(a, corners[:3*k])
				first = append(first, a)
			}
			if 3*k < len(corners) {
				b := clone(p)
				d.setCorners(b, corners[3*k:])
				second = append(second, b)
			}
		}
		other := clone(mesh)
		mesh["primitives"], other["primitives"] = first, second
		node := clone(n)
		for _, k := range []string{"children", "extensions"} {
			delete(node, k)
		}
		node["name"], other["name"] = text(n, "name")+".001", text(mesh, "name")+".001"
		if !keep {
			node, other = withoutExtras(node), withoutExtras(other)
		}
		node["mesh"] = float64(d.add("meshes", other))
		k := d.add("nodes", node)
		d.hang(k, d.parents()[i])
		d.copyKeys(i, k)
		return Done{Subjects: append(d.named(i), text(node, "name"), text(other, "name"))}, true
	}
}

// copyKeys animates a copy of a node as the node.
func (d *Doc) copyKeys(from, to int) {
	for _, a := range d.all("animations") {
		for _, c := range objects(a["channels"]) {
			if ref(sub(c, "target"), "node") == from {
				o := clone(c)
				sub(o, "target")["node"] = float64(to)
				a["channels"] = append(a["channels"].([]any), o)
			}
		}
	}
}

// join puts the triangles of one node into the mesh of another, which it must not animate against.
func join(d *Doc, i int) (Done, bool) {
	roles := d.roles()
	other := -1
	for _, k := range d.seen() {
		if k != i && roles[k] == Shape && !d.below(k)[i] {
			other = k
		}
	}
	if other < 0 || d.animated(i) || d.animated(other) {
		return Done{}, false
	}
	names := append(d.named(i), d.named(other)...)
	worlds := d.worlds(d.locals())
	to := worlds[i].Inv().Mul4(worlds[other])
	mesh := d.ownMesh(i)
	if objects(mesh["primitives"])[0]["targets"] != nil {
		return Done{}, false
	}
	for _, p := range objects(d.one("meshes", ref(d.nodes()[other], "mesh"))["primitives"]) {
		if p["targets"] != nil {
			return Done{}, false
		}
		q := clone(p)
		d.mapPrimitive(q, to)
		mesh["primitives"] = append(mesh["primitives"].([]any), q)
	}
	for _, c := range ints(d.nodes()[other]["children"]) {
		world := worlds[c]
		d.hang(c, i)
		d.worldTo(c, world, i)
	}
	gone := map[int]bool{other: true}
	for k, owner := range d.levelOwners() {
		if owner == other {
			gone[k] = true
		}
	}
	d.removeNodes(gone)
	return Done{Subjects: names}, true
}

func (d *Doc) animated(i int) bool {
	for _, a := range d.all("animations") {
		for _, c := range objects(a["channels"]) {
			if ref(sub(c, "target"), "node") == i {
				return true
			}
		}
	}
	return false
}

// mapPrimitive moves the vertices of a primitive.
func (d *Doc) mapPrimitive(p Object, m mgl64.Mat4) {
	a := sub(p, "attributes")
	d.change(a, "POSITION", func(v []float64, _ int) {
		for k := 0; k < len(v); k += 3 {
			x := mgl64.TransformCoordinate(mgl64.Vec3(v[k:k+3]), m)
			copy(v[k:], x[:])
		}
	})
	normal := m.Mat3().Inv().Transpose()
	turn := func(v []float64, w int) {
		for k := 0; k < len(v); k += w {
			x := normal.Mul3x1(mgl64.Vec3(v[k : k+3]))
			if l := x.Len(); l > 1e-12 {
				x = x.Mul(1 / l)
				copy(v[k:], x[:])
			}
		}
	}
	d.change(a, "NORMAL", turn)
	for _, t := range objects(p["targets"]) {
		d.change(t, "POSITION", func(v []float64, _ int) {
			for k := 0; k < len(v); k += 3 {
				x := m.Mat3().Mul3x1(mgl64.Vec3(v[k : k+3]))
				copy(v[k:], x[:])
			}
		})
	}
	if m.Mat3().Det() < 0 {
		list := d.indices(p)
		for k := 0; k+3 <= len(list); k += 3 {
			list[k+1], list[k+2] = list[k+2], list[k+1]
		}
		p["indices"] = float64(d.putInts(list, "SCALAR", 5125))
	}
}

// copyOf adds a copy of a node with the same mesh, beside it and moved a little.
func (d *Doc) copyOf(i int, children bool) int {
	n := clone(d.nodes()[i])
	delete(n, "children")
	delete(n, "extensions")
	n["name"] = text(n, "name") + ".001"
	k := d.add("nodes", n)
	d.hang(k, d.parents()[i])
	if children {
		roles := d.roles()
		for _, c := range ints(d.nodes()[i]["children"]) {
			if roles[c] == Shape {
				d.hang(d.copyOf(c, false), k)
			}
		}
	}
	d.copyKeys(i, k)
	return k
}

// leaf reports whether no other part hangs below a node.
func (d *Doc) leaf(i int) bool {
	parts := d.parts()
	for k := range d.below(i) {
		if k != i && slices.Contains(parts, k) {
			return false
		}
	}
	return true
}

var partEdits = []Edit{
	{Name: "half of a part separated, new", Targets: first((*Doc).shapes), Apply: separate(false)},
	{Name: "half of a part separated, extras copied", Targets: first((*Doc).shapes), Apply: separate(true)},
	{Name: "two parts joined", Targets: first((*Doc).seen), Apply: join},
	{Name: "part copied", Targets: first((*Doc).parts), Apply: func(d *Doc, i int) (Done, bool) {
		names := d.named(i)
		k := d.copyOf(i, true)
		if m := ref(d.nodes()[k], "mesh"); m >= 0 {
			d.ownMesh(k)["name"] = text(d.one("meshes", m), "name") + ".001"
		}
		d.moveNode(k, d.shiftOf(k, 0.2), unturn, unscale)
		delete(d.follow, k)
		return Done{Subjects: append(names, d.named(k)...)}, true
	}},
	{Name: "part linked-copied", Targets: (*Doc).parts, Apply: func(d *Doc, i int) (Done, bool) {
		names := d.named(i)
		k := d.copyOf(i, true)
		d.moveNode(k, d.shiftOf(k, 0.2), unturn, unscale)
		delete(d.follow, k)
		return Done{Subjects: append(names, d.named(k)...)}, true
	}},
	{Name: "part deleted", Targets: (*Doc).parts, Apply: func(d *Doc, i int) (Done, bool) {
		if !d.leaf(i) || len(d.seen()) < 2 {
			return Done{}, false
		}
		names := d.named(i)
		gone := d.below(i)
		for k, owner := range d.levelOwners() {
			if owner >= 0 && gone[owner] {
				gone[k] = true
			}
		}
		for k := range gone {
			if slices.Contains(d.joints(), k) {
				return Done{}, false
			}
		}
		d.removeNodes(gone)
		return Done{Subjects: names}, true
	}},
	{Name: "part renamed", Targets: (*Doc).parts, Apply: rename("Renamed")},
	{Name: "part named in 63 bytes", Targets: first((*Doc).parts), Apply: rename("A_name_that_an_editor_has_cut_at_sixty-three_bytes_as_it_does_al")},
	{Name: "part named beyond ASCII", Targets: first((*Doc).parts), Apply: rename("Flügel_é中")},
	{Name: "root renamed", Targets: (*Doc).mainRoots, Apply: rename("Renamed")},
	{Name: "joint renamed", Targets: first((*Doc).joints), Apply: rename("Renamed")},
	{Name: "part put below another", Targets: (*Doc).parts, Apply: func(d *Doc, i int) (Done, bool) {
		parents := d.parents()
		for _, k := range slices.Backward(d.parts()) {
			if k == i || k == parents[i] || d.below(i)[k] || d.animated(i) || d.animated(k) {
				continue
			}
			world := d.worlds(d.locals())[i]
			d.hang(i, k)
			d.worldTo(i, world, k)
			return Done{Subjects: append(d.named(i), d.named(k)...), Under: [][2]string{{text(d.nodes()[i], "name"), text(d.nodes()[k], "name")}}}, true
		}
		return Done{}, false
	}},
	{Name: "shape of a part unparented", Still: true, Targets: (*Doc).shapesOfParts, Apply: unparent},
	{Name: "part unparented", Still: true, Targets: first((*Doc).parts), Apply: unparent},
	{Name: "a mesh added at the root", Apply: func(d *Doc, _ int) (Done, bool) { return d.addCube(-1), true }},
	{Name: "a mesh added below the root", Targets: (*Doc).mainRoots, Apply: func(d *Doc, i int) (Done, bool) { return d.addCube(i), true }},
}

func rename(name string) func(d *Doc, i int) (Done, bool) {
	return func(d *Doc, i int) (Done, bool) {
		subjects, owners := d.named(i), d.levelOwners()
		n := d.nodes()[i]
		n["name"] = name
		if m := ref(n, "mesh"); m >= 0 {
			d.ownMesh(i)["name"] = name
		}
		want := d.copy() // levels beside the part know it by its name: they stay its own
		for k, o := range want.nodes() {
			if owners[k] == i {
				makeSub(o, "extras", "usher", "asset")["lodOf"] = name
			}
		}
		return Done{Subjects: append(subjects, name), Appears: []string{name}, Want: want}, true
	}
}

// addCube adds a cube of a tenth of the model, with a material of its own, below a node or at the root for −1.
func (d *Doc) addCube(parent int) Done {
	scale := 1.0
	if parent >= 0 {
		scale = scaleOf(d.worlds(d.locals())[parent])
	}
	h := 0.05 * d.size() / scale
	var positions, normals, uvs []float64
	var list []int
	for axis := range 3 {
		for _, side := range []float64{-1, 1} {
			for _, c := range [][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
				var p, n mgl64.Vec3
				p[axis], n[axis] = side*h, side
				p[(axis+1)%3], p[(axis+2)%3] = side*c[0]*h, c[1]*h
				positions, normals = append(positions, p[:]...), append(normals, n[:]...)
				uvs = append(uvs, (c[0]+1)/2, (c[1]+1)/2)
			}
			k := len(positions)/3 - 4
			list = append(list, k, k+1, k+2, k, k+2, k+3)
		}
	}
	material := d.add("materials", Object{"name": "Fresh", "pbrMetallicRoughness": Object{"baseColorFactor": []any{0.8, 0.1, 0.1, 1.0}, "metallicFactor": 0.0}})
	mesh := d.add("meshes", Object{"name": "Cube", "primitives": []any{Object{"material": float64(material), "indices": float64(d.putInts(list, "SCALAR", 5125)), "attributes": Object{
		"POSITION": float64(d.put(positions, "VEC3")), "NORMAL": float64(d.put(normals, "VEC3")), "TEXCOORD_0": float64(d.put(uvs, "VEC2"))}}}})
	t := mgl64.Vec3{12 * h, 0, 0}
	d.hang(d.add("nodes", Object{"name": "Cube", "mesh": float64(mesh), "translation": anys(t[:])}), parent)
	return Done{Subjects: []string{"Cube", "Fresh"}}
}

// unparent puts a node at the top of the scene, in the place that it has.
func unparent(d *Doc, i int) (Done, bool) {
	if len(d.all("animations")) > 0 || d.parents()[i] < 0 {
		return Done{}, false
	}
	m, n := d.worlds(d.locals())[i], d.nodes()[i]
	delete(n, "translation")
	delete(n, "rotation")
	delete(n, "scale")
	n["matrix"] = anys(m[:])
	d.hang(i, -1)
	return Done{Subjects: d.named(i)}, true
}
