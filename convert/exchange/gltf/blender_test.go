package gltf

import (
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
