package unreal

// Level is the list of a map's actors (reference sections 12.3 and 19).
type Level struct {
	Object
	Capacity    int32
	Actors      []Ref // 0 occurs
	URL         URL
	Model       Ref
	ReachSpecs  []ReachSpec
	TimeSeconds float32
	First       Ref      // first deleted actor
	Blocks      [16]Ref  // text blocks
	Travel      [][2]Str // keys and values; from TravelVersion on
	NoValues    bool     // before PairedVersion: there is not even the count of values, which the engine wants
}

// URL is the address of a level.
type URL struct {
	Protocol, Host, Map, Portal Str
	Options                     []Str
	Port, Valid                 int32
}

// ReachSpec is a connection between two navigation points.
type ReachSpec struct {
	Distance              int32
	Start, End            Ref
	Radius, Height, Flags int32
	Pruned                uint8
}
