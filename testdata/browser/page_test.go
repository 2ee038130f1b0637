package browser

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/usher-assets/usher/cmd/usher/view"
	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/schema/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// find returns the number of the leaf with that source.
func (p *page) find(source string) int {
	p.Helper()
	list := p.leavesUntil(source)
	if n := len(list); n > 0 && strings.HasSuffix(list[n-1].Source, source) {
		return list[n-1].ID
	}
	p.Fatalf("there is no %s", source)
	return 0
}

// press clicks the button of that label.
func (p *page) press(label string) {
	p.Helper()
	if !eval[bool](p, fmt.Sprintf(`(() => { const b = [...document.querySelectorAll("button")].find((b) => b.textContent === %q); b?.click(); return Boolean(b); })()`, label)) {
		p.Errorf("there is no button %q", label)
	}
}

// choose takes a value of a choice.
func (p *page) choose(label, value string) {
	p.Helper()
	if !eval[bool](p, fmt.Sprintf(`(() => {
		const s = document.querySelector('select[aria-label=%q]');
		if (!s) return false;
		s.value = %q;
		s.dispatchEvent(new Event("change"));
		return s.value === %[2]q;
	})()`, label, value)) {
		p.Errorf("there is no %q of %q", value, label)
	}
}

// different returns how many of the pixels that either picture covers differ.
func (p *page) different(change func()) float64 {
	p.Helper()
	a := p.drawn()
	change()
	b := p.drawn()
	n, either := 0, 0
	for i := 0; i < len(a.Pix); i += 4 {
		if a.Pix[i+3] == 0 && b.Pix[i+3] == 0 {
			continue
		}
		either++
		for k := range 4 {
			if max(a.Pix[i+k], b.Pix[i+k])-min(a.Pix[i+k], b.Pix[i+k]) > 8 {
				n++
				break
			}
		}
	}
	return float64(n) / float64(max(either, 1))
}

// TestAnimation: every way in which something moves is seen to move, stops, and goes where the slider says.
func TestAnimation(t *testing.T) {
	p := open(t, view.Config{Operands: []string{filepath.Join(testdata, "ultimate3d"), filepath.Join(testdata, "unreal"), filepath.Join(testdata, "freelancer"), filepath.Join(testdata, "ultima9")}})
	for source, least := range map[string]float64{
		"windmill.u3d": 0.1, "flag.u3d": 0.03, "reed.u3d": 0.05, "foreign/skinned.glb": 0.02, "foreign/morph.glb": 0.05, // nodes, frames, bones, skin, weights
		"worm.u:Beasts.Worm": 0.05, "freelancer/ship.cmp": 0.01,
	} {
		p.goTo(fmt.Sprintf("#n=%d", p.find(source)))
		if !p.ready(source) {
			continue
		}
		clips := eval[[]float64](p, `usher.shown.stage.clips.map((c) => c.duration)`)
		if len(clips) == 0 {
			t.Errorf("%s has no animation", source)
			continue
		}
		moved := 0.0
		for i, d := range clips {
			p.choose("animation", fmt.Sprint(i))
			for _, share := range []float64{0.3, 0.5, 0.8} {
				moved = max(moved, p.different(func() { eval[any](p, fmt.Sprintf("usher.shown.stage.seek(%v), null", d*share)) }))
			}
		}
		if moved < least {
			t.Errorf("%s: %.3f of its pixels change, at least %.3f should", source, moved, least)
		}
		p.choose("animation", "0")
		frames := eval[int](p, `usher.shown.stage.frames`)
		time.Sleep(100 * time.Millisecond)
		if n := eval[int](p, `usher.shown.stage.frames`); n > frames+2 {
			t.Errorf("%s: drawn %d times while nothing moves", source, n-frames)
		}
		p.press("play")
		p.wait(fmt.Sprintf("usher.shown.stage.frames > %d", frames+8))
		if at := eval[float64](p, `usher.shown.stage.time`); !(at > 0) && clips[0] > 0 {
			t.Errorf("%s plays and stays at %v", source, at)
		}
		p.press("play")
		if eval[bool](p, `usher.shown.stage.playing`) {
			t.Errorf("%s does not stop", source)
		}
		p.choose("animation", "-1")
		if source == "windmill.u3d" {
			p.picture("animation.png")
		}
	}
}

