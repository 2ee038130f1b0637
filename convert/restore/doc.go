// Package restore puts back what editors and exporters change in a scene that nobody edited.
//
// Any program may do the following; the functions work whichever it was:
//
//   - it puts a node above the whole scene: [Unwrap] removes it
//   - it copies a material for each way of using it, and numbers the names: [JoinCopies]
//   - it turns bones so that these point along Y: [TurnBonesBack]
//   - it shows lower levels of detail as ordinary nodes: [TakeLevels]
//   - it leaves out custom properties, or turns them into text: [TellOfExtras] says so, and [Match] finds the original of
//     each object
//   - it writes vertices in another order, twice, or not at all: [Signature] recognises an unedited mesh all the same
//
// What only some programs do is a [Habit]. The list of programs says which program has which habits. A new version with a
// habit of its own is a line there.
//
// It serves the formats of convert, and promises nothing to other programs: package convert is for those.
package restore
