package convert_test

import (
	"bytes"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/testdata/corpus"
)

// TestOtherCase puts every entry of every archive of testdata under its path in letters of the other case: renamed, taken out and
// added, and added beside itself. The archive that is written has it there, or what became of it was said.
func TestOtherCase(t *testing.T) {
	counts := map[string]int{}
	for family := range families {
		err := filepath.WalkDir(corpus.Testdata(t, family), func(p string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			b := corpus.Bytes(t, p)
			if f := sniff(p, b); f != nil && f.Open != nil {
				t.Run(family+"/"+filepath.Base(p), func(t *testing.T) { (&archived{f, p, b}).inOtherCase(t, counts) })
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Log(counts)
	for _, what := range []string{"renamed arrived", "renamed told", "moved arrived", "moved refused", "added refused"} {
		if counts[what] == 0 {
			t.Errorf("nothing was %s", what)
		}
	}
}

func (x *archived) inOtherCase(t *testing.T, counts map[string]int) {
	entries := x.open(t, x.content, nil).Entries()
	for i := range entries {
		path, _, _ := strings.Cut(entries[i].Path, "@")
		for _, edit := range []string{"renamed", "moved", "added"} {
			to := otherCase(path)
			if edit != "renamed" { // what is added goes into the group or folder that is there
				own := strings.LastIndexAny(path, "/.") + 1
				to = path[:own] + otherCase(path[own:])
			}
			if to == path || strings.ContainsRune(path, '%') || strings.HasPrefix(path, "0x") { // digits are none
				continue
			}
			d := new(schema.Diagnostics)
			a := x.open(t, x.content, d)
			payload, err := a.Payload(i)
			if err != nil || edit == "renamed" && a.Abilities().Rename == nil {
				continue
			}
			place, f := to, entries[i].Format
			if able := a.Abilities(); able.Place != nil && edit != "renamed" { // which says where it goes
				place = able.Place(to, payload, f)
			}
			var n int
			switch edit {
			case "renamed":
				n, err = len(a.Entries()), a.Abilities().Rename(i, to)
			case "moved":
				err = a.Remove(i)
				n = len(a.Entries()) + 1
				err = firstOf(err, a.Add(to, payload, f))
			case "added":
				n, err = len(a.Entries())+1, a.Add(to, payload, f)
			}
			if err != nil {
				counts[edit+" refused"]++
				continue
			}
			paths := x.writtenPaths(t, a)
			switch {
			case slices.Contains(paths, place) && len(paths) >= n:
				counts[edit+" arrived"]++
			case len(d.All()) > 0:
				counts[edit+" told"]++
			default:
				t.Errorf("%s %s as %s: it is not there, nothing was said, and %d entries are %d", entries[i].Path, edit, to, n, len(paths))
			}
		}
	}
}

// writtenPaths returns the paths of an archive when it is written and read again.
func (x *archived) writtenPaths(t *testing.T, a format.ArchiveFile) (paths []string) {
	var w bytes.Buffer
	if _, err := a.WriteTo(&w); err != nil {
		t.Fatal(err)
	}
	for _, e := range x.open(t, w.Bytes(), nil).Entries() {
		path, _, _ := strings.Cut(e.Path, "@")
		paths = append(paths, path)
	}
	return paths
}
