package ultima9

import (
	"cmp"
	"math"
	"slices"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
)

// levelEncoder makes a level of detail of a visible mesh and what is stored of it.
type levelEncoder struct {
	looks     *lookReader
	diag      *schema.Diagnostics
	path      string
	metres    bool         // positions are metres, Y up
	stored    *ultima9.LOD // nil for a new mesh
	mount     *asset.Mesh  // visible mount geometry
	keepMount bool         // mount geometry is not shown at this level: the stored one stays
}

// encode returns the level, whether it differs from the stored one, and whether its vertices do.
func (e *levelEncoder) encode(mesh *asset.Mesh) (l *ultima9.LOD, changed, moved bool, err error) {
	visible, err := e.triangles(mesh, true)
	if err != nil {
		return nil, false, false, err
	}
	mount, err := e.triangles(e.mount, false)
	if err != nil {
		return nil, false, false, err
	}
	l = &ultima9.LOD{Flags: 4}
	var body surface
	mounts := surface{bare: true}
	if e.stored != nil {
		*l = *e.stored
		body = surface{faces: e.stored.Faces, vertices: e.stored.Vertices, materials: e.stored.Materials}
		mounts.faces, mounts.vertices = e.stored.MountFaces, e.stored.MountVertices
	}
	bodyEdit := body.edit(visible)
	mountEdit := mounts.edit(mount)
	if e.keepMount {
		mountEdit = edit{whole: true}
	}
	if e.stored != nil && bodyEdit.whole && mountEdit.whole {
		return l, false, false, nil
	}
	e.report(&bodyEdit)
	if !bodyEdit.whole {
		body.rebuild(&bodyEdit)
		if len(body.faces) > ultima9.MaxFaces {
			return nil, false, false, schema.Errorf(sappearName, schema.ErrRange, "faces", "%s: %d faces, at most %d", e.path, len(body.faces), ultima9.MaxFaces)
		}
		moved = e.stored == nil || !slices.Equal(body.vertices, e.stored.Vertices)
		e.takeBody(l, &body, moved)
	}
	if !mountEdit.whole {
		mounts.rebuild(&mountEdit)
		l.MountFaces, l.MountVertices = mounts.faces, mounts.vertices
	}
	if l.Sorted[0] == nil {
		sortFaces(l)
	}
	l.Layout()
	return l, true, moved, nil
}

// takeBody puts the rebuilt faces into the level.
func (e *levelEncoder) takeBody(l *ultima9.LOD, s *surface, moved bool) {
	if l.MaxFaces = max(l.MaxFaces, uint32(len(s.faces))); e.stored == nil || e.stored.MaxFaces == uint32(len(e.stored.Faces)) {
		l.MaxFaces = uint32(len(s.faces))
	}
	l.Faces, l.Vertices, l.Materials = s.faces, s.vertices, s.materials
	if !s.sameFaces {
		l.Sorted = [4][]int16{}
	}
	if moved {
		boundLOD(l)
	}
}

// sortFaces fills the four sorted lists: the order of the faces, and its reverse (reference section 6.7).
func sortFaces(l *ultima9.LOD) {
	n := len(l.Faces)
	for i := range l.Sorted {
		list := make([]int16, n+2)
		list[0], list[n+1] = -1, -1
		for k := range n {
			list[k+1] = int16(k)
			if i%2 == 1 {
				list[k+1] = int16(n - 1 - k)
			}
		}
		l.Sorted[i] = list
	}
}

func (e *levelEncoder) report(x *edit) {
	if e.stored == nil {
		e.diag.Notef("level-new", e.path, "%d faces", len(x.visible))
		return
	}
	kept, changed := 0, 0
	for _, p := range x.pairs {
		if p.face >= 0 && p.same {
			kept++
		} else {
			changed++
		}
	}
	e.diag.Notef("level-edited", e.path, "%d faces as they were, %d new or changed, %d before", kept, changed, len(e.stored.Faces))
}

