package gltf

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// told decodes a document that is accepted, and returns what was said.
func told(t *testing.T, json string, bin []byte) (*asset.Scene, *schema.Diagnostics) {
	t.Helper()
	var d schema.Diagnostics
	s, err := Decode(glb(json, bin), nil, &d)
	if err != nil {
		t.Fatal(err)
	}
	return s, &d
}

// TestOptionalExtensions holds that a file is never refused for what is wrong within an extension that it does not
// require. Editors copy extensions that they do not know as they are, with the numbers that objects had before: three.js
// does so with the levels of MSFT_lod.
func TestOptionalExtensions(t *testing.T) {
	const meshes = `"buffers":[{"byteLength":64}],"bufferViews":[{"buffer":0,"byteLength":64}],"accessors":[` + vec3x3 + `],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],`
	for name, c := range map[string]struct{ body, code string }{
		"lod index":          {`"nodes":[{"extensions":{"MSFT_lod":{"ids":[9]}}}]`, "bad-extension"},
		"lod text":           {`"nodes":[{"extensions":{"MSFT_lod":{"ids":"x"}}}]`, "bad-extension"},
		"lod of itself":      {`"nodes":[{"extensions":{"MSFT_lod":{"ids":[0]}}}]`, "lod-place"},
		"light index":        {`"nodes":[{"extensions":{"KHR_lights_punctual":{"light":3}}}]`, "bad-extension"},
		"light type":         {`"nodes":[{}],"extensions":{"KHR_lights_punctual":{"lights":[{"type":"lava"}]}}`, "bad-extension"},
		"visibility":         {`"nodes":[{"extensions":{"KHR_node_visibility":{"visible":0}}}]`, "bad-extension"},
		"instances index":    {meshes + `"nodes":[{"mesh":0,"extensions":{"EXT_mesh_gpu_instancing":{"attributes":{"SCALE":7}}}}]`, "bad-extension"},
		"instances type":     {meshes + `"nodes":[{"mesh":0,"extensions":{"EXT_mesh_gpu_instancing":{"attributes":{"ROTATION":0}}}}]`, "bad-extension"},
		"specular texture":   {`"materials":[{"extensions":{"KHR_materials_specular":{"specularTexture":{"index":4}}}}]`, "bad-extension"},
		"specular text":      {`"materials":[{"extensions":{"KHR_materials_specular":"x"}}]`, "bad-extension"},
		"glossiness texture": {`"materials":[{"extensions":{"KHR_materials_pbrSpecularGlossiness":{"diffuseTexture":{"index":4}}}}]`, "bad-extension"},
		"light map":          {`"materials":[{"extensions":{"MOZ_lightmap":{"index":4}}}]`, "bad-extension"},
		"no light map":       {`"materials":[{"extensions":{"MOZ_lightmap":{}}}]`, "bad-extension"},
		"emissive":           {`"materials":[{"extensions":{"KHR_materials_emissive_strength":{"emissiveStrength":"x"}}}]`, "bad-extension"},
		"transform":          {`"images":[{}],"textures":[{"source":0}],"materials":[{"emissiveTexture":{"index":0,"extensions":{"KHR_texture_transform":{"scale":3}}}}]`, "bad-extension"},
		"endless transform":  {`"images":[{}],"textures":[{"source":0}],"materials":[{"emissiveTexture":{"index":0,"extensions":{"KHR_texture_transform":{"rotation":1e39}}}}]`, "bad-extension"},
		"webp index":         {`"images":[{}],"textures":[{"source":0,"extensions":{"EXT_texture_webp":{"source":5}}}],"materials":[{"emissiveTexture":{"index":0}}]`, "bad-extension"},
		"variants":           {`"extensions":{"KHR_materials_variants":{"variants":5}}`, "bad-extension"},
		"unknown":            {`"nodes":[{"extensions":{"EXT_unheard_of":{"node":99}}}]`, "unknown-extension"},
		"packed beside plain": {`"buffers":[{"byteLength":64}],"bufferViews":[{"buffer":0,"byteLength":64,"extensions":{"EXT_meshopt_compression":{"buffer":7}}}],
			"accessors":[` + vec3x3 + `],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}]`, "bad-extension"},
	} {
		if _, d := told(t, document(c.body), make([]byte, 64)); !d.Has(c.code) {
			t.Errorf("%s: no diagnostic %s: %v", name, c.code, d.All())
		}
	}
}

