package mesh

import (
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// Users holds the leaves that draw parts of a mesh.
type Users struct {
	refs  []*freelancer.VMeshRef
	wires []*freelancer.VWire
	leafs []*freelancer.Node // of the references, then of the wireframes
}

// UsersOf returns the users of each mesh of a file, by the hash of its name.
func UsersOf(root *freelancer.Node) map[uint32]*Users {
	users := map[uint32]*Users{}
	of := func(crc uint32) *Users {
		if users[crc] == nil {
			users[crc] = new(Users)
		}
		return users[crc]
	}
	var wires []*freelancer.Node
	root.Walk(func(_ string, n *freelancer.Node) bool {
		switch {
		case n.IsDir():
		case freelancer.SameName(n.Name, "VMeshRef"):
			if r, err := read.VMeshRef(n.Data, nil); err == nil {
				u := of(r.Mesh)
				u.refs, u.leafs = append(u.refs, r), append(u.leafs, n)
			}
		case freelancer.SameName(n.Name, "VWireData"):
			wires = append(wires, n)
		}
		return true
	})
	for _, n := range wires {
		if w, err := read.VWire(n.Data, nil); err == nil {
			u := of(w.Mesh)
			u.wires, u.leafs = append(u.wires, w), append(u.leafs, n)
		}
	}
	return users
}

// DrawnGroups returns for each mesh which groups are drawn.
func DrawnGroups(users map[uint32]*Users) map[uint32]map[int]bool {
	drawn := map[uint32]map[int]bool{}
	for crc, u := range users {
		drawn[crc] = map[int]bool{}
		for _, r := range u.refs {
			for i := range int(r.GroupCount) {
				drawn[crc][int(r.GroupStart)+i] = true
			}
		}
	}
	return drawn
}

// Compacted returns a mesh without the groups that were drawn before the edit and are no longer, nor the vertices that
// nothing else uses, and the number of removed groups. It changes the users accordingly. The result is nil if the mesh is
// left as it is.
func Compacted(m *freelancer.VMesh, leaf *freelancer.Node, users *Users, now, before map[int]bool) (next *freelancer.VMesh, left int, err error) {
	for g := range before {
		if !now[g] && g < len(m.Groups) {
			left++
		}
	}
	c := &compaction{mesh: m, users: users, drawn: now, gone: before}
	if left == 0 || len(now) == 0 || !c.plan() {
		return nil, 0, nil
	}
	err = c.store(leaf)
	return c.next, left, err
}

// compaction makes a mesh smaller.
type compaction struct {
	mesh        *freelancer.VMesh
	users       *Users
	drawn, gone map[int]bool // groups; those that go were drawn before
	firsts      map[int]int  // vertex that the indices of a group are counted from
	vertex      []int        // new numbers of vertices, −1 for those that go
	number      []int        // new numbers of groups
	index       []int        // new numbers of the first index of groups
	next        *freelancer.VMesh
}

func (c *compaction) goes(g int) bool { return c.gone[g] && !c.drawn[g] }

// plan looks what stays; it is false where the mesh had better be left alone.
func (c *compaction) plan() bool {
	c.firsts = map[int]int{}
	owner := map[int]*freelancer.VMeshRef{}
	used := make([]bool, len(c.mesh.Positions))
	for _, r := range c.users.refs {
		ranges, err := r.Groups(c.mesh)
		if err != nil {
			return false
		}
		for _, x := range ranges {
			if o := owner[x.Group]; o != nil && (o.GroupStart != r.GroupStart || o.GroupCount != r.GroupCount || o.VertexStart != r.VertexStart) {
				return false // groups are counted from one reference only
			}
			c.firsts[x.Group], owner[x.Group] = x.FirstVertex, r
			for _, i := range c.mesh.Indices[x.FirstIndex : x.FirstIndex+x.Count] {
				used[x.FirstVertex+int(i)] = true
			}
		}
	}
	for g := range c.mesh.Groups {
		if _, known := c.firsts[g]; !known && !c.goes(g) {
			return false // it is there for other files, and nobody knows what it draws
		}
	}
	for _, w := range c.users.wires {
		for _, i := range w.Indices {
			if v := int(w.VertexStart) + int(i); v < len(used) {
				used[v] = true
			} else {
				return false
			}
		}
	}
	c.vertex = make([]int, len(used))
	n := 0
	for v, is := range used {
		c.vertex[v] = -1
		if is {
			c.vertex[v] = n
			n++
		}
	}
	return n > 0
}

// store writes the smaller mesh and what draws it.
func (c *compaction) store(mesh *freelancer.Node) error {
	c.shrink()
	var data [][]byte
	take := func(b []byte, err error) error {
		data = append(data, b)
		return err
	}
	for _, r := range c.users.refs {
		c.reference(r)
		if err := take(write.VMeshRef(r)); err != nil {
			return err
		}
	}
	for _, w := range c.users.wires {
		c.wire(w)
		if err := take(write.VWire(w)); err != nil {
			return err
		}
	}
	b, err := write.VMesh(c.next) // whose groups the references have set
	if err != nil {
		return err
	}
	for i, leaf := range c.users.leafs {
		leaf.Data = data[i]
	}
	mesh.Data, mesh.Slot = b, nil // its place is free for what took the part's share
	return nil
}

// shrink makes the mesh without what goes. Its groups are counted from the vertices of their references yet to be told.
func (c *compaction) shrink() {
	m := c.mesh
	next := *m
	next.Groups, next.Indices, next.Tail = nil, nil, nil
	c.number, c.index = make([]int, len(m.Groups)+1), make([]int, len(m.Groups)+1)
	at := 0
	for g, x := range m.Groups {
		c.number[g], c.index[g] = len(next.Groups), len(next.Indices)
		if !c.goes(g) {
			low := c.low(g, at)
			for _, i := range m.Indices[at : at+int(x.IndexCount)] {
				next.Indices = append(next.Indices, uint16(c.vertex[c.firsts[g]+int(i)]-low))
			}
			next.Groups = append(next.Groups, x)
		}
		at += int(x.IndexCount)
	}
	c.number[len(m.Groups)], c.index[len(m.Groups)] = len(next.Groups), len(next.Indices)
	next.Positions, next.Normals, next.PointSizes = kept(m.Positions, c.vertex), kept(m.Normals, c.vertex), kept(m.PointSizes, c.vertex)
	next.Diffuse, next.Specular, next.TexCoords = kept(m.Diffuse, c.vertex), kept(m.Specular, c.vertex), nil
	for _, uv := range m.TexCoords {
		next.TexCoords = append(next.TexCoords, kept(uv, c.vertex))
	}
	c.next = &next
}

// low returns the new number of the first vertex of a group, whose indices begin at one.
func (c *compaction) low(g, at int) int {
	low := len(c.vertex)
	for _, i := range c.mesh.Indices[at : at+int(c.mesh.Groups[g].IndexCount)] {
		low = min(low, c.vertex[c.firsts[g]+int(i)])
	}
	if low == len(c.vertex) { // it draws nothing
		return 0
	}
	return low
}

// kept returns what belongs to the vertices that stay.
func kept[T any](list []T, vertex []int) (out []T) {
	for i, v := range list {
		if vertex[i] >= 0 {
			out = append(out, v)
		}
	}
	return out
}

// reference makes a reference draw the same of the smaller mesh.
func (c *compaction) reference(r *freelancer.VMeshRef) {
	start, end := int(r.GroupStart), int(r.GroupStart)+int(r.GroupCount)
	at := 0
	for _, g := range c.mesh.Groups[:start] {
		at += int(g.IndexCount)
	}
	first, last := len(c.vertex), 0
	lows := make([]int, 0, end-start)
	for g := start; g < end; g++ {
		low := c.low(g, at)
		at += int(c.mesh.Groups[g].IndexCount)
		lows, first = append(lows, low), min(first, low)
	}
	for i, low := range lows {
		x := &c.next.Groups[c.number[start+i]]
		high := 0
		from := c.index[start+i]
		for _, v := range c.next.Indices[from : from+int(x.IndexCount)] {
			high = max(high, int(v))
		}
		x.VertexStart, x.VertexEnd = uint16(low-first), uint16(low-first+high)
		last = max(last, int(x.VertexEnd))
	}
	r.GroupStart, r.IndexStart = uint16(c.number[start]), uint16(c.index[start])
	if len(lows) > 0 {
		r.VertexStart, r.VertexCount = uint16(first), uint16(last+1)
	}
}

// wire makes a wireframe draw the same of the smaller mesh.
func (c *compaction) wire(w *freelancer.VWire) {
	low := len(c.vertex)
	for _, i := range w.Indices {
		low = min(low, c.vertex[int(w.VertexStart)+int(i)])
	}
	if len(w.Indices) == 0 {
		return
	}
	high := 0
	indices := make([]uint16, len(w.Indices))
	for k, i := range w.Indices {
		indices[k] = uint16(c.vertex[int(w.VertexStart)+int(i)] - low)
		high = max(high, int(indices[k]))
	}
	w.VertexStart, w.VertexRange, w.Indices = uint16(low), uint16(high+1), indices
}
