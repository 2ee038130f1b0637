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

// FormatByName returns the format of that name, such as "u9-texture"; nil when there is none.
func FormatByName(name string) *format.Format { return formats.ByName(name) }

// Recognise returns the name of the format of a file, native or not, by its content and its name: "cmp", "glb". It is empty
// for what nothing knows.
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

// Converter opens files. The zero value is ready, and may be used by several goroutines.
type Converter struct {
	From        *format.Format // the format to read; nil recognises it
	Options     format.Options
	Folders     []string            // where else to look for files that an input refers to, such as textures
	Diagnostics *schema.Diagnostics // takes warnings and losses; may be nil
}

func (c *Converter) loader() *engine.Loader {
	if c == nil {
		c = new(Converter)
	}
	return &engine.Loader{From: c.From, Options: c.Options, Folders: c.Folders}
}

// Open reads a file, or an entry of an archive: "ship.cmp", "sappear.flx:3". Whoever opens an item closes it.
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

// Read reads the bytes of a file. The files beside it are looked for in the converter's folders alone.
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

// OpenArchive opens the archive at a path. Whoever opens an archive closes it.
func (c *Converter) OpenArchive(path string) (*Archive, error) {
	a, err := store.OpenArchive(path, c.From, c.loader().Env(path, c.Diagnostics))
	if err != nil {
		return nil, schema.In(path, err)
	}
	return &Archive{a.ArchiveFile, a, c}, nil
}

// OpenArchiveAt opens an archive that r holds, which may be in memory, and stays open as long as the archive is used.
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

// Close releases what the item was read from.
func (i *Item) Close() { i.read().Close() }

// Native returns the format of an item and its value, such as "cmp" and a *freelancer.Tree; nil for what came from the
// file of another program.
func (i *Item) Native() (*format.Format, any) { return i.read().Format, i.read().Value }

// Lift returns the item as a scene, texture, sound, table or text.
func (i *Item) Lift() (asset.Asset, error) { return i.read().Lift() }

// To makes files of the item: target is an extension or the name of a format, such as "glb", ".png", "json" or "cmp". The
// main file comes first, named stem and the extension of its format; its companions follow.
func (i *Item) To(target, stem string) ([]format.File, error) {
	t, err := engine.ParseTarget(target, i.read())
	if err != nil {
		return nil, err
	}
	return engine.Export(i.read(), t, stem)
}

// Archive is an open archive. Its entries are listed, read, replaced, added and removed in memory, until WriteTo or Write.
type Archive struct {
	format.ArchiveFile
	a *store.Archive
	c *Converter
}

// Close releases the file that the archive was opened from.
func (a *Archive) Close() error { return a.a.Close() }

// Find returns the number of the entry with that path.
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

// Put replaces the entry at a path by an edited file of it, such as the PNG of a texture or the GLB of a model. The name of
// the file says what it is. What the file cannot hold stays as it is stored.
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

// Write writes the archive to a file, which must not be there unless force is set, with the files beside it that have to
// follow, and closes it. They get their names when all is on the disk.
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
