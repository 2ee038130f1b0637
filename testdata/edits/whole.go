package edits

import (
	"slices"

	"github.com/go-gl/mathgl/mgl64"
)

// skinned returns 0 where the document has a skin that is worn.
func skinned(d *Doc) []int {
	if len(d.withRole(Skinned)) > 0 {
		return []int{0}
	}
	return nil
}

// inFrameOf expresses a skinned model in the frame of an armature that is turned and scaled, as tools with another up
// axis and unit write it: what is seen stays as it is.
func inFrameOf(turn mgl64.Quat, scale float64) func(d *Doc, _ int) (Done, bool) {
	return func(d *Doc, _ int) (Done, bool) {
		above := map[int]bool{} // roots that have joints below them
		for _, j := range d.joints() {
			for _, r := range d.roots() {
				if d.below(r)[j] {
					above[r] = true
				}
			}
		}
		var roots []int
		all := map[int]bool{}
		for _, r := range d.roots() {
			if above[r] {
				roots = append(roots, r)
				for i := range d.below(r) {
					all[i] = true
				}
			}
		}
		if len(roots) == 0 {
			return Done{}, false
		}
		back := turn.Inverse()
		nodes := d.nodes()
		for i := range all {
			x := restOf(nodes[i])
			if nodes[i]["matrix"] != nil || x.s != unscale {
				return Done{}, false
			}
			x.t = x.t.Mul(1 / scale)
			if slices.Contains(roots, i) {
				x.t, x.r = back.Rotate(x.t), back.Mul(x.r)
			}
			setRest(nodes[i], x)
			if m := ref(nodes[i], "mesh"); m >= 0 && ref(nodes[i], "skin") < 0 {
				for _, p := range objects(d.ownMesh(i)["primitives"]) {
					d.mapPrimitive(p, mgl64.Scale3D(1/scale, 1/scale, 1/scale))
				}
			}
		}
		for _, a := range d.all("animations") {
			samplers := objects(a["samplers"])
			for _, c := range objects(a["channels"]) {
				t := sub(c, "target")
				i, path := ref(t, "node"), text(t, "path")
				if !all[i] || path == "scale" || path == "weights" {
					continue
				}
				d.change(d.ownSampler(a, c, samplers), "output", func(v []float64, w int) {
					for k := 0; k+w <= len(v); k += w {
						switch {
						case path == "translation":
							x := mgl64.Vec3(v[k : k+3]).Mul(1 / scale)
							if slices.Contains(roots, i) {
								x = back.Rotate(x)
							}
							copy(v[k:], x[:])
						case slices.Contains(roots, i):
							setQuat(v[k:k+4], back.Mul(quat(v[k:k+4])))
						}
					}
				})
			}
		}
		frame := turn.Mat4().Mul4(mgl64.Scale3D(scale, scale, scale))
		for _, s := range d.all("skins") {
			if ref(s, "inverseBindMatrices") < 0 {
				return Done{}, false
			}
			d.change(s, "inverseBindMatrices", func(v []float64, _ int) {
				for k := 0; k < len(v); k += 16 {
					m := mgl64.Scale3D(1/scale, 1/scale, 1/scale).Mul4(mgl64.Mat4(v[k : k+16])).Mul4(frame)
					copy(v[k:], m[:])
				}
			})
		}
		done := map[int]bool{}
		for _, i := range d.withRole(Skinned, Level) {
			if m := ref(nodes[i], "mesh"); ref(nodes[i], "skin") >= 0 && !done[m] {
				done[m] = true
				for _, p := range objects(d.one("meshes", m)["primitives"]) {
					d.mapPrimitive(p, frame.Inv())
				}
			}
		}
		i := d.empty(roots, still, turn, scale)
		d.nodes()[i]["name"] = "Armature"
		return Done{Subjects: []string{"Armature"}}, true
	}
}

// aboveSkin puts a node above what the joints hang below.
func aboveSkin(name string, turn mgl64.Quat, scale float64) Edit {
	return Edit{Name: "node above the skin " + name, Targets: skinned, Apply: func(d *Doc, _ int) (Done, bool) {
		var roots []int
		for _, r := range d.roots() {
			if d.roles()[r] != Skinned {
				roots = append(roots, r)
			}
		}
		if d.empty(roots, still, turn, scale) < 0 {
			return Done{}, false
		}
		return Done{Subjects: []string{"Empty"}}, true
	}}
}

