package render

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/usher-assets/usher/schema/asset"
)

// corners are the pixels in the middle of the four quarters: upper left, upper right, lower left, lower right.
var corners = [4][2]int{{8, 8}, {24, 8}, {8, 24}, {24, 24}}

func wantCorners(t *testing.T, what string, p *Picture, want [4]asset.RGBA) {
	t.Helper()
	for i, at := range corners {
		wantPixel(t, what, p, at[0], at[1], want[i])
	}
}

// TestOrientation: the picture of a square that faces the camera is upright and not mirrored.
func TestOrientation(t *testing.T) {
	m := textured(2, red, green, blue, white)
	m.BaseColorTexture.Filter = asset.Nearest
	wantCorners(t, "square", shoot(t, sceneOf(quad(1, 0, m)), ahead), [4]asset.RGBA{red, green, blue, white})
}

// TestNodes: translation, rotation and scale place a mesh, below those of the parent; a matrix stands for all three.
func TestNodes(t *testing.T) {
	half := math.Sqrt(0.5)
	turned := asset.Transform{Rotation: [4]float32{0, 0, float32(half), float32(half)}, Scale: [3]float32{1, 1, 1}} // 90° to the left
	m := textured(2, red, green, blue, white)
	m.BaseColorTexture.Filter = asset.Nearest
	for _, c := range []struct {
		name  string
		outer asset.Transform
		inner asset.Transform
		want  [4]asset.RGBA
	}{
		{"turned", turned, asset.Identity, [4]asset.RGBA{green, white, red, blue}},
		{"turned twice", turned, turned, [4]asset.RGBA{white, blue, green, red}},
		{"half as wide, moved, then turned", turned, asset.Transform{
			Translation: [3]float32{0.5, 0, 0}, Rotation: [4]float32{0, 0, 0, 1}, Scale: [3]float32{0.5, 1, 1},
		}, [4]asset.RGBA{green, white, none, none}},
		{"matrix", asset.Transform{Matrix: &[16]float32{0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}}, asset.Identity, [4]asset.RGBA{green, white, red, blue}},
		{"mirrored", asset.Transform{Rotation: [4]float32{0, 0, 0, 1}, Scale: [3]float32{-1, 1, 1}}, asset.Identity, [4]asset.RGBA{green, red, white, blue}},
	} {
		s := sceneOf(quad(1, 0, m))
		outer := asset.NewNode("outer")
		outer.Transform, outer.Children = c.outer, s.Roots
		s.Roots[0].Transform = c.inner
		s.Roots = []*asset.Node{outer}
		p := shoot(t, s, ahead)
		if c.name[:4] == "half" { // red beside green lies at the top, both in the upper half
			wantPixel(t, c.name, p, 8, 4, green)
			wantPixel(t, c.name, p, 24, 4, white)
			wantPixel(t, c.name, p, 8, 12, red)
			wantPixel(t, c.name, p, 16, 28, none)
			continue
		}
		wantCorners(t, c.name, p, c.want)
	}
}

// TestSides: the back of a triangle is not seen, unless its material has two sides; a place that mirrors exchanges them.
func TestSides(t *testing.T) {
	mirror := asset.Transform{Rotation: [4]float32{0, 0, 0, 1}, Scale: [3]float32{1, -1, 1}}
	for _, c := range []struct {
		name        string
		back        bool
		doubleSided bool
		place       asset.Transform
		seen        bool
	}{
		{"front", false, false, asset.Identity, true},
		{"back", true, false, asset.Identity, false},
		{"back of two", true, true, asset.Identity, true},
		{"mirrored front", false, false, mirror, true},
		{"mirrored back", true, false, mirror, false},
	} {
		m := paint(1, 0, 0, 1)
		m.DoubleSided = c.doubleSided
		q := quad(1, 0, m)
		if c.back {
			slices.Reverse(q.Indices)
		}
		s := sceneOf(q)
		s.Roots[0].Transform = c.place
		want := none
		if c.seen {
			want = red
		}
		wantPixel(t, c.name, shoot(t, s, ahead), 16, 16, want)
	}
}

