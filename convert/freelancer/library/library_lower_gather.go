package library

import (
	"bytes"
	"encoding/binary"
	"maps"

	"github.com/usher-assets/usher/convert/freelancer/mesh"
	"github.com/usher-assets/usher/convert/freelancer/rig"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
)

// libraryCounts are the leaves in which libraries tell how much they hold.
var libraryCounts = map[string]string{freelancer.MaterialLibrary: "Material count", freelancer.TextureLibrary: "Texture count"}

// Gather copies materials that lie in other files into a tree. It returns those whose files are not at hand, as the scene shows them.
func (e *Editor) Gather(t *freelancer.Tree, used []*asset.Material) (missing []*asset.Material) {
	for _, a := range used {
		switch l := e.materials[mesh.MaterialCRC(a)]; {
		case l == nil || l.m == nil || l.m.Node == nil:
			missing = append(missing, shownMaterial(a))
		case !l.own:
			e.copyMaterial(t, l)
		}
	}
	return missing
}

// copyMaterial copies a material of another file, with its textures.
func (e *Editor) copyMaterial(t *freelancer.Tree, l *material) {
	put := func(library string, n *freelancer.Node) {
		dir := t.Root.Dir(library)
		if n != nil && dir.Child(n.Name) == nil {
			Copy(dir.Add(freelancer.NewDir(n.Name)), n)
		}
	}
	put(freelancer.MaterialLibrary, l.m.Node)
	for _, p := range l.m.Properties {
		if p.Kind == freelancer.TextProperty && !freelancer.SameName(p.Name, "Type") {
			if x := e.texture(freelancer.FLCRC(p.Text)); x != nil && x.t != nil {
				put(freelancer.TextureLibrary, x.t.Node)
			}
		}
	}
}

// shownMaterial returns a material as the scene shows it, for one whose file is not at hand.
func shownMaterial(a *asset.Material) *asset.Material {
	own := *a
	texture := func(r *asset.TextureRef) *asset.TextureRef {
		if r == nil || r.Texture == nil {
			return r
		}
		ref, t := *r, *r.Texture
		t.Name = textureName(r.Texture)
		t.Native = rig.Native(map[string]any{"name": t.Name, "own": float64(1)}) // but not stored yet
		ref.Texture = &t
		return &ref
	}
	own.BaseColorTexture, own.EmissiveTexture = texture(a.BaseColorTexture), texture(a.EmissiveTexture)
	own.Native = nil
	if was := rig.Values(a.Native); was != nil {
		if name, ok := was["name"].(string); ok && name != "" {
			own.Name = name
		}
		values := maps.Clone(was)
		delete(values, "name")
		values["own"] = float64(1)
		own.Native = rig.Native(values)
	}
	return &own
}

// Move moves the materials and textures of a tree into another one.
func Move(to, from *freelancer.Tree, d *schema.Diagnostics) {
	for _, kind := range [...]string{freelancer.MaterialLibrary, freelancer.TextureLibrary} {
		if library := from.Root.Child(kind); library != nil {
			Merge(to, kind, library, d)
			from.Root.Remove(library)
		}
	}
	SetCounts(to)
}

// Merge adds what a library holds to that of a tree. Of two things of one name the first counts.
func Merge(to *freelancer.Tree, kind string, from *freelancer.Node, d *schema.Diagnostics) {
	if from == nil {
		return
	}
	for _, n := range from.Children {
		if !n.IsDir() {
			continue
		}
		dir := to.Root.Dir(kind)
		have := dir.Child(n.Name)
		if have == nil {
			Copy(dir.Add(freelancer.NewDir(n.Name)), n)
		} else if !sameContent(have, n) {
			d.Warnf("library-clash", n.Name, "two files have another one of that name: the first counts")
		}
	}
}

func sameContent(a, b *freelancer.Node) bool {
	if len(a.Children) != len(b.Children) || a.IsDir() != b.IsDir() || !bytes.Equal(a.Data, b.Data) {
		return false
	}
	for _, c := range a.Children {
		other := b.Child(c.Name)
		if other == nil || !sameContent(c, other) {
			return false
		}
	}
	return true
}

// SetCounts makes libraries of materials tell how many there are, and those of textures that do.
func SetCounts(t *freelancer.Tree) {
	for kind, leaf := range libraryCounts {
		library := t.Root.Child(kind)
		if library == nil || library.Child(leaf) == nil && kind != freelancer.MaterialLibrary {
			continue
		}
		n := uint32(0)
		for _, c := range library.Children {
			if c.IsDir() {
				n++
			}
		}
		library.Set(leaf, binary.LittleEndian.AppendUint32(nil, n))
	}
}

// Copy copies what is below a directory, without its place in the file.
func Copy(to, from *freelancer.Node) {
	for _, c := range from.Children {
		if c.IsDir() {
			Copy(to.Add(freelancer.NewDir(c.Name)), c)
		} else {
			to.Add(freelancer.NewLeaf(c.Name, c.Data))
		}
	}
}
