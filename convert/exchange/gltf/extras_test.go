package gltf

import (
	"bytes"
	"encoding/base64"
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

// TestPack: what is kept of an object as custom properties, and what as text.
func TestPack(t *testing.T) {
	long := strings.Repeat("k", 64)
	for _, c := range []struct {
		values map[string]any
		want   record // but for the format
	}{
		{map[string]any{"a": 1, "b": int64(-7), "c": 2.0, "d": "x", "e": -2147483648.0}, record{"a": json.Number("1"), "b": json.Number("-7"), "c": json.Number("2"), "d": "x", "e": json.Number("-2147483648")}},
		{map[string]any{"a": true, "b": map[string]any{"c": 3}}, record{"b": record{"c": json.Number("3")}, keyJSON: `{"a":true}`}},
		{map[string]any{"a": int64(2147483648), "b": 1e300, "c": 0.5}, record{"b": json.Number("1e+300"), "c": json.Number("0.5"), keyJSON: `{"a":2147483648}`}},
		{map[string]any{"a": 9007199254740992.0, "b": -9007199254740991.0}, record{keyJSON: `{"a":9007199254740992,"b":-9007199254740991}`}},
		{map[string]any{"a": math.Copysign(0, -1)}, record{"a": json.Number("-0")}},
		{map[string]any{"a": 1, "b": map[string]any{"c": 0.5}}, record{"a": json.Number("1"), "b": record{"c": json.Number("0.5")}}},
		{map[string]any{"a": "x\xff"}, record{"a": "x\ufffd"}},
		{map[string]any{"a": "x", "b\xff": 1}, record{"a": "x", "b\ufffd": json.Number("1")}},
		{map[string]any{"a": "x\xff", "b\xff": 1}, record{"a": "x\ufffd", "b\ufffd": json.Number("1")}},
		{map[string]any{long: 1, long[1:]: 2, "": 3, keyFormat: 4, keyJSON: 5, keyPayload: 6, keyAsset: 7, keyKept: 8, keyCheck: 9}, record{long[1:]: json.Number("2"), keyJSON: `{"":3,"asset":7,"check":9,"format":4,"json":5,"kept":8,"` + long + `":1,"payload":6}`}},
		{map[string]any{"a": []any{1, 2.5}, "b": []any{}, "c": []any{"x"}, "d": []any{1, true}, "e": map[string]any{}, "f": map[string]any{"": 1}, "g": map[string]any{long: 1}, "h": "a\x00"},
			record{"a": []any{json.Number("1"), json.Number("2.5")}, keyJSON: `{"b":[],"c":["x"],"d":[1,true],"e":{},"f":{"":1},"g":{"` + long + `":1},"h":"a\u0000"}`}},
		{nil, record{}},
	} {
		u, err := pack(&asset.Native{Format: "f", Values: c.values}, nil)
		if err != nil {
			t.Error(err)
		}
		c.want[keyFormat] = "f"
		if x := cmp.Diff(c.want, u); x != "" {
			t.Errorf("%v (-want +got):\n%s", c.values, x)
		}
	}
	for _, values := range []map[string]any{{"a": math.NaN()}, {"a": 1, "b": func() {}}} {
		if _, err := pack(&asset.Native{Values: values}, nil); schema.Class(err) != schema.ErrValue {
			t.Errorf("%v: %v", values, err)
		}
	}
	if u, err := pack(nil, nil); u != nil || err != nil {
		t.Errorf("of nothing: %v, %v", u, err)
	}
	if u, _ := pack(nil, record{"a": 1}); cmp.Diff(record{keyAsset: record{"a": 1}}, u) != "" {
		t.Errorf("without a Native: %v", u)
	}
}

// TestPayloadsThatAreDamaged: what does not decode is told and left out.
func TestPayloadsThatAreDamaged(t *testing.T) {
	squeezed := newDeflater(9)
	_, _ = squeezed.w.Write(make([]byte, 1<<16))
	_ = squeezed.w.Close()
	bomb := base64.StdEncoding.EncodeToString(squeezed.z.Bytes())
	for name, c := range map[string]struct {
		record record
		want   []byte
		said   string
	}{
		"sound":         {record{keyFormat: "f", keyPayload: deflated([]byte("abc"))}, []byte("abc"), ""},
		"zeros":         {record{keyFormat: "f", keyPayload: deflated(make([]byte, 1<<16))}, make([]byte, 1<<16), ""},
		"no base64":     {record{keyFormat: "f", keyPayload: "?"}, nil, "extras.usher.payload: illegal base64"},
		"cut":           {record{keyFormat: "f", keyPayload: "AAAA"}, nil, "extras.usher.payload: "},
		"far too large": {record{keyFormat: "f", keyPayload: bomb}, nil, "extras.usher.payload: gltf: payload: more than"},
		"no JSON":       {record{keyFormat: "f", keyJSON: "{"}, nil, "extras.usher.json is no JSON"},
		"of no format":  {record{keyPayload: "?"}, nil, ""},
	} {
		var d schema.Diagnostics
		n := newDecoder(nil, &d).unpack("nodes/0", c.record)
		list := d.All()
		if (n == nil) != (name == "of no format") || n != nil && !bytes.Equal(n.Payload, c.want) || (len(list) == 1) != (c.said != "") || c.said != "" && (list[0].Path != "nodes/0" || list[0].Code != "bad-extras" || !strings.HasPrefix(list[0].Msg, c.said)) {
			t.Errorf("%s: %v; %v", name, n, list)
		}
	}
}

// TestJoin: usher's own name among the properties of other programs is usher's.
func TestJoin(t *testing.T) {
	for _, c := range []struct {
		foreign map[string]any
		u       record
		want    any
		told    bool
	}{
		{nil, nil, nil, false}, {map[string]any{}, nil, nil, false}, {map[string]any{"a": 1}, nil, record{"a": 1}, false}, {nil, record{"x": 1}, record{ours: record{"x": 1}}, false},
		{map[string]any{"a": 1}, record{"x": 1}, record{"a": 1, ours: record{"x": 1}}, false}, {map[string]any{"a": 1, ours: 2}, record{"x": 1}, record{"a": 1, ours: record{"x": 1}}, true}, {map[string]any{ours: 2}, nil, nil, true},
	} {
		d := new(schema.Diagnostics)
		before := len(c.foreign)
		got := (&encoder{o: Options{Diagnostics: d}}).join("nodes/0", c.foreign, c.u)
		equal(t, fmt.Sprint(c.foreign), got, c.want)
		if want := map[bool][]string{true: {`nodes/0 extras-name-taken: the property "usher" is usher's own and is left out`}}[c.told]; cmp.Diff(want, saidBy(d)) != "" || len(c.foreign) != before {
			t.Errorf("%v: said %v", c.foreign, saidBy(d))
		}
	}
	for _, c := range []struct {
		extras  any
		foreign map[string]any
		u       record
	}{
		{nil, nil, nil}, {5.0, record{"extras": 5.0}, nil}, {record{}, nil, nil}, {record{"a": 1}, record{"a": 1}, nil}, {record{ours: 1}, record{ours: 1}, nil}, {record{ours: record{}}, nil, record{}},
		{record{"a": 1, ours: record{"b": 2}}, record{"a": 1}, record{"b": 2}},
	} {
		foreign, u := split(c.extras)
		equal(t, fmt.Sprint(c.extras), []any{foreign, u}, []any{c.foreign, c.u})
	}
}

// TestNumbersOfRecords: what a record says with numbers, and what is none.
func TestNumbersOfRecords(t *testing.T) {
	for v, want := range map[any]int{0.0: 0, 7.0: 7, -1.0: -1, 1.5: -1, "7": -1, 4294967296.0: -1, 2147483647.0: 2147483647, math.NaN(): -1} {
		if got := index(record{"x": v}, "x"); got != want {
			t.Errorf("%v: %d, want %d", v, got, want)
		}
	}
	equal(t, "numbers", [][]float32{numbers(record{"x": []any{1.0, 2.5}}, "x"), numbers(record{"x": []any{1.0, "a"}}, "x"), numbers(record{"x": []any{}}, "x"), numbers(record{"x": 1.0}, "x")}, [][]float32{{1, 2.5}, nil, {}, {}})
	equal(t, "whole numbers", wholeNumbers(record{"x": []any{1.0, -2.0, 1e6, -1e30}}, "x"), []int{1, -2, 1e6, math.MinInt32})
	for _, c := range []struct {
		real string
		at   map[int]string
		want string
	}{
		{"a b", nil, "a b"}, {"a b", map[int]string{0: "x"}, "x a b"}, {"a b", map[int]string{1: "x", 2: "y"}, "a x y b"}, {"a b", map[int]string{2: "x"}, "a b x"}, {"a b", map[int]string{9: "x", 1: "y"}, "a y b x"}, {"a", map[int]string{-1: "x"}, "x a"}, {"", map[int]string{3: "x"}, "x"},
	} {
		if got := strings.Join(interleave(strings.Fields(c.real), c.at), " "); got != c.want {
			t.Errorf("%v among %s: %s, want %s", c.at, c.real, got, c.want)
		}
	}
}

// TestManyRecords: the records of a scene of many nodes are written one by one, and come back with their seals.
func TestManyRecords(t *testing.T) {
	s := &asset.Scene{Extras: map[string]any{"a": 1.0}}
	noise := make([]byte, maxInlineOfMany)
	for i, x := 0, uint32(1); i < len(noise); i++ {
		x = x*1664525 + 1013904223
		noise[i] = byte(x >> 24)
	}
	for i := range manyNodes + 1 {
		n := asset.NewNode(fmt.Sprint("n", i))
		switch i {
		case 1, manyNodes:
			n.Native, n.Extras = &asset.Native{Format: "f", Values: map[string]any{"i": float64(i), "on": true}, Payload: noise[:2*maxInline]}, map[string]any{"b": "x"}
		case 2:
			n.Native = &asset.Native{Format: "f", Payload: noise}
		case 3:
			n.Extras = map[string]any{"b": "x"}
		}
		s.Roots = append(s.Roots, n)
	}
	file := encode(t, s, nil)
	back := decode(t, file)
	for i, n := range s.Roots {
		if got := back.Roots[i]; got.Name != n.Name || (n.Native != nil || n.Extras != nil || got.Native != nil || got.Extras != nil) && !reflect.DeepEqual(got, n) {
			t.Errorf("node %d: %v, want %v", i, got, n)
		}
	}
	var d schema.Diagnostics
	if _, err := Decode(bytes.Replace(file, []byte(`"format":"f","i":1,`), []byte(`"format":"g","i":1,`), 1), nil, &d); err != nil || !d.Has("extras-edited") {
		t.Errorf("an edit of a record is not told: %v, %v", err, d.All())
	}
}
