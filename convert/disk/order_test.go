package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/usher-assets/usher/testdata/corpus"
)

// text returns what fills a file with a text.
func text(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

// prepared prepares files of one act.
func prepared(t *testing.T, f *Folder, names ...string) *Act {
	t.Helper()
	a := new(Act)
	for _, name := range names {
		p, err := f.Prepare(name, text("new "+name))
		if err != nil {
			t.Fatal(err)
		}
		a.Add(p)
	}
	return a
}

// TestOrder: what is announced is on the disk before it is done, and what is done before anybody hears of it.
func TestOrder(t *testing.T) {
	onlyStaged(t)
	const slot = ".usher-000000000000"
	for _, c := range []struct {
		name string
		do   func(t *testing.T, f *Folder) error
		want []string
	}{
		{"a file", func(t *testing.T, f *Folder) error { return f.Write("a", []byte("x")) }, []string{"sync a", "rename a", "sync ."}},
		{"a file in a folder", func(t *testing.T, f *Folder) error { return f.Write("in/a", []byte("x")) }, []string{"sync in/a", "rename in/a", "sync in"}},
		{"a file that matters little", func(t *testing.T, f *Folder) error { return prepared(t, f, "a").Commit() }, []string{"rename a"}},
		{"one that replaces another", func(t *testing.T, f *Folder) error { return prepared(t, f, "old").Commit() }, []string{"sync old", "rename old"}},
		{"an act", func(t *testing.T, f *Folder) error { return prepared(t, f.Durable(), "a", "in/b", "old").Commit() },
			[]string{"sync a", "sync in/b", "sync old", "append " + slot + "/acts", "sync " + slot, "sync " + slot, "link old", "rename old", "rename in/b", "rename a", "sync .", "sync in", "remove 4"}},
		{"an act that matters little", func(t *testing.T, f *Folder) error { return prepared(t, f, "a", "old").Commit() },
			[]string{"sync old", "append " + slot + "/acts", "link old", "rename old", "rename a", "remove 3"}},
		{"two acts", func(t *testing.T, f *Folder) error {
			return errors.Join(prepared(t, f.Durable(), "a", "b").Commit(), prepared(t, f.Durable(), "c", "d").Commit())
		}, []string{"sync a", "sync b", "append " + slot + "/acts", "sync " + slot, "sync " + slot, "rename b", "rename a", "sync .",
			"sync c", "sync d", "append " + slot + "/acts", "sync " + slot, "rename d", "rename c", "sync ."}},
		{"many files, and then Sync", func(t *testing.T, f *Folder) error {
			return errors.Join(prepared(t, f, "z/a").Commit(), prepared(t, f, "b").Commit(), f.Sync(), f.Sync())
		}, []string{"rename z/a", "rename z/a", "rename b", "sync DIR", "sync .", "sync z"}},
		{"another name", func(t *testing.T, f *Folder) error { return errors.Join(f.Rename("old", "in/old2"), f.Sync()) }, []string{"rename in/old2", "sync in"}},
		{"no files", func(t *testing.T, f *Folder) error { return errors.Join(new(Act).Commit(), f.Sync()) }, nil},
		{"a room", func(t *testing.T, f *Folder) error {
			r, err := f.Room()
			if err == nil {
				err = errors.Join(r.Put("a", []byte("x")), r.Put("old", []byte("y")), r.Put("z", []byte("z")), r.Commit("old"))
			}
			return err
		}, []string{"mkdir room", "remove DIR/" + slot + "/room", "sync DIR", "append " + slot + "/acts", "sync " + slot, "sync " + slot, "rename z", "rename a", "link old", "rename old", "sync .", "remove 1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, "old"), "old")
			if err := os.Mkdir(filepath.Join(dir, "in"), 0o777); err != nil {
				t.Fatal(err)
			}
			f := open(t, dir, true)
			got := taken(t, func() {
				if err := c.do(t, f); err != nil {
					t.Error(err)
				}
			}, "sync", "rename", "link", "append", "remove", "mkdir")
			for i, step := range got {
				got[i] = strings.ReplaceAll(step, filepath.ToSlash(dir), "DIR")
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("steps\n%q, want\n%q", got, c.want)
			}
		})
	}
}

// TestManyTakenBack: an act of many files that fails at the last of them leaves all as they were, and nothing unfinished.
func TestManyTakenBack(t *testing.T) {
	dir := t.TempDir()
	var names []string
	for i := range 24 {
		names = append(names, fmt.Sprint("f", i))
		write(t, filepath.Join(dir, names[i]), "old "+names[i])
	}
	f := open(t, dir, true)
	a := prepared(t, f, names...)
	steps(t, func(step, path string) error {
		if step == "rename" && path == names[0] && Fault != nil {
			Fault = nil
			return syscall.EIO
		}
		return nil
	})
	if err := a.Commit(); !errors.Is(err, syscall.EIO) {
		t.Error(err)
	}
	for _, name := range names {
		holds(t, filepath.Join(dir, name), "old "+name)
	}
	if left := listed(t, filepath.Join(dir, f.temporary.name)); len(left) > 2 { // the note, and a second name of the file that was not replaced
		t.Errorf("left: %v", left)
	}
}

// TestNotes: an act writes down which files get which names, and what has these names.
func TestNotes(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "old"), "four")
	f := open(t, dir, true)
	files := prepared(t, f, "main", "old", "new/er/b", "new/c").files
	note, err := f.beginAct(files)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(note.Folders, []string{"new/er", "new"}) || len(note.Files) != 4 {
		t.Fatalf("%+v", note)
	}
	for i, n := range note.Files {
		old := n.Name == "old"
		if n.Name != files[i].name || n.New.Size != int64(len("new "+n.Name)) || (n.Old != nil) != old || (n.Kept != "") != old || old && n.Old.Size != 4 {
			t.Errorf("%+v", n)
		}
	}
	info, err := os.Stat(filepath.Join(dir, "old"))
	if err != nil || *note.Files[1].Old != (identity{4, info.ModTime().UnixNano(), fileNumber(info)}) {
		t.Errorf("%+v, %v", note.Files[1].Old, err)
	}
	if is, err := f.identify("none"); is != nil || err != nil {
		t.Errorf("%v, %v", is, err)
	}
	_, lines, err := f.OpenJournal(f.temporary.name + "/" + actsName)
	if err != nil || len(lines) != 1 || !strings.HasPrefix(string(lines[0]), `{"files":[{"name":"main","new":{"size":8,`) {
		t.Errorf("%q, %v", lines, err)
	}
}

