package freelancer_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	read "github.com/usher-assets/usher/read/freelancer"
	"github.com/usher-assets/usher/schema/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// childNames returns the names of what a directory holds.
func childNames(n *freelancer.Node) string {
	var names []string
	for _, c := range n.Children {
		names = append(names, c.Name)
	}
	return strings.Join(names, ", ")
}

// TestSparseHardpoint holds that the directory of a hardpoint which lacks leaves gets those of values that are not what a
// missing leaf stands for, and that a leaf which is there takes every value.
func TestSparseHardpoint(t *testing.T) {
	changes := map[string]func(h *freelancer.Hardpoint){
		"Orientation": func(h *freelancer.Hardpoint) { h.Orientation[8] = -1 },
		"Position":    func(h *freelancer.Hardpoint) { h.Position[2] = 3 },
		"Axis":        func(h *freelancer.Hardpoint) { h.Axis[1] = 2 },
		"Min":         func(h *freelancer.Hardpoint) { h.Min = -1 },
		"Max":         func(h *freelancer.Hardpoint) { h.Max = 1 },
		"":            func(h *freelancer.Hardpoint) {},
	}
	for leaf, change := range changes {
		n := freelancer.NewDir("HpA", freelancer.NewLeaf("kept", nil))
		part := freelancer.NewDir("part", freelancer.NewDir("Hardpoints", freelancer.NewDir("Revolute", n)))
		plain, err := read.Hardpoint(n, true)
		if err != nil {
			t.Fatal(err)
		}
		changed := *plain
		for _, h := range []*freelancer.Hardpoint{&changed, plain} { // the second time the leaf has the value of a missing one
			if h == &changed {
				change(h)
			}
			if err := write.Hardpoint(part, h); err != nil {
				t.Fatal(err)
			}
			if got, want := childNames(n), strings.TrimSuffix("kept, "+leaf, ", "); got != want {
				t.Errorf("%q: leaves %s, want %s", leaf, got, want)
			}
			again, err := read.Hardpoint(n, true)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(h, again); diff != "" {
				t.Errorf("%q: %s", leaf, diff)
			}
		}
	}
	fixed := freelancer.NewDir("HpB", freelancer.NewLeaf("kept", nil))
	part := freelancer.NewDir("part", freelancer.NewDir("Hardpoints", fixed))
	if err := write.Hardpoint(part, &freelancer.Hardpoint{Name: "HpB", Node: fixed, Orientation: freelancer.Identity3, Axis: [3]float32{0, 1, 0}}); err != nil {
		t.Fatal(err)
	}
	if got := childNames(fixed); got != "kept" {
		t.Errorf("a fixed one: leaves %s", got)
	}
}

// TestSparsePart holds that a part without the names of its object or file gets none where there is none.
func TestSparsePart(t *testing.T) {
	part := freelancer.NewDir("Part_a", freelancer.NewLeaf("Object name", []byte("a\x00")))
	root := freelancer.NewDir(`\`, freelancer.NewDir("Cmpnd", part))
	for file, want := range map[string]string{"": "Object name, Index", "a.3db": "Object name, Index, File name"} {
		part.Children = part.Children[:1]
		part.Add(freelancer.NewLeaf("Index", make([]byte, 4)))
		c, err := read.Compound(root, nil)
		if err != nil {
			t.Fatal(err)
		}
		c.Parts[0].File = file
		if err := write.Compound(root, c); err != nil {
			t.Fatal(err)
		}
		if got := childNames(part); got != want {
			t.Errorf("file %q: leaves %s, want %s", file, got, want)
		}
	}
}

// TestMaterialType holds that the type of a material is what its leaf says from then on, and that it gets one where it has none.
func TestMaterialType(t *testing.T) {
	for _, leaves := range [][]*freelancer.Node{{freelancer.NewLeaf("Type", []byte("Old\x00"))}, nil} {
		m := read.Material(freelancer.NewDir("m", leaves...), nil)
		m.Type = "DcDt"
		if err := write.Material(m); err != nil {
			t.Fatal(err)
		}
		if again := read.Material(m.Node, nil); again.Type != "DcDt" || len(again.Properties) != 1 {
			t.Errorf("%d leaves before: %+v", len(leaves), again)
		}
	}
}
