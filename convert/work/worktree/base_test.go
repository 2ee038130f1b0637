package worktree_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/work/worktree"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/faults"
)

// TestPutAll: the folder of every archive of testdata, without its manifest, goes into a copy of the archive: every file is
// the entry that it came from, and gives its bytes. Any one file alone does not lose the others.
func TestPutAll(t *testing.T) {
	faults.Careless(t)
	whole, single := 0, 0
	for _, archive := range archives(t) {
		dir := filepath.Join(t.TempDir(), "folder")
		unpacked(t, archive, dir)
		if err := os.Remove(filepath.Join(dir, worktree.ManifestName)); err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(t.TempDir(), filepath.Base(archive))
		job := worktree.Packing{Base: archive}
		done, err := job.Run(context.Background(), dir, out, new(schema.Diagnostics))
		if err != nil || len(done.Changes) > 0 {
			t.Errorf("%s: %v, %+v", archive, err, done)
			continue
		}
		corpus.SameBytes(t, archive, corpus.Bytes(t, out), corpus.Bytes(t, archive))
		whole++
		first := true
		filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || interchange.PictureFrame(filepath.Base(p)) >= 0 || !first {
				return err
			}
			first = false
			rel, _ := filepath.Rel(dir, p)
			mod := filepath.Join(t.TempDir(), "mod")
			if err := os.MkdirAll(filepath.Dir(filepath.Join(mod, rel)), 0o777); err != nil {
				t.Fatal(err)
			}
			writeFile(t, filepath.Join(mod, rel), corpus.Bytes(t, p))
			out := filepath.Join(t.TempDir(), filepath.Base(archive))
			job := worktree.Packing{Base: archive}
			if _, err := job.Run(context.Background(), mod, out, new(schema.Diagnostics)); err != nil {
				t.Errorf("%s: %s alone: %v", archive, rel, err)
				return nil
			}
			corpus.SameBytes(t, archive+" "+rel, corpus.Bytes(t, out), corpus.Bytes(t, archive))
			single++
			return nil
		})
	}
	t.Log("folders:", whole, "single files:", single)
	if whole < 20 || single < 15 {
		t.Errorf("%d folders, %d single files", whole, single)
	}
}

// newPatch makes a patch of two archives that has a file in a folder of its own.
func newPatch(t *testing.T) (a, dir string, files []string) {
	a = corpus.Testdata(t, "freelancer", "tiles.txm")
	work := filepath.Join(t.TempDir(), "folder")
	unpacked(t, a, work)
	b := filepath.Join(t.TempDir(), "tiles.txm")
	filepath.WalkDir(work, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && d.Name() != worktree.ManifestName && len(files) < 2 && editFile(t, p) {
			files = append(files, p)
		}
		return err
	})
	files = nil
	pack := worktree.Packing{Base: a}
	if _, err := pack.Run(context.Background(), work, b, new(schema.Diagnostics)); err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(t.TempDir(), "patch")
	patching := worktree.Patching{}
	if _, err := patching.Run(context.Background(), a, b, dir, new(schema.Diagnostics)); err != nil {
		t.Fatal(err)
	}
	filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && d.Name() != worktree.ManifestName {
			rel, _ := filepath.Rel(dir, p)
			files = append(files, rel)
		}
		return err
	})
	if len(files) == 0 || filepath.Dir(files[0]) == "." {
		t.Fatalf("the patch holds %q", files)
	}
	return a, dir, files
}

// TestPatchOfStrangers: every file of a patch, and the folder that it is in, is replaced by what leads elsewhere, never
// ends, or is none. It is refused by name, and nothing is written. So it is in an unpacked folder.
func TestPatchOfStrangers(t *testing.T) {
	faults.Careless(t)
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.Mkdir(secret, 0o777); err != nil {
		t.Fatal(err)
	}
	lay := []struct {
		name string
		do   func(p string) error
	}{
		{"a link out", func(p string) error { return os.Symlink(filepath.Join(secret, "file"), p) }},
		{"a link to a device", func(p string) error { return os.Symlink("/dev/zero", p) }},
		{"a link inside", func(p string) error { return os.Symlink(worktree.ManifestName, p) }},
		{"a link to nothing", func(p string) error { return os.Symlink("nothing", p) }},
		{"a pipe", makeFIFO},
		{"a folder", func(p string) error { return os.Mkdir(p, 0o777) }},
		{"nothing", func(string) error { return nil }},
		{"a folder that is a link", func(p string) error {
			dir := filepath.Dir(p)
			if err := os.WriteFile(filepath.Join(secret, filepath.Base(p)), []byte("secret"), 0o666); err != nil {
				return err
			}
			if err := os.RemoveAll(dir); err != nil {
				return err
			}
			return os.Symlink(secret, dir)
		}},
	}
	cases := 0
	for _, l := range lay {
		a, _, files := newPatch(t)
		folder := filepath.Join(t.TempDir(), "folder")
		unpacked(t, a, folder)
		named := func(file string) string {
			if l.name == "a folder that is a link" {
				return filepath.Dir(file)
			}
			return file
		}
		for _, file := range files[:min(2, len(files))] {
			for _, follow := range []bool{false, true} {
				a, dir, _ := newPatch(t)
				if err := os.Remove(filepath.Join(dir, file)); err != nil {
					t.Fatal(err)
				}
				corpus.Allowed(t, l.do(filepath.Join(dir, file)))
				refusedPack(t, fmt.Sprintf("patch, %s, %s, %v", file, l.name, follow), worktree.Packing{Base: a, FollowLinks: follow}, dir, named(file))
				cases++
			}
		}
		if l.name == "nothing" { // the entry stays
			continue
		}
		var inside []string
		filepath.WalkDir(folder, func(p string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && filepath.Dir(p) != folder {
				inside = append(inside, p)
			}
			return err
		})
		p := inside[0]
		if err := os.Remove(p); err != nil {
			t.Fatal(err)
		}
		if err := l.do(p); err != nil {
			t.Fatal(err)
		}
		refusedPack(t, "folder, "+l.name, worktree.Packing{}, folder, named(p))
		cases++
	}
	t.Log("cases refused:", cases)
}

