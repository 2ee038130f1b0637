package freelancer

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/game"
	"github.com/usher-assets/usher/convert/freelancer/library"
)

// knowledgeKey is what the knowledge of a game is shared under: its folder.
type knowledgeKey struct{ root string }

// knowledgeOf returns what the INI files of the game that a model lies in say, over the installed games that the user named, and
// the model's path there; nil where it lies in none.
func knowledgeOf(env *format.Env) (k *game.Knowledge, model string) {
	tree, ok := env.Files.(format.FileTree)
	if !ok {
		return nil, ""
	}
	data := library.DataFolder(tree.Home())
	if data == "" {
		return nil, ""
	}
	root := filepath.Dir(data)
	rel, err := filepath.Rel(data, filepath.Join(tree.Home(), env.Name))
	if err != nil {
		return nil, ""
	}
	read := tree.Shared(knowledgeKey{root}, func() any {
		return sync.OnceValue(func() *game.Knowledge { return readGame(tree, root, env.Options.Install) })
	}).(func() *game.Knowledge)
	return read(), game.Data + "/" + filepath.ToSlash(rel)
}

// readGame reads the INI files of a game that lies over installed ones; nil where they cannot be read.
func readGame(tree format.FileTree, root string, installs []string) *game.Knowledge {
	roots := []string{root}
	for _, name := range installs {
		folder, ok := tree.Folder(name)
		if data := library.DataFolder(folder); ok && data == folder {
			folder = filepath.Dir(data)
		}
		if ok && folder != root {
			roots = append(roots, folder)
		}
	}
	var layers []format.Layer
	for _, root := range roots {
		files, err := tree.FS(root)
		if err != nil {
			return nil
		}
		layers = append(layers, format.Layer{FS: files})
	}
	g, err := format.NewGame(playedFrom, layers...)
	if err != nil {
		return nil
	}
	return game.Of(g)
}

// aboutFile tells which INI records play a sound.
func aboutFile(env *format.Env) (facts []format.Fact) {
	k, path := knowledgeOf(env)
	if k == nil {
		return nil
	}
	for _, s := range k.Naming(path) {
		facts = append(facts, recordFact(s))
	}
	return facts
}

// recordFact tells of a record that has a file as its own.
func recordFact(s *game.Section) format.Fact {
	return format.Fact{Name: "record", Value: fmt.Sprintf("%s, in %s", s.Title(), s.File.Path)}
}

// recordFacts tells what the INI records that have the model say of it: the distances beside its levels of detail, and the
// hardpoints that it lacks for them and for their loadouts.
func (m *model) recordFacts() (facts []format.Fact) {
	k, path := knowledgeOf(m.env)
	if k == nil {
		return nil
	}
	for _, s := range k.Naming(path) {
		facts = append(facts, recordFact(s))
		if e := s.Get("LODranges"); e != nil {
			facts = append(facts, format.Fact{Name: "  LODranges", Value: fmt.Sprintf("%s: for %d of %d levels", e, max(len(e.Values)-1, 0), m.levels())})
		}
		if missing := m.lacks(k, s); len(missing) > 0 {
			facts = append(facts, format.Fact{Name: "  missing hardpoints", Value: missing})
		}
	}
	return facts
}

// levels returns the most levels of detail that a part has.
func (m *model) levels() (most int) {
	for _, p := range m.parts {
		most = max(most, len(p.levels))
	}
	return most
}

// lacks returns the hardpoints that a record wants of the model, or its collision groups and loadouts, and the model does not
// have.
func (m *model) lacks(k *game.Knowledge, record *game.Section) (list []string) {
	have := map[string]bool{}
	for _, p := range m.parts {
		for _, h := range p.hardpoints {
			have[strings.ToLower(h.h.Name)] = true
		}
	}
	for _, f := range k.Files {
		for _, s := range f.Sections {
			if s != record && !s.Is("Loadout", "CollisionGroup") || !slices.Contains(k.Wearers(s), record) {
				continue
			}
			for _, x := range s.Hardpoints() {
				if !have[strings.ToLower(x.Name)] {
					list = append(list, x.Name+" of "+s.Title())
				}
			}
		}
	}
	return list
}
