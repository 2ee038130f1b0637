package ultimate3d

import (
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultimate3d"
)

// As many bones as the format counts, all of one name, take no quadratic time: that would be minutes.
func TestManyBones(t *testing.T) {
	const count = 60000
	mesh := newMesh("one")
	mesh.Positions, mesh.Normals, mesh.TriangleMaterials = [][3]float32{{}, {1, 0, 0}, {0, 1, 0}}, make([]ultimate3d.Normal, 3), []uint16{0}
	mesh.Triangles = [][3]uint16{{0, 1, 2}}
	m := &ultimate3d.Model{Version: 1, LODs: 1, Frames: 2, MeshesPerFrame: 1, Meshes: []*ultimate3d.Mesh{mesh}, Materials: []*ultimate3d.Material{{Name: "grey"}}}
	for i := range count {
		m.Bones = append(m.Bones, &ultimate3d.Bone{Name: "bone", Parent: ultimate3d.RootParent, BoneFrame: -1, PassOnBoneFrame: ultimate3d.True,
			Translation: []ultimate3d.VectorKey{{}, {Frame: 1, Value: [3]float32{1, float32(i)}}}})
	}
	m.Bones[0].Attachments = []ultimate3d.Attachment{{Transformation: scene.NarrowMatrix(mgl64.Ident4())}}
	s, err := Lift(m, &format.Env{})
	if err != nil {
		t.Fatal(err)
	}
	same, err := Lower(s, &format.Env{})
	if err != nil || len(same.Bones) != count || same.Bones[count-1].Name != "bone" || same.Bones[count-1].Translation[1].Value != [3]float32{1, count - 1} {
		t.Errorf("not edited: %v", err)
	}
	s.Native = nil // the node of the mesh becomes a bone as well
	anew, err := Lower(s, &format.Env{})
	if err != nil || len(anew.Bones) != count+1 || anew.Bones[2].Name != "bone_2" || anew.Bones[count].Name != "bone_60000" {
		t.Errorf("anew: %v", err)
	}
}

// As many nodes as there can be meshes, each with a mesh of its own, and two with the first one's.
func TestManyMeshes(t *testing.T) {
	const count = 30000
	s := &asset.Scene{}
	for i := range count + 2 {
		n := asset.NewNode("")
		n.Transform.Translation[0] = float32(i)
		if n.Mesh = (&asset.Mesh{Primitives: []*asset.Primitive{{Positions: [][3]float32{{}, {1, 0, 0}, {0, 1, 0}}}}}); i >= count {
			n.Mesh = s.Meshes[0]
		} else {
			s.Meshes = append(s.Meshes, n.Mesh)
		}
		s.Roots = append(s.Roots, n)
	}
	m, err := Lower(s, &format.Env{Options: format.Options{Ultimate3D: format.Ultimate3DOptions{KeepNodes: true}}})
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Meshes) != count || len(m.Bones) != count+2 || m.Bones[count+1].Attachments[0].Mesh != 0 || m.Bones[7].Attachments[0].Mesh != 7 {
		t.Errorf("%d meshes, %d bones", len(m.Meshes), len(m.Bones))
	}
}
