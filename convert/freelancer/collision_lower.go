package freelancer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/freelancer/hull"
	"github.com/usher-assets/usher/convert/freelancer/mesh"
	"github.com/usher-assets/usher/convert/freelancer/rig"
	"github.com/usher-assets/usher/convert/freelancer/space"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	write "github.com/usher-assets/usher/write/freelancer"
)

// lowerHulls writes the collision file of an edited model beside it, when there are hulls.
func (e *editor) lowerHulls() error {
	s, err := e.collision()
	if s == nil || err != nil {
		return err
	}
	if e.env.Emit == nil {
		e.d.Lossf("hulls-left-out", "", "the scene has hulls, which go into a .sur file of their own: nothing takes one here")
		return nil
	}
	b, err := write.Sur(s)
	if err != nil {
		return err
	}
	return e.env.Emit(cmp.Or(e.env.Output, e.stem)+".sur", b)
}

// collision returns the collision file of an edited model; nil when it has no hulls.
func (e *editor) collision() (*freelancer.Sur, error) {
	h := hull.NewEditor(e.d, e.sur, e.stored, e.shownHulls)
	of := map[*part]*hull.Part{}
	for _, p := range e.parts {
		of[p] = e.hullPartOf(h, p)
		h.Parts = append(h.Parts, of[p])
	}
	if len(h.Parts) == 0 {
		return nil, nil
	}
	for _, p := range e.parts {
		of[p].Parent = of[e.partParent(p)]
		for was := p.parent; was != nil && of[p].Was == nil; was = was.parent {
			of[p].Was = of[was]
		}
	}
	for i := range h.Stored {
		if q := e.hullOwners[i]; q == nil || of[q] != nil {
			h.Stray(i)
		}
	}
	h.Gone = e.goneHulls()
	owner := func(n *asset.Node) *part {
		if p := e.owner(n); p != nil {
			return p
		}
		return e.parts[0]
	}
	e.edited.Walk(func(n, _ *asset.Node) {
		if rig.IsHardpoint(n) && !rig.Ignored(n) {
			of[owner(n)].Hardpoints[n.Name] = true
		}
	})
	left := 0
	e.edited.Walk(func(n, _ *asset.Node) {
		switch p := owner(n); {
		case !isHull(n):
		case n.Extras[hull.Owner] != nil && h.IsGone(n):
			left++
		default:
			id := ""
			if e.original(n) {
				id = e.idOf(n)
			}
			h.Add(of[p], n, hardpointAbove(n, e.parentOf, e.partOf), mesh.Soup(n.Mesh, e.hullPlace(p, n)), id)
		}
	})
	if left > 0 {
		e.d.Warnf("hulls-gone", e.removed[0].name, "it is not in the scene any more, and the hulls of such parts go with them: %d", left)
	}
	if e.env.Options.Freelancer.Hulls {
		for _, p := range e.parts {
			e.lowerNewHull(of[p], p)
			e.tellBubble(of[p])
		}
	}
	s, err := h.File()
	if s == nil && err == nil && h.Old != nil {
		e.d.Warnf("hulls-removed", "", "the scene has no hulls any more, and no .sur file is made: without one nothing hits the model, and one that is there stays as it was")
	}
	return s, err
}

// goneHulls returns the ids of parts that were deleted from the scene and are not used by another part.
func (e *editor) goneHulls() map[freelancer.Hash]bool {
	gone := map[freelancer.Hash]bool{}
	for _, p := range e.removed {
		gone[freelancer.Hash(freelancer.FLCRC(p.name))] = true
	}
	for _, p := range e.parts {
		delete(gone, freelancer.Hash(freelancer.FLCRC(p.name)))
	}
	return gone
}

// hullPartOf returns a part as the collision file sees it.
func (e *editor) hullPartOf(h *hull.Editor, p *part) *hull.Part {
	x := hull.NewPart(p.name)
	if p.def != nil {
		x.ID = freelancer.Hash(freelancer.FLCRC(p.name))
		x.Fixed = p.joint != nil && p.joint.Kind == freelancer.Fix
	}
	parent := e.partParent(p)
	if parent != nil {
		x.Place = e.frames[parent].Inv().Mul4(e.frames[p])
	}
	now := space.Transform(x.Place)
	x.WasFixed = p.node.Extras["construct"] == rig.Constructs[freelancer.Fix]
	x.Rejoined = p.joint != nil && p.node.Extras["construct"] != rig.Constructs[p.joint.Kind]
	x.Still = !p.fresh && p.parent == parent && !x.Rejoined && (parent == nil || space.SameTransform(&p.node.Transform, &now))
	if i := slices.Index(e.hullOwners, p); i >= 0 {
		x.Stored = i
		h.Name(x, p.def == nil || strings.EqualFold(p.name, p.node.Name))
	}
	for _, hp := range p.hardpoints {
		if e.byID[rig.ID(hp.node)] != nil {
			h.Rename(hp.node.Name, hp.h.Name)
		}
		if n := e.byID[rig.ID(hp.node)]; n != nil && e.holder(n, p) != p {
			x.Left[freelancer.Hash(freelancer.FLCRC(hp.h.Name))] = true
		}
	}
	return x
}

// hardpointAbove returns the hardpoint that a hull hangs on within its part, or nil.
func hardpointAbove[P any](n *asset.Node, parentOf map[*asset.Node]*asset.Node, partOf map[*asset.Node]*P) *asset.Node {
	for n = parentOf[n]; n != nil && partOf[n] == nil; n = parentOf[n] {
		if rig.IsHardpoint(n) {
			return n
		}
	}
	return nil
}

// hullPlace returns where a hull is within its part, whose own scale does not count when the file has it too.
func (e *editor) hullPlace(p *part, n *asset.Node) mgl64.Mat4 {
	shape := e.frames[p].Inv().Mul4(space.World(e.nodeOf[p], e.parentOf))
	place := e.frames[p].Inv().Mul4(space.World(n, e.parentOf))
	if e.owner(n) == p && !p.fresh && space.Near(shape, e.skew(p)) && shape.Det() != 0 {
		return shape.Inv().Mul4(place)
	}
	return place
}

// tellBubble tells of a place for a shield that has no bubble: no shape of the model is one.
func (e *editor) tellBubble(x *hull.Part) {
	if x.Stored < 0 && x.HasHardpoint(freelancer.Hash(freelancer.FLCRC(freelancer.ShieldBubble))) && !x.HasHull(freelancer.ShieldBubble) {
		e.d.Notef("shield-bubble", x.Name, "its %s has no hull, and the shield no bubble: a mesh %[1]s.0$hull below it would be that", freelancer.ShieldBubble)
	}
}

// lowerNewHull gives a part without hulls the convex hull of its mesh.
func (e *editor) lowerNewHull(x *hull.Part, p *part) {
	n := e.nodeOf[p]
	if len(x.Hulls) > 0 || n.Mesh == nil || !mesh.HasTriangles(n.Mesh) {
		return
	}
	b, ok := hull.ConvexHull(pointsOf(mesh.Soup(n.Mesh, e.levelPlace(p, n, n))))
	if !ok {
		e.d.Warnf("hull-flat", p.name, "the part is flat: it gets no hull")
		return
	}
	hull := hull.PartHull{Name: p.name, ID: x.ID, Stored: -1}
	for i := range b.Faces {
		var t [3][3]float32
		for k, c := range b.Faces[i].Points {
			t[k] = b.Points[c]
		}
		hull.Triangles = append(hull.Triangles, t)
	}
	x.Hulls = append(x.Hulls, hull)
}
