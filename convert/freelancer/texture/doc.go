// Package texture has the pictures of texture libraries: as they are shown, in which kind a new one is stored, and how an edited one
// becomes a file like the one before.
package texture
