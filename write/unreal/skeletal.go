package unreal

import "github.com/usher-assets/usher/schema/unreal"

// SkeletalMesh writes a skinned mesh (reference section 11.11).
func SkeletalMesh(m *unreal.SkeletalMesh) ([]byte, error) {
	w := objectWriter(&m.Object, lodSize(&m.LodMesh)+12*len(m.Points)+64*len(m.Bones)+16*len(m.Weights))
	w.lodMesh(&m.LodMesh)
	w.Index(int32(len(m.ExtWedges)))
	for _, x := range m.ExtWedges {
		w.U16(x.Vertex)
		w.U16(x.Flags)
		w.Floats(x.UV[:]...)
	}
	w.vectors(m.Points)
	w.Index(int32(len(m.Bones)))
	for i := range m.Bones {
		w.bone(&m.Bones[i])
	}
	w.Index(int32(len(m.BoneWeights)))
	for _, b := range m.BoneWeights {
		w.U16s([]uint16{b.First, b.Count, b.Unknown4, b.Unknown6})
	}
	w.Index(int32(len(m.Weights)))
	for _, x := range m.Weights {
		w.U16(x.Point)
		w.U16(x.Weight)
	}
	w.vectors(m.LocalPoints)
	w.I32(m.Depth)
	w.Ref(m.Animation)
	w.I32(m.WeaponBone)
	w.Vec3s(m.WeaponAdjust[:])
	return w.finish(&m.Object)
}

func (w *writer) bone(b *unreal.Bone) {
	w.Name(b.Name)
	w.U32(b.Flags)
	w.Floats(b.Orientation[:]...)
	w.Floats(b.Position[:]...)
	w.F32(b.Length)
	w.Floats(b.Size[:]...)
	w.I32(b.Children)
	w.I32(b.Parent)
}

// Animation writes the motion of a skeleton (reference section 11.12).
func Animation(a *unreal.Animation) ([]byte, error) {
	w := objectWriter(&a.Object, 1024)
	w.base(&a.Object)
	w.Index(int32(len(a.Bones)))
	for _, b := range a.Bones {
		w.Name(b.Name)
		w.U32(b.Flags)
		w.I32(b.Parent)
	}
	w.Index(int32(len(a.Moves)))
	for i := range a.Moves {
		w.move(&a.Moves[i])
	}
	w.sequences(a.Sequences)
	return w.finish(&a.Object)
}

func (w *writer) move(m *unreal.Move) {
	w.Floats(m.RootSpeed[:]...)
	w.F32(m.TrackTime)
	w.I32(m.StartBone)
	w.U32(m.Flags)
	w.Index(int32(len(m.Bones)))
	w.i32s(m.Bones)
	w.Index(int32(len(m.Tracks)))
	for i := range m.Tracks {
		w.track(&m.Tracks[i])
	}
	w.track(&m.Root)
}

func (w *writer) track(t *unreal.Track) {
	w.U32(t.Flags)
	w.Index(int32(len(t.Rotations)))
	for i := range t.Rotations {
		w.Floats(t.Rotations[i][:]...)
	}
	w.vectors(t.Positions)
	w.Index(int32(len(t.Times)))
	w.Floats(t.Times...)
}
