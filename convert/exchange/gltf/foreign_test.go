package gltf

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// data is a little-endian byte builder.
func data(values ...any) []byte {
	var b []byte
	for _, v := range values {
		switch v := v.(type) {
		case []float64:
			for _, x := range v {
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(x)))
			}
		case []byte:
			b = append(b, v...)
		case []uint16:
			for _, x := range v {
				b = binary.LittleEndian.AppendUint16(b, x)
			}
		case []uint32:
			for _, x := range v {
				b = binary.LittleEndian.AppendUint32(b, x)
			}
		}
	}
	return b
}

// first decodes a GLB and returns its first primitive.
func first(t *testing.T, json string, bin []byte) *asset.Primitive {
	t.Helper()
	s, err := Decode(glb(json, bin), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s.Meshes[0].Primitives[0]
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

func TestInterleaved(t *testing.T) {
	bin := data([]float64{1, 2, 3, 0, 0, 1}, []byte{255, 0, 51, 255}, []float64{4, 5, 6, 0, 1, 0}, []byte{0, 255, 0, 0}, []float64{7, 8, 9, 1, 0, 0}, []byte{1, 2, 3, 4})
	p := first(t, document(`"buffers":[{"byteLength":84}],"bufferViews":[{"buffer":0,"byteLength":84,"byteStride":28}],"accessors":[
		{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},{"bufferView":0,"byteOffset":12,"componentType":5126,"count":3,"type":"VEC3"},
		{"bufferView":0,"byteOffset":24,"componentType":5121,"normalized":true,"count":3,"type":"VEC3"}],
		"meshes":[{"primitives":[{"attributes":{"POSITION":0,"NORMAL":1,"COLOR_0":2}}]}]`), bin)
	equal(t, "positions", p.Positions, [][3]float32{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}})
	equal(t, "normals", p.Normals, [][3]float32{{0, 0, 1}, {0, 1, 0}, {1, 0, 0}})
	equal(t, "colours", p.Colors, [][4]float32{{1, 0, 0.2, 1}, {0, 1, 0, 1}, {1.0 / 255, 2.0 / 255, 3.0 / 255, 1}})
	if p.Indices != nil || p.Mode != asset.Triangles {
		t.Errorf("indices %v, mode %v", p.Indices, p.Mode)
	}
}

func TestSparse(t *testing.T) {
	bin := data([]float64{1, 1, 1, 2, 2, 2, 3, 3, 3}, []uint16{0, 2}, []float64{7, 8, 9, -1, -2, -3})
	const views = `"buffers":[{"byteLength":64}],"bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":4},{"buffer":0,"byteOffset":40,"byteLength":24}],`
	const sparse = `"componentType":5126,"count":3,"type":"VEC3","sparse":{"count":2,"indices":{"bufferView":1,"componentType":5123},"values":{"bufferView":2}}}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}]`
	equal(t, "over a base", first(t, document(views+`"accessors":[{"bufferView":0,`+sparse), bin).Positions, [][3]float32{{7, 8, 9}, {2, 2, 2}, {-1, -2, -3}})
	equal(t, "over zeros", first(t, document(views+`"accessors":[{`+sparse), bin).Positions, [][3]float32{{7, 8, 9}, {}, {-1, -2, -3}})
}

// Indices and joints may be sparse too, of every width, over a base and over zeros, packed and with gaps between them.
func TestSparseIntegers(t *testing.T) {
	bin := append(data([]float64{0, 0, 0, 1, 0, 0, 1, 1, 0}), data([]uint32{0, 1, 2}, []uint16{0, 1, 2, 0}, []byte{0, 1, 2, 0}, []uint16{0, 2}, []uint32{2, 1}, []uint16{2, 1}, []byte{2, 1, 0, 0}, []uint32{0, 9, 1, 9, 2, 9})...)
	const views = `"buffers":[{"byteLength":104}],"bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":12},{"buffer":0,"byteOffset":48,"byteLength":8},{"buffer":0,"byteOffset":56,"byteLength":4},
		{"buffer":0,"byteOffset":60,"byteLength":4},{"buffer":0,"byteOffset":64,"byteLength":8},{"buffer":0,"byteOffset":72,"byteLength":4},{"buffer":0,"byteOffset":76,"byteLength":4},{"buffer":0,"byteOffset":80,"byteLength":24,"byteStride":8}],`
	for _, c := range []struct {
		kind, base, values int
		over, zeros        []uint32
	}{
		{5125, 1, 5, []uint32{2, 1, 1}, []uint32{2, 0, 1}}, {5123, 2, 6, []uint32{2, 1, 1}, []uint32{2, 0, 1}}, {5121, 3, 7, []uint32{2, 1, 1}, []uint32{2, 0, 1}},
		{5125, 8, 5, []uint32{2, 1, 1}, []uint32{2, 0, 1}},
	} {
		for base, want := range map[string][]uint32{fmt.Sprintf(`"bufferView":%d,`, c.base): c.over, "": c.zeros} {
			p := first(t, document(views+fmt.Sprintf(`"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},
				{%s"componentType":%d,"count":3,"type":"SCALAR","sparse":{"count":2,"indices":{"bufferView":4,"componentType":5123},"values":{"bufferView":%d}}},
				{"bufferView":%d,"componentType":%d,"count":3,"type":"SCALAR"}],
				"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}]`, base, c.kind, c.values, c.base, c.kind)), bin)
			equal(t, fmt.Sprint(c.kind, " over ", base), p.Indices, want)
		}
	}
}

// Sparse joints have four numbers an element; sparse indices that are floats are none, even where there is no base.
func TestSparseJoints(t *testing.T) {
	bin := append(data([]float64{0, 0, 0, 1, 0, 0, 1, 1, 0}), data([]byte{1, 2}, []uint16{0}, []byte{1, 2, 3, 4, 5, 6, 7, 8}, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0})...)
	const head = `"buffers":[{"byteLength":96}],"bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":2},{"buffer":0,"byteOffset":40,"byteLength":8},{"buffer":0,"byteOffset":48,"byteLength":48}],
		"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},{"componentType":%d,"count":3,"type":%q,"sparse":{"count":%d,"indices":{"bufferView":1,"componentType":5121},"values":{"bufferView":2}}},{"bufferView":3,"componentType":5126,"count":3,"type":"VEC4"}],
		"meshes":[{"primitives":[{"attributes":{"POSITION":0%s}%s}]}]`
	p := first(t, document(fmt.Sprintf(head, 5121, "VEC4", 2, `,"JOINTS_0":1,"WEIGHTS_0":2`, "")), bin)
	equal(t, "joints", fmt.Sprint(p.Joints), "[[[0 0 0 0] [1 2 3 4] [5 6 7 8]]]")
	if _, err := Decode(glb(document(fmt.Sprintf(head, 5126, "SCALAR", 2, "", `,"indices":1`)), bin), nil, nil); !errors.Is(err, schema.ErrUnsupported) {
		t.Errorf("floats as indices: %v", err)
	}
}

