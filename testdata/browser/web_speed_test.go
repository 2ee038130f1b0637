package browser

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// TestWebSpeed: how long the page takes without a server, from an empty tab and from its own cache, and how fast it shows a large
// texture and converts. The bounds are those of a slow machine.
func TestWebSpeed(t *testing.T) {
	s := serveWeb(t)
	began := time.Now()
	p, downloads := s.open(t)
	t.Logf("the first visit: ready after %v", time.Since(began))
	large := filepath.Join(t.TempDir(), "large.png")
	writeNoise(t, large, 1024)
	p.bring("unreal/pictures.utx")
	p.goTo(fmt.Sprintf("#n=%d", p.find("pictures.utx:Walls.Board")))
	p.drop("#view", large)
	p.changed()
	p.again()
	p.goTo("#n=0")
	took := eval[float64](p, fmt.Sprintf(`(async () => {
		const began = performance.now();
		location.hash = "n=%d";
		for (;;) {
			const img = document.querySelector("#view .picture img");
			if (img?.complete && img.naturalWidth === 1024) return performance.now() - began;
			await new Promise(requestAnimationFrame);
		}
	})()`, p.find("pictures.utx:Walls.Board")))
	t.Logf("a texture of 1024² is shown %.0f ms after the click", took)
	if took > 900 {
		t.Errorf("a texture of 1024² is shown after %.0f ms", took)
	}
	began = time.Now()
	if err := chromedp.Run(p.ctx, chromedp.Reload()); err != nil {
		t.Fatal(err)
	}
	p.wait(`globalThis.usher?.state === "ready"`)
	t.Logf("loaded again: ready after %v", time.Since(began))
	p.bring("ultimate3d/windmill.u3d")
	id := p.find("windmill.u3d")
	for range 3 {
		took = eval[float64](p, fmt.Sprintf(`(async () => { const began = performance.now(); const b = await (await fetch("api/save/%d/glb")).arrayBuffer(); return performance.now() - began; })()`, id))
		t.Logf("windmill.u3d becomes a GLB in %.0f ms", took)
	}
	_ = downloads
}

// writeNoise writes a square picture that no format packs well.
func writeNoise(t *testing.T, path string, size int) {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, size, size))
	x := uint32(1)
	for i := range size * size {
		x = x*1664525 + 1013904223
		m.SetNRGBA(i%size, i/size, color.NRGBA{uint8(x >> 28 << 4), uint8(x >> 24 << 4), uint8(i / size), 255})
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, m); err != nil {
		t.Fatal(err)
	}
}
