package disk

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// One run has a folder, and one each file of it; the others are told who it is.
func TestLocks(t *testing.T) {
	dir := t.TempDir()
	f := open(t, dir, false)
	first, err := f.Lock("pack")
	if err != nil {
		t.Fatal(err)
	}
	host, _ := os.Hostname()
	var is holder
	b, err := os.ReadFile(filepath.Join(dir, LockName))
	if err != nil || json.Unmarshal(b, &is) != nil || is.Command != "pack" || is.Process != os.Getpid() || is.Host != host || !strings.HasSuffix(string(b), "}\n") {
		t.Errorf("the lock says %q, %v", b, err)
	}
	if since, err := time.ParseInLocation(time.DateTime, is.Since, time.Local); err != nil || time.Since(since) > time.Minute {
		t.Errorf("since %s, %v", is.Since, err)
	}
	want := fmt.Sprintf("%s is in use: usher pack, process %d on %s, since %s", dir, os.Getpid(), host, is.Since)
	if _, err := f.Lock("undo"); !errors.Is(err, ErrInUse) || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	write(t, filepath.Join(dir, LockName), "{") // the holder is about to write
	if _, err := f.Lock("undo"); !errors.Is(err, ErrInUse) || err.Error() != dir+" is in use by another run of usher" {
		t.Error(err)
	}
	a, err := f.LockFile("A.utf", "pack")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.LockFile("a.UTF", "undo"); !errors.Is(err, ErrInUse) || !strings.HasPrefix(err.Error(), filepath.Join(dir, "a.UTF")+" is in use: usher pack, ") {
		t.Errorf("the same file, written otherwise: %v", err)
	}
	b2, err := f.LockFile("b.utf", "pack")
	if err != nil {
		t.Fatal(err)
	}
	names := listed(t, dir)
	for _, name := range names {
		if !IsLock(name) || name != LockName && len(name) != len(LockName)+1+16 {
			t.Errorf("%s is no name of a lock", name)
		}
	}
	if len(names) != 3 || IsLock(LockName+"2") || IsLock("usher-lock") {
		t.Errorf("%v", names)
	}
	for _, l := range []*Lock{first, a, b2} {
		l.Release()
		l.Release()
	}
	if names := listed(t, dir); len(names) > 0 {
		t.Errorf("left: %v", names)
	}
}

// listed returns the names in a folder.
func listed(t *testing.T, dir string) (names []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range list {
		names = append(names, d.Name())
	}
	return names
}

// What the last run wrote into a lock is replaced whole, and stays where it is needed.
func TestLockOfTheDead(t *testing.T) {
	dir := t.TempDir()
	at := filepath.Join(dir, LockName)
	write(t, at, strings.Repeat("old ", 1000))
	f := open(t, dir, false)
	l, err := f.Lock("pack")
	if err != nil {
		t.Fatal(err)
	}
	b, _ := os.ReadFile(at)
	if !json.Valid(b) || len(b) > 500 {
		t.Errorf("the lock says %.40q, %d bytes", b, len(b))
	}
	old := time.Unix(1e9, 0)
	if err := os.Chtimes(at, old, old); err != nil {
		t.Fatal(err)
	}
	now := l.Now()
	if info, err := os.Stat(at); err != nil || info.ModTime().UnixNano() != now || time.Since(time.Unix(0, now)).Abs() > time.Minute {
		t.Errorf("now is %v, %v", time.Unix(0, now), err)
	}
	holds(t, at, string(b))
	steps(t, func(step, path string) error { return errors.ErrUnsupported })
	if now := l.Now(); now != 0 {
		t.Errorf("without leave to write now is %d", now)
	}
	Fault = nil
	l.Release()
	if now := l.Now(); now != 0 {
		t.Errorf("after its release now is %d", now)
	}
}

