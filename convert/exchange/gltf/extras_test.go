package gltf

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// throughBlender returns a value of custom properties as Blender 3.4 gives it back, as was measured for each kind; it is
// false when the whole object that the value is in becomes text.
func throughBlender(v any) (any, bool) {
	switch v := v.(type) {
	case bool:
		if v {
			return 1.0, true
		}
		return 0.0, true
	case float64:
		return v, v != math.Trunc(v) || math.Abs(v) >= 1<<53 || v >= math.MinInt32 && v <= math.MaxInt32
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			y, ok := throughBlender(x)
			if !ok || kindOfValue(x) != kindOfValue(v[0]) {
				return nil, false
			}
			out[i] = y
		}
		return out, true
	case map[string]any:
		out := map[string]any{}
		for k, x := range v {
			y, ok := throughBlender(x)
			if !ok || len(k) > 63 {
				return nil, false
			}
			out[k] = y
		}
		return out, true
	}
	return v, true
}

func kindOfValue(v any) string { return fmt.Sprint(reflect.TypeOf(v)) }

// TestValuesThroughBlender holds that no value that a format may keep is changed by Blender, or takes the others with
// it: those that would are kept as text.
func TestValuesThroughBlender(t *testing.T) {
	values := map[string]any{
		"null": nil, "int": 7.0, "least": -2147483648.0, "most": 2147483647.0, "float": 0.1, "huge": 1e300, "zero": math.Copysign(0, -1),
		"text": strings.Repeat("long ", 40000), "umlaut": "ü", "control": "\u0001", "nul": "a\x00b", "empty text": "",
		"ints": []any{1.0, 2.0}, "floats": []any{0.5, 2.5}, "lists": []any{[]any{1.0}, []any{2.0}}, "objects": []any{map[string]any{"a": 1.0}},
		"texts": []any{"a", "b"}, "empty list": []any{}, "empty object": map[string]any{},
		"true": true, "false": false, "bools": []any{true, false}, "mixed numbers": []any{1.0, 2.5},
		"large": 2147483648.0, "very large": 9007199254740991.0, "negative": -2147483649.0, "mixed": []any{1.0, "a"},
		"object": map[string]any{"large": 1e10, "b": true}, "mixed objects": []any{map[string]any{"a": 1.0}, 1.0},
		strings.Repeat("k", 63): 1.0, strings.Repeat("k", 64): 2.0, strings.Repeat("ü", 40): 3.0, "": 4.0, keyFormat: 5.0, keyAsset: "x",
		"deep": map[string]any{strings.Repeat("k", 64): 1.0},
	}
	one := func(name string, values map[string]any) {
		u, err := pack(&asset.Native{Format: "f", Values: values}, nil)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(map[string]any{"usher": u})
		if err != nil {
			t.Fatal(err)
		}
		var extras map[string]any
		if err := json.Unmarshal(text, &extras); err != nil {
			t.Fatal(err)
		}
		after, ok := throughBlender(extras)
		if !ok {
			t.Errorf("%s: Blender makes text of it: %.200s", name, text)
			return
		}
		_, back := split(after)
		var d schema.Diagnostics
		got := newDecoder(nil, &d).unpack("", back)
		if x := cmp.Diff(values, got.Values); x != "" || len(d.All()) > 0 {
			t.Errorf("%.40s (-want +got):\n%s%v", name, x, d.All())
		}
	}
	for k, v := range values {
		one(k, map[string]any{k: v})
	}
	one("all", values)
}
