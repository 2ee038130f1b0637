package hull

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/freelancer"
)

// bodiesOf returns the bodies of a part's own hulls. For an unedited hull that is the stored body.
func (e *Editor) bodiesOf(p *Part) (list []Body) {
	for i := range p.Hulls {
		h := &p.Hulls[i]
		if h.Stored >= 0 && p.Stored >= 0 && e.sameHull(p, h) {
			b := e.Stored[p.Stored].Hulls[h.Stored].Body()
			b.ID = h.ID
			list = append(list, b)
			continue
		}
		for _, b := range bodies(e.Diagnostics, h.Name, h.Triangles) {
			b.ID = h.ID
			list = append(list, b)
		}
	}
	return list
}

// order returns the parts as they are written: those of the stored file first, as they stand there, then the others,
// the root first.
func (e *Editor) order() []*Part {
	list := slices.Clone(e.Parts)
	rank := func(p *Part) int {
		if p.Stored >= 0 {
			return p.Stored
		}
		return len(e.Stored)
	}
	slices.SortStableFunc(list, func(a, b *Part) int { return rank(a) - rank(b) })
	if len(e.Parts) > 0 && e.Parts[0].Stored < 0 {
		list = slices.DeleteFunc(list, func(p *Part) bool { return p == e.Parts[0] })
		list = append([]*Part{e.Parts[0]}, list...)
	}
	return list
}

