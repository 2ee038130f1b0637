package gltf

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// skinnedScene is a scene of a mesh that follows two joints, with a material, a texture and an animation.
func skinnedScene() *asset.Scene {
	s := skinScene(true)
	m := asset.NewMaterial("m")
	m.BaseColorTexture = &asset.TextureRef{Texture: picture8("x")}
	s.Materials, s.Textures = []*asset.Material{m}, []*asset.Texture{m.BaseColorTexture.Texture}
	s.Meshes[0].Primitives[0].Material = m
	return s
}

// TestRefusedScenes has scenes that contradict themselves, with what is said of that.
func TestRefusedScenes(t *testing.T) {
	primitive := func(s *asset.Scene) *asset.Primitive { return s.Meshes[0].Primitives[0] }
	channel := func(s *asset.Scene) *asset.Channel { return s.Animations[0].Channels[0] }
	bad := func() *asset.Native { return &asset.Native{Values: map[string]any{"x": func() {}}} }
	custom := func(a asset.Attribute) func(s *asset.Scene) {
		return func(s *asset.Scene) { primitive(s).Custom = []asset.Attribute{a} }
	}
	deep := func(n int) func(s *asset.Scene) {
		return func(s *asset.Scene) {
			for range n {
				x := asset.NewNode("n")
				x.Children = []*asset.Node{s.Roots[0]}
				s.Roots[0] = x
			}
		}
	}
	for _, c := range []struct {
		change func(s *asset.Scene)
		class  error
		want   string
	}{
		{func(s *asset.Scene) {}, nil, ""},
		{func(s *asset.Scene) { s.Meshes = append(s.Meshes, nil) }, schema.ErrValue, "meshes/1: nil"},
		{func(s *asset.Scene) { s.Skins = append(s.Skins, nil) }, schema.ErrValue, "skins/1: nil"},
		{func(s *asset.Scene) { s.Materials[0] = nil }, schema.ErrValue, "materials/0: nil"},
		{func(s *asset.Scene) { s.Textures = append(s.Textures, nil) }, schema.ErrValue, "textures/1: nil"},
		{func(s *asset.Scene) { s.Animations = append(s.Animations, nil) }, schema.ErrValue, "animations/1: nil"},
		{func(s *asset.Scene) { s.Sides = []*asset.Side{nil} }, schema.ErrValue, "scenes/0: nil"},
		{func(s *asset.Scene) { s.Meshes[0].Primitives = append(s.Meshes[0].Primitives, nil) }, schema.ErrValue, "meshes/0/primitives/1: nil"},
		{func(s *asset.Scene) { s.Animations[0].Channels[1] = nil }, schema.ErrValue, "animations/0/channels/1: nil"},
		{func(s *asset.Scene) { s.Native, s.Animations = &asset.Native{}, []*asset.Animation{nil} }, schema.ErrValue, "animations/0: nil"},
		{func(s *asset.Scene) { s.Roots = append(s.Roots, nil) }, schema.ErrValue, "a nil node"},
		{func(s *asset.Scene) { s.Sides = []*asset.Side{{Roots: []*asset.Node{nil}}} }, schema.ErrValue, "a nil node"},
		{func(s *asset.Scene) { s.Meshes = append(s.Meshes, s.Meshes[0]) }, schema.ErrMismatch, `meshes/1: "body" is listed twice`},
		{func(s *asset.Scene) { s.Skins = append(s.Skins, s.Skins[0]) }, schema.ErrMismatch, `skins/1: "skin" is listed twice`},
		{func(s *asset.Scene) { s.Materials = append(s.Materials, s.Materials[0]) }, schema.ErrMismatch, `materials/1: "m" is listed twice`},
		{func(s *asset.Scene) { s.Textures = append(s.Textures, s.Textures[0]) }, schema.ErrMismatch, `images/1: texture "x" is listed twice`},
		{func(s *asset.Scene) { s.Roots = append(s.Roots, s.Roots[0]) }, schema.ErrCycle, "top: the node occurs twice in the scene"},
		{func(s *asset.Scene) { s.Detached = s.Roots }, schema.ErrCycle, "the node occurs twice in the scene"},
		{func(s *asset.Scene) { s.Skins = nil }, schema.ErrRange, `skin: "skin" is not in the scene's list`},
		{func(s *asset.Scene) { s.Meshes = nil }, schema.ErrRange, `nodes/3: mesh: "body" is not in the scene's list`},
		{func(s *asset.Scene) { s.Materials = nil }, schema.ErrRange, `material: "m" is not in the scene's list`},
		{func(s *asset.Scene) { s.Textures = nil }, schema.ErrRange, "materials/0: baseColor: the texture is not in the scene's list"},
		{func(s *asset.Scene) { s.Textures[0].Alpha = 3 }, schema.ErrValue, "images/0: no valid texture"},
		{func(s *asset.Scene) { s.Materials[0].Alpha = 3 }, schema.ErrValue, "materials/0: no valid material"},
		{func(s *asset.Scene) { s.Materials[0].BaseColorTexture.WrapS = 3 }, schema.ErrValue, "samplers: wrap modes 3, 0, filter 0"},
		{func(s *asset.Scene) { s.Materials[0].BaseColorTexture.WrapT = 3 }, schema.ErrValue, "samplers: wrap modes 0, 3, filter 0"},
		{func(s *asset.Scene) { s.Materials[0].BaseColorTexture.Filter = 3 }, schema.ErrValue, "samplers: wrap modes 0, 0, filter 3"},
		{func(s *asset.Scene) { s.Materials[0].BaseColorTexture.TexCoord = -1 }, schema.ErrRange, "baseColor: texture coordinates -1"},
		{func(s *asset.Scene) { s.Materials[0].BaseColorTexture.TexCoord = 256 }, schema.ErrRange, "baseColor: texture coordinates 256"},
		{func(s *asset.Scene) { s.Materials[0].BaseColorTexture.TexCoord = 255 }, nil, ""},
		{func(s *asset.Scene) { primitive(s).Mode = 3 }, schema.ErrValue, "meshes/0/primitives/0: mode: no such mode"},
		{func(s *asset.Scene) { s.Meshes = append(s.Meshes, mesh("e", &asset.Primitive{Mode: 3})) }, schema.ErrValue, "meshes: e: primitive 0 is of no mode: 3"},
		{func(s *asset.Scene) { s.Roots[0].Kind = 8 }, schema.ErrValue, "nodes/0: Kind: 8"},
		{func(s *asset.Scene) { s.Roots[0].Light = &asset.Light{Kind: 3} }, schema.ErrValue, "lights/0: Kind: 3"},
		{func(s *asset.Scene) { primitive(s).Indices = []uint32{0, 1, 2, 3} }, schema.ErrMismatch, "4 indices are no whole number of triangles"},
		{func(s *asset.Scene) { primitive(s).Indices, primitive(s).Mode = []uint32{0, 1, 2}, asset.Lines }, schema.ErrMismatch, "3 indices are no whole number of lines"},
		{func(s *asset.Scene) { primitive(s).Indices = nil }, schema.ErrMismatch, "4 indices are no whole number of triangles"},
		{func(s *asset.Scene) { primitive(s).Indices[5] = 4 }, schema.ErrRange, "index 4, there are 4 vertices"},
		{func(s *asset.Scene) { primitive(s).Tangents = make([][4]float32, 3) }, schema.ErrMismatch, "TANGENT: 3 values for 4 vertices"},
		{func(s *asset.Scene) { primitive(s).Colors = make([][4]float32, 5) }, schema.ErrMismatch, "COLOR_0: 5 values for 4 vertices"},
		{func(s *asset.Scene) { primitive(s).TexCoords = append(primitive(s).TexCoords, make([][2]float32, 3)) }, schema.ErrMismatch, "TEXCOORD_1: 3 values for 4 vertices"},
		{func(s *asset.Scene) { primitive(s).Joints[0] = primitive(s).Joints[0][1:] }, schema.ErrMismatch, "JOINTS_0: 3 values for 4 vertices"},
		{func(s *asset.Scene) { primitive(s).Weights[0] = nil }, schema.ErrMismatch, "WEIGHTS_0: 0 values for 4 vertices"},
		{func(s *asset.Scene) { primitive(s).Weights = nil }, schema.ErrMismatch, "JOINTS: 1 sets of joints, 0 of weights"},
		{func(s *asset.Scene) { primitive(s).Targets = []asset.Target{{}, {Positions: make([][3]float32, 3)}} }, schema.ErrMismatch, "targets/1/POSITION: 3 values for 4 vertices"},
		{func(s *asset.Scene) { primitive(s).Targets = []asset.Target{{Normals: make([][3]float32, 3)}} }, schema.ErrMismatch, "targets/0/NORMAL: 3 values for 4 vertices"},
		{func(s *asset.Scene) { primitive(s).Targets = []asset.Target{{Tangents: make([][3]float32, 3)}} }, schema.ErrMismatch, "targets/0/TANGENT: 3 values for 4 vertices"},
		{custom(asset.Attribute{Name: "_A", Components: 0}), schema.ErrValue, "_A: 0 components of type 0"},
		{custom(asset.Attribute{Name: "_A", Components: 5, Values: make([]float32, 20)}), schema.ErrValue, "_A: 5 components of type 0"},
		{custom(asset.Attribute{Name: "_A", Components: 1, Type: 3, Values: make([]float32, 4)}), schema.ErrValue, "_A: 1 components of type 3"},
		{custom(asset.Attribute{Name: "_A", Components: 2, Values: make([]float32, 9)}), schema.ErrMismatch, "_A: 9 values of 2 components"},
		{custom(asset.Attribute{Name: "_A", Components: 2, Values: make([]float32, 10)}), schema.ErrMismatch, "_A: 5 values for 4 vertices"},
		{custom(asset.Attribute{Name: "_A", Components: 1, Type: asset.Uint8, Values: []float32{0, 255, 256, 1}}), schema.ErrRange, "256 is no integer from 0 to 255"},
		{custom(asset.Attribute{Name: "_A", Components: 1, Type: asset.Uint16, Values: []float32{0, 65535, 0.5, 1}}), schema.ErrRange, "0.5 is no integer from 0 to 65535"},
		{custom(asset.Attribute{Name: "_A", Components: 1, Type: asset.Uint16, Values: []float32{0, 65535, -1, 1}}), schema.ErrRange, "-1 is no integer"},
		{custom(asset.Attribute{Name: "_A", Components: 4, Type: asset.Uint16, Values: []float32{0, 65535, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7}}), nil, ""},
		{func(s *asset.Scene) {
			x := asset.Attribute{Name: "A", Components: 1, Values: make([]float32, 4)}
			y := x
			y.Name = "_A"
			primitive(s).Custom = []asset.Attribute{x, y}
		}, schema.ErrMismatch, "_A: the attribute occurs twice"},
		{func(s *asset.Scene) { primitive(s).Joints[0][1][0] = 2 }, schema.ErrRange, "nodes/3: JOINTS: joint 2, the skin has 2"},
		{func(s *asset.Scene) { s.Skins[0].Joints = nil }, schema.ErrValue, "skins/0: joints: a skin without joints"},
		{func(s *asset.Scene) { s.Skins[0].Joints[1] = asset.NewNode("x") }, schema.ErrRange, "skins/0: joints: a joint is not in the scene"},
		{func(s *asset.Scene) { s.Skins[0].Joints[1] = s.Skins[0].Joints[0] }, schema.ErrMismatch, `skins/0: joints: "hip" is a joint twice`},
		{func(s *asset.Scene) { s.Skins[0].InverseBind = s.Skins[0].InverseBind[:1] }, schema.ErrMismatch, "1 matrices for 2 joints"},
		{func(s *asset.Scene) { channel(s).Node = asset.NewNode("x") }, schema.ErrRange, "animations/0/channels/0: target: the node is not in the scene"},
		{func(s *asset.Scene) { channel(s).Path = 4 }, schema.ErrValue, "target: path 4, interpolation 0"},
		{func(s *asset.Scene) { channel(s).Interpolation = 3 }, schema.ErrValue, "target: path 0, interpolation 3"},
		{func(s *asset.Scene) { channel(s).Values = channel(s).Values[1:] }, schema.ErrMismatch, "output: 5 values for 2 keys of 3"},
		{func(s *asset.Scene) { channel(s).Interpolation = asset.CubicKeys }, schema.ErrMismatch, "output: 6 values for 2 keys of 3"},
		{func(s *asset.Scene) { channel(s).Times = []float32{0, 0} }, schema.ErrValue, "time 0 at key 1: times ascend from 0"},
		{func(s *asset.Scene) { channel(s).Times = []float32{-1, 0} }, schema.ErrValue, "time -1 at key 0"},
		{func(s *asset.Scene) { channel(s).Times = []float32{0, float32(math.Inf(1))} }, schema.ErrValue, "time +Inf at key 1"},
		{func(s *asset.Scene) { s.Extras = map[string]any{"x": func() {}} }, schema.ErrValue, "json"},
		{func(s *asset.Scene) {
			s.Textures = append(s.Textures, &asset.Texture{Extras: map[string]any{"x": func() {}}})
		}, schema.ErrValue, "textures: extras"},
		{func(s *asset.Scene) { s.Animations[0].Native = &asset.Native{Values: map[string]any{"x": func() {}}} }, schema.ErrValue, "not expressible in JSON"},
		{func(s *asset.Scene) { s.Meshes = append(s.Meshes, &asset.Mesh{Native: bad()}) }, schema.ErrValue, "not expressible in JSON"},
		{func(s *asset.Scene) { s.Meshes = append(s.Meshes, mesh("e", &asset.Primitive{Native: bad()})) }, schema.ErrValue, "not expressible in JSON"},
		{func(s *asset.Scene) { s.Meshes = append(s.Meshes, &asset.Mesh{Extras: map[string]any{"x": func() {}}}) }, schema.ErrValue, "meshes: extras"},
		{func(s *asset.Scene) { s.Meshes[0].Native = bad() }, schema.ErrValue, "meshes/0: "},
		{func(s *asset.Scene) { primitive(s).Native = bad() }, schema.ErrValue, "meshes/0/primitives/0: "},
		{func(s *asset.Scene) { s.Skins[0].Native = bad() }, schema.ErrValue, "not expressible in JSON"},
		{func(s *asset.Scene) { s.Textures[0].Native = bad() }, schema.ErrValue, "not expressible in JSON"},
		{func(s *asset.Scene) { s.Materials[0].Native = bad() }, schema.ErrValue, "materials/0: "},
		{func(s *asset.Scene) { s.Roots[0].Native = bad() }, schema.ErrValue, "nodes/0: "},
		{func(s *asset.Scene) { s.Native = bad() }, schema.ErrValue, "scenes/0: "},
		{func(s *asset.Scene) { s.Roots[0].Camera = &asset.Camera{FieldOfView: 1, Near: 1, Native: bad()} }, schema.ErrValue, "cameras/0: "},
		{func(s *asset.Scene) { s.Roots[0].Light = &asset.Light{Native: bad()} }, schema.ErrValue, "lights/0: "},
		{func(s *asset.Scene) { deep(schema.DefaultLimits.Depth - 2)(s); s.Roots, s.Detached = nil, s.Roots }, nil, ""},
		{func(s *asset.Scene) { deep(schema.DefaultLimits.Depth - 1)(s); s.Roots, s.Detached = nil, s.Roots }, schema.ErrLimit, "tip: nested deeper than"},
		{func(s *asset.Scene) {
			deep(schema.DefaultLimits.Depth - 2)(s)
			s.Roots, s.Sides = nil, []*asset.Side{{Roots: s.Roots}}
		}, nil, ""},
		{func(s *asset.Scene) {
			deep(schema.DefaultLimits.Depth - 1)(s)
			s.Roots, s.Sides = nil, []*asset.Side{{Roots: s.Roots}}
		}, schema.ErrLimit, "tip: nested deeper than"},
		{deep(schema.DefaultLimits.Depth - 2), nil, ""},
		{deep(schema.DefaultLimits.Depth - 1), schema.ErrLimit, "tip: nested deeper than"},
	} {
		s := skinnedScene()
		c.change(s)
		var w bytes.Buffer
		err := Encode(&w, s, Options{})
		if schema.Class(err) != c.class || !strings.Contains(fmt.Sprint(err), c.want) {
			t.Errorf("%v, want %v with %q", err, c.class, c.want)
		}
		if _, err := EncodeFiles(s, "x", Options{}); schema.Class(err) != c.class {
			t.Errorf("as files: %v, want %v with %q", err, c.class, c.want)
		}
	}
	if err := Encode(new(bytes.Buffer), nil, Options{}); schema.Class(err) != schema.ErrValue || !strings.Contains(err.Error(), "there is no scene") {
		t.Errorf("no scene: %v", err)
	}
}

