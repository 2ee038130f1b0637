package edits

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
)

// channel finds the first channel of a path with at least n keys of one animation that keep changing.
func (d *Doc) channel(a int, path string, n int) (s Object, node int, ok bool) {
	o := d.one("animations", a)
	samplers := objects(o["samplers"])
	for _, c := range objects(o["channels"]) {
		t := sub(c, "target")
		if text(t, "path") != path || ref(t, "node") < 0 {
			continue
		}
		times, _ := d.accessor(ref(samplers[ref(c, "sampler")], "input"))
		if len(times) >= n && text(samplers[ref(c, "sampler")], "interpolation") != "CUBICSPLINE" {
			return d.ownSampler(o, c, samplers), ref(t, "node"), true
		}
	}
	return nil, 0, false
}

func (d *Doc) animationNumbers() (list []int) {
	for i := range d.all("animations") {
		list = append(list, i)
	}
	return list
}

func (d *Doc) namedAnimation(a, node int) []string {
	list := []string{text(d.one("animations", a), "name")}
	if node >= 0 {
		list = append(list, d.named(node)...)
	}
	return list
}

// axisOf returns the axis about which the keys of a rotation turn, and whether it is one.
func axisOf(v []float64) (axis mgl64.Vec3, ok bool) {
	for k := 4; k+4 <= len(v); k += 4 {
		q := quat(v[:4]).Inverse().Mul(quat(v[k : k+4])).Normalize()
		if l := q.V.Len(); l > 1e-3 {
			return q.V.Mul(1 / l), true
		}
	}
	return mgl64.Vec3{1, 0, 0}, false
}

func setQuat(v []float64, q mgl64.Quat) {
	copy(v, []float64{q.V[0], q.V[1], q.V[2], q.W})
}

// turnKey turns one key in the middle of a rotation.
func turnKey(degrees float64, across bool) func(d *Doc, a int) (Done, bool) {
	return func(d *Doc, a int) (Done, bool) {
		s, node, ok := d.channel(a, "rotation", 2)
		if !ok {
			return Done{}, false
		}
		d.change(s, "output", func(v []float64, _ int) {
			axis, _ := axisOf(v)
			if across {
				axis = axis.Cross(mgl64.Vec3{axis[1], axis[2], -axis[0]}).Normalize()
			}
			k := len(v) / 4 / 2 * 4
			setQuat(v[k:k+4], quat(v[k:k+4]).Mul(angled(degrees, axis)))
		})
		return Done{Subjects: d.namedAnimation(a, node)}, true
	}
}

// resample gives every channel a key a frame, as editors do.
func resample(fps float64) func(d *Doc, _ int) (Done, bool) {
	return func(d *Doc, _ int) (Done, bool) {
		for _, a := range d.all("animations") {
			samplers := objects(a["samplers"])
			var fresh []any
			for _, c := range objects(a["channels"]) {
				s := samplers[ref(c, "sampler")]
				times, _ := d.accessor(ref(s, "input"))
				values, _ := d.accessor(ref(s, "output"))
				path := text(sub(c, "target"), "path")
				var to, out []float64
				late := 0.0 // a jump at a frame is over there, whatever rounding makes of its time
				if text(s, "interpolation") == "STEP" {
					late = 1e-6
				}
				for f := math.Floor(times[0]*fps + 1e-3); ; f++ {
					to = append(to, f/fps)
					out = append(out, at1(times, values, text(s, "interpolation"), path == "rotation", f/fps+late)...)
					if f >= times[len(times)-1]*fps-1e-3 {
						break
					}
				}
				kind := map[string]string{"translation": "VEC3", "scale": "VEC3", "rotation": "VEC4", "weights": "SCALAR"}[path]
				o := Object{"input": float64(d.put(to, "SCALAR")), "output": float64(d.put(out, kind))}
				if text(s, "interpolation") == "STEP" {
					o["interpolation"] = "STEP"
				}
				c["sampler"] = float64(len(fresh))
				fresh = append(fresh, o)
			}
			a["samplers"] = fresh
		}
		return Done{Subjects: []string{"animation", "keys"}}, len(d.all("animations")) > 0
	}
}

