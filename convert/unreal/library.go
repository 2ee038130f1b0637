package unreal

import (
	"strings"
	"sync"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/unreal"
)

// libraries are the other packages that a package imports from, as far as they are found beside it or in the folders
// that the user named.
type libraries struct {
	env  *format.Env
	mu   sync.Mutex
	open map[string]*archive // nil for those that were not found
}

// extensions are the file name extensions of packages, those that hold textures first.
var extensions = []string{".utx", ".u", ".unr", ".uax", ".umx"}

// find returns a package by name, or nil.
func (l *libraries) find(name string) *archive {
	if l.env == nil || l.env.Files == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	key := strings.ToLower(name)
	if a, known := l.open[key]; known {
		return a
	}
	if l.open == nil {
		l.open = map[string]*archive{}
	}
	l.open[key] = nil
	for _, ext := range extensions {
		r, size, _, err := l.env.FindAt(name + ext)
		if err != nil {
			continue
		}
		if a, err := open(r, size, &format.Env{Name: name + ext}); err == nil {
			a.others = l // it imports from others in turn
			l.open[key] = a
			break
		}
	}
	return l.open[key]
}

// resolve returns the archive and export of a reference: in this package, or in another one that is at hand. The
// archive is nil when the object is not.
func (a *archive) resolve(r unreal.Ref) (*archive, int) {
	if r > 0 {
		return a, int(r - 1)
	}
	if r == 0 {
		return nil, 0
	}
	path, err := a.p.Path(r)
	if err != nil {
		return nil, 0
	}
	pkg, rest, found := strings.Cut(path, ".")
	if !found {
		return nil, 0
	}
	other := a.others.find(pkg)
	if other == nil {
		return nil, 0
	}
	target := other.p.FindExport(rest, a.p.ClassName(r))
	if target == 0 { // code often imports textures without their group
		target = other.byName(rest[strings.LastIndexByte(rest, '.')+1:], a.p.ClassName(r))
	}
	if target == 0 {
		return nil, 0
	}
	return other, int(target - 1)
}

// byName returns an export by its own name, in whatever group it is.
func (a *archive) byName(name, class string) unreal.Ref {
	for i := range a.p.Exports {
		r := unreal.Ref(i + 1)
		if strings.EqualFold(a.p.ObjectName(r), name) && strings.EqualFold(a.p.ClassName(r), class) {
			return r
		}
	}
	return 0
}
