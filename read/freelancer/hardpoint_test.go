package freelancer

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/usher-assets/usher/schema/freelancer"
)

func floats(name string, v ...float32) *freelancer.Node {
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return &freelancer.Node{Name: name, Data: b}
}

// What a hardpoint says is read, and what it leaves out is what the engine takes instead (reference section 6.1).
func TestHardpoint(t *testing.T) {
	turned := [9]float32{0, 1, 0, 1, 0, 0, 0, 0, -1}
	for _, tt := range []struct {
		name   string
		leaves []*freelancer.Node
		want   freelancer.Hardpoint
	}{
		{"place only", []*freelancer.Node{floats("Position", 1, 2, 3)},
			freelancer.Hardpoint{Position: [3]float32{1, 2, 3}, Orientation: freelancer.Identity3, Axis: [3]float32{0, 1, 0}}},
		{"all", []*freelancer.Node{floats("Position", 1, 2, 3), floats("Orientation", turned[:]...), floats("Axis", 0, 0, 1), floats("Min", -0.5), floats("Max", 0.75)},
			freelancer.Hardpoint{Position: [3]float32{1, 2, 3}, Orientation: turned, Axis: [3]float32{0, 0, 1}, Min: -0.5, Max: 0.75}},
	} {
		n := &freelancer.Node{Name: "HpGun", Children: tt.leaves}
		got, err := Hardpoint(n, true)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		tt.want.Name, tt.want.Revolute = "HpGun", true
		got.Node = nil
		if diff := cmp.Diff(&tt.want, got); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}
