package disk

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/cespare/xxhash/v2"
)

// LockName is the file that locks a folder. With a hash of a file's name appended, it locks that file.
const LockName = ".usher-lock"

// IsLock reports whether a base name is that of a lock file.
func IsLock(base string) bool { return base == LockName || strings.HasPrefix(base, LockName+"-") }

var (
	errHeld    = errors.New("held by another run")
	errNoLocks = errors.New("the file system has no locks")
)

// ErrInUse is the error for a folder that another run has locked.
var ErrInUse = errors.New("is in use")

// Lock is the lock of a run on a folder or a file. The operating system releases it when the process ends.
type Lock struct {
	folder *Folder
	name   string   // of the lock
	of     string   // what it claims, as a user would type it
	file   *os.File // nil where nobody may write
}

// holder is what a lock file says.
type holder struct {
	Command string `json:"command"`
	Process int    `json:"process"`
	Host    string `json:"host"`
	Since   string `json:"since"`
}

// Lock locks the folder for a run of the command. If another run has locked it, the error wraps ErrInUse and names that
// run. A folder that nobody can write to needs no lock.
func (f *Folder) Lock(command string) (*Lock, error) { return f.lock(LockName, f.dir, command) }

// LockFile is Lock for a file of the folder. The file need not exist.
func (f *Folder) LockFile(name, command string) (*Lock, error) {
	sum := xxhash.Sum64String(strings.ToLower(name)) // some file systems know no case
	return f.lock(fmt.Sprintf("%s-%016x", LockName, sum), f.Path(name), command)
}

func (f *Folder) lock(name, of, command string) (*Lock, error) {
	for {
		file, err := f.openLock(name)
		if !f.staged && (errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)) { // a staged one a run has made
			return &Lock{folder: f}, nil
		}
		if err != nil {
			return nil, err
		}
		l := &Lock{f, name, of, file}
		err = l.claim(command)
		if err == nil {
			return l, nil
		}
		file.Close()
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		} // else its holder took it away as we came
	}
}

func (f *Folder) openLock(name string) (*os.File, error) {
	if err := fault("create", name); err != nil {
		return nil, err
	}
	return f.openControl(name, os.O_RDWR|os.O_CREATE)
}

func (l *Lock) claim(command string) error {
	var is holder
	text, err := io.ReadAll(io.LimitReader(l.file, 4096))
	if err != nil {
		return err
	}
	known := json.Unmarshal(text, &is) == nil && is.Process != 0
	host, _ := os.Hostname() // only to compare
	switch err := lockFile(l.file); {
	case errors.Is(err, errHeld) && !known:
		return fmt.Errorf("%s %w by another run of usher", l.of, ErrInUse)
	case errors.Is(err, errHeld):
		return fmt.Errorf("%s %w: %s", l.of, ErrInUse, is)
	case errors.Is(err, errNoLocks) && known && is.Process != os.Getpid() && (is.Host != host || alive(is.Process)):
		return fmt.Errorf("%s %w: %s; if that is over, remove %s", l.of, ErrInUse, is, l.folder.Path(l.name))
	case err != nil && !errors.Is(err, errNoLocks):
		return fmt.Errorf("%s: %w", l.folder.Path(l.name), plain(err))
	}
	if !l.named() {
		return fs.ErrNotExist
	}
	return l.write(holder{command, os.Getpid(), host, time.Now().Format(time.DateTime)})
}

func (h holder) String() string {
	return fmt.Sprintf("usher %s, process %d on %s, since %s", h.Command, h.Process, h.Host, h.Since)
}

// named reports whether the open file is still the one that is called so.
func (l *Lock) named() bool {
	return l.folder.same(l.file, l.name)
}

func (l *Lock) write(h holder) error {
	text, err := json.Marshal(h)
	if err == nil {
		err = l.file.Truncate(0)
	}
	if err == nil {
		_, err = faultyAt{l.file}.WriteAt(append(text, '\n'), 0)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", l.folder.Path(l.name), plain(err))
	}
	return nil
}

// Now returns the time by the clock of the folder's file system, in nanoseconds since 1970. Compare times of files with it,
// since this machine's clock may differ. It is 0 if the folder is not writable.
func (l *Lock) Now() int64 {
	if l.file == nil {
		return 0
	}
	if _, err := (faultyAt{l.file}).WriteAt([]byte("{"), 0); err != nil { // it begins so
		return 0
	}
	info, err := l.file.Stat()
	if err != nil {
		return 0
	}
	return info.ModTime().UnixNano()
}

// Release releases the lock.
func (l *Lock) Release() {
	if l.file == nil {
		return
	}
	if !l.tellsWhose() {
		_ = l.folder.Remove(l.name) // without its holder it is nothing
	}
	l.file.Close()
	l.file = nil
}

// tellsWhose reports whether the lock is needed without its holder: it says of a folder that has not its name yet that a
// run has made it.
func (l *Lock) tellsWhose() bool {
	if !l.folder.staged {
		return false
	}
	holds, err := l.folder.holdsFiles()
	return holds || err != nil
}

// faultyAt is a file that asks for faults.
type faultyAt struct{ *os.File }

func (f faultyAt) WriteAt(b []byte, at int64) (int, error) {
	if err := fault("write", f.Name()); err != nil {
		return 0, err
	}
	return f.File.WriteAt(b, at)
}