// TestLight: a surface that faces the light is brighter than one that does not, with and without normals; the back of
// one with two sides is lit like its front.
func TestLight(t *testing.T) {
	brightness := func(turn float32, normals, doubleSided, reversed bool) int {
		m := asset.NewMaterial("lit")
		m.BaseColor = [4]float32{1, 0, 0, 1}
		m.DoubleSided = doubleSided
		q := quad(0.5, 0, m)
		if normals {
			q.Normals = slices.Repeat([][3]float32{{0, 0, 1}}, 4)
		}
		if reversed {
			slices.Reverse(q.Indices)
			for i := range q.Normals {
				q.Normals[i][2] = -1
			}
		}
		s := sceneOf(q)
		sin, cos := math.Sincos(float64(turn) / 2)
		s.Roots[0].Transform.Rotation = [4]float32{float32(sin), 0, 0, float32(cos)}
		return int(shoot(t, s, ahead).NRGBAAt(16, 16).R)
	}
	for _, normals := range []bool{false, true} {
		up, down := brightness(-0.8, normals, false, false), brightness(0.8, normals, false, false)
		if up < down+60 {
			t.Errorf("normals %v: facing the light %d, turned away %d", normals, up, down)
		}
		if back := brightness(-0.8, normals, true, true); back != up {
			t.Errorf("normals %v: the back of two sides is %d, the front %d", normals, back, up)
		}
	}
	if lit, flat := brightness(0.3, true, false, false), brightness(0.3, false, false, false); lit != flat {
		t.Errorf("with the normals of the plane %d, without any %d", lit, flat)
	}
}

// TestDepth: what is nearer hides what is farther, in whichever order they come.
func TestDepth(t *testing.T) {
	near, far := quad(0.2, 0.3, paint(1, 0, 0, 1)), quad(1, 0, paint(0, 0, 1, 1))
	for _, s := range []*asset.Scene{sceneOf(near, far), sceneOf(far, near)} {
		p := shoot(t, s, ahead)
		wantPixel(t, "middle", p, 16, 16, red)
		wantPixel(t, "edge", p, 2, 2, blue)
	}
}

// TestAlpha: opaque materials ignore alpha, masked ones are cut out, blended ones are laid over each other from far to
// near whatever their order, and hide nothing.
func TestAlpha(t *testing.T) {
	half := func(r, g, b float32, mode asset.AlphaMode) *asset.Material {
		m := paint(r, g, b, 0.5)
		m.Alpha = mode
		return m
	}
	sheer := asset.RGBA{255, 0, 0, 128}
	wantPixel(t, "opaque", shoot(t, sceneOf(quad(1, 0, half(1, 0, 0, asset.Opaque))), ahead), 16, 16, red)
	wantPixel(t, "blend", shoot(t, sceneOf(quad(1, 0, half(1, 0, 0, asset.Blend))), ahead), 16, 16, sheer)
	masked := textured(2, red, asset.RGBA{0, 255, 0, 120}, asset.RGBA{0, 0, 255, 140}, none)
	masked.Alpha, masked.BaseColorTexture.Filter = asset.Mask, asset.Nearest
	wantCorners(t, "mask", shoot(t, sceneOf(quad(1, 0, masked)), ahead), [4]asset.RGBA{red, none, blue, none})

	near, far := quad(0.5, 0.1, half(1, 0, 0, asset.Blend)), quad(1, 0, half(0, 0, 1, asset.Blend))
	wall := quad(1, -0.1, paint(0, 1, 0, 1))
	want := asset.RGBA{188, 137, 137, 255} // half red, a quarter blue, a quarter green, as light adds up
	for _, s := range []*asset.Scene{sceneOf(near, far, wall), sceneOf(wall, far, near), sceneOf(far, wall, near)} {
		wantPixel(t, "three layers", shoot(t, s, ahead), 16, 16, want)
	}
}

// TestSeam: the triangles of a surface share its samples: none is drawn twice, and none is left out.
func TestSeam(t *testing.T) {
	m := paint(1, 0, 0, 0.5)
	m.Alpha = asset.Blend
	q := quad(0.9, 0, m)
	q.Positions = append(q.Positions, [3]float32{0.137, -0.211, 0}) // four triangles around a point
	q.TexCoords = nil
	q.Indices = []uint32{0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4}
	p := shoot(t, sceneOf(q), ahead)
	for y := 3; y < 29; y++ {
		for x := 3; x < 29; x++ {
			wantPixel(t, "inside", p, x, y, asset.RGBA{255, 0, 0, 128})
		}
	}
}