var skinEdits = []Edit{
	aboveSkin("turned −90°", angled(-90, mgl64.Vec3{1, 0, 0}), 1),
	aboveSkin("scaled 0.01", unturn, 0.01),
	{Name: "skin in a frame turned −90° and scaled 0.01", Targets: skinned, Still: true, Apply: inFrameOf(angled(-90, mgl64.Vec3{1, 0, 0}), 0.01)},
	{Name: "rest pose other than the bind pose", Targets: func(d *Doc) []int {
		if list := d.joints(); len(list) > 0 {
			return list[len(list)/2:][:1]
		}
		return nil
	}, Apply: func(d *Doc, i int) (Done, bool) {
		if d.nodes()[i]["matrix"] != nil {
			return Done{}, false
		}
		x := restOf(d.nodes()[i])
		x.r = x.r.Mul(angled(30, mgl64.Vec3{0, 0, 1}))
		setRest(d.nodes()[i], x)
		return Done{Subjects: d.named(i)}, true
	}},
	{Name: "joint added", Targets: first((*Doc).joints), Apply: func(d *Doc, i int) (Done, bool) {
		t := d.shiftOf(i, 0.1)
		k := d.add("nodes", Object{"name": "BoneAdded", "translation": anys(t[:])})
		d.hang(k, i)
		for _, s := range d.all("skins") {
			if !slices.Contains(ints(s["joints"]), i) {
				continue
			}
			bind := d.worlds(d.locals())[k].Inv()
			s["joints"] = append(s["joints"].([]any), float64(k))
			if b := ref(s, "inverseBindMatrices"); b >= 0 {
				v, _ := d.accessor(b)
				s["inverseBindMatrices"] = float64(d.put(append(v, bind[:]...), "MAT4"))
			}
		}
		return Done{Subjects: append(d.named(i), "BoneAdded"), Appears: []string{"BoneAdded"}}, true
	}},
	{Name: "joint deleted", Targets: func(d *Doc) (list []int) {
		parents := d.parents()
		for _, i := range slices.Backward(d.joints()) { // one at the end, whose vertices its parent takes
			if len(ints(d.nodes()[i]["children"])) == 0 && slices.Contains(d.joints(), parents[i]) {
				return []int{i}
			}
		}
		return nil
	}, Apply: deleteJoint},
	{Name: "weights of a vertex changed", Targets: func(d *Doc) []int {
		list := d.withRole(Skinned)
		return list[:min(1, len(list))]
	}, Apply: func(d *Doc, i int) (Done, bool) {
		joints := len(ints(d.one("skins", ref(d.nodes()[i], "skin"))["joints"]))
		p := objects(d.ownMesh(i)["primitives"])[0]
		a := sub(p, "attributes")
		k := ref(a, "JOINTS_0")
		if k < 0 || joints < 2 {
			return Done{}, false
		}
		values, _ := d.accessor(k)
		var v []int
		for _, x := range values {
			v = append(v, int(x))
		}
		v[0] = (v[0] + 1) % joints
		a["JOINTS_0"] = float64(d.putInts(v, "VEC4", 5123))
		d.change(a, "WEIGHTS_0", func(w []float64, _ int) { copy(w, []float64{1, 0, 0, 0}) })
		return Done{Subjects: d.named(i)}, true
	}},
}

// deleteJoint takes a joint out, and gives its vertices to its parent.
func deleteJoint(d *Doc, i int) (Done, bool) {
	names, parent := d.named(i), d.parents()[i]
	for _, n := range d.withRole(Skinned, Level) {
		k := ref(d.nodes()[n], "skin")
		if k < 0 || ref(d.nodes()[n], "mesh") < 0 {
			continue
		}
		joints := ints(d.one("skins", k)["joints"])
		at, to := slices.Index(joints, i), slices.Index(joints, parent)
		if at < 0 {
			continue
		}
		if to < 0 {
			return Done{}, false
		}
		for _, p := range objects(d.ownMesh(n)["primitives"]) {
			a := sub(p, "attributes")
			for _, set := range []string{"JOINTS_0", "JOINTS_1"} {
				if ref(a, set) < 0 {
					continue
				}
				values, _ := d.accessor(ref(a, set))
				var v []int
				for _, x := range values {
					j := int(x)
					if j == at {
						j = to
					}
					if j > at {
						j--
					}
					v = append(v, j)
				}
				a[set] = float64(d.putInts(v, "VEC4", 5123))
			}
		}
	}
	for _, s := range d.all("skins") {
		at := slices.Index(ints(s["joints"]), i)
		if at < 0 {
			continue
		}
		if b := ref(s, "inverseBindMatrices"); b >= 0 {
			v, _ := d.accessor(b)
			s["inverseBindMatrices"] = float64(d.put(slices.Delete(v, 16*at, 16*at+16), "MAT4"))
		}
	}
	d.removeNodes(map[int]bool{i: true})
	return Done{Subjects: names}, true
}

