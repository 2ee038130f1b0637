package unreal

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf16"

	"github.com/usher-assets/usher/schema"
)

// Format is the name that errors carry.
const Format = "unreal"

// Magic opens every package.
const Magic = 0x9E2A83C1

// MaxName is the longest name of an object that the engine accepts, in bytes.
const MaxName = 63

// The versions in range, and those at which layouts change (reference sections 1, 6, 7).
const (
	MinVersion     = 60
	MaxVersion     = 69
	LazyVersion    = 62 // from here on lazy arrays store their end
	CountedVersion = 64 // from here on names store their length
	TravelVersion  = 61 // from here on levels store travel info
	PairedVersion  = 63 // from here on levels store travel info as pairs; before, all keys and then all values
	RemapVersion   = 69 // from here on fonts have a remap table, without which the engine refuses them
	GUIDVersion    = 68 // from here on the header holds GUID and generations instead of a heritage table
)

// Package is a package: its tables, and the places of its objects. Payloads stay in Source until they are asked for.
type Package struct {
	Version     uint16
	Licensee    uint16
	Flags       uint32 // PackageFlags
	GUID        [16]byte
	Generations []Generation // from GUIDVersion on
	Heritage    [][16]byte   // before GUIDVersion; the last one is the package's own GUID
	Names       []Name
	Imports     []Import
	Exports     []Export

	OddNames, OddImports, OddExports []OddIndex `unwritten:"an odd form counts as long as the index has its value"` // indices of the tables that are longer than needed

	// Where the parts were in Source. A new package has no Source.
	Source                                    io.ReaderAt
	Size                                      int64 `unwritten:"where it was read from"`
	HeaderSpan, HeritageSpan                  Span
	NameSpan, ImportSpan, ExportSpan          Span
	StoredNames, StoredImports, StoredExports int      // table sizes as read; later entries were added
	StoredGUID                                [16]byte `unwritten:"what it was read with"`
	Removed                                   []Span   `unwritten:"where it was read from"` // payloads of exports that were removed from the end of the table
	KeepGUID                                  bool     `unwritten:"asks how to write"`      // an edit does not change GUID and history (reference section 3)
	nameIndex                                 map[string]NameIndex
	indexed                                   int // names that nameIndex holds
}

// Span is a range of the file.
type Span struct {
	Offset, Size int64 `unwritten:"where it was read from"`
}

// End returns the first offset after the span.
func (s Span) End() int64 { return s.Offset + s.Size }

// Generation is the size of the tables in one published version of the package.
type Generation struct{ Exports, Names int32 }

// Ref refers to an object: 0 is none, n > 0 is export n−1, n < 0 is import −n−1.
type Ref int32

// NameIndex is an index into the name table.
type NameIndex int32

// NameForm is the way in which a name's characters are stored.
type NameForm uint8

// The name forms. In the raw forms, Stored has the characters, because Text cannot represent them, for example if the final
// zero is missing.
const (
	NameBytes NameForm = iota // Windows-1252, final zero
	NameWide                  // UTF-16LE, final zero, negative length
	NameRaw
	NameRawWide
)

// Name is an entry of the name table.
type Name struct {
	Text   string
	Flags  uint32 // ObjectFlags
	Form   NameForm
	Stored string // of the raw forms: all stored characters
}

// Import is an object of another package.
type Import struct {
	ClassPackage NameIndex
	ClassName    NameIndex
	Outer        Ref
	Name         NameIndex
}

// Export is an object of this package.
type Export struct {
	Class  Ref // 0 if the object is itself a class
	Super  Ref
	Outer  Ref
	Name   NameIndex
	Flags  uint32 // ObjectFlags
	Size   int32  // of the stored payload
	Offset int32  // of the stored payload; meaningless when Size is 0

	Data    []byte  // replaces the stored payload when it is not nil
	Renamed bool    // Name or Outer was changed
	Movable bool    `unwritten:"counts where the object moves"` // Fixups has all absolute positions of the payload
	Fixups  []Fixup `unwritten:"count where the object moves"`  // of Data or of the stored payload
}

