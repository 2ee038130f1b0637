package main

import (
	"io"
	"os"
	"runtime"
	"strings"
)

// The colours of a terminal, as ANSI has them.
const (
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	cyan   = "\x1b[36m"
	plain  = "\x1b[0m"
)

// firstWords are the words with which lines begin that say how something fared.
var firstWords = map[string]string{
	"added": green, "removed": red, "changed": yellow, "replaced": yellow, "renamed": cyan,
	"identical": green, "differs": red, "refused": red, "failed": red, "usher:": red,
}

// painted returns a line with colours where an output shows them, and as it is elsewhere.
func painted(w io.Writer, line string) string {
	if !colours(w) {
		return line
	}
	return paint(line)
}

// paint colours the first word of a line, or the severity of a diagnostic behind the source that it speaks of.
func paint(line string) string {
	word, rest, _ := strings.Cut(line, " ")
	if c, ok := firstWords[word]; ok {
		return c + word + plain + " " + rest
	}
	for _, severity := range []string{"warning", "loss"} {
		if source, message, found := strings.Cut(line, ": "+severity+": "); found {
			return source + ": " + yellow + severity + plain + ": " + message
		}
	}
	return line
}

// colours reports whether an output shows colours, and the user wants them: see https://no-color.org.
func colours(w io.Writer) bool {
	if os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" || !isTerminal(w) {
		return false
	}
	return runtime.GOOS != "windows" || os.Getenv("WT_SESSION") != "" // its old console prints the codes
}
