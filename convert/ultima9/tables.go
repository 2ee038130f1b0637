package ultima9

import (
	"math"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// Tables whose records are no plain list of structs: registry.txt, text.dat and the sound templates.

const (
	registryName      = "u9-registry"
	textTableName     = "u9-textdat"
	soundTemplateName = "u9-sfxtmpl"
)

// stored returns what a table was made from, or a zero value.
func stored[T any](a *asset.Table, name string, read func([]byte, *schema.Diagnostics) (*T, error)) (*T, error) {
	if n := a.Native; n != nil && n.Format == name && len(n.Payload) > 0 {
		return read(n.Payload, nil)
	}
	return new(T), nil
}

// liftRegistry makes a table of the names; comments and blank lines stay in the stored file.
func liftRegistry(x *ultima9.Registry, env *format.Env) (*asset.Table, error) {
	payload, err := write.Registry(x)
	if err != nil {
		return nil, err
	}
	a := &asset.Table{Name: env.EntryName("registry"), Columns: []string{"id", "name"}, Native: &asset.Native{Format: registryName, Payload: payload}}
	for _, l := range x.Lines {
		if l.ID != 0 {
			a.Rows = append(a.Rows, []any{int64(l.ID), l.Name})
		}
	}
	return a, nil
}

// lowerRegistry keeps the order of the stored lines: names are changed in their place, lines whose id is gone are left
// out, and new ones follow at the end.
func lowerRegistry(a *asset.Table, env *format.Env) (*ultima9.Registry, error) {
	x, err := stored(a, registryName, read.Registry)
	if err != nil {
		return nil, err
	}
	c := columns{table: a, format: registryName}
	rows := map[int32][]int{} // by id; ids may occur twice
	for row := range a.Rows {
		id := int32(c.integer(row, "id", 0, math.MaxInt32))
		if id <= 0 && c.err == nil {
			return nil, schema.Errorf(registryName, schema.ErrValue, "id", "row %d: %d is not positive", row, id)
		}
		rows[id] = append(rows[id], row)
	}
	out := &ultima9.Registry{}
	used := make([]bool, len(a.Rows))
	for _, l := range x.Lines {
		if l.ID != 0 {
			if len(rows[l.ID]) == 0 {
				continue
			}
			row := rows[l.ID][0]
			rows[l.ID] = rows[l.ID][1:]
			used[row] = true
			l.Name = c.text(row, "name", l.Name)
		}
		out.Lines = append(out.Lines, l)
	}
	for row := range a.Rows {
		if !used[row] {
			out.Lines = append(out.Lines, ultima9.RegistryLine{ID: int32(c.integer(row, "id", 0, math.MaxInt32)), Name: c.text(row, "name", "")})
		}
	}
	return out, c.err
}

// liftTextTable makes a table of all lines, bucket after bucket.
func liftTextTable(x *ultima9.TextTable, env *format.Env) (*asset.Table, error) {
	payload, err := write.TextTable(x)
	if err != nil {
		return nil, err
	}
	a := &asset.Table{Name: env.EntryName("text"), Columns: []string{"bucket", "crc", "slot"},
		Native: &asset.Native{Format: textTableName, Payload: payload, Values: scene.ForReading(map[string]any{"buckets": len(x.Buckets)})}}
	for _, bucket := range x.Buckets {
		for _, item := range bucket {
			a.Rows = append(a.Rows, []any{int64(item.Bucket), int64(item.CRC), int64(item.Slot)})
		}
	}
	return a, nil
}

// lowerTextTable puts every row into its bucket. An unchanged table comes back as it was stored, items that lie in
// another bucket than they say included.
func lowerTextTable(a *asset.Table, env *format.Env) (*ultima9.TextTable, error) {
	x, err := stored(a, textTableName, read.TextTable)
	if err != nil {
		return nil, err
	}
	c := columns{table: a, format: textTableName}
	items := make([]ultima9.TextItem, len(a.Rows))
	buckets := len(x.Buckets)
	for row := range items {
		items[row] = ultima9.TextItem{Bucket: uint32(c.integer(row, "bucket", 0, math.MaxUint32)),
			CRC: uint32(c.integer(row, "crc", 0, math.MaxUint32)), Slot: uint32(c.integer(row, "slot", 0, math.MaxUint32))}
	}
	if c.err != nil || sameItems(x, items) {
		return x, c.err
	}
	if buckets == 0 {
		return nil, schema.Errorf(textTableName, schema.ErrValue, "bucket count", "a table needs the file that it was made from, since the number of buckets decides where the lines are")
	}
	out := &ultima9.TextTable{Buckets: make([][]ultima9.TextItem, buckets), Trailing: x.Trailing}
	for row, item := range items {
		if int64(item.Bucket) >= int64(buckets) {
			return nil, schema.Errorf(textTableName, schema.ErrRange, "bucket", "row %d: %d, there are %d", row, item.Bucket, buckets)
		}
		out.Buckets[item.Bucket] = append(out.Buckets[item.Bucket], item)
	}
	return out, nil
}

// sameItems tells whether a table holds exactly these items in this order.
func sameItems(x *ultima9.TextTable, items []ultima9.TextItem) bool {
	for _, bucket := range x.Buckets {
		for _, item := range bucket {
			if len(items) == 0 || items[0] != item {
				return false
			}
			items = items[1:]
		}
	}
	return len(items) == 0
}

// templateColumns are those of a sound template: of itself, of an action, and of one of the action's sounds.
var templateColumns = []string{"id", "name", "inner cone", "outer cone", "near", "far", "action", "category", "action name",
	"choice", "sound", "volume", "off-axis volume", "hour from", "hour to", "pitch", "weight"}

// actionCells is how many of them are an action's.
const actionCells = 3

// liftSoundTemplate makes a table with a row for each sound. An action without sounds, and a template without actions,
// has one row in which the other cells are empty. Actions are counted from 1.
func liftSoundTemplate(x *ultima9.SoundTemplate, env *format.Env) (*asset.Table, error) {
	payload, err := write.SoundTemplate(x)
	if err != nil {
		return nil, err
	}
	a := &asset.Table{Name: env.EntryName("sound"), Columns: templateColumns, Native: &asset.Native{Format: soundTemplateName, Payload: payload}}
	row := func(cells ...any) {
		r := []any{int64(x.ID), x.Name.Text, int64(x.InnerCone), int64(x.OuterCone), int64(x.Near), int64(x.Far)}
		r = append(r, cells...)
		for len(r) < len(templateColumns) {
			r = append(r, "")
		}
		a.Rows = append(a.Rows, r)
	}
	for i := range x.Actions {
		action := &x.Actions[i]
		head := []any{int64(i + 1), int64(action.Category), action.Name.Text}
		for _, s := range action.Choices {
			row(append(head[:actionCells:actionCells], int64(s.Choice), int64(s.Sound), int64(s.Volume), int64(s.OffAxis), int64(s.HourFrom), int64(s.HourTo),
				int64(s.Pitch), int64(s.Weight))...)
		}
		if len(action.Choices) == 0 {
			row(head...)
		}
	}
	if len(x.Actions) == 0 {
		row()
	}
	return a, nil
}

// lowerSoundTemplate takes the template from the first row, an action from the first row with each new number, and a
// sound from every row that names one. What the table does not show is kept by the numbers of actions and sounds.
func lowerSoundTemplate(a *asset.Table, env *format.Env) (*ultima9.SoundTemplate, error) {
	x, err := stored(a, soundTemplateName, read.SoundTemplate)
	if err != nil {
		return nil, err
	}
	if len(a.Rows) == 0 {
		return nil, schema.Errorf(soundTemplateName, schema.ErrValue, "rows", "a template has at least one row")
	}
	c := columns{table: a, format: soundTemplateName}
	small := func(row int, column string, was uint8) uint8 {
		return uint8(c.integer(row, column, int64(was), math.MaxUint8))
	}
	x.ID = uint32(c.integer(0, "id", int64(x.ID), math.MaxUint32))
	x.Name.Text = c.text(0, "name", x.Name.Text)
	x.InnerCone = uint32(c.integer(0, "inner cone", int64(x.InnerCone), math.MaxUint32))
	x.OuterCone = uint32(c.integer(0, "outer cone", int64(x.OuterCone), math.MaxUint32))
	x.Near, x.Far = small(0, "near", x.Near), small(0, "far", x.Far)
	was := x.Actions
	x.Actions = nil
	number, choices := int64(0), []ultima9.SoundChoice(nil) // of the action under way, and its stored sounds
	for row := range a.Rows {
		if c.empty(row, "action") {
			continue
		}
		if n := c.integer(row, "action", 0, math.MaxUint32); n != number || len(x.Actions) == 0 {
			number = n
			action := ultima9.SoundAction{}
			if n >= 1 && n <= int64(len(was)) {
				action = was[n-1]
			}
			action.Category = small(row, "category", action.Category)
			action.Name.Text = c.text(row, "action name", action.Name.Text)
			choices, action.Choices = action.Choices, nil
			x.Actions = append(x.Actions, action)
		}
		if c.empty(row, "sound") {
			continue
		}
		action := &x.Actions[len(x.Actions)-1]
		s := ultima9.SoundChoice{}
		if k := len(action.Choices); k < len(choices) {
			s = choices[k]
		}
		s.Choice, s.Sound = small(row, "choice", s.Choice), uint32(c.integer(row, "sound", int64(s.Sound), math.MaxUint32))
		s.Volume, s.OffAxis = small(row, "volume", s.Volume), small(row, "off-axis volume", s.OffAxis)
		s.HourFrom, s.HourTo = small(row, "hour from", s.HourFrom), small(row, "hour to", s.HourTo)
		s.Pitch, s.Weight = small(row, "pitch", s.Pitch), small(row, "weight", s.Weight)
		action.Choices = append(action.Choices, s)
	}
	return x, c.err
}

// empty tells whether a cell is not there or holds nothing.
func (c *columns) empty(row int, column string) bool {
	v, ok := c.cell(row, column)
	return !ok || v == ""
}
