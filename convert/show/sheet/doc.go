// Package sheet draws the contents of many inputs, files and entries of archives, as labelled pictures on pages
// ([Drawing]), and single ones as thumbnails ([Picture]).
//
// It serves the command line, and promises nothing to other programs: its names may change with any version.
package sheet
