package unreal

import (
	"math"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// skinnedGeometry is the triangles of a scene in the terms of a skeletal mesh.
type skinnedGeometry struct {
	geometry // faces, materials and textures; the corners are the vertices here
	vertices []skinnedVertex
}

// skinnedVertex is a vertex with everything that a skeletal mesh stores of it.
type skinnedVertex struct {
	position [3]float32 // among the points, in the axes of scenes
	uv       [2]float32
	pulls    []influence // sorted by bone
	shade    shade
}

// gatherSkinned collects the triangles of all nodes of a scene.
func (a *archive) gatherSkinned(s *asset.Scene, r *rig, m *unreal.SkeletalMesh, env *format.Env, fresh bool) (*skinnedGeometry, error) {
	g := &skinnedGeometry{geometry: geometry{textures: slices.Clone(m.Textures), fresh: fresh}}
	known := map[unreal.MeshMaterial]int{}
	var loose tally
	for _, n := range shownNodes(s) {
		place := r.skinPlace(n)
		if len(r.bones) > 0 && n.node.Skin == nil && r.hanging(n.node) == nil && len(s.Animations) > 0 {
			loose.add(n.node.Name)
		}
		for _, p := range n.node.Mesh.Primitives {
			if p.Mode != asset.Triangles {
				continue
			}
			if len(g.vertices)+len(p.Positions) > maxAnimated {
				return nil, schema.Errorf(skeletalName, schema.ErrLimit, "vertices", "more than %d positions", maxAnimated)
			}
			k, err := a.materialOf(p.Material, &g.geometry, &m.Mesh, env)
			if err != nil {
				return nil, err
			}
			if err := g.add(p, &place, indexOf(known, k, &g.materials)); err != nil {
				return nil, err
			}
		}
	}
	loose.tell(env.Told(), "node-bone", m.Path, "node", "nodes", "has no skin and hangs on no bone: it follows the motions of the first one")
	return g, nil
}

func (g *skinnedGeometry) add(p *asset.Primitive, place *skinPlace, material int) error {
	first := len(g.vertices)
	g.vertices = slices.Grow(g.vertices, len(p.Positions))
	unpulled := []influence{{place.bone, math.MaxUint16}}
	for i := range p.Positions {
		v := skinnedVertex{position: place.point(p, i), pulls: unpulled, shade: shadeOf(p, i)}
		if len(place.bones) > 0 && len(p.Joints) > 0 {
			v.pulls = place.pulls(p, i)
		}
		if len(p.TexCoords) > 0 && i < len(p.TexCoords[0]) {
			v.uv = p.TexCoords[0][i]
		}
		g.vertices = append(g.vertices, v)
	}
	mirrored := place.rigid.Det() < 0 && len(place.matrices) == 0 // joints turn no faces, whatever they do (glTF)
	faces, err := trianglesOf(p, first, material, mirrored)
	g.faces = append(g.faces, faces...)
	return err
}

// numbers finds the bones of a rig in another one, by name; −1 for one that is not there. same tells whether the bones
// of both have the same names and parents.
func (r *rig) numbers(other *rig) (number []int, same bool) {
	byName := map[string]int{}
	for i := range other.bones {
		byName[strings.ToLower(other.bones[i].name)] = i
	}
	same = len(r.bones) == len(other.bones)
	for i := range r.bones {
		b := &r.bones[i]
		k, ok := byName[strings.ToLower(b.name)]
		if !ok {
			k, ok = byName[strings.ToLower(uncopied(b.name))]
		}
		if !ok {
			k = -1
		}
		number = append(number, k)
		if k < 0 || b.parent < 0 != (other.bones[k].parent < 0) || b.parent >= 0 && number[b.parent] != other.bones[k].parent {
			same = false
		}
	}
	return number, same
}

// moved returns the bones that lie elsewhere than in another rig.
func (r *rig) moved(other *rig, number []int) (moved []int) {
	size := other.size()
	for i, k := range number {
		if k < 0 {
			continue
		}
		now, was := r.bones[i].bind, other.bones[k].bind
		if now.Col(3).Sub(was.Col(3)).Len() > placeTolerance*size || !now.Mat3().ApproxEqualThreshold(was.Mat3(), 1e-4) {
			moved = append(moved, i)
		}
	}
	return moved
}

// size returns how far the skeleton reaches.
func (r *rig) size() float64 {
	size := 1.0
	for i := range r.bones {
		size = max(size, r.bones[i].bind.Col(3).Vec3().Len())
	}
	return size
}

// renumber gives the pulls the numbers of another rig's bones.
func (g *skinnedGeometry) renumber(number []int) {
	for i := range g.vertices {
		pulls := slices.Clone(g.vertices[i].pulls)
		g.vertices[i].pulls = pulls
		for k := range pulls {
			pulls[k].bone = number[pulls[k].bone]
		}
		slices.SortFunc(pulls, func(a, b influence) int { return a.bone - b.bone })
	}
}

// close tells whether two numbers are equal but for what editors lose.
func close(a, b, tolerance float32) bool { return math.Abs(float64(a-b)) <= float64(tolerance) }

// pointTolerance is how far a point may have moved on its way through an editor, in parts of the mesh's size.
const pointTolerance = 4e-6

// same compares two vertices within what editors lose.
func (v *skinnedVertex) same(w *skinnedVertex, size float32) bool {
	for k := range 3 {
		if !close(v.position[k], w.position[k], pointTolerance*size) {
			return false
		}
	}
	far := max(1, float32(math.Abs(float64(w.uv[0]))), float32(math.Abs(float64(w.uv[1]))))
	if !close(v.uv[0], w.uv[0], 1e-4*far) || !close(v.uv[1], w.uv[1], 1e-4*far) {
		return false
	}
	return v.samePulls(w)
}

// pullTolerance is what editors change weights by: they may store them in bytes.
const pullTolerance = math.MaxUint16 / 200

func (v *skinnedVertex) samePulls(w *skinnedVertex) bool {
	i, k := 0, 0
	for i < len(v.pulls) || k < len(w.pulls) {
		var difference int
		switch {
		case k == len(w.pulls) || i < len(v.pulls) && v.pulls[i].bone < w.pulls[k].bone:
			difference = int(v.pulls[i].weight)
			i++
		case i == len(v.pulls) || v.pulls[i].bone > w.pulls[k].bone:
			difference = int(w.pulls[k].weight)
			k++
		default:
			difference = int(v.pulls[i].weight) - int(w.pulls[k].weight)
			i, k = i+1, k+1
		}
		if difference > pullTolerance || difference < -pullTolerance {
			return false
		}
	}
	return true
}

// sameSkinned compares the triangles of two scenes, whatever their order.
func sameSkinned(a, b *skinnedGeometry) bool {
	if len(a.faces) != len(b.faces) || !slices.Equal(a.textures, b.textures) {
		return false
	}
	w := newVertexGrid(b.vertices)
	first, match := w.numbers(b.vertices), w.numbers(a.vertices) // the first of equal vertices stands for all
	count := map[triangleKey]int{}
	for _, x := range b.faces {
		count[b.skinnedKey(x, first)]++
	}
	for _, x := range a.faces {
		k := a.skinnedKey(x, match)
		if count[k]--; count[k] < 0 {
			return false
		}
	}
	return true
}

// numbers returns the first vertex of the grid that is the same as each of a list, or −1.
func (w *vertexGrid) numbers(vertices []skinnedVertex) []int {
	number := make([]int, len(vertices))
	for i := range vertices {
		number[i] = w.find(&vertices[i])
	}
	return number
}

func (g *skinnedGeometry) skinnedKey(f face, vertex []int) triangleKey {
	c := [3]int{vertex[f.corners[0]], vertex[f.corners[1]], vertex[f.corners[2]]}
	return triangleKey{firstLeast(c), g.materials[f.material]}
}

// shaded returns the triangles by the numbers of their places in a grid.
func (g *skinnedGeometry) shaded(w *vertexGrid) []shadedTriangle {
	number := w.numbers(g.places())
	list := make([]shadedTriangle, len(g.faces))
	for i, f := range g.faces {
		for k, c := range f.corners {
			list[i].corners[k], list[i].shades[k] = number[c], g.vertices[c].shade
		}
	}
	return list
}

// places returns the vertices with their positions alone.
func (g *skinnedGeometry) places() []skinnedVertex {
	list := make([]skinnedVertex, len(g.vertices))
	for i := range list {
		list[i].position = g.vertices[i].position
	}
	return list
}

// vertexGrid finds vertices by their position.
type vertexGrid struct {
	vertices []skinnedVertex
	size     float32
	cells    map[[3]int32][]int32
}

// maxNeighbours is how many vertices of a cell are looked at: in a heap of vertices in one place any will do.
const maxNeighbours = 256

func newVertexGrid(vertices []skinnedVertex) *vertexGrid {
	w := &vertexGrid{vertices, extent(vertices), make(map[[3]int32][]int32, len(vertices))}
	for i := range vertices {
		c := w.cell(vertices[i].position)
		w.cells[c] = append(w.cells[c], int32(i))
	}
	return w
}

// reach is how far apart vertices may be that are the same.
func (w *vertexGrid) reach() float32 { return pointTolerance * w.size }

func (w *vertexGrid) cell(p [3]float32) (c [3]int32) {
	for k := range c {
		c[k] = int32(math.Floor(float64(p[k] / (8 * w.reach()))))
	}
	return c
}

// find returns the first vertex that is the same as v, or −1.
func (w *vertexGrid) find(v *skinnedVertex) int {
	best := -1
	for sides := range 8 {
		p := v.position
		for k := range p {
			p[k] += w.reach() * float32(2*(sides>>k&1)-1)
		}
		list := w.cells[w.cell(p)]
		for _, i := range list[:min(len(list), maxNeighbours)] {
			if (best < 0 || int(i) < best) && v.same(&w.vertices[i], w.size) {
				best = int(i)
			}
		}
	}
	return best
}

func extent(v []skinnedVertex) float32 {
	size := float32(1e-3)
	for i := range v {
		for _, x := range v[i].position {
			size = max(size, float32(math.Abs(float64(x))))
		}
	}
	return size
}
