package gltf

import (
	verbs "github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
)

// keyQuiet is where a material has the colour that it is shown in, and its own.
const keyQuiet = "quiet"

// shownColour returns the colour to write for a material. One whose picture is not at hand would be a flat white or grey:
// it gets a quiet colour of its name. That is none of the material's, and so its record says which it has.
func (e *encoder) shownColour(m *asset.Material, own record) [4]float32 {
	c := m.BaseColor
	absent := m.Absent
	if r := m.BaseColorTexture; r != nil {
		_, drawn := e.images[r.Texture]
		absent = absent || !drawn
	}
	if !e.made || e.o.whole || !absent || c[0] != c[1] || c[1] != c[2] {
		return c
	}
	quiet := verbs.QuietColour(m.Name)
	own[keyQuiet] = append(quiet[:], c[:3]...)
	return [4]float32{quiet[0], quiet[1], quiet[2], c[3]}
}

// ownColour returns the colour of a material that may be shown in a quiet one. bare says that editors dropped its record:
// the name tells then.
func ownColour(m *asset.Material, bare bool, own record) [4]float32 {
	c := m.BaseColor
	shown, is := verbs.QuietColour(m.Name), [3]float32{1, 1, 1}
	if list := numbers(own, keyQuiet); len(list) == 6 {
		shown, is = [3]float32(list), [3]float32(list[3:])
	} else if !bare {
		return c
	}
	if r := m.BaseColorTexture; r != nil && r.Texture.Base() != nil || !verbs.SameColor(c[:3], shown[:]) {
		return c
	}
	return [4]float32{is[0], is[1], is[2], c[3]}
}