// TestReplaced: what stands in the way of a file is told by what it is.
func TestReplaced(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "file"), "text")
	corpus.Allowed(t, errors.Join(os.MkdirAll(filepath.Join(dir, "folder", "in"), 0o777), os.WriteFile(filepath.Join(dir, "folder", "file"), nil, 0o666), os.Symlink("file", filepath.Join(dir, "link"))))
	const exists = "exists already"
	for name, want := range map[string][2]string{ // without and with leave to overwrite
		"none": {}, "folder/none": {}, "none/none": {}, "file": {exists}, "folder/file": {exists},
		"folder": {exists, "is a folder: a file cannot take its place"}, "folder/in": {exists, "is a folder: a file cannot take its place"},
		"link": {exists, "is a symbolic link: remove it, or name the file that it leads to"}, "file/below": {"not a directory", "not a directory"},
	} {
		for i, force := range []bool{false, true} {
			for _, f := range []*Folder{open(t, dir, force), open(t, dir, !force).Forced(), Dry(dir, force)} {
				if f.force != force {
					continue
				}
				err := f.Check(name)
				if (err == nil) != (want[i] == "") || err != nil && (!strings.HasSuffix(err.Error(), want[i]) || !strings.HasPrefix(err.Error(), f.Path(name))) {
					t.Errorf("%s, force %v: %v, want %q", name, force, err, want[i])
				}
				if errors.Is(err, ErrExists) != (want[i] == exists) {
					t.Errorf("%s, force %v: %v", name, force, err)
				}
			}
		}
	}
	for _, f := range []*Folder{open(t, dir, false), Dry(dir, false)} {
		if info, err := f.Stat("link"); err != nil || info.Size() != 4 || !info.Mode().IsRegular() {
			t.Errorf("what a link leads to: %v, %v", info, err)
		}
		if info, err := f.lstat("link"); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("a link: %v, %v", info, err)
		}
		steps(t, func(step, path string) error { return syscall.EIO })
		_, err1 := f.Stat("file")
		_, err2 := f.lstat("file")
		if !errors.Is(err1, syscall.EIO) || !errors.Is(err2, syscall.EIO) || !errors.Is(f.Check("none"), syscall.EIO) {
			t.Errorf("%v, %v, %v", err1, err2, f.Check("none"))
		}
		Fault = nil
	}
}

