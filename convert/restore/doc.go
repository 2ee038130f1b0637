// Package restore puts back what editors and exporters change in a scene that nobody edited.
//
// What all programs may do, and nobody has to know which:
//
//   - they put a node above the whole scene: [Unwrap] takes it off
//   - they copy a material for each way of using it, and number the names: [JoinCopies]
//   - they turn bones so that these point along Y: [TurnBonesBack]
//   - they show lower levels of detail as nodes like others: [TakeLevels]
//   - they leave out custom properties, or make text of them: [TellOfExtras] says so, and [Match] finds out which object
//     of the original each was
//   - they write vertices in another order, twice, or not at all: [Signature] tells a mesh that nobody edited all the same
//
// What some programs do, and others never, is a [Habit]; the list of programs has theirs. A new version with a habit of its
// own is a line there.
//
// It serves the formats of convert, and promises nothing to other programs: package convert is for those.
package restore
