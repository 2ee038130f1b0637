package freelancer_test

import (
	"slices"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// TestBareRoot makes a ship of an empty "Root" and what hangs on it: the game calls the first part so, and it may show
// nothing. Under another name it is no part.
func TestBareRoot(t *testing.T) {
	for name, want := range map[string][]string{"Root": {"Root", "barrel"}, "Group": {"Root"}} {
		barrel := meshNode("barrel", box(gradient("steel", 40), [3]float32{-1, -1, -1}, [3]float32{1, 1, 1}))
		barrel.Transform.Translation = [3]float32{0, 0, 5}
		root := asset.NewNode(name)
		root.Children = []*asset.Node{barrel}
		_, c := compoundOf(t, lower(t, byName(t, "cmp"), "gun.cmp", &asset.Scene{Roots: []*asset.Node{root}}, nil))
		var got []string
		for _, p := range c.Parts {
			got = append(got, p.Object)
		}
		if !slices.Equal(got, want) {
			t.Errorf("below %q: parts %q, want %q", name, got, want)
		}
		if len(c.Joints) > 0 && c.Joints[0].Origin != [3]float32{0, 0, 5} {
			t.Errorf("the barrel is held at %v", c.Joints[0].Origin)
		}
	}
}

// TestFlatHulls asks for hulls of what is flat: it gets none, and that is said without being asked.
func TestFlatHulls(t *testing.T) {
	var d schema.Diagnostics
	s := &asset.Scene{Roots: []*asset.Node{meshNode("sign", &asset.Primitive{Positions: [][3]float32{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}})}}
	if _, sur, _ := lowerBoth(t, byName(t, "3db"), "sign.3db", s, format.Options{Freelancer: format.FreelancerOptions{Hulls: true}}, &d); sur != nil {
		t.Errorf("a flat part has %d hulls", len(sur.Parts))
	}
	if !slices.ContainsFunc(d.All(), func(x schema.Diagnostic) bool { return x.Code == "hull-flat" && x.Severity == schema.Warning }) {
		t.Errorf("nothing says so: %v", d.All())
	}
}

// TestPlanetOfAnotherFile takes a planet back from a GLB that somebody renamed: the name of its ball, which is that of the
// file that it came from, is none that could be lost.
func TestPlanetOfAnotherFile(t *testing.T) {
	sph := byName(t, "sph")
	for name, lost := range map[string]bool{"": false, "Moon": true} {
		var d schema.Diagnostics
		s := fromGLB(t, glb(t, lift(t, sph, "ball.sph", planet(t), nil), nil))
		if name != "" {
			s.Roots[0].Name = name
		}
		lower(t, sph, "edited.sph", s, &d)
		if d.Has("node-name") != lost {
			t.Errorf("%q: %v", name, d.All())
		}
	}
}
