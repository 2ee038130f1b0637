package gltf

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema/asset"
)

func TestRoundTrip(t *testing.T) {
	for _, c := range []struct {
		name string
		make func() *asset.Scene
	}{
		{"empty", func() *asset.Scene { return &asset.Scene{} }},
		{"quad", func() *asset.Scene { return scene(mesh("quad", quad())) }},
		{"no indices", func() *asset.Scene {
			return scene(mesh("tri", &asset.Primitive{Positions: [][3]float32{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}))
		}},
		{"lines and points", func() *asset.Scene {
			l, p, q := quad(), quad(), quad()
			l.Mode, l.Indices = asset.Lines, []uint32{0, 1, 1, 2}
			p.Mode, p.Indices = asset.Points, nil
			q.Mode, q.Indices = asset.Points, []uint32{3, 0, 1}
			return scene(mesh("m", l, p, q))
		}},
		{"nothing drawn", func() *asset.Scene {
			p := quad()
			p.Indices = []uint32{}
			return scene(mesh("m", p, quad()))
		}},
		{"all attributes", allAttributes},
		{"large indices", largeMesh},
		{"morph", morph},
		{"materials", materials},
		{"virtual textures", virtualTextures},
		{"nodes", nodes},
		{"matrices", matrices},
		{"lods", lods},
		{"skin", func() *asset.Scene { return skinScene(false) }},
		{"skin below a node", func() *asset.Scene { return skinScene(true) }},
		{"skin with several roots", severalRoots},
		{"skin and lod", skinLOD},
		{"detached skin", func() *asset.Scene {
			s := skinScene(true)
			s.Roots, s.Detached = nil, s.Roots
			return s
		}},
		{"odd camera", func() *asset.Scene {
			n := asset.NewNode("eye")
			n.Kind, n.Camera = asset.Eye, &asset.Camera{FieldOfView: 0.5, Near: 1, Far: 100, Aspect: 2}
			return &asset.Scene{Roots: []*asset.Node{n}}
		}},
		{"animations", animations},
		{"native", natives},
		{"empty meshes", emptyMeshes},
		{"lights", lamps},
		{"other scenes", sides},
	} {
		t.Run(c.name, func(t *testing.T) { roundTrip(t, c.make()) })
	}
}

func allAttributes() *asset.Scene {
	p := quad()
	p.Tangents = [][4]float32{{1, 0, 0, 1}, {1, 0, 0, -1}, {0, 1, 0, 1}, {1, 0, 0, 1}}
	p.TexCoords = append(p.TexCoords, [][2]float32{{0.1, 0.2}, {3, -4}, {5, 6}, {7, 8}})
	p.Colors = [][4]float32{{0, 1, 128.0 / 255, 1}, {1, 1, 1, 1}, {7.0 / 255, 0, 0, 1}, {0, 0, 0, 0}}
	p.Custom = []asset.Attribute{
		{Name: "_BYTES", Components: 1, Type: asset.Uint8, Values: []float32{0, 1, 2, 255}},
		{Name: "_FLOAT", Components: 2, Type: asset.Float32, Values: []float32{0.5, 1, 2, 3, 4, 5, -6, 7}},
		{Name: "_SHORT", Components: 3, Type: asset.Uint16, Values: []float32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 65535}},
	}
	q := quad()
	q.Colors = [][4]float32{{0, 1, 0.5, 1}, {1.0 / 65535, 1, 1, 1}, {0, 0, 0, 1}, {0, 0, 0, 0}}
	q.Colors[0][2] = float32(32768) / 65535
	r := quad()
	r.Colors = [][4]float32{{0.1, 0.2, 0.3, 0.4}, {0.123, 1, 1, 1}, {0, 0, 0, 1}, {0, 0, 0, 0}}
	shared := quad()
	shared.Positions, shared.Normals, shared.TexCoords = p.Positions, p.Normals, p.TexCoords
	shared.Indices = []uint32{2, 1, 0}
	return scene(mesh("all", p, q, r, shared))
}

func largeMesh() *asset.Scene {
	p := &asset.Primitive{}
	for i := range 70000 {
		p.Positions = append(p.Positions, [3]float32{float32(i) * 0.1, float32(i%7) / 3, -1e-20})
	}
	p.Indices = []uint32{0, 1, 69999, 65535, 2, 65534}
	return scene(mesh("large", p))
}

