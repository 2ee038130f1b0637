package batch_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/faults"
)

// convertAll runs a conversion and returns all that went wrong.
func convertAll(c batch.Conversion, operands ...string) error {
	c.Session.Workers = 1
	var failed error
	err := c.Run(context.Background(), operands, func(r batch.Result) { failed = errors.Join(failed, r.Err) })
	return errors.Join(err, failed)
}

// TestFaults tries conversions with every fault at every step.
func TestFaults(t *testing.T) {
	archive := corpus.Testdata(t, "ultima9", "bitmap16.flx")
	few := batch.Selection{Include: []string{"1", "2", "10"}} // the last one has several pictures
	want := faults.Folder(t)
	if err := convertAll(batch.Conversion{Out: want + "/", Selection: few}, archive); err != nil {
		t.Fatal(err)
	}
	picture := corpus.Bytes(t, filepath.Join(want, "1.png"))
	same := func(names ...string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			for _, name := range names {
				corpus.SameBytes(t, name, corpus.Bytes(t, filepath.Join(dir, "out", name)), corpus.Bytes(t, filepath.Join(want, name)))
			}
		}
	}
	// whole holds that what stands under a name is all of it, or what was there before.
	whole := func(t *testing.T, dir string) {
		written, err := filepath.Glob(filepath.Join(dir, "out", "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range written {
			if disk.IsTemporary(filepath.Base(p)) {
				continue
			}
			b := corpus.Bytes(t, p)
			expected, err := os.ReadFile(filepath.Join(want, filepath.Base(p)))
			if err == nil && filepath.Base(p) != batch.RecordName && !bytes.Equal(b, expected) && string(b) != "earlier" {
				t.Errorf("%s is torn", p)
			}
		}
	}
	earlier := func(t *testing.T, dir string) {
		for _, name := range []string{"1.png", "2.png"} {
			p := filepath.Join(dir, "out", name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o777), os.WriteFile(p, []byte("earlier"), 0o666)); err != nil {
				t.Fatal(err)
			}
		}
	}
	nothing := func(*testing.T, string) {}
	for _, c := range []faults.Case{
		{Name: "batch", Prepare: nothing, Whole: whole, Done: same("1.png", "1.usher.json", "10.f002.png"), Do: func(dir string) error {
			return convertAll(batch.Conversion{Out: filepath.Join(dir, "out") + "/", Selection: few}, archive)
		}},
		{Name: "batch over others", Prepare: earlier, Whole: whole, Done: same("1.png", "2.png", "2.usher.json"), Do: func(dir string) error {
			return convertAll(batch.Conversion{Out: filepath.Join(dir, "out") + "/", Selection: few, Force: true}, archive)
		}},
		{Name: "single over another", Prepare: earlier, Whole: whole, Done: func(t *testing.T, dir string) {
			corpus.SameBytes(t, "1.png", corpus.Bytes(t, filepath.Join(dir, "out", "1.png")), picture)
		}, Do: func(dir string) error {
			return convertAll(batch.Conversion{Out: filepath.Join(dir, "out", "1.png"), Force: true}, archive+":1")
		}},
	} {
		c.Try(t)
	}
}
