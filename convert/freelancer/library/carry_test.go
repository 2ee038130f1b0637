package library

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/rig"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	write "github.com/usher-assets/usher/write/freelancer"
)

// TestWithoutZeros: zeros are left out from four on and at the end, and come back.
func TestWithoutZeros(t *testing.T) {
	for _, c := range []struct{ b, runs []byte }{
		{nil, nil},
		{[]byte{1, 2}, []byte{0, 2, 1, 2}},
		{[]byte{0, 1}, []byte{1, 1, 1}},
		{[]byte{1, 0}, []byte{0, 1, 1, 1, 0}},
		{[]byte{0, 0, 0, 0, 0}, []byte{5, 0}},
		{[]byte{1, 0, 0, 0, 2}, []byte{0, 5, 1, 0, 0, 0, 2}},
		{[]byte{1, 0, 0, 0, 0, 2, 3}, []byte{0, 1, 1, 4, 2, 2, 3}},
		{bytes.Repeat([]byte{0}, 300), []byte{300 - 256 + 128, 2, 0}},
	} {
		runs, back := withoutZeros(c.b), make([]byte, len(c.b))
		if !bytes.Equal(runs, c.runs) || !fill(back, runs) || !bytes.Equal(back, c.b) {
			t.Errorf("%v: %v, and back %v", c.b, runs, back)
		}
	}
}

// TestFillDamaged: what does not fit into the bytes, or ends too early, is told, and nothing is written behind them.
func TestFillDamaged(t *testing.T) {
	for _, c := range []struct {
		runs, want []byte // want is nil where it is damaged
	}{
		{[]byte{1, 2, 5, 6}, []byte{9, 5, 6, 9}},
		{[]byte{0, 3, 5, 0, 6}, []byte{5, 9, 6, 9}},
		{[]byte{0, 4, 5, 6, 7, 8}, []byte{5, 6, 7, 8}},
		{[]byte{4, 0}, []byte{9, 9, 9, 9}},
		{[]byte{2, 1, 5, 0, 1, 6}, []byte{9, 9, 5, 6}},
		{[]byte{5, 0}, nil},
		{[]byte{0, 5, 1, 2, 3, 4, 5}, nil},
		{[]byte{2, 3, 1, 2, 3}, nil},
		{[]byte{0, 2, 1, 2, 3, 0}, nil},
		{[]byte{0, 2, 1, 2, 0, 3, 1, 2, 3}, nil},
		{[]byte{0, 2, 1}, nil},
		{[]byte{1}, nil},
		{[]byte{128}, nil},
		{[]byte{0, 128}, nil},
		{append(bytes.Repeat([]byte{255}, 9), 1, 0), nil},
	} {
		into := []byte{9, 9, 9, 9}
		if ok := fill(into, c.runs); ok != (c.want != nil) || ok && !bytes.Equal(into, c.want) {
			t.Errorf("%v: %v, %v", c.runs, ok, into)
		}
	}
}

// foreign returns a mesh of another file: two groups of a triangle each, and vertices whose places tell which they are.
func foreign(t *testing.T) *Mesh {
	t.Helper()
	v := &freelancer.VMesh{Type: 1, Primitive: freelancer.TriangleList, FVF: freelancer.FVFPosition, Indices: []uint16{0, 1, 2, 4, 3, 2},
		Groups: []freelancer.MeshGroup{{Material: 7, VertexEnd: 2, IndexCount: 3, Padding: freelancer.GroupPadding}, {Material: 8, VertexStart: 3, VertexEnd: 7, IndexCount: 3, Padding: freelancer.GroupPadding}}}
	for i := range 10 {
		v.Positions = append(v.Positions, [3]float32{float32(i + 1), 1, 1})
	}
	b, err := write.VMesh(v)
	if err != nil {
		t.Fatal(err)
	}
	return &Mesh{Name: "far.vms", VMesh: v, Leaf: freelancer.NewLeaf("VMeshData", b), Path: "far.vms"}
}

// carriedBy returns what a conversion finds of the mesh that meshes of a scene carry; nil where that is nothing.
func carriedBy(t *testing.T, d *schema.Diagnostics, list ...*asset.Mesh) *freelancer.VMesh {
	t.Helper()
	env := (&format.Env{Diagnostics: d}).Given()
	Carried(&asset.Scene{Meshes: list}, env)
	if len(env.Options.With) == 0 {
		return nil
	}
	l, err := New(freelancer.NewTree().Root, "", &asset.Scene{}, env)
	if err != nil {
		t.Fatal(err)
	}
	if lm := l.Mesh(freelancer.FLCRC("far.vms")); lm != nil {
		return lm.VMesh
	}
	return nil
}

