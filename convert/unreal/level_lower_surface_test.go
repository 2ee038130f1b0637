package unreal

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// gallery is the hall with a wall of two nodes and one surface in Wall, one beside it in Floor, and the brush that they were built
// of. Large is a texture of another size, Spare one that no surface wears.
func gallery(t testing.TB, version uint16) *archive {
	t.Helper()
	a := hall(t, version)
	for name, size := range map[string][2]int{"Floor": {8, 4}, "Spare": {8, 4}, "Large": {16, 16}} {
		add(t, a, name, checkerboard(size[0], size[1]), format.Texture)
	}
	m, err := pack.As[unreal.Model](a.File, int(a.FindExport("Model0", "Model")-1))
	if err != nil {
		t.Fatal(err)
	}
	whole, err := a.joined(m)
	if err != nil {
		t.Fatal(err)
	}
	tree := *whole
	tree.Points = append(tree.Points, [3]float32{128, 64, 0}, [3]float32{256, 0, 0}, [3]float32{256, 64, 0})
	tree.Verts, tree.Nodes = nil, nil
	for i, corners := range [][]int32{{0, 1, 2}, {1, 3, 2}, {1, 4, 5, 3}} {
		n := whole.Nodes[0]
		n.VertPool, n.Count, n.Surf = int32(len(tree.Verts)), uint8(len(corners)), int32(i/2)
		for _, c := range corners {
			tree.Verts = append(tree.Verts, unreal.BspVert{Point: c, Side: -1})
		}
		tree.Nodes = append(tree.Nodes, n)
	}
	brush := a.FindExport("Brush0", "Brush")
	wall := tree.Surfs[0]
	wall.Actor, wall.Flags = brush, 0x20
	floor := wall
	floor.Texture, floor.BrushPoly, floor.PanU, floor.PanV = a.FindExport("Floor", "Texture"), 2, 5, -6
	tree.Surfs = []unreal.BspSurf{wall, floor}
	if old := m.Old; old != nil {
		put(t, a, old.Points, &unreal.Vectors{Vectors: tree.Points, Capacity: int32(len(tree.Points))})
		put(t, a, old.Nodes, &unreal.BspNodes{Nodes: tree.Nodes, Zones: tree.Zones, Capacity: int32(len(tree.Nodes))})
		put(t, a, old.Surfs, &unreal.BspSurfs{Surfs: tree.Surfs, Capacity: int32(len(tree.Surfs))})
		put(t, a, old.Verts, &unreal.Verts{Verts: tree.Verts, SharedSides: 4, Capacity: int32(len(tree.Verts))})
	} else {
		put(t, a, a.FindExport("Model0", "Model"), &tree)
	}
	shape := a.AddExport(a.AddClass("Engine", "Model"), 0, "Model1", unreal.LoadFlags)
	polys := a.AddExport(a.AddClass("Engine", "Polys"), 0, "Polys1", unreal.LoadFlags)
	poly := unreal.Poly{TextureU: [3]float32{1, 0, 0}, TextureV: [3]float32{0, 1, 0}, Normal: [3]float32{0, 0, 1}, Vertices: tree.Points[:3], Texture: wall.Texture, PanU: 3, Flags: 0x100}
	joined, other := poly, poly
	other.Link, other.Texture, other.PanU, other.PanV = 2, floor.Texture, 5, -6
	put(t, a, polys, &unreal.Polys{Polys: []unreal.Poly{poly, joined, other}, Capacity: 3})
	model := &unreal.Model{LightBits: []byte{}, Polys: polys, RootOutside: 1}
	if m.Old != nil {
		model.Old = &unreal.OldModel{}
	}
	put(t, a, shape, model)
	o, err := a.Object(int(brush - 1))
	if err != nil {
		t.Fatal(err)
	}
	o.Base().Set("Brush", unreal.ObjectProperty, int32(shape))
	put(t, a, brush, o)
	return openBytes(t, "Gallery.unr", written(t, a))
}

// surfaces tells what the surfaces of the world and the polygons of the brush are like.
func surfaces(t testing.TB, a *archive) string {
	t.Helper()
	m, err := pack.As[unreal.Model](a.File, int(a.FindExport("Model0", "Model")-1))
	if err == nil {
		m, err = a.joined(m)
	}
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, s := range m.Surfs {
		list = append(list, fmt.Sprintf("%s %#x %d,%d", a.ObjectName(s.Texture), s.Flags, s.PanU, s.PanV))
	}
	p, err := pack.As[unreal.Polys](a.File, int(a.FindExport("Polys1", "Polys")-1))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range p.Polys {
		list = append(list, fmt.Sprintf("(%s %#x %d,%d)", a.ObjectName(p.Texture), p.Flags, p.PanU, p.PanV))
	}
	return strings.Join(list, " ")
}

