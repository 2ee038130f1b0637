package compare

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
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

// TestAlike: what cannot be read apart from its place is like nothing, nor is what has no content.
func TestAlike(t *testing.T) {
	type content = func() ([]byte, error)
	of := func(b string, err error) content { return func() ([]byte, error) { return []byte(b), err } }
	none := func() ([]byte, error) { return nil, nil }
	broken := errors.New("broken")
	for _, c := range []struct {
		name string
		a, b content
		want bool
	}{
		{"equal", of("a", nil), of("a", nil), true},
		{"other", of("a", nil), of("b", nil), false},
		{"the old one is broken", of("a", broken), of("a", nil), false},
		{"the new one is broken", of("a", nil), of("a", broken), false},
		{"the old one depends on its place", nil, of("a", nil), false},
		{"the new one depends on its place", of("a", nil), nil, false},
		{"neither has any", none, none, false},
	} {
		if alike(c.a, c.b) != c.want {
			t.Errorf("%s: want %v", c.name, c.want)
		}
	}
}

// TestByPath: entries stand in the order of their paths, numbers by their value.
func TestByPath(t *testing.T) {
	var entries []format.Entry
	for _, p := range []string{"10", "b/10/x", "2", "a", "b/9/y", "b/10/a", "B"} {
		entries = append(entries, format.Entry{Path: p})
	}
	var got []string
	for _, i := range byPath(entries) {
		got = append(got, entries[i].Path)
	}
	if want := "2 10 B a b/9/y b/10/a b/10/x"; strings.Join(got, " ") != want {
		t.Errorf("%s, want %s", got, want)
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

// TestLinesOfSharedValues: what two fields refer to has its lines once.
func TestLinesOfSharedValues(t *testing.T) {
	type node struct{ Number, Other int }
	shared := &node{7, 8}
	var out strings.Builder
	newTextLines(&out).value(reflect.ValueOf([]*node{shared, shared, {9, 10}}), 0)
	if got := out.String(); strings.Count(got, "7") != 1 || strings.Count(got, "9") != 1 {
		t.Errorf("lines\n%s", got)
	}
}

// TestIdsOf: things are known by their ids, unless they have none or are very many.
func TestIdsOf(t *testing.T) {
	type thing struct{ ID uint32 }
	for _, c := range []struct {
		list any
		want int
	}{
		{[]thing{}, 0}, {[]thing{{3}, {4}}, 2}, {[]*thing{{3}}, 1}, {[]*thing{nil}, 0}, {[]int{1}, 0},
		{make([]thing, mostIdentified), mostIdentified}, {make([]thing, mostIdentified+1), 0},
	} {
		if got := idsOf(reflect.ValueOf(c.list)); len(got) != c.want {
			t.Errorf("%.40v: %d ids, want %d", c.list, len(got), c.want)
		}
	}
}

// TestAscending: of pairs the longest run is kept whose second numbers ascend.
func TestAscending(t *testing.T) {
	for _, c := range []struct{ second, want []int }{
		{nil, nil}, {[]int{5}, []int{5}}, {[]int{1, 2, 3}, []int{1, 2, 3}}, {[]int{3, 2, 1}, []int{1}},
		{[]int{9, 1, 2, 8, 3, 4}, []int{1, 2, 3, 4}}, {[]int{1, 7, 8, 2, 9, 3}, []int{1, 7, 8, 9}}, {[]int{4, 5, 1, 2}, []int{1, 2}},
	} {
		var list [][2]int
		for i, k := range c.second {
			list = append(list, [2]int{i, k})
		}
		var got []int
		last := -1
		for _, p := range ascending(list) {
			if p[0] <= last || c.second[p[0]] != p[1] {
				t.Errorf("%v: %v is not one of them, or not behind the last", c.second, p)
			}
			last, got = p[0], append(got, p[1])
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.second, got, c.want)
		}
	}
}

// TestPartedEdits: long texts are compared between the lines that both have once.
func TestPartedEdits(t *testing.T) {
	lines := strings.Fields
	for _, c := range []struct {
		a, b string
		want []edit
	}{
		{"a b c", "a b c", nil},
		{"x x", "y y", []edit{{0, lines("x x"), lines("y y")}}},
		{"a b c", "a c", []edit{{1, lines("b"), []string{}}}},
		{"a x x b y", "a x b y z", []edit{{2, lines("x"), []string{}}, {4, []string{}, lines("z")}}},
		{"a b c d", "c a b d", []edit{{0, []string{}, lines("c")}, {3, lines("c"), []string{}}}},
	} {
		got := partedEdits(lines(c.a), lines(c.b))
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s, %s: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

// TestRenamedEntries: what is gone is paired with what is new and has the same bytes; what has its pair keeps it.
func TestRenamedEntries(t *testing.T) {
	for _, c := range []struct {
		old, now string // entries and what is in them
		want     string
	}{
		{"x=A y=B", "x=A y=B", "x:x y:y"},
		{"x=A y=A", "x=A", "x:x y:-"},
		{"x=A y=B", "x=A z=B", "x:x y:z*"},
		{"x=A y=B", "z=A y=B", "x:z* y:y"},
		{"x=A y=A", "v=A w=A", "x:v* y:w*"},
		{"x=A y=", "x=A z=", "x:x y:-"},
		{"x=AB", "z=BA", "x:-"},
	} {
		split := func(s string) (names, contents []string) {
			for _, e := range strings.Fields(s) {
				name, content, _ := strings.Cut(e, "=")
				names, contents = append(names, name), append(contents, content)
			}
			return names, contents
		}
		old, was := split(c.old)
		now, is := split(c.now)
		of := func(list []string) (func(int) int64, func(int) ([]byte, error)) {
			return func(i int) int64 { return int64(len(list[i])) }, func(i int) ([]byte, error) { return []byte(list[i]), nil }
		}
		p := pairUp(len(old), len(now), func(i int) string { return old[i] }, func(i int) string { return now[i] })
		oldSize, oldBytes := of(was)
		newSize, newBytes := of(is)
		p.rename(oldSize, newSize, oldBytes, newBytes)
		var got []string
		for i := range old {
			to, star := "-", ""
			k, renamed := p.To(i)
			if renamed {
				star = "*"
			}
			if k >= 0 {
				to = now[k]
			}
			if k >= 0 && p.Added(k) {
				t.Errorf("%s, %s: %s is new and has a counterpart", c.old, c.now, to)
			}
			got = append(got, old[i]+":"+to+star)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s, %s: %s, want %s", c.old, c.now, s, c.want)
		}
	}
}
