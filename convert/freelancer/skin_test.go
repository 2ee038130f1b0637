package freelancer_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"

	read "github.com/usher-assets/usher/read/freelancer"
)

// arm makes a skinned figure: a box over two bones, of which the second one bends.
func arm() *asset.Scene {
	p := box(gradient("cloth", 90), [3]float32{-0.2, 0, -0.2}, [3]float32{0.2, 2, 0.2})
	joints, weights := make([][4]uint16, len(p.Positions)), make([][4]float32, len(p.Positions))
	for i, v := range p.Positions {
		joints[i], weights[i] = [4]uint16{0, 1}, [4]float32{0.75, 0.25}
		if v[1] > 1 {
			joints[i], weights[i] = [4]uint16{1}, [4]float32{1}
		}
	}
	p.Joints, p.Weights = [][][4]uint16{joints}, [][][4]float32{weights}
	upper, lowerArm := asset.NewNode("upper"), asset.NewNode("lower")
	upper.Transform.Translation = [3]float32{0, 0.1, 0}
	lowerArm.Transform.Translation = [3]float32{0, 0.9, 0}
	upper.Children = []*asset.Node{lowerArm}
	skin := &asset.Skin{Name: "arm", Joints: []*asset.Node{upper, lowerArm}, InverseBind: [][16]float32{
		{0: 1, 5: 1, 10: 1, 13: -0.1, 15: 1}, {0: 1, 5: 1, 10: 1, 13: -1, 15: 1},
	}}
	n := meshNode("arm", p)
	n.Skin = skin
	c, s := float32(math.Cos(math.Pi/8)), float32(math.Sin(math.Pi/8))
	bend := &asset.Animation{Name: "Sc_bend", Channels: []*asset.Channel{{
		Node: lowerArm, Path: asset.Rotation, Times: []float32{0, 1}, Values: []float32{0, 0, 0, 1, s, 0, 0, c},
	}}}
	return &asset.Scene{
		Name: "arm", Roots: []*asset.Node{upper, n}, Meshes: []*asset.Mesh{n.Mesh}, Skins: []*asset.Skin{skin},
		Materials: []*asset.Material{p.Material}, Textures: []*asset.Texture{p.Material.BaseColorTexture.Texture}, Animations: []*asset.Animation{bend},
	}
}

// posed returns the skinned positions at the last keys of the animations.
func posed(t *testing.T, s *asset.Scene) (out []mgl64.Vec3) {
	t.Helper()
	for _, a := range s.Animations {
		for _, c := range a.Channels {
			last := len(c.Times) - 1
			switch c.Path {
			case asset.Rotation:
				copy(c.Node.Transform.Rotation[:], c.Values[4*last:])
			case asset.Translation:
				copy(c.Node.Transform.Translation[:], c.Values[3*last:])
			}
		}
	}
	world, _ := where(s)
	s.Walk(func(n, _ *asset.Node) {
		if n.Skin == nil {
			return
		}
		for _, p := range n.Mesh.Primitives {
			for v, at := range p.Positions {
				var sum mgl64.Vec3
				for k, j := range p.Joints[0][v] {
					var inverse mgl64.Mat4
					for i, x := range n.Skin.InverseBind[j] {
						inverse[i] = float64(x)
					}
					m := world[n.Skin.Joints[j].Name].Mul4(inverse)
					moved := mgl64.TransformCoordinate(mgl64.Vec3{float64(at[0]), float64(at[1]), float64(at[2])}, m)
					sum = sum.Add(moved.Mul(float64(p.Weights[0][v][k])))
				}
				out = append(out, sum)
			}
		}
	})
	return out
}

// TestForeignFigure makes a character of a skinned scene and looks at where its points are when it moves.
func TestForeignFigure(t *testing.T) {
	file := lowerWith(t, byName(t, "dfm"), fromGLB(t, glb(t, arm(), nil)), moving("arm.dfm"))
	if f := sniff(t, "arm.dfm", file); f == nil || f.Name != "dfm" {
		t.Fatalf("it is taken for %v", f)
	}
	got := fromGLB(t, glb(t, lift(t, byName(t, "dfm"), "arm.dfm", file, nil), nil))
	if len(got.Animations) != 1 || len(got.Skins) != 1 {
		t.Fatalf("%d animations, %d skins", len(got.Animations), len(got.Skins))
	}
	a, b := posed(t, arm()), posed(t, got)
	if len(a) != len(b) {
		t.Fatalf("%d points became %d", len(a), len(b))
	}
	bent := false
	for i := range a {
		if a[i].Sub(b[i]).Len() > 1e-3 {
			t.Errorf("point %d: %v, want %v", i, b[i], a[i])
		}
		bent = bent || a[i][2] > 0.5
	}
	if !bent {
		t.Error("nothing bends")
	}
}

