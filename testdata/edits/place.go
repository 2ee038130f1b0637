package edits

import (
	"math"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"
)

// trs is a place as three values.
type trs struct {
	t mgl64.Vec3
	r mgl64.Quat
	s mgl64.Vec3
}

func (x trs) matrix() mgl64.Mat4 {
	return mgl64.Translate3D(x.t[0], x.t[1], x.t[2]).Mul4(x.r.Normalize().Mat4()).Mul4(mgl64.Scale3D(x.s[0], x.s[1], x.s[2]))
}

func vec3(v any, usual mgl64.Vec3) mgl64.Vec3 {
	if n := numbers(v); len(n) == 3 {
		return mgl64.Vec3(n)
	}
	return usual
}

func quat(v []float64) mgl64.Quat { return mgl64.Quat{V: mgl64.Vec3(v[:3]), W: v[3]} }

func restOf(n Object) trs {
	x := trs{vec3(n["translation"], mgl64.Vec3{}), mgl64.QuatIdent(), vec3(n["scale"], mgl64.Vec3{1, 1, 1})}
	if v := numbers(n["rotation"]); len(v) == 4 {
		x.r = quat(v)
	}
	return x
}

func setRest(n Object, x trs) {
	delete(n, "matrix")
	n["translation"], n["scale"] = anys(x.t[:]), anys(x.s[:])
	n["rotation"] = anys([]float64{x.r.V[0], x.r.V[1], x.r.V[2], x.r.W})
}

func local(n Object) mgl64.Mat4 {
	if v := numbers(n["matrix"]); len(v) == 16 {
		return mgl64.Mat4(v)
	}
	return restOf(n).matrix()
}

// parents returns the parent of each node, −1 for none. A level of detail stands beside the node whose level it is,
// wherever an editor put it.
func (d *Doc) parents() []int {
	nodes := d.nodes()
	parents := make([]int, len(nodes))
	for i := range parents {
		parents[i] = -1
	}
	for i, n := range nodes {
		for _, c := range ints(n["children"]) {
			parents[c] = i
		}
	}
	for i, owner := range d.levelOwners() {
		if owner >= 0 && parents[i] != owner {
			parents[i] = parents[owner]
		}
	}
	return parents
}

// levelOwners returns, for each node, the node whose lower level of detail it is; −1 for none.
func (d *Doc) levelOwners() []int {
	nodes := d.nodes()
	owners := make([]int, len(nodes))
	named := map[string]int{}
	for i, n := range nodes {
		owners[i] = -1
		if _, taken := named[text(n, "name")]; !taken {
			named[text(n, "name")] = i
		}
		if _, taken := named[plain(text(n, "name"))]; !taken {
			named[plain(text(n, "name"))] = i
		}
	}
	above := map[int]int{}
	for i, n := range nodes {
		for _, c := range ints(n["children"]) {
			above[c] = i
		}
	}
	own := func(i int) Object { return sub(nodes[i], "extras", "usher", "asset") }
	for i := range nodes {
		name, ok := own(i)["lodOf"].(string)
		if !ok {
			continue
		}
		if p, ok := above[i]; ok && own(i)["lodBelow"] != nil && own(p)["lodOf"] == nil {
			owners[i] = p
		} else if owner, ok := named[name]; ok && owner != i {
			owners[i] = owner
		} else if owner, ok := named[plain(name)]; ok && owner != i {
			owners[i] = owner
		}
	}
	for i := range nodes { // glTF wants skinned meshes at the root
		name, ok := own(i)["meshOf"].(string)
		if !ok {
			continue
		}
		for k, n := range nodes {
			if k != i && owners[k] >= 0 && ref(n, "mesh") < 0 && plain(text(n, "name")) == plain(name) {
				owners[i] = owners[k]
			}
		}
	}
	for i, n := range nodes {
		for _, k := range ints(sub(n, "extensions", "MSFT_lod")["ids"]) {
			if k < len(owners) && k != i {
				owners[k] = i
			}
		}
	}
	return owners
}

// worlds returns the place of every node, with the locals that an animation gives. A level of detail without a motion of
// its own goes where its node goes.
func (d *Doc) worlds(locals []mgl64.Mat4) []mgl64.Mat4 {
	parents, rests := d.parents(), d.locals()
	out, rest := places(parents, locals), places(parents, rests)
	for i, owner := range d.levelOwners() {
		if owner < 0 || parents[i] == owner || locals[i] != rests[i] {
			continue
		}
		before, moved := d.follow[owner]
		if !moved {
			before = rest[owner]
		}
		if moved || out[owner] != rest[owner] {
			out[i] = out[owner].Mul4(before.Inv()).Mul4(rest[i])
		}
	}
	return out
}

