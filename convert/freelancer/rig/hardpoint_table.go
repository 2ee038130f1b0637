package rig

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/exchange/csv"
	"github.com/usher-assets/usher/convert/exchange/rows"
	"github.com/usher-assets/usher/convert/freelancer/space"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
)

// TableColumns are the columns of a table of hardpoints: position and rotation in the frame of the part, the rotation as
// matrix rows, and for revolute ones the axis and the limits in degrees.
var TableColumns = []string{
	"part", "name", "kind", "x", "y", "z", "xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz", "axis_x", "axis_y", "axis_z", "min", "max",
}

// The kinds of hardpoints, as tables and nodes name them.
const (
	fixedHardpoint    = "fix"
	revoluteHardpoint = "rev"
)

// TableRow returns the row of a hardpoint.
func TableRow(part string, h *freelancer.Hardpoint) []any {
	number := func(v float32) string { return strconv.FormatFloat(float64(v), 'g', -1, 32) }
	row := []any{part, h.Name, fixedHardpoint}
	for _, v := range slices.Concat(h.Position[:], h.Orientation[:]) {
		row = append(row, number(v))
	}
	if !h.Revolute {
		return append(row, "", "", "", "", "")
	}
	row[2] = revoluteHardpoint
	for _, v := range h.Axis {
		row = append(row, number(v))
	}
	return append(row, angle(h.Min), angle(h.Max))
}

// angle returns the shortest number of degrees that is the same angle.
func angle(r float32) string {
	d := space.Degrees(r)
	for digits := 6; digits < 17; digits++ {
		text := strconv.FormatFloat(d, 'g', digits, 64)
		if v, err := strconv.ParseFloat(text, 64); err == nil && space.Radians(v) == r {
			return strconv.FormatFloat(v, 'g', -1, 64)
		}
	}
	return strconv.FormatFloat(d, 'g', -1, 64)
}

// Placed is a hardpoint that is to be added to a part.
type Placed struct {
	Part      string
	Hardpoint *freelancer.Hardpoint
	At        mgl64.Mat4 // in the space of the model that it comes from, for parts that the other model lacks
	Free      bool       // the model is known
}

// ReadTable reads a table of hardpoints. Columns can be in any order. A value is what stored returns for the hardpoint where its
// column is missing or its cell is empty; stored may be nil, and return nil for a new one, which then has the usual values.
func ReadTable(b []byte, stored func(part, name string) *freelancer.Hardpoint, d *schema.Diagnostics) (list []Placed, err error) {
	if len(bytes.TrimSpace(b)) == 0 {
		return nil, schema.Errorf("csv", schema.ErrTruncated, "columns", "the table is empty")
	}
	x, err := csv.Decode(b)
	if err != nil {
		return nil, err
	}
	edited := &asset.Table{Columns: x.Columns, Lines: x.Lines}
	for _, cells := range x.Rows {
		row := make([]any, len(cells))
		for i, c := range cells {
			row[i] = c
		}
		edited.Rows = append(edited.Rows, row)
	}
	keys := slices.DeleteFunc(slices.Clone(TableColumns[:2]), func(key string) bool {
		return !slices.ContainsFunc(x.Columns, func(name string) bool { return rows.Column(name, TableColumns) == key })
	})
	if !slices.Contains(keys, "name") {
		return nil, schema.Errorf("csv", schema.ErrMismatch, "columns", "there is no column \"name\": %s are those of hardpoints", strings.Join(TableColumns, ", "))
	}
	m, err := rows.Merge(edited, &asset.Table{Columns: TableColumns, Keys: keys}, false, d)
	if err != nil {
		return nil, err
	}
	var faults schema.Faults
	at := map[string]int{}
	for i, name := range m.Table.Columns {
		at[name] = i
	}
	for i, row := range m.Table.Rows {
		cells := hardpointCells{at: at, row: row, place: rows.Place(m.Table, i), faults: &faults}
		var was *freelancer.Hardpoint
		if stored != nil {
			was = stored(cells.text("part"), cells.text("name"))
		}
		list = append(list, Placed{Part: cells.text("part"), Hardpoint: cells.hardpoint(was)})
	}
	return list, faults.Err()
}

