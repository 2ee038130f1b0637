package unreal

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/unreal/mesh"
	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/testdata/corpus"
)

func TestNewSkeletal(t *testing.T) {
	a := wormPackage(t)
	o, err := a.Object(entry(t, a, "Beasts.Worm"))
	if err != nil {
		t.Fatal(err)
	}
	m := o.(*unreal.SkeletalMesh)
	if len(m.Bones) != 3 || m.Depth != 3 || m.Bones[1].Parent != 0 || m.Bones[2].Parent != 1 || m.Bones[0].Children != 1 || m.WeaponBone != -1 {
		t.Errorf("bones %+v, depth %d", m.Bones, m.Depth)
	}
	if len(m.Points) != 31 || m.FrameVerts != 31 || m.ModelVerts != 31 || m.AnimFrames != 0 || len(m.Faces) != 49 || len(m.Boxes) != 1 || len(m.Vertices) != 0 {
		t.Errorf("%d points, %d faces, %d frames, %d boxes", len(m.Points), len(m.Faces), m.AnimFrames, len(m.Boxes))
	}
	if err := mesh.Check(m); err != nil {
		t.Error(err)
	}
	sum := map[uint16]int{}
	for _, w := range m.Weights {
		sum[w.Point] += int(w.Weight)
	}
	for p := range m.Points {
		if sum[uint16(p)] != 65535 {
			t.Errorf("point %d is pulled by %d", p, sum[uint16(p)])
		}
	}
	if got := a.RefText(m.Animation); got != "Animation'Beasts.WormAnim'" {
		t.Errorf("animation %s", got)
	}
	if got := a.RefText(m.Textures[0]); got != "Texture'Scales'" {
		t.Errorf("texture %s", got)
	}
	o, err = a.Object(int(m.Animation - 1))
	if err != nil {
		t.Fatal(err)
	}
	x := o.(*unreal.Animation)
	if len(x.Bones) != 3 || len(x.Moves) != 2 || len(x.Sequences) != 2 || a.Name(x.Sequences[1].Name) != "Jump" || x.Sequences[0].Frames != 31 ||
		x.Sequences[0].Rate != 30 || x.Moves[0].TrackTime != float32(31)/30 || len(x.Moves[0].Tracks) != 3 || len(x.Moves[0].Tracks[2].Rotations) != 1 {
		t.Errorf("animation %+v", x)
	}
	s := through(t, lifted(t, a, "Beasts.Worm")).(*asset.Scene)
	sameShape(t, s, worm(), "Bend", sampled...)
	sameShape(t, s, worm(), "Jump", sampled...)
	back(t, a, entry(t, a, "Beasts.Worm"), map[string]int{})
	checkFaces(t, m)
}

// checkFaces: the whole texture shows on the hat, though no byte is 1.
func checkFaces(t *testing.T, m *unreal.SkeletalMesh) {
	t.Helper()
	most := uint8(0)
	for _, w := range m.Wedges {
		most = max(most, w.UV[0], w.UV[1])
	}
	if most != 255 {
		t.Errorf("texture coordinates up to %d, want 255", most)
	}
}

// A skeletal mesh goes from one package into another with its bones and motions.
func TestSkeletalToNewPackage(t *testing.T) {
	s := through(t, lifted(t, wormPackage(t), "Beasts.Worm")).(*asset.Scene)
	x, _ := Create(&format.Env{Name: "New.u"})
	add(t, x.(*archive), "Copy", s, format.Model)
	a := openBytes(t, "New.u", written(t, x))
	got := lifted(t, a, "Copy").(*asset.Scene)
	sameShape(t, got, worm(), "Bend", sampled...)
	sameShape(t, got, worm(), "Jump", sampled...)
}

