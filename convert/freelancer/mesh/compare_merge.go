package mesh

import (
	"math"
	"slices"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
)

// Merged returns an edited mesh as it is stored: in the order of the original, whose primitives stay as they were where
// they look the same. Of others, the vertices that nobody touched are those of the original, since editors round them,
// and split them where they need not.
func Merged(base, edited *asset.Mesh) *asset.Mesh {
	a, order := surfaces(base)
	b, more := surfaces(edited)
	out := &asset.Mesh{Name: edited.Name}
	take := func(m *asset.Mesh, which []int) {
		for _, i := range which {
			out.Primitives = append(out.Primitives, m.Primitives[i])
		}
	}
	for _, k := range order {
		x := joined(base, a[k])
		if b[k] == nil {
			if showsNothing(x) {
				take(base, a[k])
			}
			continue
		}
		y := joined(edited, b[k])
		if k.mode != asset.Triangles {
			take(edited, b[k])
			continue
		}
		m := scene.Match(x, y, scene.EditorTolerance)
		if m.Same && sameColors(x, y, m) && len(y.TexCoords) == len(x.TexCoords) {
			take(base, a[k])
			continue
		}
		out.Primitives = append(out.Primitives, snapped(x, y, m))
	}
	for _, k := range more {
		if a[k] == nil {
			take(edited, b[k])
		}
	}
	return out
}

// snapped returns an edited surface with the values of the original wherever they are the same up to what editors make
// of them.
func snapped(base, edited *asset.Primitive, m *scene.Matching) *asset.Primitive {
	out := *edited
	out.Positions, out.Normals = slices.Clone(edited.Positions), slices.Clone(edited.Normals)
	out.Colors, out.TexCoords = slices.Clone(edited.Colors), slices.Clone(edited.TexCoords)
	for set, uv := range out.TexCoords {
		out.TexCoords[set] = slices.Clone(uv)
	}
	tol := scene.EditorTolerance
	reach := tol.Position * scene.Extent(base.Positions)
	for i, v := range m.Vertices {
		if v < 0 {
			continue
		}
		if near(base.Positions[v][:], edited.Positions[i][:], func(float64) float64 { return reach }) {
			out.Positions[i] = base.Positions[v]
		}
		if base.Normals != nil && edited.Normals != nil && sameNormal(base.Normals[v], edited.Normals[i], tol.Normal) {
			out.Normals[i] = base.Normals[v]
		}
		for set := range min(len(base.TexCoords), len(edited.TexCoords)) {
			if edited.TexCoords[set] == nil || base.TexCoords[set] == nil {
				continue // a set that the scene leaves out
			}
			if nearOf(base.TexCoords[set][v][:], edited.TexCoords[set][i][:], tol.TexCoord) {
				out.TexCoords[set][i] = base.TexCoords[set][v]
			}
		}
		if base.Colors != nil && edited.Colors != nil && scene.SameColor(base.Colors[v][:], edited.Colors[i][:]) {
			out.Colors[i] = base.Colors[v]
		}
	}
	return &out
}

// near compares values; limit tells how far one of a size may be off.
func near(stored, visible []float32, limit func(size float64) float64) bool {
	for k, a := range stored {
		if a-a != 0 {
			a = 0 // as glTF has it
		}
		if !(math.Abs(float64(a)-float64(visible[k])) <= limit(math.Abs(float64(a)))) {
			return false
		}
	}
	return true
}

// nearOf is [near] for a share of the size, which is 1 at the least.
func nearOf(stored, visible []float32, share float64) bool {
	return near(stored, visible, func(size float64) float64 { return share * max(1, size) })
}
