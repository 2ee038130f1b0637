package ultima9

import "math"

// groundDoubts counts what halves of cells show that a terrain cannot: it has one height for each point, and one picture
// for each cell, which is turned by quarters.
type groundDoubts struct {
	torn, mixed, crooked int
	edge                 map[int]int16 // new heights beyond the last column and row, by the points that they repeat
}

// The halves of a cell that were seen, beside turns and diagonal in the shape of a cell.
const (
	firstHalf  = 1 << 3
	secondHalf = 1 << 4
	bothHalves = firstHalf | secondHalf
)

// doubt looks at half a cell before it is sampled. It returns which half it is.
func (g *groundSampler) doubt(t *groundTriangle, x, y int, c *cell) (half uint8) {
	half = firstHalf
	crooked := false
	for k, p := range t.corner {
		px, py := int(math.Round(p[0])), int(math.Round(p[1]))
		which := px - x + 2*(py-y)
		if cut := c.shape&cellDiagonal != 0; !cut && which == 2 || cut && which == 3 {
			half = secondHalf
		}
		if c.known&knownTurns != 0 {
			want := cellUV[c.shape&cellTurns][which]
			crooked = crooked || math.Abs(float64(t.uv[k][0]-want[0])) > 0.01 || math.Abs(float64(t.uv[k][1]-want[1])) > 0.01
		}
		if px < 0 || py < 0 || px > g.w || py > g.h || len(g.grid) == 0 {
			continue
		}
		h := int16(math.Round(min(max(p[2], 0), math.MaxInt16)))
		at := py%g.h*g.w + px%g.w
		if px == g.w || py == g.h {
			if h != int16(g.grid[at].Height()) {
				g.edge[at] = h
			}
		} else if was := g.heights[at]; was >= 0 && was != h {
			g.torn++
		}
	}
	if crooked {
		g.crooked++
	}
	if x < 0 || y < 0 || x >= g.w || y >= g.h {
		return half
	}
	old := g.cells[y*g.w+x]
	both := old.known & c.known
	if both&knownLook != 0 && old.look != c.look || both&knownTurns != 0 && (old.shape^c.shape)&cellTurns != 0 {
		g.mixed++
	}
	return half
}

// tellDoubts tells what was seen that the terrain does not hold.
func (g *groundSampler) tellDoubts() {
	d := diagnostics(g.env)
	if g.torn > 0 {
		d.Lossf("ground-torn", "", "%d corners of cells are not where the ground beside them is: it has one height for each point, the one that was moved", g.torn)
	}
	if g.mixed > 0 {
		d.Lossf("half-cell", "", "%d cells have halves that look different: a cell has one picture, the one that was changed", g.mixed)
	}
	if g.crooked > 0 {
		d.Lossf("ground-coordinates", "", "%d triangles show their pictures otherwise than turned by quarters: a cell shows all of its picture", g.crooked)
	}
	halves, edges := 0, 0
	for i := range g.cells {
		if seen := g.cells[i].shape & bothHalves; seen != 0 && seen != bothHalves {
			halves++
		}
	}
	if halves > 0 {
		d.Lossf("half-hole", "", "%d cells lack one of their two triangles: a cell is there or is a hole, these are there", halves)
	}
	for at, h := range g.edge {
		if h != int16(g.grid[at].Height()) {
			edges++
		}
	}
	if edges > 0 {
		d.Lossf("ground-edge", "", "%d heights beyond the last column or row differ from those of the first, which the ground repeats there", edges)
	}
}
