package unreal

import (
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/mesh"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/convert/unreal/skeleton"
	"github.com/usher-assets/usher/convert/unreal/space"
	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/testdata/corpus"
	write "github.com/usher-assets/usher/write/unreal"
)

// solid is a mesh of faces by the places of their corners, in their order, with the material of each.
func solid[F any](faces []F, corner func(f F) (points [3][3]float32, material int)) map[string]int {
	count := map[string]int{}
	for _, f := range faces {
		p, material := corner(f)
		k := 0 // the least corner first
		for i := range p {
			if slices.Compare(p[i][:], p[k][:]) < 0 {
				k = i
			}
		}
		count[fmt.Sprint(p[k], p[(k+1)%3], p[(k+2)%3], material)]++
	}
	return count
}

func solidOfPSK(x *unreal.PSK) map[string]int {
	return solid(x.Faces, func(f unreal.PSKFace) (p [3][3]float32, material int) {
		for k, w := range f.Wedges {
			p[k] = x.Points[x.Wedges[w].Point]
		}
		return p, int(f.Material)
	})
}

func solidOfMesh(m *unreal.SkeletalMesh) map[string]int {
	return solid(m.Faces, func(f unreal.Face) (p [3][3]float32, material int) {
		for k, w := range f.Wedges {
			p[k] = m.Points[m.Wedges[w].Vertex]
		}
		return p, int(f.Material)
	})
}