// Fixup is an absolute file position inside a payload: the u32 at At must be the payload's offset plus End.
type Fixup struct{ At, End int32 }

// OddIndex is a compact index that is not stored in its shortest form. N numbers the indices of its table or object. The
// writer uses the form again if the N-th index still has the same value.
type OddIndex struct {
	N     uint32
	Value int32
	Width uint8 `unwritten:"counts as long as the index has its value"`
	Minus bool  `unwritten:"counts as long as the index has its value"` // sign bit of a zero
}

// Edited reports whether tables or payloads were changed since they were read.
func (p *Package) Edited() bool {
	if p.Source == nil || len(p.Names) != p.StoredNames || len(p.Imports) != p.StoredImports || len(p.Exports) != p.StoredExports {
		return true
	}
	for i := range p.Exports {
		if p.Exports[i].Data != nil || p.Exports[i].Renamed {
			return true
		}
	}
	return false
}

// Name returns the text of a name, or "" if the index is outside the table.
func (p *Package) Name(i NameIndex) string {
	if i < 0 || int(i) >= len(p.Names) {
		return ""
	}
	return p.Names[i].Text
}

// IsNone reports whether a name is "None", which ends property lists and stands for "no name". Any entry of the table can
// be "None".
func (p *Package) IsNone(i NameIndex) bool { return strings.EqualFold(p.Name(i), "None") }

// Valid reports whether r is 0 or refers to an entry of a table.
func (p *Package) Valid(r Ref) bool {
	return int64(r) <= int64(len(p.Exports)) && -int64(r) <= int64(len(p.Imports))
}

// ObjectName returns the name of the object, without its outers, or "" for no object.
func (p *Package) ObjectName(r Ref) string {
	switch {
	case !p.Valid(r) || r == 0:
		return ""
	case r > 0:
		return p.Name(p.Exports[r-1].Name)
	}
	return p.Name(p.Imports[-r-1].Name)
}

// Outer returns the object that contains r; 0 if r is at the top of a package.
func (p *Package) Outer(r Ref) Ref {
	switch {
	case !p.Valid(r) || r == 0:
		return 0
	case r > 0:
		return p.Exports[r-1].Outer
	}
	return p.Imports[-r-1].Outer
}

// Path returns the names of the object's outers and of the object, joined with dots. It fails with ErrCycle if the chain of
// outers loops.
func (p *Package) Path(r Ref) (string, error) {
	if p.Outer(r) == 0 {
		return p.ObjectName(r), nil
	}
	names := []string{p.ObjectName(r)}
	for at := p.Outer(r); at != 0; at = p.Outer(at) {
		if len(names) > schema.DefaultLimits.Depth || at == r {
			return "", schema.Errorf(Format, schema.ErrCycle, "outer", "the outers of %q form a loop", names[0])
		}
		names = append(names, p.ObjectName(at))
	}
	for i, j := 0, len(names)-1; i < j; i, j = i+1, j-1 {
		names[i], names[j] = names[j], names[i]
	}
	return strings.Join(names, "."), nil
}

// RefText returns an object's class and path: Texture'Skins.Jskin'.
func (p *Package) RefText(r Ref) string {
	if r == 0 || !p.Valid(r) {
		return "None"
	}
	path, err := p.Path(r)
	if err != nil {
		path = p.ObjectName(r)
	}
	return p.ClassName(r) + "'" + path + "'"
}

// CheckOuters returns the error that Path would return.
func (p *Package) CheckOuters(r Ref) error {
	at := p.Outer(r)
	for depth := 0; at != 0; depth++ {
		if depth >= schema.DefaultLimits.Depth || at == r {
			_, err := p.Path(r)
			return err
		}
		at = p.Outer(at)
	}
	return nil
}