// TestStaleLevels has levels of detail as three.js writes them back: MSFT_lod with the old numbers, which reach nowhere or
// to other nodes, and usher's own word for what is a level of what.
func TestStaleLevels(t *testing.T) {
	const body = `"scenes":[{"nodes":[0,1]}],"nodes":[{"name":"part","extensions":{"MSFT_lod":{"ids":[%s]}}},{"name":"Hp"},
		{"name":"low","extras":{"usher":{"asset":{"lodOf":"part","lodLevel":1}}}}]`
	for ids, stale := range map[string]bool{"2": false, "11": true, "1": true, "1,2": true} {
		s, d := told(t, document(fmt.Sprintf(body, ids)), nil)
		equal(t, ids, []any{names(s.Roots), len(s.Detached), d.Has("bad-extension")}, []any{"part[low] Hp", 0, stale})
	}
	// Whoever renames the part in an editor that keeps the numbers is believed.
	s, d := told(t, document(`"nodes":[{"name":"renamed","extensions":{"MSFT_lod":{"ids":[1]}}},{"name":"low","extras":{"usher":{"asset":{"lodOf":"part"}}}}],"scenes":[{"nodes":[0]}]`), nil)
	equal(t, "renamed", []any{names(s.Roots), len(d.All())}, []any{"renamed[low]", 0})
}

func TestRequiredExtensions(t *testing.T) {
	for _, x := range []string{"KHR_mesh_quantization", "EXT_meshopt_compression", "KHR_meshopt_compression", "KHR_materials_pbrSpecularGlossiness", "KHR_texture_transform",
		"KHR_materials_unlit", "KHR_materials_emissive_strength", "KHR_lights_punctual", "KHR_materials_specular", "KHR_node_visibility", "EXT_mesh_gpu_instancing",
		"EXT_texture_webp", "KHR_texture_basisu", "EXT_texture_avif", "KHR_materials_variants", "KHR_animation_pointer", "MSFT_lod", "KHR_materials_clearcoat", "KHR_xmp_json_ld"} {
		told(t, document(`"extensionsUsed":["`+x+`"],"extensionsRequired":["`+x+`"],"nodes":[{}]`), nil)
	}
	for x, want := range map[string]string{
		"KHR_draco_mesh_compression": "npx @gltf-transform/cli copy in.glb out.glb",
		"NEW_splats_compression":     "not known",
		"EXT_mesh_of_another_kind":   "not known",
	} {
		_, err := Decode([]byte(document(`"extensionsRequired":["`+x+`"]`)), nil, nil)
		if schema.Class(err) != schema.ErrUnsupported || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), x) {
			t.Errorf("%s: %v", x, err)
		}
	}
	_, d := told(t, document(`"extensionsUsed":["KHR_materials_sheen","KHR_xmp"],"materials":[{"extensions":{"KHR_materials_sheen":{}}},{"extensions":{"KHR_materials_sheen":{}}}]`), nil)
	equal(t, "each once", len(d.All()), 2)
}

