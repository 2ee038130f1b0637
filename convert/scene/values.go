package scene

import (
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/usher-assets/usher/schema"
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

// IntegerOf returns the integer under a key of an object, or what it is otherwise.
func IntegerOf(v any, key string, otherwise int) int {
	if m, ok := v.(map[string]any); ok {
		if n, ok := Integer(m[key]); ok {
			return n
		}
	}
	return otherwise
}

// Span is the range of a whole number that a person may edit.
type Span struct{ Low, High int }

// Ranges of fields.
var (
	ByteSpan  = Span{0, math.MaxUint8}
	WordSpan  = Span{0, math.MaxUint16}
	Int32Span = Span{math.MinInt32, math.MaxInt32}
	DwordSpan = Span{math.MinInt32, math.MaxUint32} // nobody knows whether it has a sign
)

// Holds tells whether a value is a whole number in the range.
func (s Span) Holds(x any) bool {
	n, ok := Integer(x)
	return ok && s.Low <= n && n <= s.High
}

// Err says that a value of a field is no whole number in the range.
func (s Span) Err(format, field string, x any) error {
	return schema.Errorf(format, schema.ErrValue, field, "%v is no whole number from %d to %d", x, s.Low, s.High)
}

// CheckSpans refuses values that their fields cannot hold: cut to size they would be others.
func CheckSpans(format string, v any, spans map[string]Span) error {
	m, _ := v.(map[string]any)
	for _, key := range slices.Sorted(maps.Keys(spans)) {
		if x := m[key]; x != nil && !spans[key].Holds(x) {
			return spans[key].Err(format, key, x)
		}
	}
	return nil
}

// TextOf returns the text under a key of an object; empty for none.
func TextOf(v any, key string) string {
	m, _ := v.(map[string]any)
	s, _ := m[key].(string)
	return s
}

// BoolOf returns the truth value under a key of an object, or what it is otherwise.
func BoolOf(v any, key string, otherwise bool) bool {
	if m, ok := v.(map[string]any); ok {
		if b, ok := m[key].(bool); ok {
			return b
		}
		if n, ok := Integer(m[key]); ok { // some editors know no truth values
			return n != 0
		}
	}
	return otherwise
}

// ListOf returns the list under a key of an object; nil for none.
func ListOf(v any, key string) []any {
	m, _ := v.(map[string]any)
	list, _ := m[key].([]any)
	return list
}

// CellInteger returns a cell of a table as a whole number; cells that came from CSV are text.
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

// CellNumber returns a cell of a table as a number; cells that came from CSV are text.
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
