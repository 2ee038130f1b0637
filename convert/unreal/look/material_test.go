package look

import (
	"testing"

	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/schema/unreal"
)

// The rule by which the game takes textures: MultiSkins by index, Skin for the first and for open ones, Texture for
// what mirrors its surroundings.
func TestSlot(t *testing.T) {
	w := pack.Outfit{Skin: pack.Link{Ref: 7}, Texture: pack.Link{Ref: 8}}
	w.Multi[1] = pack.Link{Ref: 5}
	for _, c := range []struct {
		skin Skin
		want unreal.Ref
	}{
		{Skin{Index: 0, Texture: 3}, 7}, {Skin{Index: 1, Texture: 3}, 5}, {Skin{Index: 2, Texture: 3}, 0}, {Skin{Index: 2}, 7},
		{Skin{Index: 9}, 7}, {Skin{Index: -1}, 0}, {Skin{Index: 1, Flags: unreal.PolyEnvironment}, 8},
	} {
		if got := slot(&w, c.skin).Ref; got != c.want {
			t.Errorf("%+v: %d, want %d", c.skin, got, c.want)
		}
	}
}
