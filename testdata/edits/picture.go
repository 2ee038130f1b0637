package edits

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"
)

// Picture is what a person sees of a GLB: everything in the place where the scene has it, at rest and at some times of
// its animations.
type Picture struct {
	Clips     []string // names of the animations of the samples
	Size      float64  // diagonal of the box around all that is shown
	Shown     []Triangle
	Levels    []Triangle // of lower levels of detail
	Wires     []Triangle // lines; their second corner comes twice
	Mounts    []Triangle // shapes that stand for places
	Points    []Place
	Lights    []Place
	Pivots    []Place             // of parts that the game moves
	Moves     []Place             // nodes that the animations move
	Movers    map[string][]string // names of the animated nodes that a node with a shape follows
	Materials []Material
	Names     map[string]bool     // of nodes, meshes, materials and animations
	Above     map[string][]string // names of the nodes above a node of that name
	Animated  []string            // names of animations
	Missing   []string            // animations that were asked for and are not there
}

// Triangle is one that is shown.
type Triangle struct {
	Node     string
	Material int
	Corners  [3]Corner
	HasUV    bool
	Line     bool // its last two corners are one
}

// Corner is a corner of a triangle in world space.
type Corner struct {
	At    []mgl64.Vec3 // at rest, then at each sample
	UV    [2]float64   // as the material's transform maps it
	Color [4]float64

	Normal mgl64.Vec3 // at rest, of any length; zero for none
}

// Place is a node without a shape.
type Place struct {
	Name string
	At   []mgl64.Mat4 // at rest, then at each sample
	Look Look         // of a light or a camera
}

// Material is how a surface looks.
type Material struct {
	Name  string
	Color [4]float64
	Alpha string
	Thumb []float64 // its base colour texture in 8 × 8 pixels; nil for none
}

// Sample is a time of an animation.
type Sample struct {
	Animation string
	Number    int // of the animation, where its name is gone
	Of        int // animations
	Time      float64
}

// Samples spreads times over the animations of a document: many for small models, fewer for large ones.
func (d *Doc) Samples() []Sample {
	anims := d.all("animations")
	corners := 1000
	for _, m := range d.all("meshes") {
		for _, p := range objects(m["primitives"]) {
			corners += d.count(p)
		}
	}
	const most = 12
	step := max(1, (len(anims)+most-1)/most)
	each := min(20, max(3, 1_500_000/corners/max(1, min(most, len(anims)))))
	var list []Sample
	for i := 0; i < len(anims); i += step {
		if d.still(anims[i]) {
			continue
		}
		end := d.duration(anims[i])
		for k := range each {
			list = append(list, Sample{text(anims[i], "name"), i, len(anims), end * float64(k) / float64(each-1)})
		}
	}
	return list
}

// still reports whether an animation moves nothing: some editors write such ones for every node.
func (d *Doc) still(a Object) bool {
	samplers := objects(a["samplers"])
	for _, c := range objects(a["channels"]) {
		t := sub(c, "target")
		if ref(t, "node") < 0 {
			continue
		}
		x := restOf(d.one("nodes", ref(t, "node")))
		rest := map[string][]float64{"translation": x.t[:], "rotation": {x.r.V[0], x.r.V[1], x.r.V[2], x.r.W}, "scale": x.s[:]}[text(t, "path")]
		values, _ := d.accessor(ref(samplers[ref(c, "sampler")], "output"))
		if rest == nil || text(samplers[ref(c, "sampler")], "interpolation") == "CUBICSPLINE" {
			return false
		}
		for k, v := range values {
			if math.Abs(v-rest[k%len(rest)]) > 1e-5*max(1, math.Abs(v)) {
				return false
			}
		}
	}
	return true
}

func (d *Doc) count(p Object) int {
	i := ref(p, "indices")
	if i < 0 {
		i = ref(sub(p, "attributes"), "POSITION")
	}
	if i < 0 {
		return 0
	}
	return int(number(d.one("accessors", i), "count", 0))
}

func (d *Doc) duration(a Object) (end float64) {
	for _, s := range objects(a["samplers"]) {
		if m := numbers(d.one("accessors", ref(s, "input"))["max"]); len(m) == 1 {
			end = max(end, m[0])
		}
	}
	return end
}

var copied = regexp.MustCompile(`\.\d{3}$`)

var numbered = regexp.MustCompile(`((\.\d+)?\$hull|\$wire)$`)

// plain returns a name without what editors append to copies.
func plain(name string) string { return copied.ReplaceAllString(name, "") }

// has reports whether a text names a thing, in whole words.
func has(s, name string) bool {
	if name == "" {
		return false
	}
	for at := 0; ; {
		i := strings.Index(s[at:], name)
		if i < 0 {
			return false
		}
		i += at
		end := i + len(name)
		letter := func(k int) bool {
			return k >= 0 && k < len(s) && (s[k] == '_' || s[k] >= '0' && s[k] <= '9' || s[k] >= 'a' && s[k] <= 'z' || s[k] >= 'A' && s[k] <= 'Z')
		}
		if !letter(i-1) && !letter(end) {
			return true
		}
		at = i + 1
	}
}

// Names reports whether a message names one of some things; of the lamp of an actor, the actor; of a hull or a wireframe, its part.
func Names(message string, things []string) bool {
	for _, name := range things {
		if has(message, name) || has(message, plain(name)) || has(message, strings.TrimSuffix(name, "_light")) || has(message, numbered.ReplaceAllString(plain(name), "")) {
			return true
		}
	}
	return false
}

// Absent says which names and places in the hierarchy that an edit promises a picture does not show.
func (d Done) Absent(got *Picture) (list []Difference) {
	for _, name := range d.Appears {
		if !got.Names[name] {
			list = append(list, Difference{What: "new name not there", Count: 1, Of: 1, Error: math.Inf(1), Names: []string{name}})
		}
	}
	for _, name := range d.Gone {
		if slices.Contains(got.Animated, name) {
			list = append(list, Difference{What: "animation still there", Count: 1, Of: 1, Error: math.Inf(1), Names: []string{name}})
		}
	}
	for _, u := range d.Under {
		if !slices.Contains(got.Above[u[0]], u[1]) {
			list = append(list, Difference{What: "not below its new parent", Count: 1, Of: 1, Error: math.Inf(1), Names: u[:]})
		}
	}
	return list
}

// Unit returns the length in the scene of one unit of the roots, or of the vertices of the largest mesh node: what a
// format rounds to that stores whole numbers.
func (d *Doc) Unit(ofRoots bool) (unit float64) {
	worlds := d.worlds(d.locals())
	list := d.withRole(Shape, Skinned)
	if ofRoots {
		list = d.roots()
	}
	for _, i := range list {
		m := worlds[i].Mat3()
		for k := range 3 {
			unit = max(unit, m.Col(k).Len())
		}
	}
	return unit
}

// Missing returns the names of things that only one of two documents has, or that stand otherwise: what a person edited.
func (d *Doc) Missing(edited *Doc) (list []string) {
	for _, key := range []string{"nodes", "meshes", "materials", "animations"} {
		old := map[string]Object{}
		for _, o := range d.all(key) {
			old[text(o, "name")] = o
		}
		for _, o := range edited.all(key) {
			name := text(o, "name")
			was, ok := old[name]
			if !ok || key == "nodes" && !closeTo(local(o), local(was)) {
				list = append(list, name)
			}
			delete(old, name)
		}
		for name := range old {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}
