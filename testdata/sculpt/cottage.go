package sculpt

import (
	"math"
	"slices"

	"github.com/usher-assets/usher/schema/asset"
)

// cottage is a house with a timber frame and a roof of thatch.
type cottage struct{ palette }

// The house, in metres: half its width and its length, the height of its plinth, of its walls and of its ridge.
const (
	houseX, houseZ     = 2.4, 3.3
	plinth, eaves, top = 0.5, 2.7, 5.3
)

// paint makes the pictures. Records of Ultima IX know them by their numbers.
func (c *cottage) paint() {
	c.coat("texture_1", 2.2, false, plaster())
	c.coat("texture_2", 1.2, false, boards(rgb(0x5B3A22), 2))
	c.coat("texture_3", 1.6, false, thatch())
	c.coat("texture_4", 1.5, false, rubble())
	c.coat("texture_5", 1, false, openings())
}

const (
	plastered = "texture_1"
	timbered  = "texture_2"
	thatched  = "texture_3"
	rubbled   = "texture_4"
	opened    = "texture_5"
	clothed   = "texture_6"
)

// plaster is an old wall of warm white.
func plaster() *canvas {
	m := newCanvas(64, 64, rgb(0xE3D5B2))
	m.each(all(m), func(x, y int, _, _ float64, was colour) colour {
		stain := cloud(float64(x%64)/13, float64(y%64)/13)
		was = mix(was, rgb(0xB79B6C), clamp(1.6*(stain-0.5), 0, 0.5))
		return was.times(0.93 + 0.09*noise(x, y))
	})
	return m
}

// thatch is straw in layers: the lower edge of each is dark.
func thatch() *canvas {
	m := newCanvas(64, 64, rgb(0xB08D4F))
	m.each(all(m), func(x, y int, _, _ float64, was colour) colour {
		edge := y + int(5*noise(x/2, 3))
		layer := float64(edge%32) / 32
		straw := cloud(float64(x)*1.3, float64(y)/9)
		c := mix(was, rgb(0x6F5730), 0.75*straw)
		return c.times(1.12 - 0.42*math.Pow(layer, 3) + 0.12*(noise(x, y/3)-0.5))
	})
	return m
}

// rubble is stones of many sizes in mortar.
func rubble() *canvas {
	m := newCanvas(64, 64, rgb(0x4E4B46))
	m.each(all(m), func(x, y int, _, _ float64, was colour) colour {
		near, next, which := 1e9, 1e9, 0
		for i := range 26 {
			dx := math.Abs(float64(x) - 64*noise(i, 11))
			dy := math.Abs(float64(y) - 64*noise(i, 29))
			d := math.Hypot(min(dx, 64-dx), 1.5*min(dy, 64-dy))
			if d < near {
				near, next, which = d, near, i
			} else if d < next {
				next = d
			}
		}
		stone := mix(rgb(0x8B8577), rgb(0x6B6F70), noise(which, 5)).times(0.8 + 0.35*noise(which, 6))
		return mix(was, stone, clamp(0.5*(next-near)-0.4, 0, 1)).times(0.9 + 0.2*noise(x, y))
	})
	return m
}

// openings is a picture of two halves: on the left a window that glows, on the right a door.
func openings() *canvas {
	m := newCanvas(64, 64, rgb(0x4A2E1A))
	m.each(rect{0, 0, 32, 64}, func(x, y int, u, v float64, was colour) colour {
		if x < 3 || x > 28 || y < 5 || y > 58 || x == 15 || x == 16 || (y-5)%18 < 2 {
			return was.times(0.9 + 0.3*noise(x, y))
		}
		return mix(rgb(0xFFE3A0), rgb(0xC9772B), clamp(1.6*math.Hypot(u-0.5, v-0.6), 0, 1))
	})
	wood := boards(rgb(0x6A4A2B), 8)
	m.each(rect{32, 0, 64, 64}, func(x, y int, _, _ float64, _ colour) colour {
		c := wood.pix[(x-32)*64+y]
		switch {
		case x < 34 || x > 61 || y < 2:
			return rgb(0x3B2414)
		case y > 10 && y < 14 || y > 48 && y < 52:
			return rgb(0x2A2C30)
		case math.Hypot(float64(x)-57, float64(y)-33) < 2.2:
			return rgb(0xC2A04A)
		}
		return c
	})
	return m
}

var (
	pane = region{0.02, 0.02, 0.48, 0.98}
	leaf = region{0.52, 0.02, 0.98, 0.98}
)

