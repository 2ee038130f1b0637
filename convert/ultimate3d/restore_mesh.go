package ultimate3d

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultimate3d"
)

// meshEdit holds a shown mesh against its chunks, one for each frame.
type meshEdit struct {
	r       *restorer
	where   string
	key     meshKey
	chunks  []*ultimate3d.Mesh
	shapes  []*shape // of the chunks, in the file's space
	was     *surface // as lifted, triangles in stored order
	now     *surface
	sets    []int // stored sets of the texture coordinates
	match   *asset.Matching
	reach   float64
	place   []int           // numbers of the stored positions
	covered map[[3]int]bool // the places that shown triangles join

	vertices  []vertex
	extra     map[vertexKey]int // vertices behind the original ones
	triangles [][3]int          // as lifted
	numbers   []uint16          // their materials
}

// vertex is a vertex to be stored: an original one, or one of the shown surface, or an original one with edits.
type vertex struct {
	from, by int // original and shown vertex, -1 for none
	mark     string
}

type vertexKey struct {
	from int
	mark string
}

// editMesh takes over what a mesh shows otherwise than its chunks. It returns why they cannot be kept.
func (r *restorer) editMesh(s *shown) string {
	e := r.newEdit(s)
	if why := e.locate(s); why != "" {
		return why
	}
	r.rename(s, e.chunks)
	if e.identical() {
		return ""
	}
	e.match = asset.Match(&e.was.Primitive, &e.now.Primitive, asset.EditorTolerance)
	e.pair()
	if e.unchanged() {
		return ""
	}
	if len(e.now.Targets) != len(e.was.Targets) {
		return fmt.Sprintf("mesh %q has other morph targets", s.mesh.Name)
	}
	e.dropTangentSpace()
	e.reshape()
	if len(e.vertices) > 65535 || len(e.triangles) > 65535 {
		return fmt.Sprintf("mesh %q has %d vertices and %d triangles, more than a chunk holds", s.mesh.Name, len(e.vertices), len(e.triangles))
	}
	e.store()
	r.d.Notef("mesh-edited", e.where, "%q has changed", s.mesh.Name)
	return ""
}

func (r *restorer) newEdit(s *shown) *meshEdit {
	e := &meshEdit{r: r, where: fmt.Sprintf("mesh %d", s.key.mesh), key: s.key, extra: map[vertexKey]int{}, sets: occurringSets(r.m)}
	frames := 1
	if s.key.frame < 0 && len(r.m.Bones) == 0 {
		frames = int(r.m.Frames)
	}
	for f := range frames {
		i := r.m.MeshIndex(max(s.key.frame, 0)+f, s.key.mesh, s.key.level)
		e.chunks = append(e.chunks, r.m.Meshes[i])
		e.shapes = append(e.shapes, shapeOf(r.m, i))
	}
	first := r.m.MeshIndex(max(s.key.frame, 0), s.key.mesh, s.key.level)
	l := &lifter{m: r.m, sets: e.sets, vertices: map[int]*asset.Primitive{}}
	e.was = &surface{Primitive: *l.vertexData(first)}
	if frames > 1 {
		e.was.Targets = l.targetsOf(s.key, &e.was.Primitive)
	}
	e.was.Indices = []uint32{}
	for i, t := range e.shapes[0].triangles {
		if !s.key.mirrored {
			t[1], t[2] = t[2], t[1]
		}
		e.was.Indices = append(e.was.Indices, t[:]...)
		e.numbers = append(e.numbers, uint16(e.shapes[0].materials[i]))
	}
	for _, p := range e.was.Positions {
		for _, x := range p {
			if x := math.Abs(float64(x)); x > e.reach && !math.IsInf(x, 0) {
				e.reach = x
			}
		}
	}
	e.reach = 2e-6 * max(e.reach, 1e-30)
	return e
}

