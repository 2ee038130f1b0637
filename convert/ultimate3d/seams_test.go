package ultimate3d

import (
	"slices"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultimate3d"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/seams"
)

// seamModels calls f for the models of testdata and, where it is at hand, of the corpus, with how many corners to edit.
func seamModels(t *testing.T, f func(t *testing.T, m *ultimate3d.Model, corners int)) {
	for _, name := range []string{"windmill.u3d", "reed.u3d", "flag.u3d", "ball.u3d"} {
		t.Run(name, func(t *testing.T) { f(t, mustRead(t, corpus.Bytes(t, corpus.Testdata(t, "ultimate3d", name))), 2) })
	}
	t.Run("two materials", func(t *testing.T) { f(t, twoMaterials(t), 3) })
	t.Run("frames of their own", func(t *testing.T) { f(t, unlikeFrames(t), 3) })
	t.Run("corpus", func(t *testing.T) {
		if testing.Short() {
			t.Skip("takes seconds")
		}
		eachValid(t, func(t *testing.T, _ string, b []byte) {
			if len(b) < 1<<16 {
				f(t, mustRead(t, b), 1)
			}
		})
	})
}

// unlikeFrames is a flag whose frames cannot be morph targets: the last one lacks a triangle, the others share their
// arrays.
func unlikeFrames(t testing.TB) *ultimate3d.Model {
	m := mustRead(t, corpus.Bytes(t, corpus.Testdata(t, "ultimate3d", "flag.u3d")))
	m.VertexTweening = ultimate3d.False
	base, last := m.Meshes[0], m.Meshes[m.MeshIndex(int(m.Frames)-1, 0, 0)]
	last.TrianglesOwned, last.SharedTriangles = ultimate3d.True, 0
	last.Triangles, last.TriangleMaterials = base.Triangles[1:], base.TriangleMaterials[1:]
	for f := 1; f < int(m.Frames); f++ {
		if c := m.Meshes[m.MeshIndex(f, 0, 0)]; c.TextureCoordinatesOwned.True() || c != last && c.TrianglesOwned.True() {
			t.Fatal("the frames of the flag share nothing")
		}
	}
	return mustRead(t, mustWrite(t, m))
}

// TestSeams: an edit of a single corner arrives at that corner and nowhere else, however an editor writes the mesh.
func TestSeams(t *testing.T) {
	seamModels(t, func(t *testing.T, m *ultimate3d.Model, corners int) {
		lifted := lift(t, m, format.Options{})
		glb := toGLB(t, lifted)
		for which, mesh := range lifted.Meshes {
			for _, form := range seams.Forms {
				for _, e := range seams.Edits {
					seams.Corners(mesh, corners, func(p, tri, k int) {
						testSeam(t, glb, which, form, e, p, tri, k)
					})
				}
			}
		}
	})
}

func testSeam(t *testing.T, glb []byte, which int, form seams.Form, e seams.Edit, p, tri, k int) {
	s := fromGLB(t, glb)
	mesh := s.Meshes[which]
	seams.Reform(mesh, form)
	if !e.Apply(mesh, p, tri, k) {
		return
	}
	s = throughGLB(t, s)
	env := &format.Env{Diagnostics: new(schema.Diagnostics)}
	got := lift(t, lower(t, s, env), format.Options{})
	keyOf := func(m *asset.Mesh) meshKey {
		return meshKey{number(m.Native, keyMesh), number(m.Native, keyLevel), number(m.Native, keyFrame), number(m.Native, keyMirrored) > 0}
	}
	for i := range got.Meshes {
		if keyOf(got.Meshes[i]) == keyOf(mesh).turned() {
			if !env.Diagnostics.Has("mirrored-follows") {
				t.Errorf("%s, %s, mesh %d: its mirror image changes without a word", form.Name, e.Name, which)
			}
			continue
		}
		limits := seams.Limits{Position: 1e-4, TexCoord: 1e-4, Normal: 4e-2}
		if diff := seams.Difference(s.Meshes[i], got.Meshes[i], limits); diff != "" {
			t.Errorf("%s, %s, mesh %d, corner %d of triangle %d of primitive %d: mesh %d: %s\n%v", form.Name, e.Name, which, k, tri, p, i, diff, env.Diagnostics.All())
		}
	}
}

// TestMirroredSeams: of two edits of a mesh that is shown mirrored too, the same edit of both arrives, and another one is
// told of.
func TestMirroredSeams(t *testing.T) {
	m, _ := corpusModel(t, "synthetic/shared_mirrored.u3d")
	for _, same := range []bool{true, false} {
		s := throughGLB(t, lift(t, m, format.Options{}))
		var twins []*asset.Mesh
		for _, x := range s.Meshes {
			if name := x.Name; name == "arm" {
				twins = append(twins, x)
			}
		}
		if len(twins) != 2 {
			t.Fatalf("%d arms", len(twins))
		}
		for i, x := range twins {
			seams.Reform(x, seams.Forms[0])
			p := x.Primitives[0]
			p.TexCoords[0][3][0] = 0.25
			if !same {
				p.TexCoords[0][3][0] += 0.5 * float32(i)
			}
		}
		env := &format.Env{Diagnostics: new(schema.Diagnostics)}
		got := lower(t, throughGLB(t, s), env)
		if env.Diagnostics.Has("edited-twice") == same || env.Diagnostics.Has("mirrored-follows") {
			t.Errorf("the same edit: %v, told: %v", same, env.Diagnostics.All())
		}
		changed := 0
		for i := range got.Meshes {
			if !slices.Equal(got.Meshes[i].TexCoords[0], m.Meshes[i].TexCoords[0]) {
				changed++
			}
		}
		if changed != 1 {
			t.Errorf("%d chunks have changed", changed)
		}
	}
}

