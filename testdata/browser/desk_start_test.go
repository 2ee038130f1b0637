package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/usher-assets/usher/cmd/usher/places"
	"github.com/usher-assets/usher/cmd/usher/view"
)

// TestDeskStart: who has named nothing sees the games of the machine; one click opens one, and work goes on in it.
func TestDeskStart(t *testing.T) {
	start, game := t.TempDir(), filepath.Join(t.TempDir(), "Unreal Gold")
	path := filepath.Join(game, "Textures", "pictures.utx")
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	copyFile(t, filepath.Join(testdata, "unreal", "pictures.utx"), path)
	offer := []places.Place{{Name: "Unreal", Path: game, Game: true}, {Name: "ball.u3d", Path: filepath.Join(start, "gone.u3d")}}
	p := open(t, view.Config{Operands: []string{start}, Start: true, Places: func() []places.Place { return offer }, Desk: &view.Desk{}})
	p.wait(`document.querySelectorAll("[data-action=place]").length === 2`)
	p.picture("start with places.png")
	p.press("Unreal")
	p.wait(`usher.state === "ready" && document.getElementById("trail").textContent === "Unreal Gold"`)
	p.work("replace", path, "Walls.Board")
	if got := differing(t, path, p.saved(path)); got != "changed Walls.Board" {
		t.Errorf("%q differs", got)
	}
}

// control presses a key with Ctrl.
func (p *page) control(key string) {
	p.Helper()
	if err := chromedp.Run(p.ctx, chromedp.KeyEvent(key, chromedp.KeyModifiers(input.ModifierCtrl))); err != nil {
		p.Fatal(err)
	}
}

// tabTo presses Tab until what a selector names has the focus.
func (p *page) tabTo(selector string) {
	p.Helper()
	for range 80 {
		if eval[bool](p, fmt.Sprintf(`Boolean(document.activeElement?.matches(%q))`, selector)) {
			return
		}
		p.keys(kb.Tab)
	}
	p.Fatalf("no number of tabs leads to %s; the focus is on %q", selector, eval[string](p, `document.activeElement?.outerHTML.slice(0, 200)`))
}

// TestDeskKeyboard: an entry is found, renamed, put back, renamed again, another one removed, and all saved by the keyboard alone.
func TestDeskKeyboard(t *testing.T) {
	dir := t.TempDir()
	p := desk(t, dir, "unreal/pictures.utx")
	path := filepath.Join(dir, "pictures.utx")
	steps := func(n int) { p.wait(fmt.Sprintf(`document.querySelectorAll("[data-change]").length === %d`, n)) }
	p.keys("/")
	p.control("a")
	p.keys("Holes")
	p.wait(`document.querySelector('#tree [data-entry$="Holes"]')`)
	p.keys(kb.Enter)
	p.wait(`usher.state === "ready" && document.getElementById("trail").textContent.endsWith("Walls.Holes")`)
	p.tabTo(`[data-action="rename"]:not(:disabled)`)
	p.keys(kb.Enter)
	p.wait(`document.querySelector("dialog[open] [name=to]") === document.activeElement`)
	p.control("a")
	p.keys("Walls.Gaps" + kb.Enter)
	p.changed()
	steps(1)
	p.tabTo(`.change [data-action="undo"]`)
	p.keys(kb.Enter)
	steps(0)
	p.control("z") // put back itself is undone
	steps(1)
	p.keys("/")
	p.control("a")
	p.keys("Board")
	p.wait(`document.querySelector('#tree [data-entry$="Board"]')`)
	p.keys(kb.Enter)
	p.wait(`usher.state === "ready" && document.getElementById("trail").textContent.endsWith("Walls.Board")`)
	p.tabTo(`[data-action="remove"]:not(:disabled)`)
	p.keys(kb.Enter)
	p.changed()
	p.control("s")
	p.wait(`document.querySelector("#say.good")`)
	if got := differing(t, path, filepath.Join(dir, "pictures.new.utx")); got != "removed Walls.Board; renamed Walls.Gaps" {
		t.Errorf("%q differs", got)
	}
	p.forgive("404") // pictures of entries that are gone
}
