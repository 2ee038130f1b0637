package model

import (
	"fmt"

	"github.com/usher-assets/usher/convert/restore"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
)

// tellOfStage names the first node above the limbs of a clip of ours that an editor moved, turned or scaled.
func tellOfStage(s *asset.Scene, a *asset.Animation, d *schema.Diagnostics) {
	if a.Native == nil || a.Native.Format != AnimName {
		return
	}
	limbs := map[*asset.Node]bool{}
	for _, n := range limbNodes(s) {
		limbs[n] = true
	}
	var look func(n *asset.Node) (above bool)
	look = func(n *asset.Node) (above bool) {
		if limbs[n] {
			return true
		}
		for _, c := range n.Children {
			above = look(c) || above
		}
		usual := &asset.Identity
		if isRoot(n) {
			usual = &RootTransform
		}
		if above && !d.Has(stageMoved) && !scene.SameTransform(usual, &n.Transform, 1) {
			d.Lossf(stageMoved, n.Name, "the node above the limbs was moved, turned or scaled, which is left out: a clip holds the motion of limbs only")
		}
		return above
	}
	for _, n := range s.Roots {
		look(n)
	}
}

// stageMoved is the code of what tellOfStage tells.
const stageMoved = "stage-moved"

// tellMissing names limbs of a clip whose nodes were deleted.
func (l *animLowerer) tellMissing(a *ultima9.Anim, nodes map[int]*asset.Node) {
	if len(nodes) == 0 || restore.Does(l.scene, restore.DropsUnused) {
		return
	}
	var gone scene.Tally
	seen := map[int32]bool{}
	for i := range a.Parts {
		if id := a.Parts[i].ID; !seen[id] && nodes[int(id)] == nil && l.tracks[int(id)] == nil {
			seen[id] = true
			gone.Add(fmt.Sprintf("limb_%d", id))
		}
	}
	gone.Tell(l.env.Told(), "limb-gone", "", "the node of limb", "nodes of limbs", "is not in the scene any more: the clip keeps its track")
}