// TestSwitches: twenty models one after the other leave no more on the graphics card than one.
func TestSwitches(t *testing.T) {
	p := open(t, view.Config{Operands: []string{filepath.Join(testdata, "ultimate3d")}})
	eval[any](p, `(() => {
		globalThis.alive = 0;
		const proto = WebGL2RenderingContext.prototype;
		for (const what of ["Buffer", "Texture", "VertexArray"]) {
			const [make, free] = [proto["create" + what], proto["delete" + what]];
			proto["create" + what] = function () { alive++; return make.call(this); };
			proto["delete" + what] = function (x) { alive--; return free.call(this, x); };
		}
		return null;
	})()`)
	a, b := p.find("windmill.u3d"), p.find("ball.u3d")
	var first, last int
	for i := range 20 {
		p.goTo(fmt.Sprintf("#n=%d", []int{a, b}[i%2]))
		p.ready("a model")
		if n := eval[int](p, "alive"); i == 1 {
			first = n
		} else if i == 19 {
			last = n
		}
	}
	if last > first+20 { // a blank texture each, which goes with its context
		t.Errorf("%d objects after two models, %d after twenty", first, last)
	}
}

// TestModelControls: each control changes what is seen, and takes it back.
func TestModelControls(t *testing.T) {
	p := open(t, view.Config{Operands: []string{filepath.Join(testdata, "ultimate3d"), filepath.Join(testdata, "freelancer"), filepath.Join(testdata, "unreal")}})
	p.goTo(fmt.Sprintf("#n=%d", p.find("windmill.u3d")))
	for _, c := range []struct{ label, value, back string }{{"wireframe", "over", "none"}, {"wireframe", "only", "none"}, {"show", "1", "0"}, {"show", "3", "0"}} {
		if d := p.different(func() { p.choose(c.label, c.value) }); d < 0.02 {
			t.Errorf("%s %s changes %.3f of the pixels", c.label, c.value, d)
		}
		p.picture("control " + c.label + " " + c.value + ".png")
		p.choose(c.label, c.back)
	}
	for _, label := range []string{"grid", "bounds", "front", "side", "top", "all", "orthographic", "walk"} {
		p.press(label)
	}
	p.picture("controls.png")
	eval[any](p, `document.querySelector(".stage canvas").focus(), null`)
	if d := p.different(func() {
		if err := chromedp.Run(p.ctx, chromedp.KeyEvent("w"), chromedp.KeyEvent("w"), chromedp.KeyEvent("a"), chromedp.KeyEvent(kb.ArrowLeft)); err != nil {
			t.Fatal(err)
		}
	}); d == 0 {
		t.Error("nobody walks")
	}
	p.goTo(fmt.Sprintf("#n=%d", p.find("ball.u3d")))
	if d := p.different(func() { p.choose("level", "2") }); d < 0.01 {
		t.Errorf("another level of detail changes %.3f of the pixels", d)
	}
	p.goTo(fmt.Sprintf("#n=%d", p.find("ship.cmp")))
	if eval[int](p, `usher.shown.stage.scene.nodes.filter((n) => n.kind === "hardpoint").length`) == 0 {
		t.Error("the ship has no hardpoints")
	}
	p.press("points")
	p.picture("hardpoints.png")
	// A click says what is there.
	eval[any](p, `(() => { const s = usher.shown.stage; s.camera.frame(s.bounds()); s.draw(); s.click(s.box.clientWidth / 2, s.box.clientHeight / 2); return null; })()`)
	if say := eval[string](p, `document.querySelector(".say").textContent`); !strings.Contains(say, "material") {
		t.Errorf("a click says %q", say)
	}
	p.goTo(fmt.Sprintf("#n=%d", p.find("figure.dfm")))
	p.press("skeleton")
	p.picture("skeleton.png")
}

