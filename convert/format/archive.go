package format

import (
	"io"
	"os"
	"reflect"
	"strings"

	"github.com/usher-assets/usher/schema"
)

// Entry describes one entry of an archive.
type Entry struct {
	Path   string  // unique within the archive: "42", "Deco.runeSgn2", "VMeshLibrary/ship.vms/VMeshData"
	Title  string  // name for people, if the archive or a file beside it has one; may be empty
	Kind   Kind    // what it holds
	Format *Format // format of the payload; nil for raw bytes. It may be bound to this very archive.
	Size   int64   // bytes of the payload
	Offset int64   // position of the payload in the file; −1 if it is not stored as one run of bytes
	Class  string  // the source's own word for the type: an Unreal class, a UTF leaf name; may be empty
	File   string  // what its files are called, where that is not its path; may be empty
	Made   bool    // it is made from another entry when that is replaced: a folder has it only among payloads as they are stored
}

// ArchiveFile is the common view of FLX files, UTF trees, Unreal packages and savegames. Listing reads only the directory.
// Edits are collected; WriteTo writes the edited archive and copies untouched payloads byte for byte.
type ArchiveFile interface {
	// Entries returns the used entries in the archive's order. The slice belongs to the archive; do not change it.
	Entries() []Entry
	// Payload returns the stored bytes of entry i. Several goroutines may call Payload and Entries at the same time.
	Payload(i int) ([]byte, error)
	// Replace sets the stored bytes of entry i.
	Replace(i int, payload []byte) error
	// Add adds an entry at a path. hint is the format of the payload; it may be nil.
	Add(path string, payload []byte, hint *Format) error
	// Remove removes entry i.
	Remove(i int) error
	// WriteTo writes the whole archive.
	WriteTo(w io.Writer) (int64, error)
	// Facts describes the archive, for "usher info".
	Facts() []Fact
	// Abilities returns what this archive can do beyond these methods. The result does not change while it is open.
	Abilities() Abilities
}

// Use is an entry of another archive that an archive refers to.
type Use struct {
	Archive string   // its name, for people
	Files   []string // what its file may be called
	Path    string   // of the entry in it
	Class   string   // as in [Entry]
	Kind    Kind
}

// Names reports whether an entry is the one that is used. Those who refer to an entry may leave out the group that it is in.
func (u *Use) Names(e *Entry) bool {
	path, _, _ := strings.Cut(e.Path, "@")
	return strings.EqualFold(e.Class, u.Class) && (strings.EqualFold(path, u.Path) || strings.EqualFold(path[strings.LastIndexByte(path, '.')+1:], u.Path))
}

