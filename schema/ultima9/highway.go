package ultima9

// Sizes of highway.dat.
const (
	HighwayPointSize = 12
	HighwayRouteSize = 10 // before its path
)

// Highway is highway.dat: the roads that characters walk (reference section 11.4).
type Highway struct {
	Points   []HighwayPoint
	Routes   []HighwayRoute
	Trailing []byte `json:",omitempty"`
}

// HighwayPoint is a place, in raw world units.
type HighwayPoint struct{ ID, X, Y uint32 }

// HighwayRoute is a way between two points.
type HighwayRoute struct {
	Start, End uint16 // point ids
	Distance   uint16
	Unknown08  uint16   // 0
	Path       []uint16 // point ids, Start and End among them
}
