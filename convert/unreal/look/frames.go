package look

import (
	"slices"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// MorphChannel returns the channel of an animation that blends as many frames as a mesh has, valid or not. The first frame is
// the shape itself, and each morph target is another one.
func MorphChannel(x *asset.Animation, frames int) *asset.Channel {
	i := slices.IndexFunc(x.Channels, func(c *asset.Channel) bool {
		return c.Path == asset.MorphWeights && len(c.Times) > 0 && c.Width() == frames-1
	})
	if i < 0 {
		return nil
	}
	return x.Channels[i]
}

// TellFrames reports the animations of a scene whose frames is, the scene lifted from the result, does not show as they are.
func TellFrames(now, is *asset.Scene, path string, d *schema.Diagnostics) {
	shapes := space.Shown(now)
	frames := 1
	for _, n := range shapes {
		frames = max(frames, 1+targetsOf(n.Node))
	}
	var changed scene.Tally
	for _, x := range now.Animations {
		if sequence := sequenceOf(is.Animations, x.Name); sequence != nil && !sameFrames(x, sequence, shapes, frames) {
			changed.Add(x.Name)
		}
	}
	changed.Tell(d, "animation-changed", path, "the motion of animation", "motions of animations", "is not taken over as it is: sequences show stored frames one after the other")
}

// sequenceOf returns the stored sequence that an animation is to become, by its name; nil where there is none.
func sequenceOf(all []*asset.Animation, name string) *asset.Animation {
	i := slices.IndexFunc(all, func(x *asset.Animation) bool { return x.Name == name })
	if i < 0 {
		i = slices.IndexFunc(all, func(x *asset.Animation) bool { return sameName(x.Name, name) })
	}
	if i < 0 {
		return nil
	}
	return all[i]
}

// sameName reports whether a stored sequence bears the name of an animation, as far as an engine's name can.
func sameName(stored, now string) bool {
	return !scene.Renamed(stored, now) || !scene.Renamed(now, stored) || stored == pack.CleanName(now)
}

// sameFrames reports whether a sequence shows each shape of a scene as the animation x does. A mesh has one list of frames: where
// shapes are animated on their own, all but one are shown otherwise.
func sameFrames(x, sequence *asset.Animation, shapes []space.Placed, frames int) bool {
	shown := morphs(sequence, nil)
	if shown == nil {
		return true
	}
	old, c := within(shown, frames), MorphChannel(x, frames)
	switch {
	case old > 0:
		shown = cut(shown, old) // the sequence of all frames shows those that were made for others too
	case c == nil:
		return false
	default:
		shown = c // its frames were made of this one
	}
	for _, n := range shapes {
		count := targetsOf(n.Node)
		if count == 0 {
			continue
		}
		own := scene.CurveOf(n.Node, asset.MorphWeights, morphs(x, n.Node))
		if !scene.Compare(asset.MorphWeights, scene.Curve{Channel: narrowed(shown, count)}, own, 1).Unedited() {
			return false
		}
	}
	return true
}

// morphs returns the channel of an animation that blends the frames of a node, or of whatever node there is.
func morphs(x *asset.Animation, n *asset.Node) *asset.Channel {
	for _, c := range x.Channels {
		if c.Path == asset.MorphWeights && scene.Valid(c) && (n == nil || c.Node == n) {
			return c
		}
	}
	return nil
}

// within returns how many keys a channel has before it shows a frame that a mesh of so many frames does not have.
func within(c *asset.Channel, frames int) int {
	for i := range c.Times {
		key := scene.Key(c, i)
		if slices.ContainsFunc(key[min(len(key), frames-1):], func(w float32) bool { return w != 0 }) {
			return i
		}
	}
	return len(c.Times)
}

// cut returns the first keys of a channel; a sequence has no cubic ones.
func cut(c *asset.Channel, keys int) *asset.Channel {
	return &asset.Channel{Node: c.Node, Path: c.Path, Times: c.Times[:keys], Values: c.Values[:keys*c.Width()]}
}

// narrowed returns a channel with the weights of the first frames alone.
func narrowed(c *asset.Channel, count int) *asset.Channel {
	if c.Width() <= count {
		return c
	}
	n := &asset.Channel{Node: c.Node, Path: c.Path, Times: c.Times, Interpolation: c.Interpolation}
	for weights := range slices.Chunk(c.Values, c.Width()) {
		n.Values = append(n.Values, weights[:count]...)
	}
	return n
}

// targetsOf returns how many morph targets a node shows.
func targetsOf(n *asset.Node) (count int) {
	for _, p := range n.Mesh.Primitives {
		count = max(count, len(p.Targets))
	}
	return count
}
