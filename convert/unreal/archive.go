package unreal

import (
	"bytes"
	"encoding/binary"
	"io"
	"slices"
	"sync"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/unreal/pack"
	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
	write "github.com/usher-assets/usher/write/unreal"
)

// archive is a package seen as an archive: an entry for each export, in the order of the table.
type archive struct {
	// mu guards the package: conversions of several entries run at the same time, and an edit may add names, imports
	// and palettes.
	mu sync.RWMutex
	*pack.File
	entries []format.Entry
	paths   pathSet // taken ones, as claim makes them
	classes map[unreal.Ref]*class
	imports []*class // the classes that are imports, by their number

	listed   map[unreal.Ref]bool // actors of the level; nil until somebody asks, and after a change
	expected map[string]bool     // paths of objects that are about to be added, in lower case
	promises map[unreal.Ref]bool // those of them that were named already
	drafts   map[*format.Format]*Record
	addedAs  map[string]string // the paths that objects got, by those that they were added under
	names    propertyNames     // what properties are called
	placed   map[int]bool      // exports that the scene of their level changed, or the animation that they are a frame of
	leaving  map[int][]int     // exports that go when their level is replaced, by the level

	// What Remove took out, and what is left of the entries then.
	gone    map[int]bool
	removed bool
	empty   int // exports that are holes: they are not shown
	visible []format.Entry
	exports []int       // their exports
	refs    *references // who refers to whom; nil until somebody asks, and after a change
}

// Open opens a package as an archive. It reads the tables only.
func Open(r io.ReaderAt, size int64, env *format.Env) (format.ArchiveFile, error) {
	a, err := open(r, size, env)
	if err != nil {
		return nil, err
	}
	return a, nil
}

func open(r io.ReaderAt, size int64, env *format.Env) (*archive, error) {
	f, err := pack.Open(r, size, env)
	if err != nil {
		return nil, err
	}
	a := newArchive(f)
	if err := a.list(); err != nil {
		return nil, err
	}
	return a, nil
}

// DefaultVersion is the version of new packages.
const DefaultVersion = pack.DefaultVersion

// Create returns an empty package, of version 69 or that in the options.
func Create(env *format.Env) (format.ArchiveFile, error) {
	p := &unreal.Package{Version: DefaultVersion, Flags: 1}
	if env != nil && env.Options.Unreal.PackageVersion != 0 {
		v := env.Options.Unreal.PackageVersion
		if v < unreal.MinVersion || v > unreal.MaxVersion {
			return nil, schema.Errorf(unreal.Format, schema.ErrValue, "version", "%d: packages have versions %d to %d", v, unreal.MinVersion, unreal.MaxVersion)
		}
		p.Version = uint16(v)
	}
	p.AddName("None")
	return newArchive(pack.New(p, env)), nil
}

func newArchive(f *pack.File) *archive {
	n := len(f.Exports)
	a := &archive{
		File: f, entries: make([]format.Entry, n), paths: newPathSet(n),
		classes: map[unreal.Ref]*class{}, imports: make([]*class, len(f.Imports)),
		names: propertyNames{told: map[string]bool{}},
	}
	f.Replaced, f.Placed = a.replaced, a.setEntry
	return a
}

// Abilities implements format.ArchiveFile.
func (a *archive) Abilities() format.Abilities {
	return format.Abilities{
		Leaf: a.newLeaf, Place: a.place, BindNew: a.bindNew, Expect: a.expect, Terms: a.terms, AddTerms: a.addTerms, Meanings: a.meanings, RemoveAll: a.removeAll,
		Rename: a.rename, Renamed: a.renamed, Portable: a.portable, Lead: a.lead, Piece: a.piece, Uses: a.uses,
		Empty: func() int { return a.empty },
	}
}

// Entries returns an entry for each export.
func (a *archive) Entries() []format.Entry {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.shown()
}

// shown returns the entries of the exports that are neither gone nor holes.
func (a *archive) shown() []format.Entry {
	if len(a.gone) > 0 {
		return a.visible
	}
	return a.entries
}

// Payload returns the serial data of an export.
func (a *archive) Payload(i int) ([]byte, error) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	i, err := a.export(i)
	if err != nil {
		return nil, err
	}
	return a.File.Payload(i)
}

