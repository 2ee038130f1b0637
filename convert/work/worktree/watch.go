package worktree

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/schema"
)

// Watching packs a folder again whenever a file in it is saved.
type Watching struct {
	Packing Packing
	// Round is called after each attempt to pack the folder.
	Round func(Round)
	// Watcher says how changes are detected.
	Watcher disk.Watcher
	// Retry is the delay before another attempt to write an archive that is locked, for example because a game has it open. 0
	// is two seconds.
	Retry time.Duration
}

// Round is one attempt to pack a watched folder.
type Round struct {
	Packed      *Packed  // the result; nil if it failed
	Fresh       []Change // the changes that the round before did not have, or that were saved since then
	Err         error    // why the archive was not written; nil if it was, or did not need to change
	Diagnostics []schema.Diagnostic
	Began       time.Time
	Took        time.Duration
	Again       bool // it will be tried again without waiting for a change
}

// Run packs the folder dir into the archive out, and again after every change, until ctx ends; it returns the error of ctx.
// The first round overwrites out only if the Packing allows it, later ones only what they wrote themselves. Faults of the
// folder are reported, and the archive is left as it was.
func (w *Watching) Run(ctx context.Context, dir, out string) error {
	retry := w.Retry
	if retry == 0 {
		retry = 2 * time.Second
	}
	folder := dir
	if info, err := os.Stat(dir); err == nil && !info.IsDir() { // one file, which editors replace by another of its name
		folder = filepath.Dir(dir)
	}
	watcher := w.Watcher
	watcher.Ignored = passedOver(folder, out)
	changes, err := watcher.Watch(ctx, folder)
	if err != nil {
		return fmt.Errorf("%s: %w", folder, disk.PlainError(err))
	}
	job := w.Packing
	var written os.FileInfo // out, as the last round left it
	var known map[string]string
	for {
		round := pack(ctx, job, dir, out, written)
		if err := context.Cause(ctx); err != nil {
			return err
		}
		var again <-chan time.Time
		var failed FailedError
		switch {
		case round.Err == nil:
			round.Fresh, known = fresh(folder, round.Packed.Changes, known)
			job.Force = true
			written, _ = os.Stat(out)
		case written == nil: // not even once: it is the command that is wrong
			if !errors.As(round.Err, &failed) {
				return round.Err
			}
		case !errors.As(round.Err, &failed) && !errors.Is(round.Err, errForeign):
			round.Again = true
			again = time.After(retry)
		}
		w.Round(round)
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-changes:
		case <-again:
		}
	}
}

// errForeign is the error of an archive that somebody else has written since.
var errForeign = schema.Hinted(errors.New("somebody else has changed it: it is left alone until you start again"), " with --force")

// pack is one round. An archive that is not the one written before is left alone.
func pack(ctx context.Context, job Packing, dir, out string, written os.FileInfo) (r Round) {
	d := new(schema.Diagnostics)
	r.Began = time.Now()
	defer func() { r.Took, r.Diagnostics = time.Since(r.Began), d.All() }()
	if written != nil {
		if now, err := os.Stat(out); err == nil && (now.Size() != written.Size() || !now.ModTime().Equal(written.ModTime())) {
			r.Err = fmt.Errorf("%s: %w", out, errForeign)
			return r
		}
	}
	r.Err = batch.Guarded(func() (err error) {
		r.Packed, err = job.Run(ctx, dir, out, d)
		return err
	})
	return r
}

// fresh returns the changes that are not known, or whose files were saved since, and what is to be known of all of them.
func fresh(dir string, changes []Change, known map[string]string) (list []Change, now map[string]string) {
	now = make(map[string]string, len(changes))
	for _, c := range changes {
		state := fmt.Sprint(c.Action, c.sum)
		for _, name := range c.Files {
			if info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name))); err == nil {
				state += fmt.Sprintf(" %d %d", info.Size(), info.ModTime().UnixNano())
			}
		}
		now[c.Entry] = state
		if known[c.Entry] != state {
			list = append(list, c)
		}
	}
	return list, now
}

// passedOver returns a function that reports whether a path of a watched folder is ignored: what a run writes itself, and
// temporary files of editors.
func passedOver(dir, out string) func(string) bool {
	target, _ := filepath.Abs(out)
	return func(p string) bool {
		base := filepath.Base(p)
		if base != ignoreName && filepath.Dir(p) == filepath.Clean(dir) && ours(base) || disk.IsTemporary(base) {
			return true
		}
		if full, err := filepath.Abs(p); err == nil && full == target {
			return true
		}
		return base[0] == '.' && base != ignoreName || leftovers().match(base, false)
	}
}