// kept returns the nodes below the root that carry data of the program.
func (d *Doc) kept() (list []int) {
	for i, n := range d.nodes() {
		if text(sub(n, "extras", "usher"), "format") != "" && !d.isRoot(i) && d.shown()[i] {
			list = append(list, i)
		}
	}
	return list
}

// everywhere calls f for each object of the document that can have extras.
func (d *Doc) everywhere(f func(list string, o Object)) {
	for list, v := range d.JSON {
		for _, o := range objects(v) {
			if o == nil {
				continue
			}
			f(list, o)
			for _, p := range objects(o["primitives"]) {
				f("primitives", p)
			}
		}
	}
}

// upright maps a place between Y up and Z up.
var upright = mgl64.HomogRotate3DX(mgl64.DegToRad(90))

var sceneEdits = []Edit{
	{Name: "mesh in another scene only", Still: true, Strict: true, Accept: true, Apply: func(d *Doc, _ int) (Done, bool) {
		done := d.addCube(-1)
		roots := d.roots()
		k := roots[len(roots)-1]
		d.hang(k, -1)
		scene := d.scene()
		scene["nodes"] = anys(roots[:len(roots)-1])
		d.add("scenes", Object{"name": "Other", "nodes": anys([]int{k})})
		return done, true
	}},
	{Name: "mesh in no scene", Still: true, Strict: true, Accept: true, Apply: func(d *Doc, _ int) (Done, bool) {
		done := d.addCube(-1)
		roots := d.roots()
		d.scene()["nodes"] = anys(roots[:len(roots)-1])
		return done, true
	}},
	{Name: "all names with .001", Still: true, Accept: true, Apply: func(d *Doc, _ int) (Done, bool) {
		for _, list := range []string{"nodes", "meshes", "materials"} {
			for _, o := range d.all(list) {
				if name := text(o, "name"); name != "" {
					o["name"] = name + ".001"
				}
			}
		}
		return Done{Subjects: []string{".001", "names"}}, true
	}},
	{Name: "all extras dropped", Exact: true, Apply: dropExtras},
	{Name: "all extras dropped, with the original", Exact: true, Accept: true, Base: true, Apply: dropExtras},
	dropOne("nodes"), dropOne("meshes"), dropOne("materials"), dropOne("scenes"),
	{Name: "extras of the first of each dropped, with the original", Exact: true, Accept: true, Base: true, Apply: func(d *Doc, _ int) (Done, bool) {
		before, done := d.copy(), false
		for _, list := range []string{"nodes", "meshes", "materials", "scenes"} {
			if t := withExtras(list)(d); len(t) > 0 {
				delete(d.one(list, t[0]), "extras")
				done = true
			}
		}
		return Done{Want: before}, done
	}},
	{Name: "extras of meshes dropped", Exact: true, Accept: true, Apply: func(d *Doc, _ int) (Done, bool) {
		before, done := d.copy(), false
		d.everywhere(func(list string, o Object) {
			if list == "meshes" && o["extras"] != nil {
				delete(o, "extras")
				done = true
			}
		})
		return Done{Subjects: []string{"extras", "Custom Properties"}, Want: before}, done
	}},
	{Name: "names and extras of meshes dropped", Exact: true, Accept: true, Apply: func(d *Doc, _ int) (Done, bool) {
		before, done := d.copy(), false
		for _, m := range d.all("meshes") {
			done = done || m["name"] != nil || m["extras"] != nil
			delete(m, "name")
			delete(m, "extras")
		}
		return Done{Subjects: []string{"extras", "Custom Properties", "names"}, Want: before}, done
	}},
	{Name: "extras of a node made a text", Exact: true, Accept: true, Targets: first((*Doc).kept), Apply: func(d *Doc, i int) (Done, bool) {
		before, n := d.copy(), d.nodes()[i]
		sub(n, "extras")["usher"] = "{'format': 'spoiled by an editor'}"
		return Done{Subjects: append(d.named(i), "extras"), Want: before}, true
	}},
	{Name: "MSFT_lod with stale numbers", Exact: true, Accept: true, Apply: func(d *Doc, _ int) (Done, bool) {
		before, done := d.copy(), false
		for _, n := range d.nodes() {
			if x := sub(n, "extensions", "MSFT_lod"); x != nil {
				ids := ints(x["ids"])
				for k := range ids {
					ids[k] = len(d.nodes()) + 7 + k
				}
				x["ids"], done = anys(ids), true
			}
		}
		return Done{Subjects: []string{"level", "levels", "MSFT_lod"}, Want: before}, done
	}},
	{Name: "MSFT_lod dropped", Exact: true, Accept: true, Apply: func(d *Doc, _ int) (Done, bool) {
		before, done := d.copy(), false
		for _, n := range d.nodes() {
			if sub(n, "extensions", "MSFT_lod") != nil {
				delete(n, "extensions")
				done = true
			}
		}
		return Done{Subjects: []string{"level", "levels"}, Want: before}, done
	}},
	{Name: "Z up", Apply: func(d *Doc, _ int) (Done, bool) {
		turnBasis(d)
		return Done{Subjects: []string{"+Y Up", "Y up", "Z up", "axis", "axes"}}, true
	}},
}

