package worktree_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
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

// rawFolder unpacks an archive of three textures as it is stored.
func rawFolder(t *testing.T) (archive, dir string) {
	t.Helper()
	archive = newTextures(t)
	return archive, unpack(t, archive, worktree.Unpacking{Raw: true})
}

func packOver(t *testing.T, dir, archive string, p worktree.Packing) *worktree.Packed {
	t.Helper()
	p.Force = true
	done, err := p.Run(context.Background(), dir, archive, new(schema.Diagnostics))
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// A file that is saved while its folder is packed is packed by the next run.
func TestSavedWhilePacking(t *testing.T) {
	for _, step := range []string{"write", "rename"} {
		archive, dir := rawFolder(t)
		file := filepath.Join(dir, "1.bin")
		writeFile(t, file, []byte("first"))
		saved := false
		err := faults.Watch(func(name, path string) error {
			if name == step && strings.HasSuffix(path, "bitmap16.flx") && !saved {
				saved = true
				writeFile(t, file, []byte("later"))
			}
			return nil
		}, func() error {
			packOver(t, dir, archive, worktree.Packing{})
			return nil
		})
		if err != nil || !saved {
			t.Fatalf("%s: %v, saved %v", step, err, saved)
		}
		corpus.SameBytes(t, "packed", entry(t, archive, "1"), []byte("first"))
		packOver(t, dir, archive, worktree.Packing{})
		corpus.SameBytes(t, "packed again", entry(t, archive, "1"), []byte("later"))
	}
}

// An edit that leaves the size and the time of a file alone is found all the same: at once, and after a while.
func TestEditWithoutATrace(t *testing.T) {
	archive, dir := rawFolder(t)
	for _, text := range []string{"one", "two", "six"} {
		file := filepath.Join(dir, "1.bin")
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		b := slices.Concat([]byte(text), corpus.Bytes(t, file)[3:])
		writeFile(t, file, b)
		if err := os.Chtimes(file, info.ModTime(), info.ModTime()); err != nil {
			t.Fatal(err)
		}
		packOver(t, dir, archive, worktree.Packing{})
		corpus.SameBytes(t, text, entry(t, archive, "1"), b)
	}
}

// Files that nobody has touched are not read: only their sizes and times are asked for. With Rehash they are.
func TestUntouchedFilesAreNotRead(t *testing.T) {
	_, dir := rawFolder(t)
	manifest := filepath.Join(dir, worktree.ManifestName)
	text := string(corpus.Bytes(t, manifest))
	from := strings.Index(text, `"time": `) // the stamps were true long after the last change
	to := from + strings.Index(text[from:], ",")
	writeFile(t, manifest, []byte(text[:from]+`"time": 9000000000000000000`+text[to:]))
	for _, rehash := range []bool{false, true} {
		var read []string
		err := faults.Watch(func(step, path string) error {
			if step == "open" && strings.HasSuffix(path, ".bin") {
				read = append(read, path)
			}
			return nil
		}, func() error {
			_, _, err := pack(t, dir, worktree.Packing{Rehash: rehash})
			return err
		})
		if err != nil || (len(read) == 3) != rehash || len(read)%3 != 0 {
			t.Errorf("rehash %v: %v, read %q", rehash, err, read)
		}
	}
}

// What is replaced is on the disk before it gets its name, and the manifest of an archive follows it.
func TestOrderOfSteps(t *testing.T) {
	archive, dir := rawFolder(t)
	writeFile(t, filepath.Join(dir, "1.bin"), []byte("edit"))
	var steps []string
	err := faults.Watch(func(step, path string) error {
		base := filepath.Base(path)
		if step == "sync" || step == "rename" {
			steps = append(steps, step+" "+base)
		}
		return nil
	}, func() error {
		packOver(t, dir, archive, worktree.Packing{})
		return nil
	})
	want := []string{
		"sync bitmap16.flx",
		"sync 1", "rename 1", "rename 1", "sync .", "sync .usher-undo", "sync bitmap16.flx", // what is replaced is kept before; its folder is new
		"sync usher.json.new", "rename usher.json.new", "sync .",
		"rename bitmap16.flx", "sync .", "rename usher.json", "sync .",
	}
	if err != nil || !slices.Equal(steps, want) {
		t.Errorf("%v: %q, want %q", err, steps, want)
	}
}

// A killed run leaves what it has finished, and the next one does not do that again; what somebody has edited meanwhile
// stays as it is, and counts as an edit.
func TestUnpackGoesOnAfterAKill(t *testing.T) {
	archive, dir := newTextures(t), t.TempDir()
	finished := 0
	err := faults.Watch(func(step, path string) error {
		if step == "rename" {
			finished++
		}
		if finished > 2 {
			return faults.ErrKilled
		}
		return nil
	}, func() error {
		return run(&worktree.Unpacking{Raw: true, Session: batch.Session{Workers: 1}}, archive, dir)
	})
	if err == nil {
		t.Fatalf("not killed: %v", err)
	}
	if _, _, err := pack(t, dir, worktree.Packing{}); err == nil || !strings.Contains(err.Error(), "run it again") {
		t.Errorf("packed half a folder: %v", err)
	}
	writeFile(t, filepath.Join(dir, "1.bin"), []byte("edited"))
	status := map[batch.Status]int{}
	again := worktree.Unpacking{Raw: true}
	if err := again.Run(context.Background(), archive, dir, func(r batch.Result) { status[r.Status]++ }); err != nil {
		t.Fatal(err)
	}
	if status[batch.UpToDate] != 2 || status[batch.Done] != 1 {
		t.Errorf("the next run: %v", status)
	}
	done, _, err := pack(t, dir, worktree.Packing{})
	if err != nil || !slices.Equal(actions(done), []string{"replaced 1"}) {
		t.Errorf("packed: %v, %v", actions(done), err)
	}
}

// What lay in the folder before a run was killed is not its own, and is not overwritten by the next one.
func TestUnpackLeavesOthersAlone(t *testing.T) {
	archive, dir := newTextures(t), t.TempDir()
	_ = faults.Watch(func(step, path string) error {
		if step == "rename" {
			return faults.ErrKilled
		}
		return nil
	}, func() error {
		return run(&worktree.Unpacking{Raw: true, Session: batch.Session{Workers: 1}}, archive, dir)
	})
	mine := filepath.Join(dir, "3.bin")
	writeFile(t, mine, []byte("mine"))
	_ = run(&worktree.Unpacking{Raw: true}, archive, dir)
	corpus.SameBytes(t, "3.bin", corpus.Bytes(t, mine), []byte("mine"))
}

// A journal whose last line is torn is good up to there.
func TestTornJournal(t *testing.T) {
	archive, dir := newTextures(t), t.TempDir()
	n := 0
	_ = faults.Watch(func(step, path string) error { // all entries are in the journal, and one has its name
		if step == "rename" {
			n++
		}
		if n > 1 {
			return faults.ErrKilled
		}
		return nil
	}, func() error {
		return run(&worktree.Unpacking{Raw: true, Session: batch.Session{Workers: 1}}, archive, dir)
	})
	journal := filepath.Join(dir, ".usher-unpack-journal")
	b := corpus.Bytes(t, journal)
	if lines := strings.Count(string(b), "\n"); lines != 4 {
		t.Errorf("the journal has %d lines, want the archive's and three entries", lines)
	}
	writeFile(t, journal, append(b, `{"path":"3","kin`...))
	if err := run(&worktree.Unpacking{Raw: true}, archive, dir); err != nil {
		t.Fatal(err)
	}
	if done, _, err := pack(t, dir, worktree.Packing{}); err != nil || len(done.Changes) > 0 {
		t.Errorf("packed: %v, %v", done, err)
	}
}

// Two runs in one folder are one too many: the second says who the first is. The claim of a run that is over is none.
func TestOneRunAFolder(t *testing.T) {
	archive, dir := rawFolder(t)
	folder, err := disk.Open(dir, true)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	lock, err := folder.Lock("pack")
	if err != nil {
		t.Fatal(err)
	}
	host, _ := os.Hostname()
	who := fmt.Sprintf("usher pack, process %d on %s", os.Getpid(), host)
	for name, err := range map[string]error{
		"unpack": run(&worktree.Unpacking{Raw: true}, archive, dir),
		"pack":   func() error { _, _, err := pack(t, dir, worktree.Packing{}); return err }(),
	} {
		if !errors.Is(err, disk.ErrInUse) || !strings.Contains(err.Error(), who) {
			t.Errorf("%s: %v, want %q", name, err, who)
		}
	}
	lock.Release()
	writeFile(t, filepath.Join(dir, disk.LockName), []byte(`{"command":"pack","process":1,"host":"elsewhere"}`))
	if _, _, err := pack(t, dir, worktree.Packing{}); err != nil {
		t.Errorf("a claim that is over: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, disk.LockName)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the claim is left: %v", err)
	}
}

// A dry run says what the run would.
func TestDryRun(t *testing.T) {
	archive, dir := rawFolder(t)
	other := filepath.Join(t.TempDir(), "x")
	for _, p := range []string{filepath.Join(other, "0.bin"), filepath.Join(t.TempDir(), "out.flx")} {
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		writeFile(t, p, []byte("mine"))
		var said [2]string
		for i, dry := range []bool{true, false} {
			var err error
			if filepath.Dir(p) == other {
				err = run(&worktree.Unpacking{Raw: true, DryRun: dry}, archive, other)
			} else {
				job := worktree.Packing{DryRun: dry}
				_, err = job.Run(context.Background(), dir, p, new(schema.Diagnostics))
			}
			said[i] = fmt.Sprint(err)
		}
		if said[0] != said[1] || !strings.Contains(said[0], "exists already") {
			t.Errorf("%s: dry %q, else %q", p, said[0], said[1])
		}
	}
}

// Modes are kept, and a symbolic link is written through.
func TestModesAndLinks(t *testing.T) {
	archive, dir := rawFolder(t)
	writeFile(t, filepath.Join(dir, "1.bin"), []byte("edit"))
	if err := os.Chmod(archive, 0o640); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link.flx")
	corpus.Allowed(t, os.Symlink(archive, link))
	packOver(t, dir, link, worktree.Packing{})
	info, err := os.Stat(archive)
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the mode is %v (%v)", info.Mode(), err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is %v (%v)", info.Mode(), err)
	}
	corpus.SameBytes(t, "packed through the link", entry(t, archive, "1"), []byte("edit"))
}

