package world

import (
	"cmp"
	"math"
	"slices"

	"github.com/usher-assets/usher/convert/ultima9/look"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
)

const (
	// pieceCells is the number of cells of a piece of a large map: its vertices can be counted in 16 bits.
	pieceCells = 65532 / 4
	// maxHeld is the number of cells up to which the ground is one primitive for each picture, with normals. Beyond it
	// the ground comes in pieces, without normals, since viewers make flat ones.
	maxHeld = 1 << 20
	// maxKept is the number of cells up to which the primitives are made at once, and not when they are written.
	maxKept = 1 << 17
)

// ground makes the mesh of a terrain's visible cells: four vertices for each, since a cell's picture is its own. The
// cells of one picture follow each other, tile after tile, so that a piece of them covers a small part of the map.
//
// A large map is never held as vertices. Beside the file there are 4 bytes a cell for their order, and the 0.8 MB of
// positions of one piece at a time; texture coordinates and triangles are those of other pieces, since all cells of a
// piece are turned and cut alike. Written to a GLB, a map takes up to nine bytes of memory for each of its file, most of
// them for the file itself, which rides along: 0.6 GB for 4096 x 4096 points. The way back takes as much.
type ground struct {
	*ultima9.Terrain
	w, h    int             // points
	box     [4]int          // cells that are shown: from x, y up to x, y
	kept    bool            // very small: primitives are made at once
	shaded  bool            // small: with normals, one primitive for each picture
	cells   []uint32        // x + y·w of the visible cells, by picture, and in a large map by turns and diagonal as well
	uv      [4][][2]float32 // of a piece, by turns
	corners [2][]uint32     // of the triangles of a piece, by diagonal
}

// groundMesh makes the mesh of the ground.
func groundMesh(t *ultima9.Terrain, l *look.Lifter, box mapBox) *asset.Mesh {
	g := &ground{Terrain: t, w: t.TilesWide() * ultima9.TileSide, h: t.TilesHigh() * ultima9.TileSide}
	g.box[0], g.box[1], g.box[2], g.box[3] = box.cells(g.w, g.h)
	shown := (g.box[2] - g.box[0]) * (g.box[3] - g.box[1])
	g.shaded, g.kept = shown <= maxHeld, shown <= maxKept
	m := &asset.Mesh{Name: "ground"}
	materials := map[look.Picture]*asset.Material{}
	from := 0
	for _, run := range g.sort() {
		look := look.Picture{Slot: uint16(run.look.Texture()), Frame: uint8(run.look.Frame())}
		if materials[look] == nil {
			materials[look] = l.Ground(look)
		}
		for from < run.end {
			end := run.end
			if !g.shaded {
				end = min(end, from+pieceCells)
			}
			m.Primitives = append(m.Primitives, g.piece(run.look, g.cells[from:end], materials[look]))
			from = end
		}
	}
	return m
}

// run is where cells of one look end in the list of all.
type run struct {
	look ultima9.Point
	end  int
}

// look is the part of a point by which cells are ordered.
func (g *ground) look(p ultima9.Point) ultima9.Point {
	if g.shaded {
		return p &^ 0xFFFF // texture and frame
	}
	return p &^ 0x1FFF // turns and diagonal too
}

// sort orders the visible cells by their looks.
func (g *ground) sort() []run {
	const shift = 13                    // what lies below is no look
	counts := make([]int, 1<<32>>shift) // by look
	g.visible(func(_ uint32, p ultima9.Point) { counts[g.look(p)>>shift]++ })
	var looks []ultima9.Point
	for i, n := range counts {
		if n > 0 {
			looks = append(looks, ultima9.Point(i<<shift))
		}
	}
	slices.SortFunc(looks, func(a, b ultima9.Point) int {
		return cmp.Or(cmp.Compare(a.Texture(), b.Texture()), cmp.Compare(a.Frame(), b.Frame()), cmp.Compare(a, b))
	})
	runs := make([]run, len(looks))
	total := 0
	for i, look := range looks {
		n := counts[look>>shift]
		counts[look>>shift] = total // from here on where the next cell goes
		total += n
		runs[i] = run{look, total}
	}
	g.cells = make([]uint32, total)
	g.visible(func(at uint32, p ultima9.Point) {
		next := &counts[g.look(p)>>shift]
		g.cells[*next] = at
		*next++
	})
	return runs
}

// visible calls f for every cell that is drawn, tile after tile.
func (g *ground) visible(f func(at uint32, p ultima9.Point)) {
	for i, n := range g.Tiles {
		x, y := i%g.TilesWide()*ultima9.TileSide, i/g.TilesWide()*ultima9.TileSide
		if x >= g.box[2] || y >= g.box[3] || x+ultima9.TileSide <= g.box[0] || y+ultima9.TileSide <= g.box[1] {
			continue
		}
		for k, p := range &g.Chunks[n] {
			cx, cy := x+k%ultima9.TileSide, y+k/ultima9.TileSide
			if p.Visible() && cx >= g.box[0] && cy >= g.box[1] && cx < g.box[2] && cy < g.box[3] {
				f(uint32(cy*g.w+cx), p)
			}
		}
	}
}

