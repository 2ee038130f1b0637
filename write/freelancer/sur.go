package freelancer

import (
	"slices"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/write"
)

// Sur writes a collision file in its own layout (reference freelancer-sur 1 and 8). Offsets, sizes and numbers are
// computed. It fails with ErrLimit for more faces or bytes than the format allows, and with ErrRange for an invalid number.
func Sur(s *freelancer.Sur) ([]byte, error) {
	w := write.NewBuffer("sur", 1<<12)
	switch {
	case s.Old != nil && (s.Version != 0 || len(s.Parts) > 0):
		w.Failf(schema.ErrMismatch, "Old", "a file of the older layout has no Version (%v) and no Parts (%d) of the usual one", s.Version, len(s.Parts))
	case s.Old != nil:
		oldSur(w, s.Old)
	case s.Version == 0 && len(s.Parts) == 0:
	case s.Version != freelancer.SurVersion:
		w.Failf(schema.ErrUnsupported, "version", "version %v, expected %d", s.Version, freelancer.SurVersion)
	default:
		w.Raw(freelancer.SurMagic)
		w.F32(s.Version)
		for _, p := range s.Parts {
			surPart(w, p)
		}
	}
	return w.Finish()
}

func surPart(w *write.Buffer, p *freelancer.SurPart) {
	if p == nil {
		w.Failf(schema.ErrValue, "part", "it is nil")
		return
	}
	order := p.Order
	if order == nil {
		order = p.UsualOrder()
	}
	for _, x := range [...]struct {
		tag freelancer.SurChunk
		set bool
	}{
		{freelancer.NotFixedChunk, p.NotFixed}, {freelancer.ExtentsChunk, p.Min != [3]float32{} || p.Max != [3]float32{}},
		{freelancer.SurfaceChunk, p.Surface != nil}, {freelancer.HardpointsChunk, len(p.Hardpoints) > 0},
	} {
		if there := slices.Contains(order, x.tag); x.set && !there || there && !x.set && x.tag == freelancer.NotFixedChunk {
			w.Failf(schema.ErrMismatch, "Order", "the part has %q or not, and Order says otherwise", string(x.tag))
		}
	}
	w.U32(uint32(p.ID))
	w.U32(p.Chunks)
	for _, tag := range order {
		w.Raw(string(tag))
		switch tag {
		case freelancer.NotFixedChunk:
		case freelancer.ExtentsChunk:
			w.Vec3s([][3]float32{p.Min, p.Max})
		case freelancer.SurfaceChunk:
			if p.Surface == nil {
				w.Failf(schema.ErrValue, "surf", "the part has no surface")
				return
			}
			surface(w, p.Surface)
		case freelancer.HardpointsChunk:
			w.Count32(len(p.Hardpoints), "hpid count")
			for _, h := range p.Hardpoints {
				w.U32(uint32(h))
			}
		default:
			w.Failf(schema.ErrValue, "chunk", "%q is no chunk", string(tag))
		}
	}
}

// surface writes the size of a block, and the block.
func surface(w *write.Buffer, s *freelancer.Surface) {
	if s == nil {
		w.Failf(schema.ErrValue, "surf", "it is nil")
		return
	}
	starts := make([]int, len(s.Hulls))
	at := freelancer.SurfaceHeader
	for i, h := range s.Hulls {
		starts[i] = at
		at += freelancer.HullHeader + freelancer.FaceSize*len(h.Faces)
	}
	points := at
	root := points + freelancer.PointSize*len(s.Points)
	size := root + freelancer.NodeSize*len(s.Nodes)
	if size > freelancer.MaxSurface {
		w.Failf(schema.ErrLimit, "surf", "%d bytes, at most %d", size, freelancer.MaxSurface)
		return
	}
	w.Count32(size+len(s.Tail), "size")
	w.Vec3s([][3]float32{s.Center, s.Inertia})
	w.F32(s.Radius)
	w.U32(uint32(size)<<8 | uint32(s.Deviation))
	w.I32(int32(root))
	for _, x := range s.Unused {
		w.I32(x)
	}
	for i := range s.Hulls {
		h := &s.Hulls[i]
		id := uint32(h.ID)
		if h.Kind == freelancer.WrappingHull {
			if h.Owner < 0 || h.Owner >= len(s.Nodes) {
				w.Failf(schema.ErrRange, "hull", "node %d of %d", h.Owner, len(s.Nodes))
				return
			}
			id = uint32(int32(root + freelancer.NodeSize*h.Owner - starts[i]))
		}
		if !oneOwner(w, h) {
			return
		}
		hull(w, h, id, points-starts[i])
	}
	surPoints(w, s.Points)
	for i := range s.Nodes {
		node(w, s, i, starts, root)
	}
	w.Bytes(s.Tail)
}

