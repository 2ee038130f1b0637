package main

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

func unpiped(f *os.File) *os.File { return f } // writing returns an error anyway

func isClosedPipe(err error) bool {
	return errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_NO_DATA)
}
