package gltf

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/qmuntal/gltf"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// TestMaterials has materials of other programs and of usher's records, with what is read of them where it is not usual.
func TestMaterials(t *testing.T) {
	for _, c := range []struct {
		material string
		edit     func(m *asset.Material)
		said     string
	}{
		{``, func(m *asset.Material) {}, ""},
		{`"pbrMetallicRoughness":{"baseColorFactor":[0.1,0.2,0.3,0.4],"metallicFactor":0.5,"roughnessFactor":0.25},"emissiveFactor":[0.5,0.6,0.7],"doubleSided":true,"alphaMode":"BLEND"`, func(m *asset.Material) {
			m.BaseColor, m.Metallic, m.Roughness, m.Emissive, m.DoubleSided, m.Alpha = [4]float32{0.1, 0.2, 0.3, 0.4}, 0.5, 0.25, [3]float32{0.5, 0.6, 0.7}, true, asset.Blend
		}, ""},
		{`"pbrMetallicRoughness":{"baseColorFactor":[1,0,1,0.5],"roughnessFactor":0},"emissiveFactor":[1,0,0.5],"extras":{"usher":{"asset":{"baseColor0":2,"baseColor1":-1,"baseColor2":3,"baseColor3":4,"emissive0":5,"emissive1":-6,"emissive2":7,"metallic":8,"roughness":-9,"air":1,"normalScale":3,"alphaCutoff":7,"emissiveStrength":4}}}`, func(m *asset.Material) {
			m.BaseColor, m.Emissive, m.Metallic, m.Roughness, m.Air, m.NormalScale, m.AlphaCutoff, m.EmissiveStrength = [4]float32{2, -1, 3, 0.5}, [3]float32{5, -6, 0.5}, 8, -9, true, 3, 7, 4
		}, ""},
		{`"alphaMode":"MASK","extras":{"usher":{"asset":{"alphaCutoff":-7}}}`, func(m *asset.Material) { m.Alpha, m.AlphaCutoff = asset.Mask, 0.5 }, ""},
		{`"alphaMode":"MASK","alphaCutoff":0,"extras":{"usher":{"asset":{"alphaCutoff":-7}}}`, func(m *asset.Material) { m.Alpha, m.AlphaCutoff = asset.Mask, -7 }, ""},
		{`"alphaMode":"MASK","alphaCutoff":0.25,"extras":{"usher":{"asset":{"alphaCutoff":7}}}`, func(m *asset.Material) { m.Alpha, m.AlphaCutoff = asset.Mask, 0.25 }, ""},
		{`"normalTexture":{"index":0,"scale":2,"texCoord":1},"extras":{"usher":{"asset":{"normalScale":3}}}`, func(m *asset.Material) { m.NormalScale, m.NormalTexture = 2, &asset.TextureRef{TexCoord: 1} }, ""},
		{`"normalTexture":{"index":0}`, func(m *asset.Material) { m.NormalTexture = &asset.TextureRef{} }, ""},
		{`"occlusionTexture":{"index":0,"texCoord":2}`, func(m *asset.Material) { m.OcclusionTexture = &asset.TextureRef{TexCoord: 2} }, ""},
		{`"occlusionTexture":{"index":0,"strength":0.5}`, func(m *asset.Material) { m.OcclusionTexture = &asset.TextureRef{} }, "materials/0 occlusion-strength: an occlusion strength of 0.5 is taken for 1"},
		{`"emissiveTexture":{"index":1}`, func(m *asset.Material) {}, "materials/0/emissive texture-without-image: a texture without an image that glTF knows is left out"},
		{`"extensions":{"KHR_materials_unlit":{},"KHR_materials_emissive_strength":{"emissiveStrength":3}},"extras":{"usher":{"asset":{"emissiveStrength":4,"specular":{"factor":0.5,"color":[1,2,3]}}}}`, func(m *asset.Material) {
			m.Unlit, m.EmissiveStrength, m.Specular = true, 3, &asset.Specular{Factor: 0.5, Color: [3]float32{1, 2, 3}}
		}, ""},
		{`"extras":{"usher":{"asset":{"specular":{"factor":0.5}}}}`, func(m *asset.Material) { m.Specular = &asset.Specular{Factor: 0.5, Color: [3]float32{1, 1, 1}} }, ""},
		{`"extensions":{"KHR_materials_emissive_strength":{}}`, func(m *asset.Material) {}, ""},
		{`"extensions":{"KHR_materials_specular":{}}`, func(m *asset.Material) { m.Specular = &asset.Specular{Factor: 1, Color: [3]float32{1, 1, 1}} }, ""},
		{`"extensions":{"KHR_materials_specular":{"specularFactor":1,"specularTexture":{"index":0,"texCoord":1},"specularColorTexture":{"index":0}}},"extras":{"usher":{"asset":{"specular":7}}}`, func(m *asset.Material) {
			m.Specular = &asset.Specular{Factor: 7, Color: [3]float32{1, 1, 1}, Texture: &asset.TextureRef{TexCoord: 1}, ColorTexture: &asset.TextureRef{}}
		}, ""},
		{`"extensions":{"KHR_materials_pbrSpecularGlossiness":{"diffuseFactor":[0.1,0.2,0.3,0.4],"specularFactor":[0.04,0.02,0.01],"glossinessFactor":0.25,"specularGlossinessTexture":{"index":0}}}`, func(m *asset.Material) {
			m.BaseColor, m.Metallic, m.Roughness, m.Specular = [4]float32{0.1, 0.2, 0.3, 0.4}, 0, 0.75, &asset.Specular{Factor: 1, Color: [3]float32{1, 0.5, 0.25}, ColorTexture: &asset.TextureRef{}}
		}, ""},
		{`"extensions":{"MOZ_lightmap":{"index":0,"texCoord":1,"intensity":4.6725}}`, func(m *asset.Material) { m.LightTexture = &asset.TextureRef{TexCoord: 1} }, ""},
		{`"extensions":{"MOZ_lightmap":{"index":0,"intensity":4.68}}`, func(m *asset.Material) { m.LightTexture = &asset.TextureRef{} }, "materials/0 light-intensity: the light of a picture is taken for 4.672 times what it shows"},
		{`"emissiveTexture":{"index":0,"extras":{"a":1},"extensions":{"XX_x":{},"KHR_texture_transform":{"texCoord":255}}}`, func(m *asset.Material) {
			m.EmissiveTexture = &asset.TextureRef{TexCoord: 255, Extras: map[string]any{"a": 1.0}}
		}, "materials/0/emissive unknown-extension: XX_x is not known and left out"},
		{`"emissiveTexture":{"index":0,"texCoord":255,"extensions":{"KHR_texture_transform":{"texCoord":256,"offset":[0.5,1],"rotation":2,"scale":[3,4]}}}`, func(m *asset.Material) {
			m.EmissiveTexture = &asset.TextureRef{TexCoord: 255, Transform: &asset.TextureTransform{Offset: [2]float32{0.5, 1}, Rotation: 2, Scale: [2]float32{3, 4}}}
		}, ""},
		{`"emissiveTexture":{"index":0,"texCoord":1,"extensions":{"KHR_texture_transform":{"texCoord":-1,"scale":[1,1]}}}`, func(m *asset.Material) { m.EmissiveTexture = &asset.TextureRef{TexCoord: 1} }, ""},
		{`"emissiveTexture":{"index":0,"extensions":{"KHR_texture_transform":{"texCoord":0,"offset":[0,1]}}}`, func(m *asset.Material) {
			m.EmissiveTexture = &asset.TextureRef{Transform: &asset.TextureTransform{Offset: [2]float32{0, 1}, Scale: [2]float32{1, 1}}}
		}, ""},
	} {
		s, d := told(t, document(`"images":[{"uri":"data:image/png;base64,`+base64.StdEncoding.EncodeToString(pngOf(t, picture8("x")))+`"}],"textures":[{"source":0},{}],"materials":[{"name":"m"`+strings.TrimSuffix(","+c.material, ",")+`}]`), nil)
		m, want := s.Materials[0], asset.NewMaterial("m")
		want.Metallic, want.Roughness = 1, 1
		c.edit(want)
		for _, r := range m.Textures() {
			if r == nil {
				continue
			}
			if r.Texture != s.Textures[0] {
				t.Errorf("%s: another texture", c.material)
			}
			r.Texture = nil
		}
		equal(t, c.material, []any{m, strings.Join(saidBy(d), "; ")}, []any{want, c.said})
	}
	holdRefused(t, nil,
		refused{document(`"images":[{}],"textures":[{"source":0}],"materials":[{"emissiveTexture":{"index":0,"texCoord":256}}]`), schema.ErrRange, "materials/0/emissive/texCoord: 256"},
		refused{document(`"images":[{}],"textures":[{"source":0}],"materials":[{"emissiveTexture":{"index":0,"texCoord":-1}}]`), schema.ErrRange, "materials/0/emissive/texCoord: -1"},
		refused{document(`"materials":[{"normalTexture":{"index":0}}]`), schema.ErrRange, "materials/0/normal: index 0"},
		refused{document(`"textures":[{}],"materials":[{"normalTexture":{"index":0},"occlusionTexture":{"index":1}},{"emissiveTexture":{"index":2}}]`), schema.ErrRange, "materials/0/occlusion: index 1"})
}

