package batch_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
)

// other returns another value of the kind of a cell.
func other(cell string, step int64) string {
	if n, err := strconv.ParseInt(cell, 10, 64); err == nil {
		return strconv.FormatInt(n+step, 10)
	}
	if v, err := strconv.ParseFloat(cell, 64); err == nil {
		return strconv.FormatFloat(v+float64(step)/2, 'g', -1, 32)
	}
	switch cell {
	case "":
		return "5"
	case "true":
		return "false"
	case "false":
		return "true"
	case "fix":
		return "rev"
	case "rev":
		return "fix"
	}
	signs := []rune(cell)
	return string(signs[:len(signs)-1]) + "q"
}

// changed edits one cell, upwards or, where its field ends there, downwards.
func (x *everyTable) changed(i, k int) {
	for _, step := range []int64{1, -1} {
		rows := x.cloned()
		rows[i][k] = other(rows[i][k], step)
		made, said, err := x.back(x.header, rows, false)
		what := fmt.Sprintf("%s of line %d, %.60q instead of %.60q", x.header[k], i+2, rows[i][k], x.rows[i][k])
		switch {
		case err != nil && step > 0:
			continue
		case err != nil:
			x.refused(what, err, "")
		case bytes.Equal(made, x.stored):
			x.named(what, said, x.header[k])
		case slices.Contains(x.keys, x.header[k]): // the row is another one, and the one that was there stays
			x.named(what, said, "row", x.header[k])
		default:
			x.arrived(what, rows, i, k)
		}
		return
	}
}

// arrived holds that a table has the edited cell, and no other change but in the rows that share its value.
func (x *everyTable) arrived(what string, want [][]string, i, k int) {
	got := x.again()
	if len(got) != len(want) {
		x.failf("%s: %d rows became %d", what, len(want), len(got))
		return
	}
	for r := range got {
		for c := range got[r] {
			same := func(cell string) bool { return got[r][c] == cell || x.sameName(x.header[c], got[r][c], cell) }
			shared := c == k && same(want[i][k]) && x.rows[r][c] == x.rows[i][k]
			if !same(want[r][c]) && !shared && !sameFloat(got[r][c], want[r][c]) && !(x.rows[r][c] == "" && c != k) && !slices.Contains(x.keys, x.header[c]) {
				x.failf("%s: %s of line %d is %q, want %q", what, x.header[c], r+2, got[r][c], want[r][c])
				return
			}
		}
	}
	x.counts["arrived"]++
}

func sameFloat(a, b string) bool {
	x, err1 := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	return err1 == nil && err2 == nil && float32(x) == float32(y) && math.IsInf(x, 0) == math.IsInf(y, 0)
}

// named holds that something was said with one of the words.
func (x *everyTable) named(what string, said []schema.Diagnostic, words ...string) {
	for _, d := range said {
		if slices.ContainsFunc(words, func(w string) bool { return strings.Contains(d.Code+" "+d.Msg, w) }) {
			x.counts["named"]++
			return
		}
	}
	x.failf("%s: nothing of it arrived, and nothing was said of %s: %.200v", what, words, said)
}

// refused holds that an error says where and why in a line.
func (x *everyTable) refused(what string, err error, want string) {
	if !strings.Contains(err.Error(), want) || schema.Class(err) == nil && !strings.Contains(err.Error(), "line ") && !strings.Contains(err.Error(), `column "`) {
		x.failf("%s: refused without saying where: %v", what, err)
		return
	}
	x.counts["refused"]++
}

// nonsense puts into a cell what no record has.
func (x *everyTable) nonsense(i, k int) {
	if _, err := strconv.ParseFloat(x.rows[i][k], 64); err != nil {
		x.put(i, k, strings.Repeat("long ", 20_000))
		return
	}
	x.put(i, k, "x!")
	x.put(i, k, "1e300")
}

// put gives a cell a text that does not belong there.
func (x *everyTable) put(i, k int, text string) {
	rows := x.cloned()
	rows[i][k] = text
	made, said, err := x.back(x.header, rows, false)
	what := fmt.Sprintf("%s of line %d is %.5s", x.header[k], i+2, text)
	switch {
	case err != nil:
		x.refused(what, err, "")
	case bytes.Equal(made, x.stored):
		x.named(what, said, x.header[k])
	case slices.Contains(x.keys, x.header[k]):
		x.named(what, said, "row", x.header[k])
	default:
		x.arrived(what, rows, i, k)
	}
}

