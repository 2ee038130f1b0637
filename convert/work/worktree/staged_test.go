package worktree_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/convert/work/worktree"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/faults"
)

// stagedName is what the folder "x" is called until it is whole.
const stagedName = ".usher-unfinished-x"

// killed unpacks pictures into a new folder, and is killed when one of three is in the journal and the second one half
// written.
func killed(t *testing.T) (archive, dir, staged string) {
	t.Helper()
	archive, parent := newTextures(t), t.TempDir()
	dir, staged = filepath.Join(parent, "x"), filepath.Join(parent, stagedName)
	appended, writes := 0, 0
	err := faults.Watch(func(step, path string) error {
		switch {
		case step == "append":
			appended++
		case step == "write" && appended == 1:
			writes++
		}
		if writes > 0 {
			return faults.ErrKilled
		}
		return nil
	}, func() error {
		return run(&worktree.Unpacking{Session: batch.Session{Workers: 1}}, archive, dir)
	})
	if err == nil || writes == 0 {
		t.Fatalf("not killed: %v", err)
	}
	for p, there := range map[string]bool{dir: false, staged: true, filepath.Join(staged, "0.png"): true, filepath.Join(staged, "1.png"): true} {
		if _, err := os.Lstat(p); there != (err == nil) {
			t.Errorf("%s: %v, there %v", p, err, there)
		}
	}
	return archive, dir, staged
}

func statuses(t *testing.T, job worktree.Unpacking, archive, dir string) map[batch.Status]int {
	t.Helper()
	status := map[batch.Status]int{}
	if err := job.Run(context.Background(), archive, dir, func(r batch.Result) { status[r.Status]++ }); err != nil {
		t.Fatal(err)
	}
	return status
}

// settled holds that a folder has its name and all files, and that nothing else is left.
func settled(t *testing.T, archive, dir, staged string) {
	t.Helper()
	if _, err := os.Lstat(staged); err == nil {
		t.Errorf("%s is left", staged)
	}
	want := unpack(t, archive, worktree.Unpacking{})
	for _, p := range folderFiles(t, want) {
		name, err := filepath.Rel(want, p)
		if err != nil {
			t.Fatal(err)
		}
		corpus.SameBytes(t, name, corpus.Bytes(t, filepath.Join(dir, name)), corpus.Bytes(t, p))
	}
	if a, b := len(folderFiles(t, dir)), len(folderFiles(t, want)); a != b {
		t.Errorf("%d files, want %d", a, b)
	}
	if done, _, err := pack(t, dir, worktree.Packing{}); err != nil || len(done.Changes) > 0 {
		t.Errorf("packed: %v, %v", done, err)
	}
}

// A folder has its name when it is whole. A killed run leaves it under another one, where the next goes on: what is in
// the journal is not done again, what is half written is.
func TestStagedGoesOn(t *testing.T) {
	archive, dir, staged := killed(t)
	if _, _, err := pack(t, dir, worktree.Packing{}); err == nil || !strings.Contains(err.Error(), "run it again") {
		t.Errorf("packed half a folder: %v", err)
	}
	dry := statuses(t, worktree.Unpacking{DryRun: true}, archive, dir)
	if dry[batch.UpToDate] != 1 || dry[batch.Planned] != 2 {
		t.Errorf("a dry run: %v", dry)
	}
	if now := statuses(t, worktree.Unpacking{}, archive, dir); now[batch.UpToDate] != 1 || now[batch.Done] != 2 {
		t.Errorf("the next run: %v", now)
	}
	settled(t, archive, dir, staged)
}

// A file that the journal knows is not trusted when its bytes are others: a run was killed that wrote it anew.
func TestStagedFileIsHeldAgainstTheJournal(t *testing.T) {
	archive, dir, staged := killed(t)
	writeFile(t, filepath.Join(staged, "0.png"), []byte("half"))
	if now := statuses(t, worktree.Unpacking{}, archive, dir); now[batch.Done] != 3 {
		t.Errorf("the next run: %v", now)
	}
	settled(t, archive, dir, staged)
}

