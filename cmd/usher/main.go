// Command usher extracts the assets of four game families and puts them back: Freelancer UTF trees, Ultimate 3D models,
// Unreal Engine 1 packages and Ultima IX archives, to and from glTF, PNG, WAV, JSON and text.
package main

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"
)

// grace is how long a run that is told to stop may finish what it is at. What it leaves is whole or not there, however
// it ends, and the next run goes on from it.
const grace = 700 * time.Millisecond

// glance is how long a run that leaves nothing behind may be ended by the system, as it may before it begins: to be told of
// signals starts two threads, which takes a tenth of a short run.
const glance = 20 * time.Millisecond

// looking are the verbs that write no files.
var looking = []string{"info", "ls", "explain", "version"}

// looks reports whether a command line leaves nothing behind, however it ends. Standard input may be put into a file.
func looks(args []string) bool {
	return len(args) > 1 && slices.Contains(looking, args[1]) &&
		!slices.ContainsFunc(args, func(arg string) bool { return arg == stream || strings.HasPrefix(arg, stream+":") })
}

func main() {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	told := make(chan os.Signal, 1)
	if looks(os.Args) {
		ignoreClosedPipes()
		time.AfterFunc(glance, func() { heed(told) })
	} else {
		heedClosedPipes()
		heed(told)
	}
	done := make(chan int, 1)
	go func() {
		if args := dropped(os.Args, aloneOnConsole()); args != nil {
			code := run(ctx, args, os.Stdin, os.Stdout, os.Stderr)
			keepOpen()
			done <- code
			return
		}
		done <- run(ctx, os.Args, os.Stdin, os.Stdout, os.Stderr)
	}()
	select {
	case code := <-done:
		os.Exit(code)
	case <-told:
	}
	signal.Stop(told) // a second one ends the process at once
	stop()
	select {
	case code := <-done:
		os.Exit(code)
	case <-time.After(grace):
		os.Stderr.WriteString("usher: interrupted\n") // nobody is left to tell that it failed
		os.Exit(exitInterrupted)
	}
}
