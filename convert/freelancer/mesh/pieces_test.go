package mesh

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
)

// square is two triangles that share two corners.
func square(z float32) *asset.Primitive {
	return &asset.Primitive{Mode: asset.Triangles, Positions: [][3]float32{{0, 0, z}, {1, 0, z}, {1, 1, z}, {0, 1, z}}, Indices: []uint32{0, 1, 2, 0, 2, 3}}
}

// TestPieces: what is stored of primitives: vertices that are alike once, a group each, and the fields that any of them has.
func TestPieces(t *testing.T) {
	edge := &asset.Primitive{Mode: asset.Lines, Positions: [][3]float32{{0, 0, 0}, {1, 0, 0}, {0, 0, 0}}, Indices: []uint32{0, 1, 1, 2, 2}}
	coloured, mapped := square(0), square(0)
	coloured.Colors = [][4]float32{{1, 0, 0, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}}
	mapped.TexCoords = [][][2]float32{{{0, 0}, {1, 0}, {1, 0.25}, {0, 1}}, nil}
	for _, c := range []struct {
		name     string
		list     []*asset.Primitive
		normals  bool
		kind     freelancer.PrimitiveType
		fields   freelancer.FVF
		vertices []int // of the groups
		indices  string
		lost     bool
	}{
		{"triangles", []*asset.Primitive{square(0)}, false, freelancer.TriangleList, freelancer.FVFPosition, []int{4}, "[0 1 2 0 2 3]", false},
		{"with normals", []*asset.Primitive{square(0)}, true, freelancer.TriangleList, freelancer.FVFPosition | freelancer.FVFNormal, []int{4}, "[0 1 2 0 2 3]", false},
		{"two groups", []*asset.Primitive{square(0), square(1)}, false, freelancer.TriangleList, freelancer.FVFPosition, []int{4, 4}, "[0 1 2 0 2 3 0 1 2 0 2 3]", false},
		{"a colour", []*asset.Primitive{coloured, square(1)}, false, freelancer.TriangleList, freelancer.FVFPosition | freelancer.FVFDiffuse, []int{4, 4}, "[0 1 2 0 2 3 0 1 2 0 2 3]", false},
		{"coordinates", []*asset.Primitive{mapped}, false, freelancer.TriangleList, freelancer.FVFPosition | 0x200, []int{4}, "[0 1 2 0 2 3]", false},
		{"lines", []*asset.Primitive{edge}, true, freelancer.LineList, freelancer.FVFPosition, []int{2}, "[0 1 1 0]", false},
		{"lines among triangles", []*asset.Primitive{square(0), edge}, false, freelancer.TriangleList, freelancer.FVFPosition, []int{4}, "[0 1 2 0 2 3]", true},
		{"nothing", nil, true, freelancer.TriangleList, freelancer.FVFPosition, nil, "[]", false},
	} {
		d := new(schema.Diagnostics)
		list := Pieces(&asset.Mesh{Primitives: c.list}, mgl64.Ident4(), c.normals, d)
		if len(list) != 1 || d.Has("lines-and-points") != c.lost {
			t.Errorf("%s: %d pieces, %v", c.name, len(list), d.All())
			continue
		}
		v := list[0]
		total := 0
		for g, n := range c.vertices {
			if g >= len(v.Groups) || int(v.Groups[g].VertexStart) != total || int(v.Groups[g].VertexEnd) != total+n-1 {
				t.Errorf("%s: groups %+v", c.name, v.Groups)
				break
			}
			total += n
		}
		if v.Primitive != c.kind || v.FVF != c.fields || len(v.Groups) != len(c.vertices) || len(v.Positions) != total || fmt.Sprint(v.Indices) != c.indices {
			t.Errorf("%s: %+v", c.name, v)
		}
		if (v.Normals != nil) != (c.fields&freelancer.FVFNormal != 0 && total > 0) || (v.Diffuse != nil) != (c.fields&freelancer.FVFDiffuse != 0) || c.fields&0xF00 == 0 && v.TexCoords != nil {
			t.Errorf("%s: normals %v, colours %v, coordinates %v", c.name, v.Normals, v.Diffuse, v.TexCoords)
		}
		if c.name == "coordinates" && fmt.Sprint(v.TexCoords) != "[[[0 1] [1 1] [1 0.75] [0 0]] [[0 0] [0 0] [0 0] [0 0]]]" {
			t.Errorf("coordinates %v", v.TexCoords)
		}
		if c.name == "a colour" && (v.Diffuse[0] != 0xFFFF0000 || v.Diffuse[7] != 0xFFFFFFFF) {
			t.Errorf("colours %x", v.Diffuse)
		}
	}
}

