package world

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/png"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/u9"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// meadow is a small map of which several tiles share a chunk.
func meadow(t testing.TB) []byte { return corpus.Bytes(t, corpus.Testdata(t, "ultima9", "terrain.9")) }

// lake is a map of four tiles, each with a chunk of its own, and points of all kinds.
func lake(t testing.TB) []byte {
	x := &ultima9.Terrain{Width: 32, Height: 32, Tiles: []uint16{3, 1, 0, 2}, Chunks: make([]ultima9.Chunk, 4)}
	for c := range x.Chunks {
		for i := range x.Chunks[c] {
			x.Chunks[c][i] = ultima9.MakePoint(500+3*i+c, i%5 == 0, i%4, i%2 == 1, i%3, 20+i%7+c)
		}
	}
	return u9.Do(write.Terrain(x))(t)
}

func paintable(t testing.TB, b []byte, box ...float64) *asset.Texture {
	t.Helper()
	env := &format.Env{Name: "terrain.9", Stored: b}
	env.Options.Ultima9 = format.Ultima9Options{Paint: true, Box: box}
	return u9.Lift(t, format.Functions[ultima9.Terrain, *asset.Texture]{Read: read.Terrain, Lift: liftHeights}, b, env)
}

// asFiles takes every picture through a PNG file, and what goes with them through JSON.
func asFiles(t testing.TB, a *asset.Texture) *asset.Texture {
	t.Helper()
	out := &asset.Texture{Native: u9.ThroughJSON(t, a.Native)}
	for i := range a.Frames {
		var file bytes.Buffer
		u9.Must(t, png.Encode(&file, a, png.Options{Frame: i}))
		x := u9.Do(png.Decode(&file))(t)
		m := *x.Base()
		if m.Format == asset.Indexed8 {
			m = asset.NewImage(m.Width, m.Height, asset.RGBA8)
			for k, v := range x.Base().Pix {
				copy(m.Pix[4*k:], x.Palette[v][:])
			}
		}
		out.Frames = append(out.Frames, asset.Frame{Mips: []asset.Image{m}})
	}
	return out
}

// TestLandUntouched: pictures that nobody painted make the same file, of all of a map and of parts of it.
func TestLandUntouched(t *testing.T) {
	flat := &ultima9.Terrain{Width: 16, Height: 16, Tiles: []uint16{0}, Chunks: make([]ultima9.Chunk, 1)}
	for _, b := range [][]byte{meadow(t), lake(t), u9.Do(write.Terrain(flat))(t)} {
		for _, box := range [][]float64{nil, {0, 0, 10, 10}, {3, 9, 40, 12}, {-5, -5, 1e6, 1e6}} {
			a := asFiles(t, paintable(t, b, box...))
			corpus.SameBytes(t, fmt.Sprint("box ", box), u9.Lower(t, Terrain, asset.Asset(a), nil), b)
		}
	}
}

// TestLandPainted: each pixel of each picture, painted alone, changes what it shows of its point, and no other byte.
func TestLandPainted(t *testing.T) {
	b, cases := lake(t), 0
	stored := u9.Do(read.Terrain(b, nil))(t)
	grid := stored.Grid()
	for _, box := range [][]float64{nil, {5, 20, 60, 41}} {
		shown := paintable(t, b, box...)
		west, south, east, north := 0, 0, 32, 32 // in points
		if box != nil {
			const points = float64(ultima9.RawPerMetre) / ultima9.PointStep
			west, south, east, north = int(box[0]*points), int(box[1]*points), int(math.Ceil(box[2]*points)), int(math.Ceil(box[3]*points))
		}
		width := east - west
		if m := shown.Base(); m.Width != width || m.Height != north-south {
			t.Fatalf("box %v: %d x %d pixels", box, m.Width, m.Height)
		}
		shown.Native.Values[tilesKey].(map[string]any)["#010203"] = "texture=341|frame=21"
		for which := range landPictures {
			for i := range width * (north - south) {
				point := (north-1-i/width)*32 + west + i%width
				a := &asset.Texture{Native: shown.Native, Frames: append([]asset.Frame(nil), shown.Frames...)}
				m := shown.Frames[which].Mips[0]
				m.Pix = bytes.Clone(m.Pix)
				was := grid[point]
				want := was
				switch which {
				case landHeights:
					r := u9.Do(keptRange(shown.Native))(t)
					grey, height := uint16(0), r.lowest
					if r.grey(was.Height()) < 0x8000 {
						grey, height = 0xFFFF, r.highest
					}
					binary.LittleEndian.PutUint16(m.Pix[2*i:], grey)
					want = was.WithHeight(int(height))
				case landTiles:
					copy(m.Pix[4*i:], []byte{1, 2, 3, 255})
					want = was&0xFFFF | 341<<22 | 21<<16
				case landHoles:
					m.Pix[i] = ^m.Pix[i]
					want = was ^ 1<<12
				}
				a.Frames[which] = asset.Frame{Mips: []asset.Image{m}}
				got := u9.Lower(t, Terrain, asset.Asset(a), nil)
				at := chunkPlace(stored, point)
				ought := bytes.Clone(b)
				binary.LittleEndian.PutUint32(ought[at:], uint32(want))
				if want == was || binary.LittleEndian.Uint32(b[at:]) != uint32(was) {
					t.Fatalf("pixel %d of %s changes nothing of %v", i, landNames[which], was)
				}
				corpus.SameBytes(t, fmt.Sprintf("box %v, pixel %d of %s", box, i, landNames[which]), got, ought)
				cases++
			}
		}
	}
	t.Logf("%d pixels", cases)
}