// TestWalk: in a level one stands where players start, and walks as long as a key is held; outside again, the camera is where it
// was.
func TestWalk(t *testing.T) {
	p := open(t, view.Config{Operands: []string{filepath.Join(testdata, "unreal", "hall.unr")}})
	p.goTo(fmt.Sprintf("#n=%d", p.find("hall.unr:MyLevel")))
	p.ready("hall.unr:MyLevel")
	before := eval[string](p, `JSON.stringify(usher.shown.stage.camera.keep())`)
	p.press("walk")
	where := `(() => { const { camera } = usher.shown.stage; return camera.eye(); })()`
	start := eval[[]float64](p, `(() => { const w = usher.shown.stage.scene.world.start.world; return [w[12], w[13] + 0.5, w[14]]; })()`)
	away := func() float64 {
		at := eval[[]float64](p, where)
		return math.Hypot(math.Hypot(at[0]-start[0], at[1]-start[1]), at[2]-start[2])
	}
	if d := away(); d > 1e-6 {
		t.Errorf("one stands %v m from the start", d)
	}
	key := func(kind string) {
		eval[any](p, fmt.Sprintf(`document.querySelector(".stage canvas").dispatchEvent(new KeyboardEvent(%q, { key: "s", bubbles: true })), null`, kind))
	}
	key("keydown")
	p.wait(`(() => { const { camera, scene } = usher.shown.stage; return Math.hypot(camera.eye()[0] - scene.world.start.world[12], camera.eye()[2] - scene.world.start.world[14]) > 1; })()`)
	key("keyup")
	eval[any](p, `new Promise((ok) => requestAnimationFrame(() => requestAnimationFrame(() => ok(null))))`)
	rest := away()
	eval[any](p, `new Promise((ok) => setTimeout(() => ok(null), 100))`)
	if d := away(); d != rest || d > 20 {
		t.Errorf("%v m from the start, and %v m after the key came up", d, rest)
	}
	p.press("walk")
	if after := eval[string](p, `JSON.stringify(usher.shown.stage.camera.keep())`); after != before {
		t.Errorf("the camera was %s and is %s", before, after)
	}
	p.calm()
}

// TestSound: a sound loads, says how long it is, and goes where its waveform is clicked.
func TestSound(t *testing.T) {
	p := open(t, view.Config{Operands: []string{filepath.Join(testdata, "unreal", "sounds.uax"), filepath.Join(testdata, "sounds", "tone22.mp3")}})
	p.goTo(fmt.Sprintf("#n=%d", p.find("tone22.mp3")))
	p.ready("a sound")
	p.wait(`usher.shown.audio.readyState >= 3`)
	long := eval[float64](p, `usher.shown.audio.duration`)
	eval[any](p, `(() => {
		const c = document.querySelector(".wave"), r = c.getBoundingClientRect();
		c.dispatchEvent(new PointerEvent("pointerdown", {clientX: r.left + r.width / 2, clientY: r.top + 5}));
		return null;
	})()`)
	p.wait(`!usher.shown.audio.seeking`)
	if at := eval[float64](p, `usher.shown.audio.currentTime`); at < 0.45*long || at > 0.55*long {
		t.Errorf("a click in the middle goes to %v of %v s", at, long)
	}
	p.picture("sound.png")
	if eval[int](p, `(async () => (await fetch("api/sound/1", {headers: {Range: "bytes=10-19"}})).status)()`) != 206 {
		t.Error("there are no ranges")
	}
}