func (c *cottage) house() *shape {
	s := new(shape)
	stone, walls := c.with(rubbled), c.with(plastered)
	stone.prism(vec{-houseX - 0.12, 0, -houseZ - 0.12}, vec{houseX + 0.12, plinth, houseZ + 0.12}, 0.97, whole)
	walls.box(vec{-houseX, plinth, -houseZ}, vec{houseX, eaves, houseZ}, whole)
	walls.faces = walls.faces[:4] // its floor and its ceiling are not seen
	for _, z := range []float64{houseZ, -houseZ} {
		side := z / houseZ
		walls.add(corner{p: vec{-houseX * side, eaves, z}}, corner{p: vec{houseX * side, eaves, z}}, corner{p: vec{0, top - 0.35, z}})
	}
	s.join(c.tiled(stone), c.tiled(walls), c.frame(), c.chimney(), c.front(), c.yard())
	s.faces = slices.DeleteFunc(s.faces, func(f face) bool { return f.normal().unit()[1] < -0.95 }) // nobody sees them
	return s.join(c.roof())
}

// frame is the timber: posts, rails and braces that stand out of the walls.
func (c *cottage) frame() *shape {
	s := c.with(timbered)
	beam := func(a, b, out vec) { s.plank(a, b, out, 0.2, 0.03) }
	rail := func(a, b, out vec) { s.strut(a, b, out, 0.2, 0.08) }
	for _, side := range []float64{1, -1} {
		x, z := side*houseX, side*houseZ
		ox, oz := vec{side, 0, 0}, vec{0, 0, side}
		for _, t := range []float64{-1, -0.36, 0.36, 1} {
			beam(vec{x, plinth, t * (houseZ - 0.1)}, vec{x, eaves, t * (houseZ - 0.1)}, ox)
			beam(vec{t * (houseX - 0.1), plinth, z}, vec{t * (houseX - 0.1), eaves, z}, oz)
		}
		for _, y := range []float64{plinth + 0.1, eaves - 0.1} {
			rail(vec{x, y, -houseZ - 0.1}, vec{x, y, houseZ + 0.1}, ox)
			rail(vec{-houseX - 0.1, y, z}, vec{houseX + 0.1, y, z}, oz)
		}
		beam(vec{x, plinth, -houseZ + 0.2}, vec{x, eaves, -houseZ + 1.9}, ox) // braces
		beam(vec{x, plinth, houseZ - 0.2}, vec{x, eaves, houseZ - 1.9}, ox)
		beam(vec{-houseX + 0.1, eaves, z}, vec{0, top - 0.4, z}, oz) // the gable
		beam(vec{houseX - 0.1, eaves, z}, vec{0, top - 0.4, z}, oz)
		rail(vec{-1.3, 3.75, z}, vec{1.3, 3.75, z}, oz)
	}
	return c.tiled(s)
}

// slope is the line of the thatch from the ridge to the eaves, and under them: how far out, and how high.
var slope = [][2]float64{{0, top + 0.12}, {0.55, top - 0.28}, {1.3, 4.25}, {2.1, 3.2}, {3.05, 2.3}, {3.1, 2.1}, {2.35, 2.55}}

// roof is thick, sags a little in the middle, and is drawn in at its ends.
func (c *cottage) roof() *shape {
	s := c.with(thatched)
	const out = houseZ + 0.55
	stations := []float64{out, out - 0.4, 0, 0.4 - out, -out}
	sag := func(i int) float64 { return []float64{0.12, 0, 0.07, 0, 0.12}[i] }
	var rows [][]vec
	for _, p := range slope {
		var row []vec
		for i, z := range stations {
			row = append(row, vec{p[0], p[1] - sag(i), z})
		}
		rows = append(rows, row)
	}
	s.grid(rows, region{0, 0, 5, 3})
	inner := func(p vec) vec { return vec{p[0] * 0.88, p[1] - 0.34, p[2]} }
	wall := func(p vec) vec { return vec{p[0] * 0.88, p[1] - 0.34, p[2] * houseZ / out} }
	for i := range 4 { // the ends, as thick as the thatch, and what they hide
		a, b := rows[i][0], rows[i+1][0]
		s.quad(inner(b), b, a, inner(a), region{0, 0, 0.6, 0.25})
		s.quad(wall(b), inner(b), inner(a), wall(a), region{0, 0, 0.6, 0.25})
		a, b = rows[i][4], rows[i+1][4]
		s.quad(b, inner(b), inner(a), a, region{0, 0, 0.6, 0.25})
		s.quad(inner(b), wall(b), wall(a), inner(a), region{0, 0, 0.6, 0.25})
	}
	s.join(s.mirror())
	ridge := c.with(thatched)
	rows = nil
	for _, p := range [][2]float64{{-0.42, -0.2}, {-0.3, 0.14}, {0, 0.26}, {0.3, 0.14}, {0.42, -0.2}} {
		var row []vec
		for i, z := range stations {
			row = append(row, vec{p[0], top + 0.02 + p[1] - sag(i), z * 1.01})
		}
		rows = append(rows, reversed(row))
	}
	ridge.grid(rows, region{0, 0, 5, 0.8})
	for _, k := range []int{0, 4} {
		var end []vec
		for _, row := range rows {
			end = append(end, row[k])
		}
		if k == 4 {
			end = reversed(end)
		}
		ridge.lid(end, region{0, 0, 0.4, 0.3})
	}
	return s.join(ridge)
}

