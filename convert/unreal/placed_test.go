package unreal

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/look"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/convert/unreal/space"
	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// TestPlacedActors: an actor stands at its Location, with its PrePivot, in the size of its DrawScale, where that is a size.
func TestPlacedActors(t *testing.T) {
	for scale, want := range map[float32]float32{2: 2, 0.25: 0.25, 999999: 999999, 1e6: 1, 0: 1, -2: 1, float32(math.Inf(1)): 1} {
		a := hall(t, 69)
		r := a.FindExport("PlayerStart0", "PlayerStart")
		o, err := a.Object(int(r - 1))
		if err != nil {
			t.Fatal(err)
		}
		o.Base().SetStruct("PrePivot", "Vector", vector(1, 2, 4))
		o.Base().Set("DrawScale", unreal.FloatProperty, int32(math.Float32bits(scale)))
		if err := a.Store(int(r-1), o); err != nil {
			t.Fatal(err)
		}
		n := a.nodeOf(r)
		if n.Transform.Scale != [3]float32{want, want, want} || n.Transform.Translation != [3]float32{-8, 11, 6} {
			t.Errorf("DrawScale %v: %+v", scale, n.Transform)
		}
	}
}

// TestModelsOfALevel: the shapes of a level are its world and those of its movers; brushes went into the world.
func TestModelsOfALevel(t *testing.T) {
	for _, version := range []uint16{61, 69} {
		a := gallery(t, version)
		shape := a.FindExport("Model1", "Model")
		mover := a.AddExport(a.AddClass("Engine", "Mover"), 0, "Mover0", unreal.LoadFlags)
		o := &unreal.Object{Context: a.Context(int(mover - 1))}
		o.Set("Brush", unreal.ObjectProperty, int32(shape))
		put(t, a, mover, o)
		n := a.nodeOf(mover)
		if n == nil || n.Mesh == nil || n.Mesh.Name != "Model1" || len(n.Mesh.Primitives) != 2 || len(n.Mesh.Primitives[0].Indices) != 6 {
			t.Errorf("version %d: the mover is %+v", version, n)
		}
		world, brush := a.FindExport("Model0", "Model"), a.FindExport("Brush0", "Brush")
		b := &levelBuilder{lamps: a.lamps()}
		for name, c := range map[string]struct {
			level unreal.Level
			want  string
		}{
			"nothing":            {unreal.Level{}, ""},
			"a world":            {unreal.Level{Model: world}, "Model0"},
			"brushes and lights": {unreal.Level{Model: world, Actors: []unreal.Ref{brush, a.FindExport("Light0", "Light"), 0}}, "Model0"},
			"a mover":            {unreal.Level{Model: world, Actors: []unreal.Ref{brush, mover}}, "Model0 Model1"},
			"two, of one shape":  {unreal.Level{Actors: []unreal.Ref{mover, mover}}, "Model1 Model1"},
			"actors of nowhere":  {unreal.Level{Model: -1, Actors: []unreal.Ref{-1, unreal.Ref(len(a.Exports) + 1)}}, ""},
			"what is no shape":   {unreal.Level{Model: mover}, ""},
		} {
			var got []string
			for _, m := range b.models(&c.level) {
				got = append(got, m.Path)
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("version %d: %s: %v, want %s", version, name, got, c.want)
			}
		}
	}
}

// TestFlatPolygons: a polygon is a fan, with the normal that it has, or one that points up.
func TestFlatPolygons(t *testing.T) {
	for normal, want := range map[[3]float32][3]float32{{0, 0, 2}: {0, 1, 0}, {3, 0, 0}: {0, 0, 1}, {0, -1, 0}: {1, 0, 0}, {}: {0, 1, 0}, {1e-7, 0, 0}: {0, 1, 0}} {
		p := &asset.Primitive{TexCoords: make([][][2]float32, 1)}
		q := &polygon{points: [][3]float32{{0, 0, 0}, {256, 0, 0}, {256, 128, 0}, {0, 128, 0}}, normal: normal, axisU: [3]float32{1, 0, 0}, axisV: [3]float32{0, 1, 0}, panU: 64}
		addPolygon(p, q, look.NewSkins(pack.Scratch(), &asset.Scene{}, &format.Env{}))
		if len(p.Positions) != 4 || mgl32.Vec3(p.Normals[3]).Sub(want).Len() > 1e-6 || p.Positions[2] != space.Vertex.Point([3]float32{256, 128, 0}) {
			t.Errorf("%v: %v, %v", normal, p.Normals, p.Positions)
		}
		if fmt.Sprint(p.Indices) != "[0 2 1 0 3 2]" || p.TexCoords[0][2] != [2]float32{1.25, 0.5} {
			t.Errorf("corners %v, texels %v", p.Indices, p.TexCoords)
		}
	}
}

