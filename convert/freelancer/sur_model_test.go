package freelancer_test

import (
	"bytes"
	"slices"
	"strconv"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/testdata/corpus"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// TestSurModel edits what a scene of hulls shows of their model, which a collision file does not hold: it is told. What an editor
// does by itself is not.
func TestSurModel(t *testing.T) {
	sur, stored := byName(t, "sur"), corpus.Bytes(t, corpus.Testdata(t, "freelancer", "gunship.sur"))
	parts, err := read.Sur(stored, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		edit func(s *asset.Scene, n *asset.Node) // the first node without a mesh
		told string                              // the code of it
		same bool
	}{
		{"nothing", func(*asset.Scene, *asset.Node) {}, "", true},
		{"names with numbers", func(s *asset.Scene, _ *asset.Node) {
			s.Walk(func(n, _ *asset.Node) { n.Name += ".001" })
		}, "", true},
		{"a part renamed", func(_ *asset.Scene, n *asset.Node) { n.Name = "Renamed" }, "hull-model", false},
		{"a part moved", func(_ *asset.Scene, n *asset.Node) { n.Transform.Translation[0] += 5 }, "hull-part-moved", false},
		{"numbers of hulls that are none", func(s *asset.Scene, _ *asset.Node) {
			scene.SetShown(s.Native, "strays", "x -1 99 "+strconv.Itoa(len(parts.Parts)))
		}, "", true},
		{"a hardpoint added", func(_ *asset.Scene, n *asset.Node) {
			h := asset.NewNode("HpNew")
			h.Kind = asset.Hardpoint
			n.Children = append(n.Children, h)
		}, "hull-model", true},
	} {
		s := fromGLB(t, glb(t, lift(t, sur, "gunship.sur", stored, nil), nil))
		c.edit(s, s.Roots[0])
		d := new(schema.Diagnostics)
		b := lower(t, sur, "gunship.sur", s, d)
		if got := corpus.Codes(d, schema.Warning); got != c.told || bytes.Equal(b, stored) != c.same {
			t.Errorf("%s: told %q, the same bytes %v; %v", c.name, got, bytes.Equal(b, stored), d.All())
		}
	}
}

// TestSurParents hangs hulls elsewhere, whose model is at hand: what a collision file cannot show so is told, and nothing else.
func TestSurParents(t *testing.T) {
	ship := finned("wing")
	_, parts := where(ship)
	parts["fin"].Children = nil // it has no hull
	model, _, file := lowerBoth(t, byName(t, "cmp"), "ship.cmp", ship, format.Options{}, nil)
	sur := byName(t, "sur")
	hang := func(n map[string]*asset.Node, what, on string) {
		for _, x := range n {
			x.Children = slices.DeleteFunc(x.Children, func(c *asset.Node) bool { return c == n[what] })
		}
		if on != "" {
			n[on].Children = append(n[on].Children, n[what])
		}
	}
	for _, c := range []struct {
		name string
		edit func(s *asset.Scene, n map[string]*asset.Node)
		want string // codes of what is told
		same bool
	}{
		{"nothing", func(*asset.Scene, map[string]*asset.Node) {}, "", true},
		{"names with numbers", func(s *asset.Scene, _ map[string]*asset.Node) {
			s.Walk(func(n, _ *asset.Node) { n.Name += ".001" })
		}, "", true},
		{"a hull deleted", func(_ *asset.Scene, n map[string]*asset.Node) { hang(n, "Root.1$hull", "") }, "", false},
		{"a hull on another part", func(_ *asset.Scene, n map[string]*asset.Node) { hang(n, "Root.1$hull", "turret") }, "", false},
		{"a hardpoint's hull deleted", func(_ *asset.Scene, n map[string]*asset.Node) { hang(n, "HpMount.0$hull", "") }, "hull-bare", false},
		{"a hardpoint's hull on another part", func(_ *asset.Scene, n map[string]*asset.Node) { hang(n, "HpMount.0$hull", "turret") }, "hull-bare", false},
		{"a hardpoint's hull on its part", func(_ *asset.Scene, n map[string]*asset.Node) { hang(n, "HpMount.0$hull", "Root") }, "hull-parent", true},
		{"a hull on a hull", func(_ *asset.Scene, n map[string]*asset.Node) { hang(n, "Root.1$hull", "Root.0$hull") }, "hull-parent", true},
		{"a part moved", func(_ *asset.Scene, n map[string]*asset.Node) { n["turret"].Transform.Translation[1]++ }, "hull-part-moved", true},
		{"a part without hulls moved", func(_ *asset.Scene, n map[string]*asset.Node) { n["fin"].Transform.Translation[1]++ }, "hull-part-moved", true},
		{"the model moved", func(_ *asset.Scene, n map[string]*asset.Node) { n["Root"].Transform.Translation[1]++ }, "hull-part-moved", false},
		{"an Empty above the model", func(s *asset.Scene, n map[string]*asset.Node) {
			above := asset.NewNode("Empty")
			above.Transform.Translation[1]++
			above.Children, s.Roots = s.Roots, []*asset.Node{above}
		}, "hull-part-moved", false},
		{"the model moved, and a part of it", func(_ *asset.Scene, n map[string]*asset.Node) {
			n["Root"].Transform.Translation[1]++
			n["turret"].Transform.Translation[1]++
		}, "hull-part-moved", false},
		{"two parts moved", func(_ *asset.Scene, n map[string]*asset.Node) {
			n["fin"].Transform.Translation[1]++
			n["turret"].Transform.Translation[1]++
		}, "hull-part-moved", true},
		{"a part without its parent", func(s *asset.Scene, n map[string]*asset.Node) {
			hang(n, "turret", "")
			s.Roots = append(s.Roots, n["turret"])
		}, "hull-model", false},
		{"a part on a hull", func(_ *asset.Scene, n map[string]*asset.Node) { hang(n, "turret", "Root.0$hull") }, "hull-parent", true},
		{"a hardpoint on a hull", func(_ *asset.Scene, n map[string]*asset.Node) { hang(n, "HpMount", "Root.0$hull") }, "hull-parent", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := fromGLB(t, glb(t, liftWith(t, sur, file, &format.Env{Name: "ship.sur", Files: memory{"ship.cmp": model}}), nil))
			_, n := where(s)
			c.edit(s, n)
			listMeshes(s)
			d := new(schema.Diagnostics)
			b := lower(t, sur, "ship.sur", fromGLB(t, glb(t, s, nil)), d)
			if got := corpus.Codes(d, schema.Warning); got != c.want || bytes.Equal(b, file) != c.same {
				t.Errorf("told %q, want %q; the same bytes %v; %v", got, c.want, bytes.Equal(b, file), d.All())
			}
		})
	}
}

