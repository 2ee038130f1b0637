package model

import (
	"fmt"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/u9"

	read "github.com/usher-assets/usher/read/ultima9"
)

// TestSappearNumbers: a name that is a number is taken for it, by a limb and by a material; one that is taken already, or
// says none, is told.
func TestSappearNumbers(t *testing.T) {
	b := corpus.Bytes(t, u9.Synthetic(t, "mesh", "body.mesh")) // limbs 1, 2, 5, 6; 2 below 1
	material := func(s *asset.Scene) string { return s.Materials[0].Name }
	for _, c := range []struct {
		limb, to  string // empty: a material
		textures  bool   // a material wears texture 9
		told      string
		unchanged bool
	}{
		{"limb_6", "limb_9", false, "limb-number", false},
		{"limb_1", "limb_9", false, "limb-number", false},
		{"limb_6", "limb_9.001", false, "limb-number", false},
		{"limb_5", "limb_6", false, "name", true},
		{"limb_5", "arm", false, "name", true},
		{"", "texture_9", true, "texture-number", false},
		{"", "9", true, "texture-number", false},
		{"", "paint", false, "name", true},
	} {
		s := u9.Lift(t, Sappear, b, nil)
		what := c.limb
		if c.limb != "" {
			u9.NodeNamed(t, s, c.limb).Name = c.to
		} else {
			what, s.Materials[0].Name = material(s), c.to
		}
		var d schema.Diagnostics
		env := modelEnv(t)
		env.Diagnostics = &d
		out := u9.Lower(t, Sappear, s, env)
		before, after := u9.Do(read.Sappear(b, nil))(t), u9.Do(read.Sappear(out, nil))(t)
		if !d.Has(c.told) || string(out) == string(b) != c.unchanged {
			t.Errorf("%s as %s: %v", what, c.to, d.All())
		}
		var was, to uint32
		if _, err := fmt.Sscanf(c.limb+" "+c.to, "limb_%d limb_%d", &was, &to); err != nil || c.unchanged {
			was = 0
		}
		swapped := map[bool]int{}
		for i := range before.Limbs {
			x, y := &before.Limbs[i], &after.Limbs[i]
			number := func(id uint32) uint32 {
				if was != 0 && id == was {
					return to
				}
				return id
			}
			if y.ID != number(x.ID) || y.Parent != number(x.Parent) {
				t.Errorf("%s as %s: limb %d below %d becomes %d below %d", what, c.to, x.ID, x.Parent, y.ID, y.Parent)
			}
			for k := range y.LODs {
				for m := range y.LODs[k].Materials {
					swapped[y.LODs[k].Materials[m].Texture == 9]++
				}
			}
		}
		if (swapped[true] > 0) != c.textures {
			t.Errorf("%s as %s: %d materials wear texture 9", what, c.to, swapped[true])
		}
	}
}
