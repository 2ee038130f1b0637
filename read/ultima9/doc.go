// Package ultima9 decodes the files of Ultima IX: bytes in, values of schema/ultima9 out. Values may alias the bytes
// that they were read from. [FLX] reads an archive's directory and leaves its payloads in the file; the function of a
// payload's format, such as [Sappear] or [Texture], reads it.
package ultima9
