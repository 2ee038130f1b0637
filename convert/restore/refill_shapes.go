package restore

import (
	"image/color"
	"slices"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
)

// mesh gives the primitives of a mesh what they lack.
func (r *refill) mesh(was, now *asset.Mesh) {
	for i, p := range now.Primitives {
		q := counterpart(was, now, i)
		if q == nil {
			continue
		}
		if p.Material != nil && q.Material != nil && !r.painted[p.Material] {
			r.painted[p.Material] = true
			r.material(q.Material, p.Material)
		}
		if p.Load != nil || q.Load != nil || p.Mode != q.Mode || len(p.Positions) == 0 || len(q.Positions) == 0 {
			continue
		}
		if len(p.TexCoords) < len(q.TexCoords) || p.Normals == nil && q.Normals != nil {
			if refillPrimitive(q, p) && p.Material != nil && q.Material != nil {
				renumber(q.Material, p.Material)
			}
		}
		if Does(r.now, RoundsToBytes) && len(p.Colors) > 0 && len(q.Colors) == len(q.Positions) {
			sharpen(q, p)
		}
	}
}

// counterpart returns the primitive of the original that the i-th of a mesh is: the one in its place, or the only one with
// the name of its material; nil for none.
func counterpart(was, now *asset.Mesh, i int) (found *asset.Primitive) {
	if len(was.Primitives) == len(now.Primitives) {
		return was.Primitives[i]
	}
	name := func(p *asset.Primitive) string {
		if p.Material == nil {
			return ""
		}
		return p.Material.Name
	}
	for _, q := range was.Primitives {
		if name(q) == name(now.Primitives[i]) {
			if found != nil {
				return nil
			}
			found = q
		}
	}
	return found
}

// refillPrimitive gives a primitive the original's attributes that it lacks. It reports whether sets of texture coordinates
// have new numbers, because programs renumber the sets that they keep.
func refillPrimitive(was, now *asset.Primitive) (renumbered bool) {
	of := vertices(was, now)
	if of == nil {
		return false
	}
	if now.Normals == nil && len(was.Normals) == len(was.Positions) {
		now.Normals = pickKnown(was.Normals, of)
	}
	if len(now.TexCoords) >= len(was.TexCoords) || slices.ContainsFunc(was.TexCoords, func(uv [][2]float32) bool { return len(uv) != len(was.Positions) }) {
		return false
	}
	var sets [][][2]float32
	for _, uv := range was.TexCoords {
		sets = append(sets, pickKnown(uv, of))
	}
	at := 0
	for i, uv := range now.TexCoords { // an edited one keeps its place
		same := func(old [][2]float32) bool { return sameSet(uv, old, of) }
		last := len(sets) - len(now.TexCoords) + i
		if k := slices.IndexFunc(sets[at:last+1], same); k > 0 {
			at, renumbered = at+k, true
		}
		sets[at] = uv
		at++
	}
	now.TexCoords = sets
	return renumbered
}

// renumber makes a material use the sets of texture coordinates that it used.
func renumber(was, now *asset.Material) {
	before := was.Textures()
	for i, r := range now.Textures() {
		if scene.Used(r) && scene.Used(before[i]) {
			r.TexCoord = before[i].TexCoord
		}
	}
}

// sameSet reports whether most texture coordinates of known vertices are the same.
func sameSet(now, was [][2]float32, of []int) bool {
	near, known := 0, 0
	for i, v := range of {
		if v >= 0 {
			known++
			if d := [2]float32{now[i][0] - was[i][0], now[i][1] - was[i][1]}; max(d[0], -d[0], d[1], -d[1]) < 1e-4 {
				near++
			}
		}
	}
	return 2*near > known
}

// vertices returns for each vertex of a primitive the one of the original that it is, −1 for none; nil when none is known.
func vertices(was, now *asset.Primitive) []int {
	if len(was.Positions) == len(now.Positions) {
		near := scene.NearOn(was.Positions, scene.EditorTolerance)
		same := true
		of := make([]int, len(now.Positions))
		for i := range of {
			of[i] = i
			same = same && near(was.Positions[i], now.Positions[i])
		}
		if same || slices.Equal(was.Indices, now.Indices) {
			return of
		}
	}
	if was.Mode != asset.Triangles {
		return nil
	}
	blind := *was
	if len(now.TexCoords) < len(was.TexCoords) {
		blind.TexCoords = nil
	}
	of := scene.Match(&blind, now, scene.EditorTolerance).Vertices
	if !slices.ContainsFunc(of, func(v int) bool { return v >= 0 }) {
		return nil
	}
	return of
}

// pickKnown is pick where −1 stands for nothing.
func pickKnown[T any](v []T, of []int) []T {
	out := make([]T, len(of))
	for i, k := range of {
		if k >= 0 {
			out[i] = v[k]
		}
	}
	return out
}

// sharpen gives vertices the colours of the original that theirs are rounded from: gltfpack has eight bits for what is
// linear.
func sharpen(was, now *asset.Primitive) {
	const half = 0.51 / 255
	of := vertices(was, now)
	colors := slices.Clone(now.Colors)
	for i, v := range of {
		if v < 0 {
			continue
		}
		near := true
		for k, x := range was.Colors[v] {
			d := x - colors[i][k]
			near = near && d <= half && d >= -half
		}
		if near {
			colors[i] = was.Colors[v]
		}
	}
	now.Colors = colors
}

// material gives a material back its picture of one colour, which programs make its own colour, and its transparency
// where nothing of it is transparent.
func (r *refill) material(was, now *asset.Material) {
	if !scene.Used(now.BaseColorTexture) && scene.Used(was.BaseColorTexture) {
		only, ok := onlyColor(was.BaseColorTexture.Texture)
		for k := range only {
			only[k] *= was.BaseColor[k]
		}
		if !ok || !scene.SameColor(only[:], now.BaseColor[:]) {
			return
		}
		ref := *was.BaseColorTexture
		now.BaseColorTexture, now.BaseColor = &ref, was.BaseColor
		if !slices.Contains(r.now.Textures, ref.Texture) {
			r.now.Textures = append(r.now.Textures, ref.Texture)
		}
	}
	if Does(r.now, RoundsToBytes) && now.Alpha == asset.Opaque && scene.Solid(was) && scene.SameColor(was.BaseColor[:], now.BaseColor[:]) {
		now.Alpha, now.AlphaCutoff = was.Alpha, was.AlphaCutoff
	}
}

// onlyColor returns the linear colour of a picture that has one only.
func onlyColor(t *asset.Texture) (c [4]float32, ok bool) {
	m := t.Base()
	if m == nil || m.Width < 1 || m.Height < 1 {
		return c, false
	}
	p := m.Image(t.Palette)
	at := func(x, y int) color.NRGBA { return color.NRGBAModel.Convert(p.At(x, y)).(color.NRGBA) }
	b := p.Bounds()
	first := at(b.Min.X, b.Min.Y)
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if at(x, y) != first {
				return c, false
			}
		}
	}
	return [4]float32{scene.Linear(float32(first.R) / 255), scene.Linear(float32(first.G) / 255), scene.Linear(float32(first.B) / 255), float32(first.A) / 255}, true
}
