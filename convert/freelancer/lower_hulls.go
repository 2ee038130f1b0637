package freelancer

import (
	"math"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	read "github.com/usher-assets/usher/read/freelancer"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// hullPart is a part of an edited model, as far as its hulls go.
type hullPart struct {
	name       string
	id         freelancer.Hash
	parent     *hullPart
	fixed      bool       // on its parent, by a joint of kind Fix
	still      bool       // its place on its parent and its joint are as they were when the hulls were stored
	rejoined   bool       // its joint is of another kind
	place      mgl64.Mat4 // in the frame of its parent
	stored     int        // part of the stored file, −1 for none
	hulls      []partHull
	hardpoints map[string]bool // that the part has
}

func newHullPart(name string) *hullPart {
	return &hullPart{name: name, stored: -1, place: mgl64.Ident4(), hardpoints: map[string]bool{}}
}

// partHull is a hull as the scene shows it, in the frame of its part.
type partHull struct {
	name      string
	id        freelancer.Hash
	hardpoint bool
	stored    int // hull of the stored part, −1 for a new one
	triangles [][3][3]float32
}

// notFixed tells whether a part may move or is the root.
func (p *hullPart) notFixed() bool { return p.parent == nil || !p.fixed }

// hullEditor brings a collision file in line with the hulls of a scene. Parts that nobody touched stay as they are
// stored; a hull that hangs on a fixed part is a copy in those that it hangs on as well (reference freelancer-sur 4.3).
type hullEditor struct {
	d      *schema.Diagnostics
	old    *freelancer.Sur // nil for none
	stored []storedPart
	shown  map[[2]int]bool // hulls of the stored file that have a node of their own
	nodes  map[string]shownHull
	parts  []*hullPart                         // of the model, the root first, then those of the stored file that are none of its
	renew  map[freelancer.Hash]freelancer.Hash // ids of parts and hardpoints that have other names now
	bodies map[*hullPart][]body
}

// newHullEditor returns an editor of a stored file, which may be nil, whose hulls are shown by nodes.
func newHullEditor(d *schema.Diagnostics, old *freelancer.Sur, stored []storedPart, nodes []shownHull) *hullEditor {
	e := &hullEditor{d: d, old: old, stored: stored, shown: map[[2]int]bool{}, nodes: map[string]shownHull{}, renew: map[freelancer.Hash]freelancer.Hash{}}
	for _, x := range nodes {
		e.shown[[2]int{x.part, x.hull}] = true
		e.nodes[x.id] = x
	}
	return e
}

// name gives a part its id: that of the stored part, unless the part was renamed.
func (e *hullEditor) name(p *hullPart, same bool) {
	switch s := &e.stored[p.stored]; {
	case s.part == nil:
	case same:
		p.id = s.id
	case s.id != p.id:
		e.renew[s.id] = p.id
	}
}

// rename follows the new name of a hardpoint.
func (e *hullEditor) rename(was, now string) {
	from, to := freelancer.Hash(freelancer.FLCRC(was)), freelancer.Hash(freelancer.FLCRC(now))
	if from != to && slices.ContainsFunc(e.stored, func(s storedPart) bool { return slices.Contains(s.hardpoints, from) }) {
		e.renew[from] = to
	}
}

// stray adds a part of the stored file that is none of the model.
func (e *hullEditor) stray(i int) {
	if slices.ContainsFunc(e.parts, func(p *hullPart) bool { return p.stored == i }) {
		return
	}
	p := newHullPart("")
	p.id, p.stored, p.still = e.stored[i].id, i, true
	e.parts = append(e.parts, p)
}

// add gives a part the hull of a node, which hangs on a hardpoint or, where that is nil, on the part itself.
func (e *hullEditor) add(p *hullPart, n, hardpoint *asset.Node, place mgl64.Mat4, original bool) {
	h := partHull{name: n.Name, stored: -1, triangles: soup(n.Mesh, place)}
	if x, ok := e.nodes[idOf(n)]; ok && original {
		for _, q := range e.parts { // a stray part hangs on the root
			if q.stored == x.part && q.name == "" {
				p = q
			}
		}
		if p.stored == x.part {
			h.stored = x.hull
		}
	}
	h.id, h.hardpoint = e.identify(p, n, hardpoint)
	p.hulls = append(p.hulls, h)
}

// storedHash returns the id that a node of a hull remembers.
func storedHash(n *asset.Node) (freelancer.Hash, bool) {
	if n.Native == nil {
		return 0, false
	}
	text, _ := n.Native.Values["crc"].(string)
	return parseHash(text)
}

// identify returns the id of a hull, and whether it is that of a hardpoint.
func (e *hullEditor) identify(p *hullPart, n, hardpoint *asset.Node) (id freelancer.Hash, listed bool) {
	hash := func(name string) freelancer.Hash { return freelancer.Hash(freelancer.FLCRC(name)) }
	if hardpoint != nil {
		return hash(hardpoint.Name), true
	}
	name := hullName(n)
	if of, ok := n.Extras[hullOf].(string); ok {
		if id, known := storedHash(n); known {
			return e.renamed(id), p.stored >= 0 && slices.Contains(e.stored[p.stored].hardpoints, id)
		}
		for _, q := range e.parts {
			if q.hardpoints[name] && strings.EqualFold(q.name, of) {
				return hash(name), true
			}
		}
		return e.renamed(hash(of)), false
	}
	switch label, ok := parseHash(name); {
	case strings.EqualFold(name, p.name):
	case p.hardpoints[name], strings.EqualFold(name, freelancer.ShieldBubble):
		return hash(name), true
	case ok:
		return label, p.stored >= 0 && slices.Contains(e.stored[p.stored].hardpoints, label)
	}
	return p.id, false
}

// file returns the collision file; nil when there are no hulls.
func (e *hullEditor) file() (*freelancer.Sur, error) {
	if e.old != nil && e.untouched() {
		return e.old, nil
	}
	e.bodies = map[*hullPart][]body{}
	for _, p := range e.parts {
		e.bodies[p] = e.bodiesOf(p)
	}
	out := &freelancer.Sur{Version: freelancer.SurVersion}
	for _, p := range e.order() {
		x, err := e.part(p)
		if err != nil {
			return nil, schema.In(p.name, err)
		}
		if x != nil {
			out.Parts = append(out.Parts, x)
		}
	}
	if len(out.Parts) == 0 {
		return nil, nil
	}
	e.report(out)
	b, err := write.Sur(out)
	if err != nil {
		return nil, err
	}
	return read.Sur(b, nil) // what is written can be read
}

// untouched tells whether the stored file says all that the scene does.
func (e *hullEditor) untouched() bool {
	seen := map[int]bool{}
	for _, p := range e.parts {
		if p.stored >= 0 {
			seen[p.stored] = true
		}
		if !e.same(p) || p.stored >= 0 && p.id != e.stored[p.stored].id && e.stored[p.stored].part != nil {
			return false
		}
		if !p.still && (e.old.Old == nil || len(e.folded(p)) > 0) {
			return false
		}
	}
	return len(seen) == len(e.stored) && len(e.renew) == 0
}

// folded returns the parts that hold copies of a part's hulls: those that it hangs on by fixed joints alone.
func (e *hullEditor) folded(p *hullPart) (list []*hullPart) {
	for ; p.fixed && p.parent != nil; p = p.parent {
		list = append(list, p.parent)
	}
	return list
}

// same tells whether a part has exactly the hulls of its own that are stored.
func (e *hullEditor) same(p *hullPart) bool {
	count := 0
	for i := range p.hulls {
		h := &p.hulls[i]
		if h.stored < 0 || p.stored < 0 || !e.sameHull(p, h) {
			return false
		}
		count++
	}
	for at := range e.shown {
		if p.stored == at[0] {
			count--
		}
	}
	return count == 0
}

// sameHull compares a hull with the stored one by the corners of its triangles, up to what editors make of them.
func (e *hullEditor) sameHull(p *hullPart, h *partHull) bool {
	stored := e.stored[p.stored].hulls[h.stored].body()
	if len(stored.faces) < len(h.triangles) {
		return false
	}
	if e.stored[p.stored].part != nil && e.renamed(stored.id) != h.id { // the older layout has no ids
		return false
	}
	box := boxOf(stored.points)
	reach := 1e-5 * max(box.size(), box.center().Len())
	left := make([][3]mgl64.Vec3, len(stored.faces))
	for i := range stored.faces {
		left[i] = stored.corners(&stored.faces[i])
	}
	for i, t := range h.triangles { // mostly in the order of the file
		at := i
		if at >= len(left) || !sameTriangle(left[at], t, reach) {
			at = slices.IndexFunc(left, func(x [3]mgl64.Vec3) bool { return sameTriangle(x, t, reach) })
		}
		if at < 0 {
			return false
		}
		left[at] = [3]mgl64.Vec3{{math.NaN()}} // is no triangle's any more
	}
	for _, x := range left { // of two triangles that are back to back editors keep one
		if !math.IsNaN(x[0][0]) && !slices.ContainsFunc(h.triangles, func(t [3][3]float32) bool {
			return sameTriangle(x, [3][3]float32{t[0], t[2], t[1]}, reach)
		}) {
			return false
		}
	}
	return true
}

// renamed returns an id under the names that parts and hardpoints have now.
func (e *hullEditor) renamed(id freelancer.Hash) freelancer.Hash {
	if now, ok := e.renew[id]; ok {
		return now
	}
	return id
}

func sameTriangle(a [3]mgl64.Vec3, b [3][3]float32, reach float64) bool {
	for turn := range 3 {
		same := true
		for k := range 3 {
			same = same && a[k].Sub(vec(b[(k+turn)%3])).Len() <= reach
		}
		if same {
			return true
		}
	}
	return false
}
