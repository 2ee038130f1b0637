package check

import (
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/page"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
)

// tree is what checks want to know of a UTF file.
type tree struct {
	at         format.GameFile
	err        error               // nothing is known then
	meshes     map[uint32][]uint32 // the materials of their groups
	materials  map[uint32]*freelancer.Material
	textures   map[uint32]bool
	parts      []part
	joints     []freelancer.Joint
	hardpoints map[string]bool // in lower case
	draws      []freelancer.VMeshRef
	wears      map[string]bool // materials by name: those of planets and characters
}

// part is a part of a model. The part of a .3db has no name.
type part struct {
	name     string
	levels   int
	min, max [3]float32 // of what level 0 draws; alike where that is nothing
}

// libraries are the extensions of files that hold nothing but libraries.
var libraries = []string{".mat", ".txm", ".vms"}

// models are the extensions of models.
var models = []string{".cmp", ".3db", ".sph", ".dfm"}

func readTree(g *format.Game, at format.GameFile) *tree {
	x := &tree{at: at, meshes: map[uint32][]uint32{}, materials: map[uint32]*freelancer.Material{}, textures: map[uint32]bool{},
		hardpoints: map[string]bool{}, wears: map[string]bool{}}
	r, err := g.OpenAt(at)
	if err != nil {
		x.err = err
		return x
	}
	defer r.Close()
	t, err := read.UTFAt(r, at.Size, nil)
	if err == nil {
		err = x.take(t.Root)
	}
	x.err = err
	return x
}

// take takes what is in a tree, whose pictures stay in the file.
func (x *tree) take(root *freelancer.Node) error {
	if dir := root.Child(freelancer.TextureLibrary); dir != nil {
		for _, n := range dir.Children {
			if n.IsDir() {
				x.textures[freelancer.FLCRC(n.Name)] = true
			}
		}
	}
	rest := *root // without the pictures
	rest.Children = nil
	for _, n := range root.Children {
		if !freelancer.SameName(n.Name, freelancer.TextureLibrary) {
			rest.Children = append(rest.Children, n)
		}
	}
	if err := rest.Load(); err != nil {
		return err
	}
	materials, err := read.Materials(&rest, nil)
	if err != nil {
		return err
	}
	for _, m := range materials {
		m.Node = nil
		x.materials[freelancer.FLCRC(m.Name)] = m
	}
	x.takeMeshes(rest.Child(freelancer.MeshLibrary))
	x.takeWorn(&rest)
	return x.takeParts(&rest)
}

// takeMeshes takes the materials of meshes. One that cannot be read has none: "verify" tells of it.
func (x *tree) takeMeshes(dir *freelancer.Node) {
	if dir == nil {
		return
	}
	for _, n := range dir.Children {
		leaf := n.Child("VMeshData")
		if leaf == nil || len(leaf.Data) == 0 {
			continue
		}
		x.meshes[freelancer.FLCRC(n.Name)] = page.MaterialsOf(leaf.Data)
	}
}

// takeWorn takes the materials that planets and characters wear by name.
func (x *tree) takeWorn(root *freelancer.Node) {
	root.Walk(func(_ string, n *freelancer.Node) bool {
		_, side := freelancer.NumberOf(n.Name, "M")
		if !n.IsDir() && (side || freelancer.SameName(n.Name, "Material_name")) {
			if t, err := read.Text(n.Data, nil); err == nil && t.Value != "" {
				x.wears[t.Value] = true
			}
		}
		return true
	})
}

func (x *tree) takeParts(root *freelancer.Node) error {
	compound, err := read.Compound(root, nil)
	if err != nil {
		return err
	}
	if compound == nil {
		return x.takePart("", root)
	}
	x.joints = compound.Joints
	for _, p := range compound.Parts {
		if err := x.takePart(p.Object, root.Child(p.File)); err != nil {
			return err
		}
	}
	return nil
}

// takePart takes the part that a directory holds, of which there may be none.
func (x *tree) takePart(name string, dir *freelancer.Node) error {
	p := part{name: name}
	defer func() { x.parts = append(x.parts, p) }()
	list, err := read.Hardpoints(dir)
	if err != nil {
		return err
	}
	for _, h := range list {
		x.hardpoints[strings.ToLower(h.Name)] = true
	}
	levels := []*freelancer.Node{dir}
	if dir.Child("VMeshPart") == nil {
		levels = nil
	}
	multi, err := read.MultiLevel(dir.Child("MultiLevel"))
	if err != nil {
		return err
	}
	for _, l := range multi.Levels {
		levels = append(levels, l.Node)
	}
	for i, l := range levels {
		leaf := l.Child("VMeshPart").Child("VMeshRef")
		if leaf == nil || len(leaf.Data) == 0 {
			continue
		}
		ref, err := read.VMeshRef(leaf.Data, nil)
		if err != nil {
			return err
		}
		if ref.Empty() {
			continue
		}
		x.draws = append(x.draws, *ref)
		p.levels = i + 1
		if i == 0 {
			p.min, p.max = ref.Min, ref.Max
		}
	}
	return nil
}
