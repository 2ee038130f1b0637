// Package formats has the list of all native formats, and recognises which of them an input is.
//
// It serves the command line, and promises nothing to other programs: package convert is for those.
package formats
