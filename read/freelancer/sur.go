package freelancer

import (
	"bytes"
	"math"

	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
)

// Sur reads a collision file of either layout (reference freelancer-sur 1 and 8). It fails with ErrBadMagic for other files
// and unknown chunks, ErrUnsupported for other versions, ErrRange for offsets and numbers outside the file, ErrCycle for a
// node that is reached twice, and ErrMismatch for a block whose parts do not fit together.
func Sur(b []byte, d *schema.Diagnostics) (*freelancer.Sur, error) {
	if len(b) == 0 {
		return &freelancer.Sur{}, nil
	}
	c := read.NewCursor("sur", b, d)
	if !bytes.HasPrefix(b, []byte(freelancer.SurMagic)) && OldSurBegins(b) {
		s := &freelancer.Sur{Old: oldSur(c, d)}
		if c.Err() != nil {
			return nil, c.Err()
		}
		return s, nil
	}
	c.Magic(freelancer.SurMagic, "magic")
	s := &freelancer.Sur{Version: c.F32("version")}
	if c.Err() == nil && s.Version != freelancer.SurVersion {
		c.FailAtf(4, schema.ErrUnsupported, "version", "version %v, expected %d", s.Version, freelancer.SurVersion)
	}
	for c.Left() > 0 {
		c.Enter("part", len(s.Parts))
		s.Parts = append(s.Parts, surPart(c, d))
		c.Leave()
	}
	if c.Err() != nil {
		return nil, c.Err()
	}
	return s, nil
}

// surPart reads the chunks of a part. A chunk without a length cannot be skipped, so unknown ones end the reading. The
// count is wrong in some files: one more chunk may follow, and the file may end before the last.
func surPart(c *read.Cursor, d *schema.Diagnostics) *freelancer.SurPart {
	p := &freelancer.SurPart{ID: freelancer.Hash(c.U32("id")), Chunks: c.U32("chunk count")}
	var order []freelancer.SurChunk
	for c.Err() == nil {
		more := uint32(len(order)) < p.Chunks
		if c.Left() == 0 || !more && !isSurChunk(c.Peek(4)) {
			break
		}
		at := c.Offset()
		tag := freelancer.SurChunk(c.Data(4, schema.LayoutText, "chunk"))
		for _, have := range order {
			if have == tag {
				c.FailAtf(at, schema.ErrMismatch, "chunk", "a second %q", tag)
			}
		}
		order = append(order, tag)
		switch tag {
		case freelancer.NotFixedChunk:
			p.NotFixed = true
		case freelancer.ExtentsChunk:
			p.Min, p.Max = c.Vec3("exts"), c.Vec3("exts")
		case freelancer.SurfaceChunk:
			p.Surface = surface(c, d)
		case freelancer.HardpointsChunk:
			p.Hardpoints = hashes(c.U32s(c.Count(uint64(c.U32("hpid count")), 4, "hpid"), "hpid"))
		default:
			c.FailAtf(at, schema.ErrBadMagic, "chunk", "found %q, expected !fxd, exts, surf or hpid", string(tag))
		}
	}
	if c.Err() != nil {
		return nil
	}
	if int64(p.Chunks) != int64(len(order)) {
		d.WarnAtf("chunk-count", c.Path(), c.Offset(), "%d chunks, the part has %d", p.Chunks, len(order))
	}
	if usual := p.UsualOrder(); len(usual) != len(order) || !same(usual, order) {
		p.Order = append([]freelancer.SurChunk{}, order...)
	}
	return p
}

func same(a, b []freelancer.SurChunk) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func isSurChunk(b []byte) bool {
	switch freelancer.SurChunk(b) {
	case freelancer.NotFixedChunk, freelancer.ExtentsChunk, freelancer.SurfaceChunk, freelancer.HardpointsChunk:
		return true
	}
	return false
}

func hashes(v []uint32) []freelancer.Hash {
	out := make([]freelancer.Hash, len(v))
	for i, x := range v {
		out[i] = freelancer.Hash(x)
	}
	return out
}