func TestEditedSkeletal(t *testing.T) {
	type meshes struct {
		was, is  *unreal.SkeletalMesh
		old, now *unreal.Animation
	}
	joint := func(s *asset.Scene, i int) *asset.Node { return s.Skins[0].Joints[i] }
	reversed := func(s *asset.Scene) {
		p := s.Meshes[0].Primitives[0]
		n := uint32(len(p.Positions))
		slices.Reverse(p.Positions)
		slices.Reverse(p.TexCoords[0])
		slices.Reverse(p.Joints[0])
		slices.Reverse(p.Weights[0])
		p.Normals = nil
		for i := range p.Indices {
			p.Indices[i] = n - 1 - p.Indices[i]
		}
		p.Indices = append(p.Indices[6:], p.Indices[:6]...)
	}
	move := func(s *asset.Scene) { // a point
		p := s.Meshes[0].Primitives[0]
		at := p.Positions[3]
		for i := range p.Positions {
			if p.Positions[i] == at {
				p.Positions[i][1] += 2
			}
		}
	}
	movedOne := func(m meshes) bool {
		moved := 0
		for i := range m.is.Points {
			if m.is.Points[i] != m.was.Points[i] {
				moved++
			}
		}
		return moved == 1 && slices.Equal(m.is.Faces, m.was.Faces) && slices.Equal(m.is.Weights, m.was.Weights)
	}
	for _, c := range []struct {
		name string
		edit func(s *asset.Scene)
		want func(m meshes) bool
	}{
		{"nothing", func(*asset.Scene) {}, func(m meshes) bool { return slices.Equal(m.is.Points, m.was.Points) }},
		{"a bone moved", func(s *asset.Scene) {
			joint(s, 2).Transform.Translation[0] += 5
			for i := range s.Skins[0].InverseBind {
				s.Skins[0].InverseBind[i] = inverseOf(mgl64.Scale3D(space.UnitsPerMetre, space.UnitsPerMetre, space.UnitsPerMetre).Mul4(globalOf(s, joint(s, i), nil, 0)))
			}
			s.Animations = nil
		}, func(m meshes) bool {
			return m.is.Bones[0] == m.was.Bones[0] && m.is.Bones[1] == m.was.Bones[1] && m.is.Bones[2] != m.was.Bones[2] &&
				slices.Equal(m.is.Points, m.was.Points) && !slices.Equal(m.is.LocalPoints, m.was.LocalPoints)
		}},
		{"a bone renamed", func(s *asset.Scene) { joint(s, 2).Name = "Head" }, func(m meshes) bool {
			return m.is.Package.Name(m.is.Bones[2].Name) == "Head" && len(m.is.Bones) == 3 && len(m.now.Bones) == 4 && len(m.is.Faces) == len(m.was.Faces)
		}},
		{"a bone more", func(s *asset.Scene) {
			n := asset.NewNode("Tail")
			joint(s, 0).Children = append(joint(s, 0).Children, n)
			s.Skins[0].Joints = append(s.Skins[0].Joints, n)
			s.Skins[0].InverseBind = append(s.Skins[0].InverseBind, s.Skins[0].InverseBind[0])
		}, func(m meshes) bool {
			return len(m.is.Bones) == 4 && m.is.Bones[3].Parent == 0 && m.is.Bones[0].Children == 2 && slices.Equal(m.is.Weights, m.was.Weights)
		}},
		{"a face less", func(s *asset.Scene) {
			p := s.Meshes[0].Primitives[0]
			p.Indices = p.Indices[3:]
		}, func(m meshes) bool { return len(m.is.Faces) == len(m.was.Faces)-1 && m.is.Bones[2] == m.was.Bones[2] }},
		{"a weight", func(s *asset.Scene) {
			p := s.Meshes[0].Primitives[0]
			for i := range p.Positions { // all corners at the first point
				if p.Positions[i] == p.Positions[0] {
					p.Joints[0][i], p.Weights[0][i] = [4]uint16{0, 1}, [4]float32{0.5, 0.5}
				}
			}
		}, func(m meshes) bool {
			return len(m.is.Weights) == len(m.was.Weights)+1 && len(m.is.Points) == len(m.was.Points) && len(m.is.Faces) == len(m.was.Faces)
		}},
		{"a material", func(s *asset.Scene) { s.Meshes[0].Primitives[0].Material.DoubleSided = true }, func(m meshes) bool {
			return m.is.Materials[0].Flags == unreal.PolyTwoSided && len(m.is.Faces) == len(m.was.Faces)
		}},
		{"a texture", func(s *asset.Scene) {
			x := colourful(16, 16, false)
			x.Name = "Other"
			s.Meshes[0].Primitives[0].Material.BaseColorTexture = &asset.TextureRef{Texture: x}
		}, func(m meshes) bool {
			return m.is.Package.RefText(m.is.Textures[m.is.Materials[0].Texture]) == "Texture'Other'"
		}},
		{"vertices in another order", reversed, func(m meshes) bool { return slices.Equal(m.is.Points, m.was.Points) }},
		{"moved in another order", func(s *asset.Scene) {
			move(s)
			p := s.Meshes[0].Primitives[0]
			p.Indices = append(p.Indices[6:], p.Indices[:6]...)
		}, movedOne},
		{"moved, and vertices in another order", func(s *asset.Scene) { move(s); reversed(s) }, movedOne},
		{"a key", func(s *asset.Scene) {
			for _, c := range s.Animations[0].Channels {
				if c.Node == joint(s, 0) && c.Path == asset.Translation {
					c.Values[4] += 8
				}
			}
		}, func(m meshes) bool {
			a, b := m.old.Moves[0], m.now.Moves[0]
			return !slices.Equal(a.Tracks[0].Positions, b.Tracks[0].Positions) && slices.Equal(a.Tracks[1].Rotations, b.Tracks[1].Rotations) &&
				slices.Equal(m.old.Moves[1].Tracks[0].Positions, m.now.Moves[1].Tracks[0].Positions) && a.TrackTime == b.TrackTime
		}},
		{"keys between the keys", func(s *asset.Scene) {
			for _, x := range s.Animations {
				resample(x, 24)
			}
		}, func(m meshes) bool {
			return slices.Equal(m.old.Moves[0].Tracks[1].Rotations, m.now.Moves[0].Tracks[1].Rotations)
		}},
		{"longer", func(s *asset.Scene) {
			for _, c := range s.Animations[0].Channels {
				for i := range c.Times {
					c.Times[i] *= 2
				}
			}
		}, func(m meshes) bool {
			return m.now.Sequences[0].Frames == 61 && m.now.Moves[0].TrackTime == float32(61)/30
		}},
		{"a motion more", func(s *asset.Scene) {
			s.Animations = append(s.Animations, &asset.Animation{Name: "Still", Channels: []*asset.Channel{
				{Node: joint(s, 1), Path: asset.Rotation, Times: []float32{0}, Values: []float32{0, 0, 0, 1}}}})
		}, func(m meshes) bool {
			return len(m.now.Moves) == 3 && m.now.Package.Name(m.now.Sequences[2].Name) == "Still" && m.now.Sequences[2].Frames == 1
		}},
		{"a motion more of the name of another", func(s *asset.Scene) {
			s.Animations = append(s.Animations, &asset.Animation{Name: s.Animations[0].Name, Channels: []*asset.Channel{
				{Node: joint(s, 1), Path: asset.Rotation, Times: []float32{0}, Values: []float32{0, 0, 0, 1}}}})
		}, func(m meshes) bool {
			return len(m.now.Moves) == 3 && m.now.Sequences[0].Frames == m.old.Sequences[0].Frames && slices.Equal(m.old.Moves[0].Tracks[1].Rotations, m.now.Moves[0].Tracks[1].Rotations)
		}},
		{"a motion less", func(s *asset.Scene) { s.Animations = s.Animations[1:] }, func(m meshes) bool { return len(m.now.Moves) == 2 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := wormPackage(t)
			get := func(a *archive) (*unreal.SkeletalMesh, *unreal.Animation) {
				o, err := a.Object(entry(t, a, "Beasts.Worm"))
				if err != nil {
					t.Fatal(err)
				}
				m := o.(*unreal.SkeletalMesh)
				if o, err = a.Object(int(m.Animation - 1)); err != nil {
					t.Fatal(err)
				}
				return m, o.(*unreal.Animation)
			}
			var m meshes
			m.was, m.old = get(a)
			s := through(t, lifted(t, a, "Beasts.Worm")).(*asset.Scene)
			c.edit(s)
			n := replaced(t, a, "Beasts.Worm", s)
			if m.is, m.now = get(n); !c.want(m) {
				t.Errorf("bones %+v\nmaterials %v, %d faces, %d weights\nanimation %+v", m.is.Bones, m.is.Materials, len(m.is.Faces), len(m.is.Weights), m.now)
			}
			if err := mesh.Check(m.is); err != nil {
				t.Error(err)
			}
			// What comes out again shows what was put in.
			again := lifted(t, n, "Beasts.Worm").(*asset.Scene)
			for _, x := range s.Animations {
				if !strings.Contains(c.name, "another order") && c.name != "keys between the keys" { // else corners and keys are not those
					sameShape(t, again, s, x.Name, 0, 0.1, 0.4, 0.8, 1)
				}
			}
			back(t, n, entry(t, n, "Beasts.Worm"), map[string]int{})
		})
	}
}