// TestSearch: what is looked for is found, in archives as well, and filters leave the rest out.
func TestSearch(t *testing.T) {
	p := open(t, view.Config{Operands: []string{testdata}})
	look := func(words string) {
		t.Helper()
		eval[any](p, fmt.Sprintf(`(() => { const s = document.getElementById("search"); s.value = %q; s.dispatchEvent(new Event("input")); return null; })()`, words))
	}
	names := `[...document.querySelectorAll("#tree .name")].map((e) => e.firstChild.textContent)`
	look("pyramid")
	p.wait(names + `.includes("Pyramid") && ` + names + `.includes("pyramid.t3d") && !document.getElementById("count").textContent.includes("looking")`)
	if list := eval[[]string](p, names); !strings.Contains(strings.Join(list, " "), "made69.u") || strings.Contains(strings.Join(list, " "), "windmill") {
		t.Errorf("found %v", list)
	}
	p.picture("search.png")
	look("nothing is called so")
	p.wait(`document.getElementById("count").textContent === "0 rows"`)
	look("")
	p.wait(names + `.includes("ultima9")`)
	p.wait(`document.querySelector('[data-kind="sound"]')`)
	eval[any](p, `document.querySelector('[data-kind="sound"]').click(), null`)
	p.wait(names + `.includes("bell.snd") && !` + names + `.includes("ball.u3d")`)
	eval[any](p, `document.querySelector('[data-kind="sound"]').click(), null`)
	p.choose("format", "u3d")
	p.wait(names + `.includes("ball.u3d") && !` + names + `.includes("bell.snd")`)
	p.choose("format", "")
	// By the keyboard alone.
	if err := chromedp.Run(p.ctx, chromedp.KeyEvent("/"), chromedp.KeyEvent("windmill.u3d")); err != nil {
		t.Fatal(err)
	}
	p.wait(names + `.includes("windmill.u3d") && !` + names + `.includes("ball.u3d")`)
	if err := chromedp.Run(p.ctx, chromedp.KeyEvent(kb.Escape)); err != nil {
		t.Fatal(err)
	}
	p.wait(names + `.includes("ultima9")`)
	before := eval[string](p, `location.hash`)
	if err := chromedp.Run(p.ctx, chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowDown)); err != nil {
		t.Fatal(err)
	}
	p.wait(fmt.Sprintf(`location.hash !== %q && usher.state === "ready"`, before))
}

// manyEntries is an archive of n textures.
func manyEntries(t testing.TB, n int) string {
	t.Helper()
	record := pictureRecord(t)
	return archiveOf(t, n, func(int) []byte { return record })
}

// pictureRecord is an entry of such an archive.
func pictureRecord(t testing.TB) []byte {
	t.Helper()
	a, err := store.OpenArchive(filepath.Join(testdata, "ultima9", "bitmap16.flx"), nil, new(engine.Loader).Env("bitmap16.flx", nil))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	record, err := a.Payload(0)
	if err != nil {
		t.Fatal(err)
	}
	return record
}

