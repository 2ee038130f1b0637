// Package find looks for the files that an input refers to, such as its textures, and keeps account of what was read.
//
// It serves the command line, and promises nothing to other programs: package convert is for those.
package find
