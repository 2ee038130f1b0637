package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/testdata/corpus"
)

// TestViewHere: without a path the page begins with the current folder, and says so.
func TestViewHere(t *testing.T) {
	t.Chdir(t.TempDir())
	ctx, stop := context.WithCancel(t.Context())
	var out, told bytes.Buffer
	stopped := writerFunc(func(b []byte) (int, error) {
		stop() // it serves
		return out.Write(b)
	})
	if status := run(ctx, []string{"usher", "view", "--no-browser"}, nil, stopped, &told); status != exitInterrupted {
		t.Errorf("status %d: %s", status, &told)
	}
	if !strings.HasPrefix(out.String(), "http://127.0.0.1:") || !strings.Contains(told.String(), "showing this folder") {
		t.Errorf("%q, %q", &out, &told)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// TestAlike: two folders with a file in common are before and after, and so are two files of one format; all else is
// shown side by side.
func TestAlike(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a/in/same.txt", "b/in/same.txt", "b/other.txt", "c/same.txt", "d/in/same.txt/deeper.txt"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("words"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	ball, flag, ship := corpus.Testdata(t, "ultimate3d", "ball.u3d"), corpus.Testdata(t, "ultimate3d", "flag.u3d"), corpus.Testdata(t, "freelancer", "ship.cmp")
	for _, c := range []struct {
		operands []string
		want     bool
	}{
		{[]string{at("a"), at("b")}, true},
		{[]string{at("b"), at("a")}, true},
		{[]string{at("a"), at("c")}, false},
		{[]string{at("a"), at("d")}, false},
		{[]string{at("a"), at("a/in")}, false},
		{[]string{at("a"), ball}, false},
		{[]string{ball, flag}, true},
		{[]string{ball, ship}, false},
		{[]string{ball}, false},
		{[]string{ball, flag, ball}, false},
	} {
		if got := alike(t.Context(), new(engine.Loader), c.operands); got != c.want {
			t.Errorf("%v: %v, want %v", c.operands, got, c.want)
		}
	}
}