// chunkPlace returns where a point of a map of 32 points a side, each tile with a chunk, lies in the file.
func chunkPlace(x *ultima9.Terrain, point int) int {
	px, py := point%32, point/32
	chunk := x.Tiles[py/16*2+px/16]
	return ultima9.TerrainHeaderSize + 2*len(x.Tiles) + int(chunk)*4*ultima9.ChunkPoints + 4*(py%16*16+px%16)
}

// TestHeightRange: every height comes back from the grey that it is shown in, whatever the range.
func TestHeightRange(t *testing.T) {
	for lowest := int32(0); lowest < ultima9.MaxHeight; lowest += 13 {
		for highest := lowest + 1; highest <= ultima9.MaxHeight; highest += 1 + highest/5 {
			r := heightRange{lowest, highest}
			for h := lowest; h <= highest; h++ {
				if got := r.height(r.grey(int(h))); got != int(h) {
					t.Fatalf("%+v: %d is shown as %d, and comes back as %d", r, h, r.grey(int(h)), got)
				}
			}
			if r.grey(int(lowest)) != 0 || r.grey(int(highest)) != 0xFFFF {
				t.Fatalf("%+v: black is %d, white %d", r, r.height(0), r.height(0xFFFF))
			}
		}
	}
}

// TestTileColors: each tile has a colour of its own, however many there are.
func TestTileColors(t *testing.T) {
	var grid []ultima9.Point
	for i := range 1 << 12 {
		grid = append(grid, ultima9.Point(i*17&0xFFFF<<16))
	}
	tiles := map[asset.RGBA]ultima9.Point{}
	for tile, color := range tileColors(grid, nil) {
		if was, twice := tiles[color]; twice || color[3] != 0xFF {
			t.Fatalf("%v is the colour of %v and of %v", color, was, tile)
		}
		tiles[color] = tile
	}
	if len(tiles) != len(grid) {
		t.Errorf("%d colours for %d tiles", len(tiles), len(grid))
	}
}

// TestLandStretched: another range beside the pictures stretches the whole land.
func TestLandStretched(t *testing.T) {
	a := paintable(t, lake(t))
	r := u9.Do(keptRange(a.Native))(t)
	a.Native.Values[lowestKey], a.Native.Values[highestKey] = int64(0), int64(2*(r.highest-r.lowest))
	got := u9.Do(lowerGround(a, nil))(t).Grid()
	for i, p := range u9.Do(read.Terrain(lake(t), nil))(t).Grid() {
		if want := 2 * (p.Height() - int(r.lowest)); got[i].Height()-want > 1 || want-got[i].Height() > 1 || got[i].WithHeight(0) != p.WithHeight(0) {
			t.Fatalf("point %d: %v became %v", i, p, got[i])
		}
	}
}

