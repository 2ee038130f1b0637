package worktree

import (
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/gitignore"
)

// ignoring is a file in the syntax of gitignore; nil passes nothing over.
type ignoring struct{ gitignore.Matcher }

func newIgnoring(lines []string) *ignoring {
	var patterns []gitignore.Pattern
	for _, line := range lines {
		if line = strings.TrimRight(line, "\r"); line != "" && line[0] != '#' {
			patterns = append(patterns, gitignore.ParsePattern(asParsed(line), nil))
		}
	}
	return &ignoring{gitignore.NewMatcher(patterns)}
}

// match reports whether a path with slashes is to be passed over.
func (x *ignoring) match(path string, folder bool) bool {
	return x != nil && x.Match(strings.Split(path, "/"), folder)
}

// asParsed returns a line as the library takes it for what git does: it knows "[^x]" for "[!x]", and takes the folder itself
// for what is in it, below which nothing could be kept then.
func asParsed(line string) string {
	line = strings.ReplaceAll(line, "[!", "[^")
	if within, ok := strings.CutSuffix(line, "/**"); ok {
		return within + "/*"
	}
	return line
}
