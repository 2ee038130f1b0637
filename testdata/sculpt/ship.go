package sculpt

import (
	"math"

	"github.com/usher-assets/usher/schema/asset"
)

// The picture of the ship, 512 × 256: where its parts lie.
const shipWidth, shipHeight = 512, 256

var (
	shipHull    = rect{0, 0, 512, 112}
	shipWing    = rect{0, 112, 256, 216}
	shipNacelle = rect{256, 112, 448, 184}
	shipGlass   = rect{256, 184, 384, 256}
	shipFin     = rect{384, 184, 512, 256}
	shipMetal   = rect{448, 112, 512, 184}
	shipDark    = rect{0, 216, 256, 256}
)

func onShip(r rect) region {
	return pixels(shipWidth, shipHeight, float64(r.x0), float64(r.y0), float64(r.x1), float64(r.y1))
}

var (
	bone  = rgb(0xC9CBC6)
	slate = rgb(0x3A4450)
	rust  = rgb(0xD0571E)
	soot  = rgb(0x1B1D21)
	brass = rgb(0x8C8478)
)

// shipPaint is pale armour over dark frames, with orange stripes and a figure that reads the same in a mirror.
func shipPaint() *canvas {
	m := newCanvas(shipWidth, shipHeight, bone)
	paintHull(m)
	paintWing(m)
	paintEngine(m)
	paintGlass(m)
	m.fill(shipDark, slate)
	m.panels(shipDark, steps(14, 18, 4), steps(3, 13, 8), 0.35)
	m.grain(shipDark, 0.25, 0.12)
	return m
}

func paintHull(m *canvas) {
	r := shipHull
	m.tint(rect{r.x0, 78, r.x1, r.y1}, slate, 0.92) // the belly
	m.tint(rect{r.x0, 70, r.x1, 74}, rust, 1)
	m.tint(rect{0, 0, 46, 70}, rust, 1) // the nose
	m.tint(rect{50, 0, 54, 70}, rust, 1)
	m.tint(rect{330, 0, 372, 70}, rust, 1) // a band
	m.tint(rect{378, 0, 382, 70}, rust, 1)
	m.tint(rect{440, 0, 512, 112}, slate, 0.85) // the tail
	m.panels(r, steps(20, 27, 1), []int{9, 24, 40, 55, 71, 77, 92, 103}, 0.4)
	for x := 60; x < 440; x += 9 { // rivets
		m.tint(rect{x, 27, x + 1, 28}, soot, 0.5)
		m.tint(rect{x, 58, x + 1, 59}, soot, 0.5)
	}
	m.shade(r, func(_, _ int, u, v float64) float64 { return 1.06 - 0.16*v - 0.35*math.Pow(u, 6) })
	m.grain(r, 0.12, 0.06)
}

func paintWing(m *canvas) {
	r := shipWing
	m.tint(rect{176, r.y0, 214, r.y1}, rust, 1)
	m.tint(rect{222, r.y0, 228, r.y1}, rust, 1)
	m.tint(rect{r.x0, r.y0 + 46, r.x1, r.y0 + 58}, slate, 0.9) // edges, in front
	m.tint(rect{r.x0, r.y1 - 12, r.x1, r.y1}, slate, 0.7)
	m.tint(rect{r.x0, r.y0, r.x1, r.y0 + 8}, slate, 0.7)
	m.panels(r, steps(9, 29, 2), []int{10, 26, 46, 58, 76, 92}, 0.4)
	m.number(122, r.y0+64, 5, "8", slate)
	m.shade(r, func(_, _ int, u, _ float64) float64 { return 0.9 + 0.15*u })
	m.grain(r, 0.12, 0.06)

	f := shipFin
	m.fill(f, bone)
	m.tint(rect{f.x0 + 70, f.y0, f.x1, f.y1}, rust, 1)
	m.tint(rect{f.x0, f.y0, f.x0 + 14, f.y1}, slate, 0.9)
	m.panels(f, steps(6, 22, 3), []int{16, 36, 56}, 0.4)
	m.grain(f, 0.12, 0.06)
}

