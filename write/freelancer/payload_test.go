package freelancer_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	read "github.com/usher-assets/usher/read/freelancer"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/testdata/corpus"
	write "github.com/usher-assets/usher/write/freelancer"
	"pgregory.net/rapid"
)

// fuzz holds of a payload: whatever can be read is written back as the same bytes.
func fuzz[T any](f *testing.F, reader func([]byte, *schema.Diagnostics) (*T, error), writer func(*T) ([]byte, error), seeds ...*T) {
	for _, s := range seeds {
		b, err := writer(s)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := reader(b, &schema.Diagnostics{})
		if err != nil {
			if schema.Class(err) == nil {
				t.Fatalf("error without a class: %v", err)
			}
			return
		}
		out, err := writer(v)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(out, b) {
			t.Fatalf("read %x, wrote %x", b, out)
		}
	})
}

func triangle() *freelancer.VMesh {
	return &freelancer.VMesh{
		Type: 1, Primitive: freelancer.TriangleList, FVF: freelancer.NewFVF(freelancer.FVFNormal|freelancer.FVFDiffuse, 1),
		Groups:  []freelancer.MeshGroup{{Material: 0x12345678, VertexEnd: 2, IndexCount: 3, Padding: freelancer.GroupPadding}},
		Indices: []uint16{0, 1, 2}, Positions: [][3]float32{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
		Normals: [][3]float32{{0, 0, 1}, {0, 0, 1}, {0, 0, 1}}, Diffuse: []uint32{1, 2, 3}, TexCoords: [][][2]float32{{{0, 0}, {1, 0}, {0, 1}}},
	}
}

func FuzzVMesh(f *testing.F) { fuzz(f, read.VMesh, write.VMesh, triangle()) }
func FuzzVMeshRef(f *testing.F) {
	fuzz(f, read.VMeshRef, write.VMeshRef, &freelancer.VMeshRef{Size: 60, GroupCount: 1, Tail: []byte{1}})
}
func FuzzVWire(f *testing.F) {
	fuzz(f, read.VWire, write.VWire, &freelancer.VWire{Size: 16, Indices: []uint16{0, 1}})
}
func FuzzText(f *testing.F) { fuzz(f, read.Text, write.Text, &freelancer.Text{Value: "text"}) }
func FuzzWave(f *testing.F) {
	fuzz(f, read.Wave, write.Wave, &freelancer.Wave{Chunks: []freelancer.WaveChunk{{ID: "fmt ", Data: make([]byte, 16)}, {ID: "data", Data: []byte{1}, Pad: []byte{0}}}})
}
func FuzzEffects(f *testing.F) {
	fuzz(f, read.EffectLibrary, write.EffectLibrary, &freelancer.EffectLibrary{Version: 1.1, Effects: []freelancer.Effect{{
		Name: freelancer.ALEString{Value: "e"}, Bounds: &[4]float32{}, Instances: make([]freelancer.EffectInstance, 2), Pairs: make([]freelancer.EffectPair, 1)}}})
}

func allProperties() *freelancer.NodeLibrary {
	one, f := int32(1), float32(1)
	curve := freelancer.CurveAnimation{Easing: 1, Curves: []freelancer.Curve{{Wrap: 0x11, Keys: [][4]float32{{0, 1, 2, 3}}}}}
	return &freelancer.NodeLibrary{Version: 1.1, Nodes: []freelancer.EffectNode{{
		Type: freelancer.ALEString{Value: "FxNode"}, Properties: []freelancer.EffectProperty{
			{Name: "Node_Name", Type: freelancer.EffectText, Text: &freelancer.ALEString{Value: "node"}},
			{Hash: 7, Type: freelancer.EffectText, Text: &freelancer.ALEString{Unterminated: true}},
			{Name: "BasicApp_FlipTexU", Type: freelancer.EffectBool, Bool: true},
			{Hash: 1, Type: freelancer.EffectInt, Int: &one},
			{Hash: 2, Type: freelancer.EffectFloat, Float: &f},
			{Hash: 3, Type: freelancer.EffectBlend, Blend: &[2]uint32{5, 2}},
			{Hash: 4, Type: freelancer.EffectTransform, Transform: &freelancer.NodeTransform{Flags: 0x00050304}},
			{Hash: 5, Type: freelancer.EffectTransform, Transform: &freelancer.NodeTransform{Flags: 0x80050304, Curves: []freelancer.CurveAnimation{curve, {}, {}, {}, {}, {}, {}, {}, {}}}},
			{Hash: 6, Type: freelancer.EffectFloatAnim, Floats: &freelancer.FloatAnimation{Lists: []freelancer.FloatKeys{{Keys: [][2]float32{{0, 1}}}}}},
			{Hash: 8, Type: freelancer.EffectColorAnim, Colors: &freelancer.ColorAnimation{Lists: []freelancer.ColorKeys{{Keys: [][4]float32{{0, 1, 1, 1}}}}}},
			{Hash: 9, Type: freelancer.EffectCurveAnim, Curves: &curve},
		},
	}}}
}

func FuzzNodes(f *testing.F) { fuzz(f, read.NodeLibrary, write.NodeLibrary, allProperties()) }

func FuzzJoints(f *testing.F) {
	for kind := freelancer.Fix; kind <= freelancer.Trans; kind++ {
		b, err := write.Joints(&freelancer.Joints{Kind: kind, List: []freelancer.Joint{{Kind: kind, Parent: freelancer.PartName{Name: "Root", Residue: []byte("left over")}}}})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(kind), b)
	}
	f.Fuzz(func(t *testing.T, kind uint8, b []byte) {
		j, err := read.Joints(freelancer.JointKind(kind%7), b, nil)
		if err != nil {
			t.Fatal(err)
		}
		out, err := write.Joints(j)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(out, b) {
			t.Fatalf("read %x, wrote %x", b, out)
		}
	})
}

