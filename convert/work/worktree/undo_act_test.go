package worktree_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/convert/work/worktree"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/faults"
)

// newModel lays the models of a game with their textures into a folder, and unpacks them. The unpacked folder has a new model
// with pictures.
func newModel(t *testing.T, dir string, textures ...string) (archive, folder string) {
	t.Helper()
	for _, name := range append([]string{"sappear.flx", "ankh.pal"}, textures...) {
		from := name
		if strings.HasPrefix(name, "bitmap") {
			from = "bitmap16.flx"
		} else if strings.HasPrefix(name, "sdInfo") {
			from = "sdInfo16.flx"
		}
		writeFile(t, filepath.Join(dir, name), corpus.Bytes(t, corpus.Testdata(t, "ultima9", from)))
	}
	archive, folder = filepath.Join(dir, "sappear.flx"), filepath.Join(dir, "u")
	if err := run(&worktree.Unpacking{Session: batch.Session{Workers: 1}}, archive, folder); err != nil {
		t.Fatal(err)
	}
	runOne(t, &batch.Conversion{Out: filepath.Join(folder, "900.glb")}, corpus.Testdata(t, "ultimate3d", "windmill.u3d"))
	return archive, folder
}

// gameFiles returns the content of the files of a game.
func gameFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if !e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			files[e.Name()] = string(corpus.Bytes(t, filepath.Join(dir, e.Name())))
		}
	}
	return files
}

// packForced packs a folder over an archive, and returns the files that have another content then.
func packForced(t *testing.T, folder, archive string) (changed []string) {
	t.Helper()
	was := gameFiles(t, filepath.Dir(archive))
	job := worktree.Packing{Force: true}
	if _, err := job.Run(context.Background(), folder, archive, new(schema.Diagnostics)); err != nil {
		t.Fatal(err)
	}
	for name, now := range gameFiles(t, filepath.Dir(archive)) {
		if now != was[name] {
			changed = append(changed, name)
		}
	}
	slices.Sort(changed)
	return changed
}

func sameFiles(t *testing.T, what, dir string, want map[string]string) {
	t.Helper()
	if now := gameFiles(t, dir); !maps.Equal(now, want) {
		for name := range want {
			if now[name] != want[name] {
				t.Errorf("%s: %s is not as it was", what, name)
			}
		}
		t.Errorf("%s: %q, want %q", what, slices.Sorted(maps.Keys(now)), slices.Sorted(maps.Keys(want)))
	}
}

// TestUndoAct: what one run wrote together goes back together, whichever file is named, and step by step.
func TestUndoAct(t *testing.T) {
	faults.Careless(t)
	for _, textures := range [][]string{{"bitmap16.flx", "sdInfo16.flx"}, {"bitmap16.flx"}, {"bitmap16.flx", "sdInfo16.flx", "bitmapsh.flx", "bitmapC.flx"}} {
		names := []string{"sappear.flx", "bitmap16.flx"}
		for _, name := range names {
			dir := t.TempDir()
			archive, folder := newModel(t, dir, textures...)
			before := gameFiles(t, dir)
			changed := packForced(t, folder, archive)
			if len(changed) < 2 || !slices.Contains(changed, "bitmap16.flx") {
				t.Fatalf("%v: only %q changed", textures, changed)
			}
			between := gameFiles(t, dir)
			writeFile(t, filepath.Join(folder, "901.glb"), corpus.Bytes(t, filepath.Join(folder, "900.glb")))
			packForced(t, folder, archive)
			what := fmt.Sprintf("%v, undo %s", textures, name)
			if done, err := undo(archive); err != nil || done.Left != 1 {
				t.Errorf("%s: %+v, %v", what, done, err)
			}
			sameFiles(t, what+" once", dir, between)
			done, err := undo(filepath.Join(dir, name))
			if err != nil || len(done.With) != len(changed)-1 {
				t.Errorf("%s: %+v, %v; %q had changed", what, done, err, changed)
			}
			sameFiles(t, what, dir, before)
			if _, err := os.Stat(filepath.Join(dir, disk.KeptName)); err == nil {
				t.Errorf("%s: something is kept still", what)
			}
		}
	}
}

// TestUndoActNew: a file that came with the run goes with it.
func TestUndoActNew(t *testing.T) {
	faults.Careless(t)
	archive, folder := newModel(t, t.TempDir(), "bitmap16.flx", "sdInfo16.flx")
	dir := t.TempDir()
	out := filepath.Join(dir, "sappear.flx")
	writeFile(t, out, corpus.Bytes(t, archive))
	before := gameFiles(t, dir)
	if changed := packForced(t, folder, out); len(changed) != 3 {
		t.Fatalf("%q changed", changed)
	}
	if _, err := undo(out); err != nil {
		t.Error(err)
	}
	sameFiles(t, "undone", dir, before)
}

