package model

import (
	"cmp"
	"math"
	"slices"

	"github.com/usher-assets/usher/convert/ultima9/look"
	"github.com/usher-assets/usher/schema/ultima9"
)

// surface is a set of faces with their vertices, and their materials where they have any.
type surface struct {
	faces     []ultima9.Face
	vertices  [][3]float32
	materials []ultima9.Material
	bare      bool // mount geometry has no materials
	sameFaces bool // face i is still face i
}

// edit is how visible triangles relate to a stored surface.
type edit struct {
	visible []triangle
	stored  []triangle
	group   []int // material of each stored face
	pairs   []pairing
	whole   bool
}

func (s *surface) edit(visible []triangle) edit {
	x := edit{visible: visible, stored: make([]triangle, len(s.faces)), group: make([]int, len(s.faces))}
	for i, m := range s.materials {
		for k := range int(m.FaceCount) {
			x.group[int(m.FirstFace)+k] = i
		}
	}
	for i := range s.faces {
		f := &s.faces[i]
		t := &x.stored[i]
		t.color = &f.Color
		if len(s.materials) > 0 {
			t.material = look.WithoutRange(s.materials[x.group[i]])
		}
		for k := range t.corners {
			c := &f.Corners[k]
			t.corners[k] = corner{cleanPosition(s.vertices[c.Vertex]), cleanNormal(c.Normal, f.Normal), cleanUV(c.UV), true, true}
		}
	}
	x.pairs, x.whole = match(x.stored, visible)
	return x
}

// item is a face to be.
type item struct {
	face    int       // stored face that it continues, −1 for none
	pair    *pairing  // how the triangle's corners are those of the stored face; nil when they are not
	visible *triangle // nil for a stored face that is kept though nobody sees it
	group   int
}

// rebuild makes the surface that is visible. What is left of stored faces keeps their numbers, order and bytes.
func (s *surface) rebuild(x *edit) {
	items := s.items(x)
	order := s.groupOrder()
	slices.SortStableFunc(items, func(a, b item) int {
		if a.group != b.group {
			return cmp.Compare(order[a.group], order[b.group])
		}
		return cmp.Compare(uint(a.face), uint(b.face)) // −1 comes last
	})
	s.sameFaces = len(items) == len(s.faces)
	for i := range items {
		s.sameFaces = s.sameFaces && items[i].face == i
	}
	v := newVertexTable(s.vertices, s.faces, items)
	sign := planeSign(s.faces, s.vertices)
	faces := make([]ultima9.Face, len(items))
	for i := range items {
		faces[i] = s.face(&items[i], v, sign)
	}
	s.faces, s.vertices = faces, v.list
	s.cover(items, order)
}

// items pairs visible triangles with the stored faces that they continue, and finds their materials.
func (s *surface) items(x *edit) []item {
	taken := make([]bool, len(s.faces))
	items := make([]item, 0, len(x.visible))
	s.changeMaterials(x)
	for i := range x.visible {
		t := &x.visible[i]
		it := item{face: -1, visible: t}
		if p := &x.pairs[i]; p.face >= 0 {
			it.face, it.pair = p.face, p
			taken[p.face] = true
		}
		it.group = s.groupFor(x, it.face, t)
		items = append(items, it)
	}
	s.continueMoved(x, items, taken)
	p := newPlaces(nil)
	for i := range x.visible {
		for k := range x.visible[i].corners {
			p.exact[canonicalZero(x.visible[i].corners[k].position)] = 1
		}
	}
	for f := range s.faces {
		if !taken[f] && unseen(&x.stored[f]) && p.holds(&x.stored[f]) {
			items = append(items, item{face: f, group: x.group[f]})
		}
	}
	return items
}

