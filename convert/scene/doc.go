// Package scene holds the verbs of the asset model: what every family does with a scene that is not about its own bytes,
// one file a verb.
//
//   - curve: the value of a channel at a time; whether a curve is as it was, however an editor wrote it
//   - frames: how many frames stand for a curve, and whether frames at a rate miss what it does
//   - motion: where an animation has a node
//   - place: transforms, matrices, where nodes are in the world
//   - bake: a transform taken into the vertices
//   - settle: transforms that a target has no room for, taken into vertices, children, keys and skins
//   - pose: the pose at rest made the one that skins are bound in
//   - edit: what of a surface is unchanged, changed, new, gone
//   - kept: the readable values of Native, each with the range that its field has
//   - names: what editors do to names, and the marks that nodes bear in them
//   - lost: what of a scene a target cannot hold
//
// The conventions are those of the package asset: metres, +Y up, right-handed, quaternions x, y, z, w, matrices
// column-major for column vectors. Calculations are in float64, so that what is rounded is rounded once.
package scene

import "math"

// What is an edit: the one threshold of all families. An editor that nobody edits anything in still changes values: it
// takes matrices apart and puts them together in float32 (relative errors of 1e-7 a step, some ten steps), and goes from
// the world to a parent and back (the same, relative to where things are in the world). What differs by less is
// unedited, and keeps its stored bytes; a person's smallest step in an editor (0.1°, a thousandth of the size) is far
// above.
const (
	// TurnTolerance is the angle between two rotations, in radians: 0.005°.
	TurnTolerance = 0.005 * math.Pi / 180
	// MoveTolerance is the distance of two places, as a part of the size of the model (see [Size]).
	MoveTolerance = 5e-6
	// ScaleTolerance is the difference of two scales, as a part of the scale.
	ScaleTolerance = 2e-5
	// WeightTolerance is the difference of two weights of a morph target.
	WeightTolerance = 1e-3
)
