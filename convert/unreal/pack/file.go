// Package pack has open packages ([File]): it decodes their objects, adds and replaces objects, and resolves imports from
// other packages.
package pack

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/unreal/texture"
	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
	write "github.com/usher-assets/usher/write/unreal"
)

// File is an open package.
type File struct {
	*unreal.Package
	Env *format.Env // options and files of the conversion; may be nil

	// Replaced and Placed are called when an export has got another payload, or is new or was moved to another group. They may
	// be nil.
	Replaced func(export int)
	Placed   func(export int) error

	others *libraries
	refs   refIndex
	former map[string]unreal.Ref // objects that were renamed, by their old RefText
	users  map[unreal.Ref]int    // textures by their palette; nil until needed
	parts  map[unreal.Ref]bool   // objects that were added for one that does not exist yet

	declared declarations
	naming   sync.Once // makes natives
	natives  map[int]string

	dressing sync.Once // makes outfits
	outfits  map[string]*Outfit
}

// New returns a File for a package.
func New(p *unreal.Package, env *format.Env) *File {
	return &File{Package: p, Env: env, others: &libraries{env: env}, parts: map[unreal.Ref]bool{}}
}

// DefaultVersion is the version of new packages.
const DefaultVersion = 69

// Scratch returns a File for an empty package, for objects that are in no package.
func Scratch() *File { return New(&unreal.Package{Version: DefaultVersion}, nil) }

// Open reads the tables of a package and checks that every object has a path.
func Open(r io.ReaderAt, size int64, env *format.Env) (*File, error) {
	p, err := read.Package(r, size, env.Told())
	if err != nil {
		return nil, err
	}
	p.KeepGUID = env != nil && env.Options.Unreal.KeepGUID
	for i := range p.Imports {
		if err := p.CheckOuters(unreal.Ref(-i - 1)); err != nil {
			return nil, err
		}
	}
	for i := range p.Exports {
		if err := p.CheckOuters(unreal.Ref(i + 1)); err != nil {
			return nil, err
		}
	}
	return New(p, env), nil
}

// Payload returns the bytes of an export.
func (f *File) Payload(export int) ([]byte, error) {
	if export < 0 || export >= len(f.Exports) {
		return nil, schema.Errorf(unreal.Format, schema.ErrRange, "entry", "%d of %d", export, len(f.Exports))
	}
	return f.Package.Payload(export)
}

// Object decodes an export.
func (f *File) Object(export int) (unreal.AnyObject, error) {
	b, err := f.Payload(export)
	if err != nil {
		return nil, err
	}
	return read.Object(b, f.Context(export), nil)
}

// As decodes an export if it holds a T, and returns nil otherwise.
func As[T any](f *File, export int) (*T, error) {
	o, err := f.Object(export)
	if err != nil {
		return nil, err
	}
	x, _ := o.(any).(*T)
	return x, nil
}

// Decode decodes a payload for export i, or −1 for one that is yet to be added. File positions in it may be those of
// another file.
func (f *File) Decode(export int, b []byte, d *schema.Diagnostics) (unreal.AnyObject, error) {
	x := &unreal.Context{Package: f.Package}
	if export >= 0 {
		x = f.Context(export)
	}
	trace := d.Trace()
	noted := trace.Mark()
	o, err := read.Object(b, x, d)
	if err == nil || !errors.Is(err, schema.ErrMismatch) {
		return o, err
	}
	trace.Rewind(noted)
	was := x.Offset
	x.Offset = -1
	if o, other := read.Object(b, x, d); other == nil {
		return o, nil
	}
	if trace.Rewind(noted); trace != nil { // the first error is told: note what led to it
		x.Offset = was
		_, err = read.Object(b, x, d)
	}
	return nil, err
}

// Original decodes the object stored by [Native]; nil if there is none.
func (f *File) Original(export int, format string, n *asset.Native) (unreal.AnyObject, error) {
	if n == nil || n.Format != format || len(n.Payload) == 0 {
		return nil, nil
	}
	if export < 0 {
		return nil, nil // the stored bytes name objects of their own package, not of this one
	}
	return f.Decode(export, n.Payload, nil)
}

// Painter returns a Painter for textures of the package.
func (f *File) Painter(env *format.Env) *texture.Painter {
	p := &texture.Painter{Palettes: f, Package: f.Package, Diagnostics: f.Env.Told()}
	if env != nil {
		p.Options, p.Diagnostics = env.Options, env.Diagnostics
	}
	return p
}

