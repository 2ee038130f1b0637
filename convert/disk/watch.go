package disk

import (
	"context"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/fsnotify/fsnotify"
)

// Watcher reports changes below a folder.
type Watcher struct {
	// Ignored reports whether changes of a path are ignored, such as what the program itself writes and the temporary files of
	// editors. Nil ignores none.
	Ignored func(path string) bool
	// Quiet is how long nothing must have changed before a change is reported, since programs save in several steps. 0 is 100
	// ms.
	Quiet time.Duration
	// Every is the interval at which the folder is also checked, because network drives do not notify. 0 is two seconds. If
	// the system cannot watch a folder at all, it is checked four times as often.
	Every time.Duration

	plain bool // the system is not asked, for tests
}

// Watch starts to watch the folder dir and everything below it. The channel receives a value when something has changed
// since the last value was taken; several changes may give one value. Watching ends with ctx.
func (w Watcher) Watch(ctx context.Context, dir string) (<-chan struct{}, error) {
	if w.Quiet == 0 {
		w.Quiet = 100 * time.Millisecond
	}
	if w.Every == 0 {
		w.Every = 2 * time.Second
	}
	if w.Ignored == nil {
		w.Ignored = func(string) bool { return false }
	}
	x := &watch{Watcher: w, dir: dir, told: make(chan struct{}, 1)}
	if !w.plain {
		x.system, _ = fsnotify.NewWatcher() // without one the folder is looked at
	}
	if x.system != nil && x.add(dir) != nil {
		x.system.Close()
		x.system = nil
	}
	if x.system == nil {
		x.Every /= 4
	}
	var err error
	if x.state, err = x.look(); err != nil {
		if x.system != nil {
			x.system.Close()
		}
		return nil, err
	}
	go x.run(ctx)
	return x.told, nil
}

// watch is one run of a Watcher.
type watch struct {
	Watcher
	dir    string
	system *fsnotify.Watcher // nil where there is none
	state  uint64            // of the folder when it was looked at
	told   chan struct{}
}

// add watches a folder and those below it.
func (x *watch) add(dir string) error {
	return filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || !d.IsDir():
			return err
		case p != x.dir && x.Ignored(p):
			return fs.SkipDir
		}
		return x.system.Add(p)
	})
}

// look returns a sum of the names, sizes and times of all files.
func (x *watch) look() (uint64, error) {
	sum := xxhash.New()
	err := filepath.WalkDir(x.dir, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && p == x.dir:
			return err
		case err != nil: // it is gone meanwhile
			return nil
		case p != x.dir && x.Ignored(p):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return nil
		}
		var b [16]byte
		for i, v := range [2]int64{info.Size(), info.ModTime().UnixNano()} {
			for k := range 8 {
				b[8*i+k] = byte(v >> (8 * k))
			}
		}
		_, _ = sum.WriteString(p)
		_, _ = sum.Write(b[:])
		return nil
	})
	return sum.Sum64(), err
}

// run reports changes until the context ends.
func (x *watch) run(ctx context.Context) {
	var events <-chan fsnotify.Event
	var errors <-chan error
	if x.system != nil {
		defer x.system.Close()
		events, errors = x.system.Events, x.system.Errors
	}
	every := time.NewTicker(x.Every)
	defer every.Stop()
	quiet := time.NewTimer(x.Quiet)
	quiet.Stop()
	known := false      // the system told of what makes the folder look otherwise
	var first time.Time // of the changes that are not told of yet
	touched := func() {
		if first.IsZero() {
			first = time.Now()
		}
		quiet.Reset(min(x.Quiet, max(0, 10*x.Quiet-time.Since(first)))) // some things never rest
	}
	for {
		select {
		case <-ctx.Done():
			return
		case e, ok := <-events:
			if !ok {
				events = nil
			} else if !x.Ignored(e.Name) && e.Op != fsnotify.Chmod {
				known = true
				x.follow(e)
				touched()
			}
		case _, ok := <-errors: // events were lost
			if !ok {
				errors = nil
			} else {
				touched()
			}
		case <-every.C:
			if now, err := x.look(); err == nil && now != x.state {
				if x.state = now; !known {
					touched()
				}
			}
			known = false
		case <-quiet.C:
			first = time.Time{}
			if x.system == nil {
				x.state, _ = x.look()
			}
			select {
			case x.told <- struct{}{}:
			default: // it is told already
			}
		}
	}
}

// follow watches a folder that is new.
func (x *watch) follow(e fsnotify.Event) {
	if e.Has(fsnotify.Create) {
		_ = x.add(e.Name) // a file is none; a folder that cannot be watched is looked at
	}
}
