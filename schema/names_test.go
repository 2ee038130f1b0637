package schema

import (
	"errors"
	"testing"

	"pgregory.net/rapid"
)

type fruit int8

var fruits = EnumNames[fruit]{0: "apple", 3: "pear", -1: "none"}

func (f fruit) String() string { return fruits.Text(f) }

type bits uint16

var bitNames = FlagNames[bits]{{0x30, "both"}, {1, "one"}, {0x10, "low"}, {0x20, "high"}, {0x8000, "top"}}

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

func TestFlagNames(t *testing.T) {
	for v, want := range map[bits]string{0: "0", 1: "one", 0x11: "one|low", 0x30: "both", 0x8042: "top|0x42", 0x31: "both|one"} {
		if got := bitNames.Text(v); got != want {
			t.Errorf("%#x: %q, want %q", uint16(v), got, want)
		}
	}
	var v bits
	if err := bitNames.Parse([]byte("one | 0x2|8"), &v); err != nil || v != 11 {
		t.Errorf("%#x, %v", uint16(v), err)
	}
	for _, bad := range []string{"", "one|", "two", "0x10000", "-1"} {
		if err := bitNames.Parse([]byte(bad), &v); !errors.Is(err, ErrValue) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestNamesThereAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := bits(rapid.Uint16().Draw(t, "bits"))
		var back bits
		if err := bitNames.Parse([]byte(bitNames.Text(v)), &back); err != nil || back != v {
			t.Fatalf("%#x became %#x, %v", uint16(v), uint16(back), err)
		}
	})
}
