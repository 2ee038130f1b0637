// Package sheet draws what many inputs hold, files and the entries of archives, as pictures with labels on pages, and
// single ones as thumbnails.
//
// It serves the command line, and promises nothing to other programs: its names may change with any version.
package sheet
