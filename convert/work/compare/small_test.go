package compare

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

// TestTake: what differs in its own terms is told in these, all else by its bytes, with the field that they are in.
func TestTake(t *testing.T) {
	for _, c := range []struct {
		d    DifferenceError
		want []string
	}{
		{DifferenceError{Offset: 0x1c, Want: []byte{1, 2}, Got: []byte{3}}, []string{"at 0x1c: 0102 -> 03"}},
		{DifferenceError{Offset: 0x1c, Path: "tree/size", Want: []byte{1}, Got: []byte{3}}, []string{"tree/size at 0x1c: 01 -> 03"}},
		{DifferenceError{Offset: 4, Details: []Detail{{What: "length", Old: "1", New: "2"}}, Total: 1}, []string{"length: 1 -> 2"}},
	} {
		var e Entry
		e.take(&c.d)
		wantDetails(t, "details", e.Details, c.want...)
		if e.Total != 1 {
			t.Errorf("%d in all", e.Total)
		}
	}
}

// TestDifferenceError: the first detail is told, and how many more there are.
func TestDifferenceError(t *testing.T) {
	for total, more := range map[int]string{0: "", 1: "; length: 1 -> 2", 3: "; length: 1 -> 2, and 2 more"} {
		e := &DifferenceError{Offset: 16, Path: "size", Got: []byte{1}, Want: []byte{2}, Total: total}
		if total > 0 {
			e.Details = []Detail{{What: "length", Old: "1", New: "2"}}
		}
		if want := "size at 0x10: wrote 01, the file has 02" + more; e.Error() != want {
			t.Errorf("%s, want %s", e.Error(), want)
		}
	}
}

// TestAlike: what cannot be read apart from its place is like nothing.
func TestAlike(t *testing.T) {
	of := func(b string, err error) leaf { return leaf{still: func() ([]byte, error) { return []byte(b), err }} }
	broken := errors.New("broken")
	for _, c := range []struct {
		name string
		a, b leaf
		want bool
	}{
		{"equal", of("a", nil), of("a", nil), true},
		{"other", of("a", nil), of("b", nil), false},
		{"the old one is broken", of("a", broken), of("a", nil), false},
		{"the new one is broken", of("a", nil), of("a", broken), false},
		{"the old one depends on its place", leaf{}, of("a", nil), false},
		{"the new one depends on its place", of("a", nil), leaf{}, false},
	} {
		if alike(c.a, c.b) != c.want {
			t.Errorf("%s: want %v", c.name, c.want)
		}
	}
}

// TestTextOf: values as they are told.
func TestTextOf(t *testing.T) {
	var none *int
	for _, c := range []struct {
		v    any
		want string
	}{
		{"a", `"a"`}, {[]byte{1, 0xAB}, "01ab"}, {[2]uint8{1, 0xAB}, "01ab"}, {[]byte{}, ""}, {none, "none"}, {7, "7"}, {[]int{1, 2}, "[1 2]"},
		{make([]byte, 16), strings.Repeat("00", 16)}, {make([]byte, 17), "17 bytes"}, {make([]int, 17), "17 elements"}, {map[string]int{"a": 1}, "1 elements"},
	} {
		v := reflect.New(reflect.TypeOf(c.v)).Elem()
		v.Set(reflect.ValueOf(c.v))
		if got := text(v); got != c.want {
			t.Errorf("%v: %s, want %s", c.v, got, c.want)
		}
	}
}
