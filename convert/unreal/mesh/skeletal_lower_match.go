package mesh

import (
	"math"
	"slices"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/convert/unreal/skeleton"
	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// Triangles holds the triangles of a scene in the form of a skeletal mesh.
type Triangles struct {
	geometry // faces, materials and textures; the corners are the vertices here
	vertices []skinnedVertex
}

// skinnedVertex is a vertex with everything that a skeletal mesh stores of it.
type skinnedVertex struct {
	position [3]float32 // among the points, in the axes of scenes
	uv       [2]float32
	pulls    []skeleton.Influence // sorted by bone
	shade    shade
}

// gatherSkinned collects the triangles of all nodes of a scene.
func gatherSkinned(pkg *pack.File, s *asset.Scene, r *skeleton.Rig, m *unreal.SkeletalMesh, env *format.Env, fresh bool) (*Triangles, error) {
	g := &Triangles{geometry: geometry{textures: slices.Clone(m.Textures), fresh: fresh, loses: losesNormals(s)}}
	known := map[unreal.MeshMaterial]int{}
	var loose scene.Tally
	for _, n := range space.Shown(s) {
		place := r.Place(n)
		if len(r.Bones) > 0 && n.Node.Skin == nil && r.Hanging(n.Node) == nil && len(s.Animations) > 0 {
			loose.Add(n.Node.Name)
		}
		for _, p := range n.Node.Mesh.Primitives {
			if p.Mode != asset.Triangles {
				continue
			}
			if len(g.vertices)+len(p.Positions) > maxAnimated {
				return nil, schema.Errorf(skeleton.Name, schema.ErrLimit, "vertices", "more than %d positions", maxAnimated)
			}
			k, err := materialOf(pkg, p.Material, &g.geometry, &m.Mesh, env)
			if err != nil {
				return nil, err
			}
			if err := g.add(p, &place, indexOf(known, k, k, &g.materials)); err != nil {
				return nil, err
			}
		}
	}
	loose.Tell(env.Told(), "node-bone", m.Path, "node", "nodes", "has no skin and hangs on no bone: it follows the motions of the first one")
	return g, nil
}

func (g *Triangles) add(p *asset.Primitive, place *skeleton.Place, material int) error {
	first := len(g.vertices)
	g.vertices = slices.Grow(g.vertices, len(p.Positions))
	for i := range p.Positions {
		v := skinnedVertex{position: place.Point(p, i), pulls: place.Pulls(p, i), shade: shadeOf(p, i)}
		if len(p.TexCoords) > 0 && i < len(p.TexCoords[0]) {
			v.uv = p.TexCoords[0][i]
		}
		g.vertices = append(g.vertices, v)
	}
	faces, err := trianglesOf(p, first, material, place.Mirrored())
	g.faces = append(g.faces, faces...)
	return err
}

// renumber gives the pulls the numbers of another rig's bones.
func (g *Triangles) renumber(number []int) {
	for i := range g.vertices {
		pulls := slices.Clone(g.vertices[i].pulls)
		g.vertices[i].pulls = pulls
		for k := range pulls {
			pulls[k].Bone = number[pulls[k].Bone]
		}
		slices.SortFunc(pulls, func(a, b skeleton.Influence) int { return a.Bone - b.Bone })
	}
}

// pointTolerance is how far a point may have moved on its way through an editor, in parts of the mesh's size.
const pointTolerance = 4e-6

// same compares two vertices within what editors lose.
func (v *skinnedVertex) same(w *skinnedVertex, size float32) bool {
	for k := range 3 {
		if !space.Close(v.position[k], w.position[k], pointTolerance*size) {
			return false
		}
	}
	far := max(1, float32(math.Abs(float64(w.uv[0]))), float32(math.Abs(float64(w.uv[1]))))
	if !space.Close(v.uv[0], w.uv[0], 1e-4*far) || !space.Close(v.uv[1], w.uv[1], 1e-4*far) {
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
		case k == len(w.pulls) || i < len(v.pulls) && v.pulls[i].Bone < w.pulls[k].Bone:
			difference = int(v.pulls[i].Weight)
			i++
		case i == len(v.pulls) || v.pulls[i].Bone > w.pulls[k].Bone:
			difference = int(w.pulls[k].Weight)
			k++
		default:
			difference = int(v.pulls[i].Weight) - int(w.pulls[k].Weight)
			i, k = i+1, k+1
		}
		if difference > pullTolerance || difference < -pullTolerance {
			return false
		}
	}
	return true
}

// Same reports whether two scenes have the same triangles, in any order.
func (g *Triangles) Same(other *Triangles) bool {
	if len(g.faces) != len(other.faces) || !slices.Equal(g.textures, other.textures) {
		return false
	}
	w := newVertexGrid(other.vertices)
	first, match := w.numbers(other.vertices), w.numbers(g.vertices) // the first of equal vertices stands for all
	count := map[triangleKey]int{}
	for _, x := range other.faces {
		count[other.skinnedKey(x, first)]++
	}
	for _, x := range g.faces {
		k := g.skinnedKey(x, match)
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

func (g *Triangles) skinnedKey(f face, vertex []int) triangleKey {
	c := [3]int{vertex[f.corners[0]], vertex[f.corners[1]], vertex[f.corners[2]]}
	return triangleKey{firstLeast(c), g.materials[f.material]}
}

// shaded returns the triangles by the numbers of their places in a grid.
func (g *Triangles) shaded(w *vertexGrid) []shadedTriangle {
	return g.shadedBy(w.numbers(g.places()), func(c int) shade { return g.vertices[c].shade })
}

// places returns the vertices with their positions alone.
func (g *Triangles) places() []skinnedVertex {
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
