package main

import "fmt"

// triangle is three places in the world.
type triangle [3]vec

// triangles returns what the default scene shows at rest.
func (d *document) triangles() (all []triangle, err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("%v", x)
		}
	}()
	world := make([]mat, len(d.Nodes))
	var order []int
	hidden := map[int]bool{}
	var walk func(i int, above mat, unseen bool)
	walk = func(i int, above mat, unseen bool) {
		if len(order) > 1<<20 {
			panic("nodes form a loop")
		}
		order = append(order, i)
		local := d.Nodes[i].local()
		world[i] = above.times(&local)
		v := d.Nodes[i].Extensions.Visibility
		hidden[i] = unseen || v != nil && v.Visible != nil && !*v.Visible
		for _, c := range d.Nodes[i].Children {
			walk(c, world[i], hidden[i])
		}
	}
	for _, i := range d.roots() {
		walk(i, identity, false)
	}
	for _, i := range order {
		if d.Nodes[i].Mesh == nil || hidden[i] {
			continue
		}
		list, err := d.shown(i, world)
		if err != nil {
			return nil, err
		}
		if all = append(all, list...); len(all) > mostTriangles {
			return nil, errUnread
		}
	}
	return all, nil
}

// mostTriangles bounds the time that a comparison takes.
const mostTriangles = 1 << 20

func (d *document) roots() []int {
	if len(d.Scenes) > 0 {
		k := 0
		if d.Scene != nil {
			k = *d.Scene
		}
		return d.Scenes[k].Nodes
	}
	child := map[int]bool{}
	for _, n := range d.Nodes {
		for _, c := range n.Children {
			child[c] = true
		}
	}
	var all []int
	for i := range d.Nodes {
		if !child[i] {
			all = append(all, i)
		}
	}
	return all
}

// shown returns the triangles of a node.
func (d *document) shown(i int, world []mat) (all []triangle, err error) {
	n := &d.Nodes[i]
	m := &d.Meshes[*n.Mesh]
	weights := m.Weights
	if n.Weights != nil {
		weights = n.Weights
	}
	var joints []mat
	if n.Skin != nil {
		if joints, err = d.joints(*n.Skin, world); err != nil {
			return nil, err
		}
	}
	places := []mat{world[i]}
	if x := n.Extensions.Instances; x != nil {
		if places, err = d.copies(x.Attributes, world[i]); err != nil {
			return nil, err
		}
	}
	for _, p := range m.Primitives {
		position, ok := p.Attributes["POSITION"]
		if p.Extensions["KHR_draco_mesh_compression"] != nil {
			return nil, errUnread
		}
		if !ok {
			continue
		}
		rows, err := d.numbers(position)
		if err != nil {
			return nil, err
		}
		at := make([]vec, len(rows))
		for k, r := range rows {
			at[k] = vec(r)
		}
		for t, target := range p.Targets {
			k, ok := target["POSITION"]
			if !ok || t >= len(weights) || weights[t] == 0 {
				continue
			}
			moves, err := d.numbers(k)
			if err != nil {
				return nil, err
			}
			for v := range at {
				for c := range 3 {
					at[v][c] += weights[t] * moves[v][c]
				}
			}
		}
		if joints != nil && p.Attributes["JOINTS_0"] != 0 {
			if at, err = d.skinned(at, p.Attributes, joints); err != nil {
				return nil, err
			}
			places = []mat{identity}
		}
		order := make([]int, len(at))
		for k := range order {
			order[k] = k
		}
		if p.Indices != nil {
			rows, err := d.numbers(*p.Indices)
			if err != nil {
				return nil, err
			}
			order = order[:0]
			for _, r := range rows {
				order = append(order, int(r[0]))
			}
		}
		mode := 4
		if p.Mode != nil {
			mode = *p.Mode
		}
		for _, place := range places {
			if len(all)+len(order)/3 > mostTriangles {
				return nil, errUnread
			}
			for _, t := range corners(mode, len(order)) {
				var x triangle
				for c := range 3 {
					x[c] = place.move(at[order[t[c]]])
				}
				if place.mirrored() && joints == nil {
					x[1], x[2] = x[2], x[1]
				}
				all = append(all, x)
			}
		}
	}
	return all, nil
}

// mirrored reports whether a matrix turns fronts into backs.
func (a *mat) mirrored() bool {
	return a[0]*(a[5]*a[10]-a[6]*a[9])-a[4]*(a[1]*a[10]-a[2]*a[9])+a[8]*(a[1]*a[6]-a[2]*a[5]) < 0
}

// corners returns the positions in the order of indices that triangles of a mode have.
func corners(mode, n int) (all [][3]int) {
	switch mode {
	case 4:
		for k := 0; k+2 < n; k += 3 {
			all = append(all, [3]int{k, k + 1, k + 2})
		}
	case 5:
		for k := 0; k+2 < n; k++ {
			all = append(all, [3]int{k, k + 1 + k%2, k + 2 - k%2})
		}
	case 6:
		for k := 1; k+1 < n; k++ {
			all = append(all, [3]int{k, k + 1, 0})
		}
	}
	return all
}

func (d *document) joints(i int, world []mat) ([]mat, error) {
	s := d.Skins[i]
	all := make([]mat, len(s.Joints))
	for k, j := range s.Joints {
		all[k] = world[j]
	}
	if s.InverseBindMatrices != nil {
		rows, err := d.numbers(*s.InverseBindMatrices)
		if err != nil {
			return nil, err
		}
		for k := range all {
			m := mat(rows[k])
			all[k] = all[k].times(&m)
		}
	}
	return all, nil
}

func (d *document) skinned(at []vec, attributes map[string]int, joints []mat) ([]vec, error) {
	out := make([]vec, len(at))
	sums := make([]float64, len(at))
	for set := 0; ; set++ {
		j, ok := attributes[fmt.Sprintf("JOINTS_%d", set)]
		if !ok {
			break
		}
		numbers, err := d.numbers(j)
		if err != nil {
			return nil, err
		}
		weights, err := d.numbers(attributes[fmt.Sprintf("WEIGHTS_%d", set)])
		if err != nil {
			return nil, err
		}
		for v, p := range at {
			for c, w := range weights[v] {
				if w == 0 {
					continue
				}
				q := joints[int(numbers[v][c])].move(p)
				for k := range 3 {
					out[v][k] += w * q[k]
				}
				sums[v] += w
			}
		}
	}
	for v := range out {
		for k := range 3 {
			if sums[v] > 0 {
				out[v][k] /= sums[v]
			}
		}
	}
	return out, nil
}

func (d *document) copies(attributes map[string]int, above mat) ([]mat, error) {
	read := map[string][][]float64{}
	count := 0
	for name, i := range attributes {
		rows, err := d.numbers(i)
		if err != nil {
			return nil, err
		}
		read[name], count = rows, len(rows)
	}
	all := make([]mat, count)
	for k := range all {
		var t, s *[3]float64
		var r *[4]float64
		if rows := read["TRANSLATION"]; rows != nil {
			t = (*[3]float64)(rows[k])
		}
		if rows := read["SCALE"]; rows != nil {
			s = (*[3]float64)(rows[k])
		}
		if rows := read["ROTATION"]; rows != nil {
			r = (*[4]float64)(rows[k])
		}
		m := placed(t, r, s)
		all[k] = above.times(&m)
	}
	return all, nil
}
