package scene

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

type op uint32

// takeField gives one field what is kept under a key.
func takeField(k *Kept, key string, field any) { Fields{key: field}.take(k) }

func TestTake(t *testing.T) {
	type fields struct {
		byte  uint8
		short int16
		word  uint32
		op    op
		float float32
		wide  float64
		big   int
	}
	take := map[string]func(k *Kept, f *fields){
		"byte":  func(k *Kept, f *fields) { takeField(k, "x", &f.byte) },
		"short": func(k *Kept, f *fields) { takeField(k, "x", &f.short) },
		"word":  func(k *Kept, f *fields) { takeField(k, "x", &f.word) },
		"op":    func(k *Kept, f *fields) { takeField(k, "x", &f.op) },
		"float": func(k *Kept, f *fields) { takeField(k, "x", &f.float) },
		"wide":  func(k *Kept, f *fields) { takeField(k, "x", &f.wide) },
		"big":   func(k *Kept, f *fields) { takeField(k, "x", &f.big) },
	}
	for _, c := range []struct {
		kind  string
		value any
		want  fields
		err   string
	}{
		{"byte", 255.0, fields{byte: 255}, ""},
		{"byte", true, fields{byte: 1}, ""},
		{"byte", 256.0, fields{}, "256 is no whole number from 0 to 255"},
		{"byte", 1.5, fields{}, "1.5 is no whole number from 0 to 255"},
		{"byte", "7", fields{}, `"7" is no whole number`},
		{"byte", nil, fields{}, "null is no whole number from 0 to 255"},
		{"short", -32768.0, fields{short: -32768}, ""},
		{"short", 32768, fields{}, "32768 is no whole number from -32768 to 32767"},
		{"word", float64(math.MaxUint32), fields{word: math.MaxUint32}, ""},
		{"word", -5.0, fields{}, "-5 is no whole number from 0 to 4294967295"},
		{"op", json.Number("12"), fields{op: 12}, ""},
		{"op", -5.0, fields{}, "-5 is no whole number from 0 to 4294967295"},
		{"float", 0.5, fields{float: 0.5}, ""},
		{"float", 1e39, fields{}, "1e+39 is no number from"},
		{"wide", 1e39, fields{wide: 1e39}, ""},
		{"big", float64(1 << 40), fields{big: 1 << 40}, ""},
		{"big", 1e300, fields{}, "is no whole number"},
	} {
		var f fields
		k := KeptOf("u3d", "material 3", &asset.Native{Format: "u3d", Values: map[string]any{"x": c.value}}, nil)
		take[c.kind](k, &f)
		if f != c.want {
			t.Errorf("%s %v: %+v, want %+v", c.kind, c.value, f, c.want)
		}
		switch err := k.Err(); {
		case c.err == "" && err != nil:
			t.Errorf("%s %v: %v", c.kind, c.value, err)
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err) || !strings.HasPrefix(err.Error(), "material 3: x: ") || !errors.Is(err, schema.ErrValue)):
			t.Errorf("%s %v: error %v, want %q", c.kind, c.value, err, c.err)
		}
	}
}

// TestTakeUnedited: what nobody edited keeps its bits, whatever JSON made of it.
func TestTakeUnedited(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	was := map[string]any{"speed": Finite(float64(inf)), "list": List([]float32{1, nan, 3}), "on": true, "root": math.Sqrt(2)}
	read := func(now map[string]any) (speed float32, list [3]float32, on bool, root float32) {
		speed, list, on, root = inf, [3]float32{1, nan, 3}, true, 1.4142135
		k := KeptOf("u3d", "", &asset.Native{Format: "u3d", Values: now}, was)
		takeField(k, "speed", &speed)
		takeField(k, "list", list[:])
		takeField(k, "on", &on)
		takeField(k, "root", &root)
		if k.Err() != nil {
			t.Fatal(k.Err())
		}
		return
	}
	speed, list, on, root := read(map[string]any{"speed": 0.0, "list": []any{1.0, 0.0, 3.0}, "on": 1.0, "root": 1.41421356})
	if speed != inf || list[1] == list[1] || !on || root != 1.4142135 {
		t.Errorf("unedited values became %v %v %v %v", speed, list, on, root)
	}
	speed, list, on, _ = read(map[string]any{"speed": 2.0, "list": []any{1.0, 0.0, 4.0}, "on": 0.0})
	if speed != 2 || list[1] == list[1] || list[2] != 4 || on {
		t.Errorf("edited values became %v %v %v", speed, list, on)
	}
}

