package scene

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

type op uint32

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
		"byte":  func(k *Kept, f *fields) { Take(k, "x", &f.byte) },
		"short": func(k *Kept, f *fields) { Take(k, "x", &f.short) },
		"word":  func(k *Kept, f *fields) { Take(k, "x", &f.word) },
		"op":    func(k *Kept, f *fields) { Take(k, "x", &f.op) },
		"float": func(k *Kept, f *fields) { Take(k, "x", &f.float) },
		"wide":  func(k *Kept, f *fields) { Take(k, "x", &f.wide) },
		"big":   func(k *Kept, f *fields) { Take(k, "x", &f.big) },
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
		{"byte", nil, fields{}, ""},
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
		Take(k, "speed", &speed)
		TakeList(k, "list", list[:])
		TakeBool(k, "on", &on)
		Take(k, "root", &root)
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
	TakeList(k, "colorOp", ops[:])
	if err := k.Err(); err == nil || err.Error() != "material 3: colorOp[1]: -5 is no whole number from 0 to 4294967295" {
		t.Error(err)
	}
	k.err = nil
	if TakeList(k, "one", ops[:1]); k.Err() != nil || ops[0] != 4 {
		t.Error(k.Err(), ops)
	}
	if TakeList(k, "three", ops[:]); k.Err() == nil || !strings.Contains(k.Err().Error(), "no list of 2 numbers") {
		t.Error(k.Err())
	}
	inner := KeptOf("u3d", "event 2", &asset.Native{Format: "u3d", Values: map[string]any{"time": 70000.0}}, nil)
	var time int16
	if Take(inner, "time", &time); inner.Err() == nil || !strings.HasPrefix(inner.Err().Error(), "event 2: time: 70000") {
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
	if !isSpoiled(map[string]any{"usher": "{'format': 'u3d'}"}) || isSpoiled(map[string]any{"usher": "x"}) || isSpoiled(nil) {
		t.Error("wrong")
	}
}
