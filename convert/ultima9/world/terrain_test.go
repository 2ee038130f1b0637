package world

import (
	"bytes"
	"math"
	"path/filepath"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/gltf"
	"github.com/usher-assets/usher/convert/exchange/png"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/ultima9/look"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/u9"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

func terrainScene(t testing.TB, path string) (*ultima9.Terrain, *asset.Scene) {
	t.Helper()
	x := u9.Do(read.Terrain(corpus.Bytes(t, path), nil))(t)
	return x, u9.Do(liftTerrain(x, u9.Env(t, filepath.Base(path), "install/static")))(t)
}

// ground returns the node of the ground, and water that of the water.

func TestTerrainThroughGLB(t *testing.T) {
	for _, name := range []string{"terrain/terrain.2", "terrain/terrain.5", "terrain/terrain.9", "terrain/terrain.20", "terrain/bits.terrain", "install/static/terrain.9"} {
		path := u9.Synthetic(t, name)
		_, s := terrainScene(t, path)
		s, _ = u9.GLB(t, s)
		corpus.SameBytes(t, name, u9.Lower(t, Terrain, asset.Asset(s), &format.Env{Diagnostics: new(schema.Diagnostics)}), corpus.Bytes(t, path))
	}
}

func TestTerrainMesh(t *testing.T) {
	type corners struct{ A, B, C, D float64 }
	type pairs struct{ A, B, C, D [2]float32 }
	for _, name := range []string{"terrain.2", "terrain.5", "terrain.9", "bits.terrain"} {
		var want struct {
			Samples []struct {
				X, Y, Hole, Texture, Frame, Turns int
				Corner                            corners `json:"corner_z"`
				UV                                pairs
				Edge                              string
				Metres                            [3]float64 `json:"metres_gltf"`
			}
		}
		corpus.JSON(t, u9.Synthetic(t, "terrain", name+".json"), &want)
		_, s := terrainScene(t, u9.Synthetic(t, "terrain", name))
		if len(s.Meshes) == 0 {
			t.Fatal(name, "no mesh")
		}
		// The corners of every cell, by its place.
		type cell struct {
			z      [4]float64
			uv     [4][2]float32
			tris   [6]uint32
			p      *asset.Primitive
			corner [3]float32
		}
		cells := map[[2]int]cell{}
		for _, p := range u9.NodeNamed(t, s, "ground").Mesh.Primitives {
			for i := 0; i < len(p.Positions); i += 4 {
				a := p.Positions[i]
				c := cell{p: p, corner: a, uv: [4][2]float32(p.TexCoords[0][i:])}
				for k := range 4 {
					c.z[k] = float64(p.Positions[i+k][2])
				}
				for k := range c.tris {
					c.tris[k] = p.Indices[i/4*6+k] - uint32(i)
				}
				cells[[2]int{int(a[0]) / ultima9.PointStep, int(a[1]) / ultima9.PointStep}] = c
			}
		}
		for _, w := range want.Samples {
			c, ok := cells[[2]int{w.X, w.Y}]
			if ok != (w.Hole == 0 && w.Texture != ultima9.BuriedTexture) {
				t.Errorf("%s: cell %d, %d is there: %v", name, w.X, w.Y, ok)
			}
			if !ok {
				continue
			}
			if got := (corners{c.z[0], c.z[1], c.z[2], c.z[3]}); got != w.Corner {
				t.Errorf("%s: cell %d, %d has heights %v, want %v", name, w.X, w.Y, got, w.Corner)
			}
			if got := (pairs{c.uv[0], c.uv[1], c.uv[2], c.uv[3]}); got != w.UV {
				t.Errorf("%s: cell %d, %d has coordinates %v, want %v", name, w.X, w.Y, got, w.UV)
			}
			edge := map[[6]uint32]string{cellTriangles[0]: "A-D", cellTriangles[1]: "B-C"}[c.tris]
			if edge != w.Edge {
				t.Errorf("%s: cell %d, %d is cut along %s, want %s", name, w.X, w.Y, edge, w.Edge)
			}
			metres := [3]float64{float64(c.corner[0]) / 40, float64(c.corner[2]) / 40, -float64(c.corner[1]) / 40}
			for k := range metres {
				if math.Abs(metres[k]-w.Metres[k]) > 1e-4 {
					t.Errorf("%s: cell %d, %d is at %v, want %v", name, w.X, w.Y, metres, w.Metres)
				}
			}
			if title := (look.Picture{Slot: uint16(w.Texture), Frame: uint8(w.Frame)}).Title(); c.p.Material.Name != title || c.p.Material.BaseColorTexture.WrapS != asset.Clamp {
				t.Errorf("%s: cell %d, %d has material %s, want %s", name, w.X, w.Y, c.p.Material.Name, title)
			}
		}
	}
}

// TestTerrainEdits changes a scene as an editor would and looks at exactly these points.
func TestTerrainEdits(t *testing.T) {
	path := u9.Synthetic(t, "terrain/terrain.9")
	stored, s := terrainScene(t, path)
	s, _ = u9.GLB(t, s)
	want := stored.Grid()
	w := int(stored.Width)
	ground := u9.NodeNamed(t, s, "ground")

	// Raise a point: all vertices there.
	at := [2]float32{20 * ultima9.PointStep, 11 * ultima9.PointStep}
	moved := 0
	for _, p := range ground.Mesh.Primitives {
		for i, v := range p.Positions {
			if v[0] == at[0] && v[1] == at[1] {
				p.Positions[i][2] += 5*ultima9.HeightStep + 0.4
				moved++
			}
		}
	}
	want[11*w+20] = want[11*w+20].WithHeight(want[11*w+20].Height() + 5)
	// Cut a hole: the last cell of the first primitive.
	p := ground.Mesh.Primitives[0]
	corner := p.Positions[p.Indices[len(p.Indices)-6]]
	p.Indices = p.Indices[:len(p.Indices)-6]
	i := int(corner[1])/ultima9.PointStep*w + int(corner[0])/ultima9.PointStep
	want[i] |= 1 << 12
	// Turn the picture of its first cell.
	q := ground.Mesh.Primitives[1]
	turned := q.Positions[q.Indices[0]]
	j := int(turned[1])/ultima9.PointStep*w + int(turned[0])/ultima9.PointStep
	turns := (want[j].Turns() + 1) % 4
	for k := range 4 {
		q.TexCoords[0][k] = cellUV[turns][k]
	}
	want[j] = ultima9.MakePoint(want[j].Height(), want[j].Hole(), turns, want[j].Diagonal(), want[j].Frame(), want[j].Texture())
	// Raise the water, and paint with another texture what had the last one.
	water := u9.NodeNamed(t, s, "water")
	water.Transform.Translation[2] = 33
	last := ground.Mesh.Primitives[len(ground.Mesh.Primitives)-1]
	was, _, _ := look.Chosen(last.Material, nil)
	last.Material.Name = "texture_77_f3.001"
	for i, v := range want {
		if v.Visible() && v.Texture() == int(was.Slot) && v.Frame() == int(was.Frame) {
			want[i] = ultima9.MakePoint(v.Height(), false, v.Turns(), v.Diagonal(), 3, 77)
		}
	}

	got := u9.Do(lowerTerrain(s, nil))(t)
	if got.WaterLevel != stored.WaterLevel+33 || moved == 0 {
		t.Errorf("water at %d, %d vertices moved", got.WaterLevel, moved)
	}
	for i, v := range got.Grid() {
		if v != want[i] {
			t.Errorf("point %d, %d is %08x, want %08x, was %08x", i%w, i/w, uint32(v), uint32(want[i]), uint32(stored.At(i%w, i/w)))
		}
	}
}

func TestTerrainWithoutGroundStays(t *testing.T) {
	path := u9.Synthetic(t, "terrain/terrain.9")
	_, s := terrainScene(t, path)
	u9.NodeNamed(t, s, "u9_terrain").Children = nil
	env := &format.Env{Diagnostics: new(schema.Diagnostics)}
	b := u9.Do(write.Terrain(u9.Do(lowerTerrain(s, env))(t)))(t)
	corpus.SameBytes(t, "terrain", b, corpus.Bytes(t, path))
	if !env.Diagnostics.Has("no-ground") {
		t.Error("nothing was said of the missing ground")
	}
}

// TestTerrainFromForeignMesh samples a mesh that is no grid: a slope of two large triangles.
func TestTerrainFromForeignMesh(t *testing.T) {
	n := asset.NewNode("slope")
	m := asset.NewMaterial("texture_5")
	n.Mesh = &asset.Mesh{Primitives: []*asset.Primitive{{Material: m, Indices: []uint32{0, 1, 2, 1, 3, 2},
		Positions: [][3]float32{{0, 0, 0}, {51.2, 5.12, 0}, {0, 0, -51.2}, {51.2, 5.12, -51.2}}}}}
	x := u9.Do(lowerTerrain(&asset.Scene{Roots: []*asset.Node{n}}, nil))(t)
	if x.Width != 16 || x.Height != 16 {
		t.Fatalf("%d x %d points", x.Width, x.Height)
	}
	for i := range 16 {
		// 5.12 m in 16 points of 3.2 m: 0.32 m a point, which is 12.8 raw units or 3.2 steps.
		if p := x.At(i, 7); p.Height() != int(math.Round(3.2*float64(i))) || p.Texture() != 5 || !p.Visible() {
			t.Errorf("point %d: height %d, texture %d", i, p.Height(), p.Texture())
		}
	}
}

func TestHeightMap(t *testing.T) {
	env := u9.Env(t, "terrain.9")
	a := u9.Lift(t, Heights, corpus.Bytes(t, u9.Synthetic(t, "terrain/terrain.9")), env)
	want := u9.Do(png.Decode(bytes.NewReader(corpus.Bytes(t, u9.Synthetic(t, "terrain/terrain.9.height.png")))))(t)
	corpus.SameBytes(t, "height map", a.Base().Pix, want.Base().Pix)
	again := u9.Lower(t, Heights, a, env)
	corpus.SameBytes(t, "unpainted", again, corpus.Bytes(t, u9.Synthetic(t, "terrain/terrain.9")))

	painted := u9.Do(png.Decode(bytes.NewReader(corpus.Bytes(t, u9.Synthetic(t, "edits/terrain.height.png")))))(t)
	painted.Native = a.Native
	got := u9.Lower(t, Heights, painted, env)
	corpus.SameBytes(t, "painted", got, corpus.Bytes(t, u9.Synthetic(t, "edits/terrain.new")))

	plain := u9.Do(Heights.Lower(&asset.Texture{Frames: painted.Frames}, env))(t)
	if plain.Width != 64 || plain.At(5, 3).Height() == 0 {
		t.Errorf("a terrain from a picture alone: %d wide, height %d", plain.Width, plain.At(5, 3).Height())
	}
}

// wideTerrain returns a terrain of n x n points, every tile of its own.
func wideTerrain(n int) *ultima9.Terrain {
	t := &ultima9.Terrain{Width: uint32(n), Height: uint32(n), Tiles: make([]uint16, n*n/256), Chunks: make([]ultima9.Chunk, n*n/256)}
	for i := range t.Tiles {
		t.Tiles[i] = uint16(i)
		for j := range t.Chunks[i] {
			t.Chunks[i][j] = ultima9.MakePoint((i*31+j*7)%4096, false, j%4, (j+j/16)%2 == 1, 0, i%30)
		}
	}
	return t
}

func BenchmarkTerrainLift(b *testing.B) {
	t := wideTerrain(512)
	b.SetBytes(512 * 512 * 4)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := liftTerrain(t, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkTerrainLower(b *testing.B) {
	s, err := liftTerrain(wideTerrain(512), nil)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(512 * 512 * 4)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := lowerTerrain(s, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkTerrainThroughGLB takes a map of a sixteenth of the largest size to GLB and back.
func BenchmarkTerrainThroughGLB(b *testing.B) {
	const side = 1024
	t := wideTerrain(side)
	b.SetBytes(side * side * 4)
	b.ReportAllocs()
	for b.Loop() {
		s, err := liftTerrain(t, nil)
		if err != nil {
			b.Fatal(err)
		}
		again, _ := u9.GLB(b, s)
		if _, err := lowerTerrain(again, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// TestLargeTerrain takes a map through a GLB that neither way holds as vertices: its pieces are made and read one after
// the other.
func TestLargeTerrain(t *testing.T) {
	x := wideTerrain(1152)
	s := u9.Do(liftTerrain(x, nil))(t)
	var b bytes.Buffer
	u9.Must(t, gltf.Encode(&b, s, gltf.Options{}))
	u9.Keep(t, "large terrain.glb", b.Bytes())
	again := u9.Do(gltf.DecodeAt(bytes.NewReader(b.Bytes()), int64(b.Len()), nil, nil))(t)
	for _, s := range []*asset.Scene{s, again} {
		loads := 0
		for _, p := range u9.NodeNamed(t, s, "ground").Mesh.Primitives {
			if p.Load != nil && p.Positions == nil {
				loads++
			}
		}
		if loads < 1152*1152/pieceCells {
			t.Errorf("%d pieces are made when they are needed", loads)
		}
		corpus.SameBytes(t, "terrain", u9.Do(write.Terrain(u9.Do(lowerTerrain(s, nil))(t)))(t), u9.Do(write.Terrain(x))(t))
	}

	if _, err := gltf.DecodeAt(bytes.NewReader(b.Bytes()[:b.Len()-100]), int64(b.Len()-100), nil, nil); schema.Class(err) != schema.ErrTruncated {
		t.Errorf("a cut file: %v", err)
	}

	// An edit of one vertex that nothing shares changes one height.
	u9.Must(t, again.LoadAll())
	p := u9.NodeNamed(t, again, "ground").Mesh.Primitives[3]
	at := p.Positions[40]
	p.Positions[40][2] = 4 * float32((int(at[2])/4+1000)%4096)
	got := u9.Do(lowerTerrain(again, nil))(t)
	changed := 0
	for y := range 1152 {
		for i := range 1152 {
			if got.At(i, y) != x.At(i, y) {
				changed++
			}
		}
	}
	if changed != 1 {
		t.Errorf("%d points changed", changed)
	}
}

// TestTerrainTooLarge lifts a small file whose tiles all share one chunk.
func TestTerrainTooLarge(t *testing.T) {
	x := &ultima9.Terrain{Width: 16384, Height: 16384, Tiles: make([]uint16, 1024*1024), Chunks: make([]ultima9.Chunk, 1)}
	if _, err := liftTerrain(x, nil); schema.Class(err) != schema.ErrLimit {
		t.Error(err)
	}
	if _, err := liftHeights(x, nil); schema.Class(err) != schema.ErrLimit {
		t.Error(err)
	}
}

func TestTerrainOfManyLayers(t *testing.T) {
	_, s := terrainScene(t, u9.Synthetic(t, "terrain/terrain.9"))
	p := u9.NodeNamed(t, s, "ground").Mesh.Primitives[0]
	p.Positions = append(p.Positions, [3]float32{-1e5, -1e5, 0}, [3]float32{1e5, -1e5, 0}, [3]float32{0, 1e5, 0})
	p.TexCoords = nil
	n := uint32(len(p.Positions))
	for range 1000 {
		p.Indices = append(p.Indices, n-3, n-2, n-1)
	}
	if _, err := lowerTerrain(s, nil); schema.Class(err) != schema.ErrLimit {
		t.Error(err)
	}
}
