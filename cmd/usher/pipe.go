//go:build !windows

package main

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// unpiped returns standard output or error under a number of its own. Where nobody reads it any more, writing returns an
// error, so that the run can tidy up: for the numbers 1 and 2 the runtime ends the program at once, unless it is to notify
// of the signal, which starts two threads.
func unpiped(f *os.File) *os.File {
	own, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return f // which is closed
	}
	return os.NewFile(uintptr(own), f.Name())
}

func isClosedPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