// TestLandRefused: what is no land is refused, with the pixel or the value.
func TestLandRefused(t *testing.T) {
	value := func(key string, v any) func(*asset.Texture) {
		return func(a *asset.Texture) { a.Native.Values[key] = v }
	}
	pixel := func(which int, b ...byte) func(*asset.Texture) {
		return func(a *asset.Texture) {
			m := &a.Frames[which].Mips[0]
			m.Pix = bytes.Clone(m.Pix)
			copy(m.Pix[(32*2+5)*len(b):], b)
		}
	}
	size := func(which, w, h int) func(*asset.Texture) {
		return func(a *asset.Texture) { a.Frames[which].Mips[0] = asset.NewImage(w, h, asset.RGBA8) }
	}
	for name, c := range map[string]struct {
		edit func(*asset.Texture)
		want string
	}{
		"too wide":              {size(0, 33, 32), "heights: 33 x 32 pixels, and the ground that they show has 32 x 32 points"},
		"too low":               {size(1, 32, 31), "tiles: 32 x 31 pixels"},
		"holes too large":       {size(2, 64, 64), "holes: 64 x 64 pixels"},
		"a picture is gone":     {func(a *asset.Texture) { a.Frames = a.Frames[:2] }, "pictures: 2, and there are to be 3"},
		"a picture too many":    {func(a *asset.Texture) { a.Frames = append(a.Frames, a.Frames[0]) }, "pictures: 4"},
		"heights in 8 bits":     {func(a *asset.Texture) { a.Frames[0].Mips[0] = asset.NewImage(32, 32, asset.Gray8) }, "heights: they are a picture in 16-bit grey"},
		"heights in colours":    {size(0, 32, 32), "heights: they are a picture in 16-bit grey"},
		"no tile":               {pixel(1, 9, 8, 7, 255), "tiles: pixel 5, 2: #090807 is the colour of no tile"},
		"half a tile":           {pixel(1, 9, 8, 7, 128), "tiles: pixel 5, 2: it is transparent"},
		"half a hole":           {pixel(2, 128), "holes: pixel 5, 2: #808080 is neither black"},
		"all tiles wrong":       {func(a *asset.Texture) { a.Frames[1].Mips[0] = asset.NewImage(32, 32, asset.Gray8) }, "and so on for 1023 other pixels"},
		"no table":              {value(tilesKey, "none"), "tiles: they are colours and tiles"},
		"no colour":             {value(tilesKey, map[string]any{"#12": "texture=1"}), `tiles: "#12" is no colour`},
		"a name of a colour":    {value(tilesKey, map[string]any{"grass00": "texture=1"}), `"grass00" is no colour`},
		"no words":              {value(tilesKey, map[string]any{"#010203": 7.}), "#010203: 7 is no tile"},
		"another word":          {value(tilesKey, map[string]any{"#010203": "grass"}), `"grass" is neither`},
		"a texture too many":    {value(tilesKey, map[string]any{"#010203": "texture=1024"}), "from 0 to 1023"},
		"a height in the table": {value(tilesKey, map[string]any{"#010203": "texture=1|height=4"}), "a tile is a texture and a frame of it"},
		"below the ground":      {value(lowestKey, -1.), "lowest: -1 is no height from 0 to 4095"},
		"above the sky":         {value(highestKey, 4096.), "highest: 4096 is no height"},
		"no range":              {value(highestKey, nil), "highest: <nil> is no height"},
		"upside down":           {func(a *asset.Texture) { a.Native.Values[lowestKey], a.Native.Values[highestKey] = 9., 9. }, "highest: 9 is not above 9"},
	} {
		a := paintable(t, lake(t))
		a.Native.Values = maps.Clone(a.Native.Values)
		c.edit(a)
		if _, err := Terrain.Lower(a, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	env := &format.Env{}
	env.Options.Ultima9 = format.Ultima9Options{Paint: true, Box: []float64{1e5, 1e5, 2e5, 2e5}}
	if _, err := liftHeights(u9.Do(read.Terrain(lake(t), nil))(t), env); err == nil {
		t.Error("a box outside of the map is shown")
	}
}

// FuzzLand: whatever is painted, or stands beside the pictures, is refused or becomes a map.
func FuzzLand(f *testing.F) {
	f.Add([]byte("abc"), "#010203", "texture=1|frame=2", 0, 300)
	f.Add([]byte{0xFF, 0}, "", "", 4095, 0)
	b := lake(f)
	f.Fuzz(func(t *testing.T, paint []byte, color, tile string, lowest, highest int) {
		a := paintable(t, b)
		a.Native.Values[lowestKey], a.Native.Values[highestKey] = int64(lowest), int64(highest)
		a.Native.Values[tilesKey].(map[string]any)[color] = tile
		for i := range paint {
			m := &a.Frames[i%landPictures].Mips[0]
			m.Pix[(i*131)%len(m.Pix)] = paint[i]
		}
		if x, err := lowerGround(a, nil); err == nil {
			u9.Do(read.Terrain(u9.Do(write.Terrain(x))(t), nil))(t)
		}
	})
}