// Where there are no locks, what the lock says shows if its holder still runs.
func TestNoLocks(t *testing.T) {
	host, _ := os.Hostname()
	const nobody = 1 << 30
	for _, c := range []struct {
		name, text string
		err        error // of the system
		want       string
	}{
		{"nothing", "", errNoLocks, ""},
		{"no holder", "{}", errNoLocks, ""},
		{"this one", fmt.Sprintf(`{"command":"pack","process":%d,"host":%q}`, os.Getpid(), host), errNoLocks, ""},
		{"this one, as another machine counts", fmt.Sprintf(`{"command":"pack","process":%d,"host":"elsewhere"}`, os.Getpid()), errNoLocks, ""},
		{"one that runs", fmt.Sprintf(`{"command":"pack","process":%d,"host":%q}`, os.Getppid(), host), errNoLocks, "is in use: usher pack, "},
		{"one that is over", fmt.Sprintf(`{"command":"pack","process":%d,"host":%q}`, nobody, host), errNoLocks, ""},
		{"one of another machine", fmt.Sprintf(`{"command":"pack","process":%d,"host":"elsewhere"}`, nobody), errNoLocks, "process 1073741824 on elsewhere, since ; if that is over, remove "},
		{"an error", "", syscall.EIO, LockName + ": " + syscall.EIO.Error()},
		{"held", fmt.Sprintf(`{"process":%d}`, nobody), errHeld, "is in use: usher "},
		{"held by nobody who says so", `{"command":"pack"}`, errHeld, "is in use by another run of usher"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, LockName), c.text)
			f := open(t, dir, false)
			steps(t, func(step, path string) error {
				if step == "lock" {
					return c.err
				}
				return nil
			})
			l, err := f.Lock("undo")
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Fatalf("%v, want %q", err, c.want)
			}
			if b, _ := os.ReadFile(filepath.Join(dir, LockName)); (err == nil) != strings.Contains(string(b), `"undo"`) {
				t.Errorf("the lock says %q", b)
			}
			if err == nil {
				l.Release()
			}
		})
	}
}

// A folder that nobody may write to needs no claim; one that is taken away between is claimed once more.
func TestLockSteps(t *testing.T) {
	for _, err := range []error{fs.ErrPermission, syscall.EROFS} {
		f := open(t, t.TempDir(), false)
		steps(t, func(step, path string) error {
			if step == "create" {
				return err
			}
			return nil
		})
		l, err := f.Lock("info")
		if err != nil || l.Now() != 0 {
			t.Error(err)
		}
		l.Release()
		Fault = nil
	}
	dir := t.TempDir()
	f := open(t, dir, false)
	gone := 0
	steps(t, func(step, path string) error {
		if step == "lock" && gone < 2 {
			gone++
			return os.Remove(filepath.Join(dir, LockName))
		}
		return nil
	})
	l, err := f.Lock("pack")
	if err != nil || gone != 2 || !slices.Equal(listed(t, dir), []string{LockName}) {
		t.Fatalf("%v, %v", err, listed(t, dir))
	}
	l.Release()
	for _, step := range []string{"create", "write"} {
		steps(t, func(s, path string) error {
			if s == step {
				return syscall.EIO
			}
			return nil
		})
		if _, err := f.Lock("pack"); !errors.Is(err, syscall.EIO) {
			t.Errorf("%s fails: %v", step, err)
		}
	}
}

// Locks of files that a killed run has left are swept away; those that are held are not, nor that of the folder.
func TestSweepLocks(t *testing.T) {
	dir := t.TempDir()
	f := open(t, dir, false)
	held, err := f.LockFile("held", "pack")
	if err != nil {
		t.Fatal(err)
	}
	defer held.Release()
	for _, name := range []string{LockName + "-0000000000000000", LockName, "file", ".usher-lock2"} {
		write(t, filepath.Join(dir, name), "")
	}
	if err := os.Mkdir(filepath.Join(dir, LockName+"-1"), 0o777); err != nil {
		t.Fatal(err)
	}
	open(t, dir, false)
	if got, want := listed(t, dir), []string{LockName, LockName + "-1", held.name, ".usher-lock2", "file"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
