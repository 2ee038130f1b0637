package worktree_test

import (
	"context"
	"errors"
	"image/color"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/convert/work/worktree"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/faults"
)

// What editors and systems leave is passed over, and so is what .usherignore names and what is not selected.
func TestPackPassesOver(t *testing.T) {
	faults.Careless(t)
	_, dir := rawFolder(t)
	for _, name := range []string{
		"1.blend", "1.blend1", "2.xcf", "2.psd", "2.kra", "2.bin~", "Thumbs.db", "desktop.ini", ".DS_Store", ".git/config",
		"drafts/2.bin", "2.tiff", "notes.txt", "other.bin",
	} {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		writeFile(t, p, []byte(name))
	}
	writeFile(t, filepath.Join(dir, ".usherignore"), []byte("# mine\ndrafts/\r\n*.tiff\n!keep.tiff\n"))
	p := worktree.Packing{Selection: batch.Selection{Exclude: []string{"*.txt", "other.bin"}}}
	done, _, err := pack(t, dir, p)
	if err != nil || len(done.Changes) > 0 {
		t.Errorf("%v, %v", actions(done), err)
	}
	// An edited file that is not selected counts as unchanged.
	writeFile(t, filepath.Join(dir, "1.bin"), []byte("edit"))
	p.Selection.Exclude = append(p.Selection.Exclude, "1.*")
	if done, _, err = pack(t, dir, p); err != nil || len(done.Changes) > 0 {
		t.Errorf("not selected: %v, %v", actions(done), err)
	}
}

// All that is wrong is told at once, with file and entry, and nothing is written; or, if asked for, the rest is.
func TestPackTellsAll(t *testing.T) {
	faults.Careless(t)
	archive := newTextures(t)
	dir := unpack(t, archive, worktree.Unpacking{})
	writeFile(t, filepath.Join(dir, "0.png"), []byte("no picture"))
	writeFile(t, filepath.Join(dir, "2.wav"), []byte("no sound"))
	writeFile(t, filepath.Join(dir, "3.png"), []byte("no picture either"))
	paintPNG(t, filepath.Join(dir, "1.png"), color.NRGBA{255, 0, 0, 255})
	for _, keep := range []bool{false, true} {
		done, out, err := pack(t, dir, worktree.Packing{KeepGoing: keep})
		var failed worktree.FailedError
		if keep != (err == nil) || !keep && !errors.As(err, &failed) {
			t.Errorf("keep going %v: %v", keep, err)
		}
		var said []string
		for _, f := range done.Failures {
			said = append(said, f.File+" "+f.Entry)
		}
		if !slices.Equal(said, []string{"0.png 0", "3.png 3", "2.wav "}) {
			t.Errorf("keep going %v: %q", keep, said)
		}
		if _, err := os.Stat(out); (err == nil) != keep {
			t.Errorf("keep going %v: the archive: %v", keep, err)
		}
		if keep && !slices.Equal(actions(done), []string{"replaced 1"}) {
			t.Errorf("kept going: %v", actions(done))
		}
	}
	// What was left out of the archive is still an edit for the next run.
	job := worktree.Packing{KeepGoing: true, Force: true}
	if _, err := job.Run(context.Background(), dir, archive, new(schema.Diagnostics)); err != nil {
		t.Fatal(err)
	}
	if done, _, err := pack(t, dir, worktree.Packing{}); err == nil || len(done.Failures) != 3 {
		t.Errorf("the next run: %v, %v", done, err)
	}
}

// Only regular files are read: what has no end is refused, and so is a link, unless it is to be followed.
func TestPackReadsRegularFilesOnly(t *testing.T) {
	faults.Careless(t)
	secret := filepath.Join(t.TempDir(), "secret.bin")
	writeFile(t, secret, []byte("secret"))
	for name, lay := range map[string]func(p string) error{
		"it is no regular file":    makeFIFO,
		"it is a symbolic link":    func(p string) error { return os.Symlink(secret, p) },
		"it is a symbolic link; -": func(p string) error { return os.Symlink("/dev/zero", p) },
	} {
		want, _, _ := strings.Cut(name, "; -")
		for _, file := range []string{"1.bin", "2.bin"} { // an entry's, and a new one
			_, dir := rawFolder(t)
			p := filepath.Join(dir, file)
			_ = os.Remove(p)
			corpus.Allowed(t, lay(p))
			if _, _, err := pack(t, dir, worktree.Packing{}); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %s: got %v", file, name, err)
			}
			follow := worktree.Packing{FollowLinks: true}
			done, out, err := pack(t, dir, follow)
			if to, _ := os.Readlink(p); to == secret {
				if err != nil || len(done.Changes) != 1 {
					t.Errorf("%s followed: %v, %v", file, done, err)
					continue
				}
				corpus.SameBytes(t, file, entry(t, out, strings.TrimSuffix(file, ".bin")), []byte("secret"))
			} else if err == nil || !strings.Contains(err.Error(), "no regular file") {
				t.Errorf("%s followed: %s: %v", file, name, err)
			}
		}
	}
}

// A file whose title somebody has changed is still the file of its entry.
func TestPackRenamedTitle(t *testing.T) {
	faults.Careless(t)
	dir := unpack(t, corpus.Testdata(t, "ultima9", "typename.flx"), worktree.Unpacking{})
	old := ""
	for _, p := range folderFiles(t, dir) {
		if strings.Contains(filepath.Base(p), "_") && filepath.Ext(p) == ".json" {
			old = p
		}
	}
	if old == "" {
		t.Fatal("no entry has a title")
	}
	slot, _, _ := strings.Cut(filepath.Base(old), "_")
	renamed := filepath.Join(dir, slot+"_another name.json")
	if err := os.Rename(old, renamed); err != nil {
		t.Fatal(err)
	}
	done, out, err := pack(t, dir, worktree.Packing{})
	if err != nil || len(done.Changes) > 0 {
		t.Errorf("%v, %v", actions(done), err)
	}
	corpus.SameBytes(t, "typename.flx", corpus.Bytes(t, out), corpus.Bytes(t, corpus.Testdata(t, "ultima9", "typename.flx")))
	writeFile(t, filepath.Join(dir, slot+"_third.json"), corpus.Bytes(t, renamed))
	if _, _, err := pack(t, dir, worktree.Packing{}); err == nil || !strings.Contains(err.Error(), "could all be this entry") {
		t.Errorf("two of them: %v", err)
	}
}
