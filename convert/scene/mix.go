package scene

import "github.com/usher-assets/usher/schema/asset"

// Mix is how the colours of a surface meet what lies behind it. glTF knows one way alone, so that the others ride along
// for those who draw the scene.
type Mix string

// The mixes.
const (
	Over     Mix = ""         // it hides as much as its alpha says
	Add      Mix = "add"      // its colours are light: black adds nothing
	Screen   Mix = "screen"   // the same, and white hides all
	Modulate Mix = "modulate" // what is behind it is multiplied by twice its colours: mid grey changes nothing
	Backdrop Mix = "backdrop" // nothing of it is seen: the game shows its sky there
)

const keyMix = "mix"

// MixOf returns the mix of a material.
func MixOf(m *asset.Material) Mix {
	if m == nil {
		return Over
	}
	switch x := Mix(ShownText(m.Native, keyMix)); x {
	case Add, Screen, Modulate, Backdrop:
		return x
	}
	return Over
}

// SetMix notes the mix of a material that its format has in another way.
func SetMix(m *asset.Material, x Mix) {
	if x != Over {
		SetShown(m.Native, keyMix, string(x))
	}
}