// withExtras returns the objects of a list that have extras.
func withExtras(list string) func(d *Doc) []int {
	return func(d *Doc) (all []int) {
		for i, o := range d.all(list) {
			if o["extras"] != nil {
				all = append(all, i)
			}
		}
		return all
	}
}

// dropOne takes the extras of one object away, as when somebody makes a material anew under its name.
func dropOne(list string) Edit {
	return Edit{Name: "extras of one of the " + list + " dropped", Exact: true, Targets: withExtras(list), Apply: func(d *Doc, i int) (Done, bool) {
		before, o := d.copy(), d.one(list, i)
		delete(o, "extras")
		return Done{Subjects: []string{text(o, "name"), "extras", "Custom Properties"}, Want: before}, true
	}}
}

// dropExtras takes all extras away.
func dropExtras(d *Doc, _ int) (Done, bool) {
	before := d.copy()
	Strip(d)
	return Done{Subjects: []string{"extras", "Custom Properties", "custom properties", "--base"}, Want: before}, true
}

// Strip takes all extras away, as an editor does that keeps none.
func Strip(d *Doc) {
	d.everywhere(func(_ string, o Object) { delete(o, "extras") })
	delete(d.JSON, "extras")
	sub(d.JSON, "asset")["generator"] = "an editor"
}

// turnBasis writes all places and vertices with Z up, as an editor does whose option "+Y up" is off.
func turnBasis(d *Doc) {
	flip := func(v []float64, w int) {
		for k := 0; k+w <= len(v); k += w {
			v[k+1], v[k+2] = -v[k+2], v[k+1]
		}
	}
	swap := func(v []float64, w int) {
		for k := 0; k+w <= len(v); k += w {
			v[k+1], v[k+2] = v[k+2], v[k+1]
		}
	}
	matrices := func(v []float64, _ int) {
		for k := 0; k+16 <= len(v); k += 16 {
			m := upright.Mul4(mgl64.Mat4(v[k : k+16])).Mul4(upright.Inv())
			copy(v[k:], m[:])
		}
	}
	for _, n := range d.nodes() {
		if v := numbers(n["matrix"]); len(v) == 16 {
			matrices(v, 16)
			n["matrix"] = anys(v)
			continue
		}
		x := restOf(n)
		flip(x.t[:], 3)
		swap(x.s[:], 3)
		q := x.r
		x.r.V[1], x.r.V[2] = -q.V[2], q.V[1]
		setRest(n, x)
	}
	done := map[int]bool{}
	once := func(o Object, key string, edit func(v []float64, w int)) {
		if i := ref(o, key); i >= 0 && !done[i] {
			d.change(o, key, edit)
			done[ref(o, key)] = true
		}
	}
	for _, m := range d.all("meshes") {
		for _, p := range objects(m["primitives"]) {
			once(sub(p, "attributes"), "POSITION", flip)
			once(sub(p, "attributes"), "NORMAL", flip)
			for _, t := range objects(p["targets"]) {
				once(t, "POSITION", flip)
				once(t, "NORMAL", flip)
			}
		}
	}
	for _, s := range d.all("skins") {
		once(s, "inverseBindMatrices", matrices)
	}
	for _, a := range d.all("animations") {
		samplers := objects(a["samplers"])
		for _, c := range objects(a["channels"]) {
			switch s := d.ownSampler(a, c, samplers); text(sub(c, "target"), "path") {
			case "translation", "rotation":
				d.change(s, "output", flip)
			case "scale":
				d.change(s, "output", swap)
			}
		}
	}
}

// WithoutExtras is every edit by an editor that keeps no extras, as Blender does unless it is asked to. That the mounts of a
// model were deleted is not among them: whether they were shown nobody can tell then.
func WithoutExtras() (list []Edit) {
	for _, e := range All() {
		if e.Name == "mount shape deleted" {
			continue
		}
		apply := e.Apply
		e.Name, e.Base = e.Name+", without extras", true
		e.Apply = func(d *Doc, target int) (Done, bool) {
			done, ok := apply(d, target)
			if ok && done.Want == nil {
				done.Want = d.copy()
			}
			if ok {
				Strip(d)
			}
			return done, ok
		}
		list = append(list, e)
	}
	return list
}
