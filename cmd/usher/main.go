// Command usher takes the assets of four old worlds out and puts them back in: Freelancer UTF trees, Ultimate 3D
// models, Unreal Engine 1 packages and Ultima IX archives, to and from glTF, PNG, WAV, JSON and text.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args, os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
