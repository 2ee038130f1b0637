// Package ultima9 decodes the files of Ultima IX: bytes in, values of schema/ultima9 out. Values may alias the bytes that
// they were read from. [FLX] reads the directory of an archive and leaves its payloads in the file. Each format of payloads
// has a function that reads them, such as [Sappear] or [Texture].
package ultima9
