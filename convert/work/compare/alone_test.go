package compare

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/testdata/corpus"
)

// TestAlone: what came is drawn on the side of after, what went on that of before, files and entries alike; what is raw, an
// archive or cannot be read is not drawn, and is told of all the same.
func TestAlone(t *testing.T) {
	dir := t.TempDir()
	for name, from := range map[string]string{"a/gone.snd": "ultima9/bell.snd", "b/new.u3d": "ultimate3d/ball.u3d", "b/whole.flx": "ultima9/sappear.flx", "b/text.x": ""} {
		b := []byte("text")
		var err error
		if from != "" {
			b, err = os.ReadFile(corpus.Testdata(t, from))
		}
		if err == nil {
			err = os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o777)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), b, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, sides := range [][2]string{{filepath.Join(dir, "a"), filepath.Join(dir, "b")}, {corpus.Testdata(t, "unreal/letters61.utx"), corpus.Testdata(t, "unreal/pictures.utx")}} {
		var mu sync.Mutex
		marks := map[*Pictures]Status{}
		job := &Comparison{Draw: func(before, after *interchange.Item) *Pictures {
			p, s := new(Pictures), Changed
			switch {
			case before == nil:
				s = Added
			case after == nil:
				s = Removed
			}
			mu.Lock()
			defer mu.Unlock()
			marks[p] = s
			return p
		}}
		drawn := map[Status]int{}
		err := job.Run(context.Background(), sides[0], sides[1], func(e Entry) {
			mu.Lock()
			defer mu.Unlock()
			if e.Status == Failed {
				t.Errorf("%s: %v", e.Path, e.Err)
			}
			if e.Pictures == nil {
				if (e.Kind == format.Texture || e.Kind == format.Sound || e.Kind == format.Model) && e.Status != Same && e.Status != Renamed {
					t.Errorf("%s, %s: not drawn", e.Path, e.Status)
				}
				return
			}
			if e.Kind == format.Raw || e.Kind == format.Archive {
				t.Errorf("%s of kind %s is drawn", e.Path, e.Kind)
			}
			if marks[e.Pictures] != e.Status {
				t.Errorf("%s, %s: drawn as %s", e.Path, e.Status, marks[e.Pictures])
			}
			drawn[e.Status]++
		})
		if err != nil || drawn[Added] == 0 || drawn[Removed] == 0 {
			t.Errorf("%s: %v, %v", sides[1], drawn, err)
		}
	}
}