func (c *cottage) chimney() *shape {
	s := c.with(rubbled)
	const x, z = -1.25, -1.7
	s.prism(vec{x - 0.5, 3, z - 0.5}, vec{x + 0.5, 5.7, z + 0.5}, 0.85, whole)
	s.box(vec{x - 0.52, 5.7, z - 0.52}, vec{x + 0.52, 5.9, z + 0.52}, whole)
	pot := c.with(timbered)
	pot.prism(vec{x - 0.2, 5.9, z - 0.2}, vec{x + 0.2, 6.3, z + 0.2}, 0.8, whole)
	return c.tiled(s.join(pot))
}

// panel sets a picture into a wall, above a sill.
func (c *cottage) panel(s *shape, at, across vec, width, height float64, r region) {
	out := across.cross(vec{0, 1, 0})
	half, up := across.times(width/2), vec{0, height, 0}
	p := at.plus(out.times(0.05))
	picture, frame := c.with(opened), c.with(timbered)
	picture.quad(p.minus(half), p.plus(half), p.plus(half).plus(up), p.minus(half).plus(up), r)
	frame.strut(at.minus(half.times(1.2)), at.plus(half.times(1.2)), out, 0.12, 0.16)
	s.join(picture, c.tiled(frame))
}

// front is the door with its steps and its little roof, and the windows of all sides.
func (c *cottage) front() *shape {
	s := new(shape)
	right := vec{0, 0, -1} // along the wall that looks to +x
	c.panel(s, vec{houseX, plinth, 0}, right, 1.05, 1.95, leaf)
	for _, z := range []float64{-2.2, 2.2} {
		c.panel(s, vec{houseX, 1.25, z}, right, 0.85, 0.95, pane)
		c.panel(s, vec{-houseX, 1.25, z}, right.times(-1), 0.85, 0.95, pane)
	}
	for _, side := range []float64{1, -1} {
		across := vec{side, 0, 0}
		c.panel(s, vec{0, 1.25, side * houseZ}, across, 1.1, 0.95, pane)
		c.panel(s, vec{0.45 * side, 2.95, side * houseZ}, across, 0.5, 0.65, pane)
	}
	steps := c.with(rubbled)
	steps.box(vec{houseX, 0, -0.8}, vec{houseX + 0.9, 0.25, 0.8}, whole)
	steps.box(vec{houseX, 0.25, -0.7}, vec{houseX + 0.5, 0.48, 0.7}, whole)
	posts := c.with(timbered)
	for _, z := range []float64{-0.85, 0.85} {
		posts.strut(vec{houseX + 0.95, 0, z}, vec{houseX + 0.95, 2.35, z}, vec{0, 0, 1}, 0.14, 0.14)
	}
	return s.join(c.tiled(steps), c.tiled(posts))
}

// yard is what stands beside the house: a bench and a barrel.
func (c *cottage) yard() *shape {
	wood := c.with(timbered)
	wood.box(vec{houseX + 0.25, 0.42, 1.3}, vec{houseX + 0.75, 0.5, 3.0}, whole)
	for _, z := range []float64{1.5, 2.8} {
		wood.strut(vec{houseX + 0.5, 0, z}, vec{houseX + 0.5, 0.42, z}, vec{1, 0, 0}, 0.1, 0.2)
	}
	c.tiled(wood)
	barrel := c.with(timbered)
	rings := [][]vec{}
	for _, p := range [][2]float64{{0, 0.3}, {0.25, 0.38}, {0.6, 0.38}, {0.85, 0.3}} {
		rings = append(rings, circle(vec{0, 0, p[0]}, p[1], 7))
	}
	barrel.loft(rings, false, region{0, 0, 1, 3})
	barrel.lid(rings[3], region{0, 0, 0.5, 0.5})
	barrel.move(standing).move(func(p vec) vec { return p.plus(vec{houseX + 0.6, 0, -1.7}) })
	return wood.join(barrel)
}

func (c *cottage) scene() *asset.Scene {
	n := asset.NewNode("limb_1")
	n.Mesh = c.house().mesh("cottage", 40)
	return &asset.Scene{Name: "cottage", Roots: []*asset.Node{n}, Meshes: []*asset.Mesh{n.Mesh}, Materials: c.worn(), Textures: c.textures}
}