// hardpointCells reads the cells of a row.
type hardpointCells struct {
	at     map[string]int
	row    []any
	place  string
	faults *schema.Faults
}

func (c *hardpointCells) fault(column, msg string, args ...any) {
	c.faults.Add(&schema.FormatError{Path: c.place, Offset: -1, Field: column, Class: schema.ErrValue, Msg: fmt.Sprintf(msg, args...)})
}

func (c *hardpointCells) text(column string) string {
	if i, ok := c.at[column]; ok {
		return strings.TrimSpace(rows.Text(c.row[i]))
	}
	return ""
}

// number returns the number of a cell; false if there is none.
func (c *hardpointCells) number(column string, bits int) (v float64, ok bool) {
	text := c.text(column)
	if text == "" {
		return 0, false
	}
	v, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), bits)
	switch {
	case errors.Is(err, strconv.ErrRange):
		c.fault(column, "%q is no number from %g to %g", text, -math.MaxFloat32, math.MaxFloat32)
	case err != nil || math.IsNaN(v) || math.IsInf(v, 0):
		c.fault(column, "%q is no number", text)
	default:
		return v, true
	}
	return 0, false
}

// mostDegrees is the largest angle whose radians 32 bits hold.
const mostDegrees = math.MaxFloat32 * 180 / math.Pi

// angle puts the angle of a cell into a value, unless the cell is empty.
func (c *hardpointCells) angle(column string, to *float32) {
	v, ok := c.number(column, 64)
	if !ok {
		return
	}
	if *to = space.Radians(v); math.Abs(v) > mostDegrees {
		c.fault(column, "%g is no angle from %g to %g", v, -mostDegrees, mostDegrees)
	}
}

// numbers puts the numbers of cells into values, but for those of empty cells.
func (c *hardpointCells) numbers(values []float32, columns ...string) {
	for i, column := range columns {
		if v, ok := c.number(column, 32); ok {
			values[i] = float32(v)
		}
	}
}

// turning are the columns of what only hardpoints that turn have.
var turning = TableColumns[15:]

// hardpoint returns the hardpoint of a row. was is the stored one, nil for a new one.
func (c *hardpointCells) hardpoint(was *freelancer.Hardpoint) *freelancer.Hardpoint {
	name := c.text("name")
	h := &freelancer.Hardpoint{Orientation: freelancer.Identity3, Revolute: turns(name)}
	if was != nil {
		*h = *was
	}
	h.Name, h.Node = name, nil
	if name == "" {
		c.fault("name", "there is no name")
	}
	switch kind := strings.ToLower(c.text("kind")); kind {
	case "":
	case fixedHardpoint, "fixed":
		h.Revolute = false
	case revoluteHardpoint, "revolute":
		h.Revolute = true
	default:
		c.fault("kind", "%q is no kind of hardpoint: %s and %s are", kind, fixedHardpoint, revoluteHardpoint)
	}
	switch {
	case !h.Revolute:
		h.Axis, h.Min, h.Max = [3]float32{0, 1, 0}, 0, 0
	case was == nil || !was.Revolute:
		h.Axis, h.Min, h.Max = [3]float32{0, 1, 0}, space.Radians(-UsualTurn), space.Radians(UsualTurn)
	}
	c.numbers(h.Position[:], TableColumns[3:6]...)
	c.numbers(h.Orientation[:], TableColumns[6:15]...)
	if h.Revolute {
		c.numbers(h.Axis[:], turning[:3]...)
		c.angle("min", &h.Min)
		c.angle("max", &h.Max)
		return h
	}
	for _, column := range turning {
		if v, _ := c.number(column, 64); v != 0 {
			c.fault(column, "%s, and the hardpoint is fixed: only one of the kind %q turns", c.text(column), revoluteHardpoint)
		}
	}
	return h
}