// TestPSKToPackage: what is made of the real source is what the editor made of it: points, faces in their winding with
// their materials, bones, weights.
func TestPSKToPackage(t *testing.T) {
	dir := corpus.Folder(t, "unreal")
	b := corpus.Bytes(t, filepath.Join(dir, "psk", "C4.psk"))
	x, err := read.PSK(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	v, _ := Create(&format.Env{Name: "New.u"})
	a := v.(*archive)
	anim := corpus.Bytes(t, filepath.Join(dir, "psk", "C4.psa"))
	if err := a.Add("Bomb", anim, &mesh.PSAFormat); err != nil {
		t.Fatal(err)
	}
	if err := a.Add("Bomb", b, &mesh.PSKFormat); err != nil {
		t.Fatal(err)
	}
	a = openBytes(t, "New.u", written(t, a))
	r := a.FindExport("Bomb", "SkeletalMesh")
	o, err := a.Object(int(r - 1))
	if err != nil {
		t.Fatal(err)
	}
	got := o.(*unreal.SkeletalMesh)
	real := openBytes(t, "C4.u", corpus.Bytes(t, filepath.Join(dir, "C4.u")))
	o, err = real.Object(entry(t, real, "C4"))
	if err != nil {
		t.Fatal(err)
	}
	want := o.(*unreal.SkeletalMesh)
	if !maps.Equal(solidOfMesh(got), solidOfMesh(want)) || !maps.Equal(solidOfPSK(x), solidOfMesh(want)) {
		t.Error("the faces are not those of the real package")
	}
	if !slices.Equal(got.Materials, want.Materials) || len(got.Textures) != len(want.Textures) || len(got.Wedges) != len(want.Wedges) || len(got.TextureLOD) != len(want.TextureLOD) {
		t.Errorf("materials %v, %d textures, %d wedges, %d LOD; want %v, %d, %d, %d", got.Materials, len(got.Textures), len(got.Wedges), len(got.TextureLOD),
			want.Materials, len(want.Textures), len(want.Wedges), len(want.TextureLOD))
	}
	if g, w := got.Bones[0], want.Bones[0]; a.Name(g.Name) != real.Name(w.Name) || g.Orientation != w.Orientation || g.Position != w.Position || g.Children != w.Children || got.Depth != want.Depth {
		t.Errorf("bone %+v, want %+v", g, w)
	}
	if len(got.Weights) != len(want.Weights) || got.BoneWeights[0].Count != want.BoneWeights[0].Count || got.Weights[0].Weight != want.Weights[0].Weight {
		t.Errorf("%d weights, want %d", len(got.Weights), len(want.Weights))
	}
	if a.RefText(got.Animation) != "Animation'Bomb'" {
		t.Errorf("its animation is %s", a.RefText(got.Animation))
	}
	// Of 127 coordinates that are told apart, the reference counts 5 that the compiler made otherwise.
	uv := map[[3]float32]map[[2]uint8]bool{}
	for _, w := range want.Wedges {
		p := want.Points[w.Vertex]
		if uv[p] == nil {
			uv[p] = map[[2]uint8]bool{}
		}
		uv[p][w.UV] = true
	}
	other := 0
	for _, w := range got.Wedges {
		if !uv[got.Points[w.Vertex]][w.UV] {
			other++
		}
	}
	if other > len(got.Wedges)/10 {
		t.Errorf("%d of %d wedges have other coordinates", other, len(got.Wedges))
	}
}

// skinnedSource is a strip on two bones that bends, with texture coordinates that bytes do not hold.
func skinnedSource() (*unreal.PSK, *unreal.PSA) {
	turn := func(degrees float64) [4]float32 {
		s, c := math.Sincos(degrees * math.Pi / 360)
		return [4]float32{0, float32(s), 0, float32(c)}
	}
	x := &unreal.PSK{
		Materials: []unreal.PSKMaterial{{Name: unreal.NewActorXName("Skin"), Texture: 2, Flags: unreal.PolyTwoSided, AuxFlags: 1, LODBias: 5}, {Name: unreal.NewActorXName("Other"), Texture: 2, Flags: unreal.PolyTwoSided, AuxFlags: 1, LODBias: 5}},
		Bones: []unreal.ActorXBone{{Name: unreal.NewActorXName("Root"), Children: 1, Orientation: turn(30), Position: [3]float32{1, 2, 3}},
			{Name: unreal.NewActorXName("Tip"), Orientation: turn(-20), Position: [3]float32{10, 0, 4}}},
	}
	for i := range 6 {
		x.Points = append(x.Points, [3]float32{float32(i / 2 * 10), float32(i % 2 * 5), float32(i)})
		x.Wedges = append(x.Wedges, unreal.PSKWedge{Point: uint32(i), UV: [2]float32{float32(i) / 7, float32(i) * 0.3}, Material: uint8(i / 4)})
		w := float32(i/2) / 2
		x.Weights = append(x.Weights, unreal.PSKWeight{Weight: 1 - w, Point: int32(i), Bone: 0}, unreal.PSKWeight{Weight: w, Point: int32(i), Bone: 1})
	}
	for i := range 4 {
		f := unreal.PSKFace{Wedges: [3]uint32{uint32(i), uint32(i + 1), uint32(i + 2)}, Material: uint8(i / 2), Second: 190, Smoothing: 3}
		if i%2 == 1 {
			f.Wedges[0], f.Wedges[1] = f.Wedges[1], f.Wedges[0]
		}
		x.Faces = append(x.Faces, f)
	}
	y := &unreal.PSA{Bones: x.Bones, Sequences: []unreal.PSASequence{
		{Name: unreal.NewActorXName("Bend"), Bones: 2, Quotum: 10, Reduction: 1, TrackTime: 5, Rate: 25, Frames: 5},
		{Name: unreal.NewActorXName("Rest"), Bones: 2, Quotum: 2, Reduction: 1, TrackTime: 1, Rate: 30, First: 5, Frames: 1},
	}}
	for f := range 6 {
		y.Keys = append(y.Keys, unreal.PSAKey{Position: x.Bones[0].Position, Rotation: turn(30), Time: 1},
			unreal.PSAKey{Position: [3]float32{10, float32(f), 4}, Rotation: turn(-20 + 15*float64(f)), Time: 1})
	}
	return x, y
}

// TestPSKThereAndBack: an unedited mesh comes back byte for byte through GLB, the real one too; an edited one keeps what
// was not edited, and its motions.
func TestPSKThereAndBack(t *testing.T) {
	mesh, motions := skinnedSource()
	b, err := write.PSK(mesh)
	if err != nil {
		t.Fatal(err)
	}
	psa, err := write.PSA(motions)
	if err != nil {
		t.Fatal(err)
	}
	files := folder{"strip.psa": psa}
	same := func(t *testing.T, name string, b []byte) (s *asset.Scene, emitted *[]byte, env *format.Env) {
		t.Helper()
		x, err := read.PSK(b, nil)
		if err != nil {
			t.Fatal(err)
		}
		if s, err = PSK.Lift(x, &format.Env{Name: name + ".psk", Files: files}); err != nil {
			t.Fatal(err)
		}
		s = through(t, s).(*asset.Scene)
		emitted = new([]byte)
		env = &format.Env{Diagnostics: new(schema.Diagnostics), Output: name, Emit: func(n string, content []byte) error {
			if n != name+".psa" {
				t.Errorf("%s is written", n)
			}
			*emitted = content
			return nil
		}}
		y, err := PSK.Lower(s, env)
		if err != nil {
			t.Fatal(err)
		}
		again, err := write.PSK(y)
		if err != nil {
			t.Fatal(err)
		}
		corpus.SameBytes(t, name, again, b)
		corpus.SameBytes(t, name+"'s motions", *emitted, files[strings.ToLower(name)+".psa"])
		return s, emitted, env
	}
	t.Run("corpus", func(t *testing.T) {
		dir := filepath.Join(corpus.Folder(t, "unreal"), "psk")
		files["c4.psa"] = corpus.Bytes(t, filepath.Join(dir, "C4.psa"))
		same(t, "C4", corpus.Bytes(t, filepath.Join(dir, "C4.psk")))
	})
	t.Run("strip", func(t *testing.T) {
		s, emitted, env := same(t, "strip", b)
		// One motion is another one now: its keys are sampled, the other's stay.
		x2 := *s
		x2.Animations = slices.Clone(s.Animations)
		for i, a := range x2.Animations {
			if a.Name == "Bend" {
				b := *a
				b.Name = "Bow"
				x2.Animations[i] = &b
			}
		}
		if _, err := PSK.Lower(&x2, env); err != nil {
			t.Fatal(err)
		}
		got, err := read.PSA(*emitted, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Sequences) != 2 || got.Sequences[0].Name.Text != "Bow" || got.Sequences[0].Rate != 25 || got.Sequences[0].Frames != 5 {
			t.Errorf("%+v", got.Sequences)
		}
		for i, k := range got.Keys[:10] {
			want := motions.Keys[i]
			for c := range 3 {
				if !space.Close(k.Position[c], want.Position[c], 1e-3) {
					t.Errorf("key %d at %v, want %v", i, k.Position, want.Position)
				}
			}
			if !skeleton.SameTurn(scene.Turn(k.Rotation), scene.Turn(want.Rotation), 1e-4) {
				t.Errorf("key %d turned %v, want %v", i, k.Rotation, want.Rotation)
			}
		}
		// An edit: one vertex moves, in every primitive that has it.
		for _, n := range space.Shown(s) {
			for _, p := range n.Node.Mesh.Primitives {
				p.Positions = slices.Clone(p.Positions)
				for i := range p.Positions {
					if p.Positions[i] == space.Skeletal.Point(mesh.Points[5]) {
						p.Positions[i][1] += 2
					}
				}
			}
		}
		y, err := PSK.Lower(s, env)
		if err != nil {
			t.Fatal(err)
		}
		if len(y.Points) != 6 || len(y.Faces) != 4 || len(y.Weights) != 8 || y.Materials[1].Name.Text != "Other" || len(y.Materials) != 2 {
			t.Errorf("%d points, %d faces, %d weights, %d materials", len(y.Points), len(y.Faces), len(y.Weights), len(y.Materials))
		}
		for i, p := range y.Points { // the moved one goes through the matrices of its bones
			if space.Close(p[0], 20, 1e-4) && space.Close(p[1], 5, 1e-4) && space.Close(p[2], 7, 1e-4) {
				y.Points[i] = [3]float32{20, 5, 7}
			}
		}
		want := *mesh
		want.Points = slices.Clone(mesh.Points)
		want.Points[5][2] += 2
		if !maps.Equal(solidOfPSK(y), solidOfPSK(&want)) {
			t.Errorf("faces %v, want %v", solidOfPSK(y), solidOfPSK(&want))
		}
		if y.Faces[0].Second != 190 || y.Faces[0].Smoothing != 3 || !reflect.DeepEqual(y.Bones, mesh.Bones) {
			t.Errorf("face %+v, bones %+v", y.Faces[0], y.Bones)
		}
		for i, w := range y.Wedges {
			found := false
			for k := range mesh.Wedges {
				found = found || mesh.Wedges[k].UV == w.UV
			}
			if !found {
				t.Errorf("wedge %d has coordinates %v", i, w.UV)
			}
		}
	})
}

// TestMotionsOfPSK: motions that cannot be read, have no place or are not in the scene are told of.
func TestMotionsOfPSK(t *testing.T) {
	source, motions := skinnedSource()
	psa, err := write.PSA(motions)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		psa     []byte
		edit    func(s *asset.Scene)
		emits   bool
		want    string
		emitted bool
	}{
		{"as they were", psa, func(*asset.Scene) {}, true, "", true},
		{"none", nil, func(*asset.Scene) {}, true, "", false},
		{"damaged", psa[:40], func(*asset.Scene) {}, true, "motions-unread", false},
		{"without a place", psa, func(*asset.Scene) {}, false, "motions", false},
		{"not in the scene", psa, func(s *asset.Scene) { s.Animations = nil }, true, "motions-kept", false},
		{"one less", psa, func(s *asset.Scene) { s.Animations = s.Animations[:1] }, true, "motion-gone", true},
		{"one that moves nothing", psa, func(s *asset.Scene) { s.Animations = append(s.Animations, &asset.Animation{Name: "Nothing"}) }, true, "animation", true},
	} {
		files := folder{}
		if c.psa != nil {
			files["strip.psa"] = c.psa
		}
		d, emitted := new(schema.Diagnostics), false
		s, err := PSK.Lift(source, &format.Env{Name: "strip.psk", Files: files, Diagnostics: d})
		if err != nil {
			t.Fatal(err)
		}
		env := &format.Env{Diagnostics: d}
		if c.emits {
			env.Output = "Other"
			env.Emit = func(name string, _ []byte) error { emitted = name == "Other.psa"; return nil }
		}
		s = through(t, s).(*asset.Scene)
		c.edit(s)
		if _, err := PSK.Lower(s, env); err != nil {
			t.Fatal(err)
		}
		for _, code := range []string{"motions-unread", "motions", "motions-kept", "motion-gone", "animation"} {
			if d.Has(code) != (code == c.want) {
				t.Errorf("%s: %v", c.name, d.All())
			}
		}
		if emitted != c.emitted {
			t.Errorf("%s: written %v", c.name, emitted)
		}
	}
}

