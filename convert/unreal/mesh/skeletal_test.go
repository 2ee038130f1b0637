package mesh

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/convert/unreal/skeleton"
	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/testdata/corpus"
)

// skeletals calls f for every skeletal mesh of the corpus.
func skeletals(t *testing.T, f func(pkg *pack.File, m *unreal.SkeletalMesh)) {
	n := 0
	for _, e := range corpus.Manifest(t, "unreal") {
		if e.Expected != "ok" {
			continue
		}
		b := corpus.Bytes(t, e.Path)
		pkg, err := pack.Open(bytes.NewReader(b), int64(len(b)), nil)
		if err != nil {
			t.Fatalf("%s: %v", e.File, err)
		}
		for i := range pkg.Exports {
			if pkg.Layout(i) != "SkeletalMesh" {
				continue
			}
			o, err := pkg.Object(i)
			if err != nil {
				t.Fatal(err)
			}
			n++
			f(pkg, o.(*unreal.SkeletalMesh))
		}
	}
	if n != 3 {
		t.Errorf("%d skeletal meshes, want 3", n)
	}
}

// What usher computes for an edited mesh is what the files hold.
func TestSkeletalComputed(t *testing.T) {
	skeletals(t, func(pkg *pack.File, m *unreal.SkeletalMesh) {
		local := slices.Clone(m.LocalPoints)
		localPoints(m)
		size := m.Primitive.Box.Max[0] - m.Primitive.Box.Min[0]
		for i := range local {
			for k := range 3 {
				if !space.Close(local[i][k], m.LocalPoints[i][k], 1e-5*max(1, size)) {
					t.Fatalf("%s: local point %d: %v, stored %v", m.Path, i, m.LocalPoints[i], local[i])
				}
			}
		}
		if m.Primitive.Box.Min == [3]float32{-20, -5, -20} { // round numbers: given by hand
			return
		}
		if p := skeletalBounds(m); !sameBox(m.Primitive.Box, p.Box) || !space.Close(m.Primitive.Sphere.Radius, p.Sphere.Radius, 1e-3*size) {
			t.Errorf("%s: bounds %v, stored %v", m.Path, p, m.Primitive)
		}
	})
}

// tail is a mesh of a triangle that hangs on one bone, or on none, and of a corner that no face has.
func tail(bones int) (*pack.File, *unreal.SkeletalMesh) {
	pkg := pack.Scratch()
	m := &unreal.SkeletalMesh{Points: [][3]float32{{0, 0, 0}, {10, 0, 0}, {0, 10, 0}, {0, 0, 10}}}
	m.Context = &unreal.Context{Package: pkg.Package, Path: "Tail", Class: "SkeletalMesh"}
	m.Scale = [3]float32{1, 1, 1}
	m.Wedges = []unreal.Wedge{{Vertex: 0}, {Vertex: 1}, {Vertex: 3}, {Vertex: 2}}
	m.Faces, m.Materials = []unreal.Face{{Wedges: [3]uint16{0, 1, 3}}}, []unreal.MeshMaterial{{Texture: -1}}
	for i := range bones {
		m.Bones = append(m.Bones, unreal.Bone{Name: pkg.AddName(string(rune('A' + i))), Orientation: [4]float32{0.1, 0.2, 0.3, 0.9}, Position: [3]float32{1, 2, 3}})
		m.BoneWeights = append(m.BoneWeights, unreal.BoneWeights{})
	}
	if bones > 0 {
		m.BoneWeights[0].Count = 4
		for p := range m.Points {
			m.Weights = append(m.Weights, unreal.PointWeight{Point: uint16(p), Weight: 65535})
		}
	}
	return pkg, m
}

