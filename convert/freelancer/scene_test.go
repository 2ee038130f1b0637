package freelancer_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/corpus"

	read "github.com/usher-assets/usher/read/freelancer"
)

// box returns the surface of a box, fronts outside, with texture coordinates.
func box(m *asset.Material, low, high [3]float32) *asset.Primitive {
	p := &asset.Primitive{Material: m, TexCoords: make([][][2]float32, 1)}
	for axis := range 3 {
		for _, side := range [...]float32{-1, 1} {
			u, v := (axis+1)%3, (axis+2)%3
			if side < 0 {
				u, v = v, u
			}
			first := uint32(len(p.Positions))
			for _, c := range [...][2]float32{{0, 0}, {1, 0}, {1, 1}, {0, 1}} {
				var at, n [3]float32
				at[axis], n[axis] = low[axis], side
				if side > 0 {
					at[axis] = high[axis]
				}
				at[u], at[v] = low[u]+c[0]*(high[u]-low[u]), low[v]+c[1]*(high[v]-low[v])
				p.Positions, p.Normals = append(p.Positions, at), append(p.Normals, n)
				p.TexCoords[0] = append(p.TexCoords[0], [2]float32{c[0], 1 - c[1]})
			}
			p.Indices = append(p.Indices, first, first+1, first+2, first, first+2, first+3)
		}
	}
	return p
}

// gradient returns a material with a picture that differs in every direction.
func gradient(name string, blue byte) *asset.Material {
	const size = 64
	img := asset.NewImage(size, size, asset.RGBA8)
	for y := range size {
		for x := range size {
			copy(img.Pix[4*(y*size+x):], []byte{byte(x * 3), byte(y * 3), blue, 255})
		}
	}
	m := asset.NewMaterial(name)
	m.BaseColorTexture = &asset.TextureRef{Texture: &asset.Texture{Name: name, Frames: []asset.Frame{{Mips: []asset.Image{img}}}}}
	return m
}

func meshNode(name string, p *asset.Primitive) *asset.Node {
	n := asset.NewNode(name)
	n.Mesh = &asset.Mesh{Name: name, Primitives: []*asset.Primitive{p}}
	return n
}

// ship makes a scene as somebody would build it elsewhere: two objects side by side, a turret that turns on one of
// them, materials with pictures, and empty nodes for hardpoints.
func ship() *asset.Scene {
	paint, steel := gradient("paint", 40), gradient("steel", 200)
	hull := meshNode("hull", box(paint, [3]float32{-2, -1, -5}, [3]float32{2, 1, 5}))
	turret := meshNode("turret", box(steel, [3]float32{-0.5, 0, -0.5}, [3]float32{0.5, 0.5, 2}))
	turret.Transform.Translation = [3]float32{0, 1, -2}
	wing := meshNode("wing", box(steel, [3]float32{0, -0.1, -1}, [3]float32{4, 0.1, 1}))
	wing.Transform.Translation = [3]float32{2, 0.25, 0}
	gun := asset.NewNode("HpWeapon01")
	gun.Transform.Translation = [3]float32{0, 0.25, 2}
	gun.Extras = map[string]any{"hardpoint": true, "hptype": "rev", "min": -45.0, "max": 60.0, "axis": []any{0.0, 1.0, 0.0}}
	engine := asset.NewNode("HpEngine01")
	engine.Transform.Translation = [3]float32{0, 0, 5}
	turret.Children = []*asset.Node{gun}
	hull.Children = []*asset.Node{turret, engine}
	half := float32(math.Sqrt2 / 2)
	spin := &asset.Animation{Name: "Sc_spin", Channels: []*asset.Channel{{
		Node: turret, Path: asset.Rotation, Times: []float32{0, 1, 2},
		Values: []float32{0, 0, 0, 1, 0, half, 0, half, 0, 0, 0, 1},
	}}}
	return &asset.Scene{
		Name: "ship", Roots: []*asset.Node{hull, wing}, Meshes: []*asset.Mesh{hull.Mesh, turret.Mesh, wing.Mesh},
		Materials: []*asset.Material{paint, steel}, Animations: []*asset.Animation{spin},
		Textures: []*asset.Texture{paint.BaseColorTexture.Texture, steel.BaseColorTexture.Texture},
	}
}

