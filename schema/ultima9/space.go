package ultima9

import "github.com/usher-assets/usher/schema"

// Sizes of spaces.flx.
const (
	SpaceNameSize = 32
)

// Space is a record of spaces.flx: a room bounded by planes, with portals into others (reference section 11.6).
type Space struct {
	Name       FixedText // 32 bytes
	Map        int32
	Audio      AudioCode
	DrawOrder  int32
	Visibility int16
	Unknown32  int16
	Number     int16
	Flags      SpaceFlags
	Planes     []SpacePlane
	Trailing   []byte `json:",omitempty"`
}

// SpaceFlags is a set of properties of a space.
type SpaceFlags uint16

var spaceBits = schema.Bits[SpaceFlags]{schema.Flag(0, "hide-outside")}

// String returns the flags in words.
func (f SpaceFlags) String() string { return spaceBits.Text(f) }

// MarshalText implements encoding.TextMarshaler.
func (f SpaceFlags) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (f *SpaceFlags) UnmarshalText(b []byte) error { return spaceBits.Parse(b, f) }

// AudioCode names the sounds of a space.
type AudioCode uint32

var audioBits = schema.Bits[AudioCode]{
	schema.Number(0, 9, "environment"),
	schema.Number(9, 13, "template"),
	schema.Flag(30, "has-environment"),
	schema.Flag(31, "has-template"),
}

// String returns the code in words.
func (a AudioCode) String() string { return audioBits.Text(a) }

// MarshalText implements encoding.TextMarshaler.
func (a AudioCode) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (a *AudioCode) UnmarshalText(b []byte) error { return audioBits.Parse(b, a) }

// Template returns the slot of sfxtmpl.flx; ok is false if there is none.
func (a AudioCode) Template() (slot int, ok bool) { return int(a >> 9 & 0x1FFF), a>>31 != 0 }

// Environment returns the slot of sfxenv.flx; ok is false if there is none.
func (a AudioCode) Environment() (slot int, ok bool) { return int(a & 0x1FF), a>>30&1 != 0 }

// SpacePlane bounds a space.
type SpacePlane struct {
	// Pointer is the word before the plane that says that one follows: a run-time address, never 0. The writer takes 1
	// for 0.
	Pointer uint32 `unwritten:"0 counts as 1"`
	Point   [3]float32
	Normal  [3]float32
	W       float32
	Tail    int32
	Portals []SpacePortal
}

// SpacePortal is an opening in a plane.
type SpacePortal struct {
	Pointer   uint32 `unwritten:"0 counts as 1" record:"-"` // as SpacePlane.Pointer
	Corners   [4][3]float32
	Target    int32 // number of the space behind
	Range     float32
	Unknown3C int32
	Flags     Flags
}
