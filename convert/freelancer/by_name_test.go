package freelancer_test

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/asset"
)

// TestFoundByName: what lost its id, since an editor kept no properties or somebody put a new node in its place, is found by its
// name: an untouched model is what it was, and nothing is there twice.
func TestFoundByName(t *testing.T) {
	cmp := byName(t, "cmp")
	stored, _, file := lowerBoth(t, cmp, "ship.cmp", cruiser(), format.Options{}, nil)
	whole := func() *asset.Scene {
		return fromGLB(t, glb(t, liftWith(t, cmp, stored, &format.Env{Name: "ship.cmp", Files: memory{"ship.sur": file}}), nil))
	}
	_, nodes := where(whole())
	all := strings.Join(slices.Sorted(maps.Keys(nodes)), " ")
	for _, lost := range []string{all, "turret", "HpDish", "wing.0$hull", "fin HpMount HpMount.0$hull", "hull HpLight turret$lod1"} {
		s := whole()
		s.Walk(func(n, _ *asset.Node) {
			if slices.Contains(strings.Fields(lost), n.Name) {
				n.Native = nil
			}
		})
		model, _, hulls := lowerBoth(t, cmp, "ship.cmp", s, format.Options{}, nil)
		if !bytes.Equal(model, stored) || !bytes.Equal(hulls, file) {
			t.Errorf("without the id of %s: the model is the same %v, the hulls %v", lost, bytes.Equal(model, stored), bytes.Equal(hulls, file))
			for path, b := range leavesOf(t, model) {
				if leavesOf(t, stored)[path] != b {
					t.Logf("%s differs", path)
				}
			}
		}
	}
}
