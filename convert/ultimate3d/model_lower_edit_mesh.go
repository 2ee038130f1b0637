package ultimate3d

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/restore"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultimate3d"
)

// meshEdit holds a shown mesh against its chunks, one for each frame.
type meshEdit struct {
	r      *modelEdit
	of     *shown
	where  string
	key    meshKey
	flip   bool // the mesh is mirrored now and was not, or the other way round
	chunks []*ultimate3d.Mesh
	shapes []*shape // of the chunks, in the file's space
	was    *surface // as lifted, triangles in stored order
	now    *surface
	sets   []int // stored sets of the texture coordinates
	match  *scene.Matching
	reach  float64
	pairs  *scene.FacePairs
	poles  []bool // stored vertices of triangles without area, where Blender's normals are off; nil for other editors
	gone   []bool // stored triangles that showed something and do no longer

	vertices  []vertex
	extra     map[vertexKey]int // vertices behind the original ones
	triangles [][3]int          // as lifted
	numbers   []uint16          // their materials
}

// vertex is a vertex to be stored: an original one, or one of the shown surface, or an original one with edits.
type vertex struct {
	from, by int // original and shown vertex, -1 for none
	mark     string
	place    int // the shown vertex whose place one takes that is not shown itself, -1 for none
}

type vertexKey struct {
	from int
	mark string
}

// editMeshes takes over what meshes show otherwise than their chunks. It returns why they cannot be kept. All are held
// against the chunks before any changes: a mesh may be shown twice, and frames share arrays.
func (r *modelEdit) editMeshes() string {
	flipped, why := r.flipped()
	if why != "" {
		return why
	}
	var edits []*meshEdit
	for _, s := range r.list {
		e := r.newEdit(s, s.key.mirrored)
		e.flip = flipped[s.key]
		if why := e.locate(s); why != "" {
			return why
		}
		r.rename(s, e.chunks)
		e.tellGone(s)
		if e.changed() {
			edits = append(edits, e)
		}
	}
	done := map[meshKey]bool{}
	for _, e := range edits {
		if done[e.key.turned()] {
			r.compareAgain(e)
			continue
		}
		done[e.key] = true
		if why := e.apply(); why != "" {
			return why
		}
	}
	for _, e := range edits {
		if twin := e.key.turned(); r.shapes[twin] != nil && !slices.ContainsFunc(edits, func(o *meshEdit) bool { return o.key == twin }) {
			r.d.Warnf("mirrored-follows", e.where, "%q is shown mirrored too: that one changes with it, in shape and material", e.of.mesh.Name)
		}
	}
	return ""
}

// flipped finds the meshes on bones that a mirror turns now and did not before, or the other way round: the engine does
// not turn the triangles of such ones over, as glTF does.
func (r *modelEdit) flipped() (flips map[meshKey]bool, why string) {
	flips = map[meshKey]bool{}
	if len(r.m.Bones) == 0 || r.m.Skinned() {
		return flips, ""
	}
	worlds := scene.Worlds(r.s)
	for _, s := range r.list {
		for i, n := range s.nodes {
			if owner := r.owner[n]; owner != nil {
				n = owner
			}
			m := worlds[n]
			flip := scene.Mirrored(m) != s.key.mirrored && math.Abs(m.Det()) > 1e-12
			if i > 0 && flip != flips[s.key] || r.shapes[s.key.turned()] != nil && flip {
				return nil, fmt.Sprintf("mesh %q is mirrored in one place only", s.mesh.Name)
			}
			flips[s.key] = flip
		}
	}
	return flips, ""
}

// turned returns the key of the same mesh shown the other way round.
func (k meshKey) turned() meshKey {
	k.mirrored = !k.mirrored
	return k
}

// compareAgain reports the edits of a mesh that is shown mirrored too, where the other one was edited otherwise.
func (r *modelEdit) compareAgain(e *meshEdit) {
	again := r.newEdit(e.of, e.key.mirrored)
	again.now = e.now
	if again.changed() {
		r.d.Lossf("edited-twice", e.where, "%q is shown mirrored too, and edited there otherwise: of the two edits the first one is taken", e.of.mesh.Name)
	}
}

