package freelancer_test

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	read "github.com/usher-assets/usher/read/freelancer"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/testdata/corpus"
	write "github.com/usher-assets/usher/write/freelancer"
)

func TestEveryFVF(t *testing.T) {
	want := []uint16{0x002, 0x012, 0x042, 0x052, 0x102, 0x112, 0x142, 0x152, 0x202, 0x212, 0x252, 0x312, 0x412}
	got := map[uint16]bool{}
	eachLeaf(mustRead(t, file(t, "syn_fvf_all.cmp")).Root, func(path string, n *freelancer.Node, kind freelancer.LeafKind) {
		if kind != freelancer.MeshLeaf {
			return
		}
		m, err := read.VMesh(n.Data, nil)
		if err != nil {
			t.Fatal(err)
		}
		got[uint16(m.FVF)] = true
		for _, v := range m.Normals {
			if l := math.Sqrt(float64(v[0]*v[0] + v[1]*v[1] + v[2]*v[2])); math.Abs(l-1) > 1e-3 {
				t.Fatalf("%s: a normal of length %g", path, l)
			}
		}
	})
	if list := slices.Sorted(maps.Keys(got)); !slices.Equal(list, want) {
		t.Errorf("formats %x, want %x", list, want)
	}
	for f, stride := range map[freelancer.FVF]int{0x002: 12, 0x112: 32, 0x212: 40, 0x142: 24, 0x152: 36, 0x412: 56, 0x0F2: 36} {
		if f.Stride() != stride {
			t.Errorf("a vertex of 0x%x has %d bytes, want %d", uint16(f), f.Stride(), stride)
		}
	}
}

// TestReferences holds the invariants of section 5: groups, references and bounds agree with the meshes.
func TestReferences(t *testing.T) {
	groups, refs, boxes := 0, 0, 0
	files(t, func(t *testing.T, e corpus.Entry, b []byte) {
		root := mustRead(t, b).Root
		meshes := map[uint32]*freelancer.VMesh{}
		if lib := root.Child(freelancer.MeshLibrary); lib != nil {
			for _, n := range lib.Children {
				if data := n.Child("VMeshData"); data != nil {
					m, err := read.VMesh(data.Data, nil)
					if err != nil {
						t.Fatal(err)
					}
					meshes[freelancer.FLCRC(n.Name)] = m
				}
			}
		}
		eachLeaf(root, func(path string, n *freelancer.Node, kind freelancer.LeafKind) {
			if kind != freelancer.RefLeaf {
				return
			}
			r, err := read.VMeshRef(n.Data, nil)
			if err != nil {
				t.Fatal(err)
			}
			m := meshes[r.Mesh]
			if m == nil || r.Empty() {
				return
			}
			refs++
			ranges, err := r.Groups(m)
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			if int(r.IndexStart) != ranges[0].FirstIndex {
				t.Errorf("%s: indices start at %d, counted %d", path, r.IndexStart, ranges[0].FirstIndex)
			}
			for _, g := range ranges {
				groups++
				idx := m.Indices[g.FirstIndex : g.FirstIndex+g.Count]
				if end := m.Groups[g.Group].VertexStart + slices.Max(idx); end != m.Groups[g.Group].VertexEnd {
					t.Errorf("%s: group %d ends with vertex %d, stored %d", path, g.Group, end, m.Groups[g.Group].VertexEnd)
				}
				for _, i := range idx {
					p := m.Positions[g.FirstVertex+int(i)]
					inside := true
					for k := range p {
						lo, hi := min(r.Min[k], r.Max[k]), max(r.Min[k], r.Max[k])
						eps := 1e-3 * (hi - lo + 1)
						inside = inside && p[k] >= lo-eps && p[k] <= hi+eps
					}
					if inside {
						boxes++
					}
				}
			}
		})
	})
	if groups < 100 || refs < 50 || boxes < 10000 {
		t.Errorf("only %d groups in %d references, %d vertices in their boxes", groups, refs, boxes)
	}
	t.Logf("%d groups in %d references, %d vertices in their boxes", groups, refs, boxes)
}

