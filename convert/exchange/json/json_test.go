package json

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"io"
	"maps"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
	"pgregory.net/rapid"
)

type colour uint8

var colours = schema.EnumNames[colour]{0: "red", 1: "green"}

func (c colour) MarshalText() ([]byte, error)  { return []byte(colours.Text(c)), nil }
func (c *colour) UnmarshalText(b []byte) error { return colours.Parse(b, c) }

type vertex struct {
	At [3]float32
	UV [2]float32
	ID uint16
}

type node struct {
	Name     string
	Children []*node `json:",omitempty"`
}

type everything struct {
	Bool     bool
	Int      int64
	Uint     uint64
	Small    int8
	F32      float32
	F64      float64
	Text     string
	Raw      []byte
	Hash     [4]byte
	Colour   colour
	Colours  []colour     `json:",omitempty"`
	Numbers  []uint16     `json:",omitempty"`
	Vectors  [][3]float32 `json:",omitempty"`
	Vertices []vertex     `json:",omitempty"`
	Matrix   [2][2]float32
	Next     *node
	Optional *uint32
	ByName   map[string]int32
	ByNumber map[int16]string
	ByColour map[colour]bool
	Any      any
	Values   map[string]any
	Renamed  int `json:"other_name,omitempty"`
	Skipped  int `json:"-"`
}

