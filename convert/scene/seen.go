package scene

import (
	"github.com/usher-assets/usher/schema/asset"
)

// Show is a set of the parts of a model to show besides its best level of detail.
type Show uint8

// What can be shown.
const (
	ShowLevels     Show = 1 << iota // lower levels of detail
	ShowWires                       // lines that games draw in place of the model
	ShowHulls                       // collision surfaces
	ShowMounts                      // surfaces to which other things attach
	ShowHardpoints                  // points to which other things attach
	ShowAll        = ShowLevels | ShowWires | ShowHulls | ShowMounts | ShowHardpoints
)

// Kind reports whether nodes of a kind are shown.
func (s Show) Kind(k asset.NodeKind) bool {
	switch k {
	case asset.Wire:
		return s&ShowWires != 0
	case asset.Hull:
		return s&ShowHulls != 0
	case asset.Mount:
		return s&ShowMounts != 0
	case asset.Hardpoint:
		return s&ShowHardpoints != 0
	}
	return true
}

// deepest is how deep nodes are followed: no asset comes near, and a scene that refers to itself ends there.
const deepest = 1 << 12

// Seen returns the nodes whose meshes a picture of a scene contains, parents first: the best level of detail as a player
// sees it, and what show adds. If a scene has only hulls, wires or mounts, these are returned.
func Seen(s *asset.Scene, show Show) []*asset.Node {
	list := meshNodes(s, show)
	if len(list) == 0 {
		list = meshNodes(s, show|ShowAll&^ShowLevels)
	}
	return list
}

func meshNodes(s *asset.Scene, show Show) (list []*asset.Node) {
	met := map[*asset.Node]bool{}
	var walk func(n *asset.Node, depth int)
	walk = func(n *asset.Node, depth int) {
		if n == nil || met[n] || n.Hidden || depth > deepest {
			return
		}
		met[n] = true
		if n.Mesh != nil && show.Kind(n.Kind) {
			list = append(list, n)
		}
		for _, c := range n.Children {
			walk(c, depth+1)
		}
		if show&ShowLevels == 0 {
			return
		}
		for _, l := range n.LODs {
			walk(l, depth+1)
		}
	}
	for _, n := range s.Roots {
		walk(n, 0)
	}
	return list
}

// Count returns the numbers of triangles and vertices in the meshes of nodes. Vertices shared by several primitives count
// once. A mesh that several nodes show counts for each of them, as for a graphics card.
func Count(nodes []*asset.Node) (triangles, vertices int, err error) {
	seen := map[*[3]float32]bool{}
	for _, n := range nodes {
		clear(seen)
		for _, p := range n.Mesh.Primitives {
			loaded := p.Load != nil // such data are not shared, and not to be held
			p, err := p.Whole()
			if err != nil {
				return triangles, vertices, err
			}
			if len(p.Positions) > 0 && (loaded || !seen[&p.Positions[0]]) {
				seen[&p.Positions[0]] = !loaded
				vertices += len(p.Positions)
			}
			switch {
			case p.Mode != asset.Triangles:
			case p.Indices != nil:
				triangles += len(p.Indices) / 3
			default:
				triangles += len(p.Positions) / 3
			}
		}
	}
	return triangles, vertices, nil
}
