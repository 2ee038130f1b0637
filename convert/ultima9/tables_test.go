package ultima9

import (
	"fmt"
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
