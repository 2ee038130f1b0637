package ultima9

import (
	"slices"
	"unicode/utf16"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/write"
)

// Text writes a record of text.flx, misctext.flx or a dialect archive (reference section 10.4).
func Text(t *ultima9.Text) ([]byte, error) {
	units := utf16.Encode([]rune(t.Text))
	if t.Units != nil && string(utf16.Decode(t.Units)) == t.Text {
		units = t.Units
	}
	w := write.NewBuffer("u9-text", 2*(len(units)+1+len(t.Rest)))
	if slices.Contains(units, 0) {
		w.Failf(schema.ErrValue, "text", "%q holds a zero character", t.Text)
	}
	w.U16s(units)
	if !t.Unterminated {
		w.U16(0)
		w.U16s(t.Rest)
	} else if len(t.Rest) > 0 {
		w.Failf(schema.ErrMismatch, "Rest", "%d characters behind the zero of a text that has none (Unterminated)", len(t.Rest))
	}
	return w.Finish()
}
