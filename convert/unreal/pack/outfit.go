package pack

import (
	"strings"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// maxSkins is the number of elements of an actor's MultiSkins.
const maxSkins = 8

// Link is a reference together with its package; zero means none.
type Link struct {
	Owner *File
	Ref   unreal.Ref
}

// Outfit holds the textures that an actor, or the defaults of a class, put on a mesh when the game runs.
type Outfit struct {
	Multi   [maxSkins]Link // MultiSkins, by texture index
	Skin    Link           // for the first texture, and for those that the mesh does not set
	Texture Link           // for environment-mapped faces
}

// OutfitOf returns the outfit defined by properties, which get returns by name.
func OutfitOf(find func(name string, index int) Found) (w Outfit) {
	get := func(name string, index int) Link {
		if f := find(name, index); f.Property != nil && f.Property.Type == unreal.ObjectProperty && f.Owner.Valid(unreal.Ref(f.Property.Number)) {
			return Link{f.Owner, unreal.Ref(f.Property.Number)}
		}
		return Link{}
	}
	for i := range w.Multi {
		w.Multi[i] = get("MultiSkins", i)
	}
	w.Skin, w.Texture = get("Skin", 0), get("Texture", 0)
	return w
}

// wearers are the properties by which a class names its meshes, the most telling one first.
var wearers = []string{"Mesh", "PlayerViewMesh", "PickupViewMesh", "ThirdPersonMesh"}

// Outfit returns the outfit that a class of the package puts on a mesh: the first class that uses the mesh and sets
// textures. It is nil if there is none.
func (f *File) Outfit(m *unreal.Mesh) *Outfit {
	f.dressing.Do(func() { f.outfits = f.classOutfits() })
	return f.outfits[strings.ToLower(m.Path)]
}

// classOutfits collects the outfits of all meshes of the package, by their path.
func (f *File) classOutfits() map[string]*Outfit {
	classes := map[unreal.Ref]*unreal.Class{}
	var order []unreal.Ref
	for i := range f.Exports {
		if f.Exports[i].Class != 0 {
			continue
		}
		if c, _ := As[unreal.Class](f, i); c != nil {
			r := unreal.Ref(i + 1)
			classes[r], order = c, append(order, r)
		}
	}
	all := map[string]*Outfit{}
	for _, name := range wearers {
		for _, r := range order {
			find := func(name string, index int) Found {
				c := classes[r]
				for n := 0; c != nil && n < schema.DefaultLimits.Depth; n++ {
					if p := c.Property(name, index); p != nil {
						return Found{f, p}
					}
					c = classes[c.Super]
				}
				return Found{}
			}
			p := find(name, 0).Property
			if p == nil || p.Number <= 0 || !f.Valid(unreal.Ref(p.Number)) {
				continue
			}
			path, err := f.Path(unreal.Ref(p.Number))
			path = strings.ToLower(path)
			if err != nil || all[path] != nil {
				continue
			}
			w := OutfitOf(find)
			if bare := (Outfit{Texture: w.Texture}); w != bare {
				all[path] = &w
			}
		}
	}
	return all
}
