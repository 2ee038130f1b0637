package worktree_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/work/worktree"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/testdata/corpus"
)

// noPatch are additions that no patch holds yet: each is made with other entries, which a patch would add a second time. They are
// refused, and the entry is named.
var noPatch = map[string]bool{"tent.u: Tent.glb as Newone": true, "worm.u: Beasts.Worm.glb as Newone": true}

// TestPatchOfAdditions: a copy of one file of each kind of each archive is added as a new entry, and the archive packed. The patch
// between the two, put onto the first, gives the bytes of the second.
func TestPatchOfAdditions(t *testing.T) {
	added := map[string]int{}
	for _, archive := range archives(t) {
		folder := filepath.Join(t.TempDir(), "folder")
		unpacked(t, archive, folder)
		files, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		tried := map[string]bool{}
		for _, f := range files {
			ext := filepath.Ext(f.Name())
			if f.IsDir() || tried[ext] || strings.HasSuffix(f.Name(), ".usher.json") || f.Name() == worktree.ManifestName {
				continue
			}
			tried[ext] = true
			for _, name := range []string{"Newone", "900"} {
				what := filepath.Base(archive) + ": " + f.Name() + " as " + name
				if patchAddition(t, what, archive, folder, f.Name(), name+ext) {
					added[ext]++
					break
				}
			}
		}
	}
	for _, ext := range []string{".png", ".wav", ".json", ".glb", ".uc"} {
		if added[ext] == 0 {
			t.Errorf("no %s was added", ext)
		}
	}
	t.Log("additions:", added)
}

// patchAddition reports whether an archive takes a copy of a file as a new entry.
func patchAddition(t *testing.T, what, archive, folder, file, name string) bool {
	t.Helper()
	at := filepath.Join(folder, name)
	if err := os.WriteFile(at, corpus.Bytes(t, filepath.Join(folder, file)), 0o666); err != nil {
		t.Fatal(err)
	}
	defer os.Remove(at)
	out := filepath.Join(t.TempDir(), filepath.Base(archive))
	packing := worktree.Packing{}
	packed, err := packing.Run(context.Background(), folder, out, new(schema.Diagnostics))
	if err != nil || packed.Failures != nil || len(packed.Changes) == 0 {
		return false
	}
	if noPatch[what] {
		_, err := new(worktree.Patching).Run(context.Background(), archive, out, filepath.Join(t.TempDir(), "patch"), new(schema.Diagnostics))
		if err == nil || !strings.Contains(err.Error(), "Newone") {
			t.Errorf("%s: %v, want a refusal that names it", what, err)
		}
		return true
	}
	throughPatch(t, what, archive, out)
	return true
}
