package view

import (
	"context"
	"fmt"
	"net/http"

	"github.com/usher-assets/usher/cmd/usher/places"
)

// offered returns the places that the start screen offers.
func (v *Viewer) offered() []places.Place {
	if v.config.Places == nil || v.desk == nil {
		return nil
	}
	return v.config.Places()
}

// handlePlace opens a place that the start screen offers, and no other, beside what is open already. It answers with its node.
func (d *desk) handlePlace(w http.ResponseWriter, r *http.Request) {
	v := d.viewer
	path := r.URL.Query().Get("path")
	for _, p := range v.offered() {
		if p.Path != path {
			continue
		}
		id, err := d.openPlace(path)
		if err != nil {
			fail(w, status(err), err)
			return
		}
		answer(w, map[string]int{"node": id})
		return
	}
	fail(w, http.StatusForbidden, fmt.Errorf("%q is none of the places that this page offers", path))
}

// openPlace opens a file or a folder, unless it is open, and looks into it.
func (d *desk) openPlace(path string) (int, error) {
	v := d.viewer
	d.opening.Lock()
	defer d.opening.Unlock()
	if id := v.openRoot(path); id >= 0 {
		return id, nil
	}
	id, err := v.addRoot(path)
	if err != nil {
		return -1, err
	}
	v.scanning.Add(1)
	go func() {
		defer v.scanning.Add(-1)
		ctx := context.Background() // whoever asked may be gone before a game is looked through
		v.scanRoot(ctx, id)
		d.find(ctx)
	}()
	return id, nil
}

// openRoot returns the node of a path that was named or opened; −1 for none.
func (v *Viewer) openRoot(path string) int {
	v.tree.mu.RLock()
	defer v.tree.mu.RUnlock()
	for _, id := range v.tree.roots {
		if n := v.tree.nodes[id]; n.place != entry && draftPath(n.path) == path {
			return id
		}
	}
	return -1
}