// TestFit: the camera that Model chooses sees all of a model and does not leave much room around it.
func TestFit(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		p := &asset.Primitive{Material: paint(1, 0, 0, 1)}
		stretch := [3]float32{r.Float32() + 0.01, r.Float32() + 0.01, r.Float32() + 0.01}
		move := float32(1e4) * (r.Float32() - 0.5)
		for range 300 {
			var v [3]float32
			for k := range v {
				v[k] = (r.Float32()-0.5)*stretch[k]*10 + move
			}
			p.Positions = append(p.Positions, v)
		}
		p.Material.DoubleSided = true
		m, err := Model(sceneOf(p), Options{Width: 64, Height: 48})
		if err != nil {
			t.Fatal(err)
		}
		left, right, top, bottom := 64, -1, 48, -1
		for y := range 48 {
			for x := range 64 {
				if m.NRGBAAt(x, y).A > 0 {
					left, right, top, bottom = min(left, x), max(right, x), min(top, y), max(bottom, y)
				}
			}
		}
		if left == 0 || top == 0 || right == 63 || bottom == 47 {
			t.Errorf("the model touches the border: %d…%d, %d…%d", left, right, top, bottom)
		}
		if right-left < 54 && bottom-top < 39 {
			t.Errorf("the model is small: %d…%d, %d…%d", left, right, top, bottom)
		}
	}
}

// TestCamera: with the camera of a picture one gets the same picture again.
func TestCamera(t *testing.T) {
	s := sceneOf(quad(1, 5, textured(2, red, green, blue, white)))
	s.Roots[0].Transform.Translation = [3]float32{1000, -2000, 500}
	first := shoot(t, s, nil)
	again := shoot(t, s, &first.Camera)
	for i := range first.Pix {
		if d := int(first.Pix[i]) - int(again.Pix[i]); d > 3 || d < -3 {
			t.Fatalf("byte %d is %d, then %d", i, first.Pix[i], again.Pix[i])
		}
	}
}

// TestInside: a camera in a box sees its walls everywhere, though most of them lie beside it and behind it.
func TestInside(t *testing.T) {
	m := paint(1, 0, 0, 1)
	m.DoubleSided = true
	box := &asset.Primitive{Material: m, Indices: []uint32{
		0, 1, 3, 0, 3, 2, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 3, 7, 1, 7, 5,
	}}
	for i := range 8 {
		box.Positions = append(box.Positions, [3]float32{float32(i&1)*2 - 1, float32(i&2) - 1, float32(i&4)/2 - 1})
	}
	for _, d := range []Direction{{0.3, 0.2}, {2, -1}, {4, 1.2}} {
		p := shoot(t, sceneOf(box), &Camera{Eye: [3]float64{0.3, -0.2, 0.1}, Direction: d, FieldOfView: 1.5})
		if n := covered(p); n != 32*32 {
			t.Errorf("from %v: %d pixels of %d", d, n, 32*32)
		}
	}
}