// surface reads a size and a block of that size (reference freelancer-sur 2). Offsets in it are relative to the
// structure that holds them.
func surface(c *read.Cursor, d *schema.Diagnostics) *freelancer.Surface {
	c.Enter("surf", -1)
	defer c.Leave()
	n := c.Extent(uint64(c.U32("size")), 1, "size")
	b := c.Sub(n, "block")
	defer c.Adopt(b)
	s := &freelancer.Surface{Center: b.Vec3("mass centre"), Inertia: b.Vec3("inertia"), Radius: b.F32("radius")}
	word := b.U32("block size")
	s.Deviation = uint8(word)
	size, root := int(word>>8), int(b.I32("root offset"))
	for i := range s.Unused {
		s.Unused[i] = b.I32("unused")
	}
	switch {
	case b.Err() != nil:
		return nil
	case size < freelancer.SurfaceHeader || size > n:
		b.FailAtf(b.Offset()-19, schema.ErrRange, "block size", "%d bytes, the chunk has %d", size, n)
	case root < freelancer.SurfaceHeader || root > size:
		b.FailAtf(b.Offset()-16, schema.ErrRange, "root offset", "%d is outside the %d to %d bytes of hulls and nodes", root, freelancer.SurfaceHeader, size)
	case (size-root)%freelancer.NodeSize != 0:
		b.FailAtf(b.Offset()-16, schema.ErrMismatch, "root offset", "%d bytes behind it are no whole number of nodes", size-root)
	}
	if b.Err() != nil {
		return nil
	}
	starts, points := hulls(b, s, root, (size-root)/freelancer.NodeSize)
	s.Points = surPoints(b, (root-points)/freelancer.PointSize)
	nodes(b, s, starts, root, size)
	if b.Left() > 0 {
		s.Tail = b.Rest()
	}
	if b.Err() != nil {
		return nil
	}
	checkNodes(b, s, root, d)
	checkFaces(b, s.Hulls, len(s.Points))
	return s
}

// hulls reads the hulls up to the points, and returns where each stands and where the points begin.
func hulls(b *read.Cursor, s *freelancer.Surface, root, nodes int) (starts map[int]int, points int) {
	starts, points = map[int]int{}, root
	for b.Err() == nil && b.Pos() < points {
		at := b.Pos()
		b.Enter("hull", len(s.Hulls))
		h, offset := hull(b)
		switch first := at + offset; {
		case b.Err() != nil:
		case len(s.Hulls) == 0 && (offset <= 0 || first > root || (root-first)%freelancer.PointSize != 0):
			b.FailAtf(b.Offset(), schema.ErrRange, "points offset", "the points would begin at 0x%x, and the nodes at 0x%x", first, root)
		case len(s.Hulls) > 0 && first != points:
			b.FailAtf(b.Offset(), schema.ErrMismatch, "points offset", "the points would begin at 0x%x, those of the first hull at 0x%x", first, points)
		default:
			points = first
		}
		if h.Kind == freelancer.WrappingHull && b.Err() == nil {
			owner := at + int(int32(h.ID)) - root
			if owner < 0 || owner%freelancer.NodeSize != 0 || owner/freelancer.NodeSize >= nodes {
				b.Failf(schema.ErrRange, "node offset", "%d leads to none of the %d nodes", int32(h.ID), nodes)
			}
			h.Owner, h.ID = owner/freelancer.NodeSize, 0
		}
		if b.Err() == nil && b.Pos() > points {
			b.Failf(schema.ErrMismatch, "faces", "they run into the points at 0x%x", points)
		}
		starts[at] = len(s.Hulls)
		s.Hulls = append(s.Hulls, h)
		b.Leave()
	}
	return starts, points
}