// ClassName returns the name of an object's class; "Class" if the object is a class.
func (p *Package) ClassName(r Ref) string {
	switch {
	case !p.Valid(r) || r == 0:
		return ""
	case r < 0:
		return p.Name(p.Imports[-r-1].ClassName)
	case p.Exports[r-1].Class == 0:
		return "Class"
	}
	return p.ObjectName(p.Exports[r-1].Class)
}

// Layout returns the class that determines the payload layout of an export: its own class, or the nearest superclass that
// usher knows. Superclasses are only known for classes of this package.
func (p *Package) Layout(i int) string { return p.LayoutOf(p.Exports[i].Class) }

// LayoutOf is [Package.Layout] for an object of the given class; 0 is the class of classes.
func (p *Package) LayoutOf(class Ref) string {
	if class == 0 {
		return "Class"
	}
	for at, depth := class, 0; depth < schema.DefaultLimits.Depth; depth++ {
		name := p.ObjectName(at)
		if at <= 0 || Classes[name] != 0 {
			return name
		}
		at = p.Exports[at-1].Super
	}
	return p.ObjectName(class)
}

// Empty reports whether export i is a row without an object. The editor's "conform" leaves such rows, so that later rows
// keep their numbers (reference section 20).
func (p *Package) Empty(i int) bool {
	e := &p.Exports[i]
	return e.Class == 0 && e.Size == 0 && e.Data == nil
}

// The licensees that usher knows (reference section 21).
const (
	Licensee227     = 227 // the games' own files, saved by the 227 patch
	LicenseeForever = 2   // Duke Nukem Forever, a state of its development
)

// Dialect reports whether the package comes from a licensee whose objects may have layouts of their own.
func (p *Package) Dialect() bool { return p.Licensee != 0 && p.Licensee != Licensee227 }

// LicenseeText describes the licensee of a package: "licensee 2: Duke Nukem Forever".
func (p *Package) LicenseeText() string {
	switch {
	case p.Licensee == Licensee227:
		return "licensee 227: saved by the 227 patch"
	case p.Version == 68 && p.Licensee == LicenseeForever:
		return "licensee 2: Duke Nukem Forever"
	}
	return fmt.Sprintf("licensee %d", p.Licensee)
}

// Context is what is needed, beside its bytes, to read or write an object.
type Context struct {
	Package *Package
	Path    string // of the object
	Class   string // as Package.Layout returns it
	Flags   uint32 // ObjectFlags
	Offset  int64  // of the payload in the file; if negative, it is unknown and derived from the first lazy array
}

// Context returns the context of export i.
func (p *Package) Context(i int) *Context {
	path, err := p.Path(Ref(i + 1))
	if err != nil {
		path = p.ObjectName(Ref(i + 1))
	}
	e := &p.Exports[i]
	return &Context{p, path, p.Layout(i), e.Flags, int64(e.Offset)}
}

// Payload returns the bytes of export i: Data if set, otherwise the stored bytes.
func (p *Package) Payload(i int) ([]byte, error) {
	e := &p.Exports[i]
	if e.Data != nil {
		return e.Data, nil
	}
	b := make([]byte, e.Size)
	if n, err := p.Source.ReadAt(b, int64(e.Offset)); n < len(b) {
		return nil, schema.Errorf(Format, schema.ErrTruncated, "serial size", "%s: %d of %d bytes: %v", p.ObjectName(Ref(i+1)), n, len(b), err)
	}
	return b, nil
}

// FindName returns the index of a name, ignoring case, and whether the table has it.
func (p *Package) FindName(text string) (NameIndex, bool) {
	if p.nameIndex == nil {
		p.nameIndex = make(map[string]NameIndex, len(p.Names))
	}
	for ; p.indexed < len(p.Names); p.indexed++ {
		key := strings.ToLower(p.Names[p.indexed].Text)
		if _, taken := p.nameIndex[key]; !taken {
			p.nameIndex[key] = NameIndex(p.indexed)
		}
	}
	i, ok := p.nameIndex[strings.ToLower(text)]
	return i, ok
}

