package freelancer_test

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/texture"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// table is the picture of an atmosphere: white, and thinner from the left to the right.
func table() *asset.Image {
	m := asset.NewImage(8, 8, asset.RGBA8)
	for i := range 64 {
		copy(m.Pix[4*i:], []byte{255, 255, 255, byte(255 - 32*(i%8))})
	}
	return &m
}

// airyPlanet is the file of a planet with air around it, whose first side has its picture mirrored across.
func airyPlanet(t *testing.T) []byte { return airyPlanetOf(t, 1.05) }

func airyPlanetOf(t *testing.T, scale float32) []byte {
	t.Helper()
	text := func(name, s string) freelancer.Property {
		return freelancer.Property{Name: name, Kind: freelancer.TextProperty, Text: s}
	}
	number := func(name string, x ...float32) freelancer.Property {
		return freelancer.Property{Name: name, Kind: freelancer.FloatProperty, Floats: x}
	}
	word := func(name string, x uint32) freelancer.Property {
		return freelancer.Property{Name: name, Kind: freelancer.WordProperty, Words: []uint32{x}}
	}
	tree := freelancer.NewTree()
	x, err := texture.New("table", table(), texture.KindTGA, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{
		write.SphereModel(tree.Root.Dir("Sphere"), &freelancer.SphereModel{Radius: 1000, Sides: 7, Materials: []string{"land", "b", "c", "d", "e", "f", "air"}}),
		write.Materials(tree.Root, []*freelancer.Material{
			{Name: "land", Type: "DetailMapMaterial", Properties: []freelancer.Property{text("Type", "DetailMapMaterial"), number("Dc", 0.5, 0.25, 0.25), word("flip u", 1), word("flip v", 0)}},
			{Name: "air", Type: "AtmosphereMaterial", Properties: []freelancer.Property{text("Type", "AtmosphereMaterial"), number("Dc", 0.5, 0.5, 1), number("Alpha", 0.5),
				number("Scale", scale), number("Fade", 1.1), text("Dt_name", "table"), word("Dt_flags", 0x4A)}},
		}),
		write.Texture(tree.Root, x),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return treeBytes(t, tree)
}

// size is how far from the origin the corners of a mesh are.
func size(m *asset.Mesh) (r float64) {
	for _, p := range m.Primitives {
		for _, at := range p.Positions {
			r = max(r, scene.Wide3(at).Len())
		}
	}
	return r
}

// TestAtmosphere: the air around a planet is as large and as dense as its material says, and wears no picture; the sides of the
// planet have theirs mirrored where theirs say so.
func TestAtmosphere(t *testing.T) {
	s := lift(t, byName(t, "sph"), "ball.sph", airyPlanet(t), nil)
	ground, air := s.Roots[0].Mesh, s.Roots[0].Children[0].Mesh
	if got := size(air); math.Abs(got-1050) > 0.1 {
		t.Errorf("its air is %v m large", got)
	}
	m := air.Primitives[0].Material
	if m.BaseColorTexture != nil || m.EmissiveTexture != nil || m.Alpha != asset.Blend || math.Abs(float64(m.BaseColor[3])-0.5*asset.AirShare) > 1e-6 || m.Absent {
		t.Errorf("its air looks like %+v", m)
	}
	for i, at := range ground.Primitives[0].TexCoords[0] {
		if other := ground.Primitives[1].TexCoords[0][i]; at != [2]float32{1 - other[0], other[1]} {
			t.Fatalf("corner %d of a mirrored side is at %v, and of another at %v", i, at, other)
		}
	}
}

// TestSidesOfPlanet: each side of a planet is a sixth of a ball that looks one way, with its picture upright.
func TestSidesOfPlanet(t *testing.T) {
	ground := lift(t, byName(t, "sph"), "ball.sph", airyPlanet(t), nil).Roots[0].Mesh
	for i, want := range [][3]mgl64.Vec3{ // outwards, to the right, down in the picture
		{{0, 0, 1}, {1, 0, 0}, {0, -1, 0}}, {{1, 0, 0}, {0, 0, -1}, {0, -1, 0}}, {{0, 0, -1}, {-1, 0, 0}, {0, -1, 0}},
		{{-1, 0, 0}, {0, 0, 1}, {0, -1, 0}}, {{0, 1, 0}, {1, 0, 0}, {0, 0, 1}}, {{0, -1, 0}, {1, 0, 0}, {0, 0, -1}},
	} {
		p := ground.Primitives[i]
		var middle, right, down mgl64.Vec3
		for k, at := range p.Positions {
			v, uv := scene.Wide3(at), scene.Wide3([3]float32{p.TexCoords[0][k][0], p.TexCoords[0][k][1]}).Sub(mgl64.Vec3{0.5, 0.5, 0})
			if math.Abs(v.Len()-1000) > 1e-3 || v.Normalize().Sub(scene.Wide3(p.Normals[k])).Len() > 1e-5 {
				t.Fatalf("side %d: %v, which looks to %v, does not lie on the ball", i, at, p.Normals[k])
			}
			if math.Abs(v.Dot(want[0])-v.Dot(want[1])) < 1e-3 && math.Abs(math.Abs(uv[0])-0.5) > 1e-6 {
				t.Errorf("side %d: %v is on its edge, and at %v in the picture", i, at, p.TexCoords[0][k])
			}
			middle, right, down = middle.Add(v), right.Add(v.Mul(uv[0])), down.Add(v.Mul(uv[1]))
		}
		if i == 0 { // its picture is mirrored across
			right = right.Mul(-1)
		}
		for k, got := range []mgl64.Vec3{middle, right, down} {
			if got.Normalize().Sub(want[k]).Len() > 1e-4 {
				t.Errorf("side %d: direction %d is %v, want %v", i, k, got.Normalize(), want[k])
			}
		}
		var area float64
		for c := 0; c < len(p.Indices); c += 3 {
			a := scene.Wide3(p.Positions[p.Indices[c]])
			n := scene.Wide3(p.Positions[p.Indices[c+1]]).Sub(a).Cross(scene.Wide3(p.Positions[p.Indices[c+2]]).Sub(a))
			if n.Dot(a) <= 0 {
				t.Fatalf("side %d: triangle %d faces inwards", i, c/3)
			}
			area += n.Len() / 2
		}
		if share := area / (4 * math.Pi * 1e6); math.Abs(share-1.0/6) > 1e-3 {
			t.Errorf("side %d covers %v of the ball", i, share)
		}
	}
}

// TestAtmosphereEdited edits the air around a planet.
func TestAtmosphereEdited(t *testing.T) {
	sph, stored := byName(t, "sph"), airyPlanet(t)
	shown := func(pix *asset.Image, name string) *asset.TextureRef {
		x := &asset.Texture{Name: name, Frames: []asset.Frame{{Mips: []asset.Image{*pix}}}, Alpha: asset.Blend}
		x.Native = &asset.Native{Format: freelancer.Format, Values: map[string]any{"name": name, "picture": texture.Fingerprint(x), "own": 1.0}}
		return &asset.TextureRef{Texture: x, WrapS: asset.Clamp, WrapT: asset.Clamp}
	}
	for _, c := range []struct {
		name  string
		edit  func(s *asset.Scene, shell *asset.Node, m *asset.Material)
		alpha float32
		code  string
	}{
		{"nothing", func(*asset.Scene, *asset.Node, *asset.Material) {}, 0.5, ""},
		{"half as dense", func(_ *asset.Scene, _ *asset.Node, m *asset.Material) { m.BaseColor[3] /= 2 }, 0.25, ""},
		{"solid", func(_ *asset.Scene, _ *asset.Node, m *asset.Material) { m.Alpha = asset.Opaque }, 0.5, "material-typematerial-property"},
		{"another picture", func(s *asset.Scene, _ *asset.Node, m *asset.Material) {
			m.BaseColorTexture = shown(table(), "clouds")
			s.Textures = append(s.Textures, m.BaseColorTexture.Texture)
		}, 0.5, "air-picture"},
		{"larger", func(_ *asset.Scene, n *asset.Node, _ *asset.Material) { n.Transform.Scale = [3]float32{2, 2, 2} }, 0.5, "planet-shape"},
		{"a GLB of before", func(s *asset.Scene, n *asset.Node, m *asset.Material) {
			m.BaseColor[3], m.BaseColorTexture = 1, shown(table(), "table")
			s.Textures = append(s.Textures, m.BaseColorTexture.Texture)
			for _, p := range n.Mesh.Primitives {
				for i := range p.Positions {
					for k := range p.Positions[i] {
						p.Positions[i][k] *= 1.02 / 1.05
					}
				}
			}
			ground := s.Roots[0].Mesh.Primitives
			ground[0].TexCoords = ground[1].TexCoords
			delete(n.Native.Values[scene.ReadOnly].(map[string]any), "scale")
			delete(s.Roots[0].Native.Values[scene.ReadOnly].(map[string]any), "mirrored")
		}, 0.5, ""},
	} {
		s := fromGLB(t, glb(t, lift(t, sph, "ball.sph", stored, nil), nil))
		shell := s.Roots[0].Children[0]
		if !shell.Mesh.Primitives[0].Material.Air {
			t.Errorf("%s: the GLB does not say that it is air", c.name)
		}
		c.edit(s, shell, shell.Mesh.Primitives[0].Material)
		d := new(schema.Diagnostics)
		b := lower(t, sph, "ball.sph", s, d)
		tree, err := read.UTF(b, nil)
		if err != nil {
			t.Fatal(err)
		}
		list, err := read.Materials(tree.Root, nil)
		if err != nil || len(list) != 2 {
			t.Fatalf("%s: %d materials (%v)", c.name, len(list), err)
		}
		if got, _ := list[1].Float("Alpha"); math.Abs(float64(got-c.alpha)) > 1e-6 || list[1].Property("Oc") != nil {
			t.Errorf("%s: its air has %v", c.name, list[1].Properties)
		}
		code := ""
		for _, x := range d.All() {
			if x.Severity == schema.Loss {
				code += x.Code
			}
		}
		if code != c.code {
			t.Errorf("%s: told of %q, want %q", c.name, code, c.code)
		}
		if c.alpha == 0.5 && !bytes.Equal(b, stored) {
			t.Errorf("%s: other bytes", c.name)
		}
	}
}

// TestPlanetWears: a side whose material is taken off keeps it, and one that wears another is mirrored as that says: both are
// told, and nothing is where nothing was done.
func TestPlanetWears(t *testing.T) {
	sph, stored := byName(t, "sph"), airyPlanet(t)
	swap := func(a, b int) func([]*asset.Primitive) {
		return func(p []*asset.Primitive) { p[a].Material, p[b].Material = p[b].Material, p[a].Material }
	}
	for name, c := range map[string]struct {
		edit  func(sides []*asset.Primitive)
		wears []string // the first three sides
		told  []string
	}{
		"nothing":            {func([]*asset.Primitive) {}, []string{"land", "b", "c"}, nil},
		"mirrored swapped":   {swap(0, 1), []string{"b", "land", "c"}, []string{"planet-mirrored side 0", "planet-mirrored side 1"}},
		"others swapped":     {swap(1, 2), []string{"land", "c", "b"}, nil},
		"one taken off":      {func(p []*asset.Primitive) { p[1].Material = nil }, []string{"land", "b", "c"}, []string{"planet-material side 1"}},
		"mirrored taken off": {func(p []*asset.Primitive) { p[0].Material = nil }, []string{"land", "b", "c"}, []string{"planet-material side 0"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := lift(t, sph, "ball.sph", stored, nil)
			c.edit(s.Roots[0].Mesh.Primitives)
			d := new(schema.Diagnostics)
			tree, err := sph.Lower(s, &format.Env{Name: "ball.sph", Diagnostics: d})
			if err != nil {
				t.Fatal(err)
			}
			x, err := read.SphereModel(tree.(*freelancer.Tree).Root.Child("Sphere"), nil)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(x.Materials[:3], c.wears) {
				t.Errorf("the sides wear %q", x.Materials)
			}
			var told []string
			for _, x := range d.All() {
				if side, _, ok := strings.Cut(x.Msg, " wears"); ok {
					told = append(told, x.Code+" "+side)
				}
			}
			if !slices.Equal(told, c.told) {
				t.Errorf("told %q, want %q", told, c.told)
			}
		})
	}
}

// TestSizesOfAir: the air is as large as its material says, unless that is no size; then it is of the usual one.
func TestSizesOfAir(t *testing.T) {
	usual := size(airOf(t, -1))
	for scale, want := range map[float32]float64{1.05: 1050, 99: 99000, 0.5: 500, 0: usual, 100: usual, -3: usual, 1e6: usual} {
		if got := size(airOf(t, scale)); math.Abs(got-want) > 1e-3*want || usual <= 1000 || usual > 2000 {
			t.Errorf("%v: %v, want %v", scale, got, want)
		}
	}
}

// airOf returns the ball of air of a planet whose material gives it a size.
func airOf(t *testing.T, scale float32) (m *asset.Mesh) {
	t.Helper()
	lift(t, byName(t, "sph"), "planet.sph", airyPlanetOf(t, scale), nil).Walk(func(n, _ *asset.Node) {
		if strings.HasSuffix(n.Name, "$atmosphere") {
			m = n.Mesh
		}
	})
	return m
}