// Abilities lists what an archive can do beyond the methods of [ArchiveFile]. A field is nil if the archive cannot do it.
// The tag of a field is the word that users see for it.
type Abilities struct {
	// Files is true if the entries are ordinary files: they are unpacked under their own names, and any file can be added.
	Files bool `word:"holds files"`

	// One is true if the archive holds a single file, which it compresses. Many files become many such archives.
	One bool `word:"holds one file"`

	// Leaf returns the format in which a new entry of a kind is stored, or nil if the archive cannot hold the kind. If Leaf
	// itself is nil, a new entry gets the format of the first entry of its kind.
	Leaf func(kind Kind) *Format `word:"chooses formats"`
	// Place returns the path that a new entry will have after Add with the same arguments. If Place is nil, that is path
	// itself.
	Place func(path string, payload []byte, hint *Format) string `word:"chooses places"`
	// BindNew returns format f, bound to a new entry that will get the given path. Archives whose formats are bound to their
	// entries need it, since the entry does not exist yet when its payload is written.
	BindNew func(f *Format, path string) (*Format, error) `word:"makes new records"`
	// Expect announces the paths that will be added. Entries may name each other, and one may be added before another that it
	// names.
	Expect func(paths []string) `word:"entries name each other"`
	// Terms returns what the entries name by its number in a table of the archive, in the order of the tables. AddTerms appends
	// those that an archive lacks: new entries of a patch then get the numbers that they have in the archive that it was made of.
	Terms func() []string `word:"entries share tables"`
	// AddTerms is set together with Terms.
	AddTerms func(list []string) error
	// Meanings returns what every number stands for with which entries refer to something, in the order of the numbers: all terms, and
	// the entries. It is set together with Terms.
	Meanings func() []string
	// RemoveAll removes several entries at once. It removes none of them if a remaining entry needs one.
	RemoveAll func(entries []int) error `word:"removes what belongs together"`
	// Rename gives entry i another path and updates whatever refers to it. Entries still shows the old path until the archive
	// is written and read again.
	Rename func(i int, path string) error `word:"renames"`
	// Renamed maps old paths to new ones for all entries that got another path, whether by Rename or as a consequence of other
	// edits. It is set together with Rename.
	Renamed func() map[string]string
	// Movable reports whether payloads of a format are independent of their entry: a copy of the payload is valid in another
	// entry.
	Movable func(f *Format) bool `word:"knows moved entries"`
	// Portable returns the payload of entry i with file positions as if it lay at the start of the file. It is set if payloads
	// contain file positions; portable payloads of two archives can be compared. Replace accepts them too.
	Portable func(i int) ([]byte, error) `word:"payloads hold positions"`

	// Partners returns the names of the files beside the archive that have to change because of its edits so far, in the order
	// in which to update them. Examples are textures whose sizes another archive describes, and texts whose hashes stand in a
	// table.
	Partners func() []string `word:"has partners"`
	// UpdatePartner applies this archive's edits to the partner with the given name, and returns the paths of the entries that
	// it changed there. A partner that is a plain file appears as an archive with one entry.
	UpdatePartner func(name string, partner ArchiveFile) (changed []string, err error)

	// Dead returns how many bytes of the file will belong to no entry, and the size of the file. Such bytes arise because
	// untouched payloads stay where they are.
	Dead func() (dead, size int64, err error) `word:"compacts"`
	// Compact makes WriteTo write the entries in order and without gaps. It is set together with Dead.
	Compact func()

	// PayloadInto is Payload with a buffer to reuse. If buffer is not nil, the result belongs to the caller and may share the
	// buffer's memory.
	PayloadInto func(buffer []byte, i int) ([]byte, error)
	// Section returns a reader over the payload of entry i inside the file. It lets a caller read neighbouring payloads in one
	// step.
	Section func(i int) (*io.SectionReader, error)
	// SpoolTo sets the function that creates a temporary file for the payloads of many new entries, which would otherwise stay
	// in memory. It is called at most once, and only when needed.
	SpoolTo func(file func() (*os.File, error))

	// Lead returns the number of the entry that stands for the whole archive, such as the level of a map file; −1 if there is
	// none.
	Lead func() int `word:"stands for an entry"`
	// Piece reports whether an entry is a piece of the one that stands for the whole archive, such as the shape of a brush of a
	// level. Whoever asks for all entries of a kind means none of these.
	Piece func(e *Entry) bool
	// Uses returns the entries of other archives that this one refers to.
	Uses func() []Use `word:"uses others"`
	// Empty returns the number of empty rows in the archive's table. They are not entries, but are kept.
	Empty func() int `word:"keeps empty rows"`
	// Related describes what other files say of entry i, for "usher info".
	Related func(i int) []Fact `word:"knows what refers to entries"`
	// Explain reads entry i into the trace of d, for entries that cannot be read without another one. It returns false if the
	// content is unknown.
	Explain func(i int, d *schema.Diagnostics) (bool, error)
}

// Words returns the tags of the abilities that the archive has, in the order of the fields.
func (a Abilities) Words() (words []string) {
	v := reflect.ValueOf(a)
	for i := range v.NumField() {
		if word := v.Type().Field(i).Tag.Get("word"); word != "" && !v.Field(i).IsZero() {
			words = append(words, word)
		}
	}
	return words
}
