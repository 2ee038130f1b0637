package format

// Renamer is an archive whose entries are known to each other by number, so that one can be called otherwise and all that
// refers to it follows.
type Renamer interface {
	ArchiveFile
	// Rename gives entry i another path. Entries has the old one until the archive is written and read again.
	Rename(i int, path string) error
	// Renamed returns the new paths of entries that got one, by [Renamer.Rename] or by what was done to other entries, by
	// their old ones.
	Renamed() map[string]string
}
