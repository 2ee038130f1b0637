package pack

import (
	"io"
	"strings"
	"sync"

	"github.com/usher-assets/usher/convert/format"
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

// extensions are the file name extensions of packages, those that hold textures first.
var extensions = []string{".utx", ".u", ".unr", ".uax", ".umx"}

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
	for _, ext := range extensions {
		r, size, _, err := l.env.FindAt(name + ext)
		if err != nil {
			continue
		}
		if f, err := openWhole(r, size, &format.Env{Name: name + ext}); err == nil {
			f.others = l // it imports from others in turn
			l.open[key] = f
			break
		}
	}
	return l.open[key]
}

// openWhole opens a package whose exports all have a path.
func openWhole(r io.ReaderAt, size int64, env *format.Env) (*File, error) {
	f, err := Open(r, size, env)
	for i := 0; err == nil && i < len(f.Exports); i++ {
		err = f.CheckOuters(unreal.Ref(i + 1))
	}
	return f, err
}

// Other returns another package by its name; nil where it is not at hand.
func (f *File) Other(name string) *File { return f.others.find(name) }

// Resolve returns the package and export of a reference: in this package, or in another one that is at hand. The
// package is nil when the object is not.
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

// ByName returns an export by its own name, in whatever group it is.
func (f *File) ByName(name, class string) unreal.Ref {
	for i := range f.Exports {
		r := unreal.Ref(i + 1)
		if strings.EqualFold(f.ObjectName(r), name) && strings.EqualFold(f.ClassName(r), class) {
			return r
		}
	}
	return 0
}

// Class returns a class, and the package that it stands in; nil where it is not at hand.
func (f *File) Class(r unreal.Ref) (*File, *unreal.Class) {
	owner, i := f.Resolve(r)
	if owner == nil {
		return nil, nil
	}
	o, err := owner.Object(i)
	if c, ok := o.(*unreal.Class); ok && err == nil {
		return owner, c
	}
	return nil, nil
}

// Found is a property with the package that it stands in; nil where no class at hand has it.
type Found struct {
	Owner    *File
	Property *unreal.Property
}

// Default looks for a default property, up the line of classes as far as their packages are at hand.
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
