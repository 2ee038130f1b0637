package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// closeFirst says that a folder can only be removed when nothing has it open.
const closeFirst = true

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
