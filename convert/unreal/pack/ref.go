package pack

import (
	"strings"

	"github.com/usher-assets/usher/schema/unreal"
)

// refIndex finds references by what RefText says of them, regardless of case. It is made anew when the tables grew.
type refIndex struct {
	refs             map[string]unreal.Ref
	exports, imports int
}

// FindRef returns the reference that RefText wrote. Where several objects share class and path, it is the first
// export, or else the first import. The name that an object had before it was renamed is still its own.
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

// Rename gives an object another name. Texts that name it as it was called still mean it.
func (f *File) Rename(r, outer unreal.Ref, name string) {
	if f.former == nil {
		f.former = map[string]unreal.Ref{}
	}
	f.former[strings.ToLower(f.RefText(r))] = r
	x := &f.Exports[r-1]
	x.Name, x.Outer, x.Renamed = f.AddName(name), outer, true
	f.refs = refIndex{}
}
