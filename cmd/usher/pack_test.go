package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/work/worktree"
)

// An entry whose file is gone is kept: it does not count as changed.
func TestPackedCounts(t *testing.T) {
	done := &worktree.Packed{Unchanged: 4, Size: 10, Changes: []worktree.Change{{Entry: "a", Action: "kept"}, {Entry: "b", Action: "replaced"}}}
	for _, c := range []struct {
		json bool
		want string
	}{{false, "1 changed, 4 as they were"}, {true, `"changed":1,"unchanged":4`}} {
		var b bytes.Buffer
		p := &printer{out: &b, err: &b, json: c.json}
		if err := p.packed("x.utx", done); err != nil || !strings.Contains(b.String(), c.want) {
			t.Errorf("%q, %v: does not say %q", b.String(), err, c.want)
		}
	}
}
