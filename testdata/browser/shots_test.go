package browser

import (
	"context"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	cdp "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/usher-assets/usher/cmd/usher/view"
	"github.com/usher-assets/usher/schema/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// turn sets the camera of the model that is shown; hall stands in the hall and switches its lights on.
const (
	turn = `const { stage } = usher.shown, { camera } = stage;
		const turn = (azimuth, elevation, nearer) => { Object.assign(camera, { azimuth, elevation }); camera.distance *= nearer; };
		const button = (name) => [...document.querySelectorAll("button")].find((b) => b.textContent === name).click();
		const stand = (azimuth, distance, target, exposure) => {
			button("walk");
			button("lights");
			Object.assign(camera, { azimuth, elevation: 0.06, distance, target, fieldOfView: 1 });
			const slider = document.querySelector('input[aria-label="exposure"]');
			slider.value = exposure;
			slider.dispatchEvent(new Event("input"));
		};`
	creature = `const clip = document.querySelector('select[aria-label="animation"]');
		clip.value = "0"; clip.dispatchEvent(new Event("change")); stage.seek(0.45); turn(0.95, 0.22, 1); camera.target[1] += 0.25`
)

// shots are the pictures of the page that the documents show: what is opened, what is chosen there by the end of its
// name, and what is done then. Two paths are before and after; of these the change of that name is chosen.
var shots = []struct {
	name   string
	open   []string
	chosen string
	do     string
	whole  bool // nothing of the model is cut
}{
	{"ship", []string{"show/heron.cmp"}, "heron.cmp", `turn(2.45, 0.4, 1.02)`, true},
	{"creature", []string{"show/grazer.u3d"}, "grazer.u3d", creature, true},
	{"hall", []string{"show/lanterns.unr"}, "lanterns.unr:MyLevel", `stand(0.2, 9, [0, 2.9, -1.5], -3)`, false},
	{"cottage", []string{"show/village"}, "sappear.flx:1", `turn(0.7, 0.3, 0.95)`, true},
	{"light", []string{"new.unr"}, "new.unr:MyLevel", `stand(Math.PI - 0.25, 9, [0, 2.9, 1.5], -3)`, false},
	{"translate", []string{"show/lanterns.book", "new.book"}, "book", "", false},
	{"share", []string{"show/lanterns.unr", "mine.unr"}, "Banner", "", false},
}

// cutOff reports whether the model reaches the edge of its picture.
const cutOff = `(() => {
	const canvas = usher.shown.stage.canvas, c = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
	usher.shown.stage.draw();
	c.drawImage(canvas, 0, 0);
	const [w, h] = [canvas.width, canvas.height], { data } = c.getImageData(0, 0, w, h);
	const seen = (x, y) => data[4 * (y * w + x) + 3] > 0;
	for (let x = 0; x < w; x++) if (seen(x, 0) || seen(x, h - 1)) return true;
	for (let y = 0; y < h; y++) if (seen(0, y) || seen(w - 1, y)) return true;
	return false;
})()`

// sheets are the pictures that "usher sheet" draws: its arguments.
var sheets = map[string]string{
	"hero":    "show/heron.cmp show/grazer.u3d show/lanterns.unr:MyLevel show/village/sappear.flx:1 --columns 4 --size 320",
	"repaint": "show/heron.cmp repaint/heron.cmp --columns 2 --size 440",
	"newship": "egret.cmp egret.sur --columns 2 --size 440",
	"skin":    "show/village/sappear.flx:2 skin/sappear.flx:2 --columns 2 --size 440",
	"voice":   "show/voice.utf --columns 2 --size 320",
	"paint":   "heights.png tiles.png holes.png --columns 3 --size 320",
}

// jobs are what the documents have their readers do, in a folder with testdata/show; a line "paint FILE" stands for a painter.
const jobs = `
usher unpack show/heron.mat --kind texture -o paint
paint paint/Texture library/heron_paint.dds/MIPS_heron_paint.dds.png
mkdir repaint skin
cp show/heron.cmp repaint
usher pack paint -o repaint/heron.mat
usher convert show/heron.cmp --slim --levels all -o egret.glb
usher convert egret.glb -o egret.cmp --mat --hulls --ini
usher unpack show/village/bitmap16.flx -o skins
paint skins/6.png
cp show/village/sappear.flx skin
usher pack skins -o skin/bitmap16.flx
usher unpack show/lanterns.unr -o hall
paint hall/Banner.png
usher pack hall -o mine.unr
usher unpack show/lanterns.unr -o lit
cp lit/Light12.json lit/Light99.json
sed -i -e s/"Value":.128/"Value":170/ -e s/"X":.-294.0/"X":400.0/ lit/Light99.json
usher pack lit -o new.unr
usher convert show/lanterns.book -o book.md
sed -i s/Trim/Cut/ book.md
usher convert book.md -o new.book
usher convert show/terrain.9 --paint -o land.png
cp land.png heights.png
cp land.f001.png tiles.png
cp land.f002.png holes.png`

// TestShots writes the pictures of the documents into the folder that USHER_SHOTS names, with the program that
// USHER_PROGRAM names.
func TestShots(t *testing.T) {
	out, program := os.Getenv("USHER_SHOTS"), os.Getenv("USHER_PROGRAM")
	if out == "" || program == "" {
		t.Skip("USHER_SHOTS names no folder for the pictures of the documents: make pictures")
	}
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "show"), os.DirFS(filepath.Join(testdata, "show"))); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"freelancer/voice.utf", "ultima9/lanterns.book"} {
		copyFile(t, filepath.Join(testdata, name), filepath.Join(dir, "show", filepath.Base(name)))
	}
	if err := os.WriteFile(filepath.Join(dir, "show", "terrain.9"), island(t), 0o666); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(strings.TrimSpace(jobs)) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "paint "); ok {
			recolour(t, filepath.Join(dir, name))
			continue
		}
		do(t, dir, program, strings.Fields(line))
	}
	t.Chdir(dir) // so that commands on the page are short
	for _, s := range shots {
		p := open(t, view.Config{Operands: s.open, Compare: len(s.open) > 1})
		p.choice(s.chosen, len(s.open) > 1)
		if s.do != "" {
			p.wait(`usher.shown?.stage?.scene`)
			eval[any](p, "(() => {"+turn+s.do+"; stage.draw(); return null; })()")
		}
		p.shot(filepath.Join(out, s.name+".webp"), 1200, 720)
		if s.whole && eval[bool](p, cutOff) {
			t.Errorf("%s: the picture cuts the model", s.name)
		}
		p.picture(s.name + ".png")
	}
	p := open(t, view.Config{Operands: []string{"show"}, Desk: &view.Desk{Exports: "out"}})
	p.choice("lanterns.unr:Banner", false)
	p.upload("replace", filepath.Join(dir, "hall", "Banner.png"))
	p.changed()
	p.shot(filepath.Join(out, "desk.webp"), 1200, 720)
	for name, args := range sheets {
		do(t, dir, program, append([]string{"usher", "sheet", "-o", name + ".png"}, strings.Fields(args)...))
		p := visit(t, "file://"+filepath.Join(dir, name+".png"), "")
		size := eval[[2]int64](p, `[document.images[0].naturalWidth, document.images[0].naturalHeight]`)
		p.shot(filepath.Join(out, name+".webp"), size[0], size[1])
		p.picture(name + ".png")
	}
}