// locate takes the shown surface, moved to where its node is when the model has no bones to say so.
func (e *meshEdit) locate(s *shown) string {
	e.now = e.r.join(s.mesh, e.where)
	if len(e.r.m.Bones) > 0 {
		return ""
	}
	n := s.nodes[0]
	t := n.Transform
	if s.key.frame > 0 && t.Scale == [3]float32{} {
		t.Scale = [3]float32{1, 1, 1} // hidden in the first frame
	}
	if m := matrixOf(&t); !sameMatrix(m, ultimate3d.IdentityMatrix, 1e-6) {
		if e.now.move(m) {
			for i := 0; i+3 <= len(e.now.Indices); i += 3 {
				e.now.Indices[i+1], e.now.Indices[i+2] = e.now.Indices[i+2], e.now.Indices[i+1]
			}
		}
	}
	return ""
}

func (r *restorer) rename(s *shown, chunks []*ultimate3d.Mesh) {
	was := chunks[0].Name
	name := was
	if renamed(s.nodes[0].Name, was) {
		name = s.nodes[0].Name
	}
	if renamed(s.mesh.Name, was) {
		name = s.mesh.Name
	}
	if name == was {
		return
	}
	for _, c := range chunks {
		if c.Name == was {
			c.Name = name
		}
	}
}

// identical tells whether the surface is what was stored, in the same order, as it is when no editor touched it.
func (e *meshEdit) identical() bool {
	if len(e.now.Positions) != len(e.was.Positions) || len(e.now.Indices) != len(e.was.Indices) ||
		len(e.now.TexCoords) > len(e.sets) || len(e.now.Targets) != len(e.was.Targets) {
		return false
	}
	at := 0
	for _, m := range used(e.numbers) { // primitives come in the order of their materials
		for t, n := range e.numbers {
			if n != m {
				continue
			}
			for k := range 3 {
				if e.now.Indices[at+k] != e.was.Indices[3*t+k] {
					return false
				}
			}
			if e.material(at/3) != n {
				return false
			}
			at += 3
		}
	}
	for v := range e.was.Positions {
		if e.mark(v, v) != "" {
			return false
		}
	}
	return true
}

// unchanged tells whether the surface still is what was stored. Triangles without area and doubles, which editors take
// out, may be missing.
func (e *meshEdit) unchanged() bool {
	for i, t := range e.match.Triangles {
		if t < 0 || e.material(i) != e.numbers[t] {
			return false
		}
	}
	for t, there := range e.there() {
		if !there && !e.vain(t) {
			return false
		}
	}
	for i, t := range e.match.Triangles {
		s := e.shown(i)
		turn := e.turn(t, s)
		for k := range 3 {
			if e.mark(int(e.was.Indices[3*t+k]), s[(k+turn)%3]) != "" {
				return false
			}
		}
	}
	return len(e.now.TexCoords) <= len(e.sets)
}

// shown returns the vertices of a shown triangle.
func (e *meshEdit) shown(i int) [3]int {
	return [3]int{int(e.now.Indices[3*i]), int(e.now.Indices[3*i+1]), int(e.now.Indices[3*i+2])}
}

// pair finds the stored triangle of each shown one by the places of its corners, since of several vertices in one place
// an editor may have taken any. Where several triangles join the same places, those that look the same belong together.
func (e *meshEdit) pair() {
	e.place = places(e.was.Positions, e.reach)
	at := map[[3]int][]int{}
	for t := range e.numbers {
		key := lowestFirst([3]int{e.place[e.was.Indices[3*t]], e.place[e.was.Indices[3*t+1]], e.place[e.was.Indices[3*t+2]]})
		at[key] = append(at[key], t)
	}
	for i := range e.match.Triangles {
		e.match.Triangles[i] = -1
	}
	for _, strict := range []bool{true, false} {
	shown:
		for i := range e.match.Triangles {
			var key [3]int
			for k, b := range e.shown(i) {
				a := e.match.Vertices[b]
				if a < 0 || e.match.Triangles[i] >= 0 {
					continue shown
				}
				key[k] = e.place[a]
			}
			key = lowestFirst(key)
			for n, t := range at[key] {
				if n >= 64 {
					break // a heap of triangles in one place: they are new ones
				}
				if strict && !e.alike(t, i) {
					continue
				}
				e.match.Triangles[i] = t
				at[key] = slices.Delete(at[key], n, n+1)
				break
			}
		}
	}
}

