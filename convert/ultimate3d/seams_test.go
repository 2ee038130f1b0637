package ultimate3d

import (
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
		t.Run(name, func(t *testing.T) { f(t, mustRead(t, corpus.Bytes(t, corpus.Testdata(t, "ultimate3d", name))), 4) })
	}
	t.Run("corpus", func(t *testing.T) {
		if testing.Short() {
			t.Skip("takes seconds")
		}
		eachValid(t, func(t *testing.T, _ string, b []byte) {
			if len(b) < 1<<16 {
				f(t, mustRead(t, b), 2)
			}
		})
	})
}

// TestSeams: an edit of a single corner arrives at that corner and nowhere else, however an editor writes the mesh.
func TestSeams(t *testing.T) {
	seamModels(t, func(t *testing.T, m *ultimate3d.Model, corners int) {
		lifted := lift(t, m, format.Options{})
		for which, mesh := range lifted.Meshes {
			for _, form := range seams.Forms {
				for _, e := range seams.Edits {
					seams.Corners(mesh, corners, func(p, tri, k int) {
						testSeam(t, m, lifted, which, form, e, p, tri, k)
					})
				}
			}
		}
	})
}

func testSeam(t *testing.T, m *ultimate3d.Model, lifted *asset.Scene, which int, form seams.Form, e seams.Edit, p, tri, k int) {
	s := throughGLB(t, lifted)
	mesh := s.Meshes[which]
	seams.Reform(mesh, form)
	if !e.Apply(mesh, p, tri, k) {
		return
	}
	s = throughGLB(t, s)
	env := &format.Env{Diagnostics: new(schema.Diagnostics)}
	got := lift(t, lower(t, s, env), format.Options{})
	for i := range got.Meshes {
		limits := seams.Limits{Position: 1e-4, TexCoord: 1e-4, Normal: 4e-2}
		if diff := seams.Difference(s.Meshes[i], got.Meshes[i], limits); diff != "" {
			t.Errorf("%s, %s, mesh %d, corner %d of triangle %d of primitive %d: mesh %d: %s\n%v", form.Name, e.Name, which, k, tri, p, i, diff, env.Diagnostics.All())
		}
	}
}
