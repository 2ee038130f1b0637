package unreal

import (
	"bytes"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/gltf"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/testdata/corpus"
)

// levelScript opens a level, edits it and saves it in several ways. Blender's X, Y, Z are the level's −Y, −X, Z.
const levelScript = `
import sys
import numpy
for name, value in (('bool', bool), ('int', int), ('float', float), ('object', object)):
    if name not in numpy.__dict__:
        setattr(numpy, name, value)
import bpy
source, into, lamp, copied, more = sys.argv[sys.argv.index('--') + 1:]

def load():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=source)

def save(name, **more):
    bpy.ops.export_scene.gltf(filepath=into + '/' + name + '.glb', export_format='GLB', export_extras=True, **more)

load()
save('same')
save('lights', export_lights=True)
save('zup', export_yup=False)
save('bare')
bpy.ops.export_scene.gltf(filepath=into + '/bare.glb', export_format='GLB', export_lights=True)
top = bpy.data.objects.new('Stand', None)
bpy.context.collection.objects.link(top)
top.location = (1, 2, 3)
root = next(o for o in bpy.data.objects if o.parent is None and o != top)
root.parent = top
save('stand')

load()
light = bpy.data.objects[lamp]
light.location.z += 32
light.children[0].data.color = (1, 0, 0)
other = bpy.data.objects[more].children[0]
twin = other.copy()
twin.location.x += 48
bpy.context.collection.objects.link(twin)
twin = bpy.data.objects[copied].copy()
twin.location.x += 64
bpy.context.collection.objects.link(twin)
save('edited', export_lights=True)
load()
for c in list(bpy.data.objects[lamp].children):
    bpy.data.objects.remove(c, do_unlink=True)
bpy.data.objects.remove(bpy.data.objects[lamp], do_unlink=True)
save('deleted')
load()
bpy.data.objects.remove(bpy.data.objects[lamp].children[0], do_unlink=True)
save('switched', export_lights=True)
`

// TestBlenderLevel: a level that Blender opens and saves comes back as it was, however it is saved; what is edited there
// is the only difference.
func TestBlenderLevel(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Run("made", func(t *testing.T) { testBlenderLevel(t, "Hall.unr", written(t, hall(t, 69))) })
	t.Run("corpus", func(t *testing.T) {
		dir := corpus.Folder(t, "unreal")
		testBlenderLevel(t, "MA-Revenge.unr", corpus.Bytes(t, dir+"/MA-Revenge.unr"))
	})
}

func testBlenderLevel(t *testing.T, name string, b []byte) {
	blender := corpus.Blender(t)
	a := openBytes(t, name, b)
	lit := map[string]bool{}
	lifted(t, a, "MyLevel").(*asset.Scene).Walk(func(n, _ *asset.Node) { lit[n.Name] = lampNode(n) != nil && len(n.Children) == 1 })
	light, start := "", loose(t, a, "PlayerStart")
	if start == "" {
		start = loose(t, a, "Camera")
	}
	more := ""
	for i, e := range a.Entries() {
		if k, err := a.export(i); err == nil && a.ClassName(unreal.Ref(k+1)) == "Light" && lit[e.Path] {
			light, more = more, e.Path
		}
	}
	want := map[string][]string{
		"same": nil, "lights": nil, "zup": nil, "bare": nil, "stand": nil,
		"edited":   {"+" + start + "_001", "+" + more + "_light_001", light, "MyLevel"},
		"deleted":  append(namers(t, a, light), "-"+light),
		"switched": append(namers(t, a, light), "-"+light),
	}
	dir := t.TempDir()
	var w bytes.Buffer
	if err := gltf.Encode(&w, lifted(t, a, "MyLevel").(*asset.Scene), gltf.Options{}); err != nil {
		t.Fatal(err)
	}
	source := filepath.Join(dir, "source.glb")
	if err := os.WriteFile(source, w.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(dir, "script.py")
	if err := os.WriteFile(script, []byte(levelScript), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(blender, "-b", "--factory-startup", "--python-exit-code", "1", "-P", script, "--", source, dir, light, start, more).CombinedOutput(); err != nil {
		t.Fatalf("Blender: %v\n%s", err, out)
	}
	for saved, want := range want {
		t.Run(saved, func(t *testing.T) {
			content, err := os.ReadFile(filepath.Join(dir, saved+".glb"))
			if err != nil {
				t.Fatal(err)
			}
			s, err := gltf.Decode(content, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			now := checked(t, scenedWith(t, openBytes(t, name, b), s))
			if got := deeds(t, a, now); got != sortedWords(want) {
				t.Errorf("changed: %s\nwant: %s", got, sortedWords(want))
			}
			if saved != "edited" {
				return
			}
			was, is := actorAt(t, a, light), actorAt(t, now, light)
			if is[0] != was[0] || is[1] != was[1] || math.Abs(float64(is[2]-was[2]-32)) > 1.0/256 {
				t.Errorf("the light was at %v, and is at %v", was, is)
			}
			o, err := now.Object(entry(t, now, light))
			if err != nil {
				t.Fatal(err)
			}
			if o.Base().Number("LightHue", 0) != 0 || o.Base().Number("LightSaturation", 255) != 0 {
				t.Errorf("hue %d, saturation %d", o.Base().Number("LightHue", 0), o.Base().Number("LightSaturation", 255))
			}
		})
	}
}

func actorAt(t testing.TB, a *archive, path string) [3]float32 {
	t.Helper()
	i, err := a.export(entry(t, a, path))
	if err != nil {
		t.Fatal(err)
	}
	o, err := a.Object(i)
	if err != nil {
		t.Fatal(err)
	}
	return property3(o.Base(), "Location", [3]float32{})
}

func sortedWords(list []string) string {
	words := map[string]bool{}
	for _, s := range list {
		words[s] = true
	}
	return strings.Join(sortedKeys(words), " ")
}
