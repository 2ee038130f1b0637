package model

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/gltf"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/u9"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

func writeGLB(t *testing.T, dir, name string, s *asset.Scene) {
	t.Helper()
	var w bytes.Buffer
	u9.Must(t, gltf.Encode(&w, s, gltf.Options{}))
	u9.Must(t, os.WriteFile(filepath.Join(dir, name+".glb"), w.Bytes(), 0o644))
}

func readGLB(t *testing.T, dir, name string) *asset.Scene {
	t.Helper()
	return u9.Do(gltf.Decode(corpus.Bytes(t, filepath.Join(dir, name+".glb")), nil, nil))(t)
}

// What Blender opens and saves without an edit comes back as the same bytes.
func TestBlenderUnedited(t *testing.T) {
	dir := t.TempDir()
	meshes, clips := u9.MeshFiles(t), u9.AnimFiles(t)
	delete(meshes, "large.mesh")
	for name, b := range meshes {
		writeGLB(t, dir, name, u9.Lift(t, Sappear, b, modelEnv(t)))
	}
	for name, b := range clips {
		if len(u9.Lift(t, Anim, b, nil).Animations[0].Channels) == 0 {
			delete(clips, name) // Blender does not keep an animation that moves nothing
			continue
		}
		writeGLB(t, dir, "clip "+name, u9.Lift(t, Anim, b, clipEnv(t)))
	}
	out := corpus.InBlender(t, dir, `
for f in sorted(glob.glob(source + "/*.glb")):
    load(f)
    save(os.path.basename(f))
`)
	for name, b := range meshes {
		corpus.SameBytes(t, name, u9.Lower(t, Sappear, readGLB(t, out, name), nil), b)
	}
	for name, b := range clips {
		corpus.SameBytes(t, name, u9.Lower(t, Anim, readGLB(t, out, "clip "+name), nil), b)
	}
	t.Logf("%d models, %d clips", len(meshes), len(clips))
}

// An edit in Blender is there, and everything else of the record is as it was.
func TestBlenderEdit(t *testing.T) {
	dir := t.TempDir()
	b := corpus.Bytes(t, u9.Synthetic(t, "mesh", "body.mesh"))
	writeGLB(t, dir, "body", u9.Lift(t, Sappear, b, modelEnv(t)))
	out := corpus.InBlender(t, dir, `
load(source + "/body.glb")
mesh = bpy.data.objects["limb_5_lod0"].data
for v in mesh.vertices:
    v.co.z += 3
bpy.data.objects["limb_6"].location.x += 2
save("body.glb")
`)
	before := u9.Do(read.Sappear(b, nil))(t)
	env := &format.Env{Diagnostics: new(schema.Diagnostics)}
	after := u9.Do(read.Sappear(u9.Lower(t, Sappear, readGLB(t, out, "body"), env), nil))(t)
	for i := range before.Limbs {
		x, y := &before.Limbs[i], &after.Limbs[i]
		for k := range x.LODs {
			same := bytes.Equal(u9.Do(write.SappearLOD(&x.LODs[k]))(t), u9.Do(write.SappearLOD(&y.LODs[k]))(t))
			if edited := x.ID == 5 && k == 0; same == edited {
				t.Errorf("limb %d level %d unchanged: %v", x.ID, k, same)
			}
		}
		if moved := x.ID == 6; (x.Position == y.Position) == moved || x.Rotation != y.Rotation && !moved {
			t.Errorf("limb %d stands at %v %v, stood at %v %v", x.ID, y.Position, y.Rotation, x.Position, x.Rotation)
		}
	}
	// Blender shows Z up what glTF holds Y up: its Z is the raw Y here, where no node above turns the axes.
	for _, was := range before.Limbs[2].LODs[0].Vertices {
		if !slices.Contains(after.Limbs[2].LODs[0].Vertices, [3]float32{was[0], was[1] + 3, was[2]}) {
			t.Errorf("vertex %v did not move", was)
		}
	}
	for _, code := range []string{"level-edited", "limb-moved"} {
		if !env.Diagnostics.Has(code) {
			t.Errorf("nothing was said of %s: %v", code, env.Diagnostics.All())
		}
	}
}

// A model made in Blender becomes a record that shows the same triangles.
func TestBlenderNewModel(t *testing.T) {
	out := corpus.InBlender(t, t.TempDir(), `
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.mesh.primitive_monkey_add(location=(1, 2, 3), rotation=(0.3, 0.2, 0.1))
monkey = bpy.context.object
image = bpy.data.images.new("Fur", 32, 32)
image.pixels = [0.5, 0.3, 0.1, 1.0] * (32 * 32)
image.pack()
material = bpy.data.materials.new("Fur")
material.use_nodes = True
node = material.node_tree.nodes.new("ShaderNodeTexImage")
node.image = image
material.node_tree.links.new(node.outputs["Color"], material.node_tree.nodes["Principled BSDF"].inputs["Base Color"])
monkey.data.materials.append(material)
bpy.ops.mesh.primitive_cube_add(size=0.5, location=(0, 0, 1))
bpy.context.object.parent = monkey
bpy.context.object.data.materials.append(material)
save("monkey.glb")
`)
	s := readGLB(t, out, "monkey")
	env := modelEnv(t)
	emitted := 0
	env.Emit = func(name string, content []byte) error {
		emitted++
		u9.Keep(t, name, content)
		return nil
	}
	mesh := u9.Do(read.Sappear(u9.Lower(t, Sappear, s, env), nil))(t)
	checkFaces(t, mesh)
	want := sceneTriangles(s, func(*asset.Node) bool { return true })
	lifted := u9.Do(liftSappear(mesh, nil))(t)
	u9.ThroughGLB(t, "monkey", lifted)
	got := sceneTriangles(lifted, levelZero)
	missing := 0
	for _, w := range want {
		if !slices.ContainsFunc(got, func(g visible) bool { return turned(g, w) }) {
			missing++
		}
	}
	if len(mesh.Limbs) != 2 || mesh.Limbs[1].Parent != mesh.Limbs[0].ID || len(got) != len(want) || len(want) < 900 || missing > 0 || emitted != 1 {
		t.Errorf("%d limbs, %d of %d triangles, %d missing, %d pictures", len(mesh.Limbs), len(got), len(want), missing, emitted)
	}
	if p := mesh.Limbs[0].Position; distance(p, [3]float32{40, 80, 120}) > 1e-3 {
		t.Errorf("the monkey stands at %v", p)
	}
	if fmt.Sprint(mesh.Limbs[1].Scale) != "[1 1 1]" || math.Abs(float64(mesh.SphereRadius)) > 400 {
		t.Errorf("cube %v, sphere %v", mesh.Limbs[1].Scale, mesh.SphereRadius)
	}
}
