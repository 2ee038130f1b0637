package rig

import (
	"strings"

	"github.com/usher-assets/usher/convert/freelancer/space"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
)

// HardpointNode returns an empty node for a hardpoint. Limits are in degrees there.
func HardpointNode(h *freelancer.Hardpoint) *asset.Node {
	n := asset.NewNode(h.Name)
	n.Kind = asset.Hardpoint
	n.Transform = space.Place(scene.Wide3(h.Position), space.Rotation(h.Orientation))
	n.Extras = HardpointExtras(h)
	return n
}

// HardpointExtras returns the properties of a hardpoint.
func HardpointExtras(h *freelancer.Hardpoint) map[string]any {
	x := map[string]any{"hardpoint": true, "hptype": "fix"}
	if h.Revolute {
		x["hptype"] = "rev"
		x["min"], x["max"] = space.Degrees(h.Min), space.Degrees(h.Max)
		x["axis"] = scene.List(h.Axis[:])
	}
	return x
}

// ApplyHardpoint sets the values of a hardpoint from custom properties.
func ApplyHardpoint(h *freelancer.Hardpoint, x map[string]any) {
	if t, ok := x["hptype"].(string); ok {
		h.Revolute = t == "rev"
	}
	if v, ok := Number(x, "min"); ok {
		h.Min = space.Radians(v)
	}
	if v, ok := Number(x, "max"); ok {
		h.Max = space.Radians(v)
	}
	if v, ok := vec3(x, "axis"); ok {
		h.Axis = v
	}
}

// NewHardpoint returns a hardpoint for a node. guessed is true if the joint type was inferred from the name.
func NewHardpoint(n *asset.Node, at asset.Transform) (h *freelancer.Hardpoint, guessed bool) {
	h = &freelancer.Hardpoint{Name: n.Name, Orientation: freelancer.Identity3, Axis: [3]float32{0, 1, 0}}
	SetHardpoint(h, &at)
	if _, said := n.Extras["hptype"]; !said && turns(h.Name) {
		h.Revolute, h.Min, h.Max, guessed = true, space.Radians(-UsualTurn), space.Radians(UsualTurn), true
	}
	ApplyHardpoint(h, n.Extras)
	return h, guessed
}

// IsHardpoint reports whether a node stands for a hardpoint: by its kind, its properties, or its name if it is empty.
func IsHardpoint(n *asset.Node) bool {
	if n.Kind == asset.Hardpoint {
		return true
	}
	if yes, said := Flag(n, "hardpoint"); said {
		return yes
	}
	return n.Mesh == nil && n.Camera == nil && scene.HardpointName(n.Name)
}

// SetHardpoint moves a hardpoint to the transform of its node.
func SetHardpoint(h *freelancer.Hardpoint, t *asset.Transform) {
	m := space.Matrix(t)
	h.Position = [3]float32{float32(m[12]), float32(m[13]), float32(m[14])}
	h.Orientation = space.Rows(m.Mat3())
}

// UsualTurn is the default limit of revolute hardpoints to either side, in degrees.
const UsualTurn = 45

// turningHardpoints are what the names of hardpoints begin with that turn in nearly all models (reference section 19.3).
var turningHardpoints = []string{"hpweapon", "hpturret", "hptorpedo", "hpmissile"}

// turns reports whether hardpoints of a name usually turn.
func turns(name string) bool {
	name = strings.ReplaceAll(strings.ToLower(name), "_", "")
	for _, begin := range turningHardpoints {
		if strings.HasPrefix(name, begin) {
			return true
		}
	}
	return false
}
