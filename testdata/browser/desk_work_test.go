package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestDeskSeveral: of several files with changes each can be saved; what was worked on or looked at last is what the bar is about.
func TestDeskSeveral(t *testing.T) {
	dir := t.TempDir()
	p := desk(t, dir, "unreal/pictures.utx", "ultima9/registry.txt")
	bar := func(want string) {
		t.Helper()
		p.wait(fmt.Sprintf(`document.querySelector("#desk [data-action=save]").textContent === %q`, want))
	}
	p.work("remove", filepath.Join(dir, "pictures.utx"), "Walls.Holes")
	bar("save pictures.new.utx")
	p.work("cell", filepath.Join(dir, "registry.txt"), "")
	bar("save registry.new.txt")
	eval[any](p, `document.querySelector("[data-change]:not(.on) button").click(), null`) // of pictures.utx: it comes first
	bar("save pictures.new.utx")
	for _, name := range []string{"registry.new.txt", "pictures.new.utx"} {
		eval[any](p, fmt.Sprintf(`document.querySelector('#changes [data-action=save][title*=%q]').click(), null`, name))
		p.wait(fmt.Sprintf(`document.querySelector("#say.good")?.textContent.includes(%q)`, name))
		verified(t, filepath.Join(dir, name))
	}
	p.wait(`!document.querySelector("#changes [data-action=save]")`)
}

// TestDeskTyping: what was typed into a text outlives a look at something else and a change of the file by somebody else; it
// goes only when somebody says so.
func TestDeskTyping(t *testing.T) {
	dir := t.TempDir()
	p := desk(t, dir, "ultima9/lanterns.book", "unreal/pictures.utx")
	book := fmt.Sprintf("#n=%d&v=text", p.row("lanterns.book"))
	const typed = "a text of my own"
	begin := func() {
		t.Helper()
		p.goTo(book)
		p.click("edit")
		p.wait(`document.querySelector("textarea")`)
		eval[any](p, fmt.Sprintf(`(() => { const t = document.querySelector("textarea"); t.value = %q; t.dispatchEvent(new Event("input")); return null; })()`, typed))
	}
	there := func(what string) {
		t.Helper()
		p.wait(fmt.Sprintf(`document.querySelector("textarea")?.value === %q`, typed))
		if eval[int](p, `document.querySelectorAll("[data-change]").length`) != 0 {
			t.Errorf("%s: there is a change", what)
		}
	}
	begin()
	p.goTo(fmt.Sprintf("#n=%d", p.find(filepath.Join(dir, "pictures.utx")+":Walls.Board")))
	p.goTo(book)
	there("after a look at something else")
	path := filepath.Join(dir, "lanterns.book")
	if err := os.Chtimes(path, time.Now(), time.Now().Add(time.Minute)); err != nil { // as another program does that saves it
		t.Fatal(err)
	}
	time.Sleep(2 * time.Second) // nothing is to happen
	there("after somebody else has saved")
	p.click("leave")
	p.answer("leave it", nil)
	p.wait(`!document.querySelector("textarea") && document.querySelector("#view .text")`)
	// Somebody begins to type while what was saved is on its way.
	eval[any](p, `(() => { const get = window.fetch; window.late = 0; window.fetch = async (...a) => {
		const r = await get(...a);
		if (String(a[0].url ?? a[0]).includes("api/node/")) { window.late++; await new Promise((go) => setTimeout(go, 1500)); }
		return r;
	}; return null; })()`)
	if err := os.Chtimes(path, time.Now(), time.Now().Add(2*time.Minute)); err != nil {
		t.Fatal(err)
	}
	p.wait(`window.late === 1`)
	p.click("edit")
	p.wait(`document.querySelector("textarea")`)
	time.Sleep(2 * time.Second)
	if !eval[bool](p, `Boolean(document.querySelector("textarea")) && usher.state === "ready"`) {
		t.Error("what was shown anew took the place of what was about to be typed")
	}
	p.click("leave")
	p.wait(`!document.querySelector("textarea")`)
	begin()
	p.click("take")
	p.changed()
	p.goTo(book)
	p.wait(fmt.Sprintf(`!document.querySelector("textarea") && document.querySelector("#view .text").textContent.includes(%q)`, typed))
}