// changeMaterials changes a stored material in its place when all faces that are left of it have one and the same new
// material.
func (s *surface) changeMaterials(x *edit) {
	if s.bare {
		return
	}
	now := make(map[int]ultima9.Material, len(s.materials))
	mixed := map[int]bool{}
	for i := range x.visible {
		if f := x.pairs[i].face; f >= 0 {
			g, m := x.group[f], x.visible[i].material
			if was, known := now[g]; known && was != m {
				mixed[g] = true
			}
			now[g] = m
		}
	}
	for g := range s.materials {
		m, known := now[g]
		has := slices.ContainsFunc(s.materials, func(o ultima9.Material) bool { return look.WithoutRange(o) == m })
		if !known || mixed[g] || has {
			continue
		}
		s.materials = slices.Clone(s.materials)
		m.FirstFace, m.FaceCount = s.materials[g].FirstFace, s.materials[g].FaceCount
		s.materials[g] = m
		for f := range x.group {
			if x.group[f] == g {
				x.stored[f].material = look.WithoutRange(m)
			}
		}
	}
}

// unseen reports whether a face has no area, so that an editor may have dropped it.
func unseen(t *triangle) bool {
	c := &t.corners
	return c[0].position == c[1].position || c[1].position == c[2].position || c[0].position == c[2].position
}

// holds reports whether all corners of a triangle are at known places.
func (p *places) holds(t *triangle) bool {
	for k := range t.corners {
		if _, ok := p.exact[canonicalZero(t.corners[k].position)]; !ok {
			return false
		}
	}
	return true
}

// groupFor returns the material of a triangle, a new one when none is like it.
func (s *surface) groupFor(x *edit, face int, t *triangle) int {
	if s.bare {
		return 0
	}
	if face >= 0 && x.stored[face].material == t.material {
		return x.group[face]
	}
	if i := slices.IndexFunc(s.materials, func(m ultima9.Material) bool { return look.WithoutRange(m) == t.material }); i >= 0 {
		return i
	}
	s.materials = append(slices.Clip(s.materials), t.material)
	return len(s.materials) - 1
}

// continueMoved takes new triangles for stored faces that have moved, when a material has as many of the one as of the
// other: they keep flags, colour and the like.
func (s *surface) continueMoved(x *edit, items []item, taken []bool) {
	lost, fresh := map[int][]int{}, map[int][]int{}
	for f := range s.faces {
		if !taken[f] && !unseen(&x.stored[f]) {
			lost[x.group[f]] = append(lost[x.group[f]], f)
		}
	}
	for i := range items {
		if items[i].face < 0 {
			fresh[items[i].group] = append(fresh[items[i].group], i)
		}
	}
	for group, faces := range lost {
		if len(fresh[group]) != len(faces) {
			continue
		}
		for k, f := range faces {
			items[fresh[group][k]].face = f
			taken[f] = true
		}
	}
}

// groupOrder returns the place of each material's faces among the faces: as stored, new materials last.
func (s *surface) groupOrder() []int {
	list := make([]int, max(len(s.materials), 1))
	for i := range list {
		list[i] = i
	}
	first := func(i int) int {
		if i < len(s.materials) && s.materials[i].FaceCount > 0 {
			return int(s.materials[i].FirstFace)
		}
		return math.MaxInt
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(first(a), first(b)) })
	order := make([]int, len(list))
	for place, i := range list {
		order[i] = place
	}
	return order
}

// cover sets the ranges of the materials. One that has lost all its faces goes.
func (s *surface) cover(items []item, order []int) {
	counts := make([]int, len(s.materials))
	for _, it := range items {
		if len(counts) > 0 {
			counts[it.group]++
		}
	}
	first := make([]int, len(order)+1) // by place
	for i, n := range counts {
		first[order[i]+1] = n
	}
	for place := range order {
		first[place+1] += first[place]
	}
	var list []ultima9.Material
	for i, m := range s.materials {
		if counts[i] == 0 && m.FaceCount > 0 {
			continue
		}
		m.FirstFace, m.FaceCount = uint16(first[order[i]]), uint16(counts[i])
		list = append(list, m)
	}
	s.materials = list
}
