package freelancer_test

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"
	"strings"
	"testing"

	read "github.com/usher-assets/usher/read/freelancer"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/testdata/corpus"
	write "github.com/usher-assets/usher/write/freelancer"
)

// exercises lists what a tree holds in the words of the corpus' manifest.
func exercises(t *testing.T, b []byte) map[string]bool {
	tree := mustRead(t, b)
	root := tree.Root
	x := map[string]bool{}
	fvf, primitives := set{}, set{}
	joints, hardpoints, levels, channels, sides := set{}, set{}, set{}, set{}, set{}
	var wires, materials set = set{}, set{}
	eachLeaf(root, func(path string, n *freelancer.Node, kind freelancer.LeafKind) {
		v, err := read.Leaf(kind, n, nil)
		if err != nil {
			t.Fatal(err)
		}
		switch v := v.(type) {
		case *freelancer.VMesh:
			fvf[fmt.Sprintf("0x%x", uint16(v.FVF))] = true
			primitives[fmt.Sprint(uint32(v.Primitive))] = true
		case *freelancer.VMeshRef:
			if v.Mesh == 0 && v.Empty() {
				x["null VMeshRef"] = true
			}
		case *freelancer.VWire:
			lo, hi := slices.Min(v.Indices), slices.Max(v.Indices)
			switch v.VertexRange {
			case hi - lo + 1:
				wires["max-min+1"] = true
			case hi - lo:
				wires["max-min"] = true
			default:
				wires["other"] = true
			}
		case *freelancer.Joints:
			if len(v.List) > 0 {
				joints[strings.ToLower(v.Kind.String())] = true
			}
		case *freelancer.Floats:
			if (n.Name == "Min" || n.Name == "Max") && len(n.Data) == 8 {
				x["8-byte Min/Max"] = true
			}
		case *freelancer.EffectLibrary:
			x["particle effect library"] = true
		}
	})
	root.Walk(func(_ string, n *freelancer.Node) bool {
		hs, err := read.Hardpoints(n)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range hs {
			hardpoints[map[bool]string{false: "Fixed", true: "Revolute"}[h.Revolute]] = true
		}
		if freelancer.SameName(n.Name, "MultiLevel") {
			m, _ := read.MultiLevel(n)
			levels[fmt.Sprint(len(m.Levels))] = true
		}
		if freelancer.SameName(n.Name, "Sphere") {
			s, err := read.SphereModel(n, nil)
			if err != nil || len(s.Materials) != int(s.Sides) {
				t.Errorf("sphere: %+v, %v", s, err)
			}
			sides[fmt.Sprint(s.Sides)] = true
		}
		return true
	})
	scripts, err := read.Scripts(root, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range scripts {
		for _, m := range s.Maps {
			channels[fmt.Sprintf("0x%x", uint32(m.Channel.Type))] = true
		}
	}
	list, _ := read.Materials(root, nil)
	for _, m := range list {
		materials[m.Type] = true
	}
	x["FVF "+fvf.join("/")] = true
	x["primitives "+primitives.join("/")] = true
	x["joints "+joints.join("+")] = true
	x["hardpoints "+hardpoints.join("+")] = true
	x["LOD levels "+levels.join("/")] = true
	x["animation "+channels.join("/")] = true
	x["wireframe("+wires.join("/")+")"] = true
	x["materials "+materials.join("+")] = true
	x["sphere sides "+sides.join("/")] = true
	stamp := "no exporter stamp"
	if n := root.Child("Exporter Version"); n != nil {
		v, _ := read.Text(n.Data, nil)
		stamp = v.Value
	}
	x["writer: "+stamp] = true
	return x
}

type set map[string]bool

func (s set) join(sep string) string { return strings.Join(slices.Sorted(maps.Keys(s)), sep) }

// normal sorts the words of "FVF 0x112/0x2" and its like.
func normal(token string) string {
	for _, sep := range []string{"/", "+"} {
		head, list, ok := strings.Cut(token, " ")
		if !ok || !strings.Contains(list, sep) || strings.HasPrefix(token, "LOD") || strings.Contains(token, "(") || strings.HasPrefix(token, "8-") {
			continue
		}
		words := strings.Split(list, sep)
		sort.Strings(words)
		return head + " " + strings.Join(words, sep)
	}
	return token
}

func TestManifest(t *testing.T) {
	checked := 0
	files(t, func(t *testing.T, e corpus.Entry, b []byte) {
		if e.Columns["repo"] == "(synthetic)" {
			return
		}
		have := exercises(t, b)
		for _, token := range strings.Split(e.Columns["exercises"], "; ") {
			if strings.HasPrefix(token, "DDS") || strings.HasPrefix(token, "TGA") || strings.HasPrefix(token, "container") {
				continue
			}
			checked++
			if !have[normal(token)] {
				t.Errorf("%q is not among %v", token, slices.Sorted(maps.Keys(have)))
			}
		}
	})
	if checked < 150 {
		t.Errorf("only %d facts were compared", checked)
	}
}

// TestContainerFacts compares what the manifest says of the containers.
func TestContainerFacts(t *testing.T) {
	files(t, func(t *testing.T, e corpus.Entry, b []byte) {
		what := e.Columns["exercises"]
		tree := mustRead(t, b)
		h := tree.Header
		facts := map[string]bool{
			"FILETIME 0":                          h.FileTime == 0,
			"no leading NUL in dictionary":        b[h.NamesOffset] != 0,
			"no leading NUL":                      b[h.NamesOffset] != 0,
			"dictionary before tree":              h.NamesOffset < h.TreeOffset,
			"root sizes = file size":              int(tree.Root.Slot.Used) == len(b),
			"free entry list":                     h.FirstFreeEntry != 0 && h.FirstFreeData != 0 && h.FreeDataSize != 0,
			"root with no children":               len(tree.Root.Children) == 0,
			"zero-length names":                   has(tree, func(n *freelancer.Node) bool { return n.Name == "" }),
			"attribute 0 entry":                   has(tree, func(n *freelancer.Node) bool { return n.Attributes == 0 }),
			"zero-size leaf":                      has(tree, func(n *freelancer.Node) bool { return !n.IsDir() && len(n.Data) == 0 }),
			"attribute 0x08000080":                has(tree, func(n *freelancer.Node) bool { return n.Attributes == freelancer.Database }),
			"windows-1252 name":                   has(tree, func(n *freelancer.Node) bool { return n.Name == "Näme “q”" }),
			"case-insensitive duplicate siblings": has(tree, func(n *freelancer.Node) bool { return n.Name == "SAME" }),
			"entries share data":                  sharesData(tree),
			"data shared between entries":         sharesData(tree),
			"last alloc runs past EOF": has(tree, func(n *freelancer.Node) bool {
				return n.Data != nil && int(h.DataOffset+n.Slot.Child+n.Slot.Allocated) > len(b)
			}),
			"alloc past EOF": has(tree, func(n *freelancer.Node) bool {
				return n.Data != nil && int(h.DataOffset+n.Slot.Child+n.Slot.Allocated) > len(b)
			}),
			"high attribute bits": has(tree, func(n *freelancer.Node) bool { return n.Attributes&^0x90 != 0 }),
		}
		for fact, holds := range facts {
			if strings.Contains(what, fact) && !holds {
				t.Errorf("%q does not hold", fact)
			}
		}
	})
}

func has(tree *freelancer.Tree, f func(n *freelancer.Node) bool) (found bool) {
	tree.Root.Walk(func(_ string, n *freelancer.Node) bool {
		found = found || f(n)
		return true
	})
	return found
}

func sharesData(tree *freelancer.Tree) bool {
	seen := map[uint32]bool{}
	return has(tree, func(n *freelancer.Node) bool {
		if n.IsDir() || n.Data == nil {
			return false
		}
		twice := seen[n.Slot.Child]
		seen[n.Slot.Child] = true
		return twice
	})
}

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