func paintEngine(m *canvas) {
	r := shipNacelle
	m.fill(r, brass)
	m.tint(rect{r.x0, r.y0, r.x0 + 60, r.y1}, bone, 0.9)
	m.tint(rect{r.x0 + 60, r.y0, r.x0 + 68, r.y1}, rust, 1)
	m.tint(rect{r.x0 + 136, r.y0, r.x1, r.y1}, soot, 0.75)
	m.panels(r, []int{20, 60, 68, 96, 118, 136, 146, 156, 166, 176}, []int{18, 36, 54}, 0.45)
	m.grain(r, 0.25, 0.1)
	m.fill(shipMetal, rgb(0x565B62))
	m.panels(shipMetal, steps(5, 13, 6), steps(5, 13, 7), 0.4)
	m.grain(shipMetal, 0.3, 0.15)
}

// paintGlass has a sky in it: bright above, the horizon dark, and frames across.
func paintGlass(m *canvas) {
	m.each(shipGlass, func(_, _ int, u, v float64, _ colour) colour {
		c := mix(rgb(0x8FD3EA), rgb(0x0B2233), math.Pow(clamp(v*1.5, 0, 1), 0.6))
		if gleam := u - 0.35 + 0.4*v; gleam > 0 && gleam < 0.09 {
			c = mix(c, rgb(0xE8FAFF), 0.6)
		}
		return c
	})
	for _, x := range []int{0, 40, 84, 122} {
		m.tint(rect{shipGlass.x0 + x, shipGlass.y0, shipGlass.x0 + x + 5, shipGlass.y1}, slate, 0.95)
	}
	m.tint(rect{shipGlass.x0, shipGlass.y1 - 12, shipGlass.x1, shipGlass.y1}, slate, 0.95)
}

// shipGlow is the light in a nozzle.
func shipGlow() *canvas {
	m := newCanvas(16, 16, colour{})
	m.each(rect{0, 0, 16, 16}, func(_, _ int, u, v float64, _ colour) colour {
		r := math.Hypot(u-0.5, v-0.5) * 2
		return mix(mix(rgb(0xF4FFFF), rgb(0x39B6FF), clamp(r*1.3, 0, 1)), rgb(0x06264A), clamp(2*r-1, 0, 1))
	})
	return m
}

// shipwright builds the parts of the ship, with more or fewer sides.
type shipwright struct {
	paint, glow *asset.Material
	sides       int // of what is round
	coarse      bool
}

func (w shipwright) shape() *shape { return &shape{material: w.paint} }

// outline is half of a section of the hull, from the top down its left side: angular, widest at a chine.
var outline = [][2]float64{{0, 1}, {0.42, 0.93}, {0.8, 0.55}, {1, 0.02}, {0.84, -0.4}, {0.45, -0.78}, {0, -0.86}}

func section(at vec, width, height float64) (ring []vec) {
	for _, p := range outline {
		ring = append(ring, at.plus(vec{-p[0] * width, p[1] * height, 0}))
	}
	for k := len(outline) - 2; k > 0; k-- {
		ring = append(ring, at.plus(vec{outline[k][0] * width, outline[k][1] * height, 0}))
	}
	return ring
}

func (w shipwright) hull() *shape {
	s := w.shape()
	var rings [][]vec
	for i, r := range [][4]float64{ // z, y, half width, half height
		{-9.6, -0.32, 0.05, 0.05}, {-9.2, -0.31, 0.2, 0.14}, {-7.6, -0.24, 0.55, 0.36}, {-5.2, -0.1, 0.95, 0.66}, {-2.6, 0, 1.3, 0.92}, {0.2, 0.05, 1.62, 1.06},
		{2.8, 0.08, 1.66, 1.12}, {4.6, 0.05, 1.42, 1.05}, {5.9, 0, 1.05, 0.86}, {6.3, 0, 0.8, 0.66},
	} {
		if w.coarse && i%3 != 0 {
			continue
		}
		rings = append(rings, section(vec{0, r[1], r[0]}, r[2], r[3]))
	}
	s.loft(rings, true, onShip(shipHull))
	s.lid(rings[len(rings)-1], onShip(shipMetal))
	if !w.coarse {
		s.join(w.canopy(), w.intake(), w.intake().mirror(), w.spine())
	}
	return s.join(w.fin(), w.fin().mirror())
}

