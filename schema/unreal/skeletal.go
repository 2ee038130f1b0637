package unreal

// SkeletalMesh is a skinned mesh (reference section 11.11). Its axes are those of the PSK source: right-handed, Z up.
type SkeletalMesh struct {
	LodMesh
	ExtWedges    []ExtWedge
	Points       [][3]float32
	Bones        []Bone
	BoneWeights  []BoneWeights // one a bone
	Weights      []PointWeight
	LocalPoints  [][3]float32 // one a weight: the point in the bone's space
	Depth        int32
	Animation    Ref
	WeaponBone   int32
	WeaponAdjust [4][3]float32 // origin, x, y, z
}

// ExtWedge is a wedge with float coordinates; it occurs in no known file.
type ExtWedge struct {
	Vertex, Flags uint16
	UV            [2]float32
}

// Bone is a joint of the reference skeleton. The orientation of the root is used as stored, all others are conjugated.
type Bone struct {
	Name        NameIndex
	Flags       uint32
	Orientation [4]float32 // x, y, z, w
	Position    [3]float32
	Length      float32
	Size        [3]float32
	Children    int32
	Parent      int32 // smaller than the bone's own index; 0 for the root
}

// BoneWeights is the range of Weights that belongs to a bone.
type BoneWeights struct{ First, Count, Unknown4, Unknown6 uint16 }

// PointWeight binds a point to a bone; 65,535 is 1.
type PointWeight struct{ Point, Weight uint16 }

// Animation moves the bones of skeletal meshes (reference section 11.12). Sequence i belongs to move i.
type Animation struct {
	Object
	Bones     []AnimationBone
	Moves     []Move
	Sequences []Sequence
}

// AnimationBone identifies a bone by name.
type AnimationBone struct {
	Name   NameIndex
	Flags  uint32
	Parent int32
}

// Move is the motion of one sequence.
type Move struct {
	RootSpeed [3]float32
	TrackTime float32 // seconds
	StartBone int32
	Flags     uint32
	Bones     []int32
	Tracks    []Track // one a bone
	Root      Track
}

// Track is the motion of one bone. A single key means that the bone does not move.
type Track struct {
	Flags     uint32
	Rotations [][4]float32 // x, y, z, w
	Positions [][3]float32
	Times     []float32 // seconds
}
