package sculpt

import (
	"math"

	"github.com/usher-assets/usher/schema/unreal"
)

// wall is a convex polygon of a level, in the units and axes of the engine, with the surface that it is a piece of.
type wall struct {
	points []vec
	normal vec
	offset float64
	surf   int32
}

// thick is how far from a plane a point still lies on it, in units of the engine.
const thick = 0.05

// side tells how far a point is in front of the plane of a wall.
func (w *wall) side(p vec) float64 { return p.dot(w.normal) - w.offset }

// against tells where a wall lies, seen from the plane of another one.
func (w *wall) against(o *wall) (front, back bool) {
	for _, p := range w.points {
		d := o.side(p)
		front, back = front || d > thick, back || d < -thick
	}
	return front, back
}

// cut parts a wall by the plane of another one.
func (w *wall) cut(o *wall) (front, back wall) {
	front, back = *w, *w
	front.points, back.points = nil, nil
	for i, p := range w.points {
		q := w.points[(i+1)%len(w.points)]
		d, e := o.side(p), o.side(q)
		if d > -thick {
			front.points = append(front.points, p)
		}
		if d < thick {
			back.points = append(back.points, p)
		}
		if d > thick && e < -thick || d < -thick && e > thick {
			x := mix(p, q, d/(d-e))
			front.points, back.points = append(front.points, x), append(back.points, x)
		}
	}
	return front, back
}

// tree is a BSP tree that grows.
type tree struct {
	*unreal.Model
	points, vectors map[[3]float32]int32
}

func (t *tree) point(p vec) int32  { return index(&t.Points, t.points, p.narrow()) }
func (t *tree) vector(p vec) int32 { return index(&t.Vectors, t.vectors, p.narrow()) }

func index(list *[][3]float32, known map[[3]float32]int32, p [3]float32) int32 {
	at, ok := known[p]
	if !ok {
		at = int32(len(*list))
		known[p] = at
		*list = append(*list, p)
	}
	return at
}

// grow makes the nodes of some walls and returns the first of them, −1 for none.
func (t *tree) grow(walls []wall) int32 {
	if len(walls) == 0 {
		return -1
	}
	at := splitter(walls)
	w := walls[at]
	root := t.node(&w)
	last := root
	var front, back []wall
	for i := range walls {
		if i == at {
			continue
		}
		x := &walls[i]
		f, b := x.against(&w)
		switch {
		case !f && !b && x.normal.dot(w.normal) > 0:
			next := t.node(x)
			t.Nodes[last].Coplanar = next
			last = next
		case f && b:
			one, other := x.cut(&w)
			front, back = append(front, one), append(back, other)
		case f:
			front = append(front, *x)
		default:
			back = append(back, *x)
		}
	}
	first, second := t.grow(front), t.grow(back)
	t.Nodes[root].Front, t.Nodes[root].Back = first, second
	return root
}

// splitter chooses the wall whose plane cuts the fewest others, and of those the one that parts them best.
func splitter(walls []wall) (best int) {
	least := math.Inf(1)
	for i := range walls {
		cuts, lean := 0, 0
		for k := range walls {
			switch f, b := walls[k].against(&walls[i]); {
			case f && b:
				cuts++
			case f:
				lean++
			case b:
				lean--
			}
		}
		if cost := 40*float64(cuts) + math.Abs(float64(lean)); cost < least {
			best, least = i, cost
		}
	}
	return best
}

func (t *tree) node(w *wall) int32 {
	n := w.normal.narrow()
	t.Nodes = append(t.Nodes, unreal.BspNode{
		Plane: [4]float32{n[0], n[1], n[2], float32(w.offset)}, ZoneMask: 1, VertPool: int32(len(t.Verts)), Surf: w.surf, Count: uint8(len(w.points)),
		Back: -1, Front: -1, Coplanar: -1, Bound: -1, RenderBound: -1, Leaves: [2]int32{-1, -1},
	})
	for _, p := range w.points {
		t.Verts = append(t.Verts, unreal.BspVert{Point: t.point(p), Side: -1})
	}
	return int32(len(t.Nodes) - 1)
}
