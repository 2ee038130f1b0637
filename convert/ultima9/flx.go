package ultima9

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/ultima9/beside"
	"github.com/usher-assets/usher/convert/ultima9/look"
	"github.com/usher-assets/usher/convert/ultima9/model"
	"github.com/usher-assets/usher/convert/ultima9/texture"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// flxFile shows an FLX archive. The path of an entry is its slot number.
type flxFile struct {
	archive *ultima9.Archive
	name    string         // of the file
	leaf    *format.Format // what the records are; nil when nobody knows
	titles  map[int]string // by slot
	entries []format.Entry // used slots, ascending
	env     *format.Env

	brought  look.Brought        // new textures of models, for the archives of textures
	edited   sync.Map            // of a texture archive, path → *asset.Texture: the pictures as they were given
	siblings map[string]*flxFile // archives of textures that were brought in line, by the names of their sdInfo
}

func openFLX(r io.ReaderAt, size int64, env *format.Env) (format.ArchiveFile, error) {
	var d *schema.Diagnostics
	name := ""
	if env != nil {
		d, name = env.Diagnostics, env.Name
	}
	a, err := read.FLX(r, size, d)
	if err != nil {
		return nil, err
	}
	f := &flxFile{archive: a, name: name, leaf: recordFormat(a, name), env: env, brought: look.Brought{Env: env}}
	if f.titles = titles(f.leaf, name, env); f.titles == nil {
		f.titles = recordTitles(a, f.leaf, env)
	}
	if f.titles == nil {
		f.titles = ownerTitles(f.leaf, env)
	}
	f.list()
	return f, nil
}

func createFLX(env *format.Env) (format.ArchiveFile, error) {
	f := &flxFile{archive: ultima9.NewArchive(0), env: env, brought: look.Brought{Env: env}}
	if env != nil {
		f.name, f.leaf = env.Name, namedFormat(env.Name)
	}
	return f, nil
}

func (f *flxFile) list() {
	used := 0
	for i := range f.archive.Len() {
		if f.archive.Used(i) {
			used++
		}
	}
	f.entries = make([]format.Entry, 0, used)
	for i := range f.archive.Len() {
		if f.archive.Used(i) {
			f.entries = append(f.entries, f.entry(i))
		}
	}
}

func (f *flxFile) entry(slot int) format.Entry {
	e := format.Entry{Path: strconv.Itoa(slot), Title: f.titles[slot], Kind: format.Raw, Format: f.leaf, Size: f.archive.Length(slot), Offset: -1}
	if f.leaf != nil {
		e.Kind = f.leaf.Kind
	}
	if _, edited := f.archive.Edit(slot); !edited {
		e.Offset = int64(f.archive.Slots[slot].Offset)
	}
	return e
}

func (f *flxFile) Entries() []format.Entry { return f.entries }

// Abilities implements format.ArchiveFile.
func (f *flxFile) Abilities() format.Abilities {
	return format.Abilities{
		Leaf: f.newLeaf, Place: place, Movable: func(*format.Format) bool { return true },
		Partners: f.partners, UpdatePartner: f.updatePartner,
		Dead: func() (dead, size int64, err error) { return write.FLXDead(f.archive) }, Compact: func() { f.archive.Compact = true },
		PayloadInto: f.payloadInto, Section: f.section, SpoolTo: f.spoolTo, Related: f.related,
	}
}

// slot returns the slot number of entry i.
func (f *flxFile) slot(i int) (int, error) {
	if i < 0 || i >= len(f.entries) {
		return 0, schema.Errorf("flx", schema.ErrRange, "entry", "entry %d of %d", i, len(f.entries))
	}
	return strconv.Atoi(f.entries[i].Path)
}

func (f *flxFile) Payload(i int) ([]byte, error) { return f.payloadInto(nil, i) }

func (f *flxFile) payloadInto(buffer []byte, i int) ([]byte, error) {
	slot, err := f.slot(i)
	if err != nil {
		return nil, err
	}
	return f.archive.PayloadInto(buffer, slot)
}

func (f *flxFile) section(i int) (*io.SectionReader, error) {
	slot, err := f.slot(i)
	if err != nil {
		return nil, err
	}
	return f.archive.Section(slot)
}

func (f *flxFile) Replace(i int, payload []byte) error {
	slot, err := f.slot(i)
	if err != nil {
		return err
	}
	if err := f.archive.Replace(slot, payload); err != nil {
		return err
	}
	f.entries[i] = f.entry(slot)
	return nil
}

// Add stores a payload in an empty slot, whose number is the path. An empty path takes the first empty slot; a number past
// the end extends the directory.
func (f *flxFile) Add(path string, payload []byte, hint *format.Format) error {
	slot, err := f.free(path)
	if err != nil {
		return err
	}
	if err := f.archive.Grow(slot + 1); err != nil {
		return err
	}
	if err := f.archive.Replace(slot, payload); err != nil {
		return err
	}
	if f.leaf == nil {
		f.leaf = hint
	}
	at, _ := slices.BinarySearchFunc(f.entries, slot, func(e format.Entry, slot int) int {
		n, _ := strconv.Atoi(e.Path)
		return n - slot
	})
	f.entries = slices.Insert(f.entries, at, f.entry(slot))
	return nil
}

