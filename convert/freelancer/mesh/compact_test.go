package mesh

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// sharedMesh is a mesh of six groups of one or two triangles, which references draw from places of their own; vertex 0, 9 and 23
// are drawn by nobody.
func sharedMesh() *freelancer.VMesh {
	m := &freelancer.VMesh{Type: 1, Primitive: freelancer.TriangleList, FVF: freelancer.FVFPosition | freelancer.FVFNormal | freelancer.FVFDiffuse | 0x200}
	m.TexCoords = make([][][2]float32, 2)
	for i := range 24 {
		x := float32(i)
		m.Positions, m.Normals = append(m.Positions, [3]float32{x, x / 2, -x}), append(m.Normals, [3]float32{0, x, 0})
		m.Diffuse = append(m.Diffuse, uint32(i))
		for set := range m.TexCoords {
			m.TexCoords[set] = append(m.TexCoords[set], [2]float32{x, float32(set)})
		}
	}
	for g, indices := range [][]uint16{{0, 1, 2, 2, 1, 3}, {0, 2, 1}, {1, 0, 3}, {2, 1, 0}, {0, 1, 2}, {4, 2, 3}} {
		m.Groups = append(m.Groups, freelancer.MeshGroup{Material: uint32(g), VertexStart: []uint16{0, 4, 0, 0, 5, 1}[g], IndexCount: uint16(len(indices)), Padding: freelancer.GroupPadding})
		m.Indices = append(m.Indices, indices...)
	}
	return m
}

// sharedRefs are the references of that mesh: the last two draw the same, and one draws nothing.
func sharedRefs() []*freelancer.VMeshRef {
	ref := func(vertex, group, count uint16) *freelancer.VMeshRef {
		return &freelancer.VMeshRef{Size: freelancer.RefSize, Mesh: 7, VertexStart: vertex, GroupStart: group, GroupCount: count}
	}
	return []*freelancer.VMeshRef{ref(1, 0, 2), ref(10, 2, 1), ref(14, 3, 2), ref(0, 6, 0), ref(17, 5, 1), ref(17, 5, 1)}
}

// shown lists what a reference draws: of each corner all that its vertex has, by group.
func shown(t *testing.T, m *freelancer.VMesh, r *freelancer.VMeshRef) string {
	t.Helper()
	ranges, err := r.Groups(m)
	if err != nil {
		t.Fatal(err)
	}
	out := ""
	for _, x := range ranges {
		out += fmt.Sprint(m.Groups[x.Group].Material, ":")
		for _, i := range m.Indices[x.FirstIndex : x.FirstIndex+x.Count] {
			v := x.FirstVertex + int(i)
			out += fmt.Sprint(m.Positions[v], m.Normals[v], m.Diffuse[v], m.TexCoords[0][v], m.TexCoords[1][v], " ")
		}
	}
	return out
}

