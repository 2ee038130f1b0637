// Package media writes what several families embed: packed pixels, BC1–BC3 blocks, DDS, TGA and RIFF.
package media
