package unreal

import (
	"strings"

	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// terms returns the names of a package, and its imports as "Engine.Texture'Skins.Jskin'": the package of the class, the class, and
// the path.
func (a *archive) terms() (list []string) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	for _, n := range a.Names {
		if isName(n.Text) {
			list = append(list, n.Text)
		}
	}
	for i, m := range a.Imports {
		text := a.Name(m.ClassPackage) + "." + a.RefText(unreal.Ref(-i-1))
		if _, _, _, ok := importOf(text); ok {
			list = append(list, text)
		}
	}
	return list
}

// meanings returns the names, imports and exports of a package, whatever they are called.
func (a *archive) meanings() (list []string) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	for _, n := range a.Names {
		list = append(list, n.Text)
	}
	for i, m := range a.Imports {
		list = append(list, a.Name(m.ClassPackage)+"."+a.RefText(unreal.Ref(-i-1)))
	}
	for i := range a.Exports {
		list = append(list, a.RefText(unreal.Ref(i+1)))
	}
	return list
}

// isName reports whether a text of terms is a name.
func isName(text string) bool { return pack.IsText(text) && !strings.Contains(text, "'") }

// importOf takes an import of terms apart.
func importOf(text string) (pkg, class string, names []string, ok bool) {
	class, path, ok := cutRef(text)
	if !ok {
		return "", "", nil, false
	}
	pkg, class, _ = strings.Cut(class, ".")
	names = strings.Split(path, ".")
	for _, n := range append(names, pkg, class) {
		if n == "" || unreal.CheckName(n) != nil {
			return "", "", nil, false
		}
	}
	return pkg, class, names, true
}

// addTerms appends the names and imports that a package lacks.
func (a *archive) addTerms(list []string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, text := range list {
		if isName(text) {
			a.AddName(text)
			continue
		}
		pkg, class, names, ok := importOf(text)
		if !ok {
			return schema.Errorf(unreal.Format, schema.ErrValue, "terms", "%q is neither a name nor an import, Package.Class'Path'", text)
		}
		if outer, ok := a.importAt(names[:len(names)-1]); ok {
			a.AddImport(pkg, class, outer, names[len(names)-1])
		}
	}
	return nil
}

// importAt returns the import with a path; 0 is that of what lies in no other.
func (a *archive) importAt(names []string) (unreal.Ref, bool) {
	if len(names) == 0 {
		return 0, true
	}
	outer, ok := a.importAt(names[:len(names)-1])
	if !ok {
		return 0, false
	}
	for i, m := range a.Imports {
		if m.Outer == outer && strings.EqualFold(a.Name(m.Name), names[len(names)-1]) {
			return unreal.Ref(-i - 1), true
		}
	}
	return 0, false
}
