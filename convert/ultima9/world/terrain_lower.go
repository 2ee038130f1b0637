package world

import (
	"cmp"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/restore"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/ultima9/look"
	"github.com/usher-assets/usher/convert/ultima9/model"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
)

// lowerTerrain samples the triangles of a scene at the points of the grid: their heights, which cells are there, and the
// texture, frame, turns and diagonal of each. What is equal to the stored terrain stays as it was, to the bit.
func lowerTerrain(a *asset.Scene, env *format.Env) (*ultima9.Terrain, error) {
	part := mapPart(a, TerrainName)
	if err := scene.Lost(part, &terrainRoom, env.Told()); err != nil {
		return nil, err
	}
	roots := a.Roots
	var native *asset.Native
	a.Walk(func(n, _ *asset.Node) {
		if native == nil && n.Native != nil && n.Native.Format == TerrainName && len(n.Native.Payload) > 0 {
			native, roots = n.Native, nil
		}
	})
	g := &groundSampler{env: env, tidied: restore.Does(a, restore.DropsUnused)}
	if native == nil {
		size, err := extent(a)
		if err != nil {
			return nil, err
		}
		if g.terrain, err = plainTerrain(size[0], size[1]); err != nil {
			return nil, err
		}
	} else {
		var err error
		if g.terrain, err = storedTerrain(native); err != nil {
			return nil, err
		}
		g.level, g.ours, g.box = storedLevel(native), true, keptBox(native)
	}
	g.start()
	if native != nil {
		look.TellMap(part, &terrainRoom, env.Told())
		tellWater(part, env.Told())
	}
	g.tellScene(a, native)
	scene.WalkWorld(a.Roots, mgl64.Ident4(), func(n *asset.Node, world mgl64.Mat4, inside bool) bool {
		inside = inside || roots != nil || n.Native == native
		if inside && n.Mesh != nil {
			g.mesh(n, model.ToRawMatrix.Mul4(world))
		}
		return inside
	}, false)
	if g.unmapped > 0 {
		env.Told().Lossf("texture-coordinates", groundNode, "%d parts of the ground have no texture coordinates any more: their cells keep how their pictures lie", g.unmapped)
	}
	return g.finish()
}

// extent returns the points of a new terrain that holds all of a scene between the axes.
func extent(a *asset.Scene) (size [2]int, err error) {
	var most [2]float64
	scene.WalkWorld(a.Roots, mgl64.Ident4(), func(n *asset.Node, world mgl64.Mat4, _ bool) bool {
		if n.Mesh == nil || isWater(n) {
			return false
		}
		m := model.ToRawMatrix.Mul4(world)
		for _, p := range n.Mesh.Primitives {
			p, failed := p.Whole()
			if failed != nil {
				err = failed
				return false
			}
			for _, v := range p.Positions {
				at := scene.Point(&m, v)
				most[0], most[1] = max(most[0], at[0]), max(most[1], at[1])
			}
		}
		return false
	}, false)
	if err != nil {
		return size, err
	}
	const tile = ultima9.TileSide * ultima9.PointStep
	for k, v := range most {
		if !(v < float64(schema.DefaultLimits.Side)*ultima9.PointStep) {
			return size, schema.Errorf(TerrainName, schema.ErrLimit, "size", "the scene is %v metres large", v/ultima9.RawPerMetre)
		}
		size[k] = max(int(math.Ceil(v/tile-0.01)), 1) * ultima9.TileSide
	}
	return size, nil
}

// groundSampler collects what triangles say about the points and cells of a terrain.
type groundSampler struct {
	terrain  *ultima9.Terrain
	env      *format.Env
	grid     []ultima9.Point
	w, h     int
	heights  []int16 // −1 where no triangle is
	cells    []cell
	level    int32   // of the water, as stored: an unmoved mesh says nothing against an edited value
	work     float64 // samples that may still be taken
	found    bool
	err      error // of data that could not be loaded
	cut      int   // heights out of range
	box      mapBox
	tidied   bool // the program that saved the scene leaves out what shows nothing
	unmapped int  // primitives without texture coordinates
	ours     bool // the ground was lifted from a terrain
	groundDoubts
	unknown map[string]bool
}

// cell is what triangles say about a cell.
type cell struct {
	known cellFacts
	shape uint8  // turns, the diagonal bit in bit 2, and the halves that were seen
	look  uint16 // frame and texture, the upper half of a point
}

// cellFacts says which fields of a cell are known.
type cellFacts uint8

const (
	knownCover cellFacts = 1 << iota
	knownLook            // look
	knownTurns           // turns
	knownCut             // diagonal

	cellTurns    = 3
	cellDiagonal = 1 << 2
)

