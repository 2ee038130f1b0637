package unreal

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// TestLampBytes: a byte takes what rounds to it, and says where that was not all.
func TestLampBytes(t *testing.T) {
	for _, c := range []struct {
		x    float64
		want uint8
		cut  bool
	}{
		{0, 0, false}, {0.4, 0, false}, {0.5, 1, false}, {1, 1, false}, {254.6, 255, false}, {255, 255, false}, {255.49, 255, false},
		{255.5, 255, true}, {1e9, 255, true}, {-0.5, 0, false}, {-0.51, 0, true}, {-7, 0, true}, {math.NaN(), 0, true}, {math.Inf(1), 255, true},
	} {
		cut := false
		if got := lampByte(c.x, &cut); got != c.want || cut != c.cut {
			t.Errorf("%v is %d, cut %v", c.x, got, cut)
		}
	}
}

// TestNewLamps holds the bytes of lights that somebody made.
func TestNewLamps(t *testing.T) {
	const metre = space.UnitsPerMetre / lightRadius // steps of LightRadius
	white := func(kind asset.LightKind, edit func(x *asset.Light)) *asset.Light {
		x := asset.NewLight(kind)
		x.Color, x.Intensity, x.Range = [3]float32{1, 1, 1}, math.Pi, 0
		edit(x)
		return x
	}
	for name, c := range map[string]struct {
		light   *asset.Light
		patched bool
		want    lamp
		cut     bool
	}{
		"reaches ten metres": {white(asset.PointLight, func(x *asset.Light) { x.Range, x.Intensity = 10, math.Pi*25/2 }), false, lamp{1, 0, 64, 0, 255, uint8(math.Round(10*metre - 1)), 128}, false},
		"reaches no metre":   {white(asset.PointLight, func(x *asset.Light) { x.Range, x.Intensity = 2/metre, math.Pi/metre/metre/2 }), false, lamp{1, 0, 64, 0, 255, 1, 128}, false},
		"reaches too far":    {white(asset.PointLight, func(x *asset.Light) { x.Range, x.Intensity = 1000, 1 }), false, lamp{1, 0, 1, 0, 255, 255, 128}, false},
		"without a range":    {white(asset.PointLight, func(x *asset.Light) { x.Intensity = math.Pi * 25 }), false, lamp{1, 0, 255, 0, 255, uint8(math.Round(10*metre - 1)), 128}, false},
		"red":                {white(asset.PointLight, func(x *asset.Light) { x.Range, x.Intensity, x.Color = 10, math.Pi*25/2, [3]float32{1, 0, 0} }), false, lamp{1, 0, 64, 0, 0, 20, 128}, false},
		"a spot":             {white(asset.SpotLight, func(x *asset.Light) { x.Range, x.Intensity, x.Outer = 10, math.Pi*25/2, math.Pi/3 }), false, lamp{1, effectSpot, 64, 0, 255, 20, 128}, false},
		"a narrow spot":      {white(asset.SpotLight, func(x *asset.Light) { x.Range, x.Intensity, x.Outer = 10, math.Pi*25/2, 0.1 }), false, lamp{1, effectSpot, 64, 0, 255, 20, 1}, false},
		"the sun":            {white(asset.SunLight, func(x *asset.Light) { x.Intensity = math.Pi / 2 }), true, lamp{1, effectSun, 64, 0, 255, 64, 128}, false},
		"the sun unpatched":  {white(asset.SunLight, func(x *asset.Light) { x.Intensity = math.Pi / 2 }), false, lamp{1, 0, 64, 0, 255, 64, 128}, true},
	} {
		if got, cut := newLamp(c.light, c.patched); got != c.want || cut != c.cut {
			t.Errorf("%s: %v, cut %v, want %v", name, got, cut, c.want)
		}
	}
}

// TestShines holds how the actors of a level shine: lights by their bytes, others and what cannot be read not at all.
func TestShines(t *testing.T) {
	a := hall(t, 69)
	info := a.FindExport("LevelInfo0", "LevelInfo")
	o, err := a.Object(int(info - 1))
	if err != nil {
		t.Fatal(err)
	}
	o.Base().Set("AmbientBrightness", unreal.ByteProperty, 128)
	if err := a.Store(int(info-1), o); err != nil {
		t.Fatal(err)
	}
	w := a.lamps()
	lamp, spot := w.shine(a.FindExport("Light0", "Light")), w.shine(a.FindExport("Light1", "Light"))
	if lamp == nil || spot == nil {
		t.Fatal("the lights are dark")
	}
	if lamp.at != (mgl32.Vec3{64, 32, 16}) || lamp.reach != 25*65 || lamp.effect != 0 || lamp.colour != litColour(40, 100, 64) || math.Abs(float64(lamp.outer)-(1-128./255)) > 1e-6 {
		t.Errorf("%+v", lamp)
	}
	yaw, pitch := 4096*math.Pi/32768, -8192*math.Pi/32768
	ahead := mgl32.Vec3{float32(math.Cos(pitch) * math.Cos(yaw)), float32(math.Cos(pitch) * math.Sin(yaw)), float32(math.Sin(pitch))}
	if spot.at != (mgl32.Vec3{10, 20, 30}) || spot.effect != effectSpot || spot.axis.Sub(ahead).Len() > 1e-4 {
		t.Errorf("%+v, ahead is %v", spot, ahead)
	}
	for _, r := range []unreal.Ref{0, -1, a.FindExport("PlayerStart0", "PlayerStart"), a.FindExport("Wall", "Texture"), unreal.Ref(len(a.Exports)), unreal.Ref(len(a.Exports) + 1)} {
		if s := w.shine(r); s != nil {
			t.Errorf("%d shines: %+v", r, s)
		}
	}
	for r, want := range map[unreal.Ref]mgl32.Vec3{info: litColour(0, 255, 128), a.FindExport("Light0", "Light"): litColour(0, 255, 0), 0: {}, -1: {}, unreal.Ref(len(a.Exports) + 1): {}} {
		if got := w.ambient(r); got != want {
			t.Errorf("the light everywhere in %d is %v, want %v", r, got, want)
		}
	}
}

// TestShineWithin: seen from a model, a light is elsewhere, reaches as far as the model is small, and looks ahead by one.
func TestShineWithin(t *testing.T) {
	s := &shine{at: mgl32.Vec3{100, 200, 300}, axis: mgl32.Vec3{0, 0, -1}, reach: 1000, effect: effectSpot, outer: 0.5}
	for size, reach := range map[float64]float32{0.5: 500, 1: 1000, 2: 2000, -2: 2000} {
		got := s.within(mgl64.Scale3D(size, size, size))
		want := mgl32.Vec3{100, 200, 300}.Mul(float32(size))
		ahead := mgl32.Vec3{0, 0, -1}
		if size < 0 {
			ahead = ahead.Mul(-1)
		}
		if got.at.Sub(want).Len() > 1e-3 || got.axis.Sub(ahead).Len() > 1e-5 || math.Abs(float64(got.reach-reach)) > 1e-3 || got.effect != s.effect || got.outer != s.outer {
			t.Errorf("%v: %+v", size, got)
		}
	}
	if got := (&shine{}).within(mgl64.Ident4()); got.axis.Len() != 0 {
		t.Errorf("what looks nowhere looks at %v", got.axis)
	}
}
