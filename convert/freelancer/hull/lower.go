package hull

import (
	"math"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// Part describes a part of an edited model for the conversion of its hulls.
type Part struct {
	Name       string
	ID         freelancer.Hash
	Parent     *Part
	Was        *Part      // the part that it hung on when the hulls were stored, or what that hung on if it is gone
	Fixed      bool       // it is fixed to its parent by a joint of kind Fix
	WasFixed   bool       // it was, when the hulls were stored
	Still      bool       // its transform relative to its parent and its joint are those of the time when the hulls were stored
	Rejoined   bool       // its joint is of another kind
	Place      mgl64.Mat4 // transform relative to its parent
	Stored     int        // number of the part in the stored file, −1 for none
	Hulls      []PartHull
	Hardpoints map[string]bool          // that the part has
	Left       map[freelancer.Hash]bool // hardpoints that have moved from it to another part
}

// NewPart returns a part without hulls that has no counterpart in the stored file.
func NewPart(name string) *Part {
	return &Part{Name: name, Stored: -1, Place: mgl64.Ident4(), Hardpoints: map[string]bool{}, Left: map[freelancer.Hash]bool{}}
}

// PartHull is a hull that the scene shows, in the frame of its part.
type PartHull struct {
	Name      string
	ID        freelancer.Hash
	hardpoint bool
	Stored    int // number of the hull in the stored part, −1 for a new one
	Triangles [][3][3]float32
}

// notFixed reports whether a part may move or is the root.
func (p *Part) notFixed() bool { return p.Parent == nil || !p.Fixed }

// HasHardpoint reports whether the part has a hardpoint with an id.
func (p *Part) HasHardpoint(id freelancer.Hash) bool {
	for name := range p.Hardpoints {
		if freelancer.Hash(freelancer.FLCRC(name)) == id {
			return true
		}
	}
	return false
}

// HasHull reports whether the part has a hull for one of its hardpoints.
func (p *Part) HasHull(hardpoint string) bool {
	id := freelancer.Hash(freelancer.FLCRC(hardpoint))
	return slices.ContainsFunc(p.Hulls, func(h PartHull) bool { return h.ID == id })
}

// Editor updates a collision file to match the hulls of a scene. Parts without edits stay as stored. The hulls of a part
// that is fixed to another are stored with that one as well (reference freelancer-sur 4.3).
type Editor struct {
	Diagnostics *schema.Diagnostics
	Old         *freelancer.Sur // the stored file; nil if there is none
	Stored      []Stored
	shown       map[[2]int]bool // hulls of the stored file that have a node of their own
	nodes       map[string]Shown
	Parts       []*Part                             // parts of the model, the root first, then those that only the stored file has
	renew       map[freelancer.Hash]freelancer.Hash // ids of parts and hardpoints that have other names now
	called      map[int]string                      // new names of stored parts of the older layout, which has names
	Gone        map[freelancer.Hash]bool            // deleted parts, whose hulls other parts may hold
	bodies      map[*Part][]Body
	owned       map[*Part]map[freelancer.Hash]bool
}

// NewEditor returns an editor of a stored file, or of none if old is nil. shown lists the hulls of the file that nodes
// show.
func NewEditor(d *schema.Diagnostics, old *freelancer.Sur, stored []Stored, nodes []Shown) *Editor {
	e := &Editor{Diagnostics: d, Old: old, Stored: stored, shown: map[[2]int]bool{}, nodes: map[string]Shown{}, renew: map[freelancer.Hash]freelancer.Hash{}, called: map[int]string{}}
	for _, x := range nodes {
		e.shown[[2]int{x.Part, x.Hull}] = true
		e.nodes[x.ID] = x
	}
	return e
}

// Name gives a part its id: that of the stored part, or a new one if the part was renamed.
func (e *Editor) Name(p *Part, same bool) {
	switch s := &e.Stored[p.Stored]; {
	case s.Part == nil && same:
	case s.Part == nil:
		e.called[p.Stored] = p.Name
	case same:
		p.ID = s.ID
	case s.ID != p.ID:
		e.renew[s.ID] = p.ID
	}
}

// Rename records the new name of a hardpoint.
func (e *Editor) Rename(was, now string) {
	from, to := freelancer.Hash(freelancer.FLCRC(was)), freelancer.Hash(freelancer.FLCRC(now))
	if from != to && slices.ContainsFunc(e.Stored, func(s Stored) bool { return slices.Contains(s.Hardpoints, from) }) {
		e.renew[from] = to
	}
}

// Stray adds a part that only the stored file has.
func (e *Editor) Stray(i int) {
	if slices.ContainsFunc(e.Parts, func(p *Part) bool { return p.Stored == i }) {
		return
	}
	p := NewPart("")
	p.ID, p.Stored, p.Still = e.Stored[i].ID, i, true
	e.Parts = append(e.Parts, p)
}

// PartOf returns the part that a node's hull was stored with; nil if the scene no longer has it, or the hull is new.
func (e *Editor) PartOf(id string) *Part {
	x, ok := e.nodes[id]
	if i := slices.IndexFunc(e.Parts, func(p *Part) bool { return ok && p.Stored == x.Part }); i >= 0 {
		return e.Parts[i]
	}
	return nil
}

// Add gives a part the hull of a node. Triangles are in the frame of the part. The hull belongs to a hardpoint or, if that
// is nil, to the part itself. id is that of the node, empty for a copy. The result is the id of the owner.
func (e *Editor) Add(p *Part, n, hardpoint *asset.Node, triangles [][3][3]float32, id string) freelancer.Hash {
	h := PartHull{Name: n.Name, Stored: -1, Triangles: triangles}
	if x, ok := e.nodes[id]; ok && id != "" {
		for _, q := range e.Parts { // a stray part hangs on the root
			if q.Stored == x.Part && q.Name == "" {
				p = q
			}
		}
		if p.Stored == x.Part {
			h.Stored = x.Hull
		}
	}
	h.ID, h.hardpoint = e.identify(p, n, hardpoint)
	p.Hulls = append(p.Hulls, h)
	return h.ID
}

// storedHash returns the id that a node of a hull remembers.
func storedHash(n *asset.Node) (freelancer.Hash, bool) {
	if n.Native == nil {
		return 0, false
	}
	text, _ := n.Native.Values["crc"].(string)
	return freelancer.ParseHash(text)
}

// IsGone reports whether a node's hull belonged to a part that was deleted from the scene.
func (e *Editor) IsGone(n *asset.Node) bool {
	id, known := storedHash(n)
	return known && e.Gone[id]
}

// identify returns the id of a hull, and whether it is that of a hardpoint.
func (e *Editor) identify(p *Part, n, hardpoint *asset.Node) (id freelancer.Hash, listed bool) {
	hash := func(name string) freelancer.Hash { return freelancer.Hash(freelancer.FLCRC(name)) }
	if hardpoint != nil {
		return hash(hardpoint.Name), true
	}
	name := nameOf(n)
	if of, ok := n.Extras[Owner].(string); ok {
		if id, known := storedHash(n); known {
			return e.renamed(id), p.Stored >= 0 && slices.Contains(e.Stored[p.Stored].Hardpoints, id)
		}
		for _, q := range e.Parts {
			if q.Hardpoints[name] && strings.EqualFold(q.Name, of) {
				return hash(name), true
			}
		}
		return e.renamed(hash(of)), false
	}
	switch label, ok := freelancer.ParseHash(name); {
	case strings.EqualFold(name, p.Name):
	case p.Hardpoints[name], strings.EqualFold(name, freelancer.ShieldBubble):
		return hash(name), true
	case ok:
		return e.renamed(label), p.Stored >= 0 && slices.Contains(e.Stored[p.Stored].Hardpoints, label)
	}
	return p.ID, false
}

// File returns the new collision file, or nil if there are no hulls.
func (e *Editor) File() (*freelancer.Sur, error) {
	if e.Old != nil && e.untouched() {
		return e.underNewNames(), nil
	}
	e.bodies, e.owned = map[*Part][]Body{}, map[*Part]map[freelancer.Hash]bool{}
	for _, p := range e.Parts {
		e.bodies[p] = e.bodiesOf(p)
		e.owned[p] = e.ownedBy(p)
	}
	out := &freelancer.Sur{Version: freelancer.SurVersion}
	for _, p := range e.order() {
		x, err := e.part(p)
		if err != nil {
			return nil, schema.In(p.Name, err)
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

// untouched reports whether the stored file says all that the scene does.
func (e *Editor) untouched() bool {
	seen := map[int]bool{}
	for _, p := range e.Parts {
		if p.Stored >= 0 {
			seen[p.Stored] = true
		}
		if !e.same(p) || p.Stored >= 0 && p.ID != e.Stored[p.Stored].ID && e.Stored[p.Stored].Part != nil {
			return false
		}
		if !p.Still && (e.Old.Old == nil || len(e.folded(p)) > 0) {
			return false
		}
	}
	return len(seen) == len(e.Stored) && len(e.renew) == 0 && !slices.ContainsFunc(e.Parts, e.left)
}

// underNewNames returns the stored file with the names that parts of the older layout have now.
func (e *Editor) underNewNames() *freelancer.Sur {
	if len(e.called) == 0 { // only parts of the older layout are called anew
		return e.Old
	}
	out, old := *e.Old, *e.Old.Old
	out.Old, old.Parts = &old, slices.Clone(old.Parts)
	for i, name := range e.called {
		old.Parts[i-len(out.Parts)].Name = name
	}
	return &out
}

// left reports whether a hardpoint that a stored part lists is on another part now.
func (e *Editor) left(p *Part) bool {
	return p.Stored >= 0 && slices.ContainsFunc(e.Stored[p.Stored].Hardpoints, func(id freelancer.Hash) bool { return p.Left[id] })
}

// folded returns the parts that hold copies of a part's hulls: those that it hangs on by fixed joints alone.
func (e *Editor) folded(p *Part) (list []*Part) {
	for ; p.Fixed && p.Parent != nil; p = p.Parent {
		list = append(list, p.Parent)
	}
	return list
}

// same reports whether a part has exactly the hulls of its own that are stored.
func (e *Editor) same(p *Part) bool {
	count := 0
	for i := range p.Hulls {
		h := &p.Hulls[i]
		if h.Stored < 0 || p.Stored < 0 || !e.sameHull(p, h) {
			return false
		}
		count++
	}
	for at := range e.shown {
		if p.Stored == at[0] {
			count--
		}
	}
	return count == 0
}

// sameHull compares a hull with the stored one by the corners of its triangles, up to what editors make of them.
func (e *Editor) sameHull(p *Part, h *PartHull) bool {
	stored := e.Stored[p.Stored].Hulls[h.Stored].Body()
	if e.Stored[p.Stored].Part != nil && e.renamed(stored.ID) != h.ID { // the older layout has no ids
		return false
	}
	box := boxOf(stored.Points)
	reach := 1e-5 * max(box.size(), box.center().Len())
	left := make([][3]mgl64.Vec3, len(stored.Faces))
	for i := range stored.Faces {
		left[i] = stored.corners(&stored.Faces[i])
	}
	for i, t := range h.Triangles { // mostly in the order of the file
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
		if !math.IsNaN(x[0][0]) && !slices.ContainsFunc(h.Triangles, func(t [3][3]float32) bool {
			return sameTriangle(x, [3][3]float32{t[0], t[2], t[1]}, reach)
		}) {
			return false
		}
	}
	return true
}

// renamed returns an id under the names that parts and hardpoints have now.
func (e *Editor) renamed(id freelancer.Hash) freelancer.Hash {
	if now, ok := e.renew[id]; ok {
		return now
	}
	return id
}

func sameTriangle(a [3]mgl64.Vec3, b [3][3]float32, reach float64) bool {
	for turn := range 3 {
		same := true
		for k := range 3 {
			same = same && a[k].Sub(scene.Wide3(b[(k+turn)%3])).Len() <= reach
		}
		if same {
			return true
		}
	}
	return false
}
