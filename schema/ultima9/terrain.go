package ultima9

import (
	"slices"

	"github.com/usher-assets/usher/schema"
)

// Sizes of a terrain file (reference section 8), and the raw units of its grid.
const (
	TerrainHeaderSize = 0x98
	TerrainNameSize   = 0x80
	TileSide          = 16 // points a side of a tile
	ChunkPoints       = TileSide * TileSide
	PointStep         = 128 // raw units between two points
	HeightStep        = 4   // raw units of one height step
	MaxHeight         = 4095
	MaxChunks         = 1 << 16
)

// BuriedTexture marks points that are never visible. A mesh has a hole there.
const BuriedTexture = 29

// Terrain is terrain.N: the ground of a map, a grid of points cut into tiles. Equal tiles share a chunk.
type Terrain struct {
	Width, Height uint32    // points; multiples of 16
	Name          FixedText // 128 bytes
	WaterLevel    int32     // raw units
	WaveAmplitude float32
	Flags         Flags
	Tiles         []uint16 // chunk of tile x + y·Width/16
	Chunks        []Chunk
	Trailing      []byte `json:",omitempty"` // stale points after the last chunk
}

// Chunk is the content of a tile: point x + 16·y.
type Chunk [ChunkPoints]Point

// Point is a grid point, and what covers the cell between it and its neighbours to the east and north.
type Point uint32

var pointBits = schema.Bits[Point]{
	schema.Number(0, 12, "height"), // 4 raw units each
	schema.Flag(12, "hole"),
	schema.Flag(13, "swap"),   // a quarter turn of the texture
	schema.Flag(14, "mirror"), // two of them
	schema.Flag(15, "diagonal"),
	schema.Number(16, 6, "frame"),    // of the texture
	schema.Number(22, 10, "texture"), // slot of the bitmap archives
}

// String returns the point in words.
func (p Point) String() string { return pointBits.Text(p) }

// MarshalText implements encoding.TextMarshaler.
func (p Point) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (p *Point) UnmarshalText(b []byte) error { return pointBits.Parse(b, p) }

// MakePoint returns a point with the given values. Each is cut to the width of its bits.
func MakePoint(height int, hole bool, turns int, diagonal bool, frame, texture int) Point {
	p := Point(height&0xFFF | turns&3<<13 | frame&63<<16 | texture&0x3FF<<22)
	if hole {
		p |= 1 << 12
	}
	if diagonal {
		p |= 1 << 15
	}
	return p
}

// Height returns the height in steps of 4 raw units, 0 … 4095.
func (p Point) Height() int { return int(p & 0xFFF) }

// Hole reports whether the cell is left out.
func (p Point) Hole() bool { return p>>12&1 != 0 }

// Turns returns by how many quarter turns the texture is rotated clockwise, 0 … 3.
func (p Point) Turns() int { return int(p >> 13 & 3) }

// Diagonal returns which diagonal divides the cell. If true, it runs from the point to the east to the point to the north;
// if false, from the point itself to the one north-east of it.
func (p Point) Diagonal() bool { return p>>15&1 != 0 }

// Frame returns the frame of the texture, 0 … 63.
func (p Point) Frame() int { return int(p >> 16 & 63) }

// Texture returns the texture, 0 … 1023.
func (p Point) Texture() int { return int(p >> 22) }

// Visible reports whether the cell is drawn.
func (p Point) Visible() bool { return !p.Hole() && p.Texture() != BuriedTexture }

// WithHeight returns the point at another height.
func (p Point) WithHeight(h int) Point { return p&^0xFFF | Point(h&0xFFF) }

// TilesWide returns how many tiles a row has.
func (t *Terrain) TilesWide() int { return int(t.Width) / TileSide }

// TilesHigh returns how many rows of tiles there are.
func (t *Terrain) TilesHigh() int { return int(t.Height) / TileSide }

// At returns a point of the grid.
func (t *Terrain) At(x, y int) Point {
	chunk := t.Tiles[y/TileSide*t.TilesWide()+x/TileSide]
	return t.Chunks[chunk][y%TileSide*TileSide+x%TileSide]
}

// Grid returns all points, row after row from the south.
func (t *Terrain) Grid() []Point {
	w, h := t.TilesWide()*TileSide, t.TilesHigh()*TileSide
	grid := make([]Point, w*h)
	for i, chunk := range t.Tiles {
		tx, ty := i%t.TilesWide(), i/t.TilesWide()
		for y := range TileSide {
			copy(grid[(ty*TileSide+y)*w+tx*TileSide:][:TileSide], t.Chunks[chunk][y*TileSide:])
		}
	}
	return grid
}

