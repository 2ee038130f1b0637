package scene

import (
	"math"
	"slices"
	"testing"

	"github.com/usher-assets/usher/schema/asset"
)

// triangle returns the corners of a triangle at x.
func triangle(x float32) [][3]float32 {
	return [][3]float32{{x, 0, 0}, {x + 1, 0, 0}, {x, 1, 0}}
}

// TestMatchVertices: which vertex and which triangle is which.
func TestMatchVertices(t *testing.T) {
	shape := func(indices []uint32, positions ...[][3]float32) *asset.Primitive {
		return &asset.Primitive{Positions: slices.Concat(positions...), Indices: indices}
	}
	fan := [][3]float32{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {-1, 1, 0}}
	back := slices.Clone(fan)
	slices.Reverse(back)
	move := func(list [][3]float32, i int) [][3]float32 {
		list = slices.Clone(list)
		list[i] = [3]float32{list[i][0], list[i][1], 5}
		return list
	}
	indices, turned := []uint32{0, 1, 2, 0, 2, 3, 0, 3, 4}, []uint32{4, 3, 2, 4, 2, 1, 4, 1, 0}
	colored := shape(nil, triangle(0), triangle(0))
	red, blue := [4]float32{1, 0, 0, 1}, [4]float32{0, 0, 1, 1}
	colored.Colors = [][4]float32{red, red, red, blue, blue, blue}
	folded := func(first, second [3]float32, indices ...uint32) *asset.Primitive { // two triangles in one place
		p := shape(indices, triangle(0), triangle(0))
		p.Normals = slices.Concat(slices.Repeat([][3]float32{first}, 3), slices.Repeat([][3]float32{second}, 3))
		return p
	}
	leaning := folded([3]float32{0, 0, 1}, [3]float32{0.018, 0, 1})
	upright := shape(nil, triangle(0))
	upright.Normals = leaning.Normals[:3]
	one := func(c [4]float32) *asset.Primitive {
		p := shape(nil, triangle(0))
		p.Colors = [][4]float32{c, c, c}
		return p
	}
	for _, c := range []struct {
		name                string
		a, b                *asset.Primitive
		vertices, triangles []int
		complete, same      bool
	}{
		{"half of it moved", shape(nil, triangle(0), triangle(5)), shape(nil, triangle(0), triangle(9)), []int{0, 1, 2, 3, 4, 5}, []int{0, 1}, true, false},
		{"most of it moved", shape(nil, triangle(0), triangle(5), triangle(8)), shape(nil, triangle(0), triangle(20), triangle(30)), []int{0, 1, 2, 3, 4, 5, 6, 7, 8}, []int{0, 1, 2}, true, false},
		{"all of it moved", shape(nil, triangle(0)), shape(nil, triangle(9)), []int{0, 1, 2}, []int{0}, true, false},
		{"all of it moved, and a triangle gone", shape(nil, triangle(0), triangle(5)), shape(nil, triangle(9)), []int{-1, -1, -1}, []int{-1}, false, false},
		{"all of it moved, a triangle gone", shape(indices, fan), shape(indices[:6], move(move(move(fan, 0), 2), 3)), []int{-1, 1, -1, -1, 4}, []int{-1, -1}, false, false},
		{"all of it moved, a vertex more", shape(nil, triangle(0)), shape([]uint32{0, 1, 2}, triangle(20), triangle(30)), []int{-1, -1, -1, -1, -1, -1}, []int{-1}, false, false},
		{"all of it moved, other triangles", shape([]uint32{0, 1, 2}, fan), shape([]uint32{0, 1, 3}, move(move(move(fan, 0), 1), 3)), []int{-1, -1, 2, -1, 4}, []int{-1}, false, false},
		{"with indices and without", shape(nil, triangle(0), triangle(5), triangle(8)), shape([]uint32{0, 1, 2, 3, 4, 5, 6, 7, 8}, triangle(20), triangle(25), triangle(28)), []int{0, 1, 2, 3, 4, 5, 6, 7, 8}, []int{0, 1, 2}, true, false},
		{"two corners moved, the farther one first", shape(indices, fan), shape([]uint32{4, 1, 0, 4, 2, 1, 4, 3, 2}, move(move(back, 0), 1)), []int{4, 3, 2, 1, 0}, []int{2, 1, 0}, true, false},
		{"a normal a little off", folded([3]float32{0, 0, 1}, [3]float32{1, 0, 0}), folded([3]float32{0.018, 0, 1}, [3]float32{0, 0, 1}, 3, 4, 5, 0, 1, 2), []int{3, 4, 5, 0, 1, 2}, []int{0, 1}, true, false},
		{"another normal", folded([3]float32{0, 0, 1}, [3]float32{1, 0, 0}), folded([3]float32{0.3, 0, 1}, [3]float32{0, 0, 1}, 3, 4, 5, 0, 1, 2), []int{3, 4, 5, 0, 1, 2}, []int{0, 1}, true, false},
		{"corners turned", shape(nil, triangle(0)), shape(nil, [][3]float32{{1, 0, 0}, {0, 1, 0}, {0, 0, 0}}), []int{1, 2, 0}, []int{0}, true, true},
		{"turned over, and a corner moved", shape(nil, triangle(0)), shape(nil, [][3]float32{{1, 0, 0}, {0, 0, 0}, {0, 9, 0}}), []int{1, 0, -1}, []int{-1}, false, false},
		{"another order", shape(indices, fan), shape(turned, back), []int{4, 3, 2, 1, 0}, []int{0, 1, 2}, true, true},
		{"the centre moved", shape(indices, fan), shape(turned, move(back, 4)), []int{4, 3, 2, 1, 0}, []int{0, 1, 2}, true, false},
		{"a corner moved", shape(indices, fan), shape(turned, move(back, 3)), []int{4, 3, 2, 1, 0}, []int{0, 1, 2}, true, false},
		{"another corner moved", shape(indices, fan), shape(turned, move(back, 0)), []int{4, 3, 2, 1, 0}, []int{0, 1, 2}, true, false},
		{"two corners moved", shape(indices, fan), shape(turned, move(move(back, 0), 3)), []int{4, 3, 2, 1, 0}, []int{0, 1, 2}, true, false},
		{"a triangle put on", shape(indices[:6], fan[:4]), shape([]uint32{0, 1, 2, 0, 2, 3, 4, 1, 2}, fan[:4], [][3]float32{{3, 3, 3}}), []int{0, 1, 2, 3, -1}, []int{0, 1, -1}, false, false},
		{"a corner cut off", shape(indices[:6], fan[:4]), shape([]uint32{4, 1, 2, 0, 2, 3}, fan[:4], [][3]float32{{3, 3, 3}}), []int{0, 1, 2, 3, -1}, []int{-1, 1}, false, false},
		{"the first of two colours", colored, one(red), []int{0, 1, 2}, []int{0}, false, false},
		{"the second of two colours", colored, one(blue), []int{3, 4, 5}, []int{1}, false, false},
		{"two normals that are not quite the same", leaning, upright, []int{0, 1, 2}, []int{0}, false, false},
		{"a third colour", colored, one([4]float32{0, 1, 0, 1}), []int{0, 1, 2}, []int{0}, false, false},
	} {
		m := Match(c.a, c.b, EditorTolerance)
		if !slices.Equal(m.Vertices, c.vertices) || !slices.Equal(m.Triangles, c.triangles) || m.Complete != c.complete || m.Same != c.same {
			t.Errorf("%s: vertices %v, triangles %v, complete %v, same %v; want %v, %v, %v, %v", c.name, m.Vertices, m.Triangles, m.Complete, m.Same, c.vertices, c.triangles, c.complete, c.same)
		}
		for b, a := range m.Vertices {
			if a >= 0 && m.Vertices[m.Sources[a]] != a {
				t.Errorf("%s: vertex %d comes from %d, whose source is %d", c.name, b, a, m.Sources[a])
			}
		}
		for a, b := range m.Sources {
			if slices.Index(m.Vertices, a) != b {
				t.Errorf("%s: vertex %d has the source %d, want the first", c.name, a, b)
			}
		}
	}
}