// refusedPack holds that packing fails, names a file and writes nothing.
func refusedPack(t *testing.T, what string, job worktree.Packing, dir, file string) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out.txm")
	_, err := job.Run(context.Background(), dir, out, new(schema.Diagnostics))
	if err == nil || !strings.Contains(err.Error(), filepath.Base(file)) {
		t.Errorf("%s: %v", what, err)
	}
	if _, err := os.Stat(out); err == nil {
		t.Errorf("%s: something is written", what)
	}
}

// TestPatchAfter: a patch whose files, or what it says that they become, were damaged on their way is refused: each entry,
// by name.
func TestPatchAfter(t *testing.T) {
	faults.Careless(t)
	a, dir, _ := newPatch(t)
	name := filepath.Join(dir, worktree.ManifestName)
	manifest := string(corpus.Bytes(t, name))
	const key = `"after":"`
	tried := 0
	for at := strings.Index(manifest, key); at >= 0; tried++ {
		start := at + len(key)
		end := start + strings.IndexByte(manifest[start:], '"')
		for _, hash := range []string{"", "xxhash64:0000000000000000", "nonsense"} {
			writeFile(t, name, []byte(manifest[:start]+hash+manifest[end:]))
			refusedPack(t, "after "+hash, worktree.Packing{Base: a}, dir, "does not become what the patch says")
		}
		next := strings.Index(manifest[end:], key)
		if next < 0 {
			break
		}
		at = end + next
	}
	if tried == 0 {
		t.Error("the manifest has no such field")
	}
	writeFile(t, name, []byte(manifest))
	job := worktree.Packing{Base: a}
	if _, err := job.Run(context.Background(), dir, filepath.Join(t.TempDir(), "out.txm"), new(schema.Diagnostics)); err != nil {
		t.Errorf("as it was: %v", err)
	}
}

// TestPatchBack: every patch of one edit, made to be taken back, gives the bytes of both sides; one that does not hold what
// was there says so, and undoes what it can.
func TestPatchBack(t *testing.T) {
	faults.Careless(t)
	tried := 0
	for _, archive := range archives(t) {
		work := filepath.Join(t.TempDir(), "folder")
		unpacked(t, archive, work)
		edited := false
		filepath.WalkDir(work, func(p string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && d.Name() != worktree.ManifestName && !edited {
				edited = editFile(t, p)
			}
			return err
		})
		b := filepath.Join(t.TempDir(), filepath.Base(archive))
		job := worktree.Packing{Base: archive}
		if done, err := job.Run(context.Background(), work, b, new(schema.Diagnostics)); err != nil || len(done.Changes) == 0 {
			continue
		}
		for _, reversible := range []bool{true, false} {
			dir := filepath.Join(t.TempDir(), "patch")
			patching := worktree.Patching{Reversible: reversible}
			made, err := patching.Run(context.Background(), archive, b, dir, new(schema.Diagnostics))
			if err != nil {
				t.Errorf("%s: %v", archive, err)
				continue
			}
			out := filepath.Join(t.TempDir(), filepath.Base(archive))
			back := worktree.Packing{Base: b, Reverse: true}
			done, err := back.Run(context.Background(), dir, out, new(schema.Diagnostics))
			switch {
			case !reversible:
				lost := slices.ContainsFunc(made.Entries, func(e worktree.ManifestEntry) bool { return e.Action == "change" || e.Action == "remove" })
				said := err != nil && strings.Contains(err.Error(), "does not hold what it was")
				for _, x := range done.Conflicts {
					said = said || strings.Contains(x.Reason, "does not hold what it was")
				}
				if lost != said {
					t.Errorf("%s: what the patch does not hold is lost: %v, said: %v (%v)", archive, lost, said, err)
				}
			case err != nil || len(done.Conflicts) > 0:
				t.Errorf("%s, back: %v, %+v", archive, err, done)
			case made.Back:
				corpus.SameBytes(t, archive+", back", corpus.Bytes(t, out), corpus.Bytes(t, archive))
				tried++
			}
		}
	}
	if t.Log("patches taken back, byte for byte:", tried); tried < 12 {
		t.Errorf("%d", tried)
	}
}
