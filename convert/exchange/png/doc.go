// Package png turns the pictures of an asset into PNG files and back. Its writer is made for speed: it chooses one
// filter for the whole picture and compresses with a fast deflate; small pictures of few colours or greys with one of its
// own, which knows all their bytes beforehand. Reading is the standard library's.
package png
