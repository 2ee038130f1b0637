package freelancer_test

import (
	"testing"

	"github.com/usher-assets/usher/schema/freelancer"

	write "github.com/usher-assets/usher/write/freelancer"
)

// crane is a compound with a part for each kind of joint, which a script moves as the joint allows; the part of the sphere has
// levels of detail, and that which slides a camera in place of a mesh.
func crane(t *testing.T) []byte {
	t.Helper()
	tree := freelancer.NewTree()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	v := &freelancer.VMesh{Type: 1, Primitive: freelancer.TriangleList, FVF: freelancer.NewFVF(0, 0),
		Positions: [][3]float32{{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}}, Indices: []uint16{0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3},
		Groups: []freelancer.MeshGroup{{Material: freelancer.FLCRC("steel"), VertexEnd: 3, IndexCount: 12, Padding: freelancer.GroupPadding}}}
	b, err := write.VMesh(v)
	must(err)
	tree.Root.Dir("VMeshLibrary").Dir("crane.vms").Add(freelancer.NewLeaf("VMeshData", b))
	ref, err := write.VMeshRef(&freelancer.VMeshRef{Size: freelancer.RefSize, Mesh: freelancer.FLCRC("crane.vms"), VertexCount: 4, IndexCount: 12, GroupCount: 1,
		Max: [3]float32{2, 2, 2}, Center: [3]float32{1, 1, 1}, Radius: 1.75})
	must(err)
	show := func(dir *freelancer.Node) { dir.Dir("VMeshPart").Add(freelancer.NewLeaf("VMeshRef", ref)) }
	tree.Root.Dir("Cmpnd")
	c := &freelancer.Compound{Parts: []*freelancer.Part{{Object: "Root", File: "Root.3db"}}}
	show(tree.Root.Dir("Root.3db"))
	script := &freelancer.Script{Name: "Sc_lift", Maps: []*freelancer.AnimationMap{{Object: true, Parent: "Root",
		Channel: &freelancer.Channel{Count: 2, Interval: 1, Type: freelancer.ChannelPosition, Positions: [][3]float32{{0, 0, 0}, {0, 1, 0}}}}}}
	channels := map[freelancer.JointKind]*freelancer.Channel{
		freelancer.Rev:    {Count: 3, Interval: -1, Type: freelancer.ChannelScalar, Times: []float32{0, 0.5, 2}, Scalars: []float32{0, 0.75, -0.5}},
		freelancer.Pris:   {Count: 2, Interval: 0.5, Type: freelancer.ChannelScalar, Scalars: []float32{0, 1.5}},
		freelancer.Cyl:    {Count: 2, Interval: 1, Type: freelancer.ChannelPosition | freelancer.ChannelQuaternion, Positions: [][3]float32{{6, 0, 0}, {6, 0.5, 0}}, Quaternions: [][4]float32{{1, 0, 0, 0}, {0.8, 0, 0.6, 0}}},
		freelancer.Sphere: {Count: 2, Interval: 1, Type: freelancer.ChannelQuaternion, Quaternions: [][4]float32{{1, 0, 0, 0}, {0.8, 0.6, 0, 0}}},
		freelancer.Loose:  {Count: 2, Interval: 1, Type: freelancer.ChannelPosition | freelancer.ChannelQuaternion, Positions: [][3]float32{{1, 0, 0}, {1, 2, 0}}, Quaternions: [][4]float32{{1, 0, 0, 0}, {0.6, 0, 0, 0.8}}},
	}
	for kind := freelancer.Fix; kind <= freelancer.Trans; kind++ {
		name := "arm_" + kind.String()
		c.Parts = append(c.Parts, &freelancer.Part{Object: name, File: name + ".3db", Index: int32(kind) + 1})
		j := freelancer.Joint{Parent: freelancer.PartName{Name: "Root"}, Child: freelancer.PartName{Name: name}, Origin: [3]float32{float32(kind), 0, 0}, Rotation: freelancer.Identity3,
			Offset: [3]float32{0, 0.25, 0}, Axis: [3]float32{0, 1, 0}, Min: [3]float32{-1, -2, -3}, Max: [3]float32{1, 2, 3}}
		j.SetKind(kind)
		c.Joints = append(c.Joints, j)
		dir := tree.Root.Dir(name + ".3db")
		switch kind {
		case freelancer.Sphere:
			levels := &freelancer.MultiLevel{Switch: []float32{0, 50, 1000}, Levels: []freelancer.Level{{Number: 0}, {Number: 1}}}
			write.MultiLevel(dir.Dir("MultiLevel"), levels)
			show(levels.Levels[0].Node)
			show(levels.Levels[1].Node)
		case freelancer.Pris:
			write.Camera(dir.Dir("Camera"), &freelancer.Camera{FovX: 0.6, FovY: 0.5, Near: 1, Far: 1000})
		default:
			show(dir)
		}
		if channels[kind] != nil {
			script.Maps = append(script.Maps, &freelancer.AnimationMap{Parent: "Root", Child: name, Channel: channels[kind]})
		}
	}
	must(write.Compound(tree.Root, c))
	must(write.Script(tree.Root, script))
	return treeBytes(t, tree)
}
