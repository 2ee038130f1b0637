package sheet

import (
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
)

// TestWithMissing: a picture's notes tell what its conversion did not find, and do so once.
func TestWithMissing(t *testing.T) {
	for _, c := range []struct {
		codes, notes, want string // notes with commas between them
	}{
		{"", "", ""}, {"", "no texture", "no texture"}, {"odd", "flat,no texture", "flat,no texture"},
		{"texture-missing", "", "1 texture missing"}, {"texture-missing texture-missing", "flat", "2 textures missing,flat"}, {"texture-missing", "no texture,flat", "1 texture missing,flat"},
		{"material-missing material-missing", "", "material missing"}, {"mesh-missing", "", "mesh missing"}, {"palette-missing palette-missing palette-missing", "", "3 palettes missing"}, {"picture-missing", "", "1 picture missing"},
		{"mesh-missing texture-missing", "", "1 texture missing,mesh missing"}, {"texture-missing", "2 pictures missing,flat", "2 pictures missing,flat"}, {"texture-missing", "missing is nothing", "1 texture missing,missing is nothing"},
	} {
		d := new(schema.Diagnostics)
		for _, code := range strings.Fields(c.codes) {
			d.Warnf(code, "", "it is not there")
		}
		var notes []string
		if c.notes != "" {
			notes = strings.Split(c.notes, ",")
		}
		if got := strings.Join(withMissing(slices.Clone(notes), d), ","); got != c.want {
			t.Errorf("%s beside %q: %s, want %s", c.codes, c.notes, got, c.want)
		}
	}
}
