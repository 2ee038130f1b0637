package ultima9

import (
	"fmt"
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

// The row of an area without boxes is no box, unless somebody put one into it; an area of one empty box keeps it.
func TestAreaBoxes(t *testing.T) {
	box := ultima9.AreaBox{Max: ultima9.AreaPosition{X: 3}}
	for _, tt := range []struct {
		name string
		was  []ultima9.AreaBox
		rows []ultima9.AreaBox
		want int
	}{
		{"none", nil, []ultima9.AreaBox{{}}, 0},
		{"a first one", nil, []ultima9.AreaBox{box}, 1},
		{"two empty ones", nil, []ultima9.AreaBox{{}, {}}, 2},
		{"an empty one", []ultima9.AreaBox{{}}, []ultima9.AreaBox{{}}, 1},
		{"one", []ultima9.AreaBox{box}, []ultima9.AreaBox{box}, 1},
		{"one of two", []ultima9.AreaBox{box, box}, []ultima9.AreaBox{box}, 1},
	} {
		x := &ultima9.Area{Kind: ultima9.AreaKind, Boxes: tt.was}
		var rows []areaRow
		for _, b := range tt.rows {
			rows = append(rows, areaRow{Kind: ultima9.AreaKind, Box: b})
		}
		if err := putAreaRows(x, rows); err != nil || len(x.Boxes) != tt.want {
			t.Errorf("%s: %v, %v", tt.name, x.Boxes, err)
		}
	}
	if err := putAreaRows(new(ultima9.Area), nil); schema.Class(err) != schema.ErrValue {
		t.Errorf("no rows: %v", err)
	}
	for _, kind := range []int32{ultima9.AreaKind, ultima9.AreaKind + 1} {
		for _, flags := range []uint32{0, ultima9.AreaEncounter} {
			x := &ultima9.Area{Kind: ultima9.AreaKind, Encounter: &ultima9.Encounter{Count: 3}, Boxes: []ultima9.AreaBox{box}}
			err := putAreaRows(x, []areaRow{{Kind: kind, Flags: flags, Encounter: ultima9.Encounter{Count: 9}, Box: ultima9.AreaBox{}}})
			opaque := kind != ultima9.AreaKind
			if err != nil || opaque && (x.Encounter.Count != 3 || x.Boxes[0] != box) || !opaque && (flags == 0) != (x.Encounter == nil) {
				t.Errorf("kind %d, flags %d: %+v, %v", kind, flags, x, err)
			}
		}
	}
}