// changed reports whether the mesh shows something else than its chunks.
func (e *meshEdit) changed() bool {
	if !e.flip && e.identical() {
		return false
	}
	e.match = scene.Match(&e.was.Primitive, &e.now.Primitive, scene.EditorTolerance)
	e.pair()
	kept := 0
	for t, there := range e.pairs.There {
		if !there && !e.gone[t] && !e.flat(t) {
			kept++
		}
	}
	if kept > 0 {
		e.r.d.Notef("covered-kept", e.where, "%d triangles that join the same places as others are not shown any more; they stay, since editors drop them", kept)
	}
	return e.flip || !e.unchanged()
}

// apply takes over what the mesh shows.
func (e *meshEdit) apply() string {
	name := e.of.mesh.Name
	if len(e.now.Targets) != len(e.was.Targets) {
		return fmt.Sprintf("mesh %q has other morph targets", name)
	}
	e.r.unshare(e.key)
	e.dropTangentSpace()
	e.reshape()
	if len(e.vertices) > 65535 || len(e.triangles) > 65535 {
		return fmt.Sprintf("mesh %q has %d vertices and %d triangles, more than a chunk holds", name, len(e.vertices), len(e.triangles))
	}
	e.store()
	e.r.d.Notef("mesh-edited", e.where, "%q has changed", name)
	return ""
}

// unshare gives the frames of a mesh that are shown one by one, and of which one is edited, arrays of their own: others
// keep what they share with it.
func (r *modelEdit) unshare(key meshKey) {
	for f := 1; f < int(r.m.Frames); f++ {
		if key.frame == 0 || key.frame == f {
			r.own(r.m.MeshIndex(f, key.mesh, key.level))
		}
	}
}

// own gives a chunk the arrays that it shares with frame 0.
func (r *modelEdit) own(chunk int) {
	c := r.m.Meshes[chunk]
	if !c.TextureCoordinatesOwned.True() {
		for k := range c.TexCoords {
			set, dimension := r.m.TexCoordsOf(chunk, k)
			c.TexCoords[k], c.TexCoordDimensions[k] = set, uint16(dimension)
		}
		c.TextureCoordinatesOwned = ultimate3d.True
	}
	if !c.TrianglesOwned.True() {
		c.Triangles, c.TriangleMaterials = r.m.TrianglesOf(chunk)
		c.TrianglesOwned, c.SharedTriangles = ultimate3d.True, 0
	}
}

// sameReach is how far two positions may be apart and still be one, as a part of the largest coordinate.
const sameReach = 2e-6

func (r *modelEdit) newEdit(s *shown, mirrored bool) *meshEdit {
	e := &meshEdit{r: r, of: s, where: fmt.Sprintf("mesh %d", s.key.mesh), key: s.key, extra: map[vertexKey]int{}, sets: occurringSets(r.m)}
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
		if !mirrored {
			t[1], t[2] = t[2], t[1]
		}
		e.was.Indices = append(e.was.Indices, t[:]...)
		e.numbers = append(e.numbers, uint16(e.shapes[0].materials[i]))
	}
	e.reach = sameReach * max(scene.Extent(e.was.Positions), 1e-30)
	if restore.Does(r.s, restore.LosesNormals) {
		e.poles = make([]bool, len(e.was.Positions))
		for t := range e.numbers {
			if e.flat(t) {
				for _, a := range e.corners(t) {
					e.poles[a] = true
				}
			}
		}
	}
	return e
}