// hull reads a hull and returns the offset to its points as well. The id of a wrapping hull is an offset here.
func hull(b *read.Cursor) (freelancer.SurHull, int) {
	offset := int(b.I32("points offset"))
	h := freelancer.SurHull{ID: freelancer.Hash(b.U32("id"))}
	word := b.U32("kind and size")
	h.Kind, h.Units = freelancer.HullKind(word), word>>8
	if b.Err() == nil && h.Kind != freelancer.TerminalHull && h.Kind != freelancer.WrappingHull {
		b.FailAtf(b.Offset()-4, schema.ErrValue, "kind", "%d, expected %d or %d", h.Kind, freelancer.TerminalHull, freelancer.WrappingHull)
	}
	n := b.U16("face count")
	h.Unused = b.U16("unused")
	h.Faces = make([]freelancer.SurFace, b.Count(uint64(n), freelancer.FaceSize, "faces"))
	for i := range h.Faces {
		b.Enter("face", i)
		h.Faces[i] = face(b, i)
		b.Leave()
	}
	return h, offset
}

func face(b *read.Cursor, number int) (f freelancer.SurFace) {
	at := b.Offset()
	word := b.U32("face")
	f.Pierce, f.Material, f.Virtual = uint16(word>>12&0xFFF), uint8(word>>24&0x7F), word>>31 != 0
	if b.Err() == nil && int(word&0xFFF) != number {
		b.FailAtf(at, schema.ErrMismatch, "face number", "%d, it stands at %d", word&0xFFF, number)
	}
	for i := range f.Points {
		f.Points[i] = b.U16("point")
		edge := b.U16("edge")
		f.Opposite[i] = int16(edge<<1) >> 1
		if b.Err() == nil && edge>>15 != 0 != f.Virtual {
			b.FailAtf(b.Offset()-2, schema.ErrMismatch, "edge", "its highest bit is not that of face %d", number)
		}
	}
	return f
}

func surPoints(b *read.Cursor, n int) []freelancer.SurPoint {
	points := make([]freelancer.SurPoint, b.Count(uint64(max(n, 0)), freelancer.PointSize, "points"))
	for i := range points {
		b.Enter("point", i)
		points[i] = freelancer.SurPoint{At: b.Vec3("point"), ID: freelancer.Hash(b.U32("point id"))}
		b.Leave()
	}
	return points
}

// nodes reads the nodes; offsets become numbers.
func nodes(b *read.Cursor, s *freelancer.Surface, starts map[int]int, root, size int) {
	b.Seek(root, "root offset")
	s.Nodes = make([]freelancer.SurNode, b.Count(uint64((size-root)/freelancer.NodeSize), freelancer.NodeSize, "nodes"))
	for i := range s.Nodes {
		if b.Err() != nil {
			return
		}
		b.Enter("node", i)
		at := b.Pos()
		right, hull := int(b.I32("right offset")), int(b.I32("hull offset"))
		n := freelancer.SurNode{Hull: -1, Center: b.Vec3("centre"), Radius: b.F32("radius")}
		copy(n.Box[:], b.Elements(3, 1, schema.LayoutU8, "box"))
		n.Unused = b.U8("unused")
		if right != 0 {
			to := at + right - root
			if n.Right = to / freelancer.NodeSize; right < 0 || to%freelancer.NodeSize != 0 || n.Right >= len(s.Nodes) {
				b.Failf(schema.ErrRange, "right offset", "%d leads to none of the %d nodes", right, len(s.Nodes))
			}
		}
		if hull != 0 {
			k, ok := starts[at+hull]
			if n.Hull = k; !ok {
				b.Failf(schema.ErrRange, "hull offset", "%d leads to no hull", hull)
			}
		}
		s.Nodes[i] = n
		b.Leave()
	}
}

// checkNodes walks down the tree: right children come later, so that it ends; no node may be reached twice.
func checkNodes(b *read.Cursor, s *freelancer.Surface, root int, d *schema.Diagnostics) {
	if len(s.Nodes) == 0 {
		return
	}
	reached := make([]bool, len(s.Nodes))
	count := 0
	for queue := []int{0}; len(queue) > 0; {
		i := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if i >= len(s.Nodes) {
			b.FailAtf(b.Offset(), schema.ErrRange, "nodes", "the left child of the last one is missing")
			return
		}
		if reached[i] {
			b.FailAtf(b.Offset(), schema.ErrCycle, "nodes", "node %d is reached twice", i)
			return
		}
		reached[i] = true
		count++
		right := s.Nodes[i].Right
		if right == 0 {
			continue
		}
		if queue = append(queue, i+1); right != i+1 {
			queue = append(queue, right)
		}
	}
	if count < len(s.Nodes) {
		d.WarnAtf("nodes-unreached", b.Path(), int64(root), "%d of %d nodes are in no place of the tree", len(s.Nodes)-count, len(s.Nodes))
	}
}

