package model

import (
	"fmt"
	"maps"
	"slices"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/ultima9/look"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// SappearName and the others are the names of the Native objects of a model: the record's header on the root node, a limb's header on its node, a level
// of detail on its mesh.
const (
	SappearName = "sappear"
	limbName    = "sappear-limb"
	lodName     = "sappear-lod"
)

// liftSappear makes a scene of a mesh record: a root node, a node for each limb, and meshes with the stored numbers.
// Levels of detail hang on the node of level 0; geometry where other things attach is an invisible mesh of its own.
func liftSappear(m *ultima9.Mesh, env *format.Env) (*asset.Scene, error) {
	l := &modelLifter{mesh: m, scene: &asset.Scene{Name: env.EntryName("model")}}
	l.looks = look.NewLifter(l.scene, env)
	if err := l.lift(); err != nil {
		return nil, err
	}
	return l.scene, nil
}

type modelLifter struct {
	mesh  *ultima9.Mesh
	scene *asset.Scene
	looks *look.Lifter
	nodes []*asset.Node // of the limbs
}

func (l *modelLifter) lift() error {
	parents, err := l.mesh.Parents()
	if err != nil {
		return err
	}
	root := asset.NewNode("u9_" + l.scene.Name)
	root.Transform = RootTransform
	if root.Native, err = headerNative(l.mesh); err != nil {
		return err
	}
	scene.Call(root)
	l.scene.Roots = []*asset.Node{root}
	l.nodes = make([]*asset.Node, len(l.mesh.Limbs))
	for i := range l.nodes {
		if l.nodes[i], err = l.limb(i); err != nil {
			return err
		}
	}
	for i, p := range parents {
		parent := root
		if p >= 0 {
			parent = l.nodes[p]
		}
		parent.Children = append(parent.Children, l.nodes[i])
	}
	return nil
}

// headerNative carries the record's header and, where limbs and levels do not lie in the usual order, where they lie.
func headerNative(m *ultima9.Mesh) (*asset.Native, error) {
	head := *m
	head.Limbs, head.Gaps = nil, nil
	b, err := write.Sappear(&head)
	if err != nil {
		return nil, err
	}
	return &asset.Native{Format: SappearName, Values: headerFields(m).Values(), Payload: append(b, unusualLayout(m)...)}, nil
}

// headerFields are those of a record's header that a person may edit.
func headerFields(m *ultima9.Mesh) scene.Fields {
	return scene.Fields{"shape": &m.Shape, "thresholds": m.Thresholds[:], scene.ReadOnly: map[string]any{"limbs": len(m.Limbs), "lods": int(m.LODs)}}
}

// limb makes the node of limb i with its meshes.
func (l *modelLifter) limb(i int) (*asset.Node, error) {
	limb := &l.mesh.Limbs[i]
	n := asset.NewNode(fmt.Sprintf("limb_%d", limb.ID))
	n.Kind = asset.Bone
	n.Transform = LimbTransform(limb)
	head, err := write.SappearLimb(limb)
	if err != nil {
		return nil, err
	}
	filled := 0
	levels := make([]any, len(limb.LODs))
	for k := range limb.LODs {
		levels[k] = 0
		if !limb.LODs[k].Empty() {
			levels[k] = 1
			filled = k
		}
	}
	n.Native = &asset.Native{Format: limbName, Payload: head,
		Values: scene.ForReading(map[string]any{"index": i, "id": int(limb.ID), "parent": int(limb.Parent), "levels": levels})}
	top := n
	if filled > 0 {
		// A level of detail replaces its whole node: only a node without limbs below it may be replaced.
		top = asset.NewNode(n.Name + "_lod0")
		n.Children = append(n.Children, top)
	}
	for k := range limb.LODs {
		if limb.LODs[k].Empty() {
			continue
		}
		at := top
		if k > 0 {
			at = asset.NewNode(fmt.Sprintf("%s_lod%d", n.Name, k))
			top.LODs = append(top.LODs, at)
		}
		if at.Mesh, err = l.level(at.Name, i, k); err != nil {
			return nil, err
		}
	}
	l.mount(n, i)
	return n, nil
}

// level makes the mesh of a limb's level k.
func (l *modelLifter) level(name string, limb, k int) (*asset.Mesh, error) {
	lod := &l.mesh.Limbs[limb].LODs[k]
	payload, err := write.SappearLOD(lod)
	if err != nil {
		return nil, err
	}
	m := &asset.Mesh{Name: name, Primitives: Primitives(lod), Native: &asset.Native{Format: lodName, Payload: payload,
		Values: scene.ForReading(map[string]any{"limb": limb, "lod": k, "flags": int(lod.Flags)})}}
	i := 0
	for _, mat := range lod.Materials {
		if mat.FaceCount > 0 {
			m.Primitives[i].Material = l.looks.Material(mat)
			i++
		}
	}
	l.scene.Meshes = append(l.scene.Meshes, m)
	return m, nil
}

// mount shows the geometry of level 0 where other limbs and held things attach.
func (l *modelLifter) mount(n *asset.Node, limb int) {
	lods := l.mesh.Limbs[limb].LODs
	if len(lods) == 0 || len(lods[0].MountFaces) == 0 {
		return
	}
	at := asset.NewNode(n.Name + "_mount")
	at.Kind = asset.Mount
	at.Mesh = &asset.Mesh{Name: at.Name, Primitives: []*asset.Primitive{mountPrimitive(&lods[0])},
		Native: &asset.Native{Format: lodName, Values: scene.ForReading(map[string]any{"limb": limb, "lod": 0, "mount": 1})}}
	at.Mesh.Primitives[0].Material = l.looks.Mount()
	l.scene.Meshes = append(l.scene.Meshes, at.Mesh)
	n.Children = append(n.Children, at)
}

// Sappear holds the typed functions for one format: model.
var Sappear = format.Functions[ultima9.Mesh, *asset.Scene]{
	Read:  read.Sappear,
	Write: write.Sappear,
	Facts: sappearFacts,
	Lift:  liftSappear,
	Lower: lowerSappear,
}

func sappearFacts(m *ultima9.Mesh) []format.Fact {
	faces := make([]int, m.LODs)
	mounts := 0
	textures := map[uint16]bool{}
	for i := range m.Limbs {
		for k := range m.Limbs[i].LODs {
			l := &m.Limbs[i].LODs[k]
			faces[k] += len(l.Faces)
			mounts += len(l.MountFaces)
			for _, x := range l.Materials {
				textures[x.Texture] = true
			}
		}
	}
	delete(textures, ultima9.NoTexture)
	return []format.Fact{
		{Name: "limbs", Value: len(m.Limbs)},
		{Name: "levels of detail", Value: int(m.LODs)},
		{Name: "faces of each level", Value: faces},
		{Name: "mount faces", Value: mounts},
		{Name: "textures", Value: slices.Sorted(maps.Keys(textures))},
	}
}
