package compare

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/asset"
)

func lines(list []Detail) (out []string) {
	for _, d := range list {
		out = append(out, d.String())
	}
	return out
}

func wantDetails(t *testing.T, what string, got []Detail, want ...string) {
	t.Helper()
	if !slices.Equal(lines(got), want) {
		t.Errorf("%s:\n%s\nwant\n%s", what, strings.Join(lines(got), "\n"), strings.Join(want, "\n"))
	}
}

func texture(change func(t *asset.Texture)) *asset.Texture {
	m := asset.NewImage(8, 4, asset.Indexed8)
	t := &asset.Texture{Name: "t", Palette: []asset.RGBA{{0, 0, 0, 255}, {255, 0, 0, 255}, {9, 9, 9, 255}}, Frames: []asset.Frame{{Mips: []asset.Image{m, asset.NewImage(4, 2, asset.Indexed8)}}}}
	change(t)
	return t
}

func TestTextures(t *testing.T) {
	plain := texture(func(*asset.Texture) {})
	for _, c := range []struct {
		name   string
		change func(*asset.Texture)
		want   []string
	}{
		{"nothing", func(*asset.Texture) {}, nil},
		{"two pixels", func(x *asset.Texture) { x.Frames[0].Mips[0].Pix[8+2], x.Frames[0].Mips[0].Pix[24+5] = 1, 1 },
			[]string{"2 of 32 pixels differ, within 2,1 to 5,3, PSNR 18.1 dB"}},
		{"a level", func(x *asset.Texture) { x.Frames[0].Mips[1].Pix[0] = 1 }, []string{"level 1: 1 of 8 pixels differ, within 0,0 to 0,0, PSNR 15.1 dB"}},
		{"an unused colour", func(x *asset.Texture) { x.Palette[2] = asset.RGBA{} }, []string{"1 of 3 palette colours differ"}},
		{"size", func(x *asset.Texture) { x.Frames[0].Mips[0] = asset.NewImage(4, 4, asset.RGBA8) }, []string{"size: 8 x 4 -> 4 x 4"}},
		{"the same in RGBA", func(x *asset.Texture) {
			m := asset.NewImage(8, 4, asset.RGBA8)
			for i := 3; i < len(m.Pix); i += 4 {
				m.Pix[i] = 255
			}
			x.Frames[0].Mips[0] = m
		}, nil},
		{"frames", func(x *asset.Texture) { x.Frames, x.FPS = append(x.Frames, x.Frames[0]), 5 }, []string{"frames: 1 -> 2", "FPS: 0 -> 5"}},
		{"levels", func(x *asset.Texture) { x.Frames[0].Mips = x.Frames[0].Mips[:1] }, []string{"levels: 2 -> 1"}},
	} {
		wantDetails(t, c.name, Assets(plain, texture(c.change)), c.want...)
	}
}

func sound(samples ...int16) *asset.Sound {
	s := &asset.Sound{Rate: 10, Channels: 1, Bits: 16}
	for _, v := range samples {
		s.PCM = binary.LittleEndian.AppendUint16(s.PCM, uint16(v))
	}
	return s
}

func TestSounds(t *testing.T) {
	a := sound(1000, 1000, -1000, -1000)
	wantDetails(t, "same", Assets(a, sound(1000, 1000, -1000, -1000)))
	wantDetails(t, "one sample", Assets(a, sound(1000, 1000, -900, -1000)), "1 of 4 samples differ, the first at 0.200 s, SNR 26.0 dB")
	wantDetails(t, "longer", Assets(a, sound(1000, 1000, -1000, -1000, 5)), "length: 4 samples -> 5 samples")
	other := sound(1000, 1000, -1000, -1000)
	other.Rate = 20
	wantDetails(t, "rate", Assets(a, other), "rate: 10 -> 20")
	other = sound(1000, 1000, -1000, -1000)
	other.Channels = 2
	wantDetails(t, "channels", Assets(a, other), "channels: 1 -> 2")
	other = sound(1000, 1000, -1000, -1000)
	other.Bits = 8
	wantDetails(t, "bits", Assets(a, other), "bits: 16 -> 8")
	none := sound(1000)
	none.Channels = 0
	wantDetails(t, "no channels", Assets(none, none))
}

