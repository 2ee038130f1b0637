package check

import (
	"slices"

	"github.com/usher-assets/usher/schema/unreal"

	read "github.com/usher-assets/usher/read/unreal"
)

// unusedImports returns the paths of imports that nothing in a package refers to, without those that hold others of them. Where an
// object cannot be read, everything may be in use.
func unusedImports(p *unreal.Package) (paths []string) {
	u := usage{p, map[unreal.Ref]bool{}}
	u.takeTables()
	for i := 0; i < len(p.Exports) && len(u.open) > 0; i++ { // tables alone tell all of most packages
		b, err := p.Payload(i)
		if err != nil {
			return nil
		}
		u.takeObject(b, i)
	}
	holds := map[unreal.Ref]bool{}
	for r := range u.open {
		holds[p.Imports[-r-1].Outer] = true
	}
	for i := range p.Imports {
		r := unreal.Ref(-i - 1)
		if name, err := p.Path(r); err == nil && u.open[r] && !holds[r] {
			paths = append(paths, name)
		}
	}
	return paths
}

// usage has the imports of a package that nothing has referred to so far.
type usage struct {
	p    *unreal.Package
	open map[unreal.Ref]bool
}

// takeTables opens all imports but those that exports have in the table.
func (u *usage) takeTables() {
	for i := range u.p.Imports {
		u.open[unreal.Ref(-i-1)] = true
	}
	for i := range u.p.Exports {
		e := &u.p.Exports[i]
		u.use(e.Class)
		u.use(e.Super)
		u.use(e.Outer)
	}
	if slices.ContainsFunc(u.p.Exports, func(e unreal.Export) bool { return e.Class == 0 }) {
		u.useClass()
	}
}

// useClass uses the class of classes, which the table has for none of them.
func (u *usage) useClass() {
	for r := range u.open {
		if path, err := u.p.Path(r); err == nil && path == "Core.Class" {
			u.use(r)
		}
	}
}

// takeObject uses what an object refers to, or may in bytes that nobody knows.
func (u *usage) takeObject(b []byte, export int) {
	found, unknown := read.References(b, u.p.Context(export))
	for _, r := range found {
		u.use(r)
	}
	for _, b := range unknown {
		for r := range read.PossibleReferences(b) {
			u.use(r)
		}
	}
}

// use takes out what is referred to, and what holds it.
func (u *usage) use(r unreal.Ref) {
	for u.open[r] {
		delete(u.open, r)
		r = u.p.Imports[-r-1].Outer
	}
}
