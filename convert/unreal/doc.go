// Package unreal shows packages of Unreal Engine 1 as archives and turns the objects in them into assets and back:
// textures, sounds, music, texts, fonts, meshes, skeletal meshes, brushes and level geometry. Everything else is a
// readable record. [Open] opens a package as an archive whose entries know what they are; [T3D], [PSK], [PSA] and [MeshData]
// have the functions of the files beside packages, typed.
package unreal
