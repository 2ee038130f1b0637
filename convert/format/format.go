// Package format is the contract between the families and everything that works on all of them: what a format can do,
// what an archive shows, and what a conversion may look at beside its input.
package format

import (
	"fmt"
	"io"
	"regexp"
	"sync"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// Kind is what a format holds, and so which interchange files it meets.
type Kind uint8

// The kinds.
const (
	Model     Kind = iota // glTF
	Animation             // glTF, on a model's nodes
	Texture               // PNG
	Sound                 // WAV
	Table                 // JSON, and CSV when flat
	Text                  // text
	Archive               // a folder of entries
	Raw                   // bytes nobody knows more of
)

var kindNames = [...]string{"model", "animation", "texture", "sound", "table", "text", "archive", "raw"}

// String returns the kind's name.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// Confidence is how sure a probe is.
type Confidence uint8

// The confidences, from none to certain. A file that only looks right is Plausible; table bounds that fit are
// Structural; a signature that nothing else has is Certain.
const (
	No         Confidence = 0
	Plausible  Confidence = 25
	Structural Confidence = 60
	Magic      Confidence = 80
	Certain    Confidence = 100
)

// Input is what a probe sees.
type Input struct {
	Name string      // base name; may be empty
	Head []byte      // the first bytes, up to 64 KiB
	Size int64       // whole size
	At   io.ReaderAt // the whole; nil when Head holds everything
}

// Fact is one line of what "info" shows.
type Fact struct {
	Name  string
	Value any // string, number, bool, or a slice of them
}

// Never is the Probe of what only an archive's directory knows, or is asked for by name.
func Never(*Input) Confidence { return No }

// Format is one file layout: what it is called, how it is recognised, and the functions that usher has for it. A
// function that a format lacks is nil; Create, for one, exists only for archives that can be made from nothing.
type Format struct {
	Name       string   // "u3d"; unique
	Family     string   // folder in each row: "ultimate3d"
	Title      string   // one line for people
	Kind       Kind     // what it holds
	Extensions []string // lower case, with the dot, usual one first; ".*" stands for a numeric extension

	// Beside is the format of the file that one of this format lies beside and goes with: it is shown and made with that
	// one, and alone is its JSON.
	Beside string

	// Within are the extensions of the models that one of this format belongs to, where it lies beside one with its name:
	// pictures of a folder show it as a part of that one.
	Within []string

	// Place is true of what a game is played in, such as a level: what is shown of a game begins with it.
	Place bool

	// Shown is the extension of the interchange file that it becomes when nothing else is asked for; empty for the usual
	// one of its kind.
	Shown string

	// Probe tells how likely the input is of this format, from its content. It allocates nothing of note.
	Probe func(in *Input) Confidence

	// Read decodes a leaf: all of its bytes in, one schema value (a pointer) out. The value may alias b.
	Read func(b []byte, d *schema.Diagnostics) (any, error)
	// Write encodes what Read returned. For an unchanged value it returns the same bytes.
	Write func(v any) ([]byte, error)
	// Check decodes what the value holds, where Read keeps it as bytes; nil when Read says all. Verification asks it.
	Check func(v any) error
	// New returns an empty schema value, for JSON to fill.
	New func() any
	// Document is how JSON shows a schema value; nil where it shows the value itself.
	Document *Document
	// Facts describes a schema value for "info".
	Facts func(v any) []Fact

	// Detail describes what belongs to a value and lies in other files, for "info -v".
	Detail func(v any, env *Env) []Fact

	// Lift turns a schema value into an asset.
	Lift func(v any, env *Env) (asset.Asset, error)
	// Lower turns an asset back into a schema value, using the Native that Lift left where it is still true.
	Lower func(a asset.Asset, env *Env) (any, error)
	// Gather makes one value of several assets, such as a library of the materials of several scenes; nil where a file is
	// made of one alone.
	Gather func(list []Gathered, env *Env) (any, error)
	// Piecewise says that Lower takes the primitives of a scene one after the other with [asset.Primitive.Whole], so that
	// a scene larger than the memory will do. For other formats all of a scene is loaded first.
	Piecewise bool

	// Editable are the names of native formats that hold the value in a form of its own editor, from which it comes back: a
	// level as text. "unpack" makes them when it is asked for.
	Editable []string
	// Into makes the value of another format without an asset between them, where that would hold less: a level as the
	// text of its editor. ok is false for formats that it has no such way to; nil when there is none.
	Into func(v any, target string, env *Env) (out any, ok bool, err error)
	// Lights is true where Lower takes the lights of a scene, or says itself what becomes of them.
	Lights bool

	// Cameras is true where Lower takes the cameras of a scene, or says itself what becomes of them.
	Cameras bool

	// Empties reports whether a node that shows nothing, at an end of the tree, means something to Lower, as a hardpoint does;
	// nil where none does.
	Empties func(n *asset.Node) bool

	// Views are formats that show the same value as another kind of thing, such as a terrain as a picture of its heights.
	// They are taken when an interchange file is asked for that cannot hold this one.
	Views []*Format

	// Bind returns the format as it works on entry i of its archive, where a payload means nothing without what the
	// directory says of it; nil when all entries are read alike.
	Bind func(i int) *Format

	// Variant returns the format of an entry's payload that departs from the other entries of its archive, and nil for
	// one that does not; the archive's directory cannot tell. nil when there are no such entries.
	Variant func(payload []byte) *Format

	// Open reads an archive's directory; payloads are read on demand.
	Open func(r io.ReaderAt, size int64, env *Env) (ArchiveFile, error)
	// Whole is the size in bytes up to which Open reads all of a file at once, where the format has Read as well. Payloads
	// of a larger one stay in it, and what the archive writes is what Write makes of what Read returns. 0 where that is not
	// so of any file.
	Whole int64
	// Create returns an empty archive.
	Create func(env *Env) (ArchiveFile, error)
}

// AnyEmpty is the [Format.Empties] of formats that say themselves what becomes of each.
func AnyEmpty(*asset.Node) bool { return true }

// For returns the format that reads an entry's payload: f, or the variant of it that the payload is. f may be nil.
func (f *Format) For(payload []byte) *Format {
	if f == nil || f.Variant == nil {
		return f
	}
	if v := f.Variant(payload); v != nil {
		return v
	}
	return f
}

// Of returns the format that reads the payload of entry i of an archive: f, bound to the entry, or the variant of it
// that the payload is. f may be nil.
func (f *Format) Of(i int, payload []byte) *Format {
	if f != nil && f.Bind != nil {
		f = f.Bind(i)
	}
	return f.For(payload)
}

// readBack is the size up to which what a format writes is read back: that of most entries, and of few whole archives.
const readBack = 1 << 20

// Encode writes a value. What is cheap to read is read back, so that nothing is written that would be refused afterwards.
func (f *Format) Encode(v any) ([]byte, error) {
	b, err := f.Write(v)
	if err != nil || f.Read == nil || len(b) > readBack || f.Kind == Texture { // a picture may have become another kind of file
		return b, err
	}
	if _, err := f.Read(b, nil); err != nil {
		return nil, fmt.Errorf("what was made could not be read again: %w", err)
	}
	return b, nil
}

// Gathered is one of several assets of which one file is made.
type Gathered struct {
	Asset asset.Asset
	Env   *Env // of its own input
}

// Install is a whole installed game: the files of one know what those of another are for.
type Install struct {
	Family string
	Title  string
	// Describe tells what is in the folder that env looks into: first the whole, then each thing with what belongs to
	// it. There is nothing when the folder holds no such game. nil where the family has nothing to say of a whole game.
	Describe func(env *Env) []Part

	// Folders are those of an installation that hold what it is played from; whatever has the first of them is one.
	Folders []string
	// Check tells what the game would stumble over; nil where the family cannot tell.
	Check func(g *Game) []Finding
	// Kinds are those of the findings.
	Kinds []*FindingKind
}

// Part is a thing of an installation and what belongs to it.
type Part struct {
	Name  string // "model 3"; empty for the whole
	Facts []Fact
}

// Pattern returns a regular expression that is compiled when it is first asked for: a program that never does starts
// without it.
func Pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
