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
