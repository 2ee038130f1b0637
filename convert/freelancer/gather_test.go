package freelancer_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/testdata/flread"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

func isClass(err, class error) bool { return errors.Is(err, class) }

// gathered makes a library of scenes.
func gathered(t *testing.T, name string, d *schema.Diagnostics, scenes ...*asset.Scene) (*flread.Entry, error) {
	t.Helper()
	f := byName(t, name)
	var list []format.Gathered
	for i, s := range scenes {
		list = append(list, format.Gathered{Asset: s, Env: &format.Env{Name: fmt.Sprintf("s%d.glb", i+1), Diagnostics: d}})
	}
	v, err := f.Gather(list, &format.Env{Name: "shared." + name, Diagnostics: d})
	if err != nil {
		return nil, err
	}
	b, err := f.Write(v)
	if err != nil {
		t.Fatal(err)
	}
	root, err := flread.UTF(b)
	if err != nil {
		t.Fatal(err)
	}
	return root, nil
}

// TestGathered: several scenes, new ones and some that were made of models, become one library of each kind.
func TestGathered(t *testing.T) {
	crate := func() *asset.Scene {
		wood := gradient("wood", 90)
		s := &asset.Scene{Roots: []*asset.Node{meshNode("crate", box(wood, [3]float32{-1, -1, -1}, [3]float32{1, 1, 1}))}, Materials: []*asset.Material{wood}, Textures: []*asset.Texture{wood.BaseColorTexture.Texture}}
		listMeshes(s)
		return fromGLB(t, glb(t, s, nil))
	}
	fresh := fromGLB(t, glb(t, gunship(), nil))
	model := fromGLB(t, glb(t, lift(t, byName(t, "cmp"), "ship.cmp", lower(t, byName(t, "cmp"), "ship.cmp", gunship(), nil), nil), nil))
	for name, scenes := range map[string][]*asset.Scene{"new": {fresh, crate()}, "of a model": {model, crate()}, "twice": {fresh, model, crate()}} {
		t.Run(name, func(t *testing.T) {
			d := new(schema.Diagnostics)
			mat, err := gathered(t, "mat", d, scenes...)
			if err != nil {
				t.Fatal(err)
			}
			library := mat.At("Material library")
			for _, m := range []string{"paint", "steel", "wood"} {
				texture := library.At(m + "/Dt_name").Text()
				if library.At(m+"/Type").Text() == "" || texture == "" || mat.At("Texture library/"+texture) == nil {
					t.Errorf("material %s with texture %q", m, texture)
				}
			}
			if n := library.At("Material count"); n == nil || n.Data[0] != 3 || len(library.Children) != 4 || mat.At("VMeshLibrary") != nil {
				t.Errorf("%d entries", len(library.Children))
			}
			txm, err := gathered(t, "txm", d, scenes...)
			if err != nil || txm.At("Material library") != nil || len(txm.At("Texture library").Children) != 3 {
				t.Errorf("textures: %v", err)
			}
			vms, err := gathered(t, "vms", d, scenes[0], scenes[len(scenes)-1])
			if err != nil || len(vms.Children) == 0 || len(vms.At("VMeshLibrary").Children) < 4 {
				t.Errorf("meshes: %v", err)
			}
			if d.Has("library-clash") {
				t.Errorf("said %v", d.All())
			}
		})
	}
	other := crate()
	other.Materials[0].BaseColor = [4]float32{1, 0, 0, 1}
	d := new(schema.Diagnostics)
	if _, err := gathered(t, "mat", d, crate(), other); err != nil || !d.Has("library-clash") {
		t.Errorf("two of one name: %v, said %v", err, d.All())
	}
	if _, err := gathered(t, "txm", nil, &asset.Scene{Roots: []*asset.Node{asset.NewNode("nothing")}}); !isClass(err, schema.ErrUnsupported) {
		t.Errorf("of nothing: %v", err)
	}
	bare := &asset.Scene{Roots: []*asset.Node{meshNode("crate", box(nil, [3]float32{-1, -1, -1}, [3]float32{1, 1, 1}))}}
	listMeshes(bare)
	if _, err := gathered(t, "txm", nil, bare); !isClass(err, schema.ErrUnsupported) {
		t.Errorf("textures of what has none: %v", err)
	}
}