func morph() *asset.Scene {
	p := &asset.Primitive{Indices: []uint32{0, 1, 2, 97, 98, 99}}
	var dense, sparse [][3]float32
	for i := range 100 {
		p.Positions = append(p.Positions, [3]float32{float32(i), float32(i * i), 1})
		p.Normals = append(p.Normals, [3]float32{0, 1, 0})
		dense = append(dense, [3]float32{1, float32(i), 0.5})
		sparse = append(sparse, [3]float32{})
	}
	sparse[7], sparse[99] = [3]float32{1, 2, 3}, [3]float32{-4, 0, 0}
	p.Targets = []asset.Target{
		{Positions: dense, Normals: sparse}, {Positions: sparse}, {Positions: make([][3]float32, 100)}, {Normals: dense},
	}
	m := mesh("face", p)
	m.TargetNames = []string{"smile", "frown", "none", "lit"}
	m.Weights = []float32{0, 0.5, 1, 0}
	m.Extras = map[string]any{"other": "kept"}
	s := scene(m)
	s.Roots[0].Weights = []float32{1, 0, 0, 0.25}
	s.Animations = []*asset.Animation{{Name: "talk", Channels: []*asset.Channel{{
		Node: s.Roots[0], Path: asset.MorphWeights, Times: []float32{0, 1}, Values: []float32{0, 0, 0, 0, 1, 1, 0.5, 0},
	}}}}
	return s
}

func materials() *asset.Scene {
	a, b := picture8("paletted"), picture32("blended")
	a.URI, a.FPS, a.Alpha, a.Extras, a.Native = `textures\Hull.TGA`, 12.5, asset.Mask, extras("texture"), native("tga")
	b.Extras = extras("b")
	file := &asset.Texture{Name: "file", File: &asset.Stored{Encoding: "png"}}
	file.File.Data, _, _ = picture(picture8("x"))
	unused := picture32("unused/with: odd* name?.bmp")
	unused.Native = native("bmp")
	full := asset.NewMaterial("full")
	full.BaseColor = [4]float32{0.1, 0.2, 0.3, 0.4}
	full.BaseColorTexture = &asset.TextureRef{Texture: a, WrapS: asset.Clamp, WrapT: asset.Mirror, Filter: asset.Nearest, Extras: extras("ref"),
		Transform: &asset.TextureTransform{Offset: [2]float32{0.5, -0.25}, Scale: [2]float32{2, 1}, Rotation: 0.1}}
	full.Metallic, full.Roughness = 0.75, 0.3
	full.MetalRoughTexture = &asset.TextureRef{Texture: b, Filter: asset.Linear}
	full.NormalTexture, full.NormalScale = &asset.TextureRef{Texture: b, TexCoord: 1}, 0.5
	full.OcclusionTexture = &asset.TextureRef{Texture: file}
	full.LightTexture = &asset.TextureRef{Texture: b, TexCoord: 1, WrapS: asset.Clamp, WrapT: asset.Clamp}
	full.Emissive, full.EmissiveStrength = [3]float32{1, 0.5, 0}, 4
	full.EmissiveTexture = &asset.TextureRef{Texture: a, WrapS: asset.Clamp, WrapT: asset.Mirror, Filter: asset.Nearest}
	full.Specular = &asset.Specular{Factor: 0.5, Color: [3]float32{1, 2, 0.25}, Texture: &asset.TextureRef{Texture: b}, ColorTexture: &asset.TextureRef{Texture: a}}
	full.DoubleSided = true
	full.Extras, full.Native = extras("material"), native("mat")
	mask := asset.NewMaterial("mask")
	mask.Alpha, mask.AlphaCutoff = asset.Mask, 0.25
	odd := asset.NewMaterial("odd")
	odd.Alpha, odd.AlphaCutoff, odd.EmissiveStrength, odd.NormalScale = asset.Blend, 0.75, 3, 2
	odd.Unlit, odd.Specular = true, &asset.Specular{Factor: 0.25, Color: [3]float32{1, 0.5, 0}}
	p, q := quad(), quad()
	p.TexCoords = append(p.TexCoords, p.TexCoords[0])
	p.Material = full
	p.Tangents = [][4]float32{{1, 0, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, 1}}
	q.Material, q.TexCoords = mask, nil
	mask.BaseColorTexture = &asset.TextureRef{Texture: b}
	s := scene(mesh("m", p, q))
	s.Materials = append(s.Materials, odd)
	s.Textures = []*asset.Texture{a, b, file, unused}
	return s
}

