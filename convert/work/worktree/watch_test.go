package worktree_test

import (
	"bytes"
	"context"
	"errors"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/work/worktree"
	"github.com/usher-assets/usher/testdata/corpus"
)

// watched is a folder that is being watched, and its rounds.
type watched struct {
	t        *testing.T
	dir, out string
	rounds   chan worktree.Round
	end      chan error
	stop     context.CancelFunc
}

func watchNew(t *testing.T, archive string, force bool) *watched {
	t.Helper()
	dir := unpack(t, archive, worktree.Unpacking{})
	return watchFolder(t, dir, filepath.Join(t.TempDir(), "new.flx"), force)
}

func watchFolder(t *testing.T, dir, out string, force bool) *watched {
	return watchWith(t, worktree.Packing{Force: force}, dir, out)
}

func watchWith(t *testing.T, packing worktree.Packing, dir, out string) *watched {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	w := &watched{t, dir, out, make(chan worktree.Round, 100), make(chan error, 1), stop}
	job := worktree.Watching{
		Packing: packing, Round: func(r worktree.Round) { w.rounds <- r }, Retry: time.Millisecond,
		Watcher: disk.Watcher{Quiet: time.Millisecond},
	}
	go func() { w.end <- job.Run(ctx, dir, out) }()
	t.Cleanup(func() {
		stop()
		if err := w.ended(); !errors.Is(err, context.Canceled) {
			t.Errorf("it ended with %v", err)
		}
	})
	return w
}

func (w *watched) ended() error {
	err := <-w.end
	w.end <- err
	return err
}

// next returns the next round of which ok is true.
func (w *watched) next(what string, ok func(worktree.Round) bool) worktree.Round {
	w.t.Helper()
	timeout := time.After(60 * time.Second)
	for {
		select {
		case r := <-w.rounds:
			if ok(r) {
				return r
			}
		case err := <-w.end:
			w.end <- err
			w.t.Fatalf("%s: it ended with %v", what, err)
		case <-timeout:
			w.t.Fatalf("%s: no such round", what)
		}
	}
}

func replaced(r worktree.Round) bool {
	return r.Err == nil && len(r.Fresh) == 1 && r.Fresh[0].Entry == "1"
}

// TestWatch: a picture that is saved is in the archive after the next round; one that cannot be packed leaves it as it was.
func TestWatch(t *testing.T) {
	archive := newTextures(t)
	w := watchNew(t, archive, false)
	w.next("the first", func(r worktree.Round) bool { return r.Err == nil })
	corpus.SameBytes(t, "before any edit", corpus.Bytes(t, w.out), corpus.Bytes(t, archive))

	paintPNG(t, filepath.Join(w.dir, "1.png"), color.NRGBA{255, 0, 0, 255})
	w.next("an edit", replaced)
	red := corpus.Bytes(t, w.out)
	if bytes.Equal(red, corpus.Bytes(t, archive)) {
		t.Error("the edit is not in the archive")
	}

	if err := os.WriteFile(filepath.Join(w.dir, "1.png"), []byte("no picture"), 0o666); err != nil {
		t.Fatal(err)
	}
	var failed worktree.FailedError
	w.next("what is no picture", func(r worktree.Round) bool { return errors.As(r.Err, &failed) })
	if len(failed) != 1 || failed[0].File != "1.png" {
		t.Errorf("%v", failed)
	}
	corpus.SameBytes(t, "after what cannot be packed", corpus.Bytes(t, w.out), red)

	paintPNG(t, filepath.Join(w.dir, "1.png"), color.NRGBA{0, 0, 255, 255})
	w.next("the mended one", replaced)
	if bytes.Equal(corpus.Bytes(t, w.out), red) {
		t.Error("the second edit is not in the archive")
	}
	w.stop()
	if err := w.ended(); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	for _, dir := range []string{w.dir, filepath.Dir(w.out)} {
		inside, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range inside {
			if disk.IsTemporary(e.Name()) || e.Name() == disk.LockName {
				t.Errorf("%s is left", e.Name())
			}
		}
	}
}