// A mesh without bones is a shape without a skin.
func TestBoneless(t *testing.T) {
	for bones := range 3 {
		pkg, m := tail(bones)
		s, err := skeletalScene(pkg, m, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range append(s.Skins, new(asset.Skin))[0].InverseBind { // as glTF asks for it
			if [4]float32{b[3], b[7], b[11], b[15]} != [4]float32{0, 0, 0, 1} {
				t.Errorf("%d bones: the last row of a matrix is %v", bones, [4]float32{b[3], b[7], b[11], b[15]})
			}
		}
		if n := space.Shown(s)[0].Node; (n.Skin != nil) != (bones > 0) || bones > 0 && len(n.Skin.Joints) != bones || len(s.Skins) != min(bones, 1) {
			t.Errorf("%d bones: skin %v", bones, n.Skin)
		}
	}
}

// A point that is moved moves, and nothing else: corners that no face has stay.
func TestUpdateSkin(t *testing.T) {
	pkg, m := tail(1)
	lifted, err := skeletalScene(pkg, m, nil)
	if err != nil {
		t.Fatal(err)
	}
	moved, err := skeletalScene(pkg, m, nil)
	if err != nil {
		t.Fatal(err)
	}
	space.Shown(moved)[0].Node.Mesh.Primitives[0].Positions[1][2] += 5
	var both [2]*Triangles
	for i, s := range []*asset.Scene{moved, lifted} {
		r, err := skeleton.RigOf(s, &m.Mesh, nil)
		if err == nil {
			both[i], err = gatherSkinned(pkg, s, r, m, nil, false)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	want := slices.Clone(m.Points)
	want[1] = space.Skeletal.Back([3]float32{0, 0, -5}) // the point (10, 0, 0) is at z −10 in scenes
	if !updateSkin(m, both[0], both[1]) || len(m.Wedges) != 4 {
		t.Errorf("wedges %v", m.Wedges)
	}
	for i, p := range m.Points {
		for k := range p {
			if !space.Close(p[k], want[i][k], 1e-4) {
				t.Errorf("point %d is at %v, want %v", i, p, want[i])
			}
		}
	}
}

// The engine looks at the flags of all materials together.
func TestFlagsOfAll(t *testing.T) {
	_, m := tail(1)
	m.Materials = []unreal.MeshMaterial{{Flags: unreal.PolyMasked | unreal.PolyTwoSided}, {Flags: unreal.PolyUnlit | unreal.PolyTwoSided}, {Flags: unreal.PolyTwoSided}}
	if complete(m); m.AndFlags != unreal.PolyTwoSided || m.OrFlags != unreal.PolyMasked|unreal.PolyUnlit|unreal.PolyTwoSided {
		t.Errorf("%v, %v", unreal.FlagNames(m.AndFlags, unreal.PolyFlags), unreal.FlagNames(m.OrFlags, unreal.PolyFlags))
	}
}

// A rotation has the length 1; of one that has it nothing is rounded, and one without a length is none.
func TestUnit(t *testing.T) {
	nan, third := float32(math.NaN()), float32(1./3)
	for _, c := range []struct{ q, want [4]float32 }{
		{[4]float32{0, 3, 0, 4}, [4]float32{0, 0.6, 0, 0.8}}, {[4]float32{0, 0, 0.05, 0}, [4]float32{0, 0, 1, 0}}, {[4]float32{0, 0, 0, -2}, [4]float32{0, 0, 0, -1}},
		{[4]float32{third, 2 * third, 2 * third, 0}, [4]float32{third, 2 * third, 2 * third, 0}},
		{[4]float32{}, [4]float32{0, 0, 0, 1}}, {[4]float32{1e-7, 0, 0, 0}, [4]float32{0, 0, 0, 1}}, {[4]float32{1e7, 0, 0, 0}, [4]float32{0, 0, 0, 1}}, {[4]float32{nan, 0, 0, 1}, [4]float32{0, 0, 0, 1}},
	} {
		if got := unit(c.q); got != c.want {
			t.Errorf("%v: %v, want %v", c.q, got, c.want)
		}
	}
}

// A move of all bones lists none of them; when it gets a track of another one it lists all that it has, too.
func TestTrack(t *testing.T) {
	e := &animationEdit{}
	odd := &unreal.Move{Bones: []int32{7}, Tracks: make([]unreal.Track, 2)} // a list that is none
	if e.track(odd, 5); !slices.Equal(odd.Bones, []int32{0, 1, 5}) {
		t.Errorf("bones %v", odd.Bones)
	}
	m := &unreal.Move{Tracks: []unreal.Track{{Flags: 10}, {Flags: 11}}}
	if got := e.track(m, 1); got.Flags != 11 || m.Bones != nil {
		t.Errorf("%v, %v", got, m.Bones)
	}
	if e.track(m, 5).Flags = 15; !slices.Equal(m.Bones, []int32{0, 1, 5}) || len(m.Tracks) != 3 {
		t.Errorf("bones %v, %d tracks", m.Bones, len(m.Tracks))
	}
	for bone, want := range map[int]uint32{0: 10, 1: 11, 5: 15} {
		if got := e.track(m, bone); got.Flags != want {
			t.Errorf("bone %d has track %d", bone, got.Flags)
		}
	}
}

// Tracks move the bones that a move lists for them, by their names; without a list they are those of all bones.
func TestTracksOfBones(t *testing.T) {
	pkg, m := tail(3)
	x := &unreal.Animation{Bones: []unreal.AnimationBone{{Name: m.Bones[1].Name}, {Name: m.Bones[2].Name}}}
	track := unreal.Track{Times: []float32{0}, Positions: [][3]float32{{1, 2, 3}}}
	for want, bones := range map[string][]int32{"B C": nil, "C B": {1, 0}, "B C ": {9}, "B": {0, 9}} {
		x.Moves = []unreal.Move{{Bones: bones, Tracks: []unreal.Track{track, track}}}
		var nodes []*asset.Node
		for _, b := range m.Bones {
			nodes = append(nodes, asset.NewNode(pkg.Name(b.Name)))
		}
		all, _ := motionsOf(pkg, x, pkg.Package, m, nodes)
		var got []string
		for _, c := range all[0].Channels {
			got = append(got, c.Node.Name)
		}
		if strings.Join(got, " ") != strings.TrimSpace(want) {
			t.Errorf("of %v: %v, want %s", bones, got, want)
		}
	}
}

// A scene from elsewhere is told of where it rests otherwise than it is bound, and no animation begins so.
func TestBindNew(t *testing.T) {
	for _, c := range []struct {
		name           string
		turned, begins bool
		want           bool
	}{{"as it is bound", false, false, false}, {"turned", true, false, true}, {"as an animation begins", true, true, false}} {
		pkg, m := tail(2)
		s, err := skeletalScene(pkg, m, nil)
		if err != nil {
			t.Fatal(err)
		}
		bone := s.Skins[0].Joints[1]
		if c.turned {
			bone.Transform.Translation[0] += 7
		}
		key := slices.Clone(bone.Transform.Translation[:])
		if !c.begins {
			key[1] += 5
		}
		s.Animations = []*asset.Animation{{Name: "Wag", Channels: []*asset.Channel{{Node: bone, Path: asset.Translation, Times: []float32{0}, Values: key}}}}
		d := new(schema.Diagnostics)
		if bindNew(s, "Tail", d); d.Has("rest-pose") != c.want {
			t.Errorf("%s: %v", c.name, d.All())
		}
	}
}

// What is no file of an actor is refused.
func TestNoActorX(t *testing.T) {
	for _, name := range []string{unreal.PSAFormat, unreal.PSKFormat} {
		for _, b := range [][]byte{nil, []byte("no such file"), make([]byte, 64)} {
			if _, err := OfActorX(pack.Scratch(), &format.Format{Name: name}, b, "Tail"); err == nil {
				t.Errorf("%s of %d bytes", name, len(b))
			}
		}
	}
}

// In the bind pose, the skin leaves every vertex where it is.
func TestBindPose(t *testing.T) {
	skeletals(t, func(pkg *pack.File, m *unreal.SkeletalMesh) {
		s, err := skeletalScene(pkg, m, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, g := range globals(m) {
			inv := s.Skins[0].InverseBind[i]
			var back [16]float64
			for k, v := range inv {
				back[k] = float64(v)
			}
			for k, v := range g.Mul4(back) {
				want := 0.0
				if k%5 == 0 {
					want = 1
				}
				if math.Abs(v-want) > 1e-4 {
					t.Fatalf("%s: bone %d times its inverse: %v at %d", m.Path, i, v, k)
				}
			}
		}
	})
}

// Textures have places in a list: those that a file names beyond all reason make it no longer than its materials can tell apart.
func TestTexturesOfPSK(t *testing.T) {
	for number, want := range map[int32]int{-1: 1, 0: 2, 7: 9, 255: 257, 1 << 30: 257} {
		x := &unreal.PSK{Points: [][3]float32{{}}, Wedges: []unreal.PSKWedge{{}}, Faces: []unreal.PSKFace{{}}, Materials: []unreal.PSKMaterial{{Texture: number}}}
		m, _, err := skeletalOf(pack.Scratch(), x, "Tail")
		if err != nil || len(m.Textures) != want || len(m.Bones) != 1 || m.Bones[0].Orientation != [4]float32{0, 0, 0, 1} {
			t.Errorf("texture %d: %d textures, %v", number, len(m.Textures), err)
		}
	}
}

// Of a corner that has a copy for each material, the copy that was edited counts: moved, or with another texture coordinate.
func TestNumbered(t *testing.T) {
	two := func() *surface {
		s := &surface{faces: []face{{corners: [3]int{0, 1, 2}}, {corners: [3]int{3, 4, 5}, material: 1}}, materials: []unreal.MeshMaterial{{Texture: 0}, {Texture: 1}}}
		for i := range 6 {
			s.positions, s.uv = append(s.positions, [3]float32{float32(i % 3), float32(i % 3 / 2), 0}), append(s.uv, [2]float32{float32(i % 3), 0})
		}
		return s
	}
	for name, c := range map[string]struct {
		edit func(s *surface)
		want []int // nil where the corners have other numbers
	}{
		"nothing":               {func(*surface) {}, []int{0, 1, 2}},
		"a moved copy":          {func(s *surface) { s.positions[4][2] = 5 }, []int{0, 4, 2}},
		"a moved first one":     {func(s *surface) { s.positions[1][2] = 5 }, []int{0, 1, 2}},
		"a coordinate":          {func(s *surface) { s.uv[5][1] = 0.5 }, []int{0, 1, 5}},
		"a first coordinate":    {func(s *surface) { s.uv[2][1] = 0.5 }, []int{0, 1, 2}},
		"another material":      {func(s *surface) { s.faces[1].material = 0 }, nil},
		"another corner":        {func(s *surface) { s.faces[0].corners = [3]int{0, 2, 1} }, nil},
		"a corner first":        {func(s *surface) { s.faces[0].corners = [3]int{1, 2, 0} }, []int{0, 1, 2}},
		"a face less":           {func(s *surface) { s.faces = s.faces[:1] }, nil},
		"a corner more":         {func(s *surface) { s.positions = append(s.positions, [3]float32{}) }, nil},
		"the same face instead": {func(s *surface) { s.faces[1] = s.faces[0] }, nil},
	} {
		now := two()
		c.edit(now)
		if got := two().numbered(now, 3); !slices.Equal(got, c.want) || (got == nil) != (c.want == nil) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	s := two()
	s.faces = s.faces[1:]
	if got := s.used(); !slices.Equal(got, []int{3, 4, 5}) {
		t.Errorf("the corners that a face has are %v", got)
	}
}

// A mesh whose numbers lead nowhere is refused with the list that they are in.
func TestCheckSkeletal(t *testing.T) {
	for want, edit := range map[string]func(m *unreal.SkeletalMesh){
		"":                  func(m *unreal.SkeletalMesh) { m.BoneWeights = m.BoneWeights[:1] },
		"wedges":            func(m *unreal.SkeletalMesh) { m.Wedges[3].Vertex = 4 },
		"faces":             func(m *unreal.SkeletalMesh) { m.Faces[0].Wedges[2] = 4 },
		"faces: Tail":       func(m *unreal.SkeletalMesh) { m.Faces[0].Material = 1 },
		"RefSkeleton":       func(m *unreal.SkeletalMesh) { m.Bones[1].Parent = 1 },
		"RefSkeleton: Tail": func(m *unreal.SkeletalMesh) { m.Bones[2].Parent = -1 },
		"bone weight index": func(m *unreal.SkeletalMesh) { m.BoneWeights[2] = unreal.BoneWeights{First: 2, Count: 3} },
		"bone weight":       func(m *unreal.SkeletalMesh) { m.BoneWeights = append(m.BoneWeights, unreal.BoneWeights{}) },
		"weights":           func(m *unreal.SkeletalMesh) { m.Weights[3].Point = 4 },
	} {
		_, m := tail(3)
		edit(m)
		if err := checkSkeletal(m); want == "" && err != nil || want != "" && (schema.Class(err) != schema.ErrRange || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v", want, err)
		}
	}
}

// A corner is bound to the bones of its point, the strongest first, by shares that are one together; one that is bound to nothing
// follows the root.
func TestBindings(t *testing.T) {
	_, m := tail(9)
	m.Weights, m.BoneWeights = nil, nil
	for bone := range 9 {
		m.BoneWeights = append(m.BoneWeights, unreal.BoneWeights{First: uint16(len(m.Weights)), Count: 2})
		m.Weights = append(m.Weights, unreal.PointWeight{Point: 1, Weight: uint16(1000 * (bone + 1))}, unreal.PointWeight{Point: 2})
	}
	joints, weights := bindings(m)
	if len(joints) != 2 || joints[0][1] != [4]uint16{8, 7, 6, 5} || joints[1][1] != [4]uint16{4, 3, 2, 1} {
		t.Fatalf("joints %v", joints)
	}
	for i, want := range []float32{9, 8, 7, 6, 5, 4, 3, 2} { // of 44: the weakest has no room
		if got := weights[i/4][1][i%4]; !space.Close(got, want/44, 1e-6) {
			t.Errorf("weight %d is %v, want %v", i, got, want/44)
		}
	}
	for _, wedge := range []int{0, 3} { // of points without weights, and with weights of 0
		if joints[0][wedge] != [4]uint16{} || weights[0][wedge] != [4]float32{1} || weights[1][wedge] != [4]float32{} {
			t.Errorf("corner %d: %v, %v", wedge, joints[0][wedge], weights[0][wedge])
		}
	}
	if _, m := tail(1); len(m.Weights) != 4 {
		t.Error("a tail has four points")
	} else if joints, _ := bindings(m); len(joints) != 1 {
		t.Errorf("%d sets for one bone", len(joints))
	}
}

// What an edited mesh loses is told: the bone that holds its weapon, and motions that are not at hand.
func TestLostOfSkeletal(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func(pkg *pack.File, m *unreal.SkeletalMesh, s *asset.Scene)
		want string
	}{
		{"nothing", func(*pack.File, *unreal.SkeletalMesh, *asset.Scene) {}, ""},
		{"another bone", func(_ *pack.File, _ *unreal.SkeletalMesh, s *asset.Scene) { s.Skins[0].Joints[2].Name = "Z" }, ""},
		{"the weapon's bone", func(_ *pack.File, _ *unreal.SkeletalMesh, s *asset.Scene) { s.Skins[0].Joints[1].Name = "Z" }, "weapon-bone"},
		{"motions elsewhere", func(pkg *pack.File, m *unreal.SkeletalMesh, s *asset.Scene) {
			m.Animation = pkg.AddImport("Engine", "Animation", pkg.AddImport("Core", "Package", 0, "Elsewhere"), "Moves")
			s.Animations = []*asset.Animation{{Name: "Wag", Channels: []*asset.Channel{{Node: s.Skins[0].Joints[1], Path: asset.Translation, Times: []float32{0, 1}, Values: make([]float32, 6)}}}}
		}, "animation-elsewhere"},
	} {
		pkg, m := tail(3)
		m.WeaponBone = 1
		s, err := skeletalScene(pkg, m, nil)
		if err != nil {
			t.Fatal(err)
		}
		c.edit(pkg, m, s)
		d := new(schema.Diagnostics)
		if _, err := lowerOnto(pkg, m, s, &format.Env{Diagnostics: d}); err != nil {
			t.Fatal(err)
		}
		for _, code := range []string{"weapon-bone", "animation-elsewhere"} {
			if d.Has(code) != (code == c.want) {
				t.Errorf("%s: %v", c.name, d.All())
			}
		}
		if want := map[bool]int32{true: -1, false: 1}[c.want == "weapon-bone"]; m.WeaponBone != want {
			t.Errorf("%s: the weapon hangs on bone %d", c.name, m.WeaponBone)
		}
	}
}

// An Animation that no mesh moves by is a new mesh's own; nobody knows what a mesh that cannot be read moves by.
func TestAnimates(t *testing.T) {
	pkg, m := tail(1)
	m.End = pkg.AddName("None")
	other := pkg.AddImport("Core", "Package", 0, "Elsewhere")
	moves := pkg.AddImport("Engine", "Animation", other, "Moves")
	m.Animation = moves
	complete(m)
	if animates(pkg, moves) {
		t.Error("in a package without meshes")
	}
	if _, err := pkg.AddObject("SkeletalMesh", "Tail", m); err != nil || !animates(pkg, moves) || animates(pkg, other) {
		t.Errorf("in one with a mesh: %v", err)
	}
	pkg.Exports[pkg.AddExport(pkg.AddClass("Engine", "SkeletalMesh"), 0, "Broken", 0)-1].Data = []byte{0x3F}
	if !animates(pkg, other) {
		t.Error("in one with a mesh that cannot be read")
	}
}

// Texture coordinates of a PSK file are 256ths of a texture, of which whole ones are left out; its end is not its beginning.
func TestUVByte(t *testing.T) {
	for v, want := range map[float32]uint8{0: 0, 0.5: 128, 0.999: 255, 1: 255, 1.5: 128, -0.25: 192, 1e30: 0, -1e30: 0} {
		if got := uvByte(v); got != want {
			t.Errorf("%v: %d, want %d", v, got, want)
		}
	}
}

// Weights are the same but for what editors round: a bone that pulls hardly at all may be missing on either side.
func TestSamePulls(t *testing.T) {
	type pulls = []skeleton.Influence
	for _, c := range []struct {
		a, b pulls
		want bool
	}{
		{pulls{{Bone: 0, Weight: 65535}}, pulls{{Bone: 0, Weight: 65535 - pullTolerance}}, true},
		{pulls{{Bone: 0, Weight: 65535}}, pulls{{Bone: 0, Weight: 65535 - pullTolerance - 1}}, false},
		{pulls{{Bone: 1, Weight: 65000}}, pulls{{Bone: 1, Weight: 65000}, {Bone: 2, Weight: pullTolerance}}, true},
		{pulls{{Bone: 1, Weight: 65000}}, pulls{{Bone: 0, Weight: pullTolerance}, {Bone: 1, Weight: 65000}}, true},
		{pulls{{Bone: 1, Weight: 65000}}, pulls{{Bone: 1, Weight: 65000}, {Bone: 2, Weight: pullTolerance + 1}}, false},
		{pulls{{Bone: 1, Weight: 65000}}, pulls{{Bone: 0, Weight: pullTolerance + 1}, {Bone: 1, Weight: 65000}}, false},
		{pulls{{Bone: 1, Weight: 65535}}, pulls{{Bone: 2, Weight: 65535}}, false}, {nil, pulls{{Bone: 0, Weight: 1}}, true}, {nil, nil, true},
	} {
		a, b := &skinnedVertex{pulls: c.a}, &skinnedVertex{pulls: c.b}
		if a.samePulls(b) != c.want || b.samePulls(a) != c.want {
			t.Errorf("%v and %v: %v, %v", c.a, c.b, a.samePulls(b), b.samePulls(a))
		}
	}
	box := func(lo, hi float32) unreal.Box {
		return unreal.Box{Min: [3]float32{lo, lo, lo}, Max: [3]float32{hi, hi, hi}}
	}
	for _, c := range []struct {
		lo, hi float32
		want   bool
	}{{-100, 100, true}, {-100.01, 100.01, true}, {-100.1, 100, false}, {-100, 100.1, false}, {-99.9, 100, false}, {-100, 99.9, false}} {
		if sameBox(box(c.lo, c.hi), box(-100, 100)) != c.want {
			t.Errorf("a box from %v to %v", c.lo, c.hi)
		}
	}
}

// Motions are the same where both are none, or have the same weights at the keys that are seen.
func TestSameMotion(t *testing.T) {
	c := func(values ...float32) *asset.Channel {
		return &asset.Channel{Path: asset.MorphWeights, Times: []float32{0, 1}, Values: values}
	}
	for _, x := range []struct {
		stored, visible *asset.Channel
		want            bool
	}{{nil, nil, true}, {c(0, 1), nil, false}, {nil, c(0, 1), false}, {c(0, 1), c(0, 1), true}, {c(0, 1), c(0, 0.5), false}, {c(0, 1), c(0, 0, 1, 0), false}} {
		if got := sameMotion(x.stored, x.visible); got != x.want {
			t.Errorf("%v and %v: %v", x.stored, x.visible, got)
		}
	}
}
