package gltf

import (
	"math"

	"github.com/qmuntal/gltf"

	"github.com/usher-assets/usher/convert/restore"
)

// outlineOf returns the outline of a document.
func outlineOf(doc *gltf.Document) *restore.Outline {
	o := &restore.Outline{}
	for _, n := range doc.Nodes {
		o.Nodes = append(o.Nodes, restore.OutlineNode{Name: n.Name, Parent: -1, Children: n.Children, Mesh: numberOf(n.Mesh), Camera: numberOf(n.Camera), Place: n.Translation})
	}
	for i, n := range doc.Nodes {
		for _, c := range n.Children {
			if c >= 0 && c < len(o.Nodes) {
				o.Nodes[c].Parent = i
			}
		}
	}
	for _, x := range doc.Skins {
		for _, j := range x.Joints {
			if j >= 0 && j < len(o.Nodes) {
				o.Nodes[j].Joint = true
			}
		}
	}
	for _, m := range doc.Meshes {
		o.Meshes = append(o.Meshes, outlineMesh(doc, m))
	}
	for _, m := range doc.Materials {
		o.Materials = append(o.Materials, m.Name)
	}
	for _, c := range doc.Cameras {
		o.Cameras = append(o.Cameras, c.Name)
	}
	return o
}

// numberOf returns the number that an object has, −1 for none.
func numberOf(i *int) int {
	if i == nil {
		return -1
	}
	return *i
}

func outlineMesh(doc *gltf.Document, m *gltf.Mesh) restore.OutlineMesh {
	x := restore.OutlineMesh{Name: m.Name}
	x.Min, x.Max = [3]float64{math.Inf(1), math.Inf(1), math.Inf(1)}, [3]float64{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
	for _, p := range m.Primitives {
		x.Materials = append(x.Materials, numberOf(p.Material))
		at, ok := p.Attributes[gltf.POSITION]
		if !ok || at < 0 || at >= len(doc.Accessors) {
			continue
		}
		a := doc.Accessors[at]
		if i := p.Indices; i != nil && *i >= 0 && *i < len(doc.Accessors) {
			x.Corners += doc.Accessors[*i].Count
		} else {
			x.Corners += a.Count
		}
		for k := range min(3, len(a.Min), len(a.Max)) {
			x.Min[k], x.Max[k] = min(x.Min[k], a.Min[k]), max(x.Max[k], a.Max[k])
		}
	}
	return x
}
