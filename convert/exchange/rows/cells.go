package rows

import (
	"encoding"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A table that went through a spreadsheet is text, and numbers in it are as that country and program write them. What
// says the same as the stored table is the stored value, so that only what somebody changed is made anew.

// Named is a cell whose number or bits have names. A pointer to it is an [encoding.TextUnmarshaler] that takes the number too.
type Named interface {
	fmt.Stringer
	encoding.TextMarshaler
}

// namedLike returns what a text says for a named cell.
func namedLike(text string, like Named) (Named, error) {
	v := reflect.New(reflect.TypeOf(like))
	err := v.Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(text))
	return v.Elem().Interface().(Named), err
}

// Text returns a cell as a CSV file shows it.
func Text(c any) string {
	switch c := c.(type) {
	case nil:
		return ""
	case string:
		return c
	case int64:
		return strconv.FormatInt(c, 10)
	case float64:
		return strconv.FormatFloat(c, 'g', -1, 64)
	}
	return fmt.Sprint(c)
}

// plain returns a text with line ends as they are on every system but one.
func plain(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

// same reports whether a cell says what the stored one says.
func same(cell, stored any) bool {
	text, ok := cell.(string)
	switch {
	case !ok:
		return cell == stored || Text(cell) == Text(stored) // one that is no number equals nothing
	case stored == nil: // shown as nothing; 0 in tables of before
		n, isNumber := whole(text)
		return strings.TrimSpace(text) == "" || isNumber && n == 0
	}
	switch was := stored.(type) {
	case string:
		return plain(text) == plain(was)
	case Named:
		n, err := namedLike(text, was)
		return err == nil && n == was
	}
	if text == Text(stored) {
		return true
	}
	if n, ok := stored.(int64); ok {
		if x, ok := whole(text); ok && x == n {
			return true
		}
	}
	if b, ok := stored.(bool); ok {
		return strings.EqualFold(text, strconv.FormatBool(b))
	}
	return sameNumber(text, stored)
}

// Spreadsheets show as many digits of a number as fit, and write what they show: nine and more, or six with an exponent. Of
// whole numbers they hold fifteen.
const (
	shownDigits    = 9
	exponentDigits = 6
	wholeDigits    = 15
)

// sameNumber reports whether a text is a stored number, as exactly as spreadsheets write it.
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
	digits := strings.TrimLeft(strings.Map(onlyDigits, mantissa), "0")
	_, fraction := stored.(float64)
	if !fraction && !exponent {
		return sameWhole(x, was, strings.TrimRight(digits, "0"))
	}
	if len(digits) < shownDigits && !(exponent && len(digits) >= exponentDigits) {
		return x == was
	}
	n, _ := parseNumber(rounded(was, len(digits)))
	return n == x
}

// sameWhole reports whether x is a stored whole number, as far as spreadsheets hold it: they fill up with zeros. digits are
// those of x, without these. Where x is the same because a float64 has no room for more, other digits are meant.
func sameWhole(x, was float64, digits string) bool {
	if math.Abs(was) < 1<<53 {
		return x == was
	}
	theirs := rounded(was, max(len(digits), wholeDigits))
	n, _ := parseNumber(theirs)
	mantissa, _, _ := strings.Cut(theirs, "e")
	return n == x && digits == strings.TrimRight(strings.Map(onlyDigits, mantissa), "0")
}

// rounded writes a number with so many digits, as far as a spreadsheet has them.
func rounded(x float64, digits int) string {
	return strconv.FormatFloat(x, 'e', min(digits, 17)-1, 64)
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

// whole reads a whole number, with a point or comma if it must be; 0x begins hexadecimal ones.
func whole(text string) (int64, bool) {
	text = strings.TrimSpace(text)
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, true
	}
	if digits, ok := strings.CutPrefix(strings.ToLower(text), "0x"); ok {
		n, err := strconv.ParseInt(digits, 16, 64)
		return n, err == nil
	}
	x, ok := parseNumber(text)
	return int64(x), ok && x == math.Trunc(x) && math.Abs(x) < 1<<53
}

// typed gives an edited cell the form of the column, that of the cell like: numbers with a point, whole ones without,
// truth values as such.
func typed(cell, like any) (any, error) {
	text, ok := cell.(string)
	if !ok {
		return cell, nil
	}
	switch like := like.(type) {
	case Named:
		return namedLike(text, like)
	case bool:
		b, err := strconv.ParseBool(strings.ToLower(strings.TrimSpace(text)))
		if err != nil {
			return nil, fmt.Errorf("%.40q is neither true nor false", text)
		}
		return b, nil
	case int64, uint64:
		if n, err := strconv.ParseUint(text, 10, 64); err == nil {
			return strconv.FormatUint(n, 10), nil
		}
		n, ok := whole(text)
		if !ok {
			return nil, fmt.Errorf("%.40q is no whole number", text)
		}
		return strconv.FormatInt(n, 10), nil
	case float64:
		x, ok := parseNumber(text)
		if !ok {
			return nil, fmt.Errorf("%.40q is no number", text)
		}
		return strconv.FormatFloat(x, 'g', -1, 64), nil
	}
	return cell, nil
}

// spreadsheetMost is the most characters that a cell of Excel holds; it drops the others without a word.
const spreadsheetMost = 32767

// cutOff reports whether a cell is the beginning of a longer stored text, of just that length. It is not the stored one.
func cutOff(cell, stored any) bool {
	text, _ := cell.(string)
	was, _ := stored.(string)
	return utf8.RuneCountInString(text) == spreadsheetMost && strings.HasPrefix(plain(was), plain(text))
}
