// Package sheet draws what many inputs hold, files and the entries of archives, as pictures with labels on pages, and
// single ones as thumbnails.
package sheet
