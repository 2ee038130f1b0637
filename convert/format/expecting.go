package format

// Expecting is an archive whose entries name each other. It is told what is about to be added before the first entry that
// may name it is written.
type Expecting interface {
	ArchiveFile
	// Expect takes the paths that Add will get.
	Expect(paths []string)
}
