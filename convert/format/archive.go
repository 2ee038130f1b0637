package format

import (
	"io"
	"os"
	"reflect"

	"github.com/usher-assets/usher/schema"
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
	// Abilities are what it can do beside this. They are the same for as long as it is open.
	Abilities() Abilities
}

// Abilities are what an archive can do beside what every [ArchiveFile] can. What it cannot do is nil. The word that a user sees
// for an ability stands beside it.
type Abilities struct {
	// Files is true of archives whose entries are files as they are: they come out under their own names, and any file goes
	// in.
	Files bool `word:"holds files"`

	// Leaf returns the format in which new entries of a kind are stored; nil when the archive cannot hold the kind. Without
	// it, a new entry gets the format of the first entry of its kind.
	Leaf func(kind Kind) *Format `word:"chooses formats"`
	// Place returns the path that an entry gets when Add is called with these, where that is not the path itself.
	Place func(path string, payload []byte, hint *Format) string `word:"chooses places"`
	// BindNew returns format f as it writes the payload of an entry that is not there yet and gets that path. It is for
	// archives whose formats work on entries that are there.
	BindNew func(f *Format, path string) (*Format, error) `word:"makes new records"`
	// Expect takes the paths that Add will get: entries name each other, and one may be written before the one that it names.
	Expect func(paths []string) `word:"entries name each other"`
	// RemoveAll takes entries out, or none of them when one is needed by another entry that stays.
	RemoveAll func(entries []int) error `word:"removes what belongs together"`
	// Rename gives entry i another path, and all that refers to it follows. Entries has the old path until the archive is
	// written and read again.
	Rename func(i int, path string) error `word:"renames"`
	// Renamed returns the new paths of entries that got one, by Rename or by what was done to other entries, by their old
	// ones. It is there with Rename.
	Renamed func() map[string]string
	// Movable reports whether payloads of a format say nothing of the place that they have: a copy of one is what its entry
	// would be in another place.
	Movable func(f *Format) bool `word:"knows moved entries"`
	// Portable returns the payload of entry i with positions as if it lay at the start of the file, where payloads hold such:
	// what two archives hold can be compared by it. Replace takes it as well as the stored one.
	Portable func(i int) ([]byte, error) `word:"payloads hold positions"`

	// Partners returns the names of the files beside the archive that its edits so far concern, in the order in which they
	// are brought in line: textures, whose sizes another archive describes; texts, whose hashes lie in a table.
	Partners func() []string `word:"has partners"`
	// UpdatePartner brings the entries of one of these files in line with the edits made here, and returns the paths of those
	// that it changed. A file that is no archive has one entry.
	UpdatePartner func(name string, partner ArchiveFile) (changed []string, err error)

	// Dead returns the number of bytes that no entry has, of how many the file will be: untouched payloads stay where they
	// are, and edits leave bytes behind.
	Dead func() (dead, size int64, err error) `word:"compacts"`
	// Compact makes WriteTo lay out the file anew: entries in their order, without gaps. It is there with Dead.
	Compact func()

	// PayloadInto is Payload into a buffer at hand. With a buffer, even an empty one, the result is the caller's own, and may
	// lie in it.
	PayloadInto func(buffer []byte, i int) ([]byte, error)
	// Section returns a reader over the payload of entry i, which lies in the file as it is: payloads of neighbours can be
	// read in one step.
	Section func(i int) (*io.SectionReader, error)
	// SpoolTo says where the file comes from that keeps the payloads of many new entries, in place of memory. It is asked for
	// at most once, and only when it is needed.
	SpoolTo func(file func() (*os.File, error))

	// Lead returns the number of the entry that users take the archive for, as a map for its level; −1 when there is none.
	Lead func() int `word:"stands for an entry"`
	// Empty returns the number of rows of the archive's table that hold nothing. They are no entries, and are kept.
	Empty func() int `word:"keeps empty rows"`
	// Related describes what the files beside the archive say of entry i, for "info".
	Related func(i int) []Fact `word:"knows what refers to entries"`
	// Explain reads entry i for the trace of d, where it means nothing without another entry; false when nobody knows what it
	// holds.
	Explain func(i int, d *schema.Diagnostics) (bool, error)
}

// Words returns what the archive can do, in words, in the order of the fields.
func (a Abilities) Words() (words []string) {
	v := reflect.ValueOf(a)
	for i := range v.NumField() {
		if word := v.Type().Field(i).Tag.Get("word"); word != "" && !v.Field(i).IsZero() {
			words = append(words, word)
		}
	}
	return words
}
