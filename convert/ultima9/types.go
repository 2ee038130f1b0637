package ultima9

import (
	"encoding"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/exchange/rows"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/ultima9/beside"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

const typesName = "u9-types"

var typeColumns = []string{"type", "name", "base", "model", "flags", "weight", "volume", "book", "hit points", "pointer", "mask"}

// namesValue is the key of the native value that has the names which the table shows.
const namesValue = "names"

// liftTypes makes a table of the types, with their names where typename.flx lies beside the file. The names are shown
// only: they are edited in typename.flx.
func liftTypes(t *ultima9.Types, env *format.Env) (*asset.Table, error) {
	payload, err := write.Types(t)
	if err != nil {
		return nil, err
	}
	names := namesBeside(env, len(t.Records))
	out := &asset.Table{Name: env.EntryName("types"), Columns: typeColumns, Keys: typeColumns[:1], Rows: make([][]any, len(t.Records)),
		Native: &asset.Native{Format: typesName, Values: typesFields(t, names).Values(), Payload: payload}}
	tellPage(out.Native, env)
	for i, r := range t.Records {
		name := ""
		if i < len(names) {
			name, _ = names[i].(string)
		}
		out.Rows[i] = []any{int64(i), name, int64(r.Base), int64(r.Model), r.Flags, int64(r.Weight), int64(r.Volume), int64(r.Book),
			int64(r.HitPoints), int64(r.Pointer), int64(r.Mask)}
	}
	return out, nil
}

// typesFields are the values of the table; names are those that it shows, "" for none.
func typesFields(t *ultima9.Types, names []any) scene.Fields {
	f := scene.Fields{"active": &t.Active, "npcs": &t.NPCs}
	if names != nil {
		f[scene.ReadOnly] = map[string]any{namesValue: names}
	}
	return f
}

// namesBeside returns the names of the first types, up to the last that has one; nil where typename.flx is not at hand.
func namesBeside(env *format.Env, types int) (names []any) {
	for i, n := range beside.TypeNames(env) {
		if i < types && n != nil && n.Name != nil && *n.Name != "" {
			names = append(names, slices.Repeat([]any{""}, i-len(names))...)
			names = append(names, *n.Name)
		}
	}
	return names
}

// lowerTypes makes types.dat of a table with the columns of liftTypes, in any order; columns and rows that are missing
// keep what Native holds, or zeros.
func lowerTypes(a *asset.Table, env *format.Env) (*ultima9.Types, error) {
	t := &ultima9.Types{Records: make([]ultima9.Type, ultima9.TypeCount), Active: uint32(min(len(a.Rows), ultima9.TypeCount))}
	var names []any
	if n := a.Native; n != nil && n.Format == typesName {
		if len(n.Payload) > 0 {
			stored, err := read.Types(n.Payload, nil)
			if err != nil {
				return nil, err
			}
			t = stored
		}
		names, _ = scene.Shown(n, namesValue).([]any)
		if err := typesFields(t, names).Take(typesName, "", n); err != nil {
			return nil, err
		}
	}
	c := columns{table: a, format: typesName}
	if err := c.known(env, typeColumns); err != nil {
		return nil, err
	}
	for row := range a.Rows {
		i := c.typeOf(row)
		if i < 0 {
			continue
		}
		r := &t.Records[i]
		r.Base = uint16(c.integer(row, "base", int64(r.Base), math.MaxUint16))
		r.Model = uint16(c.integer(row, "model", int64(r.Model), math.MaxUint16))
		c.named(row, "flags", &r.Flags)
		r.Weight = uint8(c.integer(row, "weight", int64(r.Weight), math.MaxUint8))
		r.Volume = uint8(c.integer(row, "volume", int64(r.Volume), math.MaxUint8))
		r.Book = uint8(c.integer(row, "book", int64(r.Book), math.MaxUint8))
		r.HitPoints = uint8(c.integer(row, "hit points", int64(r.HitPoints), math.MaxUint8))
		r.Pointer = uint32(c.integer(row, "pointer", int64(r.Pointer), math.MaxUint32))
		r.Mask = uint16(c.integer(row, "mask", int64(r.Mask), math.MaxUint16))
	}
	c.names(env, names)
	return t, c.faults.Err()
}

// typeOf returns the type of a row, negative where that is none: a fault says so.
func (c *columns) typeOf(row int) int {
	otherwise := row
	if row >= ultima9.TypeCount {
		otherwise = -1
	}
	return int(c.integer(row, "type", int64(otherwise), ultima9.TypeCount-1))
}

// names refuses edited names of types, which live in another file. shown are those that the table was made with; where
// that is not known, the ones of that file are compared, and an empty name is none.
func (c *columns) names(env *format.Env, shown []any) {
	was := shown
	if was == nil {
		was = namesBeside(env, ultima9.TypeCount)
	}
	unknown := 0
	for row := range c.table.Rows {
		i, before := c.typeOf(row), ""
		if i >= 0 && i < len(was) {
			before, _ = was[i].(string)
		}
		name := c.text(row, "name", before)
		switch {
		case was == nil && name != "":
			unknown++
		case was != nil && name != before && (name != "" || shown != nil):
			c.fault(row, "name", "type %d is called %q in typename.flx: to call it %q, edit it there", i, before, name)
		}
		c.clear(row, "name")
	}
	if unknown > 0 {
		env.Told().Warnf("name", "", "%d names are for reading alone: they live in typename.flx, which is not at hand to tell whether they were edited here", unknown)
	}
}

// columns reads the cells of a table by the names of its columns, and collects what is wrong.
type columns struct {
	table  *asset.Table
	format string
	at     map[string]int
	faults schema.Faults
}

func (c *columns) fault(row int, column, msg string, args ...any) {
	c.faults.Add(&schema.FormatError{Path: rows.Place(c.table, row), Offset: -1, Field: column, Class: schema.ErrValue, Msg: fmt.Sprintf(msg, args...)})
}

// clear empties a cell that is shown alone, so that nobody looks for it in the record.
func (c *columns) clear(row int, column string) {
	if i, ok := c.at[column]; ok {
		c.table.Rows[row][i] = nil
	}
}

// known reports columns that mean nothing here, and refuses a table that has no others.
func (c *columns) known(env *format.Env, names []string) error {
	strange := 0
	for _, name := range c.table.Columns {
		if !slices.Contains(names, name) {
			strange++
			env.Told().Lossf("unknown-column", "", "the column %q means nothing here: they are %s", name, strings.Join(names, ", "))
		}
	}
	if n := len(c.table.Columns); n > 0 && strange == n {
		return schema.Errorf(c.format, schema.ErrValue, "columns", "none of them is known: they are %s", strings.Join(names, ", "))
	}
	return nil
}

func (c *columns) cell(row int, column string) (any, bool) {
	if c.at == nil {
		c.at = map[string]int{}
		for i, name := range c.table.Columns {
			c.at[name] = i
		}
	}
	i, ok := c.at[column]
	if !ok || i >= len(c.table.Rows[row]) || c.table.Rows[row][i] == nil {
		return nil, false
	}
	return c.table.Rows[row][i], true
}

// integer returns a cell from 0 to limit, or otherwise when there is none; with the limit of signed numbers
// it may be negative.
func (c *columns) integer(row int, column string, otherwise, limit int64) int64 {
	v, ok := c.cell(row, column)
	if !ok {
		return otherwise
	}
	low := int64(0)
	if limit == math.MaxInt32 {
		low = math.MinInt32
	}
	n, ok := scene.CellInteger(v)
	if !ok || n > limit || n < low {
		c.fault(row, column, "%v is no whole number from %d to %d", v, low, limit)
		return otherwise
	}
	return n
}

// named sets v to a cell, where there is one.
func (c *columns) named(row int, column string, v encoding.TextUnmarshaler) {
	cell, ok := c.cell(row, column)
	if !ok {
		return
	}
	if err := v.UnmarshalText([]byte(rows.Text(cell))); err != nil {
		c.fault(row, column, "%v", err)
	}
}

// text returns a cell, or otherwise when there is none.
func (c *columns) text(row int, column, otherwise string) string {
	if v, ok := c.cell(row, column); ok {
		if s, ok := v.(string); ok {
			return s
		}
		c.fault(row, column, "%v is not text", v)
	}
	return otherwise
}
