package scene

import (
	"slices"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// mapping makes a set of texture coordinates of another one.
type mapping struct {
	from, to int
	by       asset.TextureTransform
}

// maxMapped bounds the sets that mapped coordinates make: no target has more.
const maxMapped = 8

// mapTextures carries out the transforms of texture coordinates that materials ask for. The set of a texture becomes the
// mapped one where every texture of the material takes it so, and a further set is made otherwise.
func mapTextures(s *asset.Scene, d *schema.Diagnostics) {
	plans := map[*asset.Material][]mapping{}
	for _, m := range s.Materials {
		if slices.ContainsFunc(references(m), func(r *asset.TextureRef) bool { return r.Transform != nil }) {
			plans[m] = planOf(m, setsOf(s, m), d)
		}
	}
	made := map[mappedSet][][2]float32{}
	for _, m := range s.Meshes {
		for _, p := range m.Primitives {
			plan := plans[p.Material]
			if len(plan) == 0 {
				continue
			}
			if load := p.Load; load != nil {
				p.Load = func() (*asset.Primitive, error) {
					whole, err := load()
					if err == nil {
						mapSets(whole, plan, map[mappedSet][][2]float32{})
					}
					return whole, err
				}
			}
			mapSets(p, plan, made)
		}
	}
}

// setsOf returns the most sets that primitives of a material have.
func setsOf(s *asset.Scene, m *asset.Material) int {
	n := 0
	for _, mesh := range s.Meshes {
		for _, p := range mesh.Primitives {
			if p.Material == m {
				n = max(n, len(p.TexCoords))
			}
		}
	}
	return n
}

// planOf decides which sets a material's textures shall use, and takes the transforms off.
func planOf(m *asset.Material, sets int, d *schema.Diagnostics) (plan []mapping) {
	taken := map[int]bool{} // sets that are used as they are, or are mapped already
	for _, r := range references(m) {
		if r.Transform == nil {
			taken[r.TexCoord] = true
		}
	}
	for _, r := range references(m) {
		if r.Transform == nil {
			continue
		}
		x := mapping{from: r.TexCoord, to: r.TexCoord, by: *r.Transform}
		if k := slices.IndexFunc(plan, func(p mapping) bool { return p.from == x.from && p.by == x.by }); k >= 0 {
			r.TexCoord, r.Transform = plan[k].to, nil
			continue
		}
		if taken[x.to] {
			if x.to, sets = sets, sets+1; x.to >= maxMapped {
				d.Lossf("texture-transform", m.Name, "the transform of %q is left out: there are too many", r.Texture.Name)
				r.Transform = nil
				continue
			}
		}
		taken[x.to] = true
		plan = append(plan, x)
		r.TexCoord, r.Transform = x.to, nil
	}
	return plan
}

// mappedSet identifies a set that was mapped: primitives that share one go on sharing.
type mappedSet struct {
	first *[2]float32
	n     int
	by    asset.TextureTransform
}

// mapSets gives a primitive the mapped sets.
func mapSets(p *asset.Primitive, plan []mapping, made map[mappedSet][][2]float32) {
	was := p.TexCoords
	p.TexCoords = slices.Clone(was)
	for _, x := range plan {
		if x.from >= len(was) || len(was[x.from]) == 0 {
			continue
		}
		key := mappedSet{&was[x.from][0], len(was[x.from]), x.by}
		if made[key] == nil {
			made[key] = x.by.Apply(was[x.from])
		}
		for len(p.TexCoords) <= x.to {
			p.TexCoords = append(p.TexCoords, make([][2]float32, len(was[x.from])))
		}
		p.TexCoords[x.to] = made[key]
	}
}