// TestQuantized reads positions, directions and coordinates of every type that KHR_mesh_quantization allows.
func TestQuantized(t *testing.T) {
	kinds := map[string]struct {
		component int
		data      []byte // -1 (or 3 unsigned), 0, the most
		plain     [3]float32
		normal    [3]float32
		step      float32
	}{
		"byte":           {5120, []byte{0xFF, 0, 0x7F, 0}, [3]float32{-1, 0, 127}, [3]float32{-1.0 / 127, 0, 1}, 1.0 / 127},
		"unsigned byte":  {5121, []byte{3, 0, 0xFF, 0}, [3]float32{3, 0, 255}, [3]float32{3.0 / 255, 0, 1}, 1.0 / 255},
		"short":          {5122, []byte{0xFF, 0xFF, 0, 0, 0xFF, 0x7F, 0, 0}, [3]float32{-1, 0, 32767}, [3]float32{-1.0 / 32767, 0, 1}, 1.0 / 32767},
		"unsigned short": {5123, []byte{3, 0, 0, 0, 0xFF, 0xFF, 0, 0}, [3]float32{3, 0, 65535}, [3]float32{3.0 / 65535, 0, 1}, 1.0 / 65535},
	}
	for name, c := range kinds {
		for _, norm := range []bool{false, true} {
			bin := append(append([]byte(nil), c.data...), make([]byte, 8-len(c.data))...)
			vec := func(kind string) string {
				return fmt.Sprintf(`{"bufferView":0,"componentType":%d,"normalized":%v,"count":1,"type":"%s"}`, c.component, norm, kind)
			}
			j := document(fmt.Sprintf(`"extensionsRequired":["KHR_mesh_quantization"],"buffers":[{"byteLength":8}],"bufferViews":[{"buffer":0,"byteLength":8}],"accessors":[%s,%s,%s],
				"meshes":[{"primitives":[{"mode":0,"attributes":{"POSITION":0,"NORMAL":0,"TANGENT":1,"TEXCOORD_0":2},"targets":[{"POSITION":0,"NORMAL":0}]}]}]`, vec("VEC3"), vec("VEC4"), vec("VEC2")))
			p := first(t, strings.Replace(j, `"NORMAL":0,"TANGENT":1`, `"TANGENT":1`, 1), bin)
			want, step := c.plain, float32(1)
			if norm {
				want, step = c.normal, c.step
			}
			what := fmt.Sprint(name, " normalised ", norm)
			equal(t, what, p.Positions, [][3]float32{want})
			equal(t, what+" step", p.Step, step)
			equal(t, what+" coordinates", p.TexCoords[0], [][2]float32{{want[0], want[1]}})
			equal(t, what+" target", p.Targets[0].Positions, [][3]float32{want})
			if l := length(p.Tangents[0][:3]); math.Abs(l-1) > 1e-6 || math.Abs(float64(p.Tangents[0][3])) != 1 {
				t.Errorf("%s: tangent %v", what, p.Tangents[0])
			}
		}
	}
	// What does not fit into the view is refused as with floats.
	for accessor, class := range map[string]error{
		`{"bufferView":0,"componentType":5122,"count":2,"type":"VEC3"}`:                   schema.ErrCount,
		`{"bufferView":0,"componentType":5120,"count":3,"type":"VEC3"}`:                   schema.ErrCount,
		`{"bufferView":0,"componentType":5122,"byteOffset":4,"count":1,"type":"VEC3"}`:    schema.ErrCount,
		`{"bufferView":0,"componentType":5125,"count":1,"type":"SCALAR"}`:                 schema.ErrMismatch,
		`{"componentType":5120,"count":2000000000,"type":"VEC3"}`:                         schema.ErrCount,
		`{"bufferView":0,"componentType":5125,"normalized":true,"count":1,"type":"VEC3"}`: schema.ErrCount,
	} {
		_, err := Decode(glb(document(`"buffers":[{"byteLength":8}],"bufferViews":[{"buffer":0,"byteLength":8}],"accessors":[`+accessor+`],"meshes":[{"primitives":[{`+position+`}]}]`), make([]byte, 8)), nil, nil)
		if schema.Class(err) != class {
			t.Errorf("%s: %v, want %v", accessor, err, class)
		}
	}
}

