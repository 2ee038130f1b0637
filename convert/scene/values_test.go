package scene

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/usher-assets/usher/schema/asset"
)

// TestInteger: whole numbers of every type that a value may have, as long as floats do not skip any.
func TestInteger(t *testing.T) {
	for _, c := range []struct {
		v    any
		want int
		ok   bool
	}{
		{7, 7, true}, {int64(-8), -8, true}, {uint32(9), 9, true}, {-3.0, -3, true}, {float32(4), 4, true}, {0.0, 0, true},
		{0.5, 0, false}, {float32(1.5), 0, false}, {float64(1<<53 - 1), 1<<53 - 1, true}, {float64(1 << 53), 0, false}, {-float64(1 << 53), 0, false},
		{math.Inf(1), 0, false}, {math.NaN(), 0, false}, {"7", 0, false}, {nil, 0, false}, {true, 0, false},
	} {
		if got, ok := Integer(c.v); got != c.want || ok != c.ok {
			t.Errorf("%T %v: %d %v, want %d %v", c.v, c.v, got, ok, c.want, c.ok)
		}
	}
}

// TestObjectValues: what is under a key of an object, and what it is otherwise.
func TestObjectValues(t *testing.T) {
	o := map[string]any{"n": 3.0, "half": 0.5, "text": "x", "on": true, "off": false, "one": 1.0, "zero": 0.0, "list": []any{1.0, "a"}}
	for _, c := range []struct {
		of   any
		key  string
		n    int
		text string
		list int
	}{
		{o, "n", 3, "", 0}, {o, "half", -1, "", 0}, {o, "text", -1, "x", 0}, {o, "on", -1, "", 0}, {o, "off", -1, "", 0},
		{o, "one", 1, "", 0}, {o, "zero", 0, "", 0}, {o, "list", -1, "", 2}, {o, "none", -1, "", 0},
		{nil, "n", -1, "", 0}, {"n", "n", -1, "", 0},
	} {
		values, _ := c.of.(map[string]any)
		if got := ShownWhole(&asset.Native{Values: values}, c.key, -1); got != c.n {
			t.Errorf("%v: integer %d, want %d", c.key, got, c.n)
		}
		if got := TextOf(c.of, c.key); got != c.text {
			t.Errorf("%v: text %q, want %q", c.key, got, c.text)
		}
		if got := ListOf(c.of, c.key); len(got) != c.list {
			t.Errorf("%v: list %v, want %d elements", c.key, got, c.list)
		}
	}
}

// TestCells: cells of tables are numbers, or text with one.
func TestCells(t *testing.T) {
	for _, c := range []struct {
		v      any
		whole  int64
		ok     bool
		number float64
		is     bool
	}{
		{7, 7, true, 7, true}, {2.0, 2, true, 2, true}, {2.5, 0, false, 2.5, true}, {uint64(8), 8, true, 8, true},
		{uint64(math.MaxInt64), math.MaxInt64, true, math.MaxInt64, true}, {uint64(math.MaxInt64 + 1), 0, false, 0, false},
		{"12", 12, true, 12, true}, {"0x10", 16, true, 0, false}, {"1.5", 0, false, 1.5, true}, {"x", 0, false, 0, false}, {nil, 0, false, 0, false},
	} {
		if got, ok := CellInteger(c.v); ok != c.ok || ok && got != c.whole {
			t.Errorf("%T %v: %d %v, want %d %v", c.v, c.v, got, ok, c.whole, c.ok)
		}
		if got, is := CellNumber(c.v); is != c.is || is && got != c.number {
			t.Errorf("%T %v: %v %v, want %v %v", c.v, c.v, got, is, c.number, c.is)
		}
	}
}

// TestNumbers: every type of number, and lists of them.
func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		v    any
		want []float64
	}{
		{1.5, []float64{1.5}}, {float32(1.5), []float64{1.5}}, {2, []float64{2}}, {int64(3), []float64{3}}, {int32(-4), []float64{-4}}, {uint32(5), []float64{5}},
		{uint64(6), []float64{6}}, {json.Number("7.5"), []float64{7.5}}, {json.Number("x"), nil}, {true, []float64{1}}, {false, []float64{0}},
		{[]any{1.0, true, 3}, []float64{1, 1, 3}}, {[]float64{4, 5}, []float64{4, 5}}, {[]any{}, []float64{}}, {[]any{1.0, "x"}, nil}, {"1", nil}, {nil, nil},
	} {
		equal(t, "numbers", Numbers(c.v), c.want)
	}
	for v, want := range map[any]int{0: 0, 7.0: 7, -1: -1, 0.5: -1, 2147483647.0: 2147483647, 2147483648.0: -1, "7": -1, true: 1, math.NaN(): -1} {
		if got := Whole(v); got != want {
			t.Errorf("%v: %d, want %d", v, got, want)
		}
	}
	equal(t, "list", List([]float32{1, float32(math.Inf(1)), -2, float32(math.NaN())}), []any{1.0, 0.0, -2.0, 0.0})
	var k Kept
	untouched := []uint8{7}
	if takeField(&k, "none", untouched); k.Err() != nil || untouched[0] != 7 {
		t.Error("a list that is not there was taken:", k.Err())
	}
	k.now = map[string]any{"a": []float64{1, 2}, "b": []any{3.0}}
	var a [2]uint8
	if takeField(&k, "a", a[:]); k.Err() != nil || a != [2]uint8{1, 2} {
		t.Error(a, k.Err())
	}
}