func (g *groundSampler) start() {
	g.grid = g.terrain.Grid()
	g.w, g.h = g.terrain.TilesWide()*ultima9.TileSide, g.terrain.TilesHigh()*ultima9.TileSide
	g.heights = make([]int16, len(g.grid))
	for i := range g.heights {
		g.heights[i] = -1
	}
	g.cells = make([]cell, len(g.grid))
	g.unknown, g.edge = map[string]bool{}, map[int]int16{}
	g.work = workPerPoint * float64(len(g.grid))
}

// workPerPoint bounds how often a point is sampled, on average: triangles that each cover the whole map would take for
// ever.
const workPerPoint = 256

// mesh samples the mesh of a node.
func (g *groundSampler) mesh(n *asset.Node, toRaw mgl64.Mat4) {
	if isWater(n) {
		g.water(n, toRaw)
		return
	}
	toGrid := mgl64.Scale3D(1./ultima9.PointStep, 1./ultima9.PointStep, 1./ultima9.HeightStep).Mul4(toRaw)
	up := 0.0
	defer func() {
		if up *= toGrid.Det(); up < 0 && g.ours { // glTF turns the triangles of what is mirrored
			g.env.Told().Lossf("ground-facing", n.Name, "its triangles face downwards: a terrain is seen from above always")
		}
	}()
	for _, p := range n.Mesh.Primitives {
		p, err := p.Whole()
		if err != nil {
			g.err = err
			return
		}
		if p.Mode != asset.Triangles {
			continue
		}
		look, facts := g.look(p.Material)
		var uv [][2]float32
		if len(p.TexCoords) > 0 && len(p.TexCoords[0]) == len(p.Positions) {
			uv = p.TexCoords[0]
			facts |= knownTurns
		} else if g.ours && !g.tidied && len(p.Positions) > 0 {
			g.unmapped++
		}
		places := make([][3]float64, len(p.Positions))
		for i, v := range p.Positions {
			places[i] = scene.Point(&toGrid, v)
		}
		g.doubtNormals(p, places, toRaw)
		n := len(p.Indices)
		if p.Indices == nil {
			n = len(p.Positions)
		}
		for i := 0; i+2 < n; i += 3 {
			var t groundTriangle
			ok := true
			for k := range 3 {
				at := i + k
				if p.Indices != nil {
					at = int(p.Indices[at])
				}
				if ok = at < len(places); !ok {
					break
				}
				t.corner[k] = places[at]
				if uv != nil {
					t.uv[k] = uv[at]
				}
			}
			if ok {
				up += t.up()
				g.triangle(&t, look, facts)
			}
		}
	}
}

// look returns the upper half of the points that a material paints, and what it tells of a cell.
func (g *groundSampler) look(m *asset.Material) (upper uint16, facts cellFacts) {
	if m == nil {
		return 0, knownCover
	}
	p, ok, err := look.Chosen(m, g.env.Told())
	if g.err = cmp.Or(g.err, err); !ok || p.Slot > 0x3FF || p.Frame > 0x3F {
		if !g.unknown[m.Name] {
			g.unknown[m.Name] = true
			g.env.Told().Lossf("ground-material", m.Name, "the material names no texture from 0 to 1023 and no frame from 0 to 63: the ground keeps its own")
		}
		return 0, knownCover
	}
	return uint16(ultima9.MakePoint(0, false, 0, false, int(p.Frame), int(p.Slot)) >> 16), knownCover | knownLook
}

// groundTriangle is a piece of the ground in grid units.
type groundTriangle struct {
	corner [3][3]float64
	uv     [3][2]float32
}

// up returns twice the area of the triangle from above, negative where it faces downwards.
func (t *groundTriangle) up() float64 {
	a, b, c := &t.corner[0], &t.corner[1], &t.corner[2]
	return (b[0]-a[0])*(c[1]-a[1]) - (c[0]-a[0])*(b[1]-a[1])
}

// weights returns the barycentric coordinates of a place; ok is false outside the triangle.
func (t *groundTriangle) weights(x, y float64) (w [3]float64, ok bool) {
	a, b, c := &t.corner[0], &t.corner[1], &t.corner[2]
	area := (b[0]-a[0])*(c[1]-a[1]) - (c[0]-a[0])*(b[1]-a[1])
	if math.Abs(area) < 1e-9 {
		return w, false
	}
	w[1] = ((x-a[0])*(c[1]-a[1]) - (c[0]-a[0])*(y-a[1])) / area
	w[2] = ((b[0]-a[0])*(y-a[1]) - (x-a[0])*(b[1]-a[1])) / area
	w[0] = 1 - w[1] - w[2]
	const edge = -1e-3
	return w, w[0] >= edge && w[1] >= edge && w[2] >= edge
}

