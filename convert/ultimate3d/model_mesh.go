package ultimate3d

import (
	"fmt"
	"math"
	"slices"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultimate3d"
)

// mesh returns the asset mesh of a key, made once: one primitive for each material, all with the same vertices, and
// for morph animation one target for each frame but the first. The first time it comes with its chunks as they are
// stored: the node that shows it keeps them, since editors share, copy and rename meshes, and drop what belongs to them.
func (l *lifter) mesh(key meshKey, morph bool) (mesh *asset.Mesh, payload []byte, err error) {
	if m := l.meshes[key]; m != nil {
		return m, nil, nil
	}
	index := l.m.MeshIndex(max(key.frame, 0), key.mesh, key.level)
	chunks := []*ultimate3d.Mesh{l.m.Meshes[index]}
	if morph {
		for f := 1; f < int(l.m.Frames); f++ {
			chunks = append(chunks, l.m.Meshes[l.m.MeshIndex(f, key.mesh, key.level)])
		}
	}
	if payload, err = meshPayload(chunks); err != nil {
		return nil, nil, err
	}
	mesh = &asset.Mesh{Name: chunks[0].Name, Native: native(key.values(), nil)}
	if len(l.sets) > 0 {
		sets := make([]any, len(l.sets))
		for i, k := range l.sets {
			sets[i] = float64(k)
		}
		scene.SetShown(mesh.Native, keySets, sets)
	}
	l.meshes[key] = mesh
	l.scene.Meshes = append(l.scene.Meshes, mesh)
	triangles, materials := l.m.TrianglesOf(index)
	if len(chunks[0].Positions) == 0 || len(triangles) == 0 {
		return mesh, payload, nil
	}
	vertices := l.vertexData(index)
	var targets []asset.Target
	if morph {
		targets = l.targetsOf(key, vertices)
		mesh.Weights = make([]float32, len(targets))
		for f := range targets {
			mesh.TargetNames = append(mesh.TargetNames, fmt.Sprintf("frame %d", f+1))
		}
	}
	var p *asset.Primitive
	for n, i := range byMaterial(materials) {
		if material := l.scene.Materials[materials[i]]; n == 0 || p.Material != material {
			next := *vertices
			p = &next
			p.Targets, p.Material = targets, material
			mesh.Primitives = append(mesh.Primitives, p)
		}
		t := triangles[i]
		if !key.mirrored {
			t[1], t[2] = t[2], t[1]
		}
		p.Indices = append(p.Indices, uint32(t[0]), uint32(t[1]), uint32(t[2]))
	}
	return mesh, payload, nil
}

// byMaterial returns the numbers of triangles in the ascending order of their materials.
func byMaterial(materials []uint16) []int {
	order := make([]int, len(materials))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(materials[a]) - int(materials[b]) })
	return order
}

// vertexData returns a primitive with the vertices of a chunk and no triangles.
func (l *lifter) vertexData(chunk int) *asset.Primitive {
	if p := l.vertices[chunk]; p != nil {
		return p
	}
	s := shapeOf(l.m, chunk)
	p := &asset.Primitive{Positions: make([][3]float32, len(s.positions)), Normals: make([][3]float32, len(s.normals))}
	for i, v := range s.positions {
		p.Positions[i] = mirror3(v)
	}
	for i, v := range s.normals {
		p.Normals[i] = mirror3(v)
	}
	for _, k := range s.presentSets(l.sets) {
		set := make([][2]float32, len(s.positions))
		p.TexCoords = append(p.TexCoords, set)
		if k < 0 {
			continue
		}
		dimension := s.dimensions[k]
		for i := range set {
			copy(set[i][:min(dimension, 2)], s.sets[k][i*dimension:])
		}
		if dimension != 2 {
			p.Custom = append(p.Custom, asset.Attribute{Name: customName(k), Components: dimension, Values: s.sets[k]})
		}
	}
	if s.influences != nil {
		joints, weights := make([][4]uint16, len(s.influences)), make([][4]float32, len(s.influences))
		for v, list := range s.influences {
			for i, x := range list {
				joints[v][i], weights[v][i] = uint16(x.bone), x.weight
			}
		}
		p.Joints, p.Weights = [][][4]uint16{joints}, [][][4]float32{weights}
	}
	l.vertices[chunk] = p
	return p
}