func TestVoice(t *testing.T) {
	root := mustRead(t, file(t, "syn_voice.utf")).Root
	lines := read.VoiceLines(root, nil)
	byID := map[uint32][]byte{}
	for _, l := range lines {
		byID[l.ID] = l.Node.Data
	}
	names := strings.Fields(string(file(t, "syn_voice_names.txt")))
	if len(names) != 2*len(lines) {
		t.Fatalf("%d lines, %d names", len(lines), len(names)/2)
	}
	codecs := map[uint16]int{}
	for i := 0; i < len(names); i += 2 {
		id := freelancer.CreateID(names[i+1])
		if freelancer.VoiceName(id) != names[i] {
			t.Errorf("%s is %s, want %s", names[i+1], freelancer.VoiceName(id), names[i])
		}
		w, err := read.Wave(byID[id], nil)
		if err != nil {
			t.Fatal(err)
		}
		if w.Channels != 1 || w.Rate != 22050 && w.Rate != 11025 {
			t.Errorf("%s: %d channels, %d frames a second", names[i+1], w.Channels, w.Rate)
		}
		codecs[w.Codec]++
	}
	if codecs[freelancer.WavePCM] == 0 || codecs[freelancer.WaveMP3] == 0 {
		t.Errorf("codecs %v", codecs)
	}
	write.VoiceLine(root, 0x90000000, []byte("new"))
	got := read.VoiceLines(root, nil)
	if !slices.IsSortedFunc(got, func(a, b freelancer.VoiceLine) int { return int(a.ID) - int(b.ID) }) || len(got) != len(lines)+1 {
		t.Error("a new line must keep the order")
	}
}

func TestAnimationValues(t *testing.T) {
	scripts, err := read.Scripts(mustRead(t, file(t, "syn_anim.anm")).Root, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []uint32{0x01, 0x02, 0x04, 0x06, 0x10, 0x20, 0x22, 0x30, 0x40, 0x42, 0x50, 0x80, 0x82, 0x90}
	got := map[uint32]bool{}
	timed := map[bool]int{}
	heights, objects := 0, 0
	for _, s := range scripts {
		if s.RootHeight != 0 {
			heights++
		}
		for _, m := range s.Maps {
			if m.Object {
				objects++
			}
			got[uint32(m.Channel.Type)] = true
			timed[m.Channel.Timed()]++
			for i := range m.Channel.Frames() {
				q := m.Channel.Rotation(i)
				if l := q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3]; math.Abs(float64(l)-1) > 1e-3 {
					t.Errorf("%s/%s: the rotation of frame %d has the length %g", s.Name, m.Child, i, l)
				}
				if i > 0 && m.Channel.Time(i) < m.Channel.Time(i-1) {
					t.Errorf("%s/%s: time runs back at frame %d", s.Name, m.Child, i)
				}
			}
		}
	}
	if list := slices.Sorted(maps.Keys(got)); !slices.Equal(list, want) {
		t.Errorf("types %x, want %x", list, want)
	}
	if timed[true] == 0 || timed[false] == 0 || heights == 0 || objects == 0 {
		t.Errorf("timed %v, %d root heights, %d object maps", timed, heights, objects)
	}
}

func TestCompressedRotations(t *testing.T) {
	half := float32(math.Sqrt2 / 2)
	for _, c := range []struct {
		v            [3]int16
		vector, half [4]float32
	}{
		{[3]int16{}, [4]float32{0, 0, 0, 1}, [4]float32{0, 0, 0, 1}},
		{[3]int16{32767, 0, 0}, [4]float32{1, 0, 0, 0}, [4]float32{1, 0, 0, 0}}, // half a turn about x
		{[3]int16{0, 16384, 0}, [4]float32{0, 0.500015, 0, 0.866017}, [4]float32{0, half, 0, half}},
		{[3]int16{0, 0, -16384}, [4]float32{0, 0, -0.500015, 0.866017}, [4]float32{0, 0, -half, half}},
		{[3]int16{32767, 32767, 0}, [4]float32{1, 1, 0, 0}, [4]float32{float32(math.Sin(math.Pi*math.Sqrt2/2) / math.Sqrt2), float32(math.Sin(math.Pi*math.Sqrt2/2) / math.Sqrt2), 0, float32(math.Abs(math.Cos(math.Pi * math.Sqrt2 / 2)))}},
	} {
		near(t, fmt.Sprint("vector ", c.v), freelancer.DecodeVector(c.v), c.vector)
		near(t, fmt.Sprint("half angle ", c.v), freelancer.DecodeHalfAngle(c.v), c.half)
	}
	for _, q := range [][4]float32{{0.5, 0.5, 0.5, 0.5}, {-0.1, 0.2, 0.3, -0.9273618}, {0, 0, 0, -1}, {0, 1, 0, 0}} {
		want := q
		if q[3] < 0 {
			want = [4]float32{-q[0], -q[1], -q[2], -q[3]}
		}
		near(t, fmt.Sprint("vector of ", q), freelancer.DecodeVector(freelancer.EncodeVector(q)), want)
		near(t, fmt.Sprint("half angle of ", q), freelancer.DecodeHalfAngle(freelancer.EncodeHalfAngle(q)), want)
	}
}