// TestForeignMaterialsGathered: a material that lies in a file that is not at hand is made anew, of what the scene shows.
func TestForeignMaterialsGathered(t *testing.T) {
	files := memory{}
	env := &format.Env{Name: "ship.glb", Output: "ship", Options: format.Options{Freelancer: format.FreelancerOptions{MaterialsApart: true}}, Emit: func(name string, b []byte) error { files[name] = b; return nil }}
	model := lowerIn(t, byName(t, "cmp"), fromGLB(t, glb(t, gunship(), nil)), env)
	f := byName(t, "cmp")
	v, err := f.Read(model, nil)
	if err != nil {
		t.Fatal(err)
	}
	a, err := f.Lift(v, &format.Env{Name: "ship.cmp", Files: files})
	if err != nil {
		t.Fatal(err)
	}
	s := fromGLB(t, glb(t, a.(*asset.Scene), nil))
	root, err := gathered(t, "mat", nil, s)
	if err != nil {
		t.Fatal(err)
	}
	was, err := flread.UTF(files["ship.mat"])
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []string{"paint", "steel"} {
		for _, leaf := range []string{"Type", "Dt_name"} {
			if got, want := root.At("Material library/"+m+"/"+leaf).Text(), was.At("Material library/"+m+"/"+leaf).Text(); got != want || got == "" {
				t.Errorf("%s of %s: %q, want %q", leaf, m, got, want)
			}
		}
		name := root.At("Material library/" + m + "/Dt_name").Text()
		if root.At("Texture library/"+name) == nil {
			t.Errorf("the texture %q is missing", name)
		}
	}
	for _, whole := range []bool{true, false} { // now the file is at hand, with what its materials refer to, and without
		tree, err := read.UTF(files["ship.mat"], nil)
		if err != nil {
			t.Fatal(err)
		}
		if !whole {
			tree.Root.Remove(tree.Root.Child("Texture library"))
		}
		b, err := write.UTF(tree)
		if err != nil {
			t.Fatal(err)
		}
		there := memory{"ship.mat": b}
		if a, err = f.Lift(v, &format.Env{Name: "ship.cmp", Files: there}); err != nil {
			t.Fatal(err)
		}
		scene := fromGLB(t, glb(t, a.(*asset.Scene), nil))
		x, err := byName(t, "mat").Gather([]format.Gathered{{Asset: scene, Env: &format.Env{Name: "ship.glb", Files: there}}}, &format.Env{Name: "shared.mat", Files: there})
		if err != nil {
			t.Fatal(err)
		}
		made := x.(*freelancer.Tree).Root
		for _, m := range []string{"paint", "steel"} {
			leaf := made.Find("Material library/" + m + "/Dt_name")
			if leaf == nil {
				t.Errorf("whole %v: %s names no texture", whole, m)
				continue
			}
			if has := made.Find("Texture library/"+strings.TrimRight(string(leaf.Data), "\x00")) != nil; has != whole {
				t.Errorf("whole %v: the texture of %s is there %v", whole, m, has)
			}
		}
	}
}

