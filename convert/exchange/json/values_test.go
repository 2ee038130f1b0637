package json

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"io"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/usher-assets/usher/schema"
)

// TestSchemaRanges: the numbers of a schema are those that a field can hold, no more and no fewer.
func TestSchemaRanges(t *testing.T) {
	type numbers struct {
		I8  int8
		I16 int16
		I32 int32
		I64 int64
		U8  uint8
		U16 uint16
		U32 uint32
		U64 uint64
	}
	var b bytes.Buffer
	if err := Schema(&b, "x", "a thing", numbers{}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"I8": "127 -128", "I16": "32767 -32768", "I32": "2147483647 -2147483648", "I64": "9223372036854775807 -9223372036854775808",
		"U8": "255 0", "U16": "65535 0", "U32": "4294967295 0", "U64": "18446744073709551615 0",
	} {
		low, high := strings.Fields(want)[1], strings.Fields(want)[0]
		if text := strings.Join(strings.Fields(b.String()), " "); !strings.Contains(text, `"`+name+`": { "maximum": `+high+`, "minimum": `+low+`, "type": "integer" }`) {
			t.Errorf("%s is not from %s to %s: %s", name, low, high, text)
		}
	}
}

// TestSchemaForms: what stands for each kind of value.
func TestSchemaForms(t *testing.T) {
	type inner struct{ A int8 }
	type holder struct {
		Text    string
		Flag    bool
		F       float64
		C       colour
		Raw     []byte
		Hash    [3]byte
		Pair    [2]bool
		List    []bool
		Lists   [][]bool
		Of      []*inner
		Names   map[string]bool
		Next    *holder
		Any     any
		Maybe   bool `json:"perhaps,omitempty"`
		Special struct{ B bool }
		Other   struct{ D bool }
	}
	var b bytes.Buffer
	if err := Schema(&b, "x", "a thing", new(holder)); err != nil {
		t.Fatal(err)
	}
	var whole struct {
		Title, Type string
		Required    []string
		Properties  map[string]map[string]string
		Defs        map[string]struct {
			Properties           map[string]any
			Required             []string
			AdditionalProperties bool
		} `json:"$defs"`
	}
	if err := stdjson.Unmarshal(b.Bytes(), &whole); err != nil {
		t.Fatal(err)
	}
	if whole.Title != "a thing" || whole.Type != "object" || !slices.Equal(whole.Required, []string{"usher", "value"}) || whole.Properties["usher"]["const"] != "x" || whole.Properties["value"]["$ref"] != "#/$defs/holder" {
		t.Errorf("%+v", whole)
	}
	names := slices.Sorted(maps.Keys(whole.Defs))
	if !slices.Equal(names, []string{"Value2", "Value3", "holder", "inner"}) {
		t.Errorf("definitions %v", names)
	}
	def := whole.Defs["holder"]
	if want := []string{"Text", "Flag", "F", "C", "Hash", "Pair", "Special", "Other"}; !slices.Equal(def.Required, want) || def.AdditionalProperties {
		t.Errorf("required are %v, want %v", def.Required, want)
	}
	for name, want := range map[string]string{
		"Text": `{"type":"string"}`, "Flag": `{"type":"boolean"}`, "F": `{"anyOf":[{"type":"number"},{"pattern":"^(-?inf|nan:0x[0-9a-f]+)$","type":"string"}]}`,
		"C": `{"type":["string","integer"]}`, "Raw": `{"contentEncoding":"base64","type":"string"}`, "Hash": `{"pattern":"^[0-9a-fA-F]{6}$","type":"string"}`,
		"Pair": `{"items":{"type":"boolean"},"maxItems":2,"minItems":2,"type":"array"}`, "List": `{"items":{"type":"boolean"},"type":"array"}`,
		"Lists": `{"items":{"anyOf":[{"items":{"type":"boolean"},"type":"array"},{"type":"null"}]},"type":"array"}`,
		"Of":    `{"items":{"anyOf":[{"$ref":"#/$defs/inner"},{"type":"null"}]},"type":"array"}`,
		"Names": `{"additionalProperties":{"type":"boolean"},"type":"object"}`, "Next": `{"$ref":"#/$defs/holder"}`, "Any": `{}`, "perhaps": `{"type":"boolean"}`,
		"Special": `{"$ref":"#/$defs/Value2"}`, "Other": `{"$ref":"#/$defs/Value3"}`,
	} {
		if got, _ := stdjson.Marshal(def.Properties[name]); string(got) != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

// TestAnyOfEachKind: a value of any kind comes back as the kind that it was, numbers to the bit.
func TestAnyOfEachKind(t *testing.T) {
	for _, c := range []struct {
		v    any
		text string
		back any // where it is another kind
	}{
		{math.NaN(), `{"$float": "nan:0x7ff8000000000001"}`, nil}, {math.Inf(-1), `{"$float": "-inf"}`, nil},
		{math.Float64frombits(0x7FF0000000000001), `{"$float": "nan:0x7ff0000000000001"}`, nil}, {float32(0.5), "0.5", 0.5},
		{int64(-7), "-7", nil}, {uint16(9), "9", int64(9)}, {uint64(1 << 63), "9223372036854775808", nil}, {math.Copysign(0, -1), "-0.0", nil},
		{1e30, "1e+30", nil}, {"a\tb\rc\x7F/", `"a\tb\rc\u007f/"`, nil}, {[]byte{1, 2}, `{"$base64": "AQI="}`, nil}, {nil, "null", nil}, {true, "true", nil},
		{map[string]any{}, "{}", nil}, {map[string]any{"a": false}, "{\n    \"a\": false\n  }", nil}, {map[string]any{"$base64": "A"}, "{\"$map\": {\n    \"$base64\": \"A\"\n  }}", nil},
		{map[string]any{"$map": nil, "b": nil}, "{\n    \"$map\": null,\n    \"b\": null\n  }", nil}, {[]any{int64(1), []any{}}, "[\n    1,\n    []\n  ]", nil},
	} {
		got := encode(t, struct{ Any any }{c.v})
		if want := "{\n  \"Any\": " + c.text + "\n}\n"; got != want && c.v != nil {
			t.Errorf("%#v: %s, want %s", c.v, got, want)
		}
		var back struct{ Any any }
		if err := Decode(strings.NewReader(got), &back); err != nil {
			t.Errorf("%#v: %v", c.v, err)
		}
		if c.back == nil {
			c.back = c.v
		}
		if f, ok := c.back.(float64); ok {
			if g, ok := back.Any.(float64); !ok || math.Float64bits(f) != math.Float64bits(g) {
				t.Errorf("%#v became %#v", c.v, back.Any)
			}
		} else if !reflect.DeepEqual(back.Any, c.back) {
			t.Errorf("%#v became %#v", c.v, back.Any)
		}
	}
}

// TestLines: what is short stands on one line, what is not on several.
func TestLines(t *testing.T) {
	type eight struct{ A, B, C, D, E, F, G, H int }
	type nine struct{ A, B, C, D, E, F, G, H, I int }
	for _, c := range []struct {
		v     any
		lines int
	}{
		{[4][4]int{}, 1}, {[2][8]int{}, 1}, {[2][9]int{}, 4}, {[17]int{}, 1}, {[3][2][2]int{}, 5}, {[]eight{{}}, 3}, {[]nine{{}}, 13},
		{[]struct{ V [4]int }{{}}, 3}, {[]struct{ V [5]int }{{}}, 5}, {[][]int{{1}, {2}}, 4}, {[]string{"a", "b"}, 1}, {[][3]byte{{}}, 1}, {[]colour{1}, 1},
		{map[string]int{}, 1}, {map[string]int{"a": 1}, 3}, {[]*eight{{}}, 3}, {[]leaf{{Values: make([]float32, 16)}}, 3}, {[]leaf{{Values: make([]float32, 17)}}, 7},
	} {
		if got := strings.Count(encode(t, c.v), "\n"); got != c.lines {
			t.Errorf("%T: %d lines, want %d", c.v, got, c.lines)
		}
	}
}

// TestNumbersInText: numbers are those of JSON's grammar, and are read in tens.
func TestNumbersInText(t *testing.T) {
	for _, c := range []struct {
		text string
		want any // nil where it is refused
	}{
		{"0", int64(0)}, {"-0", math.Copysign(0, -1)}, {"10", int64(10)}, {"18446744073709551615", uint64(math.MaxUint64)}, {"18446744073709551616", 18446744073709551616.0},
		{"1e2", 100.0}, {"1E+2", 100.0}, {"25e-1", 2.5}, {"0.5", 0.5}, {"-12.25", -12.25}, {"00", nil}, {"-", nil}, {"-01", nil}, {"1.", nil}, {".5", nil}, {"1e", nil}, {"1e+", nil},
		{"+1", nil}, {"0x10", nil}, {"1_0", nil}, {"1e999", nil}, {"", nil}, {"tru", nil}, {"nul", nil}, {"falsee", nil}, {"1 2", nil}, {"[1,]", nil}, {"[1 2]", nil}, {"{1: 2}", nil},
		{`"\u00e9\ud83d\ude00\b\f\/"`, "é😀\b\f/"}, {`"\u0041x"`, "Ax"}, {`"\ud83dx"`, nil}, {`"\ud83d\u0041"`, nil}, {`"\uzzzz"`, nil}, {`"\u004"`, nil}, {`"\`, nil}, {`"a`, nil},
		{`{"$float": "inf"}`, math.Inf(1)}, {`{"$float": "x"}`, nil}, {`{"$float": "nan:0x7ff0000000000000"}`, nil}, {`{"$float": "nan:0xfff0000000000000"}`, nil},
		{`{"$float": "nan:0x17ff8000000000000"}`, nil}, {`{"$base64": "A"}`, nil}, {`{"$base64": 1}`, nil}, {`{"$map": 1}`, nil}, {`{"a": 1, "a": 1}`, nil},
	} {
		var v struct{ Any any }
		err := Decode(strings.NewReader(`{"Any": `+c.text+`}`), &v)
		if f, ok := c.want.(float64); ok && f == 0 {
			if g, ok := v.Any.(float64); !ok || !math.Signbit(g) {
				t.Errorf("%s: %v", c.text, v.Any)
			}
		}
		if (err != nil) != (c.want == nil) || err == nil && !reflect.DeepEqual(v.Any, c.want) {
			t.Errorf("%s: %#v, %v, want %#v", c.text, v.Any, err, c.want)
		}
		if err != nil && schema.Class(err) == nil {
			t.Errorf("%s: %v has no class", c.text, err)
		}
	}
}

// TestPlaces: an error says where, what was found, and what was expected.
func TestPlaces(t *testing.T) {
	type deep struct {
		Rows []struct{ Name string }
		Map  map[int8]int16 `json:",omitempty"`
		Hash [2]byte        `json:",omitzero"`
		Pair [2]int         `json:",omitzero"`
		One  [1]int         `json:",omitzero"`
		Raw  []byte
		P    *int
	}
	for _, c := range []struct{ text, want string }{
		{"", "json+0x0: line 1: the text ends where '{' should be"},
		{"[", `json+0x0: line 1: found "[", expected '{'`},
		{"{\n\"Rows\": [\n{\"Name\": 1234567890123456789}]}", `Rows[0].Name+0x15: line 3: found "1234567890123456", expected a string`},
		{`{"Rows": [{"Name": "a"}, {"Name": }]}`, `Rows[1].Name+0x22: line 1: found "}]}", expected a string`},
		{`{"Rows": [{"Name": "a"} {`, `Rows[0]+0x18: line 1: found "{", expected ',' or ']'`},
		{`{"Rows": [] "`, `Rows+0xc: line 1: found "\"", expected ',' or '}'`},
		{"{\"Rows\": []}\n x\ny", `json+0xe: line 2: found "x", expected the end`},
		{`{"Rows": nul`, `Rows+0x9: line 1: null says nothing: leave the key out for none`},
		{`{"Rows": [], "Map": {"1": tru`, `Map.1+0x1a: line 1: found "tru", expected a number`},
		{`{"Rows": [], "Map": {"1": 1, "1": 2}}`, `Map.1+0x21: line 1: key "1" stands twice`},
		{`{"Rows": [], "Map": {"128": 1}}`, `Map.128+0x1b: line 1: key "128": strconv.ParseInt: parsing "128": value out of range`},
		{`{"Rows": [], "Map": {"1": 32768}}`, `Map.1+0x1f: line 1: 32768 does not fit into 16 bits (int16)`},
		{`{"Rows": [], "Map": {"1": 1e1}}`, `Map.1+0x1d: line 1: 1e1 is not a whole number`},
		{`{"Rows": [], "Hash": "0102 "}`, `Hash+0x1c: line 1: 5 hexadecimal digits, expected 4`},
		{`{"Rows": [], "Hash": "010x"}`, `Hash+0x1b: line 1: not hexadecimal: encoding/hex: invalid byte: U+0078 'x'`},
		{`{"Rows": [], "Pair": [1]}`, `Pair+0x18: line 1: 1 elements, expected 2`},
		{`{"Rows": [], "Pair": [1, 2, 3]}`, `Pair[2]+0x1b: line 1: more than 2 elements`},
		{`{"Rows": [], "One": []}`, `One+0x16: line 1: 0 elements, expected 1`},
		{`{"Rows": [], "Raw": null}`, `Raw+0x14: line 1: null says nothing: leave the key out for none`},
		{`{"Rows": [], "P": 1.5}`, `P+0x15: line 1: 1.5 is not a whole number`},
	} {
		var v deep
		if err := Decode(strings.NewReader(c.text), &v); err == nil || err.Error() != c.want {
			t.Errorf("%s:\n%v, want\n%s", c.text, err, c.want)
		}
	}
	empty := func(string) (any, error) { return new(deep), nil }
	for _, c := range []struct{ text, want string }{
		{"{\n \"user\": \"x\"}", `json+0x3: line 2: found key "user", expected "usher"`},
		{"{\"usher\": \"x\",\n\"val\": 1}", `json+0xf: line 2: found key "val", expected "value"`},
		{`{"usher": "x", "value": {"Rows": []}}}`, `json+0x25: line 1: found "}", expected the end`},
		{`{"usher": "x", "value": {"Rows": []}`, `json+0x24: line 1: the text ends where '}' should be`},
	} {
		if _, _, err := DecodeDocument(strings.NewReader(c.text), empty, nil); err == nil || err.Error() != c.want {
			t.Errorf("%s:\n%v, want\n%s", c.text, err, c.want)
		}
	}
	broken := errors.New("the disk is gone")
	if _, _, err := DecodeDocument(iotest.ErrReader(broken), empty, nil); !errors.Is(err, broken) {
		t.Errorf("a document: %v", err)
	}
	if err := Decode(iotest.ErrReader(broken), new(deep)); !errors.Is(err, broken) {
		t.Errorf("a value: %v", err)
	}
	if _, _, err := DecodeDocument(strings.NewReader(`{"usher": "x", "value": {}}`), func(string) (any, error) { return deep{}, nil }, nil); schema.Class(err) != schema.ErrUnsupported {
		t.Errorf("what cannot be filled: %v", err)
	}
	limit := disk(1 << 16)
	if err := Encode(&limit, make([]byte, 1<<17)); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("a full disk: %v", err)
	}
}

// disk takes so many bytes.
type disk int

func (s *disk) Write(b []byte) (int, error) {
	if len(b) > int(*s) {
		return 0, io.ErrShortWrite
	}
	*s -= disk(len(b))
	return len(b), nil
}

// TestDepth: values nest as deep as the limit says, written and read, and no deeper. A list has its elements a level below it.
func TestDepth(t *testing.T) {
	most := schema.DefaultLimits.Depth - 2 // what holds them, and its field
	for _, c := range []struct {
		open, end string
		most      int
		around    func(any) any
	}{
		{"[", "]", most / 2, func(v any) any { return []any{v} }},
		{`{"a": `, `}`, most, func(v any) any { return map[string]any{"a": v} }},
	} {
		for _, n := range []int{1, c.most - 1, c.most, c.most + 1, c.most + 2} {
			var v struct{ Any any }
			err := Decode(strings.NewReader(`{"Any": `+strings.Repeat(c.open, n)+"null"+strings.Repeat(c.end, n)+"}"), &v)
			if (err != nil) != (n > c.most) || err != nil && !errors.Is(err, schema.ErrLimit) {
				t.Errorf("%d × %s read: %v", n, c.open, err)
			}
			var deep any
			for range n {
				deep = c.around(deep)
			}
			if err := Encode(io.Discard, struct{ Any any }{deep}); (err != nil) != (n > c.most) || err != nil && !errors.Is(err, schema.ErrLimit) {
				t.Errorf("%d × %s written: %v", n, c.open, err)
			}
		}
	}
}

// TestLists: a list is as long as what stands in it, with no more room than a quarter, and one that a value had before is gone.
func TestLists(t *testing.T) {
	for n := range 40 {
		list := make([]int, n)
		for i := range list {
			list[i] = i
		}
		back := []int{7, 8, 9}
		if err := Decode(strings.NewReader(encode(t, list)), &back); err != nil || !slices.Equal(back, list) || back == nil {
			t.Errorf("%d elements: %v, %v", n, back, err)
		}
		if cap(back) > n+n/4 {
			t.Errorf("%d elements have room for %d", n, cap(back))
		}
	}
	type two struct {
		A *int
		M map[string]int
	}
	one := 1
	v := two{&one, map[string]int{"old": 1}}
	if err := Decode(strings.NewReader(`{"M": {"new": 2}}`), &v); err != nil || v.A != nil || !maps.Equal(v.M, map[string]int{"new": 2}) {
		t.Errorf("%+v, %v", v, err)
	}
}
