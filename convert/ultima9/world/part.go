package world

import (
	"slices"

	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
)

// The scene of a map holds several files: its terrain, and the objects of either kind. What is told of a file is told of
// its part.

// otherFormats lists the formats of the nodes that hold what other files of a map do.
func otherFormats(target string) (list []string) {
	fixed, nonfixed := "u9-"+ultima9.Fixed.String(), "u9-"+ultima9.Nonfixed.String()
	list = []string{TerrainName, fixed, nonfixed}
	if target == TerrainName {
		list = append(list, objectName)
	}
	return slices.DeleteFunc(list, func(f string) bool { return f == target })
}

// mapPart returns what of a scene one file of a map may hold: without the nodes of other files, what only those wear, and
// what only moves them.
func mapPart(s *asset.Scene, target string) *asset.Scene {
	formats := otherFormats(target)
	gone := map[*asset.Node]bool{}
	s.Walk(func(n, parent *asset.Node) {
		if gone[parent] || n.Native != nil && slices.Contains(formats, n.Native.Format) {
			gone[n] = true
		}
	})
	if len(gone) == 0 {
		return s
	}
	theirs, ours := map[*asset.Material]bool{}, map[*asset.Material]bool{}
	s.Walk(func(n, _ *asset.Node) {
		worn := ours
		if gone[n] {
			worn = theirs
		}
		if n.Mesh != nil {
			for _, p := range n.Mesh.Primitives {
				worn[p.Material] = true
			}
		}
	})
	part := *s
	part.Roots, part.Detached = pruned(s.Roots, gone), pruned(s.Detached, gone)
	part.Materials = slices.DeleteFunc(slices.Clone(s.Materials), func(m *asset.Material) bool { return theirs[m] && !ours[m] })
	part.Animations = nil
	for _, a := range s.Animations {
		own := *a
		own.Channels = slices.DeleteFunc(slices.Clone(a.Channels), func(c *asset.Channel) bool { return gone[c.Node] })
		if len(own.Channels) > 0 || len(a.Channels) == 0 {
			part.Animations = append(part.Animations, &own)
		}
	}
	return &part
}

// pruned returns a tree of nodes without some. What has none of those below it is not copied.
func pruned(list []*asset.Node, gone map[*asset.Node]bool) []*asset.Node {
	if !slices.ContainsFunc(list, func(n *asset.Node) bool { return holds(n, gone) }) {
		return list
	}
	out := make([]*asset.Node, 0, len(list))
	for _, n := range list {
		if gone[n] {
			continue
		}
		if holds(n, gone) {
			own := *n
			own.Children, own.LODs = pruned(n.Children, gone), pruned(n.LODs, gone)
			n = &own
		}
		out = append(out, n)
	}
	return out
}

// holds reports whether a node, or one below it, is among some.
func holds(n *asset.Node, some map[*asset.Node]bool) bool {
	has := func(c *asset.Node) bool { return holds(c, some) }
	return some[n] || slices.ContainsFunc(n.Children, has) || slices.ContainsFunc(n.LODs, has)
}
