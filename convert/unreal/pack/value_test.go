package pack

import (
	"maps"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// property is a struct among values, as records have them.
type property struct {
	Name  string
	Value any
}

// drawValue returns a value as describe makes it, or as it comes back from JSON.
func drawValue(t *rapid.T, depth int) any {
	top := 8
	if depth == 0 {
		top = 5
	}
	switch rapid.IntRange(0, top).Draw(t, "kind") {
	case 0:
		return nil
	case 1:
		return rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "text")
	case 2:
		return rapid.Int64Range(0, 2).Draw(t, "integer")
	case 3:
		return float64(rapid.IntRange(0, 2).Draw(t, "number"))
	case 4:
		return rapid.Bool().Draw(t, "truth")
	case 5:
		return rapid.SliceOfN(rapid.SampledFrom([]string{"", "a"}), 0, 2).Draw(t, "texts")
	case 6:
		list := []any{}
		for range rapid.IntRange(0, 2).Draw(t, "values") {
			list = append(list, drawValue(t, depth-1))
		}
		return list
	case 7:
		var list []property
		for range rapid.IntRange(0, 2).Draw(t, "properties") {
			list = append(list, property{Name: rapid.SampledFrom([]string{"", "a"}).Draw(t, "name"), Value: drawValue(t, depth-1)})
		}
		return list
	}
	m := map[string]any{}
	for range rapid.IntRange(0, 2).Draw(t, "fields") {
		m[rapid.SampledFrom([]string{"a", "b"}).Draw(t, "field")] = drawValue(t, depth-1)
	}
	return m
}

// otherForm returns the value with lists of texts and integers as JSON brings them.
func otherForm(v any) any {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case []string:
		list := []any{}
		for _, s := range v {
			list = append(list, s)
		}
		return list
	case []any:
		list := slices.Clone(v)
		for i := range list {
			list[i] = otherForm(list[i])
		}
		return list
	case map[string]any:
		m := maps.Clone(v)
		for k := range m {
			m[k] = otherForm(m[k])
		}
		return m
	}
	return v
}

// SameValue agrees with the comparison of what JSON would hold.
func TestSameValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawValue(t, 3)
		b := drawValue(t, 3)
		if !SameValue(a, otherForm(a)) || !SameValue(otherForm(a), a) {
			t.Fatalf("%#v is not what it is in its other form", a)
		}
		want := reflect.DeepEqual(plain(reflect.ValueOf(a)), plain(reflect.ValueOf(b)))
		if got := SameValue(a, b); got != want {
			t.Fatalf("%#v, %#v: %t, want %t", a, b, got, want)
		}
	})
}
