package ultima9

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/gltf"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/u9"
)

// inBlender is the edit as a script. Blender turns the axes of each node: raw x, y, z are its x, −z, y.
func (e objectEdit) inBlender(f *format.Format) string {
	name := f.Name[len("u9-"):]
	object := func(o *ultima9.Object) string {
		return fmt.Sprintf("next(o for o in bpy.data.objects if o.name.endswith('_%s_%x'))", name, o.Offset)
	}
	return fmt.Sprintf(`
%[1]s.location.y = -%[2]d
far = %[3]s
far.location.x, far.location.z = %[4]d, %[5]d
far.rotation_mode = "QUATERNION"
far.rotation_quaternion = (0.8, 0, -0.6, 0)
def drop(o):
    for c in list(o.children):
        drop(c)
    bpy.data.objects.remove(o, do_unlink=True)
drop(%[6]s)
made = bpy.data.objects.new("type_%[7]d", None)
bpy.context.collection.objects.link(made)
made.parent = bpy.data.objects["u9_%[8]s"]
made.location = (%[9]d, -%[11]d, %[10]d)
`, object(e.near), e.nearZ, object(e.far), e.farX, e.farY, object(e.gone), e.madeType, name, e.made[0], e.made[1], e.made[2])
}

// A map that Blender opens and saves comes back as the same three files; what is edited there is the only difference.
func TestBlenderRegion(t *testing.T) {
	eachInstall(t, func(t *testing.T, i install) {
		dir := t.TempDir()
		_, glb := i.region(t)
		u9.Must(t, os.WriteFile(filepath.Join(dir, "region.glb"), glb, 0o644))
		script := `
load(source + "/region.glb")
save("same.glb")
ground = bpy.data.objects["ground"].data
for v in ground.vertices:
    if abs(v.co.x - 2560) < 1 and abs(v.co.z - 1408) < 1:
        v.co.y -= 400
`
		formats := []*format.Format{&fixedFormat, &nonfixedFormat}
		var edits []objectEdit
		for _, f := range formats {
			edits = append(edits, newObjectEdit(u9.Do(f.Read(i.file(t, f.Name[len("u9-"):]), nil))(t).(*ultima9.ObjectFile)))
			script += edits[len(edits)-1].inBlender(f)
		}
		out := corpus.InBlender(t, dir, script+"save(\"edited.glb\")\n")
		open := func(name string) *asset.Scene {
			return u9.Do(gltf.Decode(corpus.Bytes(t, filepath.Join(out, name)), nil, nil))(t)
		}
		same, edited := open("same.glb"), open("edited.glb")
		for k, f := range formats {
			name := f.Name[len("u9-"):]
			corpus.SameBytes(t, name, lowered(t, f, same), i.file(t, name))
			edits[k].check(t, name, f, i.file(t, name), lowered(t, f, edited))
		}
		terrain := i.file(t, "terrain")
		corpus.SameBytes(t, "terrain", lowered(t, &terrainFormat, same), terrain)
		old := u9.Do(terrainFormat.Read(terrain, nil))(t).(*ultima9.Terrain).Grid()
		changed := 0
		for k, p := range u9.Do(terrainFormat.Lower(edited, nil))(t).(*ultima9.Terrain).Grid() {
			if p != old[k] {
				changed++
				if p != old[k].WithHeight(old[k].Height()+100) {
					t.Errorf("point %d is %08x, was %08x", k, uint32(p), uint32(old[k]))
				}
			}
		}
		if changed != 1 {
			t.Errorf("%d points changed", changed)
		}
	})
}
