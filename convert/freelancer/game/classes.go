package game

import (
	"regexp"
	"strings"

	"github.com/usher-assets/usher/schema/freelancer"
)

// Engine is the file that says which classes materials get, and materialMap its section that does (reference section 11).
const (
	Engine      = "EXE/dacom.ini"
	materialMap = "MaterialMap"
)

// Classes says which class the game makes of a material: its type, or what a line of the map names in its place.
type Classes []classRule

// classRule is a line of the map: it is for a type, or for names.
type classRule struct {
	typ   string
	name  *regexp.Regexp // nil for the rule of a type
	class string
}

// Classes returns the map of a game, and whether it is at hand.
func (k *Knowledge) Classes() (list Classes, ok bool) {
	at, ok := k.Game.Find(Engine)
	if !ok {
		return nil, false
	}
	for _, s := range k.read(at, "").Sections {
		if !s.Is(materialMap) {
			continue
		}
		for i := range s.Entries {
			list = list.with(&s.Entries[i])
		}
	}
	return list, true
}

// with adds a line of the map: TYPE = CLASS, or name = PATTERN = CLASS. One that means nothing is left out.
func (l Classes) with(e *Entry) Classes {
	if !strings.EqualFold(e.Key, "name") {
		return append(l, classRule{typ: e.Key, class: e.String()})
	}
	pattern, class, ok := strings.Cut(e.String(), "=")
	name, err := regexp.Compile("(?i)" + strings.TrimSpace(pattern))
	if !ok || err != nil {
		return l
	}
	return append(l, classRule{name: name, class: strings.TrimSpace(class)})
}

// Of returns the class of a material. The last line that fits counts.
func (l Classes) Of(m *freelancer.Material) string {
	for i := len(l) - 1; i >= 0; i-- {
		r := &l[i]
		if r.name != nil && r.name.MatchString(m.Name) || r.name == nil && strings.EqualFold(r.typ, m.Type) {
			return r.class
		}
	}
	return m.Type
}
