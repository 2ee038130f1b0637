package freelancer

import (
	"cmp"
	"fmt"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
)

// Deformable writes the levels and bones of a .dfm into a tree. It names their directories and removes those of deleted
// ones. Leaves with the right content are not touched. [Compound] writes the Cmpnd directory.
func Deformable(root *freelancer.Node, x *freelancer.Deformable) error {
	if err := cmp.Or(noHoles("levels", x.Meshes), noHoles("bones", x.Bones)); err != nil {
		return err
	}
	if x.Skeleton != "" || root.Find("Skeleton/Name") != nil {
		f := fields{n: root.Dir("Skeleton")}
		if f.text("Name", x.Skeleton); f.err != nil {
			return f.err
		}
	}
	levels := root.Dir("MultiLevel")
	f := fields{n: levels}
	f.floatList("Fractions", x.Fractions)
	for _, m := range x.Meshes {
		if err := skinMesh(levels, m); err != nil {
			return err
		}
	}
	keep(levels, x.Meshes, func(m *freelancer.SkinMesh) *freelancer.Node { return m.Node }, func(n *freelancer.Node) bool {
		_, ok := freelancer.IsLevel(n)
		return ok
	})
	for _, b := range x.Bones {
		if b.Node == nil {
			b.Node = root.Add(freelancer.NewDir(b.Name))
		} else if err := rename(b.Node, "bone", b.Name); err != nil {
			return err
		}
		f := fields{n: b.Node}
		f.floats("Bone to root", b.RootToBone[:]...)
		f.put("Lod Bits", []byte{b.LodBits})
	}
	keep(root, x.Bones, func(b *freelancer.Bone) *freelancer.Node { return b.Node }, freelancer.IsBone)
	return nil
}

func skinMesh(levels *freelancer.Node, m *freelancer.SkinMesh) error {
	if m.Number < 0 {
		return schema.Errorf(freelancer.Format, schema.ErrRange, "level", "%d is no number of a level", m.Number)
	}
	name := fmt.Sprintf("Mesh%d", m.Number)
	if m.Node == nil {
		m.Node = levels.Add(freelancer.NewDir(name))
	} else if number, _ := freelancer.IsLevel(m.Node); number != m.Number {
		m.Node.Name = name
	}
	if err := faceGroups(m); err != nil {
		return err
	}
	m.Geometry.Node = m.Node.Dir("Geometry")
	skinGeometry(&m.Geometry)
	return nil
}

func faceGroups(m *freelancer.SkinMesh) error {
	if err := noHoles("groups", m.Groups); err != nil {
		return err
	}
	dir := m.Node.Dir("Face_groups")
	f := fields{n: dir}
	f.words("Count", uint32(len(m.Groups)))
	for i, g := range m.Groups {
		if g.Node == nil {
			g.Node = dir.Add(freelancer.NewDir(fmt.Sprintf("Group%d", i)))
		}
		f := fields{n: g.Node}
		name, other := "Face_indices", "Tristrip_indices"
		if g.Strip {
			name, other = other, name
		}
		if strip := g.Node.Child("Tristrip_indices") != nil; strip != g.Strip {
			g.Node.Remove(g.Node.Child(other))
		}
		f.text("Material_name", g.Material)
		f.shortList(name, g.Indices)
		f.shortList("Edge_indices", g.Edges)
		f.floatList("Edge_angles", g.Angles)
		if f.err != nil {
			return f.err
		}
	}
	keep(dir, m.Groups, func(g *freelancer.FaceGroup) *freelancer.Node { return g.Node }, freelancer.IsFaceGroup)
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