func (f *flxFile) spoolTo(file func() (*os.File, error)) {
	f.archive.Spool = func() (ultima9.Spool, error) { return file() }
}

// place returns the path of a new entry: of the name of a file the number of the slot is what counts.
func place(path string, _ []byte, _ *format.Format) string {
	if slot, err := beside.SlotOf(path); err == nil {
		return strconv.Itoa(slot)
	}
	return path
}

// newLeaf returns the format of new entries: that of the records which are there, else the usual one for the kind.
func (f *flxFile) newLeaf(kind format.Kind) *format.Format {
	if f.leaf != nil {
		if f.leaf.Kind == kind {
			return f.leaf
		}
		return nil
	}
	for _, r := range records {
		if r.Kind == kind {
			return r
		}
	}
	return nil
}

// free returns the slot that a path means, if nothing is there.
func (f *flxFile) free(path string) (int, error) {
	if path == "" {
		slot := 0
		for f.archive.Used(slot) {
			slot++
		}
		return slot, nil
	}
	slot, err := beside.SlotOf(path)
	if err == nil && f.archive.Used(slot) {
		err = schema.Errorf("flx", schema.ErrMismatch, "path", "slot %d is in use", slot)
	}
	return slot, err
}

func (f *flxFile) Remove(i int) error {
	slot, err := f.slot(i)
	if err != nil {
		return err
	}
	if err := f.archive.Remove(slot); err != nil {
		return err
	}
	f.entries = slices.Delete(f.entries, i, i+1)
	return nil
}

func (f *flxFile) WriteTo(w io.Writer) (int64, error) {
	c := counter{w: w}
	err := write.FLX(&c, f.archive)
	return c.n, err
}

// counter counts what is written.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}

// ReadFrom passes a copy on, so that files are copied by the system.
func (c *counter) ReadFrom(r io.Reader) (int64, error) {
	n, err := io.Copy(c.w, r)
	c.n += n
	return n, err
}

func (f *flxFile) Facts() []format.Fact {
	facts := []format.Fact{{Name: "slots", Value: f.archive.Len()}, {Name: "used", Value: len(f.entries)}}
	if f.leaf != nil {
		facts = append(facts, format.Fact{Name: "records", Value: f.leaf.Title})
	}
	if a := f.archive; a.Source != nil && (int64(a.Size) != a.SourceSize || a.Size2 != a.Size) {
		facts = append(facts, format.Fact{Name: "size in header", Value: a.Size})
	}
	return facts
}

// titles names the slots of meshes and textures after the types of objects that they show, where the files that tell
// it lie beside the archive: the first type that has a name.
func titles(leaf *format.Format, name string, env *format.Env) map[int]string {
	if !shownByTypes(leaf, name) {
		return nil
	}
	list := map[int]string{}
	typeUses(leaf, env, func(slot, _ int, name string) {
		if name != "" && list[slot] == "" {
			list[slot] = name
		}
	})
	return list
}

// shownByTypes reports whether types of objects refer to the records of an archive: meshes, or textures of icons.
func shownByTypes(leaf *format.Format, name string) bool {
	return leaf != nil && (leaf.Name == model.SappearName || leaf.Name == texture.Name && strings.HasPrefix(strings.ToLower(name), "bitmap"))
}

// typeUses calls use for every slot that a type of object refers to, with the type's name where it has one.
func typeUses(leaf *format.Format, env *format.Env, use func(slot, number int, name string)) {
	names := beside.TypeNames(env)
	nameOf := func(i int) string {
		if i < len(names) && names[i] != nil && names[i].Name != nil {
			return *names[i].Name
		}
		return ""
	}
	if leaf.Name == texture.Name {
		for i, n := range names {
			if n != nil && n.Icon != ultima9.DefaultIcon {
				use(int(n.Icon), i, nameOf(i))
			}
		}
		return
	}
	b, _, err := env.Find("types.dat")
	if err != nil {
		return
	}
	types, err := read.Types(b, nil)
	if err != nil {
		return
	}
	for i, t := range types.Records[:min(int(types.Active), len(types.Records))] {
		if t.Model != 0 { // model 0 is a debug cube
			use(int(t.Model), i, nameOf(i))
		}
	}
}

// Related lists the types of objects that show a mesh, or have a texture as their icon.
func (f *flxFile) related(i int) []format.Fact {
	slot, err := f.slot(i)
	if err != nil || !shownByTypes(f.leaf, f.name) {
		return nil
	}
	var list []string
	typeUses(f.leaf, f.env, func(at, number int, name string) {
		if at == slot {
			list = append(list, strings.TrimSpace(fmt.Sprintf("%d %s", number, name)))
		}
	})
	if list == nil {
		return nil
	}
	return []format.Fact{{Name: "types", Value: list}}
}
