package freelancer_test

import (
	"testing"

	"github.com/usher-assets/usher/schema/asset"
)

// TestFirstBone looks at what the joints of a new figure hang on: the game leaves a joint out that hangs on nothing, and puts the
// first bone at the origin.
func TestFirstBone(t *testing.T) {
	for name, c := range map[string]struct {
		change func(s *asset.Scene)
		parts  int
		first  string
	}{
		"away from the origin": {func(*asset.Scene) {}, 3, "Root"},
		"at the origin":        {func(s *asset.Scene) { s.Roots[0].Transform = asset.NewNode("").Transform }, 2, "upper"},
		"turned": {func(s *asset.Scene) {
			s.Roots[0].Transform = asset.NewNode("").Transform
			s.Roots[0].Transform.Rotation = [4]float32{0, 0.6, 0, 0.8}
		}, 3, "Root"},
		"two beside each other": {func(s *asset.Scene) { *s = *sliding() }, 3, "Root"},
	} {
		t.Run(name, func(t *testing.T) {
			s := arm()
			c.change(s)
			_, x := compoundOf(t, lower(t, byName(t, "dfm"), "figure.dfm", s, nil))
			if len(x.Parts) != c.parts || x.Parts[0].Object != c.first || len(x.Joints) != c.parts-1 {
				t.Errorf("%d parts, %d joints, the first part is %q; want %d and %q", len(x.Parts), len(x.Joints), x.Parts[0].Object, c.parts, c.first)
			}
			for _, j := range x.Joints {
				if j.Parent.Name == "" {
					t.Errorf("%q hangs on nothing", j.Child.Name)
				}
			}
		})
	}
}
