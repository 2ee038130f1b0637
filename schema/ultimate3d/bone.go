package ultimate3d

// RootParent is the parent of bones that have none.
const RootParent = 65535

// Bone is a bone chunk (reference section 6).
type Bone struct {
	Name            string
	Parent          uint16  // index of a bone, which may come later in the file, or RootParent
	BoneFrame       float32 // at least 0: this bone always has this frame; below: it follows the model or its parent
	PassOnBoneFrame Bool    // children inherit the frame that this bone uses, else the one that it was given
	Attachments     []Attachment
	Scaling         []VectorKey
	Translation     []VectorKey
	Rotation        []RotationKey
	Fillers         [3]uint16 // after the three counts of keys; literal layout only
}

// Attachment attaches a mesh to a bone.
type Attachment struct {
	Mesh           uint16      // mesh of the frame, not its chunk: the chunk is Mesh · LODs + level
	Transformation [16]float32 // mesh space to bone space
}

// VectorKey is a key of a scaling or translation track.
type VectorKey struct {
	Frame  uint16
	Unused uint16 // padding of the writer's compiler, anything
	Value  [3]float32
}

func (k VectorKey) frame() uint16 { return k.Frame }

// RotationKey is a key of a rotation track: a quaternion x, y, z, w.
type RotationKey struct {
	Frame  uint16
	Unused uint16
	Value  [4]float32
}

func (k RotationKey) frame() uint16 { return k.Frame }
