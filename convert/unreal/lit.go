package unreal

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// lamps knows how actors shine, by their own properties and the defaults of their classes.
type lamps struct {
	a       *archive
	classes map[setting]pack.Found
	lights  map[unreal.Ref]bool   // classes that are Engine.Light or below it
	shines  map[unreal.Ref]*shine // actors; nil for those that do not shine
	zones   map[unreal.Ref]mgl32.Vec3
}

func (a *archive) lamps() *lamps {
	return &lamps{a, map[setting]pack.Found{}, map[unreal.Ref]bool{}, map[unreal.Ref]*shine{}, map[unreal.Ref]mgl32.Vec3{}}
}

// shine is a light as it falls on surfaces, in the engine's axes and units (reference section 28).
type shine struct {
	at, axis mgl32.Vec3
	colour   mgl32.Vec3 // what it adds to a picture of light where it is strongest
	reach    float32
	effect   uint8
	outer    float32 // cosine of the angle of a spot
}

// The effects that change how light falls.
const (
	effectNonIncidence = 13
	effectShell        = 14
	effectOmniBump     = 15
	effectCylinder     = 17
)

// strongest is what the greatest brightness shows in a picture of light: V of 0.408, twice.
const strongest = 2 * 0.408

// shine returns how an actor shines, or nil.
func (w *lamps) shine(r unreal.Ref) *shine {
	s, known := w.shines[r]
	if known {
		return s
	}
	w.shines[r] = nil
	if r <= 0 || int(r) > len(w.a.Exports) {
		return nil
	}
	o, err := w.a.Object(int(r - 1))
	if err != nil {
		return nil
	}
	base := o.Base()
	l, ok := w.lamp(base, w.a.Exports[r-1].Class)
	if !ok {
		return nil
	}
	turn := space.Vertex.Rotation(rotator(base, "Rotation"))
	ahead := turn.Mul3x1(space.Vertex.Basis.Mul3x1(mgl64.Vec3{1, 0, 0}))
	s = &shine{
		at:     property3(base, "Location", [3]float32{}),
		axis:   space.Vertex.Back([3]float32{float32(ahead[0]), float32(ahead[1]), float32(ahead[2])}),
		colour: litColour(l.hue, l.saturation, l.brightness),
		reach:  lightRadius * (float32(l.radius) + 1),
		effect: l.effect,
		outer:  1 - float32(l.cone)/255,
	}
	w.shines[r] = s
	return s
}

// litColour returns what a light of a colour shows in a picture of light.
func litColour(hue, saturation, brightness uint8) mgl32.Vec3 {
	return mgl32.Vec3(lampChannels(hue, saturation)).Mul(float32(strongest * math.Sqrt(float64(brightness)/255)))
}

// ambient returns the light that is everywhere in the zone of an actor.
func (w *lamps) ambient(zone unreal.Ref) mgl32.Vec3 {
	light, known := w.zones[zone]
	if !known {
		light = w.findAmbient(zone)
		w.zones[zone] = light
	}
	return light
}

func (w *lamps) findAmbient(zone unreal.Ref) mgl32.Vec3 {
	if zone <= 0 || int(zone) > len(w.a.Exports) {
		return mgl32.Vec3{}
	}
	o, err := w.a.Object(int(zone - 1))
	if err != nil {
		return mgl32.Vec3{}
	}
	number := func(name string, usual uint8) uint8 {
		if p := w.setting(o.Base(), w.a.Exports[zone-1].Class, name, 0).Property; p != nil && p.Value == nil {
			return uint8(p.Number)
		}
		return usual
	}
	return litColour(number("AmbientHue", 0), number("AmbientSaturation", 255), number("AmbientBrightness", 0))
}

// on returns what part of a light falls on a point of a surface, where no shadow does.
func (s *shine) on(p, normal mgl32.Vec3) float32 {
	to := s.at.Sub(p)
	switch s.effect {
	case effectCylinder:
		return max(1-(to[0]*to[0]+to[1]*to[1])/(s.reach*s.reach), 0)
	case effectOmniBump:
		return 0
	}
	far := to.LenSqr()
	if far >= s.reach*s.reach {
		return 0
	}
	away := float32(math.Sqrt(float64(far)))
	v := away / s.reach
	switch s.effect {
	case effectNonIncidence:
		return 1 - v
	case effectShell:
		return max(1-10*abs32(v-0.9), 0)
	}
	if away < 1e-3 {
		return 1
	}
	near := 1 / away
	part := min(s.reach*near+2*v*v-3*v, 1) * abs32(to.Dot(normal)) * near // (1 + 2v³ - 3v²) / v
	if s.effect == effectStaticSpot || s.effect == effectSpot {
		if s.outer >= 1 {
			return 0
		}
		f := 1 - min((1+to.Dot(s.axis)*near)/(1-s.outer), 1)
		part *= f * f
	}
	return part
}

func abs32(x float32) float32 { return float32(math.Abs(float64(x))) }