// cell is what the triangle says about the cells that it covers: facts, of which the turns are dropped where its texture
// coordinates do not tell.
func (t *groundTriangle) cell(look uint16, facts cellFacts) cell {
	c := cell{known: facts, look: look}
	if facts&knownTurns != 0 {
		var ok bool
		if c.shape, ok = t.turns(); !ok {
			c.known &^= knownTurns
		}
	}
	return c
}

// triangle samples one triangle at the points and cell centres that it covers.
func (g *groundSampler) triangle(t *groundTriangle, look uint16, facts cellFacts) {
	low, high := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for _, c := range t.corner {
		for k := range 2 {
			low[k], high[k] = min(low[k], c[k]), max(high[k], c[k])
		}
	}
	if !(low[0] > -1e6 && low[1] > -1e6 && high[0] < 1e6 && high[1] < 1e6) {
		return
	}
	if x, y, cut := t.halfCell(low); cut != 0 {
		c := t.cell(look, facts)
		c.known |= knownCut
		if cut == 2 {
			c.shape |= cellDiagonal
		}
		if g.ours {
			c.shape |= g.doubt(t, x, y, &c)
		}
		g.half(t, x, y, c)
		return
	}
	g.loose++
	g.work -= max(0, min(high[0], float64(g.w))-max(low[0], 0)) * max(0, min(high[1], float64(g.h))-max(low[1], 0))
	if g.work < 0 {
		return
	}
	const slack = 1e-3
	for y := max(int(math.Ceil(low[1]-slack)), 0); y < g.h && float64(y) <= high[1]+slack; y++ {
		for x := max(int(math.Ceil(low[0]-slack)), 0); x < g.w && float64(x) <= high[0]+slack; x++ {
			if w, ok := t.weights(float64(x), float64(y)); ok {
				g.height(y*g.w+x, w[0]*t.corner[0][2]+w[1]*t.corner[1][2]+w[2]*t.corner[2][2])
			}
		}
	}
	c := t.cell(look, facts)
	c.shape |= bothHalves
	for y := max(int(math.Ceil(low[1]-0.5-slack)), 0); y < g.h && float64(y)+0.5 <= high[1]+slack; y++ {
		for x := max(int(math.Ceil(low[0]-0.5-slack)), 0); x < g.w && float64(x)+0.5 <= high[0]+slack; x++ {
			if _, ok := t.weights(float64(x)+0.5, float64(y)+0.5); ok {
				g.cell(y*g.w+x, c)
			}
		}
	}
}

// height takes a sample. Where triangles disagree at a point, the one that was moved counts.
func (g *groundSampler) height(i int, z float64) {
	g.found = true
	h := int(math.Round(min(max(z, -1e6), 1e6)))
	if h < 0 || h > ultima9.MaxHeight {
		g.cut++
		h = min(max(h, 0), ultima9.MaxHeight)
	}
	if was := int(g.heights[i]); was < 0 || was == g.grid[i].Height() {
		g.heights[i] = int16(h)
	}
}

// cell takes a sample; as with heights, what differs from the stored cell counts.
func (g *groundSampler) cell(i int, c cell) {
	old, p := &g.cells[i], g.grid[i]
	if old.known == 0 {
		*old = c
		return
	}
	if c.known&knownLook != 0 && (old.known&knownLook == 0 || old.look == uint16(p>>16)) {
		old.look = c.look
	}
	if c.known&knownTurns != 0 && (old.known&knownTurns == 0 || int(old.shape&cellTurns) == p.Turns()) {
		old.shape = old.shape&^cellTurns | c.shape&cellTurns
	}
	if c.known&knownCut != 0 && old.known&knownCut == 0 {
		old.shape = old.shape&^cellDiagonal | c.shape&cellDiagonal
	}
	old.known |= c.known
	old.shape |= c.shape & bothHalves
}

// half samples a triangle that is one half of the cell x, y, as nearly all are.
func (g *groundSampler) half(t *groundTriangle, x, y int, c cell) {
	for _, p := range t.corner {
		px, py := int(math.Round(p[0])), int(math.Round(p[1]))
		if px >= 0 && py >= 0 && px < g.w && py < g.h {
			g.height(py*g.w+px, p[2])
		}
	}
	if x >= 0 && y >= 0 && x < g.w && y < g.h {
		g.cell(y*g.w+x, c)
	}
}

