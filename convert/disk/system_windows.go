package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/windows"
)

// closeFirst says that a folder can only be removed when nothing has it open.
const closeFirst = true

// lockFile takes the lock of an open file; it ends with the process. Folders have none here. What is locked is a byte far
// behind the end: a locked one cannot be read, and others are to read who has the file.
func lockFile(file *os.File) error {
	if err := fault("lock", file.Name()); err != nil {
		return err
	}
	at := windows.Overlapped{OffsetHigh: 1 << 30}
	err := windows.LockFileEx(windows.Handle(file.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, windows.ERROR_LOCK_VIOLATION), errors.Is(err, windows.ERROR_IO_PENDING):
		return errHeld
	}
	return errNoLocks // what a lock file says decides
}

// removeFrom removes a file or an empty folder; by its whole path where the system cannot do so below an opened folder, as
// Wine 8 cannot.
func removeFrom(root *os.Root, name string) error {
	err := root.Remove(name)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if os.Remove(filepath.Join(root.Name(), name)) == nil {
		return nil
	}
	return err
}

// inUse says of an error what Windows means by it: a file that a program has open is not replaced.
func inUse(err error) error {
	const sharingViolation, lockViolation = syscall.Errno(32), syscall.Errno(33)
	if errors.Is(err, syscall.ERROR_ACCESS_DENIED) || errors.Is(err, sharingViolation) || errors.Is(err, lockViolation) {
		return fmt.Errorf("it cannot be replaced, and may be open in another program: %w", plainLink(err))
	}
	return err
}
