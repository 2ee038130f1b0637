package ultima9

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
)

// The functions of this file look into Native.Values, which may have gone through JSON: numbers are float64 then.

// number returns an integer of a JSON value.
func number(v any) (int, bool) {
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
		return number(float64(n))
	}
	return 0, false
}

// field returns the integer under a key of an object, or what it is otherwise.
func field(v any, key string, otherwise int) int {
	if m, ok := v.(map[string]any); ok {
		if n, ok := number(m[key]); ok {
			return n
		}
	}
	return otherwise
}

// span is the range of a whole number that a person may edit.
type span struct{ low, high int }

var (
	byteSpan  = span{0, math.MaxUint8}
	wordSpan  = span{0, math.MaxUint16}
	int32Span = span{math.MinInt32, math.MaxInt32}
	dwordSpan = span{math.MinInt32, math.MaxUint32} // nobody knows whether it has a sign
)

func (s span) holds(x any) bool {
	n, ok := number(x)
	return ok && s.low <= n && n <= s.high
}

func (s span) err(format, field string, x any) error {
	return schema.Errorf(format, schema.ErrValue, field, "%v is no whole number from %d to %d", x, s.low, s.high)
}

// checkValues refuses values that their fields cannot hold: cut to size they would be others.
func checkValues(format string, v any, spans map[string]span) error {
	m, _ := v.(map[string]any)
	for _, key := range slices.Sorted(maps.Keys(spans)) {
		if x := m[key]; x != nil && !spans[key].holds(x) {
			return spans[key].err(format, key, x)
		}
	}
	return nil
}

func textField(v any, key string) string {
	m, _ := v.(map[string]any)
	s, _ := m[key].(string)
	return s
}

func boolField(v any, key string, otherwise bool) bool {
	if m, ok := v.(map[string]any); ok {
		if b, ok := m[key].(bool); ok {
			return b
		}
		if n, ok := number(m[key]); ok { // some editors know no truth values
			return n != 0
		}
	}
	return otherwise
}

func listField(v any, key string) []any {
	m, _ := v.(map[string]any)
	list, _ := m[key].([]any)
	return list
}

// parseSlot returns the slot number that the path of an entry is.
func parseSlot(path string) (int, error) {
	n, err := strconv.Atoi(path)
	if err != nil || n < 0 {
		return 0, schema.Errorf("flx", schema.ErrValue, "entry", "%q is not a slot number", path)
	}
	return n, nil
}

// baseName returns a file name without its folders.
func baseName(path string) string { return path[strings.LastIndexAny(path, `/\`)+1:] }

// entryName names an asset after its entry, or after its file.
func entryName(env *format.Env, kind string) string {
	if env == nil {
		return kind
	}
	if env.Entry != "" {
		return kind + "_" + env.Entry
	}
	name := env.Name
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		name = name[:i]
	}
	if name == "" {
		return kind
	}
	return name
}
