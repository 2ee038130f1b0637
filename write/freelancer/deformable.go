package freelancer

import (
	"fmt"

	"github.com/usher-assets/usher/schema/freelancer"
)

// Deformable writes a .dfm's levels and bones into a tree; leaves that hold the same already are left as they are.
// The Cmpnd directory is written by [Compound].
func Deformable(root *freelancer.Node, x *freelancer.Deformable) error {
	if x.Skeleton != "" {
		f := fields{n: root.Dir("Skeleton")}
		if f.text("Name", x.Skeleton); f.err != nil {
			return f.err
		}
	}
	levels := root.Dir("MultiLevel")
	f := fields{n: levels}
	f.floatList("Fractions", x.Fractions)
	for _, m := range x.Meshes {
		if m.Node == nil {
			m.Node = levels.Add(freelancer.NewDir(fmt.Sprintf("Mesh%d", m.Number)))
		}
		if err := faceGroups(m); err != nil {
			return err
		}
		m.Geometry.Node = m.Node.Dir("Geometry")
		skinGeometry(&m.Geometry)
	}
	for _, b := range x.Bones {
		if b.Node == nil {
			b.Node = root.Add(freelancer.NewDir(b.Name))
		}
		f := fields{n: b.Node}
		f.floats("Bone to root", b.RootToBone[:]...)
		f.put("Lod Bits", []byte{b.LodBits})
	}
	return nil
}

func faceGroups(m *freelancer.SkinMesh) error {
	dir := m.Node.Dir("Face_groups")
	f := fields{n: dir}
	f.words("Count", uint32(len(m.Groups)))
	for i, g := range m.Groups {
		if g.Node == nil {
			g.Node = dir.Add(freelancer.NewDir(fmt.Sprintf("Group%d", i)))
		}
		f := fields{n: g.Node}
		name := "Face_indices"
		if g.Strip {
			name = "Tristrip_indices"
		}
		f.text("Material_name", g.Material)
		f.shortList(name, g.Indices)
		f.shortList("Edge_indices", g.Edges)
		f.floatList("Edge_angles", g.Angles)
		if f.err != nil {
			return f.err
		}
	}
	return nil
}

func skinGeometry(g *freelancer.SkinGeometry) {
	f := fields{n: g.Node}
	f.wordList("Point_indices", g.PointIndices)
	f.wordList("UV0_indices", g.UV0Indices)
	f.wordList("UV1_indices", g.UV1Indices)
	f.floatList("Points", flat3(g.Points))
	f.wordList("Point_bone_first", g.BoneFirst)
	f.wordList("Point_bone_count", g.BoneCount)
	f.wordList("Bone_id_chain", g.BoneIDs)
	f.floatList("Bone_weight_chain", g.BoneWeights)
	f.floatList("Vertex_normals", flat3(g.Normals))
	f.floatList("UV0", flat2(g.UV0))
	f.floatList("UV1", flat2(g.UV1))
}

func flat3(v [][3]float32) []float32 {
	out := make([]float32, 0, 3*len(v))
	for i := range v {
		out = append(out, v[i][:]...)
	}
	return out
}

func flat2(v [][2]float32) []float32 {
	out := make([]float32, 0, 2*len(v))
	for i := range v {
		out = append(out, v[i][:]...)
	}
	return out
}