// TestSamePlaces: what is moved, gone or new is not where it was; what is below another node, or new and shows nothing, is told.
func TestSamePlaces(t *testing.T) {
	build := func(edit func(root, a, b *asset.Node)) *asset.Scene {
		root, a, b := asset.NewNode("Root"), asset.NewNode("A"), asset.NewNode("B")
		a.Transform.Translation, b.Transform.Translation = [3]float32{1, 2, 3}, [3]float32{4, 5, 6}
		root.Children = []*asset.Node{a, b}
		edit(root, a, b)
		return &asset.Scene{Roots: []*asset.Node{root}}
	}
	for name, c := range map[string]struct {
		edit func(root, a, b *asset.Node)
		same bool
		told string
	}{
		"nothing":       {func(_, _, _ *asset.Node) {}, true, ""},
		"moved":         {func(_, a, _ *asset.Node) { a.Transform.Translation[0]++ }, false, ""},
		"gone":          {func(root, _, _ *asset.Node) { root.Children = root.Children[:1] }, false, ""},
		"below another": {func(root, a, b *asset.Node) { below(root, a, b) }, true, "hierarchy"},
		"below what is new": {func(root, a, _ *asset.Node) {
			n := asset.NewNode("Empty")
			root.Children[0] = n
			n.Children = []*asset.Node{a}
		}, true, ""},
		"new, and empty": {func(root, _, _ *asset.Node) { root.Children = append(root.Children, asset.NewNode("C")) }, true, "node"},
		"new, and shows much": {func(root, _, _ *asset.Node) {
			n := asset.NewNode("C")
			n.Mesh = &asset.Mesh{}
			root.Children = append(root.Children, n)
		}, false, ""},
		"twice": {func(root, a, _ *asset.Node) { root.Children = append(root.Children, a) }, true, "node"},
	} {
		d := new(schema.Diagnostics)
		same := samePlaces(build(c.edit), build(func(_, _, _ *asset.Node) {}), d)
		var told []string
		for _, x := range d.All() {
			told = append(told, x.Code)
		}
		if same != c.same || strings.Join(told, " ") != c.told {
			t.Errorf("%s: %v, told %v", name, same, d.All())
		}
	}
}

// below puts b below a, in the place where it is.
func below(root, a, b *asset.Node) {
	root.Children = []*asset.Node{a}
	a.Children = []*asset.Node{b}
	for k := range b.Transform.Translation {
		b.Transform.Translation[k] -= a.Transform.Translation[k]
	}
}

// TestNextPoint: a chain of navigation points leads on to the next that stays, and ends where there is none, in a ring too.
func TestNextPoint(t *testing.T) {
	a := hall(t, 69)
	var points []unreal.Ref
	class := a.AddClass("Engine", "PathNode")
	for i := range 4 {
		points = append(points, a.AddExport(class, 0, fmt.Sprint("PathNode", i), unreal.LoadFlags))
	}
	for i, r := range points {
		o := &unreal.Object{Context: a.Context(int(r - 1))}
		switch i {
		case 3: // the last leads to the second
			o.Set("nextNavigationPoint", unreal.ObjectProperty, int32(points[1]))
		default:
			o.Set("nextNavigationPoint", unreal.ObjectProperty, int32(points[i+1]))
		}
		put(t, a, r, o)
	}
	bad := a.AddExport(class, 0, "PathNode9", unreal.LoadFlags)
	a.Exports[bad-1].Data = []byte{0x3F}
	x := &release{a: a}
	for _, c := range []struct {
		from unreal.Ref
		gone []unreal.Ref
		want unreal.Ref
	}{
		{points[0], nil, points[0]},
		{points[0], points[:1], points[1]},
		{points[0], points[:2], points[2]},
		{points[0], points[:3], points[3]},
		{points[0], points, 0},
		{points[3], []unreal.Ref{points[3]}, points[1]},
		{bad, []unreal.Ref{bad}, 0},
	} {
		gone := map[unreal.Ref]bool{}
		for _, r := range c.gone {
			gone[r] = true
		}
		if got := x.next(c.from, gone); got != c.want {
			t.Errorf("from %d without %v: %d, want %d", c.from, c.gone, got, c.want)
		}
	}
}

