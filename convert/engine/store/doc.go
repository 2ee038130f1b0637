// Package store opens archives on disk or in memory ([OpenArchive]), and writes archives ([ArchiveOutput]) and the files of
// an asset ([WriteFiles]).
//
// It serves the command line, and promises nothing to other programs: package convert is for those.
package store
