package library

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
)

// words are the bytes of little-endian numbers.
func words(list ...uint32) string {
	var b []byte
	for _, x := range list {
		b = binary.LittleEndian.AppendUint32(b, x)
	}
	return string(b)
}

// leavesIn returns the leaves of a tree by their paths.
func leavesIn(t *freelancer.Tree) map[string]string {
	all := map[string]string{}
	t.Root.Walk(func(path string, n *freelancer.Node) bool {
		if !n.IsDir() {
			all[strings.Trim(strings.ReplaceAll(path, `\`, "/"), "/")] = string(n.Data)
		}
		return true
	})
	return all
}

// entries returns the names in a library of a tree, in order.
func entries(t *freelancer.Tree, kind string) (list []string) {
	if dir := t.Root.Child(kind); dir != nil {
		for _, n := range dir.Children {
			list = append(list, n.Name)
		}
	}
	return list
}

// TestMeshUses: what refers to a mesh, wherever it stands; what is too short refers to none.
func TestMeshUses(t *testing.T) {
	got := meshUses(treeOf(map[string]string{
		"a.3db/VMeshPart/VMeshRef": words(60, 7, 0), "a.3db/MultiLevel/Level1/VMeshPart/vmeshref": words(60, 8), "b.3db/VMeshWire/VWireData": words(16, 7),
		"c.3db/VMeshPart/VMeshRef": words(60), "d.3db/VMeshPart/VMeshRef": words(60) + "abc", "e.3db/VMeshData": words(60, 7, 9),
	}).Root)
	if !maps.Equal(got, map[uint32]int{7: 2, 8: 1}) {
		t.Error(got)
	}
}

// TestDropMeshes: meshes go that something referred to before, and nothing does now.
func TestDropMeshes(t *testing.T) {
	ref := func(name string) string { return words(60, freelancer.FLCRC(name), 0) }
	tree := treeOf(map[string]string{"a.3db/VMeshPart/VMeshRef": ref("stays"), "b.3db/VMeshPart/VMeshRef": ref("goes"), "c.3db/VMeshPart/VMeshRef": ref("too")})
	e, d := editorOf(t, tree, nil)
	e.DropMeshes() // without a library
	for _, name := range []string{"stays", "for others", "goes", "too"} {
		tree.Root.Dir(freelancer.MeshLibrary).Dir(name)
	}
	e.DropMeshes()
	if got := entries(tree, freelancer.MeshLibrary); len(got) != 4 || len(d.All()) > 0 {
		t.Errorf("nothing changed, left are %v, told %v", got, d.All())
	}
	tree.Root.Child("b.3db").Child("VMeshPart").Child("VMeshRef").Data = []byte(ref("stays"))
	tree.Root.Remove(tree.Root.Child("c.3db"))
	e.DropMeshes()
	if got := entries(tree, freelancer.MeshLibrary); !slices.Equal(got, []string{"stays", "for others"}) || d.Count("meshes-removed") != 1 || !strings.Contains(d.All()[0].Msg, ": goes, too") {
		t.Errorf("left are %v, told %v", got, d.All())
	}
}

// TestNewMeshes: where a new mesh goes, what it is called, and how many refer to it.
func TestNewMeshes(t *testing.T) {
	v := foreign(t).VMesh
	for _, c := range []struct {
		name, want string
		taken      []string
	}{
		{"hull", "ship.hull-2.vms", nil}, {"hull", "ship.hull.2-2.vms", []string{"SHIP.hull-2.vms"}}, {"hull", "ship.hull.3-2.vms", []string{"ship.hull-2.vms", "ship.hull.2-2.vms"}},
		{"own.lod0-112.VMS", "own.lod0-112.VMS", nil}, {"own.vms", "own.2.vms", []string{"own.vms"}}, {".vms", ".vms", nil}, {"vms", "ship.vms-2.vms", nil},
	} {
		tree := freelancer.NewTree()
		tree.Root.Set("Exporter Version", nil)
		tree.Root.Dir("VMeshPart")
		e, _ := editorOf(t, tree, nil)
		for _, name := range c.taken {
			e.meshes[freelancer.FLCRC(name)] = &Mesh{Name: name}
		}
		name, err := e.AddMesh(nil, c.name, v)
		lm := e.meshes[freelancer.FLCRC(name)]
		if name != c.want || err != nil || lm == nil || !lm.Own || lm.Name != name || tree.Root.Children[1].Name != freelancer.MeshLibrary || len(tree.Root.Children) != 3 {
			t.Errorf("%s: %q, %v, %+v", c.name, name, err, lm)
			continue
		}
		if other, err := e.AddMesh(lm, "other", v); other != name || err != nil || !lm.Replaced || len(entries(tree, freelancer.MeshLibrary)) != 1 {
			t.Errorf("%s: replaced it is %q, %v", c.name, other, err)
		}
	}
	empty := freelancer.NewTree()
	e, _ := editorOf(t, empty, nil)
	if _, err := e.AddMesh(nil, "hull", v); err != nil || len(empty.Root.Children) != 1 {
		t.Errorf("in an empty file: %v", err)
	}
	bad := *v
	bad.Positions = bad.Positions[1:]
	bad.Normals = make([][3]float32, 3)
	if _, err := e.AddMesh(nil, "hull", &bad); schema.Class(err) != schema.ErrMismatch {
		t.Errorf("normals that its format does not have: %v", err)
	}
	own := &Mesh{Name: "hull", Own: true, Dir: freelancer.NewDir("hull")}
	for uses, want := range []bool{false, true, false} {
		e.uses = map[uint32]int{freelancer.FLCRC("hull"): uses}
		if got := e.HasOnly(1, own); got != want || e.HasOnly(uses, &Mesh{Name: "hull"}) || e.HasOnly(uses, nil) {
			t.Errorf("%d uses: %v", uses, got)
		}
	}
	e.meshes[freelancer.FLCRC("taken")] = own
	for _, c := range []struct {
		name string
		ok   bool
	}{{"Taken", false}, {"nul\x00", false}, {"→", false}, {strings.Repeat("ä", freelancer.MaxName+1), false}, {strings.Repeat("ä", freelancer.MaxName), true}, {"fin", true}} {
		if got := e.RenameMesh(own, c.name); got != c.ok || got && (own.Dir.Name != c.name || e.meshes[freelancer.FLCRC(c.name)] != own) {
			t.Errorf("to %.20q: %v", c.name, got)
		}
	}
}

// TestGather: a library takes materials of other files with all that they show, and tells which are in none.
func TestGather(t *testing.T) {
	far := treeOf(map[string]string{
		"Material library/fire/Type": "DcDtBt\x00", "Material library/fire/Dt_name": "fire\x00", "Material library/fire/Bt_name": "ash.tga\x00", "Material library/fire/Dc": words(0, 0, 0),
		"Texture library/fire/Texture count": words(2), "Texture library/fire/Frame count": words(2), "Texture library/fire/FPS": words(0x41200000),
		"Texture library/fire/Frame rects": words(0, 0, 0, 0, 0, 3, 0, 0, 0, 0),
	})
	for _, name := range []string{"fire_0", "fire_1", "fire_3", "ash.tga", "DcDtBt"} {
		addTexture(t, far, name, plain(4, 4, 100))
	}
	own := treeOf(map[string]string{"Material library/wood/Type": "DcDt\x00", "Material library/wood/Dt_name": "bark.tga\x00"})
	e, _ := editorOf(t, own, far)
	before := leavesIn(own)
	lost := asset.NewMaterial("lost")
	missing := e.Gather(own, []*asset.Material{e.Named("wood"), e.Named("fire"), lost, e.Named("nobody"), e.Named("FIRE")})
	if len(missing) != 2 || missing[0].Name != "lost" || missing[1].Name != "nobody" {
		t.Errorf("missing are %v", missing)
	}
	want := leavesIn(far)
	maps.DeleteFunc(want, func(path, _ string) bool {
		return strings.HasPrefix(path, "Texture library/fire_1/") || strings.HasPrefix(path, "Texture library/DcDtBt/")
	})
	maps.Copy(want, before)
	if got := leavesIn(own); !maps.Equal(got, want) {
		t.Errorf("the file holds %q, want %q", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
}

// TestShownMaterial: a material whose file is missing is stored as the scene shows it, under the names of its file.
func TestShownMaterial(t *testing.T) {
	a := asset.NewMaterial("paint.001")
	a.BaseColorTexture = &asset.TextureRef{Texture: lifted("paint.tga", 0), WrapS: asset.Clamp}
	a.BaseColorTexture.Texture.Name = "Image_0"
	a.EmissiveTexture = &asset.TextureRef{}
	values := textureNative("paint", "", 0)
	values.Values["type"] = "DcDtOcOt"
	a.Native = values
	got := shownMaterial(a)
	tx := got.BaseColorTexture.Texture
	if got.Name != "paint" || got.Native.Values["own"] != 1.0 || got.Native.Values["type"] != "DcDtOcOt" || got.Native.Values["name"] != nil || got.EmissiveTexture != a.EmissiveTexture {
		t.Errorf("%+v, %v", got, got.Native)
	}
	if tx.Name != "paint.tga" || tx.Native.Values["own"] != 1.0 || tx.Native.Values["name"] != "paint.tga" || tx.Native.Values["picture"] != nil || got.BaseColorTexture.WrapS != asset.Clamp {
		t.Errorf("%+v, %v", tx, tx.Native)
	}
	if a.Name != "paint.001" || a.BaseColorTexture.Texture.Name != "Image_0" {
		t.Error("that of the scene is another one now")
	}
	a.Native = &asset.Native{Format: "other", Values: map[string]any{"name": "paint"}}
	if got := shownMaterial(a); got.Name != "paint.001" || got.Native != nil {
		t.Errorf("of another family: %+v", got)
	}
}

// TestJoinLibraries: what becomes of one name in two libraries, of those that are alike, and of the counts.
func TestJoinLibraries(t *testing.T) {
	const kind = freelancer.MaterialLibrary
	mat := func(list ...string) map[string]string {
		leaves := map[string]string{}
		for _, x := range list {
			name, data, _ := strings.Cut(x, "=")
			leaves[kind+"/"+name+"/Type"] = data
		}
		return leaves
	}
	from := mat("A=1", "b=2", "c=3")
	from[kind+"/Material count"] = words(9)
	from[kind+"/c/Oc"] = "x"
	for _, c := range []struct {
		name           string
		to, was, moved map[string]string // moved is nil for Replace
		want           string
		clash          bool
	}{
		{"merged", mat("a=1", "c=3"), nil, from, "a/Type=1 b/Type=2 c/Type=3", true},
		{"merged into nothing", nil, nil, from, "A/Type=1 b/Type=2 c/Oc=x c/Type=3", false},
		{"merged, alike", mat("A=1", "b=2"), nil, from, "A/Type=1 b/Type=2 c/Oc=x c/Type=3", false},
		{"merged, others", mat("A=7", "b=2"), nil, from, "A/Type=7 b/Type=2 c/Oc=x c/Type=3", true},
		{"replaced", mat("a=7", "c=3", "d=4"), nil, nil, "a/Type=1 b/Type=2 c/Oc=x c/Type=3 d/Type=4", false},
		{"replaced, but what was so before", mat("a=7", "c=8"), mat("A=1", "b=0", "c=3"), nil, "a/Type=7 b/Type=2 c/Oc=x c/Type=3", false},
	} {
		to, d := treeOf(c.to), new(schema.Diagnostics)
		if c.moved != nil {
			Merge(to, kind, treeOf(c.moved).Root.Child(kind), d)
			Merge(to, kind, nil, d)
		} else {
			Replace(to, kind, treeOf(from).Root.Child(kind), treeOf(c.was).Root.Child(kind))
			Replace(to, kind, nil, nil)
		}
		var got []string
		for path, data := range leavesIn(to) {
			got = append(got, fmt.Sprintf("%s=%s", strings.TrimPrefix(path, kind+"/"), data))
		}
		slices.Sort(got)
		if joined := strings.Join(got, " "); joined != c.want || d.Has("library-clash") != c.clash {
			t.Errorf("%s: %s, told %v", c.name, joined, d.All())
		}
	}
	node := func(children ...*freelancer.Node) *freelancer.Node { return freelancer.NewDir("n", children...) }
	leaf := freelancer.NewLeaf
	for _, c := range []struct {
		a, b *freelancer.Node
		want bool
	}{
		{node(leaf("x", nil), leaf("y", []byte{1})), node(leaf("Y", []byte{1}), leaf("x", nil)), true},
		{node(leaf("x", nil)), node(), false}, {node(leaf("x", nil)), node(leaf("y", nil)), false}, {node(leaf("x", []byte{1})), node(leaf("x", []byte{2})), false}, {node(node()), node(leaf("n", nil)), false},
	} {
		if sameContent(c.a, c.b) != c.want || sameContent(c.b, c.a) != c.want {
			t.Errorf("%v and %v are not told apart, or are", c.a.Children, c.b.Children)
		}
	}
}

// TestSetCounts: the count of a library of materials is set, and one of textures where it has one.
func TestSetCounts(t *testing.T) {
	tree := treeOf(map[string]string{"Material library/a/Type": "", "Material library/note": "", "Texture library/x/MIP0": "", "Texture library/y/MIP0": ""})
	SetCounts(tree)
	if m := tree.Root.Child(freelancer.MaterialLibrary).Child("Material count"); m == nil || string(m.Data) != words(1) || tree.Root.Child(freelancer.TextureLibrary).Child("Texture count") != nil {
		t.Errorf("%v", leavesIn(tree))
	}
	tree.Root.Child(freelancer.TextureLibrary).Set("Texture count", nil)
	other := freelancer.NewTree()
	Move(other, tree, nil)
	got := leavesIn(other)
	if got["Material library/Material count"] != words(1) || len(entries(other, freelancer.TextureLibrary)) != 2 || len(tree.Root.Children) > 0 {
		t.Errorf("moved: %v", got)
	}
	other.Root.Child(freelancer.TextureLibrary).Set("Texture count", nil)
	SetCounts(other)
	if got := leavesIn(other)["Texture library/Texture count"]; got != words(2) {
		t.Errorf("%q textures", got)
	}
	SetCounts(freelancer.NewTree())
}
