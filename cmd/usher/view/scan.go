package view

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/batch"
)

// errOutside is the error of a link that leads out of the folder that was named.
var errOutside = errors.New("it leads out of the folder that was named")

// confined returns an error unless what a node stands for lies below what was named on the command line. A file that was
// named is what its name leads to; in a folder no link leads out.
func confined(n *node) (os.FileInfo, error) {
	if n.rel == "" {
		info, err := os.Stat(n.path)
		return info, disk.PlainError(err)
	}
	root, err := os.OpenRoot(n.base)
	if err != nil {
		return nil, disk.PlainError(err)
	}
	defer root.Close()
	info, err := root.Stat(filepath.FromSlash(n.rel))
	if err == nil {
		return info, nil
	}
	if _, e := os.Stat(n.path); e == nil {
		return nil, errOutside
	}
	return nil, disk.PlainError(err)
}

// recognise finds out what a file on disk is.
func (v *Viewer) recognise(n *node) {
	f := v.config.Loader.From
	var x *interchange.Interchange
	if f == nil {
		f, x = interchange.SniffFile(v.at(n))
	}
	n.place, n.format, n.kind, n.holds, n.isMap, n.partOf = file, "", format.Raw, false, false, false
	switch {
	case f != nil:
		n.format, n.kind, n.holds, n.isMap = f.Name, f.Kind, f.Open != nil, f.Place
		n.partOf = v.loader.Load().PartOf(n.path, f) != ""
		if n.holds && f.Kind == format.Archive {
			n.place = archive
		}
	case x != nil && x.Name == "json":
		n.format, n.kind = x.Name, format.Table
	case x != nil:
		n.format, n.kind = x.Name, x.Kinds[0]
	}
}

// scanRoot finds the files below an operand, and tells what is no longer there.
func (v *Viewer) scanRoot(ctx context.Context, id int) {
	root, ok := v.tree.get(id)
	if !ok || root.place == entry {
		v.openEntryRoot(root, ok)
		return
	}
	if root.place != folder {
		v.update(&root)
		if n, _ := v.tree.get(id); n.place == archive {
			v.open(id, whole)
		}
		return
	}
	seen := map[int]bool{}
	for src, err := range batch.Walk(ctx, root.path, v.config.Selection) {
		if err != nil || batch.Companion(src.Rel) {
			continue
		}
		n := node{
			root: root.root, base: root.base, path: src.Path, rel: src.Rel, name: src.Rel[strings.LastIndexByte(src.Rel, '/')+1:],
			folded: strings.ToLower(src.Rel), size: src.Size, odd: -1,
		}
		info, err := confined(&n)
		if err != nil {
			continue
		}
		n.modified, n.size = info.ModTime(), info.Size()
		seen[v.add(&root, n)] = true
	}
	if ctx.Err() == nil {
		v.forget(root.root, seen)
	}
}

// openEntryRoot finds out what an entry that was named is.
func (v *Viewer) openEntryRoot(n node, ok bool) {
	if !ok {
		return
	}
	a, release, err := v.archives.get(v.at(&n), n.path)
	if err != nil {
		return
	}
	defer release()
	i, err := a.Find(n.entry)
	if err != nil {
		return
	}
	e := a.Entries()[i]
	v.tree.mu.Lock()
	defer v.tree.mu.Unlock()
	own := v.tree.nodes[n.id]
	describeEntry(own, &e)
}

// add puts a file that was found into the tree. What has not changed is not recognised again.
func (v *Viewer) add(root *node, n node) int {
	v.tree.mu.RLock()
	id, known := v.tree.keys[key(n.root, n.rel, "", file)]
	if known {
		old := v.tree.nodes[id]
		known = !old.gone && old.size == n.size && old.modified.Equal(n.modified)
	}
	v.tree.mu.RUnlock()
	if known {
		return id
	}
	v.recognise(&n)
	v.tree.mu.Lock()
	defer v.tree.mu.Unlock()
	n.parent = v.tree.folderOf(root, n.rel)
	return v.tree.put(n)
}

// update looks anew at a file that was named.
func (v *Viewer) update(n *node) {
	info, err := confined(n)
	if err != nil {
		return
	}
	found := *n
	v.recognise(&found)
	v.tree.mu.Lock()
	defer v.tree.mu.Unlock()
	own := v.tree.nodes[n.id]
	own.place, own.format, own.kind, own.holds, own.isMap, own.partOf = found.place, found.format, found.kind, found.holds, found.isMap, found.partOf
	own.size, own.modified, own.err = info.Size(), info.ModTime(), nil
}

// forget takes out the files of an operand that were not seen, and folders that hold nothing any more.
func (v *Viewer) forget(root int, seen map[int]bool) {
	v.tree.mu.Lock()
	defer v.tree.mu.Unlock()
	for id, n := range v.tree.nodes {
		if n.root == root && !n.gone && n.rel != "" && (n.place == file || n.place == archive) && !seen[id] {
			v.tree.remove(id)
		}
	}
	for id := len(v.tree.nodes) - 1; id >= 0; id-- { // what is in a folder came after it
		n := v.tree.nodes[id]
		if n.root == root && n.place == folder && n.parent >= 0 && len(n.children) == 0 {
			v.tree.remove(id)
		}
	}
}