// TestMadeFolders: folders that were made for output go away when nothing is in them.
func TestMadeFolders(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(f *Folder) error
		want []string // all that is there in the end
	}{
		{"nothing", func(f *Folder) error { return nil }, []string{"."}},
		{"a file", func(f *Folder) error { return f.Write("x", nil) }, []string{".", "a", "a/b", "a/b/x"}},
		{"a file that is gone", func(f *Folder) error { return errors.Join(f.Write("x", nil), f.Remove("x"), f.Remove("x")) }, []string{"."}},
		{"an unfinished one", func(f *Folder) error { _, err := f.Prepare("x", text("x")); return err }, []string{"."}},
		{"somebody's file above", func(f *Folder) error { return os.WriteFile(filepath.Join(f.dir, "..", "y"), nil, 0o666) }, []string{".", "a", "a/y"}},
	} {
		root := t.TempDir()
		f, err := Open(filepath.Join(root, "a", "b"), false)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(c.do(f), f.Close()); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		var got []string
		err = filepath.WalkDir(root, func(p string, _ fs.DirEntry, err error) error {
			rel, _ := filepath.Rel(root, p) // it is below
			got = append(got, filepath.ToSlash(rel))
			return err
		})
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v is there, want %v", c.name, got, c.want)
		}
	}
	root := t.TempDir()
	write(t, filepath.Join(root, "file"), "")
	for _, name := range []string{"file", "file/below"} {
		if _, err := Open(filepath.Join(root, filepath.FromSlash(name)), false); err == nil || !strings.Contains(err.Error(), "file") {
			t.Errorf("%s: %v", name, err)
		}
	}
	steps(t, func(step, path string) error { return syscall.EIO })
	if _, err := Open(filepath.Join(root, "new"), false); !errors.Is(err, syscall.EIO) || !isMissing(filepath.Join(root, "new")) {
		t.Error(err)
	}
	Fault = nil
	if err := Dry(root, false).Close(); err != nil {
		t.Error(err)
	}
}

// TestPending: a file that is not whole, or has not its name, leaves nothing; one that replaces another keeps its mode.
func TestPending(t *testing.T) {
	dir := t.TempDir()
	at := filepath.Join(dir, "old")
	write(t, at, "old")
	if err := os.Chmod(at, 0o640); err != nil {
		t.Fatal(err)
	}
	f := open(t, dir, true)
	p, err := f.Prepare("old", func(w io.Writer) error {
		if info, err := os.Stat(filepath.Join(dir, f.temporary.name, "1")); err != nil || info.Mode().Perm()&0o077 != 0o040 && info.Mode().Perm() != 0o600 {
			t.Errorf("under way: %v, %v", info, err)
		}
		return text("newer")(w)
	})
	if err != nil {
		t.Fatal(err)
	}
	holds(t, at, "old")
	if err := p.Commit(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(at)
	if err != nil || info.Mode().Perm() != 0o640 || p.Size != 5 || p.Time != info.ModTime().UnixNano() {
		t.Errorf("%v, %d bytes, %v, %v", info.Mode(), p.Size, time.Unix(0, p.Time), err)
	}
	holds(t, at, "newer")
	for _, name := range []string{"../out", "/out", "a/../../out"} {
		called := false
		_, err := f.Prepare(name, func(io.Writer) error { called = true; return nil })
		var of *fs.PathError
		if !errors.As(err, &of) || of.Path != f.Path(name) || called || !strings.Contains(err.Error(), "leads out of the folder") {
			t.Errorf("%s: %v, written %v", name, err, called)
		}
	}
	broken := errors.New("broken")
	for _, name := range []string{"old", "fresh", "in/fresh"} {
		for _, failing := range []string{"fill", "create", "write", "sync", "close"} {
			steps(t, func(step, path string) error {
				if step == failing {
					return broken
				}
				return nil
			})
			_, err := f.Durable().Prepare(name, func(w io.Writer) error {
				if failing == "fill" {
					return broken
				}
				return text("text")(w)
			})
			Fault = nil
			if !errors.Is(err, broken) || err.Error() != broken.Error() && err.Error() != "write "+f.Path(name)+": broken" {
				t.Errorf("%s of %s fails: %v", failing, name, err)
			}
			if got := listed(t, filepath.Join(dir, f.temporary.name)); len(got) > 0 {
				t.Errorf("%s of %s fails: %v is left", failing, name, got)
			}
		}
	}
	holds(t, at, "newer")
	for _, name := range []string{"mine", "in/mine"} { // somebody makes it meanwhile
		g := open(t, dir, false)
		p, err := g.Prepare(name, text("x"))
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(g.Path(name)), 0o777), os.WriteFile(g.Path(name), []byte("theirs"), 0o666)); err != nil {
			t.Fatal(err)
		}
		if err := p.Commit(); !errors.Is(err, ErrExists) || !strings.HasPrefix(err.Error(), g.Path(name)) {
			t.Errorf("%s: %v", name, err)
		}
		holds(t, g.Path(name), "theirs")
		if got := listed(t, filepath.Join(dir, g.temporary.name)); len(got) > 0 {
			t.Errorf("%s: %v is left", name, got)
		}
	}
}

