package ultima9

import (
	"slices"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
)

// tellOfStage names the first node above the limbs of a clip of ours that an editor moved, turned or scaled.
func tellOfStage(s *asset.Scene, a *asset.Animation, d *schema.Diagnostics) {
	if a.Native == nil || a.Native.Format != animName {
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
			usual = &rootTransform
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

// rests tells whether the node of a part stands at rest where liftAnim puts it: in its first frame, or in any where the
// editor saves what it shows.
func (l *animLowerer) rests(p *ultima9.AnimPart, n *asset.Node) bool {
	frames := p.Frames[:1]
	if scene.EditorOf(l.scene).SavesPose() {
		frames = p.Frames
	}
	return slices.ContainsFunc(frames, func(f ultima9.AnimFrame) bool {
		t := asset.Identity
		t.Rotation, t.Translation = frameRotation(&f), cleanPosition(f.Position)
		return scene.SameTransform(&t, &n.Transform, l.size())
	})
}

// tellRest names a limb that an editor put elsewhere at rest than it was, and than it is when it begins to move.
func (l *animLowerer) tellRest(p *ultima9.AnimPart, n *asset.Node, was bool) {
	if !was && !l.rests(p, n) {
		diagnostics(l.env).Lossf("rest-pose", n.Name, "a clip does not hold where limbs are at rest: that is left out, its frames decide")
	}
}
