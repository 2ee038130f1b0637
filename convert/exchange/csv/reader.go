package csv

import (
	"fmt"
	"strings"

	"github.com/usher-assets/usher/schema"
)

// reader takes a text apart into rows of cells. Cells are as they stand in the file, line ends inside quotes included.
type reader struct {
	rest   string
	comma  string
	ends   string // the characters that an unquoted cell ends before
	line   int    // of the row last read
	faults schema.Faults
}

func newReader(text string, comma rune) *reader {
	return &reader{rest: text, comma: string(comma), ends: string(comma) + "\n"}
}

func (r *reader) fault(line int, msg string, args ...any) {
	r.faults.Add(&schema.FormatError{Path: fmt.Sprintf("line %d", line), Offset: -1, Class: schema.ErrValue, Msg: fmt.Sprintf(msg, args...)})
}

// row returns the cells of the next row.
func (r *reader) row() (cells []string) {
	r.line++
	for {
		cells = append(cells, r.cell())
		rest, more := strings.CutPrefix(r.rest, r.comma)
		if !more {
			r.rest = strings.TrimPrefix(r.rest, "\n")
			return cells
		}
		r.rest = rest
	}
}

// cell returns the next cell; what ends it is left.
func (r *reader) cell() string {
	quoted, open := strings.CutPrefix(r.rest, `"`)
	if !open {
		return r.plain()
	}
	r.rest = quoted
	var out strings.Builder
	for {
		part, rest, closed := strings.Cut(r.rest, `"`)
		out.WriteString(part)
		r.rest = rest
		if !closed {
			r.fault(r.line, "the quote before %.30q is never closed", quoted)
			return out.String()
		}
		if !strings.HasPrefix(rest, `"`) {
			break
		}
		out.WriteByte('"')
		r.rest = rest[1:]
	}
	if behind := r.plain(); behind != "" {
		r.fault(r.line, "%.30q stands behind the quote that ends a cell: a quote inside of a cell is written twice", behind)
	}
	return out.String()
}

// plain returns what stands before the end of a cell without quotes.
func (r *reader) plain() string {
	n := strings.IndexAny(r.rest, r.ends)
	if n < 0 {
		n = len(r.rest)
	}
	text := r.rest[:n]
	r.rest = r.rest[n:]
	if r.rest == "" || r.rest[0] == '\n' {
		text = strings.TrimSuffix(text, "\r")
	}
	if strings.Contains(text, `"`) {
		r.fault(r.line, "%.30q has a quote in it: such a cell stands in quotes, with its own ones written twice", text)
	}
	return text
}
