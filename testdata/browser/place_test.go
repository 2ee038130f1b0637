package browser

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/usher-assets/usher/cmd/usher/view"
)

// pixel is the first pixel of a picture on the page, as its channels.
func pixel(selector string) string {
	return fmt.Sprintf(`(() => {
		const i = document.querySelector(%q);
		if (!i || !i.complete || !i.naturalWidth) return "";
		const c = document.createElement("canvas");
		[c.width, c.height] = [i.naturalWidth, i.naturalHeight];
		const g = c.getContext("2d");
		g.drawImage(i, 0, 0);
		return [...g.getImageData(c.width / 2, c.height / 2, 1, 1).data].slice(0, 3).join(" ");
	})()`, selector)
}

// TestReplacedPicture: a picture that is painted over is seen as it is now, and so is its place in the grid.
func TestReplacedPicture(t *testing.T) {
	dir := t.TempDir()
	wall := filepath.Join(dir, "wall.png")
	paint(t, wall, color.NRGBA{255, 0, 0, 255})
	p := open(t, view.Config{Operands: []string{dir}})
	p.goTo(fmt.Sprintf("#n=%d", p.find("wall.png")))
	p.wait(pixel(".picture img") + ` === "255 0 0"`)
	paint(t, wall, color.NRGBA{0, 0, 255, 255})
	p.wait(pixel(".picture img") + ` === "0 0 255"`)
	p.goTo("#n=0")
	p.wait(pixel(".cell img") + ` === "0 0 255"`)
	paint(t, wall, color.NRGBA{0, 255, 0, 255})
	p.wait(pixel(".cell img") + ` === "0 255 0"`)
}

// build returns the program.
func build(t testing.TB) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "usher")
	cmd := exec.Command("go", "build", "-trimpath", "-o", program, "./cmd/usher")
	cmd.Dir = filepath.Join("..", "..")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return program
}

// TestPainter: somebody paints in an unpacked folder, "pack --watch" packs it, and the page shows it, in the picture and in
// the grid of the archive.
func TestPainter(t *testing.T) {
	dir := t.TempDir()
	archive, folder := filepath.Join(dir, "pictures.utx"), filepath.Join(dir, "work")
	p := open(t, view.Config{Operands: []string{dir}})
	program := build(t)
	copyFile(t, filepath.Join(testdata, "unreal", "pictures.utx"), archive)
	if out, err := exec.Command(program, "unpack", archive, "-o", folder, "-q").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	pictures, err := filepath.Glob(filepath.Join(folder, "*.png"))
	if err != nil || len(pictures) == 0 {
		t.Fatal(pictures, err)
	}
	ctx, stop := context.WithCancel(context.Background())
	watching := exec.CommandContext(ctx, program, "pack", folder, "-o", archive, "--force", "--watch")
	if err := watching.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { stop(); _ = watching.Wait() }()
	p.wait(`[...document.querySelectorAll("#tree .name")].some((e) => e.textContent.includes("pictures.utx"))`)
	path := pictures[0]
	entry := strings.TrimSuffix(filepath.Base(path), ".png")
	id := p.find("pictures.utx:" + entry)
	p.goTo(fmt.Sprintf("#n=%d", id))
	for _, c := range []color.NRGBA{{255, 0, 0, 255}, {0, 0, 255, 255}} {
		repaint(t, path, c)
		p.wait(fmt.Sprintf(`%s === "%d %d %d"`, pixel(".picture img"), c.R, c.G, c.B))
	}
	p.goTo(fmt.Sprintf("#n=%d", eval[int](p, fmt.Sprintf(`(async () => { const f = await (await fetch("api/node/%d")).json(); return f.trail.find((s) => s.name === "pictures.utx").id; })()`, id))))
	cell := fmt.Sprintf(`.cell[data-id="%d"] img`, id)
	p.wait(pixel(cell) + ` === "0 0 255"`)
	repaint(t, path, color.NRGBA{255, 0, 0, 255})
	p.wait(pixel(cell) + ` === "255 0 0"`)
	p.picture("painter.png")
}

// repaint fills a picture, as large as it is and with the colours that it may have, with the one that is nearest.
func repaint(t testing.TB, path string, c color.NRGBA) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	was, err := png.Decode(f)
	f.Close()
	if err != nil {
		t.Fatal(err)
	}
	now := image.NewNRGBA(was.Bounds())
	for y := range now.Rect.Dy() {
		for x := range now.Rect.Dx() {
			now.SetNRGBA(x, y, c)
		}
	}
	f, err = os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, now); err != nil {
		t.Fatal(err)
	}
}

