package view

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/find"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/worktree"
)

// Desk says what the page may do, beside showing.
type Desk struct {
	Exports string // the folder that exports go to; empty for downloads alone
	Editor  string // the program that opens files; empty for the system's own choice
	Alone   bool   // nobody but the page can ask for anything, so it needs no token to write
}

// desk is what was changed on the page and is not saved. It holds a draft for each file; all that is shown of such a file is
// read from what the draft makes of it. A nil one only looks.
type desk struct {
	Desk
	viewer  *Viewer
	tickets tickets // good for a token to write with, once
	writers tickets // the tokens to write with

	mu      sync.Mutex
	drafts  map[string]*worktree.Draft // by absolute path
	now     find.Instead               // by absolute path: where the file with the changes is
	opening sync.Mutex                 // one draft is opened at a time
	trouble map[string]string          // by absolute path: why the changes of an earlier run are not shown
	live    lives
}

func newDesk(v *Viewer, d *Desk) *desk {
	if d == nil {
		return nil
	}
	return &desk{Desk: *d, viewer: v, drafts: map[string]*worktree.Draft{}, now: find.Instead{}, trouble: map[string]string{}}
}

// draftPath returns a path by which drafts are known.
func draftPath(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// at returns the file that is read for a node: the one with the changes, where there are some.
func (v *Viewer) at(n *node) string {
	if v.desk == nil || n.was {
		return n.path
	}
	v.desk.mu.Lock()
	defer v.desk.mu.Unlock()
	return cmp.Or(v.desk.now[draftPath(n.path)], n.path)
}

// source returns what is read for a node, and a loader for it.
func (v *Viewer) source(n *node) (engine.Source, engine.Loader) {
	src, l := engine.Source{Path: v.at(n), Size: n.size}, *v.loader.Load()
	if n.place == entry {
		src.Entry = n.entry
	}
	if src.Path != n.path {
		l = l.InPlaceOf(n.path)
	}
	return src, l
}

// draft returns the draft of the file of a node, and opens it where there is none yet.
func (d *desk) draft(ctx context.Context, n *node) (*worktree.Draft, error) {
	d.opening.Lock()
	defer d.opening.Unlock()
	path := draftPath(n.path)
	if x := d.known(path); x != nil {
		x.Beside(d.instead())
		return x, nil
	}
	if _, err := confined(n); err != nil {
		return nil, err
	}
	x, err := worktree.OpenDraft(ctx, d.viewer.config.Loader.Instead(d.instead()), path)
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.trouble, path)
	if err != nil {
		d.trouble[path] = plain(err)
		return nil, err
	}
	d.drafts[path] = x
	return x, nil
}

// instead says where files are read that have changes.
func (d *desk) instead() find.Instead {
	if d == nil {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return maps.Clone(d.now)
}

func (d *desk) known(path string) *worktree.Draft {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.drafts[path]
}

// paths returns those of all files with drafts, or with trouble.
func (d *desk) paths() (list []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for p := range d.drafts {
		list = append(list, p)
	}
	for p := range d.trouble {
		if d.drafts[p] == nil {
			list = append(list, p)
		}
	}
	slices.Sort(list)
	return list
}

// find opens what an earlier desk has left of the files that are shown.
func (d *desk) find(ctx context.Context) {
	if d == nil {
		return
	}
	for _, n := range d.viewer.onDisk() {
		if ctx.Err() != nil {
			return
		}
		if n.place != folder && worktree.HasDraft(n.path) && d.known(draftPath(n.path)) == nil {
			if x, err := d.draft(ctx, &n); err == nil {
				d.follow(x)
			}
		}
	}
	d.viewer.hub.tell("desk", nil)
}

// follow shows what a draft has become.
func (d *desk) follow(x *worktree.Draft) {
	v := d.viewer
	d.mu.Lock()
	delete(d.now, x.Base())
	if now := x.Now(); now != x.Base() {
		d.now[x.Base()] = now
	}
	d.mu.Unlock()
	v.refresh()
	changed := []int{}
	for _, n := range v.onDisk() {
		if n.place != folder && draftPath(n.path) == x.Base() {
			v.renew(n.id)
			changed = append(changed, n.id)
		}
	}
	v.hub.tell("changed", map[string]any{"nodes": changed, "state": v.generation.Load()})
	v.hub.tell("desk", nil)
}

// fileOf returns the node of the file at a path; −1 for none.
func (v *Viewer) fileOf(path string) int {
	for _, n := range v.onDisk() {
		if n.place != folder && draftPath(n.path) == path {
			return n.id
		}
	}
	return v.entryRootOf(path)
}

// entryRootOf returns the node of an operand that is an entry of the file at a path; −1 for none.
func (v *Viewer) entryRootOf(path string) int {
	v.tree.mu.RLock()
	defer v.tree.mu.RUnlock()
	for _, id := range v.tree.roots {
		if n := v.tree.nodes[id]; n.place == entry && draftPath(n.path) == path {
			return id
		}
	}
	return -1
}

// close gives all drafts free. What is not saved is there again when the next desk opens it.
func (d *desk) close() {
	if d == nil {
		return
	}
	d.live.stop()
	d.mu.Lock()
	defer d.mu.Unlock()
	for path, x := range d.drafts {
		x.Close()
		delete(d.drafts, path)
		delete(d.now, path)
	}
}

// wasNode returns the node of what a file, or an entry of it, was before all changes; −1 where it was not there.
func (v *Viewer) wasNode(of *node, inside string) int {
	n := node{parent: apart, root: -1, was: true, base: of.path, path: of.path, entry: inside, name: filepath.Base(of.path), place: of.place, odd: -1, kind: format.Raw}
	info, err := os.Stat(of.path)
	if err != nil {
		return -1
	}
	n.size, n.modified = info.Size(), info.ModTime()
	if inside == "" {
		v.recognise(&n)
		n.holds = false // its entries are shown one by one
	} else if err := v.describeWas(&n); err != nil {
		return -1
	}
	v.tree.mu.Lock()
	defer v.tree.mu.Unlock()
	return v.tree.put(n)
}

// describeWas finds out what an entry was.
func (v *Viewer) describeWas(n *node) error {
	n.place, n.name = entry, n.entry
	a, release, err := v.archives.get(n.path, n.path)
	if err != nil {
		return err
	}
	defer release()
	i, err := a.Find(n.entry)
	if err != nil {
		return err
	}
	e := a.Entries()[i]
	if e.Path != n.entry { // its title is called so
		return errors.New("it was not there")
	}
	describeEntry(n, &e)
	return nil
}

// deskError is an error for the page: who holds a draft is told in words.
func deskError(err error, name string) error {
	if errors.Is(err, disk.ErrInUse) {
		return fmt.Errorf("another desk has %s open, and writes there: this one only looks (%w)", name, err)
	}
	return err
}
