package hull

import (
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
)

// What nodes of hulls are named, and the properties that they have, as in LancerEdit (reference freelancer-sur 7.1).
const (
	Suffix   = "$hull"
	Property = "hull"
	Owner    = "hull_of"
)

// storedHull is a hull of a collision file with the points that its faces refer to.
type storedHull struct {
	Hull   *freelancer.SurHull
	points []freelancer.SurPoint
}

// Shown is a terminal hull with the node that shows it.
type Shown struct {
	Part, Hull int    // of the collision file
	ID         string // of the node
}

// Stored is a part of a collision file of either layout.
type Stored struct {
	ID         freelancer.Hash
	Name       string // in the older layout
	Part       *freelancer.SurPart
	Hulls      []storedHull
	Hardpoints []freelancer.Hash
}

// PartsOf returns the parts of a collision file in either layout.
func PartsOf(s *freelancer.Sur) (list []Stored) {
	surfaces := func(p *Stored, all ...*freelancer.Surface) {
		for _, x := range all {
			for i := range x.Hulls {
				p.Hulls = append(p.Hulls, storedHull{&x.Hulls[i], x.Points})
			}
		}
	}
	for _, q := range s.Parts {
		p := Stored{ID: q.ID, Part: q, Hardpoints: q.Hardpoints}
		if q.Surface != nil {
			surfaces(&p, q.Surface)
		}
		list = append(list, p)
	}
	if s.Old == nil {
		return list
	}
	for i := range s.Old.Parts {
		q := &s.Old.Parts[i]
		p := Stored{ID: freelancer.Hash(i + 1), Name: q.Name}
		surfaces(&p, q.Surfaces...)
		for k := range q.Ledges {
			p.Hulls = append(p.Hulls, storedHull{&q.Ledges[k].Hull, q.Ledges[k].Points})
		}
		list = append(list, p)
	}
	return list
}

// Count returns the number of terminal hulls of the part with an id.
func (p *Stored) Count(id freelancer.Hash) (n int) {
	for _, h := range p.Hulls {
		if h.Hull.Kind == freelancer.TerminalHull && h.Hull.ID == id {
			n++
		}
	}
	return n
}

// Body returns a stored hull as a body with its own points.
func (h *storedHull) Body() Body {
	b := Body{ID: h.Hull.ID, Faces: slices.Clone(h.Hull.Faces), stored: true}
	local := map[uint16]uint16{}
	for i := range b.Faces {
		for k, p := range b.Faces[i].Points {
			n, known := local[p]
			if !known {
				n = uint16(len(b.Points))
				local[p] = n
				b.Points = append(b.Points, h.points[p].At)
			}
			b.Faces[i].Points[k] = n
		}
	}
	return b
}

// nameOf returns what a node's name says the hull belongs to: "Wing" of "Wing.0$hull", "Wing$hull" and of copies.
func nameOf(n *asset.Node) string {
	base, _ := scene.Uncopied(n.Name)
	name := strings.TrimSuffix(base, Suffix)
	if i := strings.LastIndexByte(name, '.'); i >= 0 && i+1 < len(name) && strings.Trim(name[i+1:], "0123456789") == "" {
		name = name[:i]
	}
	return name
}
