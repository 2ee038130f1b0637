package ultima9

// AreaKind is the only kind of area whose layout is known.
const AreaKind = 1

// Area flags.
const (
	AreaTrigger   = 1
	AreaEncounter = 2
)

// Area is a record of areas.flx: a region that starts something (reference section 11.5).
type Area struct {
	Kind      int32
	Opaque    []byte `json:",omitempty"` // the rest of a record of another kind; all fields below are unused then
	ID        int32
	Position  AreaPosition
	Flags     uint32     // AreaTrigger, AreaEncounter
	Chance    int32      // percent
	Encounter *Encounter `json:",omitempty"` // present with AreaEncounter
	WeightSum int32
	Map       int32
	Boxes     []AreaBox // 1 to 8
	Trailing  []byte    `json:",omitempty"`
}

// AreaPosition is a place in raw world units.
type AreaPosition struct {
	X, Y  int32
	Z     int16
	Pad0A [2]uint8
}

// AreaBox is a box between two corners.
type AreaBox struct{ Min, Max AreaPosition }

// Sizes of areas.
const (
	AreaBoxSize = 24
	AreaMax     = 8 // boxes
)

// Encounter is who may appear.
type Encounter struct {
	Unknown00 int32
	Count     int32
	Entries   [12]EncounterEntry
	Unknown38 int32
	Unknown3C uint16
}

// EncounterEntry is one kind of creature.
type EncounterEntry struct{ Type, Weight uint16 }
