package worktree

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/engine/interchange"
)

// companions returns the names of the files of the folder that a glTF file takes its buffers and pictures from: they are
// part of it, and no entries of their own.
func (x *packing) companions(name string) (names []string) {
	if ext := strings.ToLower(path.Ext(name)); ext != ".gltf" && ext != ".glb" {
		return nil
	}
	local, err := localName(name)
	if err != nil {
		return nil
	}
	b, err := x.Loader.ReadFile(filepath.Join(x.dir, local))
	if err != nil {
		return nil // which is told when it is packed
	}
	for _, uri := range interchange.Beside(name, b) {
		beside := path.Join(path.Dir(name), filepath.ToSlash(uri))
		if beside != name && filepath.IsLocal(filepath.FromSlash(beside)) && !slices.Contains(names, beside) {
			names = append(names, beside)
		}
	}
	return names
}

// withCompanions gives new files that belong to a glTF file to its entry, so that an edit of one of them is one of it, and
// returns the others.
func (x *packing) withCompanions(added []string, states []fileState) (rest []string) {
	belong := map[string]bool{}
	for _, name := range added {
		for _, beside := range x.companions(name) {
			belong[beside] = true
		}
	}
	if len(added) > 0 {
		for i := range states {
			e := &x.manifest.Entries[i]
			if len(e.Files) == 0 || !strings.EqualFold(path.Ext(e.Files[0].Name), ".gltf") || len(states[i].gone) > 0 {
				continue
			}
			for _, beside := range x.companions(e.Files[0].Name) {
				if slices.Contains(added, beside) {
					belong[beside] = true
					e.Files = append(e.Files, ManifestFile{Name: beside})
					states[i].more = true
				}
			}
		}
	}
	for _, name := range added {
		if !belong[name] {
			rest = append(rest, name)
		} else {
			x.diagnostics.Notef("companion", name, "it is part of a glTF file, and no entry of its own")
		}
	}
	return rest
}