// TestCost: how far normals and texture coordinates are apart, in tolerances. Normals count by their direction.
func TestCost(t *testing.T) {
	nan := float32(math.NaN())
	up, tilted := [3]float32{0, 0, 1}, [3]float32{0.6, 0, 0.8}
	for _, c := range []struct {
		name     string
		n, o     [3]float32
		uv, now  [2]float32
		want     float64
		tex, set int
	}{
		{"equal", up, up, [2]float32{}, [2]float32{}, 0, 1, 1},
		{"longer", [3]float32{0, 0, 7}, up, [2]float32{}, [2]float32{}, 0, 1, 1},
		{"shorter", [3]float32{0, 0, 0.25}, up, [2]float32{}, [2]float32{}, 0, 1, 1},
		{"longer, in y", [3]float32{0, 3, 4}, [3]float32{0, 0.6, 0.8}, [2]float32{}, [2]float32{}, 0, 1, 1},
		{"longer, in another direction", [3]float32{3, 0, 4}, [3]float32{0.8, 0, 0.6}, [2]float32{}, [2]float32{}, math.Hypot(0.2, 0.2) / 0.5, 1, 1},
		{"turned", up, tilted, [2]float32{}, [2]float32{}, math.Hypot(0.6, 0.2) / 0.5, 1, 1},
		{"turned in y", up, [3]float32{0, 0.6, 0.8}, [2]float32{}, [2]float32{}, math.Hypot(0.6, 0.2) / 0.5, 1, 1},
		{"none stored", [3]float32{}, tilted, [2]float32{}, [2]float32{}, 0, 1, 1},
		{"no number stored", [3]float32{nan, 0, 0}, tilted, [2]float32{}, [2]float32{}, 0, 1, 1},
		{"none now", up, [3]float32{}, [2]float32{}, [2]float32{}, 0, 1, 1},
		{"half a one now", up, [3]float32{0.5, 0, 0}, [2]float32{}, [2]float32{}, math.Hypot(0.5, 1) / 0.5, 1, 1},
		{"no number now", up, [3]float32{nan, 0, 0}, [2]float32{}, [2]float32{}, math.Inf(1), 1, 1},
		{"coordinates", up, up, [2]float32{0.25, 0}, [2]float32{0.5, 0}, 2, 1, 1},
		{"coordinates in v", up, up, [2]float32{0, 0.25}, [2]float32{0, 1}, 6, 1, 1},
		{"large coordinates", up, up, [2]float32{-8, 0}, [2]float32{-9, 0}, 1, 1, 1},
		{"a set that one has", up, up, [2]float32{}, [2]float32{4, 0}, 0, 0, 1},
		{"coordinates and normals", up, tilted, [2]float32{}, [2]float32{0.125, 0}, math.Hypot(0.6, 0.2) / 0.5, 1, 1},
	} {
		a, b := &asset.Primitive{Normals: [][3]float32{c.n}}, &asset.Primitive{Normals: [][3]float32{c.o}}
		for range c.tex {
			a.TexCoords = append(a.TexCoords, [][2]float32{c.uv})
		}
		for range c.set {
			b.TexCoords = append(b.TexCoords, [][2]float32{c.now})
		}
		m := &matcher{a: a, b: b, tol: Tolerance{Normal: 0.5, TexCoord: 0.125}}
		if got := m.cost(0, 0); got != c.want && !(math.Abs(got-c.want) < 1e-6) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		if got := m.cost(0, 1); got != 0 {
			t.Errorf("%s: of a vertex without either: %v", c.name, got)
		}
		if got := m.cost(1, 0); got != 0 {
			t.Errorf("%s: to a vertex without either: %v", c.name, got)
		}
	}
}

