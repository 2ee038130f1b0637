package browser

import (
	"image/color"
	"path/filepath"
	"testing"

	"github.com/usher-assets/usher/cmd/usher/view"
)

// TestTidy: what is wrong with a page at the first look.
func TestTidy(t *testing.T) {
	dir := t.TempDir()
	paint(t, filepath.Join(dir, "old.png"), color.NRGBA{255, 0, 0, 255})
	paint(t, filepath.Join(dir, "new.png"), color.NRGBA{0, 0, 255, 255})
	for _, tt := range []struct {
		what   string
		open   []string
		chosen string
		holds  string
	}{
		{"before, after and the difference are of one size", []string{filepath.Join(dir, "old.png"), filepath.Join(dir, "new.png")}, "png",
			`[...document.querySelectorAll(".pair .picture img")].length === 3 && new Set([...document.querySelectorAll(".pair .picture")].map((e) => e.clientHeight)).size === 1`},
		{"a heading over no materials", []string{filepath.Join(testdata, "show", "village")}, "anim.flx:1",
			`![...document.querySelectorAll("h3")].some((h) => h.textContent === "materials: 0")`},
		{"the class of an object is told once", []string{filepath.Join(testdata, "show", "lanterns.unr")}, "lanterns.unr:MyLevel",
			`[...document.querySelectorAll(".facts td:first-child")].filter((d) => d.textContent === "class").length === 1`},
	} {
		p := open(t, view.Config{Operands: tt.open, Compare: len(tt.open) > 1})
		p.choice(tt.chosen, len(tt.open) > 1)
		p.wait(`usher.state === "ready" && usher.shown !== undefined || document.querySelector(".legend")`)
		if !eval[bool](p, tt.holds) {
			t.Error(tt.what)
		}
	}
}
