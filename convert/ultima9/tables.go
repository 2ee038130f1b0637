package ultima9

import (
	"math"
	"slices"

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
	a := &asset.Table{Name: env.EntryName("registry"), Columns: []string{"id", "name"}, Keys: []string{"id"}, Native: &asset.Native{Format: registryName, Payload: payload}}
	for _, l := range x.Lines {
		if l.ID != 0 {
			a.Rows = append(a.Rows, []any{int64(l.ID), l.Name})
		}
	}
	return a, nil
}

// lowerRegistry keeps the order of the stored lines: names are changed in their place, lines without a row are left out,
// and new ones follow at the end.
func lowerRegistry(a *asset.Table, env *format.Env) (*ultima9.Registry, error) {
	x, err := stored(a, registryName, read.Registry)
	if err != nil {
		return nil, err
	}
	c := columns{table: a, format: registryName}
	if err := c.known(env, []string{"id", "name"}); err != nil {
		return nil, err
	}
	line := func(row int, was ultima9.RegistryLine) ultima9.RegistryLine {
		was.ID = int32(c.integer(row, "id", int64(was.ID), math.MaxInt32))
		if was.Name = c.text(row, "name", was.Name); was.ID <= 0 {
			c.fault(row, "id", "%d is not positive", was.ID)
		}
		return was
	}
	rows := map[int]int{} // by the number of the stored line
	for row := range a.Rows {
		if from := fromOf(a, row); from >= 0 {
			rows[from] = row
		}
	}
	out, n := &ultima9.Registry{}, 0
	for _, l := range x.Lines {
		if l.ID != 0 {
			row, ok := rows[n]
			if n++; !ok {
				continue
			}
			l = line(row, l)
		}
		out.Lines = append(out.Lines, l)
	}
	for row := range a.Rows {
		if from := fromOf(a, row); from < 0 || from >= n {
			out.Lines = append(out.Lines, line(row, ultima9.RegistryLine{}))
		}
	}
	return out, c.faults.Err()
}

// liftTextTable makes a table of all lines, bucket after bucket. Items of a bucket are counted from 1.
func liftTextTable(x *ultima9.TextTable, env *format.Env) (*asset.Table, error) {
	payload, err := write.TextTable(x)
	if err != nil {
		return nil, err
	}
	a := &asset.Table{Name: env.EntryName("text"), Columns: []string{"bucket", "item", "crc", "slot"}, Keys: []string{"bucket", "item"},
		Native: &asset.Native{Format: textTableName, Payload: payload, Values: scene.ForReading(map[string]any{"buckets": len(x.Buckets)})}}
	items := map[uint32]int64{}
	for _, bucket := range x.Buckets {
		for _, item := range bucket { // may say another bucket than it lies in
			items[item.Bucket]++
			a.Rows = append(a.Rows, []any{int64(item.Bucket), items[item.Bucket], int64(item.CRC), int64(item.Slot)})
		}
	}
	return a, nil
}

// lowerTextTable puts what is stored where it was, and new rows at the end of their buckets.
func lowerTextTable(a *asset.Table, env *format.Env) (*ultima9.TextTable, error) {
	x, err := stored(a, textTableName, read.TextTable)
	if err != nil {
		return nil, err
	}
	c := columns{table: a, format: textTableName}
	if err := c.known(env, []string{"bucket", "item", "crc", "slot"}); err != nil {
		return nil, err
	}
	buckets := len(x.Buckets)
	if buckets == 0 {
		return nil, schema.Errorf(textTableName, schema.ErrValue, "bucket count", "a table needs the file that it was made from, since the number of buckets decides where the lines are")
	}
	var in []int // the bucket of each stored row
	var was []ultima9.TextItem
	for i, bucket := range x.Buckets {
		in = append(in, slices.Repeat([]int{i}, len(bucket))...)
		was = append(was, bucket...)
	}
	out := &ultima9.TextTable{Buckets: make([][]ultima9.TextItem, buckets), Trailing: x.Trailing}
	for row := range a.Rows {
		var item ultima9.TextItem
		from := fromOf(a, row)
		if from >= 0 && from < len(in) {
			item = was[from]
		}
		item.Bucket = uint32(c.integer(row, "bucket", int64(item.Bucket), int64(math.MaxUint32)))
		item.CRC = uint32(c.integer(row, "crc", int64(item.CRC), math.MaxUint32))
		item.Slot = uint32(c.integer(row, "slot", int64(item.Slot), math.MaxUint32))
		to := int64(item.Bucket)
		if from >= 0 && from < len(in) {
			to = int64(in[from])
		}
		if to >= int64(buckets) {
			c.fault(row, "bucket", "%d, and there are %d", to, buckets)
			continue
		}
		out.Buckets[to] = append(out.Buckets[to], item)
	}
	return out, c.faults.Err()
}

// templateLevels are a sound template, its actions, and the sounds that each chooses from. Padding is not shown.
var templateLevels = []level{
	{names: map[string]string{"ID": "id", "Name": "name", "InnerCone": "inner cone", "OuterCone": "outer cone", "Near": "near", "Far": "far", "Pad25": "", "Pad36": ""}},
	{list: "Actions", key: "action", first: 1, names: map[string]string{"Category": "category", "Name": "action name", "Pad22": ""}},
	{list: "Choices", key: "reference", first: 1, names: map[string]string{"Choice": "choice", "Sound": "sound", "Volume": "volume", "OffAxis": "off-axis volume",
		"HourFrom": "hour from", "HourTo": "hour to", "Pitch": "pitch", "Weight": "weight", "Pad01": "", "Pad0E": ""}},
}