// TestFullPieces: a mesh is full at 65,535 vertices or indices, and what does not fit goes into the next, no triangle in two.
func TestFullPieces(t *testing.T) {
	p := &asset.Primitive{Mode: asset.Triangles}
	for i := range 3 * 21846 { // one triangle more than fits
		p.Positions = append(p.Positions, [3]float32{float32(i), 0, 0})
	}
	p.Positions = p.Positions[:3*21846]
	list := Pieces(&asset.Mesh{Primitives: []*asset.Primitive{p}}, mgl64.Ident4(), false, nil)
	if len(list) != 2 || len(list[0].Indices) != 65535 || len(list[0].Positions) != 65535 || len(list[1].Indices) != 3 || list[1].Positions[0] != p.Positions[65535] || list[0].Groups[0].IndexCount != 65535 {
		t.Errorf("%d pieces: %d and %d", len(list), len(list[0].Indices), len(list[len(list)-1].Indices))
	}
	r, err := Reference("x", list[1])
	if err != nil || r.VertexCount != 3 || r.IndexCount != 3 || r.GroupCount != 1 || r.Min != [3]float32{65535, 0, 0} || r.Max != [3]float32{65537, 0, 0} || r.Center != [3]float32{65536, 0, 0} || r.Radius != 1 || r.Mesh != freelancer.FLCRC("x") {
		t.Errorf("%+v, %v", r, err)
	}
	var empty freelancer.VMeshRef
	Bound(&empty, nil, list[0])
	if empty.Min != [3]float32{} || empty.Max != [3]float32{} || empty.Radius != 0 {
		t.Errorf("of nothing: %+v", empty)
	}
}

// TestSameElements: lines are the same in any order and either way, points in any order, up to the last bits of their places.
func TestSameElements(t *testing.T) {
	a, b, c := [3]float32{0, 0, 0}, [3]float32{1, 0, 0}, [3]float32{1, 1, 0}
	near := [3]float32{math.Float32frombits(math.Float32bits(1) + 7), 0, float32(math.Copysign(0, -1))}
	list := func(points ...[3]float32) *asset.Primitive { return &asset.Primitive{Positions: points} }
	for _, x := range []struct {
		name          string
		was, now      *asset.Primitive
		lines, points bool
	}{
		{"as they were", list(a, b, b, c), list(a, b, b, c), true, true}, {"another order", list(a, b, b, c), list(b, c, a, b), true, true}, {"turned around", list(a, b, b, c), list(b, a, c, b), true, true},
		{"others between the same points", list(a, b, b, c), list(a, c, b, b), false, true}, {"one less", list(a, b, b, c), list(a, b), false, false}, {"one twice", list(a, b, a, b), list(a, b, b, c), false, false}, {"twice and once", list(a, b, a, b), list(a, b), false, false},
		{"rounded", list(a, b), list(a, near), true, true}, {"moved", list(a, b), list(a, [3]float32{1.0001, 0, 0}), false, false}, {"what is no number is zero", list([3]float32{float32(math.NaN()), 0, 0}, b), list(a, b), true, true}, {"nothing", list(), list(), true, true},
	} {
		if lines, points := SameLines(x.was, x.now), sameElements(x.was, x.now, 1); lines != x.lines || points != x.points {
			t.Errorf("%s: lines %v, points %v", x.name, lines, points)
		}
	}
}

