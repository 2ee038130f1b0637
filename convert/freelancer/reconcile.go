package freelancer

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/freelancer/mesh"
	"github.com/usher-assets/usher/convert/freelancer/rig"
	"github.com/usher-assets/usher/convert/freelancer/space"
	"github.com/usher-assets/usher/convert/freelancer/track"
	"github.com/usher-assets/usher/convert/restore"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
)

// What an editor does to a scene that nobody edits is undone here, before the scene is compared.

// dropFillers takes sets of texture coordinates and colours out of primitives that had none, where they say nothing: editors
// give all primitives of a mesh what one of them has.
func (e *editor) dropFillers() { e.eachMesh(mesh.DropFillers) }

// restoreColors gives corners the colours that they had where an editor gave them each other's.
func (e *editor) restoreColors() {
	if restore.Does(e.edited, restore.SpoilsColors) {
		e.eachMesh(mesh.RestoreColors)
	}
}

// restoreNormals gives corners the normals that they had where Blender wrote none.
func (e *editor) restoreNormals() {
	if !restore.Does(e.edited, restore.LosesNormals) {
		return
	}
	count := 0
	e.eachMesh(func(base, edited *asset.Mesh) { count += mesh.RestoreNormals(base, edited) })
	if count > 0 {
		e.d.Notef("normals-restored", "", "%d corners point up, as Blender has it where it loses a normal, and their triangles do not: they keep the normals that they had", count)
	}
}

// eachMesh calls f for each edited mesh once, with the one that its node had.
func (e *editor) eachMesh(f func(base, edited *asset.Mesh)) {
	done := map[*asset.Mesh]bool{}
	e.scene.Walk(func(base, _ *asset.Node) {
		n := e.byID[rig.ID(base)]
		if base.Mesh == nil || n == nil || n.Mesh == nil || done[n.Mesh] {
			return
		}
		done[n.Mesh] = true
		f(base.Mesh, n.Mesh)
	})
}

// restoreBones gives the bones of a character the places and the bind matrices that they had, where they are the same but for
// rounding. Editors hold bones in the space of the whole skeleton, so that it is there that they compare: along a chain of
// bones rounding adds up.
func (e *editor) restoreBones() {
	if e.format != "dfm" {
		return
	}
	size := min(scene.Size(e.scene), scene.Size(e.edited)) // what is made smaller is looked at as closely
	within := e.skeletonPlaces()
	e.scene.Walk(func(base, parent *asset.Node) {
		n := e.byID[rig.ID(base)]
		if n == nil || parent != nil && (e.byID[rig.ID(parent)] == nil || e.byID[rig.ID(parent)] != e.parentOf[n]) {
			return
		}
		same := samePose(within[base], within[n], size)
		if parent != nil {
			same = same && samePose(within[parent], within[e.parentOf[n]], size)
		}
		if same {
			n.Transform = base.Transform
		}
	})
	for _, was := range e.scene.Skins {
		for i, joint := range was.Joints {
			for _, s := range e.edited.Skins {
				k := slices.Index(s.Joints, e.byID[rig.ID(joint)])
				if k >= 0 && k < len(s.InverseBind) && samePose(scene.InverseBind(was, i), scene.InverseBind(s, k), size) {
					s.InverseBind[k] = was.InverseBind[i]
				}
			}
		}
	}
}

// restorePlaces gives nodes the places that they had on what they hang on, where these are the same but for rounding, which grows
// with the size of the model: editors compute them of places in the world.
func (e *editor) restorePlaces() {
	e.scene.Walk(func(base, parent *asset.Node) {
		n := e.byID[rig.ID(base)]
		if n == nil || e.parentOf[n] != nil && (parent == nil || e.parentOf[n] != e.byID[rig.ID(parent)]) {
			return
		}
		was := space.Matrix(&base.Transform)
		if space.Near(was, was) && scene.SameTransform(&base.Transform, &n.Transform, e.size) { // it stood somewhere
			n.Transform = base.Transform
		}
	})
}

// skeletonPlaces returns where the nodes of both scenes are, leaving out what an editor put above the model.
func (e *editor) skeletonPlaces() map[*asset.Node]mgl64.Mat4 {
	places, ours := map[*asset.Node]mgl64.Mat4{}, map[*asset.Node]bool{}
	e.scene.Walk(func(n, parent *asset.Node) {
		ours[n], ours[e.byID[rig.ID(n)]] = true, true
	})
	place := func(n, parent *asset.Node) {
		above := mgl64.Ident4()
		if ours[parent] {
			above = places[parent]
		}
		places[n] = above.Mul4(space.Matrix(&n.Transform))
	}
	e.scene.Walk(place)
	e.edited.Walk(place)
	return places
}

// boneRounding is by how much Blender rounds the axes of a bone, and its place in the space of another one as a part of the size.
// It holds a bone as a direction and a turn about that, and near −Y, where 1+y ≤ θ = 6.1e-3, it makes the axes of the two other
// numbers by a series that is cut off behind the square: the next term, (2θ)³/16, is 1.9e-5 of θ, and twice that of an axis.
const boneRounding = 4e-5

// poseRounding is the same for the axes of a bone that is not at rest: the error of the bone above adds up with its own, since
// it stays in the space of that while both turn.
const poseRounding = 2 * boneRounding

// samePose compares places in a skeleton up to what an editor leaves of them.
func samePose(a, b mgl64.Mat4, size float64) bool {
	for k := range 12 {
		if !(math.Abs(a[k]-b[k]) <= poseRounding) {
			return false
		}
	}
	return a.Col(3).Sub(b.Col(3)).Len() <= boneRounding*size
}

// takeRest gives animated nodes the place at rest that they had, when theirs is one that the stored animation puts them
// in: editors save what they show.
func (e *editor) takeRest() {
	if !restore.Does(e.edited, restore.SavesPose) {
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

// takeRestOf is takeRest for one node. It examines the times of the keys of the track of, and some more.
func (e *editor) takeRestOf(base, of *asset.Node, t *track.Track, moments []float64) {
	n := e.byID[rig.ID(base)]
	if n == nil || space.SameTransform(&base.Transform, &n.Transform) {
		return
	}
	for _, k := range slices.Concat(scene.Times(t.Move, t.Turn), moments) {
		x := t.Pose(of, k)
		if shown := space.Place(x.At, x.Turn.Mat4().Mat3()); scene.SameTransform(&shown, &n.Transform, e.size) {
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
