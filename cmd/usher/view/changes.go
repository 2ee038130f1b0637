package view

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"

	"github.com/usher-assets/usher/convert/show/sheet"
	"github.com/usher-assets/usher/convert/work/compare"
)

// changes is what differs between two operands. The zero value is ready.
type changes struct {
	mu         sync.Mutex
	generation int64 // of the files that were compared
	busy       bool
	list       []compare.Entry
	counts     map[compare.Status]int
	err        error
}

// Change is an entry that differs between two states.
type Change struct {
	Number  int      `json:"number"`
	Path    string   `json:"path"`
	From    string   `json:"from,omitempty"`
	Status  string   `json:"status"`
	Kind    string   `json:"kind"`
	Format  string   `json:"format,omitempty"`
	OldSize int64    `json:"oldSize"`
	NewSize int64    `json:"newSize"`
	Note    string   `json:"note,omitempty"`
	Error   string   `json:"error,omitempty"`
	Details []string `json:"details,omitempty"`
	More    int      `json:"more,omitempty"`
	Old     int      `json:"old"` // nodes of the old and the new state; −1 for none
	New     int      `json:"new"`
	Show    string   `json:"show"` // the view that shows it
	Command string   `json:"command"`
	Heat    string   `json:"heat,omitempty"` // address of the picture of where they differ
}

// Changes lists everything that differs.
type Changes struct {
	Comparing bool           `json:"comparing"`      // the page compares two states
	Desk      bool           `json:"desk,omitempty"` // the page may write
	Busy      bool           `json:"busy"`
	Old       string         `json:"old"`
	New       string         `json:"new"`
	Counts    map[string]int `json:"counts"`
	Changes   []Change       `json:"changes"`
	Error     string         `json:"error,omitempty"`
	Command   string         `json:"command"`
}

// start compares, unless that has been done for the files as they are.
func (v *Viewer) startComparing() {
	c := &v.changes
	c.mu.Lock()
	defer c.mu.Unlock()
	now := v.generation.Load()
	if c.busy || c.generation == now {
		return
	}
	c.busy, c.generation = true, now
	go v.compare()
}

// compare fills in the list; what is the same is only counted.
func (v *Viewer) compare() {
	var list []compare.Entry
	counts := map[compare.Status]int{}
	v.OpenAll(context.Background())
	job := v.comparison()
	err := job.Run(context.Background(), v.config.Operands[0], v.config.Operands[1], func(e compare.Entry) {
		if e.Whole && e.Status != compare.Failed && e.Total == 0 {
			return // an archive, whose entries follow
		}
		counts[e.Status]++
		if e.Status != compare.Same {
			list = append(list, e)
		}
	})
	c := &v.changes
	c.mu.Lock()
	c.busy, c.list, c.counts, c.err = false, list, counts, err
	c.mu.Unlock()
	v.hub.tell("compared", len(list))
}

func (v *Viewer) comparison() *compare.Comparison {
	return &compare.Comparison{Loader: *v.loader.Load(), Selection: v.config.Selection}
}

// mostDetails is how many details of an entry the list has.
const mostDetails = 12

func (v *Viewer) handleChanges(w http.ResponseWriter, _ *http.Request) {
	answer(w, v.differences())
}

// differences returns what differs, as far as that is known.
func (v *Viewer) differences() Changes {
	out := Changes{Comparing: v.config.Compare, Desk: v.desk != nil, Counts: map[string]int{}, Changes: []Change{}}
	if !v.config.Compare {
		return out
	}
	v.startComparing()
	out.Old, out.New = v.config.Operands[0], v.config.Operands[1]
	out.Command = v.command("diff", out.Old, out.New)
	c := &v.changes
	c.mu.Lock()
	defer c.mu.Unlock()
	out.Busy = c.busy
	if c.err != nil {
		out.Error = plain(c.err)
	}
	for s, n := range c.counts {
		out.Counts[string(s)] = n
	}
	for i := range c.list {
		out.Changes = append(out.Changes, v.change(i, &c.list[i], mostDetails))
	}
	return out
}

