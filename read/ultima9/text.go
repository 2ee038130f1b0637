package ultima9

import (
	"slices"
	"unicode/utf16"

	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
)

// Text reads a record of text.flx, misctext.flx or a dialect archive (reference section 10.4). It fails with ErrTruncated
// for an odd length.
func Text(b []byte, d *schema.Diagnostics) (*ultima9.Text, error) {
	c := read.NewCursor("u9-text", b, d)
	if len(b)%2 != 0 {
		c.FailAtf(int64(len(b)-1), schema.ErrTruncated, "text", "half a UTF-16 unit at the end of %d bytes", len(b))
	}
	units := c.Units(len(b)/2, "text")
	if c.Err() != nil {
		return nil, c.Err()
	}
	t := &ultima9.Text{}
	if n := slices.Index(units, 0); n >= 0 {
		if n+1 < len(units) {
			t.Rest = units[n+1:]
			d.WarnAtf("text-after-zero", "", int64(2*n+2), "%d units behind the terminating zero", len(t.Rest))
		}
		units = units[:n]
	} else {
		t.Unterminated = true
		d.WarnAtf("no-terminator", "", int64(len(b)), "the text has no terminating zero")
	}
	t.Text = string(utf16.Decode(units))
	if !slices.Equal(utf16.Encode([]rune(t.Text)), units) {
		t.Units = units
		d.WarnAtf("lone-surrogate", "", 0, "the text is no valid UTF-16")
	}
	return t, nil
}
