package batch_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/testdata/corpus"
)

// Of a folder, what cannot become what was asked for is passed over, and what was asked for by its name is refused.
func TestPassedOver(t *testing.T) {
	dir := t.TempDir()
	put := func(from, to string) string {
		t.Helper()
		to = filepath.Join(dir, to)
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, corpus.Bytes(t, from), 0o666); err != nil {
			t.Fatal(err)
		}
		return to
	}
	results := func(c batch.Conversion, operands ...string) map[string]batch.Status {
		t.Helper()
		all := map[string]batch.Status{}
		if err := c.Run(context.Background(), operands, func(r batch.Result) {
			if r.Status != batch.Opened {
				all[filepath.Base(r.Source)] = r.Status
			}
		}); err != nil {
			t.Fatal(err)
		}
		return all
	}
	mine := corpus.Testdata(t, "ultima9")
	bell := put(filepath.Join(mine, "bell.snd"), "in/bell.snd")
	picture := put(filepath.Join(mine, "small.picture"), "in/small.picture")
	in := filepath.Join(dir, "in")
	for to, want := range map[string]map[string]batch.Status{
		"png": {"bell.snd": batch.Skipped, "small.picture": batch.Done}, "wav": {"bell.snd": batch.Done, "small.picture": batch.Skipped},
		"": {"bell.snd": batch.Done, "small.picture": batch.Done},
	} {
		got := results(batch.Conversion{To: to, Out: filepath.Join(dir, "out", "to "+to)}, in)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("to %q: %s", to, d)
		}
	}
	for _, named := range [][]string{{bell}, {bell, picture}} {
		if got := results(batch.Conversion{To: "png", Out: filepath.Join(dir, "named", fmt.Sprint(len(named)))}, named...); got["bell.snd"] != batch.Failed {
			t.Errorf("asked for by its name: %v", got)
		}
	}

	// A folder of interchange files goes the way back: a picture of somebody else's has none.
	put(filepath.Join(corpus.Testdata(t, "ultimate3d"), "windmill.png"), "out/to /foreign.png")
	back := results(batch.Conversion{Out: filepath.Join(dir, "again")}, filepath.Join(dir, "out", "to "))
	if back["bell.wav"] != batch.Done || back["foreign.png"] != batch.Skipped {
		t.Errorf("the way back: %v", back)
	}
}
