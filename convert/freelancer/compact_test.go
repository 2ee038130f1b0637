package freelancer_test

import (
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// sharedMesh returns a model of three parts that draw groups of one mesh: of two vertices too many in the second part's
// share, and a wireframe over the third's.
func sharedMesh(t *testing.T, change func(refs []*freelancer.VMeshRef)) []byte {
	t.Helper()
	v := &freelancer.VMesh{Type: 1, Primitive: freelancer.TriangleList, FVF: freelancer.NewFVF(0, 0)}
	names := []string{"Root", "left", "right"}
	var refs []*freelancer.VMeshRef
	for i := range names {
		r := &freelancer.VMeshRef{Size: freelancer.RefSize, Mesh: freelancer.FLCRC("all.vms"), VertexStart: uint16(len(v.Positions)), IndexStart: uint16(len(v.Indices)), GroupStart: uint16(len(v.Groups)), GroupCount: 2}
		for g := range 2 {
			first := len(v.Positions) - int(r.VertexStart)
			for k := range 4 {
				v.Positions = append(v.Positions, [3]float32{float32(i), float32(g), float32(k * k)}, [3]float32{float32(i), float32(g + 1), float32(k)})
			}
			indices := []uint16{0, 1, 2, 2, 1, 3, 4, 5, 6}
			if i == 1 && g == 0 {
				indices = []uint16{0, 1, 2, 2, 1, 7, 7, 1, 6} // nothing draws the vertices between
			}
			high := uint16(0)
			for _, x := range indices {
				high = max(high, x)
			}
			v.Groups = append(v.Groups, freelancer.MeshGroup{Material: freelancer.FLCRC("paint"), VertexStart: uint16(first), VertexEnd: uint16(first) + high, IndexCount: uint16(len(indices)), Padding: freelancer.GroupPadding})
			v.Indices = append(v.Indices, indices...)
			r.VertexCount, r.IndexCount = uint16(first)+high+1, r.IndexCount+uint16(len(indices))
		}
		refs = append(refs, r)
	}
	if change != nil {
		change(refs)
	}
	tree := freelancer.NewTree()
	b, err := write.VMesh(v)
	if err != nil {
		t.Fatal(err)
	}
	tree.Root.Dir("VMeshLibrary").Dir("all.vms").Add(freelancer.NewLeaf("VMeshData", b))
	c := &freelancer.Compound{}
	tree.Root.Dir("Cmpnd")
	for i, name := range names {
		b, err := write.VMeshRef(refs[i])
		if err != nil {
			t.Fatal(err)
		}
		tree.Root.Dir(name + ".3db").Dir("VMeshPart").Add(freelancer.NewLeaf("VMeshRef", b))
		c.Parts = append(c.Parts, &freelancer.Part{Object: name, File: name + ".3db", Index: int32(i)})
		if i > 0 {
			c.Joints = append(c.Joints, freelancer.Joint{Parent: freelancer.PartName{Name: "Root"}, Child: freelancer.PartName{Name: name}, Rotation: freelancer.Identity3})
		}
	}
	w, err := write.VWire(&freelancer.VWire{Size: freelancer.WireHeader, Mesh: freelancer.FLCRC("all.vms"), VertexStart: refs[2].VertexStart, VertexCount: 3, VertexRange: 10, Indices: []uint16{0, 1, 1, 9}})
	if err != nil {
		t.Fatal(err)
	}
	tree.Root.Dir("right.3db").Dir("VMeshWire").Add(freelancer.NewLeaf("VWireData", w))
	if err := write.Compound(tree.Root, c); err != nil {
		t.Fatal(err)
	}
	return treeBytes(t, tree)
}

// TestSharedGroups edits each part of a model in turn: its groups leave the mesh that the parts share, with the vertices
// that only they drew, and the other parts and the wireframe look as before. Groups that two parts draw stay.
func TestSharedGroups(t *testing.T) {
	fm := byName(t, "cmp")
	edit := func(b []byte, part string) ([]byte, *schema.Diagnostics) {
		s := lift(t, fm, "x.cmp", b, nil)
		_, n := where(s)
		if !dropTriangle(n[part].Mesh) {
			t.Fatal("there is no triangle to take out")
		}
		d := new(schema.Diagnostics)
		return lower(t, fm, "x.cmp", s, d), d
	}
	mesh := func(b []byte) *freelancer.VMesh {
		tree, err := read.UTF(b, nil)
		if err != nil {
			t.Fatal(err)
		}
		v, err := read.VMesh(tree.Root.Find("VMeshLibrary/all.vms/VMeshData").Data, nil)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	b := sharedMesh(t, nil)
	for part, want := range map[string]int{"Root": 30, "left": 31, "right": 32} {
		after, d := edit(b, part)
		v := mesh(after)
		if len(v.Groups) != 4 || len(v.Positions) > want || !d.Has("groups-removed") || undrawn(t, after) != 0 {
			t.Errorf("%s: %d groups, %d vertices; %d not drawn; said %v", part, len(v.Groups), len(v.Positions), undrawn(t, after), d.All())
		}
		x, y := drawnBy(lift(t, fm, "x.cmp", b, nil)), drawnBy(lift(t, fm, "x.cmp", after, nil))
		for name := range x {
			if name != part+".0" && x[name] != y[name] {
				t.Errorf("%s: %s looks different", part, name)
			}
		}
		if x["right$wire.0"] == "" {
			t.Fatal("there is no wireframe")
		}
	}
	for what, change := range map[string]func(refs []*freelancer.VMeshRef){
		"a group of two parts": func(refs []*freelancer.VMeshRef) {
			r := *refs[1]
			r.GroupStart, r.GroupCount, r.IndexStart, r.IndexCount, r.VertexCount = 3, 1, refs[1].IndexStart+9, 9, 8
			*refs[2] = r
		},
	} {
		b := sharedMesh(t, change)
		after, d := edit(b, "Root")
		if len(mesh(after).Groups) != 6 || d.Has("groups-removed") {
			t.Errorf("%s: %d groups; said %v", what, len(mesh(after).Groups), d.All())
		}
		x, y := drawnBy(lift(t, fm, "x.cmp", b, nil)), drawnBy(lift(t, fm, "x.cmp", after, nil))
		if x["left.0"] != y["left.0"] || x["right.0"] != y["right.0"] {
			t.Errorf("%s: a part looks different", what)
		}
	}
}
