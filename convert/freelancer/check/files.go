package check

import (
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/game"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
)

// wanted are the files that records name, by extension, and what it is when one is missing. Pictures are not among them: many
// records still have the names that they had on the makers' disks.
var wanted = map[string]*format.FindingKind{
	".cmp": modelMissing, ".3db": modelMissing, ".sph": modelMissing, ".dfm": modelMissing,
	".mat": libraryMissing, ".txm": libraryMissing, ".vms": libraryMissing,
	".ale": effectMissing, ".anm": animationMissing, ".wav": soundMissing, ".utf": soundMissing, ".thn": scriptMissing, ".ini": iniMissing,
}

// checkFiles looks for every file that an INI file names, and notes the models among them.
func (c *checker) checkFiles() {
	c.checkConfig()
	for _, f := range c.Files {
		c.checkText(f)
		for _, s := range f.Sections {
			for i := range s.Entries {
				c.checkEntry(s, &s.Entries[i])
			}
		}
	}
}

// checkConfig looks for the files that freelancer.ini names.
func (c *checker) checkConfig() {
	if c.Config == nil {
		c.tellFile(configMissing, format.GameFile{Path: game.Config, Name: game.Config}, "", game.Config, "it is not there: every INI file counts as one that the game reads")
		return
	}
	for _, s := range c.Config.Sections {
		for i := range s.Entries {
			if e := &s.Entries[i]; s.Is(game.ConfigData) {
				c.checkEntry(s, e)
			}
		}
	}
}

// checkText tells what is wrong with an INI file itself.
func (c *checker) checkText(f *game.File) {
	for _, err := range faults(f.Err) {
		k := lineUnread
		if len(f.Sections) == 0 {
			k = unreadable
		}
		var at *schema.FormatError
		found := c.tellFile(k, f.GameFile, "", "", "%v", err)
		if errors.As(err, &at) {
			found.Entry, found.Msg = at.Path, at.Msg
		}
	}
}

// faults returns the faults that an error stands for.
func faults(err error) []error {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		return several.Unwrap()
	}
	if err == nil {
		return nil
	}
	return []error{err}
}

func (c *checker) checkEntry(s *game.Section, e *game.Entry) {
	if strings.EqualFold(e.Key, "nickname") {
		return
	}
	for i, v := range e.Values {
		if v.Type != freelancer.BINIText {
			continue
		}
		name := e.Text(i)
		ext := game.Extension(name)
		k := wanted[ext]
		if k == nil {
			continue
		}
		at, ok := c.Locate(path.Dir(s.File.Path), name)
		switch {
		case !ok:
			c.tell(k, s, e, name, "there is no %s", name)
		case slices.Contains(models, ext):
			c.wear(at, s, e)
		}
	}
}

// wear notes that an entry names a model.
func (c *checker) wear(at format.GameFile, s *game.Section, e *game.Entry) {
	key := strings.ToLower(at.Path)
	if c.worn[key] == nil {
		c.worn[key] = &worn{tree: &tree{at: at}}
	}
	c.worn[key].by = append(c.worn[key].by, &use{s, e})
}

// readModels reads all models, whether a record names them or not, and all libraries.
func (c *checker) readModels() {
	for _, at := range c.Game.Files(game.Data, models...) {
		if key := strings.ToLower(at.Path); c.worn[key] == nil {
			c.worn[key] = &worn{tree: &tree{at: at}}
		}
	}
	shelf := c.Game.Files(game.Data, libraries...)
	list := slices.Clone(shelf)
	for _, m := range c.worn {
		list = append(list, m.at)
	}
	c.readAhead(list)
	for _, m := range c.worn {
		m.tree = c.tree(m.at)
	}
	for _, m := range c.worn {
		if m.err != nil {
			c.tellModel(unreadable, m, "", "", "%v", m.err)
		}
	}
	c.held = newIndex()
	for _, at := range shelf {
		t := c.tree(at)
		if t.err != nil {
			c.tellFile(unreadable, at, "", "", "%v", t.err)
		}
		c.take(t)
	}
	for _, m := range c.models() {
		c.take(m.tree)
	}
}

func (c *checker) take(t *tree) {
	c.held.add(t)
	c.trees = append(c.trees, t)
}
