package unreal

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// class is what the entries of one class share. Their format is the one of an object that is yet to be added; it is
// bound to an export when that is asked for, so that a listing makes a few formats and not thousands.
type class struct {
	name   string
	format *format.Format
}

// classOf returns the class of export i.
func (a *archive) classOf(i int) *class {
	ref := a.Exports[i].Class
	k := int(-ref) - 1
	imported := k >= 0 && k < len(a.imports)
	var c *class
	if imported {
		c = a.imports[k]
	} else {
		c = a.classes[ref]
	}
	if c == nil {
		f := a.leaf(i, -1)
		f.Read = func([]byte, *schema.Diagnostics) (any, error) {
			return nil, schema.Errorf(f.Name, schema.ErrUnsupported, "", "the format of an entry reads its payload when Format.Of has bound it to the entry")
		}
		f.Bind = func(i int) *format.Format {
			a.mu.RLock()
			defer a.mu.RUnlock()
			if k, err := a.export(i); err == nil {
				i = k
			}
			return a.leaf(i, i)
		}
		c = &class{a.ClassName(unreal.Ref(i + 1)), f}
		if imported {
			a.imports[k] = c
		} else {
			a.classes[ref] = c
		}
	}
	return c
}

// list describes all exports. Palettes come last in the race for a path: a texture and its palette often share their
// name.
func (a *archive) list() error {
	if err := a.setPaths(); err != nil {
		return err
	}
	a.hideSlots()
	defer a.refresh()
	var palettes []int
	for i := range a.entries {
		if a.gone[i] {
			continue
		}
		if a.classOf(i).name == "Palette" {
			palettes = append(palettes, i)
			continue
		}
		a.describeEntry(i, a.entries[i].Path)
	}
	for _, i := range palettes {
		a.describeEntry(i, a.entries[i].Path)
	}
	return nil
}

// setEntry follows export i, which is new or moved.
func (a *archive) setEntry(i int) error {
	a.refs, a.listed = nil, nil
	a.entries = append(a.entries, make([]format.Entry, len(a.Exports)-len(a.entries))...)
	path, err := a.Path(unreal.Ref(i + 1))
	if err == nil {
		a.describeEntry(i, path)
		a.refresh()
	}
	return err
}

func (a *archive) describeEntry(i int, path string) {
	c := a.classOf(i)
	e := &a.entries[i]
	*e = format.Entry{Path: a.unique(path, c.name, i), Kind: c.format.Kind, Format: c.format, Class: c.name, Offset: -1}
	if k := a.scriptClass(i); k >= 0 && c.name == "TextBuffer" {
		e.File = sourceFolder + "/" + a.Name(a.Exports[k].Name)
	}
	if x := &a.Exports[i]; x.Data != nil {
		e.Size = int64(len(x.Data))
	} else if e.Size = int64(x.Size); x.Size > 0 {
		e.Offset = int64(x.Offset)
	}
}

// setPaths gives all entries their object paths, parts of one string.
func (a *archive) setPaths() error {
	w := pathWriter{p: a.Package, sizes: make([]int, len(a.entries)), starts: make([]int, len(a.entries))}
	size := 0
	for i := range a.entries {
		w.starts[i] = size
		if size += w.size(i); int64(size) > maxPathBytes(a.Size) {
			return schema.Errorf(unreal.Format, schema.ErrLimit, "object names", "the paths of %d objects take more than %d bytes", len(a.Exports), maxPathBytes(a.Size))
		}
	}
	w.all = make([]byte, size)
	for i := range a.entries {
		w.write(i)
	}
	all := string(w.all)
	for i := range a.entries {
		a.entries[i].Path = all[w.starts[i] : w.starts[i]+w.sizes[i]]
	}
	return nil
}

// pathWriter puts the paths of all exports one behind the other. That of an outer is the beginning of those in it.
type pathWriter struct {
	p      *unreal.Package
	sizes  []int // 0 is not known yet
	starts []int
	all    []byte
}

// size returns the length of a path, which is at least 1 but for a nameless object at the top.
func (w *pathWriter) size(i int) int {
	if w.sizes[i] == 0 {
		e := &w.p.Exports[i]
		n := len(w.p.Name(e.Name))
		if e.Outer > 0 {
			n += w.size(int(e.Outer-1)) + 1
		} else if e.Outer < 0 {
			n += len(w.imported(e.Outer)) + 1
		}
		w.sizes[i] = n
	}
	return w.sizes[i]
}

func (w *pathWriter) imported(r unreal.Ref) string {
	path, _ := w.p.Path(r) // was checked
	return path
}

func (w *pathWriter) write(i int) {
	e := &w.p.Exports[i]
	path := w.all[w.starts[i] : w.starts[i]+w.sizes[i]]
	if len(path) == 0 || path[len(path)-1] != 0 {
		return // as somebody's outer
	}
	n := 0
	switch {
	case e.Outer > 0:
		outer := int(e.Outer - 1)
		w.write(outer)
		n = copy(path, w.all[w.starts[outer]:w.starts[outer]+w.sizes[outer]])
	case e.Outer < 0:
		n = copy(path, w.imported(e.Outer))
	}
	if e.Outer != 0 {
		path[n] = '.'
		n++
	}
	copy(path[n:], w.p.Name(e.Name))
}

// maxPathBytes is what all object paths of a package may take together. Those of a real one take less than the package;
// few long names that many objects bear would take any amount.
func maxPathBytes(size int64) int64 { return 8*size + 1<<20 }

// unique returns the path of an entry: the object path, with class and number where another object has that too.
func (a *archive) unique(path, class string, i int) string {
	if a.claim(path) {
		return path
	}
	if path += "@" + class; a.claim(path) {
		return path
	}
	if path += "@" + strconv.Itoa(i); a.claim(path) {
		return path
	}
	return fmt.Sprintf("%s@%d", path, i)
}

// claim reports whether a path is still free, and takes it. Paths are compared regardless of case, as the engine does,
// and by their hash (64-bit FNV-1a): two that share one by chance only make the second path longer.
func (a *archive) claim(path string) bool {
	h := uint64(14695981039346656037)
	for i := range len(path) {
		c := path[i]
		if c >= 0x80 {
			return a.paths.add(foldedHash(path))
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		h = (h ^ uint64(c)) * 1099511628211
	}
	return a.paths.add(h)
}

// foldedHash is the hash of a path with letters beyond ASCII.
func foldedHash(path string) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range []byte(strings.ToLower(path)) {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h
}

// pathSet is a set of hashes: a table of twice as many places or more, looked through from the place that a hash says.
type pathSet struct {
	places []uint64 // 0 is free
	n      int
}

func newPathSet(n int) pathSet {
	size := 64
	for size < 2*n {
		size *= 2
	}
	return pathSet{places: make([]uint64, size)}
}

// add puts a hash into the set; false when it is in there already.
func (s *pathSet) add(h uint64) bool {
	h = max(h, 1)
	if 2*s.n >= len(s.places) {
		old := s.places
		*s = pathSet{places: make([]uint64, 2*len(old))}
		for _, x := range old {
			if x != 0 {
				s.add(x)
			}
		}
	}
	mask := uint64(len(s.places) - 1)
	at := h & mask
	for ; s.places[at] != 0; at = (at + 1) & mask {
		if s.places[at] == h {
			return false
		}
	}
	s.places[at] = h
	s.n++
	return true
}
