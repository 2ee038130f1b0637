// Package library resolves what models refer to by hash: meshes, materials and textures. A [Library] finds them in the file
// itself and in the files around it, and lifts them; an [Editor] stores what was edited.
package library
