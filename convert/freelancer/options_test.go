package freelancer_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/testdata/corpus"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// apart returns ship.cmp without its libraries, and those as files of their own.
func apart(t *testing.T) (ship []byte, libraries beside) {
	tree, err := read.UTF(corpus.Bytes(t, corpus.Testdata(t, "freelancer", "ship.cmp")), nil)
	if err != nil {
		t.Fatal(err)
	}
	libraries = beside{}
	for _, name := range [...]string{freelancer.MeshLibrary, freelancer.MaterialLibrary, freelancer.TextureLibrary} {
		lib := tree.Root.Child(name)
		tree.Root.Remove(lib)
		file := freelancer.NewTree()
		file.Root.Add(lib)
		libraries[name] = treeBytes(t, file)
	}
	b, err := write.UTF(tree)
	if err != nil {
		t.Fatal(err)
	}
	return b, libraries
}

// TestWith finds meshes, materials and textures in files that the user names. The way back needs none of them.
func TestWith(t *testing.T) {
	fm := byName(t, "cmp")
	ship, libraries := apart(t)
	with := format.Options{With: []string{freelancer.MeshLibrary, freelancer.MaterialLibrary, freelancer.TextureLibrary}}
	s := fromGLB(t, glb(t, liftWith(t, fm, ship, &format.Env{Name: "s.cmp", Files: libraries, Options: with}), nil))
	_, nodes := where(s)
	if nodes["wing"].Mesh == nil || nodes["wing"].Mesh.Primitives[0].Material.BaseColorTexture == nil {
		t.Fatal("the wing has no mesh or no texture")
	}
	corpus.SameBytes(t, "with the files", lowerWith(t, fm, s, &format.Env{Name: "s.cmp", Files: libraries, Options: with}), ship)
	corpus.SameBytes(t, "without", lowerWith(t, fm, s, &format.Env{Name: "s.cmp"}), ship)
}

// TestTextureRows has pictures as they are stored, and takes them back.
func TestTextureRows(t *testing.T) {
	fm := byName(t, "cmp")
	b := corpus.Bytes(t, corpus.Testdata(t, "freelancer", "ship.cmp"))
	upright := lift(t, fm, "ship.cmp", b, nil)
	options := format.Options{Freelancer: format.FreelancerOptions{TextureRows: "stored"}}
	s := fromGLB(t, glb(t, liftWith(t, fm, b, &format.Env{Name: "ship.cmp", Options: options}), nil))
	for i, tx := range s.Textures {
		a, b := upright.Textures[i].Base(), tx.Base()
		for y := range a.Height {
			if string(a.Pix[y*4*a.Width:][:4*a.Width]) != string(b.Pix[(b.Height-1-y)*4*b.Width:][:4*b.Width]) {
				t.Fatalf("%s: row %d is not at the other end", tx.Name, y)
			}
		}
	}
	_, was := where(upright)
	_, now := where(s)
	for k, uv := range was["wing"].Mesh.Primitives[0].TexCoords[0] {
		if got := now["wing"].Mesh.Primitives[0].TexCoords[0][k]; math.Abs(float64(got[1]-(1-uv[1]))) > 1e-6 || got[0] != uv[0] {
			t.Fatalf("vertex %d: %v, upright %v", k, got, uv)
		}
	}
	corpus.SameBytes(t, "ship.cmp", lower(t, fm, "ship.cmp", s, nil), b)
	corpus.SameBytes(t, "once more", lower(t, fm, "ship.cmp", s, nil), b)

	// A scene of LancerEdit has its pictures as they are stored, and does not say so.
	foreign := fromGLB(t, glb(t, ship(), nil))
	file := lowerWith(t, fm, foreign, &format.Env{Name: "ship.cmp", Options: options})
	got := lift(t, fm, "ship.cmp", file, nil)
	paint := ship().Textures[0].Base()
	for _, tx := range got.Textures {
		if strings.HasPrefix(tx.Name, "paint") {
			m := tx.Base()
			if top, bottom := int(m.Pix[1]), int(m.Pix[4*m.Width*(m.Height-1)+1]); top < bottom || int(paint.Pix[1]) > top {
				t.Errorf("green is %d at the top, %d at the bottom: the picture has not been turned", top, bottom)
			}
		}
	}
}

// TestWireframe makes wireframes of the edges of boxes: twelve lines each.
func TestWireframe(t *testing.T) {
	fm := byName(t, "cmp")
	for _, on := range []bool{true, false} {
		file := lowerWith(t, fm, ship(), &format.Env{Name: "ship.cmp", Options: format.Options{Freelancer: format.FreelancerOptions{Wireframe: on}}})
		got := lift(t, fm, "ship.cmp", file, nil)
		lines := 0
		got.Walk(func(n, _ *asset.Node) {
			if strings.HasSuffix(n.Name, "$wire") {
				lines += len(n.Mesh.Primitives[0].Indices) / 2
			}
		})
		if want := map[bool]int{true: 36, false: 0}[on]; lines != want {
			t.Errorf("asked for: %v, %d lines, want %d", on, lines, want)
		}
	}
}

