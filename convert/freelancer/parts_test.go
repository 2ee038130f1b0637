package freelancer_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	convert "github.com/usher-assets/usher/convert/freelancer"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/testdata/corpus"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// moveNode takes a node from its parent and puts it below another; nil is the scene.
func moveNode(s *asset.Scene, n, from, to *asset.Node) {
	is := func(x *asset.Node) bool { return x == n }
	if from == nil {
		s.Roots = slices.DeleteFunc(s.Roots, is)
	} else {
		from.Children = slices.DeleteFunc(from.Children, is)
	}
	if to == nil {
		s.Roots = append(s.Roots, n)
	} else {
		to.Children = append(to.Children, n)
	}
}

// TestPartsEdited takes parts away and hangs them elsewhere: each other part still has one joint, and scripts move
// nothing that is not there.
func TestPartsEdited(t *testing.T) {
	for _, c := range []struct {
		name   string
		edit   func(s *asset.Scene, n map[string]*asset.Node)
		parts  string            // and the part that each hangs on
		points map[string]string // hardpoints and their files
		maps   int
	}{
		{"a part on another", func(s *asset.Scene, n map[string]*asset.Node) {
			moveNode(s, n["turret"], n["hull"], n["wing"])
		}, "hull:Root turret:wing wing:Root", map[string]string{"HpEngine01": "hull.3db", "HpWeapon01": "turret.3db"}, 1},
		{"what a part hung on is gone", func(s *asset.Scene, n map[string]*asset.Node) {
			moveNode(s, n["turret"], n["hull"], nil)
			moveNode(s, n["hull"], n["Root"], &asset.Node{})
		}, "turret:Root wing:Root", map[string]string{"HpWeapon01": "turret.3db"}, 1},
		{"an animated part is gone", func(s *asset.Scene, n map[string]*asset.Node) {
			moveNode(s, n["turret"], n["hull"], &asset.Node{})
			s.Animations[0].Channels = []*asset.Channel{{
				Node: n["wing"], Path: asset.Translation, Times: []float32{0, 1}, Values: []float32{2, 0.25, 0, 2, 0.25, 5},
			}}
		}, "hull:Root wing:Root", map[string]string{"HpEngine01": "hull.3db"}, 1},
		{"the first part is gone", func(s *asset.Scene, n map[string]*asset.Node) {
			s.Roots = n["Root"].Children
		}, "hull:Root turret:hull wing:Root", map[string]string{"HpEngine01": "hull.3db", "HpWeapon01": "turret.3db"}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, after := edited(t, c.edit)
			d := new(schema.Diagnostics)
			tree, err := read.UTF(after, d)
			if err != nil {
				t.Fatal(err)
			}
			compound, err := read.Compound(tree.Root, d)
			if err != nil {
				t.Fatal(err)
			}
			var parts []string
			holds := map[string]string{}
			for _, j := range compound.Joints {
				parts = append(parts, j.Child.Name+":"+j.Parent.Name)
				holds[j.Child.Name] = j.Parent.Name
			}
			slices.Sort(parts)
			if got := strings.Join(parts, " "); got != c.parts || len(compound.Parts) != len(parts)+1 {
				t.Errorf("%d parts, joined %s; want %s", len(compound.Parts), got, c.parts)
			}
			points := map[string]string{}
			for _, file := range tree.Root.Children {
				list, err := read.Hardpoints(file)
				if err != nil {
					t.Fatal(err)
				}
				for _, h := range list {
					if points[h.Name] != "" || c.points[h.Name] != file.Name {
						t.Errorf("%s has a hardpoint %s", file.Name, h.Name)
					}
					points[h.Name] = file.Name
				}
			}
			if len(points) != len(c.points) {
				t.Errorf("hardpoints %v, want %v", points, c.points)
			}
			scripts, err := read.Scripts(tree.Root, d)
			if err != nil {
				t.Fatal(err)
			}
			count := 0
			for _, s := range scripts {
				for _, m := range s.Maps {
					if count++; holds[m.Child] != m.Parent {
						t.Errorf("%s moves %q on %q", s.Name, m.Child, m.Parent)
					}
				}
			}
			if count != c.maps {
				t.Errorf("%d maps, want %d", count, c.maps)
			}
		})
	}
}