// TestForLancerEdit: scenes for LancerEdit have their levels below their parts, and come back as they were; so do those
// that LancerEdit wrote, which know nothing of their files, as far as it shows all that there is.
func TestForLancerEdit(t *testing.T) {
	s := gunship()
	hull := s.Roots[0]
	for i, size := range []float32{2, 1} {
		l := lowerLevel(hull, fmt.Sprintf("hull$lod%d", i+1), size)
		s.Roots = append(s.Roots, l)
	}
	line := meshNode("hull.vmeshwire", &asset.Primitive{Mode: asset.Lines, Positions: [][3]float32{{-2, -1, -5}, {2, 1, 5}, {2, -1, 5}}, Indices: []uint32{0, 1, 1, 2}})
	hull.Children = append(hull.Children, line)
	listMeshes(s)
	files := memory{}
	env := &format.Env{Name: "ship.glb", Output: "ship", Emit: func(name string, b []byte) error { files[name] = b; return nil }}
	model := lowerIn(t, byName(t, "cmp"), s, env)
	f := byName(t, "cmp")
	v, err := f.Read(model, nil)
	if err != nil {
		t.Fatal(err)
	}
	d := new(schema.Diagnostics)
	options := format.Options{Freelancer: format.FreelancerOptions{For: "lanceredit", TextureRows: "stored"}}
	a, err := f.Lift(v, &format.Env{Name: "ship.cmp", Files: files, Options: options, Diagnostics: d})
	if err != nil {
		t.Fatal(err)
	}
	shown := fromGLB(t, glb(t, a.(*asset.Scene), nil))
	below := map[string]string{}
	shown.Walk(func(n, parent *asset.Node) {
		if parent != nil {
			below[n.Name] = parent.Name
		}
		if strings.Contains(n.Name, "$lod") && (n.Transform.Translation != [3]float32{} || len(n.LODs) > 0) {
			t.Errorf("level %s: %+v", n.Name, n.Transform)
		}
	})
	if below["Root$lod1"] != "Root" || below["Root$lod2"] != "Root" || below["Root$wire"] != "Root" || len(shown.Roots) != 1 || d.Has("lanceredit-roots") || d.Has("lanceredit-root") {
		t.Errorf("nodes %v; said %v", below, d.All())
	}
	back := lowerIn(t, f, shown, &format.Env{Name: "ship.glb", Output: "ship", Emit: env.Emit})
	if !bytes.Equal(back, model) {
		t.Error("there and back: the model is another one")
	}
	sur := files["ship.sur"]
	strip := func(n *asset.Node) { n.Native = nil; n.Name = strings.Replace(n.Name, "$wire", ".vmeshwire", 1) }
	foreign := fromGLB(t, glb(t, a.(*asset.Scene), nil))
	foreign.Native = nil
	for _, r := range foreign.Roots {
		walk(r, strip)
	}
	for _, m := range foreign.Materials {
		m.Native = nil
	}
	for _, x := range foreign.Textures {
		x.Native = nil
	}
	foreign.Animations = append(foreign.Animations, &asset.Animation{Name: "<Default>", Channels: []*asset.Channel{
		{Node: foreign.Roots[0].Children[0], Path: asset.Translation, Times: []float32{0, 1}, Values: []float32{0, 1, -2, 0, 5, -2}},
	}})
	env.Options = options
	again, err := flread.UTF(lowerIn(t, f, foreign, env))
	if err != nil {
		t.Fatal(err)
	}
	parts, err := flread.Parts(again)
	if err != nil {
		t.Fatal(err)
	}
	first, _ := flread.UTF(model)
	want, err := flread.Parts(first)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range parts {
		w := want[i]
		if p.Name != w.Name || p.Parent != w.Parent || p.Joint != w.Joint || len(p.Levels) != len(w.Levels) || fmt.Sprint(p.Switch, p.Hardpoints) != fmt.Sprint(w.Switch, w.Hardpoints) {
			t.Errorf("part %+v, want %+v", *p, *w)
		}
		for k := range p.Levels {
			if p.Levels[k].Box != w.Levels[k].Box || p.Levels[k].Triangles != w.Levels[k].Triangles {
				t.Errorf("level %d of %s: %+v, want %+v", k, p.Name, p.Levels[k], w.Levels[k])
			}
		}
	}
	if again.At("Root.3db/VMeshWire/VWireData") == nil || again.At("Animation") != nil && again.At("Animation/Script/<Default>") != nil {
		t.Error("the wireframe is gone, or the pose became a motion")
	}
	a1, err1 := flread.Sur(sur)
	a2, err2 := flread.Sur(files["ship.sur"])
	if err1 != nil || err2 != nil || fmt.Sprint(a1) != fmt.Sprint(a2) {
		t.Errorf("hulls %v, %v; %v, %v", a1, a2, err1, err2)
	}
}
