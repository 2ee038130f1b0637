package browser

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// TestCard: the page of a comparison, opened from the disk. Sliders and dragging move what they say, sounds can be played,
// nothing is asked of anybody, and a phone is wide enough; without scripts all pictures are there.
func TestCard(t *testing.T) {
	dir := t.TempDir()
	usher := filepath.Join(dir, "usher")
	sh := exec.Command("sh", "-euc", `(cd ../.. && go build -o "$U" ./cmd/usher)
		cd "$DIR" && cp -R "$SHOW" old && cp -R "$SHOW" new && cp "$SOUNDS" new/ && rm new/grazer.*
		"$U" unpack new/lanterns.unr -o hall -q && cp hall/Planks.png hall/Rose.png && "$U" pack hall -o new/lanterns.unr --force -q
		"$U" convert new/heron.cmp -o h.json && sed -i 's/2.05, 0.2, 7.5/2.05, 3.2, 7.5/' h.json && "$U" convert h.json -o new/heron.cmp --force
		"$U" diff old new --html card.html || [ $? = 1 ]`)
	show, _ := filepath.Abs("../show")
	sounds, _ := filepath.Abs("../ultima9/bell.snd")
	sh.Env = append(os.Environ(), "U="+usher, "DIR="+dir, "SHOW="+show, "SOUNDS="+sounds)
	if out, err := sh.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	p := visit(t, "file://"+filepath.Join(dir, "card.html"), "")
	p.wait(`document.readyState === "complete"`)
	p.picture("card.png")
	const ship = `const pair = [...document.querySelectorAll("section")].find((s) => s.textContent.includes("heron.cmp ")).querySelector(".pair"), image = pair.querySelector(".after img");
		const drag = (from, to) => { const stage = pair.querySelector(".stage"), b = stage.querySelector(".window").getBoundingClientRect();
			stage.setPointerCapture = () => {}; stage.hasPointerCapture = () => true;
			for (const [type, x] of [["pointerdown", from], ["pointermove", to]]) stage.dispatchEvent(new PointerEvent(type, { clientX: b.left + x * b.width, button: 0, pointerId: 1 })); };`
	for _, c := range []struct{ what, expression string }{
		{"pictures are laid onto each other", `pair.querySelector(".before").getBoundingClientRect().left === pair.querySelector(".after").getBoundingClientRect().left`},
		{"half of each is seen", `getComputedStyle(pair.querySelector(".after .window")).clipPath.includes("50%")`},
		{"the slider moves the border", `(() => { const cut = pair.querySelector(".cut"); cut.value = 20; cut.dispatchEvent(new Event("input")); return getComputedStyle(pair.querySelector(".after .window")).clipPath.includes("20%") })()`},
		{"dragging turns the model", `(() => { const was = image.getBoundingClientRect().left; drag(0.9, 0.6); return pair.querySelector(".turn").value === "4" && image.getBoundingClientRect().left < was })()`},
		{"it turns on from the last side to the first", `(() => { drag(0.2, 0.9); return pair.querySelector(".turn").value === "8" })()`},
		{"every picture is there", `[...document.images].every((i) => i.complete && i.naturalWidth > 0)`},
	} {
		if !eval[bool](p, "(() => { "+ship+" return "+c.expression+" })()") {
			t.Error(c.what, "does not hold")
		}
	}
	p.wait(`[...document.querySelectorAll("audio")].some((a) => a.readyState > 0 && a.duration > 0)`)
	for _, width := range []int64{360, 1000} {
		if err := chromedp.Run(p.ctx, emulation.SetDeviceMetricsOverride(width, 800, 1, false)); err != nil {
			t.Fatal(err)
		}
		if w := eval[int64](p, "document.documentElement.scrollWidth"); w > width {
			t.Errorf("on a screen of %d the page is %d wide", width, w)
		}
	}
	p.calm()
	if err := chromedp.Run(p.ctx, emulation.SetScriptExecutionDisabled(true), chromedp.Reload()); err != nil {
		t.Fatal(err)
	}
	var seen bool
	if err := chromedp.Run(p.ctx, emulation.SetScriptExecutionDisabled(false), chromedp.Evaluate(`[...document.images].every((i) => i.getBoundingClientRect().width > 0) && document.querySelector(".laid") === null && [...document.querySelectorAll("label")].every((l) => l.hidden)`, &seen)); err != nil || !seen {
		t.Errorf("without scripts: %t, %v", seen, err)
	}
}
