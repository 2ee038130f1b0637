package ultima9

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/gltf"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// meshFiles returns the mesh records of the corpus that can be read.
func meshFiles(t testing.TB) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	files, _ := filepath.Glob(synthetic(t, "mesh", "*.mesh"))
	for _, path := range files {
		if filepath.Base(path) != "indexed.mesh" {
			out[filepath.Base(path)] = corpus.Bytes(t, path)
		}
	}
	f := openFile(t, synthetic(t, "install", "static", "sappear.flx"), nil)
	for i, e := range f.Entries() {
		b := do(f.Payload(i))(t)
		if _, err := read.Sappear(b, nil); err == nil {
			out["install:"+e.Path] = b
		}
	}
	if len(out) < 20 {
		t.Fatalf("%d meshes", len(out))
	}
	return out
}

func modelEnv(t testing.TB) *format.Env { return testEnv(t, "sappear.flx", "texture") }

func liftMesh(t testing.TB, b []byte, env *format.Env) *asset.Scene {
	t.Helper()
	return do(liftSappear(do(read.Sappear(b, nil))(t), env))(t)
}

func lowerMesh(t testing.TB, s *asset.Scene, env *format.Env) []byte {
	t.Helper()
	return do(write.Sappear(do(lowerSappear(s, env))(t)))(t)
}

// throughGLB writes a scene as a GLB and reads it.
func throughGLB(t testing.TB, name string, s *asset.Scene) *asset.Scene {
	t.Helper()
	var w bytes.Buffer
	must(t, gltf.Encode(&w, s, gltf.Options{}))
	if name != "" {
		keep(t, name+".glb", w.Bytes())
	}
	return do(gltf.Decode(w.Bytes(), nil, nil))(t)
}

func TestSappearUnedited(t *testing.T) {
	for name, b := range meshFiles(t) {
		for _, env := range []*format.Env{nil, modelEnv(t)} {
			s := liftMesh(t, b, env)
			corpus.SameBytes(t, name, lowerMesh(t, s, nil), b)
			corpus.SameBytes(t, name+" through GLB", lowerMesh(t, throughGLB(t, name, s), env), b)
		}
	}
}

// visible is a triangle as a viewer of the glTF file sees it.
type visible struct {
	Positions [3][3]float64
	UV        [3][2]float64
}

func sceneTriangles(s *asset.Scene, keep func(n *asset.Node) bool) []visible {
	var list []visible
	world := map[*asset.Node]mgl64.Mat4{}
	s.Walk(func(n, parent *asset.Node) {
		world[n] = matrixOf(n.Transform)
		if parent != nil {
			world[n] = world[parent].Mul4(world[n])
		}
		if n.Mesh == nil || !keep(n) {
			return
		}
		for _, p := range n.Mesh.Primitives {
			for i := 0; i+3 <= len(p.Indices); i += 3 {
				var v visible
				for k := range 3 {
					at := p.Indices[i+k]
					x := p.Positions[at]
					v.Positions[k] = [3]float64(world[n].Mul4x1(mgl64.Vec4{float64(x[0]), float64(x[1]), float64(x[2]), 1}).Vec3())
					v.UV[k] = [2]float64{float64(p.TexCoords[0][at][0]), float64(p.TexCoords[0][at][1])}
				}
				list = append(list, v)
			}
		}
	})
	return list
}

// levelZero keeps what is visible at the highest level of detail.
func levelZero(n *asset.Node) bool {
	v := n.Mesh.Native.Values
	return field(v, "lod", 0) == 0 && field(v, "mount", 0) == 0
}

func sameTriangle(a, b visible) bool {
	for k := range 3 {
		for i := range 3 {
			if math.Abs(a.Positions[k][i]-b.Positions[k][i]) > 1e-4 {
				return false
			}
		}
		for i := range 2 {
			if math.Abs(a.UV[k][i]-b.UV[k][i]) > 1e-4 {
				return false
			}
		}
	}
	return true
}

