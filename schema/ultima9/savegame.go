package ultima9

// Signatures of the savegame files (reference section 13). They differ in one character.
const (
	SaveMagic  = "U9:008"
	StartMagic = "U9.008"
)

// StartFileMost is the size of the largest start.dat that is accepted. Real ones have 10 bytes. A savegame, whose signature
// differs in one character, has thousands.
const StartFileMost = 64

// Savegame is u9gameN.sav.
type Savegame struct {
	Label        CountedText // usually absent
	Description  CountedText
	Position     [3]float32
	Orientation  [4]float32
	YawPitchRoll [3]float32
	Map          int32
	Time         int32
	Day          int32
	Picture      []byte // see SavePicture
	Processes    []byte // see Processes
	Diary        []byte // see Diary
	Maps         []SavedMap
	Trailing     []byte `json:",omitempty"`
}

// SavedMap is the nonfixed file of a map.
type SavedMap struct {
	Number int32
	Data   []byte
}

// StartFile is start.dat: which savegame is loaded.
type StartFile struct {
	Slot     int32
	Trailing []byte `json:",omitempty"`
}

// SavePicture is the screenshot of a savegame: a texture set without a frame directory, its one frame in 8 bits.
type SavePicture struct {
	Header        [16]byte // as TextureSet's
	Flags         FrameFlags
	Width, Height uint32
	AnchorX       uint32
	AnchorY       uint32
	Rows          []uint32 // row offsets
	Pixels        []byte   // palette indices, top row first
}

// SavePictureSize is the length of a picture without its row offsets and pixels.
const SavePictureSize = 36

// Places in the processes of a savegame (reference section 13.3).
const (
	ProcessNPCs       = 0x58
	ProcessNPCCount   = 512
	ProcessReferences = 0x27F74
)

// Processes is the known part of a savegame's processes. It is for reading only, because the unknown rest depends on it.
type Processes struct {
	NPCs       []NPC
	References []ObjectReference
	FreeHead   uint32 // first free reference
}

// ObjectReference is how processes refer to an object in a heap.
type ObjectReference struct {
	Uses   int32 // or the next free reference
	Map    int32 // −1 when free
	Offset int32 // heap offset; negative in the fixed file
}

// DiaryMark separates the entries of a diary. In Windows-1252 its three signs are the bytes BC, BD and BE.
const DiaryMark = "\n\t\t\t¼½¾\n"

// Diary is the diary of a savegame.
type Diary struct{ Entries []string }
