package freelancer

import (
	"math"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
)

// The custom properties are those of LancerEdit, so that its users can take the files from either tool.

// constructs are the values of the property "construct".
var constructs = [...]string{freelancer.Fix: "fix", freelancer.Loose: "loose", freelancer.Rev: "rev", freelancer.Pris: "pris", freelancer.Sphere: "sphere", freelancer.Cyl: "cyl", freelancer.Trans: "trans"}

// jointTransform returns where a joint at rest puts the child in its parent (reference section 7.3).
func jointTransform(j *freelancer.Joint) asset.Transform {
	r := rotation(j.Rotation)
	return place(scene.Wide3(j.Origin).Sub(r.Mul3x1(scene.Wide3(j.Offset))), r)
}

// jointExtras describes a joint: its kind, limits (degrees for rev, radians for sphere), offset and axis.
func jointExtras(j *freelancer.Joint) map[string]any {
	x := map[string]any{"construct": constructs[j.Kind]}
	limits := j.Kind.Limits()
	switch {
	case j.Kind == freelancer.Rev:
		x["min"], x["max"] = degrees(j.Min[0]), degrees(j.Max[0])
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

// number returns a property that is a number.
func number(x map[string]any, name string) (float64, bool) {
	switch v := x[name].(type) {
	case float64:
		return v, true
	case int64:
		return float64(v), true
	case int:
		return float64(v), true
	}
	return 0, false
}

// numbers returns a property that is a list of numbers, or a single one.
func numbers(x map[string]any, name string) []float64 {
	if v, ok := number(x, name); ok {
		return []float64{v}
	}
	items, _ := x[name].([]any)
	var out []float64
	for _, e := range items {
		v, ok := number(map[string]any{"": e}, "")
		if !ok {
			return nil
		}
		out = append(out, v)
	}
	return out
}

// vec3 returns a property of three numbers.
func vec3(x map[string]any, name string) (v [3]float32, ok bool) {
	n := numbers(x, name)
	if len(n) != 3 {
		return v, false
	}
	for i := range v {
		v[i] = float32(n[i])
	}
	return v, true
}

// applyJointExtras gives a joint what its properties say, and tells whether that is of another kind. Kinds that are
// unknown and properties that are missing change nothing.
func applyJointExtras(j *freelancer.Joint, x map[string]any) {
	if name, ok := x["construct"].(string); ok {
		for k, c := range constructs {
			if c == name {
				j.Kind = freelancer.JointKind(k)
			}
		}
	}
	for i, v := range numbers(x, "min") {
		if i < j.Kind.Limits() {
			j.Min[i] = limit(j.Kind, v)
		}
	}
	for i, v := range numbers(x, "max") {
		if i < j.Kind.Limits() {
			j.Max[i] = limit(j.Kind, v)
		}
	}
	if v, ok := vec3(x, "offset"); ok {
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
		return radians(v)
	}
	return float32(v)
}

// sameExtras compares the properties that base has, numbers up to what an editor makes of them.
func sameExtras(base, edited map[string]any) bool {
	for name, v := range base {
		w, there := edited[name]
		if !there {
			continue // an editor that drops properties does not mean them to be gone
		}
		a, b := numbers(map[string]any{"": v}, ""), numbers(map[string]any{"": w}, "")
		if a == nil || b == nil {
			if s, ok := v.(string); ok && s != w {
				return false
			}
			continue
		}
		if len(a) != len(b) {
			return false
		}
		for i := range a {
			if math.Abs(a[i]-b[i]) > 1e-5*max(1, math.Abs(a[i])) {
				return false
			}
		}
	}
	return true
}

// liftCamera: the angles of the file are halves of the picture's.
func liftCamera(name string, c *freelancer.Camera) *asset.Camera {
	a := &asset.Camera{Name: name, FieldOfView: 2 * c.FovY, Near: c.Near, Far: c.Far}
	if t := math.Tan(float64(c.FovY)); t > 0 {
		a.Aspect = float32(math.Tan(float64(c.FovX)) / t)
	}
	return a
}

// lowerCamera gives a stored camera what the visible one says. base is the one that was stored; it may be nil.
func lowerCamera(c *freelancer.Camera, a, base *asset.Camera) {
	c.FovY = a.FieldOfView / 2
	aspect := float64(a.Aspect)
	if editorAspect(a) {
		aspect = 4.0 / 3
		if base != nil {
			aspect = float64(base.Aspect)
		}
	}
	c.FovX = float32(math.Atan(math.Tan(float64(c.FovY)) * aspect))
	c.Near, c.Far = a.Near, a.Far
}

// editorAspect tells whether the proportions of a camera's picture are nobody's choice: there are none, or they are
// those of a film, which editors write for want of better ones.
func editorAspect(a *asset.Camera) bool {
	return a.Aspect == 0 || math.Abs(float64(a.Aspect)-16.0/9) < 1e-3
}

// sameCamera compares what a person may have changed.
func sameCamera(a, b *asset.Camera) bool {
	near := func(x, y float32) bool { return math.Abs(float64(x-y)) <= 1e-5*(1+math.Abs(float64(x))) }
	return near(a.FieldOfView, b.FieldOfView) && near(a.Near, b.Near) && near(a.Far, b.Far) && (editorAspect(b) || near(a.Aspect, b.Aspect))
}