func TestSkeletalRefusals(t *testing.T) {
	a := wormPackage(t)
	s := through(t, lifted(t, a, "Beasts.Worm")).(*asset.Scene)
	for _, n := range space.Shown(s) {
		n.Node.Skin = nil
	}
	s.Skins = nil
	_, err := formatOf(a, entry(t, a, "Beasts.Worm")).Lower(s, &format.Env{})
	if schema.Class(err) != schema.ErrUnsupported {
		t.Errorf("without a skin: %v", err)
	}
}

// The sequences of an Animation are edited in its record.
func TestEditAnimation(t *testing.T) {
	a := wormPackage(t)
	i := entry(t, a, "Beasts.WormAnim")
	f := formatOf(a, i)
	b, err := a.Payload(i)
	if err != nil {
		t.Fatal(err)
	}
	v, err := f.Read(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := throughJSON(t, f, v).(*Record)
	list := r.Native["sequences"].([]any)
	first := list[0].(map[string]any)
	first["name"], first["rate"] = "Walk", 15.0
	first["notifies"] = []any{map[string]any{"time": 0.5, "function": "PlayStep"}}
	if b, err = f.Write(r); err != nil {
		t.Fatal(err)
	}
	if err := a.Replace(i, b); err != nil {
		t.Fatal(err)
	}
	a = openBytes(t, "Worms.u", written(t, a))
	o, err := a.Object(entry(t, a, "Beasts.WormAnim"))
	if err != nil {
		t.Fatal(err)
	}
	x := o.(*unreal.Animation)
	s := x.Sequences[0]
	if a.Name(s.Name) != "Walk" || s.Rate != 15 || len(s.Notifies) != 1 || a.Name(s.Notifies[0].Function) != "PlayStep" || len(x.Moves) != 2 {
		t.Errorf("sequences %+v", x.Sequences)
	}
	r.Native["sequences"] = list[:1]
	if _, err := f.Write(r); schema.Class(err) != schema.ErrUnsupported {
		t.Errorf("a sequence less: %v", err)
	}
	r.Native = map[string]any{"bones": []any{}}
	if _, err := f.Write(r); schema.Class(err) != schema.ErrUnsupported {
		t.Errorf("other bones: %v", err)
	}
}

// BenchmarkLowerSkeletal holds an unedited scene against the largest skeletal mesh of the corpus.
func BenchmarkLowerSkeletal(b *testing.B) {
	data := corpus.Bytes(b, corpus.Folder(b, "unreal")+"/PGmesh.u")
	a := openBytes(b, "PGmesh.u", data)
	i := entry(b, a, "v_portalgun")
	s := lifted(b, a, "v_portalgun").(*asset.Scene)
	f := formatOf(a, i)
	b.SetBytes(a.entries[i].Size)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := f.Lower(s, &format.Env{}); err != nil {
			b.Fatal(err)
		}
	}
}