func checkFaces(b *read.Cursor, hulls []freelancer.SurHull, points int) {
	for i, h := range hulls {
		for k, f := range h.Faces {
			for _, p := range f.Points {
				if int(p) >= points {
					b.FailAtf(b.Offset(), schema.ErrRange, "faces", "hull %d, face %d: point %d of %d", i, k, p, points)
					return
				}
			}
		}
	}
}

// OldSurBegins reports whether b begins like a file of the older layout: a box, then a part's name and its tag.
func OldSurBegins(b []byte) bool {
	c := read.NewCursor("sur", b, nil)
	lo, hi := c.Vec3("exts"), c.Vec3("exts")
	n := c.U32("name length")
	if n > freelancer.MaxName {
		return false
	}
	for _, x := range c.Bytes(int(n), "name") {
		if x < ' ' {
			return false
		}
	}
	tag := string(c.Bytes(4, "tag"))
	for i := range lo {
		if !(lo[i] <= hi[i]) || math.IsInf(float64(lo[i]), 0) || math.IsInf(float64(hi[i]), 0) {
			return false
		}
	}
	return c.Err() == nil && (tag == freelancer.OldSurfaceTag || tag == freelancer.OldLedgeTag)
}

func oldSur(c *read.Cursor, d *schema.Diagnostics) *freelancer.OldSur {
	s := &freelancer.OldSur{Min: c.Vec3("exts"), Max: c.Vec3("exts")}
	for c.Left() > 0 {
		c.Enter("part", len(s.Parts))
		p := freelancer.OldSurPart{Name: c.Text(c.Extent(uint64(c.U32("name length")), 1, "name"), "name")}
		at := c.Offset()
		tag := string(c.Data(4, schema.LayoutText, "tag"))
		n := c.Count(uint64(c.U32("count")), 4, "count")
		switch {
		case c.Err() != nil:
		case tag == freelancer.OldSurfaceTag:
			p.Surfaces = make([]*freelancer.Surface, 0, min(n, c.Left()/freelancer.SurfaceHeader))
			for range n {
				if s := surface(c, d); s != nil {
					p.Surfaces = append(p.Surfaces, s)
				}
			}
		case tag == freelancer.OldLedgeTag:
			p.Ledges = make([]freelancer.SurLedge, 0, min(n, c.Left()/freelancer.HullHeader))
			for i := 0; i < n && c.Err() == nil; i++ {
				p.Ledges = append(p.Ledges, ledge(c, i))
			}
		default:
			c.FailAtf(at, schema.ErrBadMagic, "tag", "found %q, expected surf or ledg", tag)
		}
		s.Parts = append(s.Parts, p)
		c.Leave()
	}
	return s
}

// ledge reads a hull that is followed by its own points.
func ledge(c *read.Cursor, number int) freelancer.SurLedge {
	c.Enter("ledg", number)
	defer c.Leave()
	b := c.Sub(c.Extent(uint64(c.U32("size")), 1, "size"), "block")
	defer c.Adopt(b)
	h, offset := hull(b)
	switch left := b.Left(); {
	case b.Err() != nil:
	case h.Kind != freelancer.TerminalHull:
		b.Failf(schema.ErrValue, "kind", "%d, expected %d", h.Kind, freelancer.TerminalHull)
	case offset != b.Pos():
		b.Failf(schema.ErrMismatch, "points offset", "%d, the hull ends at %d", offset, b.Pos())
	case left%freelancer.PointSize != 0:
		b.Failf(schema.ErrMismatch, "points", "%d bytes are no whole number of them", left)
	}
	l := freelancer.SurLedge{Hull: h, Points: surPoints(b, b.Left()/freelancer.PointSize)}
	checkFaces(b, []freelancer.SurHull{h}, len(l.Points))
	return l
}