// TestShown: what is drawn of a scene, and how it is changed by weights and joints.
func TestShown(t *testing.T) {
	level := asset.NewNode("level 1")
	level.Mesh = &asset.Mesh{Primitives: []*asset.Primitive{quad(1, 0.1, paint(0, 1, 0, 1))}}
	loaded := quad(1, 0, paint(1, 0, 0, 1))
	target := slices.Repeat([][3]float32{{0, 1, 0}}, 4)
	for _, c := range []struct {
		name         string
		change       func(s *asset.Scene, n *asset.Node)
		upper, lower asset.RGBA
	}{
		{"as it is", func(*asset.Scene, *asset.Node) {}, red, red},
		{"lower levels", func(_ *asset.Scene, n *asset.Node) { n.LODs = []*asset.Node{level} }, red, red},
		{"detached", func(s *asset.Scene, _ *asset.Node) { s.Detached, s.Roots = s.Roots, nil }, none, none},
		{"hidden", func(_ *asset.Scene, n *asset.Node) { n.Hidden = true }, none, none},
		{"below what is hidden", func(s *asset.Scene, n *asset.Node) {
			top := asset.NewNode("top")
			top.Hidden, top.Children, s.Roots = true, s.Roots, []*asset.Node{top}
		}, none, none},
		{"a target without weight", func(_ *asset.Scene, n *asset.Node) {
			n.Mesh.Primitives[0].Targets = []asset.Target{{Positions: target}}
		}, red, red},
		{"a target with the mesh's weight", func(_ *asset.Scene, n *asset.Node) {
			n.Mesh.Primitives[0].Targets, n.Mesh.Weights = []asset.Target{{Positions: target}}, []float32{1}
		}, red, none},
		{"a target with the node's weight", func(_ *asset.Scene, n *asset.Node) {
			n.Mesh.Primitives[0].Targets, n.Mesh.Weights, n.Weights = []asset.Target{{Positions: target}}, []float32{1}, []float32{-1}
		}, none, red},
		{"a skin", func(s *asset.Scene, n *asset.Node) {
			joint := asset.NewNode("joint")
			joint.Transform.Translation = [3]float32{0, 3, 0}
			s.Roots = append(s.Roots, joint)
			n.Skin = &asset.Skin{Joints: []*asset.Node{joint}, InverseBind: [][16]float32{{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -2, 0, 1}}}
			n.Transform.Translation = [3]float32{9, 9, 9} // does not count
			n.Mesh.Primitives[0].Joints, n.Mesh.Primitives[0].Weights = [][][4]uint16{make([][4]uint16, 4)}, [][][4]float32{slices.Repeat([][4]float32{{1}}, 4)}
		}, red, none},
		{"loaded when needed", func(_ *asset.Scene, n *asset.Node) {
			n.Mesh.Primitives = []*asset.Primitive{{Load: func() (*asset.Primitive, error) { return loaded, nil }}}
		}, red, red},
		{"vertex colours", func(_ *asset.Scene, n *asset.Node) {
			n.Mesh.Primitives[0].Material = nil
			n.Mesh.Primitives[0].Material = paint(1, 1, 1, 1)
			n.Mesh.Primitives[0].Colors = slices.Repeat([][4]float32{{0, 0, 1, 1}}, 4)
		}, blue, blue},
		{"glow", func(_ *asset.Scene, n *asset.Node) {
			m := paint(0, 0, 0, 1)
			m.Emissive = [3]float32{0, 1, 0}
			m.EmissiveTexture = &asset.TextureRef{Texture: picture(1, white, none), Filter: asset.Nearest}
			n.Mesh.Primitives[0].Material = m
		}, green, asset.RGBA{0, 0, 0, 255}},
	} {
		s := sceneOf(quad(1, 0, paint(1, 0, 0, 1)))
		c.change(s, s.Roots[0])
		p := shoot(t, s, ahead)
		wantPixel(t, c.name+", above", p, 16, 8, c.upper)
		wantPixel(t, c.name+", below", p, 16, 24, c.lower)
	}
}

// TestThin: lines and points are drawn.
func TestThin(t *testing.T) {
	p := &asset.Primitive{Positions: [][3]float32{{-0.5, 0.5, 0}, {0.5, 0.5, 0}, {0.5, -0.5, 0}}, Material: paint(1, 0, 0, 1)}
	p.Mode, p.Indices = asset.Lines, []uint32{0, 1, 1, 2, 2, 9} // one of them to nowhere
	lines := shoot(t, sceneOf(p), ahead)
	for i := 9; i < 23; i++ {
		if lines.NRGBAAt(i, 8).A == 0 && lines.NRGBAAt(i, 7).A == 0 || lines.NRGBAAt(24, i).A == 0 && lines.NRGBAAt(23, i).A == 0 {
			t.Fatalf("a gap in the lines at %d", i)
		}
	}
	if n := covered(lines); n < 30 || n > 40 {
		t.Errorf("lines cover %d pixels", n)
	}
	p.Mode, p.Indices = asset.Points, nil
	if n := covered(shoot(t, sceneOf(p), ahead)); n < 3 || n > 12 {
		t.Errorf("points cover %d pixels", n)
	}
}

