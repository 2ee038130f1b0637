package view

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"unicode/utf8"

	texts "github.com/usher-assets/usher/convert/exchange/rows"
	"github.com/usher-assets/usher/schema/asset"
)

// mostCells and mostText bound what the page is given to hold at once.
const (
	mostCells = 2_000_000
	mostText  = 8 << 20
)

// table is a table as JSON: its columns, and rows of cells.
func (v *Viewer) table(n *node, q query) (b blob, err error) {
	if n.place == archive { // it is shown as a table of its lines
		return v.numbers(n, q)
	}
	err = lifted(v, n, func(t *asset.Table) error {
		list := make([][]any, 0, len(t.Rows))
		for _, r := range t.Rows {
			if len(list)*max(len(t.Columns), 1) > mostCells {
				break
			}
			cells := make([]any, len(r))
			for i, c := range r {
				cells[i] = c
				switch c.(type) {
				case int64, uint64, nil: // a browser's numbers are floats
					cells[i] = texts.Text(c)
				}
			}
			list = append(list, cells)
		}
		content, err := json.Marshal(map[string]any{"columns": t.Columns, "rows": list, "total": len(t.Rows), "numeric": numeric(t)})
		b = blob{content: content, mime: mimeJSON}
		return err
	})
	return b, err
}

// numeric tells which columns hold numbers alone.
func numeric(t *asset.Table) []bool {
	out := make([]bool, len(t.Columns))
	for i := range out {
		out[i] = len(t.Rows) > 0
		for _, r := range t.Rows {
			if i >= len(r) {
				continue
			}
			switch r[i].(type) {
			case int64, uint64, float64, nil:
			default:
				out[i] = false
			}
		}
	}
	return out
}

// text is prose; what is too long is cut off, and said.
func (v *Viewer) text(n *node, _ query) (b blob, err error) {
	if n.format == "" && v.plainText(n) {
		return v.storedText(n)
	}
	err = lifted(v, n, func(t *asset.Text) error {
		b = newText([]byte(t.Body))
		return nil
	})
	return b, err
}

func newText(s []byte) blob {
	if len(s) > mostText {
		s = append(bytes.ToValidUTF8(s[:mostText], nil), "\n… (the rest is left out)\n"...)
	}
	return blob{content: s, mime: "text/plain; charset=utf-8"}
}

// fields is all that is known of a node, as JSON to read.
func (v *Viewer) fields(n *node, _ query) (blob, error) {
	b, err := v.export(n, "json", false)
	if err != nil {
		return b, err
	}
	return newText(b.content), nil
}

// plainText reports whether what no format knows begins like a text.
func (v *Viewer) plainText(n *node) bool {
	c, err := v.stored(n)
	if err != nil || c.Size() == 0 {
		return false
	}
	defer c.Close()
	head := make([]byte, min(c.Size(), 4096))
	if _, err := c.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return false
	}
	for len(head) > 0 {
		r, size := utf8.DecodeRune(head)
		switch {
		case r == utf8.RuneError && size == 1 && len(head) >= utf8.UTFMax: // else it is cut in the middle
			return false
		case r < ' ' && r != '\t' && r != '\n' && r != '\r' && r != '\f':
			return false
		}
		head = head[size:]
	}
	return true
}

func (v *Viewer) storedText(n *node) (blob, error) {
	c, err := v.stored(n)
	if err != nil {
		return blob{}, err
	}
	defer c.Close()
	b, err := io.ReadAll(io.LimitReader(c, mostText+1))
	if err != nil {
		return blob{}, err
	}
	return newText(b), nil
}
