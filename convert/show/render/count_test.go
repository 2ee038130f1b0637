package render_test

import (
	"slices"
	"testing"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/show/render"
	"github.com/usher-assets/usher/schema"
)

// TestCounts: a picture of a model has as many triangles as are told of it, of every model.
func TestCounts(t *testing.T) {
	for _, family := range families {
		t.Run(family, func(t *testing.T) {
			for _, m := range models(t, family) {
				s := m.scene(t)
				for show := scene.Show(0); show <= scene.ShowAll; show += scene.ShowAll {
					n, _, err := scene.Count(scene.Seen(s, show))
					if err != nil || n == 0 {
						continue
					}
					p, err := render.Model(s, render.Options{Width: 8, Height: 8, Show: show})
					if err != nil {
						t.Fatal(err)
					}
					if want := schema.Counted(n, "triangle", "triangles"); !slices.Contains(p.Facts, want) {
						t.Errorf("%s, show %05b: %v are drawn, want %s", m.name, show, p.Facts, want)
					}
				}
			}
		})
	}
}
