package unreal

import (
	"slices"
	"testing"

	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/testdata/corpus"
)

// skeletals calls f for every skeletal mesh of the corpus.
func skeletals(t *testing.T, f func(a *archive, path string, m *unreal.SkeletalMesh)) {
	n := 0
	for _, e := range valid(t) {
		a := openBytes(t, e.File, corpus.Bytes(t, e.Path))
		for i := range a.Exports {
			if a.Layout(i) != "SkeletalMesh" {
				continue
			}
			o, err := a.Object(i)
			if err != nil {
				t.Fatal(err)
			}
			n++
			f(a, a.entries[i].Path, o.(*unreal.SkeletalMesh))
		}
	}
	if n != 3 {
		t.Errorf("%d skeletal meshes, want 3", n)
	}
}

// TestEditSkeletal: a point that is moved moves, and nothing else.
func TestEditSkeletal(t *testing.T) {
	check := func(a *archive, path string, m *unreal.SkeletalMesh) {
		s := through(t, lifted(t, a, path)).(*asset.Scene)
		moved := m.Wedges[0].Vertex
		done := map[*[3]float32]bool{} // primitives may share their vertices
		for _, p := range s.Meshes[0].Primitives {
			if done[&p.Positions[0]] {
				continue
			}
			done[&p.Positions[0]] = true
			for i, w := range m.Wedges {
				if w.Vertex == moved {
					p.Positions[i][1] += 7
				}
			}
		}
		n := replaced(t, a, path, s)
		o, err := n.Object(entry(t, n, path))
		if err != nil {
			t.Fatal(err)
		}
		got := o.(*unreal.SkeletalMesh)
		if d := got.Points[moved][2] - m.Points[moved][2]; !space.Close(d, 7, 1e-3) || !slices.Equal(got.Faces, m.Faces) || !slices.Equal(got.Weights, m.Weights) {
			t.Errorf("%s: point moved by %v", path, d)
		}
	}
	a := wormPackage(t)
	o, err := a.Object(entry(t, a, "Beasts.Worm"))
	if err != nil {
		t.Fatal(err)
	}
	check(a, "Beasts.Worm", o.(*unreal.SkeletalMesh))
	t.Run("corpus", func(t *testing.T) { skeletals(t, check) })
}
