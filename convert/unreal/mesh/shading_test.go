package mesh

import (
	"testing"

	"github.com/usher-assets/usher/convert/restore"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// TestTellNormals: another normal than the engine's is told, but not of a triangle whose corners lie in a line.
func TestTellNormals(t *testing.T) {
	up, side := [3]float32{0, 0, 1}, [3]float32{1, 0, 0}
	of := func(tip, normal [3]float32) []shadedTriangle {
		return []shadedTriangle{{corners: [3]int{0, 1, 2}, shades: [3]shade{{[3]float32{0, 0, 0}, normal}, {[3]float32{48, 0, 0}, up}, {tip, up}}}}
	}
	for _, c := range []struct {
		name   string
		tip    [3]float32
		normal [3]float32
		want   bool
	}{
		{"the same", [3]float32{0, 10, 0}, up, false},
		{"another", [3]float32{0, 10, 0}, side, true},
		{"one that points up, by no editor that loses them", [3]float32{0, 10, 0}, restore.NoNormal, true},
		{"another of a narrow one", [3]float32{184, 0.1, 0}, side, true},
		{"another of one in a line", [3]float32{184, 0, 0}, side, false},
		{"another of one in a line but for rounding", [3]float32{184, 2.9e-5, 0}, side, false},
	} {
		var d schema.Diagnostics
		was := of(c.tip, up)
		if tellNormals(of(c.tip, c.normal), was, was, false, "p", &d); d.Has("normals") != c.want {
			t.Errorf("%s: told %v, want %v", c.name, d.Has("normals"), c.want)
		}
	}
}

// TestForget: what Blender writes for a normal that it lost says nothing, unless the whole triangle says it.
func TestForget(t *testing.T) {
	none, other := restore.NoNormal, [3]float32{1, 0, 0}
	for _, c := range []struct{ was, want [3][3]float32 }{
		{[3][3]float32{none, other, other}, [3][3]float32{{}, other, other}},
		{[3][3]float32{none, other, none}, [3][3]float32{{}, other, {}}},
		{[3][3]float32{none, none, none}, [3][3]float32{none, none, none}},
		{[3][3]float32{other, other, other}, [3][3]float32{other, other, other}},
	} {
		var tri shadedTriangle
		for k := range tri.shades {
			tri.shades[k].normal = c.was[k]
		}
		tri.forget()
		for k, s := range tri.shades {
			if s.normal != c.want[k] {
				t.Errorf("%v: corner %d has %v", c.was, k, s.normal)
			}
		}
	}
	if losesNormals(&asset.Scene{Generator: "THREE.GLTFExporter r160"}) || !losesNormals(&asset.Scene{Generator: "Khronos glTF Blender I/O v3.4.50"}) {
		t.Error("it takes another program for Blender")
	}
}
