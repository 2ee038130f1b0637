package ultima9

import (
	"strings"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/write"
)

// TypeName writes a record of typename.flx (reference section 10.2). It fails with ErrValue for a name with a zero or a
// character outside Windows-1252.
func TypeName(t *ultima9.TypeName) ([]byte, error) {
	w := write.NewBuffer("u9-typename", 32)
	w.I32(t.Text)
	w.U16(t.Icon)
	if t.Name != nil {
		if strings.ContainsRune(*t.Name, 0) {
			w.Failf(schema.ErrValue, "name", "%q holds a zero character", *t.Name)
		}
		if *t.Name == "" && len(t.After) == 0 {
			w.Failf(schema.ErrValue, "name", "an empty name without a zero behind it is none")
		}
		w.Text(*t.Name, "name")
		w.Bytes(t.After)
	} else if len(t.After) > 0 {
		w.Failf(schema.ErrMismatch, "After", "%d bytes behind a name that is not there", len(t.After))
	}
	return w.Finish()
}
