package mesh

import (
	"slices"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
)

// Followed returns lines with their ends where the vertices of a mesh are after an edit, and how many are left out
// because a vertex is gone. The edited mesh is whole when it has the triangles of the other, and no more.
func Followed(lines *asset.Primitive, base, edited *asset.Mesh) (out *asset.Primitive, lost int, whole bool) {
	f := &follower{there: map[[3]float32]bool{}, moved: map[[3]float32][3]float32{}, gone: map[[3]float32]bool{}}
	for _, p := range edited.Primitives {
		for _, v := range p.Positions {
			f.there[v] = true
		}
	}
	a, order := surfaces(base)
	b, more := surfaces(edited)
	whole = !slices.ContainsFunc(more, func(k surfaceKey) bool { return a[k] == nil })
	var renamed []int // primitives with materials that the base has not
	for _, k := range more {
		if a[k] == nil && k.mode == asset.Triangles {
			renamed = append(renamed, b[k]...)
		}
	}
	for _, k := range order {
		if k.mode != asset.Triangles {
			continue
		}
		x, now := joined(base, a[k]), b[k]
		if len(now) > 0 && f.stays(x, joined(edited, now)) {
			continue // all of it is where it was, in another material: somebody swapped them
		}
		if now == nil { // its material has another name, perhaps
			now = renamed
		}
		if len(now) == 0 {
			whole = false
			for _, v := range x.Positions {
				f.loses(v)
			}
			continue
		}
		whole = f.surface(x, joined(edited, now)) && whole
	}
	out, lost = f.lines(lines)
	return out, lost, whole
}

// follower knows where the vertices of a mesh went that somebody edited.
type follower struct {
	there map[[3]float32]bool       // wherever in the edited mesh: a surface may wear another material now
	moved map[[3]float32][3]float32 // where those are that are still there
	gone  map[[3]float32]bool
}

func (f *follower) loses(v [3]float32) { f.gone[v] = f.gone[v] || !f.there[v] }

// stays tells whether all of a surface is in the edited mesh, and nothing of it in what wears its material now.
func (f *follower) stays(x, worn *asset.Primitive) bool {
	return !slices.ContainsFunc(x.Positions, func(v [3]float32) bool { return !f.there[v] || slices.Contains(worn.Positions, v) })
}

// surface notes where the vertices of a surface are, and tells whether the edited one has all of its triangles.
func (f *follower) surface(x, y *asset.Primitive) bool {
	reach := scene.EditorTolerance.Position * scene.Extent(x.Positions)
	m := match(x, y)
	sources, complete := m.Sources, m.Complete
	if len(x.Positions) == len(y.Positions) && slices.Equal(x.Indices, y.Indices) {
		sources, complete = nil, true // vertex by vertex: what moved a long way may lie where another one lay
	}
	for i, v := range x.Positions {
		s := i
		if sources != nil {
			s = sources[i]
		}
		switch {
		case s < 0:
			f.loses(v)
		case scene.Wide3(y.Positions[s]).Sub(scene.Wide3(v)).Len() <= 2*reach:
			f.moved[v] = v
		default:
			if _, known := f.moved[v]; !known {
				f.moved[v] = y.Positions[s]
			}
		}
	}
	return complete
}

// lines returns lines with their ends where those went, without the ones that lost an end.
func (f *follower) lines(lines *asset.Primitive) (out *asset.Primitive, lost int) {
	out = &asset.Primitive{Mode: asset.Lines, Indices: []uint32{}}
	number := map[[3]float32]uint32{}
	for i := 0; i+2 <= len(lines.Indices); i += 2 {
		var ends [2][3]float32
		left := false
		for k := range ends {
			v := lines.Positions[lines.Indices[i+k]]
			at, known := f.moved[v]
			if !known {
				at = v
				left = left || f.gone[v]
			}
			ends[k] = at
		}
		if left {
			lost++
			continue
		}
		for _, v := range ends {
			n, known := number[v]
			if !known {
				n = uint32(len(out.Positions))
				number[v] = n
				out.Positions = append(out.Positions, v)
			}
			out.Indices = append(out.Indices, n)
		}
	}
	return out, lost
}
