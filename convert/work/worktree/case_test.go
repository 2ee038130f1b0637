package worktree_test

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/work/worktree"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/testdata/faults"
)

// TestFilesInOtherCase renames files of the folder of every archive of testdata in letter case alone: what comes of it is
// a change, a failure or a word, and without any of them the archive has all payloads that it had.
func TestFilesInOtherCase(t *testing.T) {
	faults.Careless(t)
	counts := map[string]int{}
	for _, archive := range archives(t) {
		dir := filepath.Join(t.TempDir(), "folder")
		unpacked(t, archive, dir)
		files := slices.Sorted(maps.Keys(tree(t, dir)))
		for i, path := range files {
			if i%(1+len(files)/12) > 0 { // of large archives some
				continue
			}
			name, err := filepath.Rel(dir, path)
			if err != nil {
				t.Fatal(err)
			}
			to := filepath.Join(filepath.Dir(name), otherCase(filepath.Base(name)))
			if name == worktree.ManifestName || to == name {
				continue
			}
			if err := os.Rename(filepath.Join(dir, name), filepath.Join(dir, to)); err != nil {
				t.Fatal(err)
			}
			for _, prune := range []bool{false, true} {
				counts[inOtherCase(t, archive, dir, name, prune)]++
			}
			if err := os.Rename(filepath.Join(dir, to), filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Log(counts)
	if counts["changed"] < 50 || counts["refused"] < 50 {
		t.Errorf("%v", counts)
	}
}

// otherCase returns the name of a file whose stem has letters of the other case.
func otherCase(name string) string {
	stem, ext, _ := strings.Cut(name, ".")
	flip := func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}
	return strings.TrimSuffix(strings.Map(flip, stem)+"."+ext, ".")
}

// inOtherCase packs a folder in which a file has another name, and returns what came of it.
func inOtherCase(t *testing.T, archive, dir, name string, prune bool) string {
	out := filepath.Join(t.TempDir(), filepath.Base(archive))
	d := new(schema.Diagnostics)
	job := worktree.Packing{Prune: prune}
	done, err := job.Run(context.Background(), dir, out, d)
	if err != nil || len(done.Failures) > 0 {
		return "refused"
	}
	was, now := payloads(t, archive), payloads(t, out)
	lost := slices.DeleteFunc(was, func(b string) bool { return slices.Contains(now, b) })
	removed := slices.ContainsFunc(done.Changes, func(c worktree.Change) bool { return c.Action == "removed" || c.Action == "replaced" })
	switch {
	case len(lost) > 0 && !removed:
		t.Errorf("%s: %s, prune %v: %d payloads are gone; %+v, said %v", archive, name, prune, len(lost), done.Changes, d.All())
	case len(done.Changes) > 0:
		return "changed"
	case len(d.All()) > 0:
		return "told"
	default:
		t.Errorf("%s: %s, prune %v: nothing came of it, and nothing was said", archive, name, prune)
	}
	return "silent"
}

// payloads returns what the entries of an archive hold.
func payloads(t *testing.T, path string) (list []string) {
	a, err := store.OpenAny(path, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	for i := range a.Entries() {
		b, err := a.Portable(i)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, string(b))
	}
	return list
}
