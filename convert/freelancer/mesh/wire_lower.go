package mesh

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
)

// featureAngle is how far the triangles at an edge must be bent for it to be a line of a wireframe, in degrees.
const featureAngle = 30

// FeatureEdges returns the lines that show the form of a mesh: sharp edges and borders.
func FeatureEdges(m *asset.Mesh) []*asset.Primitive {
	if m == nil {
		return nil
	}
	type place = [3]float32
	type edge [2]place
	type bend struct {
		normal mgl64.Vec3
		count  int
		sharp  bool
	}
	edges, order := map[edge]*bend{}, []edge(nil)
	limit := math.Cos(featureAngle * math.Pi / 180)
	for _, p := range m.Primitives {
		if p.Mode != asset.Triangles {
			continue
		}
		idx := scene.Indices(p)
		for i := 0; i+3 <= len(idx); i += 3 {
			corners := [3]place{p.Positions[idx[i]], p.Positions[idx[i+1]], p.Positions[idx[i+2]]}
			n := scene.Wide3(corners[1]).Sub(scene.Wide3(corners[0])).Cross(scene.Wide3(corners[2]).Sub(scene.Wide3(corners[0])))
			if !(n.Len() > 0) {
				continue // no area, or corners that are no numbers
			}
			n = n.Normalize()
			for k := range 3 {
				e := edge{corners[k], corners[(k+1)%3]}
				if less(e[1], e[0]) {
					e[0], e[1] = e[1], e[0]
				}
				b := edges[e]
				if b == nil {
					edges[e] = &bend{normal: n, count: 1}
					order = append(order, e)
					continue
				}
				b.count++
				b.sharp = b.sharp || b.normal.Dot(n) < limit
			}
		}
	}
	out := &asset.Primitive{Mode: asset.Lines}
	for _, e := range order {
		if b := edges[e]; b.sharp || b.count == 1 {
			out.Indices = append(out.Indices, uint32(len(out.Positions)), uint32(len(out.Positions)+1))
			out.Positions = append(out.Positions, e[0], e[1])
		}
	}
	return []*asset.Primitive{out}
}

func less(a, b [3]float32) bool {
	for k := range a {
		if a[k] != b[k] {
			return a[k] < b[k]
		}
	}
	return false
}

// OfLines returns a mesh of lines with one vertex for each position.
func OfLines(lines []*asset.Primitive, by mgl64.Mat4) *freelancer.VMesh {
	v := &freelancer.VMesh{Type: 1, Primitive: freelancer.LineList, FVF: freelancer.FVFPosition}
	known := map[[3]float32]uint16{}
	for _, p := range lines {
		if p.Mode != asset.Lines {
			continue
		}
		b := Baked(p, by)
		for _, i := range scene.Indices(b) {
			k, ok := known[b.Positions[i]]
			if !ok {
				k = uint16(len(v.Positions))
				known[b.Positions[i]] = k
				v.Positions = append(v.Positions, b.Positions[i])
			}
			v.Indices = append(v.Indices, k)
		}
	}
	v.Groups = []freelancer.MeshGroup{{VertexEnd: uint16(len(v.Positions) - 1), IndexCount: uint16(len(v.Indices)), Padding: freelancer.GroupPadding}}
	return v
}

// WireShows reports whether a stored wireframe shows these lines as it is.
func WireShows(w *freelancer.VWire, v *freelancer.VMesh, lines *asset.Primitive) bool {
	if len(lines.Indices) != len(w.Indices)/2*2 {
		return false
	}
	for i, k := range lines.Indices {
		at := v.Positions[int(w.VertexStart)+int(w.Indices[i])]
		for axis, x := range lines.Positions[k] {
			if x != at[axis] && !(math.Abs(float64(x-at[axis])) <= 2*scene.EditorTolerance.Position*(1+math.Abs(float64(x)))) && x == x {
				return false
			}
		}
	}
	return true
}

