// Command usher takes the assets of four old worlds out and puts them back in: Freelancer UTF trees, Ultimate 3D
// models, Unreal Engine 1 packages and Ultima IX archives, to and from glTF, PNG, WAV, JSON and text.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// grace is how long a run that is told to stop may finish what it is at. What it leaves is whole or not there, however
// it ends, and the next run goes on from it.
const grace = 700 * time.Millisecond

func main() {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	heedClosedPipes()
	told := make(chan os.Signal, 1)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
		if !signal.Ignored(s) { // nohup, and shells for what runs in the background, ignore some
			signal.Notify(told, s)
		}
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
