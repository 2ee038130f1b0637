package ultima9

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/rows"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/u9"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// asCSV turns the cells of a table into text, as a CSV file does.
func asCSV(a *asset.Table) *asset.Table {
	for _, row := range a.Rows {
		for i, c := range row {
			row[i] = rows.Text(c)
		}
	}
	return a
}

// tableOf lifts a value; its cells are text.
func tableOf(t *testing.T, f *format.Format, v any) *asset.Table {
	t.Helper()
	return asCSV(u9.Do(f.Lift(v, nil))(t).(*asset.Table))
}

// merged brings an edited table in line with what it was made from.
func merged(t *testing.T, f *format.Format, a *asset.Table) *asset.Table {
	t.Helper()
	stored := u9.Do(f.Lift(u9.Do(f.Read(a.Native.Payload, nil))(t), nil))(t).(*asset.Table)
	return u9.Do(rows.Merge(a, stored, true, nil))(t).Table
}

func lowerTable[T any](t *testing.T, f *format.Format, a *asset.Table) *T {
	t.Helper()
	return u9.Do(f.Lower(a, nil))(t).(*T)
}

func TestTablesFromTestdata(t *testing.T) {
	for name, f := range map[string]*format.Format{"registry.txt": &registryFormat, "text.dat": &textTableFormat,
		"highway.dat": &highwayFormat, "fountain.sfxtmpl": &soundTemplateFormat, "ada.activity": &activityFormat, "woods.area": &areaFormat,
		"cellar.space": &spaceFormat, "cellar.treedat": &treeDataFormat, "start.dat": &startFormat} {
		b := corpus.Bytes(t, corpus.Testdata(t, "ultima9", name))
		a := tableOf(t, f, u9.Do(f.Read(b, nil))(t))
		if len(a.Rows) == 0 {
			t.Errorf("%s: no rows", name)
		}
		corpus.SameBytes(t, name, u9.Do(f.Write(u9.Do(f.Lower(a, nil))(t)))(t), b)
	}
}

func TestRegistryEdits(t *testing.T) {
	v := u9.Do(registryFormat.Read([]byte("// limbs\r\n1 head\r\n2\tneck\r\n\r\n3 tail\r\n"), nil))(t)
	a := tableOf(t, &registryFormat, v)
	a.Rows = [][]any{{"2", "throat"}, {"1", "head"}, {"9", "wing"}}
	got := u9.Do(registryFormat.Write(lowerTable[ultima9.Registry](t, &registryFormat, merged(t, &registryFormat, a))))(t)
	if want := "// limbs\r\n1 head\r\n2 throat\r\n\r\n9 wing\r\n"; string(got) != want {
		t.Errorf("%q, want %q", got, want)
	}
	a.Rows[0][0] = "0"
	if _, err := registryFormat.Lower(a, nil); schema.Class(err) != schema.ErrValue {
		t.Errorf("an id of 0: %v", err)
	}
}

func TestTextTableEdits(t *testing.T) {
	x := ultima9.NewTextTable(3)
	x.Buckets[1] = []ultima9.TextItem{{Bucket: 1, CRC: 7, Slot: 4}, {Bucket: 0, CRC: 8, Slot: 5}} // one that says otherwise
	a := tableOf(t, &textTableFormat, x)
	if y := lowerTable[ultima9.TextTable](t, &textTableFormat, a); len(y.Buckets[1]) != 2 {
		t.Errorf("unchanged: %v", y.Buckets)
	}
	longer := tableOf(t, &textTableFormat, x)
	longer.Rows = append(longer.Rows, []any{"0", nil, "9", "6"})
	if got, want := fmt.Sprint(lowerTable[ultima9.TextTable](t, &textTableFormat, longer).Buckets), "[[{0 9 6}] [{1 7 4} {0 8 5}] []]"; got != want {
		t.Errorf("a row more: %s, want %s", got, want)
	}
	a.Rows[0][0] = "2" // taken out of its bucket, and put into another
	y := lowerTable[ultima9.TextTable](t, &textTableFormat, merged(t, &textTableFormat, a))
	if got, want := fmt.Sprint(y.Buckets), "[[] [{0 8 5}] [{2 7 4}]]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	a.Rows[0][0] = "3"
	a = merged(t, &textTableFormat, a)
	if _, err := textTableFormat.Lower(a, nil); schema.Class(err) != schema.ErrValue {
		t.Errorf("bucket 3 of 3: %v", err)
	}
	a.Native = nil
	if _, err := textTableFormat.Lower(a, nil); schema.Class(err) != schema.ErrValue {
		t.Errorf("without its file: %v", err)
	}
}