func FuzzChannel(f *testing.F) {
	f.Add([]byte{1, 0, 0, 0, 0, 0, 128, 191, 0x42, 0, 0, 0}, make([]byte, 22))
	f.Add([]byte{1, 0, 0, 0, 0, 0, 0, 0, 0x87, 0, 0, 0}, make([]byte, 40))
	f.Fuzz(func(t *testing.T, header, frames []byte) {
		c, err := read.Channel(header, frames, nil)
		if err != nil {
			return
		}
		for i := range c.Frames() {
			c.Time(i)
			c.Position(i)
			c.Rotation(i)
		}
		h, fr, err := write.Channel(c)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(h, header) || !bytes.Equal(fr, frames) {
			t.Fatalf("read %x %x, wrote %x %x", header, frames, h, fr)
		}
	})
}

// FuzzViews reads everything that there is to read in a tree.
func FuzzViews(f *testing.F) {
	tree := sample()
	tree.Root.Dir("Cmpnd").Dir("Cons").Set("Rev", make([]byte, 208))
	write.Hardpoint(tree.Root, &freelancer.Hardpoint{Name: "Hp", Revolute: true})
	write.MaterialAnim(tree.Root, &freelancer.MaterialAnim{Material: "m", Segments: make([]freelancer.MaterialSegment, 2)})
	if err := write.Script(tree.Root, &freelancer.Script{Name: "Sc", Maps: []*freelancer.AnimationMap{{Parent: "Root", Channel: &freelancer.Channel{Type: 1}}}}); err != nil {
		f.Fatal(err)
	}
	b, err := write.UTF(tree)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		tree, err := read.UTF(b, nil)
		if err != nil {
			return
		}
		var d schema.Diagnostics
		root := tree.Root
		eachLeaf(root, func(_ string, n *freelancer.Node, kind freelancer.LeafKind) { read.Leaf(kind, n, &d) })
		read.Compound(root, &d)
		read.Deformable(root, &d)
		read.Scripts(root, &d)
		read.MaterialAnims(root, &d)
		read.Materials(root, &d)
		read.Textures(root, &d)
		read.VoiceLines(root, &d)
		root.Walk(func(_ string, n *freelancer.Node) bool {
			read.Hardpoints(n)
			read.MultiLevel(n)
			read.Camera(n)
			read.SphereModel(n, &d)
			return true
		})
	})
}

var (
	genFloat = rapid.Float32()
	genVec3  = rapid.Custom(func(t *rapid.T) (v [3]float32) {
		for i := range v {
			v[i] = genFloat.Draw(t, "component")
		}
		return v
	})
)

func TestVMeshProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 20).Draw(t, "vertices")
		fields := freelancer.FVF(rapid.SampledFrom([]int{0, 0x10, 0x20, 0x40, 0x80, 0x50, 0xF0}).Draw(t, "fields"))
		m := &freelancer.VMesh{Type: 1, Primitive: 4, FVF: freelancer.NewFVF(fields, rapid.IntRange(0, 8).Draw(t, "sets"))}
		vec3s := rapid.SliceOfN(genVec3, n, n)
		words := rapid.SliceOfN(rapid.Uint32(), n, n)
		m.Positions = vec3s.Draw(t, "positions")
		if fields&freelancer.FVFNormal != 0 {
			m.Normals = vec3s.Draw(t, "normals")
		}
		if fields&freelancer.FVFPointSize != 0 {
			m.PointSizes = rapid.SliceOfN(genFloat, n, n).Draw(t, "sizes")
		}
		if fields&freelancer.FVFDiffuse != 0 {
			m.Diffuse = words.Draw(t, "diffuse")
		}
		if fields&freelancer.FVFSpecular != 0 {
			m.Specular = words.Draw(t, "specular")
		}
		for range m.FVF.Sets() {
			uv := make([][2]float32, n)
			for i := range uv {
				uv[i] = [2]float32{genFloat.Draw(t, "u"), genFloat.Draw(t, "v")}
			}
			m.TexCoords = append(m.TexCoords, uv)
		}
		m.Indices = rapid.SliceOfN(rapid.Uint16(), 0, 30).Draw(t, "indices")
		for range rapid.IntRange(0, 4).Draw(t, "groups") {
			m.Groups = append(m.Groups, freelancer.MeshGroup{Material: rapid.Uint32().Draw(t, "material"), IndexCount: rapid.Uint16().Draw(t, "count")})
		}
		same(t, m, read.VMesh, write.VMesh)
	})
}

