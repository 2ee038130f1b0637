package browser

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	cdp "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/usher-assets/usher/cmd/usher/view"
)

// stage is what the camera and the lights of a model are set by.
const stage = `const { stage } = usher.shown, { camera, ways } = stage; const turn = (a, e, near) => { [camera.azimuth, camera.elevation] = [a, e]; camera.distance *= near; };`

// shots are the pictures of the page that the documents show: what is opened below testdata/show, what is chosen there by
// the end of its name, and what is done then.
var shots = []struct{ name, open, chosen, do string }{
	{"ship", "heron.cmp", "heron.cmp", `turn(2.55, 0.42, 0.66)`},
	{"creature", "grazer.u3d", "grazer.u3d", `turn(0.75, 0.25, 0.72)`},
	{"hall", "lanterns.unr", "lanterns.unr:MyLevel", `[camera.azimuth, camera.elevation, camera.distance, camera.target, camera.fieldOfView, camera.walking] = [0.2, 0.06, 9, [0, 2.9, -1.5], 1, true];
		[...document.querySelectorAll("button")].find((b) => b.textContent === "lights").click(); ways.exposure = 1.6`},
	{"cottage", "village", "sappear.flx:1", `turn(0.7, 0.3, 0.75)`},
}

// TestShots writes the pictures of the documents into the folder that USHER_SHOTS names.
func TestShots(t *testing.T) {
	dir := os.Getenv("USHER_SHOTS")
	if dir == "" {
		t.Skip("USHER_SHOTS names no folder for the pictures of the documents: make pictures")
	}
	for _, s := range shots {
		p := open(t, view.Config{Operands: []string{filepath.Join(testdata, "show", s.open)}})
		p.goTo(fmt.Sprintf("#n=%d", p.find(s.chosen)))
		p.ready(s.chosen)
		p.wait(`usher.shown?.stage?.scene`)
		eval[any](p, "(() => {"+stage+s.do+"; stage.draw(); return null; })()")
		p.shot(filepath.Join(dir, s.name+".webp"))
		p.picture(s.name + ".png")
	}
}

// shot takes a picture of the page, small enough for a document.
func (p *page) shot(name string) {
	p.Helper()
	var b []byte
	err := chromedp.Run(p.ctx, chromedp.EmulateViewport(1200, 720), chromedp.Sleep(500*1e6), chromedp.ActionFunc(func(ctx context.Context) (err error) {
		b, err = cdp.CaptureScreenshot().WithFormat(cdp.CaptureScreenshotFormatWebp).WithQuality(82).Do(ctx)
		return err
	}))
	if err == nil {
		err = os.WriteFile(name, b, 0o666)
	}
	if err != nil {
		p.Error(err)
	}
}
