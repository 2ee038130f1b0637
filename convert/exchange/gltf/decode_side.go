package gltf

import (
	"fmt"

	"github.com/usher-assets/usher/schema/asset"
)

// readSides places what is outside the default scene: what usher put there, such as levels of detail, is part of the
// model; the rest is of other scenes, or of none. placed are the roots of the default scene, taken those that are already
// among the detached.
func (d *decoder) readSides(placed, taken map[int]bool) {
	beside := map[int]bool{}
	for i, g := range d.doc.Scenes {
		if i == d.sceneIndex() {
			continue
		}
		side := &asset.Side{Name: g.Name}
		side.Extras, _ = split(g.Extras)
		for _, k := range g.Nodes {
			path := fmt.Sprintf("scenes/%d/nodes", i)
			if err := refer(path, k, len(d.nodes)); err != nil {
				d.diag.Warnf("bad-scene", path, "%v", err)
				continue
			}
			if d.nodes[k] != nil && d.parents[k] < 0 {
				beside[k] = true
				side.Roots = append(side.Roots, d.nodes[k])
			}
		}
		d.s.Sides = append(d.s.Sides, side)
	}
	loose := &asset.Side{Loose: true}
	for k, n := range d.nodes {
		switch {
		case n == nil || d.parents[k] >= 0 || placed[k] || taken[k]:
		case d.isOurs(k):
			d.s.Detached = append(d.s.Detached, n)
		case !beside[k]:
			loose.Roots = append(loose.Roots, n)
		}
	}
	if len(loose.Roots) > 0 {
		d.s.Sides = append(d.s.Sides, loose)
	}
}

// isOurs reports whether usher put a root outside the scene, or a node below it.
func (d *decoder) isOurs(k int) bool {
	if d.own[k]["detached"] != nil || d.own[k]["lodOf"] != nil {
		return true
	}
	for _, c := range d.doc.Nodes[k].Children {
		if d.isOurs(c) {
			return true
		}
	}
	return false
}