// TestSamplers: what samplers say of borders and of how pixels are mixed.
func TestSamplers(t *testing.T) {
	for _, c := range []struct {
		sampler string
		s, t    asset.Wrap
		filter  asset.Filter
	}{
		{``, asset.Repeat, asset.Repeat, asset.Unset}, {`"wrapS":33071,"wrapT":33648`, asset.Clamp, asset.Mirror, asset.Unset}, {`"wrapS":10497,"wrapT":33071`, asset.Repeat, asset.Clamp, asset.Unset},
		{`"magFilter":9728`, asset.Repeat, asset.Repeat, asset.Nearest}, {`"magFilter":9729,"minFilter":9728`, asset.Repeat, asset.Repeat, asset.Linear}, {`"minFilter":9728`, asset.Repeat, asset.Repeat, asset.Nearest},
		{`"minFilter":9729`, asset.Repeat, asset.Repeat, asset.Linear}, {`"minFilter":9984`, asset.Repeat, asset.Repeat, asset.Nearest}, {`"minFilter":9985`, asset.Repeat, asset.Repeat, asset.Linear},
		{`"minFilter":9986`, asset.Repeat, asset.Repeat, asset.Nearest}, {`"minFilter":9987`, asset.Repeat, asset.Repeat, asset.Linear},
	} {
		s, _ := told(t, document(`"images":[{}],"samplers":[{`+c.sampler+`}],"textures":[{"source":0,"sampler":0}],"materials":[{"emissiveTexture":{"index":0}}]`), nil)
		r := s.Materials[0].EmissiveTexture
		equal(t, c.sampler, []any{r.WrapS, r.WrapT, r.Filter}, []any{c.s, c.t, c.filter})
	}
}