// alike tells whether a shown triangle is a stored one without any edit.
func (e *meshEdit) alike(t, i int) bool {
	s := e.shown(i)
	turn := e.turn(t, s)
	for k := range 3 {
		if e.mark(int(e.was.Indices[3*t+k]), s[(k+turn)%3]) != "" {
			return false
		}
	}
	return e.material(i) == e.numbers[t]
}

// places numbers positions: those within reach of each other have the same number.
func places(positions [][3]float32, reach float64) []int {
	type cell [3]int64
	size := 4 * reach
	cells := map[cell][]int{}
	numbers := make([]int, len(positions))
	for i, p := range positions {
		numbers[i] = i
		var low, high cell
		for k, x := range p {
			low[k], high[k] = int64(math.Floor((float64(x)-reach)/size)), int64(math.Floor((float64(x)+reach)/size))
		}
	search:
		for x := low[0]; x <= high[0]; x++ {
			for y := low[1]; y <= high[1]; y++ {
				for z := low[2]; z <= high[2]; z++ {
					for _, other := range cells[cell{x, y, z}] {
						if numbers[other] == other && closeTo(positions[other], p, reach) {
							numbers[i] = other
							break search
						}
					}
				}
			}
		}
		if numbers[i] != i {
			continue
		}
		var c cell
		for k, x := range p {
			c[k] = int64(math.Floor(float64(x) / size))
		}
		cells[c] = append(cells[c], i)
	}
	return numbers
}

func closeTo(p, q [3]float32, reach float64) bool {
	for k := range p {
		if !(math.Abs(float64(p[k])-float64(q[k])) <= reach) {
			return false
		}
	}
	return true
}

// lowestFirst turns a triangle so that its lowest number comes first, keeping the winding.
func lowestFirst(t [3]int) [3]int {
	for t[0] > t[1] || t[0] > t[2] {
		t = [3]int{t[1], t[2], t[0]}
	}
	return t
}

// there tells which stored triangles are still shown.
func (e *meshEdit) there() []bool {
	there := make([]bool, len(e.numbers))
	for _, t := range e.match.Triangles {
		if t >= 0 {
			there[t] = true
		}
	}
	return there
}

// vain tells whether a stored triangle shows nothing: it has no area, or another one covers it.
func (e *meshEdit) vain(t int) bool {
	p := e.corners(t)
	if p[0] == p[1] || p[1] == p[2] || p[0] == p[2] {
		return true
	}
	c := cross(p[0], p[1], p[2])
	if c[0]*c[0]+c[1]*c[1]+c[2]*c[2] <= e.reach*e.reach*e.reach*e.reach {
		return true
	}
	if e.covered == nil {
		e.covered = map[[3]int]bool{}
		for _, other := range e.match.Triangles {
			if other >= 0 {
				e.covered[e.joined(other)] = true
			}
		}
	}
	return e.covered[e.joined(t)]
}

// joined returns the places that a stored triangle joins, whichever way it faces.
func (e *meshEdit) joined(t int) [3]int {
	key := [3]int{e.place[e.was.Indices[3*t]], e.place[e.was.Indices[3*t+1]], e.place[e.was.Indices[3*t+2]]}
	slices.Sort(key[:])
	return key
}

func (e *meshEdit) corners(t int) (p [3][3]float32) {
	for k := range p {
		p[k] = e.was.Positions[e.was.Indices[3*t+k]]
	}
	return p
}

// material returns the number of a shown triangle's material.
func (e *meshEdit) material(i int) uint16 {
	n, ok := e.r.lowerer.materials[e.now.materials[i]]
	if !ok {
		return 0
	}
	return uint16(n)
}

