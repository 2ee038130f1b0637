package ultima9

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/usher-assets/usher/convert/exchange/codepage"
	"github.com/usher-assets/usher/convert/exchange/rows"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/ultima9/beside"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// The files have single-byte texts in Windows-1252, and those of a translation in the code page of its country. Values of the
// schema have them all in Windows-1252, assets in the page that the user names.

// tellPage notes in what goes with an asset which code page it was made in, unless that is the default.
func tellPage(n *asset.Native, env *format.Env) *asset.Native {
	if name := env.Given().Options.CodePage; name != "" {
		scene.SetShown(n, format.CodePageValue, name)
	}
	return n
}

// inPage shows the texts of a table as people read them. Behind those that have limited room stands how many bytes they have.
func inPage(a *asset.Table, cells []cell, env *format.Env) (*asset.Table, error) {
	p, err := beside.Page(env)
	if p == nil || err != nil {
		return a, err
	}
	for i, row := range a.Rows {
		a.Rows[i] = slices.Clone(row) // of which lists in lists share the beginning
		for k, c := range row {
			if text, ok := c.(string); ok {
				a.Rows[i][k] = p.Show(text)
			}
		}
	}
	for _, c := range cells {
		if c.room > 0 {
			countBytes(a, c, p)
		}
	}
	tellPage(a.Native, env)
	return a, nil
}

// countBytes adds a column for reading: the bytes of the texts of another one.
func countBytes(a *asset.Table, c cell, p *codepage.Page) {
	k := slices.Index(a.Columns, c.column)
	a.Columns = slices.Insert(slices.Clone(a.Columns), k+1, fmt.Sprintf("%s%s%d", c.column, bytesOf, c.room))
	if a.Held != nil {
		a.Held = slices.Insert(slices.Clone(a.Held), k+1, a.Held[k])
	}
	for i, row := range a.Rows {
		var count any
		if shown, ok := row[k].(string); ok {
			count = int64(bytesIn(shown, p))
		}
		a.Rows[i] = slices.Insert(row, k+1, count)
	}
}

// bytesOf stands in the name of a column of counts between the column that they are of and the room that it has.
const bytesOf = " bytes of "

func bytesIn(shown string, p *codepage.Page) int {
	b, _ := p.Encode(shown)
	return len(b)
}

// outOfPage is the reverse of inPage. Of the table it only clears the counts of bytes.
func outOfPage(a *asset.Table, cells []cell, env *format.Env) (*asset.Table, error) {
	p, err := beside.Page(env)
	if err != nil {
		return nil, err
	}
	clearCounts(a, p, env)
	own, faults, rooms := *a, schema.Faults{}, roomsOf(a, cells)
	own.Rows = slices.Clone(a.Rows)
	for i, row := range a.Rows {
		copied := false
		for k, c := range row {
			shown, _ := c.(string)
			text, err := p.Take(shown)
			class, n := schema.ErrValue, codepage.Len(text)
			if err == nil && rooms[k] > 0 && n > rooms[k]+1 { // the writer knows of texts without a zero
				class, err = schema.ErrRange, fmt.Errorf("%q has %d bytes, and there is room for %d", shown, n, rooms[k])
			}
			if err != nil {
				faults.Add(&schema.FormatError{Path: rows.Place(a, i), Offset: -1, Field: a.Columns[k], Class: class, Msg: err.Error()})
			}
			if text == shown {
				continue
			}
			if !copied {
				own.Rows[i], copied = slices.Clone(row), true
			}
			own.Rows[i][k] = text
		}
	}
	dropCounts(&own)
	return &own, faults.Err()
}

// dropCounts takes the columns of counts out of a copy of a table.
func dropCounts(own *asset.Table) {
	for k := len(own.Columns) - 1; k >= 0; k-- {
		if countedBy(own, own.Columns[k]) < 0 {
			continue
		}
		own.Columns = slices.Delete(slices.Clone(own.Columns), k, k+1)
		if own.Held != nil {
			own.Held = slices.Delete(slices.Clone(own.Held), k, k+1)
		}
		for i, row := range own.Rows {
			own.Rows[i] = slices.Delete(slices.Clone(row), k, k+1)
		}
	}
}

// roomsOf returns for each column of a table how many bytes its texts may have, 0 for no limit.
func roomsOf(a *asset.Table, cells []cell) []int {
	rooms := make([]int, len(a.Columns))
	for _, c := range cells {
		if k := slices.Index(a.Columns, c.column); k >= 0 && c.room > 0 {
			rooms[k] = c.room
		}
	}
	return rooms
}

// clearCounts empties the columns of counts, and notes when they are not those of the texts.
func clearCounts(a *asset.Table, p *codepage.Page, env *format.Env) {
	others := 0
	for k, name := range a.Columns {
		of := countedBy(a, name)
		if of < 0 {
			continue
		}
		for _, row := range a.Rows {
			if shown, ok := row[of].(string); ok && row[k] != nil && rows.Text(row[k]) != strconv.Itoa(bytesIn(shown, p)) {
				others++
			}
			row[k] = nil
		}
	}
	if others > 0 {
		env.Told().Notef("bytes", "", "%s of bytes: the columns with them are for reading alone", schema.Counted(others, "text has another number", "texts have other numbers"))
	}
}

// countedBy returns the column whose bytes a column counts, negative for none.
func countedBy(a *asset.Table, name string) int {
	of, room, ok := strings.Cut(name, bytesOf)
	if _, err := strconv.Atoi(room); !ok || err != nil {
		return -1
	}
	return slices.Index(a.Columns, of)
}

// lacking is the error for a text with a character that the code page lacks.
func lacking(name, field string, err error) error {
	return schema.Errorf(name, schema.ErrValue, field, "%v", err)
}
