package browser

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/usher-assets/usher/cmd/usher/view"
)

// TestFlip: a texture of several pictures moves on the model that wears it, when it is told to, and rests again.
func TestFlip(t *testing.T) {
	dir := t.TempDir()
	models, pictures := filepath.Join(testdata, "ultima9", "sappear.flx"), filepath.Join(testdata, "ultima9", "bitmap16.flx")
	copyFile(t, models, filepath.Join(dir, "sappear.flx"))
	replace(t, pictures, filepath.Join(dir, "bitmap16.flx"), "7", payload(t, pictures, "10")) // a moving one for that which the model wears
	p := open(t, view.Config{Operands: []string{dir}})
	p.goTo(fmt.Sprintf("#n=%d", p.find("sappear.flx:5")))
	p.ready("the model")
	p.wait(`usher.shown.stage.flips.length === 1 && usher.shown.stage.flips[0].frames.length === 3`)
	still := p.drawn()
	button := `[...document.querySelectorAll("#view .bar button")].find((b) => b.textContent === "moving textures")`
	eval[any](p, button+`.click(), null`)
	seen := `usher.shown.stage.flips[0].shown`
	for i := range 3 {
		p.wait(fmt.Sprintf("%s === %d", seen, i))
	}
	eval[any](p, `(() => { const { stage } = usher.shown; stage.flipping = false; stage.turn(1 / stage.flips[0].fps); stage.draw(); return null; })()`)
	if x := agree(still, p.drawn()); x.both < 1 || x.colour < 1 {
		t.Errorf("the second picture looks like the first: %+v", x)
	}
	eval[any](p, `usher.shown.stage.flip(false), null`)
	if x := agree(still, p.drawn()); x.both < 1 || x.colour > 0 {
		t.Errorf("at rest it is not what it was: %+v", x)
	}
	frames := eval[int](p, `usher.shown.stage.frames`)
	time.Sleep(300 * time.Millisecond)
	if now := eval[int](p, `usher.shown.stage.frames`); now > frames+1 {
		t.Errorf("%d pictures were drawn at rest", now-frames)
	}
}
