package gltf

import (
	"fmt"
	"math"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// light writes a light once and returns its number.
func (e *encoder) light(l *asset.Light) int {
	if i, ok := e.lights[l]; ok {
		return i
	}
	i := len(e.lamps)
	e.lights[l] = i
	path := fmt.Sprintf("extensions/%s/lights/%d", extLights, i)
	if int(l.Kind) >= len(lightTypes) {
		e.failf(path, schema.ErrValue, "Kind", "%d", l.Kind)
		return i
	}
	own := record{}
	g := punctual{Name: l.Name, Type: lightTypes[l.Kind], Color: &[3]float64{}}
	within := func(field string, x, most float32) float64 {
		if x >= 0 && x <= most {
			return float64(x)
		}
		mended := max(0, min(most, x))
		if x != x {
			mended = 0
		}
		e.o.Diagnostics.Warnf("light-value", path+"/"+field, "%v is not possible in glTF, %v is written", x, mended)
		if !notFinite(x) {
			own[field] = x
		}
		return float64(mended)
	}
	for k := range 3 {
		g.Color[k] = within(fmt.Sprintf("color%d", k), l.Color[k], 1)
	}
	g.Intensity = number64(within("intensity", l.Intensity, math.MaxFloat32))
	if r := within("range", l.Range, math.MaxFloat32); r > 0 && l.Kind != asset.SunLight {
		g.Range = number64(r)
	} else if r > 0 {
		own["range"] = l.Range
	}
	if l.Kind == asset.SpotLight {
		outer := min(within("outer", l.Outer, math.Pi/2), math.Pi/2)
		inner := within("inner", l.Inner, math.Pi/2)
		if inner >= outer {
			e.o.Diagnostics.Warnf("light-value", path+"/spot", "the inner cone of %v rad is not within the outer one of %v rad", inner, outer)
			own["inner"] = l.Inner
			inner = 0
		}
		if outer == 0 {
			own["outer"] = l.Outer
			outer = math.Pi / 4
		}
		g.Spot = &spot{Inner: inner, Outer: &outer}
	}
	g.Extras = e.extras(path, l.Extras, l.Native, own)
	sealRecords(g.Extras)
	e.lamps = append(e.lamps, g)
	return i
}

func number64(x float64) *float64 { return &x }
