// Package voice converts the lines of voice banks: their names, which are stored as hashes, and their sound, which is
// mostly MP3.
package voice
