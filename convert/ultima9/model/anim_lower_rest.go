package model

import (
	"maps"
	"slices"

	"github.com/usher-assets/usher/convert/restore"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"

	read "github.com/usher-assets/usher/read/ultima9"
)

// moved returns the limbs that stand at rest where neither their model nor the clip has them.
func (l *animLowerer) moved(a *ultima9.Anim, nodes map[int]*asset.Node) map[int]bool {
	parts := map[int]*ultima9.AnimPart{} // of several with one id the first is shown
	for i := range a.Parts {
		if p := &a.Parts[i]; parts[int(p.ID)] == nil {
			parts[int(p.ID)] = p
		}
	}
	bare := true
	l.scene.Walk(func(n, _ *asset.Node) { bare = bare && n.Mesh == nil })
	list := map[int]bool{}
	for id, n := range nodes {
		if _, known := modelRest(n); !known && (!bare || parts[id] == nil) {
			continue // nothing tells where it was
		}
		if !l.rests(parts[id], n) {
			list[id] = true
		}
	}
	return list
}

// rests reports whether a limb stands at rest where liftAnim puts it: in its model, or else in its first frame; in any frame
// where the editor saves what it shows. p is nil for a limb that the clip does not move.
func (l *animLowerer) rests(p *ultima9.AnimPart, n *asset.Node) bool {
	usual, known := modelRest(n)
	same := func(t asset.Transform) bool { return scene.SameTransform(&t, &n.Transform, l.size()) }
	switch {
	case (known || len(p.Frames) == 0) && same(usual):
		return true
	case p == nil || len(p.Frames) == 0:
		return false
	}
	frames := p.Frames[:1]
	if restore.Does(l.scene, restore.SavesPose) {
		frames = p.Frames
	}
	return slices.ContainsFunc(frames, func(f ultima9.AnimFrame) bool {
		t := usual
		t.Rotation = frameRotation(&f)
		if !known || p.Moves() {
			t.Translation = cleanPosition(f.Position)
		}
		return same(t)
	})
}

// modelRest returns where the model of a limb has it; known is false where the node is of no model, and stands at its
// parent.
func modelRest(n *asset.Node) (t asset.Transform, known bool) {
	if n.Native == nil || n.Native.Format != limbName {
		return asset.Identity, false
	}
	limb, err := read.SappearLimb(n.Native.Payload, nil)
	if err != nil {
		return asset.Identity, false
	}
	return LimbTransform(limb), true
}

// tellRest names the limbs that an editor put elsewhere at rest than they were, and than they are when they begin to move.
func (l *animLowerer) tellRest(a *ultima9.Anim, nodes map[int]*asset.Node, moved map[int]bool) {
	still := l.moved(a, nodes)
	for _, id := range slices.Sorted(maps.Keys(moved)) {
		if still[id] {
			l.env.Told().Lossf("rest-pose", nodes[id].Name, "a clip does not hold where limbs are at rest: that is left out, its frames decide")
		}
	}
}
