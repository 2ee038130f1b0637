package format

import (
	"io"
	"os"
)

// Entry is one item of an archive.
type Entry struct {
	Path   string  // unique within the archive: "42", "Deco.runeSgn2", "VMeshLibrary/ship.vms/VMeshData"
	Title  string  // name for people where the archive or its neighbours tell one; may be empty
	Kind   Kind    // what it holds
	Format *Format // how its payload is read; nil for raw bytes. It may be bound to this very archive.
	Size   int64   // bytes of the payload
	Offset int64   // position of the payload in the file, −1 when it has none of its own
	Class  string  // the source's own word for what it is: an Unreal class, a UTF leaf name; may be empty
}

// ArchiveFile is the one view over FLX files, UTF trees, Unreal packages and savegames. Listing reads the directory
// only. Edits are collected; WriteTo writes the edited archive, untouched payloads byte for byte.
type ArchiveFile interface {
	// Entries returns the used entries in the archive's order. The slice is the archive's own.
	Entries() []Entry
	// Payload returns the stored bytes of entry i. Several goroutines may call it, and Entries, at the same time.
	Payload(i int) ([]byte, error)
	// Replace sets the stored bytes of entry i.
	Replace(i int, payload []byte) error
	// Add makes an entry; hint says what it holds, and may be nil.
	Add(path string, payload []byte, hint *Format) error
	// Remove takes entry i out.
	Remove(i int) error
	// WriteTo writes the whole archive.
	WriteTo(w io.Writer) (int64, error)
	// Facts describes the archive for "info".
	Facts() []Fact
}

// Holder is an archive that knows in which format it stores new entries. Without it, a new entry gets the format of the
// first entry of its kind.
type Holder interface {
	// Leaf returns the format for a kind; nil when the archive cannot hold it.
	Leaf(kind Kind) *Format
}

// Reusing is an archive that can read payloads into a buffer at hand. Whoever copies thousands of payloads need not
// allocate each.
type Reusing interface {
	// PayloadInto is Payload. With a buffer, even an empty one, the result is the caller's own, and may lie in it.
	PayloadInto(buffer []byte, i int) ([]byte, error)
}

// Sectioned is an archive whose payloads lie in its file as they are. Whoever copies thousands of payloads can read those
// of neighbours in one step.
type Sectioned interface {
	// Section returns a reader over the payload of entry i.
	Section(i int) (*io.SectionReader, error)
}

// Spooling is an archive that can keep the payloads of many new entries in a file instead of in memory.
type Spooling interface {
	// SpoolTo tells where the file comes from. It is asked for at most once, and only when it is needed.
	SpoolTo(file func() (*os.File, error))
}