func virtualTextures() *asset.Scene {
	uri := &asset.Texture{Name: "hull", URI: "HULL.TGA", Native: native("tga"), Extras: extras("v"), Alpha: asset.Blend}
	raw := &asset.Texture{Name: "raw", File: &asset.Stored{Encoding: "dds", Data: []byte("DDS |")}}
	unused := &asset.Texture{Name: "unused", URI: "x.bmp"}
	real := picture8("real")
	m := asset.NewMaterial("m")
	m.BaseColorTexture = &asset.TextureRef{Texture: uri, TexCoord: 1, WrapS: asset.Mirror, Filter: asset.Linear, Extras: extras("use"),
		Transform: &asset.TextureTransform{Scale: [2]float32{2, 3}}}
	m.EmissiveTexture = &asset.TextureRef{Texture: uri}
	m.NormalTexture, m.NormalScale = &asset.TextureRef{Texture: raw}, 0.5
	m.LightTexture = &asset.TextureRef{Texture: uri, TexCoord: 1}
	n := asset.NewMaterial("n")
	n.BaseColorTexture = &asset.TextureRef{Texture: real}
	p, q := quad(), quad()
	p.Material, q.Material = m, n
	s := scene(mesh("m", p, q))
	s.Textures = []*asset.Texture{uri, real, unused, raw}
	return s
}

func nodes() *asset.Scene {
	m := mesh("m", quad())
	root := asset.NewNode("root")
	root.Transform.Translation = [3]float32{0.1, -2, 1e10}
	root.Transform.Rotation = [4]float32{0.5, 0.5, -0.5, 0.5}
	root.Transform.Scale = [3]float32{1, -2, 0.3}
	hard := asset.NewNode("HpWeapon01")
	hard.Kind, hard.Extras, hard.Native = asset.Hardpoint, extras("hp"), native("hp")
	zero := asset.NewNode("hidden")
	zero.Transform.Scale = [3]float32{}
	zero.Mesh = m
	eye := asset.NewNode("eye")
	eye.Kind = asset.Eye
	eye.Camera = &asset.Camera{Name: "cam", FieldOfView: 0.7, Near: 0.1, Far: 1000, Aspect: 1.5, Extras: extras("cam"), Native: native("cam")}
	second := asset.NewNode("plain node with the same camera")
	second.Camera = eye.Camera
	third := asset.NewNode("marker")
	third.Kind, third.Camera = asset.Marker, &asset.Camera{FieldOfView: 1, Near: 1}
	root.Children = []*asset.Node{hard, zero, eye, second, third}
	loose := asset.NewNode("loose")
	loose.Mesh = m
	loose.Children = []*asset.Node{asset.NewNode("below"), bone("bone of no skin")}
	return &asset.Scene{Roots: []*asset.Node{root, asset.NewNode("")}, Detached: []*asset.Node{loose, asset.NewNode("d2")}, Meshes: []*asset.Mesh{mesh("unused", quad()), m},
		Extras: extras("scene"), Native: native("scene")}
}