func encode(t testing.TB, v any) string {
	t.Helper()
	var b bytes.Buffer
	if err := Encode(&b, v); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// What Append returns is what Encode writes, however long, behind what was there.
func TestAppend(t *testing.T) {
	for _, v := range []any{nil, "text", map[string][]byte{"a": make([]byte, 1<<17), "b": {1}}} {
		got, err := Append([]byte("before "), v)
		if want := "before " + encode(t, v); err != nil || string(got) != want {
			t.Errorf("%d bytes, %v; want %d", len(got), err, len(want))
		}
	}
	if _, err := Append(nil, "\xFF"); !errors.Is(err, schema.ErrValue) {
		t.Errorf("not UTF-8: %v", err)
	}
}

func TestText(t *testing.T) {
	five := uint32(5)
	v := &everything{
		Int: math.MinInt64, Uint: math.MaxUint64, Small: -5, F32: 0.1, F64: 0.1, Text: "a\"\\\n\x01ü", Raw: []byte{1, 2, 3}, Hash: [4]byte{0xAB, 1, 2, 3},
		Colour: 1, Colours: []colour{0, 9}, Numbers: []uint16{1, 2, 3}, Vectors: [][3]float32{{1, 2, 3}, {-1.5, 0, 1e10}},
		Vertices: []vertex{{ID: 1}, {ID: 2}}, Next: &node{Name: "n", Children: []*node{{Name: "c"}}}, Optional: &five,
		ByName: map[string]int32{"b": 1, "a": 2}, ByNumber: map[int16]string{-1: "x"}, ByColour: map[colour]bool{1: true}, Any: 1.0,
		Values: map[string]any{"n": nil, "i": int64(1), "l": []any{}},
	}
	want := `{
  "Bool": false,
  "Int": -9223372036854775808,
  "Uint": 18446744073709551615,
  "Small": -5,
  "F32": 0.1,
  "F64": 0.1,
  "Text": "a\"\\\n\u0001ü",
  "Raw": "AQID",
  "Hash": "ab010203",
  "Colour": "green",
  "Colours": ["red", "9"],
  "Numbers": [1, 2, 3],
  "Vectors": [
    [1, 2, 3],
    [-1.5, 0, 1e+10]
  ],
  "Vertices": [
    {"At": [0, 0, 0], "UV": [0, 0], "ID": 1},
    {"At": [0, 0, 0], "UV": [0, 0], "ID": 2}
  ],
  "Matrix": [[0, 0], [0, 0]],
  "Next": {
    "Name": "n",
    "Children": [
      {
        "Name": "c"
      }
    ]
  },
  "Optional": 5,
  "ByName": {
    "a": 2,
    "b": 1
  },
  "ByNumber": {
    "-1": "x"
  },
  "ByColour": {
    "green": true
  },
  "Any": 1.0,
  "Values": {
    "i": 1,
    "l": [],
    "n": null
  },
  "other_name": 0
}
`
	got := encode(t, v)
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if !stdjson.Valid([]byte(got)) {
		t.Error("the standard library does not take it")
	}
	var back everything
	if err := Decode(strings.NewReader(got), &back); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(&back, v) {
		t.Errorf("got %+v, want %+v", back, *v)
	}
}

func TestFloatsAreExact(t *testing.T) {
	type pair struct {
		F []float32
		D []float64
		A any
	}
	var v pair
	for _, bits := range []uint32{0, 1 << 31, 0x7F800000, 0xFF800000, 0x7FC00000, 0x7FC00001, 0x7F800001, 0xFFFFFFFF, 1, 0x007FFFFF, 0x7F7FFFFF, 0x3DCCCCCD} {
		v.F = append(v.F, math.Float32frombits(bits))
	}
	for _, bits := range []uint64{0, 1 << 63, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000001, 0x7FF0000000000001, 1, 0x3FB999999999999A} {
		v.D = append(v.D, math.Float64frombits(bits))
	}
	for _, a := range []any{1.0, math.Copysign(0, -1), math.Inf(1), 1e300, 0.5} {
		v.A = a
		var back pair
		if err := Decode(strings.NewReader(encode(t, v)), &back); err != nil {
			t.Fatal(err)
		}
		for i := range v.F {
			if got, want := math.Float32bits(back.F[i]), math.Float32bits(v.F[i]); got != want {
				t.Errorf("%08x became %08x", want, got)
			}
		}
		for i := range v.D {
			if got, want := math.Float64bits(back.D[i]), math.Float64bits(v.D[i]); got != want {
				t.Errorf("%016x became %016x", want, got)
			}
		}
		if got, ok := back.A.(float64); !ok || math.Float64bits(got) != math.Float64bits(a.(float64)) {
			t.Errorf("%v became %v", a, back.A)
		}
	}
}

func TestNilAndEmpty(t *testing.T) {
	type lists struct {
		B []byte
		N []int   `json:",omitempty"`
		L [][]int `json:",omitempty"`
		M map[string]int
		P *[]int
	}
	for _, v := range []lists{{}, {B: []byte{}, N: []int{}, L: [][]int{nil, {}, {1}}, M: map[string]int{}, P: &[]int{}}} {
		var back lists
		if err := Decode(strings.NewReader(encode(t, v)), &back); err != nil || !reflect.DeepEqual(back, v) {
			t.Errorf("got %+v, %v, want %+v", back, err, v)
		}
	}
}

func TestAny(t *testing.T) {
	v := map[string]any{
		"int": int64(-5), "big": uint64(math.MaxUint64), "float": 2.0, "text": "x", "list": []any{true, nil, "y"},
		"bytes": []byte{1}, "map": map[string]any{"$float": int64(1)}, "plain": map[string]any{"a": map[string]any{}},
		"deep": map[string]any{"$map": map[string]any{"$map": int64(2)}},
	}
	var back map[string]any
	if err := Decode(strings.NewReader(encode(t, v)), &back); err != nil || !reflect.DeepEqual(back, v) {
		t.Errorf("got %#v, %v", back, err)
	}
}

func TestNumbersStandForNames(t *testing.T) {
	var v everything
	text := strings.Replace(encode(t, &everything{F32: float32(math.Inf(-1)), Colours: []colour{1, 0}}), `"Colour": "red"`, `"Colour": 1`, 1)
	text = strings.Replace(text, `"red"`, `0`, 1)
	if err := Decode(strings.NewReader("\xEF\xBB\xBF"+text), &v); err != nil {
		t.Fatal(err)
	}
	if v.Colour != 1 || len(v.Colours) != 2 || v.Colours[0] != 1 || !math.IsInf(float64(v.F32), -1) {
		t.Errorf("got %+v", v)
	}
}

func TestDecodeMalformed(t *testing.T) {
	cases := []struct {
		text  string
		class error
		msg   string
	}{
		{"{\n \"Nope\": 1}", schema.ErrValue, `Nope+0xa: line 2: unknown key "Nope"`},
		{`{"Smal": 1}`, schema.ErrValue, `unknown key "Smal"; did you mean "Small"?`},
		{"{\"Vertices\": [{\"At\": [0, 0, 0], \"UV\": [0, 0], \"ID\": 1},\n{\"UV\": [1, 2, 3]}]}", schema.ErrValue, `Vertices[1].UV[2]+0x45: line 2: more than 2 elements`},
		{`{"Vertices": [{"UV": [1]}]}`, schema.ErrValue, `1 elements, expected 2`},
		{`{"Int": 1, "Int": 2}`, schema.ErrValue, `stands twice`},
		{`{"ByName": {"a": 1, "a": 2}}`, schema.ErrValue, `stands twice`},
		{`{"Small": 128}`, schema.ErrRange, `128 does not fit into 8 bits`},
		{`{"Uint": -1}`, schema.ErrRange, ``},
		{`{"Small": 1.5}`, schema.ErrValue, `not a whole number`},
		{`{"F32": 1e40}`, schema.ErrRange, ``},
		{`{"F32": "nan:0x7f800000"}`, schema.ErrValue, `is no float`},
		{`{"F32": "nan"}`, schema.ErrValue, ``},
		{`{"Colour": "blue"}`, schema.ErrValue, `neither a number in range nor one of red, green`},
		{`{"Colour": 300}`, schema.ErrRange, ``},
		{`{"Raw": "A"}`, schema.ErrValue, `not base64`},
		{`{"Hash": "ab"}`, schema.ErrValue, `2 hexadecimal digits, expected 8`},
		{`{"Hash": "abcdefgh"}`, schema.ErrValue, `not hexadecimal`},
		{`{"Int": 01}`, schema.ErrValue, `expected a number`},
		{`{"Int": "1"}`, schema.ErrValue, `expected a number`},
		{`{"Int": null}`, schema.ErrValue, ``},
		{`{"Bool": tru }`, schema.ErrValue, ``},
		{`{"Text": "a` + "\n" + `b"}`, schema.ErrValue, `control characters`},
		{`{"Text": "\x"}`, schema.ErrValue, `escape`},
		{`{"Text": "\u12"}`, schema.ErrValue, `escape`},
		{`{"Text": "\ud800"}`, schema.ErrValue, `escape`},
		{"{\"Text\": \"\xFF\"}", schema.ErrValue, `not UTF-8`},
		{`{"Int": 1,}`, schema.ErrValue, `expected a string`},
		{`{"Int" 1}`, schema.ErrValue, `expected ':'`},
		{`{}`, schema.ErrValue, `Bool+0x2: line 1: key "Bool" is missing`},
		{"{\"Vertices\": [\n{\"At\": [0, 0, 0], \"ID\": 1}\n]}", schema.ErrValue, `Vertices[0].UV+0x29: line 2: key "UV" is missing`},
		{`{"ByNumber": {"70000": ""}}`, schema.ErrValue, ``},
		{`{"Any": {"$float": 1}}`, schema.ErrValue, ``},
		{`{"Any": ` + strings.Repeat("[", 300) + strings.Repeat("]", 300) + `}`, schema.ErrLimit, `nested deeper`},
	}
	for _, c := range cases {
		var v everything
		err := Decode(strings.NewReader(c.text), &v)
		if !errors.Is(err, c.class) || !strings.Contains(err.Error(), c.msg) {
			t.Errorf("%.60s: %v, want %v with %q", c.text, err, c.class, c.msg)
		}
	}
	for _, target := range []any{nil, everything{}, (*everything)(nil)} {
		if err := Decode(strings.NewReader("{}"), target); !errors.Is(err, schema.ErrUnsupported) {
			t.Errorf("%T: %v", target, err)
		}
	}
}

func TestTruncated(t *testing.T) {
	v := &everything{Text: "\u00e9\n", Raw: []byte{1}, Numbers: []uint16{1}, Vertices: []vertex{{}}, Any: []any{true, nil, 1.5}, Next: &node{}}
	text := strings.TrimRight(encode(t, v), "\n")
	for n := range text {
		var back everything
		if err := Decode(strings.NewReader(text[:n]), &back); schema.Class(err) == nil {
			t.Fatalf("%d of %d bytes: %v", n, len(text), err)
		}
	}
}

func TestEncodeRefuses(t *testing.T) {
	type hidden struct{ x int }
	loop := &node{}
	loop.Children = []*node{loop}
	type iface struct{ R io.Reader }
	cases := []struct {
		v     any
		class error
		path  string
	}{
		{node{Name: "\xFF"}, schema.ErrValue, "Name"},
		{node{Children: []*node{{}, {Name: "\xFF"}}}, schema.ErrValue, "Children[1].Name"},
		{hidden{1}, schema.ErrUnsupported, ""},
		{loop, schema.ErrLimit, ""},
		{func() {}, schema.ErrUnsupported, ""},
		{iface{strings.NewReader("")}, schema.ErrUnsupported, "R"},
		{map[[2]int]int{{}: 1}, schema.ErrUnsupported, ""},
	}
	for _, c := range cases {
		err := Encode(io.Discard, c.v)
		if !errors.Is(err, c.class) || !strings.Contains(err.Error(), c.path) {
			t.Errorf("%T: %v, want %v at %q", c.v, err, c.class, c.path)
		}
	}
	if err := Encode(io.Discard, hidden{}); err != nil {
		t.Errorf("hidden zero: %v", err)
	}
}

func TestDocument(t *testing.T) {
	var b bytes.Buffer
	want := &node{Name: "x"}
	if err := EncodeDocument(&b, "u3d", want); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); got != "{\n  \"usher\": \"u3d\",\n  \"value\": {\n    \"Name\": \"x\"\n  }\n}\n" {
		t.Errorf("got %s", got)
	}
	if f, ok := Sniff(b.Bytes()[:30]); !ok || f != "u3d" {
		t.Errorf("sniffed %q, %t", f, ok)
	}
	for _, other := range []string{"", "{", `{"asset": {}}`, `{"usher": 1}`, "RIFF", "[1]"} {
		if f, ok := Sniff([]byte(other)); ok {
			t.Errorf("%q: sniffed %q", other, f)
		}
	}
	makeNode := func(string) (any, error) { return new(node), nil }
	f, got, err := DecodeDocument(&b, makeNode, nil)
	if err != nil || f != "u3d" || !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, %+v, %v", f, got, err)
	}
	refuse := func(f string) (any, error) {
		return nil, schema.Errorf("json", schema.ErrUnsupported, "usher", "no format %q", f)
	}
	if _, _, err := DecodeDocument(strings.NewReader(`{"usher": "x", "value": {}}`), refuse, nil); !errors.Is(err, schema.ErrUnsupported) {
		t.Errorf("unknown format: %v", err)
	}
	for _, bad := range []string{`{"value": {}}`, `{"usher": "x"}`, `{"usher": "x", "value": {"Nope": 1}}`, `{"usher": "x", "value": {}, "more": 1}`} {
		if _, _, err := DecodeDocument(strings.NewReader(bad), makeNode, nil); !errors.Is(err, schema.ErrValue) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

func TestThereAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Custom(func(t *rapid.T) *everything {
			return &everything{
				Int: rapid.Int64().Draw(t, "int"), Uint: rapid.Uint64().Draw(t, "uint"), Text: rapid.String().Draw(t, "text"),
				Raw: rapid.SliceOf(rapid.Byte()).Draw(t, "raw"), Colour: colour(rapid.Uint8().Draw(t, "colour")),
				Numbers: rapid.SliceOf(rapid.Uint16()).Draw(t, "numbers"), F64: rapid.Float64().Draw(t, "f64"), F32: rapid.Float32().Draw(t, "f32"),
				ByName: rapid.MapOf(rapid.String(), rapid.Int32()).Draw(t, "map"), Any: rapid.Float64().Draw(t, "any"),
			}
		}).Draw(t, "value")
		var b bytes.Buffer
		if err := Encode(&b, v); err != nil {
			t.Fatal(err)
		}
		var back everything
		if err := Decode(&b, &back); err != nil || !reflect.DeepEqual(&back, v) {
			t.Fatalf("got %+v, %v, want %+v", back, err, *v)
		}
	})
}