func TestHighwayPointEdit(t *testing.T) {
	x := &ultima9.Highway{Points: []ultima9.HighwayPoint{{ID: 1, X: 10, Y: 20}, {ID: 2}}, Routes: []ultima9.HighwayRoute{{Start: 1, End: 2, Path: []uint16{1, 2}}}}
	a := tableOf(t, &highwayFormat, x)
	a.Rows[1][2] = "77"
	y := lowerTable[ultima9.Highway](t, &highwayFormat, a)
	if y.Points[1] != (ultima9.HighwayPoint{ID: 2, Y: 77}) || len(y.Routes) != 1 {
		t.Errorf("%+v", y)
	}
}

func TestSoundTemplateEdits(t *testing.T) {
	x := &ultima9.SoundTemplate{ID: 5, Name: ultima9.FixedText{Text: "TORCH"}, Pad25: [3]uint8{1, 2, 3}, Actions: []ultima9.SoundAction{
		{Category: 1, Name: ultima9.FixedText{Text: "burn"}, Pad22: [2]uint8{9, 9}, Choices: []ultima9.SoundChoice{{Sound: 40, Pad0E: [2]uint8{7, 7}}, {Sound: 41}}},
		{Category: 2, Name: ultima9.FixedText{Text: "idle"}},
	}}
	b := u9.Do(soundTemplateFormat.Write(x))(t)
	a := tableOf(t, &soundTemplateFormat, x)
	if len(a.Rows) != 3 {
		t.Fatalf("%d rows", len(a.Rows))
	}
	corpus.SameBytes(t, "unchanged", u9.Do(soundTemplateFormat.Write(lowerTable[ultima9.SoundTemplate](t, &soundTemplateFormat, a)))(t), b)
	sound := slices.Index(a.Columns, "sound")
	a.Rows[0][sound] = "50" // another sound
	a.Rows[2][sound] = "60" // the first one of the second action
	a = merged(t, &soundTemplateFormat, a)
	y := lowerTable[ultima9.SoundTemplate](t, &soundTemplateFormat, a)
	if s := y.Actions[0].Choices[0]; s.Sound != 50 || s.Pad0E != [2]uint8{7, 7} || y.Actions[0].Pad22 != [2]uint8{9, 9} || y.Pad25[2] != 3 {
		t.Errorf("%+v", y)
	}
	if len(y.Actions[1].Choices) != 1 || y.Actions[1].Choices[0].Sound != 60 {
		t.Errorf("%+v", y.Actions[1])
	}
}

// A table of nothing known is refused, and so is another name of a type: it stands in another file.
func TestTypesTable(t *testing.T) {
	env := u9.Env(t, "types.dat", "install/static")
	b := corpus.Bytes(t, u9.Synthetic(t, "install", "static", "types.dat"))
	types := func() *asset.Table { return asCSV(u9.Do(liftTypes(u9.Do(read.Types(b, nil))(t), env))(t)) }
	a := types()
	corpus.SameBytes(t, "types.dat", u9.Do(write.Types(u9.Do(lowerTypes(a, env))(t)))(t), b)
	if env.Diagnostics.Has("name") {
		t.Errorf("unedited: %v", env.Diagnostics.All())
	}
	a = types()
	a.Rows[1][1] = "another name"
	if _, err := lowerTypes(a, env); err == nil || !strings.Contains(err.Error(), `row 2: name: type 1 is called`) {
		t.Errorf("another name: %v", err)
	}
	a = types()
	a.Rows[1][1] = ""
	if _, err := lowerTypes(a, nil); err == nil || !strings.Contains(err.Error(), `row 2: name: type 1 is called`) {
		t.Errorf("no name: %v", err)
	}
	a = types()
	a.Native.Values = nil // as before there were names in it
	corpus.SameBytes(t, "types.dat", u9.Do(write.Types(u9.Do(lowerTypes(a, &format.Env{Diagnostics: env.Diagnostics}))(t)))(t), b)
	if !env.Diagnostics.Has("name") {
		t.Error("nothing was said of names that nobody can compare")
	}
	for name, lower := range map[string]func(*asset.Table) error{
		"types.dat": func(a *asset.Table) error { _, err := lowerTypes(a, nil); return err },
		"highway":   func(a *asset.Table) error { _, err := highwayFormat.Lower(a, nil); return err },
	} {
		if err := lower(&asset.Table{Columns: []string{"a", "b"}, Rows: [][]any{{"1", "2"}}}); schema.Class(err) != schema.ErrValue {
			t.Errorf("%s of nothing known: %v", name, err)
		}
	}
}

