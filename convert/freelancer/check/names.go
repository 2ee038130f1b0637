package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/game"
)

// archetypes are the keys of freelancer.ini whose sections have one list of nicknames, whatever they are.
var archetypes = []string{"ships", "solar", "equipment"}

// checkNames looks for nicknames that two records of one kind have. Records of one kind are sections of one name in the files
// that one key of freelancer.ini names.
func (c *checker) checkNames() {
	first := map[[3]string]*game.Section{}
	for _, f := range c.Files {
		if f.Key == "" {
			continue
		}
		for _, s := range f.Sections {
			name := s.Nickname()
			if name == "" {
				continue
			}
			key := [3]string{f.Key, strings.ToLower(s.Name), strings.ToLower(name)}
			if c.Config != nil && slices.Contains(archetypes, f.Key) {
				key[1] = ""
			}
			if other := first[key]; other != nil {
				f := c.tell(nicknameTwice, s, s.Get("nickname"), name, "%s is the nickname of %s as well", name, placeOf(other))
				f.About = []string{other.File.Path}
				if same(s, other) && endsAt(s) {
					edit := game.Edit{Section: s, Remove: true}
					f.Mend = &format.Mend{Words: "this one, which is the same, is taken out", Apply: edit.Apply}
				}
				continue
			}
			first[key] = s
		}
	}
}

// same reports whether two sections say the same.
func same(a, b *game.Section) bool {
	return a.Is(b.Name) && slices.EqualFunc(a.Entries, b.Entries, func(x, y game.Entry) bool {
		return strings.EqualFold(x.Key, y.Key) && slices.Equal(x.Values, y.Values)
	})
}

// endsAt reports whether nothing belongs to a section that stands behind it, as a collision group does.
func endsAt(s *game.Section) bool {
	rest := s.File.Sections[s.Number+1:]
	return len(rest) == 0 || rest[0].Nickname() != ""
}

// placeOf says where another section is.
func placeOf(s *game.Section) string {
	place := "[" + s.Name + "] in " + inData(s.File.GameFile)
	if s.Line > 0 {
		place += fmt.Sprintf(", line %d", s.Line)
	}
	return place
}
