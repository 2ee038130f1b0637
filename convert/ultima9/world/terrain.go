package world

import (
	"encoding/binary"
	"fmt"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/ultima9/look"
	"github.com/usher-assets/usher/convert/ultima9/model"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// Names of formats, and of the nodes of a terrain.
const (
	TerrainName = "u9-terrain"
	HeightsName = "u9-heights"
	waterNode   = "water"
	groundNode  = "ground"
)

// Terrain holds the typed functions for one format: terrain.
var Terrain = format.Functions[ultima9.Terrain, asset.Asset]{
	Read:  read.Terrain,
	Write: write.Terrain,
	Facts: terrainFacts,
	Lift:  func(t *ultima9.Terrain, env *format.Env) (asset.Asset, error) { return liftTerrain(t, env) },
	Lower: lowerGround,
}

// Heights holds the typed functions for one format: terrain as a height map.
var Heights = format.Functions[ultima9.Terrain, *asset.Texture]{
	Read:  read.Terrain,
	Write: write.Terrain,
	Facts: terrainFacts,
	Lift:  liftHeights,
	Lower: lowerHeights,
}

// lowerGround makes a terrain of a mesh, or of a picture of its heights.
func lowerGround(a asset.Asset, env *format.Env) (*ultima9.Terrain, error) {
	switch a := a.(type) {
	case *asset.Texture:
		return lowerHeights(a, env)
	case *asset.Scene:
		return lowerTerrain(a, env)
	}
	return nil, format.NotFrom(TerrainName, a)
}

func terrainFacts(t *ultima9.Terrain) []format.Fact {
	textures, holes := map[int]bool{}, 0
	for _, n := range t.Tiles {
		for _, p := range &t.Chunks[n] {
			textures[p.Texture()] = true
			if p.Hole() {
				holes++
			}
		}
	}
	return []format.Fact{
		{Name: "name", Value: t.Name.Text}, {Name: "points", Value: fmt.Sprintf("%d x %d", t.Width, t.Height)},
		{Name: "chunks", Value: len(t.Chunks)}, {Name: "textures", Value: len(textures)}, {Name: "holes", Value: holes},
		{Name: "water level", Value: int(t.WaterLevel)},
	}
}

// terrainNative carries the whole file: stored, or what it is written as when that is nil.
func terrainNative(t *ultima9.Terrain, name string, stored []byte) (*asset.Native, error) {
	payload := stored
	if payload == nil {
		var err error
		if payload, err = write.Terrain(t); err != nil {
			return nil, err
		}
	}
	values := terrainFields(t).Values()
	values["name"] = t.Name.Text
	return &asset.Native{Format: name, Payload: payload, Values: values}, nil
}

// terrainFields are those that a person may edit, by their names.
func terrainFields(t *ultima9.Terrain) scene.Fields {
	return scene.Fields{"waterLevel": &t.WaterLevel, "waveAmplitude": &t.WaveAmplitude, "flags": &t.Flags}
}

// storedTerrain takes the file out of a Native, with the values that a person may have changed.
func storedTerrain(n *asset.Native) (*ultima9.Terrain, error) {
	t, err := read.Terrain(n.Payload, nil)
	if err != nil {
		return nil, err
	}
	if err := checkPoints(t.Width, t.Height); err != nil {
		return nil, err
	}
	if name, ok := n.Values["name"].(string); ok && name != t.Name.Text {
		if err := t.Name.Set(name, ultima9.TerrainNameSize); err != nil {
			return nil, err
		}
	}
	return t, terrainFields(t).Take(n.Format, "", n)
}

// storedLevel returns the level of the water in a Native's file.
func storedLevel(n *asset.Native) int32 {
	const at = 0x88
	if len(n.Payload) < at+4 {
		return 0
	}
	return int32(binary.LittleEndian.Uint32(n.Payload[at:]))
}

// liftTerrain makes a scene: below a root node that turns raw units into metres, the ground with one primitive for each
// frame of a texture, and the water as a square at its level. Each cell has four vertices of its own, since its picture
// is its own; cells that are holes are left out (reference section 8).
func liftTerrain(t *ultima9.Terrain, env *format.Env) (*asset.Scene, error) {
	s := &asset.Scene{Name: env.EntryName("terrain")}
	root, err := terrainNode(t, s, look.NewLifter(s, env), storedBytes(env))
	if err != nil {
		return nil, err
	}
	s.Roots = []*asset.Node{root}
	if len(root.Children) == 0 {
		s.Native = scene.Spare(root.Native) // programs leave out what shows nothing
	}
	return s, nil
}

// storedBytes returns the bytes that a value was read from, nil when they are not known.
func storedBytes(env *format.Env) []byte {
	if env == nil {
		return nil
	}
	return env.Stored
}

// checkPoints refuses maps that are too large for a scene: tiles share chunks, so that a small file can hold a huge one.
func checkPoints(w, h uint32) error {
	const bytesPerPoint = 4*(12+8) + 6*4 // vertices without normals, and indices
	if n := uint64(w) * uint64(h); n > uint64(schema.DefaultLimits.Decoded)/bytesPerPoint {
		return schema.Errorf(TerrainName, schema.ErrLimit, "size", "%d x %d points are too many for a scene", w, h)
	}
	return nil
}

// terrainNode adds a terrain to a scene; stored are the bytes that it was read from, nil when they are not known.
func terrainNode(t *ultima9.Terrain, s *asset.Scene, l *look.Lifter, stored []byte) (*asset.Node, error) {
	if err := checkPoints(t.Width, t.Height); err != nil {
		return nil, err
	}
	root := asset.NewNode("u9_terrain")
	root.Transform = model.RootTransform
	var err error
	if root.Native, err = terrainNative(t, TerrainName, stored); err != nil {
		return nil, err
	}
	scene.Call(root)
	box := mapBoxOf(l.Env)
	box.keep(root.Native)
	if ground := groundMesh(t, l, box); len(ground.Primitives) > 0 {
		n := asset.NewNode(groundNode)
		n.Mesh = ground
		s.Meshes = append(s.Meshes, ground)
		root.Children = append(root.Children, n)
	}
	if len(t.Tiles) > 0 {
		n := asset.NewNode(waterNode)
		n.Mesh = waterMesh(t, s, box)
		s.Meshes = append(s.Meshes, n.Mesh)
		root.Children = append(root.Children, n)
	}
	return root, nil
}

// waterLook returns the material that water is shown with: a terrain stores none.
func waterLook() *asset.Material {
	m := asset.NewMaterial(waterNode)
	m.BaseColor = [4]float32{0.05, 0.2, 0.3, 0.6}
	m.Roughness, m.Alpha = 0.2, asset.Blend
	return m
}

// waterMesh makes a square at the level of the water.
func waterMesh(t *ultima9.Terrain, s *asset.Scene, box mapBox) *asset.Mesh {
	m := waterLook()
	s.Materials = append(s.Materials, m)
	x0, y0, x1, y1 := box.cells(int(t.Width), int(t.Height))
	left, near, x, y, z := float32(x0*ultima9.PointStep), float32(y0*ultima9.PointStep), float32(x1*ultima9.PointStep), float32(y1*ultima9.PointStep), float32(t.WaterLevel)
	return &asset.Mesh{Name: waterNode, Primitives: []*asset.Primitive{{
		Positions: [][3]float32{{left, near, z}, {x, near, z}, {left, y, z}, {x, y, z}},
		Normals:   [][3]float32{{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}},
		Indices:   []uint32{0, 1, 3, 0, 3, 2}, Material: m,
	}}}
}

// liftHeights makes a picture of the heights.
func liftHeights(t *ultima9.Terrain, env *format.Env) (*asset.Texture, error) {
	native, err := terrainNative(t, HeightsName, storedBytes(env))
	if err != nil {
		return nil, err
	}
	if err := checkPoints(t.Width, t.Height); err != nil {
		return nil, err
	}
	if len(t.Tiles) == 0 {
		return nil, schema.Errorf(HeightsName, schema.ErrUnsupported, "size", "a terrain of no points is no picture")
	}
	if env != nil && env.Options.Ultima9.Paint {
		return liftLand(t, native, env)
	}
	m := asset.NewImage(t.TilesWide()*ultima9.TileSide, t.TilesHigh()*ultima9.TileSide, asset.Gray16)
	for i, p := range t.Grid() {
		binary.LittleEndian.PutUint16(m.Pix[2*i:], uint16(p.Height()))
	}
	return &asset.Texture{Name: env.EntryName("heights"), Frames: []asset.Frame{{Mips: []asset.Image{m}}}, Native: native}, nil
}

// lowerHeights puts the heights of a picture into the terrain that it was made from; all else stays. A picture of its
// own makes a plain terrain.
func lowerHeights(a *asset.Texture, env *format.Env) (*ultima9.Terrain, error) {
	if isLand(a.Native) {
		return lowerLand(a)
	}
	m := a.Base()
	if m == nil || m.Format != asset.Gray16 || len(m.Pix) != m.Width*m.Height*m.Format.Bytes() {
		return nil, schema.Errorf(HeightsName, schema.ErrUnsupported, "pixels", "a height map is a picture in 16-bit grey, whose values are the heights from 0 to %d: in fewer bits or in colours they are lost", ultima9.MaxHeight)
	}
	var t *ultima9.Terrain
	if n := a.Native; n != nil && (n.Format == HeightsName || n.Format == TerrainName) && len(n.Payload) > 0 {
		var err error
		if t, err = storedTerrain(n); err != nil {
			return nil, err
		}
	} else {
		var err error
		if t, err = plainTerrain(m.Width, m.Height); err != nil {
			return nil, err
		}
	}
	grid := t.Grid()
	if m.Width != t.TilesWide()*ultima9.TileSide || len(grid) != m.Width*m.Height {
		return nil, schema.Errorf(HeightsName, schema.ErrMismatch, "size", "%d x %d pixels for %d x %d points", m.Width, m.Height, t.Width, t.Height)
	}
	cut := 0
	for i := range grid {
		v := int(binary.LittleEndian.Uint16(m.Pix[2*i:]))
		if v > ultima9.MaxHeight {
			cut++
			v = ultima9.MaxHeight
		}
		grid[i] = grid[i].WithHeight(v)
	}
	if cut > 0 {
		env.Told().Lossf("height-range", "", "%d heights above %d were cut", cut, ultima9.MaxHeight)
	}
	return t, t.SetGrid(grid)
}

// plainTerrain returns a terrain with one texture and the diagonals that the game's maps have.
func plainTerrain(w, h int) (*ultima9.Terrain, error) {
	if w <= 0 || h <= 0 || w%ultima9.TileSide != 0 || h%ultima9.TileSide != 0 || w > schema.DefaultLimits.Side || h > schema.DefaultLimits.Side {
		return nil, schema.Errorf(TerrainName, schema.ErrMismatch, "size", "%d x %d points, multiples of %d expected", w, h, ultima9.TileSide)
	}
	if err := checkPoints(uint32(w), uint32(h)); err != nil {
		return nil, err
	}
	t := &ultima9.Terrain{Width: uint32(w), Height: uint32(h), Tiles: make([]uint16, w/ultima9.TileSide*h/ultima9.TileSide), Chunks: make([]ultima9.Chunk, 1)}
	for i := range t.Chunks[0] {
		t.Chunks[0][i] = ultima9.MakePoint(0, false, 0, (i%ultima9.TileSide+i/ultima9.TileSide)%2 == 1, 0, 1)
	}
	return t, nil
}
