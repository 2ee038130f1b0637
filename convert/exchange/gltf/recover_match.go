package gltf

import (
	"math"
	"slices"
	"strings"

	"github.com/qmuntal/gltf"

	verbs "github.com/usher-assets/usher/convert/scene"
)

// side is a document with what tells its objects apart.
type side struct {
	*gltf.Document
	parents []int
	joints  map[int]bool
	shapes  []shape // of meshes
}

// shape is what tells a mesh from others: how many corners it draws, and the box around them.
type shape struct {
	corners  int
	min, max [3]float64
}

func newSide(doc *gltf.Document) *side {
	s := &side{Document: doc, parents: make([]int, len(doc.Nodes)), joints: map[int]bool{}}
	for i := range s.parents {
		s.parents[i] = -1
	}
	for i, n := range doc.Nodes {
		for _, c := range n.Children {
			if c >= 0 && c < len(s.parents) {
				s.parents[c] = i
			}
		}
	}
	for _, x := range doc.Skins {
		for _, j := range x.Joints {
			s.joints[j] = true
		}
	}
	for _, m := range doc.Meshes {
		s.shapes = append(s.shapes, shapeOf(doc, m))
	}
	return s
}

func shapeOf(doc *gltf.Document, m *gltf.Mesh) (x shape) {
	x.min, x.max = [3]float64{math.Inf(1), math.Inf(1), math.Inf(1)}, [3]float64{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
	for _, p := range m.Primitives {
		at, ok := p.Attributes[gltf.POSITION]
		if !ok || at < 0 || at >= len(doc.Accessors) {
			continue
		}
		a := doc.Accessors[at]
		if i := p.Indices; i != nil && *i >= 0 && *i < len(doc.Accessors) {
			x.corners += doc.Accessors[*i].Count
		} else {
			x.corners += a.Count
		}
		for k := range min(3, len(a.Min), len(a.Max)) {
			x.min[k], x.max[k] = min(x.min[k], a.Min[k]), max(x.max[k], a.Max[k])
		}
	}
	return x
}

// like reports whether two shapes are the same, up to rounding.
func (x shape) like(y shape) bool {
	if x.corners != y.corners || x.corners == 0 {
		return false
	}
	size := 0.0
	for k := range 3 {
		size = max(size, x.max[k]-x.min[k])
	}
	for k := range 3 {
		if !(math.Abs(x.min[k]-y.min[k]) <= 1e-4*size && math.Abs(x.max[k]-y.max[k]) <= 1e-4*size) {
			return false
		}
	}
	return true
}

// shape returns the shape of a node's mesh, and whether it has one.
func (s *side) shape(node int) (shape, bool) {
	m := s.Nodes[node].Mesh
	if m == nil || *m < 0 || *m >= len(s.shapes) {
		return shape{}, false
	}
	return s.shapes[*m], true
}

// mostPairs is how many pairs of objects with like names are weighed against each other; more are taken in their order.
const mostPairs = 1 << 16

// pair matches objects by their names, and those with like names by how alike they are. taken holds what is paired
// already.
func pair(was, now []string, taken []int, alike func(i, k int) int) []int {
	to := slices.Clone(taken)
	if to == nil {
		to = slices.Repeat([]int{-1}, len(now))
	}
	free := make([]bool, len(was))
	for i := range free {
		free[i] = true
	}
	for _, i := range to {
		if i >= 0 {
			free[i] = false
		}
	}
	groups := map[string][]int{}
	for i, name := range was {
		if key := verbs.NameKey(name); free[i] && key != "" {
			groups[key] = append(groups[key], i)
		}
	}
	others := map[string][]int{}
	var keys []string
	for k, name := range now {
		key := verbs.NameKey(name)
		if to[k] >= 0 || groups[key] == nil {
			continue
		}
		if others[key] == nil {
			keys = append(keys, key)
		}
		others[key] = append(others[key], k)
	}
	type candidate struct{ i, k, score int }
	for _, key := range keys {
		a, b := groups[key], others[key]
		if len(a)*len(b) > mostPairs {
			slices.SortStableFunc(b, func(x, y int) int { return strings.Compare(now[x], now[y]) })
			for n := range min(len(a), len(b)) {
				to[b[n]] = a[n]
			}
			continue
		}
		var all []candidate
		for _, i := range a {
			for _, k := range b {
				score := alike(i, k)
				if was[i] == now[k] {
					score += 4
				}
				all = append(all, candidate{i, k, score})
			}
		}
		slices.SortStableFunc(all, func(x, y candidate) int { return y.score - x.score })
		for _, c := range all {
			if free[c.i] && to[c.k] < 0 {
				to[c.k], free[c.i] = c.i, false
			}
		}
	}
	return to
}

// namesOf returns the names of a list.
func namesOf[T any](list []T, name func(T) string) []string {
	out := make([]string, len(list))
	for i, x := range list {
		out[i] = name(x)
	}
	return out
}

func nodeName(n *gltf.Node) string { return n.Name }
