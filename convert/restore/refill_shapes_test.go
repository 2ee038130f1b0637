package restore

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// TestCounterpart: the primitive in the same place, or the only one with the name of its material.
func TestCounterpart(t *testing.T) {
	mesh := func(materials string) *asset.Mesh {
		m := new(asset.Mesh)
		for name := range strings.SplitSeq(materials, ",") {
			p := new(asset.Primitive)
			if name != "-" {
				p.Material = asset.NewMaterial(name)
			}
			m.Primitives = append(m.Primitives, p)
		}
		return m
	}
	for _, c := range []struct {
		was, now string
		i, want  int
	}{
		{"a,b", "b,a", 0, 0}, {"a,b", "b,a", 1, 1}, {"a,b,c", "c,a", 0, 2}, {"a,b,c", "c,a", 1, 0}, {"a,b,a", "a,b", 0, -1}, {"a,b,a", "a,b", 1, 1}, {"a,b,c", "x,a", 0, -1}, {"a,-,c", "-,a", 0, 1}, {"a,-,-", "-,a", 0, -1},
	} {
		was := mesh(c.was)
		var want *asset.Primitive
		if c.want >= 0 {
			want = was.Primitives[c.want]
		}
		if counterpart(was, mesh(c.now), c.i) != want {
			t.Errorf("%s of %s: want %d", c.now, c.was, c.want)
		}
	}
}

// TestRefillSets: sets of texture coordinates come back around those that are left, which keep what they say.
func TestRefillSets(t *testing.T) {
	set := func(u float32) [][2]float32 { return [][2]float32{{u, 0}, {u, 1}, {u + 1, 0}} }
	edited := [][2]float32{{7, 7}, {8, 8}, {9, 9}}
	for name, c := range map[string]struct {
		was, now, want [][][2]float32
		renumbered     bool
	}{
		"none left":          {[][][2]float32{set(0), set(3)}, nil, [][][2]float32{set(0), set(3)}, false},
		"the first left":     {[][][2]float32{set(0), set(3), set(6)}, [][][2]float32{set(0)}, [][][2]float32{set(0), set(3), set(6)}, false},
		"the second left":    {[][][2]float32{set(0), set(3), set(6)}, [][][2]float32{set(3)}, [][][2]float32{set(0), set(3), set(6)}, true},
		"the last left":      {[][][2]float32{set(0), set(3), set(6)}, [][][2]float32{set(6)}, [][][2]float32{set(0), set(3), set(6)}, true},
		"the second gone":    {[][][2]float32{set(0), set(3), set(6)}, [][][2]float32{set(0), set(6)}, [][][2]float32{set(0), set(3), set(6)}, true},
		"the first gone":     {[][][2]float32{set(0), set(3), set(6)}, [][][2]float32{set(3), set(6)}, [][][2]float32{set(0), set(3), set(6)}, true},
		"edited":             {[][][2]float32{set(0), set(3), set(6)}, [][][2]float32{edited}, [][][2]float32{edited, set(3), set(6)}, false},
		"edited before":      {[][][2]float32{set(0), set(3), set(6)}, [][][2]float32{edited, set(6)}, [][][2]float32{edited, set(3), set(6)}, true},
		"one corner edited":  {[][][2]float32{set(0), set(3)}, [][][2]float32{{{3, 0}, {3, 1}, {9, 9}}}, [][][2]float32{set(0), {{3, 0}, {3, 1}, {9, 9}}}, true},
		"two corners edited": {[][][2]float32{set(0), set(3)}, [][][2]float32{{{3, 0}, {8, 8}, {9, 9}}}, [][][2]float32{{{3, 0}, {8, 8}, {9, 9}}, set(3)}, false},
		"as many":            {[][][2]float32{set(0), set(3)}, [][][2]float32{set(3), set(0)}, [][][2]float32{set(3), set(0)}, false},
		"more":               {[][][2]float32{set(3)}, [][][2]float32{set(0), set(3)}, [][][2]float32{set(0), set(3)}, false},
		"one without end":    {[][][2]float32{set(0), set(3)[:2]}, nil, nil, false},
	} {
		was := &asset.Primitive{Positions: triangle(0), TexCoords: c.was}
		now := &asset.Primitive{Positions: triangle(0), TexCoords: c.now}
		if got := refillPrimitive(was, now); got != c.renumbered {
			t.Errorf("%s: renumbered %v", name, got)
		}
		equal(t, name, now.TexCoords, c.want)
	}
}

