package unreal

import (
	"testing"

	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// The import commands for a mesh of a package are those that it was imported with.
func TestImportText(t *testing.T) {
	for _, c := range []struct {
		m    unreal.Mesh
		want string
	}{
		{unreal.Mesh{Scale: [3]float32{0.5, 0.25, 1}, Origin: [3]float32{10, -20, 30}, RotOrigin: [3]int32{0, -16384, 0}},
			"SCALE X=0.5 Y=0.25 Z=1 and ORIGIN X=10 Y=-20 Z=30 YAW=-64 ROLL=0 PITCH=0"},
		{unreal.Mesh{Scale: [3]float32{1, 1, 2}, RotOrigin: [3]int32{4096, 8192, -2048}},
			"SCALE X=1 Y=1 Z=2 and ORIGIN X=0 Y=0 Z=0 YAW=32 ROLL=-8 PITCH=16"},
	} {
		got := space.Vertex.Placement(&c.m)
		text := importText(got)
		if text != c.want {
			t.Errorf("%q, want %q", text, c.want)
		}
	}
	s := &asset.Scene{Roots: []*asset.Node{asset.NewNode("a"), asset.NewNode("b")}}
	if _, placed := unplaced(s); placed != nil {
		t.Error("an empty scene has a placement")
	}
}