// TestUndoActRefuses: where one of the files is not what the run wrote, all stay, and it is named.
func TestUndoActRefuses(t *testing.T) {
	faults.Careless(t)
	kept := func(dir, name string) string { return filepath.Join(dir, disk.KeptName, name) }
	for _, c := range []struct {
		name string
		do   func(t *testing.T, dir string) error
		want string
	}{
		{"changed since", func(t *testing.T, dir string) error {
			return os.WriteFile(filepath.Join(dir, "sdInfo16.flx"), []byte("other"), 0o666)
		}, "sdInfo16.flx, which was written with it, has changed since: nothing is taken back"},
		{"packed over since", func(t *testing.T, dir string) error {
			textures, folder := filepath.Join(dir, "bitmap16.flx"), filepath.Join(dir, "b")
			if err := run(&worktree.Unpacking{Raw: true, Session: batch.Session{Workers: 1}}, textures, folder); err != nil {
				return err
			}
			writeFile(t, filepath.Join(folder, "1.bin"), corpus.Bytes(t, filepath.Join(folder, "2.bin")))
			job := worktree.Packing{Force: true}
			_, err := job.Run(context.Background(), folder, textures, new(schema.Diagnostics))
			return err
		}, "has changed since: nothing is taken back; undo that first"},
		{"gone", func(_ *testing.T, dir string) error { return os.Remove(filepath.Join(dir, "bitmap16.flx")) }, "bitmap16.flx was written with it: no such file"},
		{"a link", func(_ *testing.T, dir string) error {
			p := filepath.Join(dir, "bitmap16.flx")
			if err := os.Rename(p, p+"x"); err != nil {
				return err
			}
			return os.Symlink("bitmap16.flxx", p)
		}, "bitmap16.flx was written with it"},
		{"a pipe", func(_ *testing.T, dir string) error {
			p := filepath.Join(dir, "bitmap16.flx")
			if err := os.Remove(p); err != nil {
				return err
			}
			return makeFIFO(p)
		}, "bitmap16.flx was written with it"},
		{"not kept", func(_ *testing.T, dir string) error { return os.RemoveAll(kept(dir, "bitmap16.flx")) }, "bitmap16.flx was written with it, and what it was is not kept any more"},
		{"damaged record", func(t *testing.T, dir string) error {
			p := filepath.Join(kept(dir, "bitmap16.flx"), "1")
			b := corpus.Bytes(t, p)
			b[len(b)-3] ^= 1
			return os.WriteFile(p, b, 0o666)
		}, "it is damaged"},
		{"record of a stranger", func(t *testing.T, dir string) error {
			p := filepath.Join(kept(dir, "sappear.flx"), "1")
			return os.WriteFile(p, bytes.Replace(corpus.Bytes(t, p), []byte(`"name":"bitmap16.flx"`), []byte(`"name":"../bitmap16.flx"`), 1), 0o666)
		}, "nothing of it is kept"},
	} {
		dir := t.TempDir()
		archive, folder := newModel(t, dir, "bitmap16.flx", "sdInfo16.flx")
		packForced(t, folder, archive)
		if err := c.do(t, dir); err != nil {
			t.Logf("%s: this system cannot: %v", c.name, err)
			continue
		}
		was := map[string]string{}
		for _, name := range []string{"sappear.flx", "bitmap16.flx", "sdInfo16.flx"} {
			if info, err := os.Lstat(filepath.Join(dir, name)); err == nil && info.Mode().IsRegular() {
				was[name] = string(corpus.Bytes(t, filepath.Join(dir, name)))
			}
		}
		for _, dry := range []bool{true, false} {
			job := worktree.Undoing{DryRun: dry}
			if _, err := job.Run(context.Background(), archive); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s, dry %v: %v, want %q", c.name, dry, err, c.want)
			}
		}
		for name, content := range was {
			corpus.SameBytes(t, c.name+": "+name, corpus.Bytes(t, filepath.Join(dir, name)), []byte(content))
		}
	}
}

// TestUndoActLocked: a run that writes one of the files keeps all from going back.
func TestUndoActLocked(t *testing.T) {
	faults.Careless(t)
	dir := t.TempDir()
	archive, folder := newModel(t, dir, "bitmap16.flx", "sdInfo16.flx")
	packForced(t, folder, archive)
	was := gameFiles(t, dir)
	open, err := disk.Open(dir, true)
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	lock, err := open.LockFile("bitmap16.flx", "pack")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := undo(archive); err == nil || !strings.Contains(err.Error(), "bitmap16.flx") {
		t.Errorf("%v", err)
	}
	sameFiles(t, "locked", dir, was)
	lock.Release()
	if _, err := undo(archive); err != nil {
		t.Error(err)
	}
}

// TestFaultsOfUndoAct: an undo that fails or is killed leaves all files as they are or as they were, and the same again
// goes back.
func TestFaultsOfUndoAct(t *testing.T) {
	var before, after map[string]string
	c := faults.Case{
		Name: "undo with partners",
		Prepare: func(t *testing.T, dir string) {
			archive, folder := newModel(t, dir, "bitmap16.flx", "sdInfo16.flx")
			before = gameFiles(t, dir)
			packForced(t, folder, archive)
			after = gameFiles(t, dir)
		},
		Do: func(dir string) error {
			_, err := undo(filepath.Join(dir, "sappear.flx"))
			if errors.Is(err, disk.ErrNothingKept) { // the run before has said that it failed, and had done it all
				return nil
			}
			return err
		},
		Whole: func(t *testing.T, dir string) {
			next, err := disk.Open(dir, true) // whoever comes next takes back what was begun
			if err != nil {
				t.Fatal(err)
			}
			next.Close()
			if now := gameFiles(t, dir); !maps.Equal(now, before) && !maps.Equal(now, after) {
				for name := range now {
					t.Errorf("%s: as before %v, as after %v", name, now[name] == before[name], now[name] == after[name])
				}
			}
		},
		Done: func(t *testing.T, dir string) { sameFiles(t, "undone", dir, before) },
	}
	c.Try(t)
}