// TestPan: a texture that was shifted by whole texels has another pan, which stays within its numbers since textures repeat; one
// that was scaled, turned or shifted by less has none.
func TestPan(t *testing.T) {
	points := [][3]float32{{0, 0, 0}, {64, 0, 0}, {0, 32, 0}}
	for _, c := range []struct {
		was      [2]int16
		du, dv   float32 // in texels
		stretch  float32
		want     [2]int16
		possible bool
	}{
		{[2]int16{0, 0}, 0, 0, 1, [2]int16{0, 0}, true},
		{[2]int16{3, -4}, 0, 0, 1, [2]int16{3, -4}, true},
		{[2]int16{3, -4}, 5, 7, 1, [2]int16{8, 3}, true},
		{[2]int16{3, -4}, 1, -1, 1, [2]int16{4, -5}, true},
		{[2]int16{3, -4}, 0.04, -0.04, 1, [2]int16{3, -4}, true},
		{[2]int16{3, -4}, 0.5, 0, 1, [2]int16{}, false},
		{[2]int16{3, -4}, 0, 0.5, 1, [2]int16{3, 0}, false},
		{[2]int16{3, -4}, 0, 0, 2, [2]int16{}, false},
		{[2]int16{32760, 0}, 7, 0, 1, [2]int16{32767, 0}, true},
		{[2]int16{32760, 0}, 8, 0, 1, [2]int16{32760 + 8 - 8, 0}, true}, // eight texels are the width
		{[2]int16{32760, 0}, 17, 0, 1, [2]int16{32761, 0}, true},
		{[2]int16{0, -32760}, 0, -21, 1, [2]int16{0, -32765}, true}, // by sixteen and five
	} {
		f := &face{on: &polygon{axisU: mgl32.Vec3{1, 0, 0}, axisV: mgl32.Vec3{0, 1, 0}}}
		for i, p := range points {
			f.points[i] = p
			f.uv[i] = [2]float32{(p[0]*c.stretch + float32(c.was[0]) + c.du) / 8, (p[1]*c.stretch + float32(c.was[1]) + c.dv) / 16}
		}
		got, ok := new(repainter).pan(f, &unreal.BspSurf{PanU: c.was[0], PanV: c.was[1]}, [2]float32{8, 16})
		if got != c.want || ok != c.possible {
			t.Errorf("%v by %v, %v times %v: %v, %v", c.was, c.du, c.dv, c.stretch, got, ok)
		}
	}
}

