// Package ultima9 decodes the files of Ultima IX: bytes in, values of schema/ultima9 out. Values may alias the bytes
// that they were read from.
package ultima9
