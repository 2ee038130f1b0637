// Package library has what models refer to by hash: meshes, materials and textures. It finds them in the file itself and in those
// around it, shows them, and stores what an edit made of them.
package library
