package format

// Placer is an archive that puts some new entries elsewhere than the names of their files say.
type Placer interface {
	ArchiveFile
	// Place returns the path that an entry gets when Add is called with these.
	Place(path string, payload []byte, hint *Format) string
}
