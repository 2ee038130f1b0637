package scene

import "github.com/usher-assets/usher/schema/asset"

// Mix is the way in which the colours of a surface are blended with what is behind it. glTF has only one; the others are
// stored as a native value.
type Mix string

// The mixes.
const (
	Over     Mix = ""         // alpha blending: it hides as much as its alpha says
	Add      Mix = "add"      // additive: black adds nothing
	Screen   Mix = "screen"   // additive, but at most white
	Modulate Mix = "modulate" // what is behind is multiplied by twice the colours: mid grey changes nothing
	Backdrop Mix = "backdrop" // invisible: the game shows its sky in its place
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

// SetMix stores the mix of a material whose format expresses it in another way.
func SetMix(m *asset.Material, x Mix) {
	if x != Over {
		SetShown(m.Native, keyMix, string(x))
	}
}

// Role is what a node is to whoever looks at a level.
type Role string

// The roles.
const (
	NoRole Role = ""
	Sky    Role = "sky"   // the sky is built around it: [Backdrop] surfaces show what is seen from there, turned as the node is
	Start  Role = "start" // a player starts there, and looks along Z
)

const keyRole = "role"

// SetRole gives a node a role.
func SetRole(n *asset.Node, r Role) { SetShown(n.Native, keyRole, string(r)) }

// RoleOf returns the role of a node.
func RoleOf(n *asset.Node) Role { return Role(ShownText(n.Native, keyRole)) }
