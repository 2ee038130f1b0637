package scene

import (
	"math"
	"strconv"
)

// The functions of this file look at single values of a Native, or at objects in them: [Kept] reads them into fields. They
// may have gone through JSON: numbers are float64 then.

// Integer returns an integer of a JSON value.
func Integer(v any) (int, bool) {
	switch n := v.(type) {
	case int:
		return n, true
	case int64:
		return int(n), true
	case uint32:
		return int(n), true
	case float64:
		if n == math.Trunc(n) && math.Abs(n) < 1<<53 {
			return int(n), true
		}
	case float32:
		return Integer(float64(n))
	}
	return 0, false
}

// TextOf returns the text under a key of an object, or "".
func TextOf(v any, key string) string {
	m, _ := v.(map[string]any)
	s, _ := m[key].(string)
	return s
}

// ListOf returns the list under a key of an object, or nil.
func ListOf(v any, key string) []any {
	m, _ := v.(map[string]any)
	list, _ := m[key].([]any)
	return list
}

// CellInteger converts a cell of a table to a whole number. Cells from CSV are text.
func CellInteger(v any) (int64, bool) {
	switch n := v.(type) {
	case uint64:
		return int64(n), n <= math.MaxInt64
	case string:
		x, err := strconv.ParseInt(n, 0, 64)
		return x, err == nil
	}
	n, ok := Integer(v)
	return int64(n), ok
}

// CellNumber converts a cell of a table to a number. Cells from CSV are text.
func CellNumber(v any) (float64, bool) {
	switch x := v.(type) {
	case float64:
		return x, true
	case string:
		f, err := strconv.ParseFloat(x, 64)
		return f, err == nil
	}
	n, ok := CellInteger(v)
	return float64(n), ok
}