// What decodes encodes to a text that decodes to the same.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(encode(f, &everything{Any: map[string]any{"$map": 1}, Next: &node{}})))
	f.Add([]byte(`{"Any": {"$float": "nan:0x7ff8000000000001"}, "F32": -0, "Colour": 7}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		var v everything
		if Decode(bytes.NewReader(b), &v) != nil {
			return
		}
		first := encode(t, &v)
		var again everything
		if err := Decode(strings.NewReader(first), &again); err != nil {
			t.Fatalf("%v in %s", err, first)
		}
		if second := encode(t, &again); second != first {
			t.Errorf("got %s, want %s", second, first)
		}
	})
}

type mesh struct {
	Positions [][3]float32
	Indices   []uint32
	Vertices  []vertex
	Blob      []byte
}

func bigMesh() *mesh {
	m := &mesh{Blob: make([]byte, 1<<20)}
	for i := range 100000 {
		x := float32(i) * 0.37
		m.Positions = append(m.Positions, [3]float32{x, -x / 3, x * x})
		m.Indices = append(m.Indices, uint32(i), uint32(i+1), uint32(i+2))
		m.Vertices = append(m.Vertices, vertex{At: [3]float32{x, 1, 0}, ID: uint16(i)})
	}
	return m
}

func BenchmarkEncode(b *testing.B) {
	m := bigMesh()
	var w bytes.Buffer
	b.ReportAllocs()
	for b.Loop() {
		w.Reset()
		if err := Encode(&w, m); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(w.Len()))
}

func BenchmarkDecode(b *testing.B) {
	text := []byte(encode(b, bigMesh()))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		var m mesh
		if err := Decode(bytes.NewReader(text), &m); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecodeStandard(b *testing.B) {
	text := []byte(encode(b, bigMesh()))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		var m mesh
		if err := stdjson.Unmarshal(text, &m); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncodeStandard(b *testing.B) {
	m := bigMesh()
	n := 0
	for b.Loop() {
		text, err := stdjson.MarshalIndent(m, "", "  ")
		if err != nil {
			b.Fatal(err)
		}
		n = len(text)
	}
	b.SetBytes(int64(n))
	b.ReportAllocs()
}

// TestHoles: nobody who walks a list looks for elements that are not there, so that none is written or read.
func TestHoles(t *testing.T) {
	var b bytes.Buffer
	if err := Encode(&b, &node{Children: []*node{nil}}); !errors.Is(err, schema.ErrUnsupported) {
		t.Errorf("written: %v", err)
	}
	slots := struct{ Slots [2]*node }{[2]*node{1: {Name: "b"}}} // places that may be empty are no list
	if text := encode(t, &slots); !strings.Contains(text, "null") {
		t.Errorf("an array: %s", text)
	}
	var n node
	if err := Decode(strings.NewReader(`{"Children": [{}, null]}`), &n); !errors.Is(err, schema.ErrValue) {
		t.Errorf("read: %v", err)
	}
}

type leaf struct {
	Name     string
	Values   []float32 `json:",omitempty"`
	Matrix   [2][2]float32
	Inner    *leaf
	Children []*leaf `json:",omitempty"`
}

func (leaf) Brief() {}

// TestBrief: a struct that is marked as brief stands on one line as long as all that it holds is short.
func TestBrief(t *testing.T) {
	v := struct{ List []leaf }{[]leaf{
		{Name: "a", Values: []float32{1, 2}, Inner: &leaf{Name: "b"}},
		{Name: "c", Values: make([]float32, 17)},
		{Name: "d", Children: []*leaf{}},
	}}
	got := encode(t, &v)
	for _, want := range []string{
		"\n    {\"Name\": \"a\", \"Values\": [1, 2], \"Matrix\": [[0, 0], [0, 0]], \"Inner\": {\"Name\": \"b\", \"Matrix\": [[0, 0], [0, 0]]}},\n",
		"\n    {\n      \"Name\": \"c\",\n", "\n    {\n      \"Name\": \"d\",\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nmisses %q", got, want)
		}
	}
}

// TestMissing takes each key out of a value in turn: a list is told of, a pointer, bytes, a map are none, anything else
// is refused.
func TestMissing(t *testing.T) {
	type page struct {
		Text     string
		Number   uint16
		Pair     [2]float32
		Place    vertex
		List     []uint16
		Other    []uint16 `json:",omitempty"`
		Bytes    []byte
		Optional *uint32
		Names    map[string]int
	}
	one := uint32(1)
	var whole map[string]any
	full := page{List: []uint16{1}, Other: []uint16{2}, Bytes: []byte{3}, Optional: &one, Names: map[string]int{"a": 1}}
	if err := stdjson.Unmarshal([]byte(encode(t, full)), &whole); err != nil {
		t.Fatal(err)
	}
	said, refused, none := 0, 0, 0
	for key := range whole {
		rest := maps.Clone(whole)
		delete(rest, key)
		text, err := stdjson.Marshal(map[string]any{"usher": "x", "value": rest})
		if err != nil {
			t.Fatal(err)
		}
		text = append([]byte(`{"usher": "x", "value": `), append(text[bytes.Index(text, []byte(`"value":`))+8:], '\n')...)
		d := new(schema.Diagnostics)
		_, _, err = DecodeDocument(bytes.NewReader(text), func(string) (any, error) { return new(page), nil }, d)
		switch {
		case err != nil:
			if refused++; !strings.Contains(err.Error(), key+"+0x") || !strings.Contains(err.Error(), "key \""+key+"\" is missing") {
				t.Errorf("%s: %v", key, err)
			}
		case d.Has("field-missing"):
			said++
		default:
			none++
		}
	}
	if said != 1 || refused != 4 || none != 4 {
		t.Errorf("%d said, %d refused, %d none", said, refused, none)
	}
}

// TestEmptyLists: a list is written if it is nil, so that one that is missing was taken out.
func TestEmptyLists(t *testing.T) {
	type page struct {
		List  []uint16
		Other []uint16 `json:",omitempty"`
		Bytes []byte
	}
	if got := encode(t, page{}); got != "{\n  \"List\": []\n}\n" {
		t.Errorf("got %s", got)
	}
}
