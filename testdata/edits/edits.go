package edits

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
)

// Edit is something that people do to a model. Apply changes a document at one of its targets and returns false where
// there is nothing to change.
type Edit struct {
	Name    string
	Targets func(d *Doc) []int // nodes, materials or animations; nil for the whole document
	Apply   func(d *Doc, target int) (Done, bool)

	Exact   bool         // nothing was edited: the bytes must be the same, whatever the picture shows
	Normals bool         // normals of corners are compared as well
	Motion  bool         // places of animated nodes are compared as well
	Still   bool         // the picture stays as it is
	Strict  bool         // no message excuses that it does not
	Loose   bool         // wireframes may follow the vertices
	Rough   bool         // a program did it that samples animations at frames of its own
	Keeps   bool         // what was deleted may stay as it was
	Accept  bool         // it must not be refused
	Away    bool         // the GLB is converted away from the folder of the model: the pictures are its own
	Base    bool         // the original is at hand
	Drift   []Difference // what the program shows otherwise unasked at rest
	Drifts  []Drift      // and during animations, at each sample
	Spare   int          // triangles that the program leaves out unasked, and that may be there again
}

// Done says what an edit did.
type Done struct {
	Subjects []string    // what a message about the edit may name: nodes, meshes, materials, animations, words
	Appears  []string    // names that must be there afterwards
	Gone     []string    // animations that must not be there any more
	Under    [][2]string // nodes that must be below a node of another name afterwards
	Want     *Doc        // what must arrive, where that is not the edited document itself
}

// Visible reports whether an edit promises something that a picture does not show.
func (d Done) Visible() bool { return len(d.Appears)+len(d.Gone)+len(d.Under) > 0 }

// All is every edit, in the order of the table.
func All() []Edit {
	return slices.Concat(objectEdits, partEdits, placeEdits, levelEdits, surfaceEdits, materialEdits, motionEdits, skinEdits, lampEdits, shadingEdits, sceneEdits)
}

var (
	still   = mgl64.Vec3{}
	unturn  = mgl64.QuatIdent()
	unscale = mgl64.Vec3{1, 1, 1}
)

func angled(degrees float64, axis mgl64.Vec3) mgl64.Quat {
	return mgl64.QuatRotate(mgl64.DegToRad(degrees), axis.Normalize())
}

// move is how a node is edited as an object.
type move struct {
	name  string
	shift float64 // as share of the size of the model
	turn  mgl64.Quat
	scale mgl64.Vec3
}

var moves = []move{
	{"moved", 0.1, unturn, unscale},
	{"turned 90°", 0, angled(90, mgl64.Vec3{0, 1, 0}), unscale},
	{"scaled", 0, unturn, mgl64.Vec3{1.5, 1.5, 1.5}},
	{"scaled unevenly", 0, unturn, mgl64.Vec3{1.5, 1, 0.75}},
	{"mirrored", 0, unturn, mgl64.Vec3{-1, 1, 1}},
}

// shiftOf returns a shift in the space of a node's parent that is a share of the size of the model.
func (d *Doc) shiftOf(i int, share float64) mgl64.Vec3 {
	if share == 0 {
		return still
	}
	scale := 1.0
	if p := d.parents()[i]; p >= 0 {
		scale = scaleOf(d.worlds(d.locals())[p])
	}
	if scale < 1e-9 {
		scale = 1
	}
	return mgl64.Vec3{1, 0.5, -0.7}.Mul(share * d.size() / scale)
}

// size is the size of the model as it is shown.
func (d *Doc) size() float64 {
	w := &drawing{Doc: d, cache: map[int][]float64{}, out: &Picture{Names: map[string]bool{}, Above: map[string][]string{}}}
	w.poses = []pose{w.pose(nil, 0)}
	shown := d.shown()
	for i, role := range d.roles() {
		if shown[i] && (role == Shape || role == Skinned) {
			w.mesh(&w.out.Shown, i)
		}
	}
	return w.size()
}

// named returns what a message about a node may call it: its name, that of its mesh, and those of the node above it.
func (d *Doc) named(i int) []string {
	n := d.nodes()[i]
	list := []string{text(n, "name")}
	if m := ref(n, "mesh"); m >= 0 {
		list = append(list, text(d.one("meshes", m), "name"))
	}
	for _, c := range ints(n["children"]) {
		if m := ref(d.nodes()[c], "mesh"); m >= 0 && d.roles()[i] == Part {
			list = append(list, text(d.nodes()[c], "name"))
		}
	}
	if p := d.parents()[i]; p >= 0 && d.roles()[p] == Part {
		list = append(list, text(d.nodes()[p], "name"))
	}
	return list
}

// withRole returns the nodes of the scene that have one of the roles.
func (d *Doc) withRole(wanted ...Role) (list []int) {
	shown := d.shown()
	for i, r := range d.roles() {
		if (shown[i] || r == Level) && slices.Contains(wanted, r) {
			list = append(list, i)
		}
	}
	return list
}

// roots returns the roots of the scene.
func (d *Doc) roots() []int { return ints(d.scene()["nodes"]) }

// isRoot reports whether a node stands at the top of the scene.
func (d *Doc) isRoot(i int) bool { return slices.Contains(d.roots(), i) }

// parts returns the nodes that people take for parts: those that carry the native part, limb or bone with its shapes,
// and shapes that stand for themselves. The root is none, unless there is nothing else.
func (d *Doc) parts() (list []int) {
	parents, roles := d.parents(), d.roles()
	for _, i := range d.withRole(Part, Shape) {
		if d.isRoot(i) {
			continue
		}
		if roles[i] == Part && !slices.ContainsFunc(ints(d.nodes()[i]["children"]), func(c int) bool { return roles[c] == Shape }) {
			continue
		}
		if roles[i] == Shape && parents[i] >= 0 && roles[parents[i]] == Part {
			continue // it is what is seen of its part
		}
		list = append(list, i)
	}
	return list
}

