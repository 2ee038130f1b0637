package restore

import (
	"math"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/scene"
)

// Outline describes the objects of a file by what identifies them without usher's own data: names, shapes and hierarchy.
// Objects are numbered by their place in the lists.
type Outline struct {
	Nodes     []OutlineNode
	Meshes    []OutlineMesh
	Materials []string // names of the materials
	Cameras   []string
}

// OutlineNode is a node of an outline. −1 stands for no object.
type OutlineNode struct {
	Name         string
	Parent       int
	Children     []int
	Mesh, Camera int
	Joint        bool // a skin uses it as joint
	Place        [3]float64
}

// OutlineMesh is a mesh of an outline: the number of corners, their bounding box, and the materials of its primitives.
type OutlineMesh struct {
	Name      string
	Corners   int
	Min, Max  [3]float64
	Materials []int
}

// Pairs holds the counterparts of an edited file's objects in the original, by number; −1 means none.
type Pairs struct {
	Nodes, Meshes, Materials, Cameras []int
	Found                             int // number of nodes with a counterpart
}

// Match pairs the objects of an edited file with those of the original, by name (allowing for how editors change names),
// place and shape.
func Match(was, now *Outline) *Pairs {
	m := &matching{was: was, now: now}
	m.match()
	return &m.Pairs
}

type matching struct {
	was, now *Outline
	Pairs
}

func (m *matching) match() {
	was, now := m.was.names(), m.now.names()
	m.Nodes = nobody(len(now))
	m.unique(was, now)
	pair(was, now, m.Nodes, m.alike)
	m.byShape()
	m.byChildren()
	m.meshes()
	m.materials()
	m.cameras()
	for _, i := range m.Nodes {
		if i >= 0 {
			m.Found++
		}
	}
}

// nobody returns a list of n numbers that say nothing.
func nobody(n int) []int { return slices.Repeat([]int{-1}, n) }

func (o *Outline) names() (names []string) {
	for _, n := range o.Nodes {
		names = append(names, n.Name)
	}
	return names
}

// setOf returns the numbers of a list.
func setOf(list []int) map[int]bool {
	set := map[int]bool{}
	for _, i := range list {
		set[i] = true
	}
	return set
}

// unique pairs nodes whose name no other node has on either side.
func (m *matching) unique(was, now []string) {
	count := func(list []string) map[string]int {
		m := map[string]int{}
		for _, x := range list {
			m[x]++
		}
		return m
	}
	a, b := count(was), count(now)
	at := map[string]int{}
	for i, x := range was {
		at[x] = i
	}
	for k, x := range now {
		if x != "" && a[x] == 1 && b[x] == 1 {
			m.Nodes[k] = at[x]
		}
	}
}

// alike weighs two nodes with like names.
func (m *matching) alike(i, k int) (score int) {
	was, now := &m.was.Nodes[i], &m.now.Nodes[k]
	if p, q := was.Parent, now.Parent; p < 0 && q < 0 || p >= 0 && q >= 0 && m.Nodes[q] == p {
		score += 8
	}
	a, b := m.was.mesh(i), m.now.mesh(k)
	if (a == nil) == (b == nil) {
		score += 4
	}
	if a.like(b) {
		score += 8
	}
	if was.Joint == now.Joint {
		score += 4
	}
	x, y := was.Place, now.Place
	if d := math.Abs(x[0]-y[0]) + math.Abs(x[1]-y[1]) + math.Abs(x[2]-y[2]); d < 1e-4*(1+math.Abs(x[0])+math.Abs(x[1])+math.Abs(x[2])) {
		score += 4
	}
	return score
}

// byShape pairs nodes that somebody renamed, by meshes that no other node has.
func (m *matching) byShape() {
	used := setOf(m.Nodes)
	for k := range m.now.Nodes {
		if m.Nodes[k] >= 0 {
			continue
		}
		if i := m.only(m.now.mesh(k), used); i >= 0 {
			m.Nodes[k], used[i] = i, true
		}
	}
}

