package format

// Compacting is an archive that leaves untouched payloads where they are, so that edits leave bytes behind that no entry
// has any more, and that can be laid out anew without them.
type Compacting interface {
	ArchiveFile
	// Dead returns the number of bytes that no entry has, of how many the file will be.
	Dead() (dead, size int64, err error)
	// Compact makes WriteTo lay out the file anew: entries in their order, without gaps.
	Compact()
}