// TestImagesOfOthers: names and paths of pictures, those that are not there or cannot be read, and bytes that several share.
func TestImagesOfOthers(t *testing.T) {
	file := pngOf(t, picture8("x"))
	for len(file)%4 != 0 {
		file = append(file, 0)
	}
	find := func(name string) ([]byte, error) {
		if name == "a/b.c.png" {
			return file, nil
		}
		return []byte("no picture"), nil
	}
	const images = `{"bufferView":0},{"bufferView":0,"name":"two"},{"uri":"a/b.c.png"},{"uri":"a/b.c.png","name":"four"},{"uri":"five"},{"uri":"data:image/png,x"},{"uri":"data:image/png;base64,!"},{},{"uri":"http://host/a/nine.png"}`
	var d schema.Diagnostics
	s, err := Decode(glb(document(fmt.Sprintf(`"buffers":[{"byteLength":%d}],"bufferViews":[{"buffer":0,"byteLength":%[1]d}],"images":[%s],
		"textures":[{"source":0,"name":"one"},{"source":7,"name":"eight"},{"source":1,"name":"not two"}],"materials":[{"emissiveTexture":{"index":0}},{"emissiveTexture":{"index":1}},{"emissiveTexture":{"index":2}}]`, len(file), images)), file), find, &d)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, x := range s.Textures {
		encoding := "-"
		if x.File != nil {
			encoding = x.File.Encoding
		}
		got = append(got, fmt.Sprintf("%s|%s|%s|%t", x.Name, x.URI, encoding, x.Base() != nil))
	}
	equal(t, "images", got, []string{"one||png|true", "two||png|true", "b.c|a/b.c.png|png|true", "four|a/b.c.png|png|true", "five|five|unknown|false", "||unknown|false", "||-|false", "eight||-|false", "nine|http://host/a/nine.png|-|false"})
	equal(t, "said", saidBy(&d), []string{
		"images/6 picture-missing: images/6/uri: data URI: illegal base64 data at input byte 0",
		`images/8 picture-missing: images/8/uri: "http://host/a/nine.png": only relative paths are read`,
		"images/4 picture-unreadable: gltf: neither PNG, JPEG nor WebP", "images/5 picture-unreadable: gltf: neither PNG, JPEG nor WebP"})
	if a, b := s.Textures[0], s.Textures[1]; a.File != b.File || &a.Base().Pix[0] != &b.Base().Pix[0] || !bytes.Equal(a.File.Data, file) || a == b {
		t.Error("shared bytes were read twice")
	}
}