// One sample of two of 8 bits, 0.5 each, is 0.25 too low: 10·log10(0.5/0.0625) dB.
func TestSamples(t *testing.T) {
	f32 := func(v ...float32) (b []byte) {
		for _, x := range v {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
		return b
	}
	f64 := func(v ...float64) (b []byte) {
		for _, x := range v {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		}
		return b
	}
	for name, c := range map[string]struct {
		bits  int
		float bool
		a, b  []byte
	}{
		"8 bits":          {8, false, []byte{192, 192}, []byte{192, 160}},
		"16 bits":         {16, false, []byte{0, 0x40, 0, 0xC0}, []byte{0, 0x40, 0, 0xA0}},
		"24 bits":         {24, false, []byte{1, 0, 0x40, 0, 0, 0xC0}, []byte{1, 0, 0x40, 0, 0, 0xA0}},
		"32 bits, floats": {32, true, f32(0.5, -0.5), f32(0.5, -0.25)},
		"64 bits, floats": {64, true, f64(0.5, -0.5), f64(0.5, -0.25)},
	} {
		sound := func(pcm []byte) *asset.Sound {
			return &asset.Sound{Rate: 10, Channels: 1, Bits: c.bits, Float: c.float, PCM: pcm}
		}
		wantDetails(t, name, Assets(sound(c.a), sound(c.b)), "1 of 2 samples differ, the first at 0.100 s, SNR 9.0 dB")
	}
	stereo := func(v ...float32) *asset.Sound {
		return &asset.Sound{Rate: 10, Channels: 2, Bits: 32, Float: true, PCM: f32(v...)}
	}
	wantDetails(t, "stereo", Assets(stereo(0.5, 0, 0.5, 0, 0, 0), stereo(0.5, 0, 0.5, 0, 0.25, 0)), "1 of 6 samples differ, the first at 0.200 s, SNR 9.0 dB")
}

// A cube map is compared face by face.
func TestFaces(t *testing.T) {
	cube := func(change int) *asset.Texture {
		return texture(func(x *asset.Texture) {
			for range 5 {
				x.Frames[0].Faces = append(x.Frames[0].Faces, asset.NewImage(8, 4, asset.Indexed8))
			}
			if change >= 0 {
				x.Frames[0].Faces[change].Pix[3] = 1
			}
		})
	}
	wantDetails(t, "the last", Assets(cube(-1), cube(4)), "face 5: 1 of 32 pixels differ, within 3,0 to 3,0, PSNR 21.1 dB")
}

func TestOtherKinds(t *testing.T) {
	all := []asset.Asset{&asset.Text{}, &asset.Table{}, sound(), texture(func(*asset.Texture) {}), &asset.Scene{}}
	for _, a := range all {
		for _, b := range all {
			if a != b {
				wantDetails(t, "kinds", Assets(a, b), fmt.Sprintf("kind: %T -> %T", a, b))
			}
		}
	}
}

// What bears one name several times is paired in its order.
func TestPairs(t *testing.T) {
	both, gone, added := pairs([]string{"x", "x", "z", "x"}, []string{"x", "y", "x"}, anyway, func(s string) string { return s })
	if fmt.Sprint(both, gone, added) != "[[x x] [x x]] [z x] [y]" {
		t.Errorf("%v, gone %v, added %v", both, gone, added)
	}
}

// What is said of an archive is compared by its name: changed, new and gone.
func TestFacts(t *testing.T) {
	var e Entry
	e.facts([]format.Fact{{Name: "parts", Value: 2}, {Name: "bones", Value: 7}, {Name: "size", Value: 1}},
		[]format.Fact{{Name: "parts", Value: 3}, {Name: "size", Value: 1}, {Name: "hulls", Value: 0}})
	wantDetails(t, "facts", e.Details, "parts: 2 -> 3", "hulls: + 0", "bones: - 7")
}

func TestTexts(t *testing.T) {
	a := &asset.Text{Body: "one\ntwo\nthree\nfour\n"}
	for _, c := range []struct {
		body string
		want []string
	}{
		{"one\ntwo\nthree\nfour\n", nil},
		{"one\nTWO\nthree\nfour\n", []string{`line 2: "two" -> "TWO"`}},
		{"one\nthree\nfour\n", []string{`line 2: - "two"`}},
		{"one\ntwo\nand a half\nthree\nfour\n", []string{`line 3: + "and a half"`}},
		{"1\ntwo\nthree\n4\n5\n", []string{`line 1: "one" -> "1"`, `line 4: "four" -> "4\n5"`}},
		{"", []string{`line 1: - "one\ntwo\nthree\nfour"`}},
	} {
		wantDetails(t, c.body, Assets(a, &asset.Text{Body: c.body}), c.want...)
	}
	long := strings.Repeat("line\n", 3*mostLines)
	if d := Assets(&asset.Text{Body: "a\n" + long}, &asset.Text{Body: long + "b\n"}); len(d) == 0 {
		t.Error("long texts are the same")
	}
}

// model is two triangles with a material, a texture and an animation.
func model(change func(s *asset.Scene)) *asset.Scene {
	m := asset.NewMaterial("paint")
	x := &asset.Texture{Name: "wood", Frames: []asset.Frame{{Mips: []asset.Image{asset.NewImage(2, 2, asset.RGBA8)}}}}
	m.BaseColorTexture = &asset.TextureRef{Texture: x}
	p := &asset.Primitive{
		Positions: [][3]float32{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}},
		TexCoords: [][][2]float32{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}},
		Normals:   [][3]float32{{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}},
		Indices:   []uint32{0, 1, 2, 0, 2, 3},
		Material:  m,
	}
	n := asset.NewNode("body")
	n.Mesh = &asset.Mesh{Name: "box", Primitives: []*asset.Primitive{p}}
	s := &asset.Scene{
		Roots: []*asset.Node{n}, Meshes: []*asset.Mesh{n.Mesh}, Materials: []*asset.Material{m}, Textures: []*asset.Texture{x},
		Animations: []*asset.Animation{{Name: "turn", Channels: []*asset.Channel{{Node: n, Path: asset.Translation, Times: []float32{0, 1}, Values: make([]float32, 6)}}}},
	}
	change(s)
	return s
}

