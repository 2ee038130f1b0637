package view

import (
	"os"
	"sync"
	"time"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/schema"
)

// mostOpen is how many archives are kept open at the same time while nobody uses them.
const mostOpen = 8

// archives are those that are open. An archive that has changed on disk is opened anew.
type archives struct {
	viewer *Viewer
	mu     sync.Mutex
	open   map[string]*opened
}

type opened struct {
	*store.Archive
	env      *format.Env
	oddities []schema.Diagnostic

	users int
	used  time.Time
	size  int64
	time  time.Time
	stale bool // to be closed when nobody uses it any more
}

// get returns the archive at path, which stays open until release is called. It may be one in the place of another.
func (a *archives) get(path, place string) (o *opened, release func(), err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, disk.PlainError(err)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	o = a.open[path]
	if o != nil && (o.size != info.Size() || !o.time.Equal(info.ModTime())) {
		a.drop(path, o)
		o = nil
	}
	if o == nil {
		if o, err = a.read(path, place, info); err != nil {
			return nil, nil, err
		}
		if a.open == nil {
			a.open = map[string]*opened{}
		}
		a.open[path] = o
	}
	o.users++
	o.used = time.Now()
	a.trim()
	return o, func() { a.release(o) }, nil
}

func (a *archives) read(path, place string, info os.FileInfo) (*opened, error) {
	d := new(schema.Diagnostics)
	l := a.viewer.loader.Load().InPlaceOf(place)
	env := l.Env(path, d)
	var x *store.Archive
	err := batch.Guarded(func() (err error) { x, err = store.OpenArchive(path, l.From, env); return err })
	if err != nil {
		return nil, err
	}
	return &opened{Archive: x, env: env, oddities: d.All(), size: info.Size(), time: info.ModTime()}, nil
}

func (a *archives) release(o *opened) {
	a.mu.Lock()
	defer a.mu.Unlock()
	o.users--
	if o.stale && o.users == 0 {
		o.Close() // was only read from
	}
	a.trim()
}

// drop forgets an archive; its last user closes it.
func (a *archives) drop(path string, o *opened) {
	delete(a.open, path)
	o.stale = true
	if o.users == 0 {
		o.Close() // was only read from
	}
}

// trim closes those that were used longest ago.
func (a *archives) trim() {
	for len(a.open) > mostOpen {
		var oldest string
		for path, o := range a.open {
			if o.users == 0 && (oldest == "" || o.used.Before(a.open[oldest].used)) {
				oldest = path
			}
		}
		if oldest == "" {
			return
		}
		a.drop(oldest, a.open[oldest])
	}
}

// closeAll closes what nobody uses; what is in use is closed by its last user. Windows replaces no file that is open.
func (a *archives) closeAll() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for path, o := range a.open {
		a.drop(path, o)
	}
}
