package rig

import (
	"github.com/usher-assets/usher/convert/freelancer/space"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
)

// Constructs lists the values of the property "construct".
var Constructs = [...]string{freelancer.Fix: "fix", freelancer.Loose: "loose", freelancer.Rev: "rev", freelancer.Pris: "pris", freelancer.Sphere: "sphere", freelancer.Cyl: "cyl", freelancer.Trans: "trans"}

// JointTransform returns the transform of the child relative to its parent with the joint at rest (reference section 7.3).
func JointTransform(j *freelancer.Joint) asset.Transform {
	r := space.Rotation(j.Rotation)
	return space.Place(scene.Wide3(j.Origin).Sub(r.Mul3x1(scene.Wide3(j.Offset))), r)
}

// JointExtras returns the properties of a joint: its kind, limits (degrees for rev, radians for sphere), offset and axis.
func JointExtras(j *freelancer.Joint) map[string]any {
	x := map[string]any{"construct": Constructs[j.Kind]}
	limits := j.Kind.Limits()
	switch {
	case j.Kind == freelancer.Rev:
		x["min"], x["max"] = space.Degrees(j.Min[0]), space.Degrees(j.Max[0])
	case limits == 1:
		x["min"], x["max"] = float64(j.Min[0]), float64(j.Max[0])
	case limits > 1:
		x["min"], x["max"] = scene.List(j.Min[:limits]), scene.List(j.Max[:limits])
	}
	if j.Kind.HasOffset() {
		x["offset"] = scene.List(j.Offset[:])
	}
	switch j.Kind {
	case freelancer.Rev, freelancer.Cyl:
		x["axis_rotation"] = scene.List(j.Axis[:])
	case freelancer.Pris:
		x["axis_translation"] = scene.List(j.Axis[:])
	}
	return x
}

// ApplyJoint sets the values of a joint from custom properties. Unknown kinds and missing properties change nothing.
func ApplyJoint(j *freelancer.Joint, x map[string]any) {
	if name, ok := x["construct"].(string); ok {
		for k, c := range Constructs {
			if c == name {
				j.SetKind(freelancer.JointKind(k))
			}
		}
	}
	for i, v := range Numbers(x, "min") {
		if i < j.Kind.Limits() {
			j.Min[i] = limit(j.Kind, v)
		}
	}
	for i, v := range Numbers(x, "max") {
		if i < j.Kind.Limits() {
			j.Max[i] = limit(j.Kind, v)
		}
	}
	if v, ok := vec3(x, "offset"); ok && j.Kind.HasOffset() {
		j.Offset = v
	}
	for _, name := range [...]string{"axis_rotation", "axis_translation"} {
		if v, ok := vec3(x, name); ok && j.Kind.HasAxis() {
			j.Axis = v
		}
	}
	if j.Kind.HasAxis() && j.Axis == [3]float32{} {
		j.Axis = [3]float32{0, 1, 0}
	}
}

func limit(k freelancer.JointKind, v float64) float32 {
	if k == freelancer.Rev {
		return space.Radians(v)
	}
	return float32(v)
}