// oneOwner refuses a hull that belongs to a node and to a part: only one of them is stored.
func oneOwner(w *write.Buffer, h *freelancer.SurHull) bool {
	switch wraps := h.Kind == freelancer.WrappingHull; {
	case wraps && h.ID != 0:
		w.Failf(schema.ErrMismatch, "ID", "a hull of kind %d has the Owner %d, and no ID of its own (%v)", h.Kind, h.Owner, h.ID)
	case !wraps && h.Owner != 0:
		w.Failf(schema.ErrMismatch, "Owner", "a hull of kind %d has the ID %v, and no Owner (%d)", h.Kind, h.ID, h.Owner)
	default:
		return true
	}
	return false
}

func hull(w *write.Buffer, h *freelancer.SurHull, id uint32, points int) {
	w.I32(int32(points))
	w.U32(id)
	w.U32(h.Units<<8 | uint32(h.Kind))
	w.Count16(len(h.Faces), "face count")
	w.U16(h.Unused)
	if len(h.Faces) > freelancer.MaxFaces+1 {
		w.Failf(schema.ErrLimit, "faces", "a hull has %d, at most %d", len(h.Faces), freelancer.MaxFaces+1)
		return
	}
	for i, f := range h.Faces {
		var virtual uint32
		if f.Virtual {
			virtual = 1
		}
		w.U32(uint32(i) | uint32(f.Pierce)<<12 | uint32(f.Material)<<24 | virtual<<31)
		for k, p := range f.Points {
			w.U16(p)
			w.U16(uint16(f.Opposite[k])&0x7FFF | uint16(virtual<<15))
		}
		if f.Pierce > 0xFFF || f.Material > 0x7F || f.Opposite[0]<<1>>1 != f.Opposite[0] || f.Opposite[1]<<1>>1 != f.Opposite[1] || f.Opposite[2]<<1>>1 != f.Opposite[2] {
			w.Failf(schema.ErrRange, "face", "face %d: a number is too large for its bits", i)
			return
		}
	}
}

func surPoints(w *write.Buffer, points []freelancer.SurPoint) {
	for _, p := range points {
		w.Floats(p.At[:]...)
		w.U32(uint32(p.ID))
	}
}

func node(w *write.Buffer, s *freelancer.Surface, i int, starts []int, root int) {
	n := &s.Nodes[i]
	right, hull := 0, 0
	if n.Right != 0 {
		if right = freelancer.NodeSize * (n.Right - i); n.Right <= i || n.Right >= len(s.Nodes) {
			w.Failf(schema.ErrRange, "node", "node %d: right child %d of %d", i, n.Right, len(s.Nodes))
			return
		}
	}
	if n.Hull < -1 {
		w.Failf(schema.ErrRange, "node", "node %d: hull %d; −1 is none", i, n.Hull)
		return
	}
	if n.Hull >= 0 {
		if n.Hull >= len(starts) {
			w.Failf(schema.ErrRange, "node", "node %d: hull %d of %d", i, n.Hull, len(starts))
			return
		}
		hull = starts[n.Hull] - root - freelancer.NodeSize*i
	}
	w.I32(int32(right))
	w.I32(int32(hull))
	w.Floats(n.Center[:]...)
	w.F32(n.Radius)
	w.Bytes(n.Box[:])
	w.U8(n.Unused)
}

func oldSur(w *write.Buffer, s *freelancer.OldSur) {
	w.Vec3s([][3]float32{s.Min, s.Max})
	for _, p := range s.Parts {
		if len(p.Ledges) > 0 && len(p.Surfaces) > 0 {
			w.Failf(schema.ErrMismatch, "Surfaces", "the part %q has Ledges, and no Surfaces beside them", p.Name)
		}
		name, ok := schema.EncodeWindows1252(p.Name)
		if !ok {
			w.Failf(schema.ErrValue, "name", "%q has characters that the game does not know", p.Name)
		}
		w.Count32(len(name), "name length")
		w.Bytes(name)
		if p.Ledges == nil {
			w.Raw(freelancer.OldSurfaceTag)
			w.Count32(len(p.Surfaces), "count")
			for _, s := range p.Surfaces {
				surface(w, s)
			}
			continue
		}
		w.Raw(freelancer.OldLedgeTag)
		w.Count32(len(p.Ledges), "count")
		for i := range p.Ledges {
			l := &p.Ledges[i]
			if !oneOwner(w, &l.Hull) {
				return
			}
			points := freelancer.HullHeader + freelancer.FaceSize*len(l.Hull.Faces)
			w.Count32(points+freelancer.PointSize*len(l.Points), "size")
			hull(w, &l.Hull, uint32(l.Hull.ID), points)
			surPoints(w, l.Points)
		}
	}
}