// TestRoomCommits: all files of a room come, or none; those that are replaced keep their modes.
func TestRoomCommits(t *testing.T) {
	for _, c := range []struct {
		name  string
		force bool
		main  string
		err   error
	}{
		{"over others", true, "a", nil}, {"without leave", false, "a", ErrExists}, {"another main file", true, "in/b", nil}, {"a main file that is not there", true, "none", nil},
	} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "a"), "old")
		if err := os.Chmod(filepath.Join(dir, "a"), 0o604); err != nil {
			t.Fatal(err)
		}
		f := open(t, dir, c.force)
		r, err := f.Room()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Room(); err == nil {
			t.Error("a second room")
		}
		for _, name := range []string{"a", "in/b", "c"} {
			if err := r.Put(name, []byte("new "+name)); err != nil {
				t.Fatal(err)
			}
			if r.Path(name) != f.Path(name) || r.Place(name) == f.Place(name) {
				t.Errorf("%s is shown as %s, and is at %s", name, r.Path(name), r.Place(name))
			}
			holds(t, r.Place(name), "new "+name)
		}
		var last string
		steps(t, func(step, path string) error {
			if step == "rename" {
				last = path
			}
			return nil
		})
		err = r.Commit(c.main)
		Fault = nil
		if !errors.Is(err, c.err) {
			t.Errorf("%s: %v", c.name, err)
		}
		if err != nil {
			holds(t, filepath.Join(dir, "a"), "old")
			holds(t, filepath.Join(dir, "c"), "")
			continue
		}
		if c.main != "none" && last != c.main {
			t.Errorf("%s: the last one is %s", c.name, last)
		}
		for _, name := range []string{"a", "in/b", "c"} {
			holds(t, filepath.Join(dir, filepath.FromSlash(name)), "new "+name)
		}
		if info, err := os.Stat(filepath.Join(dir, "a")); err != nil || info.Mode().Perm() != 0o604 {
			t.Errorf("%s: %v, %v", c.name, info.Mode(), err)
		}
	}
	dir := t.TempDir()
	r, err := open(t, dir, false).Room()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Commit("none"); err != nil || len(listed(t, dir)) > 1 {
		t.Errorf("an empty room: %v, %v", err, listed(t, dir))
	}
}