// TestFacts: there is room for what is known of every model.
func TestFacts(t *testing.T) {
	p := open(t, view.Config{Operands: []string{testdata}})
	for _, l := range p.leaves() {
		if l.Kind != "model" {
			continue
		}
		p.goTo(fmt.Sprintf("#n=%d", l.ID))
		if wide := eval[float64](p, `Math.min(1000, ...[...document.querySelectorAll(".facts td:nth-child(2)")].map((e) => e.clientWidth))`); wide < 100 {
			t.Errorf("%s: a column of facts is %v pixels wide", l.Source, wide)
		}
	}
	p.calm()
}

// TestHome: the first screen says what there is, of which family, and has maps and models before all else, and its
// folders as cards.
func TestHome(t *testing.T) {
	p := open(t, view.Config{Operands: []string{testdata}})
	p.wait(`document.querySelector(".families") && !document.querySelector(".families").textContent.includes("looking") && document.querySelector(".cell .sign")`)
	p.picture("home.png")
	families := eval[[]string](p, `[...document.querySelectorAll(".families b")].map((e) => e.textContent)`)
	if got := strings.Join(families, ", "); got != "Freelancer, Ultima IX, Ultimate 3D, Unreal, other files" {
		t.Errorf("families: %s", got)
	}
	if cards := strings.Join(eval[[]string](p, `[...document.querySelectorAll(".card b")].map((e) => e.textContent)`), " "); !strings.Contains(cards, "freelancer") || !strings.Contains(cards, "unreal") {
		t.Errorf("cards: %s", cards)
	}
	kinds := eval[[]string](p, `[...document.querySelectorAll(".cell .sign")].slice(0, 8).map((e) => e.title)`)
	if len(kinds) < 2 || kinds[0] != "map" {
		t.Errorf("the first pictures are of the kinds %v", kinds)
	}
	eval[any](p, `document.querySelector('[data-chip="texture"]').click(), null`)
	p.wait(`document.querySelector(".cell .sign")?.title === "texture"`)
	eval[any](p, `document.querySelector(".card").click(), null`)
	p.wait(`document.querySelectorAll("#trail button").length === 2`)
}

// TestPackage: the entries of a package are grouped by their classes, and a map comes before them.
func TestPackage(t *testing.T) {
	p := open(t, view.Config{Operands: []string{filepath.Join(testdata, "unreal", "room61.unr")}})
	names := `[...document.querySelectorAll("#tree .row")].map((e) => e.getAttribute("aria-level") + e.querySelector(".name").textContent)`
	p.wait(names + `.length > 3`)
	list := eval[[]string](p, names)
	if len(list) < 3 || list[1] != "2MyLevel" || !strings.HasPrefix(list[2], "2") {
		t.Errorf("rows %v", list)
	}
}

// TestLeaves: textures inside models are found among the textures, and the swatch of a material opens its own.
func TestLeaves(t *testing.T) {
	dir := t.TempDir()
	copyFile(t, filepath.Join(testdata, "freelancer", "ship.cmp"), filepath.Join(dir, "ship.cmp"))
	p := open(t, view.Config{Operands: []string{dir}})
	p.wait(`document.querySelector('[data-kind="texture"]')`)
	eval[any](p, `document.querySelector('[data-kind="texture"]').click(), null`)
	names := `[...document.querySelectorAll("#tree .name")].map((e) => e.textContent)`
	p.wait(names + `.some((n) => n.includes("paint.dds")) && ` + names + `.includes("ship.cmp")`)
	p.goTo(fmt.Sprintf("#n=%d", p.find("ship.cmp")))
	p.ready("the ship")
	p.wait(`document.querySelectorAll(".links a").length === 2`)
	eval[any](p, `document.querySelector(".material .open").click(), null`)
	p.wait(`document.querySelector("#right h2")?.textContent.includes("paint.dds")`)
	p.wait(`usher.state === "ready" && document.querySelector(".picture img")?.naturalWidth > 0`)
}

// keys presses keys on the page.
func (p *page) keys(keys ...string) {
	p.Helper()
	for _, k := range keys {
		if err := chromedp.Run(p.ctx, chromedp.KeyEvent(k)); err != nil {
			p.Fatal(err)
		}
	}
}

