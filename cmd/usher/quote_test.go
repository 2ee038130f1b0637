package main

import (
	"bytes"
	"encoding/json"
	"io"
	"testing"
)

// Names cannot command a terminal; a pipe gets them as they are, and JSON says the same in its own way.
func TestQuoted(t *testing.T) {
	defer func(is func(io.Writer) bool) { isTerminal = is }(isTerminal)
	for name, want := range map[string]string{
		"plain name.png": "plain name.png", "größe 名前\ttab": "größe 名前\ttab",
		"\x1b[2J": `\x1b[2J`, "a\ab\rc\nd": `a\x07b\x0dc\x0ad`, "\u009bJ": `\u009bJ`, "x\u202egnp.exe": `x\u202egnp.exe`, "\xff": `\xff`, "\u2066\u200f\x7f": `\u2066\u200f\x7f`,
	} {
		for _, terminal := range []bool{true, false} {
			isTerminal = func(io.Writer) bool { return terminal }
			p := &printer{}
			var lines, objects bytes.Buffer
			p.err, p.out = &lines, &objects
			p.line("%s", name)
			expected := name
			if terminal {
				expected = want
			}
			if lines.String() != expected+"\n" {
				t.Errorf("%q on a terminal %v: %q", name, terminal, lines.String())
			}
			p.object(name)
			var back string
			if err := json.Unmarshal(objects.Bytes(), &back); err != nil || name != "\xff" && back != name || escaped(objects.String()[:objects.Len()-1]) != objects.String()[:objects.Len()-1] {
				t.Errorf("%q in JSON: %s, %v", name, objects.String(), err)
			}
		}
	}
}
