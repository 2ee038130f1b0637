// Package find locates the files that an input refers to, such as its textures ([Files]), and records what was read
// ([Reads]).
//
// It serves the command line, and promises nothing to other programs: package convert is for those.
package find
