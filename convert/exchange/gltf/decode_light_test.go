package gltf

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// TestLightsOfOthers has lights of KHR_lights_punctual, with what they are.
func TestLightsOfOthers(t *testing.T) {
	usual := [3]float32{1, 1, 1}
	for _, c := range []struct {
		light string
		want  asset.Light
	}{
		{`"type":"point"`, asset.Light{Color: usual, Intensity: 1}},
		{`"type":"directional","name":"sun","color":[0.5,0.25,0],"intensity":3`, asset.Light{Kind: asset.SunLight, Name: "sun", Color: [3]float32{0.5, 0.25, 0}, Intensity: 3}},
		{`"type":"point","range":7,"spot":{"innerConeAngle":0.1,"outerConeAngle":0.2}`, asset.Light{Color: usual, Intensity: 1, Range: 7}},
		{`"type":"spot"`, asset.Light{Kind: asset.SpotLight, Color: usual, Intensity: 1, Outer: math.Pi / 4}},
		{`"type":"spot","spot":{}`, asset.Light{Kind: asset.SpotLight, Color: usual, Intensity: 1, Outer: math.Pi / 4}},
		{`"type":"spot","spot":{"innerConeAngle":0.1,"outerConeAngle":0.2}`, asset.Light{Kind: asset.SpotLight, Color: usual, Intensity: 1, Inner: 0.1, Outer: 0.2}},
		{`"type":"spot","color":[0,1,0.5],"intensity":0,"extras":{"a":1,"usher":{"format":"f","asset":{"range":5,"inner":2,"outer":3,"intensity":-1,"color0":-2,"color1":2,"color2":9}}}`,
			asset.Light{Kind: asset.SpotLight, Color: [3]float32{-2, 2, 0.5}, Intensity: -1, Range: 5, Inner: 2, Outer: 3, Extras: map[string]any{"a": 1.0}, Native: &asset.Native{Format: "f"}}},
		{`"type":"spot","range":1,"spot":{"innerConeAngle":0.1,"outerConeAngle":0.2},"extras":{"usher":{"asset":{"range":5,"inner":2,"outer":3}}}`, asset.Light{Kind: asset.SpotLight, Color: usual, Intensity: 1, Range: 1, Inner: 0.1, Outer: 0.2}},
	} {
		s, d := told(t, document(`"extensions":{"KHR_lights_punctual":{"lights":[{"type":"point"},{`+c.light+`}]}},"nodes":[{"extensions":{"KHR_lights_punctual":{"light":1}}}]`), nil)
		equal(t, c.light, s.Roots[0].Light, &c.want)
		if s.Roots[0].Kind != asset.Marker || len(d.All()) > 0 {
			t.Errorf("%s: kind %d, %v", c.light, s.Roots[0].Kind, d.All())
		}
	}
	for body, want := range map[string]string{
		`"extensions":{"KHR_lights_punctual":{"lights":[{"type":"lava"}]}}`:                                                                            `lights/0/type: "lava"`,
		`"extensions":{"KHR_lights_punctual":5}`:                                                                                                       "extensions/extensions/KHR_lights_punctual",
		`"nodes":[{"extensions":{"KHR_lights_punctual":{"light":0}}}]`:                                                                                 "nodes/0/extensions/KHR_lights_punctual: index 0",
		`"nodes":[{"extensions":{"KHR_node_visibility":{"visible":"x"}}}]`:                                                                             "nodes/0/extensions/KHR_node_visibility",
		`"extensions":{"KHR_materials_variants":7}`:                                                                                                    "extensions/extensions/KHR_materials_variants",
		`"materials":[{"extensions":{"MOZ_lightmap":7}}]`:                                                                                              "materials/0/extensions/MOZ_lightmap",
		`"materials":[{"extensions":{"KHR_materials_emissive_strength":7}}]`:                                                                           "materials/0/extensions/KHR_materials_emissive_strength",
		`"materials":[{"extensions":{"KHR_materials_specular":7}}]`:                                                                                    "materials/0/extensions/KHR_materials_specular",
		`"materials":[{"extensions":{"KHR_materials_pbrSpecularGlossiness":7}}]`:                                                                       "materials/0/extensions/KHR_materials_pbrSpecularGlossiness",
		`"textures":[{"extensions":{"EXT_texture_webp":{"source":3}}}],"materials":[{"normalTexture":{"index":0}}]`:                                    "textures/0/extensions/EXT_texture_webp: index 3",
		`"images":[{}],"textures":[{"source":0}],"materials":[{"emissiveTexture":{"index":0,"extensions":{"KHR_texture_transform":7}}}]`:               "materials/0/emissive/extensions/KHR_texture_transform",
		`"meshes":[{"primitives":[{"attributes":{"_X":0}}]}],"nodes":[{"mesh":0,"extensions":{"EXT_mesh_gpu_instancing":{"attributes":{"SCALE":3}}}}]`: "SCALE: index 3",
		`"bufferViews":[{"buffer":0,"byteLength":1,"extensions":{"EXT_meshopt_compression":7}}],"images":[{"bufferView":0}]`:                           "bufferViews/0/extensions/EXT_meshopt_compression",
	} {
		// What is wrong within an extension is an error where the file requires that.
		var all []string
		for _, name := range []string{extLights, extVisibility, extVariants, extLight, extEmissive, extSpecular, extGlossiness, extWebP, extTransform, extInstancing, extMeshoptEXT} {
			all = append(all, `"`+name+`"`)
		}
		holdRefused(t, nil, refused{document(`"extensionsRequired":[` + strings.Join(all, ",") + `],` + body), map[bool]error{true: schema.ErrRange, false: schema.ErrValue}[strings.Contains(want, "index")], want})
	}
}

