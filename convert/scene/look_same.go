package scene

import (
	"cmp"
	"math"
	"slices"

	"github.com/usher-assets/usher/schema/asset"
)

// colorTolerance is how far a displayed component of a colour may be off and still be the same: half of what 8 bits tell
// apart.
const colorTolerance = 0.5 / 255

// SameColor reports whether two linear colours are displayed alike. A stored colour with a negative or NaN component
// differs from any.
func SameColor(stored, now []float32) bool {
	if len(stored) != len(now) {
		return false
	}
	for i, x := range stored {
		if x < 0 || !(math.Abs(float64(Display(x))-float64(Display(now[i]))) <= colorTolerance) {
			return false
		}
	}
	return true
}

// SameLook reports whether two materials of one scene look alike.
func SameLook(a, b *asset.Material) bool {
	return SameColor(a.BaseColor[:], b.BaseColor[:]) && SameColor(a.Emissive[:], b.Emissive[:]) && a.Alpha == b.Alpha && a.DoubleSided == b.DoubleSided &&
		a.Unlit == b.Unlit && samePicture(a.BaseColorTexture, b.BaseColorTexture) && samePicture(a.EmissiveTexture, b.EmissiveTexture) &&
		a.EmissiveStrength == b.EmissiveStrength && sameLevels(a, b) && sameReflections(a, b) &&
		samePicture(a.MetalRoughTexture, b.MetalRoughTexture) && samePicture(a.NormalTexture, b.NormalTexture) && samePicture(a.OcclusionTexture, b.OcclusionTexture) && samePicture(a.LightTexture, b.LightTexture)
}

// sameReflections reports whether two materials reflect alike.
func sameReflections(a, b *asset.Material) bool {
	var none asset.Specular
	x, y := cmp.Or(a.Specular, &none), cmp.Or(b.Specular, &none)
	return reflection(a) == reflection(b) && samePicture(x.Texture, y.Texture) && samePicture(x.ColorTexture, y.ColorTexture)
}

// sameLevels reports whether two materials are alike metallic and rough, to what eight bits tell apart.
func sameLevels(a, b *asset.Material) bool {
	return math.Abs(float64(a.Metallic-b.Metallic)) < lookTolerance && math.Abs(float64(a.Roughness-b.Roughness)) < lookTolerance
}

func samePicture(a, b *asset.TextureRef) bool {
	if a == nil || b == nil || a.Texture == nil || b.Texture == nil {
		return (a == nil || a.Texture == nil) == (b == nil || b.Texture == nil)
	}
	if a.WrapS != b.WrapS || a.WrapT != b.WrapT || a.TexCoord != b.TexCoord {
		return false
	}
	x, y := a.Texture, b.Texture
	if x == y {
		return true
	}
	if x.File != nil && y.File != nil {
		return slices.Equal(x.File.Data, y.File.Data)
	}
	m, n := x.Base(), y.Base()
	return m != nil && n != nil && m.Width == n.Width && m.Height == n.Height && m.Format == n.Format && slices.Equal(m.Pix, n.Pix) && slices.Equal(x.Palette, y.Palette)
}
