// Package ultima9 encodes values of schema/ultima9. A value that package read/ultima9 returned is encoded as the same
// bytes. [FLX] writes an archive with its edits; the other functions write one record or file each, such as [Sappear].
package ultima9
