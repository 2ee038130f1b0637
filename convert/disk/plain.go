package disk

import (
	"errors"
	"io/fs"
)

// PlainError returns an error without the system call and path, for callers that name these themselves.
func PlainError(err error) error {
	var pe *fs.PathError
	if !errors.As(err, &pe) {
		return err
	}
	if errors.Is(pe.Err, fs.ErrNotExist) {
		return missingError{pe.Err}
	}
	return pe.Err
}

// missingError says of a file that is not there the same words on every system.
type missingError struct{ error }

func (missingError) Error() string { return "no such file or directory" }

// Unwrap returns the system's own error.
func (e missingError) Unwrap() error { return e.error }