// places returns where nodes are by their transforms.
func places(parents []int, locals []mgl64.Mat4) []mgl64.Mat4 {
	out, done := make([]mgl64.Mat4, len(locals)), make([]bool, len(locals))
	var place func(i int) mgl64.Mat4
	place = func(i int) mgl64.Mat4 {
		if !done[i] {
			done[i] = true
			out[i] = locals[i]
			if parents[i] >= 0 {
				out[i] = place(parents[i]).Mul4(locals[i])
			}
		}
		return out[i]
	}
	for i := range locals {
		place(i)
	}
	return out
}

func (d *Doc) locals() []mgl64.Mat4 {
	nodes := d.nodes()
	out := make([]mgl64.Mat4, len(nodes))
	for i, n := range nodes {
		out[i] = local(n)
	}
	return out
}

// shown tells which nodes the default scene holds.
func (d *Doc) shown() []bool {
	nodes := d.nodes()
	in := make([]bool, len(nodes))
	var visit func(i int)
	visit = func(i int) {
		if i < len(in) && !in[i] {
			in[i] = true
			for _, c := range ints(nodes[i]["children"]) {
				visit(c)
			}
		}
	}
	for _, i := range ints(d.scene()["nodes"]) {
		visit(i)
	}
	return in
}

// Role is what a node is for.
type Role uint8

// The roles.
const (
	Plain Role = iota // joins others
	Shape             // has a mesh that is shown
	Skinned
	Joint // of a skin
	Part  // has shapes, and carries the native part, limb or bone
	Level // a lower level of detail
	Wire
	Mount // a shape that stands for a place
	Point // a hardpoint, marker or camera
)

// roles tells what every node is for; own is the node's role by itself.
func (d *Doc) roles() []Role {
	nodes, meshes, owners := d.nodes(), d.all("meshes"), d.levelOwners()
	roles := make([]Role, len(nodes))
	joints := map[int]bool{}
	for _, s := range d.all("skins") {
		for _, j := range ints(s["joints"]) {
			joints[j] = true
		}
	}
	for i, n := range nodes {
		name, kind := text(n, "name"), text(sub(n, "extras", "usher", "asset"), "kind")
		m := ref(n, "mesh")
		switch {
		case m < 0 && owners[i] >= 0: // another node has its mesh
		case owners[i] >= 0 || sub(n, "extras", "usher", "asset")["lodOf"] != nil || m >= 0 && strings.Contains(name, "$lod"):
			roles[i] = Level
		case m >= 0 && (strings.Contains(name, "$wire") || strings.Contains(name, "$hull") || allLines(meshes[m])):
			roles[i] = Wire
		case m >= 0 && (kind == "marker" || kind == "mount" || strings.HasSuffix(name, "_mount")):
			roles[i] = Mount
		case m >= 0 && ref(n, "skin") >= 0:
			roles[i] = Skinned
		case m >= 0:
			roles[i] = Shape
		case joints[i]:
			roles[i] = Joint
		case kind == "hardpoint" || kind == "marker" || kind == "eye" || n["camera"] != nil || isHardpoint(name):
			roles[i] = Point
		case kind == "bone" || strings.HasPrefix(shownText(sub(n, "extras", "usher"), "id"), "part:"):
			roles[i] = Part
		}
	}
	if text(sub(d.scene(), "extras", "usher"), "format") == "sur" { // hulls are all that there is
		for i, n := range nodes {
			if roles[i] == Wire && !allLines(meshes[ref(n, "mesh")]) {
				roles[i] = Shape
			}
		}
	}
	return roles
}

func isHardpoint(name string) bool {
	return len(name) > 2 && (strings.HasPrefix(name, "Hp") || strings.HasPrefix(name, "Dp")) && strings.ToUpper(name[2:3]) == name[2:3]
}

func allLines(m Object) bool {
	for _, p := range objects(m["primitives"]) {
		if number(p, "mode", 4) >= 4 {
			return false
		}
	}
	return true
}

// scaleOf returns the mean scale of a matrix.
func scaleOf(m mgl64.Mat4) float64 { return math.Cbrt(math.Abs(m.Mat3().Det())) }