// locate takes the shown surface, moved to where its node is when the model has no bones to say so.
func (e *meshEdit) locate(s *shown) string {
	e.now = join(s.mesh)
	n := s.nodes[0]
	if len(e.r.m.Bones) > 0 {
		return e.locateLevel(s)
	}
	t := n.Transform
	if s.key.frame > 0 && t.Scale == [3]float32{} {
		t.Scale = [3]float32{1, 1, 1} // hidden in the first frame
	}
	m := scene.World(e.r.above[n], e.r.above).Mul4(scene.Matrix(&t))
	if !scene.SamePlace(mgl64.Ident4(), m, e.r.size) {
		e.now.move(m)
	}
	if p := e.r.above[n]; p != nil && p.Mesh != nil && s.key.level == 0 {
		note(&e.r.told.below, n.Name)
	}
	return ""
}

// locateLevel moves a lower level of detail to where its node is beside the one that it belongs to, whose place it has in
// the model.
func (e *meshEdit) locateLevel(s *shown) string {
	var moved *mgl64.Mat4
	for _, n := range s.nodes {
		owner := e.r.owner[n]
		if owner == nil || n.Skin != nil {
			return ""
		}
		m, frame := scene.Matrix(&n.Transform), scene.Matrix(&owner.Transform)
		if frame.Det() == 0 {
			return ""
		}
		by := scene.RelativeTo(frame, m)
		if scene.SamePlace(frame, m, e.r.size) {
			by = mgl64.Ident4()
		}
		if moved != nil && !scene.SamePlace(*moved, by, e.r.size) {
			return fmt.Sprintf("mesh %q is in different places beside its better levels of detail", s.mesh.Name)
		}
		moved = &by
	}
	if moved != nil && *moved != mgl64.Ident4() {
		e.now.move(*moved)
	}
	return ""
}

func (r *modelEdit) rename(s *shown, chunks []*ultimate3d.Mesh) {
	twin := r.shapes[s.key.turned()]
	if twin != nil && twin.renamed {
		return
	}
	was := chunks[0].Name
	name := was
	if i := slices.IndexFunc(s.nodes, func(n *asset.Node) bool { return scene.Renamed(was, n.Name) }); i >= 0 {
		name = s.nodes[i].Name
	}
	if scene.Renamed(was, s.mesh.Name) && !r.lent(s) {
		name = s.mesh.Name
	}
	if name == was {
		return
	}
	s.renamed = true
	n := len(s.nodes)
	if twin != nil {
		n += len(twin.nodes)
	}
	if n > 1 {
		r.d.Warnf("mesh-name", name, "the mesh, which was %q, is shown by %d nodes that bear its name: all are called that now", was, n)
	}
	for _, c := range chunks {
		if c.Name == was {
			c.Name = name
		}
	}
}

// lent reports whether a mesh bears the name of another one that it was equal to: glTF-Transform's dedup makes one of them.
func (r *modelEdit) lent(s *shown) bool {
	return slices.ContainsFunc(r.list, func(o *shown) bool { return o != s && o.mesh == s.mesh && o.key != s.key })
}

// identical reports whether the surface is what was stored, in the same order, as it is when no editor touched it.
func (e *meshEdit) identical() bool {
	if len(e.now.Positions) != len(e.was.Positions) || len(e.now.Indices) != len(e.was.Indices) ||
		len(e.now.TexCoords) > len(e.sets) || len(e.now.Targets) != len(e.was.Targets) {
		return false
	}
	for i, t := range byMaterial(e.numbers) { // primitives come in the order of their materials
		if !slices.Equal(e.now.Indices[3*i:3*i+3], e.was.Indices[3*t:3*t+3]) || e.material(i) != e.numbers[t] {
			return false
		}
	}
	for v := range e.was.Positions {
		if e.mark(v, v) != "" {
			return false
		}
	}
	return true
}

// unchanged reports whether the surface still is what was stored. Triangles without area and doubles, which editors take
// out, may be missing.
func (e *meshEdit) unchanged() bool {
	for i, t := range e.pairs.Of {
		if t < 0 || e.material(i) != e.numbers[t] || !e.stillFlat(t, i) && !e.alike(t, i, e.pairs.Turn[i]) {
			return false
		}
	}
	return !slices.Contains(e.gone, true) && len(e.now.TexCoords) <= len(e.sets)
}

