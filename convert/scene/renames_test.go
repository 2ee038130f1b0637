package scene

import (
	"testing"

	"github.com/usher-assets/usher/schema"
)

// said returns what was reported, a line each.
func said(d *schema.Diagnostics) (lines []string) {
	for _, x := range d.All() {
		lines = append(lines, x.Code+": "+x.Msg)
	}
	return lines
}

// TestRenames counts new names, and tells the first.
func TestRenames(t *testing.T) {
	for _, c := range []struct {
		names [][2]string // as they were, and are
		want  []string
	}{
		{nil, nil},
		{[][2]string{{"wing", "wing"}, {"fin", "fin.001"}, {"tail", ""}}, nil},
		{[][2]string{{"wing", "wing"}, {"fin", "flap"}}, []string{"name: the new name of fin is left out: why"}},
		{[][2]string{{"fin", "flap"}, {"wing", "wing"}, {"tail", "end"}, {"nose", "front"}}, []string{"name: 3 new names are left out, the first is that of fin: why"}},
	} {
		var r Renames
		d := new(schema.Diagnostics)
		for _, n := range c.names {
			r.Check(n[0], n[1])
		}
		r.Tell(d, "why")
		equal(t, "said", said(d), c.want)
		for _, x := range d.All() {
			if x.Severity != schema.Loss || x.Path != "flap" {
				t.Errorf("%v of %q", x.Severity, x.Path)
			}
		}
	}
}
