package unreal

import (
	"bytes"
	"math"

	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// reader is a cursor that knows the package: compact indices, names, references, strings and lazy arrays.
type reader struct {
	*read.Cursor
	*unreal.Context
	version   uint16
	indices   uint32 // compact indices read so far
	odd       []unreal.OddIndex
	fixups    []unreal.Fixup
	found     *[]unreal.Ref // takes the references that are read; nil for nobody
	named     *[]unreal.NameIndex
	strayCode bool  // the tokens of the byte code do not add up
	mark      int   // of the trace, at the start
	start     int64 // offset by which stored positions are judged; negative until the first lazy array tells
	d         *schema.Diagnostics
}

func newReader(c *read.Cursor, x *unreal.Context) *reader {
	return &reader{Cursor: c, Context: x, version: x.Package.Version, start: x.Offset}
}

// objectReader returns a reader over a payload.
func objectReader(b []byte, x *unreal.Context, d *schema.Diagnostics) *reader {
	known := x != nil && x.Package != nil
	if !known {
		x = &unreal.Context{Package: new(unreal.Package)}
	}
	r := newReader(read.NewCursorAt(unreal.Format, x.Path, b, max(x.Offset, 0), d), x)
	r.d, r.mark = d, r.Mark()
	if !known {
		r.Failf(schema.ErrValue, "", "an object cannot be read without its package")
	}
	return r
}

// Index reads a compact index and remembers a form that is longer than needed.
func (r *reader) Index(field string) int32 {
	v, width, minus := r.Compact(field)
	if width > 1 && width > compactSize(v) || v == 0 && minus {
		r.odd = append(r.odd, unreal.OddIndex{N: r.indices, Value: v, Width: uint8(width), Minus: minus})
	}
	r.indices++
	return v
}

func compactSize(v int32) int {
	magnitude := uint32(v)
	if v < 0 {
		magnitude = -magnitude
	}
	size := 1
	for limit := uint32(1) << 6; magnitude >= limit && size < 5; limit <<= 7 {
		size++
	}
	return size
}

// Name reads an index into the name table.
func (r *reader) Name(field string) unreal.NameIndex {
	at := r.Cursor.Offset()
	v := r.Index(field)
	if r.Err() == nil && (v < 0 || int(v) >= len(r.Package.Names)) {
		r.FailAtf(at, schema.ErrRange, field, "name %d of %d", v, len(r.Package.Names))
		return 0
	}
	r.noteName(unreal.NameIndex(v))
	if r.Noting() {
		r.Explain(r.Package.Name(unreal.NameIndex(v)))
	}
	return unreal.NameIndex(v)
}

// Ref reads an object reference.
func (r *reader) Ref(field string) unreal.Ref {
	at := r.Cursor.Offset()
	v := unreal.Ref(r.Index(field))
	if r.Err() == nil && !r.Package.Valid(v) {
		r.FailAtf(at, schema.ErrRange, field, "reference %d; there are %d imports and %d exports", v, len(r.Package.Imports), len(r.Package.Exports))
		return 0
	}
	r.note(v)
	if r.Noting() {
		r.Explain(r.refText(v))
	}
	return v
}

// refText names what a reference leads to by its class and path, for a trace.
func (r *reader) refText(v unreal.Ref) string {
	if v == 0 || !r.Package.Valid(v) {
		return ""
	}
	return r.Package.RefText(v)
}

// note hands a reference to whoever collects them.
func (r *reader) note(v unreal.Ref) {
	if r.found != nil && v != 0 {
		*r.found = append(*r.found, v)
	}
}

// noteName hands a name to whoever collects them.
func (r *reader) noteName(n unreal.NameIndex) {
	if r.named != nil {
		*r.named = append(*r.named, n)
	}
}

// Len reads the count of an array of elements of at least size bytes.
func (r *reader) Len(size int, field string) int {
	at := r.Cursor.Offset()
	n := r.Index(field)
	if n < 0 {
		r.FailAtf(at, schema.ErrCount, field, "count %d is negative", n)
		return 0
	}
	return r.Count(uint64(n), size, field)
}

// list reads an array of elements of at least size bytes each.
func list[T any](r *reader, size int, field string, element func(*T)) []T {
	return listOf(r, r.Len(size, field), field, element)
}

// listOf reads n elements, whose number was checked before.
func listOf[T any](r *reader, n int, field string, element func(*T)) []T {
	if n == 0 {
		return nil
	}
	all := make([]T, n)
	for i := range all {
		r.Enter(field, i)
		element(&all[i])
		if r.Err() != nil {
			return nil
		}
		r.Leave()
	}
	return all
}

func (r *reader) refs(field string) []unreal.Ref {
	return list(r, 1, field, func(v *unreal.Ref) { *v = r.Ref(field) })
}

func (r *reader) vectors(field string) [][3]float32 { return r.Vec3s(r.Len(12, field), field) }

func (r *reader) u16s(field string) []uint16 { return r.U16s(r.Len(2, field), field) }

// wide turns the negative length of UTF-16 text into bytes.
func (r *reader) wide(length int32, field string) int {
	if length == math.MinInt32 || int(-length) > r.Left()/2 {
		r.Failf(schema.ErrTruncated, field, "%d characters of 2 bytes, %d bytes left", -int64(length), r.Left())
		return 0
	}
	return 2 * int(-length)
}

// Str reads a string of a payload (reference section 6).
func (r *reader) Str(field string) unreal.Str {
	old := r.version < unreal.LazyVersion // writes even the zero of an empty string
	n := r.Index(field)
	if n == 0 {
		if old && r.Err() == nil {
			return unreal.Str{Form: unreal.NameRaw, Raw: []byte{}}
		}
		return unreal.Str{}
	}
	if n < 0 {
		b := r.Data(r.wide(n, field), schema.LayoutWide, field)
		if end := len(b) - 2; end >= 0 && b[end] == 0 && b[end+1] == 0 {
			if text, exact := unreal.WideText(b[:end]); exact {
				return unreal.Str{Text: text, Form: unreal.NameWide}
			}
		}
		text, _ := unreal.WideText(b)
		return unreal.Str{Text: text, Form: unreal.NameRawWide, Raw: b}
	}
	b := r.Data(int(n), schema.LayoutText, field)
	if b != nil && (len(b) > 1 || old) && b[len(b)-1] == 0 {
		return unreal.Str{Text: schema.DecodeWindows1252(b[:len(b)-1])}
	}
	return unreal.Str{Text: schema.DecodeWindows1252(b), Form: unreal.NameRaw, Raw: b}
}

// lazy reads the elements of a lazy array (reference section 7): read gets their number, which was checked against
// size bytes each, and the bytes up to the stored end, or −1 where the version stores none.
func (r *reader) lazy(size int, field string, read func(n, bytes int)) {
	if r.version < unreal.LazyVersion {
		read(r.Len(size, field), -1)
		return
	}
	at := r.Pos()
	stored := int64(r.U32(field + " end"))
	n := r.Len(size, field)
	if r.Err() != nil {
		return
	}
	bytes := n * size
	if r.start >= 0 {
		// The end may tell that elements are wider than the usual; it must lie in the object then.
		end := stored - r.start
		if end < int64(r.Pos()) || end > int64(r.Pos()+r.Left()) {
			r.FailAtf(r.Cursor.Offset(), schema.ErrMismatch, field+" end", "0x%x is outside the object", stored)
			return
		}
		bytes = int(end) - r.Pos()
	}
	body := r.Pos()
	read(n, bytes)
	if r.Err() != nil {
		return
	}
	if r.start < 0 && stored >= int64(r.Pos()) {
		r.start = stored - int64(r.Pos())
		r.Context.Offset = r.start // so that it is written back as it is stored
	}
	if stored != r.start+int64(r.Pos()) {
		r.FailAtf(r.Cursor.Offset(), schema.ErrMismatch, field+" end", "stored end 0x%x, but %d elements from 0x%x on end at 0x%x",
			stored, n, r.start+int64(body), r.start+int64(r.Pos()))
		return
	}
	r.fixups = append(r.fixups, unreal.Fixup{At: int32(at), End: int32(r.Pos())})
}

// lazyBytes reads a lazy array of bytes.
func (r *reader) lazyBytes(field string) (b []byte) {
	r.lazy(1, field, func(n, _ int) { b = r.Data(n, field, field) })
	return b
}

// base reads what most objects begin with: state frame and properties.
func (r *reader) base(o *unreal.Object) {
	o.Context = r.Context
	if r.Flags&unreal.HasStack != 0 {
		o.Frame = r.frame()
	}
	o.Properties, o.End = r.properties()
}

func (r *reader) frame() *unreal.StateFrame {
	r.Enter("state frame", -1)
	defer r.Leave()
	f := &unreal.StateFrame{Node: r.Ref("node"), State: r.Ref("state"), Probe: r.U64("probe mask"), Latent: r.U32("latent action")}
	if f.Node != 0 {
		f.Offset = r.Index("code offset")
	}
	return f
}

// finish takes over what is left and what was noticed on the way.
func (r *reader) finish(o *unreal.Object) error {
	if r.Err() != nil {
		return r.Err()
	}
	o.Odd = r.odd
	if r.Left() > 0 {
		o.Tail = r.Rest()
	}
	return nil
}

// Base reads the common part of any object except a class, and leaves the rest in Tail. It is meant for objects whose class
// usher does not know.
func Base(b []byte, x *unreal.Context, d *schema.Diagnostics) (*unreal.Object, error) {
	r := objectReader(b, x, d)
	o := new(unreal.Object)
	r.base(o)
	return o, r.finish(o)
}

// decode reads a payload with the function of its class.
func decode[T any, P interface {
	*T
	unreal.AnyObject
}](b []byte, x *unreal.Context, d *schema.Diagnostics, f func(*reader, P)) (P, error) {
	return finish(objectReader(b, x, d), f)
}

func finish[T any, P interface {
	*T
	unreal.AnyObject
}](r *reader, f func(*reader, P)) (P, error) {
	v := P(new(T))
	f(r, v)
	if err := r.finish(v.Base()); err != nil {
		return nil, err
	}
	return v, nil
}

// readers are the payload layouts that usher knows.
var readers = map[unreal.Kind]func(*reader) (unreal.AnyObject, error){
	unreal.TextureKind:      as(texture),
	unreal.FireKind:         as(texture),
	unreal.PaletteKind:      as(palette),
	unreal.SoundKind:        as(sound),
	unreal.MusicKind:        as(music),
	unreal.FontKind:         as(font),
	unreal.TextBufferKind:   as(textBuffer),
	unreal.MeshKind:         as(mesh),
	unreal.LodMeshKind:      as(lodMesh),
	unreal.SkeletalMeshKind: as(skeletalMesh),
	unreal.AnimationKind:    as(animation),
	unreal.ModelKind:        as(model),
	unreal.VectorsKind:      as(vectorsObject),
	unreal.BspNodesKind:     as(bspNodes),
	unreal.BspSurfsKind:     as(bspSurfs),
	unreal.VertsKind:        as(verts),
	unreal.PolysKind:        as(polys),
	unreal.LevelKind:        as(level),
	unreal.ClassKind:        as(class),
	unreal.StructKind:       as(structObject),
	unreal.FunctionKind:     as(function),
	unreal.StateKind:        as(stateObject),
	unreal.EnumKind:         as(enum),
	unreal.ConstKind:        as(constant),
	unreal.PropertyKind:     as(propertyDecl),
}

// as drops the type that a layout's function fills.
func as[T any, P interface {
	*T
	unreal.AnyObject
}](f func(*reader, P)) func(*reader) (unreal.AnyObject, error) {
	return func(r *reader) (unreal.AnyObject, error) {
		v, err := finish(r, f)
		if err != nil {
			return nil, err
		}
		return v, nil
	}
}

// plain is the layout of groups, of actors, and of every class that usher does not know.
var plain = as(func(r *reader, o *unreal.Object) { r.base(o) })

// Object reads an object of any class. The result has the type of its payload layout, such as *unreal.Texture or
// *unreal.Class. If usher does not know the class, it is an *unreal.Object, with the data of the class in Tail.
func Object(b []byte, x *unreal.Context, d *schema.Diagnostics) (unreal.AnyObject, error) {
	return object(objectReader(b, x, d))
}

func object(r *reader) (unreal.AnyObject, error) {
	kind := unreal.Classes[r.Class]
	if kind.Script() && r.Package.Dialect() {
		return r.opaque("its byte code is of a dialect that usher does not know"), nil
	}
	f := readers[kind]
	if f == nil {
		f = plain
	}
	whole := r.Peek(r.Left())
	o, err := f(r)
	switch {
	case err != nil && r.strayCode:
		r.restart(whole)
		return r.opaque("the size of its byte code is not the one that its header says"), nil
	case err != nil && kind == unreal.TextBufferKind && emptied(whole):
		r.restart(whole)
		return r.opaque("somebody has taken the text out"), nil
	case r.Package.Dialect() && (err != nil || kind != unreal.UnknownKind && len(o.Base().Tail) > 0):
		r.restart(whole)
		return r.opaque("its layout is not that of the games that usher knows"), nil
	}
	return o, err
}

// emptied reports whether a payload is what tools leave of a script's text that nobody shall read: nothing, or blanks and an
// empty text (reference section 10). The game does not load it.
func emptied(b []byte) bool {
	return len(b) == 0 || string(bytes.TrimLeft(b, " ")) == "\x01\x00"
}

// restart goes back to the beginning of the payload.
func (r *reader) restart(b []byte) {
	r.Cursor = read.NewCursorAt(unreal.Format, r.Context.Path, b, max(r.Context.Offset, 0), r.d)
	r.Rewind(r.mark)
	r.odd, r.fixups, r.indices = nil, nil, 0
}

// opaque keeps a payload as it is (reference section 21).
func (r *reader) opaque(why string) unreal.AnyObject {
	severity := schema.Warning
	if r.Package.Dialect() || unreal.Classes[r.Class] == unreal.TextBufferKind { // the package said so, once for all of them; or there is nothing to be had
		severity = schema.Note
	}
	r.d.Add(schema.Diagnostic{Severity: severity, Code: schema.KeptAsStored, Path: r.Context.Path, Offset: -1, Msg: why + "; it is kept as it is"})
	return &unreal.Object{Context: r.Context, Opaque: true, Tail: r.Rest()}
}