// TestTemporaryNames: the folders of unfinished files have names that the next run finds, and others when those are taken.
func TestTemporaryNames(t *testing.T) {
	for name, want := range map[string]bool{
		".usher-000000000000": true, ".usher-0123456789ab": true, ".usher-fedcba987654": true, ".usher-00000000000": false, ".usher-0000000000000": false,
		".usher-00000000000G": false, "usher-000000000000": false, ".usher-": false, ".usher-unfinished-": true, ".usher-unfinished-x": true, ".usher-unfinishe": false, LockName: false,
	} {
		if got := IsTemporary(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	dir := t.TempDir()
	seen := map[string]bool{}
	for n := range temporarySlots + 3 {
		f := open(t, dir, false)
		p, err := f.Prepare(fmt.Sprint("file", n), text("x"))
		if err != nil {
			t.Fatal(err)
		}
		name := f.temporary.name
		if seen[name] || !IsTemporary(name) || (name == fmt.Sprintf(".usher-%012x", n)) != (n < temporarySlots) {
			t.Errorf("run %d has %s", n, name)
		}
		seen[name] = true
		defer p.Discard()
	}
	if got := slices.Sorted(maps.Keys(seen)); !slices.Equal(listed(t, dir), got) {
		t.Errorf("%v, want %v", listed(t, dir), got)
	}
	for _, meddle := range []func(at string) error{os.Remove, func(string) error { return syscall.EIO }} { // swept away before it is locked, or not locked
		dir := t.TempDir()
		steps(t, func(step, path string) error {
			if step == "lock" {
				if at := filepath.Join(dir, temporarySlot(0)); !isMissing(at) {
					return meddle(at)
				}
			}
			return nil
		})
		f := open(t, dir, false)
		if err := f.Write("a", []byte("x")); err != nil || f.temporary.name != temporarySlot(1) {
			t.Errorf("%v", err)
		}
		Fault = nil
	}
	steps(t, func(step, path string) error {
		if step == "create" {
			return syscall.ENOSPC
		}
		return nil
	})
	_, err := open(t, dir, false).Scratch()
	if _, err2 := open(t, dir, false).Room(); !errors.Is(err, syscall.ENOSPC) || !errors.Is(err2, syscall.ENOSPC) {
		t.Errorf("%v, %v", err, err2)
	}
}

// TestErrorsOfFolders: an error names the file that a user knows, and what is wrong with it.
func TestErrorsOfFolders(t *testing.T) {
	dir := t.TempDir()
	f := open(t, dir, true)
	if err := f.Rename("none", "b"); fmt.Sprint(err) != "rename "+filepath.Join(dir, "none")+": "+syscall.ENOENT.Error() {
		t.Error(err)
	}
	write(t, filepath.Join(dir, "a"), "text")
	write(t, filepath.Join(dir, "b"), "old")
	if err := f.Rename("a", "b"); err != nil {
		t.Error(err)
	}
	holds(t, filepath.Join(dir, "b"), "text")
	if err := f.Remove("b"); err != nil || !isMissing(filepath.Join(dir, "b")) {
		t.Error(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "full", "in"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := f.Remove("full"); err == nil {
		t.Error("a folder with something in it is removed")
	}
	failing := "sync"
	steps(t, func(step, path string) error {
		if step == failing && (step != "sync" || path == "." || path == dir) {
			return syscall.EIO
		}
		return nil
	})
	err := f.Write("c", []byte("x"))
	if fmt.Sprint(err) != dir+": "+syscall.EIO.Error() || !isMissing(filepath.Join(dir, "c")) {
		t.Errorf("a name that may not be on the disk: %v", err)
	}
	p, err := f.Prepare("e", text("x"))
	if err == nil {
		err = p.Commit()
	}
	if again := errors.Join(f.Sync(), f.Sync()); err != nil || !errors.Is(again, syscall.EIO) || strings.Count(again.Error(), dir) != 2 {
		t.Errorf("%v, %v", err, again)
	}
	failing = "rename"
	if err := f.Rename("e", "g"); fmt.Sprint(err) != "rename "+filepath.Join(dir, "e")+": "+syscall.EIO.Error() {
		t.Error(err)
	}
	failing = "remove"
	if err := f.Remove("e"); !errors.Is(err, syscall.EIO) {
		t.Error(err)
	}
	holds(t, filepath.Join(dir, "e"), "x")
}

// A folder closes the room that it has: what is open cannot be removed on Windows.
func TestCloseClosesTheRoom(t *testing.T) {
	f := open(t, t.TempDir(), false)
	r, err := f.Room()
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Folder.root.Stat("."); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("the room is open: %v", err)
	}
}
