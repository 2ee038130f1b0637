package ultima9

import (
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/write"
)

// Terrain writes terrain.N (reference section 8). It fails with ErrMismatch if the table of tiles does not fit width and
// height, and with ErrRange for a tile without a chunk.
func Terrain(t *ultima9.Terrain) ([]byte, error) {
	w := write.NewBuffer("u9-terrain", ultima9.TerrainHeaderSize+2*len(t.Tiles)+4*ultima9.ChunkPoints*len(t.Chunks)+len(t.Trailing))
	w.U32(t.Width)
	w.U32(t.Height)
	fixedText(w, t.Name, ultima9.TerrainNameSize, "name")
	w.I32(t.WaterLevel)
	w.F32(t.WaveAmplitude)
	w.U32(uint32(t.Flags))
	w.Count32(len(t.Chunks), "chunk count")
	if t.Width%ultima9.TileSide != 0 || t.Height%ultima9.TileSide != 0 || len(t.Tiles) != t.TilesWide()*t.TilesHigh() {
		w.Failf(schema.ErrMismatch, "tiles", "%d tiles for %d x %d points", len(t.Tiles), t.Width, t.Height)
	}
	for i, n := range t.Tiles {
		if int(n) >= len(t.Chunks) {
			w.Failf(schema.ErrRange, "tiles", "tile %d has chunk %d of %d", i, n, len(t.Chunks))
		}
		w.U16(n)
	}
	for i := range t.Chunks {
		for _, p := range &t.Chunks[i] {
			w.U32(uint32(p))
		}
	}
	w.Bytes(t.Trailing)
	return w.Finish()
}
