package disk

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"
)

// LockName is the file by which a run claims a folder.
const LockName = ".usher-lock"

var (
	errHeld    = errors.New("held by another run")
	errNoLocks = errors.New("the file system has no locks")
)

// ErrInUse is the error of a folder in which another run is at work.
var ErrInUse = errors.New("is in use")

// Lock is the claim of a run on a folder. The system takes it back when the run dies.
type Lock struct {
	folder *Folder
	file   *os.File // nil where nobody may write
}

// holder is what a lock file says.
type holder struct {
	Command string `json:"command"`
	Process int    `json:"process"`
	Host    string `json:"host"`
	Since   string `json:"since"`
}

// Lock claims the folder for a run of the command. While another one has it, the error wraps ErrInUse and says who. A
// folder that cannot be written to needs no claim.
func (f *Folder) Lock(command string) (*Lock, error) {
	for {
		file, err := f.openLock()
		if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
			return &Lock{folder: f}, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.dir, plain(err))
		}
		l := &Lock{f, file}
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

func (f *Folder) openLock() (*os.File, error) {
	if err := fault("create", LockName); err != nil {
		return nil, err
	}
	return f.root.OpenFile(LockName, os.O_RDWR|os.O_CREATE, 0o666)
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
		return fmt.Errorf("%s %w by another run of usher", l.folder.dir, ErrInUse)
	case errors.Is(err, errHeld):
		return fmt.Errorf("%s %w: %s", l.folder.dir, ErrInUse, is)
	case errors.Is(err, errNoLocks) && known && is.Process != os.Getpid() && (is.Host != host || alive(is.Process)):
		return fmt.Errorf("%s %w: %s; if that is over, remove %s", l.folder.dir, ErrInUse, is, l.folder.Path(LockName))
	case err != nil && !errors.Is(err, errNoLocks):
		return fmt.Errorf("%s: %w", l.folder.Path(LockName), plain(err))
	}
	if !l.named() {
		return fs.ErrNotExist
	}
	return l.write(holder{command, os.Getpid(), host, time.Now().Format(time.DateTime)})
}

func (h holder) String() string {
	return fmt.Sprintf("usher %s, process %d on %s, since %s", h.Command, h.Process, h.Host, h.Since)
}

// named tells whether the open file is still the one that is called so.
func (l *Lock) named() bool {
	a, err1 := l.file.Stat()
	b, err2 := l.folder.root.Lstat(LockName)
	return err1 == nil && err2 == nil && os.SameFile(a, b)
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
		return fmt.Errorf("%s: %w", l.folder.Path(LockName), plain(err))
	}
	return nil
}

// Now returns the time as the file system of the folder tells it, in nanoseconds since 1970: what it says of files can
// be compared to that, whatever this machine's clock says. It is 0 where nobody may write.
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

// Release gives the folder free.
func (l *Lock) Release() {
	if l.file == nil {
		return
	}
	_ = l.folder.Remove(LockName) // without its holder it is nothing
	l.file.Close()
	l.file = nil
}

// faultyAt is a file that asks for faults.
type faultyAt struct{ *os.File }

func (f faultyAt) WriteAt(b []byte, at int64) (int, error) {
	if err := fault("write", f.Name()); err != nil {
		return 0, err
	}
	return f.File.WriteAt(b, at)
}