// TestTextureRecords: what rides along of a texture that has an image, and of one that has none.
func TestTextureRecords(t *testing.T) {
	const image = `"images":[{"name":"n","extras":{"a":1,"usher":{"format":"f","asset":{"alpha":"mask","fps":12.5,"uri":"X.TGA"}}}}],`
	s, _ := told(t, document(image+`"textures":[{"source":0}],"materials":[{"emissiveTexture":{"index":0}}]`), nil)
	equal(t, "of the image", s.Textures[0], &asset.Texture{Name: "n", URI: "X.TGA", FPS: 12.5, Alpha: asset.Mask, Extras: map[string]any{"a": 1.0}, Native: &asset.Native{Format: "f"}})
	s, _ = told(t, document(image+`"textures":[{"source":0}],"materials":[{"emissiveTexture":{"index":0},"extras":{"usher":{"asset":{"textures":{"emissive":{"format":"g","asset":{"alpha":"blend","fps":1,"uri":"Y"}}}}}}}]`), nil)
	equal(t, "of the material", s.Textures[0], &asset.Texture{Name: "n", URI: "Y", FPS: 1, Alpha: asset.Blend, Extras: map[string]any{"a": 1.0}, Native: &asset.Native{Format: "g"}})
	slot := func(record string) string {
		return document(`"materials":[{"extras":{"usher":{"asset":{"textures":{"baseColor":` + record + `}}}}},{"extras":{"usher":{"asset":{"textures":{"emissive":{"asset":{"index":0,"use":{"texCoord":2}}}}}}}}]`)
	}
	s, d := told(t, slot(`{"format":"f","asset":{"index":0,"name":"n","encoding":"dds","file":"AAEC","extras":"{\"a\":1}","use":{"wrapS":1,"wrapT":2,"filter":2,"transform":[1,2,3,4,5],"extras":"{\"b\":2}"}}}`), nil)
	r := s.Materials[0].BaseColorTexture
	equal(t, "without an image", r.Texture, &asset.Texture{Name: "n", File: &asset.Stored{Encoding: "dds", Data: []byte{0, 1, 2}}, Extras: map[string]any{"a": 1.0}, Native: &asset.Native{Format: "f"}})
	r2 := s.Materials[1].EmissiveTexture
	if r2.Texture != r.Texture || len(s.Textures) != 1 || s.Textures[0] != r.Texture {
		t.Error("it is another texture the second time")
	}
	r.Texture, r2.Texture = nil, nil
	equal(t, "use", []*asset.TextureRef{r, r2}, []*asset.TextureRef{{WrapS: asset.Clamp, WrapT: asset.Mirror, Filter: asset.Linear, Transform: &asset.TextureTransform{Offset: [2]float32{1, 2}, Scale: [2]float32{3, 4}, Rotation: 5}, Extras: map[string]any{"b": 2.0}}, {TexCoord: 2}})
	equal(t, "said", saidBy(d), []string(nil))
	s, d = told(t, slot(`{"asset":{"index":0,"name":"n","encoding":"dds","file":"?","use":{"texCoord":-1,"wrapS":3,"wrapT":9,"filter":7,"transform":[1,2,3,4]}}}`), nil)
	r = s.Materials[0].BaseColorTexture
	r.Texture = nil
	equal(t, "beyond", []any{r, saidBy(d)}, []any{&asset.TextureRef{WrapS: asset.Mirror, WrapT: asset.Mirror, Filter: asset.Linear}, []string{`materials/0/baseColor bad-extras: file of texture "n": illegal base64 data at input byte 0`}})
}

