package worktree

import (
	"path"
	"strings"

	"github.com/git-pkgs/gitignore"
)

// ignoring is a file in the syntax of gitignore; nil passes nothing over.
type ignoring struct{ patterns gitignore.Matcher }

func newIgnoring(lines []string) *ignoring {
	x := new(ignoring)
	for _, line := range lines {
		line = strings.TrimRight(line, "\r")
		if _, err := path.Match(line, ""); err != nil {
			continue // a bracket without an end matches nothing; the library takes it for itself
		}
		if strings.HasSuffix(line, "/**") {
			line += "/*" // what is in the folder; the library takes the folder as well
		}
		x.patterns.AddPatterns([]byte(line), "")
	}
	return x
}

// match reports whether a path with slashes is to be passed over.
func (x *ignoring) match(name string, folder bool) bool {
	return x != nil && x.patterns.MatchPath(name, folder)
}
