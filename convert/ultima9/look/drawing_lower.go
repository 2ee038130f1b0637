package look

import (
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
)

// Room is what a material can hold besides its picture. An additive material holds emission.
const Room = scene.LookBlend | scene.LookMask | scene.LookEmissive | scene.LookEmissiveTexture

// additive reports whether a material shows its picture as light on what lies behind it.
func additive(a *asset.Material) bool {
	base, light := a.BaseColorTexture, a.EmissiveTexture
	if a.Alpha != asset.Blend || a.Emissive == [3]float32{} || base == nil || light == nil || base.Texture == nil || light.Texture == nil {
		return false
	}
	return base.Texture == light.Texture || base.Texture.Name == light.Texture.Name
}

// drawing takes over how a stored material is drawn now and was not.
func (r *Lowerer) drawing(a *asset.Material, m *ultima9.Material) {
	if r.Kept {
		return
	}
	stored, ok := parseMaterial(a.Native.Payload)
	if !ok {
		r.draw(a, m)
		return
	}
	for _, alpha := range pictureAlphas(a) {
		if was := shown(stored, a, alpha); was.Alpha == a.Alpha && additive(was) == additive(a) {
			return
		}
	}
	r.draw(a, m)
}

// pictureAlphas returns the possible alpha modes of a stored material's picture. If the picture was repainted, they are
// unknown.
func pictureAlphas(a *asset.Material) []asset.AlphaMode {
	t := a.BaseColorTexture
	if a.Native == nil && t != nil && t.Texture != nil {
		return []asset.AlphaMode{t.Texture.Alpha}
	}
	if t == nil || t.Texture == nil {
		return []asset.AlphaMode{asset.Opaque, asset.Mask}
	}
	if was := scene.ShownWhole(a.Native, pictureKey, -1); was >= 0 && Digest(t.Texture) != was {
		return []asset.AlphaMode{asset.Opaque, asset.Mask}
	}
	if scene.ShownWhole(a.Native, holesKey, 0) != 0 {
		return []asset.AlphaMode{asset.Mask}
	}
	return []asset.AlphaMode{t.Texture.Alpha}
}

// shown returns what a record shows with the picture that a material has.
func shown(m ultima9.Material, a *asset.Material, alpha asset.AlphaMode) *asset.Material {
	out := asset.NewMaterial(a.Name)
	if m.Texture == ultima9.NoTexture {
		out.Alpha, out.BaseColor[3] = asset.Blend, 0
		return out
	}
	var t *asset.Texture
	if a.BaseColorTexture != nil {
		t = a.BaseColorTexture.Texture
	}
	show(out, m, t, alpha)
	return out
}

// draw says in a record how a material is drawn. What is half-transparent by its picture alone has a flag that the game
// sets by itself.
func (r *Lowerer) draw(a *asset.Material, m *ultima9.Material) {
	glows := additive(a)
	soft := a.Alpha == asset.Blend && !glows
	m.Flags = setFlag(m.Flags, ultima9.RenderAdditive, glows)
	m.Flags = setFlag(m.Flags, ultima9.RenderChromaKey, a.Alpha == asset.Mask)
	m.ActiveAlpha = 0xFF
	if a.Alpha == asset.Blend {
		m.ActiveAlpha = AlphaByte(a.BaseColor[3])
	}
	byPicture := soft && m.ActiveAlpha == 0xFF && (a.Native != nil || !scene.Solid(a))
	m.Flags = setFlag(m.Flags, ultima9.RenderTranslucent, byPicture)
	if byPicture {
		r.env.Told().Warnf("translucent", a.Name, "the material is half-transparent where its picture is, which becomes render flag 10: the game sets it by itself, and no file of the game has it")
	}
}

// compare looks for what of a material its record does not show.
func (r *Lowerer) compare(a *asset.Material, m ultima9.Material) {
	old := a.Native != nil && a.Native.Format == materialName
	r.unheld.Compare(a, shownAs(m, a), &scene.Capabilities{Looks: Room}, old)
}

// shownAs returns what a record shows with the picture of a material; where that may use its alpha in several ways, in
// the one that the material has.
func shownAs(m ultima9.Material, a *asset.Material) (is *asset.Material) {
	for _, alpha := range pictureAlphas(a) {
		if is = shown(m, a, alpha); is.Alpha == a.Alpha {
			break
		}
	}
	return is
}

// Tell reports what the stored materials do not show of the scene's.
func (r *Lowerer) Tell(c *scene.Capabilities) { r.unheld.Tell(r.env.Told(), "", c) }
