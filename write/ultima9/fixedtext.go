package ultima9

import (
	"errors"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/write"
)

// fixedText appends a text field of n bytes.
func fixedText(w *write.Buffer, t ultima9.FixedText, n int, field string) {
	b, err := t.Bytes(n, field)
	if err != nil {
		var fe *schema.FormatError
		errors.As(err, &fe)
		w.Failf(fe.Class, fe.Field, "%s", fe.Msg)
	}
	w.Bytes(b)
}
