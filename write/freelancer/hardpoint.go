package freelancer

import "github.com/usher-assets/usher/schema/freelancer"

// Hardpoint writes a hardpoint's leaves into its directory; one without a directory gets its own below the part's
// Hardpoints. Leaves that hold the same already are left as they are.
func Hardpoint(part *freelancer.Node, h *freelancer.Hardpoint) {
	if h.Node == nil {
		h.Node = part.Dir("Hardpoints").Dir(HardpointGroup(h)).Add(freelancer.NewDir(h.Name))
	}
	f, fresh := fields{n: h.Node}, len(h.Node.Children) == 0
	if fresh || f.has("Orientation") || h.Orientation != freelancer.Identity3 {
		f.floats("Orientation", h.Orientation[:]...)
	}
	if fresh || f.has("Position", h.Position[:]...) {
		f.floats("Position", h.Position[:]...)
	}
	if !h.Revolute {
		return
	}
	if fresh || f.has("Axis") || h.Axis != [3]float32{0, 1, 0} {
		f.floats("Axis", h.Axis[:]...)
	}
	if fresh || f.has("Min", h.Min) {
		f.floats("Min", h.Min)
	}
	if fresh || f.has("Max", h.Max) {
		f.floats("Max", h.Max)
	}
}

// HardpointGroup returns the directory that holds a hardpoint of its kind.
func HardpointGroup(h *freelancer.Hardpoint) string {
	if h.Revolute {
		return "Revolute"
	}
	return "Fixed"
}
