package ultima9

import (
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/exchange/gltf"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/seams"
	"github.com/usher-assets/usher/testdata/u9"

	read "github.com/usher-assets/usher/read/ultima9"
)

// TestSeams: an edit of a single corner arrives at that corner and nowhere else, however an editor writes the mesh.
func TestSeams(t *testing.T) {
	lifts := map[string]func() *asset.Scene{
		"body":    func() *asset.Scene { return u9.Lift(t, Sappear, sampleBody(t), nil) },
		"indexed": func() *asset.Scene { return u9.Do(Indexed.Lift(u9.Do(read.Indexed(sampleIndexed(t), nil))(t), nil))(t) },
	}
	for name, lift := range lifts {
		t.Run(name, func(t *testing.T) { testSeams(t, lift, 4) })
	}
	t.Run("corpus", func(t *testing.T) {
		if testing.Short() {
			t.Skip("takes seconds")
		}
		for name, b := range u9.MeshFiles(t) {
			t.Run(name, func(t *testing.T) { testSeams(t, func() *asset.Scene { return u9.Lift(t, Sappear, b, nil) }, 1) })
		}
	})
}

func testSeams(t *testing.T, lift func() *asset.Scene, corners int) {
	s := lift()
	_, glb := u9.GLB(t, s)
	for which, mesh := range s.Meshes {
		if mesh.Native != nil && scene.ShownWhole(mesh.Native, "mount", 0) != 0 {
			continue
		}
		for _, form := range seams.Forms {
			for _, e := range seams.Edits {
				seams.Corners(mesh, corners, func(p, tri, k int) { testSeam(t, glb, which, form, e, p, tri, k) })
			}
		}
	}
}

func testSeam(t *testing.T, glb []byte, which int, form seams.Form, e seams.Edit, p, tri, k int) {
	s := u9.Do(gltf.Decode(glb, nil, nil))(t)
	mesh := s.Meshes[which]
	seams.Reform(mesh, form)
	if !e.Apply(mesh, p, tri, k) {
		return
	}
	s = u9.ThroughGLB(t, "", s)
	env := &format.Env{Diagnostics: new(schema.Diagnostics)}
	got := u9.ThroughGLB(t, "", u9.Lift(t, Sappear, u9.Lower(t, Sappear, s, env), nil))
	if len(got.Meshes) != len(s.Meshes) {
		t.Fatalf("%d meshes, want %d", len(got.Meshes), len(s.Meshes))
	}
	is := inWorld(got)
	for name, want := range inWorld(s) {
		limits := seams.Limits{Position: 1e-5, TexCoord: 1e-4, Normal: 2e-2}
		if diff := seams.Difference(want, is[name], limits); diff != "" {
			t.Errorf("%s, %s, mesh %s, corner %d of triangle %d of primitive %d: %s: %s\n%v", form.Name, e.Name, mesh.Name, k, tri, p, name, diff, env.Diagnostics.All())
		}
	}
}

// inWorld returns the meshes of a scene by the names of their nodes, where their nodes have them.
func inWorld(s *asset.Scene) map[string]*asset.Mesh {
	world, meshes := map[*asset.Node]mgl64.Mat4{}, map[string]*asset.Mesh{}
	s.Walk(func(n, parent *asset.Node) {
		world[n] = scene.Matrix(&n.Transform)
		if parent != nil {
			world[n] = world[parent].Mul4(world[n])
		}
		if n.Mesh == nil {
			return
		}
		m := &asset.Mesh{}
		turn := world[n].Mat3().Inv().Transpose()
		for _, p := range n.Mesh.Primitives {
			q := seams.Forms[0].Apply(p)
			for i := range q.Positions {
				v, w := q.Positions[i], q.Normals[i]
				x := mgl64.TransformCoordinate(mgl64.Vec3{float64(v[0]), float64(v[1]), float64(v[2])}, world[n])
				y := turn.Mul3x1(mgl64.Vec3{float64(w[0]), float64(w[1]), float64(w[2])}).Normalize()
				q.Positions[i] = [3]float32{float32(x[0]), float32(x[1]), float32(x[2])}
				q.Normals[i] = [3]float32{float32(y[0]), float32(y[1]), float32(y[2])}
			}
			m.Primitives = append(m.Primitives, q)
		}
		meshes[n.Name] = m
	})
	return meshes
}

// TestFaceColours: a face has one colour; that corners of it differ is told.
func TestFaceColours(t *testing.T) {
	for _, c := range []struct {
		name   string
		corner [4]float32 // of corner 0 of triangle 0
		told   bool
		want   [4]uint8
	}{{"one colour", [4]float32{1, 0, 0, 1}, false, [4]uint8{255, 0, 0, 255}}, {"a corner of its own", [4]float32{0, 0, 0, 1}, true, [4]uint8{170, 0, 0, 255}}} {
		s := u9.ThroughGLB(t, "", u9.Lift(t, Sappear, sampleBody(t), nil))
		p := seams.Forms[1].Apply(s.Meshes[0].Primitives[0])
		s.Meshes[0].Primitives[0] = p
		for range p.Positions {
			p.Colors = append(p.Colors, [4]float32{1, 0, 0, 1})
		}
		p.Colors[0] = c.corner
		env := &format.Env{Diagnostics: new(schema.Diagnostics)}
		m := u9.Do(read.Sappear(u9.Lower(t, Sappear, u9.ThroughGLB(t, "", s), env), nil))(t)
		if env.Diagnostics.Has("corner-colours") != c.told {
			t.Errorf("%s: %v", c.name, env.Diagnostics.All())
		}
		counts := map[[4]uint8]int{}
		lod := &m.Limbs[0].LODs[0]
		for _, f := range lod.Faces[lod.Materials[0].FirstFace:][:lod.Materials[0].FaceCount] {
			counts[f.Color]++
		}
		if red := [4]uint8{255, 0, 0, 255}; counts[c.want] == 0 || counts[red] < int(lod.Materials[0].FaceCount)-1 {
			t.Errorf("%s: colours %v", c.name, counts)
		}
	}
}
