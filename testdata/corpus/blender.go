package corpus

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// probe saves a cube and opens it again, as the tests' own scripts do: where that fails, the add-on does not run.
const probe = `
import sys, bpy, numpy
for name, value in (("bool", bool), ("int", int), ("float", float), ("object", object)):
    if name not in numpy.__dict__:
        setattr(numpy, name, value)
bpy.ops.export_scene.gltf(filepath=sys.argv[-1], export_format="GLB")
bpy.ops.import_scene.gltf(filepath=sys.argv[-1])
`

var probed = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "probe")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	script := filepath.Join(dir, "probe.py")
	if err := os.WriteFile(script, []byte(probe), 0o666); err != nil {
		return nil, err
	}
	return exec.Command("blender", "--background", "--factory-startup", "--python-exit-code", "1", "--python", script, "--", filepath.Join(dir, "cube.glb")).CombinedOutput()
})

// Blender returns the path of Blender. The test is skipped with -short, where Blender is not installed, and where its
// glTF add-on cannot save and open a cube. Whatever fails after that is a failure of the test.
func Blender(t testing.TB) string {
	t.Helper()
	if testing.Short() {
		t.Skip("Blender takes seconds; run without -short")
	}
	program, err := exec.LookPath("blender")
	if err != nil {
		t.Skip("Blender is not installed: no program of that name on the PATH")
	}
	if out, err := probed(); err != nil {
		t.Skipf("Blender's glTF add-on cannot save and open a cube here: %v\n%s", err, out)
	}
	return program
}

// scriptStart makes the add-on of Debian's Blender 3.4 run beside its newer numpy, gives the arguments their names, and opens
// and saves files as editors of models do.
const scriptStart = `
import sys, os, glob, bpy
import numpy
for name, value in (("bool", bool), ("int", int), ("float", float), ("object", object)):
    if name not in numpy.__dict__:
        setattr(numpy, name, value)
source, target = sys.argv[sys.argv.index("--") + 1:][:2]
fps = 24
def load(path):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = fps
    bpy.ops.import_scene.gltf(filepath=path)
def save(name):
    bpy.ops.export_scene.gltf(filepath=os.path.join(target, name), export_format="GLB", export_extras=True, export_cameras=True)
`

// InBlender runs a script over the folder source and returns the folder that it wrote to. The script may load(path), save(name)
// into that folder, and set fps. The test is skipped as by [Blender].
func InBlender(t testing.TB, source, script string) string {
	t.Helper()
	program := Blender(t)
	target := t.TempDir()
	path := filepath.Join(target, "script.py")
	if err := os.WriteFile(path, []byte(scriptStart+script), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "--background", "--factory-startup", "--python-exit-code", "1", "--python", path, "--", source, target)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("Blender: %v\n%s", err, out)
	}
	return target
}

// Go returns the path of the program go. The test is skipped with -short and where it is not on the PATH.
func Go(t testing.TB) string {
	t.Helper()
	if testing.Short() {
		t.Skip("runs the compiler")
	}
	program, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go on the PATH")
	}
	return program
}
