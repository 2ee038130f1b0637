package scene

import (
	"fmt"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// TestUnheld: what a stored material does not show is told, once, and what nobody sees is not.
func TestUnheld(t *testing.T) {
	picture := &asset.TextureRef{Texture: &asset.Texture{File: &asset.Stored{Data: []byte{1}}}}
	unlit := func(m *asset.Material) { m.Unlit = true }
	both := func(a, b func(m *asset.Material)) func(m *asset.Material) {
		return func(m *asset.Material) { a(m); b(m) }
	}
	rough := func(m *asset.Material) { m.Roughness = 0.3 }
	dark := func(m *asset.Material) { m.OcclusionTexture = picture }
	mask := func(m *asset.Material) { m.Alpha, m.BaseColor[3] = asset.Mask, 0.5 }
	solid := func(m *asset.Material) { m.Alpha = asset.Mask }
	none := func(*asset.Material) {}
	for _, c := range []struct {
		name    string
		now, is func(m *asset.Material)
		looks   Looks
		old     bool
		want    int
	}{
		{"nothing", none, none, ^Looks(0), true, 0},
		{"rough", rough, none, 0, true, 1},
		{"a rough new one", rough, none, 0, false, 0},
		{"rough without light", both(rough, unlit), unlit, LookUnlit, true, 0},
		{"rough, and without light now", both(rough, unlit), none, LookUnlit, true, 2},
		{"occlusion", dark, none, LookOcclusionTexture, true, 1},
		{"occlusion without light", both(dark, unlit), unlit, LookOcclusionTexture, true, 0},
		{"holes that it holds", mask, none, LookBlend | LookMask, true, 1},
		{"holes that it does not hold", mask, none, LookBlend, true, 0}, // Lost tells of them
		{"solid, with the mode of holes", solid, none, LookBlend, true, 1},
		{"a solid new one", solid, none, LookBlend, false, 0},
	} {
		now, is := asset.NewMaterial("a"), asset.NewMaterial("a")
		c.now(now)
		c.is(is)
		var u Unheld
		var d schema.Diagnostics
		room := &Capabilities{Target: "a thing", Looks: c.looks}
		u.Compare(now, is, room, c.old)
		if u.Tell(&d, "", room); len(d.All()) != c.want {
			t.Errorf("%s: told %v, want %d", c.name, fmt.Sprint(d.All()), c.want)
		}
	}
}
