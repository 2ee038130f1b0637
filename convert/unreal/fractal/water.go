package fractal

import "github.com/usher-assets/usher/schema/unreal"

// Water are the parameters that all textures of water have.
type Water struct {
	Width, Height int
	Amplitude     uint8 // WaveAmp
	Drops         []unreal.Drop
}

// Wave are the parameters of a WaveTexture: water in the light.
type Wave struct {
	Water
	Light, View uint8 // BumpMapLight, BumpMapAngle: angles, 128 is upright
	Range       uint8 // PhongRange: how much of the palette is for the highlight
	Size        uint8 // PhongSize: of the highlight
}

// Wet are the parameters of a WetTexture: a picture below water.
type Wet struct {
	Water
	Source Layer
}

// water is a surface of cells, each of 2 × 2 pixels. A cell at rest is 128 high.
type water struct {
	random
	width, height int // in cells
	now, before   []uint8
	drops         []unreal.Drop
	slopes        []int // of the rows of the picture's pixels, to the right
}

const rest = 128

// rain is in how many of 256 frames a drop of rain falls. There are dozens of them where it rains.
const rain = 16

// settled has the height that a cell takes: by that of its four neighbours, less twice its own in the frame before.
var settled = func() (t [1536]uint8) {
	for i := range t {
		high := (i - 512) - 2*rest // twice the way from rest
		t[i] = octet(rest + (high*63)/128)
	}
	return t
}()

func newWater(p *Water) (*water, error) {
	if err := checkSize(p.Width, p.Height); err != nil {
		return nil, err
	}
	w := &water{random: seed, width: (p.Width + 1) / 2, height: (p.Height + 1) / 2, drops: make([]unreal.Drop, min(len(p.Drops), unreal.MaxDrops))}
	copy(w.drops, p.Drops)
	w.now, w.before = make([]uint8, w.width*w.height), make([]uint8, w.width*w.height)
	for i := range w.now {
		w.now[i], w.before[i] = rest, rest
	}
	w.slopes = make([]int, 2*w.width)
	return w, nil
}

// step moves the water by a frame.
func (w *water) step() {
	for i := range w.drops {
		w.drop(&w.drops[i])
	}
	for y := range w.height {
		up, row, down := w.now[wrap(y-1, w.height)*w.width:], w.now[y*w.width:], w.now[wrap(y+1, w.height)*w.width:]
		out := w.before[y*w.width:][:w.width]
		for x := range out {
			sum := int(row[wrap(x-1, w.width)]) + int(row[wrap(x+1, w.width)]) + int(up[x]) + int(down[x])
			out[x] = settled[sum-2*int(out[x])+512]
		}
	}
	w.now, w.before = w.before, w.now
}

func (w *water) set(x, y int, high uint8) {
	w.now[wrap(y, w.height)*w.width+wrap(x, w.width)] = high
}

// swing returns the height of something that moves up and down.
func swing(phase uint8, scale int) uint8 { return octet(rest + sin(int(phase))*scale/128) }

// drop does what a drop does to the water in a frame.
func (w *water) drop(d *unreal.Drop) {
	x, y := int(d[2]), int(d[3])
	switch unreal.DropType(d[0]) {
	case unreal.DropFixedDepth:
		w.set(x, y, d[1])
	case unreal.DropPhaseSpot:
		d[1] += d[7]
		w.set(x, y, swing(d[1], 128))
	case unreal.DropShallowSpot:
		d[1] += d[7]
		w.set(x, y, swing(d[1], 64))
	case unreal.DropHalfAmpl:
		d[1] += d[7]
		w.set(x, y, min(swing(d[1], 128), rest))
	case unreal.DropRandomMover:
		d[2], d[3] = uint8(wrap(x+w.stray(), w.width)), uint8(wrap(y+w.stray(), w.height))
		w.set(int(d[2]), int(d[3]), uint8(w.octet()))
	case unreal.DropFixedRandomSpot:
		w.set(x, y, uint8(w.octet()))
	case unreal.DropWhirlyThing, unreal.DropBigWhirly:
		radius := 4
		if unreal.DropType(d[0]) == unreal.DropBigWhirly {
			radius = 12
		}
		d[4] += d[7]
		w.set(x+cos(int(d[4]))*radius/127, y+sin(int(d[4]))*radius/127, d[1])
	case unreal.DropRainDrops:
		if w.chance(rain) {
			w.set(x+w.below(int(d[7])/2), y+w.below(int(d[7])/2), d[1])
		}
	case unreal.DropAreaClamp:
		for i := range int(d[7])/2 + 1 {
			w.line(x, y+i, 1, 0, int(d[7])/2, d[1])
		}
	case unreal.DropLeakyTap:
		w.drip(d, d[7])
	case unreal.DropDrippyTap:
		w.drip(d, uint8(w.below(2*int(d[7])+1)))
	default:
		w.lines(d)
	}
}

// lines are the types of drops that are lines: four that stand still, four that swing.
func (w *water) lines(d *unreal.Drop) {
	k := int(d[0]) - int(unreal.DropHorizontalLine)
	if k < 0 || k >= 8 {
		return
	}
	high := d[1]
	if k >= 4 {
		d[1] += d[6]
		high = swing(d[1], 128)
	}
	way := [4][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}}[k%4]
	w.line(int(d[2]), int(d[3]), way[0], way[1], int(d[7])/2, high)
}

func (w *water) line(x, y, dx, dy, n int, high uint8) {
	for i := range n + 1 {
		w.set(x+i*dx, y+i*dy, high)
	}
}

// drip lets a drop fall when its clock has gone round.
func (w *water) drip(d *unreal.Drop, by uint8) {
	if d[4] += by; d[4] < by {
		w.set(int(d[2]), int(d[3]), d[1])
	}
}

// slope returns by how much the water falls, from left to right, at each pixel of a row of the picture: −255 to 255. Between cells
// it is the mean.
func (w *water) slope(y int) []int {
	own, below := w.now[y/2%w.height*w.width:][:w.width], w.now[wrap((y+1)/2, w.height)*w.width:][:w.width]
	fall := func(x int) int {
		l, r := wrap(x-1, w.width), wrap(x+1, w.width)
		return (int(own[l]) + int(below[l]) - int(own[r]) - int(below[r])) / 2
	}
	at := fall(0)
	first := at
	for x := range w.width {
		next := first
		if x+1 < w.width {
			next = fall(x + 1)
		}
		w.slopes[2*x], w.slopes[2*x+1] = at, (at+next)/2
		at = next
	}
	return w.slopes
}