// TestSharedContent: what two parts show stays when one of them is deleted, and goes with the last.
func TestSharedContent(t *testing.T) {
	tree, err := read.UTF(corpus.Bytes(t, corpus.Testdata(t, "freelancer", "ship.cmp")), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range tree.Root.Child("Cmpnd").Children {
		if name := part.Child("Object name"); name != nil && string(name.Data) == "wing\x00" {
			part.Child("File name").Data = []byte("turret.3db\x00")
		}
	}
	shared, err := write.UTF(tree)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		gone []string
		left bool
	}{{nil, true}, {[]string{"turret"}, true}, {[]string{"wing"}, true}, {[]string{"turret", "wing"}, false}} {
		fm := byName(t, "cmp")
		s := fromGLB(t, glb(t, lift(t, fm, "ship.cmp", shared, nil), nil))
		_, n := where(s)
		for _, name := range c.gone {
			for _, p := range n {
				p.Children = slices.DeleteFunc(p.Children, func(x *asset.Node) bool { return x == n[name] })
			}
		}
		after, err := read.UTF(lower(t, fm, "ship.cmp", s, nil), nil)
		if err != nil {
			t.Fatal(err)
		}
		if left := after.Root.Child("turret.3db") != nil; left != c.left {
			t.Errorf("without %v: the content is there %v", c.gone, left)
		}
	}
}

// TestUnseenScripts: scripts that a scene cannot show follow the names of parts, and forget parts that are gone.
func TestUnseenScripts(t *testing.T) {
	before, _ := edited(t, func(*asset.Scene, map[string]*asset.Node) {})
	tree, err := read.UTF(before, nil)
	if err != nil {
		t.Fatal(err)
	}
	tree.Root.Find("Animation/Script/Sc_spin/Joint map 0/Channel").Set("Header", make([]byte, 12))
	b := treeBytes(t, tree)
	fm := byName(t, "cmp")
	for name, want := range map[string]string{"gun": "gun", "": ""} {
		s := fromGLB(t, glb(t, lift(t, fm, "ship.cmp", b, nil), nil))
		_, n := where(s)
		if n["turret"].Name = name; name == "" {
			moveNode(s, n["turret"], n["hull"], &asset.Node{})
		}
		after, err := read.UTF(lower(t, fm, "ship.cmp", s, nil), nil)
		if err != nil {
			t.Fatal(err)
		}
		child := ""
		if leaf := after.Root.Find("Animation/Script/Sc_spin/Joint map 0/Child name"); leaf != nil {
			child = strings.TrimRight(string(leaf.Data), "\x00")
		}
		if child != want {
			t.Errorf("the script moves %q, want %q", child, want)
		}
	}
}

