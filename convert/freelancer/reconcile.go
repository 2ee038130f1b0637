package freelancer

import (
	"slices"

	"github.com/usher-assets/usher/convert/freelancer/mesh"
	"github.com/usher-assets/usher/convert/freelancer/rig"
	"github.com/usher-assets/usher/convert/freelancer/space"
	"github.com/usher-assets/usher/convert/freelancer/track"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
)

// What an editor does to a scene that nobody edits is undone here, before the scene is compared.

// restoreColors gives corners the colours that they had where an editor gave them each other's.
func (e *editor) restoreColors() {
	if !scene.EditorOf(e.edited).SpoilsColors() {
		return
	}
	done := map[*asset.Mesh]bool{}
	e.scene.Walk(func(base, _ *asset.Node) {
		n := e.byID[rig.ID(base)]
		if base.Mesh == nil || n == nil || n.Mesh == nil || done[n.Mesh] {
			return
		}
		done[n.Mesh] = true
		mesh.RestoreColors(base.Mesh, n.Mesh)
	})
}

// takeRest gives animated nodes the place at rest that they had, when theirs is one that the stored animation puts them
// in: editors save what they show.
func (e *editor) takeRest() {
	if !scene.EditorOf(e.edited).SavesPose() {
		return
	}
	var all []float64 // moments of the edited animations
	for _, a := range e.edited.Animations {
		for _, c := range a.Channels {
			all = append(all, scene.Times(c)...)
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	for _, a := range e.anims {
		was, order := track.Of(a.asset)
		for _, base := range order {
			e.takeRestOf(base, base, was[base], all)
		}
	}
	if !e.hidden {
		return
	}
	for _, a := range e.edited.Animations { // the stored motion is in another file
		now, _ := track.Of(a)
		e.scene.Walk(func(base, _ *asset.Node) {
			if n := e.byID[rig.ID(base)]; now[n] != nil {
				e.takeRestOf(base, n, now[n], all)
			}
		})
	}
}

// takeRestOf is takeRest for one node, whose track moves of, at the moments of its keys and some more.
func (e *editor) takeRestOf(base, of *asset.Node, t *track.Track, moments []float64) {
	n := e.byID[rig.ID(base)]
	if n == nil || space.SameTransform(&base.Transform, &n.Transform) {
		return
	}
	for _, k := range slices.Concat(scene.Times(t.Move, t.Turn), moments) {
		x := t.Pose(of, k)
		if shown := space.Place(x.At, x.Turn.Mat4().Mat3()); space.SameTransform(&shown, &n.Transform) {
			for _, l := range base.LODs {
				e.restLevel(l, base, n)
			}
			n.Transform = base.Transform
			return
		}
	}
}

// restLevel takes a level of detail along that stands beside a node as it stood beside it before.
func (e *editor) restLevel(level, base, n *asset.Node) {
	l := e.byID[rig.ID(level)]
	if l == nil || !slices.Contains(n.LODs, l) {
		return
	}
	was, now := space.Matrix(&base.Transform), space.Matrix(&n.Transform)
	if was.Det() == 0 || now.Det() == 0 {
		return
	}
	before, after := space.Transform(was.Inv().Mul4(space.Matrix(&level.Transform))), space.Transform(now.Inv().Mul4(space.Matrix(&l.Transform)))
	if space.SameTransform(&before, &after) {
		l.Transform = level.Transform
	}
}
