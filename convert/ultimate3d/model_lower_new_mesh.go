package ultimate3d

import (
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultimate3d"
)

// maxCount is how many vertices or triangles a mesh can have.
const maxCount = 65535

func newMesh(name string) *ultimate3d.Mesh {
	return &ultimate3d.Mesh{Name: name, LOD: 1, NormalScalar: 1, TextureCoordinatesOwned: ultimate3d.True, TrianglesOwned: ultimate3d.True}
}

// frameShape is where the vertices of a surface are in a frame, in glTF's space.
type frameShape struct{ positions, normals [][3]float32 }

// part is a piece of a surface that fits into one mesh.
type part struct {
	vertices  []uint32 // of the surface
	triangles [][3]uint16
	materials []uint16
}

// split divides a surface into parts that a mesh can hold. A surface that fits stays as it is, with its vertices in
// their order.
func (b *newModel) split(s *surface, mirrored bool) []part {
	if len(s.materials) == 0 {
		return nil
	}
	var parts []part
	var p part
	var index map[uint32]uint16
	begin := func() {
		p, index = part{}, map[uint32]uint16{}
	}
	begin()
	if len(s.Positions) <= maxCount && len(s.materials) <= maxCount {
		for v := range s.Positions {
			index[uint32(v)] = uint16(v)
			p.vertices = append(p.vertices, uint32(v))
		}
	}
	for i, a := range s.materials {
		t := [3]uint32(s.Indices[3*i:])
		if !mirrored {
			t[1], t[2] = t[2], t[1]
		}
		added := 0
		for _, v := range t {
			if _, known := index[v]; !known {
				added++
			}
		}
		if len(p.vertices)+added > maxCount || len(p.triangles) == maxCount {
			parts = append(parts, p)
			begin()
		}
		var u [3]uint16
		for k, v := range t {
			n, known := index[v]
			if !known {
				n = uint16(len(p.vertices))
				index[v] = n
				p.vertices = append(p.vertices, v)
			}
			u[k] = n
		}
		p.triangles = append(p.triangles, u)
		p.materials = append(p.materials, uint16(b.materials[a]))
	}
	return append(parts, p)
}

// mesh returns the chunks of a part, one for each frame. Those behind the first share its triangles and texture
// coordinates.
func (b *newModel) mesh(name string, s *surface, p part, frames []frameShape, sign float32) []*ultimate3d.Mesh {
	list := make([]*ultimate3d.Mesh, len(frames))
	bad := 0
	for f, shape := range frames {
		m := newMesh(name)
		m.Frame, m.NormalScalar = uint16(f), sign
		m.Positions = make([][3]float32, len(p.vertices))
		m.Normals = make([]ultimate3d.Normal, len(p.vertices))
		for i, v := range p.vertices {
			m.Positions[i] = mirror3(shape.positions[v])
			n := mirror3(shape.normals[v])
			var ok bool
			if m.Normals[i], ok = ultimate3d.NormalOf([3]float32{sign * n[0], sign * n[1], sign * n[2]}); !ok {
				bad++
			}
		}
		for k := range min(len(s.TexCoords), 8) {
			m.TexCoordDimensions[k] = 2
		}
		if f > 0 {
			m.TextureCoordinatesOwned, m.TrianglesOwned, m.SharedTriangles = ultimate3d.False, ultimate3d.False, uint16(len(p.triangles))
			list[f] = m
			continue
		}
		m.Triangles, m.TriangleMaterials = p.triangles, p.materials
		for k := range min(len(s.TexCoords), 8) {
			set := make([]float32, 0, 2*len(p.vertices))
			for _, v := range p.vertices {
				set = append(set, s.TexCoords[k][v][:]...)
			}
			m.TexCoords[k] = set
		}
		list[f] = m
	}
	if bad > 0 {
		b.d.Warnf("normals", name, "%d normals have no direction and point up", bad)
	}
	return list
}

// add appends a mesh with all levels of detail and frames: levels[k][part][frame]. Levels in fewer parts than others
// get empty ones. It returns the numbers of the meshes.
func (b *newModel) add(levels [][][]*ultimate3d.Mesh, frames int) []int {
	parts := 0
	for _, l := range levels {
		parts = max(parts, len(l))
	}
	if b.shown == nil {
		b.shown = make([]int, b.levels)
	}
	var numbers []int
	for p := range parts {
		numbers = append(numbers, len(b.parts))
		var chunks [][]*ultimate3d.Mesh // by level, then frame
		for k, l := range levels {
			if p < len(l) {
				chunks = append(chunks, l[p])
				b.shown[k] += len(l[p][0].Triangles)
				continue
			}
			var empty []*ultimate3d.Mesh
			for f := range frames {
				m := newMesh("empty")
				m.Frame = uint16(f)
				empty = append(empty, m)
			}
			chunks = append(chunks, empty)
		}
		b.parts = append(b.parts, chunks)
	}
	return numbers
}

// order puts the chunks in their places: by frame, then mesh, then level.
func (b *newModel) order(frames int) error {
	total := len(b.parts) * b.levels * frames
	if total > maxCount {
		return fail(schema.ErrLimit, "%d frames of %d meshes with %d levels of detail are %d meshes, at most 65,535", frames, len(b.parts), b.levels, total)
	}
	b.m.MeshesPerFrame = uint16(len(b.parts))
	for f := range frames {
		for _, p := range b.parts {
			for _, l := range p {
				b.m.Meshes = append(b.m.Meshes, l[f])
			}
		}
	}
	return nil
}

// instance is a mesh that is placed on a bone, seen mirrored or not.
type instance struct {
	mesh     *asset.Mesh
	mirrored bool
}

// placed is an instance with its levels of detail.
type placed struct {
	node    *asset.Node // the first that shows it
	numbers []int       // of the meshes
}

// standing returns the surface of a node's mesh with its morph targets as they stand.
func (b *newModel) standing(n *asset.Node) *surface {
	s := join(n.Mesh)
	s.morph(b.still.Weights(n, 0))
	return s
}

// morph applies morph targets.
func (s *surface) morph(weights []float64) {
	for k, w := range weights {
		if k >= len(s.Targets) || w == 0 {
			continue
		}
		positions, normals := make([][3]float32, len(s.Positions)), make([][3]float32, len(s.Normals))
		copy(positions, s.Positions)
		copy(normals, s.Normals)
		for i, d := range s.Targets[k].Positions {
			for c := range d {
				positions[i][c] = float32(float64(positions[i][c]) + w*float64(d[c]))
			}
		}
		for i, d := range s.Targets[k].Normals {
			for c := range d {
				normals[i][c] = float32(float64(normals[i][c]) + w*float64(d[c]))
			}
		}
		s.Positions, s.Normals = positions, normals
	}
	for i, n := range s.Normals {
		s.Normals[i] = unit(n)
	}
}
