package freelancer

import (
	"slices"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
)

// Hardpoint writes a hardpoint into its directory, names the directory, and moves it to the group of its kind. A hardpoint
// without a directory gets one below the part's Hardpoints. Leaves with the right content are not touched. It fails with
// ErrValue for a hardpoint without a name, and with ErrMismatch if its directory does not belong to the part.
func Hardpoint(part *freelancer.Node, h *freelancer.Hardpoint) error {
	group, moved := h.Group(), false
	if h.Node == nil {
		if h.Name == "" {
			return schema.Errorf(freelancer.Format, schema.ErrValue, "hardpoint", "it has no name")
		}
		h.Node = part.Dir("Hardpoints").Dir(group).Add(freelancer.NewDir(h.Name))
	} else {
		var err error
		if moved, err = moveHardpoint(part, h, group); err != nil {
			return err
		}
	}
	f, fresh := fields{n: h.Node}, len(h.Node.Children) == 0
	if fresh || f.has("Orientation") || h.Orientation != freelancer.Identity3 {
		f.floats("Orientation", h.Orientation[:]...)
	}
	if fresh || f.has("Position", h.Position[:]...) {
		f.floats("Position", h.Position[:]...)
	}
	turns := h.Revolute && (fresh || moved)
	if turns || f.has("Axis") || h.Axis != [3]float32{0, 1, 0} {
		f.floats("Axis", h.Axis[:]...)
	}
	if turns || f.has("Min", h.Min) {
		f.floats("Min", h.Min)
	}
	if turns || f.has("Max", h.Max) {
		f.floats("Max", h.Max)
	}
	return nil
}

// moveHardpoint gives a hardpoint's directory its name, and takes it to the group of its kind. One that lies right below
// Hardpoints counts as fixed, and stays there as long as it is.
func moveHardpoint(part *freelancer.Node, h *freelancer.Hardpoint, group string) (moved bool, err error) {
	if err := rename(h.Node, "hardpoint", h.Name); err != nil {
		return false, err
	}
	all := part.Child("Hardpoints")
	if all == nil {
		return false, notOfPart(h)
	}
	from, revolute := all, false
	if !slices.Contains(all.Children, h.Node) {
		i := slices.IndexFunc(all.Children, func(n *freelancer.Node) bool { return slices.Contains(n.Children, h.Node) })
		if i < 0 {
			return false, notOfPart(h)
		}
		from = all.Children[i]
		revolute = freelancer.SameName(from.Name, "Revolute")
	}
	if revolute == h.Revolute {
		return false, nil
	}
	from.Remove(h.Node)
	all.Dir(group).Add(h.Node)
	return true, nil
}

func notOfPart(h *freelancer.Hardpoint) error {
	return schema.Errorf(freelancer.Format, schema.ErrMismatch, "hardpoint", "the directory of %q is not one of the part's", h.Name)
}
