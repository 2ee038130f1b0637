package restore

import (
	"maps"
	"slices"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
)

// Colors returns a surface with the original colours of its corners, after an editor has mixed them up
// ([SpoilsColors]): Blender 3.4 writes for a corner the colour of the corner whose number is that of its vertex. If the
// order of triangles and corners is kept, the k-th corner gets the colour of the k-th, and a vertex of its own. Otherwise
// each corner gets the colour of the nearest one.
func Colors(original, surface *asset.Primitive, tol scene.Tolerance) *asset.Primitive {
	if surface.Colors == nil {
		return surface
	}
	out := *surface
	if original.Colors == nil {
		out.Colors = nil
		return &out
	}
	if a, b := scene.Indices(original), scene.Indices(surface); sameCorners(original, surface, a, b, tol) {
		out = *unshared(surface)
		for i, v := range a {
			out.Colors[i] = original.Colors[v]
		}
		return &out
	}
	blind := out
	blind.Colors = nil
	m := scene.Match(original, &blind, tol)
	out.Colors = slices.Clone(surface.Colors)
	for i, v := range m.Vertices {
		if v >= 0 {
			out.Colors[i] = original.Colors[v]
		}
	}
	return &out
}

// NoNormal is the normal that Blender writes for a corner whose normal it could not keep.
var NoNormal = [3]float32{0, 1, 0}

// Normals returns a surface with the original normals at corners where an editor wrote [NoNormal], and the number of
// vertices restored. If all corners of a triangle now point up, a person has probably turned them, and they stay.
func Normals(original, surface *asset.Primitive, tol scene.Tolerance) (*asset.Primitive, int) {
	if original.Normals == nil || !slices.Contains(surface.Normals, NoNormal) {
		return surface, 0
	}
	out, of := cornersOf(original, surface, tol)
	now := scene.Indices(out)
	lost := func(k int) bool {
		return of[k] >= 0 && out.Normals[now[k]] == NoNormal && original.Normals[of[k]] != NoNormal
	}
	restored, turned := map[uint32]int{}, map[uint32]bool{}
	for k := 0; k+3 <= len(now); k += 3 {
		whole := lost(k) && lost(k+1) && lost(k+2)
		for c := k; c < k+3; c++ {
			if turned[now[c]] = turned[now[c]] || whole; lost(c) {
				restored[now[c]] = of[c]
			}
		}
	}
	maps.DeleteFunc(restored, func(v uint32, _ int) bool { return turned[v] })
	if len(restored) == 0 {
		return surface, 0
	}
	out.Normals = slices.Clone(out.Normals)
	for v, from := range restored {
		out.Normals[v] = original.Normals[from]
	}
	return out, len(restored)
}

// cornersOf returns a copy of a surface, and for each of its corners the vertex of the original that it is, whatever its normal:
// −1 for none.
func cornersOf(original, surface *asset.Primitive, tol scene.Tolerance) (*asset.Primitive, []int) {
	was, now := scene.Indices(original), scene.Indices(surface)
	of := make([]int, len(now))
	if sameCorners(original, surface, was, now, tol) {
		for k, v := range was {
			of[k] = int(v)
		}
		return unshared(surface), of
	}
	out := *surface
	blind := out
	blind.Normals = nil
	m := scene.Match(original, &blind, tol)
	for k, v := range now {
		of[k] = m.Vertices[v]
	}
	return &out, of
}

// sameCorners reports whether the corners of two surfaces are in the same places, one after the other.
func sameCorners(a, b *asset.Primitive, ai, bi []uint32, tol scene.Tolerance) bool {
	if len(ai) != len(bi) {
		return false
	}
	near := scene.NearOn(a.Positions, tol)
	for i := range ai {
		if !near(a.Positions[ai[i]], b.Positions[bi[i]]) {
			return false
		}
	}
	return true
}

// unshared returns a primitive with a vertex for each corner.
func unshared(p *asset.Primitive) *asset.Primitive {
	idx := scene.Indices(p)
	q := *p
	q.Indices = make([]uint32, len(idx))
	for i := range q.Indices {
		q.Indices[i] = uint32(i)
	}
	q.Positions, q.Normals, q.Tangents, q.Colors = pick(p.Positions, idx), pick(p.Normals, idx), pick(p.Tangents, idx), pick(p.Colors, idx)
	q.TexCoords, q.Joints, q.Weights = pickAll(p.TexCoords, idx), pickAll(p.Joints, idx), pickAll(p.Weights, idx)
	q.Custom, q.Targets = slices.Clone(p.Custom), slices.Clone(p.Targets)
	for i, c := range p.Custom {
		values := make([]float32, 0, c.Components*len(idx))
		for _, v := range idx {
			values = append(values, c.Values[int(v)*c.Components:(int(v)+1)*c.Components]...)
		}
		q.Custom[i].Values = values
	}
	for i, t := range p.Targets {
		q.Targets[i] = asset.Target{Positions: pick(t.Positions, idx), Normals: pick(t.Normals, idx), Tangents: pick(t.Tangents, idx)}
	}
	return &q
}

func pick[T any](v []T, idx []uint32) []T {
	if v == nil {
		return nil
	}
	out := make([]T, len(idx))
	for i, k := range idx {
		out[i] = v[k]
	}
	return out
}

func pickAll[T any](sets [][]T, idx []uint32) [][]T {
	if sets == nil {
		return nil
	}
	out := make([][]T, len(sets))
	for i, v := range sets {
		out[i] = pick(v, idx)
	}
	return out
}
