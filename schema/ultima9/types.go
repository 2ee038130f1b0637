package ultima9

import "github.com/usher-assets/usher/schema"

// Sizes of types.dat (reference section 10.1).
const (
	TypeCount     = 8192
	TypeSize      = 16
	TypesFileSize = 8 + TypeSize*TypeCount
)

// Types is types.dat: what the game knows of each type of object, and the model that shows it.
type Types struct {
	Active   uint32 // types in use; later records are spare
	NPCs     uint32 // types that are characters
	Records  []Type // TypeCount of them
	Trailing []byte // bytes after the records
}

// Type is a record of types.dat.
type Type struct {
	Pointer   uint32    // run-time residue, 0 or CDCDCDCDh
	Base      uint16    // type id that this one derives from
	Model     uint16    // slot of sappear.flx
	Flags     TypeFlags // see below
	Weight    uint8     // 255 cannot be dragged, 254 and more cannot be carried
	Volume    uint8
	Book      uint8 // unused
	HitPoints uint8
	Mask      uint16 // run-time residue, 0
}

// TypeFlags is a set of properties of a type.
type TypeFlags uint16

// The type flags.
const (
	TypeNeverHidden TypeFlags = 1 << iota
	TypeNPCCollisionOnly
	TypePartialCollision
	TypeNoCameraBlock
	TypePortalBlocker
	TypeFinalArt
	TypeOptionalDetail
	TypeContainer
	TypeMeshCollision
)

var typeBits = schema.Bits[TypeFlags]{
	schema.Flag(0, "never-hidden"),
	schema.Flag(1, "npc-only-collision"),
	schema.Flag(2, "partial-collision"),
	schema.Flag(3, "non-camera-block"),
	schema.Flag(4, "portal-block"),
	schema.Flag(5, "final-art"),
	schema.Flag(6, "optional-detail"),
	schema.Flag(7, "container"),
	schema.Flag(8, "mesh-collision"),
}

// String returns the flags in words.
func (f TypeFlags) String() string { return typeBits.Text(f) }

// MarshalText implements encoding.TextMarshaler.
func (f TypeFlags) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (f *TypeFlags) UnmarshalText(b []byte) error { return typeBits.Parse(b, f) }
