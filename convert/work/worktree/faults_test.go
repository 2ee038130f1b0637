package worktree_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/convert/work/worktree"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/faults"
)

// cases are what a user does with an archive, in the form of a folder.
func cases(t *testing.T) []faults.Case {
	archive := corpus.Bytes(t, newTextures(t))
	frames := corpus.Bytes(t, corpus.Testdata(t, "ultima9", "bitmap16.flx"))
	edited := []byte("edited payload")
	start := func(t *testing.T, dir string) {
		writeFile(t, filepath.Join(dir, "bitmap16.flx"), archive)
	}
	unpack := func(raw bool) func(string) error {
		return func(dir string) error {
			job := worktree.Unpacking{Raw: raw, Session: batch.Session{Workers: 1}}
			return run(&job, filepath.Join(dir, "bitmap16.flx"), filepath.Join(dir, "x"))
		}
	}
	pack := func(out string, force bool) func(string) error {
		return func(dir string) error {
			job := worktree.Packing{Force: force}
			_, err := job.Run(context.Background(), filepath.Join(dir, "x"), filepath.Join(dir, out), new(schema.Diagnostics))
			return err
		}
	}
	unpacked := func(t *testing.T, dir string) {
		start(t, dir)
		if err := unpack(true)(dir); err != nil {
			t.Fatal(err)
		}
	}
	withEdit := func(t *testing.T, dir string) {
		unpacked(t, dir)
		writeFile(t, filepath.Join(dir, "x", "1.bin"), edited)
	}
	holdsEdit := func(out string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			t.Helper()
			corpus.SameBytes(t, out, entry(t, filepath.Join(dir, out), "1"), edited)
		}
	}
	whole := func(t *testing.T, dir string) { checkWhole(t, dir, archive) }
	return []faults.Case{
		{Name: "unpack", Prepare: start, Do: unpack(false), Whole: whole, Done: func(t *testing.T, dir string) {
			if err := pack("again.flx", true)(dir); err != nil {
				t.Errorf("packing: %v", err)
				return
			}
			corpus.SameBytes(t, "again.flx", corpus.Bytes(t, filepath.Join(dir, "again.flx")), archive)
		}},
		{Name: "unpack raw", Prepare: start, Do: unpack(true), Whole: whole, Done: func(t *testing.T, dir string) {
			for _, slot := range []string{"0", "1", "3"} {
				corpus.SameBytes(t, slot, corpus.Bytes(t, filepath.Join(dir, "x", slot+".bin")), entry(t, filepath.Join(dir, "bitmap16.flx"), slot))
			}
		}},
		{Name: "unpack frames", Prepare: func(t *testing.T, dir string) {
			writeFile(t, filepath.Join(dir, "bitmap16.flx"), frames)
		}, Do: func(dir string) error {
			job := worktree.Unpacking{Selection: batch.Selection{Include: []string{"1", "10"}}, Session: batch.Session{Workers: 1}}
			return run(&job, filepath.Join(dir, "bitmap16.flx"), filepath.Join(dir, "x"))
		}, Whole: func(*testing.T, string) {}, Done: func(t *testing.T, dir string) {
			if err := pack("again.flx", true)(dir); err != nil {
				t.Errorf("packing: %v", err)
				return
			}
			corpus.SameBytes(t, "again.flx", corpus.Bytes(t, filepath.Join(dir, "again.flx")), frames)
		}},
		{Name: "pack unchanged", Prepare: unpacked, Do: pack("out.flx", true), Whole: whole, Done: func(t *testing.T, dir string) {
			corpus.SameBytes(t, "out.flx", corpus.Bytes(t, filepath.Join(dir, "out.flx")), archive)
		}},
		{Name: "pack", Prepare: withEdit, Do: pack("out.flx", true), Whole: whole, Done: holdsEdit("out.flx")},
		{Name: "pack over its base", Prepare: withEdit, Do: pack("bitmap16.flx", true), Whole: whole, Done: func(t *testing.T, dir string) {
			holdsEdit("bitmap16.flx")(t, dir)
			writeFile(t, filepath.Join(dir, "x", "3.bin"), []byte("second edit"))
			if err := pack("bitmap16.flx", true)(dir); err != nil {
				t.Errorf("the next edit: %v", err)
				return
			}
			holdsEdit("bitmap16.flx")(t, dir)
			corpus.SameBytes(t, "second edit", entry(t, filepath.Join(dir, "bitmap16.flx"), "3"), []byte("second edit"))
		}},
	}
}