// TestCarried: what a scene shows of a mesh of another file rides with it, piece by piece, and the rest of that file does not.
func TestCarried(t *testing.T) {
	lm := foreign(t)
	second := []freelancer.GroupRange{{Group: 1, FirstIndex: 3, Count: 3, FirstVertex: 3}}
	wire := &freelancer.VWire{VertexStart: 4, Indices: []uint16{3, 1, 1, 3}}
	for _, c := range []struct {
		name      string
		carry     []func(m *asset.Mesh)
		materials []uint32
		indices   []uint16
		vertices  []int // those that are there
	}{
		{"a group", []func(*asset.Mesh){func(m *asset.Mesh) { lm.CarryGroups(m, second) }}, []uint32{0, 8}, []uint16{0, 0, 0, 4, 3, 2}, []int{5, 6, 7}},
		{"lines", []func(*asset.Mesh){func(m *asset.Mesh) { lm.CarryLines(m, wire) }}, []uint32{0, 0}, make([]uint16, 6), []int{5, 6, 7}},
		{"no lines", []func(*asset.Mesh){func(m *asset.Mesh) { lm.CarryLines(m, &freelancer.VWire{}) }}, []uint32{0, 0}, make([]uint16, 6), nil},
		{"nothing of a group", []func(*asset.Mesh){func(m *asset.Mesh) { lm.CarryGroups(m, []freelancer.GroupRange{{Group: 1}}) }}, []uint32{0, 0}, make([]uint16, 6), nil},
		{"two pieces", []func(*asset.Mesh){
			func(m *asset.Mesh) { lm.CarryGroups(m, []freelancer.GroupRange{{Group: 0, Count: 3}}) },
			func(m *asset.Mesh) { lm.CarryLines(m, wire) },
		}, []uint32{7, 0}, []uint16{0, 1, 2, 0, 0, 0}, []int{0, 1, 2, 5, 6, 7}},
	} {
		var list []*asset.Mesh
		for _, f := range c.carry {
			m := &asset.Mesh{}
			f(m)
			list = append(list, m)
		}
		v := carriedBy(t, nil, list...)
		if v == nil {
			t.Errorf("%s: nothing is found", c.name)
			continue
		}
		var materials []uint32
		var there []int
		for i, g := range v.Groups {
			if materials = append(materials, g.Material); int(g.IndexCount) != 3 {
				t.Errorf("%s: group %d has %d indices", c.name, i, g.IndexCount)
			}
		}
		for i, at := range v.Positions {
			if at == lm.VMesh.Positions[i] {
				there = append(there, i)
			} else if at != [3]float32{} {
				t.Errorf("%s: vertex %d is at %v", c.name, i, at)
			}
		}
		if !slices.Equal(materials, c.materials) || !slices.Equal(v.Indices, c.indices) || !slices.Equal(there, c.vertices) {
			t.Errorf("%s: materials %v, indices %v, vertices %v", c.name, materials, v.Indices, there)
		}
	}
	own, m := foreign(t), &asset.Mesh{}
	own.Own = true
	own.CarryGroups(m, second)
	own.CarryLines(m, wire)
	if m.Native != nil {
		t.Error("a mesh of the file itself rides along")
	}
}

// TestCarriedOdd: what says wrong of its size is passed over or told of, and GLBs of before carry the whole of a mesh.
func TestCarriedOdd(t *testing.T) {
	whole := foreign(t).Leaf.Data
	mesh := func(name string, payload []byte, size any) *asset.Mesh {
		values := map[string]any{"library": name}
		if size != nil {
			values[sparseSize] = size
		}
		m := &asset.Mesh{Native: rig.Native(values)}
		m.Native.Payload = payload
		return m
	}
	sparse := func(size float64) *asset.Mesh { return mesh("far.vms", withoutZeros(whole), size) }
	good := mesh("far.vms", whole, nil)
	for _, c := range []struct {
		name        string
		list        []*asset.Mesh
		found, told bool
	}{
		{"of before", []*asset.Mesh{good}, true, false},
		{"sparse", []*asset.Mesh{sparse(float64(len(whole)))}, true, false},
		{"larger than it is", []*asset.Mesh{sparse(float64(len(whole) + 1))}, true, false},
		{"smaller than it is", []*asset.Mesh{sparse(float64(len(whole) - 1))}, false, true},
		{"of no size", []*asset.Mesh{sparse(0)}, false, false},
		{"of less than none", []*asset.Mesh{sparse(-1)}, false, false},
		{"too large", []*asset.Mesh{sparse(maxCarried + 1)}, false, false},
		{"as large as may be", []*asset.Mesh{sparse(maxCarried)}, true, false},
		{"no room beside it", []*asset.Mesh{mesh("other.vms", []byte{1, 0}, maxCarried-1.0), sparse(2)}, false, false},
		{"no number", []*asset.Mesh{sparse(math.NaN())}, false, false},
		{"nothing in it", []*asset.Mesh{mesh("far.vms", nil, 9.0), good}, true, false},
		{"no name", []*asset.Mesh{{Native: rig.Native(nil)}, good}, true, false},
		{"a name that is too long", []*asset.Mesh{mesh(string(bytes.Repeat([]byte{'n'}, freelancer.MaxName+1)), whole, nil), good}, true, false},
		{"a name as long as may be", []*asset.Mesh{mesh(string(bytes.Repeat([]byte{'n'}, freelancer.MaxName)), whole, nil), good}, true, false},
		{"the same of another size", []*asset.Mesh{good, mesh("far.vms", whole[:9], nil)}, true, false},
	} {
		d := new(schema.Diagnostics)
		v := carriedBy(t, d, c.list...)
		if found := v != nil && slices.Equal(v.Positions, foreign(t).VMesh.Positions); found != c.found || d.Has("native-unusable") != c.told {
			t.Errorf("%s: found %v, told %v", c.name, found, d.All())
		}
	}
	if b, _, err := (carried{}).Find(carriedMeshes); b != nil || err != nil {
		t.Errorf("%v, %v", b, err)
	}
	if _, _, err := (carried{}).Find("ship.mat"); err == nil {
		t.Error("a file is found where there is none")
	}
}