// TestKeys: the tree is walked by the keyboard alone.
func TestKeys(t *testing.T) {
	p := open(t, view.Config{Operands: []string{testdata}})
	p.wait(`document.querySelectorAll("#tree .row").length > 5`)
	on := `document.querySelector("#tree .row.on .name")?.textContent`
	eval[any](p, `document.getElementById("tree").focus(), null`)
	for _, step := range []struct{ key, want string }{
		{kb.Home, "testdata"}, {"u", "u9"}, {"u", "ultima9"}, {"u", "ultimate3d"}, {"u", "unreal"}, {kb.Enter, "unreal"}, {kb.ArrowRight, ""}, {kb.ArrowLeft, "unreal"}, {kb.ArrowLeft, "unreal"},
		{kb.ArrowLeft, "testdata"}, {kb.End, ""},
	} {
		p.keys(step.key)
		if step.want != "" {
			p.wait(fmt.Sprintf("%s === %q", on, step.want))
		} else {
			p.wait(on + ` && ` + on + ` !== "unreal" && ` + on + ` !== "testdata"`)
		}
		p.wait(`document.getElementById(document.getElementById("tree").getAttribute("aria-activedescendant"))?.getAttribute("aria-selected") === "true"`)
	}
	p.keys("/", "windmill.u3d", kb.Enter) // the driver types the slash as well
	p.wait(on + ` === "windmill.u3d" && document.activeElement.id === "tree"`)
	before := eval[int](p, `document.getElementById("left").clientWidth`)
	eval[any](p, `document.getElementById("split-left").focus(), null`)
	p.keys(kb.ArrowRight, kb.ArrowRight)
	if now := eval[int](p, `document.getElementById("left").clientWidth`); now <= before {
		t.Errorf("the tree was %d wide and is %d", before, now)
	}
}

// TestPlayer: an animation asks who plays it, and moves the one that is chosen.
func TestPlayer(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"walk.anm", "figure.dfm"} {
		copyFile(t, filepath.Join(testdata, "freelancer", name), filepath.Join(dir, name))
	}
	p := open(t, view.Config{Operands: []string{dir}})
	p.goTo(fmt.Sprintf("#n=%d", p.find("walk.anm")))
	p.wait(`usher.shown?.stage?.scene?.drawn().length > 0 && usher.shown.stage.clips.length > 0`) // there is one model
	p.picture("player.png")
	p.choose("played by", "-1")
	p.wait(`document.querySelector(".say").textContent === "an animation: choose who plays it"`)
	if n := eval[int](p, `document.querySelectorAll("#view .bar button").length`); n > 0 {
		t.Errorf("%d tools for nothing", n)
	}
	p.choose("played by", fmt.Sprint(p.find("figure.dfm")))
	p.wait(`usher.shown.stage.scene.drawn().length > 0 && usher.shown.stage.playing`)
}

// accessible fails the test when axe-core finds something serious, in light and in darkness.
func (p *page) accessible(what string) {
	p.Helper()
	axe, err := os.ReadFile(filepath.Join("node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		p.Skip("no axe-core: run npm ci in testdata/browser to test how accessible the page is")
	}
	eval[any](p, string(axe)+"; null")
	for _, scheme := range []string{"light", "dark"} {
		p.scheme(scheme)
		for _, v := range eval[[]string](p, `axe.run({ resultTypes: ["violations"] }).then((r) => r.violations.filter((v) => ["serious", "critical"].includes(v.impact)).map((v) => v.id + ": " + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160) + (n.any[0]?.message || "")).join(" | ")))`) {
			p.Errorf("%q, %s: %s", what, scheme, v)
		}
	}
}

// TestAccessible: axe-core finds nothing serious on any kind of screen.
func TestAccessible(t *testing.T) {
	p := open(t, view.Config{Operands: []string{testdata}, Start: true})
	for _, name := range []string{"", "ship.cmp", "walk.anm", "made69.u:Brick", "bell.snd", "made69.u:Notes", "made69.u:Palette3", "windmill.u3d&v=hex", "windmill.u3d&v=fields"} {
		source, rest, _ := strings.Cut(name, "&")
		id := 0
		if name != "" {
			id = p.find(source)
		}
		p.goTo(strings.TrimSuffix(fmt.Sprintf("#n=%d&%s", id, rest), "&"))
		p.accessible(name)
	}
}

// TestAccessibleChanges: the same of the screens of before and after.
func TestAccessibleChanges(t *testing.T) {
	dir := t.TempDir()
	for side, c := range map[string]color.NRGBA{"old": {255, 0, 0, 255}, "new": {0, 0, 255, 255}} {
		if err := os.Mkdir(filepath.Join(dir, side), 0o777); err != nil {
			t.Fatal(err)
		}
		paint(t, filepath.Join(dir, side, "wall.png"), c)
		if err := os.WriteFile(filepath.Join(dir, side, "words.txt"), []byte("one\n"+side+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p := open(t, view.Config{Operands: []string{filepath.Join(dir, "old"), filepath.Join(dir, "new")}, Compare: true})
	p.wait(`document.querySelectorAll("[data-change]").length === 2`)
	for i := range 2 {
		p.goTo(fmt.Sprintf("#c=%d", i))
		p.accessible(fmt.Sprintf("change %d", i))
	}
}
