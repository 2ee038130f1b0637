// Package media describes what several families embed in their files: packed pixels, BC1–BC3 blocks, DDS and TGA
// pictures, and RIFF containers.
package media
