package mesh

import (
	"github.com/go-gl/mathgl/mgl32"
	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// shape is what Mesh and LodMesh have in common: corners, faces of them, and materials.
type shape struct {
	mesh      *unreal.Mesh
	lod       *unreal.LodMesh // nil for a Mesh
	corners   []corner
	faces     []face
	materials []unreal.MeshMaterial
}

// corner is a vertex of the mesh, in its numbering within a frame, with a texture coordinate in 256ths.
type corner struct {
	vertex int
	uv     [2]uint8
}

type face struct {
	corners  [3]int
	material int
}

func shapeOf(o unreal.AnyObject, d *schema.Diagnostics) (*shape, error) {
	switch m := o.(type) {
	case *unreal.Mesh:
		return meshShape(m, d)
	case *unreal.LodMesh:
		return lodShape(m)
	}
	return nil, schema.Errorf(Name, schema.ErrUnsupported, "", "%T is no vertex mesh", o)
}

// meshShape collects the corners of a Mesh. A triangle with a vertex outside the frame is left out: one original
// package has such ones.
func meshShape(m *unreal.Mesh, d *schema.Diagnostics) (*shape, error) {
	s := &shape{mesh: m}
	corners, materials := map[corner]int{}, map[unreal.MeshMaterial]int{}
	for n := range m.Triangles {
		t := &m.Triangles[n]
		if int32(max(t.Vertices[0], t.Vertices[1], t.Vertices[2])) >= m.FrameVerts {
			d.Warnf("vertex-range", m.Path, "triangle %d has a vertex outside the frame's %d; it is left out", n, m.FrameVerts)
			continue
		}
		k := unreal.MeshMaterial{Flags: t.Flags, Texture: t.Texture}
		f := face{material: indexOf(materials, k, k, &s.materials)}
		for k := range 3 {
			c := corner{int(t.Vertices[k]), t.UV[k]}
			f.corners[k] = indexOf(corners, c, c, &s.corners)
		}
		s.faces = append(s.faces, f)
	}
	return s, s.checkFrames()
}

// indexOf returns the number of a value in a list by its key. One that is new is appended.
func indexOf[K comparable, T any](known map[K]int, key K, v T, list *[]T) int {
	n, ok := known[key]
	if !ok {
		n = len(*list)
		known[key] = n
		*list = append(*list, v)
	}
	return n
}

func lodShape(m *unreal.LodMesh) (*shape, error) {
	s := &shape{mesh: &m.Mesh, lod: m, materials: m.Materials, corners: make([]corner, len(m.Wedges)), faces: make([]face, len(m.Faces))}
	for i, w := range m.Wedges {
		v := uint64(w.Vertex) + uint64(m.SpecialVerts)
		if v >= uint64(max(m.FrameVerts, 0)) && len(m.Remap) == 0 || len(m.Remap) > 0 && v >= uint64(len(m.Remap)) {
			return nil, schema.Errorf(Name, schema.ErrRange, "wedges", "%s: wedge %d names vertex %d of %d", m.Path, i, v, m.FrameVerts)
		}
		s.corners[i] = corner{int(v), w.UV}
	}
	for i, f := range m.Faces {
		for _, w := range f.Wedges {
			if int(w) >= len(m.Wedges) {
				return nil, schema.Errorf(Name, schema.ErrRange, "faces", "%s: face %d names wedge %d of %d", m.Path, i, w, len(m.Wedges))
			}
		}
		if int(f.Material) >= len(m.Materials) {
			return nil, schema.Errorf(Name, schema.ErrRange, "faces", "%s: face %d names material %d of %d", m.Path, i, f.Material, len(m.Materials))
		}
		s.faces[i] = face{[3]int{int(f.Wedges[0]), int(f.Wedges[1]), int(f.Wedges[2])}, int(f.Material)}
	}
	return s, s.checkFrames()
}

// maxAnimated bounds the positions that the frames of all corners make.
const maxAnimated = 1 << 24

// checkFrames makes sure that every corner has a position in every frame.
func (s *shape) checkFrames() error {
	m := s.mesh
	if m.FrameVerts < 0 || m.AnimFrames < 0 {
		return schema.Errorf(Name, schema.ErrCount, "frames", "%s: %d frames of %d vertices", m.Path, m.AnimFrames, m.FrameVerts)
	}
	if len(s.corners) == 0 || m.AnimFrames == 0 {
		return nil
	}
	if int64(len(s.corners))*int64(m.AnimFrames) > maxAnimated {
		return schema.Errorf(Name, schema.ErrLimit, "frames", "%s: %d frames of %d corners", m.Path, m.AnimFrames, len(s.corners))
	}
	last := int(m.AnimFrames - 1)
	for _, c := range s.corners {
		if s.at(c.vertex, last) >= len(m.Vertices) {
			return schema.Errorf(Name, schema.ErrRange, "vertices", "%s: vertex %d of frame %d is not among the %d stored", m.Path, c.vertex, last, len(m.Vertices))
		}
	}
	return nil
}

// at returns the index of a vertex of a frame among the stored vertices.
func (s *shape) at(vertex, frame int) int {
	if s.lod != nil && len(s.lod.Remap) > 0 {
		return frame*int(s.lod.OldFrameVerts) + int(s.lod.Remap[vertex])
	}
	return frame*int(s.mesh.FrameVerts) + vertex
}

// positions returns the corners of a frame in the axes of scenes, in mesh-space integers.
func (s *shape) positions(frame int) [][3]float32 {
	out := make([][3]float32, len(s.corners))
	for i, c := range s.corners {
		v := s.mesh.Vertices[s.at(c.vertex, frame)]
		out[i] = space.Vertex.Point([3]float32{float32(v[0]), float32(v[1]), float32(v[2])})
	}
	return out
}

func (s *shape) texCoords() [][2]float32 {
	uv := make([][2]float32, len(s.corners))
	for i, c := range s.corners {
		uv[i] = [2]float32{float32(c.uv[0]) / 256, float32(c.uv[1]) / 256}
	}
	return uv
}

// normals returns a normal for each corner: the mean of the faces around its vertex, weighted by area.
func (s *shape) normals(positions [][3]float32, scale [3]float32) [][3]float32 {
	sums := map[int]mgl32.Vec3{}
	p := func(i int) mgl32.Vec3 {
		v := positions[i]
		return mgl32.Vec3{v[0] * scale[0], v[1] * scale[1], v[2] * scale[2]}
	}
	for _, f := range s.faces {
		a, b, c := f.corners[0], f.corners[2], f.corners[1]
		n := p(b).Sub(p(a)).Cross(p(c).Sub(p(a)))
		for _, k := range f.corners {
			v := s.corners[k].vertex
			sums[v] = sums[v].Add(n)
		}
	}
	out := make([][3]float32, len(s.corners))
	for i, c := range s.corners {
		n := sums[c.vertex]
		n = mgl32.Vec3{n[0] * scale[0], n[1] * scale[1], n[2] * scale[2]} // the node's scale divides normals
		if l := n.Len(); l > 0 {
			out[i] = n.Mul(1 / l)
		} else {
			out[i] = [3]float32{0, 1, 0}
		}
	}
	return out
}
