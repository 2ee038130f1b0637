package freelancer

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/schema/freelancer"
)

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