func TestScenes(t *testing.T) {
	plain := model(func(*asset.Scene) {})
	first := func(s *asset.Scene) *asset.Primitive { return s.Meshes[0].Primitives[0] }
	for _, c := range []struct {
		name   string
		change func(*asset.Scene)
		want   []string
	}{
		{"nothing", func(*asset.Scene) {}, nil},
		{"a vertex", func(s *asset.Scene) { first(s).Positions[2][2] = 0.5 }, []string{`mesh "box": 1 of 4 vertices differ, by up to 0.5 m`}},
		{"a normal", func(s *asset.Scene) { first(s).Normals[2] = [3]float32{1, 0, 0} }, []string{`mesh "box": 1 of 4 normals differ`}},
		{"coordinates", func(s *asset.Scene) { first(s).TexCoords[0][0][0] = 3 }, []string{`mesh "box": 1 of 4 texture coordinates differ`}},
		{"colours", func(s *asset.Scene) { first(s).Colors = make([][4]float32, 4) }, []string{`mesh "box": colours: 0 -> 4`}},
		{"a triangle gone", func(s *asset.Scene) { first(s).Indices = first(s).Indices[:3] }, []string{`mesh "box": triangles: 2 -> 1`}},
		{"another corner", func(s *asset.Scene) {
			p := first(s)
			p.Positions = append(p.Positions, [3]float32{2, 2, 0})
			p.Normals, p.TexCoords[0] = append(p.Normals, p.Normals[0]), append(p.TexCoords[0], [2]float32{5, 5})
			p.Indices = append(p.Indices, 2, 1, 4)
		}, []string{`mesh "box": triangles: 2 -> 3`, `mesh "box": vertices: + 1`, `mesh "box": 1 of 3 triangles differ`}},
		{"place", func(s *asset.Scene) { s.Roots[0].Transform.Translation[1] = 2 }, []string{`node "body" › translation: [0 0 0] -> [0 2 0]`}},
		{"colour", func(s *asset.Scene) { s.Materials[0].BaseColor[0] = 0.5 }, []string{`material "paint" › base color: [1 1 1 1] -> [0.5 1 1 1]`}},
		{"picture", func(s *asset.Scene) { s.Textures[0].Frames[0].Mips[0].Pix[0] = 255 }, []string{`texture "wood": 1 of 4 pixels differ, within 0,0 to 0,0, PSNR 12.0 dB`}},
		{"a key", func(s *asset.Scene) { s.Animations[0].Channels[0].Values[4] = 1 }, []string{`animation "turn" › translation of "body": 1 of 2 keys differ, the first at 1.000 s`}},
		{"keys", func(s *asset.Scene) {
			c := s.Animations[0].Channels[0]
			c.Times, c.Values = append(c.Times, 2), append(c.Values, 0, 0, 0)
		}, []string{`animation "turn" › translation of "body": keys: 2 -> 3`}},
		{"a node", func(s *asset.Scene) { s.Roots = append(s.Roots, asset.NewNode("arm")) }, []string{`node: + "arm"`}},
		{"no animation", func(s *asset.Scene) { s.Animations = nil }, []string{`animation: - "turn"`}},
		{"channels", func(s *asset.Scene) {
			c := *s.Animations[0].Channels[0]
			c.Path = asset.Scale
			s.Animations[0].Channels = append(s.Animations[0].Channels, &c)
		}, []string{`animation "turn": channels: 1 -> 2`}},
		{"interpolation", func(s *asset.Scene) { s.Animations[0].Channels[0].Interpolation = asset.StepKeys },
			[]string{`animation "turn" › translation of "body" › interpolation: 0 -> 1`}},
		{"the second of two primitives", func(s *asset.Scene) { s.Meshes[0].Primitives = append(s.Meshes[0].Primitives, first(s)) },
			[]string{`mesh "box": primitives: 1 -> 2`}},
		{"name", func(s *asset.Scene) { s.Materials[0].Name = "brick" }, []string{
			`mesh "box" › material: "paint" -> "brick"`, `material "brick" › name: "paint" -> "brick"`,
		}},
	} {
		wantDetails(t, c.name, Assets(plain, model(c.change)), c.want...)
	}
	wantDetails(t, "kinds", Assets(plain, &asset.Text{}), fmt.Sprintf("kind: %T -> %T", plain, &asset.Text{}))
}

