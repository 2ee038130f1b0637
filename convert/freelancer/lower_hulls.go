package freelancer

import (
	"fmt"
	"maps"
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

// bodiesOf returns the bodies of a part's own hulls. One that nobody touched is the stored one.
func (e *hullEditor) bodiesOf(p *hullPart) (list []body) {
	for i := range p.hulls {
		h := &p.hulls[i]
		if h.stored >= 0 && p.stored >= 0 && e.sameHull(p, h) {
			b := e.stored[p.stored].hulls[h.stored].body()
			b.id = h.id
			list = append(list, b)
			continue
		}
		for _, b := range bodies(e.d, h.name, h.triangles) {
			b.id = h.id
			list = append(list, b)
		}
	}
	return list
}

// order returns the parts as they are written: those of the stored file first, as they stand there, then the others,
// the root first.
func (e *hullEditor) order() []*hullPart {
	list := slices.Clone(e.parts)
	rank := func(p *hullPart) int {
		if p.stored >= 0 {
			return p.stored
		}
		return len(e.stored)
	}
	slices.SortStableFunc(list, func(a, b *hullPart) int { return rank(a) - rank(b) })
	if len(e.parts) > 0 && e.parts[0].stored < 0 {
		list = slices.DeleteFunc(list, func(p *hullPart) bool { return p == e.parts[0] })
		list = append([]*hullPart{e.parts[0]}, list...)
	}
	return list
}

// part returns a part of the file: the stored one where nothing in it changed, else one made anew; nil when it has no
// hulls.
func (e *hullEditor) part(p *hullPart) (*freelancer.SurPart, error) {
	var was *freelancer.SurPart
	if p.stored >= 0 {
		was = e.stored[p.stored].part
	}
	guests, changed := e.guests(p)
	if was != nil && e.same(p) && !changed {
		out := e.readdressed(was)
		if p.rejoined && out.NotFixed != p.notFixed() && out.Order == nil {
			now := *out
			now.NotFixed = p.notFixed()
			now.Chunks = uint32(len(now.UsualOrder()))
			return &now, nil
		}
		return out, nil
	}
	list := append(slices.Clone(e.bodies[p]), guests...)
	if len(list) == 0 {
		return nil, nil
	}
	out := &freelancer.SurPart{ID: p.id, NotFixed: p.notFixed()}
	listed := e.hardpointsOf(p)
	var old *freelancer.Surface
	if was != nil {
		old = was.Surface
		if !p.rejoined {
			out.NotFixed = was.NotFixed
		}
		for _, id := range was.Hardpoints { // equipment without a hull is listed too
			if id = e.renamed(id); !e.gone(p, id) {
				listed[id] = true
			}
		}
	}
	out.Hardpoints = slices.Sorted(maps.Keys(listed))
	if len(out.Hardpoints) == 0 {
		out.Hardpoints = nil
	}
	box, all := emptyBox(), emptyBox()
	for i := range list {
		for _, v := range list[i].points {
			all.add(vec(v))
			if !listed[list[i].id] {
				box.add(vec(v))
			}
		}
	}
	if box.empty() {
		box = all
	}
	out.Min, out.Max = unvec(box.lo), unvec(box.hi)
	var err error
	if out.Surface, err = newSurface(list, old); err != nil {
		return nil, err
	}
	out.Chunks = uint32(len(out.UsualOrder()))
	return out, nil
}

// hardpointsOf returns the hardpoints whose hulls a part holds.
func (e *hullEditor) hardpointsOf(p *hullPart) map[freelancer.Hash]bool {
	listed := map[freelancer.Hash]bool{}
	for _, q := range e.parts {
		if q != p && !slices.Contains(e.folded(q), p) {
			continue
		}
		for _, h := range q.hulls {
			if h.hardpoint {
				listed[h.id] = true
			}
		}
	}
	return listed
}

// gone tells whether a hardpoint that a stored part lists had a hull there, and has none any more.
func (e *hullEditor) gone(p *hullPart, id freelancer.Hash) bool {
	for from, to := range e.renew {
		if to == id {
			return e.stored[p.stored].count(from) > 0
		}
	}
	return e.stored[p.stored].count(id) > 0
}

// guests returns the copies of other parts' hulls that a part holds, and tells whether they are others than the stored
// ones. Copies of what nobody touched stay.
func (e *hullEditor) guests(p *hullPart) (list []body, changed bool) {
	kept := map[freelancer.Hash]bool{} // ids of copies that are made anew, or not at all
	for _, q := range e.parts {
		if q == p {
			continue
		}
		by, still, folds := mgl64.Ident4(), true, false
		for x := q; x != nil; x = x.parent {
			if x == p {
				folds = true
				break
			}
			by, still = x.place.Mul4(by), still && x.still
			if !x.fixed {
				break
			}
		}
		if p.stored >= 0 && still && e.same(q) {
			continue
		}
		ids := e.idsOf(q)
		had := p.stored >= 0 && slices.ContainsFunc(e.stored[p.stored].hulls, func(h storedHull) bool {
			return h.hull.Kind == freelancer.TerminalHull && ids[e.renamed(h.hull.ID)] && e.renamed(h.hull.ID) != p.id
		})
		if !folds && !(had && hangsOn(q, p)) {
			continue
		}
		for id := range ids {
			kept[id] = true
		}
		changed = changed || had
		if !folds {
			continue
		}
		for _, b := range e.bodies[q] {
			list = append(list, moved4(b, by))
			changed = true
		}
	}
	if p.stored < 0 {
		return list, changed
	}
	s := &e.stored[p.stored]
	for k := range s.hulls {
		h := &s.hulls[k]
		id := e.renamed(h.hull.ID)
		if h.hull.Kind != freelancer.TerminalHull || e.shown[[2]int{p.stored, k}] {
			continue
		}
		if kept[id] || e.orphan(h.hull.ID) {
			changed = true
			continue
		}
		b := h.body()
		b.id = id
		list = append(list, b)
	}
	return list, changed
}

// hangsOn tells whether a part hangs on another, at whatever distance.
func hangsOn(p, other *hullPart) bool {
	for p = p.parent; p != nil; p = p.parent {
		if p == other {
			return true
		}
	}
	return false
}

// idsOf returns the ids under which a part's hulls are stored or shown.
func (e *hullEditor) idsOf(p *hullPart) map[freelancer.Hash]bool {
	ids := map[freelancer.Hash]bool{p.id: true}
	for _, h := range p.hulls {
		ids[h.id] = true
	}
	if p.stored >= 0 {
		for _, id := range e.stored[p.stored].hardpoints {
			if e.stored[p.stored].count(id) > 0 {
				ids[e.renamed(id)] = true
			}
		}
	}
	return ids
}

// orphan tells whether an id is that of a stored part that is not in the scene any more.
func (e *hullEditor) orphan(id freelancer.Hash) bool {
	for i := range e.stored {
		taken := slices.ContainsFunc(e.parts, func(p *hullPart) bool { return p.stored == i })
		if e.stored[i].id == id && !taken {
			return true
		}
	}
	return false
}

// moved4 returns a body in another frame.
func moved4(b body, by mgl64.Mat4) body {
	out := b
	out.points = make([][3]float32, len(b.points))
	for i, v := range b.points {
		out.points[i] = unvec(mgl64.TransformCoordinate(vec(v), by))
	}
	return out
}

// readdressed returns a stored part under the names that parts and hardpoints have now.
func (e *hullEditor) readdressed(p *freelancer.SurPart) *freelancer.SurPart {
	if len(e.renew) == 0 {
		return p
	}
	out := *p
	out.ID = e.renamed(p.ID)
	out.Hardpoints = slices.Clone(p.Hardpoints)
	for i, id := range out.Hardpoints {
		out.Hardpoints[i] = e.renamed(id)
	}
	if p.Surface == nil {
		return &out
	}
	s := *p.Surface
	s.Hulls, s.Points = slices.Clone(s.Hulls), slices.Clone(s.Points)
	for i := range s.Hulls {
		if s.Hulls[i].Kind == freelancer.TerminalHull {
			s.Hulls[i].ID = e.renamed(s.Hulls[i].ID)
		}
	}
	for i := range s.Points {
		s.Points[i].ID = e.renamed(s.Points[i].ID)
	}
	out.Surface = &s
	return &out
}

// report tells of what the game may have trouble with.
func (e *hullEditor) report(s *freelancer.Sur) {
	for _, p := range s.Parts {
		if p.Surface == nil {
			continue
		}
		for i, h := range p.Surface.Hulls {
			if h.Kind == freelancer.TerminalHull && len(h.Faces) > manyFaces {
				e.d.Warnf("hull-faces", p.ID.String(), "hull %d has %d faces: above %d the game may have trouble", i, len(h.Faces), manyFaces)
			}
		}
	}
	if len(e.parts) == 0 {
		return
	}
	var bare []string
	for _, p := range e.parts[1:] {
		if len(p.hulls) == 0 && p.name != "" {
			bare = append(bare, p.name)
		}
	}
	if root := e.parts[0]; !slices.ContainsFunc(s.Parts, func(p *freelancer.SurPart) bool { return p.ID == root.id }) {
		e.d.Warnf("hull-root", root.name, "the root has no hull, so that nothing hits it")
	}
	if len(bare) > 0 {
		more := ""
		if len(bare) > 5 {
			bare, more = bare[:5], fmt.Sprintf(" and %d more", len(bare)-5)
		}
		e.d.Notef("hull-parts", "", "parts without a hull: %s%s", strings.Join(bare, ", "), more)
	}
}
