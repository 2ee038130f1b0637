// Package unreal opens packages of Unreal Engine 1 as archives, and turns the objects in them into assets and back:
// textures, sounds, music, texts, fonts, meshes, skeletal meshes, brushes and level geometry. Every other object is a
// [Record] with readable properties. Start with [Open]: each entry of the archive is an object with its format. [T3D],
// [PSK], [PSA] and [MeshData] hold the typed functions for the files beside packages. To read an object without an archive,
// use package read/unreal.
package unreal
