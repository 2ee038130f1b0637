package ultima9

// The records of the sound control files (reference section 12.6). Trailing holds bytes behind the known layout; there
// are none in files of the game.

// SoundLink is a record of sfxassoc.flx, whose slot is a type number.
type SoundLink struct {
	Template uint32 // slot of sfxtmpl.flx
	Trailing []byte `json:",omitempty" record:"-"`
}

// SoundCategory is a record of sfxcat.flx.
type SoundCategory struct {
	ID       uint8
	Name     FixedText `size:"33"`
	Pad22    [2]uint8
	Count    uint32 // always 0
	Trailing []byte `json:",omitempty" record:"-"`
}

// SoundEnvironment is a record of sfxenv.flx.
type SoundEnvironment struct {
	Profile  uint32 // 0 … 25
	Volume   float32
	Decay    float32 // seconds
	Damping  float32
	Name     FixedText `size:"64"`
	Trailing []byte    `json:",omitempty" record:"-"`
}

// SoundTemplate is a record of sfxtmpl.flx: which sounds something makes.
type SoundTemplate struct {
	ID        uint32
	Name      FixedText `size:"33"`
	Pad25     [3]uint8
	InnerCone uint32 // degrees
	OuterCone uint32 // degrees
	Near, Far uint8
	Pad36     [2]uint8
	Actions   []SoundAction `count:"u32 InnerCone"`
	Trailing  []byte        `json:",omitempty" record:"-"`
}

// SoundAction is what a template's owner can do that makes a sound.
type SoundAction struct {
	Category uint8     // slot of sfxcat.flx
	Name     FixedText `size:"33"`
	Pad22    [2]uint8
	Choices  []SoundChoice `count:"u32"`
}

// SoundChoice is one of the sounds of an action.
type SoundChoice struct {
	Choice           uint8
	Pad01            [3]uint8
	Sound            uint32 // slot of sfx.flx
	Volume           uint8  // percent
	OffAxis          uint8  // percent
	HourFrom, HourTo uint8
	Pitch            uint8 // percent
	Weight           uint8
	Pad0E            [2]uint8
}

// Sizes of the fixed parts.
const (
	SoundTemplateSize = 0x38
	SoundActionSize   = 0x28
	SoundChoiceSize   = 0x10
)
