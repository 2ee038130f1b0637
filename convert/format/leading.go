package format

// Leading is an archive that its users take for one of its entries: a map for its level.
type Leading interface {
	ArchiveFile
	// Lead returns the number of that entry; −1 when there is none.
	Lead() int
}