// TestMadePSKToPackage: what files of an actor become in a package has their points, faces, bones and weights, and becomes files that
// show the same.
func TestMadePSKToPackage(t *testing.T) {
	source, motions := skinnedSource()
	source.Materials[1].Texture = 1 // materials of one texture and the same flags become one
	motions.Sequences = append(motions.Sequences, unreal.PSASequence{Name: unreal.NewActorXName("Still"), Bones: 2, TrackTime: 3, Rate: 30, First: 6, Frames: 3})
	for range 3 {
		motions.Keys = append(motions.Keys, motions.Keys[10:12]...)
	}
	a := made(t, 69)
	addActorX(t, a, "Strip", source, motions)
	a = openBytes(t, "Made.u", written(t, a))
	m, err := pack.As[unreal.SkeletalMesh](a.File, int(a.FindExport("Strip", "SkeletalMesh")-1))
	if err != nil {
		t.Fatal(err)
	}
	if !maps.Equal(solidOfMesh(m), solidOfPSK(source)) || a.RefText(m.Animation) != "Animation'Strip'" || len(m.Materials) != 2 || m.AndFlags != unreal.PolyTwoSided || m.OrFlags != unreal.PolyTwoSided {
		t.Errorf("%d faces, %s, materials %v, flags %x, %x", len(m.Faces), a.RefText(m.Animation), m.Materials, m.AndFlags, m.OrFlags)
	}
	for i, b := range m.Bones {
		want := source.Bones[i]
		if a.Name(b.Name) != want.Name.Text || b.Orientation != want.Orientation || b.Position != want.Position || b.Parent != want.Parent || b.Children != want.Children {
			t.Errorf("bone %+v, want %+v", b, want)
		}
	}
	for _, w := range m.Wedges { // 256ths of the texture, without whole ones
		found := false
		for _, x := range source.Wedges {
			u, v := math.Floor(float64(x.UV[0])*256), math.Floor(float64(x.UV[1])*256)
			found = found || source.Points[x.Point] == m.Points[w.Vertex] && w.UV == [2]uint8{uint8(int(u)), uint8(int(v))}
		}
		if !found {
			t.Errorf("corner %+v", w)
		}
	}
	x, err := pack.As[unreal.Animation](a.File, int(m.Animation-1))
	if err != nil {
		t.Fatal(err)
	}
	for move, want := range [][2][3]int{{{1, 1, 1}, {5, 5, 5}}, {{1, 1, 1}, {1, 1, 1}}, {{1, 1, 1}, {1, 1, 1}}} { // keys of each bone: one where it does not move
		for bone, n := range want {
			if q := x.Moves[move].Tracks[bone]; [3]int{len(q.Times), len(q.Rotations), len(q.Positions)} != n {
				t.Errorf("move %d, bone %d: %d times, %d rotations, %d positions, want %v", move, bone, len(q.Times), len(q.Rotations), len(q.Positions), n)
			}
		}
	}
	if x.Moves[2].TrackTime != 0.1 || x.Sequences[2].Frames != 3 {
		t.Errorf("%v s, %d frames", x.Moves[2].TrackTime, x.Sequences[2].Frames)
	}
	var psa []byte
	back, err := PSK.Lower(through(t, lifted(t, a, "Strip@SkeletalMesh")).(*asset.Scene), &format.Env{Diagnostics: new(schema.Diagnostics), Emit: func(_ string, b []byte) error { psa = b; return nil }})
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range back.Points { // they went through the matrices of the bones
		for k, v := range p {
			back.Points[i][k] = float32(math.Round(float64(v)*1e3)/1e3) + 0
		}
	}
	if !maps.Equal(solidOfPSK(back), solidOfPSK(source)) || len(back.Weights) != 8 {
		t.Errorf("%d weights, %v, %v, want %v", len(back.Weights), err, solidOfPSK(back), solidOfPSK(source))
	}
	moves, err := read.PSA(psa, nil)
	if err != nil || len(moves.Sequences) != 3 || moves.Sequences[0].Frames != 5 || moves.Sequences[1].Frames != 1 {
		t.Fatalf("%+v, %v", moves, err)
	}
	for i, k := range moves.Keys {
		want := motions.Keys[i]
		for c := range 3 {
			if !space.Close(k.Position[c], want.Position[c], 1e-3) {
				t.Errorf("key %d at %v, want %v", i, k.Position, want.Position)
			}
		}
		if !skeleton.SameTurn(scene.Turn(k.Rotation), scene.Turn(want.Rotation), 1e-4) {
			t.Errorf("key %d turned %v, want %v", i, k.Rotation, want.Rotation)
		}
	}
}

