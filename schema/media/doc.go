// Package media describes data that several families embed in their files: packed pixels, BC1–BC3 blocks, DDS, TGA and PCX
// pictures, sound codecs and RIFF containers.
package media
