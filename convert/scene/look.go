package scene

import (
	"math"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// Unheld collects what a target did not store of the look of materials, although it claims to hold it: values without a
// field, and edits of stored materials that it does not use.
type Unheld struct {
	tallies [len(aspects)]Tally
}

// aspect is one thing about the look of a material, beside its colour and its picture.
type aspect struct {
	look  Looks // a target that holds none of these is not asked: [Lost] tells of them; 0 for all targets
	name  string
	value func(m *asset.Material) [3]float32
	old   bool // new materials are not asked: editors give them some value
	lit   bool // means nothing without light: editors give it some value there, or none
}

var aspects = [...]aspect{
	{LookBlend | LookMask, "use of alpha (solid, with holes or half-transparent)", func(m *asset.Material) [3]float32 { return level(float32(m.Alpha)) }, false, false},
	{LookDoubleSided, "visibility from behind", func(m *asset.Material) [3]float32 { return flag(m.DoubleSided) }, false, false},
	{LookUnlit, "look without light", func(m *asset.Material) [3]float32 { return flag(m.Unlit) }, false, false},
	{LookEmissive, "own light", emission, false, false},
	{LookEmissiveTexture, "picture of own light", func(m *asset.Material) [3]float32 {
		return flag(Used(m.EmissiveTexture) && emission(m) != [3]float32{})
	}, false, false},
	{LookSpecular, "strength of reflections", reflection, true, false},
	{LookOcclusionTexture, "picture of occlusion", func(m *asset.Material) [3]float32 { return flag(Used(m.OcclusionTexture)) }, false, true},
	{0, "roughness", func(m *asset.Material) [3]float32 { return level(m.Roughness) }, true, true},
	{0, "repetition of the picture (wrap, clamp or mirror)", wraps, false, false},
	{0, "filter of the picture", func(m *asset.Material) [3]float32 { return flag(picture(m).Filter == asset.Nearest) }, true, false},
}

func level(x float32) [3]float32 { return [3]float32{x} }

func flag(on bool) [3]float32 {
	if on {
		return level(1)
	}
	return level(0)
}

func emission(m *asset.Material) (c [3]float32) {
	for k := range c {
		c[k] = m.Emissive[k] * m.EmissiveStrength
	}
	return c
}

func reflection(m *asset.Material) (c [3]float32) {
	if m.Specular != nil {
		for k := range c {
			c[k] = m.Specular.Color[k] * m.Specular.Factor
		}
	}
	return c
}

// picture returns how a material uses its picture; the zero value where it has none.
func picture(m *asset.Material) asset.TextureRef {
	if Used(m.BaseColorTexture) {
		return *m.BaseColorTexture
	}
	return asset.TextureRef{}
}

func wraps(m *asset.Material) [3]float32 {
	p := picture(m)
	return [3]float32{float32(p.WrapS), float32(p.WrapT)}
}

// lookTolerance is how far a linear value may be off that a byte holds.
const lookTolerance = 0.01

// Compare compares a material of a scene with what its target shows of the stored version. old says that the target had the
// material before.
func (u *Unheld) Compare(now, is *asset.Material, c *Capabilities, old bool) {
	for i := range aspects {
		a := &aspects[i]
		if a.lit && now.Unlit && is.Unlit {
			continue
		}
		if a.look != 0 && a.look&c.Looks == 0 || a.old && !old || a.look == LookBlend|LookMask && toldOfAlpha(now, c, old) {
			continue
		}
		if !sameLook(a.value(now), a.value(is)) {
			u.tallies[i].Add(now.Name)
		}
	}
}

// toldOfAlpha reports whether there is nothing to say of how a material uses alpha: a new one is solid, or [Lost] has told of it.
func toldOfAlpha(m *asset.Material, c *Capabilities, old bool) bool {
	if Solid(m) {
		return !old
	}
	return m.Alpha == asset.Mask && c.Looks&LookMask == 0 || m.Alpha == asset.Blend && c.Looks&LookBlend == 0
}

func sameLook(a, b [3]float32) bool {
	for k := range a {
		if !(math.Abs(float64(a[k])-float64(b[k])) <= lookTolerance*max(1, math.Abs(float64(b[k])))) {
			return false
		}
	}
	return true
}

// Tell reports what was collected, each thing once.
func (u *Unheld) Tell(d *schema.Diagnostics, path string, c *Capabilities) {
	for i := range aspects {
		u.tallies[i].Tell(d, "material-property", path, "the "+aspects[i].name+" of material", "changes of the "+aspects[i].name+" of materials",
			"is left out: "+c.Target+" cannot show it so")
	}
}