// TestNear: a place is the same up to the reach, and what is infinite where it is equal.
func TestNear(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, c := range []struct {
		p, q [3]float32
		want bool
	}{
		{[3]float32{1, 2, 3}, [3]float32{1, 2, 3}, true}, {[3]float32{1, 2, 3}, [3]float32{1.5, 2.5, 2.5}, true}, {[3]float32{}, [3]float32{0, 0, 0.75}, false}, {[3]float32{}, [3]float32{-0.75, 0, 0}, false},
		{[3]float32{inf, 0, 0}, [3]float32{inf, 0, 0}, true}, {[3]float32{inf, 0, 0}, [3]float32{-inf, 0, 0}, false}, {[3]float32{inf, 0, 0}, [3]float32{}, false}, {[3]float32{nan, 0, 0}, [3]float32{nan, 0, 0}, false},
	} {
		m := &matcher{a: &asset.Primitive{Positions: [][3]float32{c.p}}, b: &asset.Primitive{Positions: [][3]float32{c.q}}, reach: 0.5}
		if got := m.near(0, 0); got != c.want {
			t.Errorf("%v and %v: %v", c.p, c.q, got)
		}
		if got := (&Index{reach: 0.5}).Near(c.p, c.q); got != c.want {
			t.Errorf("%v and %v in an index: %v", c.p, c.q, got)
		}
	}
}

