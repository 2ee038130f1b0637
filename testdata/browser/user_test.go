package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/usher-assets/usher/cmd/usher/view"
)

// TestNarrow: on a telephone, and where the page is twice as large as usual, a model still has room, and nothing lies
// beside the window.
func TestNarrow(t *testing.T) {
	p := open(t, view.Config{Operands: []string{filepath.Join(testdata, "freelancer", "ship.cmp")}})
	for _, size := range [][2]int64{{390, 844}, {640, 400}} {
		if err := chromedp.Run(p.ctx, chromedp.EmulateViewport(size[0], size[1])); err != nil {
			t.Fatal(err)
		}
		p.goTo("#n=0&v=model")
		p.ready("the ship")
		p.wait(`document.querySelector(".stage").clientHeight >= 150`)
		if wide := eval[int64](p, `document.documentElement.scrollWidth`); wide > size[0] {
			t.Errorf("the page is %d wide in a window of %d", wide, size[0])
		}
		p.goTo("#n=0&v=hex")
		p.wait(`document.querySelector(".hex").clientHeight >= 100 && document.querySelector(".span")`)
		p.picture(fmt.Sprintf("narrow %d.png", size[0]))
	}
}

// TestNames: a name that would turn the order of letters is spelled out wherever it stands, and markup is text.
func TestNames(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a\u202ed3u.u3d", "<img src=x onerror=usher.broken=1>.u3d"} {
		copyFile(t, filepath.Join(testdata, "ultimate3d", "ball.u3d"), filepath.Join(dir, name))
	}
	p := open(t, view.Config{Operands: []string{dir}})
	for _, l := range p.leaves() {
		p.goTo(fmt.Sprintf("#n=%d", l.ID))
		p.ready(l.Name)
		shown := eval[string](p, `[document.title, ...["tree", "trail", "foot", "right"].map((id) => document.getElementById(id).textContent)].join("\n")`)
		if strings.ContainsRune(shown, '\u202e') || eval[bool](p, `Boolean(document.querySelector("#tree img, #trail img, #foot img, #right img"))`) {
			t.Errorf("%q is shown as it is: %q", l.Name, shown)
		}
		if want := strings.ReplaceAll(l.Name, "\u202e", `\u202e`); strings.Count(shown, want) < 4 {
			t.Errorf("%q is not shown as %q: %q", l.Name, want, shown)
		}
	}
	if eval[bool](p, `Boolean(usher.broken)`) {
		t.Error("a name was run")
	}
}

// TestGoneFile: a file that goes while it is shown is said to be gone, and is shown again when it comes back.
func TestGoneFile(t *testing.T) {
	dir := t.TempDir()
	path, away := filepath.Join(dir, "ball.u3d"), filepath.Join(t.TempDir(), "ball.u3d")
	copyFile(t, filepath.Join(testdata, "ultimate3d", "ball.u3d"), path)
	p := open(t, view.Config{Operands: []string{dir}})
	p.goTo(fmt.Sprintf("#n=%d", p.find("ball.u3d")))
	p.ready("the ball")
	if err := os.Rename(path, away); err != nil {
		t.Fatal(err)
	}
	p.wait(`document.querySelector(".failure")?.textContent === "ball.u3d is no longer there"`)
	if err := os.Rename(away, path); err != nil {
		t.Fatal(err)
	}
	p.wait(`usher.state === "ready" && usher.shown?.stage`)
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.trouble {
		if !strings.Contains(s, "404") {
			t.Error(s)
		}
	}
	p.trouble = nil // the browser notes that the file was not there
}

// TestLargeHex: an archive of many megabytes shows the fields of any place in it at once.
func TestLargeHex(t *testing.T) {
	path := manyEntries(t, 50_000)
	info, err := os.Stat(path)
	if err != nil || info.Size() < 8<<20 {
		t.Fatal(info.Size(), err)
	}
	p := open(t, view.Config{Operands: []string{path}})
	p.goTo("#n=0&v=hex")
	p.ready("the bytes")
	at := info.Size() - 100
	eval[any](p, fmt.Sprintf(`(() => { const j = document.querySelector('[aria-label="go to an offset"]'); j.value = "%d"; j.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter"})); return null; })()`, at))
	p.wait(fmt.Sprintf(`document.querySelector('[data-at="%d"]') && [...document.querySelectorAll(".span")].some((s) => s.textContent.includes("49999: "))`, at))
	eval[any](p, fmt.Sprintf(`document.querySelector('[data-at="%d"]').click(), null`, at))
	p.wait(`document.querySelector("#view .bar .note").textContent.startsWith("49999: ")`)
}