// cellUV holds the texture coordinates of a cell's corners A, B, C and D by quarter turns (reference section 8.3).
var cellUV = [4][4][2]float32{
	{{0, 1}, {1, 1}, {0, 0}, {1, 0}},
	{{1, 1}, {1, 0}, {0, 1}, {0, 0}},
	{{1, 0}, {0, 0}, {1, 1}, {0, 1}},
	{{0, 0}, {0, 1}, {1, 0}, {1, 1}},
}

// cellTriangles holds the corners of a cell's two triangles, counter-clockwise seen from above, by its diagonal bit.
var cellTriangles = [2][6]uint32{{0, 1, 3, 0, 3, 2}, {0, 1, 2, 1, 3, 2}}

// piece makes a primitive of cells. That of a large map has its positions made when they are needed.
func (g *ground) piece(look ultima9.Point, cells []uint32, material *asset.Material) *asset.Primitive {
	p := &asset.Primitive{Material: material}
	if g.shaded {
		if g.kept {
			return g.shadedPiece(cells, material)
		}
		p.Load = func() (*asset.Primitive, error) { return g.shadedPiece(cells, material), nil }
		return p
	}
	uv, corners := g.pattern(look)
	p.TexCoords, p.Indices = [][][2]float32{uv[:4*len(cells)]}, corners[:6*len(cells)]
	whole := *p
	p.Load = func() (*asset.Primitive, error) {
		loaded := whole
		loaded.Positions = g.positions(cells)
		return &loaded, nil
	}
	return p
}

// shadedPiece makes a primitive of cells with normals.
func (g *ground) shadedPiece(cells []uint32, material *asset.Material) *asset.Primitive {
	p := &asset.Primitive{Material: material, TexCoords: [][][2]float32{make([][2]float32, 4*len(cells))}, Indices: make([]uint32, 6*len(cells))}
	for i, at := range cells {
		point := g.At(int(at)%g.w, int(at)/g.w)
		fillUV(p.TexCoords[0][4*i:], point)
		fillCorners(p.Indices[6*i:], uint32(4*i), point)
	}
	p.Positions, p.Normals = g.positions(cells), g.normals(cells)
	return p
}

// pattern returns the texture coordinates and triangles of a piece of cells that look alike.
func (g *ground) pattern(look ultima9.Point) (uv [][2]float32, corners []uint32) {
	diagonal := 0
	if look.Diagonal() {
		diagonal = 1
	}
	if g.uv[look.Turns()] == nil {
		uv = make([][2]float32, 4*pieceCells)
		for i := range pieceCells {
			fillUV(uv[4*i:], look)
		}
		g.uv[look.Turns()] = uv
	}
	if g.corners[diagonal] == nil {
		corners = make([]uint32, 6*pieceCells)
		for i := range pieceCells {
			fillCorners(corners[6*i:], uint32(4*i), look)
		}
		g.corners[diagonal] = corners
	}
	return g.uv[look.Turns()], g.corners[diagonal]
}

func fillUV(to [][2]float32, p ultima9.Point) { *(*[4][2]float32)(to) = cellUV[p.Turns()] }

func fillCorners(to []uint32, first uint32, p ultima9.Point) {
	diagonal := 0
	if p.Diagonal() {
		diagonal = 1
	}
	for k, corner := range cellTriangles[diagonal] {
		to[k] = first + corner
	}
}

// positions makes the vertices of cells: the corners of each.
func (g *ground) positions(cells []uint32) [][3]float32 {
	list := make([][3]float32, 4*len(cells))
	for i, at := range cells {
		x, y := int(at)%g.w, int(at)/g.w
		for k := range 4 {
			cx, cy := x+k&1, y+k>>1
			list[4*i+k] = [3]float32{float32(cx * ultima9.PointStep), float32(cy * ultima9.PointStep), float32(g.height(cx, cy))}
		}
	}
	return list
}

// normals makes the normals of the same vertices.
func (g *ground) normals(cells []uint32) [][3]float32 {
	list := make([][3]float32, 4*len(cells))
	for i, at := range cells {
		x, y := int(at)%g.w, int(at)/g.w
		for k := range 4 {
			list[4*i+k] = g.slope(x+k&1, y+k>>1)
		}
	}
	return list
}

// height returns the height of the ground in raw units. Beyond the last column and row it is that of the first.
func (g *ground) height(x, y int) int {
	if x == g.w {
		x = 0
	}
	if y == g.h {
		y = 0
	}
	return g.At(x, y).Height() * ultima9.HeightStep
}

// slope returns the normal of the ground at a point.
func (g *ground) slope(x, y int) [3]float32 {
	return slope(g.w, g.h, func(x, y int) int { return g.At(x, y).Height() }, x, y)
}

// slope returns the normal of a ground of w times h points at one of them, from the heights of its neighbours.
func slope(w, h int, height func(x, y int) int, x, y int) [3]float32 {
	at := func(x, y int) float64 {
		return float64(height(min(max(x, 0), w-1), min(max(y, 0), h-1)) * ultima9.HeightStep)
	}
	dx, dy := at(x-1, y)-at(x+1, y), at(x, y-1)-at(x, y+1)
	dz := 2.0 * ultima9.PointStep
	l := math.Sqrt(dx*dx + dy*dy + dz*dz)
	return [3]float32{float32(dx / l), float32(dy / l), float32(dz / l)}
}