// sorted brings the rows into another order, which says nothing.
func (x *everyTable) sorted(k int) {
	rows := x.cloned()
	slices.SortStableFunc(rows, func(a, b []string) int { return strings.Compare(b[k], a[k]) })
	slices.Reverse(rows[:len(rows)/2])
	made, said, err := x.back(x.header, rows, false)
	if err != nil || !bytes.Equal(made, x.stored) {
		x.failf("sorted by %s: it is another file; said %v, %v", x.header[k], said, err)
		return
	}
	x.counts["arrived"]++
}

// withoutColumn takes out a column, or all others: what is not shown any more stays as it is stored.
func (x *everyTable) withoutColumn(k int) {
	for what, pick := range map[string]func([]string) []string{
		"without " + x.header[k]: func(row []string) []string { return slices.Delete(slices.Clone(row), k, k+1) },
		x.header[k] + " alone":   func(row []string) []string { return row[k : k+1] },
	} {
		header := pick(x.header)
		if len(header) == 0 {
			continue
		}
		var rows [][]string
		for _, row := range x.rows {
			rows = append(rows, pick(row))
		}
		made, said, err := x.back(header, rows, false)
		switch {
		case err != nil:
			x.refused(what, err, "")
		case bytes.Equal(made, x.stored):
			x.counts["kept"]++
		default:
			x.failf("%s: it is another file; said %v", what, said)
		}
	}
}

func (x *everyTable) doubledColumn(k int) {
	rows := x.cloned()
	for i := range rows {
		rows[i] = append(rows[i], rows[i][k])
	}
	_, _, err := x.back(append(slices.Clone(x.header), strings.ToUpper(x.header[k])), rows, false)
	if err == nil {
		x.failf("%s is there twice, and nobody minds", x.header[k])
		return
	}
	x.refused(x.header[k]+" twice", err, "line 1: "+x.header[k])
}

// removed takes out a row: its record stays, unless that is asked for.
func (x *everyTable) removed(i int) {
	rows := slices.Delete(x.cloned(), i, i+1)
	what := fmt.Sprintf("without line %d", i+2)
	made, said, err := x.back(x.header, rows, false)
	if err != nil || !bytes.Equal(made, x.stored) {
		x.failf("%s: it is another file; said %v, %v", what, said, err)
		return
	}
	x.named(what, said, "row-missing")
	made, said, err = x.back(x.header, rows, true)
	switch {
	case err != nil:
		x.refused(what+", pruned", err, "")
	case bytes.Equal(made, x.stored):
		x.failf("%s, pruned: nothing is gone; said %v", what, said)
	default:
		x.counts["arrived"]++
	}
}

func (x *everyTable) doubledRow(i int) {
	rows := append(x.cloned(), x.rows[i])
	_, said, err := x.back(x.header, rows, false)
	if err == nil {
		x.failf("line %d twice, and nobody minds: %v", i+2, said)
		return
	}
	x.refused("a row twice", err, fmt.Sprintf("line %d", len(rows)+1))
}

// before leaves out the columns of keys that tables had not before, and reads the rows by their order.
func (x *everyTable) before() {
	if len(x.keys) == 0 || x.format.Kind == format.Archive && len(x.keys) == 1 || x.format.Family == "freelancer" {
		return
	}
	k := slices.Index(x.header, x.keys[len(x.keys)-1])
	without := func(rows [][]string) (cut [][]string) {
		for _, row := range rows {
			cut = append(cut, slices.Delete(slices.Clone(row), k, k+1))
		}
		return cut
	}
	header := without([][]string{x.header})[0]
	made, said, err := x.back(header, without(x.rows), false)
	if err != nil || !bytes.Equal(made, x.stored) {
		x.failf("without %s: it is another file; said %v, %v", x.header[k], said, err)
		return
	}
	x.counts["arrived"]++
	if _, _, err = x.back(header, without(x.rows[1:]), false); err == nil {
		x.failf("without %s and a row: nobody minds", x.header[k])
		return
	}
	x.refused("without a key and a row", err, x.header[k])
}
