package edits

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
)

const punctual = "KHR_lights_punctual"

// Look is what a light or a camera is, besides where: Same compares it within rounding.
type Look struct {
	Kind    string
	Color   [3]float64
	Numbers [3]float64 // intensity, angle; of a camera field of view
}

// Same reports whether two look alike: formats hold colours and intensities in bytes.
func (a Look) Same(b Look) bool {
	for k := range a.Color {
		if math.Abs(a.Color[k]-b.Color[k]) > 0.04 {
			return false
		}
	}
	for k, x := range a.Numbers {
		if math.Abs(x-b.Numbers[k]) > 0.03*math.Abs(x) {
			return false
		}
	}
	return a.Kind == b.Kind
}

// lightOf returns the light of a node, nil for none.
func (d *Doc) lightOf(n Object) Object {
	k := ref(sub(n, "extensions", punctual), "light")
	if list := objects(sub(d.JSON, "extensions", punctual)["lights"]); k >= 0 && k < len(list) {
		return list[k]
	}
	return nil
}

// look returns what the light or the camera of a node is.
func (d *Doc) look(n Object) (x Look, ok bool) {
	if o := d.lightOf(n); o != nil {
		x = Look{Kind: text(o, "type"), Color: [3]float64{1, 1, 1}, Numbers: [3]float64{number(o, "intensity", 1)}}
		if c := numbers(o["color"]); len(c) == 3 {
			copy(x.Color[:], c)
		}
		if x.Kind == "spot" {
			x.Numbers[1] = number(sub(o, "spot"), "outerConeAngle", math.Pi/4)
		}
		return x, true
	}
	if k := ref(n, "camera"); k >= 0 {
		o := d.one("cameras", k)
		return Look{Kind: text(o, "type"), Numbers: [3]float64{number(sub(o, "perspective"), "yfov", 0)}}, true
	}
	return Look{}, false
}

// having returns the nodes of the scene that fulfil a condition.
func (d *Doc) having(is func(n Object) bool) (list []int) {
	shown := d.shown()
	for i, n := range d.nodes() {
		if shown[i] && is(n) {
			list = append(list, i)
		}
	}
	return list
}

func (d *Doc) lights() []int {
	return d.having(func(n Object) bool { return d.lightOf(n) != nil })
}

func (d *Doc) cameras() []int {
	return d.having(func(n Object) bool { return ref(n, "camera") >= 0 })
}

// ownLight gives a node a light that no other node has, and returns it.
func (d *Doc) ownLight(n Object) Object {
	o := clone(d.lightOf(n))
	sub(n, "extensions", punctual)["light"] = float64(d.addLight(o))
	return o
}

func (d *Doc) addLight(o Object) int {
	all := makeSub(d.JSON, "extensions", punctual)
	list, _ := all["lights"].([]any)
	all["lights"] = append(list, o)
	used, _ := d.JSON["extensionsUsed"].([]any)
	if !slices.Contains(used, any(punctual)) {
		d.JSON["extensionsUsed"] = append(used, punctual)
	}
	return len(list)
}

// changeLight edits the light of a node.
func changeLight(edit func(o Object)) func(d *Doc, i int) (Done, bool) {
	return func(d *Doc, i int) (Done, bool) {
		o := d.ownLight(d.nodes()[i])
		edit(o)
		return Done{Subjects: append(d.named(i), text(o, "name"))}, true
	}
}

// addPlain adds a node without a shape beside the model, at the top of the scene.
func (d *Doc) addPlain(name string, n Object) Done {
	t := mgl64.Vec3{0.6, 0.5, -0.7}.Mul(d.size())
	n["name"], n["translation"] = name, anys(t[:])
	d.hang(d.add("nodes", n), -1)
	return Done{Subjects: []string{name}}
}

var lampEdits = []Edit{
	{Name: "light added", Apply: func(d *Doc, _ int) (Done, bool) {
		k := d.addLight(Object{"name": "Lamp", "type": "point", "color": []any{1.0, 0.5, 0.25}, "intensity": 40.0, "range": 10.0})
		return d.addPlain("Lamp", Object{"extensions": Object{punctual: Object{"light": float64(k)}}}), true
	}},
	{Name: "empty node added", Apply: func(d *Doc, _ int) (Done, bool) {
		done := d.addPlain("Nowhere", Object{})
		done.Appears = done.Subjects
		return done, true
	}},
	{Name: "empty node added below a shape", Targets: first((*Doc).seen), Apply: func(d *Doc, i int) (Done, bool) {
		done := d.addPlain("Nowhere", Object{})
		d.hang(len(d.nodes())-1, i)
		done.Appears = done.Subjects
		return done, true
	}},
	{Name: "light moved", Targets: (*Doc).lights, Apply: func(d *Doc, i int) (Done, bool) {
		d.moveNode(i, d.shiftOf(i, 0.1), unturn, unscale)
		return Done{Subjects: d.named(i)}, true
	}},
	{Name: "light recoloured", Targets: (*Doc).lights, Apply: changeLight(func(o Object) { o["color"] = []any{0.2, 1.0, 0.2} })},
	{Name: "light dimmed", Targets: (*Doc).lights, Apply: changeLight(func(o Object) { o["intensity"] = 0.5 * number(o, "intensity", 1) })},
	{Name: "light copied", Targets: first((*Doc).lights), Apply: func(d *Doc, i int) (Done, bool) {
		n := clone(d.nodes()[i])
		n["name"] = text(n, "name") + ".001"
		delete(n, "children")
		k := d.add("nodes", n)
		d.hang(k, d.parents()[i])
		d.moveNode(k, d.shiftOf(k, 0.1), unturn, unscale)
		return Done{Subjects: append(d.named(i), text(n, "name"))}, true
	}},
	{Name: "light deleted", Targets: (*Doc).lights, Apply: func(d *Doc, i int) (Done, bool) {
		if len(d.below(i)) > 1 {
			return Done{}, false
		}
		names, want, gone := d.named(i), d.copy(), map[int]bool{i: true}
		if p := d.parents()[i]; p >= 0 && d.roles()[p] == Point && len(d.below(p)) == 2 { // nothing of its actor shows without it
			gone[p] = true
			names = append(names, text(d.nodes()[p], "name"))
		}
		want.removeNodes(gone)
		d.removeNodes(map[int]bool{i: true})
		return Done{Subjects: names, Want: want}, true
	}},
	{Name: "camera added", Apply: func(d *Doc, _ int) (Done, bool) {
		k := d.add("cameras", Object{"name": "View", "type": "perspective", "perspective": Object{"yfov": 0.8, "znear": 0.1, "zfar": 100.0}})
		return d.addPlain("View", Object{"camera": float64(k)}), true
	}},
	{Name: "camera's field of view changed", Targets: (*Doc).cameras, Apply: func(d *Doc, i int) (Done, bool) {
		n := d.nodes()[i]
		o := clone(d.one("cameras", ref(n, "camera")))
		p := sub(o, "perspective")
		if p == nil {
			return Done{}, false
		}
		p["yfov"] = 0.8 * number(p, "yfov", 1)
		n["camera"] = float64(d.add("cameras", o))
		return Done{Subjects: append(d.named(i), text(o, "name"))}, true
	}},
	{Name: "camera deleted", Targets: (*Doc).cameras, Apply: func(d *Doc, i int) (Done, bool) {
		if len(d.below(i)) > 1 || len(d.withRole(Shape, Skinned, Point)) < 2 {
			return Done{}, false
		}
		names := d.named(i)
		d.removeNodes(map[int]bool{i: true})
		return Done{Subjects: names}, true
	}},
}
