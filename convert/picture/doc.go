// Package picture reads picture files of any kind into textures: what a model refers to by file name, whatever the
// file turns out to be.
package picture