// TestKeptTypes: each type of field holds its least and its greatest number, and none beside them.
func TestKeptTypes(t *testing.T) {
	take := func(v any, f func(k *Kept)) error {
		k := KeptOf("f", "", &asset.Native{Format: "f", Values: map[string]any{"x": v}}, nil)
		f(k)
		return k.Err()
	}
	var (
		i8  int8
		i32 int32
		i64 int64
		u16 uint16
		f32 float32
		f64 float64
		b   bool
	)
	const most = 1<<53 - 1
	for _, c := range []struct {
		v    any
		take func(k *Kept)
		ok   bool
	}{
		{-128, func(k *Kept) { takeField(k, "x", &i8) }, true}, {-129, func(k *Kept) { takeField(k, "x", &i8) }, false},
		{127, func(k *Kept) { takeField(k, "x", &i8) }, true}, {128, func(k *Kept) { takeField(k, "x", &i8) }, false},
		{math.MinInt32, func(k *Kept) { takeField(k, "x", &i32) }, true}, {math.MinInt32 - 1, func(k *Kept) { takeField(k, "x", &i32) }, false},
		{math.MaxInt32, func(k *Kept) { takeField(k, "x", &i32) }, true}, {math.MaxInt32 + 1, func(k *Kept) { takeField(k, "x", &i32) }, false},
		{most, func(k *Kept) { takeField(k, "x", &i64) }, true}, {most + 1, func(k *Kept) { takeField(k, "x", &i64) }, false}, {-most - 1, func(k *Kept) { takeField(k, "x", &i64) }, true}, {-most - 3, func(k *Kept) { takeField(k, "x", &i64) }, false},
		{65535, func(k *Kept) { takeField(k, "x", &u16) }, true}, {65536, func(k *Kept) { takeField(k, "x", &u16) }, false}, {-1, func(k *Kept) { takeField(k, "x", &u16) }, false},
		{math.MaxFloat32, func(k *Kept) { takeField(k, "x", &f32) }, true}, {-math.MaxFloat32, func(k *Kept) { takeField(k, "x", &f32) }, true}, {-1e39, func(k *Kept) { takeField(k, "x", &f32) }, false},
		{math.MaxFloat64, func(k *Kept) { takeField(k, "x", &f64) }, true}, {-math.MaxFloat64, func(k *Kept) { takeField(k, "x", &f64) }, true}, {math.Inf(-1), func(k *Kept) { takeField(k, "x", &f64) }, false},
		{0, func(k *Kept) { takeField(k, "x", &b) }, true}, {"yes", func(k *Kept) { takeField(k, "x", &b) }, false},
	} {
		if err := take(c.v, c.take); (err == nil) != c.ok {
			t.Errorf("%v: %v", c.v, err)
		}
	}
	for v, want := range map[any]string{"yes": `"yes" is neither true nor false`, struct{}{}: "{} is neither true nor false"} {
		if err := take(v, func(k *Kept) { takeField(k, "x", &b) }); err == nil || err.Error() != "f: x: "+want {
			t.Error(err)
		}
	}
	k := KeptOf("f", "", &asset.Native{Format: "f", Values: map[string]any{"x": 300, "y": 70000}}, nil)
	var x uint8
	var y uint16
	takeField(k, "x", &x)
	takeField(k, "y", &y)
	if k.Err() == nil || k.Err().Error() != "f: x: 300 is no whole number from 0 to 255" {
		t.Errorf("not the first error: %v", k.Err())
	}
}

// TestShow: numbers as a person writes them.
func TestShow(t *testing.T) {
	for v, want := range map[any]string{1e15: "1000000000000000", float64(1<<53 - 1): "9007199254740991", float64(1 << 53): "9.007199254740992e+15", 0.25: "0.25", "a": `"a"`, nil: "null"} {
		if got := show(v); got != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
}
