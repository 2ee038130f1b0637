package batch

import (
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
)

// BareTally counts the entries of each archive whose content was taken out, and tells of them in one message when the
// results of another archive begin.
type BareTally struct {
	Emit func(Result)

	archive string
	counts  map[format.Kind]int
}

// bareWords say what entries of a kind lack.
var bareWords = map[format.Kind][2]string{
	format.Texture: {"texture without pixels", "textures without pixels"},
	format.Sound:   {"sound without samples", "sounds without samples"},
}

// Take counts a result, and emits it unless there is nothing else to say of it.
func (t *BareTally) Take(r Result) {
	if r.Archive != t.archive {
		t.Flush()
		t.archive = r.Archive
	}
	if f := formats.ByName(r.Format); r.Bare && f != nil {
		if t.counts == nil {
			t.counts = map[format.Kind]int{}
		}
		t.counts[f.Kind]++
	}
	if r.Status != Bare {
		t.Emit(r)
	}
}

// Flush tells of what was counted.
func (t *BareTally) Flush() {
	if len(t.counts) == 0 {
		return
	}
	var parts []string
	for kind, n := range t.counts {
		parts = append(parts, schema.Counted(n, bareWords[kind][0], bareWords[kind][1]))
	}
	slices.Sort(parts)
	d := new(schema.Diagnostics)
	d.Warnf(schema.NoContent, "", "%s, as packages for servers are", strings.Join(parts, ", "))
	t.counts = nil
	t.Emit(Result{Source: t.archive, Status: Opened, Diagnostics: d.All()})
}