// mark says in what a shown vertex differs from an original one, and how: nothing when it is the same.
func (e *meshEdit) mark(a, b int) string {
	var m []byte
	put := func(kind byte, v ...float32) {
		m = append(m, kind)
		for _, x := range v {
			m = binary.LittleEndian.AppendUint32(m, math.Float32bits(x))
		}
	}
	for f := range e.chunks {
		if p := e.position(f, b); a < 0 || !e.near(e.stored(f, a), p) {
			put('p', p[:]...)
		}
		if n, ok := e.normal(f, b); ok && (a < 0 || !sameDirection(mirror3(e.shapes[f].normals[a]), n)) {
			put('n', n[:]...)
		}
	}
	for k := range e.now.TexCoords {
		if uv := e.now.TexCoords[k][b]; a < 0 || k >= len(e.was.TexCoords) || !sameUV(e.was.TexCoords[k][a], uv) {
			put('t', uv[:]...)
		}
	}
	for _, c := range e.now.Custom {
		i := slices.IndexFunc(e.was.Custom, func(x asset.Attribute) bool { return x.Name == c.Name && x.Components == c.Components })
		if i < 0 {
			continue
		}
		v := c.Values[b*c.Components : (b+1)*c.Components]
		if a < 0 || !sameAttribute(e.was.Custom[i].Values[a*c.Components:(a+1)*c.Components], v) {
			put('c', v...)
		}
	}
	if list, ok := e.influences(b); ok && (a < 0 || !sameInfluences(e.shapes[0].influences[a], list)) {
		for _, x := range list {
			put('w', float32(x.bone), x.weight)
		}
	}
	if a < 0 {
		m = append(m, '!')
	}
	return string(m)
}

func sameAttribute(a, b []float32) bool {
	for k := range a {
		if a[k] != b[k] && !(math.Abs(float64(a[k])-float64(b[k])) <= 1e-6*max(1, math.Abs(float64(a[k])))) && !(notFinite(a[k]) && (b[k] == 0 || notFinite(b[k]))) {
			return false
		}
	}
	return true
}

func sameUV(a, b [2]float32) bool {
	for k := range a {
		if a[k] == b[k] || notFinite(a[k]) && (b[k] == 0 || notFinite(b[k])) {
			continue
		}
		if !(math.Abs(float64(a[k])-float64(b[k])) <= asset.EditorTolerance.TexCoord*max(1, math.Abs(float64(a[k])))) {
			return false
		}
	}
	return true
}

func sameDirection(a, b [3]float32) bool {
	d := minus(a, b)
	return dot(d, d) <= asset.EditorTolerance.Normal*asset.EditorTolerance.Normal
}

// sameInfluences tells whether stored influences are the shown ones.
func sameInfluences(a, b []influence) bool {
	if a = settled(a); len(a) == 0 {
		return true // glTF has something in the place of nothing
	}
	total := func(list []influence, bone int) (w float32) {
		for _, x := range list {
			if x.bone == bone {
				w += x.weight
			}
		}
		return w
	}
	for _, list := range [][]influence{a, b} {
		for _, x := range list {
			if math.Abs(float64(total(a, x.bone)-total(b, x.bone))) > 1e-4 {
				return false
			}
		}
	}
	return true
}

// stored returns an original position as lifted.
func (e *meshEdit) stored(f, a int) [3]float32 {
	if f == 0 {
		return e.was.Positions[a]
	}
	return plus(e.was.Positions[a], e.was.Targets[f-1].Positions[a])
}

// position returns where a shown vertex is in a frame.
func (e *meshEdit) position(f, b int) [3]float32 {
	if f == 0 || f > len(e.now.Targets) {
		return e.now.Positions[b]
	}
	return plus(e.now.Positions[b], e.now.Targets[f-1].Positions[b])
}

// normal returns the normal of a shown vertex in a frame; ok is false when the scene does not say.
func (e *meshEdit) normal(f, b int) (n [3]float32, ok bool) {
	if f == 0 {
		return e.now.Normals[b], true
	}
	if f > len(e.now.Targets) || e.now.Targets[f-1].Normals == nil {
		return n, false
	}
	return unit(plus(e.now.Normals[b], e.now.Targets[f-1].Normals[b])), true
}

