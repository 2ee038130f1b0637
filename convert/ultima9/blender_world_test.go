package ultima9

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/usher-assets/usher/convert/gltf"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
)

// A map that Blender opens and saves comes back as the same three files; what is edited there is the only difference.
func TestBlenderRegion(t *testing.T) {
	dir := t.TempDir()
	s, _ := regionScene(t)
	_, glb := glbOf(t, s)
	must(t, os.WriteFile(filepath.Join(dir, "region.glb"), glb, 0o644))
	out := blender(t, dir, `
load(source + "/region.glb")
save("same.glb")
ground = bpy.data.objects["ground"].data
for v in ground.vertices: # Blender turns the raw axes: its Z is Y here, and its Y is minus the height
    if abs(v.co.x - 2560) < 1 and abs(v.co.z - 1280) < 1:
        v.co.y -= 400
objects = [o for o in bpy.data.objects if "_fixed_" in o.name]
objects.sort(key=lambda o: o.name)
objects[0].location.x += 1
bpy.data.objects.remove(objects[1], do_unlink=True)
copy = objects[2].copy()
copy.location.x += 40
bpy.context.collection.objects.link(copy)
save("edited.glb")
`)
	open := func(name string) *asset.Scene {
		return do(gltf.Decode(corpus.Bytes(t, filepath.Join(out, name)), nil, nil))(t)
	}
	fixed := corpus.Bytes(t, synthetic(t, "install/static/fixed.9"))
	nonfixed := corpus.Bytes(t, synthetic(t, "install/runtime/nonfixed.9"))
	terrain := corpus.Bytes(t, synthetic(t, "install/static/terrain.9"))
	same := open("same.glb")
	corpus.SameBytes(t, "fixed.9", lowered(t, &fixedFormat, same), fixed)
	corpus.SameBytes(t, "nonfixed.9", lowered(t, &nonfixedFormat, same), nonfixed)
	corpus.SameBytes(t, "terrain.9", lowered(t, &terrainFormat, same), terrain)

	edited := open("edited.glb")
	corpus.SameBytes(t, "nonfixed.9 beside edits", lowered(t, &nonfixedFormat, edited), nonfixed)
	before, after := objectsIn(t, &fixedFormat, fixed), objectsIn(t, &fixedFormat, lowered(t, &fixedFormat, edited))
	kept := 0
	for at, o := range before {
		if g, ok := after[at]; ok && sameFields(&o, &g) {
			kept++
		}
	}
	if len(after) != len(before) || kept != len(before)-2 {
		t.Errorf("%d objects of %d, %d as they were", len(after), len(before), kept)
	}
	old := do(terrainFormat.Read(terrain, nil))(t).(*ultima9.Terrain).Grid()
	changed := 0
	for i, p := range do(terrainFormat.Lower(edited, nil))(t).(*ultima9.Terrain).Grid() {
		if p != old[i] {
			changed++
			if p != old[i].WithHeight(old[i].Height()+100) {
				t.Errorf("point %d is %08x, was %08x", i, uint32(p), uint32(old[i]))
			}
		}
	}
	if changed != 1 {
		t.Errorf("%d points changed", changed)
	}
}