// TestRounded holds that usher's own models on a grid are told of, and others are not.
func TestRounded(t *testing.T) {
	const body = `"extensionsRequired":["KHR_mesh_quantization"],"buffers":[{"byteLength":24}],"bufferViews":[{"buffer":0,"byteLength":24}],"accessors":[{"bufferView":0,"componentType":5122,"count":3,"type":"VEC3"},{"bufferView":0,"componentType":5126,"count":2,"type":"VEC3"}],
		"meshes":[{"name":"exact","primitives":[{"mode":0,"attributes":{"POSITION":1}}]},{"name":"m","primitives":[{"attributes":{"POSITION":0}}]}],"nodes":[{"mesh":0%s}]`
	for extras, want := range map[string]bool{"": false, `,"extras":{"usher":{"format":"f","asset":{"kind":"bone"}}}`: true} {
		for generator, maker := range map[string]string{"": "an editor", "packer": "packer"} {
			j := strings.Replace(document(fmt.Sprintf(body, extras)), `"2.0"`, `"2.0","generator":"`+generator+`"`, 1)
			if _, d := told(t, j, make([]byte, 24)); d.Has("rounded") != want || want && d.All()[0].Msg != maker+` has put the places of 1 meshes on a grid, that of "m" first: they are not exact any more` {
				t.Errorf("%s: %v", extras, d.All())
			}
		}
	}
}

func length(v []float32) float64 {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	return math.Sqrt(sum)
}

// TestPackedViews reads a triangle whose positions and indices are packed, with a buffer that only stands for them.
func TestPackedViews(t *testing.T) {
	positions := data([]float64{0, 0, 0, 1, 0, 0, 0, 1, 0})
	packed := packFloats(positions, 12)
	indices := []byte{headIndices, 0, 4, 4, 0, 0, 0, 0} // 0, then one more each time
	bin := append(append([]byte(nil), packed...), indices...)
	for len(bin)%4 != 0 {
		bin = append(bin, 0)
	}
	for _, name := range packings {
		for buffer, required := range map[string]string{
			`{"byteLength":48}`: `,"extensionsRequired":["` + name + `"]`,
			`{"byteLength":48,"uri":"lost.bin","extensions":{"` + name + `":{"fallback":true}}}`: "",
		} {
			view := func(offset, length, at, stride, size int, mode string) string {
				return fmt.Sprintf(`{"buffer":1,"byteOffset":%d,"byteLength":%d,"extensions":{"%s":{"buffer":0,"byteOffset":%d,"byteLength":%d,"byteStride":%d,"count":3,"mode":"%s"}}}`, offset, length, name, at, size, stride, mode)
			}
			j := document(fmt.Sprintf(`"buffers":[{"byteLength":%d},%s],"bufferViews":[%s,%s],"accessors":[%s,{"bufferView":1,"componentType":5123,"count":3,"type":"SCALAR"}],
				"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}]%s`, len(bin), buffer,
				view(0, 36, 0, 12, len(packed), modeAttributes), view(36, 6, len(packed), 2, len(indices), modeIndices), vec3x3, required))
			p := first(t, j, bin)
			equal(t, name, p.Positions, [][3]float32{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}})
			equal(t, name, p.Indices, []uint32{0, 1, 2})
			for _, c := range []struct {
				old, new string
				class    error
			}{
				{modeIndices, "CURVES", schema.ErrUnsupported},
				{`"count":3,"mode":"` + modeIndices, `"count":2,"mode":"` + modeIndices, schema.ErrMismatch},
				{`"count":3,"mode":"` + modeAttributes, `"count":1000000000,"mode":"` + modeAttributes, schema.ErrCount},
				{`"buffer":0,"byteOffset":0`, `"buffer":0,"byteOffset":999999`, schema.ErrRange},
				{`"buffer":0,"byteOffset":0`, `"buffer":2,"byteOffset":0`, schema.ErrRange},
			} {
				if required == "" {
					c.class = schema.ErrTruncated // the plain bytes are looked for
				}
				_, err := Decode(glb(strings.Replace(j, c.old, c.new, 1), bin), nil, nil)
				if schema.Class(err) != c.class {
					t.Errorf("%s for %s: %v, want %v", c.new, c.old, err, c.class)
				}
				if c.class == schema.ErrUnsupported && !strings.Contains(err.Error(), decodeCommand) {
					t.Errorf("%v does not name the command", err)
				}
			}
		}
	}
}

