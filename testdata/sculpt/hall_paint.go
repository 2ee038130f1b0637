package sculpt

import "math"

// paint makes the pictures of the hall.
func (m *mason) paint() {
	m.coat("Brick", 3, false, brickwork())
	m.coat("Tiles", 2, false, floorTiles())
	m.coat("Carpet", 3, false, carpet())
	m.coat("Planks", 2, false, boards(rgb(0x6B4527), 4))
	m.coat("Panel", 1.25, false, panelling())
	m.coat("Trim", 1.6, false, dressed())
	m.coat("Window", 1, true, stained())
	m.coat("Rose", 1, true, rose())
	m.coat("Lantern", 1, true, lanternGlass())
	m.coat("Crystal", 1, true, crystal())
	m.coat("Banner", 1, false, banner())
	m.coat("Door", 1, false, door())
}

func all(m *canvas) rect { return rect{0, 0, m.width, m.height} }

// brickwork is courses of uneven stones. It repeats.
func brickwork() *canvas {
	m := newCanvas(128, 64, rgb(0x8A7F74))
	const course, length = 16, 32
	m.each(all(m), func(x, y int, _, _ float64, _ colour) colour {
		row := y / course
		shift := row % 2 * length / 2
		dx, dy := (x+shift)%length, y%course
		stone := (x + shift) % 128 / length
		tone := 0.72 + 0.4*noise(stone+3, row*5+1)
		c := mix(rgb(0x8F8375), rgb(0xA48A6C), noise(stone*7, row+9)).times(tone)
		switch {
		case dx < 2 || dy < 2:
			return rgb(0x3B3733)
		case dx == 2 || dy == 2:
			return c.times(1.2)
		case dx == length-1 || dy == course-1:
			return c.times(0.75)
		}
		return c
	})
	m.shade(all(m), func(x, y int, _, _ float64) float64 { return 0.94 + 0.12*noise(x, y) })
	return m
}

// floorTiles is a board of dark and pale slabs with joints.
func floorTiles() *canvas {
	m := newCanvas(64, 64, rgb(0x3E4349))
	m.each(all(m), func(x, y int, _, _ float64, was colour) colour {
		if (x/32+y/32)%2 == 0 {
			was = rgb(0x8C8A82)
		}
		if x%32 == 0 || y%32 == 0 {
			return rgb(0x24272B)
		}
		if x%32 == 1 || y%32 == 1 {
			return was.times(1.25)
		}
		return was.times(0.9 + 0.2*cloud(float64(x)/8, float64(y)/8))
	})
	return m
}

// carpet is red with a golden border at the sides and a lozenge in the middle.
func carpet() *canvas {
	m := newCanvas(64, 64, rgb(0x8C1F26))
	m.each(all(m), func(x, y int, _, _ float64, was colour) colour {
		from := math.Abs(math.Mod(float64(x)+32, 64) - 31.5) // the tile begins in the middle of the carpet
		gold := rgb(0xC9993F)
		lozenge := from + math.Abs(float64(y)-31.5)
		switch {
		case from > 29.5:
			was = rgb(0x5A1218)
		case from > 26 && from < 28.5, math.Abs(lozenge-16) < 1.2, lozenge < 4:
			was = gold
		case lozenge < 14.5:
			was = rgb(0xA93036)
		}
		return was.times(0.88 + 0.2*noise(x, y))
	})
	return m
}

// boards is planks side by side, with grain.
func boards(c colour, count int) *canvas {
	m := newCanvas(64, 64, c)
	width := 64 / count
	m.shade(all(m), func(x, y int, _, _ float64) float64 {
		plank := y / width
		if y%width == 0 {
			return 0.35
		}
		return 0.78 + 0.3*noise(plank, 4) + 0.22*(cloud(float64(x)/14+float64(9*plank), float64(y)/1.6)-0.5)
	})
	return m
}

// panelling is a wooden panel in a frame.
func panelling() *canvas {
	m := boards(rgb(0x70472A), 1)
	m.shade(all(m), func(x, y int, _, _ float64) float64 {
		edge := min(min(x, 63-x), min(y, 63-y))
		switch {
		case edge < 1:
			return 0.4
		case edge == 8 && (x == 8 || y == 8):
			return 0.55
		case edge == 8:
			return 1.35
		case edge > 8:
			return 0.82
		}
		return 1
	})
	return m
}

// dressed is pale smooth stone.
func dressed() *canvas {
	m := newCanvas(64, 64, rgb(0xB9AD98))
	m.shade(all(m), func(x, y int, _, _ float64) float64 {
		f := 0.9 + 0.16*cloud(float64(x)/9, float64(y)/9) + 0.05*noise(x, y)
		if y%32 == 0 {
			f *= 0.7
		}
		return f
	})
	return m
}

var glassColours = []colour{rgb(0x7FB8E8), rgb(0xF2CF6B), rgb(0x5F8FD0), rgb(0xE07B54), rgb(0x9ED6C0)}