// TestNotes: what the picture does not show is said.
func TestNotes(t *testing.T) {
	missing := paint(1, 0.5, 0, 1)
	missing.BaseColorTexture = &asset.TextureRef{Texture: &asset.Texture{Name: "gone"}}
	turned := quad(1, 0, paint(1, 0, 0, 1))
	slices.Reverse(turned.Indices)
	floor := quad(1, 0, paint(1, 0, 0, 1))
	for i, p := range floor.Positions {
		floor.Positions[i] = [3]float32{p[0], p[2], p[1]}
	}
	hidden := paint(1, 1, 1, 0)
	hidden.Alpha = asset.Blend
	single := quad(1, 0, paint(1, 0, 0, 1))
	single.Indices = single.Indices[:3]
	for _, c := range []struct {
		name  string
		scene *asset.Scene
		notes []string
		facts []string
	}{
		{"painted", sceneOf(quad(1, 0, paint(1, 0, 0, 1))), nil, []string{"2 triangles"}},
		{"single", sceneOf(single), nil, []string{"1 triangle"}},
		{"nothing", &asset.Scene{}, []string{"no shape"}, nil},
		{"white", sceneOf(quad(1, 0, nil)), []string{"no texture"}, []string{"2 triangles"}},
		{"missing", sceneOf(quad(1, 0, missing)), []string{"1 texture missing"}, []string{"2 triangles"}},
		{"behind", sceneOf(turned), []string{"seen from behind"}, []string{"2 triangles"}},
		{"below", sceneOf(floor), []string{"seen from below"}, []string{"2 triangles"}},
		{"hidden", sceneOf(quad(1, 0, hidden)), []string{"nothing to be seen"}, []string{"2 triangles"}},
	} {
		p := shoot(t, c.scene, nil)
		if !slices.Equal(p.Notes, c.notes) || !slices.Equal(p.Facts, c.facts) {
			t.Errorf("%s: facts %q, notes %q; want %q, %q", c.name, p.Facts, p.Notes, c.facts, c.notes)
		}
	}
	missing.BaseColor = [4]float32{1, 1, 1, 1}
	wantPixel(t, "a missing texture", shoot(t, sceneOf(quad(1, 0, missing)), ahead), 16, 16, quietly(missing.Name))
}

// TestBackground lies behind everything.
func TestBackground(t *testing.T) {
	m := paint(1, 0, 0, 0.5)
	m.Alpha = asset.Blend
	p, err := Model(sceneOf(quad(0.5, 0, m)), Options{Width: 32, Height: 32, Camera: ahead, Background: blue})
	if err != nil {
		t.Fatal(err)
	}
	wantPixel(t, "beside", p, 2, 2, blue)
	wantPixel(t, "through", p, 16, 16, asset.RGBA{188, 0, 188, 255})
}

// TestSame: the same scene gives the same bytes, also when many are drawn at once.
func TestSame(t *testing.T) {
	s := teapot(40)
	want := shoot(t, s, nil).Pix
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 5 {
				p, err := Model(teapot(40), Options{Width: 32, Height: 32})
				if err != nil || !bytes.Equal(p.Pix, want) {
					t.Error("another picture", err)
				}
			}
		})
	}
	group.Wait()
}

func TestRefuses(t *testing.T) {
	s := sceneOf(quad(1, 0, nil))
	for _, o := range []Options{{Width: -1}, {Height: maxSide + 1}, {Width: 1 << 30, Height: 1 << 30}} {
		if _, err := Model(s, o); err == nil {
			t.Errorf("%+v is taken", o)
		}
	}
	broken := errors.New("broken")
	s.Meshes[0].Primitives = []*asset.Primitive{{Load: func() (*asset.Primitive, error) { return nil, broken }}}
	if _, err := Model(s, Options{}); !errors.Is(err, broken) {
		t.Errorf("a primitive that cannot be loaded: %v", err)
	}
	if _, err := Asset(&asset.Table{}, Options{}); err == nil {
		t.Error("a table has a picture")
	}
}