// TestFaults tries every verb with every fault at every step.
func TestFaults(t *testing.T) {
	for _, c := range cases(t) {
		c.Try(t)
	}
}

// checkWhole holds that every file under a name of its own is whole: the archive the old or a new one, a file of an entry
// what the entry holds.
func checkWhole(t *testing.T, dir string, before []byte) {
	t.Helper()
	archive := filepath.Join(dir, "bitmap16.flx")
	if now := corpus.Bytes(t, archive); !bytes.Equal(now, before) && !bytes.Equal(entry(t, archive, "0"), entryOf(t, before, "0")) {
		t.Error("the archive is torn")
	}
	for _, slot := range []string{"0", "3"} {
		b, err := os.ReadFile(filepath.Join(dir, "x", slot+".bin"))
		if err == nil && !bytes.Equal(b, entryOf(t, before, slot)) {
			t.Errorf("%s.bin is torn", slot)
		}
		b, err = os.ReadFile(filepath.Join(dir, "x", slot+".png"))
		if err == nil && !bytes.HasSuffix(b, []byte("IEND\xaeB`\x82")) {
			t.Errorf("%s.png is torn", slot)
		}
	}
}

func run(job *worktree.Unpacking, archive, dir string) error {
	var failed error
	err := job.Run(context.Background(), archive, dir, func(r batch.Result) { failed = errors.Join(failed, r.Err) })
	return errors.Join(err, failed)
}

func writeFile(t *testing.T, path string, b []byte) {
	t.Helper()
	if err := os.WriteFile(path, b, 0o666); err != nil {
		t.Fatal(err)
	}
}

// entry returns the payload of an entry of the archive at path.
func entry(t *testing.T, path, slot string) []byte {
	t.Helper()
	a, err := store.OpenArchive(path, formats.ByName("flx"), nil)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	defer a.Close()
	return payloadOf(t, a, slot)
}

// entryOf is entry for an archive in memory.
func entryOf(t *testing.T, archive []byte, slot string) []byte {
	t.Helper()
	path := filepath.Join(faults.Folder(t), "bitmap16.flx")
	writeFile(t, path, archive)
	return entry(t, path, slot)
}

func payloadOf(t *testing.T, a *store.Archive, slot string) []byte {
	t.Helper()
	i, err := a.Find(slot)
	if err != nil {
		t.Fatal(err)
	}
	b, err := a.Payload(i)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestFaultsOfUndo: an undo that fails or is killed leaves the archive as it is or as it was, and the same again goes back.
func TestFaultsOfUndo(t *testing.T) {
	var before, after []byte
	c := faults.Case{
		Name: "undo",
		Prepare: func(t *testing.T, dir string) {
			archive, folder := filepath.Join(dir, "bitmap16.flx"), filepath.Join(dir, "x")
			before = corpus.Bytes(t, newTextures(t))
			writeFile(t, archive, before)
			if err := run(&worktree.Unpacking{Raw: true, Session: batch.Session{Workers: 1}}, archive, folder); err != nil {
				t.Fatal(err)
			}
			writeFile(t, filepath.Join(folder, "1.bin"), []byte("edited payload"))
			job := worktree.Packing{Force: true}
			if _, err := job.Run(context.Background(), folder, archive, new(schema.Diagnostics)); err != nil {
				t.Fatal(err)
			}
			after = corpus.Bytes(t, archive)
		},
		Do: func(dir string) error {
			_, err := undo(filepath.Join(dir, "bitmap16.flx"))
			if errors.Is(err, disk.ErrNothingKept) { // the run before has said that it failed, and had done it all
				return nil
			}
			return err
		},
		Whole: func(t *testing.T, dir string) {
			if b := corpus.Bytes(t, filepath.Join(dir, "bitmap16.flx")); !bytes.Equal(b, before) && !bytes.Equal(b, after) {
				t.Error("the archive is torn")
			}
		},
		Done: func(t *testing.T, dir string) {
			corpus.SameBytes(t, "undone", corpus.Bytes(t, filepath.Join(dir, "bitmap16.flx")), before)
		},
	}
	c.Try(t)
}
