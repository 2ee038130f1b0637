package ultima9_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"image"
	"image/png"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

func readTerrain(t testing.TB, path string) *ultima9.Terrain {
	t.Helper()
	x, err := read.Terrain(corpus.Bytes(t, path), nil)
	if err != nil {
		t.Fatal(path, err)
	}
	return x
}

func TestTerrainValues(t *testing.T) {
	dir := filepath.Join(corpus.Folder(t, "ultima9"), "synthetic/terrain")
	for _, name := range []string{"terrain.2", "terrain.5", "terrain.9", "terrain.20", "bits.terrain"} {
		var want struct {
			Width, Height uint32
			Name          string
			Water         int32
			Wave          float32
			Flags         uint32
			Chunks        int `json:"chunk_count"`
			Tiles         []uint16
			Words         string `json:"words_sha256"`
			Holes         int
			Slack         int `json:"slack_bytes"`
			Samples       []struct {
				X, Y, Height, Hole, Turns, Diagonal, Frame, Texture int
				Word                                                uint32
			}
		}
		corpus.JSON(t, filepath.Join(dir, name+".json"), &want)
		x := readTerrain(t, filepath.Join(dir, name))
		if x.Width != want.Width || x.Height != want.Height || x.Name.Text != want.Name || x.WaterLevel != want.Water ||
			x.WaveAmplitude != want.Wave || uint32(x.Flags) != want.Flags || len(x.Chunks) != want.Chunks || len(x.Trailing) != want.Slack {
			t.Errorf("%s: header %d x %d %q water %d wave %v flags %d, %d chunks, %d trailing", name, x.Width, x.Height, x.Name.Text,
				x.WaterLevel, x.WaveAmplitude, x.Flags, len(x.Chunks), len(x.Trailing))
		}
		for i, n := range want.Tiles {
			if x.Tiles[i] != n {
				t.Errorf("%s: tile %d is chunk %d, want %d", name, i, x.Tiles[i], n)
			}
		}
		hash := sha256.New()
		holes := 0
		for _, p := range x.Grid() {
			hash.Write(binary.LittleEndian.AppendUint32(nil, uint32(p)))
			if p.Hole() {
				holes++
			}
		}
		if got := hex.EncodeToString(hash.Sum(nil)); got != want.Words || holes != want.Holes {
			t.Errorf("%s: grid %s with %d holes, want %s with %d", name, got, holes, want.Words, want.Holes)
		}
		for _, s := range want.Samples {
			p := x.At(s.X, s.Y)
			made := ultima9.MakePoint(s.Height, s.Hole != 0, s.Turns, s.Diagonal != 0, s.Frame, s.Texture)
			if uint32(p) != s.Word || p != made || p.Height() != s.Height || p.Turns() != s.Turns || p.Diagonal() != (s.Diagonal != 0) ||
				p.Frame() != s.Frame || p.Texture() != s.Texture || p.Hole() != (s.Hole != 0) {
				t.Errorf("%s: point %d, %d is %08x, want %+v", name, s.X, s.Y, uint32(p), s)
			}
		}
	}
}

func TestTerrainHeightEdit(t *testing.T) {
	dir := filepath.Join(corpus.Folder(t, "ultima9"), "synthetic")
	x := readTerrain(t, filepath.Join(dir, "terrain/terrain.9"))
	picture, err := png.Decode(bytes.NewReader(corpus.Bytes(t, filepath.Join(dir, "edits/terrain.height.png"))))
	if err != nil {
		t.Fatal(err)
	}
	gray := picture.(*image.Gray16)
	grid := x.Grid()
	for i := range grid {
		grid[i] = grid[i].WithHeight(int(gray.Gray16At(i%int(x.Width), i/int(x.Width)).Y))
	}
	if err := x.SetGrid(grid); err != nil {
		t.Fatal(err)
	}
	b, err := write.Terrain(x)
	if err != nil {
		t.Fatal(err)
	}
	corpus.SameBytes(t, "edited terrain", b, corpus.Bytes(t, filepath.Join(dir, "edits/terrain.new")))
}

// smallTerrain returns 2 x 2 tiles, three of them equal, with an unused chunk in front.
func smallTerrain() *ultima9.Terrain {
	t := &ultima9.Terrain{Width: 32, Height: 32, Name: ultima9.FixedText{Text: "meadow"}, WaterLevel: -12, WaveAmplitude: 1.5,
		Tiles: []uint16{2, 2, 1, 2}, Chunks: make([]ultima9.Chunk, 3), Trailing: []byte{1, 2, 3, 4}}
	for i := range t.Chunks[1] {
		t.Chunks[1][i] = ultima9.MakePoint(i, i%7 == 0, i, i%2 == 1, i%3, 5)
		t.Chunks[2][i] = ultima9.MakePoint(100, false, 0, false, 0, 6)
	}
	return t
}

