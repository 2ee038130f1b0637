// Package check tells what the engine of Unreal would stumble over: packages that others import from and that are not there, and
// objects that those do not hold, or keep to themselves.
package check

import (
	"fmt"
	"path"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"

	read "github.com/usher-assets/usher/read/unreal"
)

// Kinds are the kinds of findings.
var Kinds format.FindingKinds

var (
	packageMissing = Kinds.Add("package-missing", "a package that another one imports from is not there")
	objectMissing  = Kinds.Add("object-missing", "a package does not hold an object that another one imports from it")
	objectPrivate  = Kinds.Add("object-private", "an object that another package imports is not public: the engine does not give it")
	importUnused   = Kinds.AddDoubt("import-unused", "a package imports what nothing in it refers to: the engine loads it for nothing")
	unreadable     = Kinds.Add("package-unreadable", "a package is damaged")
)

// extensions are those of packages.
var extensions = []string{".u", ".utx", ".unr", ".uax", ".umx"}

// tables are what of a package its importers want to know.
type tables struct {
	at      format.GameFile
	err     error
	imports []imported
	unused  []string        // paths of imports that nothing refers to
	objects map[string]bool // by path in lower case: whether it is public
	native  bool            // a class of it has code in the engine's program
}

// imported is an object that a package imports.
type imported struct {
	pkg, path string // the package, and the path in it; empty for the package itself
	class     string
}

// Game tells what the engine would stumble over in the packages of a game.
func Game(g *format.Game) []format.Finding {
	c := checker{packages: map[string][]*tables{}}
	var all []*tables
	for _, at := range g.Files("", extensions...) {
		t := format.Made(g, at, "tables", func() *tables { return readTables(g, at) })
		name := strings.ToLower(stem(at.Path))
		c.packages[name] = append(c.packages[name], t)
		all = append(all, t)
	}
	for _, t := range all {
		c.check(t)
	}
	return c.found
}

func stem(name string) string { return strings.TrimSuffix(path.Base(name), path.Ext(name)) }

// readTables reads the tables of a package; its objects stay in the file.
func readTables(g *format.Game, at format.GameFile) *tables {
	t := &tables{at: at, objects: map[string]bool{}}
	r, err := g.OpenAt(at)
	if err != nil {
		t.err = err
		return t
	}
	defer r.Close()
	p, err := read.Package(r, at.Size, nil)
	if err != nil {
		t.err = err
		return t
	}
	t.take(p)
	return t
}

// native is the flag of an object with code in the engine's program.
const native = 0x0400_0000

func (t *tables) take(p *unreal.Package) {
	for i := range p.Exports {
		ref := unreal.Ref(i + 1)
		t.native = t.native || p.Exports[i].Class == 0 && p.Exports[i].Flags&native != 0
		if name, err := p.Path(ref); err == nil {
			key := strings.ToLower(name)
			public := p.Exports[i].Flags&unreal.Public != 0
			if was, twice := t.objects[key]; !twice || public && !was {
				t.objects[key] = public
			}
		}
	}
	for i := range p.Imports {
		ref := unreal.Ref(-i - 1)
		name, err := p.Path(ref)
		if err != nil {
			continue
		}
		pkg, rest, _ := strings.Cut(name, ".")
		t.imports = append(t.imports, imported{pkg, rest, p.ClassName(ref)})
	}
	t.unused = unusedImports(p)
}

// checker looks at the packages of a game.
type checker struct {
	packages map[string][]*tables // by name in lower case; a file of music may have that of one with textures
	found    []format.Finding
}

// check looks for what a package imports.
func (c *checker) check(t *tables) {
	if t.err != nil {
		c.tell(unreadable, t, "", "%v", t.err)
		return
	}
	for _, name := range t.unused {
		c.tell(importUnused, t, name, "nothing in it refers to %s, which it imports", name)
	}
	missing := map[string]int{}
	var order []string
	for _, x := range t.imports {
		key := strings.ToLower(x.pkg)
		from := c.packages[key]
		if from != nil {
			c.checkObject(t, from, x)
			continue
		}
		if missing[key] == 0 {
			order = append(order, x.pkg)
		}
		missing[key]++
	}
	for _, name := range order {
		objects := missing[strings.ToLower(name)] - 1 // one is the package
		c.tell(packageMissing, t, name, "there is no package %s, from which it imports %s", name, schema.Counted(objects, "object", "objects"))
	}
}

// checkObject looks for an object in the package that it is imported from. A package that has a part in the engine's program has
// classes there, such as Engine.Level, which nobody sees in the file.
func (c *checker) checkObject(t *tables, from []*tables, x imported) {
	if x.path == "" || x.class == "Package" {
		return
	}
	private := false
	for _, p := range from {
		have, ok := p.objects[strings.ToLower(x.path)]
		if ok && have || p.err != nil || !ok && x.class == "Class" && p.native {
			return
		}
		private = private || ok
	}
	at, name := from[0].at.Path, x.pkg+"."+x.path
	if private {
		c.tell(objectPrivate, t, name, "the %s %s of %s is not public", x.class, x.path, path.Base(at)).About = []string{at}
		return
	}
	c.tell(objectMissing, t, name, "%s does not hold the %s %s", path.Base(at), x.class, x.path).About = []string{at}
}

func (c *checker) tell(k *format.FindingKind, t *tables, name, text string, args ...any) *format.Finding {
	f := format.Finding{Kind: k, File: t.at, Name: name, Msg: fmt.Sprintf(text, args...)}
	if name != "" {
		f.Entry = "imports"
	}
	c.found = append(c.found, f)
	return &c.found[len(c.found)-1]
}
