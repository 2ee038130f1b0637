package gltf

import (
	"math"
	"slices"
	"strings"

	"github.com/qmuntal/gltf"

	"github.com/usher-assets/usher/schema/asset"
)

// What Blender changes by itself.

// blender is how the add-on for glTF names itself, before its version.
const blender = "Khronos glTF Blender I/O v"

// mixesColours reports whether a version of the add-on gives the corners of a mesh each other's vertex colours.
func mixesColours(generator string) bool { return generator == blender+"3.4.50" }

// tellColours names the meshes whose vertex colours are not where they were.
func (d *decoder) tellColours() {
	if !mixesColours(d.s.Generator) {
		return
	}
	n, first := 0, ""
	for _, m := range d.doc.Meshes {
		if slices.ContainsFunc(m.Primitives, func(p *gltf.Primitive) bool { _, ok := p.Attributes[gltf.COLOR_0]; return ok }) {
			if n++; n == 1 {
				first = m.Name
			}
		}
	}
	if n > 0 {
		d.diag.Warnf("blender-colours", first, "this version of Blender's glTF add-on (3.4.50) gives the corners of a mesh the vertex colours of others: in %d, of which this is the first, colours that may be mixed up so are kept as they were; Blender 3.5 and later export painted ones", n)
	}
}

// convertsSpecular reports whether a version of the add-on makes two sliders of the specular colour, and a colour of them
// again.
func convertsSpecular(generator string) bool {
	return strings.HasPrefix(generator, blender+"3.") || strings.HasPrefix(generator, blender+"4.0.")
}

// afterBlender returns the specular colour that comes back of another one, on a material of a base colour without a
// texture. The sliders are the brightness of the colour and how far it is tinted like the base colour.
func afterBlender(color [3]float32, base [4]float32) [3]float32 {
	hue := func(c [3]float32) (out [3]float64) {
		l := brightness(c)
		for k, x := range c {
			if out[k] = float64(x); l != 0 {
				out[k] /= l
			}
		}
		return out
	}
	of, to := hue(color), hue([3]float32(base[:3]))
	tint := 0.0
	grey := true
	for k, weight := range luminance {
		tint += weight * (of[k] - 1) / (to[k] - 1)
		grey = grey && to[k] == 1
	}
	if grey {
		tint = 1
	}
	tint = min(max(tint, 0), 1)
	var out [3]float32
	for k := range out {
		out[k] = float32(brightness(color) * (1 - tint + to[k]*tint))
	}
	return out
}

// luminance weighs red, green and blue as Blender's shader does.
var luminance = [3]float64{0.3, 0.6, 0.1}

func brightness(c [3]float32) (sum float64) {
	for k, weight := range luminance {
		sum += weight * float64(c[k])
	}
	return sum
}

// restoreSpecular gives a material the reflections that were written, where Blender alone has changed them.
func (d *decoder) restoreSpecular(at string, m *asset.Material, own record) {
	color := numbers(own, keySpecularColor)
	factor, ok := number(own, keySpecularFactor)
	if !ok || len(color) != 3 || !convertsSpecular(d.doc.Asset.Generator) {
		return
	}
	was := &asset.Specular{Factor: float32(factor), Color: [3]float32(color)}
	now := m.Specular
	if now == nil { // the sliders are where they are in a new material
		now = &asset.Specular{Factor: 1, Color: [3]float32{1, 1, 1}}
	}
	switch {
	case now.Texture != nil || own[keySpecularTextures] != nil:
		d.diag.Warnf("blender-specular", at, "this version of Blender changes specular colours, those of %q as well", m.Name)
	case now.ColorTexture != nil: // a picture of the tinted base colour
		d.diag.Warnf("blender-specular", at, "Blender made a texture of the specular colour of %q, which stays as it was", m.Name)
		m.Specular = was
	case nearColor(now.Color, afterBlender(was.Color, m.BaseColor)):
		m.Specular = was
	default:
		d.diag.Warnf("blender-specular", at, "the specular colour of %q is not exactly what Blender showed: this version of Blender converts it", m.Name)
	}
}

// Parts of a material's reflections that ride along in its extras.
const (
	keySpecularColor    = "specularColor"
	keySpecularFactor   = "specularFactor"
	keySpecularTextures = "specularTextures" // it had textures
)

// nearColor reports whether two colours are the same but for the rounding of floats. What Blender cannot compute is any.
func nearColor(a, b [3]float32) bool {
	for k := range a {
		if math.Abs(float64(a[k]-b[k])) > 1e-4*max(1, math.Abs(float64(b[k]))) {
			return false
		}
	}
	return true
}