// triangles returns the faces of a mesh as they are stored: raw units, clockwise.
func (e *levelEncoder) triangles(m *asset.Mesh, looks bool) ([]triangle, error) {
	if m == nil {
		return nil, nil
	}
	var list []triangle
	for _, p := range m.Primitives {
		if p.Mode != asset.Triangles {
			e.diag.Lossf("no-triangles", e.path, "lines and points have no place in a model")
			continue
		}
		count := len(p.Positions)
		if p.Indices != nil {
			count = len(p.Indices)
		}
		material := ultima9.Material{}
		if looks && count > 0 {
			var err error
			if material, err = e.looks.material(p.Material); err != nil {
				return nil, err
			}
		}
		for i := 0; i+3 <= count; i += 3 {
			t := triangle{material: material}
			for k, at := range [3]int{i, i + 2, i + 1} {
				v := uint32(at)
				if p.Indices != nil {
					v = p.Indices[at]
				}
				if int(v) >= len(p.Positions) {
					return nil, schema.Errorf(sappearName, schema.ErrRange, "indices", "%s: vertex %d of %d", e.path, v, len(p.Positions))
				}
				t.corners[k] = e.corner(p, v)
				if k == 0 && int(v) < len(p.Colors) {
					c := displayColor(p.Colors[v])
					t.color = &c
				}
			}
			list = append(list, t)
		}
	}
	return list, nil
}

func (e *levelEncoder) corner(p *asset.Primitive, v uint32) corner {
	c := corner{position: cleanPosition(p.Positions[v])}
	if int(v) < len(p.Normals) {
		c.normal, c.hasNormal = cleanNormal(p.Normals[v], [3]float32{}), true
	}
	if len(p.TexCoords) > 0 && int(v) < len(p.TexCoords[0]) {
		c.uv, c.hasUV = cleanUV(p.TexCoords[0][v]), true
	}
	if e.metres {
		c.position, c.normal = rawPoint(c.position), rawVector(c.normal)
	}
	return c
}

// displayColor turns a linear colour into a stored one.
func displayColor(c [4]float32) (out [4]uint8) {
	for k, x := range c {
		v := min(max(float64(x), 0), 1)
		if k < 3 {
			if v <= 0.0031308 {
				v *= 12.92
			} else {
				v = 1.055*math.Pow(v, 1/2.4) - 0.055
			}
		}
		out[k] = uint8(math.Round(v * 255))
	}
	return out
}

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
			t.material = withoutRange(s.materials[x.group[i]])
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
		has := slices.ContainsFunc(s.materials, func(o ultima9.Material) bool { return withoutRange(o) == m })
		if !known || mixed[g] || has {
			continue
		}
		s.materials = slices.Clone(s.materials)
		m.FirstFace, m.FaceCount = s.materials[g].FirstFace, s.materials[g].FaceCount
		s.materials[g] = m
		for f := range x.group {
			if x.group[f] == g {
				x.stored[f].material = withoutRange(m)
			}
		}
	}
}

// unseen tells whether a face has no area, so that an editor may have dropped it.
func unseen(t *triangle) bool {
	c := &t.corners
	return c[0].position == c[1].position || c[1].position == c[2].position || c[0].position == c[2].position
}

// holds tells whether all corners of a triangle are at known places.
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
	if i := slices.IndexFunc(s.materials, func(m ultima9.Material) bool { return withoutRange(m) == t.material }); i >= 0 {
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
	var list []ultima9.Material
	for i, m := range s.materials {
		if counts[i] == 0 && m.FaceCount > 0 {
			continue
		}
		first := 0
		for k := range counts {
			if order[k] < order[i] {
				first += counts[k]
			}
		}
		m.FirstFace, m.FaceCount = uint16(first), uint16(counts[i])
		list = append(list, m)
	}
	s.materials = list
}

// face makes the stored form of an item.
func (s *surface) face(it *item, v *vertexTable, sign float64) ultima9.Face {
	f := ultima9.Face{Color: [4]uint8{200, 200, 200, 255}}
	if it.face >= 0 {
		f = s.faces[it.face]
	}
	if it.visible == nil || it.pair != nil {
		for k := range f.Corners {
			c := &f.Corners[k]
			s.moveCorner(c, v.kept[c.Vertex])
		}
	}
	if it.visible == nil {
		return f
	}
	if it.visible.color != nil {
		f.Color = *it.visible.color
	}
	if it.pair == nil {
		for k := range f.Corners {
			c := &it.visible.corners[k]
			at := v.at(c.position)
			f.Corners[k] = ultima9.Corner{Vertex: at, VertexOffset: 12 * at, Normal: c.normal, UV: c.uv}
		}
		shapeFace(&f, v.list, sign)
		for k := range f.Corners {
			if !it.visible.corners[k].hasNormal {
				f.Corners[k].Normal = f.Normal
			}
		}
		return f
	}
	for k, exact := range it.pair.exact {
		if c := &it.visible.corners[k]; !exact {
			to := &f.Corners[(k+it.pair.turn)%3]
			to.UV = c.uv
			if c.hasNormal {
				to.Normal = c.normal
			}
		}
	}
	return f
}

