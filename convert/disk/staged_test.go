package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

func claim(t *testing.T, dir string, force bool) (*Folder, *Lock) {
	t.Helper()
	f, l, err := Claim(dir, force, "unpack")
	if err != nil {
		t.Fatal(err)
	}
	return f, l
}

func onlyStaged(t *testing.T) {
	t.Helper()
	if closeFirst {
		t.Skip("folders are made under their names here")
	}
}

// A folder is made under another name, and gets its own with all that is in it.
func TestClaimNew(t *testing.T) {
	onlyStaged(t)
	above := t.TempDir()
	dir := filepath.Join(above, "deep", "new")
	f, l := claim(t, dir, false)
	at := filepath.Join(above, "deep", ".usher-unfinished-new")
	if !f.Staged() || f.Place("x") != filepath.Join(at, "x") || f.Path("x") != filepath.Join(dir, "x") || !isMissing(dir) || isMissing(at) {
		t.Errorf("staged %v, at %s", f.Staged(), f.Place("x"))
	}
	if err := f.Settle(); err != nil || !f.Staged() {
		t.Errorf("an empty one has its name: %v", err)
	}
	for name, text := range map[string]string{"a": "1", "in/b": "2", "c": "3"} {
		if err := f.Put(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if !isMissing(dir) {
		t.Error("the folder has its name before it is whole")
	}
	if _, _, err := Claim(dir, false, "unpack"); !errors.Is(err, ErrInUse) {
		t.Errorf("a second run: %v", err)
	}
	if err := errors.Join(f.Settle(), f.Settle()); err != nil || f.Staged() || f.Place("a") != filepath.Join(dir, "a") {
		t.Errorf("%v, at %s", err, f.Place("a"))
	}
	l.Release()
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if got := listed(t, dir); !slices.Equal(got, []string{"a", "c", "in"}) {
		t.Errorf("the folder holds %v", got)
	}
	if got := listed(t, filepath.Dir(dir)); !slices.Equal(got, []string{"new"}) {
		t.Errorf("beside it stand %v", got)
	}
	holds(t, filepath.Join(dir, "in", "b"), "2")
}

// A folder into which nothing is written goes away, with those above it that were made for it.
func TestClaimNothing(t *testing.T) {
	above := t.TempDir()
	f, l := claim(t, filepath.Join(above, "deep", "er", "new"), false)
	l.Release()
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if got := listed(t, above); len(got) > 0 {
		t.Errorf("left: %v", got)
	}
}

// The lock of a folder that has files and not its name yet stays: it tells that a run has made them.
func TestLockTellsWhose(t *testing.T) {
	onlyStaged(t)
	for _, file := range []bool{false, true} {
		dir := filepath.Join(t.TempDir(), "new")
		f, l := claim(t, dir, false)
		if file {
			if err := f.Put("a", nil); err != nil {
				t.Fatal(err)
			}
		}
		l.Release()
		if got := !isMissing(filepath.Join(stagedPath(dir), LockName)); got != file {
			t.Errorf("with a file %v: the lock is there: %v", file, got)
		}
		f.Close()
		if file {
			f, l := claim(t, dir, false)
			l.Release()
			f.Close()
		}
	}
}

// Nobody works in a folder without its name that cannot be locked: without the lock nobody would know whose it is.
func TestClaimWithoutLock(t *testing.T) {
	onlyStaged(t)
	above := t.TempDir()
	Fault = func(step, at string) error {
		if step == "create" && filepath.Base(at) == LockName {
			return fs.ErrPermission
		}
		return nil
	}
	defer func() { Fault = nil }()
	if _, _, err := Claim(filepath.Join(above, "new"), false, "unpack"); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("%v", err)
	}
	if got := listed(t, above); len(got) > 0 {
		t.Errorf("left: %v", got)
	}
}

// A folder that cannot be claimed is left as it was: one that was made goes away.
func TestClaimFails(t *testing.T) {
	for _, failing := range []string{"mkdir", "create", "lock", "write"} {
		above := t.TempDir()
		steps(t, func(step, path string) error {
			if step == failing {
				return syscall.EIO
			}
			return nil
		})
		if _, _, err := Claim(filepath.Join(above, "deep", "new"), false, "unpack"); !errors.Is(err, syscall.EIO) {
			t.Errorf("%s fails: %v", failing, err)
		}
		Fault = nil
		if got := listed(t, above); len(got) > 0 && failing != "write" && failing != "lock" { // the lock tells whose it is
			t.Errorf("%s fails: %v is left", failing, got)
		}
	}
}

// What a killed run has left is gone on with, by its lock; what is somebody's own is left alone.
func TestClaimLeft(t *testing.T) {
	onlyStaged(t)
	for _, c := range []struct {
		name string
		make func(at string) error
		want string // of the error
	}{
		{"nothing", func(at string) error { return nil }, ""},
		{"an empty folder", func(at string) error { return os.Mkdir(at, 0o777) }, ""},
		{"a folder of a run", func(at string) error {
			return errors.Join(os.Mkdir(at, 0o777), os.WriteFile(filepath.Join(at, LockName), nil, 0o666), os.WriteFile(filepath.Join(at, "a"), []byte("half"), 0o666))
		}, ""},
		{"a folder without a lock", func(at string) error {
			return errors.Join(os.Mkdir(at, 0o777), os.WriteFile(filepath.Join(at, "a"), []byte("mine"), 0o666))
		}, ".usher-unfinished-new holds files that no run of usher has left; take it away"},
		{"a file", func(at string) error { return os.WriteFile(at, nil, 0o666) }, ".usher-unfinished-new is no folder, and usher would keep an unfinished one there; take it away"},
		{"a link", func(at string) error { return os.Symlink(".", at) }, ".usher-unfinished-new is no folder, and usher would keep an unfinished one there; take it away"},
	} {
		t.Run(c.name, func(t *testing.T) {
			above := t.TempDir()
			dir := filepath.Join(above, "new")
			if err := c.make(stagedPath(dir)); err != nil {
				t.Fatal(err)
			}
			before := listed(t, above)
			if dry := Dry(dir, false); dry.Staged() != (c.want == "" && len(before) > 0) {
				t.Errorf("dry: staged %v", dry.Staged())
			}
			f, l, err := Claim(dir, false, "unpack")
			if c.want != "" {
				if err == nil || !strings.HasSuffix(err.Error(), c.want) || !slices.Equal(listed(t, above), before) {
					t.Errorf("%v; %v", err, listed(t, above))
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := f.Put("a", []byte("whole")); err != nil {
				t.Fatal(err)
			}
			err = f.Settle()
			l.Release()
			if err := errors.Join(err, f.Close()); err != nil {
				t.Error(err)
			}
			holds(t, filepath.Join(dir, "a"), "whole")
		})
	}
}

// A folder that has come to be otherwise makes the unfinished one superfluous, unless somebody is at work on that.
func TestClaimDropsStaged(t *testing.T) {
	onlyStaged(t)
	for _, c := range []struct {
		name string
		make func(at string) error
		gone bool
	}{
		{"of a killed run", func(at string) error { return os.WriteFile(filepath.Join(at, LockName), nil, 0o666) }, true},
		{"somebody's own", func(at string) error { return nil }, false},
	} {
		for _, held := range []bool{false, true} {
			above := t.TempDir()
			dir := filepath.Join(above, "there")
			at := stagedPath(dir)
			if err := errors.Join(os.Mkdir(dir, 0o777), os.Mkdir(at, 0o777), c.make(at)); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(at, "a"), "half")
			if held {
				other := open(t, at, false)
				l, err := other.Lock("unpack")
				if err != nil {
					t.Fatal(err)
				}
				defer l.Release()
			}
			f, l := claim(t, dir, false)
			if f.Staged() || f.Place("") != dir {
				t.Errorf("%s: staged at %s", c.name, f.Place(""))
			}
			if isMissing(at) != (c.gone && !held) {
				t.Errorf("%s, held %v: gone %v", c.name, held, isMissing(at))
			}
			l.Release()
			f.Close()
		}
	}
}

// Files of an unfinished folder replace what a killed run has left there, and make the folders that they need.
func TestStagedFiles(t *testing.T) {
	onlyStaged(t)
	dir := filepath.Join(t.TempDir(), "new")
	at := stagedPath(dir)
	if err := errors.Join(os.MkdirAll(filepath.Join(at, "in"), 0o777), os.WriteFile(filepath.Join(at, LockName), nil, 0o666),
		os.WriteFile(filepath.Join(at, "a"), []byte("of a killed run"), 0o666), os.WriteFile(filepath.Join(at, "in", "b"), []byte("of a killed run"), 0o666)); err != nil {
		t.Fatal(err)
	}
	f, l := claim(t, dir, false)
	defer f.Close()
	defer l.Release()
	for _, name := range []string{"a", "in/b", "in/deep/er/c"} {
		p, err := f.PrepareContent(name, []byte("new "+name))
		if err != nil {
			t.Fatal(err)
		}
		holds(t, f.Place(name), "new "+name)
		info, err := os.Stat(f.Place(name))
		if err != nil || p.Size != int64(len("new "+name)) || p.Time != info.ModTime().UnixNano() {
			t.Errorf("%s: %d bytes at %d, %v", name, p.Size, p.Time, err)
		}
		if err := p.Commit(); err != nil {
			t.Error(err)
		}
		p.Discard()
		holds(t, f.Place(name), "new "+name)
	}
	if _, err := f.PrepareContent("a", []byte("twice")); !errors.Is(err, ErrExists) {
		t.Errorf("a second file of a name: %v", err)
	}
	if err := f.Check("a"); !errors.Is(err, ErrExists) {
		t.Errorf("a second file of a name: %v", err)
	}
	p, err := f.PrepareContent("gone", []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	p.Discard()
	p.Discard()
	if !isMissing(f.Place("gone")) {
		t.Error("what was discarded is there")
	}
	for _, name := range []string{"../out", "/out", "in/../../out"} {
		if _, err := f.PrepareContent(name, nil); err == nil || !strings.Contains(err.Error(), "leads out of the folder") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, step := range []string{"create", "write", "close"} {
		for _, name := range []string{"short", "in/long"} {
			steps(t, func(s, path string) error {
				if s == step {
					return syscall.ENOSPC
				}
				return nil
			})
			_, err := f.PrepareContent(name, []byte("text"))
			Fault = nil
			var of *fs.PathError
			if !errors.Is(err, syscall.ENOSPC) || errors.As(err, &of) && of.Path != f.Path(name) || !isMissing(f.Place(name)) {
				t.Errorf("%s of %s fails: %v", step, name, err)
			}
		}
	}
	p, err = f.Prepare("w", func(w io.Writer) error { _, err := io.WriteString(w, "direct"); return err })
	if err != nil || p.temporary != "" || p.Size != 6 {
		t.Errorf("%+v, %v", p, err)
	}
	p, err = f.Durable().Prepare("d", func(w io.Writer) error { _, err := io.WriteString(w, "durable"); return err })
	if err != nil || p.temporary == "" || !isMissing(f.Place("d")) {
		t.Errorf("%+v, %v", p, err)
	}
	p.Discard()
}

// A folder whose name would be too long with what comes before it is made under its own.
func TestClaimLongName(t *testing.T) {
	dir := filepath.Join(t.TempDir(), strings.Repeat("n", 250))
	f, l := claim(t, dir, false)
	if f.Staged() || isMissing(dir) {
		t.Errorf("staged %v", f.Staged())
	}
	l.Release()
	f.Close()
	if !isMissing(dir) {
		t.Error("nothing was written, and it is there")
	}
}

// Settle takes nobody's folder away.
func TestSettleTaken(t *testing.T) {
	onlyStaged(t)
	dir := filepath.Join(t.TempDir(), "new")
	f, l := claim(t, dir, false)
	defer f.Close()
	defer l.Release()
	if err := f.Put("a", []byte("ours")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "a"), "theirs")
	err := f.Settle()
	if err == nil || !strings.HasPrefix(err.Error(), dir+": ") || strings.Contains(err.Error(), stagedPrefix) || !f.Staged() {
		t.Errorf("%v, staged %v", err, f.Staged())
	}
	holds(t, filepath.Join(dir, "a"), "theirs")
	holds(t, f.Place("a"), "ours")
	steps(t, func(step, path string) error {
		if step == "rename" && path == dir {
			return syscall.EIO
		}
		return nil
	})
	if err := f.Settle(); !errors.Is(err, syscall.EIO) {
		t.Error(err)
	}
}

// What ends with the run is nothing that a folder holds.
func TestHoldsFiles(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  bool
	}{
		{nil, false}, {[]string{LockName}, false}, {[]string{LockName, ".usher-000000000000"}, false}, {[]string{"a"}, true},
		{[]string{LockName, ".usher-000000000000", "a"}, true}, {[]string{".usher-00000000000g"}, true}, {[]string{LockName, ".usher-000000000000", ".usher-000000000001"}, true},
	} {
		dir := t.TempDir()
		for _, name := range c.names {
			write(t, filepath.Join(dir, name), "")
		}
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		f := &Folder{dir: dir, place: &place{at: dir, staged: true}, opened: &opened{root: root}}
		if got, err := f.holdsFiles(); err != nil || got != c.want {
			t.Errorf("%v: %v, %v", c.names, got, err)
		}
		root.Close()
	}
}
