package model

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/u9"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// shuffled returns a scene as an editor might write it: vertices of each primitive in another order and split, triangles
// turned and in another order, numbers a little off.
func shuffled(t testing.TB, s *asset.Scene) *asset.Scene {
	s = u9.ThroughGLB(t, "", s)
	for _, m := range s.Meshes {
		for _, p := range m.Primitives {
			q := &asset.Primitive{Material: p.Material, TexCoords: make([][][2]float32, 1)}
			n := len(p.Indices) / 3
			for i := range n {
				tri := (i*7 + 3) % n
				if n%7 == 0 {
					tri = n - 1 - i
				}
				for k := range 3 {
					v := p.Indices[3*tri+(k+i)%3]
					q.Indices = append(q.Indices, uint32(len(q.Positions)))
					q.Positions = append(q.Positions, p.Positions[v])
					normal := p.Normals[v]
					normal[0] += 1e-3
					q.Normals = append(q.Normals, normal)
					uv := p.TexCoords[0][v]
					uv[1] += 2e-6
					q.TexCoords[0] = append(q.TexCoords[0], uv)
				}
			}
			*p = *q
		}
		slices.Reverse(m.Primitives)
	}
	return s
}

func TestSappearThroughEditor(t *testing.T) {
	for name, b := range u9.MeshFiles(t) {
		corpus.SameBytes(t, name, u9.Lower(t, Sappear, shuffled(t, u9.Lift(t, Sappear, b, nil)), nil), b)
	}
}

func findMesh(t testing.TB, s *asset.Scene, name string) *asset.Mesh {
	t.Helper()
	for _, m := range s.Meshes {
		if m.Name == name {
			return m
		}
	}
	t.Fatalf("there is no mesh %s", name)
	return nil
}

// Moving a vertex of one limb changes that level and nothing else of the model but its bounds.
func TestSappearEditOneLimb(t *testing.T) {
	b := corpus.Bytes(t, u9.Synthetic(t, "mesh", "body.mesh"))
	before := u9.Do(read.Sappear(b, nil))(t)
	s := shuffled(t, u9.Lift(t, Sappear, b, nil))
	mesh := findMesh(t, s, "limb_2_lod0")
	from := mesh.Primitives[0].Positions[0]
	to := [3]float32{from[0] + 50, from[1], from[2]}
	for _, p := range mesh.Primitives {
		for i := range p.Positions {
			if p.Positions[i] == from {
				p.Positions[i] = to
			}
		}
	}
	env := &format.Env{Diagnostics: new(schema.Diagnostics)}
	after := u9.Do(read.Sappear(u9.Lower(t, Sappear, s, env), nil))(t)
	if !env.Diagnostics.Has("level-edited") {
		t.Errorf("nothing was said: %v", env.Diagnostics.All())
	}
	for i := range before.Limbs {
		for k := range before.Limbs[i].LODs {
			x, y := &before.Limbs[i].LODs[k], &after.Limbs[i].LODs[k]
			same := bytes.Equal(u9.Do(write.SappearLOD(x))(t), u9.Do(write.SappearLOD(y))(t))
			if edited := before.Limbs[i].ID == 2 && k == 0; same == edited {
				t.Errorf("limb %d level %d unchanged: %v", before.Limbs[i].ID, k, same)
			}
		}
		if before.Limbs[i].Position != after.Limbs[i].Position || before.Limbs[i].Rotation != after.Limbs[i].Rotation {
			t.Errorf("limb %d moved", i)
		}
	}
	x, y := &before.Limbs[1].LODs[0], &after.Limbs[1].LODs[0]
	if len(x.Faces) != len(y.Faces) || len(x.Vertices) != len(y.Vertices) || fmt.Sprint(x.Sorted) != fmt.Sprint(y.Sorted) || x.Flags != y.Flags {
		t.Errorf("the level has %d faces and %d vertices, had %d and %d", len(y.Faces), len(y.Vertices), len(x.Faces), len(x.Vertices))
	}
	if !slices.Contains(y.Vertices, to) || slices.Contains(y.Vertices, from) {
		t.Error("the vertex did not move")
	}
	for i := range x.Faces {
		f, g := x.Faces[i], y.Faces[i]
		if f.Flags != g.Flags || f.RawMaterial != g.RawMaterial || f.Color != g.Color || f.SizeCode != g.SizeCode {
			t.Errorf("face %d lost what it had: %+v, was %+v", i, g, f)
		}
	}
	if after.BoxMax[0] <= before.BoxMax[0] && after.BoxMin[0] >= before.BoxMin[0] {
		t.Errorf("bounds %v %v", after.BoxMin, after.BoxMax)
	}
	checkFaces(t, after)
}

