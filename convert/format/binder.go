package format

// Binder is an archive whose formats work on its own entries only, and that can make new entries of a value all the
// same.
type Binder interface {
	ArchiveFile
	// BindNew returns format f as it writes the payload of an entry that is not there yet, and gets that path.
	BindNew(f *Format, path string) (*Format, error)
}
