package format

// Partnered is an archive whose entries are described a second time in another archive beside it: textures and their
// sizes. Whoever writes an edited archive updates its partner too.
type Partnered interface {
	ArchiveFile
	// Partner returns the file name of the other archive, empty when there is none.
	Partner() string
	// UpdatePartner brings the entries of the other archive in line with the edits made here, and returns the paths of
	// those that it changed.
	UpdatePartner(partner ArchiveFile) (changed []string, err error)
}