func TestTakeLists(t *testing.T) {
	var ops [2]op
	k := KeptOf("u3d", "material 3", &asset.Native{Format: "u3d", Values: map[string]any{"colorOp": []any{1.0, -5.0}, "one": 4.0, "three": []any{1.0, 2.0, 3.0}}}, nil)
	takeField(k, "colorOp", ops[:])
	if err := k.Err(); err == nil || err.Error() != "material 3: colorOp[1]: -5 is no whole number from 0 to 4294967295" {
		t.Error(err)
	}
	k.err = nil
	if takeField(k, "one", ops[:1]); k.Err() != nil || ops[0] != 4 {
		t.Error(k.Err(), ops)
	}
	if takeField(k, "three", ops[:]); k.Err() == nil || !strings.Contains(k.Err().Error(), "no list of 2 numbers") {
		t.Error(k.Err())
	}
	inner := KeptOf("u3d", "event 2", &asset.Native{Format: "u3d", Values: map[string]any{"time": 70000.0}}, nil)
	var time int16
	if takeField(inner, "time", &time); inner.Err() == nil || !strings.HasPrefix(inner.Err().Error(), "event 2: time: 70000") {
		t.Error(inner.Err())
	}
	if foreign := KeptOf("u3d", "", &asset.Native{Format: "other", Values: map[string]any{"one": 1.0}}, nil); foreign.Has("one") {
		t.Error("the values of another format were taken")
	}
	if KeptOf("u3d", "", nil, nil).Has("one") {
		t.Error("nothing has a value")
	}
}

func TestSameKept(t *testing.T) {
	for _, c := range []struct {
		was, now any
		same     bool
	}{
		{true, 1.0, true}, {false, 0.0, true}, {true, 0.0, false},
		{1, 1.0, true}, {0.1, 0.1000000001, true}, {0.1, 0.11, false}, {1e6, 1e6 + 0.5, true}, {1e6, 1e6 + 2, false}, {0.0, 5e-7, true}, {0.0, 2e-6, false},
		{[]any{true, 2}, []any{1.0, 2.0}, true}, {[]any{1.0}, 1.0, true}, {[]any{1.0, 2.0}, []any{1.0}, false},
		{"a", "a", true}, {"a", "b", false}, {"a", 1.0, false},
		{map[string]any{"a": 1}, map[string]any{"a": 1.0}, true}, {map[string]any{"a": 1}, map[string]any{"b": 1.0}, false}, {map[string]any{"a": 1}, map[string]any{"a": 2.0}, false}, {map[string]any{"a": nil}, map[string]any{"b": nil}, false},
		{map[string]any{"a": 1}, map[string]any{"a": 1.0, "b": 2.0}, false}, {map[string]any{}, "a", false}, {map[string]any{}, map[string]any{}, true},
		{nil, nil, true}, {nil, 1.0, false},
	} {
		if got := SameKept(c.was, c.now); got != c.same {
			t.Errorf("%v and %v: same %v", c.was, c.now, got)
		}
	}
}

func TestSpoiled(t *testing.T) {
	if !IsSpoiled(map[string]any{"usher": "{'format': 'u3d'}"}) || IsSpoiled(map[string]any{"usher": "x"}) || IsSpoiled(nil) {
		t.Error("wrong")
	}
}

type yes uint8

func (y yes) True() bool { return y != 0 }

// stored has a field of each kind that a Native can show.
type stored struct {
	I8    int8
	I16   int16
	I32   int32
	I64   int64
	I     int
	U8    uint8
	U16   uint16
	U32   uint32
	F32   float32
	F64   float64
	Op    op
	Flag  bool
	Truth yes
	Text  string
	List  [2]uint16
	One   [1]float32
}

func (s *stored) fields() Fields {
	f := Fields{ReadOnly: map[string]any{"limb": 3}}
	v := reflect.ValueOf(s).Elem()
	for i := range v.NumField() {
		field := v.Field(i)
		if field.Kind() == reflect.Array {
			f[v.Type().Field(i).Name] = field.Slice(0, field.Len()).Interface()
			continue
		}
		f[v.Type().Field(i).Name] = field.Addr().Interface()
	}
	return f
}

