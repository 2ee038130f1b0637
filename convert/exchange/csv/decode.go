package csv

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/usher-assets/usher/schema"
)

// Table is the content of a CSV file. Every row has as many cells as there are columns. Rows without any text are left out.
type Table struct {
	Columns []string
	Rows    [][]string
	// Lines holds the line number of each row in the file, as spreadsheets count: the column names are line 1, blank rows
	// count, and a line end inside a cell does not begin another line.
	Lines []int
	// Encoding is the encoding of the file: "utf-8", "utf-16" or "windows-1252".
	Encoding string
}

// Decode reads a table whose first row names the columns. Missing cells at the end of a row become empty. An error lists
// every fault in the file with its line number.
func Decode(b []byte) (*Table, error) {
	text, encoding := Text(b)
	if !strings.Contains(text, "\n") { // lines as old Macs ended them
		text = strings.ReplaceAll(text, "\r", "\n")
	}
	t := &Table{Encoding: encoding}
	comma, text := dialect(text)
	r := newReader(text, comma)
	for r.rest != "" {
		row := r.row()
		n := filled(row)
		switch {
		case n == 0:
		case t.Columns == nil:
			t.Columns = row[:n]
		case n > len(t.Columns):
			r.fault(r.line, "%d cells, and the first line names %d columns", n, len(t.Columns))
		default:
			t.Rows = append(t.Rows, append(row[:n:n], make([]string, len(t.Columns)-n)...))
			t.Lines = append(t.Lines, r.line)
		}
	}
	if t.Columns == nil && !r.faults.Any() {
		return nil, errors.New("the file is empty: the first line names the columns")
	}
	if err := r.faults.Err(); err != nil {
		return nil, err
	}
	return t, nil
}

// filled returns the number of cells up to the last one that is not empty.
func filled(row []string) int {
	n := len(row)
	for n > 0 && row[n-1] == "" {
		n--
	}
	return n
}

// dialect returns what separates cells, by the line that names the columns, and the text without the line in which a
// spreadsheet says it itself.
func dialect(text string) (rune, string) {
	line, rest, _ := strings.Cut(text, "\n")
	line = strings.TrimRight(line, "\r")
	if mark, ok := strings.CutPrefix(line, "sep="); ok && len(mark) == 1 {
		return rune(mark[0]), rest
	}
	best, most := ',', 0
	for _, c := range ",;\t" {
		if n := strings.Count(unquoted(line), string(c)); n > most {
			best, most = c, n
		}
	}
	return best, text
}

// unquoted returns a line without what stands between quotes.
func unquoted(line string) string {
	var out strings.Builder
	for i, part := range strings.Split(line, `"`) {
		if i%2 == 0 {
			out.WriteString(part)
		}
	}
	return out.String()
}

// Text returns the content of a file as UTF-8. It recognises UTF-8 and UTF-16; anything else is taken as Windows-1252.
func Text(b []byte) (text, encoding string) {
	switch {
	case bytes.HasPrefix(b, []byte("\xff\xfe")):
		return fromUTF16(b[2:], binary.LittleEndian), "utf-16"
	case bytes.HasPrefix(b, []byte("\xfe\xff")):
		return fromUTF16(b[2:], binary.BigEndian), "utf-16"
	}
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	if utf8.Valid(b) {
		return string(b), "utf-8"
	}
	return schema.DecodeWindows1252(b), "windows-1252"
}

func fromUTF16(b []byte, order binary.ByteOrder) string {
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = order.Uint16(b[2*i:])
	}
	return string(utf16.Decode(units))
}