// only returns the only unused node of the original that shows a mesh; −1 for none, or more than one.
func (m *matching) only(mesh *OutlineMesh, used map[int]bool) int {
	found := -1
	for i := range m.was.Nodes {
		if used[i] || !m.was.mesh(i).like(mesh) {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	return found
}

// byChildren pairs what is above paired nodes, and has no name of its own: editors call the object that holds a skeleton
// as they like.
func (m *matching) byChildren() {
	used := setOf(m.Nodes)
	for k := len(m.now.Nodes) - 1; k >= 0; k-- {
		if m.Nodes[k] >= 0 || m.now.Nodes[k].Mesh >= 0 {
			continue
		}
		if p := m.above(m.now.Nodes[k].Children); p >= 0 && !used[p] {
			m.Nodes[k], used[p] = p, true
		}
	}
}

// above returns the common ancestor in the original of the counterparts of these nodes, or −1.
func (m *matching) above(children []int) int {
	above := -1
	for _, c := range children {
		p := -1
		if c >= 0 && c < len(m.Nodes) && m.Nodes[c] >= 0 {
			p = m.was.Nodes[m.Nodes[c]].Parent
		}
		if p < 0 || above >= 0 && above != p {
			return -1
		}
		above = p
	}
	return above
}

func (m *matching) meshes() {
	m.Meshes = nobody(len(m.now.Meshes))
	used := map[int]bool{}
	for k, i := range m.Nodes {
		if i >= 0 {
			join(m.Meshes, m.was.Nodes[i].Mesh, m.now.Nodes[k].Mesh, used)
		}
	}
	names := func(list []OutlineMesh) (names []string) {
		for _, x := range list {
			names = append(names, x.Name)
		}
		return names
	}
	pair(names(m.was.Meshes), names(m.now.Meshes), m.Meshes, func(i, k int) int {
		if m.was.Meshes[i].like(&m.now.Meshes[k]) {
			return 8
		}
		return 0
	})
}

// join makes an object the counterpart of another, where none of them has one.
func join(to []int, was, now int, used map[int]bool) {
	if was >= 0 && now >= 0 && now < len(to) && to[now] < 0 && !used[was] {
		to[now], used[was] = was, true
	}
}

func (m *matching) materials() {
	m.Materials = nobody(len(m.now.Materials))
	pair(m.was.Materials, m.now.Materials, m.Materials, m.worn)
	used := setOf(m.Materials)
	for k, i := range m.Meshes { // somebody renamed it
		if i < 0 || len(m.was.Meshes[i].Materials) != len(m.now.Meshes[k].Materials) {
			continue
		}
		for n, now := range m.now.Meshes[k].Materials {
			join(m.Materials, m.was.Meshes[i].Materials[n], now, used)
		}
	}
}

// worn weighs two materials with like names by the meshes that wear both.
func (m *matching) worn(i, k int) (score int) {
	for now, was := range m.Meshes {
		if was >= 0 && score < 8 && slices.Contains(m.was.Meshes[was].Materials, i) && slices.Contains(m.now.Meshes[now].Materials, k) {
			score += 2
		}
	}
	return score
}

func (m *matching) cameras() {
	m.Cameras = nobody(len(m.now.Cameras))
	pair(m.was.Cameras, m.now.Cameras, m.Cameras, func(int, int) int { return 0 })
	for k, i := range m.Nodes {
		if i < 0 {
			continue
		}
		if a, b := m.was.Nodes[i].Camera, m.now.Nodes[k].Camera; a >= 0 && b >= 0 && b < len(m.Cameras) {
			m.Cameras[b] = a
		}
	}
}

// mesh returns the mesh of a node, nil for none.
func (o *Outline) mesh(node int) *OutlineMesh {
	i := o.Nodes[node].Mesh
	if i < 0 || i >= len(o.Meshes) {
		return nil
	}
	return &o.Meshes[i]
}

// like reports whether two meshes are the same, up to rounding.
func (x *OutlineMesh) like(y *OutlineMesh) bool {
	if x == nil || y == nil || x.Corners != y.Corners || x.Corners == 0 {
		return false
	}
	size := 0.0
	for k := range 3 {
		size = max(size, x.Max[k]-x.Min[k])
	}
	for k := range 3 {
		if !(math.Abs(x.Min[k]-y.Min[k]) <= 1e-4*size && math.Abs(x.Max[k]-y.Max[k]) <= 1e-4*size) {
			return false
		}
	}
	return true
}

// mostPairs is how many pairs of objects with like names are weighed against each other; more are taken in their order.
const mostPairs = 1 << 16

// pair matches objects by their names, and those with like names by how alike they are. to holds what is paired already.
func pair(was, now []string, to []int, alike func(i, k int) int) {
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
		if key := scene.NameKey(name); free[i] && key != "" {
			groups[key] = append(groups[key], i)
		}
	}
	others := map[string][]int{}
	var keys []string
	for k, name := range now {
		key := scene.NameKey(name)
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
}