// Replace sets the payload of an export.
func (f *File) Replace(export int, payload []byte) error {
	stored, err := f.Payload(export)
	if err != nil {
		return err
	}
	if bytes.Equal(stored, payload) {
		return nil
	}
	if err := read.Replace(f.Package, export, payload, f.Env.Told()); err != nil {
		return err
	}
	if f.Replaced != nil {
		f.Replaced(export)
	}
	return nil
}

// Store encodes an object as the payload of an export.
func (f *File) Store(export int, o unreal.AnyObject) error {
	b, err := write.Object(o)
	if err != nil {
		return err
	}
	return f.Replace(export, b)
}

// Put encodes an object as the payload of a new export.
func (f *File) Put(r unreal.Ref, o unreal.AnyObject) error {
	o.Base().Context = f.Context(int(r - 1))
	o.Base().Context.Offset = -1
	b, err := write.Object(o)
	if err != nil {
		return err
	}
	return f.Fill(r, b)
}

// Fill sets the payload of a new export.
func (f *File) Fill(r unreal.Ref, payload []byte) error {
	if err := read.Replace(f.Package, int(r-1), payload, f.Env.Told()); err != nil {
		return err
	}
	return f.place(r)
}

func (f *File) place(r unreal.Ref) error {
	if f.Placed == nil {
		return nil
	}
	return f.Placed(int(r - 1))
}

// AddObject adds an export whose class is one of the engine.
func (f *File) AddObject(class, name string, o unreal.AnyObject) (unreal.Ref, error) {
	b, err := write.Object(o)
	if err != nil {
		return 0, err
	}
	r := f.AddExport(f.AddClass("Engine", class), 0, name, unreal.ResourceFlags)
	return r, f.Fill(r, b)
}

// AddPart adds an export that belongs to an object which does not exist yet. [File.Settle] moves it to its group later.
func (f *File) AddPart(class, name string, o unreal.AnyObject) (unreal.Ref, error) {
	r, err := f.AddObject(class, name, o)
	if err == nil {
		f.parts[r] = true
	}
	return r, err
}

// Settle moves the parts made for a new object r into r's group: the palette of a texture, the Animation of a mesh, the
// pages of a font. The latter two get names made from that of r.
func (f *File) Settle(r unreal.Ref) error {
	o, err := f.Object(int(r - 1))
	if err != nil {
		return err
	}
	own := f.ObjectName(r)
	switch o := o.(type) {
	case *unreal.SkeletalMesh:
		return f.follow(o.Animation, r, own+"Anim")
	case *unreal.Font:
		for n, p := range o.Pages {
			if !f.parts[p.Texture] {
				continue
			}
			if err := f.follow(p.Texture, r, own+"Page"+strconv.Itoa(n)); err != nil {
				return err
			}
			if err := f.Settle(p.Texture); err != nil {
				return err
			}
		}
	}
	return f.follow(o.Base().Ref("Palette"), r, "")
}

// follow moves a part into the group of the object that it was made for, under a name of its own.
func (f *File) follow(part, r unreal.Ref, name string) error {
	if !f.parts[part] {
		return nil
	}
	delete(f.parts, part)
	outer := f.Exports[r-1].Outer
	e := &f.Exports[part-1]
	f.refs = refIndex{}
	if name == "" && outer == 0 {
		return nil
	}
	e.Outer = outer
	if name != "" {
		e.Name = f.AddName(f.FreeName(outer, name, part))
	}
	return f.place(part)
}

// FreeName returns a name that no other object in the group has. If r is not 0, only objects of r's class count.
func (f *File) FreeName(outer unreal.Ref, name string, r unreal.Ref) string {
	name = name[:min(len(name), unreal.MaxName-4)]
	free := name
	for n := 2; f.taken(outer, free, r); n++ {
		free = name + strconv.Itoa(n)
	}
	return free
}

func (f *File) taken(outer unreal.Ref, name string, r unreal.Ref) bool {
	for i := range f.Exports {
		e := &f.Exports[i]
		if unreal.Ref(i+1) != r && e.Outer == outer && (r == 0 || e.Class == f.Exports[r-1].Class) && strings.EqualFold(f.Name(e.Name), name) {
			return true
		}
	}
	return false
}
