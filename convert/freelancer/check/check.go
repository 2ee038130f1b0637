package check

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/game"
)

// checker looks at a game.
type checker struct {
	*game.Knowledge
	found []format.Finding
	worn  map[string]*worn // models that records name, by path in lower case
	held  index
	trees []*tree // libraries and models, as the index got them

	mended map[*game.Section]string // records that get a library by a mend
	shown  map[shown]int            // where in found it says that a texture is missing
}

// shown is a texture that a material of a file shows.
type shown struct {
	*tree
	material, texture string
}

// worn is a model and those that name it.
type worn struct {
	*tree
	by    []*use
	about []string // some of their files
}

// use is an entry that names a model.
type use struct {
	section *game.Section
	entry   *game.Entry
}

// Game tells what a game would stumble over.
func Game(g *format.Game) []format.Finding {
	if len(g.Files(game.Data)) == 0 {
		return nil
	}
	c := &checker{Knowledge: game.Of(g), worn: map[string]*worn{}, mended: map[*game.Section]string{}, shown: map[shown]int{}}
	c.checkFiles()
	c.checkNames()
	c.readModels()
	for _, m := range c.models() {
		c.checkModel(m)
		c.checkJoints(m)
		c.checkHulls(m)
	}
	c.checkClasses()
	for _, f := range c.Files {
		for _, s := range f.Sections {
			c.checkRecord(s)
		}
	}
	return c.found
}

// models returns the models that could be read, in the order of their paths.
func (c *checker) models() (list []*worn) {
	for _, m := range c.worn {
		if m.err == nil {
			list = append(list, m)
		}
	}
	slices.SortFunc(list, func(a, b *worn) int { return strings.Compare(strings.ToLower(a.at.Path), strings.ToLower(b.at.Path)) })
	return list
}

// tell adds a finding about an entry; name is what is missing.
func (c *checker) tell(k *format.FindingKind, s *game.Section, e *game.Entry, name, text string, args ...any) *format.Finding {
	f := format.Finding{Kind: k, File: s.File.GameFile, Entry: s.Title(), Line: s.Line, Name: name, Msg: fmt.Sprintf(text, args...)}
	f.At = s.Number << 16 // sections have fewer entries than that
	if e != nil {
		f.Entry += "/" + e.Key
		f.Line, f.At = e.Line, f.At+e.Number+1
	}
	c.found = append(c.found, f)
	return &c.found[len(c.found)-1]
}

// tellFile adds a finding about a file as a whole, or what lies in it.
func (c *checker) tellFile(k *format.FindingKind, at format.GameFile, entry, name, text string, args ...any) *format.Finding {
	c.found = append(c.found, format.Finding{Kind: k, File: at, Entry: entry, Name: name, Msg: fmt.Sprintf(text, args...)})
	return &c.found[len(c.found)-1]
}

// tree returns what is in a UTF file, which is read once.
func (c *checker) tree(at format.GameFile) *tree {
	return format.Made(c.Game, at, "tree", func() *tree { return readTree(c.Game, at) })
}

// readAhead reads UTF files on all cores.
func (c *checker) readAhead(files []format.GameFile) {
	var group sync.WaitGroup
	next := make(chan format.GameFile)
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for at := range next {
				c.tree(at)
			}
		})
	}
	for _, at := range files {
		next <- at
	}
	close(next)
	group.Wait()
}