// shapesOfParts returns the shapes that are seen of a part whose native node is the one above.
func (d *Doc) shapesOfParts() (list []int) {
	parents, roles := d.parents(), d.roles()
	for _, i := range d.withRole(Shape) {
		if p := parents[i]; p >= 0 && roles[p] == Part {
			list = append(list, i)
		}
	}
	return list
}

func (d *Doc) joints() []int { return d.withRole(Joint) }

// first returns the first target.
func first(f func(d *Doc) []int) func(d *Doc) []int {
	return func(d *Doc) []int {
		if list := f(d); len(list) > 0 {
			return list[:1]
		}
		return nil
	}
}

// each makes edits of all moves of nodes of one kind.
func each(what string, targets func(d *Doc) []int) (list []Edit) {
	for _, m := range moves {
		list = append(list, Edit{Name: what + " " + m.name, Targets: targets, Apply: func(d *Doc, i int) (Done, bool) {
			d.moveNode(i, d.shiftOf(i, m.shift), m.turn, m.scale)
			return Done{Subjects: d.named(i)}, true
		}})
	}
	return list
}

// above puts a node above all roots of the scene.
func above(name string, t mgl64.Vec3, r mgl64.Quat, s float64) Edit {
	return Edit{Name: "an Empty above the root " + name, Still: t == still && r == unturn && s == 1, Strict: t == still && r == unturn && s == 1, Accept: t == still && r == unturn && s == 1, Apply: func(d *Doc, _ int) (Done, bool) {
		d.empty(d.roots(), t, r, s)
		return Done{Subjects: []string{"Empty"}}, true
	}}
}

// empty puts a node above others, which are roots.
func (d *Doc) empty(below []int, t mgl64.Vec3, r mgl64.Quat, s float64) int {
	if len(below) == 0 {
		return -1
	}
	n := Object{"name": "Empty", "children": anys(below)}
	setRest(n, trs{t, r, mgl64.Vec3{s, s, s}})
	i := d.add("nodes", n)
	scene := d.scene()
	left := []int{i}
	for _, k := range d.roots() {
		if !slices.Contains(below, k) {
			left = append(left, k)
		}
	}
	scene["nodes"] = anys(left)
	return i
}

// mainRoots returns the first root whose place means something.
func (d *Doc) mainRoots() []int {
	roles := d.roles()
	var list []int
	for _, i := range d.roots() {
		if roles[i] != Skinned { // its place means nothing
			list = append(list, i)
		}
	}
	return list[:min(1, len(list))]
}

var objectEdits = slices.Concat(
	each("root", (*Doc).mainRoots),
	[]Edit{
		above("as it is", still, unturn, 1),
		above("moved", mgl64.Vec3{1, 2, 3}, unturn, 1),
		above("×2", still, unturn, 2),
		above("turned", still, angled(90, mgl64.Vec3{1, 0, 0}), 1),
	},
	each("part", (*Doc).parts),
	each("shape of a part", (*Doc).shapesOfParts),
	each("joint", (*Doc).joints),
)

// worldTo gives a node a place in the world below another parent.
func (d *Doc) worldTo(i int, world mgl64.Mat4, parent int) {
	m := world
	if parent >= 0 {
		m = d.worlds(d.locals())[parent].Inv().Mul4(world)
	}
	n := d.nodes()[i]
	for _, k := range []string{"translation", "rotation", "scale"} {
		delete(n, k)
	}
	n["matrix"] = anys(m[:])
	if x, ok := decompose(m); ok {
		setRest(n, x)
	}
}

// decompose takes a matrix apart; it is not ok for one that shears.
func decompose(m mgl64.Mat4) (trs, bool) {
	x := trs{t: m.Col(3).Vec3()}
	r := m.Mat3()
	for k := range 3 {
		x.s[k] = r.Col(k).Len()
	}
	if r.Det() < 0 {
		x.s[0] = -x.s[0]
	}
	for k := range 3 {
		if math.Abs(x.s[k]) < 1e-12 {
			return x, false
		}
		r.SetCol(k, r.Col(k).Mul(1/x.s[k]))
	}
	x.r = mgl64.Mat4ToQuat(r.Mat4()).Normalize()
	return x, x.matrix().Sub(m).Mat3().Abs().Det() < 1e-3 && closeTo(x.matrix(), m)
}

func closeTo(a, b mgl64.Mat4) bool {
	size := 0.0
	for k := range a {
		size = max(size, math.Abs(b[k]))
	}
	for k := range a {
		if math.Abs(a[k]-b[k]) > 1e-5*size {
			return false
		}
	}
	return true
}

// hang puts a node below another, or at the root for −1.
func (d *Doc) hang(i, parent int) {
	nodes := d.nodes()
	drop := func(o Object, key string) {
		if list := ints(o[key]); slices.Contains(list, i) {
			list = slices.DeleteFunc(list, func(k int) bool { return k == i })
			if o[key] = anys(list); len(list) == 0 {
				delete(o, key)
			}
		}
	}
	for _, n := range nodes {
		drop(n, "children")
	}
	scene := d.scene()
	drop(scene, "nodes")
	o, key := scene, "nodes"
	if parent >= 0 {
		o, key = nodes[parent], "children"
	}
	o[key] = anys(append(ints(o[key]), i))
}
