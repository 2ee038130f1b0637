// Package voice has the lines of voice banks: the names that their hashes stand for, and their sound, which is MP3 for the most part.
package voice
