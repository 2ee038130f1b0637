package csv

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/usher-assets/usher/schema"
)

// Table is what a file says: every row is as long as the columns.
type Table struct {
	Columns []string
	Rows    [][]string
	// Blank is the number of rows without any text that were left out at the end, where spreadsheets like to put some.
	Blank int
	// Encoding is that of the file: "utf-8", "utf-16" or "windows-1252".
	Encoding string
}

// Decode reads a table whose first row names the columns. Cells that a row lacks are empty. Errors name the line.
func Decode(b []byte) (*Table, error) {
	text, encoding := Text(b)
	t := &Table{Encoding: encoding}
	comma, text := dialect(text)
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.FieldsPerRecord = comma, -1
	var err error
	if t.Columns, err = r.Read(); err == io.EOF {
		return nil, errors.New("the file is empty: the first line names the columns")
	} else if err != nil {
		return nil, err
	}
	t.Columns = t.Columns[:filled(t.Columns)]
	for {
		row, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if n := filled(row); n > len(t.Columns) {
			line, _ := r.FieldPos(n - 1)
			return nil, fmt.Errorf("line %d: %d cells, and the first line names %d columns", line, n, len(t.Columns))
		}
		if len(row) > len(t.Columns) {
			row = row[:len(t.Columns)]
		}
		for len(row) < len(t.Columns) {
			row = append(row, "")
		}
		t.Rows = append(t.Rows, row)
	}
	for n := len(t.Rows); n > 0 && filled(t.Rows[n-1]) == 0; n-- {
		t.Rows = t.Rows[:n-1]
		t.Blank++
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

// Text returns the text of a file in UTF-8, whatever it is stored in: what is no valid UTF-8 is Windows-1252.
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