// packFloats packs elements without looking for what repeats: version 1, every byte of the deltas literal.
func packFloats(elements []byte, stride int) []byte {
	out := []byte{headAttributes1}
	for range stride / 4 {
		out = append(out, controlLiteral*0x55)
	}
	for k := range stride {
		last := byte(0)
		for i := k; i < len(elements); i += stride {
			d := elements[i] - last
			last = elements[i]
			out = append(out, d<<1^-(d>>7))
		}
	}
	if tail := stride + stride/4; tail < 24 {
		out = append(out, make([]byte, 24-tail)...)
	}
	return append(out, make([]byte, stride+stride/4)...)
}

func TestInstances(t *testing.T) {
	bin := data([]float64{0, 0, 0, 1, 0, 0, 0, 1, 0, 5, 6, 7}, []uint16{0, 0, 32767, 0, 0, 0, 0, 32767}, []float64{1, 2})
	s, d := told(t, document(`"extensionsRequired":["EXT_mesh_gpu_instancing"],"buffers":[{"byteLength":72}],"bufferViews":[{"buffer":0,"byteLength":72}],"accessors":[
		{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},{"bufferView":0,"byteOffset":24,"componentType":5126,"count":2,"type":"VEC3"},
		{"bufferView":0,"byteOffset":48,"componentType":5122,"normalized":true,"count":2,"type":"VEC4"},{"bufferView":0,"byteOffset":64,"componentType":5126,"count":2,"type":"SCALAR"}],
		"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"nodes":[{"name":"tree","mesh":0,"translation":[1,0,0],"children":[1],"extensions":{"EXT_mesh_gpu_instancing":{
		"attributes":{"TRANSLATION":1,"ROTATION":2,"_ID":3}}}},{"name":"bird"}]`), bin)
	tree := s.Roots[0]
	equal(t, "tree", []any{names(s.Roots), tree.Mesh == nil, d.Has("instances")}, []any{"tree(bird tree_1 tree_2)", true, true})
	one, two := tree.Children[1], tree.Children[2]
	equal(t, "places", []any{one.Transform, two.Transform, one.Extras["_ID"], two.Extras["_ID"]}, []any{
		asset.Transform{Translation: [3]float32{0, 1, 0}, Rotation: [4]float32{0, 0, 1, 0}, Scale: [3]float32{1, 1, 1}},
		asset.Transform{Translation: [3]float32{5, 6, 7}, Rotation: [4]float32{0, 0, 0, 1}, Scale: [3]float32{1, 1, 1}}, 1.0, 2.0})
	if one.Mesh != s.Meshes[0] || two.Mesh != s.Meshes[0] {
		t.Error("the copies do not show the mesh")
	}
}

// TestInstancesOfSeveral: the copies of several nodes are told once, at the first of them.
func TestInstancesOfSeveral(t *testing.T) {
	const node = `{"mesh":0,"extensions":{"EXT_mesh_gpu_instancing":{"attributes":{"SCALE":0}}}}`
	got := said(t, document(`"buffers":[{"byteLength":36}],"bufferViews":[{"buffer":0,"byteLength":36}],"accessors":[`+vec3x3+`],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"nodes":[{},`+node+`,`+node+`]`), make([]byte, 36))
	equal(t, "said", got, []string{"nodes/1 instances: 6 copies of meshes (EXT_mesh_gpu_instancing) become nodes"})
}

