package unreal

import (
	"math"
	"strings"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// lamp is how an actor shines: the bytes of its properties (reference section 28).
type lamp struct{ kind, effect, brightness, hue, saturation, radius, cone uint8 }

// The effects that change what kind of light it is.
const (
	effectStaticSpot = 8
	effectSpot       = 12
	effectSun        = 19 // of the 227 patch
)

// lampFields are the properties of a light with the values that Engine.Light has.
var lampFields = [...]struct {
	name, key string
	usual     uint8
	field     func(l *lamp) *uint8
}{
	{"LightType", "type", 1, func(l *lamp) *uint8 { return &l.kind }},
	{"LightEffect", "effect", 0, func(l *lamp) *uint8 { return &l.effect }},
	{"LightBrightness", "brightness", 64, func(l *lamp) *uint8 { return &l.brightness }},
	{"LightHue", "hue", 0, func(l *lamp) *uint8 { return &l.hue }},
	{"LightSaturation", "saturation", 255, func(l *lamp) *uint8 { return &l.saturation }},
	{"LightRadius", "radius", 64, func(l *lamp) *uint8 { return &l.radius }},
	{"LightCone", "cone", 128, func(l *lamp) *uint8 { return &l.cone }},
}

// lightRadius is the world's units of a step of LightRadius.
const lightRadius = 25

// reaches reports whether a class is another one, or below it, as far as packages are at hand.
func reaches(pkg *pack.File, class unreal.Ref, name string) bool {
	for range schema.DefaultLimits.Depth {
		if strings.EqualFold(pkg.ObjectName(class), name) {
			return true
		}
		next, c := pkg.Class(class)
		if c == nil {
			break
		}
		pkg, class = next, c.Super
	}
	return false
}

// lamp returns the light of an actor; false if it has none. The defaults of its class count if that is at hand; those of
// Engine.Light are known.
func (w *lamps) lamp(base *unreal.Object, class unreal.Ref) (l lamp, ok bool) {
	light := w.lights[class]
	if !light {
		if _, asked := w.lights[class]; !asked {
			light = reaches(w.a.File, class, "Light")
			w.lights[class] = light
		}
	}
	for _, f := range lampFields {
		p := w.setting(base, class, f.name, 0).Property
		switch {
		case p != nil && p.Type == unreal.ByteProperty && p.Value == nil:
			*f.field(&l) = uint8(p.Number)
		case light || f.name != "LightType" && f.name != "LightBrightness": // nothing shines without these
			*f.field(&l) = f.usual
		}
	}
	return l, l.kind != 0 && l.brightness != 0
}

// light gives the node of an actor its light, on a node of its own: it looks along −Z and actors along +Z, and Blender
// leaves out the nodes of lights unless it is asked to save them.
func (b *levelBuilder) light(n *asset.Node, base *unreal.Object, actor unreal.Ref) {
	l, ok := b.lamp(base, b.a.Exports[actor-1].Class)
	if !ok {
		return
	}
	kept := map[string]any{}
	for _, f := range lampFields {
		kept[f.key] = float64(*f.field(&l))
	}
	scene.SetShown(n.Native, "light", kept)
	x := l.light(b.a.Licensee == unreal.Licensee227)
	x.Name = n.Name
	child := asset.NewNode(n.Name + lampSuffix)
	child.Transform.Rotation = turnedAround
	child.Light = x
	n.Children = append(n.Children, child)
}

// lampSuffix is what the node of a light has behind the name of its actor.
const lampSuffix = "_light"

// turnedAround is half a turn about Y.
var turnedAround = [4]float32{0, 1, 0, 0}

// light returns a lamp as glTF shows it: metres and candela.
func (l *lamp) light(patched bool) *asset.Light {
	x := asset.NewLight(asset.PointLight)
	switch {
	case l.effect == effectStaticSpot || l.effect == effectSpot:
		x.Kind = asset.SpotLight
		x.Outer = float32(max(math.Acos(1-float64(l.cone)/255), 1e-3))
	case l.effect == effectSun && patched:
		x.Kind = asset.SunLight
	}
	x.Color = lampColor(l.hue, l.saturation)
	reach := lampReach(l.radius)
	x.Intensity = float32(math.Pi * math.Sqrt(float64(l.brightness)/255) * (reach / 2) * (reach / 2))
	if x.Kind == asset.SunLight {
		x.Intensity = float32(math.Pi * math.Sqrt(float64(l.brightness)/255))
	} else {
		x.Range = float32(reach)
	}
	return x
}

// lampReach is how far a light reaches, in metres.
func lampReach(radius uint8) float64 {
	return lightRadius * (float64(radius) + 1) / space.UnitsPerMetre
}

// lampColor returns the colour of a light over its largest part: saturation 255 is white.
func lampColor(hue, saturation uint8) [3]float32 {
	c := lampChannels(hue, saturation)
	most := max(c[0], c[1], c[2])
	for k := range c {
		c[k] /= most
	}
	return c
}

// lampChannels returns the colour of a light of full brightness.
func lampChannels(hue, saturation uint8) (c [3]float32) {
	s := float64(saturation) / 2.5
	if s > 32 {
		s += 2
	}
	p := s / 104
	if saturation >= 250 {
		p = 1
	}
	third, f := int(hue)/85%3, float64(int(hue)%85)/85
	c[third], c[(third+1)%3], c[(third+2)%3] = float32(1-f+p*f), float32(f+p*(1-f)), float32(p)
	return c
}

// What editors change of lights by themselves.
const (
	lampColorTolerance = 2e-3
	lampShare          = 2e-3 // of intensities, ranges and angles
)

func sameShare(a, b float32) bool {
	return math.Abs(float64(a-b)) <= lampShare*max(math.Abs(float64(a)), math.Abs(float64(b)), 1e-6)
}

func sameLampColor(a, b [3]float32) bool {
	for k := range a {
		if math.Abs(float64(a[k]-b[k])) > lampColorTolerance {
			return false
		}
	}
	return true
}

// take gives a lamp what a light shows otherwise than it would. It reports whether that was anything, and whether the light
// asks for more than bytes hold.
func (l *lamp) take(x *asset.Light, patched bool) (changed, cut bool) {
	was := l.light(patched)
	if x.Kind != was.Kind {
		switch x.Kind {
		case asset.SpotLight:
			l.effect = effectSpot
		case asset.SunLight:
			if cut = !patched; patched {
				l.effect = effectSun
			}
		default:
			l.effect = 0
		}
		changed = !cut
	}
	if x.Kind == asset.SpotLight && (was.Kind != x.Kind || !sameShare(x.Outer, was.Outer)) {
		l.cone = lampByte((1-math.Cos(float64(x.Outer)))*255, &cut)
		changed = true
	}
	if !sameLampColor(x.Color, was.Color) {
		l.hue, l.saturation = lampHue(x.Color)
		changed = true
	}
	reached := x.Kind != asset.SunLight && x.Range > 0 && !sameShare(x.Range, was.Range)
	if reached {
		l.radius = lampByte(float64(x.Range)*space.UnitsPerMetre/lightRadius-1, &cut)
		changed = true
	}
	alike := (x.Kind == asset.SunLight) == (was.Kind == asset.SunLight) // else the intensities are of two units
	if reached || alike && !sameShare(x.Intensity, was.Intensity) {
		l.shine(x, &cut)
		changed = true
	}
	return changed, cut
}

// shine sets the brightness by an intensity.
func (l *lamp) shine(x *asset.Light, cut *bool) {
	at := lampReach(l.radius)
	share := float64(x.Intensity) / math.Pi
	if x.Kind != asset.SunLight {
		share /= (at / 2) * (at / 2)
	}
	l.brightness = lampByte(max(share*share*255, 1), cut)
}

func lampByte(x float64, cut *bool) uint8 {
	if !(x >= -0.5 && x < 255.5) {
		*cut = true
	}
	if !(x > 0) {
		return 0
	}
	return uint8(math.Round(min(x, 255)))
}

// lampHue finds the hue and the saturation that show a colour best.
func lampHue(c [3]float32) (hue, saturation uint8) {
	if most := max(c[0], c[1], c[2]); most > 0 {
		for k := range c {
			c[k] /= most
		}
	}
	best := math.Inf(1)
	for s := 255; s >= 0; s-- {
		for h := range 255 {
			x, d := lampColor(uint8(h), uint8(s)), 0.0
			for k := range x {
				d += float64(x[k]-c[k]) * float64(x[k]-c[k])
			}
			if d < best-1e-12 {
				best, hue, saturation = d, uint8(h), uint8(s)
			}
		}
		if s == 255 && best < 1e-6 {
			break
		}
	}
	return hue, saturation
}

// store puts a lamp's bytes into an actor: those that differ from was.
func (l *lamp) store(o *unreal.Object, was lamp) {
	for _, f := range lampFields {
		if x := *f.field(l); x != *f.field(&was) {
			o.Set(f.name, unreal.ByteProperty, int32(x))
		}
	}
}

// lampIn returns how an actor of class Engine.Light shines.
func lampIn(o *unreal.Object) (l lamp) {
	for _, f := range lampFields {
		*f.field(&l) = f.usual
		if p := o.Property(f.name, 0); p != nil {
			*f.field(&l) = uint8(p.Number)
		}
	}
	return l
}

// lampOf reads the bytes that lift kept.
func lampOf(v any) (l lamp, ok bool) {
	m, ok := v.(map[string]any)
	if !ok {
		return l, false
	}
	for _, f := range lampFields {
		x, ok := pack.Number(m[f.key])
		if !ok || x < 0 || x > 255 {
			return l, false
		}
		*f.field(&l) = uint8(x)
	}
	return l, true
}

// newLamp returns the bytes for a light that somebody made.
func newLamp(x *asset.Light, patched bool) (l lamp, cut bool) {
	l = lampIn(new(unreal.Object))
	switch {
	case x.Kind == asset.SpotLight:
		l.effect, l.cone = effectSpot, lampByte((1-math.Cos(float64(x.Outer)))*255, &cut)
	case x.Kind == asset.SunLight && patched:
		l.effect = effectSun
	case x.Kind == asset.SunLight:
		cut = true
	}
	l.hue, l.saturation = lampHue(x.Color)
	if x.Kind != asset.SunLight {
		reach := float64(x.Range)
		if reach <= 0 { // an editor without ranges: full brightness
			reach = 2 * math.Sqrt(float64(x.Intensity)/math.Pi)
		}
		l.radius = lampByte(min(max(reach*space.UnitsPerMetre/lightRadius-1, 0), 255), &cut)
	}
	l.shine(x, &cut)
	return l, cut
}

// backward is the matrix of turnedAround.
var backward = mgl64.HomogRotate3DY(math.Pi)
