package format

// Portable is an archive whose payloads hold positions of their own place in the file, so that they change when others
// do.
type Portable interface {
	ArchiveFile
	// Portable returns the payload of entry i with positions as if it lay at the start of the file: what two archives
	// hold can be compared by it. Replace takes it as well as the stored one.
	Portable(i int) ([]byte, error)
}
