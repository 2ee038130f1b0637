// Package store opens archives on disk or in memory, and writes archives and the files of an asset.
//
// It serves the command line, and promises nothing to other programs: package convert is for those.
package store
