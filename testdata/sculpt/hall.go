package sculpt

import (
	"math"
	"slices"
)

// lampSpot is a light of a level, as its editor has it: hue, saturation (255 is white), brightness, radius.
type lampSpot struct {
	at                                  vec
	hue, saturation, brightness, radius uint8
}

// solid is what a level is built of: the room is hollowed out, the rest stands in it. Its faces look into the room. Those of
// one name have one shape, each at a place of its own.
type solid struct {
	*shape
	name string
	at   vec
	does int32 // its CsgOper
}

// What a solid does to the world. Each editor has one that does nothing yet: the brush that it builds with.
const (
	waits   = 0
	adds    = 1
	hollows = 2
)

// mason builds a hall.
type mason struct {
	palette
	solids []solid
	lamps  []lampSpot
}

func (m *mason) add(name string, at vec, parts ...*shape) {
	m.solids = append(m.solids, solid{name: name, at: at, does: adds, shape: new(shape).join(parts...)})
}

// The hall, in metres: half its width and its length, the height of its walls and of its ridge.
const hallX, hallZ, wallTop, ridge = 6.0, 9.0, 5.0, 7.6

// room is the space that is hollowed out, with its long side along z.
func (m *mason) room() {
	s := new(shape)
	strip := func(coat string, x0, x1 float64) {
		x := m.with(coat)
		x.quad(vec{x0, 0, hallZ}, vec{x1, 0, hallZ}, vec{x1, 0, -hallZ}, vec{x0, 0, -hallZ}, whole)
		s.join(m.tiled(x))
	}
	strip("Tiles", -hallX, -1.5)
	strip("Carpet", -1.5, 1.5)
	strip("Tiles", 1.5, hallX)
	for _, band := range []struct {
		coat      string
		low, high float64
	}{{"Panel", 0, 1.25}, {"Brick", 1.25, 4.6}, {"Trim", 4.6, wallTop}} {
		x := m.with(band.coat)
		x.quad(vec{-hallX, band.low, hallZ}, vec{-hallX, band.low, -hallZ}, vec{-hallX, band.high, -hallZ}, vec{-hallX, band.high, hallZ}, whole)
		x.quad(vec{hallX, band.low, -hallZ}, vec{hallX, band.low, hallZ}, vec{hallX, band.high, hallZ}, vec{hallX, band.high, -hallZ}, whole)
		x.quad(vec{-hallX, band.low, -hallZ}, vec{hallX, band.low, -hallZ}, vec{hallX, band.high, -hallZ}, vec{-hallX, band.high, -hallZ}, whole)
		x.quad(vec{hallX, band.low, hallZ}, vec{-hallX, band.low, hallZ}, vec{-hallX, band.high, hallZ}, vec{hallX, band.high, hallZ}, whole)
		s.join(m.tiled(x))
	}
	gables, roof := m.with("Brick"), m.with("Planks")
	gables.add(corner{p: vec{-hallX, wallTop, -hallZ}}, corner{p: vec{hallX, wallTop, -hallZ}}, corner{p: vec{0, ridge, -hallZ}})
	gables.add(corner{p: vec{hallX, wallTop, hallZ}}, corner{p: vec{-hallX, wallTop, hallZ}}, corner{p: vec{0, ridge, hallZ}})
	roof.quad(vec{-hallX, wallTop, hallZ}, vec{-hallX, wallTop, -hallZ}, vec{0, ridge, -hallZ}, vec{0, ridge, hallZ}, whole)
	roof.quad(vec{hallX, wallTop, -hallZ}, vec{hallX, wallTop, hallZ}, vec{0, ridge, hallZ}, vec{0, ridge, -hallZ}, whole)
	m.solids = append(m.solids, solid{name: "Room", shape: s.join(m.tiled(gables), m.tiled(roof)), does: hollows})
}

// standing turns a ring, which lies square to z, so that it lies square to y.
func standing(p vec) vec { return vec{p[0], p[2], -p[1]} }

// column has a base, a shaft of six sides, and a head that carries a beam.
func (m *mason) column(x, z float64) {
	shaft := m.with("Trim")
	rings := [][]vec{circle(vec{}, 0.44, 6), circle(vec{0, 0, 4.4}, 0.38, 6)}
	shaft.loft(rings, false, whole)
	shaft.move(standing).move(func(p vec) vec { return p.plus(vec{0, 0.5, 0}) })
	foot, head := m.with("Trim"), m.with("Trim")
	foot.prism(vec{-0.6, 0, -0.6}, vec{0.6, 0.5, 0.6}, 0.8, whole)
	head.prism(vec{-0.6, -5.4, -0.6}, vec{0.6, -4.8, 0.6}, 0.6, whole)
	head.move(func(p vec) vec { return vec{p[0], -p[1], -p[2]} })
	m.add("Column", vec{x, 0, z}, m.tiled(shaft.join(foot, head)))
}

// beam lies on two columns, from wall to wall, and carries lanterns.
func (m *mason) beam(z float64) {
	s := m.with("Planks")
	s.box(vec{-hallX, 5.4, -0.2}, vec{hallX, 5.8, 0.2}, whole)
	s.box(vec{-0.16, 5.8, -0.16}, vec{0.16, 7.45, 0.16}, whole)
	m.add("Beam", vec{0, 0, z}, m.tiled(s))
}