func TestTerrainKeepsChunks(t *testing.T) {
	x := smallTerrain()
	grid := x.Grid()
	if err := x.SetGrid(grid); err != nil || len(x.Chunks) != 3 || x.Tiles[2] != 1 {
		t.Errorf("unchanged: %d chunks, tiles %v, %v", len(x.Chunks), x.Tiles, err)
	}
	for y := range 16 { // swap the two tiles of the east and west in the north
		for i := range 16 {
			a, b := &grid[(16+y)*32+i], &grid[(16+y)*32+16+i]
			*a, *b = *b, *a
		}
	}
	if err := x.SetGrid(grid); err != nil || len(x.Chunks) != 3 || x.Tiles[2] != 2 || x.Tiles[3] != 1 {
		t.Errorf("swapped: %d chunks, tiles %v, %v", len(x.Chunks), x.Tiles, err)
	}
	grid[0] = grid[0].WithHeight(7)
	for _, c := range []struct {
		at     int // of the point that gets another height, in the south-west, and in the north-east
		chunks int
		tiles  []uint16
	}{
		{0, 4, []uint16{3, 2, 2, 1}},         // others share the chunk: the tile gets one of its own
		{0, 4, []uint16{3, 2, 2, 1}},         // which it changes then
		{32*32 - 1, 4, []uint16{3, 2, 2, 1}}, // nobody shares this one
		{-1, 4, []uint16{2, 2, 2, 1}},        // and is as the others again
	} {
		if c.at >= 0 {
			grid[c.at] = grid[c.at].WithHeight(grid[c.at].Height() + 7)
		} else {
			grid[0] = grid[1]
		}
		if err := x.SetGrid(grid); err != nil || len(x.Chunks) != c.chunks || !slices.Equal(x.Tiles, c.tiles) {
			t.Errorf("point %d changed: %d chunks, tiles %v, %v", c.at, len(x.Chunks), x.Tiles, err)
		}
	}
}

func TestTerrainSetGridGivesTheGrid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := smallTerrain()
		grid := x.Grid()
		for range rapid.IntRange(0, 5).Draw(t, "edits") {
			grid[rapid.IntRange(0, len(grid)-1).Draw(t, "at")] = ultima9.Point(rapid.Uint32().Draw(t, "point"))
		}
		if err := x.SetGrid(grid); err != nil {
			t.Fatal(err)
		}
		b, err := write.Terrain(x)
		if err != nil {
			t.Fatal(err)
		}
		y, err := read.Terrain(b, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range y.Grid() {
			if p != grid[i] {
				t.Fatalf("point %d is %08x, want %08x", i, p, grid[i])
			}
		}
	})
}

func BenchmarkTerrainRead(b *testing.B) {
	data := bigTerrain(b)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := read.Terrain(data, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkTerrainWrite(b *testing.B) {
	x, err := read.Terrain(bigTerrain(b), nil)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		out, err := write.Terrain(x)
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(out)))
	}
}

func bigTerrain(b *testing.B) []byte {
	x := &ultima9.Terrain{Width: 1024, Height: 1024, Tiles: make([]uint16, 4096), Chunks: make([]ultima9.Chunk, 4096)}
	for i := range x.Tiles {
		x.Tiles[i] = uint16(i)
		for j := range x.Chunks[i] {
			x.Chunks[i][j] = ultima9.MakePoint(i+j, false, j, j%2 == 0, 0, i%20)
		}
	}
	data, err := write.Terrain(x)
	if err != nil {
		b.Fatal(err)
	}
	return data
}

// TestTerrainNonsense: reader and writer refuse sides that are no whole tiles, tiles that are not there, and waves of no
// height that is a number.
func TestTerrainNonsense(t *testing.T) {
	good := func() *ultima9.Terrain {
		return &ultima9.Terrain{Width: 32, Height: 16, Tiles: []uint16{0, 1}, Chunks: make([]ultima9.Chunk, 2)}
	}
	b, err := write.Terrain(good())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := read.Terrain(b, nil); err != nil {
		t.Fatal(err)
	}
	word := func(at int, v uint32) []byte {
		c := bytes.Clone(b)
		binary.LittleEndian.PutUint32(c[at:], v)
		return c
	}
	const tiles = ultima9.TerrainHeaderSize
	for name, c := range map[string]struct {
		b     []byte
		class error
	}{
		"width":            {word(0, 33), schema.ErrMismatch},
		"height":           {word(4, 17), schema.ErrMismatch},
		"no number":        {word(0x8C, math.Float32bits(float32(math.NaN()))), schema.ErrValue},
		"infinite":         {word(0x8C, math.Float32bits(float32(math.Inf(-1)))), schema.ErrValue},
		"a tile too much":  {word(tiles, 2), schema.ErrRange},
		"a chunk too much": {word(tiles-4, 3), schema.ErrTruncated},
	} {
		if _, err := read.Terrain(c.b, nil); schema.Class(err) != c.class {
			t.Errorf("read: %s: %v, want %v", name, err, c.class)
		}
	}
	for name, c := range map[string]struct {
		edit  func(x *ultima9.Terrain)
		class error
	}{
		"width":     {func(x *ultima9.Terrain) { x.Width = 33 }, schema.ErrMismatch},
		"height":    {func(x *ultima9.Terrain) { x.Height = 17 }, schema.ErrMismatch},
		"fewer":     {func(x *ultima9.Terrain) { x.Tiles = x.Tiles[:1] }, schema.ErrMismatch},
		"a tile":    {func(x *ultima9.Terrain) { x.Tiles[1] = 2 }, schema.ErrRange},
		"the other": {func(x *ultima9.Terrain) { x.Tiles[1] = 0 }, nil},
	} {
		x := good()
		c.edit(x)
		if _, err := write.Terrain(x); schema.Class(err) != c.class {
			t.Errorf("write: %s: %v, want %v", name, err, c.class)
		}
	}
}
