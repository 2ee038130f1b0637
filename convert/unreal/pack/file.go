// Package pack has packages that are open: their objects, what is added to them, and what they import from others.
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
	Env *format.Env // what the user asked for; may be nil

	// Replaced and Placed tell who lists the exports that one has another payload, or is new or elsewhere. They may be nil.
	Replaced func(export int)
	Placed   func(export int) error

	others *libraries
	refs   refIndex
	former map[string]unreal.Ref // objects that were renamed, by what RefText said of them before
	users  map[unreal.Ref]int    // textures by their palette; nil until it is asked for
	parts  map[unreal.Ref]bool   // objects that were added for one that has no place yet

	dressing sync.Once // makes outfits
	outfits  map[string]*Outfit
}

// New returns a package as an open one.
func New(p *unreal.Package, env *format.Env) *File {
	return &File{Package: p, Env: env, others: &libraries{env: env}, parts: map[unreal.Ref]bool{}}
}

// DefaultVersion is the version of new packages.
const DefaultVersion = 69

// Scratch returns an empty package, for objects that no package has.
func Scratch() *File { return New(&unreal.Package{Version: DefaultVersion}, nil) }

// Open reads the tables of a package, in which every object has a path.
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

// As decodes an export that holds a T; nil where it holds anything else.
func As[T any](f *File, export int) (*T, error) {
	o, err := f.Object(export)
	if err != nil {
		return nil, err
	}
	x, _ := o.(any).(*T)
	return x, nil
}

// Decode reads a payload of an export, −1 for one that is yet to be added. Positions in it may be those of another file.
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

// Original decodes the object that [Native] left; nil when there is none.
func (f *File) Original(export int, format string, n *asset.Native) (unreal.AnyObject, error) {
	if n == nil || n.Format != format || len(n.Payload) == 0 {
		return nil, nil
	}
	if export < 0 {
		return nil, nil // the stored bytes name objects of their own package, not of this one
	}
	return f.Decode(export, n.Payload, nil)
}

// Painter returns what puts pictures into textures of the package.
func (f *File) Painter(env *format.Env) *texture.Painter {
	p := &texture.Painter{Palettes: f, Package: f.Package, Diagnostics: f.Env.Told()}
	if env != nil {
		p.Options, p.Diagnostics = env.Options, env.Diagnostics
	}
	return p
}

// Replace gives an export another payload.
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

// Store gives an export the payload of an object.
func (f *File) Store(export int, o unreal.AnyObject) error {
	b, err := write.Object(o)
	if err != nil {
		return err
	}
	return f.Replace(export, b)
}

// Put makes an object the one that a new export holds.
func (f *File) Put(r unreal.Ref, o unreal.AnyObject) error {
	o.Base().Context = f.Context(int(r - 1))
	o.Base().Context.Offset = -1
	b, err := write.Object(o)
	if err != nil {
		return err
	}
	return f.Fill(r, b)
}

// Fill gives a new export its payload.
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

// AddObject makes an export of a class of the engine.
func (f *File) AddObject(class, name string, o unreal.AnyObject) (unreal.Ref, error) {
	b, err := write.Object(o)
	if err != nil {
		return 0, err
	}
	r := f.AddExport(f.AddClass("Engine", class), 0, name, unreal.ResourceFlags)
	return r, f.Fill(r, b)
}

// AddPart makes an export for an object that has no place yet; [File.Settle] gives it its own then.
func (f *File) AddPart(class, name string, o unreal.AnyObject) (unreal.Ref, error) {
	r, err := f.AddObject(class, name, o)
	if err == nil {
		f.parts[r] = true
	}
	return r, err
}

// Settle moves what was made for the new object r into its group: the palette of a texture, and, called like it, the
// Animation of a mesh and the pages of a font.
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

// FreeName returns a name that no other object of the class of r has in a group; of any class, where r is 0.
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