// SetGrid replaces all points. If the tiles still have the same set of contents, wherever these are, chunks keep their
// contents. Otherwise a changed tile gets the chunk that has its content, or changes its own where no unchanged tile shares
// that, or gets a new one. It fails with ErrMismatch if the number of points differs, and with ErrLimit for more than 65,536
// contents.
func (t *Terrain) SetGrid(grid []Point) error {
	w := t.TilesWide() * TileSide
	if len(grid) != w*t.TilesHigh()*TileSide {
		return schema.Errorf("u9-terrain", schema.ErrMismatch, "points", "%d points for %d x %d", len(grid), t.Width, t.Height)
	}
	var changed []int
	var c Chunk
	for i, old := range t.Tiles {
		if t.cut(&c, grid, i); c != t.Chunks[old] {
			changed = append(changed, i)
		}
	}
	if changed == nil {
		return nil
	}
	tiles, chunks, err := t.contents(grid)
	if err != nil {
		return err
	}
	if !t.rearrange(tiles, chunks) && !t.change(changed, grid) {
		t.Tiles, t.Chunks = tiles, chunks
	}
	return nil
}

// contents returns one chunk for each content in the order of first use, and the tiles that refer to them.
func (t *Terrain) contents(grid []Point) (tiles []uint16, chunks []Chunk, err error) {
	fresh := map[Chunk]uint16{}
	tiles = make([]uint16, len(t.Tiles))
	var c Chunk
	for i := range tiles {
		t.cut(&c, grid, i)
		number, known := fresh[c]
		if !known {
			if len(chunks) == MaxChunks {
				return nil, nil, schema.Errorf("u9-terrain", schema.ErrLimit, "chunk count", "more than %d different tiles", MaxChunks)
			}
			number = uint16(len(chunks))
			fresh[c] = number
			chunks = append(chunks, c)
		}
		tiles[i] = number
	}
	return tiles, chunks, nil
}

// change gives the changed tiles their contents, and leaves everything else where it is. It reports whether there is room
// for the new chunks.
func (t *Terrain) change(changed []int, grid []Point) bool {
	users := make([]int, len(t.Chunks)) // tiles that keep a chunk
	for _, n := range t.Tiles {
		users[n]++
	}
	for _, i := range changed {
		users[t.Tiles[i]]--
	}
	at := map[Chunk]uint16{}
	for n, c := range t.Chunks {
		if _, known := at[c]; !known && users[n] > 0 {
			at[c] = uint16(n)
		}
	}
	tiles, chunks := slices.Clone(t.Tiles), slices.Clone(t.Chunks)
	var c Chunk
	for _, i := range changed {
		t.cut(&c, grid, i)
		number, known := at[c]
		switch own := tiles[i]; {
		case known:
		case users[own] == 0:
			number, chunks[own] = own, c
			users[own]++
		case len(chunks) == MaxChunks:
			return false
		default:
			number, chunks = uint16(len(chunks)), append(chunks, c)
			users = append(users, 1)
		}
		at[c], tiles[i] = number, number
	}
	t.Tiles, t.Chunks = tiles, chunks
	return true
}

// cut copies what the grid holds at tile i into c.
func (t *Terrain) cut(c *Chunk, grid []Point, i int) {
	w := t.TilesWide() * TileSide
	x, y := i%t.TilesWide()*TileSide, i/t.TilesWide()*TileSide
	for k := range TileSide {
		copy(c[k*TileSide:][:TileSide], grid[(y+k)*w+x:])
	}
}

// rearrange keeps the chunks when tiles has the same set of contents as before, and points the tiles at them.
func (t *Terrain) rearrange(tiles []uint16, chunks []Chunk) bool {
	stored := map[Chunk]uint16{} // content to the first chunk in use that holds it
	for _, n := range t.Tiles {
		if _, known := stored[t.Chunks[n]]; !known {
			stored[t.Chunks[n]] = n
		}
	}
	if len(stored) != len(chunks) {
		return false
	}
	for _, c := range chunks {
		if _, known := stored[c]; !known {
			return false
		}
	}
	for i, n := range tiles {
		if c := chunks[n]; c != t.Chunks[t.Tiles[i]] {
			t.Tiles[i] = stored[c]
		}
	}
	return true
}