// near tells whether a stored position p is the shown one q. What is no number cannot be compared: glTF has zeros there.
func (e *meshEdit) near(p, q [3]float32) bool {
	for k := range p {
		if p[k] == q[k] || notFinite(p[k]) {
			continue
		}
		if !(math.Abs(float64(p[k])-float64(q[k])) <= e.reach) {
			return false
		}
	}
	return true
}

func notFinite(v float32) bool { return v-v != 0 }

// influences returns the bones that a shown vertex follows; ok is false for rigid meshes.
func (e *meshEdit) influences(b int) ([]influence, bool) {
	if e.shapes[0].influences == nil || len(e.now.Joints) == 0 {
		return nil, false
	}
	list, complete := e.now.influences(b, func(joint int) int {
		if joint >= len(e.r.joints) || e.r.joints[joint] > 255 {
			return -1
		}
		return e.r.joints[joint]
	})
	if !complete {
		e.r.d.Lossf("influences", e.where, "vertices follow more than four bones; the strongest are kept")
	}
	return list, len(list) > 0
}

// dropTangentSpace makes ordinary normals of tangent space matrices, which no editor keeps.
func (e *meshEdit) dropTangentSpace() {
	for f, c := range e.chunks {
		if !c.ValidInverseTangentSpace.True() {
			continue
		}
		e.r.d.Warnf("tangent-space", e.where, "the tangent space matrices of an edited mesh become normals")
		c.ValidInverseTangentSpace = ultimate3d.False
		sign := signOf(c)
		for i, n := range e.shapes[f].normals {
			c.Normals[i], _ = ultimate3d.NormalOf([3]float32{sign * n[0], sign * n[1], sign * n[2]})
		}
		for k := range c.TexCoordDimensions {
			if e.shapes[f].dimensions[k] == 0 {
				c.TexCoordDimensions[k], c.TexCoords[k] = 0, nil
			}
		}
	}
}

func signOf(c *ultimate3d.Mesh) float32 {
	if c.NormalScalar < 0 {
		return -1
	}
	return 1
}

// reshape finds the vertices and triangles to be stored: the original ones in their order as far as they are still
// shown, then new ones.
func (e *meshEdit) reshape() {
	e.vertices = make([]vertex, len(e.was.Positions))
	for a := range e.vertices {
		e.vertices[a] = vertex{a, -1, ""}
	}
	count := len(e.numbers)
	triangles, there := make([][3]int, count), e.there()
	numbers := slices.Clone(e.numbers)
	var added [][3]int
	var addedNumbers []uint16
	for i, t := range e.match.Triangles {
		s := e.shown(i)
		var result [3]int
		if t < 0 {
			for k, b := range s {
				result[k] = e.claim(e.match.Vertices[b], b)
			}
			added, addedNumbers = append(added, result), append(addedNumbers, e.material(i))
			continue
		}
		turn := e.turn(t, s)
		for k := range 3 {
			result[k] = e.claim(int(e.was.Indices[3*t+k]), s[(k+turn)%3])
		}
		triangles[t], numbers[t] = result, e.material(i)
	}
	used := make([]bool, len(e.was.Positions))
	for _, a := range e.was.Indices {
		used[a] = true
	}
	for a, b := range e.match.Sources {
		if !used[a] && b >= 0 {
			e.claim(a, b)
		}
	}
	e.triangles, e.numbers = nil, nil
	for t := range count {
		if !there[t] {
			if !e.vain(t) {
				continue
			}
			triangles[t] = [3]int{int(e.was.Indices[3*t]), int(e.was.Indices[3*t+1]), int(e.was.Indices[3*t+2])}
		}
		e.triangles, e.numbers = append(e.triangles, triangles[t]), append(e.numbers, numbers[t])
	}
	e.triangles, e.numbers = append(e.triangles, added...), append(e.numbers, addedNumbers...)
	e.compact(used)
}

