//go:build !windows && !js

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

// ignoreClosedPipes is heedClosedPipes for a run that starts no other programs: those would ignore them as well. It takes no
// thread.
func ignoreClosedPipes() { signal.Ignore(syscall.SIGPIPE) }

func isClosedPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
