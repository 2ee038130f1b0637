package compare

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// What is written piece by piece is compared as if it were written at once.
func TestComparer(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{"", ""}, {"same text", "same text"}, {"same tExt and more", "same text and more"}, {"short", "shorter"}, {"longer", "long"},
		{"x", ""}, {"", "x"}, {"0123456789abcdefX", "0123456789abcdefY"},
	} {
		for step := 1; step < 20; step += 6 {
			c := &comparer{want: bytes.NewReader([]byte(tt.want)), size: int64(len(tt.want))}
			for b := []byte(tt.got); len(b) > 0; b = b[min(step, len(b)):] {
				if _, err := c.Write(b[:min(step, len(b))]); err != nil {
					t.Fatal(err)
				}
			}
			var got, want *DifferenceError
			errors.As(c.result(), &got)
			errors.As(compare([]byte(tt.got), []byte(tt.want), nil), &want)
			if want != nil { // a piece ends where it ends
				want.Got = want.Got[:min(len(want.Got), len(got.Got))]
			}
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%q, %q in steps of %d: %s", tt.got, tt.want, step, diff)
			}
		}
	}
}
