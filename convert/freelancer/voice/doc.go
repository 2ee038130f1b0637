// Package voice has the lines of voice banks: the names that their hashes stand for, and their sound as MP3.
package voice
