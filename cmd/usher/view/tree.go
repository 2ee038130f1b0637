package view

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/usher-assets/usher/convert/format"
)

// place is what a node stands for.
type place uint8

const (
	folder  place = iota // on disk
	file                 // on disk, and no archive
	archive              // a file with entries
	group                // entries of an archive whose paths begin alike
	entry                // of an archive
)

var placeNames = [...]string{"folder", "file", "archive", "group", "entry"}

// node is a line of the tree. Its number never changes; what else it says changes with the tree's lock.
type node struct {
	id, parent int // parent is −1 for an operand, apart for what stands below nothing
	place      place
	root       int    // number of the operand
	base       string // path of the folder that was named, or of the file
	path       string // on disk, of the file that it is or is in
	rel        string // path below base, with slashes; empty for the operand itself
	entry      string // path in the archive
	name       string // last step of rel or entry
	title      string
	class      string // of an entry, or of all entries of a group
	folded     string // what searches look at
	format     string // its name; empty when nothing knows it
	kind       format.Kind
	size       int64
	children   []int
	holds      bool    // there are entries in it: it is an archive, or a model that is made like one
	opened     opening // which of them are its children
	isMap      bool    // a game is played in it
	partOf     bool    // of a model beside it, which shows it
	gone       bool    // no longer there
	was        bool    // it stands for what there was before the changes of the desk
	err        error   // why it could not be opened
	odd        int     // oddities found when it was looked at, −1 before that
	modified   time.Time
}

// apart is the parent of a node that is in no list.
const apart = -2

// opening says which entries of a file are nodes.
type opening uint8

const (
	unopened opening = iota
	sampled          // those of a model that are something to look at or to hear by themselves
	whole            // all of them
)

// leaf reports whether a node has content of its own.
func (n *node) leaf() bool { return n.place == file || n.place == entry }

// source is what a user types for the node.
func (n *node) source() string {
	if n.entry == "" || n.place == archive {
		return n.path
	}
	return n.path + ":" + n.entry
}

// slashed returns the path on disk with slashes, and not only a dot.
func (n *node) slashed() string {
	if abs, err := filepath.Abs(n.path); err == nil {
		return filepath.ToSlash(abs)
	}
	return filepath.ToSlash(n.path)
}

// tree is everything that can be looked at.
type tree struct {
	mu    sync.RWMutex
	nodes []*node // by number
	roots []int
	keys  map[string]int
}

func newTree() *tree { return &tree{keys: map[string]int{}} }

// get returns a copy of a node.
func (t *tree) get(id int) (node, bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if id < 0 || id >= len(t.nodes) || t.nodes[id].gone {
		return node{}, false
	}
	return *t.nodes[id], true
}

// closed reports whether there is a file whose entries are not known.
func (t *tree) closed() bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return slices.ContainsFunc(t.nodes, func(n *node) bool { return n.holds && n.opened == unopened && !n.gone })
}

// ownKey is the key of a node. The entries of one class are a group without a path.
func (n *node) ownKey() string {
	if n.was {
		return key(-1, n.path, n.entry, n.place)
	}
	if n.place == group && n.entry == "" {
		return key(n.root, n.rel, "\x00"+n.class, group)
	}
	return key(n.root, n.rel, n.entry, n.place)
}

// key tells nodes apart: what is found again gets its old number.
func key(root int, rel, inside string, p place) string {
	what := "f"
	if p == entry || p == group {
		what = placeNames[p]
	}
	return fmt.Sprintf("%d\x00%s\x00%s\x00%s", root, rel, inside, what)
}

// put adds a node, or brings the one of the same key back.
func (t *tree) put(n node) int {
	k := n.ownKey()
	if id, ok := t.keys[k]; ok {
		old := t.nodes[id]
		n.id, n.children, n.opened = id, old.children, old.opened
		if n.place != old.place {
			n.children, n.opened = nil, unopened
		}
		wasGone := old.gone
		*old = n
		if wasGone {
			t.attach(old)
		}
		return id
	}
	n.id = len(t.nodes)
	t.keys[k] = n.id
	own := n
	t.nodes = append(t.nodes, &own)
	t.attach(&own)
	return n.id
}

