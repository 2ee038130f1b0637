package format

import (
	"regexp"
	"sync"
)

// Pattern returns a regular expression that is compiled when it is first asked for: a program that never does starts
// without it.
func Pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
