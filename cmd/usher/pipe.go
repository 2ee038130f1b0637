//go:build !windows

package main

import (
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// heedClosedPipes lets the run tidy up when nobody reads its output any more. The system would end it at once: writing
// returns an error instead.
func heedClosedPipes() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }

func isClosedPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
