// Package mesh converts between the game's meshes (VMeshData, wireframes and skins) and those of scenes. It compares an
// edited mesh with the stored one: differences that an editor makes by itself do not change what is stored.
package mesh
