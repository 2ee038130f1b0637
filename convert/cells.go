package convert

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// A table that went through a spreadsheet is text, and numbers in it are as that country and program write them. What
// says the same as the stored table is the stored value, so that only what somebody changed is made anew.

// SettleCells puts the stored cells in the place of those of an edited table that say the same, and gives the others the
// form that formats expect. Columns are found by their names, rows by their numbers. It tells whether all is as stored.
func SettleCells(edited, stored *asset.Table, d *schema.Diagnostics) (same bool) {
	dropped := len(stored.Rows) - len(edited.Rows)
	if dropped > 0 && dropped <= edited.Blank && emptyText(stored.Rows[len(edited.Rows):]) { // not of the spreadsheet's making
		edited.Rows = append(edited.Rows, blankRows(dropped, len(edited.Columns))...)
	}
	same = len(edited.Rows) == len(stored.Rows)
	for k, column := range edited.Columns {
		from := slices.Index(stored.Columns, column)
		if from < 0 || len(stored.Rows) == 0 {
			continue
		}
		for i, row := range edited.Rows {
			was := stored.Rows[min(i, len(stored.Rows)-1)][from]
			if i < len(stored.Rows) && sameCell(row[k], was) {
				row[k] = was
				continue
			}
			if i < len(stored.Rows) && cutOff(row[k], was) {
				d.Warnf("cell-cut", "", "row %d, column %s: a spreadsheet has cut the text off after %d characters: it stays as it was", i+1, column, spreadsheetMost)
				row[k] = was
				continue
			}
			same = false
			row[k] = typed(row[k], was)
		}
	}
	return same
}

func emptyText(rows [][]any) bool {
	return !slices.ContainsFunc(rows, func(row []any) bool {
		return slices.ContainsFunc(row, func(c any) bool { return c != "" })
	})
}

func blankRows(n, columns int) [][]any {
	rows := make([][]any, n)
	for i := range rows {
		rows[i] = make([]any, columns)
		for k := range rows[i] {
			rows[i][k] = ""
		}
	}
	return rows
}

// sameCell tells whether a cell says what the stored one says.
func sameCell(cell, stored any) bool {
	text, ok := cell.(string)
	if !ok {
		return cell == stored
	}
	if was, ok := stored.(string); ok {
		plain := func(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }
		return plain(text) == plain(was)
	}
	if text == CellText(stored) {
		return true
	}
	if b, ok := stored.(bool); ok {
		return strings.EqualFold(text, strconv.FormatBool(b))
	}
	return sameNumber(text, stored)
}

// Spreadsheets show as many digits of a number as fit, and write what they show: nine and more, or six with an exponent.
const (
	shownDigits    = 9
	exponentDigits = 6
)

// sameNumber tells whether a text is a stored number, as exactly as spreadsheets write it.
func sameNumber(text string, stored any) bool {
	x, ok := parseNumber(text)
	if !ok {
		return false
	}
	var was float64
	switch n := stored.(type) {
	case float64:
		was = n
		if was == float64(float32(was)) && float32(x) == float32(was) {
			return true
		}
	case int64:
		was = float64(n)
	case uint64:
		was = float64(n)
	default:
		return false
	}
	mantissa, _, exponent := strings.Cut(strings.ToLower(text), "e")
	digits := len(strings.TrimLeft(strings.Map(onlyDigits, mantissa), "0"))
	if _, whole := stored.(float64); !whole && math.Abs(was) < 1<<53 && !exponent {
		return x == was
	}
	if digits < shownDigits && !(exponent && digits >= exponentDigits) {
		return x == was
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(was, 'e', min(digits, 17)-1, 64), 64)
	return err == nil && rounded == x
}

func onlyDigits(r rune) rune {
	if r < '0' || r > '9' {
		return -1
	}
	return r
}

// parseNumber reads a number with a point or a comma in it.
func parseNumber(text string) (float64, bool) {
	text = strings.TrimSpace(text)
	x, err := strconv.ParseFloat(text, 64)
	if err != nil && strings.Count(text, ",") == 1 {
		x, err = strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
	}
	return x, err == nil
}

// typed gives an edited cell the form of the column: numbers with a point, whole ones without, truth values as such.
func typed(cell, like any) any {
	text, ok := cell.(string)
	if !ok {
		return cell
	}
	switch like.(type) {
	case bool:
		for _, b := range []bool{true, false} {
			if strings.EqualFold(strings.TrimSpace(text), strconv.FormatBool(b)) {
				return b
			}
		}
	case int64, uint64:
		if _, err := strconv.ParseInt(text, 0, 64); err == nil {
			return text
		}
		if x, ok := parseNumber(text); ok && x == math.Trunc(x) && math.Abs(x) < 1<<53 {
			return strconv.FormatInt(int64(x), 10)
		}
	case float64:
		if x, ok := parseNumber(text); ok {
			return strconv.FormatFloat(x, 'g', -1, 64)
		}
	}
	return cell
}

// spreadsheetMost is the most characters that a cell of Excel holds; it drops the others without a word.
const spreadsheetMost = 32767

// cutOff tells whether a cell is the beginning of a longer stored text, of just that length.
func cutOff(cell, stored any) bool {
	text, ok1 := cell.(string)
	was, ok2 := stored.(string)
	if !ok1 || !ok2 || len(text) < spreadsheetMost || len(was) <= len(text) {
		return false
	}
	plain := strings.ReplaceAll(was, "\r\n", "\n")
	return len([]rune(text)) == spreadsheetMost && strings.HasPrefix(plain, strings.ReplaceAll(text, "\r\n", "\n"))
}

// settle brings the cells of a table in line with what it was made from, where it remembers that.
func settle(f *format.Format, t *asset.Table, env *format.Env) {
	if t.Native == nil || t.Native.Format != f.Name || len(t.Native.Payload) == 0 || f.Read == nil || f.Lift == nil {
		return
	}
	v, err := f.Read(t.Native.Payload, nil)
	if err != nil {
		return // whoever lowers it says so
	}
	own := *env
	own.Diagnostics = nil
	a, err := f.Lift(v, &own)
	if stored, ok := a.(*asset.Table); err == nil && ok {
		SettleCells(t, stored, env.Diagnostics)
	}
}
