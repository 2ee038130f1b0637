package freelancer

import (
	"sort"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
)

// Deformable reads a .dfm tree (reference section 9); it returns nil if the tree is not one. It fails with ErrRange for an
// index outside its list.
func Deformable(root *freelancer.Node, d *schema.Diagnostics) (*freelancer.Deformable, error) {
	levels := root.Child("MultiLevel")
	if root.Child("Skeleton") == nil && levels.Child("Mesh0") == nil {
		return nil, nil
	}
	f := fields{n: levels}
	x := &freelancer.Deformable{Fractions: f.floats("Fractions")}
	name := fields{n: root.Child("Skeleton")}
	x.Skeleton = name.text("Name")
	if levels != nil {
		for _, n := range levels.Children {
			i, ok := freelancer.IsLevel(n)
			if !ok {
				continue
			}
			m, err := skinMesh(n, i)
			if err != nil {
				return nil, schema.In("MultiLevel", err)
			}
			x.Meshes = append(x.Meshes, m)
		}
	}
	sort.SliceStable(x.Meshes, func(i, j int) bool { return x.Meshes[i].Number < x.Meshes[j].Number })
	for _, n := range root.Children {
		if !freelancer.IsBone(n) {
			continue
		}
		b := &freelancer.Bone{Name: n.Name, Node: n}
		f := fields{n: n}
		if raw := f.leaf("Bone to root", 48); raw != nil {
			for i := range b.RootToBone {
				b.RootToBone[i] = f32(raw, 4*i)
			}
		}
		if raw := f.leaf("Lod Bits", 1); raw != nil {
			b.LodBits = raw[0]
		}
		if f.err != nil {
			return nil, f.err
		}
		x.Bones = append(x.Bones, b)
	}
	for _, m := range x.Meshes {
		if err := checkSkin(m, len(x.Bones)); err != nil {
			return nil, err
		}
	}
	return x, nil
}

func skinMesh(n *freelancer.Node, number int) (*freelancer.SkinMesh, error) {
	m := &freelancer.SkinMesh{Number: number, Node: n}
	if groups := n.Child("Face_groups"); groups != nil {
		for _, c := range groups.Children {
			if !freelancer.IsFaceGroup(c) {
				continue
			}
			f := fields{n: c}
			g := &freelancer.FaceGroup{Material: f.text("Material_name"), Node: c, Edges: f.shorts("Edge_indices"), Angles: f.floats("Edge_angles")}
			if g.Strip = f.has("Tristrip_indices"); g.Strip {
				g.Indices = f.shorts("Tristrip_indices")
			} else {
				g.Indices = f.shorts("Face_indices")
			}
			m.Groups = append(m.Groups, g)
		}
	}
	f := fields{n: n.Child("Geometry")}
	vec3 := func(v *[3]float32, s []float32) { copy(v[:], s) }
	vec2 := func(v *[2]float32, s []float32) { copy(v[:], s) }
	m.Geometry = freelancer.SkinGeometry{
		PointIndices: f.words("Point_indices"), UV0Indices: f.words("UV0_indices"), UV1Indices: f.words("UV1_indices"),
		Points:    tuples(f.floats("Points"), 3, vec3),
		BoneFirst: f.words("Point_bone_first"), BoneCount: f.words("Point_bone_count"),
		BoneIDs: f.words("Bone_id_chain"), BoneWeights: f.floats("Bone_weight_chain"),
		Normals: tuples(f.floats("Vertex_normals"), 3, vec3),
		UV0:     tuples(f.floats("UV0"), 2, vec2), UV1: tuples(f.floats("UV1"), 2, vec2),
		Node: f.n,
	}
	return m, f.err
}

// checkSkin checks every index of a level.
func checkSkin(m *freelancer.SkinMesh, bones int) error {
	g := &m.Geometry
	fail := func(class error, field, msg string, args ...any) error {
		return schema.In(`MultiLevel\`+m.Node.Name, schema.Errorf(freelancer.Format, class, field, msg, args...))
	}
	for _, list := range [...]struct {
		name   string
		v      []uint32
		limit  int
		length int
	}{
		{"Point_indices", g.PointIndices, len(g.Points), len(g.PointIndices)},
		{"UV0_indices", g.UV0Indices, len(g.UV0), len(g.UV0Indices)},
		{"UV1_indices", g.UV1Indices, len(g.UV1), len(g.UV1Indices)},
		{"Bone_id_chain", g.BoneIDs, bones, len(g.BoneWeights)},
		{"Point_bone_first", g.BoneFirst, len(g.BoneIDs) + 1, len(g.Points)},
		{"Point_bone_count", g.BoneCount, len(g.BoneIDs) + 1, len(g.Points)},
	} {
		if len(list.v) != list.length {
			return fail(schema.ErrMismatch, list.name, "%d values, expected %d", len(list.v), list.length)
		}
		for i, x := range list.v {
			if int64(x) >= int64(list.limit) {
				return fail(schema.ErrRange, list.name, "value %d is %d of %d", i, x, list.limit)
			}
		}
	}
	for i := range g.Points {
		if int(g.BoneFirst[i])+int(g.BoneCount[i]) > len(g.BoneIDs) {
			return fail(schema.ErrRange, "Point_bone_count", "point %d uses influences %d to %d of %d", i, g.BoneFirst[i], g.BoneFirst[i]+g.BoneCount[i], len(g.BoneIDs))
		}
	}
	if len(g.Normals) != 0 && len(g.Normals) != len(g.Points) {
		return fail(schema.ErrMismatch, "Vertex_normals", "%d normals for %d points", len(g.Normals), len(g.Points))
	}
	for _, uv := range [...][]uint32{g.UV0Indices, g.UV1Indices} {
		if len(uv) != 0 && len(uv) != len(g.PointIndices) {
			return fail(schema.ErrMismatch, "UV_indices", "%d texture coordinates for %d elements", len(uv), len(g.PointIndices))
		}
	}
	for _, group := range m.Groups {
		for i, x := range group.Indices {
			if int(x) >= len(g.PointIndices) {
				return fail(schema.ErrRange, group.Node.Name, "index %d is %d of %d elements", i, x, len(g.PointIndices))
			}
		}
	}
	return nil
}