// halfCell returns the cell that the triangle is one half of, and the cell's diagonal bit plus one; 0 if it is not half of
// a cell. low is its smallest coordinates.
func (t *groundTriangle) halfCell(low [2]float64) (x, y int, cut int8) {
	const tolerance = 0.01
	x, y = int(math.Round(low[0])), int(math.Round(low[1]))
	mask := 0
	for _, c := range t.corner {
		dx, dy := c[0]-float64(x), c[1]-float64(y)
		kx, ky := int(dx+0.5), int(dy+0.5)
		if kx > 1 || ky > 1 || math.Abs(dx-float64(kx)) > tolerance || math.Abs(dy-float64(ky)) > tolerance {
			return 0, 0, 0
		}
		mask |= 1 << (kx + 2*ky)
	}
	switch mask {
	case 0b1011, 0b1101: // without C, without B: the edge runs from A to D
		return x, y, 1
	case 0b0111, 0b1110:
		return x, y, 2
	}
	return 0, 0, 0
}

// turns returns the quarter turns of a triangle's picture from the direction in which its coordinates grow.
func (t *groundTriangle) turns() (turns uint8, ok bool) {
	a, b, c := &t.corner[0], &t.corner[1], &t.corner[2]
	area := (b[0]-a[0])*(c[1]-a[1]) - (c[0]-a[0])*(b[1]-a[1])
	if math.Abs(area) < 1e-9 {
		return 0, false
	}
	u1, u2 := float64(t.uv[1][0]-t.uv[0][0]), float64(t.uv[2][0]-t.uv[0][0])
	dx := (u1*(c[1]-a[1]) - u2*(b[1]-a[1])) / area // of u
	dy := (u2*(b[0]-a[0]) - u1*(c[0]-a[0])) / area
	switch {
	case math.Abs(dx) < 1e-6 && math.Abs(dy) < 1e-6 || math.IsNaN(dx+dy):
		return 0, false
	case math.Abs(dx) >= math.Abs(dy) && dx > 0:
		return 0, true
	case math.Abs(dx) >= math.Abs(dy):
		return 2, true
	case dy < 0:
		return 1, true
	}
	return 3, true
}

// finish puts the samples into the terrain.
func (g *groundSampler) finish() (*ultima9.Terrain, error) {
	if g.err != nil {
		return nil, g.err
	}
	if g.work < 0 {
		return nil, schema.Errorf(TerrainName, schema.ErrLimit, "triangles", "the triangles cover the map more than %d times", workPerPoint)
	}
	if !g.found && !g.ours {
		return nil, schema.Errorf(TerrainName, schema.ErrUnsupported, "", "the scene has no ground, and is no terrain of ours that could stay")
	}
	if !g.found && g.w*g.h == 0 {
		return g.terrain, nil // it had none
	}
	if !g.found {
		g.env.Told().Warnf("no-ground", "", "the scene has no ground: the terrain stays as it was")
		return g.terrain, nil
	}
	if g.cut > 0 {
		g.env.Told().Lossf("height-range", groundNode, "%d heights outside 0 to %d were cut", g.cut, ultima9.MaxHeight)
	}
	g.tellNormals()
	x0, y0, x1, y1 := g.box.cells(g.w, g.h)
	for i, p := range g.grid {
		if h := g.heights[i]; h >= 0 {
			p = p.WithHeight(int(h))
		}
		if x, y := i%g.w, i/g.w; g.cells[i].known != 0 || x >= x0 && y >= y0 && x < x1 && y < y1 {
			p = g.cells[i].apply(p)
		}
		g.grid[i] = p
	}
	g.tellDoubts()
	return g.terrain, g.terrain.SetGrid(g.grid)
}

// apply changes a point where the cell says something else.
func (c *cell) apply(p ultima9.Point) ultima9.Point {
	if c.known == 0 {
		if p.Visible() {
			p = ultima9.MakePoint(p.Height(), true, p.Turns(), p.Diagonal(), p.Frame(), p.Texture())
		}
		return p
	}
	turns, diagonal, frame, texture := p.Turns(), p.Diagonal(), p.Frame(), p.Texture()
	if c.known&knownLook != 0 {
		q := ultima9.Point(c.look) << 16
		frame, texture = q.Frame(), q.Texture()
	}
	if c.known&knownTurns != 0 {
		turns = int(c.shape & cellTurns)
	}
	if c.known&knownCut != 0 {
		diagonal = c.shape&cellDiagonal != 0
	}
	return ultima9.MakePoint(p.Height(), false, turns, diagonal, frame, texture)
}
