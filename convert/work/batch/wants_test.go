package batch

import (
	"testing"

	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/format"
)

// TestWants: a leaf is taken for what its kind, or a view of it, can become.
func TestWants(t *testing.T) {
	f := func(name string) *format.Format {
		t.Helper()
		x := formats.ByName(name)
		if x == nil {
			t.Fatalf("there is no %s", name)
		}
		return x
	}
	for _, c := range []struct {
		from, to string
		want     bool
	}{
		{"cmp", "", true}, {"cmp", "glb", true}, {"cmp", "png", false}, {"cmp", "wav", false}, {"cmp", "u3d", true}, {"u3d", "cmp", true}, {"cmp", "json", true}, {"u9-sound", "wav", true}, {"u9-sound", "glb", false}, {"u9-sound", "u3d", false}, {"u9-sound", "nonsense", false}, {"cmp", "flx", true},
	} {
		b := &batch{Conversion: &Conversion{To: c.to}}
		if got := b.wants(f(c.from)); got != c.want {
			t.Errorf("%s to %q: %v", c.from, c.to, got)
		}
	}
	model, motion, sound := f("cmp"), f("anm"), f("u9-sound")
	for _, c := range []struct {
		a, b *format.Format
		want bool
	}{{model, f("u3d"), true}, {model, motion, true}, {motion, model, true}, {model, sound, false}, {sound, sound, true}, {sound, f("flx"), true}, {sound, motion, false}} {
		if got := mayBecome(c.a, c.b); got != c.want {
			t.Errorf("%s to %s: %v", c.a.Name, c.b.Name, got)
		}
	}
}
