package freelancer

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/usher-assets/usher/convert/freelancer/mesh"
	"github.com/usher-assets/usher/convert/freelancer/rig"
	"github.com/usher-assets/usher/convert/freelancer/texture"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// sameAsShown tells whether a material looks as it did when it was shown; one that does not remember does.
func sameAsShown(a *asset.Material) bool {
	was, now := rig.Numbers(a.Native.Values, "look"), lookOf(a)
	if len(was) != len(now) {
		return true
	}
	for i, x := range was {
		y, _ := now[i].(float64)
		if i < 7 {
			x, y = float64(scene.Display(float32(x))), float64(scene.Display(float32(y)))
		}
		if math.Abs(x-y) > 2e-3 {
			return false
		}
	}
	return true
}

// renaming is a material that has another name in the scene.
type renaming struct {
	was, now string
}

// undoRenames gives materials the names back under which their meshes refer to them, until all else is done. A copy that
// an editor made beside its original is a material of its own.
func (e *libraryEditor) undoRenames(list []*asset.Material) {
	names := map[string]bool{}
	for _, a := range list {
		names[a.Name] = true
	}
	for _, a := range list {
		if a.Native == nil || a.Native.Format != nativeFormat {
			continue
		}
		was, _ := a.Native.Values["name"].(string)
		if was == "" {
			was, _ = a.Native.Values["crc"].(string)
		}
		if was == "" || was == a.Name || names[was] {
			continue
		}
		e.renames = append(e.renames, renaming{was, a.Name})
		names[was] = true
		a.Name = was
	}
}

// applyRenames gives renamed materials their new names, in the library and wherever the file refers to them. Those of
// other files keep theirs.
func (e *libraryEditor) applyRenames() error {
	for _, r := range e.renames {
		l := e.materials[freelancer.FLCRC(r.was)]
		now := mesh.MaterialName(&asset.Material{Name: r.now})
		switch taken := e.materials[freelancer.FLCRC(now)]; {
		case l == nil || !l.own || l.m == nil || l.m.Node == nil:
			e.told.Lossf("material-name-kept", r.was, "it is called %q now, but lies in another file, by whose name for it the model refers to it: it keeps that", r.now)
			continue
		case taken != nil && taken != l:
			e.told.Lossf("material-name-kept", r.was, "there is a material %q already: it keeps its name", now)
			continue
		}
		e.told.Notef("material-renamed", r.was, "the material is called %q now; models in other files that wear it refer to the old name", now)
		l.m.Node.Name, l.m.Name = now, now
		if err := e.renameUses(r.was, now); err != nil {
			return err
		}
	}
	return nil
}

// renameUses makes meshes, characters, planets and motions of texture coordinates refer to a material by its new name.
func (e *libraryEditor) renameUses(was, now string) error {
	from, to := freelancer.FLCRC(was), freelancer.FLCRC(now)
	var err error
	e.tree.Root.Walk(func(_ string, n *freelancer.Node) bool {
		_, side := freelancer.NumberOf(n.Name, "M")
		switch {
		case err != nil || n.IsDir() || len(n.Data) == 0:
		case freelancer.SameName(n.Name, "VMeshData"):
			var v *freelancer.VMesh
			if v, err = read.VMesh(n.Data, nil); err != nil {
				return false
			}
			if slices.ContainsFunc(v.Groups, func(g freelancer.MeshGroup) bool { return g.Material == from }) {
				n.Data = slices.Clone(n.Data)
				for i, g := range v.Groups {
					if g.Material == from {
						binary.LittleEndian.PutUint32(n.Data[16+12*i:], to)
					}
				}
			}
		case side || freelancer.SameName(n.Name, "Material_name"):
			if t, bad := read.Text(n.Data, nil); bad == nil && freelancer.SameName(t.Value, was) {
				t.Value = now
				n.Data, err = write.Text(t)
			}
		}
		return true
	})
	if dir := e.tree.Root.Child("MaterialAnim"); dir != nil {
		for _, n := range dir.Children {
			if freelancer.SameName(n.Name, was) {
				n.Name = now
			}
		}
	}
	return err
}

// joinMaterials undoes copies of materials: Blender makes one for each way of using it, such as with vertex colours.
// One that looks different was made by a person, and stays.
func joinMaterials(s *asset.Scene) {
	byName := map[string]*asset.Material{}
	for _, m := range s.Materials {
		byName[m.Name] = m
	}
	for _, mesh := range s.Meshes {
		for _, p := range mesh.Primitives {
			m := p.Material
			if m == nil || m.Native == nil || m.Native.Format != nativeFormat {
				continue
			}
			base, copied := scene.Uncopied(m.Name)
			if !copied {
				continue
			}
			name, _ := m.Native.Values["name"].(string)
			original := byName[name]
			switch {
			case name == "" || name != base:
			case original == nil:
				m.Name = name
				byName[name] = m
			case sameLook(original, m):
				p.Material = original
			}
		}
	}
}

func sameLook(a, b *asset.Material) bool {
	return scene.SameColor(a.BaseColor[:], b.BaseColor[:]) && scene.SameColor(a.Emissive[:], b.Emissive[:]) && a.Alpha == b.Alpha && a.DoubleSided == b.DoubleSided &&
		samePicture(a.BaseColorTexture, b.BaseColorTexture) && samePicture(a.EmissiveTexture, b.EmissiveTexture)
}

func samePicture(a, b *asset.TextureRef) bool {
	if a == nil || b == nil || a.Texture == nil || b.Texture == nil {
		return (a == nil || a.Texture == nil) == (b == nil || b.Texture == nil)
	}
	return a.Texture == b.Texture || texture.Fingerprint(a.Texture) == texture.Fingerprint(b.Texture)
}
