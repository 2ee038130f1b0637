package rows_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/usher-assets/usher/convert/exchange/rows"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// TestCells: what spreadsheets write of a value is that value; everything else is an edit.
func TestCells(t *testing.T) {
	third := float64(float32(1.0 / 3))
	const fault = "refused"
	long := strings.Repeat("é", 40000)
	for _, c := range []struct {
		stored any
		cell   string
		want   any // nil: as stored
	}{
		{int64(7041), "7041", nil}, {int64(7041), "7041.0", nil}, {int64(7041), "7041,0", nil}, {int64(7041), "7.041E+03", nil},
		{int64(7041), "7042", "7042"}, {int64(7041), "7042,0", "7042"}, {int64(7041), "x", fault}, {int64(7041), "7041.5", fault}, {int64(7041), "", fault}, {int64(7041), "010", "10"}, {int64(7041), "0x1B82", "7042"}, {int64(7042), "0x1B82", nil},
		{int64(123456789), "1.23457E+08", nil}, {int64(123456789), "123457000", "123457000"},
		{uint64(1<<63 + 12345), "9.22337203685479E+18", nil}, {uint64(1 << 63), "9223372036854775808", nil}, {uint64(1 << 63), "5", "5"},
		{third, "0.3333333432674408", nil}, {third, "0,333333343", nil}, {third, "0.33333334", nil}, {third, "0.3333", "0.3333"}, {third, "0,25", "0.25"},
		{1.0 / 3, "0.333333333", nil}, {1.0 / 3, "0.33333333", "0.33333333"}, {1.0 / 3, "3.33333E-01", nil}, {1.0 / 3, "3.3333E-01", "0.33333"}, {1.0 / 3, "0000.33333333", "0.33333333"},
		{uint64(1 << 63), "9223372036854775809", "9223372036854775809"}, {uint64(1 << 63), "9223372036854776000", nil}, {uint64(1<<63 + 1), "9223372036854775808", "9223372036854775808"}, {int64(1<<53 + 4), "9007199254740995", "9007199254740995"}, {int64(1 << 62), "4611686018427390000", nil}, {int64(1 << 62), "5000000000000000000", "5000000000000000000"}, {int64(1 << 62), "4611686018427400000", "4611686018427400000"}, {int64(-1 << 62), "-4611686018427387905", "-4611686018427387905"}, {int64(-1 << 62), "4611686018427387904", "4611686018427387904"},
		{int64(-5), "-5.0", nil}, {int64(-5), "-6", "-6"}, {int64(5), "0xG", fault}, {int64(5), "1,2,3", fault}, {int64(5), "9007199254740993.0", fault}, {int64(5), "9007199254740991.0", "9007199254740991"},
		{int64(1<<53 + 2), "9007199254740990", nil}, {int64(1<<53 + 2), "9007199254740980", "9007199254740980"}, {int64(1<<53 + 2), "9.00719925474099E+15", nil}, {nil, "x", "x"}, {nil, "0.5", "0.5"}, {false, "0", false}, {true, "1", true}, {true, " True ", true},
		{0.5, "half", fault}, {nil, "", nil}, {nil, "0", nil}, {nil, "5", "5"}, {0.30000000000000004, "0.3", "0.3"}, {0.30000000000000004, "0.300000000000000", nil},
		{true, "TRUE", nil}, {true, "true", nil}, {true, "FALSE", false}, {true, "maybe", fault},
		{"a\r\nb", "a\nb", nil}, {"a", "b", "b"}, {"1.0", "1", "1"}, {long, long[:2*32767], nil}, {long, long[:2*32766], long[:2*32766]},
	} {
		d := new(schema.Diagnostics)
		edited := &asset.Table{Columns: []string{"x"}, Rows: [][]any{{c.cell}}}
		m, err := rows.Merge(edited, &asset.Table{Columns: []string{"y", "x"}, Rows: [][]any{{"", c.stored}}}, false, d)
		if c.want == fault || err != nil {
			if c.want != fault || err == nil || !strings.HasPrefix(err.Error(), "row 1: x: ") {
				t.Errorf("%v as %.40q: %v", c.stored, c.cell, err)
			}
			continue
		}
		want := c.want
		if want == nil {
			want = c.stored
		}
		if got := m.Table.Rows[0][0]; !cmp.Equal(got, want) || m.Same() != (c.want == nil) {
			t.Errorf("%v as %.40q: %v (%T), %v", c.stored, c.cell, got, got, m.Same())
		}
		if cut := c.stored == long && c.want == nil; cut != d.Has("cell-cut") {
			t.Errorf("%.10v as %.10q: said %v", c.stored, c.cell, d.All())
		}
	}
}

// TestTypedCells: cells that are no text, as JSON has them, say what they are.
func TestTypedCells(t *testing.T) {
	for _, c := range []struct {
		stored, cell any
		same         bool
	}{
		{int64(5), int64(5), true}, {int64(5), 5.0, true}, {int64(5), int64(6), false}, {5.5, 5.5, true}, {5.5, 5.25, false}, {uint64(5), int64(5), true},
		{true, true, true}, {true, false, false}, {nil, nil, true}, {"", nil, true}, {"x", nil, false}, {nil, int64(0), false}, {"5", int64(5), true},
	} {
		m, err := rows.Merge(&asset.Table{Columns: []string{"x"}, Rows: [][]any{{c.cell}}}, &asset.Table{Columns: []string{"x"}, Rows: [][]any{{c.stored}}}, false, nil)
		if err != nil {
			t.Errorf("%v (%T) as %v: %v", c.stored, c.stored, c.cell, err)
			continue
		}
		want := c.cell
		if c.same {
			want = c.stored
		}
		if got := m.Table.Rows[0][0]; m.Same() != c.same || got != want {
			t.Errorf("%v (%T) as %v (%T): %v (%T), same %v", c.stored, c.stored, c.cell, c.cell, got, got, m.Same())
		}
	}
}
