package worktree_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/work/worktree"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/testdata/corpus"
)

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
	throughPatch(t, what, archive, out)
	return true
}

// TestPatchOfForeignModels: each model of each package is added to each other one, with whatever textures and motions it brings
// along. The patch between the two, put onto the first, gives the bytes of the second.
func TestPatchOfForeignModels(t *testing.T) {
	folders := map[string]string{}
	var models []string
	for _, archive := range archives(t) {
		if f, _ := interchange.SniffFile(archive); f == nil || f.Name != "unreal-package" {
			continue
		}
		folders[archive] = filepath.Join(t.TempDir(), "folder")
		unpacked(t, archive, folders[archive])
		found, err := filepath.Glob(filepath.Join(folders[archive], "*.glb"))
		if err != nil {
			t.Fatal(err)
		}
		models = append(models, found...)
	}
	added := 0
	for _, model := range models {
		b := corpus.Bytes(t, model)
		for archive, folder := range folders {
			if filepath.Dir(model) == folder {
				continue
			}
			what := filepath.Base(model) + " into " + filepath.Base(archive)
			foreign := filepath.Join(folder, "foreign.glb")
			if err := os.WriteFile(foreign, b, 0o666); err != nil {
				t.Fatal(err)
			}
			if patchAddition(t, what, archive, folder, "foreign.glb", "Newone.glb") {
				added++
			}
			if err := os.Remove(foreign); err != nil {
				t.Fatal(err)
			}
		}
	}
	if added < 40 {
		t.Errorf("%d models were added", added)
	}
	t.Log("additions:", added)
}