// The triangles that the sidecars give for glTF, in metres, Y up, counter-clockwise.
func TestSappearTriangles(t *testing.T) {
	n := 0
	files, _ := filepath.Glob(synthetic(t, "mesh", "*.mesh.json"))
	for _, path := range files {
		var side struct {
			Triangles json.RawMessage `json:"gltf_lod0_triangles"`
		}
		corpus.JSON(t, path, &side)
		var want []struct {
			Positions [3][3]*float64
			UV        [3][2]*float64
		}
		if json.Unmarshal(side.Triangles, &want) != nil || side.Triangles == nil {
			continue // left out for size
		}
		got := sceneTriangles(liftMesh(t, corpus.Bytes(t, path[:len(path)-5]), nil), levelZero)
		if len(got) != len(want) {
			t.Errorf("%s: %d triangles, want %d", path, len(got), len(want))
			continue
		}
		used := make([]bool, len(got))
		for i, w := range want {
			var v visible
			for k := range 3 {
				for j := range 3 {
					v.Positions[k][j] = orZero(w.Positions[k][j])
				}
				for j := range 2 {
					v.UV[k][j] = orZero(w.UV[k][j])
				}
			}
			at := -1
			for k := range got {
				if !used[k] && sameTriangle(got[k], v) {
					at = k
					break
				}
			}
			if at < 0 {
				t.Errorf("%s: triangle %d %v is not there", path, i, v)
				break
			}
			used[at] = true
			n++
		}
	}
	if n < 250 {
		t.Errorf("only %d triangles compared", n)
	}
	t.Logf("%d triangles", n)
}

func orZero(x *float64) float64 {
	if x == nil {
		return 0
	}
	return *x
}

func TestSappearScene(t *testing.T) {
	s := liftMesh(t, corpus.Bytes(t, synthetic(t, "mesh", "body.mesh")), &format.Env{Name: "sappear.flx", Entry: "42"})
	root := s.Roots[0]
	if root.Name != "u9_model_42" || root.Transform.Scale != [3]float32{0.025, 0.025, 0.025} || root.Transform.Rotation != [4]float32{-math.Sqrt2 / 2, 0, 0, math.Sqrt2 / 2} {
		t.Errorf("root %s at %+v", root.Name, root.Transform)
	}
	parents := map[string]string{}
	lods := map[string]int{}
	s.Walk(func(n, p *asset.Node) {
		if p != nil {
			parents[n.Name] = p.Name
		}
		lods[n.Name] = len(n.LODs)
	})
	for n, p := range map[string]string{"limb_1": "u9_model_42", "limb_2": "limb_1", "limb_5": "limb_2", "limb_6": "limb_5", "limb_6_mount": "limb_6", "limb_2_lod0": "limb_2"} {
		if parents[n] != p {
			t.Errorf("%s hangs on %s, want %s", n, parents[n], p)
		}
	}
	if lods["limb_2_lod0"] != 2 || lods["limb_5_lod0"] != 1 || lods["limb_6_lod0"] != 2 {
		t.Errorf("levels: %v", lods)
	}
}

func TestSappearMaterials(t *testing.T) {
	env := modelEnv(t)
	s := liftMesh(t, corpus.Bytes(t, synthetic(t, "mesh", "materials.mesh")), env)
	for _, m := range s.Materials {
		v := m.Native.Values
		slot, flags, alpha := field(v, "texture", -1), field(v, "flags", 0), field(v, "alpha", 255)
		if slot == ultima9.NoTexture {
			if m.Name != "invisible" || m.Alpha != asset.Blend || m.BaseColor[3] != 0 || m.BaseColorTexture != nil {
				t.Errorf("invisible: %+v", m)
			}
			continue
		}
		r := m.BaseColorTexture
		if r == nil || r.Texture.Name != pictureTitle(picture{uint16(slot), uint8(field(v, "frame", 0))}) {
			t.Errorf("%s: texture %+v", m.Name, r)
			continue
		}
		if (r.WrapS == asset.Clamp) != (flags&0x100 != 0) || (r.WrapT == asset.Clamp) != (flags&0x200 != 0) {
			t.Errorf("%s: flags %x, wrap %v %v", m.Name, flags, r.WrapS, r.WrapT)
		}
		if alpha != 255 && (m.Alpha != asset.Blend || math.Abs(float64(m.BaseColor[3])-float64(alpha)/255) > 1e-6) {
			t.Errorf("%s: alpha %d as %v %v", m.Name, alpha, m.Alpha, m.BaseColor[3])
		}
		if flags&0x800 != 0 && (m.Alpha != asset.Blend || m.EmissiveTexture == nil) {
			t.Errorf("%s: not additive", m.Name)
		}
		if flags&1 != 0 && alpha == 255 && flags&0x800 == 0 && m.Alpha != asset.Mask {
			t.Errorf("%s: the colour key is no mask", m.Name)
		}
	}
	if len(s.Materials) < 4 {
		t.Errorf("%d materials", len(s.Materials))
	}
}

