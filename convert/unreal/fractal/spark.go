package fractal

import "github.com/usher-assets/usher/schema/unreal"

// emitter is a spark of a package. What its four parameters mean depends on its type.
type emitter struct {
	kind       unreal.SparkType
	heat, x, y int
	a, b, c, d uint8
}

// The sparks that fall become faster by so much in each frame, in pixels of 1/128.
const gravity = 4

// burn does what a spark does in a frame.
func (f *fire) burn(s *emitter) {
	switch s.kind {
	case unreal.SparkBurn:
		f.set(s.x, s.y, f.octet())
	case unreal.SparkSparkle:
		f.set(s.x+f.below(int(s.a)), s.y+f.below(int(s.b)), s.heat)
	case unreal.SparkPulse:
		s.heat = (s.heat + int(s.d)) & 0xFF
		f.set(s.x, s.y, s.heat)
	case unreal.SparkSignal:
		f.signal(s)
	case unreal.SparkCylinder, unreal.SparkCylinder3D, unreal.SparkLissajous, unreal.SparkJugglers:
		f.orbit(s)
	case unreal.SparkLineLightning, unreal.SparkRampLightning, unreal.SparkSphereLightning:
		f.lightning(s)
	case unreal.SparkFlocks, unreal.SparkEels, unreal.SparkGametes, unreal.SparkWheel, unreal.SparkSprinkler:
		f.swarm(s)
	case unreal.SparkOrganic, unreal.SparkWanderOrganic, unreal.SparkRandomCloud, unreal.SparkCustomCloud, unreal.SparkLocalCloud:
		f.cloud(s)
	default:
		f.erupt(s)
	}
}

// signal draws a pattern of bright patches: C says how many are dark, D how fast one follows the other.
func (f *fire) signal(s *emitter) {
	s.heat = (s.heat + f.below(int(s.d)+1)) & 0xFF
	if s.heat >= int(s.c) {
		f.set(s.x, s.y, 128+f.below(128))
	}
}

// orbit draws a spark on its way around a place. It is brightest where it is nearest.
func (f *fire) orbit(s *emitter) {
	near, size := cos(int(s.a)), int(s.b)
	x, y, light := s.x+sin(int(s.a))*size>>8, s.y, s.heat+(255-s.heat)*(127+near)/254
	switch s.kind {
	case unreal.SparkLissajous:
		size = s.heat // its own heat is not stored
		x, y = s.x+sin(int(s.a))*size>>8, s.y+sin(int(s.b))*size>>8
		light = 128 + near
		s.a, s.b = s.a+s.c, s.b+s.d
	case unreal.SparkJugglers:
		x, y = s.x, s.y+sin(int(s.a))*size>>8
		s.a += s.d
	default:
		s.a += s.d
	}
	if s.kind != unreal.SparkCylinder3D || near >= 0 {
		f.set(x, y, light)
	}
}

// erupt emits sparks that fly away from a place. Types that nobody knows do it as well: a picture without them would be empty.
func (f *fire) erupt(s *emitter) {
	p := particle{x: s.x, y: s.y, heat: s.heat, life: 255, dx: f.octet() - 128, dy: f.octet() - 128, glow: -5}
	chance := 128
	switch s.kind {
	case unreal.SparkOzHasSpoken:
		p.dx, p.dy = p.dx/2, -128
	case unreal.SparkCone:
		p.dx, p.dy, p.fall, p.glow, p.life = p.dx/2, -f.below(64), gravity, 0, 54
	case unreal.SparkBlazeRight:
		p.dx, p.dy, p.fall, p.glow, p.life = f.below(128), -f.below(64), gravity, -1, int(s.c)
	case unreal.SparkBlazeLeft:
		p.dx, p.dy, p.fall, p.glow, p.life = -f.below(128), -f.below(64), gravity, -1, int(s.c)
	case unreal.SparkEmit, unreal.SparkFountain:
		p.dx, p.dy, p.glow = int(int8(s.a)), int(int8(s.b)), -max(int(s.d), 1)
		if chance = 64; s.kind == unreal.SparkFountain {
			p.fall = gravity
		}
	}
	if f.chance(chance) {
		f.emit(p)
	}
}

