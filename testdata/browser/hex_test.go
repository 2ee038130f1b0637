package browser

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/usher-assets/usher/cmd/usher/docs"
	"github.com/usher-assets/usher/cmd/usher/view"
)

// TestHex: a byte leads to its field, a field to its bytes, an offset to its line.
func TestHex(t *testing.T) {
	p := open(t, view.Config{Operands: []string{filepath.Join(testdata, "ultimate3d", "windmill.u3d")}})
	p.goTo("#n=0&v=hex")
	p.ready("the bytes")
	p.wait(`document.querySelectorAll(".span").length > 3`)
	say := `document.querySelector("#view .bar .note").textContent`
	eval[any](p, `document.querySelector('[data-at="17"]').click(), null`)
	p.wait(`document.querySelectorAll(".hex .lit").length > 0`)
	if s := eval[string](p, say); !strings.Contains(s, "at 0x") || !strings.Contains(s, "bytes") {
		t.Errorf("a byte says %q", s)
	}
	field := eval[string](p, `(() => { const s = document.querySelectorAll(".span")[2]; s.dispatchEvent(new Event("mouseenter")); return s.children[1].textContent; })()`)
	p.wait(fmt.Sprintf(`%s.startsWith(%q)`, say, field))
	p.picture("hex.png")
	eval[any](p, `(() => { const j = document.querySelector('[aria-label="go to an offset"]'); j.value = "0x8000"; j.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter"})); return null; })()`)
	p.wait(`[...document.querySelectorAll(".hex .line b")].some((b) => b.textContent === "00008000")`)
	p.wait(`document.querySelector('[data-at="32768"]')`)
}

// TestFieldsLead: a field leads to where the formats' pages have it, and there is such a place.
func TestFieldsLead(t *testing.T) {
	file := filepath.Join(testdata, "ultima9", "people.npc")
	links := `[...document.querySelectorAll(".span a.known")].map((a) => a.getAttribute("href"))`
	p := open(t, view.Config{Operands: []string{file}})
	p.goTo("#n=0&v=hex")
	p.ready("the bytes")
	p.wait(`document.querySelectorAll(".span").length > 3`)
	if n := len(eval[[]string](p, links)); n != 0 {
		t.Errorf("%d links without pages of the formats", n)
	}
	p = open(t, view.Config{Operands: []string{file}, Formats: docs.Handler()})
	p.goTo("#n=0&v=hex")
	p.wait(`document.querySelectorAll(".span a.known").length > 3`)
	for _, to := range eval[[]string](p, links) {
		page, id, _ := strings.Cut(to, "#")
		found := eval[string](p, fmt.Sprintf(`(async () => { const a = await fetch(%q); return a.status + " " + (await a.text()).includes('id="' + %q + '"'); })()`, page, id))
		if found != "200 true" || !strings.HasPrefix(to, "formats/ultima9.html#11.1.") {
			t.Errorf("%s: %s", to, found)
		}
	}
	p.picture("fields.png")
}
