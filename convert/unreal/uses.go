package unreal

import (
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/unreal/mesh"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/schema/unreal"
)

// uses returns the assets of other packages that the package imports, in the order of its table, and then what the actors of its
// levels show besides.
func (a *archive) uses() (list []format.Use) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	known := map[string]bool{}
	add := func(k pack.Link) {
		u, ok := a.useOf(k)
		if key := strings.ToLower(u.Class + " " + u.Archive + "." + u.Path); ok && !known[key] {
			known[key] = true
			list = append(list, u)
		}
	}
	for i := range a.Imports {
		add(pack.Link{Owner: a.File, Ref: unreal.Ref(-i - 1)})
	}
	for i := range a.Exports {
		if a.ClassName(unreal.Ref(i+1)) != "Level" {
			continue
		}
		if l, err := pack.As[unreal.Level](a.File, i); err == nil && l != nil {
			a.usesOfActors(l, add)
		}
	}
	return list
}

// usesOfActors calls add with the meshes of actors, which their classes name, and with the textures that these show.
func (a *archive) usesOfActors(l *unreal.Level, add func(pack.Link)) {
	w, known := a.lamps(), map[costume]bool{}
	for _, r := range l.Actors {
		if r <= 0 || int(r) > len(a.Exports) {
			continue
		}
		o, err := a.Object(int(r - 1))
		if err != nil {
			continue
		}
		k, ok := w.costume(o.Base(), r)
		if !ok || known[k] {
			continue
		}
		known[k] = true
		add(pack.Link{Owner: k.owner, Ref: unreal.Ref(k.index + 1)})
		if x, err := k.owner.Object(k.index); err == nil && mesh.BaseOf(x) != nil {
			for _, t := range mesh.BaseOf(x).Textures {
				add(pack.Link{Owner: k.owner, Ref: t})
			}
		}
		for _, t := range append(k.wear.Multi[:], k.wear.Skin, k.wear.Texture) {
			add(t)
		}
	}
}

// useOf returns the asset of another package that a reference leads to.
func (a *archive) useOf(k pack.Link) (u format.Use, ok bool) {
	if k.Ref == 0 || k.Owner == a.File && k.Ref > 0 || !k.Owner.Valid(k.Ref) {
		return u, false
	}
	class := k.Owner.ClassName(k.Ref)
	f, known := leafFormats[unreal.Classes[class]]
	if strings.EqualFold(class, "Texture") {
		f, known = textureFormat, true
	}
	path, err := k.Owner.Path(k.Ref)
	if k.Ref > 0 {
		path = k.Owner.OwnName() + "." + path
	}
	pkg, rest, inside := strings.Cut(path, ".")
	own := k.Owner != a.File && strings.EqualFold(pkg, a.OwnName())
	if !known || err != nil || !inside || pkg == "" || own {
		return u, false
	}
	u = format.Use{Archive: pkg, Path: rest, Class: class, Kind: f.Kind}
	for _, ext := range pack.Extensions {
		u.Files = append(u.Files, pkg+ext)
	}
	return u, true
}