// part returns a part of the file: the stored one if it is unchanged, otherwise a new one; nil if it has no hulls.
func (e *Editor) part(p *Part) (*freelancer.SurPart, error) {
	var was *freelancer.SurPart
	if p.Stored >= 0 {
		was = e.Stored[p.Stored].Part
	}
	guests, changed := e.guests(p)
	if was != nil && e.same(p) && !changed {
		out := e.withoutLeft(p, e.readdressed(was))
		if p.Rejoined && out.NotFixed != p.notFixed() && out.Order == nil {
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
	out := &freelancer.SurPart{ID: p.ID, NotFixed: p.notFixed()}
	listed := e.hardpointsOf(p)
	var old *freelancer.Surface
	if was != nil {
		held := map[freelancer.Hash]bool{}
		for i := range list {
			held[list[i].ID] = true
		}
		old = was.Surface
		if !p.Rejoined {
			out.NotFixed = was.NotFixed
		}
		for _, id := range was.Hardpoints { // equipment without a hull is listed too
			if id = e.renamed(id); (held[id] || !e.hadHull(p, id)) && !p.Left[id] {
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
		for _, v := range list[i].Points {
			all.add(scene.Wide3(v))
			if !listed[list[i].ID] {
				box.add(scene.Wide3(v))
			}
		}
	}
	if box.empty() {
		box = all
	}
	out.Min, out.Max = scene.Narrow3(box.lo), scene.Narrow3(box.hi)
	var err error
	if out.Surface, err = newSurface(list, old); err != nil {
		return nil, err
	}
	out.Chunks = uint32(len(out.UsualOrder()))
	return out, nil
}

// hardpointsOf returns the hardpoints whose hulls a part holds.
func (e *Editor) hardpointsOf(p *Part) map[freelancer.Hash]bool {
	listed := map[freelancer.Hash]bool{}
	for _, q := range e.Parts {
		if q != p && !slices.Contains(e.folded(q), p) {
			continue
		}
		for _, h := range q.Hulls {
			if h.hardpoint {
				listed[h.ID] = true
			}
		}
	}
	return listed
}

// withoutLeft returns a part without the hardpoints that have moved to another one, and that have no hull here.
func (e *Editor) withoutLeft(p *Part, was *freelancer.SurPart) *freelancer.SurPart {
	gone := func(id freelancer.Hash) bool { return p.Left[id] && !e.hadHull(p, id) }
	if !slices.ContainsFunc(was.Hardpoints, gone) {
		return was
	}
	out := *was
	out.Hardpoints = slices.DeleteFunc(slices.Clone(was.Hardpoints), gone)
	if len(out.Hardpoints) == 0 && out.Order == nil {
		out.Hardpoints = nil
		out.Chunks = uint32(len(out.UsualOrder()))
	}
	return &out
}

// hadHull reports whether a hardpoint listed by a stored part had a hull there.
func (e *Editor) hadHull(p *Part, id freelancer.Hash) bool {
	for from, to := range e.renew {
		if to == id {
			return e.Stored[p.Stored].Count(from) > 0
		}
	}
	return e.Stored[p.Stored].Count(id) > 0
}

// guests returns the copies of other parts' hulls that a part holds, and reports whether they differ from the stored ones.
// Copies of unedited hulls stay.
func (e *Editor) guests(p *Part) (list []Body, changed bool) {
	kept := map[freelancer.Hash]bool{} // ids of copies that are made anew, or not at all
	for _, q := range e.Parts {
		if q == p {
			continue
		}
		w := wayTo(q, p)
		if p.Stored >= 0 && w.still && e.same(q) {
			continue
		}
		ids := e.idsOf(q)
		maps.DeleteFunc(ids, func(id freelancer.Hash, _ bool) bool { return e.elsewhere(p, q, id) })
		had := e.copies(p, ids)
		if !w.firm && !(len(had) > 0 && (w.hangs || w.hung)) {
			continue
		}
		for id := range ids {
			kept[id] = true
		}
		for _, b := range e.bodies[q] {
			if !w.firm && (!w.hangs || w.wasFirm || !had[b.ID]) { // some files have copies of parts that move: those stay
				continue
			}
			if e.owns(q, b.ID) || !e.owns(p, b.ID) && !e.elsewhere(p, q, b.ID) {
				list = append(list, moved4(b, w.by))
				changed = true
			}
		}
	}
	if p.Stored < 0 {
		return list, changed
	}
	s := &e.Stored[p.Stored]
	for k := range s.Hulls {
		h := &s.Hulls[k]
		id := e.renamed(h.Hull.ID)
		if h.Hull.Kind != freelancer.TerminalHull || e.shown[[2]int{p.Stored, k}] {
			continue
		}
		if kept[id] || e.orphan(h.Hull.ID) {
			changed = true
			continue
		}
		b := h.Body()
		b.ID = id
		list = append(list, b)
	}
	return list, changed
}

// elsewhere reports whether a part has copies of the hulls of an id from another part than q. Files have hulls of one part in another
// that it does not hang on: who holds both takes them from the part that they belong to, once.
func (e *Editor) elsewhere(p, q *Part, id freelancer.Hash) bool {
	return !e.owns(q, id) && slices.ContainsFunc(e.Parts, func(r *Part) bool {
		return r != p && e.owns(r, id) && slices.Contains(e.folded(r), p)
	})
}

// owns reports whether a part has hulls under its own id, or that of one of its hardpoints.
func (e *Editor) owns(p *Part, id freelancer.Hash) bool { return e.owned[p][id] }

// ownedBy returns the ids that a part owns.
func (e *Editor) ownedBy(p *Part) map[freelancer.Hash]bool {
	ids := map[freelancer.Hash]bool{}
	for _, b := range e.bodies[p] {
		if !ids[b.ID] && (b.ID == p.ID || p.HasHardpoint(b.ID)) {
			ids[b.ID] = true
		}
	}
	return ids
}

// way is how a part hangs on another one, at whatever distance.
type way struct {
	hangs, hung   bool       // now, and when the hulls were stored
	firm, wasFirm bool       // by fixed joints alone
	by            mgl64.Mat4 // from its frame to that of the other
	still         bool       // all of it is as it was when the hulls were stored
}

func wayTo(q, p *Part) way {
	w := way{firm: true, wasFirm: true, by: mgl64.Ident4(), still: true}
	for x := q; x != nil && !w.hung; x = x.Was {
		w.hung, w.wasFirm = x.Was == p, w.wasFirm && x.WasFixed
	}
	for ; q != nil && q != p; q = q.Parent {
		w.firm, w.still = w.firm && q.Fixed, w.still && q.Still
		w.by = q.Place.Mul4(w.by)
	}
	w.hangs = q != nil
	w.firm = w.firm && w.hangs
	return w
}

// copies returns those of some ids, as they are now, under which a stored part has hulls of other parts.
func (e *Editor) copies(p *Part, ids map[freelancer.Hash]bool) map[freelancer.Hash]bool {
	had := map[freelancer.Hash]bool{}
	if p.Stored < 0 {
		return had
	}
	for k, h := range e.Stored[p.Stored].Hulls {
		own := h.Hull.Kind != freelancer.TerminalHull || e.shown[[2]int{p.Stored, k}]
		if id := e.renamed(h.Hull.ID); !own && ids[id] && id != p.ID {
			had[id] = true
		}
	}
	return had
}

// idsOf returns the ids under which a part's hulls are stored or shown.
func (e *Editor) idsOf(p *Part) map[freelancer.Hash]bool {
	ids := map[freelancer.Hash]bool{p.ID: true}
	for _, h := range p.Hulls {
		ids[h.ID] = true
	}
	if p.Stored >= 0 {
		for _, id := range e.Stored[p.Stored].Hardpoints {
			if e.Stored[p.Stored].Count(id) > 0 {
				ids[e.renamed(id)] = true
			}
		}
	}
	return ids
}

// orphan reports whether an id is that of a deleted part, or of a hardpoint that only this part had.
func (e *Editor) orphan(id freelancer.Hash) bool {
	for i := range e.Stored {
		taken := slices.ContainsFunc(e.Parts, func(p *Part) bool { return p.Stored == i })
		if !taken && (e.Stored[i].ID == id || slices.Contains(e.Stored[i].Hardpoints, id) && !e.had(id)) {
			return true
		}
	}
	return e.Gone[id]
}

// had reports whether a part of the scene has a stored hull of its own with an id.
func (e *Editor) had(id freelancer.Hash) bool {
	return slices.ContainsFunc(e.Parts, func(p *Part) bool {
		return slices.ContainsFunc(p.Hulls, func(h PartHull) bool { return h.ID == id && h.Stored >= 0 })
	})
}

// moved4 returns a body in another frame.
func moved4(b Body, by mgl64.Mat4) Body {
	out := b
	out.Points = make([][3]float32, len(b.Points))
	for i, v := range b.Points {
		out.Points[i] = scene.Narrow3(mgl64.TransformCoordinate(scene.Wide3(v), by))
	}
	return out
}

// readdressed returns a stored part under the names that parts and hardpoints have now.
func (e *Editor) readdressed(p *freelancer.SurPart) *freelancer.SurPart {
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

// report reports what the game may have trouble with.
func (e *Editor) report(s *freelancer.Sur) {
	for _, p := range s.Parts {
		if p.Surface == nil {
			continue
		}
		for i, h := range p.Surface.Hulls {
			if h.Kind == freelancer.TerminalHull && len(h.Faces) > manyFaces {
				e.Diagnostics.Warnf("hull-faces", p.ID.String(), "hull %d has %d faces: above %d the game may have trouble", i, len(h.Faces), manyFaces)
			}
		}
	}
	if len(e.Parts) == 0 {
		return
	}
	var bare []string
	for _, p := range e.Parts[1:] {
		if len(p.Hulls) == 0 && p.Name != "" {
			bare = append(bare, p.Name)
		}
	}
	if root := e.Parts[0]; !slices.ContainsFunc(s.Parts, func(p *freelancer.SurPart) bool { return p.ID == root.ID }) {
		e.Diagnostics.Warnf("hull-root", root.Name, "the root has no hull, so that nothing hits it")
	}
	if len(bare) > 0 {
		more := ""
		if len(bare) > 5 {
			bare, more = bare[:5], fmt.Sprintf(" and %d more", len(bare)-5)
		}
		e.Diagnostics.Notef("hull-parts", "", "parts without a hull: %s%s", strings.Join(bare, ", "), more)
	}
}