func near(t *testing.T, what string, got, want [4]float32) {
	t.Helper()
	for i := range got {
		if math.Abs(float64(got[i]-want[i])) > 1e-3 {
			t.Errorf("%s is %v, want %v", what, got, want)
			return
		}
	}
}

func TestMaterialAnimAt(t *testing.T) {
	anims, err := read.MaterialAnims(mustRead(t, file(t, "syn_matanim.3db")).Root, nil)
	if err != nil || len(anims) != 2 || len(anims[0].Segments)+len(anims[1].Segments) != 4 {
		t.Fatalf("%d animations, %v", len(anims), err)
	}
	a := freelancer.MaterialAnim{Segments: []freelancer.MaterialSegment{
		{Duration: 1, Speed: [4]float32{1, 0, 0, 0}, Key: [4]float32{0, 5, 0, 0}}, {Duration: 2, Speed: [4]float32{0, -1, 0, 0}},
	}}
	for at, want := range map[float64][4]float64{0.5: {0.5, 0, 0, 0}, 2: {0, 4, 0, 0}, 3.25: {0.25, 0, 0, 0}} {
		if got := a.At(at); got != want {
			t.Errorf("at %g s: %v, want %v", at, got, want)
		}
	}
}

func TestJointValues(t *testing.T) {
	root := mustRead(t, file(t, "syn_joints.cmp")).Root
	c, err := read.Compound(root, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c.Parts[0].Object != "Root" {
		t.Errorf("the first part is %q", c.Parts[0].Object)
	}
	kinds := set{}
	for _, j := range c.Joints {
		kinds[j.Kind.String()] = true
		r := j.Rotation
		det := r[0]*(r[4]*r[8]-r[5]*r[7]) - r[1]*(r[3]*r[8]-r[5]*r[6]) + r[2]*(r[3]*r[7]-r[4]*r[6])
		if math.Abs(float64(det)-1) > 1e-3 {
			t.Errorf("%s: the rotation has the determinant %g", j.Child.Name, det)
		}
		for l := range j.Kind.Limits() {
			if j.Min[l] > j.Max[l] {
				t.Errorf("%s: limits %g to %g", j.Child.Name, j.Min[l], j.Max[l])
			}
		}
	}
	if got := kinds.join(" "); got != "Cyl Fix Loose Pris Rev Sphere" {
		t.Errorf("kinds %s", got)
	}
}

func TestSkinValues(t *testing.T) {
	x, err := read.Deformable(mustRead(t, file(t, "syn_arm.dfm")).Root, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(x.Meshes) != 2 || len(x.Fractions) != 2 || len(x.Bones) != 5 || !x.Meshes[0].Groups[0].Strip || x.Meshes[1].Groups[0].Strip {
		t.Errorf("%d levels, fractions %v, %d bones", len(x.Meshes), x.Fractions, len(x.Bones))
	}
	for _, m := range x.Meshes {
		g := m.Geometry
		for i := range g.Points {
			sum := float32(0)
			for k := g.BoneFirst[i]; k < g.BoneFirst[i]+g.BoneCount[i]; k++ {
				sum += g.BoneWeights[k]
			}
			if math.Abs(float64(sum)-1) > 1e-4 {
				t.Errorf("level %d: the weights of point %d add up to %g", m.Number, i, sum)
			}
		}
	}
	// Damage to the indices is found.
	root := mustRead(t, file(t, "syn_arm.dfm")).Root
	ids := root.Find("MultiLevel/Mesh0/Geometry/Bone_id_chain")
	ids.Data = append(bytes.Clone(ids.Data[:len(ids.Data)-4]), 5, 0, 0, 0)
	if _, err := read.Deformable(root, nil); err == nil {
		t.Error("bone 5 of 5 was accepted")
	}
}

func TestMaterialValues(t *testing.T) {
	list, err := read.Materials(mustRead(t, file(t, "syn_materials.mat")).Root, nil)
	if err != nil {
		t.Fatal(err)
	}
	types := set{}
	for _, m := range list {
		types[m.Type] = true
	}
	if len(types) < 31 {
		t.Errorf("%d types", len(types))
	}
	for typ, want := range map[string]string{
		"DcDt": "Dc Dt", "DcDtEcOcOtTwo": "Dc Dt Ec Oc Ot Two", "DcDtBtOcOt": "Dc Dt Bt Oc Ot", "EcEt": "Ec Et", "Nebula": "", "DetailMapMaterial": "", "NomadMaterial": "", "": "",
	} {
		if got := strings.Join(freelancer.Tokens(typ), " "); got != want {
			t.Errorf("tokens of %q: %q, want %q", typ, got, want)
		}
	}
	if f := freelancer.TextureFlags(0x5A); f.U() != freelancer.AddressClamp || f.V() != freelancer.AddressClamp || f&freelancer.SecondUV == 0 {
		t.Errorf("flags 0x5A: %v %v", f.U(), f.V())
	}
}

func TestTextureForms(t *testing.T) {
	list, err := read.Textures(mustRead(t, file(t, "syn_textures.txm")).Root, nil)
	if err != nil {
		t.Fatal(err)
	}
	forms := map[freelancer.TextureForm]int{}
	for _, x := range list {
		forms[x.Form]++
		for i, l := range x.Leaves {
			if n, ok := freelancer.MipLevel(l.Name); x.Form == freelancer.TGATexture && (!ok || n != i) {
				t.Errorf("%s: level %d is in %q", x.Name, i, l.Name)
			}
			if x.Form != freelancer.TGATexture && string(l.Data[:4]) != "DDS " {
				t.Errorf("%s: no DDS file in %q", x.Name, l.Name)
			}
		}
		if a := x.Animation; a != nil {
			for _, f := range a.Frames {
				if f.Texture >= a.Textures || a.FPS <= 0 {
					t.Errorf("%s: a frame of texture %d of %d, %g frames a second", x.Name, f.Texture, a.Textures, a.FPS)
				}
			}
		}
	}
	for form := freelancer.AnimatedTexture; form <= freelancer.TGATexture; form++ {
		if forms[form] == 0 {
			t.Errorf("no texture of form %d", form)
		}
	}
}

func TestEffectValues(t *testing.T) {
	for name, version := range map[string]float32{"syn_effects_v10_hntd.ale": 1, "syn_effects_v11.ale": 1.1} {
		root := mustRead(t, file(t, name)).Root
		effects, err := read.EffectLibrary(root.Find("ALEffectLib/ALEffectLib").Data, nil)
		if err != nil {
			t.Fatal(err)
		}
		nodes, err := read.NodeLibrary(root.Find("AlchemyNodeLibrary/AlchemyNodeLibrary").Data, nil)
		if err != nil {
			t.Fatal(err)
		}
		if effects.Version != version || nodes.Version != 1.1 {
			t.Errorf("%s: versions %g and %g", name, effects.Version, nodes.Version)
		}
		known := map[uint32]bool{0xEE223B51: true}
		types := map[freelancer.EffectPropertyType]bool{}
		for _, n := range nodes.Nodes {
			if n.Name() == "" {
				t.Errorf("%s: a %s without a name", name, n.Type.Value)
			}
			known[freelancer.FLCRCExact(n.Name())] = true
			for _, p := range n.Properties {
				types[p.Type] = true
			}
		}
		for _, e := range effects.Effects {
			for _, x := range e.Instances {
				if !known[x.Node] {
					t.Errorf("%s: %s uses the unknown node %08x", name, e.Name.Value, x.Node)
				}
			}
		}
		if name == "syn_effects_v11.ale" && len(types) != 9 {
			t.Errorf("%s: property types %v", name, types)
		}
	}
	if freelancer.EffectPropertyName(0x04FC9016) != "BasicApp_Alpha" || freelancer.EffectPropertyName(0x1C65B7B9) != "" {
		t.Error("names of hashes")
	}
}
