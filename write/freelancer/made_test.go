package freelancer_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	read "github.com/usher-assets/usher/read/freelancer"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/testdata/made"
	write "github.com/usher-assets/usher/write/freelancer"
)

var withoutNodes = cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Node" || p.Last().String() == ".Leaves" }, cmp.Ignore())

// back writes a payload, reads it again, and expects the same value, and that no part of the payload is enough.
func back[T any](t *testing.T, want *T, write func(*T) ([]byte, error), read func([]byte, *schema.Diagnostics) (*T, error)) {
	t.Helper()
	b, err := write(want)
	if err != nil {
		t.Fatalf("%T: %v", want, err)
	}
	got, err := read(b, nil)
	if err != nil {
		t.Fatalf("%T: %v", want, err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%T: %s", want, diff)
	}
	for n := range b {
		got, err := read(b[:n:n], nil)
		if err != nil {
			continue
		}
		if again, err := write(got); err != nil || !bytes.Equal(again, b[:n]) {
			t.Errorf("%T cut to %d bytes is read, but not written back (%v)", want, n, err)
		}
	}
}

func filled[T any](except ...string) *T {
	v := new(T)
	made.Fill(v, except...)
	return v
}

// TestMadePayloads has a value for every leaf that is decoded.
func TestMadePayloads(t *testing.T) {
	back(t, filled[freelancer.VWire]("Tail"), write.VWire, read.VWire)
	back(t, filled[freelancer.VMeshRef](), write.VMeshRef, read.VMeshRef)
	back(t, filled[freelancer.Floats]("Tail"), write.Floats, read.Floats)
	back(t, filled[freelancer.Ints]("Tail"), write.Ints, read.Ints)
	back(t, filled[freelancer.Shorts]("Tail"), write.Shorts, read.Shorts)
	back(t, &freelancer.Text{Value: "a text"}, write.Text, read.Text)
	for _, version := range []float32{1, 1.1} {
		l := filled[freelancer.EffectLibrary]("Tail", "MissingPairs", "Unterminated", "Residue", "Pad")
		l.Version = version
		if version == 1 {
			made.Each(l, func(e *freelancer.Effect) { e.Bounds = nil })
		}
		back(t, l, write.EffectLibrary, read.EffectLibrary)
	}
	nodes := allProperties()
	curves := filled[freelancer.CurveAnimation]()
	nodes.Nodes[0].Properties = append(nodes.Nodes[0].Properties,
		freelancer.EffectProperty{Hash: 20, Type: freelancer.EffectFloatAnim, Floats: filled[freelancer.FloatAnimation]()},
		freelancer.EffectProperty{Hash: 21, Type: freelancer.EffectColorAnim, Colors: filled[freelancer.ColorAnimation]()},
		freelancer.EffectProperty{Hash: 22, Type: freelancer.EffectCurveAnim, Curves: curves},
		freelancer.EffectProperty{Hash: 23, Type: freelancer.EffectBool},
		freelancer.EffectProperty{Hash: 24, Type: freelancer.EffectTransform, Transform: &freelancer.NodeTransform{Flags: 0x80050304,
			Curves: []freelancer.CurveAnimation{*curves, *curves, {}, *curves, {}, *curves, {}, {}, *curves}}})
	b, err := write.NodeLibrary(nodes)
	if err != nil {
		t.Fatal(err)
	}
	if nodes, err = read.NodeLibrary(b, nil); err != nil { // lists that are empty are nil or not as the reader likes
		t.Fatal(err)
	}
	back(t, nodes, write.NodeLibrary, read.NodeLibrary)
	if got := nodes.Nodes[0].Properties[len(nodes.Nodes[0].Properties)-3].Curves; !cmp.Equal(got, curves) {
		t.Errorf("curves: %s", cmp.Diff(curves, got))
	}
}

// TestMadeJoints has a joint of each kind, with as many limits as the kind has.
func TestMadeJoints(t *testing.T) {
	for kind := freelancer.Fix; kind <= freelancer.Trans; kind++ {
		back(t, madeJoints(kind), write.Joints, func(b []byte, d *schema.Diagnostics) (*freelancer.Joints, error) { return read.Joints(kind, b, d) })
	}
}

func madeJoints(kind freelancer.JointKind) *freelancer.Joints {
	j := filled[freelancer.Joints]("Tail", "Residue")
	j.Kind = kind
	made.Each(j, func(j *freelancer.Joint) {
		j.Kind = kind
		for i := range 3 {
			if i >= kind.Limits() {
				j.Min[i], j.Max[i] = 0, 0
			}
		}
		if kind.Limits() == 0 {
			j.Offset = [3]float32{}
		}
		if kind.Limits() == 0 || kind == freelancer.Sphere {
			j.Axis = [3]float32{}
		}
	})
	return j
}

// TestMadeChannels has a channel of each type, with and without times of its own.
func TestMadeChannels(t *testing.T) {
	for _, c := range madeChannels() {
		header, frames, err := write.Channel(c)
		if err != nil {
			t.Fatal(err)
		}
		if len(frames) != 2*c.Type.Stride(c.Timed()) {
			t.Errorf("type 0x%x: %d bytes of frames", uint32(c.Type), len(frames))
		}
		got, err := read.Channel(header, frames, nil)
		if err != nil || !cmp.Equal(got, c) {
			t.Errorf("type 0x%x: %v %s", uint32(c.Type), err, cmp.Diff(c, got))
		}
	}
}

func madeChannels() (list []*freelancer.Channel) {
	for _, typ := range []freelancer.ChannelType{
		freelancer.ChannelScalar, freelancer.ChannelPosition, freelancer.ChannelQuaternion, freelancer.ChannelPosition | freelancer.ChannelQuaternion,
		freelancer.ChannelVector, freelancer.ChannelHalfAngle, freelancer.ChannelPosition | freelancer.ChannelHalfAngle,
	} {
		for _, interval := range []float32{-1, 0.5} {
			c := filled[freelancer.Channel]("Tail", "HeaderTail")
			c.Count, c.Interval, c.Type = 2, interval, typ
			for _, part := range []struct {
				stored bool
				clear  func()
			}{
				{interval < 0, func() { c.Times = nil }},
				{typ&freelancer.ChannelScalar != 0, func() { c.Scalars = nil }},
				{typ&freelancer.ChannelPosition != 0, func() { c.Positions = nil }},
				{typ&freelancer.ChannelQuaternion != 0, func() { c.Quaternions = nil }},
				{typ&freelancer.ChannelVector != 0, func() { c.Vectors = nil }},
				{typ&freelancer.ChannelHalfAngle != 0, func() { c.HalfAngles = nil }},
			} {
				if !part.stored {
					part.clear()
				}
			}
			list = append(list, c)
		}
	}
	return list
}

// views has a value for everything that several leaves make up.
type views struct {
	hardpoints []*freelancer.Hardpoint
	compound   *freelancer.Compound
	camera     *freelancer.Camera
	levels     *freelancer.MultiLevel
	ball       *freelancer.SphereModel
	motion     *freelancer.MaterialAnim
	script     *freelancer.Script
	texture    *freelancer.TextureEntry
}

func madeViews() views {
	v := views{
		hardpoints: []*freelancer.Hardpoint{filled[freelancer.Hardpoint]("Node"), filled[freelancer.Hardpoint]("Node", "Revolute", "Axis", "Min", "Max")},
		compound:   &freelancer.Compound{Parts: []*freelancer.Part{filled[freelancer.Part]("Node"), filled[freelancer.Part]("Node")}, Scale: 7},
		camera:     filled[freelancer.Camera](),
		levels:     &freelancer.MultiLevel{Switch: []float32{0, 10, 20}, Levels: []freelancer.Level{{Number: 0}, {Number: 1}}},
		ball:       filled[freelancer.SphereModel](),
		motion:     filled[freelancer.MaterialAnim]("Node"),
		script:     filled[freelancer.Script]("Node", "Channel", "Object"),
		texture:    filled[freelancer.TextureEntry]("Node", "Leaves"),
	}
	for i, h := range v.hardpoints {
		h.Name = fmt.Sprint("Hp", i)
	}
	v.hardpoints[1].Axis = [3]float32{0, 1, 0}
	for i, p := range v.compound.Parts {
		p.Object, p.Index = fmt.Sprint("part", i), int32(i)
	}
	joint := filled[freelancer.Joint]("Residue")
	joint.Kind, joint.Min, joint.Max = freelancer.Rev, [3]float32{1}, [3]float32{2}
	v.compound.Joints = []freelancer.Joint{*joint}
	v.ball.Materials, v.ball.Sides = []string{"a", "", "c"}, 3
	v.motion.Segments[1].Key = [4]float32{}
	v.script.Maps[1].Object = true
	v.script.Maps[0].Channel = &freelancer.Channel{Count: 1, Interval: 0.5, Type: freelancer.ChannelScalar, Scalars: []float32{3}}
	v.texture.Form = freelancer.AnimatedTexture
	return v
}

// tree lays the views into a tree.
func (v views) tree(t *testing.T) *freelancer.Node {
	t.Helper()
	root := freelancer.NewTree().Root
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, h := range v.hardpoints {
		write.Hardpoint(root, h)
	}
	check(write.Compound(root, v.compound))
	write.Camera(root.Dir("Camera"), v.camera)
	write.MultiLevel(root.Dir("Levels"), v.levels)
	check(write.SphereModel(root.Dir("Sphere"), v.ball))
	write.MaterialAnim(root, v.motion)
	check(write.Script(root, v.script))
	check(write.Texture(root, v.texture))
	return root
}

func TestMadeViews(t *testing.T) {
	v := madeViews()
	root := v.tree(t)
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	same := func(what string, got, want any) {
		t.Helper()
		if diff := cmp.Diff(want, got, withoutNodes); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
	}
	b, err := write.UTF(&freelancer.Tree{Root: root})
	check(err)
	tree, err := read.UTF(b, nil)
	check(err)
	root = tree.Root
	gotPoints, err := read.Hardpoints(root)
	check(err)
	made.Each(&gotPoints, func(h *freelancer.Hardpoint) { h.Node = nil })
	byName := map[string]*freelancer.Hardpoint{}
	for _, h := range gotPoints {
		byName[h.Name] = h
	}
	for _, h := range v.hardpoints {
		same(h.Name, byName[h.Name], h)
	}
	gotCompound, err := read.Compound(root, nil)
	check(err)
	same("compound", gotCompound, v.compound)
	gotCamera, err := read.Camera(root.Child("Camera"))
	check(err)
	same("camera", gotCamera, v.camera)
	gotLevels, err := read.MultiLevel(root.Child("Levels"))
	check(err)
	same("levels", gotLevels, v.levels)
	gotBall, err := read.SphereModel(root.Child("Sphere"), nil)
	check(err)
	same("sphere", gotBall, v.ball)
	gotMotions, err := read.MaterialAnims(root, nil)
	check(err)
	same("motion of a material", gotMotions, []*freelancer.MaterialAnim{v.motion})
	gotScripts, err := read.Scripts(root, nil)
	check(err)
	same("scripts", gotScripts, []*freelancer.Script{v.script})
	gotTextures, err := read.Textures(root, nil)
	check(err)
	same("textures", gotTextures, []*freelancer.TextureEntry{v.texture})
}

// TestMadeVoice lays lines into a bank in any order: they come to lie in ascending order, one of the same ID on its place.
func TestMadeVoice(t *testing.T) {
	root := freelancer.NewTree().Root
	for _, id := range []uint32{0x30, 0x10, 0xF0000000, 0x20} {
		write.VoiceLine(root, id, []byte{byte(id)})
	}
	line := root.Children[1]
	if again := write.VoiceLine(root, 0x20, []byte("another")); again != line || string(line.Data) != "another" {
		t.Error("a line of the same ID is another one")
	}
	var ids []uint32
	var d schema.Diagnostics
	for _, l := range read.VoiceLines(root, &d) {
		ids = append(ids, l.ID)
	}
	if !cmp.Equal(ids, []uint32{0x10, 0x20, 0x30, 0xF0000000}) || len(d.All()) > 0 {
		t.Errorf("%x, %v", ids, d.All())
	}
	root.Children[0], root.Children[1] = root.Children[1], root.Children[0]
	if read.VoiceLines(root, &d); len(d.All()) != 1 || d.All()[0].Code != "voice-order" {
		t.Errorf("%v", d.All())
	}
	root.Children = append(root.Children, freelancer.NewLeaf("Exporter Version", nil))
	if read.VoiceLines(root, nil) != nil {
		t.Error("another leaf is no line")
	}
}

// TestMadeCharacter has a value for all of a character.
func TestMadeCharacter(t *testing.T) {
	want := madeCharacter()
	root := freelancer.NewTree().Root
	if err := write.Deformable(root, want); err != nil {
		t.Fatal(err)
	}
	got, err := read.Deformable(root, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, withoutNodes); diff != "" {
		t.Error(diff)
	}
}

func madeCharacter() *freelancer.Deformable {
	want := filled[freelancer.Deformable]("Node", "Strip")
	made.Each(want, func(m *freelancer.SkinMesh) { m.Groups[1].Strip = true })
	for i, m := range want.Meshes {
		m.Number = i
	}
	made.Each(want, func(g *freelancer.SkinGeometry) {
		g.PointIndices, g.UV0Indices, g.UV1Indices = []uint32{0, 1}, []uint32{1, 0}, []uint32{1, 1}
		g.BoneFirst, g.BoneCount, g.BoneIDs = []uint32{1, 0}, []uint32{1, 2}, []uint32{0, 1}
	})
	made.Each(want, func(g *freelancer.FaceGroup) { g.Indices, g.Edges = []uint16{1, 0, 1}, []uint16{0, 1} })
	return want
}

// TestMadeWave has chunks of odd sizes, with and without the byte that makes them even.
func TestMadeWave(t *testing.T) {
	w, err := read.Wave(madeWave, nil)
	if err != nil {
		t.Fatal(err)
	}
	if w.Codec != 0x55 || w.Channels != 2 || w.Rate != 11025 || w.ByteRate != 22050 || w.BlockAlign != 4 || w.BitsPerSample != 16 || !bytes.Equal(w.Extra, []byte{7, 8}) {
		t.Errorf("%+v", w)
	}
	if len(w.Chunks) != 3 || !bytes.Equal(w.Chunks[1].Pad, []byte{0}) || w.Chunks[2].Pad != nil || string(w.Chunks[2].Data) != "abc" {
		t.Errorf("%+v", w.Chunks)
	}
	if got, err := write.Wave(w); err != nil || !bytes.Equal(got, madeWave) {
		t.Errorf("%v, %q", err, got)
	}
}

var madeWave = []byte("RIFF\x38\x00\x00\x00WAVEfmt \x12\x00\x00\x00\x55\x00\x02\x00\x11\x2b\x00\x00\x22\x56\x00\x00\x04\x00\x10\x00\x07\x08odd \x01\x00\x00\x00\x05\x00data\x03\x00\x00\x00abc")

// TestMadeMaterialCount has one material, and a count that is missing, right or wrong.
func TestMadeMaterialCount(t *testing.T) {
	for count, told := range map[int]bool{-1: false, 1: false, 0: true, 2: true} {
		root := freelancer.NewTree().Root
		library := root.Dir(freelancer.MaterialLibrary)
		library.Dir("wall").Set("Type", []byte("DcDt\x00"))
		if count >= 0 {
			library.Set("Material count", []byte{byte(count), 0, 0, 0})
		}
		d := new(schema.Diagnostics)
		if list, err := read.Materials(root, d); err != nil || len(list) != 1 || d.Has("material-count") != told {
			t.Errorf("a count of %d: %d materials, %v, %v", count, len(list), err, d.All())
		}
	}
}
