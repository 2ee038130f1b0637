package gltf

import (
	"github.com/qmuntal/gltf"
)

// Nodes that show one mesh in several places can be one node with EXT_mesh_gpu_instancing, which draws them all at once.
// What else glTF says of them, their names and extras, rides in usher's record of that node, with the places that they had
// among their siblings.

const keyCopies = "copies"

// instance joins nodes beside each other that differ in their place alone.
func (e *encoder) instance() {
	if !e.o.Instances {
		return
	}
	if len(e.doc.Skins) > 0 {
		e.o.Diagnostics.Warnf("no-instances", "", "a scene with skins is written without instances")
		return
	}
	gone := make([]bool, len(e.doc.Nodes))
	for _, g := range e.doc.Nodes {
		g.Children = e.joinCopies(g.Children, gone)
	}
	for _, s := range e.doc.Scenes {
		s.Nodes = e.joinCopies(s.Nodes, gone)
	}
	e.renumber(gone)
}

// joinCopies returns the numbers of sibling nodes without those that become instances of others, which it marks as gone.
func (e *encoder) joinCopies(siblings []int, gone []bool) []int {
	places := map[int][]int{} // of the nodes that show a mesh, among their siblings
	for at, i := range siblings {
		if g := e.doc.Nodes[i]; e.joinable(i, g) {
			places[*g.Mesh] = append(places[*g.Mesh], at)
		}
	}
	left := make([]int, 0, len(siblings))
	var joined [][]int
	for at, i := range siblings {
		g := e.doc.Nodes[i]
		if !e.joinable(i, g) || len(places[*g.Mesh]) < 2 {
			left = append(left, i)
			continue
		}
		if all := places[*g.Mesh]; all[0] == at {
			left, joined = append(left, i), append(joined, all)
		} else {
			gone[i] = true
		}
	}
	for _, all := range joined {
		e.doc.Nodes[siblings[all[0]]] = e.instances(siblings, all)
	}
	return left
}

// joinable reports whether nothing but its place, name and extras tells a node from others with its mesh.
func (e *encoder) joinable(i int, g *gltf.Node) bool {
	return g.Mesh != nil && len(g.Children)+len(g.Extensions)+len(g.Weights) == 0 && g.Camera == nil &&
		(g.Matrix == gltf.DefaultMatrix || g.Matrix == [16]float64{}) && !(i < len(e.list) && e.moved[e.list[i]])
}

// instances makes the node that stands for those at some places among their siblings.
func (e *encoder) instances(siblings, places []int) *gltf.Node {
	first := e.doc.Nodes[siblings[places[0]]]
	joined := &gltf.Node{Name: e.doc.Meshes[*first.Mesh].Name, Mesh: first.Mesh, Rotation: gltf.DefaultRotation, Scale: gltf.DefaultScale}
	var translations, rotations, scales []float32
	copies := make([]record, len(places))
	for k, at := range places {
		g := e.doc.Nodes[siblings[at]]
		for axis := range 3 {
			translations, scales = append(translations, float32(g.Translation[axis])), append(scales, float32(g.Scale[axis]))
		}
		for axis := range 4 {
			rotations = append(rotations, float32(g.Rotation[axis]))
		}
		copies[k] = record{"name": g.Name, "at": at}
		if g.Extras != nil {
			copies[k]["extras"] = g.Extras
		}
	}
	e.extend(joined, extInstancing, record{"attributes": record{
		"TRANSLATION": e.floatAccessor(translations, 3, 0, false),
		"ROTATION":    e.floatAccessor(rotations, 4, 0, false),
		"SCALE":       e.floatAccessor(scales, 3, 0, false),
	}})
	joined.Extras = e.join("nodes", nil, record{keyAsset: record{keyCopies: copies}})
	return joined
}

// renumber takes nodes out of the document.
func (e *encoder) renumber(gone []bool) {
	numbers := make([]int, len(gone))
	nodes := e.doc.Nodes[:0]
	for i, g := range e.doc.Nodes {
		if numbers[i] = len(nodes); !gone[i] {
			nodes = append(nodes, g)
		}
	}
	clear(e.doc.Nodes[len(nodes):])
	e.doc.Nodes = nodes
	follow := func(list []int) {
		for k := range list {
			list[k] = numbers[list[k]]
		}
	}
	for _, g := range nodes {
		follow(g.Children)
		if levels, ok := g.Extensions[extLOD].(record); ok {
			follow(levels["ids"].([]int))
		}
	}
	for _, s := range e.doc.Scenes {
		follow(s.Nodes)
	}
	for _, a := range e.doc.Animations {
		for _, c := range a.Channels {
			if c.Target.Node != nil {
				c.Target.Node = gltf.Index(numbers[*c.Target.Node])
			}
		}
	}
}
