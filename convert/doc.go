// Package convert is usher as a library, for one input of any format: [Loader.Load] reads a file or an entry of an archive,
// [Item.Lift] makes a scene, texture, sound, table or text of it, [Item.Export] makes files of another format; [OpenArchive]
// lists, reads and replaces entries. Who knows the format of a file needs none of this: the packages of the families have
// typed functions to read, write, lift and lower, such as ultima9.Sappear.
//
// The package has the list of all formats, recognition, loading, and writing as something else. What is done with many files stands in rooms above it: batch runs any work on many inputs, worktree
// takes archives apart into folders and puts them back, compare holds files against each other, sheet draws what they hold.
//
// A conversion goes bytes → schema value → asset → interchange file, and back the same way. The pieces live below:
// one package a family, gltf, png, wav and json for the interchange files, picture for the DDS and TGA files that
// families embed, and render, which draws assets.
package convert
