package unreal

import (
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// An actor takes the name of its node; what refers to it follows. Names that others have are left out and told.
func TestActorsRenamed(t *testing.T) {
	for _, version := range []uint16{61, 69} {
		for _, c := range []struct {
			name    string
			nodes   map[string]string // names of nodes and what they become
			changed string
			target  string // what PlayerStart0 refers to, under whatever name it has
			codes   string
		}{
			{"one", map[string]string{"Light0": "Sun"}, "+Sun -Light0", "Light'Sun'", ""},
			{"of an odd kind", map[string]string{"Light0": "My Sun.Big"}, "+My_Sun_Big -Light0", "Light'My_Sun_Big'", ""},
			{"to a word that the package has", map[string]string{"Light0": "Tag"}, "+Tag -Light0", "Light'Tag'", ""},
			{"taken", map[string]string{"Light0": "Brush0"}, "", "Light'Light0'", "actor-name-taken"},
			{"each other's", map[string]string{"Light0": "Light1", "Light1": "Light0"}, "Light0 Light1", "Light'Light1'", ""},
			{"one's that stays", map[string]string{"Light0": "Light1", "Light1": "Brush0"}, "", "Light'Light0'", "actor-name-taken"},
			{"both the same", map[string]string{"Light0": "Sun", "Light1": "Sun"}, "+Sun -Light0", "Light'Sun'", "actor-name-taken"},
			{"an editor's number", map[string]string{"Light0": "Light0.001"}, "", "Light'Light0'", ""},
			{"only the case", map[string]string{"Light0": "LIGHT0"}, "+LIGHT0 -Light0", "Light'LIGHT0'", ""},
			{"to a word that the package spells otherwise", map[string]string{"Light0": "TAG"}, "+Tag -Light0", "Light'Tag'", "actor-name-taken"},
		} {
			t.Run(c.name, func(t *testing.T) {
				was := hall(t, version)
				a := hall(t, version)
				s := through(t, lifted(t, a, "MyLevel")).(*asset.Scene)
				s.Walk(func(n, _ *asset.Node) {
					if to := c.nodes[n.Name]; to != "" {
						n.Name = to
					}
				})
				d := new(schema.Diagnostics)
				a.Env.Diagnostics = d
				now := checked(t, scenedWith(t, a, through(t, s).(*asset.Scene)))
				if got := deeds(t, was, now); got != c.changed {
					t.Errorf("changed: %s\nwant: %s", got, c.changed)
				}
				var target string
				for _, q := range recordOf(t, now, "PlayerStart0").Properties {
					if q.Name == "Target" {
						target = q.Value.(string)
					}
				}
				if target != c.target {
					t.Errorf("what refers to it names %s, want %s", target, c.target)
				}
				var codes []string
				for _, x := range d.All() {
					codes = append(codes, x.Code)
				}
				if got := strings.Join(codes, " "); got != c.codes {
					t.Errorf("told of %q, want %q: %v", got, c.codes, d.All())
				}
				again := checked(t, scenedWith(t, now, through(t, s).(*asset.Scene)))
				if c.name != "each other's" && deeds(t, now, again) != "" { // whose nodes mean the others from then on
					t.Errorf("laid in again: %s", deeds(t, now, again))
				}
			})
		}
	}
}

// TestRenamedBesideGroups: a name is taken by what lies where the actor lies, whatever the row before it lies in.
func TestRenamedBesideGroups(t *testing.T) {
	for _, c := range []struct{ name, want, told string }{{"Light0", "Sun0", "actor-name-taken"}, {"Board", "Board", ""}, {"Sun1", "Sun1", ""}} {
		a, d := hall(t, 69), new(schema.Diagnostics)
		add(t, a, "Walls/Board", checkerboard(8, 4), format.Texture)
		if err := layIn(t, a, "Sun0", recordOf(t, a, "Light0")); err != nil {
			t.Fatal(err)
		}
		if last := len(a.Exports) - 1; a.Exports[last-1].Outer == a.Exports[last].Outer {
			t.Fatal("the row before it lies where it lies")
		}
		a = openBytes(t, "Hall.unr", written(t, a))
		a.Env.Diagnostics = d
		now := checked(t, scened(t, a, func(s *asset.Scene) {
			n, _ := nodeNamed(t, s, "Sun0")
			n.Name = c.name
		}))
		if indexOf(now, c.want) < 0 || d.Has("actor-name-taken") != (c.told != "") {
			t.Errorf("Sun0 to %s: %v, told %v", c.name, paths(now), d.All())
		}
	}
}