func matrices() *asset.Scene {
	s := &asset.Scene{}
	for _, m := range [][16]float32{
		{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
		{0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 5, 6, 7, 1},
		{-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1},
		{1, 0.5, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1}, // sheared
		{0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1},   // flat
		{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 1},   // nothing
		{1, 0, 0, 0.1, 0, 1, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1}, // projective
		{0.36, 0.48, -0.8, 0, -0.8, 0.6, 0, 0, 0.48, 0.64, 0.6, 0, 0, 0, 0, 1},
	} {
		n := asset.NewNode("n")
		n.Transform.Matrix = &m
		s.Roots = append(s.Roots, n)
	}
	s.Animations = []*asset.Animation{{Name: "a", Channels: []*asset.Channel{
		{Node: s.Roots[1], Path: asset.Translation, Times: []float32{0, 1}, Values: []float32{5, 6, 7, 0, 0, 0}},
	}}}
	return s
}

func lods() *asset.Scene {
	m := []*asset.Mesh{mesh("l0", quad()), mesh("l1", quad()), mesh("l2", quad())}
	top, owner := asset.NewNode("top"), asset.NewNode("part")
	top.Children = []*asset.Node{owner}
	owner.Mesh = m[0]
	for i, x := range m[1:] {
		l := asset.NewNode([]string{"part_lod1", "part_lod2"}[i])
		l.Mesh = x
		l.Transform.Translation[0] = float32(i)
		owner.LODs = append(owner.LODs, l)
	}
	owner.LODs[0].Children = []*asset.Node{asset.NewNode("child of lod")}
	owner.Coverage = []float32{0.5, 0.25, 0.01}
	owner.Extras = extras("owner")
	return &asset.Scene{Roots: []*asset.Node{top}, Meshes: m}
}

func skinScene(below bool) *asset.Scene {
	tip := bone("tip")
	hip := bone("hip", tip)
	hip.Transform.Translation = [3]float32{1, 2, 3}
	m, skin := skinned(hip, tip)
	skin.Root, skin.Extras, skin.Native = hip, extras("skin"), native("skin")
	body := asset.NewNode("body")
	body.Mesh, body.Skin = m, skin
	s := &asset.Scene{Roots: []*asset.Node{hip, body}, Meshes: []*asset.Mesh{m}, Skins: []*asset.Skin{skin}}
	if below {
		top := asset.NewNode("top")
		top.Children = []*asset.Node{hip, body}
		body.Transform.Translation = [3]float32{0, 1, 0}
		body.Native = native("body")
		body.Children = []*asset.Node{asset.NewNode("below")}
		s.Roots = []*asset.Node{top}
		s.Animations = []*asset.Animation{{Name: "sway", Channels: []*asset.Channel{
			{Node: body, Path: asset.Translation, Times: []float32{0, 1}, Values: []float32{0, 0, 0, 1, 1, 1}},
			{Node: tip, Path: asset.Rotation, Times: []float32{0, 1}, Values: []float32{0, 0, 0, 1, 0, 0, 1, 0}},
		}}}
	}
	return s
}

func skinLOD() *asset.Scene {
	s := skinScene(true)
	body := s.Roots[0].Children[1]
	low := asset.NewNode("low")
	low.Mesh, low.Skin = body.Mesh, body.Skin
	low.Transform.Translation = [3]float32{0, 1, 0}
	body.LODs, body.Coverage = []*asset.Node{low}, []float32{0.5, 0}
	return s
}

func severalRoots() *asset.Scene {
	a, b, c := bone("a"), bone("b"), bone("c")
	m, skin := skinned(a, b)
	skin.InverseBind = nil
	body := asset.NewNode("body")
	body.Mesh, body.Skin = m, skin
	other := &asset.Skin{Name: "unused", Joints: []*asset.Node{c, b}, Native: native("unused")}
	return &asset.Scene{Roots: []*asset.Node{asset.NewNode("first"), a, body, b, c}, Meshes: []*asset.Mesh{m}, Skins: []*asset.Skin{other, skin}}
}

func animations() *asset.Scene {
	a, b := asset.NewNode("a"), asset.NewNode("b")
	times := []float32{0, 0.5, 2}
	walk := &asset.Animation{Name: "walk", Extras: extras("walk"), Native: native("walk"), Channels: []*asset.Channel{
		{Node: a, Path: asset.Translation, Interpolation: asset.LinearKeys, Times: times, Values: []float32{0, 0, 0, 1, 2, 3, -4, 5, 6}},
		{Node: a, Path: asset.Rotation, Interpolation: asset.StepKeys, Times: times, Values: []float32{0, 0, 0, 1, 1, 0, 0, 0, 0, 0.6, 0.8, 0}},
		{Node: b, Path: asset.Scale, Interpolation: asset.CubicKeys, Times: times[:2], Values: []float32{1, 2, 3, 1, 1, 1, 9, 8, 7, 0, 0, 0, 2, 2, 2, 5, 5, 5}},
		{Node: b, Path: asset.Rotation, Interpolation: asset.CubicKeys, Times: []float32{0, 0.5, 2}, Values: []float32{
			9, 9, 9, 9, 0, 0, 0, 1, 5, 5, 5, 5, 1, 2, 3, 4, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 1, 0, 0, 2, 2, 2, 2}},
	}}
	empty := &asset.Animation{Name: "nothing moves", Native: native("empty"), Extras: extras("e")}
	run := &asset.Animation{Name: "run", Channels: []*asset.Channel{{Node: b, Path: asset.Translation, Times: []float32{3}, Values: []float32{1, 2, 3}}}}
	return &asset.Scene{Roots: []*asset.Node{a, b}, Animations: []*asset.Animation{walk, empty, run}}
}

func natives() *asset.Scene {
	p, q := quad(), quad()
	p.Native, p.Extras = native("part"), extras("part")
	p.Material, q.Material = asset.NewMaterial("m"), asset.NewMaterial("m")
	q.Native = native("second")
	m := mesh("m", p, quad(), q)
	m.Native, m.Extras = native("mesh"), extras("mesh")
	s := scene(m)
	s.Native = &asset.Native{Format: "zeros", Payload: make([]byte, 100000)}
	s.Roots[0].Native = &asset.Native{}
	return s
}

func emptyMeshes() *asset.Scene {
	hollow := &asset.Primitive{Mode: asset.Lines, Native: native("hollow"), Extras: extras("h"), Material: asset.NewMaterial("m"), Targets: make([]asset.Target, 1)}
	mixed := mesh("mixed", &asset.Primitive{Native: native("first")}, quad(), &asset.Primitive{Mode: asset.Points})
	empty := mesh("empty", hollow, &asset.Primitive{})
	empty.Native, empty.Extras, empty.TargetNames, empty.Weights = native("empty"), extras("e"), []string{"a"}, []float32{0.5}
	bare, unused := mesh("bare"), mesh("unused")
	unused.Native = native("unused")
	s := scene(bare, mixed, empty)
	s.Meshes = append([]*asset.Mesh{unused}, s.Meshes...)
	again := asset.NewNode("again")
	again.Mesh = empty
	j := bone("j")
	again.Skin = &asset.Skin{Joints: []*asset.Node{j}}
	s.Skins = []*asset.Skin{again.Skin}
	s.Roots = append(s.Roots, again, j)
	return s
}

// speculars are materials whose reflections Blender 3 changes by itself.
func speculars() *asset.Scene {
	s := scene()
	picture := picture8("base")
	s.Textures = []*asset.Texture{picture}
	for name, c := range map[string]struct {
		base, color [3]float32
		factor      float32
		textured    bool
	}{
		"coloured":    {[3]float32{0.2, 0.5, 0.9}, [3]float32{0.448, 0.604, 0}, 1, false},
		"grey":        {[3]float32{0.5, 0.5, 0.5}, [3]float32{0.1, 0.9, 0.3}, 1, false},
		"white":       {[3]float32{0.1, 0.5, 0.6}, [3]float32{1, 1, 1}, 1, false},
		"black":       {[3]float32{0.1, 0.5, 0.6}, [3]float32{0, 0, 0}, 1, false},
		"weak":        {[3]float32{0.3, 0.1, 0.1}, [3]float32{0.3, 0.1, 0.1}, 0.25, false},
		"of a bright": {[3]float32{0.3, 0.1, 0.1}, [3]float32{25, 20, 3}, 1, false},
		"textured":    {[3]float32{1, 1, 1}, [3]float32{0.448, 0.604, 0}, 1, true},
	} {
		m := asset.NewMaterial(name)
		copy(m.BaseColor[:], c.base[:])
		m.Specular = &asset.Specular{Factor: c.factor, Color: c.color}
		if c.textured {
			m.BaseColorTexture = &asset.TextureRef{Texture: picture}
		}
		s.Materials = append(s.Materials, m)
	}
	slices.SortFunc(s.Materials, func(a, b *asset.Material) int { return strings.Compare(a.Name, b.Name) })
	for _, m := range s.Materials {
		p := quad()
		p.Material = m
		x := mesh(m.Name, p)
		n := asset.NewNode(m.Name)
		n.Mesh = x
		s.Meshes, s.Roots = append(s.Meshes, x), append(s.Roots, n)
	}
	return s
}

// lamps are lights of every kind.
func lamps() *asset.Scene {
	s := &asset.Scene{}
	for name, l := range map[string]*asset.Light{
		"point": {Kind: asset.PointLight, Color: [3]float32{1, 0.5, 0.25}, Intensity: 100, Range: 20, Name: "bulb", Extras: extras("l"), Native: native("l")},
		"spot":  {Kind: asset.SpotLight, Color: [3]float32{0, 0.5, 1}, Intensity: 10, Inner: 0.25, Outer: 0.5},
		"sun":   {Kind: asset.SunLight, Color: [3]float32{1, 1, 1}, Intensity: 3},
		"usual": asset.NewLight(asset.SpotLight),
	} {
		n := asset.NewNode(name)
		n.Kind, n.Light = asset.Marker, l
		s.Roots = append(s.Roots, n)
	}
	slices.SortFunc(s.Roots, func(a, b *asset.Node) int { return strings.Compare(a.Name, b.Name) })
	return s
}

// sides is a scene with others beside it, with hidden nodes, and with one light on two nodes.
func sides() *asset.Scene {
	s := scene(mesh("shown", quad()), mesh("beside", quad()), mesh("loose", quad()))
	shown, beside, loose := s.Roots[0], s.Roots[1], s.Roots[2]
	levels := asset.NewNode("of usher")
	shown.Hidden = true
	shown.Light = asset.NewLight(asset.PointLight)
	shown.Kind = asset.Marker
	beside.Light, beside.Kind = shown.Light, asset.Plain
	s.Roots, s.Detached = []*asset.Node{shown}, []*asset.Node{levels}
	s.Sides = []*asset.Side{
		{Name: "other", Roots: []*asset.Node{beside, shown}, Extras: extras("side")},
		{Name: "third", Roots: []*asset.Node{levels}},
		{Loose: true, Roots: []*asset.Node{loose}},
	}
	return s
}

// otherPictures has pictures that are not decoded and yet stay pictures.
func otherPictures() *asset.Scene {
	s := scene()
	for name, head := range map[string]string{"ktx2": "\xabKTX 20\xbb\r\n\x1a\n and so on", "avif": "\x00\x00\x00\x1cftypavif and so on"} {
		t := &asset.Texture{Name: name, File: &asset.Stored{Encoding: name, Data: []byte(head)}}
		m := asset.NewMaterial(name)
		m.BaseColorTexture = &asset.TextureRef{Texture: t}
		s.Textures, s.Materials = append(s.Textures, t), append(s.Materials, m)
	}
	return s
}

// Payloads are written beside the JSON encoder, where marks stand for them: nothing else that looks like a mark may be taken
// for one, and all come back where they were.
func TestPayloadsAndMarks(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	payload := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(rng.Uint32())
		}
		return b
	}
	const large = 1000
	text := len(deflated(payload(large))) // always as long: noise does not become less
	for name, names := range map[string][2]string{
		"others":          {"hull", "turret"},
		"begins as marks": {"usher payload of mine", "x"},
		"is a mark":       {fmt.Sprintf("usher payload 0 of %d bytes", text), fmt.Sprintf("usher payload 1 of %d bytes", text)},
		"quotes a mark":   {fmt.Sprintf(`"usher payload 1 of %d bytes"`, text), `"`},
	} {
		t.Run(name, func(t *testing.T) {
			s := nodes()
			sizes := []int{large, large, maxInline, 3}
			var want [][]byte
			for i, n := range sizes {
				b := payload(n)
				want = append(want, b)
				s.Roots = append(s.Roots, &asset.Node{Name: names[i%2], Native: &asset.Native{Format: "test", Payload: b}})
			}
			got := decode(t, encode(t, s, nil)).Roots[len(s.Roots)-len(sizes):]
			for i, n := range got {
				if n.Name != names[i%2] || n.Native == nil || !bytes.Equal(n.Native.Payload, want[i]) {
					t.Errorf("node %d came back as %q with another payload", i, n.Name)
				}
			}
		})
	}
}
