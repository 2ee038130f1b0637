package scene

import (
	"github.com/usher-assets/usher/schema"
)

// Tally counts losses of one kind, and remembers the name of the first.
type Tally struct {
	Count int
	First string
}

// Add counts one more.
func (t *Tally) Add(name string) {
	if t.Count++; t.Count == 1 {
		t.First = name
	}
}

// Tell reports the loss with the count and the first name. one and many are the words for singular and plural, why is the
// reason.
func (t *Tally) Tell(d *schema.Diagnostics, code, path, one, many, why string) {
	switch t.Count {
	case 0:
	case 1:
		d.Lossf(code, path, "%s %q %s", one, t.First, why)
	default:
		d.Lossf(code, path, "%d %s, the first is %q, %s", t.Count, many, t.First, why)
	}
}
