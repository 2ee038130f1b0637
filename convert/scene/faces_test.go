package scene

import (
	"slices"
	"testing"
)

// TestTurnedFace: the least corner comes first; of several the one with which the whole is least.
func TestTurnedFace(t *testing.T) {
	for _, c := range []struct {
		f, want Face
		turn    int
	}{
		{Face{1, 2, 3}, Face{1, 2, 3}, 0}, {Face{3, 1, 2}, Face{1, 2, 3}, 1}, {Face{2, 3, 1}, Face{1, 2, 3}, 2}, {Face{1, 3, 2}, Face{1, 3, 2}, 0},
		{Face{1, 1, 2}, Face{1, 1, 2}, 0}, {Face{1, 2, 1}, Face{1, 1, 2}, 2}, {Face{2, 1, 1}, Face{1, 1, 2}, 1}, {Face{1, 1, 1}, Face{1, 1, 1}, 0}, {Face{5, -1, 4}, Face{-1, 4, 5}, 1},
	} {
		got, turn := c.f.turned()
		if got != c.want || turn != c.turn {
			t.Errorf("%v: %v by %d, want %v by %d", c.f, got, turn, c.want, c.turn)
		}
	}
	for _, c := range []struct {
		a, b Face
		want bool
	}{{Face{1, 2, 3}, Face{1, 2, 4}, true}, {Face{1, 2, 3}, Face{1, 2, 3}, false}, {Face{1, 2, 4}, Face{1, 2, 3}, false}, {Face{0, 9, 9}, Face{1, 2, 3}, true}, {Face{1, 3, 0}, Face{1, 2, 9}, false}} {
		if less(c.a, c.b) != c.want {
			t.Errorf("%v before %v: %v", c.a, c.b, !c.want)
		}
	}
}

// TestPairFacesOrder: equal faces are paired in their order, those that belong together first; a heap of them is not looked
// through to its end.
func TestPairFacesOrder(t *testing.T) {
	f, g := Face{1, 2, 3}, Face{4, 5, 6}
	for _, c := range []struct {
		name              string
		original, surface []Face
		alike             func(a, b, turn int) bool
		of, turn          []int
	}{
		{"in order", []Face{f, g, f, f}, []Face{f, f, g, f}, nil, []int{0, 2, 1, 3}, []int{0, 0, 0, 0}},
		{"more than there are", []Face{f}, []Face{f, f}, nil, []int{0, -1}, []int{0, 0}},
		{"the last first", []Face{f, f, f}, []Face{f, f, f}, func(a, b, _ int) bool { return a == 2-b }, []int{2, 1, 0}, []int{0, 0, 0}},
		{"the middle first", []Face{f, f, f}, []Face{f, f, f}, func(a, b, _ int) bool { return b == 0 && a == 1 }, []int{1, 0, 2}, []int{0, 0, 0}},
		{"nothing alike", []Face{f, f}, []Face{f, f}, func(_, _, _ int) bool { return false }, []int{0, 1}, []int{0, 0}},
		{"turned", []Face{{2, 3, 1}, g}, []Face{{3, 1, 2}, {6, 4, 5}}, nil, []int{0, 1}, []int{1, 2}},
		{"told by the turn", []Face{{2, 3, 1}, f}, []Face{f, f}, func(_, _, turn int) bool { return turn == 0 }, []int{1, 0}, []int{0, 2}},
		{"the other side", []Face{f}, []Face{{1, 3, 2}}, nil, []int{-1}, []int{0}},
		{"unknown corners", []Face{{-1, 2, 3}, f}, []Face{{-1, 2, 3}, f}, nil, []int{-1, 1}, []int{0, 0}},
	} {
		p := PairFaces(c.original, c.surface, c.alike)
		if !slices.Equal(p.Of, c.of) || !slices.Equal(p.Turn, c.turn) {
			t.Errorf("%s: %v turned by %v, want %v by %v", c.name, p.Of, p.Turn, c.of, c.turn)
		}
		for a, there := range p.There {
			if there != slices.Contains(p.Of, a) {
				t.Errorf("%s: face %d is there: %v", c.name, a, there)
			}
		}
	}
	many := slices.Repeat([]Face{f}, heap+1)
	for want, alike := range map[int]func(a, b, turn int) bool{heap - 1: func(a, _, _ int) bool { return a == heap-1 }, 0: func(a, _, _ int) bool { return a == heap }} {
		if got := PairFaces(many, many[:1], alike).Of[0]; got != want {
			t.Errorf("of a heap: %d, want %d", got, want)
		}
	}
}

// TestGone: what shows nothing is not gone, and a surface is complete without it.
func TestGone(t *testing.T) {
	for _, c := range []struct {
		name              string
		original, surface []Face
		gone              []int
		complete          bool
	}{
		{"nothing", []Face{{0, 1, 2}}, []Face{{1, 2, 0}}, nil, true},
		{"one of two", []Face{{0, 1, 2}, {0, 2, 3}}, []Face{{0, 1, 2}}, []int{1}, false},
		{"a flat one", []Face{{0, 1, 2}, {3, 3, 4}}, []Face{{0, 1, 2}}, nil, true},
		{"the other side", []Face{{0, 1, 2}, {2, 1, 0}}, []Face{{0, 1, 2}}, nil, true},
		{"both sides", []Face{{0, 1, 2}, {2, 1, 0}}, nil, []int{0, 1}, false},
		{"a flat one more", []Face{{0, 1, 2}}, []Face{{0, 1, 2}, {5, 5, 6}}, nil, true},
		{"one of no place more", []Face{{0, 1, 2}}, []Face{{0, 1, 2}, {5, 5, -1}}, nil, false},
		{"one more", []Face{{0, 1, 2}}, []Face{{0, 1, 2}, {5, 6, 7}}, nil, false},
	} {
		p := PairFaces(c.original, c.surface, nil)
		if got := p.Gone(); !slices.Equal(got, c.gone) || p.Complete(c.surface) != c.complete {
			t.Errorf("%s: gone %v, complete %v", c.name, got, p.Complete(c.surface))
		}
	}
}
