//go:build linux || darwin || dragonfly || freebsd || netbsd || openbsd

package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A pipe is neither read nor waited for nor replaced, whatever it is called.
func TestPipes(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"pipe", LockName + "-1"} {
		if err := unix.Mkfifo(filepath.Join(dir, name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	f, b := open(t, dir, true), (*Below)(nil)
	b, err := OpenBelow(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if _, _, err := b.ReadFile("pipe"); !errors.Is(err, ErrSpecial) {
		t.Errorf("below: %v", err)
	}
	if _, err := f.ReadFile("pipe"); !errors.Is(err, ErrNotOwn) || !strings.Contains(err.Error(), "pipe is no regular file: ") {
		t.Errorf("as a control file: %v", err)
	}
	if err := f.Check("pipe"); err == nil || !strings.HasSuffix(err.Error(), "is no regular file: it is not overwritten") {
		t.Errorf("as an output: %v", err)
	}
	if err := errors.Join(os.MkdirAll(filepath.Join(dir, KeptName, "a"), 0o777), unix.Mkfifo(filepath.Join(dir, KeptName, "a", "1"), 0o666)); err != nil {
		t.Fatal(err)
	}
	if list, err := f.Kept("a"); err != nil || len(list) > 0 {
		t.Errorf("as a record: %v, %v", list, err)
	}
	info, err := os.Lstat(filepath.Join(dir, LockName+"-1"))
	if err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
		t.Errorf("as a lock: %v", err)
	}
}

// What the system says of processes, locks and files.
func TestSystem(t *testing.T) {
	for pid, want := range map[int]bool{os.Getpid(): true, 1: true, 1 << 30: false} {
		if got := alive(pid); got != want {
			t.Errorf("process %d: %v", pid, got)
		}
	}
	for err, want := range map[error]bool{unix.ENOLCK: true, unix.ENOTSUP: true, unix.EBADF: true, unix.ENOSYS: true, unix.EINVAL: true, unix.EIO: false, unix.EWOULDBLOCK: false} {
		if got := noLocks(err); got != want {
			t.Errorf("%v: no locks %v", err, got)
		}
	}
	dir := t.TempDir()
	numbers := map[string]bool{}
	for _, name := range []string{"a", "b"} {
		write(t, filepath.Join(dir, name), "text")
		old := time.Unix(1e9, 0) // when it was changed is not what somebody says
		if err := os.Chtimes(filepath.Join(dir, name), old, old); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if again, err := os.Stat(filepath.Join(dir, name)); err != nil || fileNumber(again) != fileNumber(info) || time.Since(time.Unix(0, changeTime(info))).Abs() > time.Minute {
			t.Errorf("%s: %s, then %s", name, fileNumber(info), fileNumber(again))
		}
		numbers[fileNumber(info)] = true
	}
	if len(numbers) != 2 || numbers[""] {
		t.Errorf("two files have the numbers %v", numbers)
	}
	file, err := os.Open(filepath.Join(dir, "a"))
	if err != nil {
		t.Fatal(err)
	}
	other, err := os.Open(filepath.Join(dir, "a"))
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if err := lockFile(file); err != nil {
		t.Fatal(err)
	}
	if err := lockFile(other); !errors.Is(err, errHeld) || abandoned(other) {
		t.Errorf("held by another: %v", err)
	}
	file.Close()
	if !abandoned(other) || lockFile(other) != nil {
		t.Error("the lock outlives its file")
	}
	if err := lockFile(file); err == nil || errors.Is(err, errHeld) {
		t.Errorf("a closed file: %v", err)
	}
}

// Folders of file systems that cannot put them on the disk are as good as there.
func TestSyncDirectory(t *testing.T) {
	for _, name := range []string{t.TempDir(), "/proc/self"} {
		dir, err := os.Open(name)
		if err != nil {
			t.Skipf("there is no %s here", name)
		}
		if err := syncDirectory(dir); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		dir.Close()
		if err := syncDirectory(dir); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("%s is closed: %v", name, err)
		}
	}
}

// A file that replaces another one belongs to whom that did.
func TestKeepOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root may give files away")
	}
	for _, owner := range [][2]int{{12, 0}, {0, 34}, {12, 34}, {0, 0}} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "a"), "old")
		if err := os.Chown(filepath.Join(dir, "a"), owner[0], owner[1]); err != nil {
			t.Skipf("files cannot be given away here: %v", err)
		}
		if err := open(t, dir, true).Write("a", []byte("new")); err != nil {
			t.Fatal(err)
		}
		var st unix.Stat_t
		if err := unix.Stat(filepath.Join(dir, "a"), &st); err != nil || [2]int{int(st.Uid), int(st.Gid)} != owner {
			t.Errorf("%v became %d, %d, %v", owner, st.Uid, st.Gid, err)
		}
	}
}