// TestSurfaces: surfaces take the textures, flags and pans that a scene shows, with the polygons of their brush; what they cannot
// take is named.
func TestSurfaces(t *testing.T) {
	const (
		asItWas   = "Wall 0x20 3,0 Floor 0x20 5,-6 (Wall 0x100 3,0) (Wall 0x100 3,0) (Floor 0x100 5,-6)"
		wallFloor = "Floor 0x20 3,0 Floor 0x20 5,-6 (Floor 0x100 3,0) (Floor 0x100 3,0) (Floor 0x100 5,-6)"
	)
	walls := func(s *asset.Scene) (wall, floor *asset.Primitive) {
		n, _ := nodeNamed(t, s, geometryName)
		return n.Mesh.Primitives[0], n.Mesh.Primitives[1]
	}
	shift := func(p *asset.Primitive, u, v float32) {
		for i := range p.TexCoords[0] {
			p.TexCoords[0][i][0] += u
			p.TexCoords[0][i][1] += v
		}
	}
	named := func(name string) *asset.Material {
		m := asset.NewMaterial(name)
		return m
	}
	for _, c := range []struct {
		name string
		do   func(s *asset.Scene)
		want string
		told string
	}{
		{"as it was", func(s *asset.Scene) {}, asItWas, ""},
		{"a material of the level", func(s *asset.Scene) { w, f := walls(s); w.Material = f.Material }, wallFloor, ""},
		{"two swapped", func(s *asset.Scene) { w, f := walls(s); w.Material, f.Material = f.Material, w.Material },
			"Floor 0x20 3,0 Wall 0x20 5,-6 (Floor 0x100 3,0) (Floor 0x100 3,0) (Wall 0x100 5,-6)", ""},
		{"a new material, called as a texture", func(s *asset.Scene) {
			w, _ := walls(s)
			w.Material = named("Spare.001")
			s.Materials = append(s.Materials, w.Material)
		}, "Spare 0x20 3,0 Floor 0x20 5,-6 (Spare 0x100 3,0) (Spare 0x100 3,0) (Floor 0x100 5,-6)", "material-look"},
		{"one that nobody knows", func(s *asset.Scene) {
			w, _ := walls(s)
			w.Material = named("Paint")
			s.Materials = append(s.Materials, w.Material)
		}, asItWas, "surface material"},
		{"moved by texels", func(s *asset.Scene) { w, _ := walls(s); shift(w, 2./8, -3./4) },
			"Wall 0x20 5,-3 Floor 0x20 5,-6 (Wall 0x100 5,-3) (Wall 0x100 5,-3) (Floor 0x100 5,-6)", ""},
		{"moved by many repeats", func(s *asset.Scene) { w, _ := walls(s); shift(w, 5000, 0) }, asItWas, ""},
		{"moved by half a texel", func(s *asset.Scene) { w, _ := walls(s); shift(w, 0.5/8, 0) }, asItWas, "surface"},
		{"scaled", func(s *asset.Scene) {
			w, _ := walls(s)
			for i := range w.TexCoords[0] {
				w.TexCoords[0][i][0] *= 2
			}
		}, asItWas, "surface"},
		{"a flag", func(s *asset.Scene) { w, _ := walls(s); w.Material.Unlit = true },
			"Wall 0x400020 3,0 Floor 0x20 5,-6 (Wall 0x400100 3,0) (Wall 0x400100 3,0) (Floor 0x100 5,-6)", ""},
		{"flags by number", func(s *asset.Scene) { _, f := walls(s); f.Material.Native.Values["polyFlags"] = 0x224 },
			"Wall 0x20 3,0 Floor 0x224 5,-6 (Wall 0x100 3,0) (Wall 0x100 3,0) (Floor 0x304 5,-6)", ""},
		{"another structure", func(s *asset.Scene) { _, f := walls(s); f.Material.Native.Values["polyFlags"] = 0x8 }, asItWas, "surface"},
		{"a texture on a part of a surface", func(s *asset.Scene) {
			w, f := walls(s)
			f.Positions, f.Normals = append(f.Positions, w.Positions[3:]...), append(f.Normals, w.Normals[3:]...)
			f.TexCoords[0] = append(f.TexCoords[0], w.TexCoords[0][3:]...)
			f.Indices = append(f.Indices, 4, 6, 5)
			w.Positions, w.Normals, w.TexCoords[0], w.Indices = w.Positions[:3], w.Normals[:3], w.TexCoords[0][:3], w.Indices[:3]
		}, asItWas, "surface"},
		{"a triangle moved", func(s *asset.Scene) { w, f := walls(s); w.Positions[0][0] += 9; w.Material = f.Material }, asItWas, "reshaped"},
		{"a triangle gone", func(s *asset.Scene) { w, f := walls(s); w.Indices = w.Indices[:3]; w.Material = f.Material }, asItWas, "reshaped"},
		{"no extras at all", func(s *asset.Scene) {
			w, f := walls(s)
			w.Material = f.Material
			for _, m := range s.Materials {
				m.Native = nil
			}
		}, wallFloor, ""},
	} {
		for _, version := range []uint16{69, 61} {
			a := gallery(t, version)
			if version == 69 && surfaces(t, a) != asItWas {
				t.Fatal(surfaces(t, a))
			}
			a.Env.Diagnostics = &schema.Diagnostics{}
			s := through(t, lifted(t, a, "MyLevel")).(*asset.Scene)
			c.do(s)
			now := checked(t, scenedWith(t, a, s))
			if got := surfaces(t, now); got != c.want {
				t.Errorf("%s, version %d:\n got %s\nwant %s", c.name, version, got, c.want)
			}
			codes := []string{}
			for _, d := range a.Env.Diagnostics.All() {
				if d.Severity == schema.Loss {
					codes = append(codes, d.Code)
				}
			}
			if got := strings.Join(slices.Compact(codes), " "); got != c.told {
				t.Errorf("%s, version %d: told %q, want %q: %v", c.name, version, got, c.told, a.Env.Diagnostics.All())
			}
		}
	}
}

