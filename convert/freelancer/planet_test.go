package freelancer_test

import (
	"fmt"
	"strings"
	"testing"

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