// TestPackageToPSK: a mesh of a package becomes a file with the same points and faces as its source.
func TestPackageToPSK(t *testing.T) {
	dir := corpus.Folder(t, "unreal")
	a := openBytes(t, "C4.u", corpus.Bytes(t, filepath.Join(dir, "C4.u")))
	source, err := read.PSK(corpus.Bytes(t, filepath.Join(dir, "psk", "C4.psk")), nil)
	if err != nil {
		t.Fatal(err)
	}
	x, err := PSK.Lower(through(t, lifted(t, a, "C4")).(*asset.Scene), &format.Env{})
	if err != nil {
		t.Fatal(err)
	}
	if !maps.Equal(solidOfPSK(x), solidOfPSK(source)) {
		t.Error("the faces are not those of the source")
	}
	if len(x.Materials) != len(source.Materials) || len(x.Bones) != 1 || x.Bones[0].Name.Text != source.Bones[0].Name.Text {
		t.Errorf("%d materials, bones %+v", len(x.Materials), x.Bones)
	}
}

// TestPSKMalformed: numbers that lead nowhere are refused.
func TestPSKMalformed(t *testing.T) {
	for name, change := range map[string]func(x *unreal.PSK){
		"wedge":  func(x *unreal.PSK) { x.Wedges[3].Point = 6 },
		"face":   func(x *unreal.PSK) { x.Faces[0].Wedges[1] = 6 },
		"parent": func(x *unreal.PSK) { x.Bones[1].Parent = 1 },
		"none":   func(x *unreal.PSK) { x.Bones[1].Parent = -1 },
		"weight": func(x *unreal.PSK) { x.Weights[0].Point = -1 },
		"bone":   func(x *unreal.PSK) { x.Weights[0].Bone = 2 },
	} {
		x, _ := skinnedSource()
		change(x)
		b, err := write.PSK(x)
		if err != nil {
			t.Fatal(err)
		}
		if x, err = read.PSK(b, nil); err != nil {
			t.Fatal(err)
		}
		if _, err := PSK.Lift(x, &format.Env{Name: "x.psk"}); schema.Class(err) != schema.ErrRange {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, y := skinnedSource()
	y.Sequences[1].Frames = 2
	b, err := write.PSA(y)
	if err != nil {
		t.Fatal(err)
	}
	if err := made(t, 69).Add("Strip", b, &mesh.PSAFormat); schema.Class(err) != schema.ErrRange {
		t.Errorf("frames: %v", err)
	}
}
