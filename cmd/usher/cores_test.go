package main

import (
	"context"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// -j keeps a run to as many cores; it never asks for more than there are.
func TestJobsAreCores(t *testing.T) {
	all := runtime.GOMAXPROCS(3)
	defer runtime.GOMAXPROCS(all)
	model := filepath.Join("..", "..", "testdata", "ultimate3d", "windmill.u3d")
	for _, c := range []struct {
		jobs string
		want int
	}{{"-j8", 3}, {"-j2", 2}, {"-j1", 1}} {
		if code := run(context.Background(), []string{"usher", "verify", c.jobs, model}, strings.NewReader(""), io.Discard, io.Discard); code != 0 {
			t.Fatalf("%s: status %d", c.jobs, code)
		}
		if got := runtime.GOMAXPROCS(0); got != c.want {
			t.Errorf("%s: %d cores, want %d", c.jobs, got, c.want)
		}
	}
}
