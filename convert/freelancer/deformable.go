package freelancer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/freelancer/mesh"
	"github.com/usher-assets/usher/convert/freelancer/rig"
	"github.com/usher-assets/usher/convert/freelancer/space"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
)

// deformable is a skin and the nodes that it was lifted to.
type deformable struct {
	x      *freelancer.Deformable
	levels []*asset.Node // by level
	skin   *asset.Skin
	bones  []*freelancer.Bone // of the joints of the skin
}

// liftDeformable makes the skinned meshes of a .dfm file, one a level of detail.
func (m *model) liftDeformable() error {
	x, err := read.Deformable(m.tree.Root, m.d)
	if err != nil || x == nil {
		return err
	}
	f := &deformable{x: x, skin: &asset.Skin{Name: m.scene.Name}}
	m.deformable = f
	m.scene.Skins = append(m.scene.Skins, f.skin)
	byFile := map[string]*part{}
	for _, p := range m.parts {
		if p.def != nil {
			byFile[strings.ToLower(p.def.File)] = p
		}
	}
	for _, b := range x.Bones {
		p := byFile[strings.ToLower(b.Name)]
		var n *asset.Node
		if p != nil {
			n = p.node
		} else { // a bone that no part refers to keeps its number, and stands where it was bound
			n = asset.NewNode(strings.TrimSuffix(b.Name, ".3db"))
			n.Transform = space.Transform(bind(b))
			m.id(n, "bone:"+b.Name)
			m.scene.Roots = append(m.scene.Roots, n)
		}
		n.Kind = asset.Bone
		f.skin.Joints = append(f.skin.Joints, n)
		f.skin.InverseBind = append(f.skin.InverseBind, inverseBind(b))
	}
	f.bones = slices.Clone(x.Bones)
	m.restPose(f)
	for i, level := range x.Meshes {
		name := m.scene.Name
		if name == "" {
			name = "skin"
		}
		if i > 0 {
			name += fmt.Sprintf("$lod%d", i)
		}
		n := asset.NewNode(name)
		m.id(n, fmt.Sprintf("skin:%d", i))
		n.Mesh, n.Skin = mesh.Skin(name, level, func(i int) *asset.Material { return m.lib.Named(level.Groups[i].Material) }), f.skin
		m.scene.Meshes = append(m.scene.Meshes, n.Mesh)
		if i == 0 {
			m.scene.Roots = append(m.scene.Roots, n)
		} else {
			f.levels[0].LODs = append(f.levels[0].LODs, n)
		}
		f.levels = append(f.levels, n)
	}
	if list := rig.Finite(x.Fractions); list != nil && len(f.levels) > 0 {
		scene.SetShown(f.levels[0].Native, "fractions", list)
	}
	if len(f.levels) > 0 && x.Skeleton != "" {
		scene.SetShown(f.levels[0].Native, "skeleton", x.Skeleton)
	}
	return nil
}

// inverseBind returns what "Bone to root" holds as a matrix.
func inverseBind(b *freelancer.Bone) (m [16]float32) {
	for col := range 3 {
		for row := range 3 {
			m[4*col+row] = b.RootToBone[3*row+col]
		}
		m[12+col] = b.RootToBone[9+col]
	}
	m[15] = 1
	return m
}

// bind returns where a bone was bound.
func bind(b *freelancer.Bone) mgl64.Mat4 { return scene.WideMatrix(inverseBind(b)).Inv() }

// restPose puts the bones where they were bound, unless the joints do so already: those of bodies are made for the
// animations and stand otherwise (reference section 9).
func (m *model) restPose(f *deformable) {
	bound := map[*asset.Node]mgl64.Mat4{}
	for i, b := range f.x.Bones {
		if at := space.Rigid(bind(b)); space.Near(at, at) { // joints do not scale, and no place at all is none to stand in
			bound[f.skin.Joints[i]] = at
		}
	}
	world, parents := map[*asset.Node]mgl64.Mat4{}, scene.Parents(m.scene)
	same := true
	for _, p := range m.parts {
		w := space.World(p.node, parents)
		world[p.node] = w
		if b, ok := bound[p.node]; ok && !space.Near(w, b) {
			same = false
		}
	}
	if same {
		return
	}
	for _, p := range m.parts {
		if b, ok := bound[p.node]; ok {
			world[p.node] = b
		}
	}
	for _, p := range m.parts {
		w := world[p.node]
		if p.parent != nil {
			w = world[p.parent.node].Inv().Mul4(w)
		}
		if t := space.Transform(w); !space.SameTransform(&p.node.Transform, &t) {
			p.node.Transform, p.posed = t, p.joint != nil
		}
	}
}
