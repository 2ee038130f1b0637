package ultimate3d

import (
	"slices"

	"github.com/usher-assets/usher/convert/restore"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultimate3d"
)

// told counts what a model cannot hold of how things move and stand, to be told of once each.
type told struct {
	between []string // nodes that move otherwise between frames
	rests   []string // nodes that rest otherwise than they begin to move
	jumps   []string // nodes that jump
	below   []string // nodes that hang on others
	stays   []string // meshes whose frames no animation plays any more
	alone   []string // meshes without lower levels of detail among others that have them
	hollow  []string // nodes that have levels of detail, and show nothing at the first one
}

func note(list *[]string, name string) {
	if !slices.Contains(*list, name) {
		*list = append(*list, name)
	}
}

// frames notes a channel that moves a node otherwise between frames than straight on.
func (l *lowerer) frames(n *asset.Node, path asset.Path, c *asset.Channel, size float64, skip func(t float64) bool) {
	if c != nil && c.Interpolation == asset.StepKeys && path != asset.MorphWeights && !scene.Constant(scene.CurveOf(n, path, c), size) {
		note(&l.told.jumps, n.Name)
	}
	if scene.FramesMiss(scene.CurveOf(n, path, c), l.fps, size, skip) {
		note(&l.told.between, n.Name)
	}
}

// tellLooks reports what the scene's materials show and the model's do not.
func (l *lowerer) tellLooks(m *ultimate3d.Model) {
	var lost scene.Unheld
	for _, a := range l.s.Materials {
		i, stored := l.materials[a]
		if !stored || i >= len(m.Materials) || m.Materials[i] == nil {
			continue
		}
		is := look(m.Materials[i], number(a.Native, keyAmbientFirst) > 0)
		if t := a.BaseColorTexture; t != nil && t.Texture != nil {
			is.BaseColorTexture = &asset.TextureRef{Texture: t.Texture}
		}
		is.Alpha = alphaOf(is, m.AlphaBlending.True())
		n := ours(a.Native)
		lost.Compare(a, is, &holds, n != nil && len(n.Payload) > 0)
	}
	lost.Tell(l.d, "", &holds)
}

// betweenFrames is the code of the loss of what a curve does between frames.
const betweenFrames = "between-frames"

// tell reports what was counted.
func (l *lowerer) tell() {
	for _, x := range []struct {
		list                 []string
		code, one, many, why string
	}{
		{l.told.between, betweenFrames, "1 node moves on a curve that its frames do not show", "%d nodes move on curves that their frames do not show", "keys of a .u3d file stand at whole frames"},
		{l.told.rests, "rest-pose", "the pose in which 1 node rests is left out", "the poses in which %d nodes rest are left out", "what is animated in a .u3d file has no other pose, and the shapes on it stand as the animation begins"},
		{l.told.jumps, "jumps", "1 node jumps", "%d nodes jump", "in the animation of a .u3d file that takes a frame"},
		{l.told.below, "hierarchy", "1 mesh hangs on another one", "%d meshes hang on others", "a .u3d file without bones has no hierarchy, and they stay where they are"},
		{l.told.stays, "animation-stays", "the animation of 1 mesh is not in the scene any more, and stays", "the animations of %d meshes are not in the scene any more, and stay", "the frames of a .u3d file are its animation"},
		{l.told.alone, "level-missing", "1 mesh has fewer levels of detail than others", "%d meshes have fewer levels of detail than others", "a .u3d file has as many of each, and the lowest that is there stands in"},
		{l.told.hollow, "level-alone", "the levels of detail of 1 node are left out", "the levels of detail of %d nodes are left out", "there is no mesh that they stand in for"},
	} {
		d := l.d
		if x.code == betweenFrames {
			d = d.Hint(", and --fps says how many make a second")
		}
		switch n := len(x.list); n {
		case 0:
		case 1:
			d.Lossf(x.code, "", "%s (%q): %s", x.one, x.list[0], x.why)
		default:
			d.Lossf(x.code, "", x.many+" (%s): %s", n, restore.Listed(x.list), x.why)
		}
	}
}

// tellGone reports what the visible mesh has lost, and morph targets that no frame stores.
func (e *meshEdit) tellGone(s *shown) {
	if len(e.now.Positions) > 0 && len(e.now.TexCoords) == 0 && len(e.was.TexCoords) > 0 && !restore.Does(e.r.s, restore.DropsUnused) {
		e.r.d.Lossf("texture-coordinates", e.where, "%q has no texture coordinates any more: those that were there stay", s.mesh.Name)
	}
	if len(e.now.Targets) > len(e.was.Targets) {
		e.r.d.Lossf("morph-targets", e.where, "the new morph targets of %q are left out: the shapes of a .u3d file are the frames of its animation, which does not show them", s.mesh.Name)
	}
}