// TestGlossiness reads a look that is told by what is mirrored.
func TestGlossiness(t *testing.T) {
	s, d := told(t, document(`"images":[{},{"uri":"data:image/png;base64,`+base64.StdEncoding.EncodeToString(pngOf(t, picture8("x")))+`"}],"textures":[{"source":0},{"source":1}],
		"extensionsRequired":["KHR_materials_pbrSpecularGlossiness"],"materials":[{"pbrMetallicRoughness":{"baseColorFactor":[0,0,0,1]},"extensions":{"KHR_materials_pbrSpecularGlossiness":{
		"diffuseFactor":[0.5,0.25,1,0.5],"diffuseTexture":{"index":1,"texCoord":1},"specularFactor":[0.04,0.08,1],"glossinessFactor":0.75,"specularGlossinessTexture":{"index":0}}}},
		{"extensions":{"KHR_materials_pbrSpecularGlossiness":{}}}]`), nil)
	m := s.Materials[0]
	equal(t, "base", []any{m.BaseColor, m.BaseColorTexture.Texture == s.Textures[1], m.BaseColorTexture.TexCoord, m.Metallic, m.Roughness}, []any{[4]float32{0.5, 0.25, 1, 0.5}, true, 1, float32(0), float32(0.25)})
	equal(t, "specular", []any{m.Specular.Color, m.Specular.ColorTexture.Texture == s.Textures[0], d.Has("glossiness")}, []any{[3]float32{1, 2, 25}, true, true})
	equal(t, "defaults", []any{s.Materials[1].BaseColor, s.Materials[1].Roughness, s.Materials[1].Specular.Color}, []any{[4]float32{1, 1, 1, 1}, float32(0), [3]float32{25, 25, 25}})
}

// TestLightMap reads pictures of light; of what is much brighter or darker than a file of usher's a line tells.
func TestLightMap(t *testing.T) {
	for intensity, told1 := range map[string]bool{`,"intensity":4.672`: false, `,"intensity":1`: true, ``: true} {
		s, d := told(t, document(`"images":[{},{"uri":"data:image/png;base64,`+base64.StdEncoding.EncodeToString(pngOf(t, picture8("x")))+`"}],"textures":[{"source":0},{"source":1}],
			"materials":[{"extensions":{"MOZ_lightmap":{"index":1,"texCoord":1`+intensity+`}}},{}]`), nil)
		r := s.Materials[0].LightTexture
		equal(t, intensity, []any{r.Texture == s.Textures[1], r.TexCoord, d.Has("light-intensity"), s.Materials[1].LightTexture == nil}, []any{true, 1, told1, true})
	}
}