// where returns the place of every node in the world, and the nodes, by name.
func where(s *asset.Scene) (map[string]mgl64.Mat4, map[string]*asset.Node) {
	world, nodes := map[string]mgl64.Mat4{}, map[string]*asset.Node{}
	of := map[*asset.Node]mgl64.Mat4{nil: mgl64.Ident4()}
	s.Walk(func(n, parent *asset.Node) {
		t := n.Transform
		q := mgl64.Quat{W: float64(t.Rotation[3]), V: mgl64.Vec3{float64(t.Rotation[0]), float64(t.Rotation[1]), float64(t.Rotation[2])}}
		m := mgl64.Translate3D(float64(t.Translation[0]), float64(t.Translation[1]), float64(t.Translation[2])).Mul4(q.Mat4())
		of[n] = of[parent].Mul4(m)
		world[n.Name], nodes[n.Name] = of[n], n
	})
	return world, nodes
}

// corners returns the extent of a mesh in the world.
func corners(n *asset.Node, world mgl64.Mat4) (low, high mgl64.Vec3) {
	low, high = mgl64.Vec3{1e9, 1e9, 1e9}, mgl64.Vec3{-1e9, -1e9, -1e9}
	for _, p := range n.Mesh.Primitives {
		for _, v := range p.Positions {
			at := mgl64.TransformCoordinate(mgl64.Vec3{float64(v[0]), float64(v[1]), float64(v[2])}, world)
			for k := range 3 {
				low[k], high[k] = min(low[k], at[k]), max(high[k], at[k])
			}
		}
	}
	return low, high
}