// TestForeignPlanet makes a planet of a ball with a material on each side.
func TestForeignPlanet(t *testing.T) {
	sph := byName(t, "sph")
	ball := asset.NewNode("ball")
	ball.Mesh = &asset.Mesh{Name: "ball"}
	s := &asset.Scene{Roots: []*asset.Node{ball}, Meshes: []*asset.Mesh{ball.Mesh}}
	for axis, names := range [...][2]string{{"east", "west"}, {"north", "south"}, {"front", "back"}} {
		for side, name := range names {
			p := &asset.Primitive{Material: asset.NewMaterial(name)}
			for _, c := range [...][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
				at := [3]float64{}
				at[axis], at[(axis+1)%3], at[(axis+2)%3] = 1-2*float64(side), c[0], c[1]
				p.Positions = append(p.Positions, [3]float32{float32(at[0] * 100 / math.Sqrt(3)), float32(at[1] * 100 / math.Sqrt(3)), float32(at[2] * 100 / math.Sqrt(3))})
			}
			p.Indices = []uint32{0, 1, 2, 0, 2, 3}
			ball.Mesh.Primitives = append(ball.Mesh.Primitives, p)
			s.Materials = append(s.Materials, p.Material)
		}
	}
	tree, err := read.UTF(lower(t, sph, "ball.sph", s, nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	x, err := read.SphereModel(tree.Root.Child("Sphere"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(float64(x.Radius)-100) > 1e-3 || x.Sides != 6 || strings.Join(x.Materials, " ") != "front east back west north south" {
		t.Errorf("%+v", x)
	}
	if list, err := read.Materials(tree.Root, nil); err != nil || len(list) != 6 {
		t.Errorf("%d materials, %v", len(list), err)
	}
	s.Roots[0].Mesh.Primitives[0].Positions[0] = [3]float32{1, 1, 1}
	var d schema.Diagnostics
	lower(t, sph, "ball.sph", s, &d)
	if list := d.All(); len(list) != 1 || list[0].Code != "planet-shape" {
		t.Errorf("a dent: %v", list)
	}
}

// TestSingleTooLarge refuses what a .3db file cannot hold, and says what can.
func TestSingleTooLarge(t *testing.T) {
	p := &asset.Primitive{}
	for i := range 70000 {
		p.Positions = append(p.Positions, [3]float32{float32(i), float32(i % 7), float32(i % 3)})
	}
	p.Positions = p.Positions[:69999]
	n := meshNode("big", p)
	_, err := byName(t, "3db").Lower(&asset.Scene{Roots: []*asset.Node{n}, Meshes: []*asset.Mesh{n.Mesh}}, &format.Env{Name: "big.3db"})
	if !errors.Is(err, schema.ErrLimit) || !strings.Contains(err.Error(), ".cmp") {
		t.Errorf("%v", err)
	}
	s := lift(t, byName(t, "3db"), "small.3db", lower(t, byName(t, "3db"), "small.3db", &asset.Scene{Roots: []*asset.Node{meshNode("small", box(nil, [3]float32{}, [3]float32{1, 1, 1}))}}, nil), nil)
	s.Roots[0].Mesh.Primitives = []*asset.Primitive{p} // it grew
	if _, err := byName(t, "3db").Lower(s, &format.Env{Name: "small.3db"}); !errors.Is(err, schema.ErrLimit) {
		t.Errorf("one that has grown: %v", err)
	}
}

// TestTrailingBytes: a warning tells which entry of the tree it is about, and of which file when that is another one.
func TestTrailingBytes(t *testing.T) {
	const entry = "Texture library/steel.dds/MIPS"
	tree, err := read.UTF(corpus.Bytes(t, corpus.Testdata(t, "freelancer", "ship.cmp")), nil)
	if err != nil {
		t.Fatal(err)
	}
	leaf := tree.Root.Find(entry)
	leaf.Data = append(slices.Clone(leaf.Data), "more"...)
	other := freelancer.NewTree()
	other.Root.Children = append(other.Root.Children, tree.Root.Child(freelancer.TextureLibrary))
	for name, c := range map[string]struct {
		env  format.Env
		tree *freelancer.Tree
		want string
	}{
		"in the file": {format.Env{Name: "ship.cmp"}, tree, entry},
		"in another": {format.Env{Name: "ship.cmp", Files: beside{"ship.txm": treeBytes(t, other)}}, func() *freelancer.Tree {
			bare := freelancer.NewTree()
			for _, n := range tree.Root.Children {
				if n.Name != freelancer.TextureLibrary {
					bare.Root.Add(n)
				}
			}
			return bare
		}(), "ship.txm/" + entry},
	} {
		var d schema.Diagnostics
		c.env.Diagnostics = &d
		liftWith(t, byName(t, "cmp"), treeBytes(t, c.tree), &c.env)
		found := slices.ContainsFunc(d.All(), func(x schema.Diagnostic) bool { return x.Code == "trailing-bytes" && x.Path == c.want && x.Offset > 0 })
		if !found {
			t.Errorf("%s: %v", name, d.All())
		}
	}
}
