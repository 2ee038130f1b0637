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

// ReadTable reads a table of hardpoints. Columns can be in any order. Those of the rotation, and those that fixed
// hardpoints do not need, may be missing.
func ReadTable(b []byte, d *schema.Diagnostics) (list []Placed, err error) {
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
		h, part := cells.hardpoint()
		list = append(list, Placed{Part: part, Hardpoint: h})
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

func (c *hardpointCells) number(column string, usual float64, bits int) float64 {
	text := c.text(column)
	if text == "" {
		return usual
	}
	v, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), bits)
	switch {
	case errors.Is(err, strconv.ErrRange):
		c.fault(column, "%q is no number from %g to %g", text, -math.MaxFloat32, math.MaxFloat32)
	case err != nil || math.IsNaN(v) || math.IsInf(v, 0):
		c.fault(column, "%q is no number", text)
	default:
		return v
	}
	return usual
}

// mostDegrees is the largest angle whose radians 32 bits hold.
const mostDegrees = math.MaxFloat32 * 180 / math.Pi

func (c *hardpointCells) angle(column string, usual float64) float32 {
	v := c.number(column, usual, 64)
	if math.Abs(v) > mostDegrees {
		c.fault(column, "%g is no angle from %g to %g", v, -mostDegrees, mostDegrees)
	}
	return space.Radians(v)
}

func (c *hardpointCells) numbers(values []float32, usual []float32, columns ...string) {
	for i, column := range columns {
		values[i] = float32(c.number(column, float64(usual[i]), 32))
	}
}

// turning are the columns of what only hardpoints that turn have.
var turning = TableColumns[15:]

func (c *hardpointCells) hardpoint() (h *freelancer.Hardpoint, part string) {
	h = &freelancer.Hardpoint{Name: c.text("name")}
	switch kind := strings.ToLower(c.text("kind")); kind {
	case fixedHardpoint, "fixed":
	case revoluteHardpoint, "revolute":
		h.Revolute = true
	case "":
		h.Revolute = turns(h.Name)
	default:
		c.fault("kind", "%q is no kind of hardpoint: %s and %s are", kind, fixedHardpoint, revoluteHardpoint)
	}
	if h.Name == "" {
		c.fault("name", "there is no name")
	}
	c.numbers(h.Position[:], []float32{0, 0, 0}, TableColumns[3:6]...)
	c.numbers(h.Orientation[:], freelancer.Identity3[:], TableColumns[6:15]...)
	c.numbers(h.Axis[:], []float32{0, 1, 0}, turning[:3]...)
	usual := 0.0
	if h.Revolute {
		usual = UsualTurn
	}
	h.Min, h.Max = c.angle("min", -usual), c.angle("max", usual)
	for _, column := range turning {
		if !h.Revolute && c.number(column, 0, 64) != 0 {
			c.fault(column, "%s, and the hardpoint is fixed: only one of the kind %q turns", c.text(column), revoluteHardpoint)
		}
	}
	return h, c.text("part")
}