// moveCorner sets a corner's vertex; an offset that was not 12 times the vertex stays where the vertex does.
func (s *surface) moveCorner(c *ultima9.Corner, to uint32) {
	if c.Vertex != to {
		c.Vertex, c.VertexOffset = to, 12*to
	}
}

// shapeFace computes normal, plane and extremes of a face from its corners.
func shapeFace(f *ultima9.Face, vertices [][3]float32, sign float64) {
	var p [3][3]float64
	for k := range p {
		for i, x := range vertices[f.Corners[k].Vertex] {
			p[k][i] = float64(x)
		}
	}
	n := faceNormal(p)
	dot := 0.0
	for i := range n {
		f.Normal[i] = float32(n[i])
		dot += n[i] * p[0][i]
	}
	f.PlaneW = float32(sign * dot)
	for axis := range 3 {
		low, high := 0, 0
		for k := 1; k < 3; k++ {
			if p[k][axis] < p[low][axis] {
				low = k
			}
			if p[k][axis] > p[high][axis] {
				high = k
			}
		}
		f.Extremes[2*axis], f.Extremes[2*axis+1] = uint8(low), uint8(high)
	}
}

// faceNormal returns (v2 − v0) × (v1 − v0) brought to length 1: it points outward, since corners are clockwise. A face
// without area has none.
func faceNormal(p [3][3]float64) (n [3]float64) {
	var a, b [3]float64
	for i := range a {
		a[i], b[i] = p[2][i]-p[0][i], p[1][i]-p[0][i]
	}
	n = [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
	length := math.Sqrt(n[0]*n[0] + n[1]*n[1] + n[2]*n[2])
	if length == 0 {
		return [3]float64{}
	}
	for i := range n {
		n[i] /= length
	}
	return n
}

// planeSign returns the sign of n·v0 in the planes of the stored faces: −1 unless most of them say otherwise.
func planeSign(faces []ultima9.Face, vertices [][3]float32) float64 {
	plus, minus := 0, 0
	for i := range faces {
		f := &faces[i]
		dot := 0.0
		for k, x := range vertices[f.Corners[0].Vertex] {
			dot += float64(x) * float64(f.Normal[k])
		}
		w := float64(f.PlaneW)
		near := 1e-3 * math.Abs(dot)
		switch {
		case math.Abs(dot) < 1e-6:
		case math.Abs(w-dot) < near:
			plus++
		case math.Abs(w+dot) < near:
			minus++
		}
	}
	if plus > minus {
		return 1
	}
	return -1
}

// vertexTable numbers the vertices of a rebuilt surface: stored ones that are still used, or that nothing ever used, in
// their order, then new ones.
type vertexTable struct {
	list  [][3]float32
	kept  []uint32 // by stored number
	where map[[3]float32]uint32
}

func newVertexTable(vertices [][3]float32, faces []ultima9.Face, items []item) *vertexTable {
	used, stays := make([]bool, len(vertices)), make([]bool, len(vertices))
	for i := range faces {
		for k := range faces[i].Corners {
			used[faces[i].Corners[k].Vertex] = true
		}
	}
	places := map[[3]float32]bool{}
	for i := range items {
		it := &items[i]
		if it.pair != nil || it.visible == nil {
			for k := range faces[it.face].Corners {
				stays[faces[it.face].Corners[k].Vertex] = true
			}
			continue
		}
		for k := range it.visible.corners {
			places[canonicalZero(it.visible.corners[k].position)] = true
		}
	}
	t := &vertexTable{kept: make([]uint32, len(vertices)), where: map[[3]float32]uint32{}}
	for i, p := range vertices {
		key := canonicalZero(p)
		_, known := t.where[key]
		if used[i] && !stays[i] && (known || !places[key]) {
			continue
		}
		t.kept[i] = uint32(len(t.list))
		if !known {
			t.where[key] = t.kept[i]
		}
		t.list = append(t.list, p)
	}
	return t
}

// at returns the number of the vertex at a place, and makes it when there is none. Only equal positions are one vertex.
func (t *vertexTable) at(p [3]float32) uint32 {
	key := canonicalZero(p)
	i, ok := t.where[key]
	if !ok {
		i = uint32(len(t.list))
		t.where[key] = i
		t.list = append(t.list, p)
	}
	return i
}
