package browser

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/usher-assets/usher/cmd/usher/view"
	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/show/render"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

var families = []string{"freelancer", "ultimate3d", "unreal", "ultima9"}

// leaf is a row of the tree that has content.
type leaf struct {
	ID     int
	Name   string
	Kind   string
	Place  string
	Source string
	Views  []string
}

// leaves returns everything that a page can show.
func (p *page) leaves() (list []leaf) { return p.leavesUntil("\n") }

// leavesUntil returns what a page can show up to the first whose source ends as asked.
func (p *page) leavesUntil(source string) []leaf {
	p.Helper()
	return eval[[]leaf](p, fmt.Sprintf(`(async () => {
		const out = [];
		while ((await (await fetch("api/list?flat=1&count=1")).json()).busy) await new Promise((ok) => setTimeout(ok, 20));
		for (let from = 0; ; from += 500) {
			const l = await (await fetch("api/list?flat=1&count=500&from=" + from)).json();
			for (const r of l.rows) {
				const f = await (await fetch("api/node/" + r.id)).json();
				out.push({ID: r.id, Name: r.name, Kind: f.kind, Place: r.place, Source: f.source, Views: f.views});
				if (f.source.endsWith(%q)) return out;
			}
			if (from + l.rows.length >= l.total) return out;
		}
	})()`, source))
}

// TestAssets: everything in testdata opens in every view without a word on the console, and every model looks as the
// library draws it.
func TestAssets(t *testing.T) {
	for _, family := range families {
		t.Run(family, func(t *testing.T) {
			p := open(t, view.Config{Operands: []string{filepath.Join(testdata, family)}})
			models := 0
			for _, l := range p.leaves() {
				for _, v := range l.Views {
					p.goTo(fmt.Sprintf("#n=%d&v=%s", l.ID, v))
					if !p.ready(l.Source + " as " + v) {
						continue
					}
					if v == "model" {
						models++
						p.alike(l.Source)
					}
				}
				p.calm()
			}
			if models == 0 {
				t.Error("no models")
			}
			p.picture(family + ".png")
		})
	}
}

// size is the width and height of the pictures that are compared.
const size = 192

// drawn returns the model on the page, as alpha and colour, rows from the top.
func (p *page) drawn() *image.NRGBA {
	p.Helper()
	return p.drawnWithout(0)
}

// The ways in which a surface may be there in part, as the page numbers them.
const (
	cutOut      = 1
	translucent = 2
)

// drawnWithout returns the model on the page without the surfaces of one way of alpha; 0 leaves none out.
func (p *page) drawnWithout(alpha int) *image.NRGBA {
	p.Helper()
	text := eval[string](p, fmt.Sprintf(`(() => {
		const { stage } = usher.shown;
		const out = %d ? stage.buffers.looks.filter((l) => l.alpha === %[1]d).map((l) => [l, l.factor[3], l.cutoff]) : [];
		for (const [l] of out) [l.factor[3], l.cutoff] = [1e-9, 1]; // what is 0 is not drawn in the same way
		const b = stage.pixels(%d);
		for (const [l, a, cutoff] of out) [l.factor[3], l.cutoff] = [a, cutoff];
		let s = "";
		for (let i = 0; i < b.length; i += 8192) s += String.fromCharCode(...b.subarray(i, i + 8192));
		return btoa(s);
	})()`, alpha, size))
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		p.Fatal(err)
	}
	m := image.NewNRGBA(image.Rect(0, 0, size, size))
	for y := range size {
		copy(m.Pix[y*m.Stride:(y+1)*m.Stride], b[(size-1-y)*m.Stride:])
	}
	for i := 0; i < len(m.Pix); i += 4 { // a canvas holds colours that are multiplied by alpha
		for k := range 3 {
			if a := int(m.Pix[i+3]); a > 0 {
				m.Pix[i+k] = byte(min(255, int(m.Pix[i+k])*255/a))
			}
		}
	}
	return m
}

// expected returns the model as the library draws it, and what it says of it.
func expected(t testing.TB, source string) (*image.NRGBA, *render.Picture) {
	t.Helper()
	path, entry, err := engine.ParseOperand(source)
	if err != nil {
		t.Fatal(err)
	}
	l := engine.Loader{}
	it, err := l.Load(engine.Source{Path: path, Entry: entry}, new(schema.Diagnostics))
	if err != nil {
		t.Fatal(err)
	}
	defer it.Close()
	a, err := it.LiftSeen()
	if err != nil {
		t.Fatal(err)
	}
	picture, err := render.Model(a.(*asset.Scene), render.Options{Width: size, Height: size})
	if err != nil {
		t.Fatal(err)
	}
	return picture.NRGBA, picture
}

