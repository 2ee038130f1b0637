package scene

import (
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema/asset"
)

func TestRenamed(t *testing.T) {
	long := strings.Repeat("ä", 40)
	for _, c := range []struct {
		was, now string
		want     bool
	}{
		{"wing", "wing", false}, {"wing", "wing.001", false}, {"wing", "fin", true}, {"wing", "wing.0012", true}, {"wing", "win.001", true},
		{"wing", "", false}, {"", ".001", false}, {"", "fin", true},
		{"wing.001", "wing.001", false}, {"wing.001", "wing.002", true}, {"wing.001", "wing", true},
		{long, long[:62], false}, {long, long[:58] + ".001", false}, {long, long[:30], true},
		{"left wing [1].a", "left_wing_1a", false}, {"left wing", "right_wing", true},
	} {
		if got := Renamed(c.was, c.now); got != c.want {
			t.Errorf("%q to %q: %v", c.was, c.now, got)
		}
	}
}

func TestLevelName(t *testing.T) {
	for _, c := range []struct {
		name, of string
		level    int
		ok       bool
	}{
		{"wing$lod1", "wing", 1, true}, {"wing$lod12.001", "wing.001", 12, true}, {"wing$lod0", "wing", 0, false}, {"wing$lod", "wing", 0, false},
		{"wing", "", 0, false}, {"a$lod1$lod2", "a$lod1", 2, true},
	} {
		if of, level, ok := LevelName(c.name); ok != c.ok || ok && (of != c.of || level != c.level) {
			t.Errorf("%s: %q %d %v", c.name, of, level, ok)
		}
	}
	if !isHull(asset.NewNode("a$hull.001")) || isHull(asset.NewNode("hull")) {
		t.Error("hulls")
	}
}

func TestIsLimb(t *testing.T) {
	for name, want := range map[string]bool{
		"limb_0": true, "limb_12": true, "limb_3_lod0": true, "limb_3_mount": true,
		"limb_": false, "limb_x": false, "limb_1_": false, "limb_1_lod": false, "limb_1_upper": false, "limb_1x": false, "my limb_1": false, "limb": false,
	} {
		if got := IsLimb(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestPiece(t *testing.T) {
	for name, want := range map[string]string{"hull_2": "hull", "hull_2_13": "hull_2", "hull": "", "hull_": "", "hull_a": "", "_1": ""} {
		if got, ok := Piece(name); got != want || ok != (want != "" || name == "_1") {
			t.Errorf("%s: %q, %v", name, got, ok)
		}
	}
}