// occurringSets returns the texture coordinate sets that any mesh has. Materials name sets by number for all meshes, so
// that the renumbering without gaps that glTF demands is one for all.
func occurringSets(m *ultimate3d.Model) (sets []int) {
	for k := range 8 {
		for _, mesh := range m.Meshes {
			if mesh.TexCoordDimensions[k] != 0 {
				sets = append(sets, k)
				break
			}
		}
	}
	return sets
}

// setIndex returns the number that a stored texture coordinate set has in glTF, -1 for none.
func (l *lifter) setIndex(set int) int { return slices.Index(l.sets, set) }

// presentSets returns, of the sets that occur in the model, those that the shape has; -1 stands for one that it lacks
// and that only fills a gap.
func (s *shape) presentSets(all []int) (list []int) {
	length := 0
	for i, k := range all {
		if s.dimensions[k] == 0 {
			list = append(list, -1)
			continue
		}
		list = append(list, k)
		length = i + 1
	}
	return list[:length]
}

// customName is the attribute that holds all of a texture coordinate set whose dimension glTF does not know.
func customName(set int) string { return fmt.Sprintf("_U3D_TEXCOORD_%d", set) }

// targetsOf returns the displacements of all frames but the first.
func (l *lifter) targetsOf(key meshKey, base *asset.Primitive) []asset.Target {
	targets := make([]asset.Target, l.m.Frames-1)
	for f := range targets {
		s := shapeOf(l.m, l.m.MeshIndex(f+1, key.mesh, key.level))
		t := asset.Target{Positions: make([][3]float32, len(s.positions)), Normals: make([][3]float32, len(s.normals))}
		for i, v := range s.positions {
			t.Positions[i] = minus(mirror3(v), base.Positions[i])
		}
		for i, v := range s.normals {
			t.Normals[i] = minus(mirror3(v), base.Normals[i])
		}
		targets[f] = t
	}
	return targets
}

