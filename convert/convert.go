package convert

import (
	"context"
	"fmt"
	"io"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/find"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// Formats returns every native format, family by family.
func Formats() []*format.Format {
	list := make([]*format.Format, len(formats.All))
	for i := range formats.All {
		list[i] = &formats.All[i]
	}
	return list
}

// FormatByName returns the native format with the given name, such as "u9-texture", or nil if there is none.
func FormatByName(name string) *format.Format { return formats.ByName(name) }

// Recognise returns the name of the format that a file has, such as "cmp" or "glb", judging by its content and its file
// name. Name may be empty. The result is empty if usher does not know the format.
func Recognise(name string, b []byte) string {
	f, x := interchange.Recognise(formats.NewInput(name, b))
	switch {
	case f != nil:
		return f.Name
	case x != nil:
		return x.Name
	}
	return ""
}

// Converter opens files and archives. The zero value is ready to use. Several goroutines may use one Converter.
type Converter struct {
	From        *format.Format // the native format to read; nil recognises it
	Options     format.Options
	Folders     []string            // further folders to search for files that an input refers to, such as textures
	Diagnostics *schema.Diagnostics // receives warnings and losses; may be nil
}

func (c *Converter) loader() *engine.Loader {
	if c == nil {
		c = new(Converter)
	}
	return &engine.Loader{From: c.From, Options: c.Options, Folders: c.Folders}
}

// Open reads a file ("ship.cmp") or one entry of an archive ("sappear.flx:3"). The caller closes the item.
func (c *Converter) Open(operand string) (*Item, error) {
	path, entry, err := engine.ParseOperand(operand)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", operand, err)
	}
	it, err := c.loader().Load(engine.Source{Path: path, Entry: entry}, c.Diagnostics)
	if err != nil {
		return nil, schema.In(operand, err)
	}
	return &Item{it}, nil
}

// Read reads a file from its bytes. Files that it refers to are searched only in the converter's Folders.
func (c *Converter) Read(name string, b []byte) (*Item, error) {
	it, err := c.loader().Decode(b, c.env(name))
	if err != nil {
		return nil, schema.In(name, err)
	}
	return &Item{it}, nil
}

// env is what a conversion of something in memory may look at.
func (c *Converter) env(name string) *format.Env {
	env := c.loader().Env(name, c.Diagnostics)
	env.Files = find.NewFiles(c.Folders...)
	return env
}

// OpenArchive opens the archive at a path. The caller closes it.
func (c *Converter) OpenArchive(path string) (*Archive, error) {
	a, err := store.OpenArchive(path, c.From, c.loader().Env(path, c.Diagnostics))
	if err != nil {
		return nil, schema.In(path, err)
	}
	return &Archive{a.ArchiveFile, a, c}, nil
}

// OpenArchiveAt opens an archive of size bytes from r, for example from memory. r must remain readable for as long as the
// archive is used. The caller closes the archive.
func (c *Converter) OpenArchiveAt(name string, r io.ReaderAt, size int64) (*Archive, error) {
	a, err := store.OpenArchiveAt(r, size, c.From, c.env(name))
	if err != nil {
		return nil, schema.In(name, err)
	}
	return &Archive{a.ArchiveFile, a, c}, nil
}

// Item is one file, or one entry of an archive, as it was read.
type Item struct{ it *interchange.Item }

// read returns what was read: nothing of an item that nobody opened.
func (i *Item) read() *interchange.Item {
	if i == nil || i.it == nil {
		return new(interchange.Item)
	}
	return i.it
}

// Close releases the file that the item was read from.
func (i *Item) Close() { i.read().Close() }

// Native returns the item's format and its schema value, such as "cmp" and a *freelancer.Tree. Both are nil if the item is
// an interchange file.
func (i *Item) Native() (*format.Format, any) { return i.read().Format, i.read().Value }

// Lift returns the item as an asset: a scene, texture, sound, table or text.
func (i *Item) Lift() (asset.Asset, error) { return i.read().Lift() }

// To converts the item to files. Target is an extension or the name of a format, such as "glb", ".png", "json" or "cmp".
// The main file comes first; its name is stem with the extension of its format. Its companions, such as textures, follow.
func (i *Item) To(target, stem string) ([]format.File, error) {
	t, err := engine.ParseTarget(target, i.read())
	if err != nil {
		return nil, err
	}
	return engine.Export(i.read(), t, stem)
}

// Archive is an open archive. Changes to its entries are collected in memory until WriteTo or Write saves them.
type Archive struct {
	format.ArchiveFile
	a *store.Archive
	c *Converter
}

// Close releases the file that the archive was opened from.
func (a *Archive) Close() error { return a.a.Close() }

// Find returns the number of the entry at a path, for methods that take a number. Paths are those of Entries.
func (a *Archive) Find(path string) (int, error) { return a.a.Find(path) }

// Read reads the entry at a path.
func (a *Archive) Read(path string) (*Item, error) {
	i, payload, err := a.stored(path)
	if err != nil {
		return nil, err
	}
	it, err := a.c.loader().ReadEntry(a.a, i, payload, a.env(path))
	if err != nil {
		return nil, err
	}
	return &Item{it}, nil
}

// Put replaces the entry at a path by what an edited file holds, such as a PNG for a texture or a GLB for a model. Name is
// the edited file's name; its extension helps to recognise it. What the edited file cannot express keeps its stored value.
func (a *Archive) Put(path, name string, edited []byte) error {
	i, payload, err := a.stored(path)
	if err != nil {
		return err
	}
	f := a.Entries()[i].Format.Of(i, payload)
	if f == nil {
		return fmt.Errorf("%s: %w: bytes alone can replace it", path, formats.ErrUnknown)
	}
	env := a.env(path)
	original := interchange.OriginalOf(f, payload, env)
	own := &Converter{Options: a.c.Options, Folders: a.c.Folders, Diagnostics: a.c.Diagnostics} // From is of the archive
	its := own.env(name)
	its.Original = original
	it, err := own.loader().Decode(edited, its)
	if err != nil {
		return schema.In(name, err)
	}
	if payload, err = engine.LowerOnto(f, original, it, env); err != nil {
		return schema.In(path, err)
	}
	return a.Replace(i, payload)
}

// Write saves the archive to the file out and closes it. It also saves the files beside the archive that have to change
// with it. All files get their names only when every one of them is complete on disk. It fails if out exists, unless force
// is set.
func (a *Archive) Write(ctx context.Context, out string, force bool) error {
	w := engine.ArchiveWriter{Archive: a.a, Loader: a.c.loader(), Out: out, Force: force, Diagnostics: a.c.Diagnostics}
	_, err := w.Write(ctx)
	return err
}

func (a *Archive) env(path string) *format.Env {
	env := a.c.loader().Env(a.a.Path, a.c.Diagnostics)
	env.Archive, env.Entry = a.ArchiveFile, path
	return env
}

func (a *Archive) stored(path string) (i int, payload []byte, err error) {
	if i, err = a.Find(path); err != nil {
		return 0, nil, err
	}
	payload, err = a.Payload(i)
	return i, payload, err
}
