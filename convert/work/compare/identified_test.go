package compare

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/usher-assets/usher/schema/asset"
)

// TestIdentified: elements with IDs are compared with those of the same ID, whatever their order; of several with one ID
// equal ones belong together.
func TestIdentified(t *testing.T) {
	type part struct {
		ID   uint32
		Size int
	}
	type whole struct{ Parts []*part }
	of := func(list ...part) whole {
		w := whole{}
		for _, p := range list {
			w.Parts = append(w.Parts, &p)
		}
		return w
	}
	for _, c := range []struct {
		name     string
		was, now whole
		want     []Field
	}{
		{"the same order", of(part{1, 5}, part{2, 6}), of(part{1, 5}, part{2, 7}), []Field{{"part 1 › size", "6", "7"}}},
		{"another order", of(part{1, 5}, part{2, 6}), of(part{2, 6}, part{1, 5}), nil},
		{"another order and an edit", of(part{1, 5}, part{2, 6}), of(part{2, 9}, part{1, 5}), []Field{{"part 0 › size", "6", "9"}}},
		{"several of one ID", of(part{1, 5}, part{2, 1}, part{1, 6}), of(part{1, 6}, part{1, 7}, part{2, 1}), []Field{{"part 1 › size", "5", "7"}}},
		{"one more", of(part{1, 5}), of(part{3, 3}, part{1, 5}), []Field{{"part 0", "", "part"}}},
		{"one less", of(part{3, 3}, part{1, 5}), of(part{1, 5}), []Field{{"part 0", "part", ""}}},
	} {
		if got, _ := Values(c.was, c.now); !cmp.Equal(got, c.want) {
			t.Errorf("%s: %v", c.name, cmp.Diff(c.want, got))
		}
	}
}

// TestHullsOfAnotherOrder: a hull that is the same is no change, whatever number it has got.
func TestHullsOfAnotherOrder(t *testing.T) {
	hull := func(name string, at float32) *asset.Mesh {
		return &asset.Mesh{Name: name, Primitives: []*asset.Primitive{{Positions: [][3]float32{{at}, {at, 1}, {at, 0, 1}}, Indices: []uint32{0, 1, 2}}}}
	}
	was := &asset.Scene{Meshes: []*asset.Mesh{hull("Root.0$hull", 1), hull("Root.1$hull", 2), hull("Wing.0$hull", 1)}}
	now := &asset.Scene{Meshes: []*asset.Mesh{hull("Root.0$hull", 2), hull("Root.1$hull", 1), hull("Wing.0$hull", 1)}}
	if got := Assets(was, now); len(got) > 0 {
		t.Errorf("%v", got)
	}
	now.Meshes[1] = hull("Root.1$hull", 3)
	if got := Assets(was, now); len(got) == 0 || got[0].Where != `mesh "Root$hull"` {
		t.Errorf("an edited one: %v", got)
	}
}
