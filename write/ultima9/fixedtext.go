package ultima9

import (
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/write"
)

// fixedText appends a text field of n bytes.
func fixedText(w *write.Buffer, t ultima9.FixedText, n int, field string) {
	b, err := t.Bytes(n, field)
	takeError(w, err)
	w.Bytes(b)
}