// checkFaces holds that normals, planes and extremes of a mesh are those of its vertices.
func checkFaces(t *testing.T, m *ultima9.Mesh) {
	t.Helper()
	for i := range m.Limbs {
		for k := range m.Limbs[i].LODs {
			l := &m.Limbs[i].LODs[k]
			for n := range l.Faces {
				f, g := l.Faces[n], l.Faces[n]
				shapeFace(&g, l.Vertices, -1)
				if distance(f.Normal, g.Normal) > 1e-4 || math.Abs(float64(f.PlaneW-g.PlaneW)) > 1e-2 {
					t.Errorf("limb %d level %d face %d: normal %v, plane %v, want %v, %v", i, k, n, f.Normal, f.PlaneW, g.Normal, g.PlaneW)
					return
				}
				for c := range f.Corners {
					if f.Corners[c].VertexOffset != 12*f.Corners[c].Vertex {
						t.Errorf("face %d corner %d: offset %d of vertex %d", n, c, f.Corners[c].VertexOffset, f.Corners[c].Vertex)
					}
				}
			}
		}
	}
}

func TestSappearEdits(t *testing.T) {
	b := corpus.Bytes(t, u9.Synthetic(t, "mesh", "two_materials.mesh"))
	before := u9.Do(read.Sappear(b, nil))(t)
	edited := func(f func(s *asset.Scene)) *ultima9.Mesh {
		s := u9.ThroughGLB(t, "", u9.Lift(t, Sappear, b, nil))
		f(s)
		return u9.Do(read.Sappear(u9.Lower(t, Sappear, s, nil), nil))(t)
	}
	lod := func(m *ultima9.Mesh) *ultima9.LOD { return &m.Limbs[0].LODs[0] }
	was := lod(before)

	m := edited(func(s *asset.Scene) { // a face goes
		p := s.Meshes[0].Primitives[0]
		p.Indices = p.Indices[3:]
	})
	if l := lod(m); len(l.Faces) != len(was.Faces)-1 || int(l.Materials[0].FaceCount) != int(was.Materials[0].FaceCount)-1 || l.Materials[1].FirstFace != was.Materials[1].FirstFace-1 {
		t.Errorf("a face removed: %d faces, materials %+v", len(l.Faces), l.Materials)
	}

	m = edited(func(s *asset.Scene) { // all faces get the other material
		s.Meshes[0].Primitives[0].Material = s.Meshes[0].Primitives[1].Material
	})
	if l := lod(m); len(l.Materials) != 1 || int(l.Materials[0].FaceCount) != len(was.Faces) || l.Materials[0].Texture != was.Materials[1].Texture || fmt.Sprint(l.Vertices) != fmt.Sprint(was.Vertices) {
		t.Errorf("one material: %+v", l.Materials)
	}

	m = edited(func(s *asset.Scene) { // texture coordinates move
		uv := s.Meshes[0].Primitives[0].TexCoords[0]
		for i := range uv {
			uv[i][0] += 0.25
		}
	})
	if l := lod(m); l.Faces[0].Corners[1].UV[0] != was.Faces[0].Corners[1].UV[0]+0.25 || l.Faces[0].Normal != was.Faces[0].Normal || m.SphereRadius != before.SphereRadius {
		t.Errorf("texture coordinates: %+v", l.Faces[0])
	}

	m = edited(func(s *asset.Scene) { s.Materials[0].Native.Values["texture"] = 77.0 })
	if l := lod(m); l.Materials[0].Texture != 77 || l.Materials[1] != was.Materials[1] {
		t.Errorf("another texture by value: %+v", l.Materials)
	}
	m = edited(func(s *asset.Scene) {
		s.Materials[0].BaseColorTexture.Texture = &asset.Texture{Name: "texture_78_f2.001"}
	})
	if l := lod(m); l.Materials[0].Texture != 78 || l.Materials[0].Current != 2 {
		t.Errorf("another texture by picture: %+v", l.Materials)
	}
	m = edited(func(s *asset.Scene) { s.Materials[0].BaseColor[3] = 0.5 })
	if l := lod(m); l.Materials[0].ActiveAlpha != 128 {
		t.Errorf("half transparent: %+v", l.Materials)
	}
	m = edited(func(s *asset.Scene) { s.Roots[0].Children[0].Transform.Translation[2] += 8 })
	if m.Limbs[0].Position[2] != before.Limbs[0].Position[2]+8 || m.BoxMin[2] != before.BoxMin[2]+8 || fmt.Sprint(lod(m).Faces) != fmt.Sprint(was.Faces) {
		t.Errorf("limb moved: %v, box %v", m.Limbs[0].Position, m.BoxMin)
	}
	m = edited(func(s *asset.Scene) { s.Roots[0].Native.Values["shape"] = 2.0 })
	if m.Shape != ultima9.ShapeCylinder {
		t.Errorf("shape %d", m.Shape)
	}
	m = edited(func(s *asset.Scene) { // a second limb below the first
		n := asset.NewNode("hat")
		n.Transform.Translation = [3]float32{0, 0, 20}
		n.Mesh = &asset.Mesh{Name: "hat", Primitives: []*asset.Primitive{{Positions: [][3]float32{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, Material: s.Materials[0]}}}
		s.Roots[0].Children[0].Children = append(s.Roots[0].Children[0].Children, n)
		s.Meshes = append(s.Meshes, n.Mesh)
	})
	front := edited(func(s *asset.Scene) { // and one that comes first
		n := asset.NewNode("limb_" + fmt.Sprint(before.Limbs[0].ID))
		n.Mesh = &asset.Mesh{Primitives: []*asset.Primitive{{Positions: [][3]float32{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}}}
		s.Roots[0].Children = slices.Insert(s.Roots[0].Children, 0, n)
		s.Meshes = append(s.Meshes, n.Mesh)
	})
	if len(front.Limbs) != 2 || front.Limbs[0].ID != before.Limbs[0].ID || front.Limbs[1].ID == before.Limbs[0].ID {
		t.Errorf("a limb added in front: ids %d and %d", front.Limbs[0].ID, front.Limbs[1].ID)
	}
	if len(m.Limbs) != 2 || m.Limbs[1].Parent != m.Limbs[0].ID || m.Limbs[1].ID == m.Limbs[0].ID || m.Limbs[1].Position != [3]float32{0, 0, 20} || len(m.Limbs[1].LODs[0].Faces) != 1 {
		t.Errorf("a limb added: %+v", m.Limbs)
	}
}

func TestSappearLevelsRemoved(t *testing.T) {
	b := corpus.Bytes(t, u9.Synthetic(t, "mesh", "body.mesh"))
	s := u9.Lift(t, Sappear, b, nil)
	s.Walk(func(n, _ *asset.Node) { n.LODs = nil })
	m := u9.Do(read.Sappear(u9.Lower(t, Sappear, s, nil), nil))(t)
	if m.LODs != 1 || len(m.Limbs[1].LODs[0].Faces) != 120 {
		t.Errorf("%d levels", m.LODs)
	}
	s = u9.Lift(t, Sappear, b, nil)
	for _, n := range s.Roots[0].Children[0].Children { // limb_2
		for _, c := range n.Children {
			if c.Name == "limb_2_lod0" {
				c.LODs = c.LODs[:1]
			}
		}
	}
	m = u9.Do(read.Sappear(u9.Lower(t, Sappear, s, nil), nil))(t)
	if m.LODs != 3 || !m.Limbs[1].LODs[2].Empty() || m.Limbs[1].LODs[1].Empty() {
		t.Errorf("%d levels", m.LODs)
	}
}

// A model that knows nothing of usher becomes a valid record with the same triangles.
func TestSappearFromNothing(t *testing.T) {
	for name, b := range u9.MeshFiles(t) {
		if name == "no_geometry.mesh" || name == "install:11" {
			continue
		}
		s := u9.ThroughGLB(t, "", u9.Lift(t, Sappear, b, nil))
		s.Walk(func(n, _ *asset.Node) {
			n.Native, n.LODs = nil, nil
			n.Name = "part " + n.Name
			if n.Mesh != nil {
				n.Mesh.Native = nil
			}
		})
		for _, m := range s.Materials {
			m.Native = nil
		}
		mesh := u9.Do(read.Sappear(u9.Lower(t, Sappear, s, nil), nil))(t)
		checkFaces(t, mesh)
		want := sceneTriangles(s, func(*asset.Node) bool { return true })
		got := sceneTriangles(u9.Do(liftSappear(mesh, nil))(t), levelZero)
		if len(got) != len(want) {
			t.Errorf("%s: %d triangles, want %d", name, len(got), len(want))
			continue
		}
		missing := 0
		for _, w := range want {
			if !slices.ContainsFunc(got, func(g visible) bool { return turned(g, w) }) {
				missing++
			}
		}
		if missing > 0 {
			t.Errorf("%s: %d triangles are missing", name, missing)
		}
	}
}

func turned(a, b visible) bool {
	for range 3 {
		if sameTriangle(a, b) {
			return true
		}
		a.Positions = [3][3]float64{a.Positions[1], a.Positions[2], a.Positions[0]}
		a.UV = [3][2]float64{a.UV[1], a.UV[2], a.UV[0]}
	}
	return false
}

// A new cube of a metre, with a picture that has no slot yet.
func TestSappearNewModel(t *testing.T) {
	p := &asset.Primitive{Positions: [][3]float32{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, Indices: []uint32{0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3}, Material: asset.NewMaterial("wood")}
	p.Colors = [][4]float32{{1, 0, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, 1}}
	tex := &asset.Texture{Name: "Wood Planks", File: &asset.Stored{Encoding: "png", Data: []byte("picture")}}
	p.Material.BaseColorTexture = &asset.TextureRef{Texture: tex, WrapS: asset.Clamp}
	n := asset.NewNode("pyramid")
	n.Transform.Translation = [3]float32{0, 2, 0}
	n.Mesh = &asset.Mesh{Primitives: []*asset.Primitive{p}}
	s := &asset.Scene{Roots: []*asset.Node{n}, Meshes: []*asset.Mesh{n.Mesh}, Materials: []*asset.Material{p.Material}, Textures: []*asset.Texture{tex}}
	emitted := map[string]string{}
	env := modelEnv(t)
	env.Emit = func(name string, content []byte) error {
		emitted[name] = string(content)
		return nil
	}
	m := u9.Do(read.Sappear(u9.Lower(t, Sappear, s, env), nil))(t)
	l := &m.Limbs[0].LODs[0]
	if m.Limbs[0].Position != [3]float32{0, 0, 80} || m.Limbs[0].Parent != m.Limbs[0].ID || m.Limbs[0].Rotation != [4]float32{1, 0, 0, 0} || m.Limbs[0].Scale != [3]float32{1, 1, 1} {
		t.Errorf("limb %+v", m.Limbs[0])
	}
	if m.BoxMin != [3]float32{0, -40, 80} || m.BoxMax != [3]float32{40, 0, 120} || m.Volume != 64000 || m.CylinderHeight != 40 || l.SphereRadius == 0 {
		t.Errorf("bounds %v %v, volume %v", m.BoxMin, m.BoxMax, m.Volume)
	}
	if f := l.Faces[0]; len(l.Faces) != 4 || len(l.Vertices) != 4 || f.Color != [4]uint8{255, 0, 0, 255} || f.Normal != [3]float32{0, 1, 0} {
		t.Errorf("face %+v", f)
	}
	// Slots 0 and 1 of the archive of textures are in use, 2 is free.
	if x := l.Materials[0]; x.Texture != 2 || x.Flags != ultima9.RenderClampS || emitted["2.png"] != "picture" || x.FaceCount != 4 {
		t.Errorf("material %+v, emitted %v", x, emitted)
	}
	if fmt.Sprint(l.Sorted) != "[[-1 0 1 2 3 -1] [-1 3 2 1 0 -1] [-1 0 1 2 3 -1] [-1 3 2 1 0 -1]]" {
		t.Errorf("sorted lists %v", l.Sorted)
	}
	if _, err := lowerSappear(&asset.Scene{}, nil); schema.Class(err) != schema.ErrValue {
		t.Errorf("an empty scene: %v", err)
	}
	p.Indices[0] = 99
	if _, err := lowerSappear(s, nil); schema.Class(err) != schema.ErrRange {
		t.Errorf("an index beyond the vertices: %v", err)
	}
}

// Records with gaps, limbs out of order and shared levels come back too.
func TestSappearUnusualLayout(t *testing.T) {
	m := u9.Do(read.Sappear(corpus.Bytes(t, u9.Synthetic(t, "mesh", "late_parent.mesh")), nil))(t)
	m.Limbs[0].Offset += 8
	for i := range m.Limbs {
		for k := range m.Limbs[i].LODs {
			m.Limbs[i].LODs[k].Offset += 8
		}
		if i > 0 {
			m.Limbs[i].Offset += 8
		}
	}
	start := uint32(ultima9.MeshHeaderSize + 4*len(m.Limbs)*2)
	m.Gaps = []ultima9.Gap{{Offset: start, Data: []byte("unknown!")}}
	b := u9.Do(write.Sappear(m))(t)
	s := u9.Lift(t, Sappear, b, nil)
	corpus.SameBytes(t, "unusual layout", u9.Lower(t, Sappear, u9.ThroughGLB(t, "unusual", s), nil), b)
}

// TestFacesOfNewModels holds the planes of the models of testdata, which were made from nothing.
func TestFacesOfNewModels(t *testing.T) {
	for slot, b := range u9.Records(t, corpus.Testdata(t, "ultima9", "sappear.flx")) {
		m, err := read.Sappear(b, nil)
		if err != nil {
			t.Fatalf("slot %s: %v", slot, err)
		}
		checkFaces(t, m)
	}
}
