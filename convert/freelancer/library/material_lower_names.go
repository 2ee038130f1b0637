package library

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/usher-assets/usher/convert/freelancer/mesh"
	"github.com/usher-assets/usher/convert/freelancer/rig"
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

// UndoRenames gives materials the names back under which their meshes refer to them, until all else is done. A copy that
// an editor made beside its original is a material of its own.
func (e *Editor) UndoRenames(list []*asset.Material) {
	names := map[string]bool{}
	for _, a := range list {
		names[a.Name] = true
	}
	for _, a := range list {
		values := rig.Values(a.Native)
		was, _ := values["name"].(string)
		if was == "" {
			was, _ = values["crc"].(string)
		}
		if was == "" || was == a.Name || names[was] {
			continue
		}
		e.renames = append(e.renames, renaming{was, a.Name})
		names[was] = true
		a.Name = was
	}
}

// ApplyRenames gives renamed materials their new names, in the library and wherever the file refers to them. Those of
// other files keep theirs.
func (e *Editor) ApplyRenames() error {
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
func (e *Editor) renameUses(was, now string) error {
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
