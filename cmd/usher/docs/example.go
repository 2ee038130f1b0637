package docs

import (
	"context"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/work/explain"
	"github.com/usher-assets/usher/schema"
)

// candidate is a file, or an entry of one, that could be the example of its format.
type candidate struct {
	src  engine.Source
	size int64
}

// Example is a file with what its reader sees in it.
type Example struct {
	Name      string
	Size      int64
	Rows      []Row
	More      int  // rows that are not shown
	NotFields int  // bytes that no field covers
	Unpacked  bool // the offsets are those of the entry alone, which the file has in another form
}

// Open lists the fields that nobody understands.
func (x *Example) Open() (list []string) {
	for _, r := range x.Rows {
		if strings.Contains(strings.ToLower(r.Field), "unknown") && !slices.Contains(list, r.Field) {
			list = append(list, r.Field)
		}
	}
	return list
}

// Row is a run of bytes.
type Row struct {
	ID               string // anchor; bytes that several fields use have it at the first of these
	Offset           string
	Hex, Text        string
	Where, Field     string
	Value, Kind, Ref string
	Unknown          bool
}

// What an example shows: rows, and bytes of a row.
const (
	mostRows  = 160
	mostBytes = 48
)

// candidates finds the smallest example of each format among files and the entries of those that are archives.
func candidates(ctx context.Context, l *engine.Loader, files []string) (map[string]candidate, error) {
	found := map[string]candidate{}
	offer := func(format string, c candidate) {
		if was, ok := found[format]; c.size > 0 && (!ok || c.size < was.size) {
			found[format] = c
		}
	}
	for _, path := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if _, err := os.Stat(path); err != nil {
			return nil, fmt.Errorf("%s: %w", path, disk.PlainError(err))
		}
		f, _ := interchange.SniffFile(path)
		if f == nil {
			continue
		}
		a, err := store.OpenAny(path, f, l.Env(path, new(schema.Diagnostics)))
		if err != nil {
			continue // a damaged file is no example
		}
		offer(f.Name, candidate{engine.Source{Path: path}, a.Size})
		if !a.Single() {
			for _, e := range a.Entries() {
				if e.Format != nil {
					offer(e.Format.Name, candidate{engine.Source{Path: path, Entry: e.Path}, e.Size})
				}
			}
		}
		a.Close()
	}
	return found, nil
}

// example explains a candidate; anchor tells where the reference has a field.
func example(l *engine.Loader, c candidate, anchor func(field string) string) (*Example, error) {
	m, err := explain.Source(l, c.src, explain.Range{})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.src, err)
	}
	x := &Example{Name: filepath.Base(c.src.Path), Size: m.Size, Unpacked: m.Unpacked}
	if c.src.Entry != "" {
		x.Name += ":" + c.src.Entry
	}
	coverage := m.Coverage()
	x.NotFields = int(coverage[explain.Kept] + coverage[explain.Gap])
	x.Rows = rows(m, anchor)
	x.More = len(m.Spans) - len(x.Rows)
	return x, nil
}

// rows are the first spans of a map.
func rows(m *explain.Map, anchor func(string) string) (list []Row) {
	taken := map[string]bool{}
	for i := range min(len(m.Spans), mostRows) {
		r := row(m, &m.Spans[i], anchor)
		if id := "x" + r.Offset; !taken[id] {
			r.ID, taken[id] = id, true
		}
		list = append(list, r)
	}
	return list
}

func row(m *explain.Map, s *explain.Span, anchor func(string) string) Row {
	b := m.Bytes(s)
	r := Row{Offset: fmt.Sprintf("%06x", s.Offset), Where: strings.Trim(s.Entry+" "+s.Path, " "), Field: s.Field, Kind: s.Kind.String()}
	r.Hex, r.Text = dump(b)
	if s.Kind != explain.Gap {
		r.Value = m.Value(s)
	}
	if s.Means != "" {
		r.Value += " (" + s.Means + ")"
	}
	r.Unknown = s.Kind != explain.Field || strings.Contains(strings.ToLower(s.Field), "unknown")
	r.Ref = anchor(s.Field)
	return r
}

// dump is bytes in hexadecimal and as letters, 16 a line; of many it shows the first.
func dump(b []byte) (digits, letters string) {
	shown := b[:min(len(b), mostBytes)]
	var d, l strings.Builder
	for i := 0; i < len(shown); i += 16 {
		line := shown[i:min(i+16, len(shown))]
		if i > 0 {
			d.WriteByte('\n')
			l.WriteByte('\n')
		}
		for k, c := range line {
			if k > 0 {
				d.WriteByte(' ')
			}
			d.WriteString(hex.EncodeToString([]byte{c}))
			if c < ' ' || c > '~' {
				c = '.'
			}
			l.WriteByte(c)
		}
	}
	if len(b) > len(shown) {
		fmt.Fprintf(&d, "\n… %d bytes", len(b))
	}
	return d.String(), l.String()
}