// material returns the number of a shown triangle's material.
func (e *meshEdit) material(i int) uint16 {
	n, ok := e.r.lowerer.materials[e.now.materials[i]]
	if !ok {
		return 0
	}
	return uint16(n)
}

// reshape finds the vertices and triangles to be stored: the original ones in their order as far as they are still
// shown, then new ones.
func (e *meshEdit) reshape() {
	e.vertices = make([]vertex, len(e.was.Positions))
	for a := range e.vertices {
		e.vertices[a] = vertex{a, -1, "", -1}
	}
	count := len(e.numbers)
	triangles := make([][3]int, count)
	numbers := slices.Clone(e.numbers)
	var added [][3]int
	var addedNumbers []uint16
	var flat []int // shown triangles that nobody sees
	for i, t := range e.pairs.Of {
		s := e.shown(i)
		var result [3]int
		if t < 0 {
			for k, b := range s {
				result[k] = e.claim(e.match.Vertices[b], b)
			}
			added, addedNumbers = append(added, result), append(addedNumbers, e.material(i))
			continue
		}
		if e.stillFlat(t, i) {
			triangles[t], numbers[t] = e.corners(t), e.material(i)
			flat = append(flat, i)
			continue
		}
		triangles[t], numbers[t] = e.claimAll(t, i), e.material(i)
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
	e.follow()
	for _, i := range flat {
		if t := e.pairs.Of[i]; !e.keptFlat(t) {
			triangles[t] = e.claimAll(t, i)
		}
	}
	e.triangles, e.numbers = nil, nil
	for t := range count {
		if e.gone[t] || !e.pairs.There[t] && e.flat(t) && !e.keptFlat(t) {
			continue
		}
		if !e.pairs.There[t] {
			triangles[t] = e.corners(t)
		}
		e.triangles, e.numbers = append(e.triangles, triangles[t]), append(e.numbers, numbers[t])
	}
	e.triangles, e.numbers = append(e.triangles, added...), append(e.numbers, addedNumbers...)
	e.compact(used)
}

// claimAll returns the corners of a stored triangle as the shown one that it is has them.
func (e *meshEdit) claimAll(t, i int) (result [3]int) {
	for k, b := range e.shown(i) {
		corner := (k + e.pairs.Turn[i]) % 3
		result[corner] = e.claim(int(e.was.Indices[3*t+corner]), b)
	}
	return result
}

// keptFlat reports whether a stored triangle without area still has none after the edit.
func (e *meshEdit) keptFlat(t int) bool {
	var p [3][3]float32
	for k, a := range e.corners(t) {
		switch v := &e.vertices[a]; {
		case v.by >= 0:
			p[k] = e.now.Positions[v.by]
		case v.place >= 0:
			p[k] = e.now.Positions[v.place]
		default:
			p[k] = e.was.Positions[a]
		}
	}
	return isFlat(p, sameReach*scene.Extent(e.now.Positions))
}

// follow moves the vertices of triangles that nobody sees, since they have no area or are covered, with those that were in
// the same places.
func (e *meshEdit) follow() {
	place, _ := scene.NumberPlaces(e.was.Positions, e.reach)
	at := map[int]int{}
	for a, v := range e.vertices[:len(e.was.Positions)] {
		if _, known := at[place[a]]; !known && v.by >= 0 {
			at[place[a]] = v.by
		}
	}
	for i, t := range e.pairs.Of {
		if t < 0 {
			continue
		}
		for k, b := range e.shown(i) {
			a := int(e.was.Indices[3*t+(k+e.pairs.Turn[i])%3])
			if _, known := at[place[a]]; !known {
				at[place[a]] = b
			}
		}
	}
	for a := range e.was.Positions {
		if b, known := at[place[a]]; known && e.vertices[a].by < 0 {
			e.vertices[a].place = b
		}
	}
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
		e.vertices = append(e.vertices, vertex{a, b, mark, -1})
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