func (w shipwright) canopy() *shape {
	s := w.shape()
	var rings [][]vec
	for _, r := range [][4]float64{{-6.1, 0.36, 0.14, 0.06}, {-5.3, 0.45, 0.44, 0.42}, {-4.2, 0.6, 0.58, 0.68}, {-2.8, 0.74, 0.62, 0.74}, {-1.4, 0.86, 0.5, 0.5}, {-0.2, 0.95, 0.3, 0.16}} {
		rings = append(rings, ellipse(vec{0, r[1], r[0]}, r[2], r[3], 8))
	}
	s.loft(rings, true, onShip(shipGlass))
	return s
}

// spine is the ridge behind the canopy, with a sensor on it.
func (w shipwright) spine() *shape {
	s := w.shape()
	var rings [][]vec
	for _, r := range [][3]float64{{-1.2, 0.3, 0.28}, {0.6, 0.48, 0.52}, {3.6, 0.42, 0.5}, {5.6, 0.2, 0.3}} {
		rings = append(rings, section(vec{0, 0.95, r[0]}, r[1], r[2]))
	}
	s.loft(rings, true, onShip(shipDark))
	s.lid(rings[3], onShip(shipMetal))
	s.prism(vec{-0.06, 1.4, 2.4}, vec{0.06, 2.3, 3.1}, 0.4, onShip(shipFin))
	return s
}

func (w shipwright) intake() *shape {
	s := w.shape()
	var rings [][]vec
	for _, r := range [][4]float64{{-2.2, 1.34, 0.3, 0.42}, {-1.6, 1.46, 0.42, 0.56}, {1.5, 1.62, 0.5, 0.62}, {4.6, 1.5, 0.36, 0.42}} {
		rings = append(rings, section(vec{r[1], 0.05, r[0]}, r[2], r[3]))
	}
	s.loft(rings, true, onShip(shipNacelle))
	s.lid(reversed(rings[0]), onShip(rect{shipMetal.x0 + 8, shipMetal.y0 + 8, shipMetal.x0 + 12, shipMetal.y0 + 12}))
	s.lid(rings[3], onShip(shipMetal))
	return s
}

// blade is a flat wing: sections of six points, each given by its place, its chord and its thickness.
func (w shipwright) blade(r region, sections [][5]float64, up vec) *shape {
	s := w.shape()
	var rings [][]vec
	for _, c := range sections { // x, y, front, rear, half thickness
		at := func(t, thick float64) vec {
			return vec{c[0], c[1], lerp(c[2], c[3], t)}.plus(up.times(c[4] * thick))
		}
		rings = append(rings, []vec{at(1, 0), at(0.72, -1), at(0.2, -0.9), at(0, 0), at(0.2, 0.9), at(0.72, 1)})
	}
	s.loft(rings, false, r)
	s.lid(rings[len(rings)-1], onShip(shipMetal))
	return s
}

// wing is the right one, with its gun; its place is where it meets the hull.
func (w shipwright) wing() *shape {
	s := w.blade(onShip(shipWing), [][5]float64{
		{0, 0, -2.6, 3.6, 0.3}, {1.6, -0.12, -1.2, 3.7, 0.26}, {4.4, -0.42, 1.2, 4.2, 0.16}, {6.2, -0.62, 2.7, 4.5, 0.09},
	}, vec{0, 1, 0})
	s.join(w.blade(onShip(shipFin), [][5]float64{{6.2, -0.62, 2.5, 4.7, 0.1}, {6.7, 0.5, 3.7, 5.1, 0.06}}, vec{-1, 0.4, 0}))
	if !w.coarse {
		s.join(w.gun(vec{3.4, -0.6, 0}))
	}
	return s
}

func (w shipwright) turned(at vec, profile [][2]float64, r region) (*shape, []vec) {
	s := w.shape()
	var rings [][]vec
	for _, p := range profile {
		rings = append(rings, circle(at.plus(vec{0, 0, p[0]}), p[1], w.sides))
	}
	s.loft(rings, true, r)
	return s, rings[len(rings)-1]
}

func (w shipwright) gun(at vec) *shape {
	w.sides = 7
	s, end := w.turned(at, [][2]float64{{-2.9, 0.14}, {-2.1, 0.09}, {-0.7, 0.11}, {-0.6, 0.24}, {1.4, 0.28}, {2.4, 0.1}}, onShip(shipDark))
	s.lid(end, onShip(shipMetal))
	return s
}