// moveNode edits a node as an object, at rest and in all of its keys: a shift in the parent's space, then a turn and a
// scale in its own.
func (d *Doc) moveNode(i int, shift mgl64.Vec3, turn mgl64.Quat, scale mgl64.Vec3) {
	if d.follow[i] == (mgl64.Mat4{}) {
		d.follow[i] = d.worlds(d.locals())[i]
	}
	n := d.nodes()[i]
	if n["matrix"] != nil {
		m := mgl64.Translate3D(shift[0], shift[1], shift[2]).Mul4(local(n)).Mul4(turn.Mat4()).Mul4(mgl64.Scale3D(scale[0], scale[1], scale[2]))
		n["matrix"] = anys(m[:])
		return
	}
	apply := func(x trs) trs {
		x.t, x.r = x.t.Add(shift), x.r.Mul(turn).Normalize()
		for k := range 3 {
			x.s[k] *= scale[k]
		}
		return x
	}
	setRest(n, apply(restOf(n)))
	for _, a := range d.all("animations") {
		samplers := objects(a["samplers"])
		for _, c := range objects(a["channels"]) {
			if ref(sub(c, "target"), "node") != i || text(sub(c, "target"), "path") == "weights" {
				continue
			}
			s := d.ownSampler(a, c, samplers)
			path, cubic := text(sub(c, "target"), "path"), text(s, "interpolation") == "CUBICSPLINE"
			d.change(s, "output", func(v []float64, w int) {
				for k := 0; k+w <= len(v); k += w {
					isValue := !cubic || k/w%3 == 1
					switch path {
					case "translation":
						if isValue {
							for c := range 3 {
								v[k+c] += shift[c]
							}
						}
					case "rotation":
						q := quat(v[k : k+4]).Mul(turn)
						copy(v[k:], []float64{q.V[0], q.V[1], q.V[2], q.W})
					case "scale":
						for c := range 3 {
							v[k+c] *= scale[c]
						}
					}
				}
			})
		}
	}
}

// ownSampler gives a channel a sampler that no other channel uses.
func (d *Doc) ownSampler(a, channel Object, samplers []Object) Object {
	s := clone(samplers[ref(channel, "sampler")])
	list := a["samplers"].([]any)
	channel["sampler"] = float64(len(list))
	a["samplers"] = append(list, s)
	return s
}

// removeNodes takes nodes out, with what refers to them, and gives the others new numbers.
func (d *Doc) removeNodes(gone map[int]bool) {
	nodes := d.nodes()
	to := make([]int, len(nodes))
	var left []any
	for i, n := range nodes {
		to[i] = -1
		if !gone[i] {
			to[i] = len(left)
			left = append(left, n)
		}
	}
	map1 := func(v any) []any {
		var out []any
		for _, i := range ints(v) {
			if to[i] >= 0 {
				out = append(out, float64(to[i]))
			}
		}
		return out
	}
	list := func(o Object, key string) {
		if o[key] == nil {
			return
		}
		if v := map1(o[key]); len(v) > 0 {
			o[key] = v
		} else {
			delete(o, key)
		}
	}
	for _, n := range nodes {
		list(n, "children")
		if x := sub(n, "extensions", "MSFT_lod"); x != nil {
			if list(x, "ids"); x["ids"] == nil {
				delete(n["extensions"].(Object), "MSFT_lod")
				if len(sub(n, "extensions")) == 0 {
					delete(n, "extensions")
				}
			}
		}
	}
	for _, s := range d.all("scenes") {
		list(s, "nodes")
	}
	for _, s := range d.all("skins") {
		list(s, "joints")
		if k := ref(s, "skeleton"); k >= 0 {
			if delete(s, "skeleton"); to[k] >= 0 {
				s["skeleton"] = float64(to[k])
			}
		}
	}
	for _, a := range d.all("animations") {
		a["channels"] = slices.DeleteFunc(a["channels"].([]any), func(c any) bool {
			t := sub(c.(Object), "target")
			k := ref(t, "node")
			if k < 0 {
				return false
			}
			t["node"] = float64(to[k])
			return to[k] < 0
		})
	}
	if anims, ok := d.JSON["animations"].([]any); ok {
		anims = slices.DeleteFunc(anims, func(a any) bool { return len(a.(Object)["channels"].([]any)) == 0 })
		if d.JSON["animations"] = anims; len(anims) == 0 {
			delete(d.JSON, "animations")
		}
	}
	d.JSON["nodes"] = left
	follow := map[int]mgl64.Mat4{}
	for i, m := range d.follow {
		if to[i] >= 0 {
			follow[to[i]] = m
		}
	}
	d.follow = follow
}

// below returns a node with all nodes below it.
func (d *Doc) below(i int) map[int]bool {
	found := map[int]bool{}
	var visit func(i int)
	visit = func(i int) {
		if !found[i] {
			found[i] = true
			for _, c := range ints(d.nodes()[i]["children"]) {
				visit(c)
			}
		}
	}
	visit(i)
	return found
}

// shownText returns a text among native values, which may stand among those for reading only.
func shownText(values Object, key string) string {
	if s := text(values, key); s != "" {
		return s
	}
	return text(sub(values, "readonly"), key)
}