func TestIndices(t *testing.T) {
	bin := append(data([]float64{0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 2, 0}), data([]byte{0, 1, 2, 3, 4, 0, 0, 0}, []uint16{4, 3, 2, 1}, []uint32{0, 2, 4, 1})...)
	for _, c := range []struct {
		name, accessor string
		mode           string
		want           []uint32
		kind           asset.Mode
	}{
		{"u8", `"byteOffset":0,"componentType":5121,"count":3`, "4", []uint32{0, 1, 2}, asset.Triangles},
		{"u16", `"byteOffset":8,"componentType":5123,"count":3`, "4", []uint32{4, 3, 2}, asset.Triangles},
		{"u32", `"byteOffset":16,"componentType":5125,"count":3`, "4", []uint32{0, 2, 4}, asset.Triangles},
		{"strip", `"byteOffset":0,"componentType":5121,"count":5`, "5", []uint32{0, 1, 2, 1, 3, 2, 2, 3, 4}, asset.Triangles},
		{"fan", `"byteOffset":0,"componentType":5121,"count":5`, "6", []uint32{1, 2, 0, 2, 3, 0, 3, 4, 0}, asset.Triangles},
		{"line strip", `"byteOffset":8,"componentType":5123,"count":3`, "3", []uint32{4, 3, 3, 2}, asset.Lines},
		{"line loop", `"byteOffset":8,"componentType":5123,"count":3`, "2", []uint32{4, 3, 3, 2, 2, 4}, asset.Lines},
		{"lines", `"byteOffset":8,"componentType":5123,"count":4`, "1", []uint32{4, 3, 2, 1}, asset.Lines},
		{"points", `"byteOffset":8,"componentType":5123,"count":3`, "0", []uint32{4, 3, 2}, asset.Points},
		{"partial triangle", `"byteOffset":0,"componentType":5121,"count":5`, "4", []uint32{0, 1, 2}, asset.Triangles},
	} {
		p := first(t, document(`"buffers":[{"byteLength":92}],"bufferViews":[{"buffer":0,"byteLength":60},{"buffer":0,"byteOffset":60,"byteLength":32}],"accessors":[
			{"bufferView":0,"componentType":5126,"count":5,"type":"VEC3"},{"bufferView":1,"type":"SCALAR",`+c.accessor+`}],
			"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1,"mode":`+c.mode+`}]}]`), bin)
		equal(t, c.name, p.Indices, c.want)
		equal(t, c.name, p.Mode, c.kind)
	}
	p := first(t, document(`"buffers":[{"byteLength":60}],"bufferViews":[{"buffer":0,"byteLength":60}],"accessors":[
		{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"}],"meshes":[{"primitives":[{"attributes":{"POSITION":0},"mode":5}]}]`), bin)
	equal(t, "strip without indices", p.Indices, []uint32{0, 1, 2, 1, 3, 2})
}

