package freelancer

import (
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// hardpointColumns are those of a table of hardpoints: place and rotation in the frame of the part, the rotation in rows,
// and for those that turn the axis and the limits in degrees.
var hardpointColumns = []string{
	"part", "name", "kind", "x", "y", "z", "xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz", "axis_x", "axis_y", "axis_z", "min", "max",
}

// The kinds of hardpoints, as tables and nodes name them.
const (
	fixedHardpoint    = "fix"
	revoluteHardpoint = "rev"
)

// hardpointView shows the hardpoints of a model as a table.
func hardpointView(name string) *format.Format {
	f := format.Of(format.Format{
		Name: name, Family: family, Title: "the hardpoints of a Freelancer model", Kind: format.Table,
		Probe: func(*format.Input) format.Confidence { return format.No },
	}, format.Functions[freelancer.Tree, *asset.Table]{
		Lift: func(t *freelancer.Tree, env *format.Env) (*asset.Table, error) { return liftHardpoints(name, t, env) },
	})
	return &f
}

func liftHardpoints(name string, t *freelancer.Tree, env *format.Env) (*asset.Table, error) {
	m, err := newModel(name, t, env.Quiet())
	if err != nil {
		return nil, err
	}
	out := &asset.Table{Name: stemOf(env.Name), Columns: hardpointColumns}
	for _, p := range m.parts {
		for _, hp := range p.hardpoints {
			out.Rows = append(out.Rows, hardpointRow(p.name, hp.h))
		}
	}
	return out, nil
}

func hardpointRow(part string, h *freelancer.Hardpoint) []any {
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
	d := degrees(r)
	for digits := 6; digits < 17; digits++ {
		text := strconv.FormatFloat(d, 'g', digits, 64)
		if v, err := strconv.ParseFloat(text, 64); err == nil && radians(v) == r {
			return strconv.FormatFloat(v, 'g', -1, 64)
		}
	}
	return strconv.FormatFloat(d, 'g', -1, 64)
}

// placedHardpoint is a hardpoint that is to be on a part.
type placedHardpoint struct {
	part string
	h    *freelancer.Hardpoint
	at   mgl64.Mat4 // in the space of the model it comes from, for a part that the other model has not
	free bool       // the model is known
}

// readHardpoints reads a table of hardpoints. Columns may stand in any order; those of the rotation and of what a fixed
// hardpoint lacks may be missing.
func readHardpoints(text string) (list []placedHardpoint, err error) {
	r := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\ufeff")))
	if head, _, _ := strings.Cut(text, "\n"); strings.Count(head, ";") > strings.Count(head, ",") {
		r.Comma = ';' // as spreadsheets of some languages write it
	}
	rows, err := r.ReadAll()
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, schema.Errorf("csv", schema.ErrTruncated, "columns", "the table is empty")
	}
	at := map[string]int{}
	for i, name := range rows[0] {
		at[strings.ToLower(strings.TrimSpace(name))] = i
	}
	if _, ok := at["name"]; !ok {
		return nil, schema.Errorf("csv", schema.ErrMismatch, "columns", "there is no column \"name\": %s are those of hardpoints", strings.Join(hardpointColumns, ", "))
	}
	for i, row := range rows[1:] {
		cells := hardpointCells{at: at, row: row}
		h, part := cells.hardpoint()
		if cells.err != nil {
			return nil, schema.In(fmt.Sprintf("line %d", i+2), cells.err)
		}
		list = append(list, placedHardpoint{part: part, h: h})
	}
	return list, nil
}

// hardpointCells reads the cells of a row; the first error stays.
type hardpointCells struct {
	at  map[string]int
	row []string
	err error
}

func (c *hardpointCells) text(column string) string {
	if i, ok := c.at[column]; ok && i < len(c.row) {
		return strings.TrimSpace(c.row[i])
	}
	return ""
}

func (c *hardpointCells) number(column string, usual float64, bits int) float64 {
	text := c.text(column)
	if text == "" {
		return usual
	}
	v, err := strconv.ParseFloat(text, bits)
	if (err != nil || math.IsNaN(v) || math.IsInf(v, 0)) && c.err == nil {
		c.err = schema.Errorf("csv", schema.ErrValue, column, "%q is no number", text)
	}
	return v
}

func (c *hardpointCells) numbers(values []float32, usual []float32, columns ...string) {
	for i, column := range columns {
		values[i] = float32(c.number(column, float64(usual[i]), 32))
	}
}

func (c *hardpointCells) hardpoint() (h *freelancer.Hardpoint, part string) {
	h = &freelancer.Hardpoint{Name: c.text("name")}
	switch kind := strings.ToLower(c.text("kind")); kind {
	case fixedHardpoint, "fixed":
	case revoluteHardpoint, "revolute":
		h.Revolute = true
	case "":
		h.Revolute = turnsByName(h.Name)
	default:
		c.err = schema.Errorf("csv", schema.ErrValue, "kind", "%q is no kind of hardpoint: %s and %s are", kind, fixedHardpoint, revoluteHardpoint)
	}
	if h.Name == "" && c.err == nil {
		c.err = schema.Errorf("csv", schema.ErrValue, "name", "there is no name")
	}
	c.numbers(h.Position[:], []float32{0, 0, 0}, hardpointColumns[3:6]...)
	c.numbers(h.Orientation[:], freelancer.Identity3[:], hardpointColumns[6:15]...)
	c.numbers(h.Axis[:], []float32{0, 1, 0}, hardpointColumns[15:18]...)
	usual := 0.0
	if h.Revolute {
		usual = usualTurn
	}
	h.Min, h.Max = radians(c.number("min", -usual, 64)), radians(c.number("max", usual, 64))
	return h, c.text("part")
}