// TestCompacted: whichever references go, those that stay draw what they drew, and so do wireframes, of a mesh that has nothing else.
func TestCompacted(t *testing.T) {
	for stay := range 1 << 6 {
		m := sharedMesh()
		wire := &freelancer.VWire{Size: freelancer.WireHeader, Mesh: 7, VertexStart: 2, VertexCount: 3, VertexRange: 9, Indices: []uint16{8, 0, 0, 3}}
		ends := func(m *freelancer.VMesh, w *freelancer.VWire) (out string) {
			for _, i := range w.Indices {
				out += fmt.Sprint(m.Positions[int(w.VertexStart)+int(i)])
			}
			return out
		}
		before, users := map[int]bool{}, new(Users)
		var want []string
		used := map[int]bool{2: true, 5: true, 10: true} // by the wireframe
		groups := map[int]bool{}
		for k, r := range sharedRefs() {
			ranges, err := r.Groups(m)
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range ranges {
				before[x.Group] = true
			}
			if stay>>k&1 == 0 {
				continue
			}
			users.refs, users.leafs = append(users.refs, r), append(users.leafs, new(freelancer.Node))
			want = append(want, shown(t, m, r))
			for _, x := range ranges {
				groups[x.Group] = true
				for _, i := range m.Indices[x.FirstIndex : x.FirstIndex+x.Count] {
					used[x.FirstVertex+int(i)] = true
				}
			}
		}
		users.wires, users.leafs = []*freelancer.VWire{wire}, append(users.leafs, new(freelancer.Node))
		lines, leaf := ends(m, wire), &freelancer.Node{}
		next, left, err := Compacted(m, leaf, users, groups, before)
		if err != nil {
			t.Fatal(err)
		}
		if len(groups) == 0 || len(groups) == 6 {
			if next != nil || left != 0 || leaf.Data != nil {
				t.Errorf("%06b: %d groups have gone", stay, left)
			}
			continue
		}
		if next == nil || left != 6-len(groups) || len(next.Groups) != len(groups) || len(next.Positions) != len(used) {
			t.Errorf("%06b: %d groups have gone, %+v", stay, left, next)
			continue
		}
		again, err := read.VMesh(leaf.Data, nil)
		if err != nil || !slices.Equal(again.Positions, next.Positions) {
			t.Fatalf("%06b: the leaf has another mesh: %v", stay, err)
		}
		for k, w := range want {
			r, err := read.VMeshRef(users.leafs[k].Data, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := shown(t, next, r); got != w {
				t.Errorf("%06b: reference %d draws %s, and drew %s", stay, k, got, w)
			}
			first, last := len(next.Positions), 0
			ranges, _ := r.Groups(next)
			for _, x := range ranges {
				high := x.FirstVertex + int(slices.Max(next.Indices[x.FirstIndex:x.FirstIndex+x.Count]))
				first, last = min(first, x.FirstVertex), max(last, high)
				if g := next.Groups[x.Group]; int(g.VertexStart) != x.FirstVertex-int(r.VertexStart) || int(g.VertexEnd) != high-int(r.VertexStart) || int(r.IndexStart) > x.FirstIndex {
					t.Errorf("%06b: group %d of reference %d: %+v", stay, x.Group, k, g)
				}
			}
			if len(ranges) > 0 && (int(r.VertexStart) != first || int(r.VertexCount) != last-first+1) {
				t.Errorf("%06b: reference %d has vertices %d + %d, and draws %d to %d", stay, k, r.VertexStart, r.VertexCount, first, last)
			}
		}
		w, err := read.VWire(users.leafs[len(want)].Data, nil)
		if err != nil || ends(next, w) != lines || w.VertexRange != slices.Max(w.Indices)+1 || slices.Min(w.Indices) != 0 {
			t.Errorf("%06b: the wireframe is %+v, %v", stay, w, err)
		}
	}
}

// TestNotCompacted: a mesh is left alone where somebody else may draw of it, and where what draws it is in doubt.
func TestNotCompacted(t *testing.T) {
	all := map[int]bool{0: true, 1: true, 2: true, 3: true, 4: true, 5: true}
	for _, c := range []struct {
		name   string
		now    []int
		before map[int]bool
		edit   func(u *Users)
		left   int
	}{
		{"two of six", []int{0, 1, 2, 3}, map[int]bool{4: true, 5: true}, func(u *Users) { u.refs[2].GroupCount = 1 }, 2},
		{"a group that nobody here drew", []int{0, 1, 2, 3}, map[int]bool{5: true}, func(u *Users) { u.refs[2].GroupCount = 1 }, 0},
		{"groups beyond its own", []int{0, 1, 2, 3, 4, 5}, map[int]bool{6: true, 99: true}, func(*Users) {}, 0},
		{"a group of two, from different places", []int{0, 1, 2, 3, 4}, all, func(u *Users) { u.refs[1].GroupCount = 2; u.refs[1].VertexStart = 11 }, 0},
		{"a group of two, from one place", []int{0, 1, 2, 3, 4}, all, func(u *Users) { u.refs = append(u.refs, u.refs[1]); u.leafs = append(u.leafs, new(freelancer.Node)) }, 1},
		{"the same groups from another vertex", []int{0, 1, 2, 3, 4}, all, func(u *Users) { r := *u.refs[1]; r.VertexStart++; u.refs = append(u.refs, &r) }, 0},
		{"groups that are not there", []int{0, 1, 2, 3, 4}, all, func(u *Users) { u.refs[2].GroupCount = 9 }, 0},
		{"a wireframe of what is not there", []int{0, 1, 2, 3, 4}, all, func(u *Users) { u.wires = []*freelancer.VWire{{VertexStart: 20, Indices: []uint16{3, 4}}} }, 0},
	} {
		m, users, now := sharedMesh(), new(Users), map[int]bool{}
		for _, g := range c.now {
			now[g] = true
		}
		for _, r := range sharedRefs()[:3] {
			users.refs, users.leafs = append(users.refs, r), append(users.leafs, new(freelancer.Node))
		}
		c.edit(users)
		next, left, err := Compacted(m, new(freelancer.Node), users, now, c.before)
		if err != nil || left != c.left || (next != nil) != (c.left > 0) {
			t.Errorf("%s: %d groups have gone, want %d: %v", c.name, left, c.left, err)
		}
	}
}

// TestCompactedEmpty: a group without a triangle stays with the reference that has it, and needs no vertices; a mesh of such groups
// alone is left as it is.
func TestCompactedEmpty(t *testing.T) {
	for _, indices := range []int{3, 0} {
		m := &freelancer.VMesh{Type: 1, Primitive: freelancer.TriangleList, FVF: freelancer.FVFPosition, Indices: []uint16{0, 1, 2, 1, 2, 3}[:3+indices]}
		for i := range 8 {
			m.Positions = append(m.Positions, [3]float32{float32(i)})
		}
		for _, n := range []int{3, 0, indices} {
			m.Groups = append(m.Groups, freelancer.MeshGroup{IndexCount: uint16(n)})
		}
		r, w := &freelancer.VMeshRef{VertexStart: 4, GroupStart: 1, GroupCount: 2}, &freelancer.VWire{VertexStart: 7, VertexRange: 3}
		next, left, err := Compacted(m, new(freelancer.Node), &Users{refs: []*freelancer.VMeshRef{r}, wires: []*freelancer.VWire{w}, leafs: []*freelancer.Node{{}, {}}}, map[int]bool{1: true, 2: true}, map[int]bool{0: true})
		if err != nil || (next == nil) != (indices == 0) {
			t.Errorf("%d indices: %+v, %v", indices, next, err)
		}
		if next == nil {
			continue
		}
		ranges, err := r.Groups(next)
		if err != nil || left != 1 || len(next.Groups) != 2 || len(next.Positions) != 3 || ranges[0].Count != 0 || ranges[1].Count != 3 || int(r.VertexStart)+int(r.VertexCount) > 3 || w.VertexStart != 7 || w.VertexRange != 3 || next.Positions[ranges[1].FirstVertex+int(next.Indices[2])][0] != 7 {
			t.Errorf("%+v of %+v, %v", r, next, err)
		}
	}
}

// TestUsersOf: what draws a mesh is found by the hash of its name wherever it stands, and the groups that it draws; damaged leaves
// draw nothing.
func TestUsersOf(t *testing.T) {
	leaf := func(name string, b []byte, err error) *freelancer.Node {
		if err != nil {
			t.Fatal(err)
		}
		return &freelancer.Node{Name: name, Data: b}
	}
	dir := func(name string, list ...*freelancer.Node) *freelancer.Node {
		return &freelancer.Node{Name: name, Children: list}
	}
	ref := func(mesh uint32, start, count uint16) *freelancer.Node {
		b, err := write.VMeshRef(&freelancer.VMeshRef{Size: freelancer.RefSize, Mesh: mesh, GroupStart: start, GroupCount: count})
		return leaf("vmeshREF", b, err)
	}
	wire, err := write.VWire(&freelancer.VWire{Size: freelancer.WireHeader, Mesh: 2, Indices: []uint16{0, 1}})
	w := leaf("VWireData", wire, err)
	first, second := ref(1, 0, 2), ref(1, 5, 1)
	users := UsersOf(dir("\\", dir("VWireMesh", w), dir("Level0", first), dir("Level1", second), dir("VMeshRef"), leaf("VMeshRef", []byte{1}, nil), leaf("VWireData", []byte{1}, nil), ref(3, 0, 0)))
	if len(users) != 3 || !slices.Equal(users[1].leafs, []*freelancer.Node{first, second}) || !slices.Equal(users[2].leafs, []*freelancer.Node{w}) {
		t.Fatalf("%v", users)
	}
	if got := fmt.Sprint(DrawnGroups(users)); got != "map[1:map[0:true 1:true 5:true] 2:map[] 3:map[]]" {
		t.Error(got)
	}
}

// TestGroup: the corners of a group in each type of primitive, of which what is half a triangle or line is left out.
func TestGroup(t *testing.T) {
	for _, c := range []struct {
		kind freelancer.PrimitiveType
		raw  []uint16
		mode asset.Mode
		want string
	}{
		{freelancer.TriangleList, []uint16{0, 1, 2, 2, 1}, asset.Triangles, "[0 1 2]"}, {freelancer.TriangleList, []uint16{0, 1, 2, 2, 1, 3}, asset.Triangles, "[0 1 2 2 1 3]"},
		{freelancer.TriangleFan, []uint16{0, 1, 2, 3}, asset.Triangles, "[0 1 2 0 2 3]"}, {freelancer.TriangleFan, []uint16{0, 1}, asset.Triangles, "[]"},
		{freelancer.TriangleStrip, []uint16{0, 1, 2, 3}, asset.Triangles, "[0 1 2 2 1 3]"},
		{freelancer.LineList, []uint16{0, 1, 2}, asset.Lines, "[0 1]"}, {freelancer.LineList, []uint16{0, 1, 2, 3}, asset.Lines, "[0 1 2 3]"}, {freelancer.LineList, []uint16{0}, asset.Lines, "[]"},
		{freelancer.LineStrip, []uint16{0, 1, 2}, asset.Lines, "[0 1 1 2]"}, {freelancer.LineStrip, []uint16{0}, asset.Lines, "[]"},
		{freelancer.PointList, []uint16{3, 0}, asset.Points, "[3 0]"}, {freelancer.TriangleList, nil, asset.Triangles, "[]"},
	} {
		m := sharedMesh()
		m.Primitive, m.Indices = c.kind, append([]uint16{9}, c.raw...)
		p := Group(m, freelancer.GroupRange{FirstIndex: 1, Count: len(c.raw), FirstVertex: 5})
		if p == nil || p.Mode != c.mode || fmt.Sprint(p.Indices) != c.want {
			t.Errorf("%v of %v: %+v, want %s", c.kind, c.raw, p, c.want)
			continue
		}
		n := 0
		if len(c.raw) > 0 {
			n = int(slices.Max(c.raw)) + 1
		}
		if len(p.Positions) != n || len(p.Normals) != n || len(p.Colors) != n || len(p.TexCoords) != 2 || len(p.TexCoords[1]) != n || n > 0 && (p.Positions[0][0] != 5 || p.TexCoords[1][0] != [2]float32{5, 0}) {
			t.Errorf("%v of %v: vertices %v", c.kind, c.raw, p.Positions)
		}
	}
	if p := Group(&freelancer.VMesh{Primitive: 99}, freelancer.GroupRange{}); p != nil {
		t.Errorf("a type that nobody knows: %+v", p)
	}
}

// TestSnapped: what an editor rounded has the stored values again, what it edited its own, and the edited surface itself stays.
func TestSnapped(t *testing.T) {
	surface := func(d float32) *asset.Primitive {
		return &asset.Primitive{
			Positions: [][3]float32{{100 + d, 0, 0}, {0, 1 + d, 0}}, Normals: [][3]float32{{0, 0, 1}, {0, 1, 0}}, Colors: [][4]float32{{1, 1, 1, 1}, {0.5, 0.5, 0.5, 1}},
			TexCoords: [][][2]float32{{{0.5 + d, 0}, {1, 1}}, nil},
		}
	}
	tiny := float32(scene.EditorTolerance.TexCoord) / 2
	base, edited := surface(0), surface(tiny)
	edited.Normals[1], edited.Colors[1], edited.TexCoords[0][1] = [3]float32{1, 0, 0}, [4]float32{1, 0, 0, 1}, [2]float32{0.25, 1}
	edited.Normals[0][0], edited.Colors[0][1] = 1e-6, 0.99999
	before := fmt.Sprint(edited)
	got := snapped(base, edited, &scene.Matching{Vertices: []int{0, 1}})
	if got.TexCoords[0][0] != base.TexCoords[0][0] || got.TexCoords[0][1] != [2]float32{0.25, 1} || got.TexCoords[1] != nil || got.Positions[0] != base.Positions[0] ||
		got.Normals[1] != edited.Normals[1] || got.Colors[1] != edited.Colors[1] || got.Colors[0] != base.Colors[0] || got.Normals[0] != base.Normals[0] {
		t.Errorf("%+v", got)
	}
	if fmt.Sprint(edited) != before {
		t.Errorf("the edited surface became %v", edited)
	}
	if got := snapped(base, edited, &scene.Matching{Vertices: []int{-1, 0}}); got.TexCoords[0][0] != edited.TexCoords[0][0] || got.Positions[1] != edited.Positions[1] {
		t.Errorf("vertices that are new or moved: %+v", got)
	}
}

// TestWireShowsFar: the farther a point is, the more a save rounds it.
func TestWireShowsFar(t *testing.T) {
	tol := float32(scene.EditorTolerance.Position)
	for _, far := range []float32{0, 1, 30, -30} {
		v := &freelancer.VMesh{Positions: [][3]float32{{far, 0, 0}, {0, far, 0}}}
		size := tol * (1 + float32(math.Abs(float64(far))))
		for part, want := range map[float32]bool{1.9: true, -1.9: true, 2.2: false, -2.2: false} {
			lines := &asset.Primitive{Positions: [][3]float32{{far + part*size, 0, 0}, {0, far, 0}}, Indices: []uint32{0, 1}}
			if got := WireShows(&freelancer.VWire{Indices: []uint16{0, 1}}, v, lines); got != want {
				t.Errorf("%v, off by %v: %v", far, part*size, got)
			}
		}
	}
}

// TestSkinTaken: elements that share a point, a normal or a texture coordinate have to agree on it.
func TestSkinTaken(t *testing.T) {
	g := &freelancer.SkinGeometry{
		PointIndices: []uint32{0, 0, 1}, UV0Indices: []uint32{0, 1, 1}, UV1Indices: []uint32{0, 0, 1},
		Points: make([][3]float32, 2), Normals: [][3]float32{{0, 0, 1}, {0, 0, 1}}, UV0: [][2]float32{{0, 1}, {0, 1}}, UV1: [][2]float32{{0, 1}, {0, 1}},
	}
	for _, c := range []struct {
		name string
		edit func(p *asset.Primitive)
		want bool
	}{
		{"nothing", func(*asset.Primitive) {}, true},
		{"a point alone", func(p *asset.Primitive) { p.Positions[2][0] = 5 }, true},
		{"one of two elements of a point", func(p *asset.Primitive) { p.Positions[1][0] = 5 }, false},
		{"both", func(p *asset.Primitive) { p.Positions[0][0], p.Positions[1][0] = 5, 5 }, true},
		{"one normal of two", func(p *asset.Primitive) { p.Normals[0] = [3]float32{1, 0, 0} }, false},
		{"a coordinate alone", func(p *asset.Primitive) { p.TexCoords[0][0][0] = 0.5 }, true},
		{"one of two elements of a coordinate", func(p *asset.Primitive) { p.TexCoords[0][2][1] = 0.5 }, false},
		{"in the second set", func(p *asset.Primitive) { p.TexCoords[1][1][1] = 0.5 }, false},
		{"alone in the second set", func(p *asset.Primitive) { p.TexCoords[1][2][1] = 0.5 }, true},
	} {
		s := &asset.Primitive{Positions: make([][3]float32, 3), Normals: [][3]float32{{0, 0, 1}, {0, 0, 1}, {0, 0, 1}}, TexCoords: [][][2]float32{make([][2]float32, 3), make([][2]float32, 3)}}
		c.edit(s)
		p := skinPatch{points: newPatched(g.Points), normals: newPatched(g.Normals), uv: [2]patched[[2]float32]{newPatched(g.UV0), newPatched(g.UV1)}}
		ok := true
		for i := range g.PointIndices {
			ok = ok && p.take(g, i, s, i)
		}
		if ok != c.want {
			t.Errorf("%s: %v", c.name, ok)
			continue
		}
		for i, point := range g.PointIndices {
			uv := s.TexCoords[0][i]
			if ok && (p.points.values[point] != s.Positions[i] || p.uv[0].values[g.UV0Indices[i]] != [2]float32{uv[0], 1 - uv[1]}) {
				t.Errorf("%s: element %d is at %v, %v", c.name, i, p.points.values[point], p.uv[0].values)
			}
		}
	}
}