// within returns the light as the axes of a model see it that stands somewhere in a level.
func (s *shine) within(back mgl64.Mat4) *shine {
	local := *s
	move := func(p mgl32.Vec3) mgl32.Vec3 {
		q := space.Vertex.Point(p)
		at := mgl64.TransformCoordinate(mgl64.Vec3{float64(q[0]), float64(q[1]), float64(q[2])}, back)
		return space.Vertex.Back([3]float32{float32(at[0]), float32(at[1]), float32(at[2])})
	}
	local.at = move(s.at)
	local.axis = move(s.at.Add(s.axis)).Sub(local.at)
	if l := local.axis.Len(); l > 0 {
		local.axis = local.axis.Mul(1 / l)
	}
	local.reach *= float32(math.Cbrt(math.Abs(back.Det())))
	return &local
}

// scenery is what lights a model.
type scenery struct {
	lamps *lamps
	place mgl64.Mat4 // of the model in its level
	zone  unreal.Ref // the actor of the zone that it is in, where it has no zones itself
}

// paint draws the colours of the light maps of a model. polygons are its own.
func (a *atlas) paint(m *mapped, polygons []polygon, by *scenery) {
	if a.colours == nil {
		a.colours = a.picture("light", a.shadows.Base().Height, asset.RGBA8)
		pix := a.colours.Base().Pix
		for i := 0; i < len(pix); i += 4 {
			pix[i+3] = 255
		}
		pix[0], pix[1], pix[2] = 128, 128, 128 // what has no light map is shown as it is
	}
	back := mgl64.Ident4()
	if by.place != back {
		if by.place.Det() == 0 {
			return
		}
		back = by.place.Inv()
	}
	img := a.colours.Base()
	done := make([]bool, len(m.places))
	for i := range polygons {
		q := &polygons[i]
		if q.light < 0 || int(q.light) >= len(done) || done[q.light] {
			continue
		}
		done[q.light] = true
		ambient := by.lamps.ambient(m.zoneActor(q.zone, by.zone))
		if m.places[q.light].width == 0 {
			x, y := a.unlitAt(q)
			if y > 0 {
				store(img.Pix[4*(y*img.Width+x):], ambient)
			}
			continue
		}
		a.light(mapOf{m, int(q.light)}, q, ambient, by.lamps, back)
	}
}

// zoneActor returns the actor of a zone, or usual where the model knows none.
func (m *mapped) zoneActor(zone int32, usual unreal.Ref) unreal.Ref {
	if zone > 0 && int(zone) < len(m.Zones) && m.Zones[zone].Actor > 0 {
		return m.Zones[zone].Actor
	}
	return usual
}

// light draws one light map.
func (a *atlas) light(m mapOf, q *polygon, ambient mgl32.Vec3, lamps *lamps, back mgl64.Mat4) {
	l, p, img := m.entry(), m.of.places[m.i], a.colours.Base()
	normal := mgl32.Vec3(q.normal).Normalize()
	axes := mgl32.Mat3FromRows(q.axisU, q.axisV, normal)
	if d := axes.Det(); d == 0 || d != d {
		return
	}
	axes = axes.Inv()
	first := mgl32.Vec3(q.base).Add(axes.Mul3x1(mgl32.Vec3{l.Pan[0], l.Pan[1], 0})) // where the first texel lies, and the way to the next ones
	right, down := axes.Col(0).Mul(l.UScale), axes.Col(1).Mul(l.VScale)
	sum := make([]mgl32.Vec3, p.width*p.height)
	for i := range sum {
		sum[i] = ambient
	}
	reached, rows := make([]uint8, len(sum)), make([]uint8, len(sum))
	for n, r := range lightsOf(m.of.Model, l) {
		s := lamps.shine(r)
		if s == nil {
			continue
		}
		if back != mgl64.Ident4() {
			s = s.within(back)
		}
		m.soften(n, reached, rows)
		for y := range p.height {
			row, light := reached[y*p.width:][:p.width], sum[y*p.width:][:p.width]
			left := first.Add(down.Mul(float32(y)))
			for x, sixteenths := range row {
				if sixteenths == 0 {
					continue
				}
				part := float32(sixteenths) / 16 * s.on(left.Add(right.Mul(float32(x))), normal)
				for k := range light[x] {
					light[x][k] += min(part*s.colour[k], 1)
				}
			}
		}
	}
	for i, c := range sum {
		store(img.Pix[4*((p.y+i/p.width)*img.Width+p.x+i%p.width):], c)
	}
}

// soften fills in how much of light n reaches each texel, in sixteenths: edges of shadows are soft, of a texel and its
// neighbours. rows is room of the same size.
func (m mapOf) soften(n int, reached, rows []uint8) {
	w, h := int(m.entry().UClamp), int(m.entry().VClamp)
	for y := range h {
		row, bits := rows[y*w:][:w], m.bits(n, y)
		before, here := bits[0]&1, bits[0]&1
		for x := range row {
			next := here
			if x+1 < w {
				next = bits[(x+1)/8] >> ((x + 1) % 8) & 1
			}
			row[x] = before + 2*here + next
			before, here = here, next
		}
	}
	for y := range h {
		above, row, below := rows[max(y-1, 0)*w:][:w], rows[y*w:][:w], rows[min(y+1, h-1)*w:][:w]
		out := reached[y*w:][:w]
		for x := range out {
			out[x] = above[x] + 2*row[x] + below[x]
		}
	}
}

func store(pix []byte, c mgl32.Vec3) {
	for k := range c {
		pix[k] = uint8(255*min(max(c[k], 0), 1) + 0.5)
	}
}
