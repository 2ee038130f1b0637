package gltf

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/corpus"
)

// script imports and exports every pair of files with custom properties. Newer versions of numpy lack names that
// Blender 3.4 uses.
const script = `
import sys
import numpy
for name, value in (('bool', bool), ('int', int), ('float', float), ('object', object)):
    if name not in numpy.__dict__:
        setattr(numpy, name, value)
import bpy
names = sys.argv[sys.argv.index('--') + 1:]
for i in range(0, len(names), 2):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=names[i])
    bpy.ops.export_scene.gltf(filepath=names[i + 1], export_format='GLB', export_extras=True, export_cameras=True, export_lights=True)
`

// TestBlender sends scenes through Blender's importer and exporter and looks for what has to survive.
func TestBlender(t *testing.T) {
	blender := corpus.Blender(t)
	dir := t.TempDir()
	args := []string{"-b", "--python-exit-code", "1", "--python", filepath.Join(dir, "script.py"), "--"}
	if err := os.WriteFile(args[4], []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	scenes := map[string]*asset.Scene{"natives": natives(), "materials": materials(), "virtual": virtualTextures(), "nodes": nodes(),
		"skin": skinScene(true), "animations": animations(), "lods": lods(), "empty": emptyMeshes(), "morph": morph(),
		"specular": speculars(), "lamps": lamps()}
	for name, s := range scenes {
		in := filepath.Join(dir, name+".glb")
		if err := os.WriteFile(in, encode(t, s, nil), 0o644); err != nil {
			t.Fatal(err)
		}
		args = append(args, in, filepath.Join(dir, name+"-out.glb"))
	}
	if out, err := exec.Command(blender, args...).CombinedOutput(); err != nil {
		t.Fatalf("Blender: %v\n%s", err, out)
	}
	back := map[string]*asset.Scene{}
	for name := range scenes {
		b, err := os.ReadFile(filepath.Join(dir, name+"-out.glb"))
		if err != nil {
			t.Fatal(err)
		}
		var d schema.Diagnostics
		if back[name], err = Decode(b, nil, &d); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, x := range d.All() {
			if told := x.Code == "blender-specular"; !told || name != "materials" && name != "specular" {
				t.Errorf("%s: %v", name, x)
			}
		}
		if name == "specular" && !strings.HasPrefix(back[name].Generator, "Khronos glTF Blender I/O v") {
			t.Errorf("made by %q", back[name].Generator)
		}
	}
	same := func(what string, got, want any) {
		t.Helper()
		if x := cmp.Diff(want, got); x != "" {
			t.Errorf("%s (-want +got):\n%s", what, x)
		}
	}
	s := back["natives"]
	same("scene", s.Native, natives().Native)
	same("mesh", s.Meshes[0].Native, native("mesh"))
	same("primitive", s.Meshes[0].Primitives[0].Native, native("part"))
	s = back["materials"]
	full := find(t, "material", s.Materials, func(m *asset.Material) bool { return m.Name == "full" })
	same("material", full.Native, native("mat"))
	same("texture", full.BaseColorTexture.Texture.Native, native("tga"))
	same("texture file", full.BaseColorTexture.Texture.URI, `textures\Hull.TGA`)
	same("wrap", full.BaseColorTexture.WrapT, asset.Mirror)
	s = back["virtual"]
	m := find(t, "material", s.Materials, func(m *asset.Material) bool { return m.Name == "m" })
	same("virtual texture", m.BaseColorTexture.Texture, virtualTextures().Textures[0])
	same("virtual use", m.BaseColorTexture.Transform, &asset.TextureTransform{Scale: [2]float32{2, 3}})
	s = back["nodes"]
	same("scene of nodes", s.Native, native("scene"))
	same("detached", len(s.Detached), 2)
	root := find(t, "node", s.Roots, func(n *asset.Node) bool { return n.Name == "root" })
	hard := find(t, "node", root.Children, func(n *asset.Node) bool { return n.Name == "HpWeapon01" })
	same("hardpoint", []any{hard.Kind, hard.Native}, []any{asset.Hardpoint, native("hp")})
	s = back["skin"]
	same("skin", []any{s.Skins[0].Name, s.Skins[0].Native}, []any{"skin", native("skin")})
	body := find(t, "node", s.Roots[0].Children, func(n *asset.Node) bool { return n.Name == "body" })
	if body.Mesh == nil || body.Skin != s.Skins[0] {
		t.Error("the skinned mesh is not back on its node")
	}
	same("node with a skin", body.Native, native("body"))
	s = back["animations"]
	walk := find(t, "animation", s.Animations, func(a *asset.Animation) bool { return a.Name == "walk" })
	same("animation", walk.Native, native("walk"))
	find(t, "animation", s.Animations, func(a *asset.Animation) bool { return a.Name == "nothing moves" })
	same("levels of detail", names(back["lods"].Roots), names(lods().Roots))
	s = back["empty"]
	hollow := find(t, "mesh", s.Meshes, func(m *asset.Mesh) bool { return m.Name == "empty" })
	same("empty mesh", []any{hollow.Native, hollow.Primitives[0].Native}, []any{native("empty"), native("hollow")})
	for _, m := range speculars().Materials {
		got := find(t, "material", back["specular"].Materials, func(x *asset.Material) bool { return x.Name == m.Name })
		same("specular of "+m.Name, got.Specular, m.Specular)
	}
	for _, l := range lamps().Roots {
		got := find(t, "light", back["lamps"].Roots, func(n *asset.Node) bool { return n.Name == l.Name })
		if got.Light == nil {
			t.Errorf("%s: no light", l.Name)
			continue
		}
		same(l.Name, []any{got.Light.Kind, got.Light.Color, got.Kind}, []any{l.Light.Kind, l.Light.Color, l.Kind})
	}
	same("morph targets that move vertices", back["morph"].Meshes[0].TargetNames, []string{"smile", "frown", "none"})
}

func find[T any](t *testing.T, what string, list []T, f func(T) bool) T {
	t.Helper()
	for _, x := range list {
		if f(x) {
			return x
		}
	}
	t.Fatalf("%s not found", what)
	panic("unreachable")
}

// TestAfterBlender has colours of reflections with what Blender makes of them on base colours.
func TestAfterBlender(t *testing.T) {
	for _, c := range []struct{ color, base, want [3]float32 }{
		{[3]float32{0.4, 0.5, 0.55}, [3]float32{0.1, 0.5, 0.6}, [3]float32{0.402597, 0.502463, 0.527429}},
		{[3]float32{0.6, 0.4, 0.5}, [3]float32{0.9, 0.2, 0.4}, [3]float32{0.547826, 0.431915, 0.465032}},
		{[3]float32{0.448, 0.604, 0}, [3]float32{0.2, 0.5, 0.9}, [3]float32{0.2208, 0.552, 0.9936}}, // no more than its tint
		{[3]float32{0.5, 0.4, 0.8}, [3]float32{0.1, 0.5, 0.6}, [3]float32{0.47, 0.47, 0.47}},        // no less than grey
		{[3]float32{0.1, 0.9, 0.3}, [3]float32{0.5, 0.5, 0.5}, [3]float32{0.6, 0.6, 0.6}},
		{[3]float32{0.1, 0.9, 0.3}, [3]float32{0.75, 0.75, 0.75}, [3]float32{0.6, 0.6, 0.6}},
		{[3]float32{0.3, 0.2, 0.1}, [3]float32{}, [3]float32{0.22, 0.22, 0.22}},
		{[3]float32{}, [3]float32{0.1, 0.5, 0.6}, [3]float32{}},
	} {
		if got := afterBlender(c.color, [4]float32{c.base[0], c.base[1], c.base[2], 1}); !nearColor(got, c.want) || got[0] != got[0] {
			t.Errorf("%v on %v: %v, want %v", c.color, c.base, got, c.want)
		}
	}
	nan := float32(math.NaN())
	for _, c := range []struct {
		a, b [3]float32
		near bool
	}{
		{[3]float32{1, 0, 0}, [3]float32{1.00009, 0, 0}, true}, {[3]float32{0, 1, 0}, [3]float32{0, 1.0002, 0}, false}, {[3]float32{0, 0, 1}, [3]float32{0, 0, 0.9998}, false},
		{[3]float32{25.002}, [3]float32{25}, true}, {[3]float32{25.004}, [3]float32{25}, false}, {[3]float32{0.0002}, [3]float32{}, false}, {[3]float32{0.3, 1}, [3]float32{nan, nan, nan}, true},
	} {
		if nearColor(c.a, c.b) != c.near {
			t.Errorf("%v and %v are near: %t", c.a, c.b, !c.near)
		}
	}
}

// TestRestoreSpecular has reflections as versions of Blender's add-on write them, beside those that usher had written.
func TestRestoreSpecular(t *testing.T) {
	const (
		shown  = `"specularFactor":0.5,"specularColorFactor":[0.402597,0.502463,0.527429]`
		record = `"specularColor":[0.4,0.5,0.55],"specularFactor":0.5`
		white  = `"specularColor":[1,1,1],"specularFactor":0.5`
	)
	was, now := &asset.Specular{Factor: 0.5, Color: [3]float32{0.4, 0.5, 0.55}}, &asset.Specular{Factor: 0.5, Color: [3]float32{0.402597, 0.502463, 0.527429}}
	for _, c := range []struct {
		version, specular, record string
		want                      *asset.Specular // but for its textures
		told                      string
	}{
		{"3.4.50", shown, record, was, ""},
		{"4.0.44", shown, record, was, ""},
		{"4.1.63", shown, record, now, ""},
		{"3.4.50", shown, `"specularColor":[0.4,0.5],"specularFactor":0.5`, now, ""},
		{"3.4.50", shown, `"specularColor":[0.4,0.5,0.55]`, now, ""},
		{"3.4.50", "", white, &asset.Specular{Factor: 0.5, Color: [3]float32{1, 1, 1}}, ""},
		{"3.4.50", "", record, nil, `the specular colour of "m" is not exactly what Blender showed`},
		{"3.4.50", `"specularFactor":0.5,"specularColorFactor":[0.402597,0.502463,0.5]`, record, &asset.Specular{Factor: 0.5, Color: [3]float32{0.402597, 0.502463, 0.5}}, "is not exactly what Blender showed"},
		{"3.4.50", shown + `,"specularColorTexture":{"index":0}`, record, was, `Blender made a texture of the specular colour of "m"`},
		{"3.4.50", shown + `,"specularTexture":{"index":0}`, record, now, `changes specular colours, those of "m" as well`},
		{"3.4.50", shown, record + `,"specularTextures":1`, now, `changes specular colours, those of "m" as well`},
	} {
		extension := `"extensions":{"KHR_materials_specular":{` + c.specular + `}},`
		if c.specular == "" {
			extension = ""
		}
		s, d := told(t, `{"asset":{"version":"2.0","generator":"`+blender+c.version+`"},"images":[{}],"textures":[{"source":0}],"materials":[{"name":"m",
			"pbrMetallicRoughness":{"baseColorFactor":[0.1,0.5,0.6,1]},`+extension+`"extras":{"usher":{"asset":{`+c.record+`}}}}]}`, nil)
		got := s.Materials[0].Specular
		if got != nil {
			got.Texture, got.ColorTexture = nil, nil
		}
		what := c.version + " " + c.specular + " " + c.record
		equal(t, what, got, c.want)
		if all := d.All(); len(all) > 1 || (len(all) == 1) != (c.told != "") || c.told != "" && (all[0].Code != "blender-specular" || all[0].Path != "materials/0" || !strings.Contains(all[0].Msg, c.told)) {
			t.Errorf("%s: told %v, want %q", what, all, c.told)
		}
	}
}

// TestMixedColours: meshes whose colours Blender may have mixed up are counted, and the first is named.
func TestMixedColours(t *testing.T) {
	bin := data([]float64{0, 0, 0}, []byte{255, 0, 0, 255})
	primitive := func(attributes string) string { return `{"mode":0,"attributes":{"POSITION":0` + attributes + `}}` }
	plain, coloured := primitive(""), primitive(`,"COLOR_0":1`)
	for meshes, want := range map[string]string{
		`{"name":"a","primitives":[` + plain + `]}`:                                                                                                               "",
		`{"name":"a","primitives":[` + plain + `]},{"name":"b","primitives":[` + plain + `,` + coloured + `]}`:                                                    "b in 1,",
		`{"name":"a","primitives":[` + coloured + `]},{"name":"b","primitives":[` + coloured + `]},{"name":"c","primitives":[` + coloured + `,` + coloured + `]}`: "a in 3,",
	} {
		_, d := told(t, `{"asset":{"version":"2.0","generator":"`+blender+`3.4.50"},"buffers":[{"byteLength":16}],"bufferViews":[{"buffer":0,"byteLength":16}],"accessors":[
			{"bufferView":0,"componentType":5126,"count":1,"type":"VEC3"},{"bufferView":0,"byteOffset":12,"componentType":5121,"normalized":true,"count":1,"type":"VEC4"}],"meshes":[`+meshes+`]}`, bin)
		got := ""
		for _, x := range d.All() {
			_, count, _ := strings.Cut(x.Msg, ": ")
			got += x.Path + " " + strings.Join(strings.Fields(count)[:2], " ")
		}
		if got != want {
			t.Errorf("%s: told %q, want %q", meshes, got, want)
		}
	}
}
