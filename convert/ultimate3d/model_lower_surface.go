package ultimate3d

import (
	"cmp"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultimate3d"
)

// surface is all triangles of a mesh with one set of vertices.
type surface struct {
	asset.Primitive                   // Indices is never nil; Material is not used
	materials       []*asset.Material // one a triangle
}

// join makes one surface of the primitives of a mesh. Vertices that primitives share stay shared. Primitives that lack
// an attribute which others have get a neutral one; flat normals where there are none.
func join(m *asset.Mesh) *surface {
	s := &surface{}
	var list []*asset.Primitive
	var has struct{ normals, joints bool }
	sets, targets := 0, 0
	for _, p := range m.Primitives {
		if p.Mode != asset.Triangles {
			continue
		}
		if p.Normals == nil && len(p.Positions) > 0 {
			p = withFlatNormals(p)
		}
		list = append(list, p)
		has.normals = has.normals || p.Normals != nil
		has.joints = has.joints || p.Joints != nil
		sets, targets = max(sets, len(p.TexCoords)), max(targets, len(p.Targets))
	}
	s.Indices = []uint32{}
	s.TexCoords, s.Targets = make([][][2]float32, sets), make([]asset.Target, targets)
	at := map[*[3]float32]int{}
	for _, p := range list {
		if len(p.Positions) == 0 {
			continue
		}
		first, shared := at[&p.Positions[0]]
		if !shared {
			first = len(s.Positions)
			if p.Normals != nil && !moreThanOne(list, p) {
				at[&p.Positions[0]] = first
			}
			s.add(p, has.joints)
		}
		count := len(p.Positions)
		if p.Indices != nil {
			count = len(p.Indices)
		}
		for i := 0; i+3 <= count; i += 3 {
			for k := range 3 {
				v := uint32(i + k)
				if p.Indices != nil {
					v = p.Indices[i+k]
				}
				s.Indices = append(s.Indices, uint32(first)+min(v, uint32(len(p.Positions)-1)))
			}
			s.materials = append(s.materials, p.Material)
		}
	}
	return s
}

// moreThanOne reports whether primitives have the positions of p, but other attributes: then they are no shared vertices.
func moreThanOne(list []*asset.Primitive, p *asset.Primitive) bool {
	for _, q := range list {
		if len(q.Positions) > 0 && &q.Positions[0] == &p.Positions[0] && !sameVertices(p, q) {
			return true
		}
	}
	return false
}

func sameVertices(p, q *asset.Primitive) bool {
	return len(p.Positions) == len(q.Positions) && sameSlice(p.Normals, q.Normals) &&
		slices.EqualFunc(p.TexCoords, q.TexCoords, sameSlice) && slices.EqualFunc(p.Joints, q.Joints, sameSlice) &&
		slices.EqualFunc(p.Weights, q.Weights, sameSlice) &&
		slices.EqualFunc(p.Targets, q.Targets, func(a, b asset.Target) bool {
			return sameSlice(a.Positions, b.Positions) && sameSlice(a.Normals, b.Normals)
		}) &&
		slices.EqualFunc(p.Custom, q.Custom, func(a, b asset.Attribute) bool { return a.Name == b.Name && sameSlice(a.Values, b.Values) })
}

func sameSlice[T any](a, b []T) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// add appends the vertices of a primitive.
func (s *surface) add(p *asset.Primitive, joints bool) {
	n, total := len(p.Positions), len(s.Positions)+len(p.Positions)
	s.Positions = append(s.Positions, p.Positions...)
	s.Normals = append(s.Normals, p.Normals...)
	for k := range s.TexCoords {
		if k < len(p.TexCoords) && len(p.TexCoords[k]) == n {
			s.TexCoords[k] = append(s.TexCoords[k], p.TexCoords[k]...)
		}
		s.TexCoords[k] = padded(s.TexCoords[k], total)
	}
	if joints {
		for k := range p.Joints {
			if k == len(s.Joints) {
				s.Joints, s.Weights = append(s.Joints, make([][4]uint16, total-n)), append(s.Weights, make([][4]float32, total-n))
			}
			s.Joints[k], s.Weights[k] = append(s.Joints[k], p.Joints[k]...), append(s.Weights[k], p.Weights[k]...)
		}
		for k := range s.Joints {
			s.Joints[k], s.Weights[k] = padded(s.Joints[k], total), padded(s.Weights[k], total)
		}
	}
	for _, c := range p.Custom {
		i := slices.IndexFunc(s.Custom, func(x asset.Attribute) bool { return x.Name == c.Name && x.Components == c.Components })
		if i < 0 {
			i = len(s.Custom)
			s.Custom = append(s.Custom, asset.Attribute{Name: c.Name, Components: c.Components, Values: make([]float32, c.Components*(total-n))})
		}
		s.Custom[i].Values = append(s.Custom[i].Values, c.Values...)
	}
	for i := range s.Custom {
		s.Custom[i].Values = padded(s.Custom[i].Values, total*s.Custom[i].Components)
	}
	for k := range s.Targets {
		t := &s.Targets[k]
		if k < len(p.Targets) {
			if p.Targets[k].Positions != nil {
				t.Positions = append(padded(t.Positions, total-n), p.Targets[k].Positions...)
			}
			if p.Targets[k].Normals != nil {
				t.Normals = append(padded(t.Normals, total-n), p.Targets[k].Normals...)
			}
		}
		t.Positions = padded(t.Positions, total)
		if t.Normals != nil {
			t.Normals = padded(t.Normals, total)
		}
	}
}

