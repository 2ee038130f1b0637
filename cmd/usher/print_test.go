package main

import (
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
)

// TestWarningsOfMany: of a warning that many sources share three are printed and the others counted, whatever numbers they
// give; a hash is a name, and no number.
func TestWarningsOfMany(t *testing.T) {
	for _, c := range []struct {
		name, last string
		messages   []string
	}{
		{"the same", `2 more: 3 left (x); -v shows all`, []string{"3 left", "3 left", "3 left", "3 left", "3 left"}},
		{"other numbers", `2 more with other numbers: 1 left (x); -v shows all`, []string{"1 left", "2 left", "3 left", "4 left", "5 left"}},
		{"few", `s: warning: 3 left (x)`, []string{"1 left", "2 left", "3 left"}},
		{"names", `s: warning: no 0x14 (x)`, []string{"no 0x11", "no 0x12", "no 0x13", "no 0x14"}},
	} {
		var out strings.Builder
		p := &printer{err: &out, warned: map[warning]*sharedWarning{}}
		for _, m := range c.messages {
			p.diagnostics("s", []schema.Diagnostic{{Severity: schema.Warning, Code: "x", Offset: -1, Msg: m}})
		}
		p.sumUp()
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		if last := lines[len(lines)-1]; last != c.last || len(lines) != min(len(c.messages), 4) {
			t.Errorf("%s: %d lines, the last is %q", c.name, len(lines), last)
		}
	}
}