// TestWatchFile: of one file that is packed alone a round is made when it is saved, also as editors do it: another file takes
// its name; the second one has its size and its time, as saves within one tick of the clock do.
func TestWatchFile(t *testing.T) {
	archive := newTextures(t)
	dir := unpack(t, archive, worktree.Unpacking{})
	w := watchWith(t, worktree.Packing{Base: archive}, filepath.Join(dir, "1.png"), filepath.Join(t.TempDir(), "new.flx"))
	w.next("the first", func(r worktree.Round) bool { return r.Err == nil })
	tick := time.Now()
	for _, c := range []color.NRGBA{{255, 0, 0, 255}, {200, 0, 0, 255}} {
		before := corpus.Bytes(t, w.out)
		paintPNG(t, filepath.Join(dir, "saved"), c)
		if err := os.Chtimes(filepath.Join(dir, "saved"), tick, tick); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(filepath.Join(dir, "saved"), filepath.Join(dir, "1.png")); err != nil {
			t.Fatal(err)
		}
		w.next("a new file of that name", func(r worktree.Round) bool { // one file may be noticed twice
			return replaced(r) && !bytes.Equal(corpus.Bytes(t, w.out), before)
		})
	}
}

// TestWatchOver: a folder that is packed over its archive is the folder of the new one after each round.
func TestWatchOver(t *testing.T) {
	archive := newTextures(t)
	w := watchFolder(t, unpack(t, archive, worktree.Unpacking{}), archive, true)
	w.next("the first", func(r worktree.Round) bool { return r.Err == nil })
	paintPNG(t, filepath.Join(w.dir, "1.png"), color.NRGBA{255, 0, 0, 255})
	w.next("an edit", replaced)
	paintPNG(t, filepath.Join(w.dir, "3.png"), color.NRGBA{255, 0, 0, 255})
	w.next("another", func(r worktree.Round) bool {
		return r.Err == nil && len(r.Fresh) == 1 && r.Fresh[0].Entry == "3" && len(r.Packed.Changes) == 1
	})
}

// TestWatchForeign: an archive that somebody else writes meanwhile is left alone.
func TestWatchForeign(t *testing.T) {
	w := watchNew(t, newTextures(t), false)
	w.next("the first", func(r worktree.Round) bool { return r.Err == nil })
	if err := os.WriteFile(w.out, []byte("somebody else's"), 0o666); err != nil {
		t.Fatal(err)
	}
	paintPNG(t, filepath.Join(w.dir, "1.png"), color.NRGBA{255, 0, 0, 255})
	w.next("the foreign one", func(r worktree.Round) bool { return r.Err != nil && strings.Contains(r.Err.Error(), "somebody else") })
	if string(corpus.Bytes(t, w.out)) != "somebody else's" {
		t.Error("it was overwritten")
	}
}

// TestWatchHeld: an archive that cannot be written now is tried again, without another change.
func TestWatchHeld(t *testing.T) {
	archive := newTextures(t)
	base := filepath.Join(t.TempDir(), "base.flx")
	w := watchNew(t, archive, false)
	w.next("the first", func(r worktree.Round) bool { return r.Err == nil })
	if err := os.Rename(archive, base); err != nil {
		t.Fatal(err)
	}
	paintPNG(t, filepath.Join(w.dir, "1.png"), color.NRGBA{255, 0, 0, 255})
	w.next("what cannot be done", func(r worktree.Round) bool { return r.Again })
	if err := os.Rename(base, archive); err != nil {
		t.Fatal(err)
	}
	w.next("what can", replaced)
}

// TestWatchWrong: a command that is wrong from the start ends at once.
func TestWatchWrong(t *testing.T) {
	archive := newTextures(t)
	job := worktree.Watching{Round: func(worktree.Round) {}}
	if err := job.Run(context.Background(), unpack(t, archive, worktree.Unpacking{}), archive); !errors.Is(err, disk.ErrExists) {
		t.Error(err)
	}
	if err := job.Run(context.Background(), filepath.Join(t.TempDir(), "none"), archive+"x"); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
