package library

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/mesh"
	"github.com/usher-assets/usher/convert/freelancer/rig"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	write "github.com/usher-assets/usher/write/freelancer"
)

// meshUses counts what refers to each mesh, by the hash of its name: levels and wireframes, wherever in the file they
// stand.
func meshUses(root *freelancer.Node) map[uint32]int {
	n := map[uint32]int{}
	root.Walk(func(_ string, x *freelancer.Node) bool {
		if len(x.Data) >= 8 && (freelancer.SameName(x.Name, "VMeshRef") || freelancer.SameName(x.Name, "VWireData")) {
			n[binary.LittleEndian.Uint32(x.Data[4:])]++
		}
		return true
	})
	return n
}

// Editor edits the libraries of a file, and the references to them.
type Editor struct {
	*Library
	tree      *freelancer.Tree
	env       *format.Env
	told      *schema.Diagnostics
	format    string // of the file
	stem      string // what new meshes are called after
	uses      map[uint32]int
	drawn     map[uint32]map[int]bool // groups of the meshes, before the edit
	renames   []renaming              // of materials
	repointed []repointing
	took      map[string]bool    // names of materials and textures of other files that were edited, and are in this one now
	room      scene.Capabilities // for looks
	unheld    scene.Unheld
}

// Edit returns an editor for the libraries of a tree. format is the format of the file.
func Edit(l *Library, name, stem string, t *freelancer.Tree, env *format.Env) *Editor {
	return &Editor{
		Library: l, tree: t, env: env, told: env.Diagnostics, format: name, stem: stem,
		room: scene.Capabilities{Target: "a ." + name + " file", Looks: Looks},
		took: map[string]bool{}, uses: meshUses(t.Root), drawn: mesh.DrawnGroups(mesh.UsersOf(t.Root)),
	}
}

// DropMeshes removes meshes that were referred to in this file before the edit and are no longer. It keeps meshes without
// references from the beginning, which are there for other files.
func (e *Editor) DropMeshes() {
	lib := e.tree.Root.Child(freelancer.MeshLibrary)
	if lib == nil {
		return
	}
	now := meshUses(e.tree.Root)
	var names []string
	for _, n := range slices.Clone(lib.Children) {
		if crc := freelancer.FLCRC(n.Name); e.uses[crc] > 0 && now[crc] == 0 {
			lib.Remove(n)
			names = append(names, n.Name)
		}
	}
	if len(names) > 0 {
		e.told.Notef("meshes-removed", freelancer.MeshLibrary, "nothing in the file refers to these any more, so they are taken out: %s", strings.Join(names, ", "))
	}
}

// CompactMeshes removes groups that were drawn before the edit and are no longer, with the vertices that nothing else uses.
// A part that was stored anew leaves such a share in a common mesh.
func (e *Editor) CompactMeshes() error {
	users := mesh.UsersOf(e.tree.Root)
	now := mesh.DrawnGroups(users)
	for _, crc := range slices.Sorted(maps.Keys(e.drawn)) {
		lm := e.meshes[crc]
		if lm == nil || !lm.Own || lm.Replaced {
			continue
		}
		next, left, err := mesh.Compacted(lm.VMesh, lm.Leaf, users[crc], now[crc], e.drawn[crc])
		if err != nil {
			return err
		}
		if next != nil {
			lm.VMesh = next
			e.told.Notef("groups-removed", lm.Name, "%d groups that nothing draws any more are taken out of it", left)
		}
	}
	return nil
}

// Store adds a mesh to the library, and makes the VMeshRef of a directory draw all of it.
func (e *Editor) Store(dir *freelancer.Node, was *Mesh, name string, v *freelancer.VMesh) error {
	full, err := e.AddMesh(was, name, v)
	if err != nil {
		return err
	}
	r, err := mesh.Reference(full, v)
	if err != nil {
		return schema.Errorf(e.format, schema.ErrMismatch, name, "%v", err)
	}
	b, err := write.VMeshRef(r)
	if err != nil {
		return err
	}
	dir.Dir("VMeshPart").Set("VMeshRef", b)
	return nil
}

// HasOnly reports whether a mesh is in this file, and at most the given number of levels and wireframes refer to it.
func (e *Editor) HasOnly(users int, lm *Mesh) bool {
	return lm != nil && lm.Own && e.uses[freelancer.FLCRC(lm.Name)] == users
}

