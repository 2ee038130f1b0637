package game

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/format"
)

// Loaded says which libraries the game loads with models: paths below DATA in lower case with slashes, by that of the model.
type Loaded map[string][]string

// modelKey and libraryKey are what records name their model and its libraries by.
const (
	modelKey   = "DA_archetype"
	libraryKey = "material_library"
)

// Add takes the records of an INI file. One that cannot be read has none.
func (l Loaded) Add(b []byte) {
	if !bytes.Contains(bytes.ToLower(b), []byte(strings.ToLower(libraryKey))) {
		return
	}
	for _, s := range newFile(format.GameFile{}, b).Sections {
		model := Path(s.Text(modelKey))
		for _, e := range s.All(libraryKey) {
			if name := Path(e.Text(0)); model != "" && name != "" && !slices.Contains(l[model], name) {
				l[model] = append(l[model], name)
			}
		}
	}
}

// Path returns the name of a file as [Loaded] has it; empty for one that leads out of DATA.
func Path(name string) string {
	clean := path.Clean("/" + strings.ReplaceAll(name, `\`, "/"))
	return strings.ToLower(strings.TrimPrefix(clean, "/"))
}
