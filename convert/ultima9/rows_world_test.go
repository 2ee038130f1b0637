package ultima9

import (
	"fmt"
	"slices"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/u9"
)

// A list in a list as a table of text: unchanged, without what is stored beside it, and with an edit.
func TestNestedTables(t *testing.T) {
	for _, c := range []struct {
		file   string
		f      *format.Format
		column string
		row    int
		value  string
		check  func(v any) bool
	}{
		{"ada.activity", &activityFormat, "Operand B", 1, "77", func(v any) bool { return v.(*ultima9.ActivityList).Activities[0].Steps[1].Operands[1] == 77 }},
		{"woods.area", &areaFormat, "Box Max X", 1, "-9", func(v any) bool { return v.(*ultima9.Area).Boxes[1].Max.X == -9 }},
		{"woods.area", &areaFormat, "Encounter Entries 1 Weight", 0, "8", func(v any) bool { return v.(*ultima9.Area).Encounter.Entries[0].Weight == 8 }},
		{"cellar.space", &spaceFormat, "Target", 2, "12", func(v any) bool { return v.(*ultima9.Space).Planes[1].Portals[1].Target == 12 }},
		{"cellar.space", &spaceFormat, "W", 0, "0.1", func(v any) bool { return v.(*ultima9.Space).Planes[0].W == 0.1 }},
		{"cellar.treedat", &treeDataFormat, "Volumes", 2, "1 2 9", func(v any) bool { return fmt.Sprint(v.(*ultima9.TreeData).Nodes[1].Volumes) == "[1 2 9]" }},
	} {
		b := corpus.Bytes(t, corpus.Testdata(t, "ultima9", c.file))
		a := asCSV(tableOf(t, c.f, u9.Do(c.f.Read(b, nil))(t)))
		corpus.SameBytes(t, c.file, u9.Do(c.f.Write(u9.Do(c.f.Lower(a, nil))(t)))(t), b)
		at := -1
		for i, name := range a.Columns {
			if name == c.column {
				at = i
			}
		}
		if at < 0 {
			t.Errorf("%s: no column %s in %q", c.file, c.column, a.Columns)
			continue
		}
		a.Rows[c.row][at] = c.value
		if v := u9.Do(c.f.Lower(a, nil))(t); !c.check(v) {
			t.Errorf("%s: %s is not %s in %+v", c.file, c.column, c.value, v)
		}
		a.Rows[c.row][at] = "x"
		if _, err := c.f.Lower(a, nil); schema.Class(err) != schema.ErrValue {
			t.Errorf("%s: a cell that is no number: %v", c.file, err)
		}
	}
}

// A table without what it was made from makes the same record, as far as its cells tell.
func TestNestedTablesAlone(t *testing.T) {
	for file, f := range map[string]*format.Format{"woods.area": &areaFormat, "cellar.space": &spaceFormat, "cellar.treedat": &treeDataFormat} {
		b := corpus.Bytes(t, corpus.Testdata(t, "ultima9", file))
		a := tableOf(t, f, u9.Do(f.Read(b, nil))(t))
		a.Native = nil
		corpus.SameBytes(t, file, u9.Do(f.Write(u9.Do(f.Lower(a, nil))(t)))(t), b)
	}
}

// An area without boxes has one row without one; a cell in it makes a box. Flags and encounter belong together.
func TestAreaRows(t *testing.T) {
	box := ultima9.AreaBox{Max: ultima9.AreaPosition{X: 3}}
	for _, c := range []struct {
		name          string
		was           ultima9.Area
		column, value string
		boxes         int
		encounter     bool
		told          bool
	}{
		{name: "none", boxes: 0},
		{name: "a first one", column: "Box Max X", value: "3", boxes: 1},
		{name: "an empty one", was: ultima9.Area{Boxes: []ultima9.AreaBox{{}}}, boxes: 1},
		{name: "one", was: ultima9.Area{Boxes: []ultima9.AreaBox{box}}, column: "Box Max X", value: "4", boxes: 1},
		{name: "a first encounter", column: "Flags", value: "2", encounter: true},
		{name: "the encounter goes", was: ultima9.Area{Flags: ultima9.AreaEncounter, Encounter: new(ultima9.Encounter)}, column: "Flags", value: "0", told: true},
	} {
		c.was.Kind = ultima9.AreaKind
		a := tableOf(t, &areaFormat, &c.was)
		if c.column != "" {
			a.Rows[0][slices.Index(a.Columns, c.column)] = c.value
		}
		env := &format.Env{Diagnostics: new(schema.Diagnostics)}
		x := u9.Do(areaFormat.Lower(merged(t, &areaFormat, a), env))(t).(*ultima9.Area)
		if len(x.Boxes) != c.boxes || (x.Encounter != nil) != c.encounter || env.Diagnostics.Has("encounter") != c.told {
			t.Errorf("%s: %+v, said %v", c.name, x, env.Diagnostics.All())
		}
	}
	opaque := &ultima9.Area{Kind: 7, Opaque: []byte{1, 2}}
	a := tableOf(t, &areaFormat, opaque)
	corpus.SameBytes(t, "opaque", u9.Do(areaFormat.Write(u9.Do(areaFormat.Lower(merged(t, &areaFormat, a), nil))(t)))(t), u9.Do(areaFormat.Write(opaque))(t))
	a.Rows[0][slices.Index(a.Columns, "Chance")] = "5"
	if _, err := areaFormat.Write(u9.Do(areaFormat.Lower(merged(t, &areaFormat, a), nil))(t)); schema.Class(err) != schema.ErrMismatch {
		t.Errorf("a field of an opaque area: %v", err)
	}
}
