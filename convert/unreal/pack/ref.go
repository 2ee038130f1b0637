package pack

import (
	"slices"
	"strings"
	"sync"

	"github.com/usher-assets/usher/convert/format"
	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// libraries are the other packages that a package imports from, as far as they are found beside it or in the folders
// that the user named.
type libraries struct {
	env  *format.Env
	mu   sync.Mutex
	open map[string]*File // nil for those that were not found
}

// Extensions are the file name extensions of packages, those that hold textures first.
var Extensions = []string{".utx", ".u", ".unr", ".uax", ".umx"}

// find returns a package by name, or nil.
func (l *libraries) find(name string) *File {
	if l.env == nil || l.env.Files == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	key := strings.ToLower(name)
	if f, known := l.open[key]; known {
		return f
	}
	if l.open == nil {
		l.open = map[string]*File{}
	}
	l.open[key] = nil
	for _, ext := range Extensions {
		r, size, _, err := l.env.FindAt(name + ext)
		if err != nil {
			continue
		}
		if f, err := Open(r, size, &format.Env{Name: name + ext}); err == nil {
			f.others = l // it imports from others in turn
			l.open[key] = f
			break
		}
	}
	return l.open[key]
}

// Other returns another package by name, or nil if it is not at hand.
func (f *File) Other(name string) *File { return f.others.find(name) }

// Resolve returns the package and the number of the export that a reference means, in this package or another one at hand.
// The package is nil if it is not at hand.
func (f *File) Resolve(r unreal.Ref) (*File, int) {
	if r > 0 {
		return f, int(r - 1)
	}
	if r == 0 {
		return nil, 0
	}
	path, err := f.Path(r)
	if err != nil {
		return nil, 0
	}
	pkg, rest, found := strings.Cut(path, ".")
	if !found {
		return nil, 0
	}
	other := f.Other(pkg)
	if other == nil {
		return nil, 0
	}
	target := other.FindExport(rest, f.ClassName(r))
	if target == 0 { // code often imports textures without their group
		target = other.ByName(rest[strings.LastIndexByte(rest, '.')+1:], f.ClassName(r))
	}
	if target == 0 {
		return nil, 0
	}
	return other, int(target - 1)
}

// ByName returns an export by its own name, in any group.
func (f *File) ByName(name, class string) unreal.Ref {
	for i := range f.Exports {
		r := unreal.Ref(i + 1)
		if strings.EqualFold(f.ObjectName(r), name) && strings.EqualFold(f.ClassName(r), class) {
			return r
		}
	}
	return 0
}

// Class returns a class and its package; nil if it is not at hand.
func (f *File) Class(r unreal.Ref) (*File, *unreal.Class) {
	owner, i := f.Resolve(r)
	if owner == nil {
		return nil, nil
	}
	c, _ := As[unreal.Class](owner, i)
	return owner, c
}

// Found is a property with its package; nil if no class at hand has it.
type Found struct {
	Owner    *File
	Property *unreal.Property
}

// Default finds a default property in a class or its superclasses, as far as their packages are at hand.
func (f *File) Default(class unreal.Ref, name string, index int) Found {
	for range schema.DefaultLimits.Depth {
		next, c := f.Class(class)
		if c == nil {
			break
		}
		if p := c.Property(name, index); p != nil {
			return Found{next, p}
		}
		f, class = next, c.Super
	}
	return Found{}
}

// refIndex finds references by their RefText, ignoring case. It is rebuilt when the tables have grown.
type refIndex struct {
	refs             map[string]unreal.Ref
	exports, imports int
}

// FindRef returns the reference for a text written by RefText. If several objects have that class and path, it is the first
// export, or else the first import. Names that objects had before a Rename are still found.
func (f *File) FindRef(text string) (unreal.Ref, bool) {
	if text == "None" || text == "" {
		return 0, true
	}
	x := &f.refs
	if x.refs == nil || x.exports != len(f.Exports) || x.imports != len(f.Imports) {
		*x = refIndex{make(map[string]unreal.Ref, len(f.Exports)+len(f.Imports)), len(f.Exports), len(f.Imports)}
		for i := range f.Exports {
			if !f.Empty(i) {
				x.add(f.Package, unreal.Ref(i+1))
			}
		}
		for i := range f.Imports {
			x.add(f.Package, unreal.Ref(-i-1))
		}
	}
	if r, ok := f.former[strings.ToLower(text)]; ok {
		return r, true
	}
	r, ok := x.refs[strings.ToLower(text)]
	return r, ok
}

func (x *refIndex) add(p *unreal.Package, r unreal.Ref) {
	key := strings.ToLower(p.RefText(r))
	if _, taken := x.refs[key]; !taken {
		x.refs[key] = r
	}
}

// Rename renames an object. FindRef still finds it by its old name. Names are compared without case, and the table has each
// once: a spelling that differs in case alone is taken over only where nothing else of the package has the name, so ask
// ObjectName for what came of it.
func (f *File) Rename(r, outer unreal.Ref, name string) {
	if f.former == nil {
		f.former = map[string]unreal.Ref{}
	}
	f.former[strings.ToLower(f.RefText(r))] = r
	x := &f.Exports[r-1]
	x.Name, x.Outer, x.Renamed = f.AddName(name), outer, true
	f.refs = refIndex{}
	if n := &f.Names[x.Name]; n.Text != name && !f.sharesName(r) {
		n.Text, n.Form, n.Stored = name, unreal.NameBytes, ""
	}
}

// Spell is AddName for what somebody wrote: that the table has the name in another spelling is told.
func (f *File) Spell(text string) unreal.NameIndex {
	n := f.AddName(text)
	TellSpelling(f.Env.Told(), text, f.Name(n))
	return n
}

// TellSpelling tells of a name that stays as it is stored, where somebody wrote it in another case.
func TellSpelling(d *schema.Diagnostics, text, stored string) {
	if text != stored {
		d.Notef("spelling-kept", text, "the package has the name as %s, and it stays so: names that differ in case alone are one name", stored)
	}
}

// sharesName reports whether anything else of the package has the name of an export, or may have it.
func (f *File) sharesName(r unreal.Ref) bool {
	name := f.Exports[r-1].Name
	for _, m := range f.Imports {
		if m.ClassPackage == name || m.ClassName == name || m.Name == name {
			return true
		}
	}
	for i := range f.Exports {
		if unreal.Ref(i+1) != r && f.Exports[i].Name == name {
			return true
		}
		b, err := f.Payload(i)
		if err != nil {
			return true
		}
		names, unknown := read.Names(b, f.Context(i))
		if slices.Contains(names, name) || slices.ContainsFunc(unknown, func(b []byte) bool { return read.MayRefer(b, unreal.Ref(name)) }) {
			return true
		}
	}
	return false
}
