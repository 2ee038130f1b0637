// Package convert is the whole of usher as a library: the list of all formats, recognition, conversion of one input,
// the archive view with unpack and pack, verification, and the batch session that runs any of them on many inputs.
//
// A conversion goes bytes → schema value → asset → interchange file, and back the same way. The pieces live below:
// one package a family, gltf, png, wav and json for the interchange files, and picture for the DDS and TGA files that
// families embed.
package convert
