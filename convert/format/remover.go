package format

// Remover is an archive whose entries may need each other: those that are to go, go together.
type Remover interface {
	ArchiveFile
	// RemoveAll takes entries out, or none of them when one is needed by another entry that stays.
	RemoveAll(entries []int) error
}
