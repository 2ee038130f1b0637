package ultimate3d

import (
	"bytes"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
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

// TestDroppedBone: a bone that shows nothing comes back when the program that saved the scene leaves all such nodes out;
// otherwise it is gone.
func TestDroppedBone(t *testing.T) {
	mesh := newMesh("one")
	mesh.Positions, mesh.Normals, mesh.TriangleMaterials = [][3]float32{{}, {1, 0, 0}, {0, 1, 0}}, make([]ultimate3d.Normal, 3), []uint16{0}
	mesh.Triangles = [][3]uint16{{0, 1, 2}}
	m := &ultimate3d.Model{Version: 1, LODs: 1, Frames: 1, MeshesPerFrame: 1, Meshes: []*ultimate3d.Mesh{mesh}, Materials: []*ultimate3d.Material{{Name: "grey"}}}
	for _, name := range []string{"tip", "hull", "end"} {
		m.Bones = append(m.Bones, &ultimate3d.Bone{Name: name, Parent: ultimate3d.RootParent, BoneFrame: -1, PassOnBoneFrame: ultimate3d.True})
	}
	m.Bones[1].Translation = []ultimate3d.VectorKey{{Value: [3]float32{1, 2, 3}}}
	m.Bones[1].Attachments = []ultimate3d.Attachment{{Transformation: scene.NarrowMatrix(mgl64.Ident4())}}
	for _, c := range []struct {
		generator string
		gone      []string
		back      bool
	}{{"glTF-Transform v4.5.1", []string{"tip", "end"}, true}, {"glTF-Transform v4.5.1", []string{"tip"}, false}, {"Blender", []string{"tip", "end"}, false}} {
		s := lift(t, m, format.Options{})
		s.Generator = c.generator
		gone := func(n *asset.Node) bool { return slices.Contains(c.gone, n.Name) }
		s.Roots = slices.DeleteFunc(s.Roots, gone)
		s.Walk(func(n, _ *asset.Node) { n.Children = slices.DeleteFunc(n.Children, gone) })
		d := new(schema.Diagnostics)
		got := lower(t, s, &format.Env{Diagnostics: d})
		if same := bytes.Equal(mustWrite(t, got), mustWrite(t, m)); same != c.back || c.back && d.Has("rebuilt") {
			t.Errorf("%s without %v: the same bytes %v; %v", c.generator, c.gone, same, d.All())
		}
	}
}

// TestCompact: vertices that lost their triangles go; those that never had one stay.
func TestCompact(t *testing.T) {
	e := &meshEdit{vertices: []vertex{{from: 0}, {from: 1}, {from: 2}, {from: 3}, {from: 4}}, triangles: [][3]int{{4, 0, 4}}}
	e.compact([]bool{true, true, false})
	if len(e.vertices) != 3 || e.vertices[0].from != 0 || e.vertices[1].from != 2 || e.vertices[2].from != 4 || e.triangles[0] != [3]int{2, 0, 2} {
		t.Errorf("%v, %v", e.vertices, e.triangles)
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
