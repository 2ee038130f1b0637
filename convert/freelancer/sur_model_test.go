package freelancer_test

import (
	"bytes"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/corpus"
)

// TestSurModel edits what a scene of hulls shows of their model, which a collision file does not hold: it is told. What an editor
// does by itself is not.
func TestSurModel(t *testing.T) {
	sur, stored := byName(t, "sur"), corpus.Bytes(t, corpus.Testdata(t, "freelancer", "gunship.sur"))
	for _, c := range []struct {
		name string
		edit func(s *asset.Scene, n *asset.Node) // the first node without a mesh
		told bool
		same bool
	}{
		{"nothing", func(*asset.Scene, *asset.Node) {}, false, true},
		{"names with numbers", func(s *asset.Scene, _ *asset.Node) {
			s.Walk(func(n, _ *asset.Node) { n.Name += ".001" })
		}, false, true},
		{"a part renamed", func(_ *asset.Scene, n *asset.Node) { n.Name = "Renamed" }, true, false},
		{"a part moved", func(_ *asset.Scene, n *asset.Node) { n.Transform.Translation[0] += 5 }, true, false},
		{"a hardpoint added", func(_ *asset.Scene, n *asset.Node) {
			h := asset.NewNode("HpNew")
			h.Kind = asset.Hardpoint
			n.Children = append(n.Children, h)
		}, true, true},
	} {
		s := fromGLB(t, glb(t, lift(t, sur, "gunship.sur", stored, nil), nil))
		c.edit(s, s.Roots[0])
		d := new(schema.Diagnostics)
		b := lower(t, sur, "gunship.sur", s, d)
		if d.Has("hull-model") != c.told || bytes.Equal(b, stored) != c.same {
			t.Errorf("%s: told %v, the same bytes %v; %v", c.name, d.Has("hull-model"), bytes.Equal(b, stored), d.All())
		}
	}
}
