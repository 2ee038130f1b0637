package freelancer_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/corpus"

	read "github.com/usher-assets/usher/read/freelancer"
)

// lowerLevel returns a node with the shape of another, smaller.
func lowerLevel(n *asset.Node, name string, size float32) *asset.Node {
	l := meshNode(name, box(n.Mesh.Primitives[0].Material, [3]float32{-size, -size, -size}, [3]float32{size, size, size}))
	l.Transform = n.Transform
	return l
}

// levels describes the levels of detail of a part: number, and half of its width, of each; then the distances.
func levels(t *testing.T, b []byte, file string) string {
	t.Helper()
	tree, err := read.UTF(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := tree.Root.Find(strings.TrimPrefix(file+"/MultiLevel", "/"))
	if dir == nil || tree.Root.Find(strings.TrimPrefix(file+"/VMeshPart", "/")) != nil {
		return "none"
	}
	ml, err := read.MultiLevel(dir)
	if err != nil {
		t.Fatal(err)
	}
	var s []string
	for _, l := range ml.Levels {
		ref, err := read.VMeshRef(l.Node.Find("VMeshPart/VMeshRef").Data, nil)
		if err != nil {
			t.Fatal(err)
		}
		s = append(s, fmt.Sprintf("%d:%g@%g", l.Number, math.Round(float64(ref.Max[0]-ref.Min[0])*50)/100, math.Round(float64(ref.Center[1])*100)/100))
	}
	for _, x := range ml.Switch {
		s = append(s, fmt.Sprint(x))
	}
	return strings.Join(s, " ")
}

// TestLevelsEdited adds levels of detail to the turret, whose shape is 1 wide, and takes some away.
func TestLevelsEdited(t *testing.T) {
	fm := byName(t, "cmp")
	scene := func(b []byte) (*asset.Scene, map[string]*asset.Node) {
		s := fromGLB(t, glb(t, lift(t, fm, "ship.cmp", b, nil), nil))
		_, n := where(s)
		return s, n
	}
	back := func(s *asset.Scene) []byte {
		s.Meshes = nil
		s.Walk(func(n, _ *asset.Node) {
			if n.Mesh != nil && !slices.Contains(s.Meshes, n.Mesh) {
				s.Meshes = append(s.Meshes, n.Mesh)
			}
		})
		return lower(t, fm, "ship.cmp", fromGLB(t, glb(t, s, nil)), nil)
	}
	_, one := edited(t, func(*asset.Scene, map[string]*asset.Node) {})
	s, n := scene(one)
	n["turret"].Children = append(n["turret"].Children, lowerLevel(&asset.Node{Mesh: n["turret"].Mesh, Transform: asset.Identity}, "turret$lod1", 0.25))
	s.Roots = append(s.Roots, lowerLevel(n["turret"], "turret$lod2", 0.125))
	three := back(s)

	s, n = scene(three)
	twin, low := *n["turret"], *n["turret"].LODs[1]
	twin.Name, twin.Children, twin.LODs, low.Name = "turret.001", nil, nil, "turret$lod2.001"
	twin.Transform.Translation[0] += 3
	low.Transform = twin.Transform
	n["hull"].Children = append(n["hull"].Children, &twin, &low)
	copied := back(s)
	if got, want := levels(t, copied, "turret.3db"), "0:0.5@0.25 1:0.25@0 2:0.13@0 0 100 1000 1e+06"; got != want {
		t.Errorf("a copy made %s of %s", got, want)
	}
	if got, want := levels(t, copied, "turret.001.3db"), "0:0.5@0.25 1:0.13@0 0 100 1e+06"; got != want {
		t.Errorf("the copy has %s, want %s", got, want)
	}

	for _, c := range []struct {
		name string
		from []byte
		edit func(s *asset.Scene, n map[string]*asset.Node)
		want string
	}{
		{"none", one, func(*asset.Scene, map[string]*asset.Node) {}, "none"},
		{"two more", three, func(*asset.Scene, map[string]*asset.Node) {}, "0:0.5@0.25 1:0.25@0 2:0.13@0 0 100 1000 1e+06"},
		{"yet another", three, func(s *asset.Scene, n map[string]*asset.Node) {
			n["turret"].LODs = append(n["turret"].LODs, lowerLevel(n["turret"], "turret$lod3", 0.06))
		}, "0:0.5@0.25 1:0.25@0 2:0.13@0 3:0.06@0 0 100 1000 10000 1e+06"},
		{"none, and what it hangs on moves", three, func(_ *asset.Scene, n map[string]*asset.Node) {
			n["hull"].Transform.Translation[1] += 3
		}, "0:0.5@0.25 1:0.25@0 2:0.13@0 0 100 1000 1e+06"},
		{"yet another, which stands elsewhere", three, func(s *asset.Scene, n map[string]*asset.Node) {
			low := lowerLevel(n["turret"], "turret$lod3", 0.06)
			low.Transform.Translation = [3]float32{0, 5, -2} // of the scene; the turret stands at 0, 1, -2
			s.Roots = append(s.Roots, low)
		}, "0:0.5@0.25 1:0.25@0 2:0.13@0 3:0.06@4 0 100 1000 10000 1e+06"},
		{"one less", three, func(s *asset.Scene, n map[string]*asset.Node) {
			n["turret"].LODs = n["turret"].LODs[1:]
		}, "0:0.5@0.25 1:0.13@0 0 1000 1e+06"},
		{"one in the place of another", three, func(s *asset.Scene, n map[string]*asset.Node) {
			n["turret"].LODs[0] = lowerLevel(n["turret"], "turret$lod1", 0.4)
		}, "0:0.5@0.25 1:0.4@0 2:0.13@0 0 100 1000 1e+06"},
		{"one moved away from its part, which moves", three, func(s *asset.Scene, n map[string]*asset.Node) {
			low := n["turret"].LODs[0]
			n["turret"].LODs = n["turret"].LODs[1:]
			low.Transform.Translation = [3]float32{0, 6, -2} // of the scene; the turret stands at 0, 1, -2 of the hull
			n["hull"].Transform.Translation[1] += 3
			s.Roots = append(s.Roots, low)
		}, "0:0.5@0.25 1:0.25@2 2:0.13@0 0 100 1000 1e+06"},
		{"one left behind by its part, which moves", three, func(s *asset.Scene, n map[string]*asset.Node) {
			low := n["turret"].LODs[0]
			n["turret"].LODs = n["turret"].LODs[1:]
			n["turret"].Transform.Translation[1] += 5
			s.Roots = append(s.Roots, low)
		}, "0:0.5@0.25 1:0.25@0 2:0.13@0 0 100 1000 1e+06"},
		{"one left behind on what its part hangs on", three, func(s *asset.Scene, n map[string]*asset.Node) {
			low := n["turret"].LODs[1]
			n["turret"].LODs = n["turret"].LODs[:1]
			n["turret"].Transform.Translation[1] += 5
			n["hull"].Children = append(n["hull"].Children, low)
		}, "0:0.5@0.25 1:0.25@0 2:0.13@0 0 100 1000 1e+06"},
		{"dropped by an editor", three, func(s *asset.Scene, n map[string]*asset.Node) {
			n["turret"].LODs = nil
		}, "0:0.5@0.25 1:0.25@0 2:0.13@0 0 100 1000 1e+06"},
	} {
		s, n := scene(c.from)
		c.edit(s, n)
		if got := levels(t, back(s), "turret.3db"); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestForeignLevels makes a model of one part that stands away from the middle: all of its levels are there, in their
// order, and a level of nothing is told of.
func TestForeignLevels(t *testing.T) {
	paint := gradient("paint", 40)
	n := meshNode("crate", box(paint, [3]float32{-1, -1, -1}, [3]float32{1, 1, 1}))
	n.Transform.Translation = [3]float32{0, 3, 0}
	list := []*asset.Node{n, lowerLevel(n, "crate$lod2", 0.25), lowerLevel(n, "crate$lod1", 0.5), lowerLevel(n, "barrel$lod1", 0.5)}
	s := &asset.Scene{Name: "crate", Roots: list, Materials: []*asset.Material{paint}, Textures: []*asset.Texture{paint.BaseColorTexture.Texture}}
	for _, r := range list {
		s.Meshes = append(s.Meshes, r.Mesh)
	}
	d := new(schema.Diagnostics)
	b := lower(t, byName(t, "3db"), "crate.3db", fromGLB(t, glb(t, s, nil)), d)
	if got, want := levels(t, b, ""), "0:1@3 1:0.5@3 2:0.25@3 0 100 1000 1e+06"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if !slices.ContainsFunc(d.All(), func(x schema.Diagnostic) bool { return x.Code == "lod-left-out" && x.Path == "barrel$lod1" }) {
		t.Errorf("nothing tells of the barrel: %v", d.All())
	}
}

// TestJoinedLevels makes a model of one part out of one of several: its levels are those of all parts, where one with
// fewer keeps its last, and its wireframe is that of all parts.
func TestJoinedLevels(t *testing.T) {
	s := ship()
	_, n := where(s)
	n["turret"].LODs = []*asset.Node{lowerLevel(n["turret"], "turret$lod1", 0.25), lowerLevel(n["turret"], "turret$lod2", 0.125)}
	n["wing"].LODs = []*asset.Node{lowerLevel(n["wing"], "wing$lod1", 0.5)}
	listMeshes(s)
	cmp, err := byName(t, "cmp").Lower(s, &format.Env{Name: "ship.cmp", Options: format.Options{Freelancer: format.FreelancerOptions{Wireframe: true}, LODDistances: []float64{50, 700}}})
	if err != nil {
		t.Fatal(err)
	}
	b, err := byName(t, "cmp").Write(cmp)
	if err != nil {
		t.Fatal(err)
	}
	from := fromGLB(t, glb(t, lift(t, byName(t, "cmp"), "ship.cmp", b, nil), nil))
	lines := 0
	from.Walk(func(n, _ *asset.Node) {
		if strings.HasSuffix(n.Name, "$wire") {
			lines += len(n.Mesh.Primitives[0].Indices) / 2
		}
	})
	var d schema.Diagnostics
	after := lower(t, byName(t, "3db"), "ship.3db", from, &d)
	_, nodes := where(lift(t, byName(t, "3db"), "ship.3db", after, nil))
	tri := func(n *asset.Node) (k int) {
		for _, p := range n.Mesh.Primitives {
			k += len(p.Indices) / 3
		}
		return k
	}
	if len(nodes["Root"].LODs) != 2 {
		t.Fatalf("%d lower levels, want 2", len(nodes["Root"].LODs))
	}
	for i, level := range append([]*asset.Node{nodes["Root"]}, nodes["Root"].LODs...) {
		if got := tri(level); got != 36 {
			t.Errorf("level %d has %d triangles, want those of three boxes", i, got)
		}
	}
	if got := len(nodes["Root$wire"].Mesh.Primitives[0].Indices) / 2; got != lines || lines != 36 {
		t.Errorf("%d lines of %d", got, lines)
	}
	tree, err := read.UTF(after, nil)
	if err != nil {
		t.Fatal(err)
	}
	ml, err := read.MultiLevel(tree.Root.Child("MultiLevel"))
	if err != nil || !slices.Equal(ml.Switch, []float32{0, 50, 700, 1e6}) {
		t.Errorf("distances %v: %v", ml.Switch, err)
	}
}

// TestAskedDistances: distances that are asked for take the place of those that a model has; the last level never ends.
func TestAskedDistances(t *testing.T) {
	s := ship()
	_, n := where(s)
	n["turret"].LODs = []*asset.Node{lowerLevel(n["turret"], "turret$lod1", 0.25), lowerLevel(n["turret"], "turret$lod2", 0.125)}
	listMeshes(s)
	model := lower(t, byName(t, "cmp"), "ship.cmp", s, nil)
	for want, given := range map[string][]float64{
		"[0 100 1000 1e+06]":   nil,
		"[0 50 700 1e+06]":     {50, 700},
		"[0 50 1000 1e+06]":    {50},
		"[0 2000 20000 1e+06]": {2000},
		"[0 1 2 1e+06]":        {1, 2, 3},
	} {
		from := fromGLB(t, glb(t, lift(t, byName(t, "cmp"), "ship.cmp", model, nil), nil))
		d := new(schema.Diagnostics)
		cmp, err := byName(t, "cmp").Lower(from, &format.Env{Name: "ship.cmp", Options: format.Options{LODDistances: given}, Diagnostics: d})
		if err != nil {
			t.Fatal(err)
		}
		b, err := byName(t, "cmp").Write(cmp)
		if err != nil {
			t.Fatal(err)
		}
		_, now := where(lift(t, byName(t, "cmp"), "ship.cmp", b, nil))
		if got := fmt.Sprint(now["turret"].Native.Values["switch2"]); got != want {
			t.Errorf("%v: %s, want %s", given, got, want)
		}
		if said := d.Has("lod-distance"); said != (len(given) > 0) { // the other parts have no levels
			t.Errorf("%v: %v", given, d.All())
		}
		said := slices.ContainsFunc(d.All(), func(x schema.Diagnostic) bool { return x.Code == "lod-distance" && x.Path == "turret" })
		if said != (len(given) > 2) { // it has two that are nearer than the farthest
			t.Errorf("%v: %v", given, d.All())
		}
	}
}

// TestMeshElsewhere: what is done to a part as an object does not reach a mesh in a file that is not at hand, which is told.
func TestMeshElsewhere(t *testing.T) {
	fm := byName(t, "cmp")
	tree, err := read.UTF(lower(t, fm, "ship.cmp", ship(), nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	tree.Root.Remove(tree.Root.Child("VMeshLibrary"))
	b := treeBytes(t, tree)
	for size, told := range map[float32]bool{1: false, 2: true} {
		s, d := lift(t, fm, "ship.cmp", b, nil), new(schema.Diagnostics)
		_, n := where(s)
		n["turret"].Transform.Scale = [3]float32{size, size, size}
		if lower(t, fm, "ship.cmp", s, d); d.Has("mesh-elsewhere") != told {
			t.Errorf("%v times as large: %v", size, d.All())
		}
	}
}

// TestLevelsOfLines: lines and points that an editor drops stay, and edited ones are stored; a first level may show nothing.
func TestLevelsOfLines(t *testing.T) {
	fm := byName(t, "cmp")
	tree, err := read.UTF(lower(t, fm, "ship.cmp", ship(), nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	data := tree.Root.Find("VMeshLibrary/ship.turret.lod0-112.vms/VMeshData")
	data.Data = slices.Clone(data.Data)
	data.Data[4] = 1 // a list of points
	b := treeBytes(t, tree)
	for name, edit := range map[string]func(n *asset.Node){"dropped": func(n *asset.Node) { n.Mesh = nil }, "edited": func(n *asset.Node) {
		n.Mesh = meshNode("", box(n.Mesh.Primitives[0].Material, [3]float32{-9, 0, 0}, [3]float32{9, 1, 1})).Mesh
	}} {
		s, d := lift(t, fm, "ship.cmp", b, nil), new(schema.Diagnostics)
		_, n := where(s)
		edit(n["turret"])
		after := lower(t, fm, "ship.cmp", s, d)
		_, n = where(lift(t, fm, "ship.cmp", after, nil))
		if mode := n["turret"].Mesh.Primitives[0].Mode; (mode == asset.Points) != (name == "dropped") || d.Has("lines-kept") != (name == "dropped") || (string(after) == string(b)) != (name == "dropped") {
			t.Errorf("%s: mode %v, told %v", name, mode, d.All())
		}
	}
	s := ship()
	_, n := where(s)
	n["turret"].LODs, n["turret"].Mesh = []*asset.Node{lowerLevel(n["turret"], "turret$lod1", 0.25)}, nil
	listMeshes(s)
	if tree, err = read.UTF(lower(t, fm, "ship.cmp", s, nil), nil); err != nil {
		t.Fatal(err)
	}
	if dir := tree.Root.Find("turret.3db/MultiLevel"); dir.Find("Level0/VMeshPart") != nil || dir.Find("Level1/VMeshPart/VMeshRef") == nil {
		t.Error("a first level of nothing shows something, or the second one does not")
	}
}

// TestDamagedDistances: a list of distances with none in it stays as it is, whatever distances are asked for.
func TestDamagedDistances(t *testing.T) {
	fm := byName(t, "cmp")
	s := ship()
	_, n := where(s)
	n["turret"].LODs = []*asset.Node{lowerLevel(n["turret"], "turret$lod1", 0.25)}
	listMeshes(s)
	tree, err := read.UTF(lower(t, fm, "ship.cmp", s, nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	tree.Root.Find("turret.3db/MultiLevel").Set("Switch2", make([]byte, 4))
	b := treeBytes(t, tree)
	s = fromGLB(t, glb(t, lift(t, fm, "ship.cmp", b, nil), nil))
	corpus.SameBytes(t, "ship.cmp", lowerIn(t, fm, s, &format.Env{Name: "ship.cmp", Options: format.Options{LODDistances: []float64{50}}}), b)
}

// TestTooManyLevels: a part that has levels gets no more of them than the game knows, which is told once.
func TestTooManyLevels(t *testing.T) {
	fm := byName(t, "cmp")
	for _, c := range []struct {
		added int
		fresh bool // the part is new too
		want  string
	}{
		{1, false, ""}, {9, false, ""}, {10, false, "11 levels of detail are too many: the game knows 10"}, {20, false, "11 levels of detail are too many: the game knows 10"},
		{9, true, ""}, {10, true, "11 levels of detail are too many: the game knows 10"}, {20, true, "21 levels of detail are too many: the game knows 10"},
	} {
		s := ship()
		if !c.fresh {
			s = lift(t, fm, "ship.cmp", lower(t, fm, "ship.cmp", s, nil), nil)
		}
		_, nodes := where(s)
		for i := range c.added {
			l := lowerLevel(nodes["wing"], fmt.Sprintf("wing$lod%d", i+1), 1)
			s.Meshes, nodes["wing"].LODs = append(s.Meshes, l.Mesh), append(nodes["wing"].LODs, l)
		}
		d := new(schema.Diagnostics)
		n := strings.Count(levels(t, lower(t, fm, "ship.cmp", s, d), "wing.3db"), "@")
		var told []string
		for _, m := range d.All() {
			if m.Code == "lod-left-out" {
				told = append(told, m.Msg)
			}
		}
		if got := strings.Join(told, "; "); got != c.want || n != min(c.added+1, 10) {
			t.Errorf("%d levels more: %d are there, told %q, want %q", c.added, n, got, c.want)
		}
	}
}