// Of several primitives, the message says which; of one it need not.
func TestPrimitives(t *testing.T) {
	two := func(x float32) *asset.Scene {
		return model(func(s *asset.Scene) {
			p := *s.Meshes[0].Primitives[0]
			p.Positions = slices.Clone(p.Positions)
			p.Positions[3][0] = x
			s.Meshes[0].Primitives = append(s.Meshes[0].Primitives, &p)
		})
	}
	wantDetails(t, "the second", Assets(two(0), two(-2)), `mesh "box" › primitive 1: 1 of 4 vertices differ, by up to 2 m`)
}

// Vertices that stand in another order are found again where triangles are new.
func TestOtherOrder(t *testing.T) {
	a := model(func(*asset.Scene) {})
	b := model(func(s *asset.Scene) {
		p := s.Meshes[0].Primitives[0]
		p.Positions = append(p.Positions[1:], p.Positions[0], [3]float32{9, 9, 9})
		p.TexCoords[0] = append(p.TexCoords[0][1:], p.TexCoords[0][0], [2]float32{9, 9})
		p.Normals = append(p.Normals, p.Normals[0])
		p.Indices = []uint32{3, 0, 1, 3, 1, 2, 0, 4, 1}
	})
	wantDetails(t, "turned", Assets(a, b), `mesh "box": triangles: 2 -> 3`, `mesh "box": vertices: + 1`, `mesh "box": 1 of 3 triangles differ`)
}

// Of a single key, all components are compared.
func TestOneKey(t *testing.T) {
	one := func(z float32) *asset.Scene {
		return model(func(s *asset.Scene) {
			c := s.Animations[0].Channels[0]
			c.Times, c.Values = []float32{0.5}, []float32{0, 0, z}
		})
	}
	wantDetails(t, "the last", Assets(one(0), one(1)), `animation "turn" › translation of "body": 1 of 1 keys differ, the first at 0.500 s`)
	none := func(s *asset.Scene) { c := s.Animations[0].Channels[0]; c.Times, c.Values = nil, nil }
	wantDetails(t, "none", Assets(model(none), model(none)))
}

// A joint that another node took the place of is told of by both names.
func TestJoints(t *testing.T) {
	skinned := func(joints ...string) *asset.Scene {
		s := &asset.Skin{Name: "skin"}
		for _, name := range joints {
			s.Joints = append(s.Joints, asset.NewNode(name))
		}
		return &asset.Scene{Skins: []*asset.Skin{s}}
	}
	wantDetails(t, "the same", Assets(skinned("hip", "knee"), skinned("hip", "knee")))
	wantDetails(t, "another", Assets(skinned("hip", "knee"), skinned("hip", "foot")), `skin "skin" › joint 1: knee -> foot`)
	wantDetails(t, "one less", Assets(skinned("hip", "knee"), skinned("hip")), `skin "skin": joints: 2 -> 1`)
}

