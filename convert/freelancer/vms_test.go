package freelancer_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/testdata/corpus"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// libraries calls f for the mesh libraries of all models, as files of their own.
func libraries(t *testing.T, f func(t *testing.T, model *freelancer.Tree, vms []byte)) {
	found := 0
	models(t, func(t *testing.T, _ corpus.Entry, b []byte, _ *format.Format) {
		tree, err := read.UTF(b, nil)
		if err != nil {
			t.Fatal(err)
		}
		lib := tree.Root.Child(freelancer.MeshLibrary)
		if lib == nil {
			return
		}
		found++
		file := freelancer.NewTree()
		dir := file.Root.Dir(freelancer.MeshLibrary)
		for _, n := range lib.Children {
			dir.Add(freelancer.NewDir(n.Name, freelancer.NewLeaf("VMeshData", n.Child("VMeshData").Data)))
		}
		f(t, tree, treeBytes(t, file))
	})
	if found < 30 {
		t.Errorf("only %d libraries", found)
	}
}

// TestLibraryRoundTrip takes libraries to GLB and back: a node for each mesh, and the same bytes.
func TestLibraryRoundTrip(t *testing.T) {
	libraries(t, func(t *testing.T, _ *freelancer.Tree, b []byte) {
		fm := sniff(t, "shapes.vms", b)
		if fm == nil || fm.Name != "vms" {
			t.Fatalf("it is taken for %v", fm)
		}
		s := fromGLB(t, glb(t, lift(t, fm, "shapes.vms", b, nil), nil))
		var nodes []string
		for _, n := range s.Roots {
			nodes = append(nodes, n.Name)
		}
		if names := meshes(t, b); !slices.Equal(nodes, names) {
			t.Errorf("the nodes are %v, the meshes %v", nodes, names)
		}
		corpus.SameBytes(t, "by way of GLB", lower(t, fm, "shapes.vms", s, nil), b)
	})
}

// TestLibraryGroups: what is told of the groups without the references is what the references say.
func TestLibraryGroups(t *testing.T) {
	count, shared := 0, 0
	libraries(t, func(t *testing.T, model *freelancer.Tree, _ []byte) {
		stored := map[uint32]*freelancer.VMesh{}
		for _, n := range model.Root.Child(freelancer.MeshLibrary).Children {
			v, err := read.VMesh(n.Child("VMeshData").Data, nil)
			if err != nil {
				t.Fatal(err)
			}
			stored[freelancer.FLCRC(n.Name)] = v
		}
		model.Root.Walk(func(path string, n *freelancer.Node) bool {
			if n.Name != "VMeshRef" {
				return true
			}
			r, err := read.VMeshRef(n.Data, nil)
			if err != nil || r.Empty() || stored[r.Mesh] == nil {
				return true
			}
			v := stored[r.Mesh]
			want, err := r.Groups(v)
			if err != nil {
				t.Fatal(err)
			}
			all, several, err := v.AllGroups()
			if err != nil {
				t.Fatal(err)
			}
			if got := all[r.GroupStart:][:r.GroupCount]; !slices.Equal(got, want) {
				t.Errorf("%s: groups %v, want %v", path, got, want)
			}
			if r.VertexStart > 0 && !several {
				t.Errorf("%s begins at vertex %d of a mesh that is taken for that of one model", path, r.VertexStart)
			}
			count++
			if several {
				shared++
			}
			return true
		})
	})
	if count < 100 || shared < 50 {
		t.Errorf("%d references compared, %d of them to parts of meshes", count, shared)
	}
}

// inLibrary takes the library of testdata to GLB, lets f change the scene, and takes it back.
func inLibrary(t *testing.T, before []byte, f func(s *asset.Scene, nodes map[string]*asset.Node)) (after []byte, d *schema.Diagnostics, err error) {
	t.Helper()
	fm := byName(t, "vms")
	s := fromGLB(t, glb(t, lift(t, fm, "parts.vms", before, nil), nil))
	_, nodes := where(s)
	f(s, nodes)
	d = new(schema.Diagnostics)
	v, err := fm.Lower(fromGLB(t, glb(t, s, nil)), &format.Env{Name: "parts.vms", Diagnostics: d})
	if err != nil {
		return nil, d, err
	}
	after, err = fm.Write(v)
	return after, d, err
}

