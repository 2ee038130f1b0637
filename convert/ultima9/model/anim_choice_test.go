package model

import (
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// TestChooseAnimation: a clip is the animation that was asked for, or that it was, or the first; that others are left out is told.
func TestChooseAnimation(t *testing.T) {
	clip := func(name string, ours bool) *asset.Animation {
		a := &asset.Animation{Name: name}
		if ours {
			a.Native = &asset.Native{Format: AnimName}
		}
		return a
	}
	walk, run, other := clip("walk", true), clip("run", false), clip("idle", false)
	still := &asset.Native{Format: AnimName, Values: map[string]any{nameKey: "still"}}
	for _, c := range []struct {
		name   string
		scene  asset.Scene
		asked  string
		want   string // "": an error
		told   string
		nobody bool // to tell
	}{
		{"the only one", asset.Scene{Animations: []*asset.Animation{run}}, "", "run", "", false},
		{"the first", asset.Scene{Animations: []*asset.Animation{run, other}}, "", "run", "animations", false},
		{"its own", asset.Scene{Animations: []*asset.Animation{run, walk, other}}, "", "walk", "animations", false},
		{"asked for", asset.Scene{Animations: []*asset.Animation{run, walk, other}}, "idle", "idle", "", false},
		{"asked for, and not there", asset.Scene{Animations: []*asset.Animation{run, walk}}, "idle", "", "", false},
		{"none", asset.Scene{}, "", "", "", false},
		{"none of a scene of something else", asset.Scene{Native: &asset.Native{Format: SappearName}}, "", "", "", false},
		{"none, and the clip moves nothing", asset.Scene{Native: still}, "", "still", "animation-kept", false},
		{"the clip moves nothing, and another is there", asset.Scene{Native: still, Animations: []*asset.Animation{run}}, "", "run", "", false},
		{"nobody to tell", asset.Scene{Animations: []*asset.Animation{run, walk}}, "", "walk", "", true},
	} {
		d := new(schema.Diagnostics)
		env := &format.Env{Diagnostics: d}
		env.Options.Animation = c.asked
		if c.nobody {
			env = nil
		}
		got, err := chooseAnimation(&c.scene, env)
		if (err != nil) != (c.want == "") || err == nil && got.Name != c.want || err != nil && schema.Class(err) != schema.ErrValue {
			t.Errorf("%s: %v, %v; want %q", c.name, got, err, c.want)
		}
		told := ""
		for _, x := range d.All() {
			told += x.Code
		}
		if told != c.told {
			t.Errorf("%s: told %q, want %q", c.name, told, c.told)
		}
	}
}