func nearVec(t *testing.T, what string, got, want mgl64.Vec3) {
	t.Helper()
	if got.Sub(want).Len() > 1e-4 {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// snr compares pictures, in decibels. Colour that nobody sees does not count.
func snr(t *testing.T, a, b *asset.Image) float64 {
	t.Helper()
	if a == nil || b == nil || a.Width != b.Width || a.Height != b.Height {
		t.Fatal("pictures of different sizes")
	}
	var signal, noise float64
	for i := range a.Pix {
		if a.Pix[i|3] == 0 && b.Pix[i|3] == 0 {
			continue
		}
		x, y := float64(a.Pix[i]), float64(b.Pix[i])
		signal, noise = signal+x*x, noise+(x-y)*(x-y)
	}
	return 10 * math.Log10(signal/max(noise, 1e-9))
}

// TestForeignScene makes a compound of a scene that never was one and looks at what arrives in glTF again.
func TestForeignScene(t *testing.T) {
	var d schema.Diagnostics
	want := ship()
	file := lower(t, byName(t, "cmp"), "ship.cmp", fromGLB(t, glb(t, want, nil)), &d)
	for _, x := range d.All() {
		t.Log(x)
	}
	got := fromGLB(t, glb(t, lift(t, byName(t, "cmp"), "ship.cmp", file, nil), nil))
	wantWorld, wantNodes := where(want)
	world, nodes := where(got)
	for _, name := range [...]string{"hull", "turret", "wing", "HpWeapon01", "HpEngine01"} {
		if nodes[name] == nil {
			t.Errorf("%s did not arrive", name)
			continue
		}
		nearVec(t, name, world[name].Col(3).Vec3(), wantWorld[name].Col(3).Vec3())
		if wantNodes[name].Mesh == nil {
			continue
		}
		if nodes[name].Mesh == nil {
			t.Errorf("%s has no mesh", name)
			continue
		}
		l1, h1 := corners(nodes[name], world[name])
		l2, h2 := corners(wantNodes[name], wantWorld[name])
		nearVec(t, name+" low", l1, l2)
		nearVec(t, name+" high", h1, h2)
		m := nodes[name].Mesh.Primitives[0].Material
		if m == nil || m.Name != wantNodes[name].Mesh.Primitives[0].Material.Name || m.BaseColorTexture == nil {
			t.Errorf("%s: material %+v", name, m)
			continue
		}
		if db := snr(t, wantNodes[name].Mesh.Primitives[0].Material.BaseColorTexture.Texture.Base(), m.BaseColorTexture.Texture.Base()); db < 30 {
			t.Errorf("%s: the texture arrives with %.1f dB", name, db)
		}
	}
	if t.Failed() {
		return
	}
	if x := nodes["HpWeapon01"].Extras; x["hptype"] != "rev" || math.Abs(x["max"].(float64)-60) > 1e-4 {
		t.Errorf("HpWeapon01: %v", x)
	}
	if x := nodes["HpEngine01"].Extras; x["hptype"] != "fix" {
		t.Errorf("HpEngine01: %v", x)
	}
	if len(nodes["hull"].Children) == 0 || parentOf(got, nodes["turret"]) != nodes["hull"] {
		t.Error("the turret is not on the hull")
	}
	if x := nodes["turret"].Extras; x["construct"] != "rev" || math.Abs(x["max"].(float64)-90) > 0.01 {
		t.Errorf("the joint of the turret: %v", x)
	}
	if len(got.Animations) != 1 || got.Animations[0].Name != "Sc_spin" || len(got.Animations[0].Channels) == 0 {
		t.Fatalf("animations: %+v", got.Animations)
	}
	for _, c := range got.Animations[0].Channels {
		if c.Path != asset.Rotation {
			continue
		}
		k := 0
		for c.Times[k] < 1 {
			k++
		}
		if c.Times[k] != 1 || math.Abs(math.Abs(float64(c.Values[4*k+1]))-math.Sqrt2/2) > 1e-4 {
			t.Errorf("after a second the turret stands at %v", c.Values[4*k:4*k+4])
		}
	}
}

func parentOf(s *asset.Scene, child *asset.Node) (found *asset.Node) {
	s.Walk(func(n, parent *asset.Node) {
		if n == child {
			found = parent
		}
	})
	return found
}

// TestForeignSingle makes a .3db file: one part, with its hardpoints.
func TestForeignSingle(t *testing.T) {
	s := ship()
	hull := s.Roots[0]
	s.Roots, s.Animations, hull.Children = []*asset.Node{hull}, nil, hull.Children[1:]
	file := lower(t, byName(t, "3db"), "crate.3db", fromGLB(t, glb(t, s, nil)), nil)
	if f := sniff(t, "crate.3db", file); f == nil || f.Name != "3db" {
		t.Fatalf("it is taken for %v", f)
	}
	got := lift(t, byName(t, "3db"), "crate.3db", file, nil)
	world, nodes := where(got)
	nearVec(t, "HpEngine01", world["HpEngine01"].Col(3).Vec3(), mgl64.Vec3{0, 0, 5})
	low, high := corners(nodes["Root"], world["Root"])
	nearVec(t, "low", low, mgl64.Vec3{-2, -1, -5})
	nearVec(t, "high", high, mgl64.Vec3{2, 1, 5})
}

// TestLargeMesh makes a compound of a mesh that one VMeshData cannot hold.
func TestLargeMesh(t *testing.T) {
	const side = 200 // 40,000 vertices, 237,606 indices
	p := &asset.Primitive{Material: asset.NewMaterial("grid")}
	for y := range side {
		for x := range side {
			p.Positions = append(p.Positions, [3]float32{float32(x), 0, float32(y)})
			p.Normals = append(p.Normals, [3]float32{0, 1, 0})
		}
	}
	for y := range uint32(side - 1) {
		for x := range uint32(side - 1) {
			a := y*side + x
			p.Indices = append(p.Indices, a, a+side, a+1, a+1, a+side, a+side+1)
		}
	}
	n := meshNode("grid", p)
	s := &asset.Scene{Roots: []*asset.Node{n}, Meshes: []*asset.Mesh{n.Mesh}, Materials: []*asset.Material{p.Material}}
	file := lower(t, byName(t, "cmp"), "grid.cmp", s, nil)
	got := lift(t, byName(t, "cmp"), "grid.cmp", file, nil)
	triangles := 0
	got.Walk(func(n, _ *asset.Node) {
		if n.Mesh == nil {
			return
		}
		if len(n.Mesh.Primitives) > 0 && n.Mesh.Primitives[0].Material.Name != "grid" {
			t.Errorf("%s has the material %q", n.Name, n.Mesh.Primitives[0].Material.Name)
		}
		for _, p := range n.Mesh.Primitives {
			triangles += len(p.Indices) / 3
		}
	})
	if want := len(p.Indices) / 3; triangles != want {
		t.Errorf("%d triangles, want %d", triangles, want)
	}
	tree, err := read.UTF(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(tree.Root.Child("VMeshLibrary").Children); n != 4 {
		t.Errorf("%d meshes, want 4", n)
	}
	for _, c := range tree.Root.Child("Cmpnd").Children {
		if name := c.Name; !strings.HasPrefix(name, "Part_") && name != "Root" && name != "Cons" {
			t.Errorf("Cmpnd holds %q", name)
		}
	}
}

// TestForeignProperties reads the custom properties by which LancerEdit describes joints, hardpoints and levels.
func TestForeignProperties(t *testing.T) {
	base := meshNode("base", box(gradient("a", 1), [3]float32{-1, -1, -1}, [3]float32{1, 1, 1}))
	door := meshNode("door", box(gradient("a", 1), [3]float32{0, 0, 0}, [3]float32{1, 1, 0.1}))
	door.Extras = map[string]any{"construct": "pris", "min": 0.0, "max": 3.5, "axis_translation": []any{1.0, 0.0, 0.0}}
	ball := meshNode("ball", box(gradient("a", 1), [3]float32{0, 0, 0}, [3]float32{1, 1, 1}))
	ball.Extras = map[string]any{"construct": "sphere", "min": []any{-1.0, -0.5, 0.0}, "max": []any{1.0, 0.5, 0.25}, "offset": []any{0.0, 0.0, 0.0}}
	far := meshNode("base$lod1", box(gradient("a", 1), [3]float32{-1, -1, -1}, [3]float32{1, 1, 0.5}))
	hull, ignored := meshNode("base$hull", box(nil, [3]float32{}, [3]float32{1, 1, 1})), meshNode("helper", box(nil, [3]float32{}, [3]float32{1, 1, 1}))
	ignored.Extras = map[string]any{"export_ignore": true}
	mount := asset.NewNode("mount")
	mount.Extras = map[string]any{"hardpoint": true, "hptype": "fix"}
	base.Children = []*asset.Node{door, ball, far, hull, ignored, mount}
	s := &asset.Scene{Roots: []*asset.Node{base}}
	s.Walk(func(n, _ *asset.Node) {
		if n.Mesh != nil {
			s.Meshes = append(s.Meshes, n.Mesh)
		}
	})
	file := lower(t, byName(t, "cmp"), "gate.cmp", s, nil)
	_, nodes := where(lift(t, byName(t, "cmp"), "gate.cmp", file, nil))
	for name, want := range map[string]bool{"door": true, "ball": true, "mount": true, "Root$lod1": true, "helper": false, "base$hull": false} {
		if (nodes[name] != nil) != want {
			t.Errorf("%s arrived: %v", name, !want)
		}
	}
	if t.Failed() {
		return
	}
	if x := nodes["door"].Extras; x["construct"] != "pris" || x["max"] != 3.5 || x["axis_translation"].([]any)[0] != 1.0 {
		t.Errorf("door: %v", x)
	}
	if x := nodes["ball"].Extras; x["construct"] != "sphere" || x["max"].([]any)[2] != 0.25 || x["min"].([]any)[1] != -0.5 {
		t.Errorf("ball: %v", x)
	}
	if low, high := corners(nodes["Root$lod1"], mgl64.Ident4()); low[2] != -1 || high[2] != 0.5 {
		t.Errorf("the lower level reaches from %v to %v", low, high)
	}
}

// TestOtherFormat makes a .3db file of what was a .cmp file, and the other way round: geometry, materials and textures
// arrive.
func TestOtherFormat(t *testing.T) {
	count := func(s *asset.Scene) (triangles int, textures []string) {
		s.Walk(func(n, _ *asset.Node) {
			if n.Mesh == nil {
				return
			}
			for _, p := range n.Mesh.Primitives {
				if p.Mode == asset.Triangles {
					triangles += len(p.Indices) / 3
				}
			}
		})
		for _, x := range s.Textures {
			textures = append(textures, x.Name)
		}
		slices.Sort(textures)
		return triangles, textures
	}
	for _, c := range []struct{ file, from, to string }{{"ship.cmp", "cmp", "3db"}, {"crate.3db", "3db", "cmp"}} {
		b := corpus.Bytes(t, corpus.Testdata(t, "freelancer", c.file))
		was := lift(t, byName(t, c.from), c.file, b, nil)
		file := lower(t, byName(t, c.to), "other."+c.to, fromGLB(t, glb(t, was, nil)), nil)
		triangles, textures := count(was)
		again, pictures := count(lift(t, byName(t, c.to), "other."+c.to, file, nil))
		if again != triangles || !slices.Equal(pictures, textures) || triangles == 0 || len(textures) == 0 {
			t.Errorf("%s as .%s: %d triangles with %v, want %d with %v", c.file, c.to, again, pictures, triangles, textures)
		}
	}
}

// TestRootThatStandsElsewhere: the first part of a new compound stands at the origin, and its shape where the scene shows it.
func TestRootThatStandsElsewhere(t *testing.T) {
	s := ship()
	hull := s.Roots[0]
	s.Roots, s.Animations = s.Roots[:1], nil
	half := float32(math.Sqrt2 / 2)
	hull.Transform.Translation, hull.Transform.Rotation = [3]float32{7, 0, 0}, [4]float32{0, half, 0, half}
	world, _ := where(s)
	low, high := corners(hull, world["hull"])
	turret := world["turret"].Col(3).Vec3()
	back := lift(t, byName(t, "cmp"), "ship.cmp", lower(t, byName(t, "cmp"), "ship.cmp", s, nil), nil)
	world, nodes := where(back)
	root := back.Roots[0]
	if root.Transform.Translation != [3]float32{} || root.Transform.Rotation != asset.Identity.Rotation {
		t.Errorf("the root stands at %+v", root.Transform)
	}
	atLow, atHigh := corners(root, world[root.Name])
	nearVec(t, "the hull's lowest corner", atLow, low)
	nearVec(t, "the hull's highest corner", atHigh, high)
	nearVec(t, "the turret", world[nodes["turret"].Name].Col(3).Vec3(), turret)

	s, d := ship(), new(schema.Diagnostics)
	s.Roots = s.Roots[:1]
	s.Roots[0].Transform = asset.Transform{Translation: [3]float32{7, 0, 0}, Rotation: [4]float32{0, 0.6, 0, 0.8}, Scale: [3]float32{2, 2, 2}}
	lower(t, byName(t, "cmp"), "ship.cmp", s, d)
	for _, m := range d.All() {
		if m.Severity == schema.Loss {
			t.Errorf("the root is scaled, and it tells: %v", m)
		}
	}
}
