package compare

import (
	"bufio"
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What is written is held against a file piece by piece, however it is cut.
func TestAgainst(t *testing.T) {
	long := strings.Repeat("0123456789", 100)
	for _, c := range []struct {
		name, wrote, file string
		want              *DifferenceError
	}{
		{"same", long, long, nil},
		{"both empty", "", "", nil},
		{"first", "abc", "xbc", &DifferenceError{Offset: 0, Got: []byte("abc"), Want: []byte("xbc")}},
		{"within", long + "abcdefghijk" + long, long + "abcdXfghijk" + long, &DifferenceError{Offset: 1004, Got: []byte("efghijk0"), Want: []byte("Xfghijk0")}},
		{"longer", long + "abc", long, &DifferenceError{Offset: 1000, Got: []byte("abc"), Want: []byte{}}},
		{"shorter", long[:990], long, &DifferenceError{Offset: 990, Want: []byte("01234567")}},
	} {
		for _, step := range []int{1, 3, 7, 16, 5000} {
			w := &against{want: bufio.NewReaderSize(strings.NewReader(c.file), 16)}
			for rest := []byte(c.wrote); len(rest) > 0; {
				n := min(step, len(rest))
				if wrote, err := w.Write(bytes.Clone(rest[:n])); wrote != n || err != nil {
					t.Fatalf("%s: %d, %v", c.name, wrote, err)
				}
				rest = rest[n:]
			}
			var got *DifferenceError
			if err := w.end(); err != nil {
				got = err.(*DifferenceError)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s, %d bytes at a time: %s", c.name, step, diff)
			}
		}
	}
}