// TestHiddenNodes: a node is visible unless it says otherwise.
func TestHiddenNodes(t *testing.T) {
	for extension, want := range map[string]bool{`{}`: false, `{"visible":true}`: false, `{"visible":false}`: true} {
		s, _ := told(t, document(`"nodes":[{"extensions":{"KHR_node_visibility":`+extension+`}}]`), nil)
		if s.Roots[0].Hidden != want {
			t.Errorf("%s: hidden %t", extension, !want)
		}
	}
}

// TestManyVariants: the first ten looks are named, and how many more there are.
func TestManyVariants(t *testing.T) {
	for n, want := range map[int]string{0: "", 1: `"v0"`, 10: `"v8", "v9"`, 11: `"v9", 1 more`, 13: `"v9", 3 more`} {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf(`{"name":"v%d"}`, i))
		}
		got := said(t, document(`"extensions":{"KHR_materials_variants":{"variants":[`+strings.Join(list, ",")+`]}}`), nil)
		if n == 0 && len(got) > 0 || n > 0 && (len(got) != 1 || !strings.HasPrefix(got[0], `extensions/KHR_materials_variants material-variants: `) || !strings.HasSuffix(got[0], want)) {
			t.Errorf("%d variants: %v, want %q", n, got, want)
		}
	}
}

// TestWrittenLights has lights with what is written of them.
func TestWrittenLights(t *testing.T) {
	for _, c := range []struct {
		light asset.Light
		want  string
	}{
		{asset.Light{Color: [3]float32{1, 0.5, 0}, Intensity: 2, Range: 0.5}, `{"type":"point","color":[1,0.5,0],"intensity":2,"range":0.5}`},
		{asset.Light{Name: "n", Intensity: 2}, `{"name":"n","type":"point","color":[0,0,0],"intensity":2}`},
		{asset.Light{Kind: asset.SunLight, Range: 0.5}, `{"type":"directional","color":[0,0,0],"intensity":0,"extras":{"usher":{"asset":{"range":0.5}`},
		{asset.Light{Kind: asset.SpotLight, Inner: 0.25, Outer: 0.5}, `{"type":"spot","color":[0,0,0],"intensity":0,"spot":{"innerConeAngle":0.25,"outerConeAngle":0.5}}`},
		{asset.Light{Kind: asset.SpotLight, Inner: 0.5, Outer: 0.5}, `"spot":{"outerConeAngle":0.5},"extras":{"usher":{"asset":{"inner":0.5}`},
		{asset.Light{Kind: asset.SpotLight}, `"spot":{"outerConeAngle":0.7853981633974483},"extras":{"usher":{"asset":{"inner":0,"outer":0}`},
		{asset.Light{Kind: asset.SpotLight, Outer: 2}, `"spot":{"outerConeAngle":1.5707963267948966},"extras":{"usher":{"asset":{"outer":2}`},
		{asset.Light{Color: [3]float32{2, 0, 1}}, `"color":[1,0,1],"intensity":0,"extras":{"usher":{"asset":{"color0":2}`},
	} {
		n := asset.NewNode("n")
		n.Light = &c.light
		file := encode(t, &asset.Scene{Roots: []*asset.Node{n}}, nil)
		if !strings.Contains(string(file), c.want) {
			t.Errorf("%+v: %s, want %s", c.light, file, c.want)
		}
		if back, err := Decode(file, nil, nil); err != nil || c.light.Outer != 2 && fmt.Sprint(*back.Roots[0].Light) != fmt.Sprint(c.light) {
			t.Errorf("%+v comes back as %+v, %v", c.light, back.Roots[0].Light, err)
		}
	}
}