// open makes the entries of a file nodes, all of them or those that are something by themselves. Those of an archive all
// are.
func (v *Viewer) open(id int, much opening) {
	n, ok := v.tree.get(id)
	if n.place == archive {
		much = whole
	}
	if !ok || !n.holds || n.opened >= much {
		return
	}
	v.scanning.Add(1)
	defer v.scanning.Add(-1)
	a, release, err := v.archives.get(v.at(&n), n.path)
	if err == nil {
		defer release()
	}
	v.tree.mu.Lock()
	defer v.tree.mu.Unlock()
	own := v.tree.nodes[id]
	if own.opened >= much {
		return
	}
	v.tree.clear(own) // they come back in their order
	own.opened, own.err = much, err
	if err == nil {
		v.tree.fill(own, a.Entries())
	}
}

// fill makes the entries of a file nodes. Those of a package, which have classes and no paths, are grouped by these.
func (t *tree) fill(own *node, list []format.Entry) {
	classed := byClass(list)
	order := make([]int, 0, len(list))
	for i := range list {
		if own.opened == whole || list[i].Kind == format.Texture || list[i].Kind == format.Sound {
			order = append(order, i)
		}
	}
	if classed {
		slices.SortStableFunc(order, func(i, j int) int {
			return cmp.Or(cmp.Compare(rankOf(&list[i]), rankOf(&list[j])), strings.Compare(list[i].Class, list[j].Class))
		})
	}
	own.children = make([]int, 0, len(order))
	for _, i := range order {
		e := &list[i]
		n := node{
			root: own.root, base: own.base, path: own.path, rel: own.rel, entry: e.Path,
			name: e.Path[strings.LastIndexByte(e.Path, '/')+1:], place: entry, odd: -1, modified: own.modified,
		}
		describeEntry(&n, e)
		switch {
		case own.opened == sampled && own.place != archive: // its folders tell nothing of a texture
			n.parent = own.id
			if n.title != "" {
				n.name, n.title = n.title, ""
			}
		case !classed:
			n.parent = t.groupOf(own, e.Path)
		case n.isMap:
			n.parent = own.id
		default:
			n.parent = t.classGroup(own, e.Class)
		}
		t.put(n)
	}
}

// byClass reports whether entries are told apart by their classes: they have several, and no folders. A few may be called
// like their class; where most are, it says nothing.
func byClass(list []format.Entry) bool {
	several, alike := false, 0
	for i := range list {
		e := &list[i]
		if e.Class == "" || strings.Contains(e.Path, "/") {
			return false
		}
		if e.Class == e.Path {
			alike++
		}
		several = several || e.Class != list[0].Class
	}
	return several && 2*alike < len(list)
}

// rankOf returns where an entry stands among others.
func rankOf(e *format.Entry) int {
	n := node{}
	describeEntry(&n, e)
	return n.rank()
}

// describeEntry takes over what the archive's directory tells of an entry.
func describeEntry(n *node, e *format.Entry) {
	n.title, n.class, n.kind, n.size = e.Title, e.Class, e.Kind, e.Size
	if e.Format != nil {
		n.format, n.kind, n.isMap = e.Format.Name, e.Format.Seen().Kind, e.Format.Place
	}
	n.folded = strings.ToLower(e.Path + " " + e.Title)
}

// openAll opens every archive and model, for a search, which does not wait for it.
func (v *Viewer) openAll() {
	if !v.tree.closed() || !v.deep.CompareAndSwap(false, true) {
		return
	}
	v.scanning.Add(1)
	go func() {
		defer v.scanning.Add(-1)
		defer v.deep.Store(false)
		v.OpenAll(context.Background())
	}()
}

// OpenAll opens every archive and model found so far.
func (v *Viewer) OpenAll(ctx context.Context) {
	for id := 0; ctx.Err() == nil; id++ {
		v.tree.mu.RLock()
		end := id >= len(v.tree.nodes)
		v.tree.mu.RUnlock()
		if end {
			return
		}
		v.open(id, sampled)
	}
}

// nodeAt returns the number of the node of an operand with that path below it; −1 when there is none.
func (v *Viewer) nodeAt(root int, rel, inside string) int {
	v.tree.mu.RLock()
	defer v.tree.mu.RUnlock()
	p := file
	if inside != "" {
		p = entry
	}
	if id, ok := v.tree.keys[key(root, rel, inside, p)]; ok && !v.tree.nodes[id].gone {
		return id
	}
	return -1
}

// missing is the error of a number that no node has, or none any more.
func (t *tree) missing(id string) error {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if i, err := strconv.Atoi(id); err == nil && i >= 0 && i < len(t.nodes) {
		return fmt.Errorf("%s is no longer there", t.nodes[i].name)
	}
	return fmt.Errorf("there is no node %q", id)
}