func (t *tree) attach(n *node) {
	if n.parent == apart {
		return
	}
	if n.parent < 0 {
		t.roots = append(t.roots, n.id)
		return
	}
	p := t.nodes[n.parent]
	p.children = append(p.children, n.id)
}

// broken notes why a node cannot be read, until it changes.
func (t *tree) broken(id int, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.nodes[id].err = err
}

// remove takes a node and all below it out.
func (t *tree) remove(id int) {
	n := t.nodes[id]
	if n.gone {
		return
	}
	n.gone = true
	t.clear(n)
	n.opened = unopened
	if n.parent >= 0 {
		p := t.nodes[n.parent]
		if i := slices.Index(p.children, id); i >= 0 {
			p.children = append(p.children[:i:i], p.children[i+1:]...)
		}
	}
}

// clear takes out all that is below a node. None of it is looked for in the list that it stands in: of many entries that
// would take long.
func (t *tree) clear(n *node) {
	for _, id := range n.children {
		c := t.nodes[id]
		c.gone, c.opened = true, unopened
		t.clear(c)
	}
	n.children = nil
}

func (t *tree) addRoot(path, inside string, info os.FileInfo) (id int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := node{
		parent: -1, root: len(t.roots), base: path, path: path, name: filepath.Base(path), place: file, kind: format.Raw,
		size: info.Size(), modified: info.ModTime(), odd: -1,
	}
	switch {
	case info.IsDir():
		n.place, n.size, n.kind = folder, 0, format.Archive
		if abs, err := filepath.Abs(path); err == nil {
			n.name = filepath.Base(abs)
		}
	case inside != "":
		n.place, n.entry = entry, inside
		n.name += ":" + inside
	}
	n.folded = strings.ToLower(n.name)
	return t.put(n)
}

// folderOf returns the node of the folder that holds rel, making it when it is new.
func (t *tree) folderOf(root *node, rel string) int {
	at := strings.LastIndexByte(rel, '/')
	if at < 0 {
		return root.id
	}
	dir := rel[:at]
	if id, ok := t.keys[key(root.root, dir, "", folder)]; ok && !t.nodes[id].gone {
		return id
	}
	path := filepath.Join(root.base, filepath.FromSlash(dir))
	n := node{
		parent: t.folderOf(root, dir), root: root.root, base: root.base, path: path, rel: dir,
		name: dir[strings.LastIndexByte(dir, '/')+1:], folded: strings.ToLower(dir), place: folder, kind: format.Archive, odd: -1,
	}
	if info, err := os.Stat(path); err == nil {
		n.modified = info.ModTime()
	}
	return t.put(n)
}

// groupOf returns the node of the group that an entry belongs to, making it when it is new.
func (t *tree) groupOf(a *node, path string) int {
	at := strings.LastIndexByte(path, '/')
	if at <= 0 {
		return a.id
	}
	dir := path[:at]
	if id, ok := t.keys[key(a.root, a.rel, dir, group)]; ok && !t.nodes[id].gone {
		return id
	}
	return t.put(node{
		parent: t.groupOf(a, dir), root: a.root, base: a.base, path: a.path, rel: a.rel, entry: dir,
		name: dir[strings.LastIndexByte(dir, '/')+1:], folded: strings.ToLower(dir), place: group, kind: format.Archive, odd: -1,
	})
}

// classGroup returns the node of the entries of one class, making it when it is new.
func (t *tree) classGroup(a *node, class string) int {
	n := node{
		parent: a.id, root: a.root, base: a.base, path: a.path, rel: a.rel, class: class, name: class,
		folded: strings.ToLower(class), place: group, kind: format.Archive, odd: -1,
	}
	if id, ok := t.keys[n.ownKey()]; ok && !t.nodes[id].gone {
		return id
	}
	return t.put(n)
}
