package format_test

import (
	"testing"

	"github.com/usher-assets/usher/convert/format"
)

// TestOf: a format is bound to its entry first, then the payload chooses the variant.
func TestOf(t *testing.T) {
	variant := &format.Format{Name: "variant"}
	bound := &format.Format{Name: "bound", Variant: func(b []byte) *format.Format {
		if string(b) == "other" {
			return variant
		}
		return nil
	}}
	shared := &format.Format{Name: "shared", Bind: func(i int) *format.Format {
		if i == 7 {
			return bound
		}
		return &format.Format{Name: "elsewhere"}
	}}
	for _, c := range []struct {
		f       *format.Format
		i       int
		payload string
		want    string
	}{
		{shared, 7, "", "bound"},
		{shared, 8, "", "elsewhere"},
		{shared, 7, "other", "variant"},
		{bound, 3, "other", "variant"},
		{variant, 3, "other", "variant"},
	} {
		if got := c.f.Of(c.i, []byte(c.payload)); got.Name != c.want {
			t.Errorf("%s.Of(%d, %q) is %s, want %s", c.f.Name, c.i, c.payload, got.Name, c.want)
		}
	}
	if got := (*format.Format)(nil).Of(0, nil); got != nil {
		t.Errorf("no format of an entry is %v", got)
	}
}
