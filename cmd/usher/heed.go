//go:build !js

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// heed asks to be told of the signals that end a run.
func heed(told chan<- os.Signal) {
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
		if !signal.Ignored(s) { // nohup, and shells for what runs in the background, ignore some
			signal.Notify(told, s)
		}
	}
}
