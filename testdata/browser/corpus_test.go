package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/usher-assets/usher/cmd/usher/view"
)

// fewModels is how many models of a format are looked at.
const fewModels = 6

// TestCorpus: models of the corpus look on the page as the library draws them, evenly chosen from each format.
func TestCorpus(t *testing.T) {
	base := os.Getenv("USHER_CORPUS")
	if base == "" {
		base = filepath.Join("..", "..", "..", "shared", "corpus")
	}
	for _, family := range families {
		t.Run(family, func(t *testing.T) {
			dir := filepath.Join(base, family)
			if _, err := os.Stat(dir); err != nil {
				t.Skipf("corpus not found at %s; set USHER_CORPUS to run this test", dir)
			}
			p := open(t, view.Config{Operands: []string{dir}})
			type row struct {
				ID     int
				Format string
			}
			list := eval[[]row](p, `(async () => {
				const out = [];
				for (let from = 0; ; ) {
					const l = await (await fetch("api/list?flat=1&kind=model,map&count=500&from=" + from)).json();
					if (l.busy) { await new Promise((ok) => setTimeout(ok, 100)); from = out.length = 0; continue; }
					for (const r of l.rows) out.push({ID: r.id, Format: r.format});
					from += l.rows.length;
					if (from >= l.total) return out;
				}
			})()`)
			of := map[string][]int{}
			for _, r := range list {
				of[r.Format] = append(of[r.Format], r.ID)
			}
			for format, ids := range of {
				for i := range min(fewModels, len(ids)) {
					id := ids[i*len(ids)/min(fewModels, len(ids))]
					p.goTo(fmt.Sprintf("#n=%d", id))
					if !eval[bool](p, `usher.state === "ready" && Boolean(usher.shown?.stage)`) {
						continue // damaged ones say so
					}
					source := eval[string](p, fmt.Sprintf(`(async () => (await (await fetch("api/node/%d")).json()).source)()`, id))
					if strings.Contains(filepath.ToSlash(source), "/malformed/") {
						continue // what is refused has no picture to agree with
					}
					p.alike(source)
				}
				p.picture("corpus " + family + " " + format + ".png")
			}
		})
	}
}
