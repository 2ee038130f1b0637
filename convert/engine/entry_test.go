package engine

import (
	"errors"
	"testing"

	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/testdata/corpus"
)

// TestReadEntry: an entry is read as what its archive says, or as what the user does; only pictures keep memory that is lent.
func TestReadEntry(t *testing.T) {
	for _, c := range []struct {
		file, entry string
		from        *format.Format
		want        string // the format, or empty for bytes that nobody knows
		scratch     bool
	}{
		{"freelancer/tiles.txm", "", nil, "", false},
		{"ultima9/sappear.flx", "3", nil, "sappear", false}, {"ultima9/bitmap16.flx", "1", nil, "u9-texture", true}, {"ultima9/bitmap16.flx", "1", formats.ByName("u9-text"), "u9-text", false},
	} {
		path := corpus.Testdata(t, c.file)
		l := &Loader{From: c.from}
		env := l.Env(path, nil)
		env.Scratch = new(format.Scratch)
		a, err := store.OpenArchive(path, nil, env)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		i := 0
		for k, e := range a.Entries() {
			if c.entry == e.Path || c.entry == "" && e.Format == nil {
				i = k
			}
		}
		payload, err := a.Payload(i)
		if err != nil {
			t.Fatal(err)
		}
		it, err := l.ReadEntry(a, i, payload, env)
		if c.want == "" {
			if !errors.Is(err, formats.ErrUnknown) {
				t.Errorf("%s: %v", c.file, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.file, err)
			continue
		}
		if it.Format.Name != c.want || (it.Env.Scratch != nil) != c.scratch || it.Size != int64(len(payload)) || string(it.Env.Stored) != string(payload) || it.Env.Entry != a.Entries()[i].Path || it.Env.Archive == nil || env.Archive != nil {
			t.Errorf("%s: %s, %+v", c.file, it.Format.Name, it.Env)
		}
		if d, err := l.Describe(Source{Path: path, Entry: c.entry}); err != nil || d.Format != c.want {
			t.Errorf("%s: %+v, %v", c.file, d, err)
		}
	}
}
