package restore

import (
	"slices"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
)

// TakeLevels turns nodes into levels of detail if they stand below a part and have its name with a number, such as
// "hull$lod2" below "hull": usher writes levels in this form. They follow the levels that the part already has.
func TakeLevels(s *asset.Scene) {
	s.Walk(func(n, _ *asset.Node) {
		var added []*asset.Node
		for _, c := range n.Children {
			if of, _, ok := scene.LevelName(c.Name); ok && of == n.Name && c.Mesh != nil {
				added = append(added, c)
			}
		}
		if len(added) == 0 {
			return
		}
		n.Children = slices.DeleteFunc(n.Children, func(c *asset.Node) bool { return slices.Contains(added, c) })
		slices.SortStableFunc(added, func(a, b *asset.Node) int {
			_, i, _ := scene.LevelName(a.Name)
			_, j, _ := scene.LevelName(b.Name)
			return i - j
		})
		for _, c := range added { // levels stand beside their part
			c.Transform = scene.TransformOf(scene.Matrix(&n.Transform).Mul4(scene.Matrix(&c.Transform)))
		}
		n.LODs = append(n.LODs, added...)
	})
}