// turn returns by how much a shown triangle is turned against the stored one.
func (e *meshEdit) turn(t int, s [3]int) (best int) {
	most := -1
	for turn := range 3 {
		score := 0
		for k := range 3 {
			a, of := int(e.was.Indices[3*t+k]), e.match.Vertices[s[(k+turn)%3]]
			if a == of {
				score += 2
			} else if of >= 0 && closeTo(e.was.Positions[a], e.was.Positions[of], e.reach) {
				score++
			}
		}
		if score > most {
			best, most = turn, score
		}
	}
	return best
}

// claim returns the vertex that is the original a as the shown vertex b has it.
func (e *meshEdit) claim(a, b int) int {
	mark := e.mark(a, b)
	if a >= 0 {
		v := &e.vertices[a]
		if v.by < 0 {
			v.by, v.mark = b, mark
		}
		if v.mark == mark {
			return a
		}
	}
	key := vertexKey{a, mark}
	i, ok := e.extra[key]
	if !ok {
		i = len(e.vertices)
		e.extra[key] = i
		e.vertices = append(e.vertices, vertex{a, b, mark})
	}
	return i
}

// compact takes out vertices that triangles used and no longer do.
func (e *meshEdit) compact(wasUsed []bool) {
	used := make([]bool, len(e.vertices))
	for _, t := range e.triangles {
		for _, v := range t {
			used[v] = true
		}
	}
	to := make([]int, len(e.vertices))
	kept := e.vertices[:0]
	for i, v := range e.vertices {
		if used[i] || i < len(wasUsed) && !wasUsed[i] {
			to[i] = len(kept)
			kept = append(kept, v)
		}
	}
	e.vertices = kept
	for i, t := range e.triangles {
		e.triangles[i] = [3]int{to[t[0]], to[t[1]], to[t[2]]}
	}
}

// store writes the vertices and triangles into the chunks.
func (e *meshEdit) store() {
	structure := len(e.vertices) != len(e.was.Positions)
	moved := structure || 3*len(e.triangles) != len(e.was.Indices)
	for i, v := range e.vertices {
		structure = structure || v.from != i
		moved = moved || v.from != i || len(v.mark) > 0 && v.mark[0] == 'p'
	}
	triangles := make([][3]uint16, len(e.triangles))
	for i, t := range e.triangles {
		if !e.key.mirrored {
			t[1], t[2] = t[2], t[1]
		}
		triangles[i] = [3]uint16{uint16(t[0]), uint16(t[1]), uint16(t[2])}
	}
	base := e.chunks[0]
	wasTriangles := base.Triangles
	for f, c := range e.chunks {
		e.storeVertices(f, c)
		switch {
		case !c.TrianglesOwned.True():
			c.SharedTriangles = uint16(len(triangles))
		case f == 0 || structure || slices.Equal(c.Triangles, wasTriangles):
			c.Triangles, c.TriangleMaterials = triangles, e.numbers
		}
		if moved && (c.Shadow.VertexCount > 0 || len(c.Shadow.Triangles) > 0) {
			e.r.d.Lossf("shadow-volume", e.where, "the shadow volume of an edited mesh is left out; the engine can make it again")
			c.Shadow = ultimate3d.ShadowVolume{}
		}
	}
}

func (e *meshEdit) storeVertices(f int, c *ultimate3d.Mesh) {
	positions := make([][3]float32, len(e.vertices))
	normals := make([]ultimate3d.Normal, len(e.vertices))
	sign := signOf(c)
	for i, v := range e.vertices {
		if v.from >= 0 {
			positions[i], normals[i] = c.Positions[v.from], c.Normals[v.from]
		}
		if v.by < 0 {
			continue
		}
		if p := e.position(f, v.by); v.from < 0 || !e.near(e.stored(f, v.from), p) {
			positions[i] = mirror3(p)
		}
		n, ok := e.normal(f, v.by)
		if !ok && v.from < 0 {
			n, _ = e.normal(0, v.by)
			ok = true
		}
		if ok && (v.from < 0 || !sameDirection(mirror3(e.shapes[f].normals[v.from]), n)) {
			n = mirror3(n)
			normals[i], _ = ultimate3d.NormalOf([3]float32{sign * n[0], sign * n[1], sign * n[2]})
		}
	}
	if c.TextureCoordinatesOwned.True() {
		e.storeTexCoords(c)
	}
	if c.StoredWeights > 0 {
		e.storeWeights(c)
	}
	c.Positions, c.Normals = positions, normals
}