// swarm emits sparks of a fixed heat that live for some frames.
func (f *fire) swarm(s *emitter) {
	p := particle{x: s.x, y: s.y, heat: s.heat, angle: f.octet() << 4, speed: 128, life: int(s.c)}
	chance := 64
	switch s.kind {
	case unreal.SparkFlocks:
		s.x, s.y = wrap(s.x+f.stray(), f.width), wrap(s.y+f.stray(), f.height)
		p.life, p.turn, chance = int(s.b), int(s.d), 256
	case unreal.SparkGametes:
		s.d++
		p.angle = (64 + int(s.d&1)<<7 + f.below(64) - 32) << 4 // to the left and to the right in turn
	case unreal.SparkWheel:
		p.angle, p.turn, p.life, p.speed, chance = int(s.a)<<4, int(s.d), int(s.b), 64, 256
		s.a += s.c
	case unreal.SparkSprinkler:
		p.dx, p.dy, p.glow, p.life, p.speed, chance = sin(int(s.a))/2, -128, -4, 255, 0, 256
		s.a += s.d
	}
	if f.chance(chance) {
		f.emit(p)
	}
}

// cloud emits sparks around a place, which wanders or does not. Those of a custom one become brighter until they go out, from the
// heat that D says.
func (f *fire) cloud(s *emitter) {
	p := particle{x: s.x + f.below(16), y: s.y + f.below(16), heat: s.heat, life: 255, dx: 64, dy: -128, glow: -4}
	switch s.kind {
	case unreal.SparkOrganic:
		p.x, p.y = s.x+f.below(int(s.c)), s.y
	case unreal.SparkWanderOrganic:
		p.x, p.y = s.x, s.y
	case unreal.SparkRandomCloud:
		p.dx, p.dy = 0, -256
	case unreal.SparkLocalCloud:
		p.x, p.y = s.x+f.below(int(s.c)), s.y+f.below(int(s.c))
	}
	switch {
	case s.kind >= unreal.SparkCustomCloud:
		p.heat, p.glow, p.dx, p.dy = int(s.d), 4, int(int8(s.a)), int(int8(s.b))
	case f.octet() < 128:
		p.dx = -p.dx
	}
	if s.kind >= unreal.SparkWanderOrganic && s.kind <= unreal.SparkCustomCloud {
		s.x, s.y = wrap(s.x+2*f.stray(), f.width), wrap(s.y+2*f.stray(), f.height)
	}
	if f.chance(128) {
		f.emit(p)
	}
}

// lightning draws a flash from a place to the one that A and B are away from it, or to one around it at half the distance C. D
// says how seldom.
func (f *fire) lightning(s *emitter) {
	if f.octet() < int(s.d) {
		return
	}
	dx, dy, end := int(s.a), int(s.b), s.heat
	switch s.kind {
	case unreal.SparkRampLightning:
		end = 0
	case unreal.SparkSphereLightning:
		angle := f.octet()
		dx, dy, end = cos(angle)*int(s.c)>>8, sin(angle)*int(s.c)>>8, s.heat/4
	}
	n := max(abs(dx), abs(dy), 1)
	off := 0 // from the straight line
	for i := range n + 1 {
		if left := n - i; off > left || off < -left {
			off -= off / abs(off)
		} else if off = off + f.stray(); off > 8 || off < -8 {
			off -= off / 8
		}
		x, y := s.x+dx*i/n, s.y+dy*i/n
		if abs(dx) > abs(dy) {
			y += off
		} else {
			x += off
		}
		f.set(x, y, s.heat+(end-s.heat)*i/n)
	}
}

func abs(n int) int { return max(n, -n) }