// choice shows what has a name that ends so, or the change of such a one.
func (p *page) choice(name string, change bool) {
	p.Helper()
	if !change {
		p.goTo(fmt.Sprintf("#n=%d", p.find(name)))
		p.wait(`usher.state === "ready"`) // the page may have begun to show its only file by itself
		return
	}
	at := fmt.Sprintf(`[...document.querySelectorAll("[data-change]")].find((e) => e.title.endsWith(%q))`, name)
	p.wait(at)
	eval[any](p, at+`.click(), null`)
	p.wait(`usher.state === "ready"`)
}

// do runs a command of a document.
func do(t *testing.T, dir, program string, args []string) {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	if args[0] == "usher" {
		cmd.Path, cmd.Err = program, nil
	}
	cmd.Dir = dir
	if b, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%q: %v\n%s", args, err, b)
	}
}

// recolour gives a picture other colours: what is orange becomes blue, and what is blue orange.
func recolour(t *testing.T, name string) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	was, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	m := image.NewNRGBA(was.Bounds())
	draw.Draw(m, m.Rect, was, m.Rect.Min, draw.Src)
	for i := 0; i < len(m.Pix); i += 4 {
		if r, b := int(m.Pix[i]), int(m.Pix[i+2]); r > b+90 && strings.Contains(name, "heron") || b > r+20 && !strings.Contains(name, "heron") {
			m.Pix[i], m.Pix[i+2] = m.Pix[i+2], m.Pix[i]
		}
	}
	w, err := os.Create(name)
	if err == nil {
		err = png.Encode(w, m)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// shot takes a picture of the page, small enough for a document.
func (p *page) shot(name string, width, height int64) {
	p.Helper()
	var b []byte
	err := chromedp.Run(p.ctx, chromedp.EmulateViewport(width, height), chromedp.Sleep(500*time.Millisecond), chromedp.ActionFunc(func(ctx context.Context) (err error) {
		b, err = cdp.CaptureScreenshot().WithFormat(cdp.CaptureScreenshotFormatWebp).WithQuality(84).Do(ctx)
		return err
	}))
	if err == nil {
		err = os.WriteFile(name, b, 0o666)
	}
	if err != nil {
		p.Error(err)
	}
}

// island makes a map of Ultima IX: a mountain in the sea, with beaches, woods, and the mouth of a cave.
func island(t *testing.T) []byte {
	const side, grass, sand, wood, rock = 96, 1, 2, 3, 4
	x := &ultima9.Terrain{Width: side, Height: side, Tiles: make([]uint16, side/ultima9.TileSide*side/ultima9.TileSide), Chunks: make([]ultima9.Chunk, 1)}
	grid := make([]ultima9.Point, side*side)
	for i := range grid {
		east, north := float64(i%side)/side-0.5, float64(i/side)/side-0.5
		far := math.Hypot(east, north) + 0.04*math.Sin(9*math.Atan2(north, east)) + 0.02*math.Sin(40*east)*math.Cos(37*north)
		height, texture := int(900*max(0, 0.48-far)), grass
		switch {
		case far > 0.38:
			texture = sand
		case far < 0.15:
			texture = rock
		case math.Sin(23*east)+math.Cos(19*north) > 0.7:
			texture = wood
		}
		cave := math.Hypot(east-0.1, north+0.14) < 0.03
		grid[i] = ultima9.MakePoint(height, cave, 0, (i%side+i/side)%2 == 1, 0, texture)
	}
	if err := x.SetGrid(grid); err != nil {
		t.Fatal(err)
	}
	b, err := write.Terrain(x)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
