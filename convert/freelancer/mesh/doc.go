// Package mesh leads between the meshes of the game, VMeshData, wireframes and skins, and those of scenes. An edited mesh is held
// against the stored one: what an editor only shows otherwise stays as it is stored.
package mesh
