// Package look lifts and lowers materials, and tells whose pictures are not those of the archives of textures: models and maps
// refer to pictures and do not hold them.
package look
