package ultima9

import (
	"errors"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/write"
)

// countedText appends a text with its length before it.
func countedText(w *write.Buffer, t ultima9.CountedText, field string) {
	b, err := t.Bytes(field)
	takeError(w, err)
	w.Count32(len(b), field+" length")
	w.Bytes(b)
}

// takeError latches the error of a schema function.
func takeError(w *write.Buffer, err error) {
	var fe *schema.FormatError
	if errors.As(err, &fe) {
		w.Failf(fe.Class, fe.Field, "%s", fe.Msg)
	}
}