// TestSkinEdited moves a vertex of a character: the geometry follows, the bones stay.
func TestSkinEdited(t *testing.T) {
	fm := byName(t, "dfm")
	before := lower(t, fm, "arm.dfm", arm(), nil)
	s := fromGLB(t, glb(t, lift(t, fm, "arm.dfm", before, nil), nil))
	_, nodes := where(s)
	p := nodes["arm"].Mesh.Primitives[0]
	p.Positions[0][0] -= 0.5
	after := lower(t, fm, "arm.dfm", fromGLB(t, glb(t, s, nil)), nil)
	a, b := leavesOf(t, before), leavesOf(t, after)
	for path := range a {
		if a[path] != b[path] && path != "MultiLevel/Mesh0/Geometry/Points" {
			t.Errorf("%s changed", path)
		}
	}
	tree, err := read.UTF(after, nil)
	if err != nil {
		t.Fatal(err)
	}
	x, err := read.Deformable(tree.Root, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := x.Meshes[0].Geometry.Points[0]; got != p.Positions[0] {
		t.Errorf("the point is at %v, want %v", got, p.Positions[0])
	}
}

// TestInfluencesTold: a vertex has four influences, and each that it loses is counted.
func TestInfluencesTold(t *testing.T) {
	for bones, want := range map[int]string{2: "", 4: "", 5: "1 weights", 7: "3 weights"} {
		s := arm()
		skin, p := s.Skins[0], s.Meshes[0].Primitives[0]
		p.Joints, p.Weights = append(p.Joints, make([][4]uint16, len(p.Positions))), append(p.Weights, make([][4]float32, len(p.Positions)))
		for i := 2; i < bones; i++ {
			n := asset.NewNode(fmt.Sprint("finger", i))
			skin.Joints[1].Children = append(skin.Joints[1].Children, n)
			skin.Joints, skin.InverseBind = append(skin.Joints, n), append(skin.InverseBind, skin.InverseBind[1])
			p.Joints[i/4][0][i%4], p.Weights[i/4][0][i%4] = uint16(i), 0.1
		}
		d := new(schema.Diagnostics)
		lower(t, byName(t, "dfm"), "arm.dfm", s, d)
		got := ""
		for _, x := range d.All() {
			if x.Code == "influences" {
				got += x.Msg
			}
		}
		if !strings.HasPrefix(got, want) || (got == "") != (want == "") {
			t.Errorf("%d bones: told %q", bones, got)
		}
	}
}

// TestBoneMoved: a bone that is moved by more than an editor rounds its place is an edit, which arrives; by less it is none.
func TestBoneMoved(t *testing.T) {
	fm := byName(t, "dfm")
	before := lower(t, fm, "arm.dfm", arm(), nil)
	for _, c := range []struct {
		by   float64 // of what editors round
		want bool
	}{{0.5, false}, {0.95, false}, {1.1, true}, {3, true}} {
		s := fromGLB(t, glb(t, lift(t, fm, "arm.dfm", before, nil), nil))
		_, nodes := where(s)
		far := float32(c.by * 4e-5 * scene.Size(s))
		nodes["lower"].Transform.Translation[0] += far
		skin := s.Skins[0]
		skin.InverseBind[slices.Index(skin.Joints, nodes["lower"])][12] -= far
		after := lower(t, fm, "arm.dfm", fromGLB(t, glb(t, s, nil)), nil)
		_, nodes = where(lift(t, fm, "arm.dfm", after, nil))
		moved := math.Abs(float64(nodes["lower"].Transform.Translation[0]-far)) < 1e-6
		if moved != c.want || bytes.Equal(before, after) == c.want {
			t.Errorf("moved by %g of what editors round: %v, want %v", c.by, moved, c.want)
		}
	}
}

// TestSkinSplit gives a corner of a triangle of a character texture coordinates of its own: they arrive.
func TestSkinSplit(t *testing.T) {
	fm := byName(t, "dfm")
	s := fromGLB(t, glb(t, lift(t, fm, "arm.dfm", lower(t, fm, "arm.dfm", arm(), nil), nil), nil))
	_, nodes := where(s)
	p := nodes["arm"].Mesh.Primitives[0]
	k := p.Indices[0]
	p.Indices[0] = uint32(len(p.Positions))
	p.Positions, p.Normals = append(p.Positions, p.Positions[k]), append(p.Normals, p.Normals[k])
	p.Joints[0], p.Weights[0] = append(p.Joints[0], p.Joints[0][k]), append(p.Weights[0], p.Weights[0][k])
	p.TexCoords[0] = append(p.TexCoords[0], [2]float32{0.125, 0.25})
	_, nodes = where(lift(t, fm, "arm.dfm", lower(t, fm, "arm.dfm", fromGLB(t, glb(t, s, nil)), nil), nil))
	if x, y := cornersOf(p), cornersOf(nodes["arm"].Mesh.Primitives[0]); !slices.Equal(x, y) {
		t.Errorf("the corners are\n%v, want\n%v", y, x)
	}
}

// TestAnimationFile stores the animation of a figure alone.
func TestAnimationFile(t *testing.T) {
	file := lower(t, byName(t, "anm"), "arm.anm", fromGLB(t, glb(t, arm(), nil)), nil)
	tree, err := read.UTF(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	scripts, err := read.Scripts(tree.Root, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(scripts) != 1 || scripts[0].Name != "Sc_bend" || len(scripts[0].Maps) != 1 {
		t.Fatalf("scripts: %+v", scripts)
	}
	am := scripts[0].Maps[0]
	if am.Parent != "upper" || am.Child != "lower" || am.Channel.Count != 2 {
		t.Errorf("it moves %q on %q in %d frames", am.Child, am.Parent, am.Channel.Count)
	}
	want := [4]float32{float32(math.Cos(math.Pi / 8)), float32(math.Sin(math.Pi / 8)), 0, 0}
	for k, x := range am.Channel.Quaternions[1] {
		if math.Abs(float64(x-want[k])) > 1e-4 {
			t.Errorf("the last frame is %v, want %v", am.Channel.Quaternions[1], want)
			break
		}
	}
}

// TestHeadEdited moves vertices of a character whose bones slide texture coordinates: those stay, and so do its strips.
func TestHeadEdited(t *testing.T) {
	fm := byName(t, "dfm")
	tree, err := read.UTF(lower(t, fm, "arm.dfm", arm(), nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	geometry := tree.Root.Find("MultiLevel/Mesh0/Geometry")
	word := func(v ...uint32) (b []byte) {
		for _, x := range v {
			b = binary.LittleEndian.AppendUint32(b, x)
		}
		return b
	}
	geometry.Set("UV_bone_id", word(1))
	geometry.Set("UV_vertex_count", word(2))
	geometry.Set("UV_vertex_id", word(0, 3))
	geometry.Set("UV_default_list", make([]byte, 16))
	before := treeBytes(t, tree)
	s := fromGLB(t, glb(t, lift(t, fm, "arm.dfm", before, nil), nil))
	_, nodes := where(s)
	p := nodes["arm"].Mesh.Primitives[0]
	at := p.Positions[0]
	for i := range p.Positions {
		if p.Positions[i] == at {
			p.Positions[i][0] -= 0.5
			p.TexCoords[0][i][0] += 0.25
		}
	}
	var d schema.Diagnostics
	after := lower(t, fm, "arm.dfm", fromGLB(t, glb(t, s, nil)), &d)
	for _, x := range d.All() {
		if x.Severity == schema.Loss {
			t.Errorf("%v", x)
		}
	}
	onlyChanged(t, before, after, "Geometry/Points", "Geometry/UV0", "Geometry/UV_default_list")
}

// TestSkinLevels gives a character a lower level of detail, beside it as editors have them, and a second one later.
func TestSkinLevels(t *testing.T) {
	fm := byName(t, "dfm")
	b := lower(t, fm, "arm.dfm", arm(), nil)
	for i := 1; i < 3; i++ {
		s := fromGLB(t, glb(t, lift(t, fm, "arm.dfm", b, nil), nil))
		_, nodes := where(s)
		n := nodes["arm"]
		l := asset.NewNode(fmt.Sprintf("arm$lod%d", i))
		mesh, p := *n.Mesh, *n.Mesh.Primitives[0]
		p.Indices = p.Indices[3*i:]
		mesh.Primitives = []*asset.Primitive{&p}
		l.Mesh, l.Skin = &mesh, n.Skin
		s.Roots, s.Meshes = append(s.Roots, l), append(s.Meshes, &mesh)
		d := new(schema.Diagnostics)
		b = lower(t, fm, "arm.dfm", fromGLB(t, glb(t, s, nil)), d)
		tree, err := read.UTF(b, nil)
		if err != nil {
			t.Fatal(err)
		}
		x, err := read.Deformable(tree.Root, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(x.Meshes) != i+1 || len(x.Fractions) != i+1 || len(d.All()) > 0 {
			t.Fatalf("%d levels, %d fractions; %v", len(x.Meshes), len(x.Fractions), d.All())
		}
		if was, now := len(x.Meshes[0].Groups[0].Indices), len(x.Meshes[i].Groups[0].Indices); now != was-3*i {
			t.Errorf("level %d has %d indices, the first %d", i, now, was)
		}
	}
	_, nodes := where(lift(t, fm, "arm.dfm", b, nil))
	shown := nodes["arm"].Native
	if got := fmt.Sprint(scene.Shown(shown, "fractions"), scene.ShownText(shown, "skeleton")); got != "[1 0.5 0.25]arm.cmp" {
		t.Errorf("shown of the levels: %s", got)
	}
	for shown, want := range []string{"", "1 2", "2", ""} {
		s, d := lift(t, fm, "arm.dfm", b, nil), new(schema.Diagnostics)
		levels := 0
		s.Walk(func(n, _ *asset.Node) {
			if n.Skin == nil {
				return
			}
			if levels++; levels > shown {
				n.Mesh, n.Skin = nil, nil
			}
		})
		if after := lower(t, fm, "arm.dfm", s, d); !bytes.Equal(after, b) {
			t.Errorf("with %d levels shown the file is another", shown)
		}
		var kept []string
		for _, m := range d.All() {
			if m.Code == "lod-kept" {
				kept = append(kept, strings.Fields(m.Msg)[3])
			}
		}
		if got := strings.Join(kept, " "); levels != 3 || got != want {
			t.Errorf("with %d of %d levels shown it tells of %q, want %q", shown, levels, got, want)
		}
	}
}

// TestBoneDeleted takes a bone out of a character: the others get new numbers, and points follow the bones that they
// followed.
func TestBoneDeleted(t *testing.T) {
	fm := byName(t, "dfm")
	three := arm()
	tip, of := asset.NewNode("tip"), three.Skins[0]
	tip.Transform.Translation = [3]float32{0, 0.5, 0}
	of.Joints[1].Children = []*asset.Node{tip}
	of.Joints, of.InverseBind = append(of.Joints, tip), append(of.InverseBind, [16]float32{0: 1, 5: 1, 10: 1, 13: -1.5, 15: 1})
	for v, at := range three.Meshes[0].Primitives[0].Positions {
		if at[1] > 1 && at[2] > 0 {
			three.Meshes[0].Primitives[0].Joints[0][v] = [4]uint16{2}
		}
	}
	before := lower(t, fm, "arm.dfm", fromGLB(t, glb(t, three, nil)), nil)
	s := fromGLB(t, glb(t, lift(t, fm, "arm.dfm", before, nil), nil))
	skin := s.Skins[0]
	gone := slices.IndexFunc(skin.Joints, func(n *asset.Node) bool { return n.Name == "lower" })
	if gone < 0 || gone == len(skin.Joints)-1 {
		t.Fatalf("bone %d of %d", gone, len(skin.Joints))
	}
	node := skin.Joints[gone]
	s.Walk(func(n, _ *asset.Node) {
		if i := slices.Index(n.Children, node); i >= 0 {
			place := node.Transform.Translation
			tip := node.Children[0]
			for k := range place {
				tip.Transform.Translation[k] += place[k]
			}
			n.Children[i] = tip
		}
	})
	for _, a := range s.Animations {
		a.Channels = slices.DeleteFunc(a.Channels, func(c *asset.Channel) bool { return c.Node == node })
	}
	skin.Joints, skin.InverseBind = slices.Delete(skin.Joints, gone, gone+1), slices.Delete(skin.InverseBind, gone, gone+1)
	for _, m := range s.Meshes {
		for _, p := range m.Primitives {
			for v := range p.Positions {
				for k, j := range p.Joints[0][v] {
					if int(j) >= gone {
						p.Joints[0][v][k]--
					}
				}
			}
		}
	}
	s.Animations = nil
	want := posed(t, s)
	got := posed(t, fromGLB(t, glb(t, lift(t, fm, "arm.dfm", lower(t, fm, "arm.dfm", fromGLB(t, glb(t, s, nil)), nil), nil), nil)))
	if len(got) != len(want) {
		t.Fatalf("%d points became %d", len(want), len(got))
	}
	for i := range want {
		if want[i].Sub(got[i]).Len() > 1e-3 {
			t.Errorf("point %d: %v, want %v", i, got[i], want[i])
		}
	}
}