// TestPixel: a component of 8 bits fills 16, as 255 is 65535; what the image lacks is black, and its last pixel is not lacking.
func TestPixel(t *testing.T) {
	palette := []asset.RGBA{{1, 2, 3, 4}, {255, 0, 16, 255}}
	for _, c := range []struct {
		name   string
		format asset.PixelFormat
		pix    []byte
		i      int
		want   [4]uint16
	}{
		{"RGBA", asset.RGBA8, []byte{0, 1, 2, 255}, 0, [4]uint16{0, 257, 514, 65535}},
		{"palette", asset.Indexed8, []byte{0, 1}, 1, [4]uint16{65535, 0, 4112, 65535}},
		{"no such colour", asset.Indexed8, []byte{2}, 0, [4]uint16{}},
		{"grey", asset.Gray8, []byte{9, 2}, 1, [4]uint16{514, 514, 514, 65535}},
		{"grey of 16 bits", asset.Gray16, []byte{9, 9, 1, 2}, 1, [4]uint16{513, 513, 513, 65535}},
		{"cut within", asset.Gray16, []byte{9, 9, 1}, 1, [4]uint16{}},
		{"missing", asset.Gray8, []byte{9}, 1, [4]uint16{}},
	} {
		if got := pixel(&asset.Image{Width: 2, Height: 1, Format: c.format, Pix: c.pix}, palette, c.i); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// What a texture shows is told once, of the texture, and not of each material that it shines in.
func TestTexturesOfMaterials(t *testing.T) {
	shiny := func(pixel uint8, strength float32) *asset.Scene {
		return model(func(s *asset.Scene) {
			s.Textures[0].Frames[0].Mips[0].Pix[0] = pixel
			use := func() *asset.TextureRef { return &asset.TextureRef{Texture: s.Textures[0]} }
			m := s.Materials[0]
			m.MetalRoughTexture, m.NormalTexture, m.OcclusionTexture, m.LightTexture, m.EmissiveTexture = use(), use(), use(), use(), use()
			m.Specular = &asset.Specular{Factor: strength, Texture: use(), ColorTexture: use()}
		})
	}
	wantDetails(t, "a pixel", Assets(shiny(0, 1), shiny(255, 1)), `texture "wood": 1 of 4 pixels differ, within 0,0 to 0,0, PSNR 12.0 dB`)
	wantDetails(t, "strength", Assets(shiny(0, 1), shiny(0, 0.5)), `material "paint" › specular › factor: 1 -> 0.5`)
}

// TestMetres: how far a vertex moved is told in metres, whatever the unit of the format, which a node above it says; for
// a skin its joints do.
func TestMetres(t *testing.T) {
	model := func(x float32, skinned bool) *asset.Scene {
		m := &asset.Mesh{Name: "m", Primitives: []*asset.Primitive{{
			Mode: asset.Triangles, Positions: [][3]float32{{x, 0, 0}, {1, 0, 0}, {0, 1, 0}}, Indices: []uint32{0, 1, 2},
		}}}
		body := asset.NewNode("body")
		body.Mesh = m
		root := asset.NewNode("root")
		root.Transform.Scale = [3]float32{0.025, 0.025, 0.025}
		root.Children = []*asset.Node{body}
		s := &asset.Scene{Roots: []*asset.Node{root}, Meshes: []*asset.Mesh{m}}
		if skinned {
			joint := asset.NewNode("joint")
			s.Roots = append(s.Roots, joint)
			body.Skin = &asset.Skin{Joints: []*asset.Node{joint}, InverseBind: [][16]float32{{0: 0.5, 5: 0.5, 10: 0.5, 15: 1}}}
		}
		return s
	}
	wantDetails(t, "below a scaled node", Assets(model(0, false), model(-4, false)), `mesh "m": 1 of 3 vertices differ, by up to 0.1 m`)
	wantDetails(t, "on joints", Assets(model(0, true), model(-4, true)), `mesh "m": 1 of 3 vertices differ, by up to 2 m`)
	bare := func(x float32, joints, binds int) *asset.Scene {
		s := model(x, true)
		skin := s.Roots[0].Children[0].Skin
		skin.Joints, skin.InverseBind = skin.Joints[:joints], skin.InverseBind[:binds]
		return s
	}
	wantDetails(t, "without matrices", Assets(bare(0, 1, 0), bare(-4, 1, 0)), `mesh "m": 1 of 3 vertices differ, by up to 0.1 m`)
	wantDetails(t, "without joints", Assets(bare(0, 0, 1), bare(-4, 0, 1)), `mesh "m": 1 of 3 vertices differ, by up to 0.1 m`)
}

// TestTextLines: a value's lines are counted, so that long ones can be left out.
func TestTextLines(t *testing.T) {
	var b strings.Builder
	l := newTextLines(&b, "entry")
	l.value(reflect.ValueOf(struct {
		A int
		B []string
	}{1, []string{"x", "y"}}), 0)
	if n := strings.Count(b.String(), "\n"); n < 3 || l.n != n {
		t.Errorf("%d lines counted of\n%s", l.n, b.String())
	}
}
