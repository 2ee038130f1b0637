package freelancer_test

import (
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// TestUnmovedNodes deletes scripts from an animation file without a model: the nodes that nothing moves any more are not in it,
// which is told.
func TestUnmovedNodes(t *testing.T) {
	anm, file := byName(t, "anm"), freelancer.NewTree()
	for _, x := range []struct{ script, bone string }{{"Sc_wave", "left"}, {"Sc_point", "right"}, {"Sc_both", "left"}} {
		c := &freelancer.Channel{Count: 2, Interval: 0.5, Type: freelancer.ChannelQuaternion, Quaternions: [][4]float32{{1, 0, 0, 0}, {0.8, 0.6, 0, 0}}}
		s := &freelancer.Script{Name: x.script, Maps: []*freelancer.AnimationMap{{Parent: "Root", Child: x.bone, Channel: c}}}
		if err := write.Script(file.Root, s); err != nil {
			t.Fatal(err)
		}
	}
	stored := treeBytes(t, file)
	for _, c := range []struct {
		name   string
		delete string
		told   bool
	}{
		{"nothing", "", false},
		{"the only script of a bone", "Sc_point", true},
		{"one of two scripts of a bone", "Sc_wave", false},
	} {
		s := fromGLB(t, glb(t, lift(t, anm, "hands.anm", stored, nil), nil))
		var left []*asset.Animation
		for _, a := range s.Animations {
			if a.Name != c.delete {
				left = append(left, a)
			}
		}
		s.Animations = left
		d := new(schema.Diagnostics)
		lowerWith(t, anm, s, &format.Env{Name: "hands.anm", Diagnostics: d})
		if d.Has("node-unmoved") != c.told {
			t.Errorf("%s: told %v, want %v: %v", c.name, !c.told, c.told, d.All())
		}
	}
}
