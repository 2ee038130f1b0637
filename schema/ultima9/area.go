package ultima9

import "github.com/usher-assets/usher/schema"

// AreaKind is the only kind of area whose layout is known.
const AreaKind = 1

// AreaFlags says what an area does.
type AreaFlags uint32

// Area flags.
const (
	AreaTrigger   AreaFlags = 1
	AreaEncounter AreaFlags = 2
)

var areaBits = schema.Bits[AreaFlags]{schema.Flag(0, "trigger"), schema.Flag(1, "encounter")}

// String returns the flags in words.
func (f AreaFlags) String() string { return areaBits.Text(f) }

// MarshalText implements encoding.TextMarshaler.
func (f AreaFlags) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (f *AreaFlags) UnmarshalText(b []byte) error { return areaBits.Parse(b, f) }

// Area is a record of areas.flx: a region that starts something (reference section 11.5).
type Area struct {
	Kind      int32
	Opaque    []byte `json:",omitempty"` // the rest of a record of another kind; all fields below are unused then
	ID        int32
	Position  AreaPosition
	Flags     AreaFlags
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
