package unreal

import (
	"bytes"
	"strings"

	"github.com/usher-assets/usher/schema"
)

// The names that errors of ActorX files carry.
const (
	PSKFormat = "unreal-psk"
	PSAFormat = "unreal-psa"
)

// ActorXHead is the size of the head of a chunk.
const ActorXHead = 32

// ActorXChunk is the header of a chunk (reference section 24). Elements of chunks that usher knows are in other fields.
type ActorXChunk struct {
	ID   [20]byte // zero padded; the rest may be garbage
	Type int32
	Size int32  // of an element
	Data []byte // of a chunk that usher does not know

	Count int32 `json:",omitempty"` // of elements that have no bytes; 0 where Size is not
}

// Name returns the name of a chunk.
func (c *ActorXChunk) Name() string {
	name, _, _ := bytes.Cut(c.ID[:], []byte{0})
	return string(name)
}

// ActorXName is a name of 64 bytes.
type ActorXName struct {
	Text string // Windows-1252, up to the first zero
	Rest []byte // what follows that zero, where it is not all zero
}

// ActorXNameSize is the size of a name.
const ActorXNameSize = 64

// NewActorXName returns a name with the given text, cut to the available size. Characters outside Windows-1252 become "_".
func NewActorXName(text string) ActorXName {
	var b []byte
	for _, r := range text {
		x, ok := schema.EncodeWindows1252(string(r))
		if !ok || r == 0 {
			x = []byte{'_'}
		}
		b = append(b, x...)
	}
	return ActorXName{Text: strings.TrimSpace(schema.DecodeWindows1252(b[:min(len(b), ActorXNameSize-1)]))}
}

// PSK is a skinned mesh as ActorX writes it (reference section 24). Axes and winding are those of [SkeletalMesh].
type PSK struct {
	Chunks    []ActorXChunk `unwritten:"none are the usual ones"` // in their order
	Points    [][3]float32
	Wedges    []PSKWedge
	Faces     []PSKFace
	Materials []PSKMaterial
	Bones     []ActorXBone
	Weights   []PSKWeight
}

// PSKWedge is a corner.
type PSKWedge struct {
	Point     uint32 // in files with up to 65,536 points only the low 16 bits count
	UV        [2]float32
	Material  uint8
	Reserved  uint8
	Unknown0E uint16
}

// PSKFace is a triangle; its wedges have 16 bits in FACE0000, 32 in FACE3200.
type PSKFace struct {
	Wedges    [3]uint32
	Material  uint8
	Second    uint8
	Smoothing uint32 // groups
}

// PSKMaterial is a material.
type PSKMaterial struct {
	Name     ActorXName
	Texture  int32
	Flags    uint32 // PolyFlags
	Aux      int32
	AuxFlags uint32
	LODBias  int32
	LODStyle int32
}

// ActorXBone is a bone of a skeleton. Orientations follow [Bone].
type ActorXBone struct {
	Name        ActorXName
	Flags       uint32
	Children    int32
	Parent      int32
	Orientation [4]float32 // x, y, z, w
	Position    [3]float32
	Length      float32
	Size        [3]float32
}

// PSKWeight binds a point to a bone.
type PSKWeight struct {
	Weight      float32
	Point, Bone int32
}

// PSA is a set of motions as ActorX writes it (reference section 24).
type PSA struct {
	Chunks    []ActorXChunk `unwritten:"none are the usual ones"`
	Bones     []ActorXBone
	Sequences []PSASequence
	Keys      []PSAKey // frame by frame, all bones of a frame together
}

// PSASequence is a motion.
type PSASequence struct {
	Name, Group ActorXName
	Bones       int32
	RootInclude int32
	KeyStyle    int32
	Quotum      int32 // bones × frames
	Reduction   float32
	TrackTime   float32 // frames
	Rate        float32 // frames a second
	StartBone   int32
	First       int32 // raw frame
	Frames      int32
}

// PSAKey is the position and rotation of a bone in a frame.
type PSAKey struct {
	Position [3]float32
	Rotation [4]float32 // x, y, z, w
	Time     float32    // to the next key
}
