// Package formats lists all native formats ([All]) and recognises which of them an input has ([Sniff]).
//
// It serves the command line, and promises nothing to other programs: package convert is for those.
package formats
