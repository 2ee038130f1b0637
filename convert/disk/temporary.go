package disk

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// temporaryPrefix and twelve hexadecimal digits are the name of the folder inside an output folder in which a run keeps
// the files that are not whole yet. The run holds a lock on it, which ends with the run: a folder of that name without
// one is what a killed run has left.
const temporaryPrefix = ".usher-"

const temporaryDigits = 12

// temporarySlots is how many of these names are tried in their order before one is made up: the next run finds what a
// killed one has left there, however many files are in the folder.
const temporarySlots = 16

func temporarySlot(n int) string { return fmt.Sprintf("%s%0*x", temporaryPrefix, temporaryDigits, n) }

// IsTemporary reports whether a base name is that of a folder of unfinished files, or of a folder that is itself
// unfinished.
func IsTemporary(base string) bool {
	return isTemporaries(base) || strings.HasPrefix(base, stagedPrefix)
}

func isTemporaries(base string) bool {
	digits, ok := strings.CutPrefix(base, temporaryPrefix)
	return ok && len(digits) == temporaryDigits && strings.Trim(digits, "0123456789abcdef") == ""
}

// temporaries is the folder of a run's unfinished files.
type temporaries struct {
	name string
	root *os.Root // opened
	self *os.File // locked
	out  *os.Root // the folder that it is in
	next atomic.Uint64

	noting  sync.Mutex
	acts    *Journal    // nil before the first act
	pending atomic.Bool // an act could not be taken back: the next run is to do that
}

// newTemporaries makes the folder. A name that is taken, or swept away before it is locked, is followed by another.
func newTemporaries(out *os.Root) (*temporaries, error) {
	for try := 0; ; try++ {
		t, err := tryTemporaries(out, temporaryName(try))
		if err == nil || try == 2*temporarySlots {
			return t, err
		}
	}
}

func temporaryName(try int) string {
	if try < temporarySlots {
		return temporarySlot(try)
	}
	var random [temporaryDigits / 2]byte
	_, _ = rand.Read(random[:]) // cannot fail
	return temporaryPrefix + hex.EncodeToString(random[:])
}

func tryTemporaries(out *os.Root, name string) (*temporaries, error) {
	t := &temporaries{name: name, out: out}
	err := fault("create", t.name)
	if err == nil {
		err = out.Mkdir(t.name, 0o700)
	}
	if err != nil {
		return nil, &fs.PathError{Op: "mkdir", Path: t.name, Err: plain(err)}
	}
	if t.root, err = out.OpenRoot(t.name); err != nil {
		out.Remove(t.name)
		return nil, err
	}
	if t.self, err = t.root.Open("."); err == nil {
		err = unlessNoLocks(lockFile(t.self))
	}
	if err == nil {
		_, err = out.Lstat(t.name) // it may have been swept away before the lock
	}
	if err != nil {
		t.remove()
		return nil, err
	}
	return t, nil
}

// unlessNoLocks passes over that there are no locks: nobody can tell then that a folder is in use, and so nobody sweeps it
// away before it is old.
func unlessNoLocks(err error) error {
	if errors.Is(err, errNoLocks) {
		return nil
	}
	return err
}

// remove removes the folder and what is in it.
func (t *temporaries) remove() {
	if t == nil {
		return
	}
	if closeFirst { // there are no locks either that the next run could ask
		t.close()
	} else {
		defer t.close()
	}
	if !t.pending.Load() && fault("remove", t.name) == nil && removeFrom(t.out, t.name) != nil {
		t.out.RemoveAll(t.name) // best effort: the next run removes it
	}
}

func (t *temporaries) close() {
	if t.acts != nil {
		t.acts.Close()
	}
	if t.self != nil {
		t.self.Close()
	}
	t.root.Close()
}

// create makes a temporary file; with the mode of its user alone when it is to replace another file, whose mode it gets.
func (f *Folder) create(old fs.FileInfo) (*os.File, string, error) {
	t, err := f.temporaries()
	if err != nil {
		return nil, "", err
	}
	mode := fs.FileMode(0o666)
	if old != nil {
		mode = 0o600
	}
	name := strconv.FormatUint(t.next.Add(1), 10)
	if err := fault("create", name); err != nil {
		return nil, "", &fs.PathError{Op: "open", Path: temporaryPrefix, Err: err}
	}
	file, err := openIn(t.self, t.root, name, mode)
	if err != nil {
		return nil, "", &fs.PathError{Op: "open", Path: temporaryPrefix, Err: plain(err)}
	}
	return file, name, nil
}

// Scratch creates a nameless file for writing and reading. Close it before the folder, whose Close removes it.
func (f *Folder) Scratch() (*os.File, error) {
	t, err := f.temporaries()
	if err != nil {
		return nil, err
	}
	name := strconv.FormatUint(t.next.Add(1), 10)
	if err := fault("create", name); err != nil {
		return nil, &fs.PathError{Op: "open", Path: temporaryPrefix, Err: err}
	}
	return t.root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
}

// temporaries returns the folder of unfinished files, and makes it before the first one.
func (f *Folder) temporaries() (*temporaries, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.temporary == nil {
		t, err := newTemporaries(f.root)
		if err != nil {
			return nil, err
		}
		f.temporary = t
	}
	return f.temporary, nil
}

// sweepNames is how many names of a folder are looked at for what killed runs have left: a folder may hold millions of
// files, and each be the output of a run of its own.
const sweepNames = 1024

// sweep removes what killed runs have left in the folder, and takes back what they have begun.
func (f *Folder) sweep() {
	for n := range temporarySlots {
		f.sweepOne(temporarySlot(n))
	}
	list, err := f.root.Open(".")
	if err != nil {
		return
	}
	defer list.Close()
	names, _ := list.Readdirnames(sweepNames) // what cannot be listed cannot be swept
	for _, name := range names {
		switch {
		case isTemporaries(name):
			f.sweepOne(name)
		case IsLock(name) && name != LockName: // that one is claimed by whoever comes next
			f.sweepLock(name)
		}
	}
}

// sweepLock removes the lock of a file that nobody holds.
func (f *Folder) sweepLock(name string) {
	file, err := f.openControl(name, os.O_RDWR)
	if err != nil {
		return
	}
	defer file.Close()
	if lockFile(file) == nil && f.same(file, name) {
		_ = f.Remove(name) // best effort
	}
}

func (f *Folder) sweepOne(name string) {
	if info, err := f.root.Lstat(name); err != nil || !info.IsDir() {
		return
	}
	self, err := f.root.Open(name)
	if err != nil {
		return
	}
	defer self.Close()
	if !abandoned(self) && !f.endedActs(name) || !f.same(self, name) {
		return
	}
	if f.recoverActs(name) == nil && fault("remove", name) == nil {
		f.root.RemoveAll(name) // best effort: it is in nobody's way
	}
}

// endedActs tells, where folders have no locks, whether the run is over that has noted acts in a folder of unfinished files.
func (f *Folder) endedActs(name string) bool {
	if !closeFirst {
		return false
	}
	file, err := f.openControl(path.Join(name, actsName), os.O_RDWR)
	if err != nil {
		return false
	}
	defer file.Close()
	info, err := file.Stat()
	const sure = 2 * time.Second // it is locked by then
	return err == nil && time.Since(info.ModTime()) > sure && lockFile(file) == nil
}

// same reports whether an open file is still the one that is called so: another run may have been quicker.
func (f *Folder) same(file *os.File, name string) bool {
	a, err1 := file.Stat()
	b, err2 := f.root.Lstat(name)
	return err1 == nil && err2 == nil && os.SameFile(a, b)
}
