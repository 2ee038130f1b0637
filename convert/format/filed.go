package format

// Filed is an archive whose entries are files as they are: they come out under their own names, and any file goes in.
type Filed interface {
	ArchiveFile
	// HoldsFiles tells that it is one.
	HoldsFiles() bool
}

// HoldsFiles reports whether the entries of an archive are files as they are.
func HoldsFiles(a ArchiveFile) bool {
	f, ok := a.(Filed)
	return ok && f.HoldsFiles()
}