// WireOn returns a wireframe with the given lines between vertices of a mesh, or nil if a line ends elsewhere.
func WireOn(v *freelancer.VMesh, crc uint32, lines *asset.Primitive) *freelancer.VWire {
	number := map[[3]float32]int{}
	for i, at := range v.Positions {
		if _, known := number[at]; !known {
			number[at] = i
		}
	}
	var list []int
	for _, i := range lines.Indices {
		k, ok := number[lines.Positions[i]]
		if !ok {
			return nil
		}
		list = append(list, k)
	}
	low, high, distinct := slices.Min(list), slices.Max(list), map[int]bool{}
	w := &freelancer.VWire{Size: freelancer.WireHeader, Mesh: crc, VertexStart: uint16(low), VertexRange: uint16(high - low + 1)}
	for _, k := range list {
		distinct[k] = true
		w.Indices = append(w.Indices, uint16(k-low))
	}
	w.VertexCount = uint16(len(distinct))
	return w
}

// Follow is what became of the lines of a wireframe when its mesh was edited.
type Follow struct {
	Lines *asset.Primitive // with their ends where the vertices of the mesh are now
	Lost  int              // lines that are left out, because a vertex is gone
	Torn  int              // lines with an end that no vertex of the mesh leads, while the other went along
	Whole bool             // the edited mesh has the triangles that it had, and no more
}

// Followed lets lines follow the vertices of a mesh from where they were to where they are after an edit.
func Followed(lines *asset.Primitive, base, edited *asset.Mesh) Follow {
	f := &follower{there: map[[3]float32]bool{}, moved: map[[3]float32][3]float32{}, gone: map[[3]float32]bool{}}
	for _, p := range edited.Primitives {
		for _, v := range p.Positions {
			f.there[v] = true
		}
	}
	a, order := surfaces(base)
	b, more := surfaces(edited)
	whole := !slices.ContainsFunc(more, func(k surfaceKey) bool { return a[k] == nil })
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
	out := f.lines(lines)
	out.Whole = whole
	return out
}

// follower knows where the vertices of a mesh went that somebody edited.
type follower struct {
	there map[[3]float32]bool       // wherever in the edited mesh: a surface may wear another material now
	moved map[[3]float32][3]float32 // where those are that are still there
	gone  map[[3]float32]bool
}

func (f *follower) loses(v [3]float32) { f.gone[v] = f.gone[v] || !f.there[v] }

// stays reports whether all of a surface is in the edited mesh, and nothing of it in what wears its material now.
func (f *follower) stays(x, worn *asset.Primitive) bool {
	return !slices.ContainsFunc(x.Positions, func(v [3]float32) bool { return !f.there[v] || slices.Contains(worn.Positions, v) })
}

// surface notes where the vertices of a surface are, and reports whether the edited one has all of its triangles.
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
func (f *follower) lines(lines *asset.Primitive) (out Follow) {
	out.Lines = &asset.Primitive{Mode: asset.Lines, Indices: []uint32{}}
	number := map[[3]float32]uint32{}
	for i := 0; i+2 <= len(lines.Indices); i += 2 {
		a, b := f.end(lines.Positions[lines.Indices[i]]), f.end(lines.Positions[lines.Indices[i+1]])
		if a.gone || b.gone {
			out.Lost++
			continue
		}
		if a.strange && b.moved || a.moved && b.strange {
			out.Torn++
		}
		for _, v := range [][3]float32{a.at, b.at} {
			n, known := number[v]
			if !known {
				n = uint32(len(out.Lines.Positions))
				number[v] = n
				out.Lines.Positions = append(out.Lines.Positions, v)
			}
			out.Lines.Indices = append(out.Lines.Indices, n)
		}
	}
	return out
}

// end is what became of one end of a line.
type end struct {
	at                   [3]float32
	moved, strange, gone bool // strange is one that was no vertex of the mesh: wireframes may use those of lower levels too
}

func (f *follower) end(v [3]float32) end {
	if at, known := f.moved[v]; known {
		return end{at: at, moved: at != v}
	}
	gone, known := f.gone[v]
	return end{at: v, gone: gone, strange: !known}
}