// shuffled returns a scene as an editor might write it: vertices of each primitive in another order and split, triangles
// turned and in another order, numbers a little off.
func shuffled(t testing.TB, s *asset.Scene) *asset.Scene {
	s = throughGLB(t, "", s)
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
	for name, b := range meshFiles(t) {
		corpus.SameBytes(t, name, lowerMesh(t, shuffled(t, liftMesh(t, b, nil)), nil), b)
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
	b := corpus.Bytes(t, synthetic(t, "mesh", "body.mesh"))
	before := do(read.Sappear(b, nil))(t)
	s := shuffled(t, liftMesh(t, b, nil))
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
	after := do(read.Sappear(lowerMesh(t, s, env), nil))(t)
	if !env.Diagnostics.Has("level-edited") {
		t.Errorf("nothing was said: %v", env.Diagnostics.All())
	}
	for i := range before.Limbs {
		for k := range before.Limbs[i].LODs {
			x, y := &before.Limbs[i].LODs[k], &after.Limbs[i].LODs[k]
			same := bytes.Equal(do(write.SappearLOD(x))(t), do(write.SappearLOD(y))(t))
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
	b := corpus.Bytes(t, synthetic(t, "mesh", "two_materials.mesh"))
	before := do(read.Sappear(b, nil))(t)
	edited := func(f func(s *asset.Scene)) *ultima9.Mesh {
		s := throughGLB(t, "", liftMesh(t, b, nil))
		f(s)
		return do(read.Sappear(lowerMesh(t, s, nil), nil))(t)
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
	b := corpus.Bytes(t, synthetic(t, "mesh", "body.mesh"))
	s := liftMesh(t, b, nil)
	s.Walk(func(n, _ *asset.Node) { n.LODs = nil })
	m := do(read.Sappear(lowerMesh(t, s, nil), nil))(t)
	if m.LODs != 1 || len(m.Limbs[1].LODs[0].Faces) != 120 {
		t.Errorf("%d levels", m.LODs)
	}
	s = liftMesh(t, b, nil)
	for _, n := range s.Roots[0].Children[0].Children { // limb_2
		for _, c := range n.Children {
			if c.Name == "limb_2_lod0" {
				c.LODs = c.LODs[:1]
			}
		}
	}
	m = do(read.Sappear(lowerMesh(t, s, nil), nil))(t)
	if m.LODs != 3 || !m.Limbs[1].LODs[2].Empty() || m.Limbs[1].LODs[1].Empty() {
		t.Errorf("%d levels", m.LODs)
	}
}

// A model that knows nothing of usher becomes a valid record with the same triangles.
func TestSappearFromNothing(t *testing.T) {
	for name, b := range meshFiles(t) {
		if name == "no_geometry.mesh" || name == "install:11" {
			continue
		}
		s := throughGLB(t, "", liftMesh(t, b, nil))
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
		mesh := do(read.Sappear(lowerMesh(t, s, nil), nil))(t)
		checkFaces(t, mesh)
		want := sceneTriangles(s, func(*asset.Node) bool { return true })
		got := sceneTriangles(do(liftSappear(mesh, nil))(t), levelZero)
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
	m := do(read.Sappear(lowerMesh(t, s, env), nil))(t)
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
	m := do(read.Sappear(corpus.Bytes(t, synthetic(t, "mesh", "late_parent.mesh")), nil))(t)
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
	b := do(write.Sappear(m))(t)
	s := liftMesh(t, b, nil)
	corpus.SameBytes(t, "unusual layout", lowerMesh(t, throughGLB(t, "unusual", s), nil), b)
}

func BenchmarkSappearLift(b *testing.B) {
	data := corpus.Bytes(b, synthetic(b, "mesh", "large.mesh"))
	m := do(read.Sappear(data, nil))(b)
	s := do(liftSappear(m, nil))(b)
	b.Run("lift", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			do(liftSappear(m, nil))(b)
		}
	})
	b.Run("lower", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			do(lowerSappear(s, nil))(b)
		}
	})
}
