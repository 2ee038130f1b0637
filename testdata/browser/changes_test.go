package browser

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/usher-assets/usher/cmd/usher/view"
	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/store"
)

func copyFile(t testing.TB, from, to string) {
	t.Helper()
	b, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, b, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func paint(t testing.TB, path string, c color.NRGBA) {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, 16, 16))
	for i := 0; i < len(m.Pix); i += 4 {
		copy(m.Pix[i:], []byte{c.R, c.G, c.B, c.A})
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestChanges: of two states what differs is listed, and shown side by side with one camera.
func TestChanges(t *testing.T) {
	dir := t.TempDir()
	old, now := filepath.Join(dir, "old"), filepath.Join(dir, "new")
	for _, d := range []string{old, now} {
		if err := os.Mkdir(d, 0o777); err != nil {
			t.Fatal(err)
		}
		copyFile(t, filepath.Join(testdata, "ultimate3d", "ball.u3d"), filepath.Join(d, "same.u3d"))
	}
	copyFile(t, filepath.Join(testdata, "ultimate3d", "flag.u3d"), filepath.Join(old, "model.u3d"))
	copyFile(t, filepath.Join(testdata, "ultimate3d", "reed.u3d"), filepath.Join(now, "model.u3d"))
	paint(t, filepath.Join(old, "wall.png"), color.NRGBA{255, 0, 0, 255})
	paint(t, filepath.Join(now, "wall.png"), color.NRGBA{0, 0, 255, 255})
	copyFile(t, filepath.Join(testdata, "ultima9", "bell.snd"), filepath.Join(now, "new.snd"))
	copyFile(t, filepath.Join(testdata, "unreal", "made69.u"), filepath.Join(old, "pack.u"))
	pack(t, filepath.Join(testdata, "unreal", "made69.u"), filepath.Join(now, "pack.u"))

	p := open(t, view.Config{Operands: []string{old, now}, Compare: true})
	paths := `[...document.querySelectorAll("[data-change] .name")].map((e) => e.textContent)`
	p.wait(paths + `.length >= 4`)
	all := strings.Join(eval[[]string](p, paths), " ")
	for _, want := range []string{"model.u3d", "wall.png", "new.snd", "pack.u:Beep"} {
		if !strings.Contains(all, want) {
			t.Errorf("%s is not among %s", want, all)
		}
	}
	if strings.Contains(all, "same.u3d") || strings.Contains(all, "Pyramid") {
		t.Errorf("what is the same is listed: %s", all)
	}
	number := func(path string) int {
		return eval[int](p, fmt.Sprintf(`Number([...document.querySelectorAll("[data-change]")].find((e) => e.title === %q).dataset.change)`, path))
	}
	eval[any](p, fmt.Sprintf(`(() => { // what is no longer asked for does not count, however soon it is there
		const real = HTMLImageElement.prototype.decode;
		let pictures = 0;
		HTMLImageElement.prototype.decode = function () { return pictures++ ? new Promise((ok) => setTimeout(ok, 700)).then(() => real.call(this)) : real.call(this); };
		location.hash = "c=%d";
		return null;
	})()`, number("model.u3d")))
	p.goTo(fmt.Sprintf("#c=%d", number("model.u3d")))
	p.ready("two models")
	if n := eval[int](p, `document.querySelectorAll(".pair > div").length`); n != 3 {
		t.Errorf("%d panes: before, after and where they differ", n)
	}
	p.picture("changes model.png")
	eval[any](p, `usher.shown.stages[0].camera.turn(0.5, 0.1), null`)
	if !eval[bool](p, `(() => { const [a, b] = usher.shown.stages.map((s) => s.camera); return a.azimuth === b.azimuth && a.elevation === b.elevation; })()`) {
		t.Error("the cameras part")
	}
	p.goTo(fmt.Sprintf("#c=%d", number("wall.png")))
	p.ready("two pictures")
	if text := eval[string](p, `document.querySelector(".details").textContent`); !strings.Contains(text, "256") {
		t.Errorf("the details do not tell of 256 pixels: %s", text)
	}
	p.picture("changes picture.png")
	p.goTo(fmt.Sprintf("#c=%d", number("new.snd")))
	p.ready("one sound")
	p.goTo(fmt.Sprintf("#c=%d", number("pack.u:Beep")))
	p.ready("two sounds")
	p.wait(`document.querySelectorAll("audio").length === 2`)
	p.picture("changes sound.png")
	p.press("everything")
	p.wait(`document.querySelectorAll("#tree .row").length > 2`)
}

// pack writes a package with another sound.
func pack(t testing.TB, from, to string) {
	t.Helper()
	repack(t, from, to, "Beep", func(b []byte) {
		for k := len(b) - 60; k < len(b)-40; k++ {
			b[k] ^= 0x40
		}
	})
}

// TestLiveOnTheWay: a file that changes while another of its entries is on its way does not bring back what was shown before.
func TestLiveOnTheWay(t *testing.T) {
	dir := t.TempDir()
	archive := filepath.Join(dir, "pack.u")
	copyFile(t, filepath.Join(testdata, "unreal", "made69.u"), archive)
	p := open(t, view.Config{Operands: []string{dir}})
	p.goTo(fmt.Sprintf("#n=%d", p.row("pack.u")))
	sound := p.find("pack.u:Beep")
	eval[any](p, `(() => {
		const ask = fetch;
		globalThis.asked = 0;
		globalThis.fetch = async (address, how) => {
			if (String(address).includes("api/node/") && ++asked === 1) await new Promise((ok) => { globalThis.release = ok; });
			return ask(address, how);
		};
		return null;
	})()`)
	eval[any](p, fmt.Sprintf(`location.hash = "#n=%d", null`, sound))
	p.wait("asked === 1")
	pack(t, filepath.Join(testdata, "unreal", "made69.u"), filepath.Join(dir, "new.tmp"))
	if err := os.Rename(filepath.Join(dir, "new.tmp"), archive); err != nil {
		t.Fatal(err)
	}
	p.wait("asked > 1")
	eval[any](p, "release(), null")
	p.wait(`usher.state === "ready" && document.querySelector("audio")`)
}

// TestLive: a file that changes is shown anew, with the camera where it was; one that comes is listed, one that goes is not.
func TestLive(t *testing.T) {
	dir := t.TempDir()
	model, wall := filepath.Join(dir, "model.u3d"), filepath.Join(dir, "wall.png")
	copyFile(t, filepath.Join(testdata, "ultimate3d", "flag.u3d"), model)
	paint(t, wall, color.NRGBA{255, 0, 0, 255})
	p := open(t, view.Config{Operands: []string{dir}})
	p.goTo(fmt.Sprintf("#n=%d", p.find("model.u3d")))
	p.ready("the model")
	eval[any](p, `usher.shown.stage.camera.turn(1, 0.2), null`)
	where := eval[float64](p, `usher.shown.stage.camera.azimuth`)
	triangles := `usher.shown.stage?.scene?.count().triangles`
	before := eval[int](p, triangles)
	copyFile(t, filepath.Join(testdata, "ultimate3d", "ball.u3d"), model)
	changed := time.Now()
	p.wait(fmt.Sprintf(`usher.state === "ready" && %s !== %d`, triangles, before))
	t.Logf("seen after %v", time.Since(changed).Round(time.Millisecond))
	if now := eval[float64](p, `usher.shown.stage.camera.azimuth`); now != where {
		t.Errorf("the camera was at %v and is at %v", where, now)
	}
	names := `[...document.querySelectorAll("#tree .name")].map((e) => e.firstChild.textContent)`
	paint(t, filepath.Join(dir, "another.png"), color.NRGBA{0, 255, 0, 255})
	p.wait(names + `.includes("another.png")`)
	if err := os.Remove(wall); err != nil {
		t.Fatal(err)
	}
	p.wait(`!` + names + `.includes("wall.png")`)
	// An entry of an archive that is packed anew.
	archive := filepath.Join(dir, "pack.u")
	copyFile(t, filepath.Join(testdata, "unreal", "made69.u"), archive)
	p.wait(names + `.includes("pack.u")`)
	p.goTo(fmt.Sprintf("#n=%d", p.find("pack.u:Beep")))
	p.ready("the sound")
	tag := `document.querySelector("audio") && performance.getEntriesByType("resource").filter((e) => e.name.includes("/api/peaks/")).length`
	loads := eval[int](p, tag)
	pack(t, filepath.Join(testdata, "unreal", "made69.u"), filepath.Join(dir, "new.tmp"))
	if err := os.Rename(filepath.Join(dir, "new.tmp"), archive); err != nil {
		t.Fatal(err)
	}
	p.wait(fmt.Sprintf(`(%s) > %d && usher.state === "ready"`, tag, loads))
}

// TestLeafChange: of two models whose texture differs the texture is shown, before and after, and where it differs; of two
// texts the lines, and how they end; an archive that changed is there on both sides.
func TestLeafChange(t *testing.T) {
	dir := t.TempDir()
	old, now := filepath.Join(dir, "old"), filepath.Join(dir, "new")
	for _, d := range []string{old, now} {
		if err := os.Mkdir(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	copyFile(t, filepath.Join(testdata, "freelancer", "ship.cmp"), filepath.Join(old, "ship.cmp"))
	repack(t, filepath.Join(testdata, "freelancer", "ship.cmp"), filepath.Join(now, "ship.cmp"), "Texture library/paint.dds/MIPS", func(b []byte) {
		for i := len(b) / 2; i < len(b); i++ {
			b[i] ^= 0x3c
		}
	})
	for d, text := range map[string]string{old: "one\r\ntwo\r\nthree\r\n", now: "one\ntwo and a half\nthree\n"} {
		if err := os.WriteFile(filepath.Join(d, "words.txt"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	type change struct {
		Path, Status, Kind string
		Old, New           int
	}
	for _, operands := range [][]string{{old, now}, {filepath.Join(old, "ship.cmp"), filepath.Join(now, "ship.cmp")}} {
		p := open(t, view.Config{Operands: operands, Compare: true})
		p.wait(`document.querySelectorAll("[data-change]").length > 0`)
		list := eval[[]change](p, `(async () => { for (;;) { const c = await (await fetch("api/changes")).json(); if (!c.busy) return c.changes; await new Promise((ok) => setTimeout(ok, 50)); } })()`)
		for i, c := range list {
			for _, id := range []int{c.Old, c.New} {
				source := eval[string](p, fmt.Sprintf(`(async () => (await (await fetch("api/node/%d")).json()).source)()`, id))
				if strings.Contains(c.Path, "/") && !strings.HasSuffix(source, "/ship.cmp:"+strings.TrimPrefix(c.Path, "ship.cmp:")) {
					t.Errorf("%s is shown as %q", c.Path, source)
				}
			}
			p.goTo(fmt.Sprintf("#c=%d", i))
			p.ready(c.Path)
			text := eval[string](p, `document.getElementById("view").innerText`)
			switch {
			case c.Kind == "texture":
				if !strings.Contains(text, "the same") || eval[int](p, `document.querySelectorAll(".pair img").length`) != 3 {
					t.Errorf("%s: %q", c.Path, text)
				}
				p.picture("change of a leaf.png")
			case c.Path == "words.txt":
				for _, want := range []string{"− two", "+ two and a half", "CRLF → LF"} {
					if !strings.Contains(text, want) {
						t.Errorf("%q is not in %q", want, text)
					}
				}
				p.picture("change of a text.png")
			}
			if strings.Contains(text, "not there") {
				t.Errorf("%s: %q", c.Path, text)
			}
		}
		if !slices.ContainsFunc(list, func(c change) bool { return c.Kind == "texture" }) {
			t.Errorf("no texture changed: %v", list)
		}
		p.calm()
	}
}

// repack writes an archive with another payload of one entry.
func repack(t testing.TB, from, to, name string, change func([]byte)) {
	t.Helper()
	b := payload(t, from, name)
	change(b)
	replace(t, from, to, name, b)
}

// opened opens an archive, and finds one of its entries.
func opened(t testing.TB, path, name string) (*store.Archive, int) {
	t.Helper()
	a, err := store.OpenArchive(path, nil, new(engine.Loader).Env(path, nil))
	if err != nil {
		t.Fatal(err)
	}
	i, err := a.Find(name)
	if err != nil {
		a.Close()
		t.Fatal(err)
	}
	return a, i
}

// payload returns the stored bytes of an entry.
func payload(t testing.TB, path, name string) []byte {
	t.Helper()
	a, i := opened(t, path, name)
	defer a.Close()
	b, err := a.Payload(i)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Clone(b)
}

// replace writes an archive with a payload in the place of that of one entry.
func replace(t testing.TB, from, to, name string, b []byte) {
	t.Helper()
	a, i := opened(t, from, name)
	defer a.Close()
	if err := a.Replace(i, b); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(to)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := a.WriteTo(f); err != nil {
		t.Fatal(err)
	}
}
