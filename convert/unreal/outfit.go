package unreal

import (
	"strings"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// maxSkins is the number of elements of an actor's MultiSkins.
const maxSkins = 8

// link is a reference in the package that it stands in; zero for none.
type link struct {
	owner *archive
	ref   unreal.Ref
}

// outfit is what an actor, or the defaults of a class, put on a mesh: textures that the game takes at run time.
type outfit struct {
	multi   [maxSkins]link // MultiSkins, by texture index
	skin    link           // for the first texture, and for those that the mesh leaves open
	texture link           // for environment-mapped faces
}

// slot returns the texture that an outfit has for a material, or none where that keeps its own.
func (w *outfit) slot(s skin) link {
	switch {
	case s.flags&unreal.PolyEnvironment != 0 && w.texture.ref != 0:
		return w.texture
	case s.index >= 0 && s.index < maxSkins && w.multi[s.index].ref != 0:
		return w.multi[s.index]
	case s.index == 0 || s.index > 0 && s.texture == 0:
		return w.skin
	}
	return link{}
}

// dressed returns the skin of a material of a mesh that wears an outfit.
func (w *outfit) dressed(m *unreal.Mesh, x unreal.MeshMaterial) skin {
	s := skinOf(m, x)
	if w != nil {
		s.worn = w.slot(s)
	}
	return s
}

// open returns the skin of a material: where the mesh has no texture for it, the one of the outfit.
func (w *outfit) open(m *unreal.Mesh, x unreal.MeshMaterial) skin {
	if s := skinOf(m, x); s.texture != 0 {
		return s
	}
	return w.dressed(m, x)
}

// outfitOf collects an outfit by a function that finds properties.
func outfitOf(find func(name string, index int) found) (w outfit) {
	get := func(name string, index int) link {
		if f := find(name, index); f.property != nil && f.property.Type == unreal.ObjectProperty && f.owner.p.Valid(unreal.Ref(f.property.Number)) {
			return link{f.owner, unreal.Ref(f.property.Number)}
		}
		return link{}
	}
	for i := range w.multi {
		w.multi[i] = get("MultiSkins", i)
	}
	w.skin, w.texture = get("Skin", 0), get("Texture", 0)
	return w
}

// wearers are the properties by which a class names its meshes, the most telling one first.
var wearers = []string{"Mesh", "PlayerViewMesh", "PickupViewMesh", "ThirdPersonMesh"}

// outfit returns what the first class of the package that uses a mesh, and names skins, puts on it; nil where none does.
func (a *archive) outfit(m *unreal.Mesh) *outfit {
	a.dressing.Do(func() { a.outfits = a.classOutfits() })
	return a.outfits[strings.ToLower(m.Path)]
}

// classOutfits collects the outfits of all meshes of the package, by their path.
func (a *archive) classOutfits() map[string]*outfit {
	classes := map[unreal.Ref]*unreal.Class{}
	var order []unreal.Ref
	for i := range a.p.Exports {
		if a.p.Exports[i].Class != 0 {
			continue
		}
		if o, err := a.object(i); err == nil {
			if c, ok := o.(*unreal.Class); ok {
				r := unreal.Ref(i + 1)
				classes[r], order = c, append(order, r)
			}
		}
	}
	all := map[string]*outfit{}
	for _, name := range wearers {
		for _, r := range order {
			find := func(name string, index int) found {
				c := classes[r]
				for n := 0; c != nil && n < schema.DefaultLimits.Depth; n++ {
					if p := c.Property(name, index); p != nil {
						return found{a, p}
					}
					c = classes[c.Super]
				}
				return found{}
			}
			f := find(name, 0)
			if f.property == nil || f.property.Number <= 0 || !a.p.Valid(unreal.Ref(f.property.Number)) {
				continue
			}
			path, err := a.p.Path(unreal.Ref(f.property.Number))
			path = strings.ToLower(path)
			if err != nil || all[path] != nil {
				continue
			}
			w := outfitOf(find)
			if bare := (outfit{texture: w.texture}); w != bare {
				all[path] = &w
			}
		}
	}
	return all
}
