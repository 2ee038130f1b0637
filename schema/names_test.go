package schema

import (
	"errors"
	"testing"

	"pgregory.net/rapid"
)

type fruit int8

var fruits = EnumNames[fruit]{0: "apple", 3: "pear", -1: "none"}

func (f fruit) String() string { return fruits.Text(f) }

func TestEnumNames(t *testing.T) {
	for v, want := range map[fruit]string{0: "apple", 3: "pear", -1: "none", 4: "4", -128: "-128", 127: "127"} {
		if got := v.String(); got != want {
			t.Errorf("%d: %q, want %q", int8(v), got, want)
		}
		var back fruit
		if err := fruits.Parse([]byte(want), &back); err != nil || back != v {
			t.Errorf("%q: %d, %v", want, int8(back), err)
		}
	}
	var v fruit
	if err := fruits.Parse([]byte("0x7f"), &v); err != nil || v != 127 {
		t.Errorf("0x7f: %d, %v", int8(v), err)
	}
	for _, bad := range []string{"", "plum", "128", "-129", "256", "18446744073709551615", "Apple"} {
		if err := fruits.Parse([]byte(bad), &v); !errors.Is(err, ErrValue) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	var u uint64
	if err := (EnumNames[uint64]{}).Parse([]byte("18446744073709551615"), &u); err != nil || u != 1<<64-1 {
		t.Errorf("%d, %v", u, err)
	}
	if got := (EnumNames[uint64]{}).Text(u); got != "18446744073709551615" {
		t.Error(got)
	}
}

func TestNamesThereAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := fruit(rapid.Int8().Draw(t, "value"))
		var back fruit
		if err := fruits.Parse([]byte(v.String()), &back); err != nil || back != v {
			t.Fatalf("%d became %d, %v", int8(v), int8(back), err)
		}
	})
}