func minus(a, b [3]float32) [3]float32 { return [3]float32{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
func plus(a, b [3]float32) [3]float32  { return [3]float32{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }

// shape is a mesh in the file's space with everything resolved: what is shared, implicit or compressed in a chunk.
type shape struct {
	positions  [][3]float32
	normals    [][3]float32 // unit length, as seen
	dimensions [8]int
	sets       [8][]float32
	influences [][]influence // nil for a rigid mesh
	triangles  [][3]uint32
	materials  []int // one a triangle
}

// influence is a bone that moves a vertex.
type influence struct {
	bone   int
	weight float32
}

// shapeOf resolves a chunk.
func shapeOf(m *ultimate3d.Model, chunk int) *shape {
	mesh := m.Meshes[chunk]
	s := &shape{positions: mesh.Positions}
	tangents := mesh.ValidInverseTangentSpace.True()
	for k := range s.sets {
		set, dimension := m.TexCoordsOf(chunk, k)
		s.sets[k], s.dimensions[k] = set, dimension
	}
	triangles, materials := m.TrianglesOf(chunk)
	s.triangles, s.materials = make([][3]uint32, len(triangles)), make([]int, len(triangles))
	for i, t := range triangles {
		s.triangles[i] = [3]uint32{uint32(t[0]), uint32(t[1]), uint32(t[2])}
		s.materials[i] = int(materials[i])
	}
	sign := float32(1)
	if mesh.NormalScalar < 0 {
		sign = -1
	}
	s.normals = make([][3]float32, len(mesh.Normals))
	for i, n := range mesh.Normals {
		v := n.Vector()
		s.normals[i] = [3]float32{sign * v[0], sign * v[1], sign * v[2]}
	}
	if tangents {
		s.tangentSpace()
	}
	if mesh.StoredWeights != 0 {
		s.influences = make([][]influence, len(mesh.Positions))
		for v := range s.influences {
			s.influences[v] = influencesOf(mesh, v, len(m.Bones))
		}
	}
	return s
}

// influencesOf returns the bones that move a vertex, each once, without those of no weight.
func influencesOf(m *ultimate3d.Mesh, v, bones int) (list []influence) {
	weights, _ := m.WeightsOf(v)
	list = make([]influence, 0, 4)
next:
	for k := range m.Influences() {
		bone := int(m.WeightBones[v][k])
		if weights[k] == 0 || bone >= bones {
			continue
		}
		for i := range list {
			if list[i].bone == bone {
				list[i].weight += weights[k]
				continue next
			}
		}
		list = append(list, influence{bone, weights[k]})
	}
	return list
}

// tangentSpace finds the normals of a mesh whose normal array holds the second columns of tangent space matrices, the
// other two being its last three-dimensional texture coordinate sets (reference section 3.3). When what comes out does
// not look like the geometry's normals, those are taken. The two sets are no texture coordinates.
func (s *shape) tangentSpace() {
	var three []int
	for k, dimension := range s.dimensions {
		if dimension == 3 && len(s.sets[k]) == 3*len(s.positions) {
			three = append(three, k)
		}
	}
	geometric := s.flatNormals()
	if len(three) < 2 {
		s.normals = geometric
		return
	}
	first, third := three[len(three)-2], three[len(three)-1]
	sum := 0.0
	candidates := make([][3]float32, len(s.positions))
	for i := range candidates {
		candidates[i] = unit([3]float32{s.sets[first][3*i+2], s.normals[i][2], s.sets[third][3*i+2]})
		sum += dot(candidates[i], geometric[i])
	}
	s.normals = geometric
	if sum > 0.5*float64(len(candidates)) {
		s.normals = candidates
	}
	s.dimensions[first], s.dimensions[third] = 0, 0
	s.sets[first], s.sets[third] = nil, nil
}

// flatNormals returns the area-weighted normals of the triangles around each vertex: clockwise is the front.
func (s *shape) flatNormals() [][3]float32 {
	sums := make([][3]float64, len(s.positions))
	for _, t := range s.triangles {
		n := cross(s.positions[t[0]], s.positions[t[1]], s.positions[t[2]])
		for _, v := range t {
			for k := range n {
				sums[v][k] += n[k]
			}
		}
	}
	normals := make([][3]float32, len(sums))
	for i, n := range sums {
		normals[i] = unit(narrow3(n))
	}
	return normals
}

// cross returns (b-a) × (c-a).
func cross(a, b, c [3]float32) [3]float64 {
	u, v := scene.Wide3(b), scene.Wide3(c)
	for k := range 3 {
		u[k] -= float64(a[k])
		v[k] -= float64(a[k])
	}
	return [3]float64{u[1]*v[2] - u[2]*v[1], u[2]*v[0] - u[0]*v[2], u[0]*v[1] - u[1]*v[0]}
}

// unit returns v at length 1; straight up when it has no direction.
func unit(v [3]float32) [3]float32 {
	w := scene.Wide3(v)
	length := math.Sqrt(w[0]*w[0] + w[1]*w[1] + w[2]*w[2])
	if !(length > 1e-30) || math.IsInf(length, 0) {
		return [3]float32{0, 1, 0}
	}
	return [3]float32{float32(w[0] / length), float32(w[1] / length), float32(w[2] / length)}
}

func dot(a, b [3]float32) float64 {
	return float64(a[0])*float64(b[0]) + float64(a[1])*float64(b[1]) + float64(a[2])*float64(b[2])
}