// TestToldScenes has scenes that glTF cannot hold as they are, with what is said of that.
func TestToldScenes(t *testing.T) {
	primitive := func(s *asset.Scene) *asset.Primitive { return s.Meshes[0].Primitives[0] }
	channel := func(s *asset.Scene) *asset.Channel { return s.Animations[0].Channels[0] }
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	light := func(l asset.Light) func(s *asset.Scene) { return func(s *asset.Scene) { s.Roots[0].Light = &l } }
	camera := func(c asset.Camera) func(s *asset.Scene) { return func(s *asset.Scene) { s.Roots[0].Camera = &c } }
	for _, c := range []struct {
		change func(s *asset.Scene)
		want   string // with ; between several
	}{
		{func(s *asset.Scene) {}, ""},
		{func(s *asset.Scene) { s.Skins[0].Root = s.Skins[0].Joints[1] }, `skins/0 skin-root: "tip" is not above all joints`},
		{func(s *asset.Scene) { s.Skins[0].Root = asset.NewNode("x") }, `skins/0 skin-root: "x" is not above all joints`},
		{func(s *asset.Scene) { s.Skins[0].Root = s.Roots[0] }, ""},
		{func(s *asset.Scene) { channel(s).Times, channel(s).Values = nil, nil }, "animations/0/channels/0 channel-empty: a channel without keys"},
		{func(s *asset.Scene) { s.Animations[0].Channels = append(s.Animations[0].Channels, channel(s)) }, "animations/0/channels/2 channel-twice: a second channel for the same property"},
		{func(s *asset.Scene) {
			channel(s).Interpolation, channel(s).Times = asset.CubicKeys, []float32{0}
			channel(s).Values = make([]float32, 9)
		}, "animations/0/channels/0 cubic-single: glTF allows no single cubic key: its tangents are left out"},
		{func(s *asset.Scene) { channel(s).Path, channel(s).Values = asset.MorphWeights, []float32{0, 1} }, "animations/0/channels/0 channel-without-targets: weights of a node without morph targets"},
		{func(s *asset.Scene) { channel(s).Path, channel(s).Node = asset.MorphWeights, s.Roots[0] }, "animations/0/channels/0 channel-without-targets: weights of a node without morph targets"},
		{func(s *asset.Scene) { channel(s).Values[1] = nan }, "animations/0/channels/0 not-finite: values that are no finite number are written as 0: 1"},
		{func(s *asset.Scene) { s.Animations[0].Channels[1].Values[3] = 2 }, "animations/0/channels/1 rotation-not-unit: 1 rotations are brought to unit length"},
		{func(s *asset.Scene) { primitive(s).TexCoords = append(primitive(s).TexCoords, nil) }, "meshes/0/primitives/0 texcoord-gap: set 1 is missing and written as zeros"},
		{func(s *asset.Scene) { primitive(s).Normals, primitive(s).Tangents = nil, make([][4]float32, 4) }, "meshes/0/primitives/0 tangents-without-normals: glTF allows no tangents without normals"},
		{func(s *asset.Scene) { s.Meshes[0].Weights = []float32{1} }, "meshes/0 weights-count: 1 morph weights for 0 targets"},
		{func(s *asset.Scene) { primitive(s).Weights[0][0][0] = 0.25 }, "meshes/0/primitives/0 skin-weights: the weights of 1 vertices are brought into order"},
		{func(s *asset.Scene) { s.Roots[0].Children[1].Skin = nil }, "nodes/3 skin-missing: the mesh has joints, but the node no skin"},
		{func(s *asset.Scene) { s.Skins[0].InverseBind[1][3] = 2 }, "skins/0 matrix-not-affine: the last row of inverse bind matrices is set to 0 0 0 1"},
		{func(s *asset.Scene) { s.Skins[0].InverseBind[1][4] = inf }, "skins/0/inverseBindMatrices not-finite: values that are no finite number are written as 0: 1"},
		{func(s *asset.Scene) {
			s.Skins[0].Root, s.Roots[0].Children[0].Children = nil, nil
			s.Detached = []*asset.Node{s.Skins[0].Joints[1]}
		}, "skins skin-roots: joints below roots outside the scene have no common root"},
		{func(s *asset.Scene) {
			s.Skins[0].Root, s.Roots[0].Children[0].Children = nil, nil
			s.Roots = append(s.Roots, s.Skins[0].Joints[1])
		}, ""},
		{func(s *asset.Scene) { s.Roots[0].Transform.Translation[2] = inf }, "nodes/0/translation not-finite: +Inf is written as 0"},
		{func(s *asset.Scene) { s.Roots[0].Transform.Scale[0] = nan }, "nodes/0/scale not-finite: NaN is written as 0"},
		{func(s *asset.Scene) { s.Roots[0].Transform.Rotation[3] = 2 }, "nodes/0/rotation rotation-not-unit: a rotation is brought to unit length"},
		{func(s *asset.Scene) { m := identityMatrix; m[1], m[12] = 1, inf; s.Roots[0].Transform.Matrix = &m }, "nodes/0/matrix not-finite: +Inf is written as 0"},
		{func(s *asset.Scene) { s.Roots[0].Coverage = []float32{1, nan} }, "nodes/0/Coverage not-finite: NaN is written as 0"},
		{func(s *asset.Scene) { s.Roots[0].Weights = []float32{1, inf} }, "nodes/0/Weights not-finite: +Inf is written as 0"},
		{func(s *asset.Scene) { s.Roots[0].Extras = map[string]any{"usher": 1} }, `nodes/0 extras-name-taken: the property "usher" is usher's own and is left out`},
		{func(s *asset.Scene) { s.Textures[0].Frames = append(s.Textures[0].Frames, s.Textures[0].Frames[0]) }, `images/0 texture-frames: "x" has several pictures, only the first is written`},
		{func(s *asset.Scene) {
			m := s.Materials[0]
			m.Unlit, m.Specular = true, &asset.Specular{Texture: m.BaseColorTexture}
		}, "materials/0 specular-unlit: specular textures of an unlit material"},
		{func(s *asset.Scene) {
			s.Materials[0].BaseColorTexture.Transform = &asset.TextureTransform{Offset: [2]float32{nan, 0}, Rotation: inf}
		}, "materials/0 not-finite: NaN is written as 0; materials/0 not-finite: +Inf is written as 0"},
		{light(asset.Light{Color: [3]float32{2, -1, nan}, Intensity: -1, Range: -2}), "extensions/KHR_lights_punctual/lights/0/color0 light-value: 2 is not possible in glTF, 1 is written; extensions/KHR_lights_punctual/lights/0/color1 light-value: -1 is not possible in glTF, 0 is written; " +
			"extensions/KHR_lights_punctual/lights/0/color2 light-value: NaN is not possible in glTF, 0 is written; extensions/KHR_lights_punctual/lights/0/intensity light-value: -1 is not possible in glTF, 0 is written; extensions/KHR_lights_punctual/lights/0/range light-value: -2 is not possible in glTF, 0 is written"},
		{light(asset.Light{Kind: asset.SpotLight, Inner: 1, Outer: 1}), "extensions/KHR_lights_punctual/lights/0/spot light-value: the inner cone of 1 rad is not within the outer one of 1 rad"},
		{light(asset.Light{Kind: asset.SpotLight, Inner: 1, Outer: 2}), "extensions/KHR_lights_punctual/lights/0/outer light-value: 2 is not possible in glTF, 1.5707964 is written"},
		{light(asset.Light{Kind: asset.SunLight, Range: 1}), ""},
		{camera(asset.Camera{FieldOfView: 4, Near: 0, Far: 0.005, Aspect: -1}), "cameras/0/yfov camera-value: 4 is not possible in glTF, 0.8 is written; cameras/0/znear camera-value: 0 is not possible in glTF, 0.01 is written; cameras/0/zfar camera-value: 0.004999999888241291 is not possible in glTF, 0.02 is written; cameras/0/aspectRatio camera-value: -1 is not possible in glTF, 1 is written"},
		{camera(asset.Camera{FieldOfView: inf, Near: inf, Far: inf, Aspect: inf}), "cameras/0/yfov camera-value: +Inf is not possible in glTF, 0.8 is written; cameras/0/znear camera-value: +Inf is not possible in glTF, 0.01 is written; cameras/0/zfar camera-value: +Inf is not possible in glTF, 0.02 is written; cameras/0/aspectRatio camera-value: +Inf is not possible in glTF, 1 is written"},
		{camera(asset.Camera{FieldOfView: 1, Near: 1, Far: 1}), "cameras/0/zfar camera-value: 1 is not possible in glTF, 2 is written"},
	} {
		s := skinnedScene()
		c.change(s)
		d := new(schema.Diagnostics)
		file := encode(t, s, d)
		if got := strings.Join(saidBy(d), "; "); got != c.want {
			t.Errorf("said %q, want %q", got, c.want)
		}
		if _, err := Decode(file, nil, nil); err != nil {
			t.Errorf("%s: %v", c.want, err)
		}
	}
}