const libTurret, libWing, libHull = "parts.turret.lod0-112.vms", "parts.wing.lod0-112.vms", "parts.hull.lod0-112.vms"

func TestLibraryEdits(t *testing.T) {
	before := corpus.Bytes(t, corpus.Testdata(t, "freelancer", "parts.vms"))
	if names := meshes(t, before); !slices.Equal(names, []string{libHull, libTurret, libWing}) {
		t.Fatalf("the meshes are %v", names)
	}
	all := []string{libHull, libTurret, libWing}
	for _, c := range []struct {
		name    string
		edit    func(s *asset.Scene, n map[string]*asset.Node)
		meshes  []string
		changed []string // of those that were there
		codes   string
	}{
		{"nothing", func(*asset.Scene, map[string]*asset.Node) {}, all, nil, ""},
		{"a node moved", func(_ *asset.Scene, n map[string]*asset.Node) { n[libWing].Transform.Translation[1] = 3 }, all, nil, "places"},
		{"a node scaled", func(_ *asset.Scene, n map[string]*asset.Node) { n[libWing].Transform.Scale[1] = 3 }, all, []string{libWing}, ""},
		{"a vertex moved", func(_ *asset.Scene, n map[string]*asset.Node) {
			n[libTurret].Mesh.Primitives[0].Positions[3][0] += 0.25
		}, all, []string{libTurret}, ""},
		{"a triangle less", func(_ *asset.Scene, n map[string]*asset.Node) { dropTriangle(n[libTurret].Mesh) }, all, []string{libTurret}, "mesh-rebuilt"},
		{"a seam", func(_ *asset.Scene, n map[string]*asset.Node) {
			p := n[libTurret].Mesh.Primitives[0]
			split(p)
			p.TexCoords[0][len(p.Positions)-1][0] += 0.125
		}, all, []string{libTurret}, "mesh-rebuilt"},
		{"a sharp corner", func(_ *asset.Scene, n map[string]*asset.Node) {
			p := n[libTurret].Mesh.Primitives[0]
			p.Positions[3][0] += 0.25
			split(p)
			p.Normals[len(p.Positions)-1] = [3]float32{0, 0.6, 0.8}
		}, all, []string{libTurret}, "normals-joined"},
		{"a triangle of which Blender split all corners", func(_ *asset.Scene, n map[string]*asset.Node) {
			p := n[libTurret].Mesh.Primitives[0]
			for range 3 {
				split(p)
				x := p.Normals[len(p.Positions)-1]
				p.Normals[len(p.Positions)-1] = [3]float32{x[0] + 0.05, x[1] + 0.05, x[2] + 0.05}
				p.Indices = append(p.Indices[1:3:3], append([]uint32{p.Indices[0]}, p.Indices[3:]...)...) // the next corner
			}
		}, all, nil, "normals-joined"},
		{"a node less", func(s *asset.Scene, n map[string]*asset.Node) {
			s.Roots = slices.DeleteFunc(s.Roots, func(x *asset.Node) bool { return x == n[libHull] })
		}, []string{libTurret, libWing}, []string{libHull}, "mesh-removed"},
		{"a node without its mesh", func(s *asset.Scene, n map[string]*asset.Node) { n[libHull].Mesh = nil }, all, nil, "mesh-kept"},
		{"another name", func(s *asset.Scene, n map[string]*asset.Node) { n[libHull].Name = "body.vms" }, []string{"body.vms", libTurret, libWing}, []string{libHull}, "mesh-renamed"},
		{"a name that is taken", func(s *asset.Scene, n map[string]*asset.Node) { n[libHull].Name = strings.ToUpper(libWing) }, all, nil, "mesh-name"},
		{"a name as Blender leaves it", func(s *asset.Scene, n map[string]*asset.Node) { n[libHull].Name += ".001" }, all, nil, ""},
		{"new nodes", func(s *asset.Scene, n map[string]*asset.Node) {
			for _, name := range [...]string{"crate", "crate$lod1", "door.LOD2", "Exact-Name.vms"} {
				x := asset.NewNode(name)
				x.Mesh = n[libHull].Mesh
				s.Roots = append(s.Roots, x)
			}
		}, append(slices.Clone(all), "parts.crate.lod0-112.vms", "parts.crate.lod1-112.vms", "parts.door.LOD2-112.vms", "Exact-Name.vms"), nil, "level-alone"},
	} {
		t.Run(c.name, func(t *testing.T) {
			after, d, err := inLibrary(t, before, c.edit)
			if err != nil {
				t.Fatal(err)
			}
			if got := corpus.Codes(d, schema.Note); got != c.codes {
				t.Errorf("it says %q, want %q", got, c.codes)
			}
			if names := meshes(t, after); !slices.Equal(names, c.meshes) {
				t.Errorf("the meshes are\n%v, want\n%v", names, c.meshes)
			}
			a, b := leavesOf(t, before), leavesOf(t, after)
			for path := range a {
				want := slices.ContainsFunc(c.changed, func(n string) bool { return strings.Contains(path, n) })
				if a[path] != b[path] != want {
					t.Errorf("%s changed: %v", path, !want)
				}
			}
			if c.changed == nil && len(a) == len(b) {
				corpus.SameBytes(t, "no edit", after, before)
			}
		})
	}
}

