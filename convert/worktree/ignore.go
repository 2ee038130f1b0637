package worktree

import (
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// ignoring are the lines of a file in the syntax of gitignore. The last one that fits a path decides.
type ignoring []ignoreLine

type ignoreLine struct {
	pattern string
	keep    bool // it begins with "!": what fits is not passed over after all
	folders bool // it ends with a slash: it fits folders only
}

func newIgnoring(lines []string) (all ignoring) {
	for _, text := range lines {
		text = strings.TrimRight(text, "\r")
		if !strings.HasSuffix(text, `\ `) {
			text = strings.TrimRight(text, " ")
		}
		if text == "" || text[0] == '#' {
			continue
		}
		var l ignoreLine
		text, l.keep = strings.CutPrefix(text, "!")
		text, l.folders = strings.CutSuffix(text, "/")
		if strings.Contains(text, "/") {
			text = strings.TrimPrefix(text, "/") // as seen from the file
		} else {
			text = "**/" + text
		}
		if strings.HasSuffix(text, "/**") {
			text += "/*" // what is in the folder, not the folder
		}
		l.pattern = strings.NewReplacer("{", `\{`, "}", `\}`).Replace(text) // they mean nothing there
		all = append(all, l)
	}
	return all
}

// match tells whether a path with slashes is to be passed over. A broken pattern fits nothing.
func (all ignoring) match(path string, folder bool) (pass bool) {
	for _, l := range all {
		if l.folders && !folder {
			continue
		}
		if fits, err := doublestar.Match(l.pattern, path); err == nil && fits {
			pass = !l.keep
		}
	}
	return pass
}
