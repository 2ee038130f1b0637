package freelancer

import (
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
)

// hardpointNode makes an empty node of a hardpoint; limits are in degrees there.
func hardpointNode(h *freelancer.Hardpoint) *asset.Node {
	n := asset.NewNode(h.Name)
	n.Kind = asset.Hardpoint
	n.Transform = place(scene.Wide3(h.Position), rotation(h.Orientation))
	n.Extras = hardpointExtras(h)
	return n
}

func hardpointExtras(h *freelancer.Hardpoint) map[string]any {
	x := map[string]any{"hardpoint": true, "hptype": "fix"}
	if h.Revolute {
		x["hptype"] = "rev"
		x["min"], x["max"] = degrees(h.Min), degrees(h.Max)
		x["axis"] = scene.List(h.Axis[:])
	}
	return x
}

// applyHardpointExtras gives a hardpoint what its properties say.
func applyHardpointExtras(h *freelancer.Hardpoint, x map[string]any) {
	if t, ok := x["hptype"].(string); ok {
		h.Revolute = t == "rev"
	}
	if v, ok := number(x, "min"); ok {
		h.Min = radians(v)
	}
	if v, ok := number(x, "max"); ok {
		h.Max = radians(v)
	}
	if v, ok := vec3(x, "axis"); ok {
		h.Axis = v
	}
}

// isHardpoint tells whether a node stands for one: by its kind or properties, or as an empty one whose name begins as
// all of the game's do.
func isHardpoint(n *asset.Node) bool {
	if n.Kind == asset.Hardpoint {
		return true
	}
	if yes, said := flagOf(n, "hardpoint"); said {
		return yes
	}
	return n.Mesh == nil && n.Camera == nil && hardpointName(n.Name)
}

// setTransform moves a hardpoint to where its node is.
func setHardpoint(h *freelancer.Hardpoint, t *asset.Transform) {
	m := scene.Matrix(t)
	h.Position = [3]float32{float32(m[12]), float32(m[13]), float32(m[14])}
	h.Orientation = rows(m.Mat3())
}

// flagOf returns a property that is true or not, and whether a node has it.
func flagOf(n *asset.Node, property string) (yes, said bool) {
	switch v := n.Extras[property].(type) {
	case bool:
		return v, true
	case float64:
		return v != 0, true
	case string:
		return v == "true", true
	}
	return false, false
}

// ignored tells whether a node is not to be exported.
func ignored(n *asset.Node) bool {
	switch v := n.Extras["export_ignore"].(type) {
	case bool:
		return v
	case float64:
		return v != 0
	}
	return false
}
