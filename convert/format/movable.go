package format

// Movable is an archive with payloads that say nothing of the place that they have in it: a copy of one is what its entry
// would be in another place.
type Movable interface {
	ArchiveFile
	// Movable reports whether payloads of a format are such.
	Movable(f *Format) bool
}