// twoMaterials is a flag whose triangles have two materials, so that two primitives share its vertices.
func twoMaterials(t testing.TB) *ultimate3d.Model {
	m := mustRead(t, corpus.Bytes(t, corpus.Testdata(t, "ultimate3d", "flag.u3d")))
	second := *m.Materials[0]
	second.Diffuse[0] = 0.25
	m.Materials = append(m.Materials, &second)
	c := m.Meshes[0]
	for i := range c.TriangleMaterials {
		c.TriangleMaterials[i] = uint16(2 * i / len(c.TriangleMaterials))
	}
	return mustRead(t, mustWrite(t, m))
}

// TestFrameSeam: a frame of one primitive alone may be edited, though it shares its other vertices' data.
func TestFrameSeam(t *testing.T) {
	m := twoMaterials(t)
	s := throughGLB(t, lift(t, m, format.Options{}))
	p := s.Meshes[0].Primitives
	if len(p) != 2 || !sameVertices(p[0], p[1]) {
		t.Fatalf("%d primitives, or they share no vertices", len(p))
	}
	p[1].Targets = slices.Clone(p[1].Targets)
	p[1].Targets[1].Positions = slices.Clone(p[1].Targets[1].Positions)
	p[1].Targets[1].Positions[p[1].Indices[0]][1] += 0.5
	got := lift(t, lower(t, throughGLB(t, s), nil), format.Options{})
	if diff := seams.Difference(s.Meshes[0], got.Meshes[0], seams.Limits{Position: 1e-4, TexCoord: 1e-4, Normal: 4e-2}); diff != "" {
		t.Error(diff)
	}
}

// TestCoveredKept: of a triangle and its back side an editor may drop one; that it stays is told.
func TestCoveredKept(t *testing.T) {
	m := mustRead(t, corpus.Bytes(t, corpus.Testdata(t, "ultimate3d", "ball.u3d")))
	c := m.Meshes[0]
	last := c.Triangles[len(c.Triangles)/2]
	c.Triangles = append(slices.Clip(c.Triangles), [3]uint16{last[0], last[2], last[1]})
	c.TriangleMaterials = append(slices.Clip(c.TriangleMaterials), c.TriangleMaterials[0])
	m = mustRead(t, mustWrite(t, m))
	s := throughGLB(t, lift(t, m, format.Options{}))
	p := s.Meshes[0].Primitives[0]
	p.Indices = p.Indices[:len(p.Indices)-3]
	env := &format.Env{Diagnostics: new(schema.Diagnostics)}
	corpus.SameBytes(t, "back", mustWrite(t, lower(t, throughGLB(t, s), env)), mustWrite(t, m))
	if !env.Diagnostics.Has("covered-kept") {
		t.Errorf("told: %v", env.Diagnostics.All())
	}
}

// TestMorphing: frames are morph targets where only places and normals differ between them, or where the engine looks at nothing
// else; otherwise each has a shape of its own.
func TestMorphing(t *testing.T) {
	for _, c := range []struct {
		name string
		make func() *ultimate3d.Model
		want bool
	}{
		{"tweened", func() *ultimate3d.Model {
			return mustRead(t, corpus.Bytes(t, corpus.Testdata(t, "ultimate3d", "flag.u3d")))
		}, true},
		{"alike", func() *ultimate3d.Model {
			m := mustRead(t, corpus.Bytes(t, corpus.Testdata(t, "ultimate3d", "flag.u3d")))
			m.VertexTweening = ultimate3d.False
			return m
		}, true},
		{"a triangle less", func() *ultimate3d.Model { return unlikeFrames(t) }, false},
		{"a triangle turned", func() *ultimate3d.Model {
			m := mustRead(t, corpus.Bytes(t, corpus.Testdata(t, "ultimate3d", "flag.u3d")))
			m.VertexTweening = ultimate3d.False
			base, last := m.Meshes[0], m.Meshes[m.MeshIndex(int(m.Frames)-1, 0, 0)]
			last.TrianglesOwned, last.SharedTriangles = ultimate3d.True, 0
			last.Triangles, last.TriangleMaterials = slices.Clone(base.Triangles), base.TriangleMaterials
			x := last.Triangles[0]
			last.Triangles[0] = [3]uint16{x[1], x[2], x[0]}
			return mustRead(t, mustWrite(t, m))
		}, false},
	} {
		m := c.make()
		s := lift(t, m, format.Options{})
		targets := 0
		for _, mesh := range s.Meshes {
			for _, p := range mesh.Primitives {
				targets = max(targets, len(p.Targets))
			}
		}
		if want := int(m.Frames) - 1; (targets == want) != c.want || !c.want && targets != 0 || want < 1 {
			t.Errorf("%s: %d targets of %d frames", c.name, targets, m.Frames)
		}
	}
}