// TestFinite: what is no number is 0 in a copy, and what is one is shared.
func TestFinite(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	good := &asset.Primitive{Positions: [][3]float32{{1, 2, 3}}, TexCoords: [][][2]float32{{{1, 2}}}}
	if finite(good) != good {
		t.Error("a primitive of numbers was copied")
	}
	bad := func() *asset.Primitive {
		return &asset.Primitive{Positions: [][3]float32{{1, 2, 3}, {inf, 5, nan}}, TexCoords: [][][2]float32{{{1, 2}, {3, 4}}, {{nan, 5}, {6, 7}}, {{8, -inf}, {9, 1}}}}
	}
	p := bad()
	q := finite(p)
	equal(t, "positions", q.Positions, [][3]float32{{1, 2, 3}, {0, 5, 0}})
	equal(t, "coordinates", q.TexCoords, [][][2]float32{{{1, 2}, {3, 4}}, {{0, 5}, {6, 7}}, {{8, 0}, {9, 1}}})
	if isFinite(p.Positions[1][:]...) || isFinite(p.TexCoords[1][0][:]...) || isFinite(p.TexCoords[2][0][:]...) || &q.TexCoords[0][0] != &p.TexCoords[0][0] {
		t.Error("the original was changed, or what is good copied")
	}
	p = bad()
	p.Positions = good.Positions
	if q := finite(p); &q.Positions[0] != &p.Positions[0] || q.TexCoords[1][0] != [2]float32{0, 5} || isFinite(p.TexCoords[1][0][:]...) {
		t.Error("coordinates alone")
	}
	if m := Match(bad(), bad(), EditorTolerance); !slices.Equal(m.Vertices, []int{0, 1}) {
		t.Errorf("vertices %v", m.Vertices)
	}
}

// TestMatchGrids: surfaces of equal pieces, two of which changed places, are the same: not every vertex is the one of its number.
func TestMatchGrids(t *testing.T) {
	piece := func(at float32) [][3]float32 { return [][3]float32{{at, 0, 0}, {at + 1, 0, 0}, {at, 1, 0}} }
	make := func(order ...float32) *asset.Primitive {
		p := &asset.Primitive{}
		for i, at := range order {
			p.Positions = append(p.Positions, piece(at)...)
			p.Indices = append(p.Indices, uint32(3*i), uint32(3*i+1), uint32(3*i+2))
		}
		return p
	}
	if m := Match(make(0, 2, 4, 6, 8, 10), make(0, 2, 4, 6, 10, 8), EditorTolerance); !m.Same || m.Vertices[12] != 15 {
		t.Errorf("same %v, vertex 12 is %d, want true, 15", m.Same, m.Vertices[12])
	}
	if m := Match(make(0, 2, 4, 6, 8, 10), make(0, 2, 4, 6, 8, 13), EditorTolerance); m.Same || m.Vertices[15] != 15 {
		t.Errorf("moved: same %v, vertex 15 is %d, want false, 15", m.Same, m.Vertices[15])
	}
}
