package freelancer_test

import (
	"slices"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/freelancer"

	write "github.com/usher-assets/usher/write/freelancer"
)

// TestOldHullsRenamed: the older layout calls parts by their names, which follow those of the model.
func TestOldHullsRenamed(t *testing.T) {
	fm := byName(t, "cmp")
	model, usual, _ := lowerBoth(t, fm, "ship.cmp", gunship(), format.Options{}, nil)
	old := &freelancer.OldSur{Min: usual.Parts[0].Min, Max: usual.Parts[0].Max}
	for i, name := range [...]string{"Root", "turret", "wing"} {
		x := usual.Parts[i].Surface
		for k := range x.Hulls {
			if x.Hulls[k].Kind == freelancer.TerminalHull {
				x.Hulls[k].ID = freelancer.Hash(i + 1)
			}
		}
		old.Parts = append(old.Parts, freelancer.OldSurPart{Name: name, Surfaces: []*freelancer.Surface{x}})
	}
	b, err := write.Sur(&freelancer.Sur{Old: old})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		was, now string
		want     []string
	}{{"", "", []string{"Root", "turret", "wing"}}, {"wing", "fin", []string{"Root", "turret", "fin"}}, {"turret", "tower", []string{"Root", "tower", "wing"}}, {"turret", "TURRET", []string{"Root", "turret", "wing"}}} {
		s := fromGLB(t, glb(t, liftWith(t, fm, model, &format.Env{Name: "ship.cmp", Files: memory{"ship.sur": b}}), nil))
		_, n := where(s)
		if c.was != "" {
			n[c.was].Name = c.now
		}
		_, got, _ := lowerBoth(t, fm, "ship.cmp", s, format.Options{}, nil)
		if got.Old == nil {
			t.Fatalf("%q: the file has the usual layout now", c.now)
		}
		var names []string
		for i, p := range got.Old.Parts {
			names = append(names, p.Name)
			if len(p.Surfaces) != 1 || len(p.Surfaces[0].Hulls) != len(old.Parts[i].Surfaces[0].Hulls) {
				t.Errorf("%q: the hulls of %q are others", c.now, p.Name)
			}
		}
		if !slices.Equal(names, c.want) {
			t.Errorf("%q: parts %q, want %q", c.now, names, c.want)
		}
	}
}
