// Package picture reads picture files of any kind into textures: what a model refers to by file name, whatever the
// file turns out to be. It also knows what an edit leaves alone of a picture that is stored.
package picture