// TestImageTypes: pictures are known by how they begin, and their names in files are safe and nobody else's.
func TestImageTypes(t *testing.T) {
	for head, want := range map[string]string{"\x89PNG\r\n\x1a\n": mimePNG, "\x89PNG\r\n\x1a": "", "\xff\xd8\xff": mimeJPEG, "\xff\xd8": "", "RIFFxxxxWEBP": mimeWebP, "RIFFxxxxWEB": "", "RIFFxxxxWAVE": "", "JIFFxxxxWEBP": "", "\xabKTX 20\xbb\r\n\x1a\n": mimeKTX2,
		"xxxxftypavif": mimeAVIF, "xxxxftypavis": mimeAVIF, "xxxxftypavi": "", "xxxxftypmp42": "", "": ""} {
		if got := imageType([]byte(head)); got != want {
			t.Errorf("%q: %q, want %q", head, got, want)
		}
	}
	taken := map[string]bool{}
	for _, c := range []struct{ name, mime, want string }{
		{"hull", mimePNG, "s_hull.png"}, {"hull", mimePNG, "s_hull_2.png"}, {"HULL", mimePNG, "s_HULL_3.png"}, {"hull", mimeJPEG, "s_hull.jpg"}, {"hull", mimeKTX2, "s_hull.ktx2"}, {"hull", mimeAVIF, "s_hull.avif"},
		{`textures\x/Wing.TGA`, mimePNG, "s_Wing.png"}, {"a.jpeg", mimePNG, "s_a.png"}, {"b.longer", mimePNG, "s_b.longer.png"}, {".c", mimePNG, "s_.c.png"}, {"d . ", mimePNG, "s_d.png"}, {"", mimePNG, "s_.png"}, {"/x", mimePNG, "s_x.png"},
		{"a<b>c:d\"e|f?g*h%i#j", mimePNG, "s_a_b_c_d_e_f_g_h_i_j.png"}, {"\x1fa b\x7f\xff", mimePNG, "s__a b__.png"},
		{strings.Repeat("n", 100), mimePNG, "s_" + strings.Repeat("n", 100) + ".png"}, {strings.Repeat("m", 101), mimePNG, "s_" + strings.Repeat("m", 100) + ".png"}, {strings.Repeat("k", 99) + "ü", mimePNG, "s_" + strings.Repeat("k", 99) + "_.png"},
	} {
		if got := imageFile("s", c.name, c.mime, taken); got != c.want {
			t.Errorf("%q: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestFactors: values of materials that glTF does not hold are told, and ride along.
func TestFactors(t *testing.T) {
	m := asset.NewMaterial("m")
	m.BaseColor, m.Emissive, m.Metallic, m.Roughness, m.Alpha, m.AlphaCutoff = [4]float32{2, -1, 0.5, 1}, [3]float32{0, 3, 1}, -2, 1.5, asset.Mask, -0.5
	m.Specular = &asset.Specular{Factor: 4, Color: [3]float32{-1, 0, 5}}
	d := new(schema.Diagnostics)
	file := encode(t, &asset.Scene{Materials: []*asset.Material{m}}, d)
	equal(t, "said", saidBy(d), []string{
		"materials/0/metallic factor-range: -2 is written as 0", "materials/0/roughness factor-range: 1.5 is written as 1", "materials/0/baseColor0 factor-range: 2 is written as 1", "materials/0/baseColor1 factor-range: -1 is written as 0",
		"materials/0/emissive1 factor-range: 3 is written as 1", "materials/0/alphaCutoff factor-range: -0.5 is written as 0", "materials/0/specular factor-range: 4 is written as 1", "materials/0/specularColor0 factor-range: -1 is written as 0"})
	dec := newDecoder(nil, nil)
	back, err := decodeWith(file, dec, nil)
	if err != nil {
		t.Fatal(err)
	}
	g := dec.doc.Materials[0]
	equal(t, "written", []any{*g.PBRMetallicRoughness, g.EmissiveFactor, *g.AlphaCutoff}, []any{
		gltf.PBRMetallicRoughness{BaseColorFactor: &[4]float64{1, 0, 0.5, 1}, MetallicFactor: gltf.Float(0), RoughnessFactor: gltf.Float(1)}, [3]float64{0, 1, 1}, 0.0})
	equal(t, "back", back.Materials[0], m)
}

// TestAlphaRecords: what a texture is for rides along where its pixels do not say so.
func TestAlphaRecords(t *testing.T) {
	of := func(x *asset.Texture, alpha asset.AlphaMode, encoding string) *asset.Texture {
		x.Alpha = alpha
		if encoding != "" {
			x.File = &asset.Stored{Encoding: encoding, Data: []byte("DDS |")}
		}
		return x
	}
	dot := func() *asset.Texture {
		return &asset.Texture{Frames: []asset.Frame{{Mips: []asset.Image{asset.NewImage(1, 1, asset.Gray8)}}}}
	}
	empty := func() *asset.Texture {
		return &asset.Texture{Frames: []asset.Frame{{Mips: []asset.Image{{Width: 4, Height: 2, Format: asset.RGBA8}}}}}
	}
	for _, c := range []struct {
		x    *asset.Texture
		want string
	}{
		{of(picture8("x"), asset.Opaque, ""), ""}, {of(picture32("x"), asset.Blend, ""), ""}, {of(picture32("x"), asset.Mask, ""), "mask"}, {of(picture32("x"), asset.Opaque, ""), "opaque"}, {of(dot(), asset.Opaque, "dds"), ""}, {of(dot(), asset.Mask, ""), "mask"},
		{of(&asset.Texture{}, asset.Opaque, ""), ""}, {of(&asset.Texture{}, asset.Blend, ""), "blend"}, {of(&asset.Texture{}, asset.Opaque, "dds"), "opaque"}, {of(empty(), asset.Opaque, "dds"), "opaque"},
	} {
		m := asset.NewMaterial("m")
		m.BaseColorTexture = &asset.TextureRef{Texture: c.x}
		edited(t, encode(t, &asset.Scene{Materials: []*asset.Material{m}, Textures: []*asset.Texture{c.x}}, nil), func(doc map[string]any) {
			text := fmt.Sprint(doc["materials"])
			if got := strings.Contains(text, "alpha:"); got != (c.want != "") || !strings.Contains(text, c.want) {
				t.Errorf("%v of %d frames with a file %t: %s, want %q", c.x.Alpha, len(c.x.Frames), c.x.File != nil, text, c.want)
			}
		})
	}
}
