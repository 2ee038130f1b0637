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
	ref := a.p.Exports[i].Class
	c := a.classes[ref]
	if c == nil {
		f := a.leaf(i, -1)
		f.Bind = func(i int) *format.Format {
			a.mu.RLock()
			defer a.mu.RUnlock()
			if k, err := a.export(i); err == nil {
				i = k
			}
			return a.leaf(i, i)
		}
		c = &class{a.p.ClassName(unreal.Ref(i + 1)), f}
		a.classes[ref] = c
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

// setEntry describes export i, which is new or moved.
func (a *archive) setEntry(i int) error {
	path, err := a.p.Path(unreal.Ref(i + 1))
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
	if x := &a.p.Exports[i]; x.Data != nil {
		e.Size = int64(len(x.Data))
	} else if e.Size = int64(x.Size); x.Size > 0 {
		e.Offset = int64(x.Offset)
	}
}

// setPaths gives all entries their object paths, parts of one string. Many objects share their outer, whose path is
// made once.
func (a *archive) setPaths() error {
	outers := map[unreal.Ref]string{0: ""}
	size := int64(0)
	for i := range a.p.Exports {
		x := &a.p.Exports[i]
		outer, known := outers[x.Outer]
		if !known {
			var err error
			if outer, err = a.p.Path(x.Outer); err != nil {
				return err
			}
			outer += "."
			outers[x.Outer] = outer
		}
		size += int64(len(outer) + len(a.p.Name(x.Name)))
	}
	if size > maxPathBytes(a.p.Size) {
		return schema.Errorf(unreal.Format, schema.ErrLimit, "object names", "the paths of %d objects take %d bytes", len(a.p.Exports), size)
	}
	var all strings.Builder
	all.Grow(int(size))
	for i := range a.p.Exports {
		x := &a.p.Exports[i]
		start := all.Len()
		all.WriteString(outers[x.Outer])
		all.WriteString(a.p.Name(x.Name))
		a.entries[i].Path = all.String()[start:]
	}
	return nil
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

// claim tells whether a path is still free, and takes it. Paths are compared regardless of case, as the engine does,
// and by their hash (64-bit FNV-1a): two that share one by chance only make the second path longer.
func (a *archive) claim(path string) bool {
	h := uint64(14695981039346656037)
	for i := range len(path) {
		c := path[i]
		if c >= 0x80 {
			return a.claimHash(foldedHash(path))
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		h = (h ^ uint64(c)) * 1099511628211
	}
	return a.claimHash(h)
}

// foldedHash is the hash of a path with letters beyond ASCII.
func foldedHash(path string) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range []byte(strings.ToLower(path)) {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h
}

func (a *archive) claimHash(h uint64) bool {
	if _, taken := a.paths[h]; taken {
		return false
	}
	a.paths[h] = struct{}{}
	return true
}
