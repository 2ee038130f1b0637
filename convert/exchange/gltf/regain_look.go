package gltf

import (
	"slices"

	verbs "github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// regainLooks returns the materials that ride with the scene for what is hidden, by their numbers: see keepLooks.
func (d *decoder) regainLooks() map[int]*asset.Material {
	_, u := split(d.sceneExtras())
	r := d.child(d.child(u, keyAsset), keyKept)
	if r == nil {
		return nil
	}
	s, err := d.small(r)
	numbers := wholeNumbers(r, "materials")
	if err == nil && len(numbers) != len(s.Materials) {
		err = schema.Errorf(formatName, schema.ErrMismatch, "materials", "%d numbers for %d materials", len(numbers), len(s.Materials))
	}
	if err != nil {
		d.diag.Warnf("bad-kept", "scenes", "the materials of what is not shown cannot be read, and are left out: %v", err)
		return nil
	}
	looks := map[int]*asset.Material{}
	for i, m := range s.Materials {
		looks[numbers[i]] = m
	}
	return looks
}

// lend gives the stand-ins of a small file what rides with the scene for them.
func (known *regained) lend(d *decoder, owner *asset.Node, s *asset.Scene, at []int) {
	for i, m := range s.Materials {
		if i >= len(at) || at[i] >= 0 {
			continue
		}
		if x := known.looks[-1-at[i]]; x != nil && x.Name == m.Name {
			*m = *x // the first of them becomes the scene's
			continue
		}
		if m.Unseen = true; known.gone[m.Name] {
			continue
		}
		known.gone[m.Name] = true
		d.diag.Warnf("bad-kept", owner.Name, "what is kept of it and not shown wears the material %q, which stood in the scene's extras and is gone", m.Name)
	}
}

// regainMaterials gives meshes the materials of the file around them, and that file those that only hidden meshes wear.
func (d *decoder) regainMaterials(s *asset.Scene, at []int, known *regained) {
	to := map[*asset.Material]*asset.Material{}
	for i, m := range s.Materials {
		switch {
		case i >= len(at):
		case at[i] >= 0:
			if x := d.materialOf(m.Name, at[i]); x != nil {
				to[m] = x
				continue
			}
			m.Unseen = true
		default:
			own := -1 - at[i]
			if x := known.materials[own]; x != nil && x.Name == m.Name {
				to[m] = x
				continue
			} else if x == nil {
				known.materials[own] = m
				known.wear(d.s, m)
				continue
			}
		}
		d.s.Materials = append(d.s.Materials, m)
		known.wear(d.s, m)
	}
	for _, m := range s.Meshes {
		for _, p := range m.Primitives {
			if x := to[p.Material]; x != nil {
				p.Material = x
			}
		}
	}
}

// wear gives a scene the textures of a material.
func (*regained) wear(s *asset.Scene, m *asset.Material) {
	for _, r := range texturesOf(m) {
		if !slices.Contains(s.Textures, r.Texture) {
			s.Textures = append(s.Textures, r.Texture)
		}
	}
}

// materialOf returns the material that hidden meshes refer to by number and name, or nil if it was removed. Editors
// reorder, rename and copy materials, so the number is stored in the material itself. GLBs of earlier versions have names
// only.
func (d *decoder) materialOf(name string, number int) *asset.Material {
	of := d.numbered[number]
	if len(of) == 0 {
		of = d.materials
	}
	for _, is := range []func(m *asset.Material) bool{
		func(m *asset.Material) bool { return m.Name == name },
		func(m *asset.Material) bool { return verbs.NameKey(m.Name) == verbs.NameKey(name) },
		func(m *asset.Material) bool { return m.Native != nil && verbs.ShownText(m.Native, "name") == name },
	} {
		if i := slices.IndexFunc(of, is); i >= 0 {
			return of[i]
		}
	}
	if len(d.numbered[number]) > 0 {
		return d.numbered[number][0] // somebody renamed it
	}
	return nil
}
