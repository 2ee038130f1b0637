package restore

import (
	"reflect"
	"slices"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
)

// JoinCopies merges copies of materials. Blender makes one for each way of using a material, such as with vertex colours. A
// copy has the same Native as its original, and a name that ends in a number. If it looks different, a person made it, and
// it stays. stored returns the name under which the target knows a material, or ""; a material whose name only an editor
// has changed gets it back, unless another material has it. stored may be nil.
func JoinCopies(s *asset.Scene, stored func(m *asset.Material) string) {
	var first []*asset.Material // of each material that has copies
	to := map[*asset.Material]*asset.Material{}
	for _, m := range s.Materials {
		if m.Native == nil {
			continue
		}
		i := slices.IndexFunc(first, func(f *asset.Material) bool { return reflect.DeepEqual(f.Native, m.Native) })
		if i < 0 {
			first = append(first, m)
			continue
		}
		original, fresh := first[i], m
		if _, copied := scene.Uncopied(original.Name); copied && len(original.Name) > len(fresh.Name) {
			original, fresh = fresh, original
			first[i] = original
		}
		base, copied := scene.Uncopied(fresh.Name)
		if other, _ := scene.Uncopied(original.Name); copied && base == other && scene.SameLook(original, fresh) {
			to[fresh] = original
		}
	}
	defer giveNamesBack(s, stored)
	for m, original := range to { // a copy of what turned out to be a copy
		for to[original] != nil {
			original = to[original]
		}
		to[m] = original
	}
	for _, mesh := range s.Meshes {
		for _, p := range mesh.Primitives {
			if original := to[p.Material]; original != nil {
				p.Material = original
			}
		}
	}
	s.Materials = slices.DeleteFunc(s.Materials, func(m *asset.Material) bool { return to[m] != nil })
}

func giveNamesBack(s *asset.Scene, stored func(m *asset.Material) string) {
	if stored == nil {
		return
	}
	taken := map[string]bool{}
	for _, m := range s.Materials {
		taken[m.Name] = true
	}
	for _, m := range s.Materials {
		if name := stored(m); name != "" && !taken[name] && !scene.Renamed(name, m.Name) {
			m.Name, taken[name] = name, true
		}
	}
}
