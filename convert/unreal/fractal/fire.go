package fractal

import "github.com/usher-assets/usher/schema/unreal"

// Fire are the parameters of a FireTexture.
type Fire struct {
	Width, Height int
	Heat          uint8 // RenderHeat: how slowly everything cools
	Rising        bool  // flames move up
	Limit         int   // of sparks, those that others emit included
	Sparks        []unreal.Spark
}

// fire is a fire that burns.
type fire struct {
	random
	width, height int
	rising        bool
	limit         int
	cooled        [1024]uint8 // by the sum of four pixels
	emitters      []emitter
	particles     []particle
	stars         []emitter
	pix, next     []byte
	shown         []byte // pix with the stars, which leave no trace in it
}

// NewFire lights a fire. It has no picture before the first step, and needs some to look as it should.
func NewFire(p *Fire) (Simulation, error) {
	if err := checkSize(p.Width, p.Height); err != nil {
		return nil, err
	}
	n := p.Width * p.Height
	f := &fire{random: seed, width: p.Width, height: p.Height, rising: p.Rising, limit: min(max(p.Limit, 0), unreal.MaxSparks),
		cooled: cooling(p.Heat), pix: make([]byte, n), next: make([]byte, n)}
	for _, s := range p.Sparks[:min(len(p.Sparks), unreal.MaxSparks)] {
		e := emitter{kind: unreal.SparkType(s[0]), heat: int(s[1]), x: int(s[2]), y: int(s[3]), a: s[4], b: s[5], c: s[6], d: s[7]}
		if e.kind == unreal.SparkStars {
			f.stars = append(f.stars, e)
		} else {
			f.emitters = append(f.emitters, e)
		}
	}
	if len(f.stars) > 0 {
		f.shown = make([]byte, n)
	}
	return f, nil
}

// cooling tells what becomes of a pixel, by the sum of it and its neighbours: their mean, less what the heat lets go.
func cooling(heat uint8) (t [1024]uint8) {
	for sum := range t {
		t[sum] = octet((4*sum + 16 - (255 - int(heat))) >> 4)
	}
	return t
}

// Step implements [Simulation].
func (f *fire) Step() []byte {
	f.cool()
	for i := range f.emitters {
		f.burn(&f.emitters[i])
	}
	f.fly()
	if len(f.stars) == 0 {
		return f.pix
	}
	copy(f.shown, f.pix)
	for _, s := range f.stars {
		if at := f.at(s.x, s.y); f.shown[at] < dim {
			f.shown[at] = uint8(s.heat)
		}
	}
	return f.shown
}

// dim is the heat from which on flames hide a star.
const dim = 16

// cool spreads the heat: each pixel takes from itself, its neighbours at both sides and the one below; where fire rises, from the
// row below instead of its own.
func (f *fire) cool() {
	w, h, up := f.width, f.height, 0
	if f.rising {
		up = 1
	}
	for y := range h {
		row, below := f.pix[wrap(y+up, h)*w:][:w], f.pix[wrap(y+up+1, h)*w:][:w]
		out := f.next[y*w:][:w]
		left := int(row[w-1])
		for x := range w - 1 {
			own := int(row[x])
			out[x] = f.cooled[left+own+int(row[x+1])+int(below[x])]
			left = own
		}
		out[w-1] = f.cooled[left+int(row[w-1])+int(row[0])+int(below[w-1])]
	}
	f.pix, f.next = f.next, f.pix
}

// at returns the index of a place.
func (f *fire) at(x, y int) int { return wrap(y, f.height)*f.width + wrap(x, f.width) }

func (f *fire) set(x, y, heat int) { f.pix[f.at(x, y)] = octet(heat) }

// particle is a spark that another one emitted.
type particle struct {
	x, y        int
	heat, glow  int // glow is what the heat becomes more in each frame
	life        int // frames
	dx, dy      int // speed in pixels of 1/128
	fall        int // what dy becomes more in each frame
	angle, turn int // of those that fly in circles: in 1/256 of a turn and 1/16 of those
	speed       int // of those that fly in circles
}

// emit adds a particle where there is room for it.
func (f *fire) emit(p particle) {
	if len(f.emitters)+len(f.stars)+len(f.particles) < f.limit {
		f.particles = append(f.particles, p)
	}
}

// fly moves the particles, draws them, and takes those away that went out.
func (f *fire) fly() {
	live := f.particles[:0]
	for _, p := range f.particles {
		p.heat, p.life = p.heat+p.glow, p.life-1
		if p.life < 0 || p.heat <= 0 || p.heat > 255 {
			continue
		}
		if p.speed > 0 {
			p.dx, p.dy = sin(p.angle>>4)*p.speed>>7, cos(p.angle>>4)*p.speed>>7
			p.angle += p.turn
		}
		p.x, p.y = wrap(p.x+f.stride(p.dx), f.width), wrap(p.y+f.stride(p.dy), f.height)
		p.dy = min(p.dy+p.fall, 128)
		f.set(p.x, p.y, p.heat)
		live = append(live, p)
	}
	f.particles = live
}

// stride returns by how many pixels something moves that has a speed in 1/128: the rest of a pixel is the chance of another one.
func (f *fire) stride(speed int) int {
	n, rest := speed/128, speed%128
	switch {
	case rest > 0 && f.below(128) < rest:
		n++
	case rest < 0 && f.below(128) < -rest:
		n--
	}
	return n
}