func pngOf(t *testing.T, x *asset.Texture) []byte {
	t.Helper()
	b, _, err := picture(x)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// webp is a picture of one red pixel.
const webp = "UklGRhwAAABXRUJQVlA4TA8AAAAvAAAAAAcQ/Y/+ByKi/wEA"

// TestOtherPictures has textures whose pictures are of kinds that extensions know: one that is read is taken, of one that
// is not the picture alone is refused, and stays in the file.
func TestOtherPictures(t *testing.T) {
	inline := func(b []byte) string {
		return `{"uri":"data:image/x;base64,` + base64.StdEncoding.EncodeToString(b) + `"}`
	}
	red, _ := base64.StdEncoding.DecodeString(webp)
	images := strings.Join([]string{inline(red), inline(pngOf(t, picture8("x"))), inline([]byte("\xabKTX 20\xbb\r\n\x1a\n")), inline([]byte("\x00\x00\x00\x1cftypavif"))}, ",")
	texture := func(source, ext string, of int) string {
		return fmt.Sprintf(`{%s"extensions":{"%s":{"source":%d}}}`, source, ext, of)
	}
	textures := strings.Join([]string{texture("", extWebP, 0), texture(`"source":1,`, extWebP, 0), texture(`"source":1,`, extBasis, 2), texture("", extAVIF, 3)}, ",")
	s, d := told(t, document(`"images":[`+images+`],"textures":[`+textures+`],"materials":[{"emissiveTexture":{"index":0}},{"emissiveTexture":{"index":1}},{"emissiveTexture":{"index":2}},{"emissiveTexture":{"index":3}}]`), nil)
	var files []string
	for _, m := range s.Materials {
		files = append(files, m.EmissiveTexture.Texture.File.Encoding)
	}
	equal(t, "files", files, []string{"webp", "webp", "png", "avif"})
	equal(t, "pixel", s.Textures[0].Base().Pix[:4], []byte{255, 0, 0, 255})
	if all := d.All(); len(all) != 1 || !strings.Contains(all[0].Msg, "npx @gltf-transform/cli png") {
		t.Errorf("%v", all)
	}
	out := encode(t, s, nil)
	back, err := Decode(out, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, m := range back.Materials {
		kinds = append(kinds, m.EmissiveTexture.Texture.File.Encoding)
	}
	equal(t, "written", kinds, []string{"png", "png", "png", "avif"})

	odd := otherPictures()
	got, err := Decode(encode(t, odd, nil), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range got.Textures {
		equal(t, "kept", x.File, odd.Textures[i].File)
	}
}

func TestVariantsAndPointers(t *testing.T) {
	_, d := told(t, document(`"extensionsUsed":["KHR_materials_variants","KHR_animation_pointer"],"extensions":{"KHR_materials_variants":{"variants":[{"name":"red"},{"name":"blue"}]}},
		"animations":[{"samplers":[{"input":0,"output":0}],"channels":[{"sampler":0,"target":{"path":"pointer","extensions":{"KHR_animation_pointer":{"pointer":"/materials/0/alphaCutoff"}}}}]}]`), nil)
	text := fmt.Sprint(d.All())
	for _, want := range []string{`"red", "blue"`, "/materials/0/alphaCutoff"} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not named in %s", want, text)
		}
	}
}

// TestNotFinite holds that what is not finite is refused where it is a place, and is 0 elsewhere, each time with its
// accessor.
func TestNotFinite(t *testing.T) {
	bin := data([]float64{0, 0, 0}, []float64{math.Inf(1), 1, math.NaN(), 1})
	accessors := `{"bufferView":0,"componentType":5126,"count":1,"type":"VEC3"},{"bufferView":0,"byteOffset":12,"componentType":5126,"count":1,"type":"VEC2"},
		{"bufferView":0,"byteOffset":12,"componentType":5126,"count":1,"type":"VEC3"},{"bufferView":0,"byteOffset":12,"componentType":5126,"count":1,"type":"VEC4"}`
	body := func(primitive string) string {
		return document(`"buffers":[{"byteLength":28}],"bufferViews":[{"buffer":0,"byteLength":28}],"accessors":[` + accessors + `],"meshes":[{"primitives":[{"mode":0,` + primitive + `}]}]`)
	}
	s, d := told(t, body(`"attributes":{"POSITION":0,"NORMAL":2,"TEXCOORD_0":1,"COLOR_0":3}`), bin)
	p := s.Meshes[0].Primitives[0]
	equal(t, "mended", []any{p.Normals[0], p.TexCoords[0][0], p.Colors[0], len(d.All())}, []any{[3]float32{0, 1, 0}, [2]float32{0, 1}, [4]float32{0, 1, 0, 1}, 3})
	for _, x := range []string{`"attributes":{"POSITION":2}`, `"attributes":{"POSITION":0},"targets":[{"POSITION":2}]`} {
		_, err := Decode(glb(body(x), bin), nil, nil)
		if schema.Class(err) != schema.ErrValue || !strings.Contains(err.Error(), "accessor 2") {
			t.Errorf("%s: %v", x, err)
		}
	}
	half := binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(math.Inf(-1))))
	_, d = told(t, document(`"buffers":[{"byteLength":16}],"bufferViews":[{"buffer":0,"byteLength":16}],"accessors":[{"bufferView":0,"componentType":5126,"count":1,"type":"SCALAR"},{"bufferView":0,"byteOffset":4,"componentType":5126,"count":1,"type":"VEC3"}],
		"nodes":[{}],"animations":[{"samplers":[{"input":0,"output":1}],"channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}]}]`), append(make([]byte, 12), half...))
	if !d.Has("values-not-finite") {
		t.Errorf("animation: %v", d.All())
	}
}