// engine is the right one.
func (w shipwright) engine(at vec) *shape {
	s, end := w.turned(at, [][2]float64{{-3.4, 0.36}, {-3.1, 0.56}, {-1.2, 0.78}, {1.2, 0.86}, {2.4, 0.74}, {3.4, 0.62}, {2.7, 0.42}}, onShip(shipNacelle))
	front := reversed(circle(at.plus(vec{0, 0, -3.4}), 0.36, w.sides))
	s.lid(front, onShip(rect{shipMetal.x0 + 8, shipMetal.y0 + 8, shipMetal.x0 + 12, shipMetal.y0 + 12}))
	s.material = w.glow
	s.lid(end, region{0, 0, 1, 1})
	return s
}

func (w shipwright) fin() *shape {
	return w.blade(onShip(shipFin), [][5]float64{{1.0, 0.8, 2.9, 5.9, 0.13}, {1.5, 1.9, 4.3, 6.6, 0.1}, {1.85, 2.7, 5.4, 7, 0.05}}, vec{-0.9, 0.4, 0})
}

// ship is a light fighter: a hull, two wings that are parts of their own, two engines, each with a lower level of detail.
func ship() *asset.Scene {
	coat, glow := shipPaint().narrowed().texture("heron_paint.tga"), shipGlow().texture("heron_glow.tga")
	fine := shipwright{painted("heron_paint", coat), painted("heron_glow", glow), 9, false}
	fine.glow.Emissive, fine.glow.EmissiveTexture = [3]float32{1, 1, 1}, &asset.TextureRef{Texture: glow}
	coarse := fine
	coarse.sides, coarse.coarse = 5, true
	s := &asset.Scene{Name: "heron", Materials: []*asset.Material{fine.paint, fine.glow}, Textures: []*asset.Texture{coat, glow}}
	level := func(name string, make func(w shipwright) *shape) *asset.Node {
		n, low := asset.NewNode(name), asset.NewNode(name+"$lod1")
		n.Mesh, low.Mesh = make(fine).mesh(name, 32), make(coarse).mesh(name+"$lod1", 32)
		n.LODs = []*asset.Node{low}
		s.Meshes = append(s.Meshes, n.Mesh, low.Mesh)
		return n
	}
	wingAt, engineAt := vec{1.3, -0.1, 1.2}, vec{2.05, 0.2, 4.2}
	hull := level("heron_hull", func(w shipwright) *shape {
		return w.hull().join(w.engine(engineAt), w.engine(engineAt).mirror())
	})
	right := level("heron_wing_right", shipwright.wing)
	left := level("heron_wing_left", func(w shipwright) *shape { return w.wing().mirror() })
	right.Transform.Translation, left.Transform.Translation = wingAt.narrow(), vec{-wingAt[0], wingAt[1], wingAt[2]}.narrow()
	for k, wing := range []*asset.Node{right, left} {
		side := float64(1 - 2*k)
		wing.Children = []*asset.Node{place(numbered("HpWeapon", k+1), vec{side * 3.4, -0.6, -2.9}, nil), place(numbered("HpRunningLight", k+1), vec{side * 6.75, 0.5, 4.4}, nil)}
		hull.Children = append(hull.Children, wing, place(numbered("HpEngine", k+1), vec{side * engineAt[0], engineAt[1], 7.5}, nil))
	}
	hull.Children = append(hull.Children, place("HpCockpit", vec{0, 1.1, -3.4}, nil), place("HpContrail01", vec{0, 0, 6.6}, nil),
		place("HpHeadlight", vec{0, -0.4, -9.4}, nil),
		place("HpTurret01", vec{0, -0.95, -0.5}, map[string]any{"hptype": "rev", "min": -60.0, "max": 60.0, "axis": []any{0.0, 1.0, 0.0}}))
	s.Roots = []*asset.Node{hull}
	return s
}

func numbered(name string, n int) string { return name + "0" + string(rune('0'+n)) }

// place is a hardpoint.
func place(name string, at vec, values map[string]any) *asset.Node {
	n := asset.NewNode(name)
	n.Kind, n.Transform.Translation = asset.Hardpoint, at.narrow()
	n.Extras = map[string]any{"hardpoint": true}
	for k, v := range values {
		n.Extras[k] = v
	}
	return n
}