// addAnimation adds one that turns a node.
func (d *Doc) addAnimation(name string, node int, times []float64, turns []mgl64.Quat) {
	var v []float64
	for _, q := range turns {
		v = append(v, q.V[0], q.V[1], q.V[2], q.W)
	}
	d.add("animations", Object{"name": name,
		"samplers": []any{Object{"input": float64(d.put(times, "SCALAR")), "output": float64(d.put(v, "VEC4"))}},
		"channels": []any{Object{"sampler": 0.0, "target": Object{"node": float64(node), "path": "rotation"}}}})
}

func (d *Doc) turning() []int {
	if list := d.joints(); len(list) > 0 {
		return list[len(list)/2:][:1]
	}
	if list := d.parts(); len(list) > 0 {
		return list[:1]
	}
	return d.mainRoots()
}

var motionEdits = []Edit{
	{Name: "key turned 1°", Targets: (*Doc).animationNumbers, Motion: true, Apply: turnKey(1, false)},
	{Name: "key turned 20°", Targets: (*Doc).animationNumbers, Motion: true, Apply: turnKey(20, false)},
	{Name: "key turned about another axis", Targets: (*Doc).animationNumbers, Motion: true, Apply: turnKey(20, true)},
	{Name: "key moved 0.05 m", Targets: (*Doc).animationNumbers, Motion: true, Apply: func(d *Doc, a int) (Done, bool) {
		s, node, ok := d.channel(a, "translation", 2)
		if !ok {
			return Done{}, false
		}
		scale := 1.0
		if p := d.parents()[node]; p >= 0 {
			scale = scaleOf(d.worlds(d.locals())[p])
		}
		d.change(s, "output", func(v []float64, _ int) { v[len(v)/3/2*3] += 0.05 / max(scale, 1e-9) })
		return Done{Subjects: d.namedAnimation(a, node)}, true
	}},
	{Name: "key deleted", Targets: (*Doc).animationNumbers, Motion: true, Apply: func(d *Doc, a int) (Done, bool) {
		for _, path := range []string{"rotation", "translation"} {
			s, node, ok := d.channel(a, path, 3)
			if !ok {
				continue
			}
			times, _ := d.accessor(ref(s, "input"))
			values, w := d.accessor(ref(s, "output"))
			k, most := 1, 0.0 // the one that turns the curve most
			for i := 1; i+1 < len(times); i++ {
				bend := 0.0
				for c := range w {
					f := (times[i] - times[i-1]) / (times[i+1] - times[i-1])
					bend += math.Abs(values[i*w+c] - (1-f)*values[(i-1)*w+c] - f*values[(i+1)*w+c])
				}
				if bend > most {
					k, most = i, bend
				}
			}
			s["input"] = float64(d.put(slices.Delete(times, k, k+1), "SCALAR"))
			s["output"] = float64(d.put(slices.Delete(values, k*w, (k+1)*w), map[int]string{3: "VEC3", 4: "VEC4"}[w]))
			return Done{Subjects: d.namedAnimation(a, node)}, true
		}
		return Done{}, false
	}},
	{Name: "key added", Targets: (*Doc).animationNumbers, Motion: true, Apply: func(d *Doc, a int) (Done, bool) {
		s, node, ok := d.channel(a, "rotation", 2)
		if !ok || text(s, "interpolation") == "STEP" {
			return Done{}, false
		}
		times, _ := d.accessor(ref(s, "input"))
		values, _ := d.accessor(ref(s, "output"))
		axis, _ := axisOf(values)
		k, widest := 1, 0.0
		for i := 1; i < len(times); i++ {
			if gap := times[i] - times[i-1]; gap > widest {
				k, widest = i, gap
			}
		}
		at := (times[k-1] + times[k]) / 2
		fresh := make([]float64, 4)
		setQuat(fresh, quat(at1(times, values, "LINEAR", true, at)).Mul(angled(30, axis)))
		s["input"] = float64(d.put(slices.Insert(times, k, at), "SCALAR"))
		s["output"] = float64(d.put(slices.Insert(values, 4*k, fresh...), "VEC4"))
		return Done{Subjects: d.namedAnimation(a, node)}, true
	}},
	{Name: "animation copied", Targets: first((*Doc).animationNumbers), Apply: func(d *Doc, a int) (Done, bool) {
		o := clone(d.one("animations", a))
		delete(o, "extras")
		names := []string{text(o, "name"), "Copied"}
		o["name"] = "Copied"
		d.add("animations", o)
		return Done{Subjects: names, Appears: []string{"Copied"}}, true
	}},
	{Name: "morph target edited", Targets: first((*Doc).shapes), Motion: true, Apply: func(d *Doc, i int) (Done, bool) {
		done := false
		by := 0.05 * d.size() / max(scaleOf(d.worlds(d.locals())[i]), 1e-9)
		for _, p := range objects(d.ownMesh(i)["primitives"]) {
			if list := objects(p["targets"]); len(list) > 0 {
				done = d.change(list[len(list)/2], "POSITION", func(v []float64, _ int) {
					for k := 1; k < len(v); k += 3 {
						v[k] += by
					}
				}) || done
			}
		}
		return Done{Subjects: d.named(i)}, done
	}},
	{Name: "morph key changed", Targets: first((*Doc).animationNumbers), Motion: true, Apply: func(d *Doc, a int) (Done, bool) {
		s, node, ok := d.channel(a, "weights", 2)
		if !ok {
			return Done{}, false
		}
		d.change(s, "output", func(v []float64, _ int) {
			for k := len(v) / 2; k < len(v); k++ {
				v[k] *= 0.5
			}
		})
		return Done{Subjects: d.namedAnimation(a, node)}, true
	}},
	{Name: "cubic tangents, equal keys", Targets: (*Doc).animationNumbers, Motion: true, Apply: func(d *Doc, a int) (Done, bool) {
		for _, path := range []string{"rotation", "translation", "weights"} {
			s, node, ok := d.channel(a, path, 2)
			if !ok || text(s, "interpolation") == "STEP" {
				continue
			}
			times, _ := d.accessor(ref(s, "input"))
			values, w := d.accessor(ref(s, "output"))
			if path == "weights" {
				w = len(values) / len(times)
			}
			var out []float64
			for k := range times {
				flat := make([]float64, w) // it starts and stops at every key
				out = append(append(append(out, flat...), values[k*w:(k+1)*w]...), flat...)
			}
			s["output"], s["interpolation"] = float64(d.put(out, text(d.one("accessors", ref(s, "output")), "type"))), "CUBICSPLINE"
			return Done{Subjects: append(d.namedAnimation(a, node), "CUBICSPLINE", "cubic")}, true
		}
		return Done{}, false
	}},
	{Name: "rest of an animated node turned", Targets: first(func(d *Doc) (list []int) {
		for i := range d.nodes() {
			if d.animated(i) && d.nodes()[i]["matrix"] == nil {
				list = append(list, i)
			}
		}
		return list
	}), Apply: func(d *Doc, i int) (Done, bool) {
		d.follow[i] = d.worlds(d.locals())[i]
		x := restOf(d.nodes()[i])
		x.r = x.r.Mul(angled(30, mgl64.Vec3{0, 0, 1}))
		setRest(d.nodes()[i], x)
		return Done{Subjects: d.named(i)}, true
	}},
	{Name: "animation renamed", Targets: first((*Doc).animationNumbers), Apply: func(d *Doc, a int) (Done, bool) {
		o := d.one("animations", a)
		names := []string{text(o, "name"), "Renamed"}
		o["name"] = "Renamed"
		return Done{Subjects: names, Appears: []string{"Renamed"}}, true
	}},
	{Name: "animation deleted", Targets: first((*Doc).animationNumbers), Apply: func(d *Doc, a int) (Done, bool) {
		names := []string{text(d.one("animations", a), "name")}
		list := slices.Delete(d.JSON["animations"].([]any), a, a+1)
		if d.JSON["animations"] = list; len(list) == 0 {
			delete(d.JSON, "animations")
		}
		return Done{Subjects: names, Gone: names}, true
	}},
	{Name: "animation added to a part", Targets: (*Doc).turning, Motion: true, Apply: func(d *Doc, i int) (Done, bool) {
		r := restOf(d.nodes()[i]).r
		if d.nodes()[i]["matrix"] != nil {
			return Done{}, false
		}
		d.addAnimation("Sway", i, []float64{0, 0.5, 1}, []mgl64.Quat{r, r.Mul(angled(25, mgl64.Vec3{0, 1, 0})), r})
		return Done{Subjects: append(d.named(i), "Sway", "animation", "animations")}, true
	}},
	{Name: "animation of the root, which is turned", Targets: (*Doc).mainRoots, Motion: true, Apply: func(d *Doc, i int) (Done, bool) {
		n := d.nodes()[i]
		if n["matrix"] != nil || d.animated(i) {
			return Done{}, false
		}
		d.moveNode(i, still, angled(30, mgl64.Vec3{0, 1, 0}), unscale)
		r := restOf(n).r
		d.addAnimation("Turn", i, []float64{0, 0.5, 1}, []mgl64.Quat{r, r.Mul(angled(45, mgl64.Vec3{0, 1, 0})), r})
		return Done{Subjects: append(d.named(i), "Turn", "animation", "animations")}, true
	}},
	{Name: "keys 179° apart", Targets: (*Doc).turning, Motion: true, Apply: func(d *Doc, i int) (Done, bool) {
		r := restOf(d.nodes()[i]).r
		if d.nodes()[i]["matrix"] != nil {
			return Done{}, false
		}
		y := mgl64.Vec3{0, 1, 0} // 180° would leave the way to the rounding of whoever plays it
		d.addAnimation("Half turns", i, []float64{0, 0.5, 1, 1.5}, []mgl64.Quat{r, r.Mul(angled(179, y)), r.Mul(angled(358, y)), r.Mul(angled(179, y))})
		return Done{Subjects: append(d.named(i), "Half turns", "animation", "animations")}, true
	}},
	{Name: "resampled at 24 fps", Exact: true, Accept: true, Motion: true, Apply: resample(24)},
	{Name: "resampled at 30 fps", Exact: true, Accept: true, Motion: true, Apply: resample(30)},
	{Name: "resampled at 60 fps", Exact: true, Accept: true, Motion: true, Apply: resample(60)},
	{Name: "constant channels for every node", Exact: true, Accept: true, Motion: true, Apply: func(d *Doc, _ int) (Done, bool) {
		done := false
		shown := d.shown()
		for _, a := range d.all("animations") {
			has := map[[2]any]bool{}
			for _, c := range objects(a["channels"]) {
				t := sub(c, "target")
				has[[2]any{ref(t, "node"), text(t, "path")}] = true
			}
			times := d.put([]float64{0, d.duration(a)}, "SCALAR")
			if d.duration(a) == 0 {
				times = d.put([]float64{0}, "SCALAR")
			}
			for i, n := range d.nodes() {
				if n["matrix"] != nil || !shown[i] {
					continue
				}
				x := restOf(n)
				for _, c := range []struct {
					path, kind string
					v          []float64
				}{{"translation", "VEC3", x.t[:]}, {"rotation", "VEC4", []float64{x.r.V[0], x.r.V[1], x.r.V[2], x.r.W}}, {"scale", "VEC3", x.s[:]}} {
					if has[[2]any{i, c.path}] {
						continue
					}
					done = true
					v := c.v
					if d.duration(a) > 0 {
						v = slices.Concat(v, v)
					}
					samplers := a["samplers"].([]any)
					a["samplers"] = append(samplers, Object{"input": float64(times), "output": float64(d.put(v, c.kind))})
					a["channels"] = append(a["channels"].([]any), Object{"sampler": float64(len(samplers)), "target": Object{"node": float64(i), "path": c.path}})
				}
			}
		}
		return Done{Subjects: []string{"constant"}}, done
	}},
}
