package check

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/game"
	"github.com/usher-assets/usher/schema/freelancer"
)

// checkModel looks for all that a model draws and wears.
func (c *checker) checkModel(m *worn) {
	missing := map[uint32]bool{}
	worn := map[uint32]string{}
	for i := range m.draws {
		ref := &m.draws[i]
		groups, ok := m.meshes[ref.Mesh]
		if !ok && len(c.held.meshes[ref.Mesh]) > 0 {
			groups, ok = c.held.meshes[ref.Mesh][0].meshes[ref.Mesh], true
		}
		if !ok && !missing[ref.Mesh] {
			missing[ref.Mesh] = true
			name := freelancer.Hash(ref.Mesh).String()
			c.tellModel(meshMissing, m, "VMeshRef", name, "the mesh %s is in none of the libraries", name)
		}
		from, to := min(int(ref.GroupStart), len(groups)), min(int(ref.GroupStart)+int(ref.GroupCount), len(groups))
		for _, crc := range groups[from:to] {
			worn[crc] = freelancer.Hash(crc).String()
		}
	}
	for name := range m.wears {
		worn[freelancer.FLCRC(name)] = name
	}
	near := c.near(m)
	for _, crc := range slices.Sorted(maps.Keys(worn)) {
		c.checkMaterial(m, near, crc, worn[crc])
	}
}

// near returns what the game loads with a model: its own libraries, and those that its records name.
func (c *checker) near(m *worn) []*tree {
	list := []*tree{m.tree}
	for _, u := range m.by {
		for _, at := range c.Libraries(u.section) {
			if t := c.tree(at); !slices.Contains(list, t) {
				list = append(list, t)
			}
		}
	}
	return list
}

// checkMaterial looks for a material that a model wears, and for the textures of it.
func (c *checker) checkMaterial(m *worn, near []*tree, crc uint32, name string) {
	var from *tree
	var material *freelancer.Material
	for _, t := range slices.Concat(near, c.held.materials[crc]) {
		if material = t.materials[crc]; material != nil {
			from = t
			break
		}
	}
	if material == nil {
		c.tellModel(materialMissing, m, "", name, "the material %s is in none of the libraries", name)
		return
	}
	if !slices.Contains(near, from) {
		c.tellUnnamed(m, crc, material.Name)
	}
	for _, texture := range texturesOf(material) {
		if len(c.held.textures[freelancer.FLCRC(texture)]) == 0 { // the game has one table of them for all
			c.tellTexture(m, from, material.Name, texture)
		}
	}
}

// tellTexture tells that no library has a texture that a material of a file shows: once, with the models that wear it.
func (c *checker) tellTexture(m *worn, from *tree, material, texture string) {
	key := shown{from, material, texture}
	at, ok := c.shown[key]
	if !ok {
		at = len(c.found)
		c.shown[key] = at
		c.tellFile(textureMissing, from.at, material, texture, "the texture %s of the material %s is in none of the libraries", texture, material)
	}
	f := &c.found[at]
	if m.tree == from {
		f.About = append(f.About, c.abouts(m)...)
	} else {
		f.About = append(f.About, m.at.Path)
	}
}

// texturesOf returns the textures that a material shows.
func texturesOf(m *freelancer.Material) (list []string) {
	for _, p := range m.Properties {
		if p.Kind == freelancer.TextProperty && p.Text != "" && !freelancer.SameName(p.Name, "Type") && !slices.Contains(list, p.Text) {
			list = append(list, p.Text)
		}
	}
	return list
}

// tellModel adds a finding about a model.
func (c *checker) tellModel(k *format.FindingKind, m *worn, entry, name, text string, args ...any) *format.Finding {
	f := c.tellFile(k, m.at, entry, name, text, args...)
	f.About = c.abouts(m)
	return f
}

// maxAbouts is how many of the files that name a model are told.
const maxAbouts = 8

// abouts returns the files that name a model.
func (c *checker) abouts(m *worn) []string {
	if m.about == nil {
		for _, u := range m.by {
			if len(m.about) < maxAbouts && !slices.Contains(m.about, u.section.File.Path) {
				m.about = append(m.about, u.section.File.Path)
			}
		}
	}
	return slices.Clone(m.about)
}

// tellUnnamed tells that a record which has the model as its own does not name the library of a material that the model wears.
func (c *checker) tellUnnamed(m *worn, crc uint32, name string) {
	records := c.Naming(m.at.Path)
	if len(records) == 0 {
		return
	}
	var has []string
	for _, t := range c.held.materials[crc] {
		has = append(has, inData(t.at))
	}
	s := records[0]
	f := c.tell(libraryUnnamed, s, s.Get("DA_archetype"), name, "the model wears the material %s of %s, which the record does not load", name, list(has, "or"))
	f.About = []string{m.at.Path}
	if len(has) > 1 || !slices.Contains(libraries, game.Extension(has[0])) || c.mended[s] == has[0] {
		return
	}
	c.mended[s] = has[0] // of several materials of one library the first says it
	value := strings.ReplaceAll(has[0], "/", `\`)
	edit := game.Edit{Section: s, After: s.Last("material_library", "DA_archetype"), Key: "material_library", Value: value}
	f.Mend = &format.Mend{Words: "material_library = " + value + " is added", Apply: edit.Apply}
}

// list joins names to words.
func list(names []string, last string) string {
	switch n := len(names); {
	case n > 3:
		return fmt.Sprintf("%s %s %d others", strings.Join(names[:2], ", "), last, n-2)
	case n > 1:
		return strings.Join(names[:n-1], ", ") + " " + last + " " + names[n-1]
	}
	return strings.Join(names, "")
}