// lantern hangs from a beam.
func (m *mason) lantern(x, z float64) {
	chain, roof, glass := m.with("Planks"), m.with("Trim"), m.with("Lantern")
	chain.box(vec{-0.03, 4.5, -0.03}, vec{0.03, 5.4, 0.03}, whole)
	roof.prism(vec{-0.3, 4.3, -0.3}, vec{0.3, 4.5, 0.3}, 0.3, whole)
	glass.box(vec{-0.22, 3.8, -0.22}, vec{0.22, 4.3, 0.22}, whole)
	m.add("Lantern", vec{x, 0, z}, m.tiled(chain.join(roof)), glass)
	m.lamps = append(m.lamps, lampSpot{vec{x, 3.6, z}, 24, 90, 200, 24})
}

// window stands a little out of a wall; side is −1 for the left one.
func (m *mason) window(side, z float64) {
	frame, glass := m.with("Trim"), m.with("Window")
	x := side * (hallX - 0.2)
	frame.box(vec{min(x, side*hallX), 1.6, -1}, vec{max(x, side*hallX), 4.5, 1}, whole)
	frame.faces = slices.DeleteFunc(frame.faces, func(f face) bool { return math.Abs(f.normal().unit()[0]) > 0.5 })
	glass.quad(vec{x, 1.6, -side}, vec{x, 1.6, side}, vec{x, 4.5, side}, vec{x, 4.5, -side}, whole)
	back := m.with("Trim")
	back.quad(vec{side * hallX, 1.6, side}, vec{side * hallX, 1.6, -side}, vec{side * hallX, 4.5, -side}, vec{side * hallX, 4.5, side}, whole)
	m.add([]string{"LeftWindow", "", "RightWindow"}[int(side)+1], vec{0, 0, z}, m.tiled(frame.join(back)), glass)
	m.lamps = append(m.lamps, lampSpot{vec{side * (hallX - 1.2), 3, z}, 150, 130, 90, 16})
}

// altar is three steps, a pedestal and a crystal above it, between two banners.
func (m *mason) altar() {
	const z = -6.9
	steps := m.with("Tiles")
	for i := range 3 {
		d := 0.55 * float64(i)
		steps.box(vec{-3 + d, 0.22 * float64(i), -hallZ}, vec{3 - d, 0.22 * float64(i+1), -4.8 - d}, whole)
	}
	m.add("Steps", vec{}, m.tiled(steps))
	stone := m.with("Trim")
	stone.prism(vec{-0.7, 0.66, z - 0.7}, vec{0.7, 0.9, z + 0.7}, 0.8, whole)
	stone.prism(vec{-0.45, 0.9, z - 0.45}, vec{0.45, 1.8, z + 0.45}, 0.7, whole)
	m.add("Pedestal", vec{}, m.tiled(stone))
	gem := m.with("Crystal")
	rings := [][]vec{circle(vec{}, 0.02, 6), circle(vec{0, 0, 0.7}, 0.42, 6), circle(vec{0, 0, 1.0}, 0.42, 6), circle(vec{0, 0, 1.9}, 0.02, 6)}
	gem.loft(rings, false, whole)
	gem.move(standing).move(func(p vec) vec { return p.plus(vec{0, 2.1, z}) })
	m.add("Crystal", vec{}, gem)
	m.lamps = append(m.lamps, lampSpot{vec{0, 3.1, z + 1.3}, 128, 60, 255, 36})
	for _, x := range []float64{-4.3, 4.3} {
		cloth := m.with("Banner")
		cloth.box(vec{-0.8, 1.4, -hallZ}, vec{0.8, 4.5, -hallZ + 0.08}, whole)
		m.add("Banner", vec{x, 0, 0}, cloth)
	}
	rose := m.with("Rose")
	rose.box(vec{-1.3, 3.9, -hallZ}, vec{1.3, 6.5, -hallZ + 0.1}, whole)
	m.add("Rose", vec{}, rose)
	door := m.with("Door")
	door.box(vec{-1.3, 0, hallZ - 0.15}, vec{1.3, 3.6, hallZ}, whole)
	m.add("Door", vec{}, door)
}

// hall is a level: a hall with columns, windows, lanterns, and a crystal at its end.
func hall() *mason {
	m := &mason{palette: newPalette()}
	m.paint()
	cube := m.with("Trim")
	cube.box(vec{-2, 0, -2}, vec{2, 4, 2}, whole)
	m.solids = append(m.solids, solid{name: "Builder", does: waits, shape: cube})
	m.room()
	for _, z := range []float64{-3.4, 0.6, 4.6} {
		for _, x := range []float64{-3.7, 3.7} {
			m.column(x, z)
			m.lantern(x*0.55, z)
		}
		m.beam(z)
		m.window(-1, z-2)
		m.window(1, z-2)
	}
	m.altar()
	return m
}

// seen reports whether a face of a solid is seen in the hall, and not on its floor or wall.
func (s *solid) seen(f *face) bool {
	n := f.normal().unit()
	for k, limit := range [3]vec{{-hallX, hallX}, {0, math.Inf(1)}, {-hallZ, hallZ}} {
		p := f.corners[0].p[k] + s.at[k]
		if s.does != hollows && (n[k] < -0.99 && p < limit[0]+0.001 || n[k] > 0.99 && p > limit[1]-0.001) {
			return false
		}
	}
	return true
}