func TestTablesThereAndBack(t *testing.T) {
	b := corpus.Bytes(t, u9.Synthetic(t, "types", "types.dat"))
	env := u9.Env(t, "types.dat", "types")
	a := u9.Do(liftTypes(u9.Do(read.Types(b, nil))(t), env))(t)
	if a.Rows[0][1] != "torch" || a.Rows[1][3] != int64(3) {
		t.Errorf("row 0 is %v, row 1 %v", a.Rows[0], a.Rows[1])
	}
	a.Native = u9.ThroughJSON(t, a.Native)
	corpus.SameBytes(t, "types.dat", u9.Do(write.Types(u9.Do(lowerTypes(a, env))(t)))(t), b)
	a.Rows[1][3] = "17"
	if types := u9.Do(lowerTypes(a, env))(t); types.Records[1].Model != 17 {
		t.Errorf("model %d", types.Records[1].Model)
	}
	a.Rows[1][3] = 70000.0
	if _, err := lowerTypes(a, env); schema.Class(err) != schema.ErrValue {
		t.Errorf("a model of 70000: %v", err)
	}
	for _, record := range []string{"\x00\x00\x00\x00\x81\x1B", "\xFF\xFF\xFF\xFF\x01\x00torch\x00", "\x00\x00\x00\x00\x01\x00\x00", "\x00\x00\x00\x00\x01\x00abc\x00de"} {
		n := u9.Do(read.TypeName([]byte(record), nil))(t)
		a := u9.Do(liftTypeName(n, nil))(t)
		corpus.SameBytes(t, "type name", u9.Do(write.TypeName(u9.Do(lowerTypeName(a, nil))(t)))(t), []byte(record))
	}
	n := u9.Do(liftTypeName(ultima9.NewTypeName(0, 5, "torch"), nil))(t)
	n.Rows[0][0] = "lamp"
	corpus.SameBytes(t, "new name", u9.Do(write.TypeName(u9.Do(lowerTypeName(n, nil))(t)))(t), []byte("\x00\x00\x00\x00\x05\x00lamp\x00"))
}