func TestNormalised(t *testing.T) {
	bin := data([]float64{0, 0, 0}, []byte{255, 128, 0, 0}, []uint16{65535, 0}, []byte{127, 0x81, 0x80, 0}, []byte{3, 2, 1, 0}, []byte{255, 0, 0, 0})
	p := first(t, document(`"buffers":[{"byteLength":32}],"bufferViews":[{"buffer":0,"byteLength":32}],"accessors":[
		{"bufferView":0,"componentType":5126,"count":1,"type":"VEC3"},{"bufferView":0,"byteOffset":12,"componentType":5121,"normalized":true,"count":1,"type":"VEC2"},
		{"bufferView":0,"byteOffset":16,"componentType":5123,"normalized":true,"count":1,"type":"VEC2"},{"bufferView":0,"byteOffset":20,"componentType":5120,"normalized":true,"count":1,"type":"VEC3"},
		{"bufferView":0,"byteOffset":24,"componentType":5121,"count":1,"type":"VEC4"},{"bufferView":0,"byteOffset":28,"componentType":5121,"normalized":true,"count":1,"type":"VEC4"}],
		"meshes":[{"primitives":[{"mode":0,"attributes":{"POSITION":0,"TEXCOORD_0":1,"TEXCOORD_1":2,"NORMAL":3,"JOINTS_0":4,"WEIGHTS_0":5,"_X":1,"_Y":4}}]}]`), bin)
	equal(t, "bytes", p.TexCoords, [][][2]float32{{{1, 128.0 / 255}}, {{1, 0}}})
	third := float32(1 / math.Sqrt(3))
	equal(t, "signed, of unit length", p.Normals, [][3]float32{{third, -third, -third}})
	equal(t, "joints", p.Joints, [][][4]uint16{{{3, 2, 1, 0}}})
	equal(t, "weights", p.Weights, [][][4]float32{{{1, 0, 0, 0}}})
	equal(t, "custom", p.Custom, []asset.Attribute{{Name: "_X", Components: 2, Values: []float32{1, 128.0 / 255}}, {Name: "_Y", Components: 4, Type: asset.Uint8, Values: []float32{3, 2, 1, 0}}})
}

