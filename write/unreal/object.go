package unreal

import (
	"slices"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/write"
)

// writer is a buffer that knows the package: compact indices with their odd forms, strings and lazy arrays.
type writer struct {
	*write.Buffer
	*unreal.Context
	version uint16
	indices uint32
	odd     []unreal.OddIndex // those still to come
}

func newWriter(x *unreal.Context, size int) *writer {
	w := &writer{Buffer: write.NewBuffer(unreal.Format, size), Context: x}
	if x == nil || x.Package == nil {
		w.Context = &unreal.Context{Package: new(unreal.Package)}
		w.Failf(schema.ErrValue, "Context", "the object is in no package")
	}
	w.version = w.Package.Version
	return w
}

// Index appends a compact index, in the odd form that was read where there was one for the same value.
func (w *writer) Index(v int32) {
	n := w.indices
	w.indices++
	for len(w.odd) > 0 && w.odd[0].N < n {
		w.odd = w.odd[1:]
	}
	if len(w.odd) > 0 && w.odd[0].N == n && w.odd[0].Value == v {
		w.CompactForm(v, int(w.odd[0].Width), w.odd[0].Minus)
		return
	}
	w.Compact(v)
}

// Name appends an index into the name table.
func (w *writer) Name(n unreal.NameIndex) { w.Index(int32(n)) }

// Ref appends an object reference.
func (w *writer) Ref(r unreal.Ref) { w.Index(int32(r)) }

func (w *writer) refs(all []unreal.Ref) {
	w.Index(int32(len(all)))
	for _, r := range all {
		w.Ref(r)
	}
}

func (w *writer) vectors(v [][3]float32) {
	w.Index(int32(len(v)))
	w.Vec3s(v)
}

func (w *writer) u16s(v []uint16) {
	w.Index(int32(len(v)))
	w.U16s(v)
}

// latin appends length, Windows-1252 characters and a zero.
func (w *writer) latin(s, field string) {
	b, ok := schema.EncodeWindows1252(s)
	if !ok {
		w.Failf(schema.ErrValue, field, "%q holds a character that Windows-1252 lacks", s)
	}
	w.Index(int32(len(b) + 1))
	w.Bytes(b)
	w.U8(0)
}

// Str appends a string of a payload (reference section 6). Text that Windows-1252 lacks becomes UTF-16.
func (w *writer) Str(s unreal.Str, field string) {
	if raw := s.Form == unreal.NameRaw || s.Form == unreal.NameRawWide; raw != (s.Raw != nil) || raw && s.Text != unreal.RawText(s.Raw, s.Form) {
		w.Failf(schema.ErrMismatch, field, "%q is stored in another form than Form says, or is not what Raw reads as", s.Text)
		return
	}
	if s.Raw != nil && s.Form == unreal.NameRaw {
		w.Index(int32(len(s.Raw)))
		w.Bytes(s.Raw)
		return
	}
	if s.Raw != nil && s.Form == unreal.NameRawWide {
		w.Index(int32(-len(s.Raw) / 2))
		w.Bytes(s.Raw)
		return
	}
	if s.Text == "" && s.Form == unreal.NameBytes && w.version >= unreal.LazyVersion {
		w.Index(0)
		return
	}
	if _, ok := schema.EncodeWindows1252(s.Text); ok && s.Form == unreal.NameBytes {
		w.latin(s.Text, field)
		return
	}
	b := unreal.EncodeWide(s.Text)
	w.Index(int32(-len(b)/2 - 1))
	w.Bytes(b)
	w.U16(0)
}

// lazy appends a lazy array of n elements (reference section 7).
func (w *writer) lazy(n int, field string, elements func()) {
	if w.version < unreal.LazyVersion {
		w.Index(int32(n))
		elements()
		return
	}
	end := w.Reserve32()
	w.Index(int32(n))
	elements()
	w.Patch32(end, int(max(w.Context.Offset, 0))+w.Len(), field+" end")
}

func (w *writer) lazyBytes(b []byte, field string) {
	w.lazy(len(b), field, func() { w.Bytes(b) })
}

// objectWriter returns a writer for an object.
func objectWriter(o *unreal.Object, size int) *writer {
	w := newWriter(o.Context, size+len(o.Tail))
	if o.Opaque {
		w.NoPlace("Opaque", "an object of a known layout")
	}
	w.odd = o.Odd
	return w
}

// base appends what most objects begin with: state frame and properties.
func (w *writer) base(o *unreal.Object) {
	if f := o.Frame; f != nil {
		w.Ref(f.Node)
		w.Ref(f.State)
		w.U64(f.Probe)
		w.U32(f.Latent)
		if f.Node != 0 {
			w.Index(f.Offset)
		}
	}
	w.properties(o)
}

// finish appends the tail.
func (w *writer) finish(o *unreal.Object) ([]byte, error) {
	w.Bytes(o.Tail)
	return w.Finish()
}

// Base writes an object whose class usher does not know.
func Base(o *unreal.Object) ([]byte, error) {
	if o.Opaque {
		return opaque(o)
	}
	w := objectWriter(o, 64+16*len(o.Properties))
	w.base(o)
	return w.finish(o)
}

// opaque writes an object of which nothing is understood: its Tail is all of it.
func opaque(o *unreal.Object) ([]byte, error) {
	if o.Frame != nil || len(o.Properties) > 0 || len(o.Odd) > 0 {
		return nil, schema.Errorf(unreal.Format, schema.ErrMismatch, "Opaque", "an object that is all Tail has no properties or state")
	}
	return slices.Clone(o.Tail), nil
}

// Object writes an object of any class.
func Object(o unreal.AnyObject) ([]byte, error) {
	switch o := o.(type) {
	case nil:
		return nil, schema.Errorf(unreal.Format, schema.ErrValue, "", "there is no object")
	case *unreal.Object:
		return Base(o)
	case *unreal.Texture:
		return Texture(o)
	case *unreal.Palette:
		return Palette(o)
	case *unreal.Sound:
		return Sound(o)
	case *unreal.Music:
		return Music(o)
	case *unreal.Font:
		return Font(o)
	case *unreal.TextBuffer:
		return TextBuffer(o)
	case *unreal.Mesh:
		return Mesh(o)
	case *unreal.LodMesh:
		return LodMesh(o)
	case *unreal.SkeletalMesh:
		return SkeletalMesh(o)
	case *unreal.Animation:
		return Animation(o)
	case *unreal.Model:
		return Model(o)
	case *unreal.Vectors:
		return vectorsObject(o)
	case *unreal.BspNodes:
		return bspNodes(o)
	case *unreal.BspSurfs:
		return bspSurfs(o)
	case *unreal.Verts:
		return verts(o)
	case *unreal.Polys:
		return Polys(o)
	case *unreal.Level:
		return Level(o)
	case *unreal.Class:
		return Class(o)
	case *unreal.Struct:
		return structObject(o)
	case *unreal.Function:
		return function(o)
	case *unreal.State:
		return stateObject(o)
	case *unreal.Enum:
		return enum(o)
	case *unreal.Const:
		return constant(o)
	case *unreal.PropertyDecl:
		return propertyDecl(o)
	}
	return nil, schema.Errorf(unreal.Format, schema.ErrUnsupported, "", "%T is no object", o)
}
