package worktree_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/work/worktree"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/faults"
)

func undo(archive string) (worktree.Undone, error) {
	return new(worktree.Undoing).Run(context.Background(), archive)
}

// TestUndo: every archive of testdata is packed over three times, from its folder, from a folder that nothing remembers and
// from one file; going back gives its bytes of each time, and those of before the first in the end.
func TestUndo(t *testing.T) {
	faults.Careless(t)
	tried := 0
	for _, from := range archives(t) {
		dir := t.TempDir()
		archive, folder := filepath.Join(dir, filepath.Base(from)), filepath.Join(dir, "folder")
		writeFile(t, archive, corpus.Bytes(t, from))
		unpacked(t, archive, folder)
		var edited []string
		filepath.WalkDir(folder, func(p string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() && d.Name() != worktree.ManifestName {
				edited = append(edited, p)
			}
			return err
		})
		var states [][]byte
		for _, p := range edited {
			was := corpus.Bytes(t, archive)
			if len(states) == 3 || !editFile(t, p) {
				continue
			}
			job, operand := worktree.Packing{Force: true}, folder
			rel, _ := filepath.Rel(folder, p)
			if len(states) > 0 { // the folder belongs to another archive by now
				job.Base, operand = archive, filepath.Join(t.TempDir(), "mod")
				if err := os.MkdirAll(filepath.Dir(filepath.Join(operand, rel)), 0o777); err != nil {
					t.Fatal(err)
				}
				writeFile(t, filepath.Join(operand, rel), corpus.Bytes(t, p))
			}
			done, err := job.Run(context.Background(), operand, archive, new(schema.Diagnostics))
			if err == nil && len(done.Changes) > 0 && !bytes.Equal(corpus.Bytes(t, archive), was) {
				states = append(states, was)
			}
		}
		for i := len(states) - 1; i >= 0; i-- {
			done, err := undo(archive)
			if err != nil || done.Left != i {
				t.Errorf("%s: %d steps left, %v, want %d", from, done.Left, err, i)
				break
			}
			corpus.SameBytes(t, fmt.Sprintf("%s, step %d", from, i), corpus.Bytes(t, archive), states[i])
			tried++
		}
		if _, err := undo(archive); !errors.Is(err, disk.ErrNothingKept) {
			t.Errorf("%s: past the first: %v", from, err)
		}
		if _, err := os.Stat(filepath.Join(dir, disk.KeptName)); err == nil {
			t.Errorf("%s: an empty folder is left", from)
		}
	}
	if t.Log("steps back:", tried); tried < 40 {
		t.Errorf("%d steps were tried", tried)
	}
}

// TestUndoRefuses: what undo cannot be sure of, it leaves alone.
func TestUndoRefuses(t *testing.T) {
	packed := func(t *testing.T) (archive, record string, before []byte) {
		archive, dir := rawFolder(t)
		before = corpus.Bytes(t, archive)
		writeFile(t, filepath.Join(dir, "1.bin"), []byte("edit"))
		packOver(t, dir, archive, worktree.Packing{})
		return archive, filepath.Join(filepath.Dir(archive), disk.KeptName, filepath.Base(archive), "1"), before
	}
	for _, c := range []struct {
		name string
		do   func(archive, record string) error
		want string
	}{
		{"changed since", func(archive, _ string) error { return os.WriteFile(archive, []byte("other"), 0o666) }, "another program has changed it since"},
		{"damaged record", func(_, record string) error {
			b, err := os.ReadFile(record)
			if err != nil {
				return err
			}
			b[len(b)-3] ^= 1
			return os.WriteFile(record, b, 0o666)
		}, "it is damaged"},
		{"cut off record", func(_, record string) error {
			b, err := os.ReadFile(record)
			if err != nil {
				return err
			}
			return os.WriteFile(record, b[:len(b)-1], 0o666)
		}, "it is damaged"},
		{"no record", func(_, record string) error { return os.WriteFile(record, []byte("{}"), 0o666) }, "nothing of it is kept"},
		{"link for a record", func(_, record string) error {
			if err := os.Rename(record, record+"x"); err != nil {
				return err
			}
			return os.Symlink(filepath.Base(record)+"x", record)
		}, "nothing of it is kept"},
		{"pipe for a record", func(_, record string) error {
			if err := os.Remove(record); err != nil {
				return err
			}
			return makeFIFO(record)
		}, "nothing of it is kept"},
		{"link for the folder", func(_, record string) error {
			dir := filepath.Dir(filepath.Dir(record))
			if err := os.Rename(dir, dir+"x"); err != nil {
				return err
			}
			return os.Symlink(filepath.Base(dir)+"x", dir)
		}, "is no folder"},
		{"gone", func(archive, _ string) error { return os.Remove(archive) }, "no such file"},
	} {
		archive, record, _ := packed(t)
		if err := c.do(archive, record); err != nil {
			t.Logf("%s: this system cannot: %v", c.name, err)
			continue
		}
		was, _ := os.ReadFile(archive)
		if _, err := undo(archive); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		if is, _ := os.ReadFile(archive); !bytes.Equal(is, was) {
			t.Errorf("%s: the archive has changed", c.name)
		}
	}
	archive, record, before := packed(t)
	dry := worktree.Undoing{DryRun: true}
	if done, err := dry.Run(context.Background(), archive); err != nil || done.Before.Size != int64(len(before)) {
		t.Errorf("dry: %+v, %v", done, err)
	}
	if list, err := worktree.History(archive); err != nil || len(list) != 1 {
		t.Errorf("history: %v, %v", list, err)
	}
	if _, err := os.Stat(record); err != nil || bytes.Equal(corpus.Bytes(t, archive), before) {
		t.Errorf("a dry run has done something: %v", err)
	}
}

// TestUndoUnused: what a run kept of an archive that it never replaced is in nobody's way, and goes with the next one.
func TestUndoUnused(t *testing.T) {
	archive, dir := rawFolder(t)
	before := corpus.Bytes(t, archive)
	writeFile(t, filepath.Join(dir, "1.bin"), []byte("edit"))
	job := worktree.Packing{Force: true}
	step := 0
	for at := 1; ; at++ { // killed after every step that makes the record
		step = 0
		err := faults.Watch(func(s, path string) error {
			if step++; step >= at {
				return errors.New("killed")
			}
			return nil
		}, func() error {
			_, err := job.Run(context.Background(), dir, archive, new(schema.Diagnostics))
			return err
		})
		if err == nil {
			break
		}
		if now := corpus.Bytes(t, archive); !bytes.Equal(now, before) {
			if _, err := undo(archive); err != nil {
				t.Fatalf("step %d: %v", at, err)
			}
			corpus.SameBytes(t, fmt.Sprintf("step %d", at), corpus.Bytes(t, archive), before)
			return // the folder belongs to the new one
		}
	}
	if _, err := undo(archive); err != nil {
		t.Fatal(err)
	}
	corpus.SameBytes(t, "undone", corpus.Bytes(t, archive), before)
}