func TestFilesAndDataURIs(t *testing.T) {
	bin := data([]float64{1, 2, 3})
	var asked []string
	find := func(uri string) ([]byte, error) {
		asked = append(asked, uri)
		switch uri {
		case "sub/my file.bin":
			return bin, nil
		case "skin.png":
			content, _, err := picture(picture8("x"))
			return content, err
		}
		return nil, errors.New("no such file")
	}
	const rest = `"bufferViews":[{"buffer":0,"byteLength":12}],"accessors":[{"bufferView":0,"componentType":5126,"count":1,"type":"VEC3"}],"meshes":[{"primitives":[{"mode":0,"attributes":{"POSITION":0}}]}],`
	embedded := "data:application/octet-stream;base64," + base64.StdEncoding.EncodeToString(bin)
	var d schema.Diagnostics
	for _, uri := range []string{embedded, "sub/my%20file.bin"} {
		s, err := Decode([]byte("\xef\xbb\xbf \n"+document(rest+`"buffers":[{"byteLength":12,"uri":"`+uri+`"}],"images":[{"uri":"skin.png"},{"uri":"folder/lost.jpg"},{"uri":"http://example.org/x.png"},{"uri":"data:image/png;base64,!!"}]`)), find, &d)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, uri, s.Meshes[0].Primitives[0].Positions, [][3]float32{{1, 2, 3}})
		equal(t, "picture", s.Textures[0].Base().Pix, []byte{0, 1, 2, 0, 1, 2, 0, 1})
		equal(t, "palette", s.Textures[0].Palette, picture8("x").Palette)
		equal(t, "names", []string{s.Textures[0].Name, s.Textures[1].Name, s.Textures[1].URI}, []string{"skin", "lost", "folder/lost.jpg"})
	}
	equal(t, "asked for", asked, []string{"skin.png", "folder/lost.jpg", "sub/my file.bin", "skin.png", "folder/lost.jpg"})
	if !d.Has("picture-missing") {
		t.Error("no diagnostic of the missing pictures")
	}
}

func TestJPEG(t *testing.T) {
	m := image.NewRGBA(image.Rect(0, 0, 8, 8))
	for i := range 64 {
		m.Set(i%8, i/8, color.RGBA{200, 100, 50, 255})
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, nil); err != nil {
		t.Fatal(err)
	}
	s, err := Decode([]byte(document(`"images":[{"uri":"data:image/jpeg;base64,`+base64.StdEncoding.EncodeToString(b.Bytes())+`"}]`)), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := s.Textures[0]
	if got.File.Encoding != "jpeg" || !bytes.Equal(got.File.Data, b.Bytes()) {
		t.Error("the file is not kept")
	}
	for i, want := range []int{200, 100, 50, 255} {
		if x := int(got.Base().Pix[i]); x < want-4 || x > want+4 {
			t.Errorf("channel %d is %d, expected some %d", i, x, want)
		}
	}
}

func TestScenesOfOthers(t *testing.T) {
	var d schema.Diagnostics
	s, err := Decode([]byte(document(`"scene":1,"scenes":[{"nodes":[0]},{"name":"main","nodes":[2,5],"extras":7}],"extensionsUsed":["KHR_rigid_bodies"],
		"nodes":[{"name":"other"},{"name":"child","matrix":[2,0,0,0,0,2,0,0,0,0,2,0,1,2,3,1]},{"name":"top","children":[1],"scale":[1,2,3],"extensions":{"KHR_rigid_bodies":{"motion":0}}},
			{"name":"high","extensions":{"MSFT_lod":{"ids":[4,5]}},"extras":{"MSFT_screencoverage":[0.5,0.2]}},{"name":"mid"},{"name":"low"}],
		"skins":[{"joints":[2,1]}],"cameras":[{"type":"orthographic","orthographic":{"xmag":1,"ymag":1,"zfar":9,"znear":1}}]`)), nil, &d)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "scene", []any{s.Name, s.Extras}, []any{"main", map[string]any{"extras": 7.0}})
	equal(t, "roots", names(s.Roots), "top(child)")
	equal(t, "detached", names(s.Detached), "")
	equal(t, "sides", []any{len(s.Sides), names(s.Sides[0].Roots), s.Sides[0].Loose, names(s.Sides[1].Roots), s.Sides[1].Loose}, []any{2, "other", false, "high[mid low]", true})
	equal(t, "kind", s.Roots[0].Kind, asset.Bone)
	equal(t, "matrix", s.Roots[0].Children[0].Transform.Matrix[12:15], []float32{1, 2, 3})
	equal(t, "coverage", s.Sides[1].Roots[0].Coverage, []float32{0.5, 0.2})
	if s.Skins[0].InverseBind != nil {
		t.Error("inverse bind matrices out of nothing")
	}
	for _, code := range []string{"unknown-extension", "orthographic-camera"} {
		if !d.Has(code) {
			t.Errorf("no diagnostic %s", code)
		}
	}
}

func names(nodes []*asset.Node) string {
	var all []string
	for _, n := range nodes {
		s := n.Name
		if len(n.Children) > 0 {
			s += "(" + names(n.Children) + ")"
		}
		if len(n.LODs) > 0 {
			s += "[" + names(n.LODs) + "]"
		}
		all = append(all, s)
	}
	return strings.Join(all, " ")
}

