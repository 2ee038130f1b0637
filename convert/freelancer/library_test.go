package freelancer_test

import (
	"fmt"
	"hash/fnv"
	"math"
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

// dropTriangle takes a triangle out of a mesh, and reports whether one remains.
func dropTriangle(m *asset.Mesh) bool {
	for _, p := range m.Primitives {
		if p.Mode == asset.Triangles && len(p.Indices) > 3 {
			p.Indices = p.Indices[:len(p.Indices)-3]
			return true
		}
	}
	return false
}

func meshes(t *testing.T, b []byte) (names []string) {
	t.Helper()
	tree, err := read.UTF(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	if lib := tree.Root.Child(freelancer.MeshLibrary); lib != nil {
		for _, n := range lib.Children {
			names = append(names, n.Name)
		}
	}
	return names
}

// TestMeshNames: the game finds meshes by their names among those of all files, so that they begin with that of their file, in
// letters that it knows, or with that of the output.
func TestMeshNames(t *testing.T) {
	for _, c := range []struct{ name, output, want string }{
		{"ship.cmp", "", "ship"}, {"ship.cmp", "Li_01", "Li_01"}, {"fähre 2.cmp", "", "f_hre 2"}, {"", "", "model"}, {".cmp", "", "model"}, {"", "Li_01", "Li_01"},
		{strings.Repeat("x", 60) + ".cmp", "", strings.Repeat("x", 50)},
	} {
		for i, got := range meshes(t, lowerIn(t, byName(t, "cmp"), ship(), &format.Env{Name: c.name, Output: c.output})) {
			if want := c.want + []string{".hull", ".turret", ".wing"}[i] + ".lod0-112.vms"; got != want {
				t.Errorf("%q to %q: %s, want %s", c.name, c.output, got, want)
			}
		}
	}
}

// TestEditedAgain takes a triangle out of the first mesh of each model, three times over. The file may grow once, when
// the mesh was part of a larger one that other parts use; no mesh keeps groups that nothing draws any more, and all other
// parts look the same.
func TestEditedAgain(t *testing.T) {
	edited := 0
	models(t, func(t *testing.T, e corpus.Entry, b []byte, fm *format.Format) {
		if fm.Name != "cmp" && fm.Name != "3db" {
			return // no VMeshData
		}
		first := 0
		for round := range 3 {
			s := lift(t, fm, e.File, b, nil)
			var n *asset.Node
			s.Walk(func(x, _ *asset.Node) {
				if n == nil && x.Mesh != nil && dropTriangle(x.Mesh) {
					n = x
				}
			})
			if n == nil {
				return // no triangle to spare
			}
			edited++
			after := lower(t, fm, e.File, s, nil)
			if n := len(meshes(t, after)); round == 0 {
				first = n
			} else if len(after) > len(b) && n == first {
				t.Errorf("round %d: %d bytes became %d", round+1, len(b), len(after))
			} else if n > first+1 { // a wireframe whose vertex went gets its own, once
				t.Errorf("round %d: %d meshes, first %d", round+1, n, first)
			}
			if was, now := undrawn(t, b), undrawn(t, after); now > was {
				t.Errorf("round %d: %d groups are not drawn, were %d", round+1, now, was)
			}
			x, y := drawnBy(lift(t, fm, e.File, b, nil)), drawnBy(lift(t, fm, e.File, after, nil))
			for name := range x {
				if !strings.HasPrefix(name, n.Name+".") && x[name] != y[name] {
					t.Errorf("round %d: %s looks different", round+1, name)
				}
			}
			b = after
		}
	})
	if edited < 60 {
		t.Errorf("only %d edits", edited)
	}
}

// undrawn counts groups of meshes that something in the file draws other groups of, and references that tell wrong
// numbers.
func undrawn(t *testing.T, b []byte) (n int) {
	t.Helper()
	tree, err := read.UTF(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	drawn, refs := map[uint32]map[int]bool{}, map[uint32][]*freelancer.VMeshRef{}
	tree.Root.Walk(func(_ string, x *freelancer.Node) bool {
		if strings.EqualFold(x.Name, "VMeshRef") {
			if r, err := read.VMeshRef(x.Data, nil); err == nil && !r.Empty() {
				if drawn[r.Mesh] == nil {
					drawn[r.Mesh] = map[int]bool{}
				}
				refs[r.Mesh] = append(refs[r.Mesh], r)
				for i := range int(r.GroupCount) {
					drawn[r.Mesh][int(r.GroupStart)+i] = true
				}
			}
		}
		return true
	})
	for crc, groups := range drawn {
		for _, m := range tree.Root.Child(freelancer.MeshLibrary).Children {
			if v, err := read.VMesh(m.Child("VMeshData").Data, nil); err == nil && freelancer.FLCRC(m.Name) == crc {
				n += len(v.Groups) - len(groups)
				for _, r := range refs[crc] {
					n += wrongStart(r, v)
				}
			}
		}
	}
	return n
}

// wrongStart returns 1 for a reference whose numbers are not those of its groups (reference sections 5.2 and 5.4).
func wrongStart(r *freelancer.VMeshRef, v *freelancer.VMesh) int {
	start, count, most, least := 0, 0, 0, math.MaxInt
	for i, g := range v.Groups {
		switch {
		case i < int(r.GroupStart):
			start += int(g.IndexCount)
		case i < int(r.GroupStart)+int(r.GroupCount):
			at, high := start+count, 0
			for _, x := range v.Indices[at : at+int(g.IndexCount)] {
				high = max(high, int(x))
			}
			if int(g.VertexEnd) != int(g.VertexStart)+high {
				return 1
			}
			count, most, least = count+int(g.IndexCount), max(most, int(g.VertexEnd)), min(least, int(g.VertexStart))
		}
	}
	if int(r.IndexStart) != start || int(r.IndexCount) != count || int(r.VertexCount) != most-least+1 || least != 0 {
		return 1
	}
	return 0
}

// drawnBy tells what each node shows: its corners, and how they are joined.
func drawnBy(s *asset.Scene) map[string]string {
	shown := map[string]string{}
	s.Walk(func(n, _ *asset.Node) {
		for i, l := range append([]*asset.Node{n}, n.LODs...) {
			if l.Mesh == nil {
				continue
			}
			h := fnv.New64a()
			for _, p := range l.Mesh.Primitives {
				fmt.Fprint(h, p.Mode, materialNames(p.Material))
				for _, i := range p.Indices {
					fmt.Fprint(h, p.Positions[i])
					if p.Normals != nil {
						fmt.Fprint(h, p.Normals[i])
					}
					for _, uv := range p.TexCoords {
						if uv != nil {
							fmt.Fprint(h, uv[i])
						}
					}
				}
			}
			shown[fmt.Sprintf("%s.%d", n.Name, i)] = fmt.Sprintf("%x", h.Sum64())
		}
	})
	return shown
}

func materialNames(m *asset.Material) string {
	if m == nil {
		return ""
	}
	return m.Name
}

// TestMeshReplaced: a mesh that one part alone uses is replaced where it is, whatever is done to it.
func TestMeshReplaced(t *testing.T) {
	for name, edit := range map[string]func(p *asset.Primitive){
		"a triangle less": func(p *asset.Primitive) { p.Indices = p.Indices[3:] },
		"a triangle more": func(p *asset.Primitive) { p.Indices = append(p.Indices, 0, 1, 8) },
		"a seam": func(p *asset.Primitive) {
			split(p)
			p.TexCoords[0][len(p.Positions)-1][0] += 0.125
		},
		"a sharp edge": func(p *asset.Primitive) {
			split(p)
			p.Normals[len(p.Positions)-1] = [3]float32{0, 0.6, 0.8}
		},
		"a hole": func(p *asset.Primitive) {
			split(p)
			p.Positions[len(p.Positions)-1][0] += 0.25
		},
	} {
		t.Run(name, func(t *testing.T) {
			var want *asset.Primitive
			before, after := edited(t, func(_ *asset.Scene, n map[string]*asset.Node) {
				want = n["turret"].Mesh.Primitives[0]
				edit(want)
			})
			onlyChanged(t, before, after, `ship.turret.lod0-112.vms/VMeshData`, `turret.3db/VMeshPart/VMeshRef`)
			if x, y := meshes(t, before), meshes(t, after); !slices.Equal(x, y) {
				t.Errorf("the meshes are %v, were %v", y, x)
			}
			_, nodes := where(lift(t, byName(t, "cmp"), "ship.cmp", after, nil))
			if x, y := cornersOf(want), cornersOf(nodes["turret"].Mesh.Primitives[0]); !slices.Equal(x, y) {
				t.Errorf("the mesh that arrives has the corners\n%v, want\n%v", y, x)
			}
		})
	}
}

// cornersOf returns all that the triangles show.
func cornersOf(p *asset.Primitive) (list [][8]float32) {
	for _, i := range p.Indices {
		at, n, uv := p.Positions[i], p.Normals[i], p.TexCoords[0][i]
		list = append(list, [8]float32{at[0], at[1], at[2], n[0], n[1], n[2], uv[0], uv[1]})
	}
	return list
}

// split gives the first corner of the first triangle a vertex of its own.
func split(p *asset.Primitive) {
	k := p.Indices[0]
	p.Indices[0] = uint32(len(p.Positions))
	p.Positions, p.Normals = append(p.Positions, p.Positions[k]), append(p.Normals, p.Normals[k])
	p.TexCoords[0] = append(p.TexCoords[0], p.TexCoords[0][k])
}

// sharing returns ship.cmp with a wing that is drawn with the turret's mesh, so that nothing refers to its own.
func sharing(t *testing.T) []byte {
	tree, err := read.UTF(corpus.Bytes(t, corpus.Testdata(t, "freelancer", "ship.cmp")), nil)
	if err != nil {
		t.Fatal(err)
	}
	tree.Root.Find("wing.3db/VMeshPart/VMeshRef").Data = tree.Root.Find("turret.3db/VMeshPart/VMeshRef").Data
	return treeBytes(t, tree)
}

// TestSharedMesh edits parts that share a mesh: it goes when the last of them has another one. What nothing in the file
// referred to stays.
func TestSharedMesh(t *testing.T) {
	const wing, turret = "ship.wing.lod0-112.vms", "ship.turret.lod0-112.vms"
	fm, b := byName(t, "cmp"), sharing(t)
	for _, c := range []struct {
		parts         []string
		shared, noted bool
	}{{nil, true, false}, {[]string{"wing"}, true, false}, {[]string{"turret"}, true, false}, {[]string{"turret", "wing"}, false, true}} {
		t.Run(strings.Join(c.parts, "+"), func(t *testing.T) {
			var d schema.Diagnostics
			s := fromGLB(t, glb(t, lift(t, fm, "ship.cmp", b, nil), nil))
			_, nodes := where(s)
			for _, p := range c.parts {
				dropTriangle(nodes[p].Mesh)
			}
			after := lower(t, fm, "ship.cmp", s, &d)
			names := meshes(t, after)
			if slices.Contains(names, turret) != c.shared || !slices.Contains(names, wing) {
				t.Errorf("the library holds %v", names)
			}
			x, y := leavesOf(t, b), leavesOf(t, after)
			for path := range x {
				mine := strings.HasSuffix(path, "/VMeshRef") && slices.ContainsFunc(c.parts, func(p string) bool { return strings.HasPrefix(path, p+".3db") })
				if gone := strings.Contains(path, turret) && !c.shared; !gone && x[path] != y[path] != mine {
					t.Errorf("%s changed: %v", path, !mine)
				}
			}
			noted := false
			for _, x := range d.All() {
				noted = noted || x.Code == "meshes-removed" && strings.Contains(x.Msg, turret) && !strings.Contains(x.Msg, wing)
			}
			if noted != c.noted {
				t.Errorf("the removal is told of: %v", noted)
			}
			if again := lower(t, fm, "ship.cmp", lift(t, fm, "ship.cmp", after, nil), nil); len(c.parts) > 0 {
				corpus.SameBytes(t, "unedited", again, after)
			}
		})
	}
}

// TestMeshOfRemovedPart takes parts and meshes out of the scene: what they were drawn with goes as well.
func TestMeshOfRemovedPart(t *testing.T) {
	for name, edit := range map[string]func(s *asset.Scene, n map[string]*asset.Node){
		"part": func(s *asset.Scene, n map[string]*asset.Node) {
			drop := func(x *asset.Node) bool { return x == n["wing"] }
			s.Roots = slices.DeleteFunc(s.Roots, drop)
			s.Walk(func(x, _ *asset.Node) { x.Children = slices.DeleteFunc(x.Children, drop) })
		},
		"mesh": func(_ *asset.Scene, n map[string]*asset.Node) { n["wing"].Mesh = nil },
	} {
		t.Run(name, func(t *testing.T) {
			_, after := edited(t, edit)
			if names := meshes(t, after); !slices.Equal(names, []string{"ship.hull.lod0-112.vms", "ship.turret.lod0-112.vms"}) {
				t.Errorf("the library holds %v", names)
			}
		})
	}
}

// TestWireOfEditedMesh edits a mesh whose vertices the part's wireframe uses: its lines go where the vertices go, what
// joined one that is gone is told of, and on demand the wireframe is made anew.
func TestWireOfEditedMesh(t *testing.T) {
	tree, err := read.UTF(corpus.Bytes(t, corpus.Testdata(t, "freelancer", "ship.cmp")), nil)
	if err != nil {
		t.Fatal(err)
	}
	wire, err := write.VWire(&freelancer.VWire{
		Size: freelancer.WireHeader, Mesh: freelancer.FLCRC("ship.turret.lod0-112.vms"), VertexStart: 2, VertexCount: 3, VertexRange: 20, Indices: []uint16{19, 0, 0, 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	tree.Root.Child("turret.3db").Dir("VMeshWire").Set("VWireData", wire)
	fm, b := byName(t, "cmp"), treeBytes(t, tree)
	lines := func(s *asset.Scene) (list [][3]float32) {
		_, nodes := where(s)
		if nodes["turret$wire"] == nil {
			return nil
		}
		p := nodes["turret$wire"].Mesh.Primitives[0]
		for _, i := range p.Indices {
			list = append(list, p.Positions[i])
		}
		return list
	}
	up := func(v [3]float32, by float32) [3]float32 { return [3]float32{v[0], v[1] + by, v[2]} }
	for _, c := range []struct {
		name    string
		edit    func(n *asset.Node)
		want    func(before [][3]float32) [][3]float32
		meshes  int
		stale   bool
		options format.Options
	}{
		{name: "nothing", edit: func(*asset.Node) {}, meshes: 3},
		{name: "nothing, with the option", edit: func(*asset.Node) {}, meshes: 3, options: format.Options{Freelancer: format.FreelancerOptions{Wireframe: true}}},
		{name: "a triangle", edit: func(n *asset.Node) { p := n.Mesh.Primitives[0]; p.Indices = p.Indices[3:] }, meshes: 3, stale: true},
		{name: "all of it moves", edit: func(n *asset.Node) {
			for i, v := range n.Mesh.Primitives[0].Positions {
				n.Mesh.Primitives[0].Positions[i] = up(v, 0.5)
			}
		}, want: func(list [][3]float32) [][3]float32 {
			for i, v := range list {
				list[i] = up(v, 0.5)
			}
			return list
		}, meshes: 3},
		{name: "a corner of the lines moves, and a triangle goes", edit: func(n *asset.Node) {
			p := n.Mesh.Primitives[0]
			corner := p.Positions[21]
			for i, v := range p.Positions {
				if v == corner {
					p.Positions[i] = up(v, 0.5)
				}
			}
			p.Indices = p.Indices[3:]
		}, want: func(list [][3]float32) [][3]float32 { list[0] = up(list[0], 0.5); return list }, meshes: 3, stale: true},
		{name: "another mesh", edit: func(n *asset.Node) {
			n.Mesh.Primitives = []*asset.Primitive{ball(100)}
		}, want: func([][3]float32) [][3]float32 { return nil }, meshes: 3, stale: true},
		{name: "another mesh, with the option", edit: func(n *asset.Node) {
			n.Mesh.Primitives = []*asset.Primitive{box(n.Mesh.Primitives[0].Material, [3]float32{7, 7, 7}, [3]float32{9, 9, 9})}
		}, want: func([][3]float32) [][3]float32 { return make([][3]float32, 24) }, meshes: 4, options: format.Options{Freelancer: format.FreelancerOptions{Wireframe: true}}},
		{name: "the wireframe goes", edit: func(n *asset.Node) { n.Children = n.Children[:1] }, want: func([][3]float32) [][3]float32 { return nil }, meshes: 3},
		{name: "the wireframe goes, with the option", edit: func(n *asset.Node) { n.Children = n.Children[:1] },
			want: func([][3]float32) [][3]float32 { return make([][3]float32, 24) }, meshes: 4, options: format.Options{Freelancer: format.FreelancerOptions{Wireframe: true}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := fromGLB(t, glb(t, lift(t, fm, "ship.cmp", b, nil), nil))
			want := lines(s)
			if c.want != nil {
				want = c.want(want)
			}
			_, nodes := where(s)
			c.edit(nodes["turret"])
			var d schema.Diagnostics
			v, err := fm.Lower(s, &format.Env{Name: "ship.cmp", Options: c.options, Diagnostics: &d})
			if err != nil {
				t.Fatal(err)
			}
			after, err := fm.Write(v)
			if err != nil {
				t.Fatal(err)
			}
			got := lines(lift(t, fm, "ship.cmp", after, nil))
			if made := len(want) == 24 && want[0] == [3]float32{}; made && len(got) != 24 || !made && !slices.Equal(got, want) {
				t.Errorf("the lines are %v, want %v", got, want)
			}
			if d.Has("wire-stale") != c.stale {
				t.Errorf("told of as out of date: %v, want %v", !c.stale, c.stale)
			}
			count := len(slices.DeleteFunc(meshes(t, after), func(n string) bool { return strings.Contains(n, "hull.wire") || strings.Contains(n, "wing.wire") }))
			if count != c.meshes {
				t.Errorf("the library holds %v", meshes(t, after))
			}
		})
	}
}