// takeHardpoints puts the hardpoints of another model, or of a table, onto the model. Those of the same name take their
// place. A table is the whole list: what it does not have goes.
func (e *editor) takeHardpoints(env *format.Env) error {
	name := env.Options.Freelancer.HardpointsFrom
	if name == "" {
		return nil
	}
	b, _, err := env.Find(name)
	if err != nil {
		return fmt.Errorf("--hardpoints-from %s: %w", name, err)
	}
	var list []placedHardpoint
	table := !strings.HasPrefix(string(b), freelancer.Magic)
	if table {
		list, err = readHardpoints(string(b))
	} else {
		list, err = hardpointsOf(b, env)
	}
	switch {
	case err != nil && table:
		return fmt.Errorf("--hardpoints-from %s: it is no model, and no table of hardpoints: %w", name, err)
	case err != nil:
		return fmt.Errorf("--hardpoints-from %s: %w", name, err)
	}
	return e.putHardpoints(list, table)
}

// hardpointsOf reads those of another model.
func hardpointsOf(b []byte, env *format.Env) (list []placedHardpoint, err error) {
	t, err := read.UTF(b, nil)
	if err != nil {
		return nil, err
	}
	m, err := newModel(kindOfTree(t.Root), t, &format.Env{Name: env.Name})
	if err != nil {
		return nil, err
	}
	parents := map[*asset.Node]*asset.Node{}
	m.scene.Walk(func(n, parent *asset.Node) { parents[n] = parent })
	for _, p := range m.parts {
		for _, hp := range p.hardpoints {
			own := *hp.h
			own.Node = nil
			list = append(list, placedHardpoint{p.name, &own, scene.World(hp.node, parents), true})
		}
	}
	return list, nil
}

func (e *editor) putHardpoints(list []placedHardpoint, whole bool) error {
	have := map[string][]*ownHardpoint{}
	var order []*ownHardpoint
	for _, p := range e.parts {
		if p.content == nil {
			continue
		}
		own, err := read.Hardpoints(p.content)
		if err != nil {
			return err
		}
		for _, h := range own {
			x := &ownHardpoint{p: p, h: h}
			order = append(order, x)
			key := strings.ToLower(h.Name)
			have[key] = append(have[key], x)
		}
	}
	for _, x := range list {
		p, err := e.partFor(&x)
		if err != nil {
			return err
		}
		var old *ownHardpoint
		for _, o := range have[strings.ToLower(x.h.Name)] {
			if !o.used && (old == nil || o.p == p && old.p != p) {
				old = o
			}
		}
		if old != nil {
			old.used = true
			if old.p == p && old.h.Revolute == x.h.Revolute {
				x.h.Node = old.h.Node
				x.h.Node.Name = x.h.Name
			} else {
				old.remove()
			}
		}
		write.Hardpoint(p.content, x.h)
	}
	var gone []string
	for _, o := range order {
		if whole && !o.used {
			o.remove()
			gone = append(gone, o.h.Name)
		}
	}
	if len(gone) > 0 {
		e.d.Notef("hardpoints-removed", e.stem, "the table has them no more: %s", strings.Join(gone, ", "))
	}
	return nil
}

// ownHardpoint is a hardpoint of the edited model.
type ownHardpoint struct {
	p    *part
	h    *freelancer.Hardpoint
	used bool
}

func (o *ownHardpoint) remove() {
	dir := o.p.content.Child("Hardpoints")
	for _, group := range dir.Children {
		group.Remove(o.h.Node)
	}
	dir.Remove(o.h.Node)
}

// partFor returns the part that a hardpoint belongs on: that of the same name, else the root, where it stays in its place
// if that is known.
func (e *editor) partFor(x *placedHardpoint) (*part, error) {
	var root *part
	for _, p := range e.parts {
		if p.content == nil {
			continue
		}
		if root == nil {
			root = p
		}
		if x.part == "" || strings.EqualFold(p.name, x.part) {
			return p, nil
		}
	}
	if root == nil {
		return nil, schema.Errorf(e.format, schema.ErrUnsupported, x.h.Name, "the model has no part that could hold a hardpoint")
	}
	if !strings.EqualFold(x.part, "Root") && (e.compound != nil || x.free) {
		e.d.Warnf("hardpoint-part", x.h.Name, "the model has no part %q: the hardpoint goes onto %q", x.part, root.name)
	}
	if x.free {
		frame := mgl64.Ident4()
		if f, ok := e.frames[root]; ok {
			frame = f
		}
		t := fromMatrix(rigid(frame.Inv().Mul4(x.at)))
		own := x.h.Axis
		setHardpoint(x.h, &t)
		x.h.Axis = own
	}
	return root, nil
}
