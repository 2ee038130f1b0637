// Package scene holds the operations on scenes that all families share, apart from their own bytes. Each has a file:
//
//   - curve: the value of a channel at a time; whether an edited curve equals the stored one, however an editor wrote it
//   - frames: how many frames represent a curve, and whether frames at a given rate miss part of it
//   - motion: the transform of a node during an animation
//   - place: transforms, matrices, world positions of nodes
//   - bake: apply a transform to vertices
//   - settle: move transforms that a target cannot store into vertices, children, keys and skins
//   - pose: make the rest pose the bind pose of skins
//   - edit: which parts of a surface are unchanged, changed, new or deleted
//   - kept: the readable values of Native, each with the range that its field has
//   - names: what editors do to names, and the marks in names of nodes
//   - lost: what a target cannot hold of a scene
//
// In these comments a surface is the triangles of a mesh or primitive, "stored" is what the native file has, and "visible"
// is what the scene shows, which a person may have edited.
//
// The conventions are those of package asset: metres, +Y up, right-handed, quaternions x, y, z, w, matrices column-major
// for column vectors. Calculations are in float64, so that a result is rounded only once.
package scene

import "math"

// The tolerances below define what an edit is, for all families. An editor changes values even if nobody edits anything: it
// decomposes and recomposes matrices in float32 (relative errors of 1e-7 a step, some ten steps), and converts between
// world and parent space (the same, relative to world positions). Values that differ by less are unedited and keep their
// stored bytes. The smallest step of a person in an editor (0.1°, a thousandth of the size) is far above.
const (
	// TurnTolerance is the largest angle between two equal rotations, in radians: 0.005°.
	TurnTolerance = 0.005 * math.Pi / 180
	// MoveTolerance is the largest distance of two equal positions, relative to the size of the model (see [Size]).
	MoveTolerance = 5e-6
	// ScaleTolerance is the largest difference of two equal scales, relative to the scale.
	ScaleTolerance = 2e-5
	// WeightTolerance is the largest difference of two equal weights of a morph target.
	WeightTolerance = 1e-3
)
