package edits

import (
	"fmt"
	"math"
	"slices"
)

// clips sees all channels of animations that move something.
func clips(d *Doc) (list []string) {
	for _, a := range d.all("animations") {
		for _, c := range objects(a["channels"]) {
			s := objects(a["samplers"])[ref(c, "sampler")]
			if !d.changes(s) {
				continue // it says where something is, and no motion
			}
			list = append(list, text(a, "name")+": "+text(sub(c, "target"), "path")+" "+cmpOr(text(s, "interpolation"), "LINEAR"))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Channels returns how many channels all animations have.
func (d *Doc) Channels() (n int) {
	for _, a := range d.all("animations") {
		n += len(objects(a["channels"]))
	}
	return n
}

// channels changes the channels of an animation that have a path.
func channels(path string, edit func(s Object)) func(d *Doc, a int) bool {
	return func(d *Doc, a int) bool {
		o, done := d.one("animations", a), false
		for _, c := range objects(o["channels"]) {
			if s := objects(o["samplers"])[ref(c, "sampler")]; text(sub(c, "target"), "path") == path && d.changes(s) {
				edit(s)
				done = true
			}
		}
		return done
	}
}

// changes reports whether the keys of a sampler differ from one another.
func (d *Doc) changes(s Object) bool {
	v, width := d.accessor(ref(s, "output"))
	times, _ := d.accessor(ref(s, "input"))
	width *= len(v) / width / max(len(times), 1)
	for i := range v {
		if math.Abs(v[i]-v[i%width]) > 1e-3 {
			return true
		}
	}
	return false
}

func step(s Object)   { s["interpolation"] = "STEP" }
func linear(s Object) { delete(s, "interpolation") }

// moved adds an animation of a node that shows something.
func moved(path string, kind string, keys ...float64) Fact {
	return Fact{Name: "animation of " + path, Of: "Paths", Topic: "animation|sequence|clip|motion|key", Targets: (*Doc).seen,
		Apply: func(d *Doc, i int) bool {
			d.add("animations", Object{"name": "fresh",
				"samplers": []any{Object{"input": float64(d.put([]float64{0, 1}, "SCALAR")), "output": float64(d.put(keys, kind))}},
				"channels": []any{Object{"sampler": 0.0, "target": Object{"node": float64(i), "path": path}}}})
			return true
		}, See: clips}
}

var motionFacts = []Fact{
	moved("translation", "VEC3", 0, 0, 0, 0, 5, 0), moved("rotation", "VEC4", 0, 0, 0, 1, 0, 1, 0, 0), moved("scale", "VEC3", 1, 1, 1, 2, 2, 2),
	{Name: "animation removed", Of: "Animations", Topic: "animation|sequence|clip|motion", Targets: (*Doc).animationNumbers,
		Apply: func(d *Doc, a int) bool {
			list, _ := d.JSON["animations"].([]any)
			if d.JSON["animations"] = slices.Delete(list, a, a+1); len(list) == 1 {
				delete(d.JSON, "animations")
			}
			return true
		}, See: clips},
	{Name: "steps of moving", Of: "Paths", Topic: "step|animation|key", Targets: (*Doc).animationNumbers, Apply: channels("translation", step), See: clips},
	{Name: "steps of blending", Of: "Paths", Topic: "step|morph|blend|animation", Targets: (*Doc).animationNumbers, Apply: channels("weights", step), See: clips},
	{Name: "lines of blending", Of: "Paths", Topic: "step|morph|blend|animation", Targets: (*Doc).animationNumbers, Apply: channels("weights", linear), See: clips},
}

// property gives objects of a list a custom property.
func property(list string, targets func(d *Doc) []int) Fact {
	return Fact{Name: "custom property of " + list, Of: "Properties", Topic: "custom propert", Targets: targets,
		Apply: func(d *Doc, i int) bool {
			o := d.scene()
			if list == "meshes" {
				o = d.ownMesh(i)
			} else if list != "scenes" {
				o = d.one(list, i)
			}
			makeSub(o, "extras")["my_prop"] = 42.0
			return true
		},
		See: func(d *Doc) (out []string) {
			for i, o := range d.all(list) {
				out = append(out, fmt.Sprintf("%d: %v", i, sub(o, "extras")["my_prop"]))
			}
			return bare(out)
		}}
}

var nodeFacts = []Fact{
	property("nodes", (*Doc).shapes), property("meshes", (*Doc).shapes), property("materials", (*Doc).worn),
	property("animations", (*Doc).animationNumbers), property("scenes", func(*Doc) []int { return []int{0} }),
	{Name: "light added", Of: "Lights", Topic: "light", Targets: (*Doc).roots,
		Apply: func(d *Doc, _ int) bool {
			k := d.addLight(Object{"name": "Lamp", "type": "point", "color": []any{1.0, 0.5, 0.25}, "intensity": 40.0, "range": 10.0})
			d.addPlain("Lamp", Object{"extensions": Object{punctual: Object{"light": float64(k)}}})
			return true
		},
		See: func(d *Doc) []string { return []string{fmt.Sprint(len(d.lights()))} }},
	{Name: "camera added", Of: "Cameras", Topic: "camera", Targets: (*Doc).roots,
		Apply: func(d *Doc, _ int) bool {
			k := d.add("cameras", Object{"name": "View", "type": "perspective", "perspective": Object{"yfov": 0.8, "znear": 0.1, "zfar": 100.0}})
			d.addPlain("View", Object{"camera": float64(k)})
			return true
		},
		See: func(d *Doc) []string { return []string{fmt.Sprint(len(d.cameras()))} }},
	{Name: "screen coverage", Of: "Coverage", Topic: "coverage", Targets: (*Doc).withLevels,
		Apply: func(d *Doc, i int) bool {
			n := d.nodes()[i]
			list := []any{0.75}
			for range ints(sub(n, "extensions", "MSFT_lod")["ids"]) {
				list = append(list, 0.1)
			}
			makeSub(n, "extras")["MSFT_screencoverage"] = list
			return true
		},
		See: func(d *Doc) (out []string) {
			for _, i := range d.withLevels() {
				out = append(out, text(d.nodes()[i], "name")+": "+seen(sub(d.nodes()[i], "extras")["MSFT_screencoverage"]))
			}
			return out
		}},
}

// withLevels returns the nodes that have lower levels of detail.
func (d *Doc) withLevels() []int {
	return d.having(func(n Object) bool { return len(ints(sub(n, "extensions", "MSFT_lod")["ids"])) > 0 })
}
