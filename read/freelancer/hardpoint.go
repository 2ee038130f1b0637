package freelancer

import (
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
)

// Hardpoint reads the directory of a hardpoint (reference section 6.1).
func Hardpoint(n *freelancer.Node, revolute bool) (*freelancer.Hardpoint, error) {
	n = given(n)
	f := fields{n: n}
	h := &freelancer.Hardpoint{Name: n.Name, Revolute: revolute, Node: n, Orientation: freelancer.Identity3, Axis: [3]float32{0, 1, 0}}
	h.Position = f.vec3("Position")
	if f.has("Orientation") {
		h.Orientation = f.matrix3("Orientation")
	}
	if f.has("Axis") {
		h.Axis = f.vec3("Axis")
	}
	h.Min, h.Max = f.float("Min"), f.float("Max")
	return h, f.err
}

// Hardpoints reads the hardpoints of a part in stored order. Directories directly below Hardpoints are read as fixed ones.
func Hardpoints(part *freelancer.Node) ([]*freelancer.Hardpoint, error) {
	dir := part.Child("Hardpoints")
	if dir == nil {
		return nil, nil
	}
	var list []*freelancer.Hardpoint
	add := func(n *freelancer.Node, revolute bool) error {
		h, err := Hardpoint(n, revolute)
		if err != nil {
			return schema.In(part.Name+`\Hardpoints`, err)
		}
		list = append(list, h)
		return nil
	}
	for _, group := range dir.Children {
		revolute := freelancer.SameName(group.Name, "Revolute")
		switch {
		case revolute || freelancer.SameName(group.Name, "Fixed"):
			for _, n := range group.Children {
				if err := add(n, revolute); err != nil {
					return nil, err
				}
			}
		case group.Child("Orientation") != nil || group.Child("Position") != nil:
			if err := add(group, false); err != nil {
				return nil, err
			}
		}
	}
	return list, nil
}
