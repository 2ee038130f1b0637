package freelancer_test

import (
	"bytes"
	"testing"

	"github.com/usher-assets/usher/schema"
)

// TestLostNormals: a normal that points up where Blender loses one is as it was; that of another program, and those of whole
// triangles, somebody has turned.
func TestLostNormals(t *testing.T) {
	fm := byName(t, "cmp")
	stored := lower(t, fm, "ship.cmp", ship(), nil)
	for _, c := range []struct {
		name, generator string
		corners         int // of a side of the wing, which is two triangles
		same, told      bool
	}{
		{"none", "Khronos glTF Blender I/O v4.2.0", 0, true, false},
		{"one", "Khronos glTF Blender I/O v4.2.0", 1, true, true},
		{"two", "Khronos glTF Blender I/O v4.2.0", 2, true, true},
		{"those of a whole side", "Khronos glTF Blender I/O v4.2.0", 6, false, false},
		{"one of another program", "an editor", 1, false, false},
	} {
		s := fromGLB(t, glb(t, lift(t, fm, "ship.cmp", stored, nil), nil))
		s.Generator = c.generator
		_, n := where(s)
		p := n["wing"].Mesh.Primitives[0]
		k := 0
		for p.Normals[p.Indices[k]][1] > 0 {
			k += 3
		}
		for _, i := range p.Indices[k : k+c.corners] {
			p.Normals[i] = [3]float32{0, 1, 0}
		}
		d := new(schema.Diagnostics)
		if now := lower(t, fm, "ship.cmp", s, d); bytes.Equal(now, stored) != c.same || d.Has("normals-restored") != c.told {
			t.Errorf("%s: the file is the same: %v, told %v", c.name, bytes.Equal(now, stored), d.All())
		}
	}
}