// padded returns a slice of length n, with zeros behind what was there.
func padded[T any](v []T, n int) []T {
	for len(v) < n {
		v = append(v, make([]T, n-len(v))...)
	}
	return v
}

// withFlatNormals returns a primitive whose triangles share no vertices and are lit as flat, which glTF demands where
// there are no normals.
func withFlatNormals(p *asset.Primitive) *asset.Primitive {
	indices := p.Indices
	if indices == nil {
		indices = make([]uint32, len(p.Positions))
		for i := range indices {
			indices[i] = uint32(i)
		}
	}
	indices = indices[:len(indices)/3*3]
	q := *p
	q.Indices = nil
	q.Positions = pick(p.Positions, indices)
	q.Tangents, q.Colors = nil, nil
	q.TexCoords = pickAll(p.TexCoords, indices)
	q.Joints, q.Weights = pickAll(p.Joints, indices), pickAll(p.Weights, indices)
	q.Custom = nil
	q.Targets = slices.Clone(p.Targets)
	for k := range q.Targets {
		q.Targets[k] = asset.Target{Positions: pick(p.Targets[k].Positions, indices)}
	}
	q.Normals = make([][3]float32, len(q.Positions))
	for i := 0; i+3 <= len(q.Positions); i += 3 {
		n := unit(narrow3(cross(q.Positions[i], q.Positions[i+1], q.Positions[i+2])))
		q.Normals[i], q.Normals[i+1], q.Normals[i+2] = n, n, n
	}
	for k := range q.Targets {
		t := &q.Targets[k]
		if t.Positions == nil {
			continue
		}
		t.Normals = make([][3]float32, len(q.Positions))
		for i := 0; i+3 <= len(q.Positions); i += 3 {
			var v [3][3]float32
			for c := range v {
				v[c] = plus(q.Positions[i+c], t.Positions[i+c])
			}
			n := minus(unit(narrow3(cross(v[0], v[1], v[2]))), q.Normals[i])
			t.Normals[i], t.Normals[i+1], t.Normals[i+2] = n, n, n
		}
	}
	return &q
}

func pick[T any](v []T, indices []uint32) []T {
	if v == nil {
		return nil
	}
	out := make([]T, len(indices))
	for i, k := range indices {
		if int(k) < len(v) {
			out[i] = v[k]
		}
	}
	return out
}

func pickAll[T any](sets [][]T, indices []uint32) [][]T {
	var out [][]T
	for _, v := range sets {
		out = append(out, pick(v, indices))
	}
	return out
}

// move applies a transform to a surface.
func (s *surface) move(m mgl64.Mat4) { s.Primitive = *scene.Bake(&s.Primitive, m) }

// influences returns the bones that a vertex follows, strongest first, at most four with weights that add up to 1.
func (s *surface) influences(v int, bone func(joint int) int) (list []influence) {
	for k := range s.Joints {
		for c := range 4 {
			w := s.Weights[k][v][c]
			if !(w > 0) || notFinite(w) {
				continue
			}
			b := bone(int(s.Joints[k][v][c]))
			if b < 0 {
				continue
			}
			if i := slices.IndexFunc(list, func(x influence) bool { return x.bone == b }); i >= 0 {
				list[i].weight += w
			} else {
				list = append(list, influence{b, w})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b influence) int { return cmp.Compare(b.weight, a.weight) })
	return settled(list[:min(len(list), 4)])
}

// settled brings weights to a sum of 1, without those that are none.
func settled(list []influence) []influence {
	kept := make([]influence, 0, len(list))
	sum := 0.0
	for _, x := range list {
		if x.weight > 0 && !notFinite(x.weight) {
			kept = append(kept, x)
			sum += float64(x.weight)
		}
	}
	for i := range kept {
		kept[i].weight = float32(float64(kept[i].weight) / sum)
	}
	return kept
}

// setInfluences stores the bones of a vertex.
func setInfluences(m *ultimate3d.Mesh, v int, list []influence) {
	k := int(m.StoredWeights)
	m.WeightBones[v] = [4]uint8{}
	for i := range k {
		m.Weights[v*k+i] = 0
	}
	for i, x := range list {
		m.WeightBones[v][i] = uint8(x.bone)
		m.MaxBlendingMatrix = max(m.MaxBlendingMatrix, uint8(x.bone))
		if i < k {
			m.Weights[v*k+i] = x.weight
		}
	}
}