func (e *meshEdit) storeTexCoords(c *ultimate3d.Mesh) {
	for index := range max(len(e.sets), len(e.now.TexCoords)) {
		set := 0
		if index < len(e.sets) {
			set = e.sets[index]
		} else if set = e.freeSet(index); set < 0 {
			e.r.d.Lossf("texture-coordinates", e.where, "there is no room for another set of texture coordinates")
			continue
		}
		dimension := int(c.TexCoordDimensions[set])
		if dimension == 0 {
			if index < len(e.was.TexCoords) || index >= len(e.now.TexCoords) {
				continue // absent, and perhaps zeros in its place
			}
			dimension = 2
			c.TexCoordDimensions[set] = 2
		}
		old := c.TexCoords[set]
		values := make([]float32, dimension*len(e.vertices))
		for i, v := range e.vertices {
			x := values[i*dimension : (i+1)*dimension]
			if v.from >= 0 && len(old) > 0 {
				copy(x, old[v.from*dimension:])
			}
			if v.by >= 0 {
				e.editTexCoord(x, index, set, v)
			}
		}
		c.TexCoords[set] = values
	}
}

// freeSet returns the stored set for texture coordinates that an editor added.
func (e *meshEdit) freeSet(index int) int {
	n := index - len(e.sets)
	for k := range 8 {
		if !slices.Contains(e.sets, k) {
			if n == 0 {
				return k
			}
			n--
		}
	}
	return -1
}

// editTexCoord takes over the texture coordinates of a shown vertex where they differ.
func (e *meshEdit) editTexCoord(x []float32, index, set int, v vertex) {
	for _, c := range e.now.Custom {
		if c.Name != customName(set) || c.Components != len(x) {
			continue
		}
		now := c.Values[v.by*len(x) : (v.by+1)*len(x)]
		if i := slices.IndexFunc(e.was.Custom, func(o asset.Attribute) bool { return o.Name == c.Name }); v.from < 0 ||
			i >= 0 && !sameAttribute(e.was.Custom[i].Values[v.from*len(x):(v.from+1)*len(x)], now) {
			copy(x, now)
		}
	}
	if index >= len(e.now.TexCoords) {
		return
	}
	uv := e.now.TexCoords[index][v.by]
	if v.from < 0 || index >= len(e.was.TexCoords) || !sameUV(e.was.TexCoords[index][v.from], uv) {
		copy(x[:min(len(x), 2)], uv[:])
	}
}

func (e *meshEdit) storeWeights(c *ultimate3d.Mesh) {
	old := *c
	lists := make([][]influence, len(e.vertices))
	for i, v := range e.vertices {
		if v.by < 0 {
			continue
		}
		if list, ok := e.influences(v.by); ok && (v.from < 0 || !sameInfluences(e.shapes[0].influences[v.from], list)) {
			lists[i] = list
			if len(list) > c.Influences() {
				c.StoredWeights = 3
			}
		}
	}
	k := int(c.StoredWeights)
	c.Weights, c.WeightBones = make([]float32, k*len(e.vertices)), make([][4]uint8, len(e.vertices))
	for i, v := range e.vertices {
		switch {
		case lists[i] != nil:
			setInfluences(c, i, lists[i])
		case v.from < 0:
			setInfluences(c, i, []influence{{0, 1}})
		case c.StoredWeights == old.StoredWeights:
			copy(c.Weights[i*k:(i+1)*k], old.Weights[v.from*k:])
			c.WeightBones[i] = old.WeightBones[v.from]
		default:
			setInfluences(c, i, e.shapes[0].influences[v.from])
		}
	}
}
