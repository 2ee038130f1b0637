package unreal

import (
	"strings"

	"github.com/usher-assets/usher/schema/unreal"
)

// refIndex finds references by what refText says of them, regardless of case. It is made anew when the tables grew.
type refIndex struct {
	refs             map[string]unreal.Ref
	exports, imports int
}

// findRef returns the reference that refText wrote. Where several objects share class and path, it is the first
// export, or else the first import. The name that an object had before it was renamed is still its own.
func (a *archive) findRef(text string) (unreal.Ref, bool) {
	if text == "None" || text == "" {
		return 0, true
	}
	x := &a.refTexts
	if x.refs == nil || x.exports != len(a.p.Exports) || x.imports != len(a.p.Imports) {
		*x = refIndex{make(map[string]unreal.Ref, len(a.p.Exports)+len(a.p.Imports)), len(a.p.Exports), len(a.p.Imports)}
		for i := range a.p.Exports {
			if !a.p.Empty(i) {
				x.add(a.p, unreal.Ref(i+1))
			}
		}
		for i := range a.p.Imports {
			x.add(a.p, unreal.Ref(-i-1))
		}
	}
	if r, ok := a.former[strings.ToLower(text)]; ok {
		return r, true
	}
	r, ok := x.refs[strings.ToLower(text)]
	return r, ok
}

func (x *refIndex) add(p *unreal.Package, r unreal.Ref) {
	key := strings.ToLower(refText(p, r))
	if _, taken := x.refs[key]; !taken {
		x.refs[key] = r
	}
}

// refText names the object that a reference leads to, with its class: Texture'Skins.Jskin'.
func refText(p *unreal.Package, r unreal.Ref) string {
	if r == 0 || !p.Valid(r) {
		return "None"
	}
	path, err := p.Path(r)
	if err != nil {
		path = p.ObjectName(r)
	}
	return p.ClassName(r) + "'" + path + "'"
}