// Somebody else has changed the base while it was packed over: that is left alone.
func TestBaseMoved(t *testing.T) {
	archive, dir := rawFolder(t)
	writeFile(t, filepath.Join(dir, "1.bin"), []byte("edit"))
	theirs := append(corpus.Bytes(t, archive), 0)
	done := false
	err := faults.Watch(func(step, path string) error {
		if step == "sync" && strings.HasSuffix(path, "bitmap16.flx") && !done {
			done = true
			writeFile(t, archive+".new", theirs)
			return os.Rename(archive+".new", archive)
		}
		return nil
	}, func() error {
		job := worktree.Packing{Force: true}
		_, err := job.Run(context.Background(), dir, archive, new(schema.Diagnostics))
		return err
	})
	if err == nil || !strings.Contains(err.Error(), "changed by somebody else") {
		t.Errorf("got %v", err)
	}
	corpus.SameBytes(t, "theirs", corpus.Bytes(t, archive), theirs)
}

// Every JSON that unpacking writes can be laid in once more under a new name: it becomes a new entry, or is refused in
// one line; and so is every file of a kind that is not there.
func TestEveryFileUnderANewName(t *testing.T) {
	faults.Careless(t)
	for _, p := range []string{"ultima9/bitmap16.flx", "ultima9/typename.flx", "ultima9/models.flx", "ultima9/u9game1.sav",
		"unreal/pictures.utx", "unreal/made69.u", "unreal/worm.u", "unreal/linked.u", "unreal/sounds.uax",
		"freelancer/crate.3db", "freelancer/ship.cmp", "freelancer/tiles.txm", "freelancer/voice.utf"} {
		for _, to := range []string{"", "json"} {
			dir := unpack(t, corpus.Testdata(t, filepath.FromSlash(p)), worktree.Unpacking{To: to})
			for _, name := range folderFiles(t, dir) {
				stem, ext, _ := strings.Cut(filepath.Base(name), ".")
				for _, base := range []string{"999", stem + "New"} {
					copied := filepath.Join(filepath.Dir(name), base+"."+ext)
					if _, err := os.Stat(copied); err == nil {
						continue
					}
					writeFile(t, copied, corpus.Bytes(t, name))
					_, _, err := pack(t, dir, worktree.Packing{})
					if err != nil && (strings.Contains(err.Error(), "internal error") || strings.Contains(err.Error(), "\n")) {
						t.Errorf("%s: %s as %s: %v", p, filepath.Base(name), filepath.Base(copied), err)
					}
					if err := os.Remove(copied); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	}
}

// folderFiles returns the files below a folder, without the manifest.
func folderFiles(t *testing.T, dir string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && d.Name() != worktree.ManifestName {
			files = append(files, p)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
