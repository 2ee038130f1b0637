package main

import (
	"fmt"
	"os"
	"path"
	"strings"
)

// key names a mutant as equivalent.tsv does: by the text of its line, since numbers of lines move, with how many of that text
// there are up to it, where it is not the first.
type key struct{ path, line, what string }

func (m mutant) key() key {
	lines := strings.Split(string(m.file.text), "\n")[:m.line]
	text, same := strings.TrimSpace(lines[m.line-1]), 0
	for _, line := range lines {
		if strings.TrimSpace(line) == text {
			same++
		}
	}
	if same > 1 {
		text += fmt.Sprintf(" #%d", same)
	}
	return key{m.file.path, text, m.what}
}

// equivalents are the mutants of a package that somebody has judged to change nothing that anybody could see. A row that
// none of its mutants has is an error, so that no judgement outlives what it was about.
func equivalents(p *pkg) (map[key]bool, error) {
	b, err := os.ReadFile("testdata/mutants/equivalent.tsv")
	if err != nil {
		return nil, err
	}
	known := map[key]bool{}
	for _, m := range p.mutants(nil) {
		known[m.key()] = true
	}
	judged := map[key]bool{}
	for i, row := range strings.Split(strings.TrimSpace(string(b)), "\n")[1:] {
		cells := strings.Split(row, "\t")
		if len(cells) != 4 || cells[3] == "" {
			return nil, fmt.Errorf("equivalent.tsv:%d: want file, line, mutant and reason with tabs between them", i+2)
		}
		k := key{cells[0], cells[1], cells[2]}
		if path.Dir(k.path) == p.dir && !known[k] {
			return nil, fmt.Errorf("equivalent.tsv:%d: %s has no such mutant any more", i+2, k.path)
		}
		judged[k] = true
	}
	return judged, nil
}