func (v *Viewer) change(i int, e *compare.Entry, details int) Change {
	x := Change{
		Number: i, Path: e.Path, From: e.From, Status: string(e.Status), Kind: e.Kind.String(), Format: e.Format,
		OldSize: e.OldSize, NewSize: e.NewSize, Note: e.Note, Old: -1, New: -1, Show: shows(e.Kind),
	}
	if e.Err != nil {
		x.Error = plain(e.Err)
	}
	for _, d := range e.Details[:min(len(e.Details), details)] {
		x.Details = append(x.Details, d.String())
	}
	x.More = e.Total - len(x.Details)
	was := e.Path
	if e.From != "" {
		was = e.From
	}
	if e.Status != compare.Added {
		x.Old = v.sideNode(0, was, e.Whole)
	}
	if e.Status != compare.Removed {
		x.New = v.sideNode(1, e.Path, e.Whole)
	}
	if old, ok := v.tree.get(x.Old); ok {
		if now, ok := v.tree.get(x.New); ok {
			x.Command = v.command("diff", "-v", old.source(), now.source())
			x.Heat = fmt.Sprintf("api/heat/%d", i)
		}
	}
	return x
}

// sideNode returns the node of one side that a comparison calls path: "rel", "entry" or "rel:entry"; −1 when there is none.
func (v *Viewer) sideNode(root int, path string, isWhole bool) int {
	r, ok := v.tree.get(v.rootID(root))
	switch {
	case !ok:
		return -1
	case r.place != folder && (isWhole || !r.holds):
		return r.id
	case r.place != folder:
		return v.entryAt(r.id, path)
	}
	if id := v.nodeAt(root, path, ""); id >= 0 {
		return id
	}
	for i := range len(path) {
		if path[i] != ':' {
			continue
		}
		if id := v.nodeAt(root, path[:i], ""); id >= 0 {
			return v.entryAt(id, path[i+1:])
		}
	}
	return -1
}

// entryAt returns the node of an entry of a file, which is opened for it; −1 when there is none.
func (v *Viewer) entryAt(id int, path string) int {
	n, ok := v.tree.get(id)
	if !ok {
		return -1
	}
	if at := v.nodeAt(n.root, n.rel, path); at >= 0 {
		return at
	}
	v.open(id, whole)
	return v.nodeAt(n.root, n.rel, path)
}

func (v *Viewer) rootID(root int) int {
	v.tree.mu.RLock()
	defer v.tree.mu.RUnlock()
	if root < 0 || root >= len(v.tree.roots) {
		return -1
	}
	return v.tree.roots[root]
}

// entryOf returns the entry that a request is about.
func (v *Viewer) entryOf(r *http.Request) (e compare.Entry, i int, err error) {
	i, err = strconv.Atoi(r.PathValue("n"))
	c := &v.changes
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil || i < 0 || i >= len(c.list) {
		return e, 0, fmt.Errorf("there is no change %q", r.PathValue("n"))
	}
	return c.list[i], i, nil
}

// handleChange answers with all details of one change.
func (v *Viewer) handleChange(w http.ResponseWriter, r *http.Request) {
	e, i, err := v.entryOf(r)
	if err != nil {
		fail(w, http.StatusNotFound, err)
		return
	}
	answer(w, v.change(i, &e, 500))
}

// handleHeat answers with a picture that shows where two states differ.
func (v *Viewer) handleHeat(w http.ResponseWriter, r *http.Request) {
	e, i, err := v.entryOf(r)
	if err != nil {
		fail(w, http.StatusNotFound, err)
		return
	}
	x := v.change(i, &e, 0)
	v.serveHeat(w, r, x.Old, x.New)
}

// serveHeat answers with a picture that shows where two nodes differ.
func (v *Viewer) serveHeat(w http.ResponseWriter, r *http.Request, old, now int) {
	release, err := v.acquire(r.Context())
	if err != nil {
		return // nobody waits any more
	}
	b, err := v.heat(r.Context(), old, now)
	release()
	if err != nil {
		fail(w, status(err), err)
		return
	}
	serve(w, r, b)
}

var errNoHeat = errors.New("the two cannot be laid over each other")

func (v *Viewer) heat(ctx context.Context, old, now int) (b blob, err error) {
	a, ok1 := v.tree.get(old)
	c, ok2 := v.tree.get(now)
	if !ok1 || !ok2 {
		return b, errNoHeat
	}
	key := "heat" + v.tag(&a) + v.tag(&c)
	if b, ok := v.cache.get(key); ok {
		return b, nil
	}
	job := v.comparison()
	job.Selection.Include, job.Selection.Exclude = nil, nil
	job.Draw = sheet.Compared(posterSize)
	if a.was {
		job.Loader = job.Loader.InPlaceOf(a.path)
	}
	err = job.Run(ctx, v.operand(&a), v.operand(&c), func(e compare.Entry) {
		if e.Pictures != nil && e.Pictures.Heat != nil {
			b, err = newPNG(e.Pictures.Heat)
		}
	})
	switch {
	case err != nil:
		return b, err
	case b.content == nil:
		return b, errNoHeat
	}
	b.tag = v.tag(&c)
	v.cache.put(key, b)
	return b, nil
}
