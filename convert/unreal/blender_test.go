package unreal

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/gltf"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/testdata/corpus"
)

// blenderScript imports a file and exports it with custom properties; where it is told to, it moves the vertices at one
// place first, in all shape keys, and bends the first bone that has keys. Newer versions of numpy lack names that
// Blender 3.4 uses.
const blenderScript = `
import sys
import numpy
for name, value in (('bool', bool), ('int', int), ('float', float), ('object', object)):
    if name not in numpy.__dict__:
        setattr(numpy, name, value)
import bpy

def move():
    mesh = next(o for o in bpy.data.objects if o.type == 'MESH').data
    at = mesh.vertices[0].co.copy()
    same = [i for i, v in enumerate(mesh.vertices) if (v.co - at).length < 1e-6]
    for shape in (mesh.shape_keys.key_blocks if mesh.shape_keys else []):
        for i in same:
            shape.data[i].co.z += 3
    for i in same:
        mesh.vertices[i].co.z += 3

def bend():
    for action in bpy.data.actions:
        for curve in action.fcurves:
            if curve.data_path.endswith('location'):
                for key in curve.keyframe_points:
                    key.co.y += 2
                return

names = sys.argv[sys.argv.index('--') + 1:]
for i in range(0, len(names), 3):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=names[i + 1])
    {'-': lambda: None, 'move': move, 'bend': bend}[names[i]]()
    bpy.ops.export_scene.gltf(filepath=names[i + 2], export_format='GLB', export_extras=True)
`

// trip is a mesh on its way through Blender.
type trip struct {
	a          *archive
	path, edit string
	out        string
}

// TestBlender: what nobody edited comes back as it was stored, though Blender samples the animations anew, splits
// vertices and turns the axes of bones; an edit changes what it must.
func TestBlender(t *testing.T) {
	var trips []trip
	for _, edit := range []string{"-", "move", "bend"} {
		trips = append(trips, trip{a: wormPackage(t), path: "Beasts.Worm", edit: edit})
		if edit != "bend" {
			trips = append(trips, trip{a: openBytes(t, "Made.u", written(t, made(t, 69))), path: "Pyramid", edit: edit})
		}
	}
	throughBlender(t, trips)
}

func TestBlenderCorpus(t *testing.T) { throughBlender(t, animated(t)) }

func throughBlender(t *testing.T, trips []trip) {
	blender := corpus.Blender(t)
	dir := t.TempDir()
	args := []string{"-b", "--python-exit-code", "1", "--python", filepath.Join(dir, "script.py"), "--"}
	if err := os.WriteFile(args[4], []byte(blenderScript), 0o644); err != nil {
		t.Fatal(err)
	}
	for i := range trips {
		var w bytes.Buffer
		if err := gltf.Encode(&w, lifted(t, trips[i].a, trips[i].path).(*asset.Scene), gltf.Options{}); err != nil {
			t.Fatal(err)
		}
		in := filepath.Join(dir, "in"+string(rune('a'+i))+".glb")
		trips[i].out = filepath.Join(dir, "out"+string(rune('a'+i))+".glb")
		if err := os.WriteFile(in, w.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		args = append(args, trips[i].edit, in, trips[i].out)
	}
	if out, err := exec.Command(blender, args...).CombinedOutput(); err != nil {
		t.Fatalf("Blender: %v\n%s", err, out)
	}
	for _, x := range trips {
		b, err := os.ReadFile(x.out)
		if err != nil {
			t.Fatal(err)
		}
		s, err := gltf.Decode(b, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		before := payloads(t, x.a)
		after := payloads(t, replaced(t, x.a, x.path, s))
		var changed []string
		for path, b := range after {
			if !bytes.Equal(b, before[path]) {
				changed = append(changed, path)
			}
		}
		want := map[string][]string{"-": nil, "move": {x.path}, "bend": {x.path + "Anim"}}[x.edit]
		if !slices.Equal(changed, want) {
			t.Errorf("%s, edit %q: %q changed, want %q", x.path, x.edit, changed, want)
		}
		if len(after[x.path]) != len(before[x.path]) {
			t.Errorf("%s, edit %q: %d bytes, had %d: its lists were made anew", x.path, x.edit, len(after[x.path]), len(before[x.path]))
		}
	}
}

// animated returns a few animated meshes of the corpus, of different classes.
func animated(t *testing.T) (list []trip) {
	most := map[string]int{"Mesh": 1, "LodMesh": 2, "SkeletalMesh": 2}
	for _, e := range valid(t) {
		if !strings.HasSuffix(e.File, ".u") || strings.Contains(e.Path, "synthetic") {
			continue
		}
		a := openBytes(t, e.File, corpus.Bytes(t, e.Path))
		for i := range a.Exports {
			class := a.Layout(i)
			if most[class] == 0 || a.Exports[i].Size < 20000 {
				continue
			}
			o, err := a.Object(i)
			if err != nil {
				t.Fatal(err)
			}
			if m, ok := o.(*unreal.LodMesh); ok && m.AnimFrames < 2 {
				continue
			}
			most[class]--
			list = append(list, trip{a: a, path: a.entries[i].Path, edit: "-"})
		}
	}
	return list
}