// TestFields gives every kind of field every kind of value: it arrives, or it is an error with the field's name and range,
// and no other field has changed.
func TestFields(t *testing.T) {
	was := stored{I8: -3, I16: 300, I32: 70000, I64: 1 << 40, I: 5, U8: 7, U16: 8, U32: 9, F32: 0.1, F64: math.Inf(1), Op: 4, Flag: true, Truth: 5, Text: "name", List: [2]uint16{1, 2}, One: [1]float32{0.3}}
	ends := map[string]string{"I8": "-128 to 127", "U8": "0 to 255", "I16": "-32768 to 32767", "U16": "0 to 65535", "List": "0 to 65535", "I32": "-2147483648 to 2147483647",
		"U32": "0 to 4294967295", "Op": "0 to 4294967295", "F32": "from", "F64": "from", "One": "from", "I64": "from", "I": "from", "Truth": "neither true nor false", "Flag": "neither true nor false", "Text": "no text"}
	arrived, refused := 0, 0
	for key, v := range was.fields().Values() {
		if key == ReadOnly {
			continue
		}
		for _, now := range []any{2.0, 0.0, 1.5, -1.0, 1e12, 1e300, "x", true, nil, map[string]any{}, []any{2.0, 3.0}, []any{2.0, "x"}, []any{}, v} {
			got := was
			err := got.fields().Take("u3d", "material 3", &asset.Native{Format: "u3d", Values: map[string]any{key: now, ReadOnly: map[string]any{"limb": 4.0}}})
			if err != nil {
				refused++
				text := err.Error()
				if !errors.Is(err, schema.ErrValue) || !strings.HasPrefix(text, "material 3: "+key) || !strings.Contains(text, ends[key]) && !strings.Contains(text, "no list of") {
					t.Errorf("%s = %v: %v", key, now, err)
				}
				continue
			}
			arrived++
			again := got.fields().Values()
			if !SameKept(again[key], now) {
				t.Errorf("%s = %v came back as %v", key, now, again[key])
			}
			reflect.ValueOf(&got).Elem().FieldByName(key).Set(reflect.ValueOf(was).FieldByName(key))
			if got != was {
				t.Errorf("%s = %v changed another field: %+v", key, now, got)
			}
		}
	}
	if arrived != 75 || refused != 149 {
		t.Errorf("%d arrived, %d refused", arrived, refused)
	}
	same := was
	if err := same.fields().Take("u3d", "", &asset.Native{Format: "u3d", Values: was.fields().Values()}); err != nil || same != was {
		t.Errorf("values that nobody edited: %v, %+v", err, same)
	}
}

func TestShown(t *testing.T) {
	for _, c := range []struct {
		values map[string]any
		want   int
	}{
		{map[string]any{ReadOnly: map[string]any{"limb": 3.0}, "limb": 5.0}, 3},
		{map[string]any{"limb": 5.0}, 5}, // of an earlier version
		{map[string]any{ReadOnly: map[string]any{"other": 3.0}}, -1},
		{map[string]any{ReadOnly: map[string]any{"limb": "x"}}, -1},
		{nil, -1},
	} {
		if got := ShownWhole(&asset.Native{Values: c.values}, "limb", -1); got != c.want {
			t.Errorf("%v: %d, want %d", c.values, got, c.want)
		}
	}
	if ShownWhole(nil, "limb", -1) != -1 {
		t.Error("no Native shows a value")
	}
}

func TestTakeObject(t *testing.T) {
	time := int32(7)
	f := Fields{"time": &time}
	if err := f.TakeObject("u9-anim", "event 2", map[string]any{"time": 1.5}); err == nil || err.Error() != "event 2: time: 1.5 is no whole number from -2147483648 to 2147483647" {
		t.Error(err)
	}
	if err := f.TakeObject("u9-anim", "event 2", "x"); err == nil || !strings.Contains(err.Error(), `"x" is no object`) {
		t.Error(err)
	}
	if err := f.TakeObject("u9-anim", "event 2", map[string]any{"time": 9.0}); err != nil || time != 9 {
		t.Error(err, time)
	}
}