// AddName returns the index of a name. It appends the name if the table lacks it.
func (p *Package) AddName(text string) NameIndex {
	if i, ok := p.FindName(text); ok {
		return i
	}
	form := NameBytes
	if _, ok := schema.EncodeWindows1252(text); !ok {
		form = NameWide
	}
	p.Names = append(p.Names, Name{Text: text, Flags: NameFlags, Form: form})
	return NameIndex(len(p.Names) - 1)
}

// AddImport returns the reference to an imported object. It appends the import if the table lacks it.
func (p *Package) AddImport(classPackage, className string, outer Ref, name string) Ref {
	for i, m := range p.Imports {
		if m.Outer == outer && strings.EqualFold(p.Name(m.Name), name) && strings.EqualFold(p.Name(m.ClassName), className) {
			return Ref(-i - 1)
		}
	}
	p.Imports = append(p.Imports, Import{p.AddName(classPackage), p.AddName(className), outer, p.AddName(name)})
	return Ref(-len(p.Imports))
}

// AddClass returns the reference to a class of another package, such as "Engine", "Texture". It appends the import if the
// table lacks it.
func (p *Package) AddClass(pkg, class string) Ref {
	return p.AddImport("Core", "Class", p.AddImport("Core", "Package", 0, pkg), class)
}

// AddExport appends an object without a payload and returns its reference.
func (p *Package) AddExport(class, outer Ref, name string, flags uint32) Ref {
	p.Exports = append(p.Exports, Export{Class: class, Outer: outer, Name: p.AddName(name), Flags: flags, Data: []byte{}})
	return Ref(len(p.Exports))
}

// FindExport returns the reference to the export with this path and class, ignoring case, or 0.
func (p *Package) FindExport(path, class string) Ref {
	last := path[strings.LastIndexByte(path, '.')+1:]
	for i := range p.Exports {
		r := Ref(i + 1)
		if !strings.EqualFold(p.ObjectName(r), last) || !strings.EqualFold(p.ClassName(r), class) {
			continue
		}
		if full, err := p.Path(r); err == nil && strings.EqualFold(full, path) {
			return r
		}
	}
	return 0
}

// GUIDText returns a GUID as the game writes it: four 32-bit words in hexadecimal.
func GUIDText(g [16]byte) string {
	return fmt.Sprintf("%02X%02X%02X%02X%02X%02X%02X%02X%02X%02X%02X%02X%02X%02X%02X%02X",
		g[3], g[2], g[1], g[0], g[7], g[6], g[5], g[4], g[11], g[10], g[9], g[8], g[15], g[14], g[13], g[12])
}

// WideText returns the text of UTF-16LE data, and whether [EncodeWide] returns the same bytes for that text.
func WideText(b []byte) (text string, exact bool) {
	units := make([]uint16, len(b)/2)
	exact = len(b)%2 == 0
	for i := range units {
		units[i] = uint16(b[2*i]) | uint16(b[2*i+1])<<8
	}
	text = string(utf16.Decode(units))
	return text, exact && string(EncodeWide(text)) == string(b)
}

// RawText returns the readable text of characters in a raw form, in a payload.
func RawText(b []byte, form NameForm) string {
	if form == NameRawWide {
		text, _ := WideText(b)
		return text
	}
	return schema.DecodeWindows1252(b)
}

// EncodeWide returns s as UTF-16LE.
func EncodeWide(s string) []byte {
	units := utf16.Encode([]rune(s))
	b := make([]byte, 0, 2*len(units))
	for _, u := range units {
		b = append(b, byte(u), byte(u>>8))
	}
	return b
}

// CheckName returns an error for a name that the engine or its tools do not accept (reference section 14).
func CheckName(name string) error {
	for _, r := range name {
		if !(r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r == '_' || r == '-') {
			return schema.Errorf(Format, schema.ErrValue, "name", "%q: names consist of letters, digits, \"_\" and \"-\"", name)
		}
	}
	if len(name) > MaxName {
		return schema.Errorf(Format, schema.ErrValue, "name", "%q is longer than %d characters", name, MaxName)
	}
	return nil
}
