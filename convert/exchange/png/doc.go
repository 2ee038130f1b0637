// Package png converts between the pictures of an asset and PNG files. [Encode] is made for speed: it chooses one filter
// for the whole picture and compresses with a fast deflate. Small pictures of few colours or greys are compressed by an
// encoder of its own, which plans the output from all the bytes beforehand. Decoding uses the standard library.
package png
