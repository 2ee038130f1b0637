package ultima9

import (
	"encoding/binary"
	"math"

	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
)

var pointNames = schema.NamesOf[ultima9.Point]("")

// Terrain reads terrain.N (reference section 8). It fails with ErrMismatch for sides that are not multiples of 16, ErrRange
// for a tile without a chunk, and ErrValue for a wave amplitude that is not a number.
func Terrain(b []byte, d *schema.Diagnostics) (*ultima9.Terrain, error) {
	c := read.NewCursor("u9-terrain", b, d)
	t := &ultima9.Terrain{
		Width:         c.U32("width"),
		Height:        c.U32("height"),
		Name:          fixedText(c, ultima9.TerrainNameSize, "name"),
		WaterLevel:    c.I32("water level"),
		WaveAmplitude: c.F32("wave amplitude"),
		Flags:         read.Named(c, ultima9.Flags(c.U32("flags"))),
	}
	chunks := uint64(c.U32("chunk count"))
	if t.Width%ultima9.TileSide != 0 || t.Height%ultima9.TileSide != 0 {
		c.FailAtf(0, schema.ErrMismatch, "width", "%d x %d points, multiples of %d expected", t.Width, t.Height, ultima9.TileSide)
	}
	if a := float64(t.WaveAmplitude); math.IsNaN(a) || math.IsInf(a, 0) {
		c.FailAtf(0x8C, schema.ErrValue, "wave amplitude", "%v", a)
	}
	at := c.Offset()
	tiles := uint64(t.Width/ultima9.TileSide) * uint64(t.Height/ultima9.TileSide)
	t.Tiles = c.U16s(c.Count(tiles, 2, "tiles"), "tiles")
	for i, n := range t.Tiles {
		if uint64(n) >= chunks {
			c.FailAtf(at+int64(2*i), schema.ErrRange, "tiles", "tile %d has chunk %d of %d", i, n, chunks)
			break
		}
	}
	const size = 4 * ultima9.ChunkPoints
	stored := c.Elements(c.Extent(chunks, size, "chunk count")*ultima9.ChunkPoints, 4, schema.LayoutU32, "chunks")
	c.Name(pointNames)
	t.Chunks = make([]ultima9.Chunk, len(stored)/size)
	for i := range t.Chunks {
		chunk := &t.Chunks[i]
		s := (*[size]byte)(stored[i*size:])
		for j := range chunk {
			chunk[j] = ultima9.Point(binary.LittleEndian.Uint32(s[4*j:]))
		}
	}
	if c.Left() > 0 {
		d.Notef("trailing-points", "", "%d bytes of stale points behind the last chunk", c.Left())
		t.Trailing = c.Rest()
	}
	return done(t, c)
}