// TestLibraryOfParts stores a model as a library: each mesh as it lies in its part.
func TestLibraryOfParts(t *testing.T) {
	s := ship()
	_, want := where(s)
	after := lower(t, byName(t, "vms"), "parts.vms", s, nil)
	_, nodes := where(lift(t, byName(t, "vms"), "parts.vms", after, nil))
	for part, name := range map[string]string{"turret": libTurret, "wing": libWing, "hull": libHull} {
		if nodes[name] == nil || nodes[name].Mesh == nil {
			t.Errorf("%s did not arrive", part)
			continue
		}
		if x, y := cornersOf(want[part].Mesh.Primitives[0]), cornersOf(nodes[name].Mesh.Primitives[0]); !slices.Equal(x, y) {
			t.Errorf("%s: the corners are\n%v, want\n%v", part, y, x)
		}
		if m := nodes[name].Mesh.Primitives[0].Material; m == nil || m.Name != want[part].Mesh.Primitives[0].Material.Name {
			t.Errorf("%s: the material is %v", part, m)
		}
	}
}

// TestLibraryShared has two models in one mesh: vertices can be moved, and nothing else.
func TestLibraryShared(t *testing.T) {
	v := &freelancer.VMesh{Type: 1, Primitive: freelancer.TriangleList, FVF: freelancer.FVFPosition}
	for k := range 2 {
		for i := range 3 {
			v.Positions = append(v.Positions, [3]float32{float32(i % 2), float32(i / 2), float32(k)})
		}
		v.Groups = append(v.Groups, freelancer.MeshGroup{Material: uint32(k + 1), VertexEnd: 2, IndexCount: 3, Padding: freelancer.GroupPadding})
		v.Indices = append(v.Indices, 0, 1, 2)
	}
	data, err := write.VMesh(v)
	if err != nil {
		t.Fatal(err)
	}
	tree := freelancer.NewTree()
	tree.Root.Dir(freelancer.MeshLibrary).Dir("two.vms").Set("VMeshData", data)
	before := treeBytes(t, tree)
	after, _, err := inLibrary(t, before, func(_ *asset.Scene, n map[string]*asset.Node) {
		n["two.vms"].Mesh.Primitives[1].Positions[2][1] = 5
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := read.VMesh([]byte(strings.TrimSuffix(leavesOf(t, after)["VMeshLibrary/two.vms/VMeshData"], "|")), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := slices.Clone(v.Positions)
	want[5][1] = 5
	if !slices.Equal(got.Positions, want) || !slices.Equal(got.Groups, v.Groups) {
		t.Errorf("positions %v, groups %v", got.Positions, got.Groups)
	}
	_, _, err = inLibrary(t, before, func(_ *asset.Scene, n map[string]*asset.Node) {
		p := n["two.vms"].Mesh.Primitives[1]
		p.Indices = append(p.Indices, 0, 2, 1)
	})
	if !errors.Is(err, schema.ErrUnsupported) || !strings.Contains(fmt.Sprint(err), "two.vms") {
		t.Errorf("another triangle: %v", err)
	}
}

// TestLibraryWithoutMesh refuses a scene that has none.
func TestLibraryWithoutMesh(t *testing.T) {
	s := &asset.Scene{Roots: []*asset.Node{asset.NewNode("empty")}}
	if _, err := byName(t, "vms").Lower(s, &format.Env{Name: "x.vms"}); !errors.Is(err, schema.ErrUnsupported) {
		t.Errorf("got %v", err)
	}
}

// TestLibraryOdd lifts libraries with meshes that cannot be shown: they are told of, and kept.
func TestLibraryOdd(t *testing.T) {
	good := corpus.Bytes(t, corpus.Testdata(t, "freelancer", "parts.vms"))
	for _, c := range []struct {
		name string
		odd  func(v *freelancer.VMesh)
		code string
	}{
		{"an index past the vertices", func(v *freelancer.VMesh) { v.Indices[4] = 9999 }, "mesh-unusable"},
		{"a group past the indices", func(v *freelancer.VMesh) { v.Groups[0].IndexCount = 9999 }, "mesh-unusable"},
		{"an unknown primitive", func(v *freelancer.VMesh) { v.Primitive = 9 }, "mesh-unusable"},
		{"vertices alone", func(v *freelancer.VMesh) { v.Groups, v.Indices = nil, nil }, "no-groups"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree, err := read.UTF(good, nil)
			if err != nil {
				t.Fatal(err)
			}
			leaf := tree.Root.Find("VMeshLibrary/" + libTurret + "/VMeshData")
			v, err := read.VMesh(leaf.Data, nil)
			if err != nil {
				t.Fatal(err)
			}
			c.odd(v)
			if leaf.Data, err = write.VMesh(v); err != nil {
				t.Fatal(err)
			}
			b := treeBytes(t, tree)
			var d schema.Diagnostics
			s := lift(t, byName(t, "vms"), "parts.vms", b, &d)
			if !strings.Contains(corpus.Codes(&d, schema.Note), c.code) {
				t.Errorf("it says %q", corpus.Codes(&d, schema.Note))
			}
			corpus.SameBytes(t, "by way of GLB", lower(t, byName(t, "vms"), "parts.vms", fromGLB(t, glb(t, s, nil)), nil), b)
		})
	}
}

// TestLibraryTrees takes libraries of odd trees to GLB and back.
func TestLibraryTrees(t *testing.T) {
	original, err := read.UTF(corpus.Bytes(t, corpus.Testdata(t, "freelancer", "parts.vms")), nil)
	if err != nil {
		t.Fatal(err)
	}
	data := original.Root.Find("VMeshLibrary/" + libTurret + "/VMeshData").Data
	mesh := func(name string) *freelancer.Node {
		return freelancer.NewDir(name, freelancer.NewLeaf("VMeshData", data))
	}
	for name, lib := range map[string]*freelancer.Node{
		"empty":           freelancer.NewDir(freelancer.MeshLibrary),
		"no data":         freelancer.NewDir(freelancer.MeshLibrary, freelancer.NewDir("a.vms"), mesh("b.vms")),
		"empty data":      freelancer.NewDir(freelancer.MeshLibrary, freelancer.NewDir("a.vms", freelancer.NewLeaf("VMeshData", nil)), mesh("b.vms")),
		"a leaf":          freelancer.NewDir(freelancer.MeshLibrary, freelancer.NewLeaf("stray", []byte("bytes")), mesh("b.vms")),
		"one name twice":  freelancer.NewDir(freelancer.MeshLibrary, mesh("a.vms"), mesh("A.vms"), mesh("a.vms")),
		"no name":         freelancer.NewDir(freelancer.MeshLibrary, mesh("")),
		"a dollar":        freelancer.NewDir(freelancer.MeshLibrary, mesh("a$lod1"), mesh("a$hull"), mesh("HpMount01")),
		"as Blender does": freelancer.NewDir(freelancer.MeshLibrary, mesh("a"), mesh("a.001")),
	} {
		t.Run(name, func(t *testing.T) {
			tree := freelancer.NewTree()
			tree.Root.Add(lib)
			b, fm := treeBytes(t, tree), byName(t, "vms")
			corpus.SameBytes(t, "by way of GLB", lower(t, fm, "x.vms", fromGLB(t, glb(t, lift(t, fm, "x.vms", b, nil), nil)), nil), b)
		})
	}
}
