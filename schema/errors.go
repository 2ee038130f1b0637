package schema

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// The classes of format errors. Every [FormatError] wraps exactly one of them; test for it with errors.Is.
var (
	ErrTruncated   = errors.New("truncated")    // the data ends before the structure does
	ErrBadMagic    = errors.New("bad magic")    // a signature or chunk identifier is not the expected one
	ErrRange       = errors.New("out of range") // an offset or index points outside its table
	ErrCount       = errors.New("bad count")    // a count that the remaining bytes cannot hold
	ErrCycle       = errors.New("cycle")        // a linked list or parent chain loops
	ErrMismatch    = errors.New("mismatch")     // two stored facts contradict each other
	ErrUnsupported = errors.New("unsupported")  // well formed, but a variant that usher does not know
	ErrValue       = errors.New("bad value")    // a single value that cannot be used
	ErrLimit       = errors.New("over limit")   // larger than usher is willing to process
	ErrBare        = errors.New("bare")         // the content was taken out, as it is of packages for servers
)

// FormatError says what is wrong with a file, and where. Its text is one line:
//
//	\VMeshLibrary\ship.vms\VMeshData+0x1a4: vertex count: 70000 needs 2240000 bytes, 512 left
type FormatError struct {
	Format string // name of the format, such as "u3d"
	Path   string // structure or archive entry inside the file; may be empty
	Offset int64  // absolute offset in the file or entry; negative if unknown
	Field  string // field name as in the format's reference; may be empty
	Class  error  // one of the Err… sentinels
	Msg    string // what was found and what was expected
}

// Error implements error.
func (e *FormatError) Error() string {
	where := e.Path
	if where == "" {
		where = e.Format
	}
	if e.Offset >= 0 {
		where += fmt.Sprintf("+0x%x", e.Offset)
	}
	if e.Field != "" {
		where += ": " + e.Field
	}
	return where + ": " + e.Msg
}

// Unwrap returns the class.
func (e *FormatError) Unwrap() error { return e.Class }

// Errorf returns a FormatError without a position, for conversions and writers.
func Errorf(format string, class error, field, msg string, args ...any) error {
	return &FormatError{Format: format, Offset: -1, Field: field, Class: class, Msg: fmt.Sprintf(msg, args...)}
}

// hinted is an error with a hint.
type hinted struct {
	error
	hint string
}

// Error implements error.
func (h hinted) Error() string { return h.error.Error() + h.hint }

// Unwrap returns the error without its hint.
func (h hinted) Unwrap() error { return h.error }

// Hinted returns err with a hint behind its text: which flag of the command line helps, such as "; --prune removes them".
func Hinted(err error, hint string, args ...any) error {
	return hinted{err, fmt.Sprintf(hint, args...)}
}

// Unhinted returns err as it is without hints, for those who type no flags.
func Unhinted(err error) error {
	var joined joinedFaults
	if errors.As(err, &joined) {
		return joined.each(Unhinted)
	}
	var h hinted
	if errors.As(err, &h) {
		return unhinted{err, h.hint}
	}
	return err
}

// unhinted is an error whose text leaves out the hint of one that it wraps.
type unhinted struct {
	error
	hint string
}

// Error implements error.
func (u unhinted) Error() string { return strings.Replace(u.error.Error(), u.hint, "", 1) }

// Unwrap returns the error with its hint.
func (u unhinted) Unwrap() error { return u.error }

// CheckSource returns an error if r is nil or size is negative.
func CheckSource(format string, r io.ReaderAt, size int64) error {
	if r == nil || size < 0 {
		return Errorf(format, ErrValue, "", "there is no file to read: %d bytes", size)
	}
	return nil
}

// Class returns the class that err wraps, or nil if err is not a format error.
func Class(err error) error {
	var fe *FormatError
	if errors.As(err, &fe) {
		return fe.Class
	}
	return nil
}

// In returns err with prefix put before its path, such as the archive entry whose payload is faulty.
func In(prefix string, err error) error {
	var joined joinedFaults
	if errors.As(err, &joined) {
		return joined.each(func(e error) error { return In(prefix, e) })
	}
	var h hinted
	if errors.As(err, &h) {
		return hinted{In(prefix, h.error), h.hint}
	}
	var fe *FormatError
	if !errors.As(err, &fe) {
		return err
	}
	inner := *fe
	if inner.Path == "" {
		inner.Path = prefix
	} else {
		inner.Path = prefix + "/" + inner.Path
	}
	return &inner
}