// TestSurfaceFlags: a surface takes every poly flag but those that the build of a world goes by, and only those are refused.
func TestSurfaceFlags(t *testing.T) {
	for bit := range 32 {
		flag := uint32(1) << bit
		built := flag&(0x8|0x20|0x10000|0x4000000|0xF3000000) != 0
		a, d := gallery(t, 69), new(schema.Diagnostics)
		a.Env.Diagnostics = d
		s := through(t, lifted(t, a, "MyLevel")).(*asset.Scene)
		n, _ := nodeNamed(t, s, geometryName)
		m := n.Mesh.Primitives[1].Material
		m.Native.Values["polyFlags"] = int64(0x20 ^ flag)
		now := scenedWith(t, a, s)
		arrived := strings.Contains(surfaces(t, now), fmt.Sprintf("Floor %#x 5,-6", 0x20^flag))
		if arrived == built || d.Has("surface") != built {
			t.Errorf("flag %#x: %s, told %v", flag, surfaces(t, now), d.All())
		}
	}
}

// TestPaintedOnNothing: a tree that leads nowhere is not taken for one without walls, which any triangle would be another one than.
func TestPaintedOnNothing(t *testing.T) {
	corner, point := unreal.BspVert{}, [][3]float32{{}}
	for _, c := range []struct {
		tree unreal.Model
		want string
	}{
		{unreal.Model{Nodes: []unreal.BspNode{{Count: 3, Surf: 1}}, Surfs: []unreal.BspSurf{{}}}, "surf"},
		{unreal.Model{Nodes: []unreal.BspNode{{Count: 3}}, Surfs: []unreal.BspSurf{{}}, Verts: []unreal.BspVert{corner, corner}}, "vertex pool"},
		{unreal.Model{Nodes: []unreal.BspNode{{Count: 3}}, Surfs: []unreal.BspSurf{{}}, Verts: []unreal.BspVert{corner, corner, corner}}, "base point"},
		{unreal.Model{Nodes: []unreal.BspNode{{Count: 3}}, Surfs: []unreal.BspSurf{{TextureV: 1}}, Verts: []unreal.BspVert{corner, corner, corner}, Points: point, Vectors: point}, "texture axis"},
		{unreal.Model{Nodes: []unreal.BspNode{{Count: 3}}, Surfs: []unreal.BspSurf{{}}, Verts: []unreal.BspVert{corner, corner, {Point: 1}}, Points: point, Vectors: point}, "point"},
	} {
		c.tree.Context = &unreal.Context{Path: "Model0"}
		known, err := (&repainter{m: &c.tree}).find(&asset.Mesh{})
		if known || schema.Class(err) != schema.ErrRange || !strings.Contains(err.Error(), c.want+": Model0: node 0 leads to") {
			t.Errorf("%s: known %v: %v", c.want, known, err)
		}
	}
}

// TestStill: a texture whose size nobody knows lies where it did if one of the sizes that there are says so.
func TestStill(t *testing.T) {
	wall := &polygon{axisU: [3]float32{1, 0, 0}, axisV: [3]float32{0, 1, 0}, base: [3]float32{1, 2, 3}}
	points := [3][3]float32{{0, 0, 0}, {4096, 0, 0}, {0, 4096, 0}}
	for _, c := range []struct {
		width, height float32
		panU, panV    int16 // of the surface
		moved         float32
		want          bool
	}{
		{1, 1, 0, 0, 0, true}, {8, 64, 3, -7, 0, true}, {4096, 1, 5, 0, 0, true}, {1, 4096, 0, 5, 0, true}, {4096, 4096, -5, 900, 0, true},
		{8192, 8, 0, 0, 0, false}, {8, 8192, 0, 0, 0, false}, {12, 8, 0, 0, 0, false}, {64, 64, 3, 3, 1, false}, {64, 64, 3, 3, 0.5, false},
	} {
		f := &face{on: wall, points: points}
		for i, p := range points {
			f.uv[i] = [2]float32{(p[0] - 1 + float32(c.panU) + c.moved) / c.width, (p[1] - 2 + float32(c.panV) + c.moved) / c.height}
		}
		if got := new(repainter).still(f, &unreal.BspSurf{PanU: c.panU, PanV: c.panV}); got != c.want {
			t.Errorf("%v: %v", c, got)
		}
	}
}
