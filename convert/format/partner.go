package format

// Partnered is an archive that other files beside it follow: textures, whose sizes another archive describes and which
// further archives hold in other depths; texts, whose hashes lie in a table. Whoever writes an edited archive brings
// those files in line too.
type Partnered interface {
	ArchiveFile
	// Partners returns the names of the files that the edits made so far concern, in the order in which they are brought
	// in line.
	Partners() []string
	// UpdatePartner brings the entries of one of these files in line with the edits made here, and returns the paths of
	// those that it changed. A file that is no archive has one entry.
	UpdatePartner(name string, partner ArchiveFile) (changed []string, err error)
}
