package game

import (
	"bytes"
	"encoding/binary"
	"path"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/freelancer"
)

// Loaded says which libraries the game loads with models: paths below DATA in lower case with slashes, by that of the model.
type Loaded map[string][]string

// modelKey and libraryKey are what records name their model and its libraries by, soundKey what a [Sound] names its file by.
const (
	modelKey   = "DA_archetype"
	soundKey   = "file"
	libraryKey = "material_library"
)

// Words returns what stands in an INI file, in lower case: of a compiled one that is its table of strings.
func Words(b []byte) []byte {
	if at := freelancer.BINIHeader; bytes.HasPrefix(b, []byte(freelancer.BINIMagic)) && len(b) >= at {
		b = b[min(int64(binary.LittleEndian.Uint32(b[at-4:])), int64(len(b))):]
	}
	return bytes.ToLower(b)
}

// HasLibraries reports whether an INI file of some words may have records with libraries.
func HasLibraries(words []byte) bool { return bytes.Contains(words, []byte(libraryKey)) }

// Add takes the records of an INI file. One that cannot be read has none.
func (l Loaded) Add(b []byte) {
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