// agreement is how much two pictures of a model have in common.
type agreement struct {
	covered [2]int  // pixels
	both    float64 // share of the pixels that either covers which both do
	colour  float64 // mean difference of the colours where both are, 0 … 255
}

func agree(a, b *image.NRGBA) (x agreement) {
	var either, both, n int
	var sum float64
	for i := 0; i < len(a.Pix); i += 4 {
		in := [2]bool{a.Pix[i+3] > 24, b.Pix[i+3] > 24}
		for k := range in {
			if in[k] {
				x.covered[k]++
			}
		}
		if in[0] || in[1] {
			either++
		}
		if !in[0] || !in[1] {
			continue
		}
		both++
		for k := range 3 {
			sum += float64(max(a.Pix[i+k], b.Pix[i+k]) - min(a.Pix[i+k], b.Pix[i+k]))
			n++
		}
	}
	x.both, x.colour = 1, 0
	if either > 0 {
		x.both = float64(both) / float64(either)
	}
	if n > 0 {
		x.colour = sum / float64(n)
	}
	return x
}

// apart returns how far two pictures are from each other, colours times alpha and alpha itself, 0 … 255, and in how many
// pixels: those in which the first one differs from another one.
func apart(a, b, other *image.NRGBA) (mean float64, pixels int) {
	var sum float64
	for i := 0; i < len(a.Pix); i += 4 {
		if bytes.Equal(a.Pix[i:i+4], other.Pix[i:i+4]) {
			continue
		}
		pixels++
		for k := range 4 {
			x, y := float64(a.Pix[i+k]), float64(b.Pix[i+k])
			if k < 3 {
				x, y = x*float64(a.Pix[i+3])/255, y*float64(b.Pix[i+3])/255
			}
			sum += max(x-y, y-x) / 4
		}
	}
	return sum / float64(max(pixels, 1)), pixels
}

// alike fails the test unless the model on the page is the one that the library draws, in its first frame and in a
// later one.
func (p *page) alike(source string) {
	p.Helper()
	want, picture := expected(p, source)
	notes := strings.Join(picture.Notes, ", ")
	if say := eval[string](p, `document.querySelector(".say").textContent`); len(picture.Facts) > 0 && strings.Contains(picture.Facts[0], " triangle") && !strings.HasPrefix(say, picture.Facts[0]+",") {
		p.Errorf("%s: the page says %q, the library draws %s", source, say, picture.Facts[0])
	}
	first := p.drawn()
	eval[any](p, `usher.shown.stage.draw(), null`)
	again := p.drawn()
	if !bytes.Equal(first.Pix, again.Pix) {
		p.Errorf("%s: a later frame is another one", source)
	}
	x := agree(first, want)
	p.Logf("%s: %d and %d pixels, %.3f in common, colours %.1f apart %s", source, x.covered[0], x.covered[1], x.both, x.colour, notes)
	thin := max(x.covered[0], x.covered[1]) < 400 // lines and points are as wide as the card makes them
	if !thin && x.both < 0.9 || x.covered[1] > 0 && x.covered[0] == 0 || x.colour > 14 && !thin {
		keep(p, "page "+filepath.Base(source)+".png", first)
		keep(p, "library "+filepath.Base(source)+".png", want)
		p.Errorf("%s does not look as the library draws it: %d and %d pixels, %.3f in common, colours %.1f apart", source, x.covered[0], x.covered[1], x.both, x.colour)
	}
	for alpha, name := range map[int]string{translucent: "translucent", cutOut: "cut out"} {
		mean, n := apart(first, want, p.drawnWithout(alpha))
		if n == 0 {
			continue
		}
		p.parts[alpha]++
		p.Logf("%s: %d pixels %s, %.1f apart", source, n, name, mean)
		if n >= 400 && mean > furthest[alpha] {
			keep(p, "page "+filepath.Base(source)+".png", first)
			keep(p, "library "+filepath.Base(source)+".png", want)
			p.Errorf("%s: what is %s is %.1f apart in %d pixels", source, name, mean, n)
		}
	}
}

// furthest is how far surfaces of a way of alpha may be from what the library draws: cut ones have hard edges, which the
// library softens.
var furthest = [...]float64{cutOut: 12, translucent: 5}

// keep writes a picture where USHER_PICTURES names a folder.
func keep(t testing.TB, name string, m image.Image) {
	t.Helper()
	dir := os.Getenv("USHER_PICTURES")
	if dir == "" {
		return
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}
