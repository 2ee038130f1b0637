package view

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"
)

// hub tells the pages that are open what happens. The zero value is ready.
type hub struct {
	mu    sync.Mutex
	pages map[chan []byte]bool
}

func (h *hub) join() (c chan []byte, leave func()) {
	c = make(chan []byte, 16)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.pages == nil {
		h.pages = map[chan []byte]bool{}
	}
	h.pages[c] = true
	return c, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.pages, c)
	}
}

// any reports whether somebody looks.
func (h *hub) any() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.pages) > 0
}

// tell sends an event to all pages. One that does not keep up misses it.
func (h *hub) tell(event string, value any) {
	b, err := json.Marshal(value)
	if err != nil {
		return
	}
	text := fmt.Appendf(nil, "event: %s\ndata: %s\n\n", event, b)
	h.mu.Lock()
	defer h.mu.Unlock()
	for c := range h.pages {
		select {
		case c <- text:
		default:
		}
	}
}

// beat is how often a quiet connection is used, so that both sides notice when the other has gone.
const beat = 20 * time.Second

// handleEvents sends what happens as long as the page is open.
func (v *Viewer) handleEvents(w http.ResponseWriter, r *http.Request) {
	flusher, ok := w.(http.Flusher)
	if !ok {
		fail(w, http.StatusNotImplemented, fmt.Errorf("the connection cannot be kept open"))
		return
	}
	events, leave := v.hub.join()
	defer leave()
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprint(w, "event: desk\ndata: null\n\n") // what came between the first look and this
	flusher.Flush()
	tick := time.NewTicker(beat)
	defer tick.Stop()
	for {
		text := []byte(": still here\n\n")
		select {
		case <-r.Context().Done():
			return
		case <-tick.C:
		case text = <-events:
		}
		if _, err := w.Write(text); err != nil {
			return
		}
		flusher.Flush()
	}
}

// pause is how long a file is to be quiet before it is read anew: editors write in steps.
const pause = 300 * time.Millisecond

// Watch finds what an earlier desk has left, looks for files that change on disk, and tells the pages, until ctx ends.
func (v *Viewer) Watch(ctx context.Context) {
	v.desk.find(ctx)
	pending := map[int]time.Time{} // modification times of files that have changed just now
	wait := pause
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		if !v.hub.any() {
			continue
		}
		began := time.Now()
		if ids, found := v.stir(ctx, pending); len(ids) > 0 || found {
			v.hub.tell("changed", map[string]any{"nodes": ids, "state": v.generation.Load()})
		}
		wait = max(pause, 20*time.Since(began)) // of many files: looking is a twentieth of the work at most
	}
}

// stir brings the tree up to date, and returns the nodes of files that have changed and are quiet again, and whether files came or went.
func (v *Viewer) stir(ctx context.Context, pending map[int]time.Time) (changed []int, found bool) {
	changed = []int{} // none is a list for the page too
	var folders []int
	for _, n := range v.onDisk() {
		info, err := os.Stat(n.path)
		if err != nil {
			found = true
			folders = append(folders, n.root)
			continue
		}
		if info.ModTime().Equal(n.modified) && (n.place == folder || info.Size() == n.size) {
			delete(pending, n.id)
			continue
		}
		if was, ok := pending[n.id]; !ok || !was.Equal(info.ModTime()) {
			pending[n.id] = info.ModTime()
			continue
		}
		delete(pending, n.id)
		if n.place == folder {
			found = true
			folders = append(folders, n.root)
			v.tree.mu.Lock()
			v.tree.nodes[n.id].modified = info.ModTime()
			v.tree.mu.Unlock()
			continue
		}
		changed = append(changed, n.id)
	}
	if len(changed) > 0 || found {
		v.refresh()
	}
	for _, id := range changed {
		v.renew(id)
	}
	slices.Sort(folders)
	for _, root := range slices.Compact(folders) {
		v.tree.mu.RLock()
		id := v.tree.roots[root]
		v.tree.mu.RUnlock()
		v.scanRoot(ctx, id)
	}
	return changed, found
}

// onDisk returns copies of the nodes of files and folders.
func (v *Viewer) onDisk() (list []node) {
	v.tree.mu.RLock()
	defer v.tree.mu.RUnlock()
	for _, n := range v.tree.nodes {
		if !n.gone && !n.was && (n.place == folder || n.place == file || n.place == archive) {
			list = append(list, *n)
		}
	}
	return list
}

// renew reads a file anew. The entries of an archive keep their numbers.
func (v *Viewer) renew(id int) {
	n, ok := v.tree.get(id)
	if !ok {
		return
	}
	v.update(&n)
	v.tree.mu.Lock()
	own := v.tree.nodes[id]
	again := own.opened
	if !own.holds {
		v.tree.clear(own)
	}
	own.opened = unopened // its entries stay until the new ones take their places
	v.tree.mu.Unlock()
	if again != unopened {
		v.open(id, again)
	}
}