// TestAllFinite puts what is not finite at every place.
func TestAllFinite(t *testing.T) {
	for n := range 9 {
		v := make([]float32, n)
		for i := range v {
			v[i] = []float32{math.MaxFloat32, -math.MaxFloat32, math.SmallestNonzeroFloat32, 0}[i%4]
		}
		if !allFinite(v) {
			t.Errorf("%v are finite", v)
		}
		for i, was := range v {
			for _, odd := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
				if v[i] = float32(odd); allFinite(v) {
					t.Errorf("%v are not finite", v)
				}
			}
			v[i] = was
		}
	}
}

// TestSpoiledExtras has extras that Blender made text of.
func TestSpoiledExtras(t *testing.T) {
	_, d := told(t, document(`"nodes":[{"extras":{"usher":"{'format': 'sappear', 'a': True}","note":"{not so}"}}],"materials":[{"extras":{"other":"{'x': 1}"}}]`), nil)
	var where []string
	for _, x := range d.All() {
		where = append(where, x.Path+" "+x.Code)
	}
	equal(t, "said", where, []string{"nodes/0/extras spoiled-extras", "materials/0/extras spoiled-extras"})
}

// TestGenerator holds that a scene says who wrote it, and that the one version of Blender's add-on which mixes colours up
// is told of.
func TestGenerator(t *testing.T) {
	bin := data([]float64{0, 0, 0}, []byte{255, 0, 0, 255})
	for generator, mixed := range map[string]bool{"Khronos glTF Blender I/O v3.4.50": true, "Khronos glTF Blender I/O v3.5.30": false, "usher": false} {
		s, d := told(t, `{"asset":{"version":"2.0","generator":"`+generator+`"},"buffers":[{"byteLength":16}],"bufferViews":[{"buffer":0,"byteLength":16}],"accessors":[
			{"bufferView":0,"componentType":5126,"count":1,"type":"VEC3"},{"bufferView":0,"byteOffset":12,"componentType":5121,"normalized":true,"count":1,"type":"VEC4"}],
			"meshes":[{"primitives":[{"mode":0,"attributes":{"POSITION":0,"COLOR_0":1}}]}]}`, bin)
		if want := strings.TrimPrefix(generator, "usher"); s.Generator != want || d.Has("blender-colours") != mixed {
			t.Errorf("%s: %q, %v", generator, s.Generator, d.All())
		}
	}
}

// TestUnknownExtensions: an extension that is not known is told once, at the first place that has it, with how many do.
func TestUnknownExtensions(t *testing.T) {
	for body, want := range map[string]string{
		`"nodes":[{}]`: "", `"nodes":[{"extensions":{"XX_a":{}}}]`: "nodes/0: XX_a is not known and left out",
		`"nodes":[{},{"extensions":{"XX_a":{}}},{"extensions":{"XX_a":{}}},{"extensions":{"XX_a":{}}}]`: "nodes/1: XX_a is not known and left out, in 3 places",
		`"extensionsUsed":["XX_a"],"nodes":[{}]`:                                                        "extensionsUsed: XX_a is not known and left out",
	} {
		_, d := told(t, document(body), nil)
		var got []string
		for _, x := range d.All() {
			if x.Code == "unknown-extension" {
				got = append(got, x.Path+": "+x.Msg)
			}
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%s: told %q, want %q", body, got, want)
		}
	}
}
