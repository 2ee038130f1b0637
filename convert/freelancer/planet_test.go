package freelancer_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// planet is the file of a planet with six materials.
func planet(t *testing.T) []byte {
	dir := freelancer.NewDir("Sphere")
	if err := write.SphereModel(dir, &freelancer.SphereModel{Radius: 1500, Sides: 6, Materials: []string{"a", "b", "c", "d", "e", "f"}}); err != nil {
		t.Fatal(err)
	}
	tree := freelancer.NewTree()
	tree.Root.Add(dir)
	b, err := write.UTF(tree)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestEditedPlanet scales a planet, dents it and adds to it: only the first can be kept, the others are
// told of.
func TestEditedPlanet(t *testing.T) {
	sph, before := byName(t, "sph"), planet(t)
	for _, c := range []struct {
		name   string
		edit   func(s *asset.Scene, n *asset.Node)
		radius float32
		code   string
	}{
		{"nothing", func(*asset.Scene, *asset.Node) {}, 1500, ""},
		{"scaled", func(_ *asset.Scene, n *asset.Node) { n.Transform.Scale = [3]float32{2, 2, 2} }, 3000, ""},
		{"dented", func(_ *asset.Scene, n *asset.Node) { n.Mesh.Primitives[0].Positions[0][0] *= 0.5 }, 1500, "planet-shape"},
		{"a moon", func(s *asset.Scene, n *asset.Node) {
			moon := asset.NewNode("moon")
			moon.Mesh = n.Mesh
			s.Roots = append(s.Roots, moon)
		}, 1500, "mesh-left-out"},
		{"a lamp in its place", func(_ *asset.Scene, n *asset.Node) { *n = *asset.NewNode("lamp") }, 1500, "planet-missing"},
	} {
		s := fromGLB(t, glb(t, lift(t, sph, "ball.sph", before, nil), nil))
		c.edit(s, s.Roots[0])
		var d schema.Diagnostics
		tree, err := read.UTF(lower(t, sph, "ball.sph", s, &d), nil)
		if err != nil {
			t.Fatal(err)
		}
		x, err := read.SphereModel(tree.Root.Child("Sphere"), nil)
		if err != nil || x.Radius != c.radius {
			t.Errorf("%s: radius %v, want %v (%v)", c.name, x.Radius, c.radius, err)
		}
		code := ""
		for _, one := range d.All() {
			if one.Severity == schema.Loss {
				code += one.Code
			}
		}
		if code != c.code {
			t.Errorf("%s: told of %q, want %q", c.name, code, c.code)
		}
	}
}

// TestPlanetHardpoints adds a hardpoint to a planet, moves it, and takes it away.
func TestPlanetHardpoints(t *testing.T) {
	sph := byName(t, "sph")
	planet := freelancer.NewTree()
	if err := write.SphereModel(planet.Root.Dir("Sphere"), &freelancer.SphereModel{Radius: 10, Sides: 6, Materials: []string{"a", "b", "c", "d", "e", "f"}}); err != nil {
		t.Fatal(err)
	}
	b := treeBytes(t, planet)
	for _, c := range []struct {
		name string
		edit func(s *asset.Scene, n map[string]*asset.Node)
		want []float32 // heights
	}{
		{"added", func(s *asset.Scene, _ map[string]*asset.Node) {
			n := asset.NewNode("HpDock")
			n.Transform.Translation = [3]float32{0, 12, 0}
			s.Roots[0].Children = append(s.Roots[0].Children, n)
		}, []float32{12}},
		{"kept", func(*asset.Scene, map[string]*asset.Node) {}, []float32{12}},
		{"moved", func(_ *asset.Scene, n map[string]*asset.Node) { n["HpDock"].Transform.Translation[1] = 15 }, []float32{15}},
		{"removed", func(_ *asset.Scene, n map[string]*asset.Node) { n["Root"].Children = nil }, nil},
	} {
		s := fromGLB(t, glb(t, lift(t, sph, "ball.sph", b, nil), nil))
		_, n := where(s)
		c.edit(s, n)
		b = lower(t, sph, "ball.sph", s, nil)
		tree, err := read.UTF(b, nil)
		if err != nil {
			t.Fatal(err)
		}
		list, err := read.Hardpoints(tree.Root)
		if err != nil || len(list) != len(c.want) || len(list) == 1 && list[0].Position[1] != c.want[0] {
			t.Errorf("%s: %v, want %v (%v)", c.name, list, c.want, err)
		}
	}
}

// TestPlanetSides: a planet says how many materials it has, and still says so when it gets more of them or loses its air.
func TestPlanetSides(t *testing.T) {
	sph := byName(t, "sph")
	file := func(materials ...string) []byte {
		tree := freelancer.NewTree()
		if err := write.SphereModel(tree.Root.Dir("Sphere"), &freelancer.SphereModel{Radius: 10, Sides: int32(len(materials)), Materials: materials}); err != nil {
			t.Fatal(err)
		}
		return treeBytes(t, tree)
	}
	for _, c := range []struct {
		name   string
		stored []byte
		edit   func(ball *asset.Node)
		want   string
	}{
		{"nothing", airyPlanet(t), func(*asset.Node) {}, "[land b c d e f air]"},
		{"no air", airyPlanet(t), func(ball *asset.Node) { ball.Children = nil }, "[land b c d e f] atmosphere-removed"},
		{"air without a shape", airyPlanet(t), func(ball *asset.Node) { ball.Children[0].Mesh = nil }, "[land b c d e f] atmosphere-removed"},
		{"the same all around", file("a"), func(*asset.Node) {}, "[a]"},
		{"another side", file("a"), func(ball *asset.Node) { ball.Mesh.Primitives[2].Material = asset.NewMaterial("b") }, "[a a b a a a]"},
	} {
		s := lift(t, sph, "ball.sph", c.stored, nil)
		c.edit(s.Roots[0])
		d := new(schema.Diagnostics)
		tree, err := read.UTF(lower(t, sph, "ball.sph", s, d), nil)
		if err != nil {
			t.Fatal(err)
		}
		told := new(schema.Diagnostics)
		x, err := read.SphereModel(tree.Root.Child("Sphere"), told)
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprint(x.Materials)
		for _, m := range d.All() {
			if strings.HasPrefix(m.Code, "atmosphere") {
				got += " " + m.Code
			}
		}
		if got != c.want || int(x.Sides) != len(x.Materials) || len(told.All()) > 0 {
			t.Errorf("%s: %s, want %s; %d sides: %v", c.name, got, c.want, x.Sides, told.All())
		}
	}
}

// TestNewPlanet: a ball of any scene becomes a planet whose sides wear what it wears where they are, and its air what a ball called
// an atmosphere wears; what is no ball is told, and where there is none nothing is made.
func TestNewPlanet(t *testing.T) {
	sph := byName(t, "sph")
	paint := func(name string) *asset.Material { return asset.NewMaterial(name) }
	ground := func() *asset.Node { // a box: its corners are all as far away
		n := meshNode("ground", box(paint("grass"), [3]float32{-1, -1, -1}, [3]float32{1, 1, 1}))
		p := n.Mesh.Primitives[0]
		roof := *p
		roof.Material, roof.Indices = paint("snow"), nil
		var rest []uint32
		for i := 0; i < len(p.Indices); i += 3 {
			if p.Normals[p.Indices[i]][1] > 0 {
				roof.Indices = append(roof.Indices, p.Indices[i:i+3]...)
			} else {
				rest = append(rest, p.Indices[i:i+3]...)
			}
		}
		p.Indices = rest
		n.Mesh.Primitives = append(n.Mesh.Primitives, &roof)
		return n
	}
	of := func(nodes ...*asset.Node) *asset.Scene {
		s := &asset.Scene{Name: "ball", Roots: nodes}
		listMeshes(s)
		return s
	}
	bare := freelancer.NewTree()
	write.Hardpoint(bare.Root, &freelancer.Hardpoint{Name: "HpA", Orientation: freelancer.Identity3})
	for _, c := range []struct {
		name string
		make func() *asset.Scene
		want string // radius, materials and sides; the error, or nothing
		told string
	}{
		{"a ball", func() *asset.Scene { return of(ground()) }, "1.732 [grass grass grass grass snow grass] 6", ""},
		{"a larger one", func() *asset.Scene { n := ground(); n.Transform.Scale = [3]float32{10, 10, 10}; return of(n) }, "17.321 [grass grass grass grass snow grass] 6", ""},
		{"with air", func() *asset.Scene {
			return of(ground(), meshNode("Atmosphere", box(paint("haze"), [3]float32{-2, -2, -2}, [3]float32{2, 2, 2})))
		}, "1.732 [grass grass grass grass snow grass haze] 7", ""},
		{"half a ball", func() *asset.Scene {
			n := ground()
			n.Mesh.Primitives = n.Mesh.Primitives[1:]
			return of(n)
		}, "1.732 [snow snow snow snow snow default] 6", ""},
		{"one beside the origin", func() *asset.Scene { n := ground(); n.Transform.Translation = [3]float32{0, 5, 0}; return of(n) }, "6.164 [grass grass grass grass snow default] 6", "!planet-shape"},
		{"air alone", func() *asset.Scene {
			return of(meshNode("atmosphere", box(paint("haze"), [3]float32{-2, -2, -2}, [3]float32{2, 2, 2})))
		}, "no triangles that could be a planet", ""},
		{"nothing", func() *asset.Scene { return of(asset.NewNode("empty")) }, "the scene shows no triangles", ""},
		{"a file without one", func() *asset.Scene { return lift(t, sph, "points.sph", treeBytes(t, bare), nil) }, "", ""},
		{"a ball in a file without one", func() *asset.Scene {
			s := lift(t, sph, "points.sph", treeBytes(t, bare), nil)
			n := ground()
			s.Roots, s.Meshes = append(s.Roots, n), append(s.Meshes, n.Mesh)
			return s
		}, "1.732 [grass grass grass grass snow grass] 6", ""},
	} {
		d := new(schema.Diagnostics)
		v, err := sph.Lower(c.make(), &format.Env{Name: "ball.sph", Diagnostics: d})
		got := ""
		if err != nil {
			got = err.Error()
		} else if dir := v.(*freelancer.Tree).Root.Child("Sphere"); dir != nil {
			x, err := read.SphereModel(dir, nil)
			if err != nil {
				t.Fatal(err)
			}
			got = fmt.Sprintf("%.3f %v %d", x.Radius, x.Materials, x.Sides)
		}
		if err == nil && got != c.want || err != nil && (c.want == "" || !strings.Contains(got, c.want)) || codes(d) != c.told {
			t.Errorf("%s: %s, told %s, want %s, %s", c.name, got, codes(d), c.want, c.told)
		}
	}
}

// TestFlippedSides: a material mirrors its picture where a word says so that is not 0; one without a word says nothing.
func TestFlippedSides(t *testing.T) {
	plain := lift(t, byName(t, "sph"), "ball.sph", airyPlanet(t), nil).Roots[0].Mesh.Primitives[1].TexCoords[0]
	for _, c := range []struct {
		u, v []uint32
		want func(at [2]float32) [2]float32
	}{
		{[]uint32{1}, []uint32{0}, func(at [2]float32) [2]float32 { return [2]float32{1 - at[0], at[1]} }}, {[]uint32{0}, []uint32{2}, func(at [2]float32) [2]float32 { return [2]float32{at[0], 1 - at[1]} }},
		{[]uint32{1}, []uint32{1}, func(at [2]float32) [2]float32 { return [2]float32{1 - at[0], 1 - at[1]} }}, {nil, nil, func(at [2]float32) [2]float32 { return at }},
	} {
		tree, err := read.UTF(airyPlanet(t), nil)
		if err != nil {
			t.Fatal(err)
		}
		for name, words := range map[string][]uint32{"flip u": c.u, "flip v": c.v} {
			leaf := tree.Root.Find("Material library/land/" + name)
			leaf.Data = nil
			for _, w := range words {
				leaf.Data = append(leaf.Data, byte(w), 0, 0, 0)
			}
		}
		sides := lift(t, byName(t, "sph"), "ball.sph", treeBytes(t, tree), nil).Roots[0].Mesh.Primitives
		for i, at := range sides[0].TexCoords[0] {
			if want := c.want(plain[i]); at != want {
				t.Fatalf("%v %v: corner %d is at %v, want %v", c.u, c.v, i, at, want)
			}
		}
	}
}

// TestPlanetOfNoSize: a planet without a radius has that of the ball that somebody makes of it, and one keeps its radius whose ball
// has none.
func TestPlanetOfNoSize(t *testing.T) {
	for _, c := range []struct{ stored, size, want float32 }{{0, 0, 0}, {0, 5, 5}, {10, 0, 10}, {10, 5, 5}, {10, 1, 1}} {
		tree := freelancer.NewTree()
		if err := write.SphereModel(tree.Root.Dir("Sphere"), &freelancer.SphereModel{Radius: c.stored, Sides: 6, Materials: []string{"a", "b", "c", "d", "e", "f"}}); err != nil {
			t.Fatal(err)
		}
		s := lift(t, byName(t, "sph"), "ball.sph", treeBytes(t, tree), nil)
		for _, p := range s.Roots[0].Mesh.Primitives {
			for i, n := range p.Normals {
				p.Positions[i] = [3]float32{n[0] * c.size, n[1] * c.size, n[2] * c.size}
			}
		}
		now, err := read.UTF(lower(t, byName(t, "sph"), "ball.sph", s, nil), nil)
		if err != nil {
			t.Fatal(err)
		}
		x, err := read.SphereModel(now.Root.Child("Sphere"), nil)
		if err != nil || !(math.Abs(float64(x.Radius-c.want)) <= 1e-5) { // nor is it no number
			t.Errorf("stored %v, of size %v: radius %v, want %v: %v", c.stored, c.size, x.Radius, c.want, err)
		}
	}
}

// TestPlanetRenamed: the ball of a planet is called after its file, so that a file of another name says nothing of it; one that
// somebody called otherwise is told.
func TestPlanetRenamed(t *testing.T) {
	sph := byName(t, "sph")
	for _, c := range []struct {
		file, ball string
		told       string
	}{{"ball.sph", "ball", ""}, {"moon.sph", "ball", ""}, {"ball.sph", "ball.001", ""}, {"ball.sph", "Mars", "!node-name"}, {"moon.sph", "Mars", "!node-name"}} {
		s := fromGLB(t, glb(t, lift(t, sph, "ball.sph", planet(t), nil), nil))
		s.Name, s.Roots[0].Name = "", c.ball
		d := new(schema.Diagnostics)
		lower(t, sph, c.file, s, d)
		if got := codes(d); got != c.told {
			t.Errorf("%s in %s: told %v", c.ball, c.file, d.All())
		}
	}
}