// portable returns a payload as if it lay at the start of the file: the ends of lazy arrays are counted from the start of the payload.
func (a *archive) portable(i int) ([]byte, error) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	i, err := a.export(i)
	if err != nil {
		return nil, err
	}
	b, err := a.File.Payload(i)
	if err != nil {
		return nil, err
	}
	fixups := a.Exports[i].Fixups
	if a.Exports[i].Data == nil {
		fixups, _ = read.Fixups(b, a.Context(i))
	}
	if len(fixups) == 0 {
		return b, nil
	}
	b = bytes.Clone(b)
	for _, f := range fixups {
		binary.LittleEndian.PutUint32(b[f.At:], uint32(f.End))
	}
	return b, nil
}

// Replace sets the serial data of an export. Absolute positions in it are corrected when the package is written.
func (a *archive) Replace(i int, payload []byte) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	i, err := a.export(i)
	if err != nil {
		return err
	}
	if a.placed[i] {
		a.Env.Told().Warnf("edited-twice", a.RefText(unreal.Ref(i+1)), "it was edited in a file of its own and in one of what it is part of, a level or an animation: its own counts")
	}
	if err := a.File.Replace(i, payload); err != nil {
		return err
	}
	return a.leave(i)
}

// replaced follows an export that got another payload.
func (a *archive) replaced(i int) {
	a.refs, a.listed = nil, nil
	if i < len(a.entries) {
		a.entries[i].Size, a.entries[i].Offset = int64(len(a.Exports[i].Data)), -1
	}
	a.refresh()
}

// WriteTo writes the package.
func (a *archive) WriteTo(w io.Writer) (int64, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.checkPromises(); err != nil {
		return 0, err
	}
	if err := a.dropRemoved(); err != nil {
		return 0, err
	}
	if a.Edited() {
		if err := read.Relocations(a.Package, a.Env.Told()); err != nil {
			return 0, err
		}
		if n, err := write.Dead(a.Package); err == nil && n > 0 {
			a.Env.Told().Warnf("dead-bytes", "", "%d bytes of what was replaced stay in the package: it holds objects of layouts that usher does not know, which must not move", n)
		}
	}
	n := &counter{w: w}
	err := write.Package(n, a.Package)
	return n.n, err
}

type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}

// Facts describes the package.
func (a *archive) Facts() []format.Fact {
	a.mu.RLock()
	defer a.mu.RUnlock()
	p := a.Package
	facts := []format.Fact{{Name: "version", Value: int(p.Version)}}
	if p.Licensee != 0 {
		facts = append(facts, format.Fact{Name: "licensee", Value: p.LicenseeText()[len("licensee "):]})
	}
	facts = append(facts,
		format.Fact{Name: "flags", Value: unreal.FlagNames(p.Flags, unreal.PackageFlags)},
		format.Fact{Name: "GUID", Value: unreal.GUIDText(p.GUID)},
		format.Fact{Name: "names", Value: len(p.Names)},
		format.Fact{Name: "imports", Value: len(p.Imports)},
		format.Fact{Name: "exports", Value: len(p.Exports)},
	)
	if len(p.Generations) > 1 {
		facts = append(facts, format.Fact{Name: "generations", Value: len(p.Generations)})
	}
	if a.empty > 0 {
		facts = append(facts, format.Fact{Name: "empty exports", Value: a.empty})
	}
	if n := len(a.gone) - a.empty; n > 0 {
		facts = append(facts, format.Fact{Name: "removed exports", Value: n})
	}
	if len(p.Heritage) > 1 {
		facts = append(facts, format.Fact{Name: "heritage", Value: len(p.Heritage)})
	}
	var packages []string
	for i, m := range p.Imports {
		if m.Outer == 0 {
			packages = append(packages, p.ObjectName(unreal.Ref(-i-1)))
		}
	}
	return append(facts, format.Fact{Name: "needs packages", Value: packages})
}

// lead returns the entry of the level, which is what a map is to those who open it.
func (a *archive) lead() int {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return slices.IndexFunc(a.shown(), func(e format.Entry) bool { return e.Class == "Level" })
}

// piece reports whether an entry is the shape of a brush of the level.
func (a *archive) piece(e *format.Entry) bool {
	return e.Format != nil && e.Format.Name == modelName && a.lead() >= 0
}

// newLeaves are the formats in which packages store new objects, by their kind.
var newLeaves = map[format.Kind]format.Format{format.Texture: textureFormat, format.Sound: soundFormat, format.Text: textFormat, format.Model: meshFormat}

// newLeaf returns the format in which the package stores new objects of a kind.
func (a *archive) newLeaf(kind format.Kind) *format.Format {
	if f, ok := newLeaves[kind]; ok {
		return a.bind(f, -1)
	}
	return nil
}