// TestSameColors: colours are the same where both have none, or no step of 255 is between them as they are seen.
func TestSameColors(t *testing.T) {
	m := &scene.Matching{Vertices: []int{1, -1, 0}}
	grey := func(step float32) [4]float32 { x := scene.Linear(step / 255); return [4]float32{x, x, x, 1} }
	with := func(c ...[4]float32) *asset.Primitive { return &asset.Primitive{Colors: c} }
	for _, c := range []struct {
		name     string
		was, now *asset.Primitive
		want     bool
	}{
		{"none", with(), with(), true}, {"as they were", with(grey(10), grey(20)), with(grey(20), grey(99), grey(10)), true}, {"half a step", with(grey(10), grey(20)), with(grey(20.5), grey(0), grey(9.5)), true},
		{"a step", with(grey(10), grey(20)), with(grey(20), grey(0), grey(11)), false}, {"none any more", with(grey(10), grey(20)), &asset.Primitive{}, false}, {"none before", &asset.Primitive{}, with(grey(1)), false},
	} {
		if len(c.was.Colors) == 0 {
			c.was.Colors = nil
		}
		if len(c.now.Colors) == 0 {
			c.now.Colors = nil
		}
		if got := sameColors(c.was, c.now, m); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestNearColor: a colour is among others up to one step of each of its parts.
func TestNearColor(t *testing.T) {
	set := map[uint32]bool{0x80808080: true, 0x00ffffff: true}
	for c, want := range map[uint32]bool{
		0x80808080: true, 0x81807f80: true, 0x7f81817f: true, 0x82808080: false, 0x80828080: false, 0x80808280: false, 0x80808082: false, 0x7e808080: false, 0x807e8080: false, 0x80807e80: false, 0x8080807e: false, 0x01fefefe: true, 0x00fffffd: false,
	} {
		if nearColor(set, c) != want {
			t.Errorf("%08x: %v", c, !want)
		}
	}
}

// TestCompare: what of an edited mesh is an edit, and whether it moves vertices alone.
func TestCompare(t *testing.T) {
	red, blue := asset.NewMaterial("red"), asset.NewMaterial("blue")
	face := func(m *asset.Material, z float32) *asset.Primitive {
		p := square(z)
		p.Material, p.Mode = m, asset.Triangles
		return p
	}
	dots := func(mode asset.Mode, x float32) *asset.Primitive {
		return &asset.Primitive{Mode: mode, Material: red, Positions: [][3]float32{{x, 0, 0}, {1, 1, 1}}}
	}
	point := &asset.Primitive{Mode: asset.Triangles, Material: blue, Positions: [][3]float32{{}, {}, {}}, Indices: []uint32{0, 1, 2}}
	moved := face(red, 0)
	moved.Positions = slices.Clone(moved.Positions)
	moved.Positions[0][2] += 0.1
	less, lit, painted := face(red, 0), face(red, 0), face(red, 0)
	less.Indices = less.Indices[:3]
	lit.Normals = [][3]float32{{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}}
	painted.Colors = make([][4]float32, 4)
	list := func(p ...*asset.Primitive) *asset.Mesh { return &asset.Mesh{Primitives: p} }
	for _, c := range []struct {
		name          string
		was, now      *asset.Mesh
		same, movable bool
	}{
		{"nothing", list(face(red, 0)), list(face(red, 0)), true, true}, {"a vertex", list(face(red, 0)), list(moved), false, true}, {"a triangle less", list(face(red, 0)), list(less), false, false}, {"its normals", list(lit), list(face(red, 0)), true, false}, {"new normals", list(face(red, 0)), list(lit), true, true}, {"new colours", list(face(red, 0)), list(painted), false, false},
		{"another material", list(face(red, 0)), list(face(blue, 0)), false, false},
		{"one more", list(face(red, 0)), list(face(red, 0), face(blue, 0)), false, false}, {"one less", list(face(red, 0), face(blue, 0)), list(face(red, 0)), false, false}, {"one less that shows nothing", list(face(red, 0), point), list(face(red, 0)), true, true},
		{"points", list(dots(asset.Points, 0)), list(dots(asset.Points, 0)), true, false}, {"the last of three points", list(&asset.Primitive{Mode: asset.Points, Positions: make([][3]float32, 3)}), list(&asset.Primitive{Mode: asset.Points, Positions: [][3]float32{{}, {}, {1, 1, 1}}}), false, false}, {"points that move", list(dots(asset.Points, 0)), list(dots(asset.Points, 2)), false, false}, {"lines that move", list(face(red, 0), dots(asset.Lines, 0)), list(face(red, 0), dots(asset.Lines, 2)), false, false},
		{"lines that are turned", list(dots(asset.Lines, 0)), list(&asset.Primitive{Mode: asset.Lines, Material: red, Positions: [][3]float32{{1, 1, 1}, {0, 0, 0}}}), true, false},
	} {
		if got := Compare(c.was, c.now); got.Same != c.same || got.Movable() != c.movable {
			t.Errorf("%s: the same %v, movable %v", c.name, got.Same, got.Movable())
		}
	}
}

// TestSameNormal: directions are the same up to a limit; a stored one without a direction, and none, say nothing.
func TestSameNormal(t *testing.T) {
	nan := float32(math.NaN())
	up := [3]float32{0, 0, 1}
	for _, c := range []struct {
		stored, visible [3]float32
		want            bool
	}{{up, up, true}, {[3]float32{0, 0, 9}, up, true}, {up, [3]float32{0, 0.05, 1}, true}, {up, [3]float32{0, 0.2, 1}, false}, {up, [3]float32{0, 0, -1}, false}, {[3]float32{}, up, true}, {[3]float32{nan, 0, 1}, up, true}, {up, [3]float32{}, true}, {up, [3]float32{0, 0.4, 0}, true}, {up, [3]float32{0, 0.6, 0}, false}} {
		if sameNormal(c.stored, c.visible, 0.1) != c.want {
			t.Errorf("%v and %v: %v", c.stored, c.visible, !c.want)
		}
	}
}

// TestSoup: the triangles of a mesh where a transform puts them, without lines and corners that are no numbers.
func TestSoup(t *testing.T) {
	broken := square(0)
	broken.Indices = append(broken.Indices, 3, 0, 1, 0, 3, 1)
	broken.Positions[3][1] = float32(math.Inf(1))
	m := &asset.Mesh{Primitives: []*asset.Primitive{{Mode: asset.Lines, Positions: [][3]float32{{}, {}, {}}, Indices: []uint32{0, 1, 2}}, square(1), broken, {Mode: asset.Triangles, Positions: [][3]float32{{5, 0, 0}, {6, 0, 0}, {5, 1, 0}, {7, 7, 7}}}}}
	want := [][3][3]float32{{{10, 0, 1}, {11, 0, 1}, {11, 1, 1}}, {{10, 0, 1}, {11, 1, 1}, {10, 1, 1}}, {{10, 0, 0}, {11, 0, 0}, {11, 1, 0}}, {{15, 0, 0}, {16, 0, 0}, {15, 1, 0}}}
	if got := Soup(m, mgl64.Translate3D(10, 0, 0)); !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
	for size, want := range map[float64][3][3]float32{0.5: {{0, 0, 0}, {0.5, 0, 0}, {0.5, 0.5, 0}}, -2: {{0, 0, 0}, {-2, -2, 0}, {-2, 0, 0}}} { // mirrored, triangles turn over
		if got := Soup(&asset.Mesh{Primitives: []*asset.Primitive{square(0)}}, mgl64.Scale3D(size, size, size)); got[0] != want {
			t.Errorf("%v times as large: %v", size, got[0])
		}
	}
	for k := range 3 {
		at := [3]float32{1, 2, 3}
		if !finitePoint(at) {
			t.Error("a point is none")
		}
		if at[k] = float32(math.NaN()); finitePoint(at) {
			t.Errorf("%v is a point", at)
		}
	}
	bone := asset.NewNode("bone") // a skin of one bone, of which a vertex names two
	odd := &asset.Primitive{Joints: [][][4]uint16{{{0, 9}}}, Weights: [][][4]float32{{{0.5, 0.5}}}}
	if got := weights(odd, 0, &asset.Skin{Joints: []*asset.Node{bone}}); len(got) != 1 || got[bone] != 0.5 {
		t.Errorf("weights %v", got)
	}
	shard := square(0) // a triangle without an area at a border
	shard.Positions, shard.Indices = append(shard.Positions, [3]float32{0.5, 0, 0}), append(shard.Indices, 0, 1, 4)
	if lines := FeatureEdges(&asset.Mesh{Primitives: []*asset.Primitive{shard}})[0]; len(lines.Indices) != 8 {
		t.Errorf("%d ends of the border of a square", len(lines.Indices))
	}
}

// TestFillers: white colours and constant coordinates that editors add to what had none go, and others stay.
func TestFillers(t *testing.T) {
	white, flat, uv := [4]float32{1, 1, 1, 1}, [][2]float32{{1, 2}, {1, 2}}, [][2]float32{{1, 2}, {1, 3}}
	with := func(colors [][4]float32, sets ...[][2]float32) *asset.Mesh {
		p := square(0)
		p.Colors, p.TexCoords = colors, sets
		return &asset.Mesh{Primitives: []*asset.Primitive{p}}
	}
	for _, c := range []struct {
		was, now *asset.Mesh
		colors   bool
		sets     int
	}{
		{with(nil), with([][4]float32{white, white}), false, 0}, {with(nil), with([][4]float32{white, {1, 1, 1, 0.5}}), true, 0}, {with([][4]float32{white}), with([][4]float32{white, white}), true, 0},
		{with(nil, uv), with(nil, uv, flat, flat), false, 1}, {with(nil, uv), with(nil, uv, flat, uv), false, 3}, {with(nil, uv), with(nil, flat), false, 1},
	} {
		DropFillers(c.was, c.now)
		if p := c.now.Primitives[0]; (p.Colors != nil) != c.colors || len(p.TexCoords) != c.sets {
			t.Errorf("%v, %d sets; want %v, %d", p.Colors, len(p.TexCoords), c.colors, c.sets)
		}
	}
	bent := square(0)
	bent.Positions[2] = bent.Positions[1] // the second triangle alone has an area
	for i, p := range Pieces(&asset.Mesh{Primitives: []*asset.Primitive{bent}}, mgl64.Ident4(), true, nil) {
		if !slices.Equal(p.Normals, [][3]float32{{0, 1, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}}) {
			t.Errorf("piece %d has the normals %v", i, p.Normals)
		}
	}
}

// TestWireOn: a wireframe on the vertices of a mesh, and the lines that it shows.
func TestWireOn(t *testing.T) {
	v := &freelancer.VMesh{Positions: [][3]float32{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {1, 0, 0}, {4, 0, 0}}}
	lines := func(at ...float32) *asset.Primitive {
		p := &asset.Primitive{Mode: asset.Lines}
		for i, x := range at {
			p.Positions, p.Indices = append(p.Positions, [3]float32{x, 0, 0}), append(p.Indices, uint32(i))
		}
		return p
	}
	w := WireOn(v, 7, lines(1, 2, 2, 4, 4, 1))
	if w == nil || w.Mesh != 7 || w.Size != freelancer.WireHeader || w.VertexStart != 1 || w.VertexCount != 3 || w.VertexRange != 4 || !slices.Equal(w.Indices, []uint16{0, 1, 1, 3, 3, 0}) {
		t.Fatalf("%+v", w)
	}
	got, err := Lines(w, v)
	if err != nil || !slices.Equal(got.Positions, [][3]float32{{1, 0, 0}, {2, 0, 0}, {4, 0, 0}}) || !slices.Equal(got.Indices, []uint32{0, 1, 1, 2, 2, 0}) {
		t.Errorf("%+v, %v", got, err)
	}
	if WireOn(v, 7, lines(1, 3)) != nil {
		t.Error("a line ends at no vertex")
	}
	w.Indices = append(w.Indices, 4)
	if got, err := Lines(w, v); err != nil || len(got.Indices) != 6 {
		t.Errorf("half a line is shown: %v", err)
	}
	if _, err := Lines(&freelancer.VWire{VertexStart: 4, Indices: []uint16{0, 1}}, v); schema.Class(err) != schema.ErrRange {
		t.Errorf("a vertex that is not there: %v", err)
	}
}

// TestFollowDefaults: the places of rest of coordinates that a bone slides go with those that an edit moved.
func TestFollowDefaults(t *testing.T) {
	bytesOf := func(list ...uint32) (b []byte) {
		for _, x := range list {
			b = binary.LittleEndian.AppendUint32(b, x)
		}
		return b
	}
	one, half := math.Float32bits(1), math.Float32bits(0.5)
	for _, c := range []struct{ ids, before, want []uint32 }{
		{[]uint32{1, 0}, []uint32{9, 9, 8, 8}, []uint32{half, one, 8, 8}}, {[]uint32{0, 1}, []uint32{9, 9, 8, 8}, []uint32{9, 9, half, one}}, {[]uint32{5, 1}, []uint32{9, 9}, []uint32{9, 9}}, {[]uint32{0}, []uint32{9, 9, 8, 8}, []uint32{9, 9, 8, 8}}, {[]uint32{1}, []uint32{9}, []uint32{9}},
	} {
		g := &freelancer.SkinGeometry{UV0: [][2]float32{{0, 0}, {0.5, 1}}, Node: freelancer.NewDir("Geometry", freelancer.NewLeaf("UV_vertex_id", bytesOf(c.ids...)), freelancer.NewLeaf("UV_default_list", bytesOf(c.before...)))}
		followDefaults(g, [][2]float32{{0, 0}, {0, 0}})
		if got := g.Node.Child("UV_default_list").Data; !slices.Equal(got, bytesOf(c.want...)) {
			t.Errorf("%v: %v", c.ids, got)
		}
	}
	followDefaults(&freelancer.SkinGeometry{Node: freelancer.NewDir("Geometry", freelancer.NewLeaf("UV_vertex_id", bytesOf(0)))}, nil)
}

// TestMovedMesh: an edit moves vertices of a copy; the stored mesh stays.
func TestMovedMesh(t *testing.T) {
	stored := sharedMesh()
	before := fmt.Sprint(stored)
	base := Group(stored, freelancer.GroupRange{FirstIndex: 0, Count: 6, FirstVertex: 1})
	edited := *base
	edited.Positions, edited.TexCoords = slices.Clone(base.Positions), slices.Clone(base.TexCoords)
	for i := range edited.TexCoords {
		edited.TexCoords[i] = slices.Clone(base.TexCoords[i])
	}
	edited.Colors = slices.Clone(base.Colors)
	edited.Positions[0][1] += 5
	edited.Colors[1] = [4]float32{1, 0, 0, 1}
	edited.TexCoords[1][2][0] = 0.5
	was := &asset.Mesh{Primitives: []*asset.Primitive{base}}
	c := Compare(was, &asset.Mesh{Primitives: []*asset.Primitive{&edited}})
	now := Moved(stored, was, []freelancer.GroupRange{{FirstIndex: 0, Count: 6, FirstVertex: 1}}, c)
	if fmt.Sprint(stored) != before {
		t.Error("the stored mesh is another one")
	}
	if now.Positions[1] != [3]float32{1, 5.5, -1} || now.TexCoords[1][3][0] != 0.5 || now.Positions[2] != stored.Positions[2] || now.TexCoords[0][3] != stored.TexCoords[0][3] || !slices.Equal(now.Diffuse, slices.Replace(slices.Clone(stored.Diffuse), 2, 3, 0xFFFF0000)) {
		t.Errorf("%v, %v", now.Positions[1], now.TexCoords[1][3])
	}
}

// TestAlignSkins: where all bones of a second skin are bound elsewhere by the same transform, its meshes move and it has the
// matrices of the first; where they are not, or nothing is shared, all stays.
func TestAlignSkins(t *testing.T) {
	at := func(x float32) [16]float32 { return scene.NarrowMatrix(mgl64.Translate3D(float64(x), 0, 0)) }
	for _, c := range []struct {
		name   string
		joints []int // of the second skin
		binds  [][16]float32
		want   [][16]float32
		moved  float32
	}{
		{"alike", []int{0, 1}, [][16]float32{at(1), at(2)}, [][16]float32{at(1), at(2)}, 0},
		{"all elsewhere", []int{0, 1}, [][16]float32{at(4), at(5)}, [][16]float32{at(1), at(2)}, 3},
		{"a little elsewhere", []int{0, 1}, [][16]float32{at(1.000001), at(1.999999)}, [][16]float32{at(1), at(2)}, 0},
		{"one elsewhere", []int{0, 1}, [][16]float32{at(4), at(2)}, [][16]float32{at(4), at(2)}, 0},
		{"all elsewhere, and one of its own", []int{0, 2}, [][16]float32{at(4), at(9)}, [][16]float32{at(1), at(6)}, 3},
		{"nothing shared", []int{2, 3}, [][16]float32{at(4), at(9)}, [][16]float32{at(4), at(9)}, 0},
		{"matrices too few", []int{0, 1}, [][16]float32{at(4)}, [][16]float32{at(4)}, 0},
	} {
		var bones []*asset.Node
		for i := range 4 {
			bones = append(bones, asset.NewNode(fmt.Sprint("bone", i)))
		}
		first := &asset.Skin{Joints: bones[:2], InverseBind: [][16]float32{at(1), at(2)}}
		second := &asset.Skin{InverseBind: slices.Clone(c.binds)}
		for _, j := range c.joints {
			second.Joints = append(second.Joints, bones[j])
		}
		skinned := func(s *asset.Skin) *asset.Node {
			n := asset.NewNode("mesh")
			n.Skin, n.Mesh = s, &asset.Mesh{Primitives: []*asset.Primitive{square(0)}}
			return n
		}
		a, b, empty := skinned(first), skinned(second), asset.NewNode("empty")
		empty.Skin = second
		AlignSkins(&asset.Scene{Roots: []*asset.Node{a, b, empty}, Skins: []*asset.Skin{first, second}})
		if fmt.Sprint(second.InverseBind) != fmt.Sprint(c.want) || a.Mesh.Primitives[0].Positions[0] != [3]float32{} || b.Mesh.Primitives[0].Positions[0] != [3]float32{c.moved, 0, 0} {
			t.Errorf("%s: bound at %v, the mesh begins at %v", c.name, second.InverseBind, b.Mesh.Primitives[0].Positions[0])
		}
	}
}

// TestFillSkin: what a level holds of meshes, and what it refuses.
func TestFillSkin(t *testing.T) {
	bone := asset.NewNode("bone")
	skin := &asset.Skin{Joints: []*asset.Node{bone}, InverseBind: [][16]float32{{}}}
	node := func(s *asset.Skin, list ...*asset.Primitive) *asset.Node {
		n := asset.NewNode("body")
		n.Skin, n.Mesh = s, &asset.Mesh{Primitives: list}
		for _, p := range list {
			p.Joints, p.Weights = [][][4]uint16{make([][4]uint16, len(p.Positions))}, [][][4]float32{make([][4]float32, len(p.Positions))}
			for i := range p.Positions {
				p.Weights[0][i] = [4]float32{1}
			}
		}
		return n
	}
	large := func(n int) *asset.Primitive {
		p := &asset.Primitive{Mode: asset.Triangles, Positions: make([][3]float32, n), Normals: make([][3]float32, n), Indices: []uint32{0, 1, 2}}
		for i := range p.Positions {
			p.Positions[i][0] = float32(i)
		}
		return p
	}
	mapped := square(2)
	mapped.TexCoords = [][][2]float32{{{0, 0}, {1, 0}, {1, 0.25}, {0, 1}}}
	twice := square(0)
	twice.TexCoords = [][][2]float32{mapped.TexCoords[0], mapped.TexCoords[0], mapped.TexCoords[0]}
	lines := &asset.Primitive{Mode: asset.Lines, Positions: make([][3]float32, 2)}
	for _, c := range []struct {
		name  string
		nodes []*asset.Node
		sizes string // elements, points, coordinates, groups
		class error
	}{
		{"a square", []*asset.Node{node(skin, square(0))}, "4 4 4 0 1", nil}, {"the same twice", []*asset.Node{node(skin, square(0)), node(skin, square(0))}, "8 4 8 0 2", nil},
		{"two", []*asset.Node{node(skin, square(0), square(1))}, "8 8 8 0 2", nil}, {"two sets", []*asset.Node{node(skin, square(0)), node(skin, twice)}, "8 4 8 8 2", nil}, {"lines", []*asset.Node{node(skin, square(0), lines)}, "4 4 4 0 1", nil},
		{"without a skin of its own", []*asset.Node{node(skin, square(0)), node(nil, square(1))}, "8 8 8 0 2", nil}, {"without any", []*asset.Node{node(nil, square(0))}, "", schema.ErrUnsupported},
		{"as many as there may be", []*asset.Node{node(skin, large(65535))}, "65535 65535 65535 0 1", nil}, {"one more", []*asset.Node{node(skin, large(65536))}, "", schema.ErrLimit}, {"one more in two", []*asset.Node{node(skin, large(65532), square(1))}, "", schema.ErrLimit},
	} {
		m := new(freelancer.SkinMesh)
		dropped, err := FillSkin(m, c.nodes, map[*asset.Node]uint32{bone: 7}, "dfm")
		g := &m.Geometry
		if schema.Class(err) != c.class || dropped != 0 {
			t.Errorf("%s: %v, %d dropped", c.name, err, dropped)
		} else if got := fmt.Sprint(len(g.PointIndices), len(g.Points), len(g.UV0), len(g.UV1), len(m.Groups)); err == nil && (got != c.sizes || g.BoneIDs[0] != 7 || g.BoneWeights[0] != 1) {
			t.Errorf("%s: %s, want %s", c.name, got, c.sizes)
		}
	}
	m := new(freelancer.SkinMesh)
	if _, err := FillSkin(m, []*asset.Node{node(skin, mapped)}, map[*asset.Node]uint32{bone: 7}, "dfm"); err != nil || m.Geometry.UV0[2] != [2]float32{1, 0.75} || m.Geometry.Normals[0] != [3]float32{0, 0, 1} || fmt.Sprint(m.Groups[0].Indices) != "[0 1 2 0 2 3]" {
		t.Errorf("%v, %+v", err, m.Geometry)
	}
	if PatchSkin(m, node(skin, square(0)), asset.NewNode("bare"), nil) {
		t.Error("a node without a mesh moves a level")
	}
	if PatchSkin(m, node(skin, square(0)), node(nil, square(0)), nil) {
		t.Error("a node without a skin moves a level")
	}
}
