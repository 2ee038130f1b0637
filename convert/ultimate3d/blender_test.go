package ultimate3d

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/gltf"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultimate3d"
	"github.com/usher-assets/usher/testdata/corpus"
)

// What Blender opens and saves shows the same as before, and comes back unchanged where Blender keeps what it is made of.
func TestBlenderUnedited(t *testing.T) {
	dir := t.TempDir()
	models := map[string]*ultimate3d.Model{}
	for name, f := range samples {
		models[name] = f(t)
		var w bytes.Buffer
		must(t, gltf.Encode(&w, lift(t, models[name], format.Options{}), gltf.Options{}))
		must(t, os.WriteFile(filepath.Join(dir, name+".glb"), w.Bytes(), 0o644))
	}
	out := corpus.InBlender(t, dir, `
fps = 30
for f in sorted(glob.glob(source + "/*.glb")):
    load(f)
    save(os.path.basename(f))
`)
	for name, m := range models {
		t.Run(name, func(t *testing.T) {
			s, err := gltf.Decode(corpus.Bytes(t, filepath.Join(out, name+".glb")), nil, nil)
			must(t, err)
			d := new(schema.Diagnostics)
			got := lower(t, s, &format.Env{Diagnostics: d})
			if name != "flag" && name != "ball" {
				if !bytes.Equal(mustWrite(t, got), mustWrite(t, m)) {
					t.Errorf("the file is another: %v", d.All())
				}
				return
			}
			// Blender computes the normals of a mesh with shape keys anew, and those at a pole of a ball: they count
			// as an edit.
			before, after := lift(t, m, format.Options{}), lift(t, got, format.Options{})
			for _, at := range []float64{0, 0.1, 0.5, 1} {
				sameSight(t, name, bare(triangles(after, at)), bare(triangles(before, at)), 2e-3)
			}
		})
	}
}

// bare removes the normals.
func bare(list [][3]seen) [][3]seen {
	for i := range list {
		for k := range list[i] {
			list[i][k].normal = [3]float32{}
		}
	}
	return list
}

// A key that is moved in Blender changes its bone's rotation near that time; all else is as it was.
func TestBlenderEditedKey(t *testing.T) {
	dir := t.TempDir()
	m := windmill(t)
	var w bytes.Buffer
	must(t, gltf.Encode(&w, lift(t, m, format.Options{}), gltf.Options{}))
	must(t, os.WriteFile(filepath.Join(dir, "windmill.glb"), w.Bytes(), 0o644))
	out := corpus.InBlender(t, dir, `
fps = 30
load(source + "/windmill.glb")
for action in bpy.data.actions:
    for curve in action.fcurves:
        if "cap" in action.name and curve.data_path.endswith("rotation_quaternion"):
            key = curve.keyframe_points[-1]
            key.co[1] = (0.5, 0.5, 0.5, 0.5)[curve.array_index]
            curve.update()
save("windmill.glb")
`)
	s, err := gltf.Decode(corpus.Bytes(t, filepath.Join(out, "windmill.glb")), nil, nil)
	must(t, err)
	d := new(schema.Diagnostics)
	got := lower(t, s, &format.Env{Diagnostics: d})
	edited := 0
	for i, b := range got.Bones {
		if b.Name == "cap" {
			if reflect.DeepEqual(b.Rotation, m.Bones[i].Rotation) {
				t.Error("the edit did not arrive")
			}
			if !reflect.DeepEqual(b.Rotation[0], m.Bones[i].Rotation[0]) {
				t.Errorf("the first key was %v and is %v", m.Bones[i].Rotation[0], b.Rotation[0])
			}
			b.Rotation = m.Bones[i].Rotation
			edited++
		}
	}
	if edited != 1 || !bytes.Equal(mustWrite(t, got), mustWrite(t, m)) {
		t.Errorf("more than the keys of one bone has changed: %v", d.All())
	}
}
