package look

import (
	"testing"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/schema/asset"
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

// TestMix: every choice of the flags that say how a surface is drawn. What cannot be seen mixes with nothing, and holes
// are stronger than modulation.
func TestMix(t *testing.T) {
	const i, m, l, d = unreal.PolyInvisible, unreal.PolyMasked, unreal.PolyTranslucent, unreal.PolyModulated
	for flags, want := range map[uint32]scene.Mix{
		0: "", m: "", l: "screen", d: "modulate", m | l: "screen", m | d: "", l | d: "screen", m | l | d: "screen",
		i: "", i | m: "", i | l: "", i | d: "", i | m | l: "", i | m | d: "", i | l | d: "", i | m | l | d: "",
	} {
		if got := mixOf(flags | unreal.PolyTwoSided); got != want {
			t.Errorf("%v: %q, want %q", unreal.FlagNames(flags, unreal.PolyFlags), got, want)
		}
	}
}

// TestNameOfSkin: of a picture that is not at hand the name counts, in whatever case.
func TestNameOfSkin(t *testing.T) {
	shows := func(name string) *asset.Material {
		m := asset.NewMaterial("wall")
		m.BaseColorTexture = &asset.TextureRef{Texture: &asset.Texture{Name: name, Frames: []asset.Frame{{Mips: []asset.Image{asset.NewImage(1, 1, asset.RGBA8)}}}}}
		return m
	}
	stored := asset.NewMaterial("wall")
	stored.Native = &asset.Native{Format: "unreal-mesh"}
	scene.SetShown(stored.Native, "texture", "Texture'UT.Woodf3'")
	for name, want := range map[string]bool{"Woodf3": true, "WOODf3": true, "Woodf3.001": true, "Woodf4": false} {
		if got := sameSkin(stored, shows(name)); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}