func TestMaterialsOfOthers(t *testing.T) {
	s, err := Decode([]byte(document(`"images":[{"name":"i"}],"samplers":[{"wrapS":33071,"magFilter":9728},{"minFilter":9987,"wrapT":33648}],
		"textures":[{"source":0,"sampler":0},{"source":0,"sampler":1}],
		"materials":[{},{"pbrMetallicRoughness":{"baseColorTexture":{"index":0,"texCoord":1,"extensions":{"KHR_texture_transform":{"scale":[2,3],"texCoord":2}}}},
			"emissiveTexture":{"index":1},"alphaMode":"MASK","extensions":{"KHR_materials_specular":{"specularColorFactor":[0.5,1,2]}}}]`)), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := s.Materials
	equal(t, "defaults", []float32{m[0].Metallic, m[0].Roughness, m[0].AlphaCutoff, m[0].EmissiveStrength, m[0].NormalScale}, []float32{1, 1, 0.5, 1, 1})
	r := m[1].BaseColorTexture
	equal(t, "use", []any{r.WrapS, r.WrapT, r.Filter, r.TexCoord, r.Transform.Scale, r.Texture == s.Textures[0]}, []any{asset.Clamp, asset.Repeat, asset.Nearest, 2, [2]float32{2, 3}, true})
	r = m[1].EmissiveTexture
	equal(t, "second use", []any{r.WrapS, r.WrapT, r.Filter}, []any{asset.Repeat, asset.Mirror, asset.Linear})
	equal(t, "specular", m[1].Specular, &asset.Specular{Factor: 1, Color: [3]float32{0.5, 1, 2}})
	equal(t, "mask", m[1].Alpha, asset.Mask)
}

// TestMended holds that bad data is written as good data, and told.
func TestMended(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	p := quad()
	p.Positions[1][0] = inf
	p.Normals[0], p.Normals[1] = [3]float32{0, 0, 2}, [3]float32{}
	p.TexCoords[0][2] = [2]float32{nan, 1}
	p.Colors = [][4]float32{{2, -1, nan, 1}, {}, {}, {}}
	p.Joints = [][][4]uint16{{{0, 1, 1, 0}, {1, 1}, {0}, {1}}}
	p.Weights = [][][4]float32{{{0.5, 0.25, 0.25, 0}, {0, 3}, {0}, {nan, 0.5, -1}}}
	a, b := bone("a"), bone("b")
	a.Children = []*asset.Node{b}
	a.Transform.Rotation = [4]float32{0, 0, 0, 2}
	b.Transform.Translation[1] = nan
	s := scene(mesh("bad", p))
	s.Skins = []*asset.Skin{{Joints: []*asset.Node{a, b}}}
	s.Roots[0].Skin = s.Skins[0]
	s.Roots = append(s.Roots, a)
	s.Materials = []*asset.Material{asset.NewMaterial("m")}
	s.Materials[0].Roughness = 7
	var d schema.Diagnostics
	out := encode(t, s, &d)
	keep(t, "mended.glb", out)
	for _, code := range []string{"not-finite", "not-unit", "color-range", "skin-weights", "rotation-not-unit", "factor-range"} {
		if !d.Has(code) {
			t.Errorf("no diagnostic %s", code)
		}
	}
	got, err := Decode(out, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	q := got.Meshes[0].Primitives[0]
	equal(t, "position", q.Positions[1], [3]float32{0, 0, 0})
	equal(t, "normals", q.Normals[:2], [][3]float32{{0, 0, 1}, {0, 1, 0}})
	equal(t, "colour", q.Colors[0], [4]float32{1, 0, 0, 1})
	equal(t, "weights", q.Weights[0], [][4]float32{{0.5, 0.5}, {0, 1}, {1}, {0, 1}})
	equal(t, "joints", q.Joints[0], [][4]uint16{{0, 1}, {0, 1}, {0}, {0, 0}})
	equal(t, "roughness", got.Materials[0].Roughness, float32(7))
	if !math.IsInf(float64(p.Positions[1][0]), 1) || p.Normals[0][2] != 2 || p.Joints[0][0][2] != 1 {
		t.Error("the scene itself was changed")
	}
}