// TestSurStrays: a collision file keeps the hulls of parts that the model beside it does not have, wherever they stand in it.
func TestSurStrays(t *testing.T) {
	cmp, sur := byName(t, "cmp"), byName(t, "sur")
	_, x, file := lowerBoth(t, cmp, "ship.cmp", finned("wing"), format.Options{}, nil)
	less := finned("wing")
	_, n := where(less)
	for _, p := range n {
		p.Children = slices.DeleteFunc(p.Children, func(c *asset.Node) bool { return c == n["turret"] })
	}
	less.Animations = nil
	listMeshes(less)
	model, _, _ := lowerBoth(t, cmp, "ship.cmp", less, format.Options{}, nil)
	for range x.Parts {
		s := fromGLB(t, glb(t, liftWith(t, sur, file, &format.Env{Name: "ship.sur", Files: memory{"ship.cmp": model}}), nil))
		at := slices.IndexFunc(x.Parts, func(p *freelancer.SurPart) bool { return p.ID == hash("turret") })
		if got := scene.ShownText(s.Native, "strays"); got != strconv.Itoa(at) {
			t.Fatalf("strays %q, want %d", got, at)
		}
		if b := lower(t, sur, "ship.sur", s, nil); !bytes.Equal(b, file) {
			t.Errorf("with the stray part as number %d: other bytes", at)
		}
		_, n := where(s)
		n["wing"].Children = slices.DeleteFunc(n["wing"].Children, func(c *asset.Node) bool { return c == n["fin"] })
		after, err := read.Sur(lower(t, sur, "ship.sur", s, nil), nil)
		if err != nil || !slices.ContainsFunc(after.Parts, func(p *freelancer.SurPart) bool { return p.ID == hash("turret") }) || len(after.Parts) != len(x.Parts)-1 {
			t.Errorf("with another part deleted: %d of %d parts, %v", len(after.Parts), len(x.Parts), err)
		}
		x.Parts = append(x.Parts[1:], x.Parts[0])
		if file, err = write.Sur(x); err != nil {
			t.Fatal(err)
		}
	}
}
