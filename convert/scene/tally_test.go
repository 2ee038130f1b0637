package scene

import (
	"slices"
	"testing"

	"github.com/usher-assets/usher/schema"
)

// TestTally: nothing is told of nothing, one thing by its name, several by their number and the first.
func TestTally(t *testing.T) {
	d := new(schema.Diagnostics)
	var lost Tally
	for _, name := range []string{"", "a", "b"} {
		if name != "" {
			lost.Add(name)
		}
		lost.Tell(d, "code", "path", "one", "many", "why")
	}
	var said []string
	for _, x := range d.All() {
		said = append(said, x.Code+" "+x.Path+" "+x.Msg)
	}
	if want := []string{`code path one "a" why`, `code path 2 many, the first is "a", why`}; !slices.Equal(said, want) {
		t.Errorf("%q, want %q", said, want)
	}
}
