package ultima9

import "github.com/usher-assets/usher/schema"

// Sizes of NPC records (reference section 11.1).
const (
	NPCSize       = 0x13C
	NPCSpellBytes = 12
)

// NPCs is slot 0 of npc.flx: all characters.
type NPCs struct{ Records []NPC }

// NPC is a character.
type NPC struct {
	Handle              uint32    // pool handle, 0 when free
	Name                FixedText `size:"32"`
	Gender              Gender    // 0 male, 1 female
	MagicTier           uint8
	Armour              uint8
	ArmourModifier      uint8
	Might               int32
	Agility             int32
	Intellect           int32
	Health              uint16
	HealthMax           uint16
	HealthBase          uint16 // maximum before modifiers
	Mana                uint16
	ManaMax             uint16
	ManaBase            uint16
	Unknown040          [4]uint8
	CombatBehaviour     int32 // −1 none
	State               Flags // bits
	Routine             uint16
	FallbackRoutine     uint16
	RoutineArgument     uint16
	MagicResist         uint8
	RoutineWorkers      uint8
	Awareness           uint16
	AwarenessArc        uint8
	AwarenessGuaranteed uint8 // percent
	Region              int32 // map number
	X, Y                int32
	Z                   int16
	Pad066              [2]uint8
	StackDepth          uint8
	StackStep           uint8
	StackArgument       uint16
	Scale               [3]uint8 // percent, of x, y and z
	Unknown06F          uint8
	Equipped            [7]uint32 // objects
	Models              [7]int32  // attached; −1 none
	WeaponCategory      int32
	InvulnerabilityTime uint32
	Movement            int32 // movement behaviour
	Breath              uint16
	BreathMax           uint16
	BreathBase          uint16
	Unknown0BA          [10]uint8
	Traits              Flags // bits
	ImpactMaterial      int32
	Unknown0CC          [20]uint8
	Unknown0E0          uint16
	ProximityEnter      uint16
	ProximityExit       uint16
	QueuedArgument      uint16
	RouteSearches       int32  // a counter
	RoutineEnd          uint16 // minutes
	RoutineStart        uint16 // minutes
	Duration0F0         int32
	Duration0F4         uint32
	QueuedRoutine       int32
	Unknown0FC          [20]uint8
	RoutineStack        [8]uint8
	Spellbook           [NPCSpellBytes]uint8 // bits
	WeaponSkills        [5]int32
	Unknown138          [4]uint8
}

// Gender is that of a character.
type Gender uint8

var genderNames = schema.EnumNames[Gender]{0: "male", 1: "female"}

// String returns the gender's name.
func (g Gender) String() string { return genderNames.Text(g) }

// MarshalText implements encoding.TextMarshaler.
func (g Gender) MarshalText() ([]byte, error) { return []byte(g.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (g *Gender) UnmarshalText(b []byte) error { return genderNames.Parse(b, g) }