// TestEmptyBrush: a brush of text without polygons shows nothing, and so it has no node.
func TestEmptyBrush(t *testing.T) {
	begin, end := strings.Index(mapText, "          Begin Polygon"), strings.Index(mapText, "       End PolyList")
	x, err := read.T3D([]byte(mapText[:begin]+mapText[end:]), nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := liftT3D(x, &format.Env{Name: "map.t3d"})
	if err != nil || len(s.Roots[0].Children) != 0 {
		t.Errorf("%d nodes, %v", len(s.Roots[0].Children), err)
	}
}

// TestSkewedActor: an actor that a scene skews is told of; the light of one that is moved is said to be baked.
func TestSkewedActor(t *testing.T) {
	for name, c := range map[string]struct {
		edit func(n *asset.Node, to mgl64.Mat4)
		code string
	}{
		"moved": {func(n *asset.Node, _ mgl64.Mat4) { n.Transform.Translation[1] += 16 }, "baked-light"},
		"skewed": {func(n *asset.Node, to mgl64.Mat4) {
			m := [16]float32{}
			for i, v := range to {
				m[i] = float32(v)
			}
			n.Transform.Matrix = &m
		}, "skewed-actor"},
	} {
		a, d := hall(t, 69), new(schema.Diagnostics)
		a.Env.Diagnostics = d
		scened(t, a, func(s *asset.Scene) {
			n, _ := nodeNamed(t, s, "Light0")
			to := scene.Matrix(&n.Transform).Mul4(mgl64.Mat4FromCols(mgl64.Vec4{1, 0, 0, 0}, mgl64.Vec4{0.5, 1, 0, 0}, mgl64.Vec4{0, 0, 1, 0}, mgl64.Vec4{0, 0, 0, 1}))
			c.edit(n, to)
		})
		if !d.Has(c.code) || d.Has("paths") || d.Has("skewed-actor") != (c.code == "skewed-actor") {
			t.Errorf("%s: told %v", name, d.All())
		}
	}
}

// TestLitAndUnlit: a shape with light maps wears pictures of light, and one without in the same scene wears its textures alone.
func TestLitAndUnlit(t *testing.T) {
	a := gallery(t, 69)
	m, err := pack.As[unreal.Model](a.File, int(a.FindExport("Model0", "Model")-1))
	if err != nil {
		t.Fatal(err)
	}
	m.LightMaps = []unreal.LightMap{{UClamp: 8, VClamp: 8, UScale: 32, VScale: 32, Light: 0}}
	m.Lights, m.LightBits = []unreal.Ref{a.FindExport("Light0", "Light"), 0}, make([]byte, 8)
	for i := range m.Surfs {
		m.Surfs[i].LightMap = 0
	}
	s := &asset.Scene{}
	k := look.NewSkins(a.File, s, a.Env)
	m.Surfs[1].Flags |= unreal.PolyFakeBackdrop
	maps := newAtlas([]*unreal.Model{m}, nil)
	for _, c := range []struct {
		maps *atlas
		sets int
	}{{maps, 2}, {nil, 1}, {maps, 2}} {
		mesh, err := a.modelMesh(m, "Room", k, c.maps, &scenery{lamps: a.lamps(), place: mgl64.Ident4()})
		if err != nil || len(mesh.Primitives) != 2 {
			t.Fatal(mesh, err)
		}
		for i, p := range mesh.Primitives {
			if lit := p.Material.OcclusionTexture != nil; lit != (c.sets == 2) || len(p.TexCoords) != c.sets || p.Material.BaseColorTexture == nil {
				t.Errorf("%d sets, shape %d: lit %v, %d sets", c.sets, i, lit, len(p.TexCoords))
			}
			if sky := scene.MixOf(p.Material) == scene.Backdrop; sky != (i == 1) {
				t.Errorf("shape %d shows the sky: %v", i, sky)
			}
		}
	}
}

// TestOwnShapes: a copied brush has a shape of its own, every part of which names the copy; where a part cannot be read it is
// refused.
func TestOwnShapes(t *testing.T) {
	for _, c := range []struct {
		version uint16
		shape   string // which shape it has
		made    string
	}{
		{69, "Model1", "Model Polys"}, {69, "Model0", "Model"}, {61, "Model1", "Model Polys"}, {61, "Model0", "Model Vectors Vectors BspNodes BspSurfs Verts"},
	} {
		a := gallery(t, c.version)
		brush, shape := a.FindExport("Brush0", "Brush"), a.FindExport(c.shape, "Model")
		copied := a.AddExport(a.Exports[brush-1].Class, 0, "Brush9", unreal.LoadFlags)
		o := &unreal.Object{Context: a.Context(int(copied - 1))}
		o.Set("Brush", unreal.ObjectProperty, int32(shape))
		put(t, a, copied, o)
		before := len(a.Exports)
		if err := a.copyBrush(o, copied); err != nil {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		var made []string
		for i := before; i < len(a.Exports); i++ {
			made = append(made, a.ClassName(unreal.Ref(i+1)))
			x, err := a.Object(i)
			if err != nil {
				t.Fatal(err)
			}
			var actors []unreal.Ref
			switch x := x.(type) {
			case *unreal.Polys:
				for _, p := range x.Polys {
					actors = append(actors, p.Actor)
				}
			case *unreal.BspSurfs:
				for _, s := range x.Surfs {
					actors = append(actors, s.Actor)
				}
			case *unreal.Model:
				if r := x.Polys; r > 0 && int(r) <= before {
					t.Errorf("%+v: the shape has the polygons of another one", c)
				}
				for _, s := range x.Surfs {
					actors = append(actors, s.Actor)
				}
			}
			for _, r := range actors {
				if r != copied && r != 0 {
					t.Errorf("%+v: a part of %s names %s", c, made[len(made)-1], a.ObjectName(r))
				}
			}
		}
		if got := strings.Join(made, " "); got != c.made || int(o.Ref("Brush")) != before+1 {
			t.Errorf("%+v: made %s, and shows %s", c, got, a.ObjectName(o.Ref("Brush")))
		}
	}
	for _, version := range []uint16{61, 69} {
		a := gallery(t, version)
		polys, brush := a.FindExport("Polys1", "Polys"), a.FindExport("Brush0", "Brush")
		a.Exports[polys-1].Data = []byte{0x3F}
		o, err := a.Object(int(brush - 1))
		if err != nil {
			t.Fatal(err)
		}
		if err := a.copyBrush(o.Base(), brush); err == nil {
			t.Errorf("version %d: polygons that cannot be read were copied", version)
		}
	}
}

// TestFreshNodes: a node that somebody made is a copy of the actor whose name or class it has; what is none of these is told.
func TestFreshNodes(t *testing.T) {
	for name, c := range map[string]struct{ deeds, told string }{
		"PlayerStart":      {"+PlayerStart MyLevel", ""},
		"playerstart77":    {"+playerstart77 MyLevel", ""},
		"PlayerStart0.001": {"+PlayerStart0_001 MyLevel", ""},
		"Light":            {"+Light MyLevel", ""},
		"LevelInfo":        {"", "added"}, // there is one, and one alone
		"Brush":            {"", "added"}, // that of the editor
		"Sofa":             {"", "added"},
		"0123":             {"", "added"},
	} {
		was, a, d := hall(t, 69), hall(t, 69), new(schema.Diagnostics)
		a.Env.Diagnostics = d
		now := scened(t, a, func(s *asset.Scene) {
			n := asset.NewNode(name)
			n.Transform.Translation = [3]float32{1, 2, 3}
			s.Roots = append(s.Roots, n)
		})
		if got := deeds(t, was, now); got != c.deeds || d.Has("node") != (c.told != "") {
			t.Errorf("%s: %s, told %v", name, got, d.All())
		}
	}
}
