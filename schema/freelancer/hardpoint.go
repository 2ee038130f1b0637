package freelancer

// Hardpoint is a place on a part where something attaches (reference section 6.1).
type Hardpoint struct {
	Name        string
	Revolute    bool       // turns about Axis from Min to Max, else fixed
	Position    [3]float32 // metres, in the part's frame; zero when the leaf is missing
	Orientation [9]float32 // rows of the rotation; identity when the leaf is missing
	Axis        [3]float32 // +Y when the leaf is missing
	Min, Max    float32    // radians
	Node        *Node      `json:"-" unwritten:"where it is written"` // its directory
}

// Group returns the name of the directory that holds hardpoints of its kind.
func (h *Hardpoint) Group() string {
	if h.Revolute {
		return "Revolute"
	}
	return "Fixed"
}

// Identity3 is the rotation that changes nothing.
var Identity3 = [9]float32{1, 0, 0, 0, 1, 0, 0, 0, 1}
