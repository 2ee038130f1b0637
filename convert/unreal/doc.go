// Package unreal shows packages of Unreal Engine 1 as archives and turns the objects in them into assets and back:
// textures, sounds, music, texts, fonts, meshes, skeletal meshes, brushes and level geometry. Everything else is a
// readable record.
package unreal