func same[T any](t *rapid.T, v *T, reader func([]byte, *schema.Diagnostics) (*T, error), writer func(*T) ([]byte, error)) {
	b, err := writer(v)
	if err != nil {
		t.Fatal(err)
	}
	got, err := reader(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(v, got, cmpopts.EquateEmpty()); diff != "" {
		t.Fatal(diff)
	}
}

func TestJointProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kind := freelancer.JointKind(rapid.IntRange(0, 6).Draw(t, "kind"))
		j := &freelancer.Joints{Kind: kind}
		for range rapid.IntRange(0, 4).Draw(t, "joints") {
			x := freelancer.Joint{Kind: kind, Origin: genVec3.Draw(t, "origin")}
			x.Parent.Name = rapid.StringMatching(`[A-Za-z_0-9é ]{0,63}`).Draw(t, "parent")
			x.Child.Name = rapid.StringMatching(`[A-Za-z_0-9]{1,20}`).Draw(t, "child")
			x.Child.Residue = rapid.SampledFrom([][]byte{nil, []byte("left"), {0, 0, 1}}).Draw(t, "residue")
			for i := range x.Rotation {
				x.Rotation[i] = genFloat.Draw(t, "rotation")
			}
			if kind.HasOffset() {
				x.Offset = genVec3.Draw(t, "offset")
			}
			if kind.HasAxis() {
				x.Axis = genVec3.Draw(t, "axis")
			}
			for l := range kind.Limits() {
				x.Min[l], x.Max[l] = genFloat.Draw(t, "min"), genFloat.Draw(t, "max")
			}
			j.List = append(j.List, x)
		}
		same(t, j, func(b []byte, d *schema.Diagnostics) (*freelancer.Joints, error) { return read.Joints(kind, b, d) }, write.Joints)
	})
}

func TestRotationProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := [3]int16{}
		for i := range v {
			v[i] = int16(rapid.IntRange(-18900, 18900).Draw(t, "component")) // within the unit ball
		}
		for what, got := range map[string][3]int16{
			"vector": freelancer.EncodeVector(freelancer.DecodeVector(v)), "half angle": freelancer.EncodeHalfAngle(freelancer.DecodeHalfAngle(v)),
		} {
			for i := range v {
				if d := int(v[i]) - int(got[i]); d < -4 || d > 4 {
					t.Fatalf("%s: %v became %v", what, v, got)
				}
			}
		}
	})
}

// readAll reads each of the leaves of one kind in the corpus.
func benchmarkLeaves(b *testing.B, kind freelancer.LeafKind, f func(n *freelancer.Node)) {
	var nodes []*freelancer.Node
	size := 0
	for _, e := range corpus.Manifest(b, "freelancer") {
		eachLeaf(mustRead(b, corpus.Bytes(b, e.Path)).Root, func(_ string, n *freelancer.Node, k freelancer.LeafKind) {
			if k == kind {
				nodes = append(nodes, n)
				size += len(n.Data)
			}
		})
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, n := range nodes {
			f(n)
		}
	}
}

func BenchmarkReadVMesh(b *testing.B) {
	benchmarkLeaves(b, freelancer.MeshLeaf, func(n *freelancer.Node) {
		if _, err := read.VMesh(n.Data, nil); err != nil {
			b.Fatal(err)
		}
	})
}

func BenchmarkRewriteVMesh(b *testing.B) {
	benchmarkLeaves(b, freelancer.MeshLeaf, func(n *freelancer.Node) {
		m, err := read.VMesh(n.Data, nil)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := write.VMesh(m); err != nil {
			b.Fatal(err)
		}
	})
}

func BenchmarkEffects(b *testing.B) {
	benchmarkLeaves(b, freelancer.NodesLeaf, func(n *freelancer.Node) {
		l, err := read.NodeLibrary(n.Data, nil)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := write.NodeLibrary(l); err != nil {
			b.Fatal(err)
		}
	})
}