// archiveOf makes an archive of n entries.
func archiveOf(t testing.TB, n int, record func(i int) []byte) string {
	t.Helper()
	archive := ultima9.NewArchive(n)
	for i := range n {
		if err := archive.Replace(i, record(i)); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "bitmap16.flx")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := write.FLX(f, archive); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestMany: an archive of 50,000 entries lists at once, scrolls to its end, and holds only what is seen.
func TestMany(t *testing.T) {
	const n = 50_000
	p := open(t, view.Config{Operands: []string{manyEntries(t, n)}})
	p.wait(fmt.Sprintf(`document.getElementById("count").textContent === "%d rows"`, n+1))
	took := eval[float64](p, `(async () => {
		const from = performance.now();
		await (await fetch("api/list?open=0&from=25000&count=200")).json();
		return performance.now() - from;
	})()`)
	t.Logf("a window of 200 rows: %.1f ms", took)
	eval[any](p, `(() => { // what gets no answer is asked for again
		const real = window.fetch;
		let failures = 0;
		window.fetch = (url, ...a) => String(url).startsWith("api/list") && failures++ < 4 ? Promise.reject(new Error("gone")) : real(url, ...a);
		return null;
	})()`)
	for _, share := range []float64{0.5, 1, 0.123} {
		from := time.Now()
		eval[any](p, fmt.Sprintf(`(() => { const e = document.getElementById("tree"); e.scrollTop = %v * (e.scrollHeight - e.clientHeight); return null; })()`, share))
		want := int(share*n) - 20
		p.wait(fmt.Sprintf(`[...document.querySelectorAll("#tree .row .name")].some((e) => Number(e.firstChild.textContent) >= %d)`, want))
		t.Logf("scrolled to %v: %v", share, time.Since(from).Round(time.Millisecond))
		if rows := eval[int](p, `document.querySelectorAll("#tree .row").length`); rows > 200 {
			t.Errorf("%d rows are in the page", rows)
		}
	}
	p.picture("many.png")
	// The grid: only what is seen is drawn.
	p.goTo("#n=0")
	p.wait(`document.querySelectorAll(".cell img").length > 8`)
	if cells := eval[int](p, `document.querySelectorAll(".cell").length`); cells > 200 {
		t.Errorf("%d pictures are in the page", cells)
	}
	p.wait(`[...document.querySelectorAll(".cell img")].filter((i) => i.complete && i.naturalWidth > 0).length > 8`)
	p.picture("grid.png")
	eval[any](p, `(() => { const s = document.getElementById("search"); s.value = "49321"; s.dispatchEvent(new Event("input")); return null; })()`)
	p.wait(`document.getElementById("count").textContent === "2 rows"`)
}

// TestPicture: each channel, level and size of a texture is shown.
func TestPicture(t *testing.T) {
	p := open(t, view.Config{Operands: []string{filepath.Join(testdata, "unreal", "made69.u"), filepath.Join(testdata, "freelancer", "tiles.txm"), filepath.Join(testdata, "unreal", "pictures.utx")}})
	for _, l := range p.leaves() {
		if l.Kind != "texture" {
			continue
		}
		p.goTo(fmt.Sprintf("#n=%d", l.ID))
		p.ready(l.Source)
		shown := func() float64 { return eval[float64](p, `document.querySelector(".picture img").naturalWidth`) }
		if shown() == 0 {
			t.Errorf("%s: nothing is shown", l.Source)
		}
		for _, c := range []string{"r", "g", "b", "a", "rgb", "rgba"} {
			p.choose("channels", c)
		}
		for _, z := range []string{"1:1", "4:1", "fit"} {
			p.press(z)
		}
		if eval[bool](p, `Boolean(document.querySelector('select[aria-label="mip"]'))`) {
			wide := shown()
			p.choose("mip", "1")
			p.wait(fmt.Sprintf(`document.querySelector(".picture img").naturalWidth < %v`, wide))
		}
	}
	p.picture("texture.png")
}

// TestHulls: collision hulls are there when they are asked for, and the model is the library's without them.
func TestHulls(t *testing.T) {
	dir := t.TempDir()
	copyFile(t, filepath.Join(testdata, "freelancer", "ship.cmp"), filepath.Join(dir, "ship.cmp"))
	copyFile(t, filepath.Join(testdata, "freelancer", "gunship.sur"), filepath.Join(dir, "ship.sur"))
	p := open(t, view.Config{Operands: []string{dir}})
	p.goTo(fmt.Sprintf("#n=%d", p.find("ship.cmp")))
	p.ready("the ship")
	before := eval[int](p, `usher.shown.stage.scene.count().triangles`)
	p.press("hulls")
	if now := eval[int](p, `usher.shown.stage.scene.count().triangles`); now <= before {
		t.Errorf("%d triangles, and with hulls %d", before, now)
	}
	p.picture("hulls.png")
}
