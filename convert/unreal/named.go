package unreal

import (
	"strings"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// named returns the object that a text names, "Class'Path'": one of this package, one that is about to be added, or one
// of another package, for which imports are added where they are missing (reference section 26). property tells the
// class where the text leaves it out.
func (a *archive) named(text, property string) (unreal.Ref, error) {
	if r, ok := a.FindRef(text); ok {
		return r, nil
	}
	class, path, ok := cutRef(text)
	if !ok {
		class, path = propertyClass(property), text
		if class == "" {
			return 0, schema.Errorf(objectName, schema.ErrRange, property, "%q does not say which class it is of: write Class'Package.Name'", text)
		}
		if r, ok := a.FindRef(class + "'" + path + "'"); ok {
			return r, nil
		}
	}
	if r, ok := a.promised(class, path); ok {
		return r, nil
	}
	return a.importNamed(class, path, property)
}

// cutRef takes "Class'Path'" apart.
func cutRef(text string) (class, path string, ok bool) {
	class, rest, ok := strings.Cut(text, "'")
	path, ended := strings.CutSuffix(rest, "'")
	return class, path, ok && ended && class != "" && path != ""
}

// propertyClass returns the class of what a property usually names; empty for other properties.
func propertyClass(property string) string {
	name := strings.ToLower(property)
	switch {
	case strings.Contains(name, "skin"), strings.Contains(name, "texture"):
		return "Texture"
	case strings.HasSuffix(name, "mesh"):
		return "LodMesh"
	case strings.Contains(name, "sound"):
		return "Sound"
	}
	return ""
}

// importNamed adds the imports of an object: rows for the package, its groups and the object itself, in this order.
func (a *archive) importNamed(class, path, property string) (unreal.Ref, error) {
	text := class + "'" + path + "'"
	missing := func(format string, args ...any) (unreal.Ref, error) {
		return 0, schema.Errorf(objectName, schema.ErrRange, property, format, args...)
	}
	names := strings.Split(path, ".")
	if len(names) < 2 {
		return missing("the package neither holds nor imports %s: what is of another package is named with it, as %s'Package.%s'", text, class, path)
	}
	for _, n := range append(names, class) {
		if err := unreal.CheckName(n); err != nil || n == "" {
			return missing("%s is no name of an object", text)
		}
	}
	if strings.EqualFold(names[0], a.OwnName()) {
		if r, ok := a.FindRef(class + "'" + strings.Join(names[1:], ".") + "'"); ok {
			return r, nil
		}
		return missing("this package holds no %s", text)
	}
	if r := a.exportAt(names[:1]); r != 0 {
		return missing("%s is of this package, which holds no %s", a.RefText(r), text)
	}
	pkg := a.classPackage(class, names)
	if pkg == "" {
		_, err := missing("of which package the class of %s is cannot be told", text)
		return 0, schema.Hinted(err, ": name the game's folder with --install")
	}
	r := a.AddImport("Core", "Package", 0, names[0])
	for _, group := range names[1 : len(names)-1] {
		r = a.AddImport("Core", "Package", r, group)
	}
	r = a.AddImport(pkg, class, r, names[len(names)-1])
	a.checkImport(r, text)
	return r, nil
}

// checkImport looks an imported object up in its package, where that is at hand.
func (a *archive) checkImport(r unreal.Ref, text string) {
	d := a.Env.Told()
	path, _ := a.Path(r)
	pkg, rest, _ := strings.Cut(path, ".")
	other := a.Other(pkg)
	if other == nil {
		d.Warnf("imported", text, "it is imported, but its package %s is not at hand: whether the object is there was not seen", pkg)
		return
	}
	target := other.FindExport(rest, a.ClassName(r))
	switch {
	case target == 0:
		d.Warnf("imported", text, "it is imported, but the package %s holds no such object", pkg)
	case other.Exports[target-1].Flags&unreal.Public == 0:
		d.Warnf("imported", text, "it is imported, but it is not public in its package %s: the game will not find it", pkg)
	}
}

// engineClasses are classes of resources by their packages.
var engineClasses = map[string]string{
	"class": "Core", "package": "Core", "textbuffer": "Core",
	"texture": "Engine", "scriptedtexture": "Engine", "palette": "Engine", "sound": "Engine", "music": "Engine", "font": "Engine",
	"mesh": "Engine", "lodmesh": "Engine", "skeletalmesh": "Engine", "animation": "Engine", "model": "Engine", "polys": "Engine", "level": "Engine",
	"vectors": "Engine", "bspnodes": "Engine", "bspsurfs": "Engine", "verts": "Engine", "levelsummary": "Engine",
	"firetexture": "Fire", "icetexture": "Fire", "watertexture": "Fire", "wavetexture": "Fire", "wettexture": "Fire", "fractaltexture": "Fire",
}

// classPackage returns the package of a class: as an import row says, as the package that holds the object of these names
// says, or as it always is; empty when nothing tells.
func (a *archive) classPackage(class string, names []string) string {
	for i := range a.Imports {
		m := &a.Imports[i]
		switch {
		case strings.EqualFold(a.Name(m.ClassName), class):
			return a.Name(m.ClassPackage)
		case strings.EqualFold(a.Name(m.ClassName), "Class") && strings.EqualFold(a.Name(m.Name), class) && m.Outer < 0:
			return a.ObjectName(m.Outer)
		}
	}
	if len(names) > 1 {
		if other := a.Other(names[0]); other != nil {
			if r := other.FindExport(strings.Join(names[1:], "."), class); r > 0 {
				if c := other.Exports[r-1].Class; c < 0 {
					return other.ObjectName(other.Outer(c))
				}
				return names[0]
			}
		}
	}
	return engineClasses[strings.ToLower(class)]
}

// exportAt returns the first export with a path, whatever its class; a group before others. 0 when there is none.
func (a *archive) exportAt(names []string) unreal.Ref {
	path := strings.Join(names, ".")
	if r := a.FindExport(path, "Package"); r != 0 {
		return r
	}
	for i := range a.Exports {
		r := unreal.Ref(i + 1)
		if a.gone[i] || !strings.EqualFold(a.ObjectName(r), names[len(names)-1]) {
			continue
		}
		if full, err := a.Path(r); err == nil && strings.EqualFold(full, path) {
			return r
		}
	}
	return 0
}

// expect takes the paths of objects: those that are about to be added may be named by others before they are there.
func (a *archive) expect(paths []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.expected = map[string]bool{}
	for _, p := range paths {
		a.expected[strings.ToLower(strings.ReplaceAll(p, "/", "."))] = true
	}
}

// promised returns an export that is expected under a path, and has no payload yet.
func (a *archive) promised(class, path string) (unreal.Ref, bool) {
	if !a.expected[strings.ToLower(path)] {
		return 0, false
	}
	c, err := a.classNamed(class)
	if err != nil {
		return 0, false
	}
	names := strings.Split(path, ".")
	outer, err := a.group(names[:len(names)-1])
	if err != nil {
		return 0, false
	}
	r := a.AddExport(c, outer, names[len(names)-1], unreal.LoadFlags)
	if b, err := noProperties(a.Package); err != nil || a.Fill(r, b) != nil {
		return 0, false
	}
	if a.promises == nil {
		a.promises = map[unreal.Ref]bool{}
	}
	a.promises[r] = true
	return r, true
}

// classNamed returns the class for a new export, "Light" or "Engine.Light".
func (a *archive) classNamed(name string) (unreal.Ref, error) {
	if pkg, class, ok := strings.Cut(name, "."); ok {
		if err := unreal.CheckName(pkg); err != nil {
			return 0, err
		}
		if err := unreal.CheckName(class); err != nil || strings.EqualFold(pkg, a.OwnName()) {
			return a.classNamed(class)
		}
		return a.AddClass(pkg, class), nil
	}
	for i := range a.Exports {
		if e := &a.Exports[i]; e.Class == 0 && !a.File.Empty(i) && strings.EqualFold(a.Name(e.Name), name) {
			return unreal.Ref(i + 1), nil
		}
	}
	if pkg := a.classPackage(name, nil); pkg != "" {
		return a.AddClass(pkg, name), nil
	}
	return 0, schema.Errorf(objectName, schema.ErrRange, "Class", "the package neither holds nor imports the class %q: write it with its package, as Engine.%s", name, name)
}