// stained is a window of coloured lozenges, brighter in its middle, in a frame of stone with a pointed arch.
func stained() *canvas {
	m := newCanvas(64, 128, colour{})
	line := func(t float64) float64 { return math.Abs(math.Mod(t+1300, 13) - 6.5) }
	inside := func(x, y float64) float64 { // how far from the frame
		arch := 27 - math.Hypot(math.Abs(x-32)+4, max(44-y, 0)*0.85)
		return min(arch, 120-y)
	}
	m.each(all(m), func(x, y int, u, v float64, _ colour) colour {
		fx, fy := float64(x)+0.5, float64(y)+0.5
		c := glassColours[((x+y)/13*3+(x-y+130)/13*5)%len(glassColours)]
		if math.Abs(u-0.5) < 0.07 || math.Abs(v-0.4) < 0.035 { // a cross
			c = rgb(0xFFE9A6)
		}
		lead := min(6.5-line(fx+fy), 6.5-line(fx-fy+130), inside(fx, fy))
		c = mix(rgb(0x14161C), c, clamp(lead-0.4, 0, 1)).times(1.15 - 0.45*math.Hypot(u-0.5, v-0.45))
		if in := inside(fx, fy); in < 0 {
			c = rgb(0xA89A84).times(0.62 + 0.2*cloud(fx/9, fy/9) + 0.2*clamp(-in-6, 0, 1))
		}
		return c
	})
	return m
}

// rose is a round window with petals, in a square of stone.
func rose() *canvas {
	m := newCanvas(64, 64, colour{})
	polar := func(x, y float64) (r, a float64) {
		return math.Hypot(2*x-64, 2*y-64), math.Atan2(y-32, x-32)/(2*math.Pi) + 0.5
	}
	m.each(all(m), func(x, y int, _, _ float64, _ colour) colour {
		r, a := polar(float64(x)+0.5, float64(y)+0.5)
		petal := int(a * 12)
		switch {
		case r < 15:
			return rgb(0xFFF0B8)
		case r < 40:
			return mix(glassColours[petal%2*2], rgb(0xFFFFFF), 0.25)
		case r < 58:
			return glassColours[1+petal%2*2]
		}
		return rgb(0xA89A84).times(0.75 + 0.25*cloud(float64(x)/9, float64(y)/9))
	})
	m.each(all(m), func(x, y int, _, _ float64, was colour) colour {
		r, a := polar(float64(x)+0.5, float64(y)+0.5)
		lead := min(math.Abs(r-15), math.Abs(r-40), math.Abs(r-58.5)) / 2
		if r > 15 && r < 60 { // spokes
			lead = min(lead, (1-2*math.Abs(math.Mod(a*12, 1)-0.5))*r*math.Pi/24)
		}
		return mix(rgb(0x14161C), was, clamp(lead-0.4, 0, 1))
	})
	return m
}

func lanternGlass() *canvas {
	m := newCanvas(32, 32, colour{})
	m.each(all(m), func(x, y int, u, v float64, _ colour) colour {
		if x < 3 || x > 28 || y < 3 || y > 28 || x == 15 || x == 16 {
			return rgb(0x241B12)
		}
		return mix(rgb(0xFFF6C8), rgb(0xE8861E), clamp(1.7*math.Hypot(u-0.5, v-0.55), 0, 1))
	})
	return m
}

func crystal() *canvas {
	m := newCanvas(32, 32, colour{})
	m.each(all(m), func(_, _ int, u, v float64, _ colour) colour {
		facet := math.Mod(v*6, 1)
		c := mix(rgb(0x1C7FA8), rgb(0xA8F4FF), 0.25+0.6*facet)
		return mix(c, rgb(0xFFFFFF), clamp(0.7-3*math.Abs(u-0.42-0.2*facet), 0, 1))
	})
	return m
}

// banner is a blue cloth with a sun.
func banner() *canvas {
	m := newCanvas(32, 64, rgb(0x27407A))
	gold := rgb(0xE0B04A)
	m.each(all(m), func(x, y int, _, _ float64, was colour) colour {
		r, a := math.Hypot(2*float64(x)-31, 2*float64(y)-50), math.Atan2(2*float64(y)-50, 2*float64(x)-31)
		if r < 10 || r > 11.5 && r < 20 && math.Cos(8*a) > (r-11.5)/9 || x < 2 || x > 29 || y > 59 || y < 3 {
			was = gold
		}
		return was.times(0.85 + 0.13*math.Sin(float64(x)/2.5) + 0.06*noise(x, y))
	})
	return m
}

// door is upright boards with bands of iron and a ring.
func door() *canvas {
	m := newCanvas(64, 64, colour{})
	wood := boards(rgb(0x6E4426), 5)
	m.each(all(m), func(x, y int, _, _ float64, _ colour) colour {
		c := wood.pix[x*64+y] // turned
		switch {
		case y > 8 && y < 14 || y > 46 && y < 52:
			c = rgb(0x2A2C30)
			if x%9 == 4 && (y == 11 || y == 49) {
				c = rgb(0x80858C)
			}
		case math.Abs(math.Hypot(float64(x)-50, float64(y)-32)-4) < 1:
			c = rgb(0x9A8C60)
		case x == 31 || x == 32:
			c = rgb(0x1A120B)
		}
		return c
	})
	return m
}