// AddMesh adds a mesh to the library and returns its name. It replaces another mesh, or, if that is nil, gets a name whose
// hash is not used in the file.
func (e *Editor) AddMesh(was *Mesh, name string, v *freelancer.VMesh) (string, error) {
	b, err := write.VMesh(v)
	if err != nil {
		return "", err
	}
	if was != nil {
		was.VMesh, was.Leaf.Data, was.Replaced = v, b, true
		return was.Name, nil
	}
	lib := e.tree.Root.Child(freelancer.MeshLibrary)
	if lib == nil {
		lib = freelancer.NewDir(freelancer.MeshLibrary)
		e.tree.Root.Children = slices.Insert(e.tree.Root.Children, min(1, len(e.tree.Root.Children)), lib)
	}
	full := e.freeMeshName(name, v.FVF)
	dir, leaf := freelancer.NewDir(full), freelancer.NewLeaf("VMeshData", b)
	dir.Add(leaf)
	lib.Add(dir)
	e.meshes[freelancer.FLCRC(full)] = &Mesh{Name: full, VMesh: v, Dir: dir, Leaf: leaf, Own: true}
	return full, nil
}

// freeMeshName returns a name of the usual form (reference section 5.1) that is free: file, name and vertex format. One
// that has the ending already is taken as it is.
func (e *Editor) freeMeshName(name string, fvf freelancer.FVF) string {
	const ending = ".vms"
	tail := fmt.Sprintf("-%x%s", uint16(fvf), ending)
	if i := len(name) - len(ending); i >= 0 && strings.EqualFold(name[i:], ending) {
		name, tail = name[:i], name[i:]
	} else {
		name = e.stem + "." + name
	}
	full := name + tail
	for k := 2; e.meshes[freelancer.FLCRC(full)] != nil; k++ {
		full = fmt.Sprintf("%s.%d%s", name, k, tail)
	}
	return full
}

// RenameMesh renames a mesh in the file, unless the name is taken or the game would not accept it.
func (e *Editor) RenameMesh(lm *Mesh, name string) bool {
	crc := freelancer.FLCRC(name)
	if text, ok := schema.EncodeWindows1252(name); !ok || len(text) > freelancer.MaxName || strings.Contains(name, "\x00") || e.meshes[crc] != nil {
		return false
	}
	e.meshes[crc], lm.Dir.Name = lm, name
	return true
}

// libraryCounts are the leaves in which libraries tell how much they hold.
var libraryCounts = map[string]string{freelancer.MaterialLibrary: "Material count", freelancer.TextureLibrary: "Texture count"}

// Gather copies materials of other files into a tree. Materials whose files are missing are returned as the scene shows
// them.
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
	var picture func(name string)
	picture = func(name string) {
		if x := e.texture(freelancer.FLCRC(name)); x != nil {
			put(freelancer.TextureLibrary, x.t.Node)
			for _, frame := range framesOf(x.t) {
				picture(frame)
			}
		}
	}
	put(freelancer.MaterialLibrary, l.m.Node)
	for _, name := range texturesNamed(l.m) {
		picture(name)
	}
}

// shownMaterial returns a material whose file is missing as the scene shows it.
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

// Move moves the materials and textures of a tree to another tree.
func Move(to, from *freelancer.Tree, d *schema.Diagnostics) {
	for _, kind := range [...]string{freelancer.MaterialLibrary, freelancer.TextureLibrary} {
		if library := from.Root.Child(kind); library != nil {
			Merge(to, kind, library, d)
			from.Root.Remove(library)
		}
	}
	SetCounts(to)
}

// Merge adds the contents of a library to that of a tree. If both have the same name, the tree's stays.
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

// Replace stores the contents of a library in that of a tree, and replaces what has the same name there. It leaves out what
// another library has unchanged.
func Replace(to *freelancer.Tree, kind string, from, was *freelancer.Node) {
	if from == nil {
		return
	}
	for _, n := range from.Children {
		if !n.IsDir() || was != nil && was.Child(n.Name) != nil && sameContent(was.Child(n.Name), n) {
			continue
		}
		dir := to.Root.Dir(kind)
		have := dir.Child(n.Name)
		if have == nil {
			have = dir.Add(freelancer.NewDir(n.Name))
		} else if sameContent(have, n) {
			continue
		}
		have.Children = nil
		Copy(have, n)
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

// SetCounts sets the stored counts of material libraries, and of texture libraries that have one.
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

// Copy returns a copy of a directory with everything below it, without places in the file.
func Copy(to, from *freelancer.Node) {
	for _, c := range from.Children {
		if c.IsDir() {
			Copy(to.Add(freelancer.NewDir(c.Name)), c)
		} else {
			to.Add(freelancer.NewLeaf(c.Name, c.Data))
		}
	}
}
