package schema

import "testing"

// TestCount: messages are counted by their code, also those that the list has no room for, and those of parts.
func TestCount(t *testing.T) {
	d := new(Diagnostics)
	for range maxDiagnostics + 5 {
		d.Notef(KeptAsStored, "a", "kept")
	}
	d.In("part").Warnf("other", "b", "warned")
	for _, c := range []struct {
		d    *Diagnostics
		code string
		want int
	}{{d, KeptAsStored, maxDiagnostics + 5}, {d, "other", 1}, {d.In("part"), "other", 1}, {d, "none", 0}, {nil, "other", 0}} {
		if got := c.d.Count(c.code); got != c.want {
			t.Errorf("%s: %d, want %d", c.code, got, c.want)
		}
	}
}