// TestDamaged: whatever the numbers of a scene are, drawing ends without a panic.
func TestDamaged(t *testing.T) {
	odd := rapid.SampledFrom([]float32{0, 1, -1, 1e-30, 1e30, -3e38, float32(math.NaN()), float32(math.Inf(1)), 0.5, 2, 1e6})
	vector := func(rt *rapid.T, name string) [3]float32 {
		return [3]float32{odd.Draw(rt, name), odd.Draw(rt, name), odd.Draw(rt, name)}
	}
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(0, 9).Draw(rt, "vertices")
		p := &asset.Primitive{Mode: asset.Mode(rapid.IntRange(0, 2).Draw(rt, "mode"))}
		for range n {
			p.Positions = append(p.Positions, vector(rt, "position"))
			p.Normals = append(p.Normals, vector(rt, "normal"))
			p.Colors = append(p.Colors, [4]float32{odd.Draw(rt, "r"), odd.Draw(rt, "g"), 1, odd.Draw(rt, "a")})
		}
		p.TexCoords = [][][2]float32{make([][2]float32, rapid.IntRange(0, n).Draw(rt, "coordinates"))}
		for i := range p.TexCoords[0] {
			p.TexCoords[0][i] = [2]float32{odd.Draw(rt, "u"), odd.Draw(rt, "v")}
		}
		if rapid.Bool().Draw(rt, "indexed") {
			p.Indices = rapid.SliceOfN(rapid.SampledFrom([]uint32{0, 1, 2, 3, 4, 1 << 31, math.MaxUint32}), 0, 12).Draw(rt, "indices")
		}
		m := textured(2, red, none, asset.RGBA{1, 2, 3, 4}, blue)
		m.Alpha = asset.AlphaMode(rapid.IntRange(0, 3).Draw(rt, "alpha"))
		m.Emissive = vector(rt, "glow")
		m.EmissiveTexture = m.BaseColorTexture
		m.BaseColorTexture.WrapS = asset.Wrap(rapid.IntRange(0, 3).Draw(rt, "wrap"))
		m.BaseColorTexture.TexCoord = rapid.IntRange(-1, 2).Draw(rt, "set")
		m.DoubleSided = rapid.Bool().Draw(rt, "two sides")
		p.Material = m
		s := sceneOf(p)
		s.Roots[0].Transform = asset.Transform{Translation: vector(rt, "t"), Scale: vector(rt, "s"), Rotation: [4]float32{odd.Draw(rt, "x"), 0, 0, odd.Draw(rt, "w")}}
		if rapid.Bool().Draw(rt, "cycle") {
			s.Roots[0].Children = s.Roots
		}
		if rapid.Bool().Draw(rt, "skin") {
			s.Roots[0].Skin = &asset.Skin{Joints: s.Roots, InverseBind: [][16]float32{}}
			p.Joints, p.Weights = [][][4]uint16{{{7, 0}}}, [][][4]float32{{{odd.Draw(rt, "weight"), 1}}}
		}
		var c *Camera
		if rapid.Bool().Draw(rt, "camera") {
			c = ahead
		}
		if _, err := Model(s, Options{Width: 16, Height: 16, Camera: c}); err != nil {
			rt.Fatal(err)
		}
	})
}

// teapot is a ball with n × n textured squares, some of them translucent.
func teapot(n int) *asset.Scene {
	m := textured(2, red, green, blue, white)
	m.Unlit = false
	glass := paint(0.2, 0.5, 1, 0.4)
	glass.Alpha, glass.DoubleSided = asset.Blend, true
	p := &asset.Primitive{Material: m, TexCoords: [][][2]float32{nil}}
	for i := range n + 1 {
		for k := range n + 1 {
			a, b := math.Pi*float64(i)/float64(n), 2*math.Pi*float64(k)/float64(n)
			v := [3]float32{float32(math.Sin(a) * math.Cos(b)), float32(math.Cos(a)), float32(math.Sin(a) * -math.Sin(b))}
			p.Positions, p.Normals = append(p.Positions, v), append(p.Normals, v)
			p.TexCoords[0] = append(p.TexCoords[0], [2]float32{float32(k) / float32(n) * 4, float32(i) / float32(n) * 4})
			if i < n && k < n {
				at := uint32(i*(n+1) + k)
				p.Indices = append(p.Indices, at, at+uint32(n)+1, at+uint32(n)+2, at, at+uint32(n)+2, at+1)
			}
		}
	}
	veil := *p
	veil.Material = glass
	veil.Positions = slices.Clone(p.Positions)
	for i, v := range veil.Positions {
		veil.Positions[i] = [3]float32{1.2 * v[0], 0.5 * v[1], 1.2 * v[2]}
	}
	return sceneOf(p, &veil)
}
