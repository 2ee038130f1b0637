package browser

import (
	"path/filepath"
	"testing"

	"github.com/usher-assets/usher/cmd/usher/view"
)

func TestFirst(t *testing.T) {
	p := open(t, view.Config{Operands: []string{filepath.Join(testdata, "ultimate3d"), filepath.Join(testdata, "unreal"), filepath.Join(testdata, "ultima9")}})
	p.goTo("#n=1")
	p.picture("first.png")
	for _, n := range []string{"3","4","5","6"} {
		p.goTo("#n=" + n)
		p.ready(n)
		p.picture("n" + n + ".png")
	}
}
