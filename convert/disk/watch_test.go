package disk

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestWatch: files that are made, changed and removed are told of, in new folders too, by the system and by looking;
// what is ignored is not.
func TestWatch(t *testing.T) {
	for _, plain := range []bool{false, true} {
		dir := t.TempDir()
		ctx, stop := context.WithCancel(context.Background())
		defer stop()
		ignored := filepath.Join(dir, "ignored")
		w := Watcher{Quiet: time.Millisecond, Every: 20 * time.Millisecond, plain: plain, Ignored: func(p string) bool { return p == ignored }}
		changes, err := w.Watch(ctx, dir)
		if err != nil {
			t.Fatal(err)
		}
		next := func(what string) {
			t.Helper()
			select {
			case <-changes:
			case <-time.After(30 * time.Second):
				t.Fatalf("plain %v: %s is not told of", plain, what)
			}
			for { // it may be told in two parts
				select {
				case <-changes:
					continue
				case <-time.After(100 * time.Millisecond):
				}
				return
			}
		}
		write := func(name, text string) {
			t.Helper()
			p := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(p, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		write("new", "1")
		next("a new file")
		write("new", "12")
		next("a change")
		write("in/side/file", "1")
		next("a file in a new folder")
		write("in/side/file", "12")
		next("a change in a new folder")
		if err := os.Remove(filepath.Join(dir, "new")); err != nil {
			t.Fatal(err)
		}
		next("a removal")
		write("ignored", "1")
		select {
		case <-changes:
			t.Errorf("plain %v: what is ignored is told of", plain)
		case <-time.After(100 * time.Millisecond):
		}
		stop()
	}
}

// TestWatchNothing: a folder that is not there cannot be watched.
func TestWatchNothing(t *testing.T) {
	if _, err := (Watcher{}).Watch(context.Background(), filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("no error")
	}
}
