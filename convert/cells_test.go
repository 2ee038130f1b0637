package convert_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/usher-assets/usher/convert"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// TestSettleCells: what spreadsheets write of a value is that value; everything else is an edit.
func TestSettleCells(t *testing.T) {
	third := float64(float32(1.0 / 3))
	long := strings.Repeat("é", 40000)
	for _, c := range []struct {
		stored any
		cell   string
		want   any // nil: as stored
	}{
		{int64(7041), "7041", nil}, {int64(7041), "7041.0", nil}, {int64(7041), "7041,0", nil}, {int64(7041), "7.041E+03", nil},
		{int64(7041), "7042", "7042"}, {int64(7041), "7042,0", "7042"}, {int64(7041), "x", "x"}, {int64(7041), "7041.5", "7041.5"},
		{int64(123456789), "1.23457E+08", nil}, {int64(123456789), "123457000", "123457000"},
		{uint64(1<<63 + 12345), "9.22337203685479E+18", nil}, {uint64(1 << 63), "9223372036854775808", nil}, {uint64(1 << 63), "5", "5"},
		{third, "0.3333333432674408", nil}, {third, "0,333333343", nil}, {third, "0.33333334", nil}, {third, "0.3333", "0.3333"}, {third, "0,25", "0.25"},
		{0.30000000000000004, "0.3", "0.3"}, {0.30000000000000004, "0.300000000000000", nil},
		{true, "TRUE", nil}, {true, "true", nil}, {true, "FALSE", false}, {true, "maybe", "maybe"},
		{"a\r\nb", "a\nb", nil}, {"a", "b", "b"}, {"1.0", "1", "1"}, {long, long[:2*32767], nil}, {long, long[:2*32766], long[:2*32766]},
	} {
		d := new(schema.Diagnostics)
		edited := &asset.Table{Columns: []string{"x"}, Rows: [][]any{{c.cell}}}
		same := convert.SettleCells(edited, &asset.Table{Columns: []string{"y", "x"}, Rows: [][]any{{"", c.stored}}}, d)
		want := c.want
		if want == nil {
			want = c.stored
		}
		if got := edited.Rows[0][0]; !cmp.Equal(got, want) || same != (c.want == nil) {
			t.Errorf("%v as %.40q: %v (%T), %v", c.stored, c.cell, got, got, same)
		}
		if cut := c.stored == long && c.want == nil; cut != d.Has("cell-cut") {
			t.Errorf("%.10v as %.10q: said %v", c.stored, c.cell, d.All())
		}
	}
}

// Rows without text at the end that a table really has come back, and no others.
func TestSettleBlankRows(t *testing.T) {
	rows := func(texts ...string) (list [][]any) {
		for _, s := range texts {
			list = append(list, []any{s})
		}
		return list
	}
	for _, c := range []struct {
		edited, stored, want []string
		blank                int
	}{
		{[]string{"a"}, []string{"a", "", ""}, []string{"a", "", ""}, 2},
		{[]string{"a"}, []string{"a", "", ""}, []string{"a", "", ""}, 5},
		{[]string{"a"}, []string{"a", "", ""}, []string{"a"}, 1},
		{[]string{"a"}, []string{"a", "b"}, []string{"a"}, 1},
		{[]string{"a"}, []string{"a"}, []string{"a"}, 3},
	} {
		edited := &asset.Table{Columns: []string{"x"}, Rows: rows(c.edited...), Blank: c.blank}
		same := convert.SettleCells(edited, &asset.Table{Columns: []string{"x"}, Rows: rows(c.stored...)}, nil)
		if !cmp.Equal(edited.Rows, rows(c.want...)) || same != cmp.Equal(c.want, c.stored) {
			t.Errorf("%q with %d blank rows of %q: %v, %v", c.edited, c.blank, c.stored, edited.Rows, same)
		}
	}
}