// TestHardpointsAlone makes a .3db file of a scene that has hardpoints and nothing else.
func TestHardpointsAlone(t *testing.T) {
	n := asset.NewNode("HpMount")
	n.Transform.Translation = [3]float32{1, 2, 3}
	b := lower(t, byName(t, "3db"), "mount.3db", fromGLB(t, glb(t, &asset.Scene{Roots: []*asset.Node{n}}, nil)), nil)
	tree, err := read.UTF(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	list, err := read.Hardpoints(tree.Root)
	if err != nil || len(list) != 1 || list[0].Position != n.Transform.Translation || tree.Root.Child("VMeshPart") != nil {
		t.Errorf("%v, %v", list, err)
	}
}

// TestMotionOfNoPart: what moves a node that is no part is told of, unless it only says that the node stays.
func TestMotionOfNoPart(t *testing.T) {
	before, _ := edited(t, func(*asset.Scene, map[string]*asset.Node) {})
	fm := byName(t, "cmp")
	for _, c := range []struct {
		end  float32
		loss bool
	}{{5, false}, {7, true}} {
		s := fromGLB(t, glb(t, lift(t, fm, "ship.cmp", before, nil), nil))
		_, n := where(s)
		s.Animations[0].Channels = append(s.Animations[0].Channels, &asset.Channel{
			Node: n["HpEngine01"], Path: asset.Translation, Times: []float32{0, 1}, Values: []float32{0, 0, 5, 0, 0, c.end},
		})
		d := new(schema.Diagnostics)
		lower(t, fm, "ship.cmp", s, d)
		if d.Has("animation-target") != c.loss {
			t.Errorf("to %v: %v", c.end, d.All())
		}
	}
}

// TestSlideWithOffset: an edited motion along the axis of a joint with an offset is stored in the joint's terms.
func TestSlideWithOffset(t *testing.T) {
	before, _ := edited(t, func(*asset.Scene, map[string]*asset.Node) {})
	tree, compound := compoundOf(t, before)
	for i := range compound.Joints {
		if j := &compound.Joints[i]; j.Child.Name == "turret" {
			j.Kind, j.Axis, j.Offset = freelancer.Pris, [3]float32{0, 0, 1}, [3]float32{0.1, 0.2, 0.3}
		}
	}
	if err := write.Compound(tree.Root, compound); err != nil {
		t.Fatal(err)
	}
	fm := byName(t, "cmp")
	s := fromGLB(t, glb(t, lift(t, fm, "ship.cmp", treeBytes(t, tree), nil), nil))
	for _, c := range s.Animations[0].Channels {
		for i := range c.Times {
			c.Times[i] *= 2
		}
	}
	after, err := read.UTF(lower(t, fm, "ship.cmp", s, nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	scripts, err := read.Scripts(after.Root, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float32{0, math.Pi / 2, 0} {
		c := scripts[0].Maps[0].Channel
		if d := c.Scalars[i] - want; d > 1e-5 || d < -1e-5 || c.Time(i) != float32(2*i) {
			t.Errorf("frame %d: %v at %v, want %v at %d", i, c.Scalars[i], c.Time(i), want, 2*i)
		}
	}
}

// TestNewCamera puts a camera into a compound: its fragment is called as those of cameras are.
func TestNewCamera(t *testing.T) {
	_, after := edited(t, func(s *asset.Scene, n map[string]*asset.Node) {
		c := asset.NewNode("view")
		c.Camera = &asset.Camera{FieldOfView: 1, Aspect: 4.0 / 3, Near: 1, Far: 1000}
		n["hull"].Children = append(n["hull"].Children, c)
	})
	leaves := leavesOf(t, after)
	if leaves["view.cam/Camera/Fovy"] == "" || leaves["Cmpnd/Part_view/File name"] != "view.cam\x00|" {
		t.Errorf("the camera's file is %q", leaves["Cmpnd/Part_view/File name"])
	}
}

// TestPieces gives a part more than one mesh of the library holds: the rest hangs on it in parts of its own, where it was.
func TestPieces(t *testing.T) {
	const across, along = 200, 120
	sheet := &asset.Primitive{}
	for z := range along {
		for x := range across {
			at := [3]float32{float32(x), float32(z % 3), float32(z)}
			for _, corner := range [][3]float32{{}, {0, 0, 1}, {1, 0, 0}, {1, 0, 0}, {0, 0, 1}, {1, 0, 1}} {
				sheet.Indices = append(sheet.Indices, uint32(len(sheet.Positions)))
				sheet.Positions = append(sheet.Positions, [3]float32{at[0] + corner[0], at[1], at[2] + corner[2]})
				sheet.Normals = append(sheet.Normals, [3]float32{0, 1, 0})
			}
		}
	}
	var before *asset.Scene
	_, after := edited(t, func(s *asset.Scene, n map[string]*asset.Node) {
		sheet.Material = n["turret"].Mesh.Primitives[0].Material
		n["turret"].Mesh.Primitives, n["turret"].LODs = []*asset.Primitive{sheet}, nil
		before = s
	})
	tree, compound := compoundOf(t, after)
	files := map[string]string{}
	for _, p := range compound.Parts {
		files[p.Object] = p.File
	}
	hang := map[string]string{}
	for _, j := range compound.Joints {
		if hang[j.Child.Name] = j.Parent.Name; strings.Contains(j.Child.Name, "_piece") && (j.Kind != freelancer.Fix || j.Origin != [3]float32{} || j.Rotation != freelancer.Identity3) {
			t.Errorf("%+v", j)
		}
	}
	for _, name := range []string{"turret_piece2", "turret_piece3"} {
		if files[name] != name+".3db" || tree.Root.Child(files[name]).Find("VMeshPart/VMeshRef") == nil || hang[name] != "turret" {
			t.Errorf("%s is in %q and hangs on %q", name, files[name], hang[name])
		}
	}
	if len(compound.Parts) != 6 {
		t.Errorf("%d parts", len(compound.Parts))
	}
	fm := byName(t, "cmp")
	_, was := where(before)
	corners := map[[3]float32]int{}
	for _, p := range sheet.Positions {
		corners[p]++
	}
	_, now := where(lift(t, fm, "ship.cmp", after, nil))
	for _, name := range []string{"turret", "turret_piece2", "turret_piece3"} {
		n := now[name]
		if n == nil || n.Mesh == nil {
			t.Fatalf("%s has no mesh", name)
		}
		if name != "turret" && n.Transform != asset.NewNode("").Transform {
			t.Errorf("%s stands at %+v of the part", name, n.Transform)
		}
		for _, p := range n.Mesh.Primitives {
			for _, i := range p.Indices {
				corners[p.Positions[i]]--
			}
		}
	}
	for at, n := range corners {
		if n != 0 {
			t.Fatalf("the corner at %v is there %d times less", at, n)
		}
	}
	if was["turret"].Transform.Translation != now["turret"].Transform.Translation {
		t.Errorf("the part stands at %v", now["turret"].Transform.Translation)
	}
}

// TestRootless: a tree without a root, which a program may have made, is refused and takes nothing down.
func TestRootless(t *testing.T) {
	for i := range convert.Formats {
		f := &convert.Formats[i]
		if f.Kind != format.Model || f.Lift == nil || f.Name == "sur" { // which is no tree
			continue
		}
		if _, err := f.Lift(&freelancer.Tree{}, &format.Env{Name: "empty." + f.Name}); err == nil {
			t.Errorf("%s: a tree without a root is taken", f.Name)
		} else if schema.Class(err) != schema.ErrValue {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}
