package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/schema"
)

// describedOfFolder is how many files of a folder are described one by one unless all are asked for: a screen of them.
const describedOfFolder = 8

// surveyed is what is in a folder.
type surveyed struct {
	known map[string]*tally // by the path of a file; those of one format share one
	other map[string]*tally // by extension: files that nothing recognises
	bad   int               // could not be looked at
}

// tally counts files of one kind.
type tally struct {
	family, title string
	files         int
	bytes         int64
}

func (t *tally) add(bytes int64) {
	t.files++
	t.bytes += bytes
}

// survey looks at the first bytes of every file below a folder.
func survey(ctx context.Context, dir string, sel batch.Selection) *surveyed {
	s := &surveyed{known: map[string]*tally{}, other: map[string]*tally{}}
	formats := map[string]*tally{}
	of := func(list map[string]*tally, key, family, title string) *tally {
		if list[key] == nil {
			list[key] = &tally{family: family, title: title}
		}
		return list[key]
	}
	for src, err := range batch.Walk(ctx, dir, sel) {
		if err != nil {
			s.bad++
			continue
		}
		var t *tally
		switch f, x := interchange.SniffFile(src.Path); {
		case f != nil:
			t = of(formats, f.Name, f.Family, fmt.Sprintf("%s (%s)", f.Title, f.Name))
		case x != nil:
			t = of(formats, x.Name, "interchange", fmt.Sprintf("%s (%s)", x.Title, x.Name))
		default:
			ext := strings.ToLower(filepath.Ext(src.Path))
			of(s.other, ext, "", cmp.Or(ext, "without extension")).add(src.Size)
			continue
		}
		t.add(src.Size)
		s.known[src.Path] = t
	}
	return s
}

// survey prints what is in a folder: a line for each format, the most of them first within their family.
func (p *printer) survey(dir string, s *surveyed) {
	p.data("%s: %s that usher reads", dir, schema.Counted(len(s.known), "file", "files"))
	unique := map[*tally]bool{}
	for _, t := range s.known {
		unique[t] = true
	}
	list := slices.SortedFunc(maps.Keys(unique), func(a, b *tally) int {
		return cmp.Or(cmp.Compare(a.family, b.family), cmp.Compare(b.files, a.files), cmp.Compare(a.title, b.title))
	})
	table := tabwriter.NewWriter(p.out, 0, 8, 2, ' ', 0)
	for _, t := range list {
		fmt.Fprintf(table, "  %d\t%s\t%s\t%s\n", t.files, quoted(p.out, t.title), t.family, byteCount(t.bytes))
	}
	_ = table.Flush() // stdout keeps its own error
	if len(s.other) > 0 {
		p.data("  %s", s.unknown())
	}
	if s.bad > 0 {
		p.data("  %s could not be looked at", schema.Counted(s.bad, "file", "files"))
	}
	if !p.quiet {
		p.line("-v describes each of them")
	}
}

// unknown counts what nothing recognises, by extension.
func (s *surveyed) unknown() string {
	files := 0
	list := slices.SortedFunc(maps.Values(s.other), func(a, b *tally) int {
		return cmp.Or(cmp.Compare(b.files, a.files), cmp.Compare(a.title, b.title))
	})
	var parts []string
	for _, t := range list {
		files += t.files
		parts = append(parts, fmt.Sprintf("%d %s", t.files, t.title))
	}
	return schema.Counted(files, "other", "others") + ": " + shortened(parts)
}
