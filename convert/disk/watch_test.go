package disk

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
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

// TestWatchSystem: the system tells of a change before the folder is looked at, and of none that is ignored, once there was
// quiet for a while.
func TestWatchSystem(t *testing.T) {
	dir := t.TempDir()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	changes, err := (Watcher{Every: time.Hour}).Watch(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	write(t, filepath.Join(dir, "a"), "text")
	select {
	case <-changes:
		if took := time.Since(began); took < 100*time.Millisecond {
			t.Errorf("told of after %v", took)
		}
	case <-time.After(20 * time.Second):
		if runtime.GOOS == "linux" {
			t.Fatal("nothing is told of")
		}
		t.Skip("this system tells of changes late, or of none")
	}
}

// TestWatchQuiet: as long as something has just changed nothing is told.
func TestWatchQuiet(t *testing.T) {
	dir := t.TempDir()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	changes, err := (Watcher{Quiet: time.Hour, Every: 10 * time.Millisecond}).Watch(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "a"), "text")
	select {
	case <-changes:
		t.Error("told of too early")
	case <-time.After(250 * time.Millisecond):
	}
}

// TestWatchRestless: what never rests is told of nevertheless.
func TestWatchRestless(t *testing.T) {
	dir := t.TempDir()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	changes, err := (Watcher{Quiet: 50 * time.Millisecond, Every: 10 * time.Millisecond}).Watch(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); {
		write(t, filepath.Join(dir, "a"), time.Now().String())
		select {
		case <-changes:
			return
		case <-time.After(time.Millisecond):
		}
	}
	t.Error("it is never told of")
}

// TestLook: what a folder looks like follows from the names, sizes and times of its files, ignored ones aside.
func TestLook(t *testing.T) {
	dir := t.TempDir()
	x := &watch{dir: dir, Watcher: Watcher{Ignored: func(p string) bool { return filepath.Base(p) == "ignored" }}}
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	when := time.Unix(1_500_000_000, 0)
	touch := func(name, text string, when time.Time) func() {
		return func() {
			write(t, at(name), text)
			if err := os.Chtimes(at(name), when, when); err != nil {
				t.Fatal(err)
			}
		}
	}
	var last uint64
	for i, c := range []struct {
		name    string
		do      func()
		changed bool
	}{
		{"nothing", func() {}, true}, // it is not zero
		{"a file", touch("a", "x", when), true}, {"the same", touch("a", "y", when), false}, {"its size", touch("a", "xx", when), true}, {"its time, by a bit", touch("a", "xx", when.Add(-1<<17)), true}, {"its time, by years", touch("a", "xx", when.Add(1<<56)), true},
		{"its name", func() { os.Rename(at("a"), at("b")) }, true}, {"an ignored file", touch("ignored", "x", when), false}, {"a folder", func() { os.Mkdir(at("in"), 0o777) }, false}, {"a file in a folder", touch("in/a", "x", when), true},
		{"an ignored file in a folder", touch("in/ignored", "x", when), false}, {"an ignored folder", func() { os.Remove(at("ignored")); os.Mkdir(at("ignored"), 0o777); touch("ignored/a", "x", when)() }, false},
		{"a file that is gone", func() { os.Remove(at("in/a")) }, true},
	} {
		c.do()
		now, err := x.look()
		if err != nil || (now != last) != c.changed {
			t.Errorf("%d, %s: %x, then %x, %v", i, c.name, last, now, err)
		}
		last = now
	}
}
