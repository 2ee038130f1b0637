package unreal

import (
	"encoding/binary"
	"math"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// SkeletalMesh reads a skinned mesh (reference section 11.11).
func SkeletalMesh(b []byte, x *unreal.Context, d *schema.Diagnostics) (*unreal.SkeletalMesh, error) {
	return decode(b, x, d, skeletalMesh)
}

func skeletalMesh(r *reader, m *unreal.SkeletalMesh) {
	lodMesh(r, &m.LodMesh)
	m.ExtWedges = list(r, 12, "extended wedges", func(w *unreal.ExtWedge) {
		*w = unreal.ExtWedge{Vertex: r.U16("vertex"), Flags: r.U16("flags"), UV: r.Vec2("UV")}
	})
	m.Points = r.vectors("points")
	m.Bones = list(r, 57, "bones", func(b *unreal.Bone) {
		b.Name, b.Flags = r.Name("name"), r.U32("flags")
		b.Orientation, b.Position = r.Vec4("orientation"), r.Vec3("position")
		b.Length, b.Size = r.F32("length"), r.Vec3("size")
		b.Children, b.Parent = r.I32("children"), r.I32("parent")
	})
	m.BoneWeights = list(r, 8, "bone weight index", func(w *unreal.BoneWeights) {
		*w = unreal.BoneWeights{First: r.U16("first"), Count: r.U16("count"), Unknown4: r.U16("Unknown4"), Unknown6: r.U16("Unknown6")}
	})
	m.Weights = list(r, 4, "weights", func(w *unreal.PointWeight) {
		*w = unreal.PointWeight{Point: r.U16("point"), Weight: r.U16("weight")}
	})
	m.LocalPoints = r.vectors("local points")
	m.Depth = r.I32("skeletal depth")
	m.Animation = r.Ref("animation")
	m.WeaponBone = r.I32("weapon bone")
	for i := range m.WeaponAdjust {
		m.WeaponAdjust[i] = r.Vec3("weapon adjust")
	}
}

// Animation reads the motion of a skeleton (reference section 11.12).
func Animation(b []byte, x *unreal.Context, d *schema.Diagnostics) (*unreal.Animation, error) {
	return decode(b, x, d, animation)
}

func animation(r *reader, a *unreal.Animation) {
	r.base(&a.Object)
	a.Bones = list(r, 9, "bones", func(b *unreal.AnimationBone) {
		*b = unreal.AnimationBone{Name: r.Name("name"), Flags: r.U32("flags"), Parent: r.I32("parent")}
	})
	a.Moves = list(r, 33, "moves", func(m *unreal.Move) {
		m.RootSpeed, m.TrackTime = r.Vec3("root speed"), r.F32("track time")
		m.StartBone, m.Flags = r.I32("start bone"), r.U32("flags")
		m.Bones = r.i32s(r.Len(4, "bone indices"), "bone indices")
		m.Tracks = list(r, 7, "tracks", r.track)
		r.track(&m.Root)
	})
	a.Sequences = r.sequences()
}

func (r *reader) track(t *unreal.Track) {
	t.Flags = r.U32("flags")
	t.Rotations = r.vec4s(r.Len(16, "rotations"), "rotations")
	t.Positions = r.vectors("positions")
	t.Times = r.F32s(r.Len(4, "times"), "times")
}

func (r *reader) vec4s(n int, field string) [][4]float32 {
	b := r.Elements(n, 16, "4f32", field)
	if r.Err() != nil || n == 0 {
		return nil
	}
	all := make([][4]float32, n)
	for i := range all {
		for k := range all[i] {
			all[i][k] = math.Float32frombits(binary.LittleEndian.Uint32(b[16*i+4*k:]))
		}
	}
	return all
}