// Each column of the table of types is a field of the type, within its range; a row may name another type, and rows may be missing.
func TestTypesColumns(t *testing.T) {
	stored := &ultima9.Types{Active: 4, NPCs: 2, Records: make([]ultima9.Type, ultima9.TypeCount)}
	stored.Records[2] = ultima9.Type{Base: 1, Model: 2, Flags: 3, Weight: 4, Volume: 5, Book: 6, HitPoints: 7, Pointer: 8, Mask: 9}
	table := func() *asset.Table { return u9.Do(liftTypes(stored, nil))(t) }
	a := table()
	if want := []any{int64(2), "", int64(1), int64(2), ultima9.TypeFlags(3), int64(4), int64(5), int64(6), int64(7), int64(8), int64(9)}; !slices.Equal(a.Rows[2], want) || len(a.Rows) != ultima9.TypeCount {
		t.Errorf("row 2 of %d is %v, want %v", len(a.Rows), a.Rows[2], want)
	}
	fields := func(r *ultima9.Type) []uint64 {
		return []uint64{0, 0, uint64(r.Base), uint64(r.Model), uint64(r.Flags), uint64(r.Weight), uint64(r.Volume), uint64(r.Book), uint64(r.HitPoints), uint64(r.Pointer), uint64(r.Mask)}
	}
	limits := []int64{0, 0, math.MaxUint16, math.MaxUint16, math.MaxUint16, math.MaxUint8, math.MaxUint8, math.MaxUint8, math.MaxUint8, math.MaxUint32, math.MaxUint16}
	for k := 2; k < len(typeColumns); k++ {
		for _, value := range []int64{0, limits[k], limits[k] + 1, -1} {
			a := table()
			a.Rows[2][k] = value
			got, err := lowerTypes(a, nil)
			if value < 0 || value > limits[k] {
				want := fmt.Sprintf("%s: %d is no whole number from 0 to %d", typeColumns[k], value, limits[k])
				if typeColumns[k] == "flags" {
					want = fmt.Sprintf(`row 3: flags: "%d" is neither a number in range nor one of never-hidden, npc-only-collision`, value)
				}
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%s: %d: %v", typeColumns[k], value, err)
				}
				continue
			}
			want := fields(&stored.Records[2])
			want[k] = uint64(value)
			if err != nil || !slices.Equal(fields(&got.Records[2]), want) {
				t.Errorf("%s: %d: %v, %v", typeColumns[k], value, fields(&got.Records[2]), err)
			}
			if got.Active != 4 || got.NPCs != 2 || !slices.Equal(got.Records[3:], stored.Records[3:]) {
				t.Errorf("%s: %d: other types have changed", typeColumns[k], value)
			}
		}
	}
	// a table of one's own: what it says of the types that it names, zeros for all else
	own := &asset.Table{Columns: []string{"model", "type", "colour"}, Rows: [][]any{{int64(7), int64(5), "red"}, {int64(8), nil, nil}}}
	env := &format.Env{Diagnostics: new(schema.Diagnostics)}
	got := u9.Do(lowerTypes(own, env))(t)
	if got.Active != 2 || got.Records[5].Model != 7 || got.Records[1].Model != 8 || got.Records[0].Model != 0 || len(got.Records) != ultima9.TypeCount {
		t.Errorf("%d types: %v", got.Active, got.Records[:6])
	}
	if all := env.Diagnostics.All(); len(all) != 1 || !strings.Contains(all[0].String(), `the column "colour" means nothing here`) {
		t.Errorf("told %v", all)
	}
	for what, c := range map[string]struct {
		rows [][]any
		want string
	}{
		"a type that is none":     {[][]any{{int64(1), int64(ultima9.TypeCount)}}, "type: 8192 is no whole number from 0 to 8191"},
		"the last type":           {[][]any{{int64(1), int64(ultima9.TypeCount - 1)}}, ""},
		"words in place of value": {[][]any{{"many", int64(1)}}, "model: many is no whole number from 0 to 65535"},
	} {
		_, err := lowerTypes(&asset.Table{Columns: []string{"model", "type"}, Rows: c.rows}, nil)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// Names of types are shown beside their numbers, as far as typename.flx has them, and are edited there alone.
func TestTypesNames(t *testing.T) {
	env := installed(t, map[string][]byte{})
	stored := u9.Do(read.Types(sampleTypes(t), nil))(t)
	a := u9.Do(liftTypes(stored, env))(t)
	for i, want := range []string{"", "wooden box", "", "traveller", ""} {
		if a.Rows[i][1] != want {
			t.Errorf("type %d is called %q, want %q", i, a.Rows[i][1], want)
		}
	}
	for _, c := range []struct {
		row       int
		name      any
		forgotten bool // the table does not know which names it was made with
		want      string
	}{
		{1, "wooden box", false, ""}, {1, "crate", false, `type 1 is called "wooden box" in typename.flx: to call it "crate", edit it there`},
		{1, "", false, `type 1 is called "wooden box"`}, {0, "air", false, `type 0 is called ""`}, {3, "traveler", true, `type 3 is called "traveller"`},
		{3, "", true, ""}, {5, "far", true, `type 5 is called ""`}, {5, int64(7), false, "7 is not text"},
	} {
		a := u9.Do(liftTypes(stored, env))(t)
		if a.Rows[c.row][1] = c.name; c.forgotten {
			a.Native.Values = nil
		}
		got, err := lowerTypes(a, env)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v: %v", c, err)
		}
		if err == nil && !slices.Equal(got.Records, stored.Records) {
			t.Errorf("%v: the types have changed", c)
		}
	}
}