// A run that copies is killed before it knows the hash of its archive. The next one holds each file against its entry: an
// archive may have changed and have its size and time.
func TestStagedIsHeldAgainstTheArchive(t *testing.T) {
	archive, parent := newTextures(t), t.TempDir()
	dir, staged := filepath.Join(parent, "x"), filepath.Join(parent, stagedName)
	appended := false
	err := faults.Watch(func(step, path string) error {
		if appended {
			return faults.ErrKilled
		}
		appended = step == "append"
		return nil
	}, func() error { return run(&worktree.Unpacking{Raw: true}, archive, dir) })
	journal := string(corpus.Bytes(t, filepath.Join(staged, ".usher-unpack-journal")))
	if head, _, _ := strings.Cut(journal, "\n"); err == nil || strings.Count(journal, "\n") != 4 || strings.Contains(head, "hash") {
		t.Fatalf("killed: %v, journal:\n%s", err, journal)
	}
	info, err := os.Stat(archive)
	if err != nil {
		t.Fatal(err)
	}
	b := corpus.Bytes(t, archive)
	b[bytes.Index(b, []byte{1, 0x10, 1, 0x10})]++
	writeFile(t, archive, b)
	if err := os.Chtimes(archive, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	if now := statuses(t, worktree.Unpacking{Raw: true}, archive, dir); now[batch.UpToDate] != 2 || now[batch.Done] != 1 {
		t.Errorf("the next run: %v", now)
	}
	for _, slot := range []string{"0", "1", "3"} {
		corpus.SameBytes(t, slot, corpus.Bytes(t, filepath.Join(dir, slot+".bin")), entry(t, archive, slot))
	}
	if done, _, err := pack(t, dir, worktree.Packing{}); err != nil || len(done.Changes) > 0 {
		t.Errorf("packed: %v, %v", done, err)
	}
}

// A folder that somebody makes meanwhile is not replaced; what was left for it goes away with the next run.
func TestStagedGivesWay(t *testing.T) {
	archive, dir, staged := killed(t)
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "notes.md"), []byte("mine"))
	if now := statuses(t, worktree.Unpacking{}, archive, dir); now[batch.Done] != 3 {
		t.Errorf("the next run: %v", now)
	}
	corpus.SameBytes(t, "notes.md", corpus.Bytes(t, filepath.Join(dir, "notes.md")), []byte("mine"))
	if _, err := os.Lstat(staged); err == nil {
		t.Errorf("%s is left", staged)
	}

	archive, dir = newTextures(t), filepath.Join(t.TempDir(), "x")
	err := faults.Watch(func(step, path string) error {
		if step == "append" {
			_ = os.Mkdir(dir, 0o777)
			return os.WriteFile(filepath.Join(dir, "notes.md"), []byte("mine"), 0o666)
		}
		return nil
	}, func() error { return run(&worktree.Unpacking{}, archive, dir) })
	if err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("a folder that was made while it was unpacked: %v", err)
	}
	corpus.SameBytes(t, "notes.md", corpus.Bytes(t, filepath.Join(dir, "notes.md")), []byte("mine"))
}

// Two runs that make one folder are one too many.
func TestStagedOnce(t *testing.T) {
	archive, dir := newTextures(t), filepath.Join(t.TempDir(), "x")
	var second error
	err := faults.Watch(func(step, path string) error {
		if step == "append" && second == nil {
			second = errors.New("it began")
			second = run(&worktree.Unpacking{}, archive, dir)
		}
		return nil
	}, func() error { return run(&worktree.Unpacking{}, archive, dir) })
	if err != nil || !errors.Is(second, disk.ErrInUse) {
		t.Errorf("%v; the second: %v", err, second)
	}
	settled(t, archive, dir, filepath.Join(filepath.Dir(dir), stagedName))
}

// A run that takes nothing out leaves nothing.
func TestStagedNothing(t *testing.T) {
	archive, parent := newTextures(t), t.TempDir()
	job := worktree.Unpacking{Selection: batch.Selection{Include: []string{"none"}}}
	if err := run(&job, archive, filepath.Join(parent, "new", "x")); err == nil {
		t.Error("nothing matches, and nobody says so")
	}
	if left, err := os.ReadDir(parent); err != nil || len(left) > 0 {
		t.Errorf("%v is left (%v)", left, err)
	}
}