// TestRefillNew: a vertex that is new gets nothing; where none is known, nothing comes back.
func TestRefillNew(t *testing.T) {
	was := &asset.Primitive{Positions: triangle(0), Normals: triangle(5), TexCoords: [][][2]float32{{{1, 0}, {2, 0}, {3, 0}}}}
	now := &asset.Primitive{Positions: append(triangle(0), [3]float32{9, 9, 9}), Indices: []uint32{0, 1, 3, 2, 1, 3}}
	refillPrimitive(was, now)
	equal(t, "normals", now.Normals, [][3]float32{{5, 0, 0}, {6, 0, 0}, {5, 1, 0}, {}})
	equal(t, "coordinates", now.TexCoords, [][][2]float32{{{1, 0}, {2, 0}, {3, 0}, {}}})
	far := &asset.Primitive{Positions: triangle(50)[:1]}
	if refillPrimitive(was, far) || far.Normals != nil || far.TexCoords != nil {
		t.Errorf("%+v", far)
	}
}

// TestSameSet: a set is the same where most of its known vertices are, each to a ten-thousandth.
func TestSameSet(t *testing.T) {
	was := [][2]float32{{0, 0}, {1, 1}, {2, 2}}
	for _, c := range []struct {
		name string
		now  [][2]float32
		of   []int
		want bool
	}{
		{"equal", was, []int{0, 1, 2}, true},
		{"of other numbers", [][2]float32{{0, 0}, {1, 1}}, []int{2, 0}, true},
		{"one of three is another", [][2]float32{{0, 0}, {1, 1}, {5, 2}}, []int{0, 1, 2}, true},
		{"two of three", [][2]float32{{0, 0}, {1, 5}, {5, 2}}, []int{0, 1, 2}, false},
		{"half of them", [][2]float32{{0, 0}, {1, 5}}, []int{0, 1}, false},
		{"unknown ones", [][2]float32{{0, 0}, {7, 7}, {8, 8}}, []int{0, -1, -1}, true},
		{"unknown at first", [][2]float32{{7, 7}, {1, 1}}, []int{-1, 1}, true},
		{"none known", was, []int{-1, -1, -1}, false},
		{"a little more in u", [][2]float32{{0.00009, 0}}, []int{0}, true},
		{"a ten-thousandth in u", [][2]float32{{1e-4, 0}}, []int{0}, false},
		{"more in u", [][2]float32{{0.00011, 0}}, []int{0}, false},
		{"less in u", [][2]float32{{-0.00011, 0}}, []int{0}, false},
		{"more in v", [][2]float32{{0, 0.00011}}, []int{0}, false},
		{"less in v", [][2]float32{{0, -0.00011}}, []int{0}, false},
	} {
		if got := sameSet(c.now, was, c.of); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestVertices: which vertex of a primitive is which one of the original.
func TestVertices(t *testing.T) {
	shape := func(mode asset.Mode, indices []uint32, positions ...[3]float32) *asset.Primitive {
		return &asset.Primitive{Mode: mode, Positions: positions, Indices: indices}
	}
	a, b, c, far := [3]float32{0, 0, 0}, [3]float32{1, 0, 0}, [3]float32{0, 1, 0}, [3]float32{9, 9, 9}
	coordinates := func(p *asset.Primitive, sets ...[][2]float32) *asset.Primitive {
		p.TexCoords = sets
		return p
	}
	uv, other := [][2]float32{{0, 0}, {1, 0}, {0, 1}, {5, 5}, {6, 6}, {7, 7}}, [][2]float32{{5, 5}, {6, 6}, {7, 7}}
	twice := func() *asset.Primitive { return shape(asset.Triangles, nil, a, b, c, a, b, c) }
	for _, x := range []struct {
		name     string
		was, now *asset.Primitive
		want     []int
	}{
		{"in place", shape(asset.Triangles, nil, a, b, c), shape(asset.Triangles, []uint32{2, 1, 0}, a, b, c), []int{0, 1, 2}},
		{"lines in place", shape(asset.Lines, nil, a, b, c), shape(asset.Lines, []uint32{2, 1, 0}, a, b, c), []int{0, 1, 2}},
		{"moved", shape(asset.Triangles, []uint32{0, 1, 2}, a, b, c), shape(asset.Triangles, []uint32{0, 1, 2}, a, b, far), []int{0, 1, 2}},
		{"lines moved", shape(asset.Lines, []uint32{0, 1, 2}, a, b, c), shape(asset.Lines, []uint32{0, 1, 2}, far, b, c), []int{0, 1, 2}},
		{"lines in another order", shape(asset.Lines, []uint32{0, 1, 2}, a, b, c), shape(asset.Lines, []uint32{0, 2, 1}, a, c, b), nil},
		{"fewer lines", shape(asset.Lines, nil, a, b, c), shape(asset.Lines, nil, a, b), nil},
		{"another order", shape(asset.Triangles, []uint32{0, 1, 2}, a, b, c), shape(asset.Triangles, []uint32{1, 2, 0}, c, a, b), []int{2, 0, 1}},
		{"one more", shape(asset.Triangles, nil, a, b, c), shape(asset.Triangles, []uint32{0, 1, 3, 2, 1, 3}, a, b, far, c), []int{0, 1, -1, 2}},
		{"nothing known", shape(asset.Triangles, nil, a, b, c, a, b, c), shape(asset.Triangles, nil, far, far, far), nil},
		{"the first alone", twice(), shape(asset.Triangles, nil, a, far, [3]float32{9, 9, 8}), []int{0, -1, -1}},
		{"told by coordinates", coordinates(twice(), uv), coordinates(shape(asset.Triangles, nil, a, b, c), other), []int{3, 4, 5}},
		{"coordinates that are not all there", coordinates(twice(), uv, uv), coordinates(shape(asset.Triangles, nil, a, b, c), other), []int{0, 1, 2}},
	} {
		equal(t, x.name, vertices(x.was, x.now), x.want)
	}
}

// TestSharpen: a colour comes back from its rounding, and no other.
func TestSharpen(t *testing.T) {
	was := &asset.Primitive{Positions: triangle(0), Colors: [][4]float32{{0.5, 0.5, 0.5, 0.5}, {0.1, 0.2, 0.3, 1}, {}}}
	for _, c := range []struct {
		by   [4]float32
		back bool
	}{
		{[4]float32{0.0019, -0.0019, 0.001997, -0.001997}, true}, {[4]float32{0.002003}, false}, {[4]float32{-0.0021}, false}, {[4]float32{0, 0, 0, 0.0021}, false}, {[4]float32{0.0021, 0.0001}, false},
	} {
		now := &asset.Primitive{Positions: triangle(0), Colors: [][4]float32{{}, {0.1, 0.2, 0.3, 1}, {1, 1, 1, 1}}}
		for k := range c.by {
			now.Colors[0][k] = 0.5 + c.by[k]
		}
		want := [][4]float32{now.Colors[0], {0.1, 0.2, 0.3, 1}, {1, 1, 1, 1}}
		if c.back {
			want[0] = was.Colors[0]
		}
		stored := now.Colors
		sharpen(was, now)
		equal(t, fmt.Sprint(c.by), now.Colors, want)
		if &stored[0] == &now.Colors[0] {
			t.Error("colours that others may share were written to")
		}
	}
	more := &asset.Primitive{Positions: append(triangle(0), [3]float32{9, 9, 9}), Indices: []uint32{0, 1, 3, 2, 1, 3}, Colors: [][4]float32{{0.501, 0.5, 0.5, 0.5}, {}, {}, {0.501, 0.5, 0.5, 0.5}}}
	sharpen(was, more)
	equal(t, "a new vertex", more.Colors, [][4]float32{{0.5, 0.5, 0.5, 0.5}, {}, {}, {0.501, 0.5, 0.5, 0.5}})
}

// TestOnlyColor: the colour of a picture that has one only.
func TestOnlyColor(t *testing.T) {
	picture := func(width, height int, pixels ...byte) *asset.Texture {
		m := asset.NewImage(width, height, asset.RGBA8)
		copy(m.Pix, pixels)
		return &asset.Texture{Frames: []asset.Frame{{Mips: []asset.Image{m}}}}
	}
	paint := []byte{255, 128, 64, 32}
	for name, c := range map[string]struct {
		t    *asset.Texture
		want [4]float32
		ok   bool
	}{
		"one pixel":     {picture(1, 1, paint...), [4]float32{1, scene.Linear(128. / 255), scene.Linear(64. / 255), 32. / 255}, true},
		"two pixels":    {picture(1, 2, 255, 128, 64, 32, 255, 128, 64, 32), [4]float32{1, scene.Linear(128. / 255), scene.Linear(64. / 255), 32. / 255}, true},
		"the last":      {picture(2, 1, 255, 128, 64, 32, 255, 128, 64, 31), [4]float32{}, false},
		"the last row":  {picture(1, 2, 255, 128, 64, 32, 255, 129, 64, 32), [4]float32{}, false},
		"no pixels":     {picture(0, 0), [4]float32{}, false},
		"no width":      {picture(0, 1), [4]float32{}, false},
		"no height":     {picture(1, 0), [4]float32{}, false},
		"no picture":    {&asset.Texture{}, [4]float32{}, false},
		"all different": {picture(2, 2, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16), [4]float32{}, false},
	} {
		if got, ok := onlyColor(c.t); got != c.want || ok != c.ok {
			t.Errorf("%s: %v %v, want %v %v", name, got, ok, c.want, c.ok)
		}
	}
}

// TestRenumber: textures use the sets that they used, where there was one and is one.
func TestRenumber(t *testing.T) {
	use := func(set int) *asset.TextureRef { return &asset.TextureRef{Texture: new(asset.Texture), TexCoord: set} }
	was := &asset.Material{BaseColorTexture: use(2), EmissiveTexture: use(1), NormalTexture: &asset.TextureRef{TexCoord: 3}, Specular: &asset.Specular{ColorTexture: use(4)}}
	now := &asset.Material{BaseColorTexture: use(0), NormalTexture: use(0), OcclusionTexture: use(0), EmissiveTexture: &asset.TextureRef{}, Specular: &asset.Specular{ColorTexture: use(0)}}
	renumber(was, now)
	equal(t, "sets", []int{now.BaseColorTexture.TexCoord, now.NormalTexture.TexCoord, now.OcclusionTexture.TexCoord, now.EmissiveTexture.TexCoord, now.Specular.ColorTexture.TexCoord}, []int{2, 0, 0, 0, 4})
}

// TestListed: twelve names are all of them, of more the first twelve.
func TestListed(t *testing.T) {
	names := strings.Split("a b c d e f g h i j k l m", " ")
	for n, want := range map[int]string{0: "", 1: "a", 2: "a, b", 12: "a, b, c, d, e, f, g, h, i, j, k, l", 13: "a, b, c, d, e, f, g, h, i, j, k, l, …"} {
		if got := Listed(names[:n]); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}

// TestRefillShapes: every mesh is filled up once, whatever nodes show it, and no node comes back.
func TestRefillShapes(t *testing.T) {
	was, s := furnished(), pruned()
	RefillShapes(was, s)
	p, q := s.Meshes[0].Primitives[0], was.Meshes[0].Primitives[0]
	equal(t, "filled", []any{p.Normals, p.TexCoords, len(s.Roots[0].Children)}, []any{q.Normals, q.TexCoords, 0})
	was, s = furnished(), pruned()
	q, p = was.Meshes[0].Primitives[0], s.Meshes[0].Primitives[0]
	q.TexCoords = append(q.TexCoords, [][2]float32{{5, 5}, {6, 6}, {7, 7}})
	p.TexCoords = q.TexCoords[1:]
	x := new(asset.Texture)
	q.Material.EmissiveTexture, p.Material.EmissiveTexture = &asset.TextureRef{Texture: x, TexCoord: 1}, &asset.TextureRef{Texture: x}
	RefillShapes(was, s)
	equal(t, "numbered again", []any{p.TexCoords, p.Material.EmissiveTexture.TexCoord}, []any{q.TexCoords, 1})
	for _, c := range []struct {
		generator string
		colors    int // of the original
		want      float32
	}{{"gltfpack 1.3", 3, 0.5}, {"gltfpack 1.3", 2, 0.501}, {"glTF-Transform v4.5.1", 3, 0.501}} {
		was, s := furnished(), furnished()
		s.Generator = c.generator
		for range 3 {
			s.Meshes[0].Primitives[0].Colors = append(s.Meshes[0].Primitives[0].Colors, [4]float32{0.501, 0, 0, 1})
		}
		was.Meshes[0].Primitives[0].Colors = slices.Repeat([][4]float32{{0.5, 0, 0, 1}}, c.colors)
		RefillShapes(was, s)
		if got := s.Meshes[0].Primitives[0].Colors[0][0]; got != c.want {
			t.Errorf("%s with %d colours: %v", c.generator, c.colors, got)
		}
	}
	was, s = furnished(), furnished()
	s.Generator = "gltfpack 1.3"
	was.Meshes[0].Primitives[0].Colors = make([][4]float32, 3)
	if RefillShapes(was, s); s.Meshes[0].Primitives[0].Colors != nil {
		t.Error("colours came back")
	}
	for name, edit := range map[string]func(was, now *asset.Primitive){
		"other lines":    func(was, now *asset.Primitive) { now.Mode = asset.Lines },
		"made later":     func(was, now *asset.Primitive) { now.Load = func() (*asset.Primitive, error) { return nil, nil } },
		"was made later": func(was, now *asset.Primitive) { was.Load = func() (*asset.Primitive, error) { return nil, nil } },
		"no vertices":    func(was, now *asset.Primitive) { now.Positions = nil },
		"had none":       func(was, now *asset.Primitive) { was.Positions = nil },
		"other normals":  func(was, now *asset.Primitive) { was.Normals, was.TexCoords = was.Normals[:2], nil },
	} {
		was, s := furnished(), pruned()
		edit(was.Meshes[0].Primitives[0], s.Meshes[0].Primitives[0])
		RefillShapes(was, s)
		if p := s.Meshes[0].Primitives[0]; p.Normals != nil || p.TexCoords != nil {
			t.Errorf("%s: normals %v, coordinates %v", name, p.Normals, p.TexCoords)
		}
	}
	for name, edit := range map[string]func(q, p *asset.Primitive){
		"no materials":      func(q, p *asset.Primitive) { q.Material, p.Material = nil, nil },
		"none any more":     func(q, p *asset.Primitive) { p.Material = nil },
		"there was none":    func(q, p *asset.Primitive) { q.Material = nil },
		"another primitive": func(q, p *asset.Primitive) {},
	} {
		was, s := furnished(), pruned()
		q, p := was.Meshes[0].Primitives[0], s.Meshes[0].Primitives[0]
		q.TexCoords = append(q.TexCoords, [][2]float32{{5, 5}, {6, 6}, {7, 7}})
		p.TexCoords = q.TexCoords[1:]
		if name == "another primitive" { // that was nowhere
			s.Meshes[0].Primitives = append(s.Meshes[0].Primitives, &asset.Primitive{Material: asset.NewMaterial("new"), Positions: triangle(0)})
		}
		edit(q, p)
		RefillShapes(was, s)
		equal(t, name, []any{p.Normals, p.TexCoords}, []any{q.Normals, q.TexCoords})
	}
	was, s = furnished(), pruned()
	was.Roots[0].Mesh = nil
	RefillShapes(was, s) // nothing to take from
	was, s = furnished(), pruned()
	s.Roots[0].Mesh = nil
	RefillShapes(was, s) // nothing to fill
}

// TestRefillMaterial: a picture of one colour comes back where the colour is still the same, once a material; transparency
// without an effect comes back from gltfpack.
func TestRefillMaterial(t *testing.T) {
	for name, c := range map[string]struct {
		edit    func(was, now *asset.Material, s *asset.Scene)
		picture bool
		alpha   asset.AlphaMode
	}{
		"as it is":        {func(was, now *asset.Material, s *asset.Scene) {}, true, asset.Opaque},
		"tinted":          {func(was, now *asset.Material, s *asset.Scene) { was.BaseColor[0], now.BaseColor[0] = 0.5, 0.5 }, true, asset.Opaque},
		"another tint":    {func(was, now *asset.Material, s *asset.Scene) { was.BaseColor[0] = 0.5 }, false, asset.Opaque},
		"there was none":  {func(was, now *asset.Material, s *asset.Scene) { was.BaseColorTexture = nil }, false, asset.Opaque},
		"blended":         {func(was, now *asset.Material, s *asset.Scene) { was.Alpha = asset.Blend }, true, asset.Opaque},
		"blended, packed": {func(was, now *asset.Material, s *asset.Scene) { was.Alpha, s.Generator = asset.Blend, "gltfpack 1.3" }, true, asset.Blend},
		"masked, packed":  {func(was, now *asset.Material, s *asset.Scene) { was.Alpha, s.Generator = asset.Mask, "gltfpack 1.3" }, true, asset.Mask},
		"made to blend": {func(was, now *asset.Material, s *asset.Scene) {
			was.Alpha, now.Alpha, s.Generator = asset.Mask, asset.Blend, "gltfpack 1.3"
		}, true, asset.Blend},
		"half transparent": {func(was, now *asset.Material, s *asset.Scene) {
			was.Alpha, was.BaseColor[3], now.BaseColor[3], s.Generator = asset.Blend, 0.5, 0.5, "gltfpack 1.3"
		}, true, asset.Opaque},
		"blended, in colour": {func(was, now *asset.Material, s *asset.Scene) {
			was.Alpha, was.BaseColorTexture, s.Generator = asset.Blend, nil, "gltfpack 1.3"
			was.BaseColor[1] = 0.5
		}, false, asset.Opaque},
	} {
		was, s := furnished(), pruned()
		now := s.Materials[0]
		c.edit(was.Materials[0], now, s)
		RefillShapes(was, s)
		if scene.Used(now.BaseColorTexture) != c.picture || len(s.Textures) > 0 != c.picture || now.Alpha != c.alpha {
			t.Errorf("%s: picture %v, %d textures, alpha %v", name, scene.Used(now.BaseColorTexture), len(s.Textures), now.Alpha)
		}
	}
	was, s := furnished(), pruned()
	for _, x := range []*asset.Scene{was, s} { // two primitives with one material, and a picture that is there already
		x.Meshes[0].Primitives = append(x.Meshes[0].Primitives, x.Meshes[0].Primitives[0])
	}
	s.Textures = []*asset.Texture{was.Textures[0]}
	if RefillShapes(was, s); len(s.Textures) != 1 {
		t.Errorf("%d textures", len(s.Textures))
	}
}

// TestRefillNodes: nodes without a shape come back where they were, with their channels, when the program could have left
// them out.
func TestRefillNodes(t *testing.T) {
	build := func() *asset.Scene {
		s := &asset.Scene{Generator: "glTF-Transform v4.5.1"}
		a, b, c, d := shownBy("a", square()), asset.NewNode("b"), asset.NewNode("c"), shownBy("d", square())
		s.Roots, b.Children, c.Children = []*asset.Node{asset.NewNode("first"), a, c}, []*asset.Node{asset.NewNode("below")}, []*asset.Node{d}
		a.Children = []*asset.Node{b, shownBy("shown", square()), asset.NewNode("tip")}
		s.Animations = []*asset.Animation{
			{Name: "run", Channels: []*asset.Channel{{Node: a, Path: asset.Scale}, {Node: b}, {Node: b.Children[0], Path: asset.Rotation}}},
			{Name: "still", Channels: []*asset.Channel{{Node: b}}},
		}
		return s
	}
	left := func() *asset.Scene {
		s := build()
		a := s.Roots[1]
		s.Roots, a.Children = s.Roots[1:], a.Children[1:2]
		s.Animations = s.Animations[:1]
		s.Animations[0].Channels = s.Animations[0].Channels[:1]
		return s
	}
	const warning = "empty-nodes: 4 nodes without a shape are not in the file any more, and are taken from the original: the program that saved it leaves them out (first, b, below, tip)"
	for name, c := range map[string]struct {
		edit     func(s *asset.Scene)
		tree     string
		channels int
		said     []string
	}{
		"as the program leaves it": {func(s *asset.Scene) {}, "first a(b(below) shown tip) c(d)", 3, []string{warning}},
		"an end is left":           {func(s *asset.Scene) { s.Roots = append(s.Roots, asset.NewNode("end")) }, "a(shown) c(d) end", 1, nil},
		"an end that a skin needs": {func(s *asset.Scene) {
			s.Roots = append(s.Roots, asset.NewNode("end"))
			s.Skins = []*asset.Skin{{Joints: s.Roots[2:]}}
		}, "first a(b(below) shown tip) c(d) end", 3, []string{warning}},
		"an end that moves": {func(s *asset.Scene) {
			s.Roots = append(s.Roots, asset.NewNode("end"))
			s.Animations = append(s.Animations, &asset.Animation{Channels: []*asset.Channel{{Node: s.Roots[2]}}})
		}, "first a(b(below) shown tip) c(d) end", 3, []string{warning}},
		"a light": {func(s *asset.Scene) {
			s.Roots = append(s.Roots, asset.NewNode("light"))
			s.Roots[2].Light = asset.NewLight(asset.SunLight)
		}, "first a(b(below) shown tip) c(d) light", 3, []string{warning}},
		"one that was taken elsewhere": {func(s *asset.Scene) {
			s.Roots[1].Children = append(s.Roots[1].Children, asset.NewNode("below"))
			s.Roots[1].Children[1].Children = []*asset.Node{shownBy("new", square())}
		}, "first a(shown tip) c(d below(new))", 1, []string{"empty-nodes: 2 nodes without a shape are not in the file any more, and are taken from the original: the program that saved it leaves them out (first, tip)"}},
		"all but one is there": {func(s *asset.Scene) {
			o := build()
			o.Roots[0].Camera, o.Roots[1].Children[2].Camera = &asset.Camera{}, &asset.Camera{}
			s.Roots, s.Animations = o.Roots, o.Animations
			s.Roots[1].Children[0].Children = nil
			s.Roots[1].Children[0].Camera = &asset.Camera{}
		}, "first a(b(below) shown tip) c(d)", 4, []string{"empty-nodes: 1 node without a shape is not in the file any more, and is taken from the original: the program that saved it leaves them out (below)"}},
		"a name that is there twice": {func(s *asset.Scene) {
			s.Roots = append(s.Roots, shownBy("x", square()))
			s.Roots[2].Children = []*asset.Node{shownBy("shown", square())}
		}, "first a(b(below) shown tip) c(d) x(shown)", 3, []string{warning}},
		"another animation": {func(s *asset.Scene) { s.Animations[0].Name = "walk" }, "first a(b(below) shown tip) c(d)", 1, []string{warning}},
	} {
		s, d := left(), new(schema.Diagnostics)
		c.edit(s)
		Refill(build(), s, d)
		equal(t, name, tree(s.Roots), c.tree)
		equal(t, name+", said", said(d), c.said)
		if got := len(s.Animations[0].Channels); got != c.channels {
			t.Errorf("%s: %d channels", name, got)
		}
	}
}

// TestRefillRoots: roots under other names are those that keep the same of their file; one that keeps nothing is nobody's.
func TestRefillRoots(t *testing.T) {
	root := func(name, kind, payload string) *asset.Node {
		n := asset.NewNode(name)
		if kind != "" {
			n.Native = &asset.Native{Format: kind, Payload: []byte(payload)}
		}
		return n
	}
	was := &asset.Scene{Roots: []*asset.Node{root("a", "x", "1"), root("b", "x", "2"), root("c", "y", "1"), root("d", "", "")}}
	now := &asset.Scene{Roots: []*asset.Node{root("new", "", ""), root("k", "y", "1"), root("l", "x", "2"), root("m", "x", "1")}}
	r := newRefill(was, now)
	r.pairRoots()
	for i, want := range []*asset.Node{now.Roots[3], now.Roots[2], now.Roots[1], nil} {
		if got := r.to[was.Roots[i]]; got != want {
			t.Errorf("root %d is another one", i)
		}
	}
}

// TestRefillPairs: nodes of one name are told apart by what usher knows of them, by their meshes and by their order, those
// of levels as well; one that was moved to another node is found by its name.
func TestRefillPairs(t *testing.T) {
	known := func(name, id string) *asset.Node {
		n := asset.NewNode(name)
		n.Native = &asset.Native{Values: map[string]any{"id": id}}
		return n
	}
	build := func(order ...int) *asset.Scene {
		all := []*asset.Node{known("a", "1"), known("a", "2"), asset.NewNode("a"), shownBy("a", square()), asset.NewNode("a"), asset.NewNode("b")}
		all[3].Children, all[3].LODs = []*asset.Node{asset.NewNode("in")}, []*asset.Node{asset.NewNode("low")}
		s := new(asset.Scene)
		for _, i := range order {
			s.Roots = append(s.Roots, all[i])
		}
		return s
	}
	was, now := build(0, 1, 2, 3, 4, 5), build(3, 4, 2, 1, 0)
	now.Detached = []*asset.Node{asset.NewNode("c")}
	now.Detached[0].Children = []*asset.Node{asset.NewNode("b")}
	was.Detached = []*asset.Node{asset.NewNode("c"), asset.NewNode("in"), asset.NewNode("twice"), asset.NewNode("twice")}
	now.Roots[4].Children = []*asset.Node{asset.NewNode("twice")}
	was.Detached = append(was.Detached, asset.NewNode("pair"), asset.NewNode("pair"))
	was.Roots = append(was.Roots, asset.NewNode("c"))
	now.Roots[1].Children = []*asset.Node{asset.NewNode("c")}
	now.Detached = append(now.Detached, asset.NewNode("pair"), asset.NewNode("pair"))
	r := newRefill(was, now)
	if r.to[was.Detached[4]] != now.Detached[1] || r.to[was.Detached[5]] != now.Detached[2] {
		t.Error("detached nodes of one name are others")
	}
	if r.to[was.Roots[6]] != now.Roots[1].Children[0] {
		t.Error("one of a name of which another is known was not found")
	}
	was.Detached = was.Detached[:4]
	for i, want := range []*asset.Node{now.Roots[4], now.Roots[3], now.Roots[1], now.Roots[0], now.Roots[2], now.Detached[0].Children[0]} {
		if got := r.to[was.Roots[i]]; got != want {
			t.Errorf("root %d is another one", i)
		}
	}
	shape := was.Roots[3]
	if r.to[shape.Children[0]] != now.Roots[0].Children[0] || r.to[shape.LODs[0]] != now.Roots[0].LODs[0] || r.to[was.Detached[0]] != now.Detached[0] {
		t.Error("what is below, a level or a detached node is another one")
	}
	for _, n := range was.Detached[1:] {
		if r.to[n] != nil {
			t.Errorf("%s is paired", n.Name)
		}
	}
}
