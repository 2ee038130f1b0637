// Package format defines what a format is. [Format] has a format's name, how it is recognised, and its functions;
// [ArchiveFile] is the view of an archive; [Env] is the context of a conversion, and [Options] holds the user's choices.
// The families define formats with it; the rest of convert works with any format through it.
package format

import (
	"fmt"
	"io"
	"regexp"
	"sync"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// Kind is the type of content that a format holds. It decides which interchange files the format can become.
type Kind uint8

// The kinds, with the interchange files that they become.
const (
	Model     Kind = iota // glTF
	Animation             // glTF, on a model's nodes
	Texture               // PNG
	Sound                 // WAV
	Table                 // JSON, and CSV when flat
	Text                  // text
	Archive               // a folder of entries
	Raw                   // unknown bytes
)

var kindNames = [...]string{"model", "animation", "texture", "sound", "table", "text", "archive", "raw"}

// String returns the kind's name.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// Confidence is a probe's degree of certainty that a file has the format.
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

// Input is the part of a file that a probe may examine.
type Input struct {
	Name string      // base name; may be empty
	Head []byte      // the first bytes, up to 64 KiB
	Size int64       // whole size
	At   io.ReaderAt // the whole content; nil if Head holds it
}

// Fact is one line of the output of "usher info".
type Fact struct {
	Name  string
	Value any // string, number, bool, or a slice of them
}

// Never is the Probe of formats that are never recognised by content: only an archive's directory tells, or the user names
// them.
func Never(*Input) Confidence { return No }

// Format is one file layout: its name, how it is recognised, and the functions that usher has for it. A function is nil if
// the format lacks it.
type Format struct {
	Name       string   // "u3d"; unique
	Family     string   // folder of its family in each row of the source: "ultimate3d"
	Title      string   // one line for people
	Kind       Kind     // type of content
	Extensions []string // lower case, with the dot, usual one first; ".*" stands for a numeric extension

	// Beside names the format whose files this format's files accompany. Such a file is shown and written together with the
	// one that it accompanies; alone, it becomes JSON.
	Beside string

	// Within lists the extensions of models that a file of this format belongs to if both have the same base name. Overviews
	// of a folder then show the file as part of the model.
	Within []string

	// Place is true for scenes that a game is played in, such as levels. Overviews of a game show them first.
	Place bool

	// Shown is the extension of the interchange file that the format becomes by default; empty for the default of its kind. An
	// archive that has one is a single file, such as a table of its lines, unless its entries are asked for.
	Shown string

	// SingleByte is true if texts of the format can be in other code pages than Windows-1252, which JSON then shows them in: see
	// [Options.CodePage].
	SingleByte bool

	// Probe returns how likely it is, by the content of the input, that it has this format. It hardly allocates.
	Probe func(in *Input) Confidence

	// Read decodes a whole file into one schema value, a pointer. The value may alias b.
	Read func(b []byte, d *schema.Diagnostics) (any, error)
	// Write encodes what Read returned. For an unchanged value it returns the same bytes.
	Write func(v any) ([]byte, error)
	// Check decodes the parts of a value that Read keeps as bytes, and returns the first error. The field is nil if there are
	// no such parts. "usher verify" calls it.
	Check func(v any) error
	// Doubt warns of what the game would stumble over in a value that somebody edited in a document. The field is nil if
	// nobody knows.
	Doubt func(v any, d *schema.Diagnostics)
	// New returns an empty schema value, for JSON to fill.
	New func() any
	// Document is the form of a schema value in JSON; nil if JSON shows the value itself.
	Document *Document
	// Facts describes a schema value, for "usher info".
	Facts func(v any) []Fact

	// Detail describes data in other files that belongs to a value, for "usher info -v".
	Detail func(v any, env *Env) []Fact

	// Lift turns a schema value into an asset.
	Lift func(v any, env *Env) (asset.Asset, error)
	// Lower turns an asset into a schema value. It uses the Native that Lift left, as far as the asset still agrees with it.
	Lower func(a asset.Asset, env *Env) (any, error)
	// Gather makes one value from several assets, such as a library of the materials of several scenes. The field is nil if a
	// file is always made from one asset.
	Gather func(list []Gathered, env *Env) (any, error)
	// Piecewise is true if Lower loads one primitive of a scene at a time, with [asset.Primitive.Whole], so that the scene may
	// be larger than memory. Other formats get a scene that is loaded completely.
	Piecewise bool

	// Editable names native formats that show the value in the form of the game's own editor and can be converted back, such
	// as a level as text. "usher unpack" writes them on request.
	Editable []string
	// Into converts a value directly to another native format where going through an asset would lose data, such as a level to
	// the text of its editor. ok is false if there is no direct conversion to target.
	Into func(v any, target string, env *Env) (out any, ok bool, err error)
	// Lights is true if Lower handles the lights of a scene, or reports their loss itself.
	Lights bool

	// Cameras is true if Lower handles the cameras of a scene, or reports their loss itself.
	Cameras bool

	// Empties reports whether an empty leaf node, such as a hardpoint, means something to Lower. The field is nil if none
	// does.
	Empties func(n *asset.Node) bool

	// Views are formats that show the same value as another kind of content, such as a terrain as a picture of its heights.
	// They are used if this format does not support the requested interchange file.
	Views []*Format

	// Bind returns the format specialised for entry i of an archive, if a payload cannot be read without the directory. The
	// field is nil if all entries are read alike.
	Bind func(i int) *Format

	// Variant returns the format of a payload that differs from what the archive's directory promises, or nil if it does not
	// differ. The field is nil if payloads never differ.
	Variant func(payload []byte) *Format

	// Open reads an archive's directory. Payloads are read on demand.
	Open func(r io.ReaderAt, size int64, env *Env) (ArchiveFile, error)
	// Whole is the file size in bytes up to which Open reads the whole file into memory. For such a file, the archive's
	// WriteTo gives the bytes that Write returns for the value that Read returns. 0 for formats without Read, or of which this
	// does not hold.
	Whole int64
	// Create returns an empty archive.
	Create func(env *Env) (ArchiveFile, error)
}

// AnyEmpty is a [Format.Empties] that always returns true: Lower itself reports what becomes of each empty node.
func AnyEmpty(*asset.Node) bool { return true }

// For returns the format of a payload: the variant that the payload needs, or else f. f may be nil.
func (f *Format) For(payload []byte) *Format {
	if f == nil || f.Variant == nil {
		return f
	}
	if v := f.Variant(payload); v != nil {
		return v
	}
	return f
}

// Of returns the format of entry i of an archive: f bound to the entry, or the variant that its payload needs. f may be
// nil.
func (f *Format) Of(i int, payload []byte) *Format {
	if f != nil && f.Bind != nil {
		f = f.Bind(i)
	}
	return f.For(payload)
}

// Seen returns the format that people see a value in: f itself, or its first view if f makes no asset of it. f may be nil.
func (f *Format) Seen() *Format {
	if f == nil || f.Lift != nil || len(f.Views) == 0 {
		return f
	}
	return f.Views[0]
}

// readBack is the size up to which what a format writes is read back: that of most entries, and of few whole archives.
const readBack = 1 << 20

// Encode writes a value. It reads the result back if that is cheap, to refuse what could not be read again.
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

// Gathered is one of the assets that [Format.Gather] combines.
type Gathered struct {
	Asset asset.Asset
	Env   *Env // the environment of the asset's own input
}

// Install recognises an installed game as a whole, in which some files describe others.
type Install struct {
	Family string
	Title  string
	// Describe lists the contents of the folder that env searches: first a Part for the whole, then one for each thing. The
	// list is empty if the folder holds no such game. The field is nil if the family cannot describe whole games.
	Describe func(env *Env) []Part

	// About tells what the game says of a file that is of no format of its own, such as a sound. It is nil if it says nothing.
	About func(env *Env) []Fact

	// Folders are the folders of an installation that a game is played from. A folder that has the first of them is an
	// installation.
	Folders []string
	// Check lists what the game would fail on. The field is nil if the family cannot tell.
	Check func(g *Game) []Finding
	// Kinds are the kinds of findings that Check returns.
	Kinds FindingKinds
}

// Part is one thing of an installation, with the facts known of it.
type Part struct {
	Name  string // such as "model 3"; empty for the whole
	Facts []Fact
}

// Pattern returns a function that compiles a regular expression on first use, so that programs which never use it start
// faster.
func Pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
