package unreal

import (
	"errors"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// Class reads a class (reference section 13).
func Class(b []byte, x *unreal.Context, d *schema.Diagnostics) (*unreal.Class, error) {
	return decode(b, x, d, class)
}

func (r *reader) field(f *unreal.Field) {
	f.Super, f.Next = r.Ref("super"), r.Ref("next")
}

// structure reads what follows the properties of structs, functions, states and classes.
func (r *reader) structure(s *unreal.Struct) {
	r.field(&s.Field)
	s.ScriptText, s.Children = r.Ref("script text"), r.Ref("children")
	s.FriendlyName = r.Name("friendly name")
	s.Line, s.TextPos = r.U32("line"), r.U32("text position")
	s.ScriptSize = r.U32("script size")
	s.Code = r.code(s.ScriptSize)
}

func structObject(r *reader, s *unreal.Struct) {
	r.base(&s.Object)
	r.structure(s)
}

func function(r *reader, f *unreal.Function) {
	structObject(r, &f.Struct)
	old := r.version < unreal.CountedVersion
	if old {
		f.OldParmSize = r.U16("parameter size")
	}
	f.Native = r.U16("native index")
	if old {
		f.OldParms = r.U8("parameter count")
	}
	f.Precedence = r.U8("precedence")
	if old {
		f.OldReturnOffset = r.U16("return offset")
	}
	f.FuncFlags = r.U32("function flags")
	if f.FuncFlags&unreal.FunctionNet != 0 {
		f.RepOffset = r.U16("replication offset")
	}
}

func (r *reader) state(s *unreal.State) {
	s.Probe, s.Ignore = r.U64("probe mask"), r.U64("ignore mask")
	s.LabelTable = r.U16("label table offset")
	s.StateFlags = r.U32("state flags")
}

func stateObject(r *reader, s *unreal.State) {
	structObject(r, &s.Struct)
	r.state(s)
}

func class(r *reader, c *unreal.Class) {
	c.Context = r.Context
	r.structure(&c.Struct)
	r.state(&c.State)
	if r.version < unreal.LazyVersion {
		c.OldRecordSize = r.U32("record size")
	}
	c.ClassFlags = r.U32("class flags")
	copy(c.GUID[:], r.Elements(16, 1, schema.LayoutU8, "GUID"))
	c.Dependencies = list(r, 9, "dependencies", func(d *unreal.Dependency) {
		*d = unreal.Dependency{Class: r.Ref("class"), Deep: r.U32("deep"), CRC: r.U32("CRC")}
	})
	c.PackageImports = list(r, 1, "package imports", func(n *unreal.NameIndex) { *n = r.Name("package import") })
	if r.version >= unreal.LazyVersion {
		c.Within, c.Config = r.Ref("class within"), r.Name("config")
	}
	c.Properties, c.End = r.properties()
}

func enum(r *reader, e *unreal.Enum) {
	r.base(&e.Object)
	r.field(&e.Field)
	e.Names = list(r, 1, "names", func(n *unreal.NameIndex) { *n = r.Name("name") })
}

func constant(r *reader, c *unreal.Const) {
	r.base(&c.Object)
	r.field(&c.Field)
	c.Value = r.Str("value")
}

func propertyDecl(r *reader, p *unreal.PropertyDecl) {
	r.base(&p.Object)
	r.field(&p.Field)
	p.ArrayDim, p.PropFlags = r.I32("array dim"), r.U32("property flags")
	p.Category = r.Name("category")
	if p.PropFlags&unreal.PropertyNet != 0 {
		p.RepOffset = r.U16("replication offset")
	}
	for range unreal.PropertyRefs(r.Class) {
		p.Refs = append(p.Refs, r.Ref("type"))
	}
	if r.Class == "FixedArrayProperty" {
		p.Count = r.I32("count")
	}
}

// maxExpression bounds the nesting of byte code.
const maxExpression = 1000

// code returns byte code whose size in memory is given. Indices have 4 bytes there and 1 to 5 in the file, so its
// length is found by walking the tokens.
func (r *reader) code(size uint32) []byte {
	if size == 0 || r.Err() != nil {
		return nil
	}
	r.Enter("byte code", -1)
	defer r.Leave()
	w := walker{reader: r}
	start := r.Pos()
	for r.Err() == nil && w.memory < uint64(size) {
		w.expression(0)
	}
	// Tokens of the betas lead astray, even beyond the object; later code that does is cut off.
	beta := r.version < unreal.LazyVersion && !errors.Is(r.Err(), schema.ErrLimit)
	r.strayCode = w.memory != uint64(size) && (r.Err() == nil || beta)
	if r.Err() == nil && r.strayCode {
		r.Failf(schema.ErrMismatch, "script size", "the tokens have %d bytes in memory, the header says %d", w.memory, size)
	}
	end := r.Pos()
	if r.Err() != nil {
		return nil
	}
	r.Seek(start, "code")
	return r.Part(end-start, "code")
}

// walker steps over byte code and counts its size in memory.
type walker struct {
	*reader
	memory uint64
}

const endOfParameters = 0x16

func (w *walker) skip(n int) {
	w.Elements(n, 1, schema.LayoutU8, "operand")
	w.memory += uint64(n)
}

// index steps over a compact index and returns it. Those of byte code are not counted among the object's: the code is
// kept as bytes.
func (w *walker) index() int32 {
	v, _, _ := w.Compact("operand")
	w.memory += 4
	return v
}

func (w *walker) expressions(n, depth int) {
	for range n {
		w.expression(depth)
	}
}

func (w *walker) parameters(depth int) {
	for w.Err() == nil && w.expression(depth) != endOfParameters {
	}
}

// expression steps over one token with its operands (table of reference section 13) and returns the token.
func (w *walker) expression(depth int) uint8 {
	if depth > maxExpression {
		w.Failf(schema.ErrLimit, "token", "expressions are nested more than %d deep", maxExpression)
		return endOfParameters
	}
	token := w.U8("token")
	w.memory++
	depth++
	switch token {
	case 0x00, 0x01, 0x02, 0x20, 0x29:
		w.note(unreal.Ref(w.index()))
	case 0x21: // a name
		w.index()
	case 0x04:
		if w.version >= unreal.LazyVersion {
			w.expression(depth)
		}
	case 0x05, 0x2B:
		w.skip(1)
		w.expression(depth)
	case 0x06:
		w.skip(2)
	case 0x07, 0x09, 0x18:
		w.skip(2)
		w.expression(depth)
	case 0x0A:
		next := w.U16("operand")
		w.memory += 2
		if next != 0xFFFF {
			w.expression(depth)
		}
	case 0x0C:
		w.labels()
	case 0x0D, 0x0E, 0x2D:
		w.expression(depth)
	case 0x0F, 0x10, 0x14, 0x1A:
		w.expressions(2, depth)
	case 0x11:
		w.expressions(4, depth)
	case 0x12, 0x19:
		w.expression(depth)
		w.skip(3)
		w.expression(depth)
	case 0x13, 0x2E, 0x36:
		w.note(unreal.Ref(w.index()))
		w.expression(depth)
	case 0x1C:
		w.note(unreal.Ref(w.index()))
		w.parameters(depth)
	case 0x1B, 0x38: // functions by name
		w.index()
		w.parameters(depth)
	case 0x1D, 0x1E:
		w.skip(4)
	case 0x1F:
		w.text(1)
	case 0x22, 0x23:
		w.skip(12)
	case 0x24, 0x2C:
		w.skip(1)
	case 0x2F:
		w.expression(depth)
		w.skip(2)
	case 0x32, 0x33:
		w.note(unreal.Ref(w.index()))
		w.expressions(2, depth)
	case 0x34:
		w.text(2)
	default:
		w.calls(token, depth)
	}
	return token
}

// calls steps over the operands of conversions and native calls; all other tokens have none.
func (w *walker) calls(token uint8, depth int) {
	switch {
	case token >= 0x70:
		w.parameters(depth)
	case token >= 0x60:
		w.skip(1)
		w.parameters(depth)
	case token >= 0x39:
		w.expression(depth)
	}
}

// labels steps over a label table, which ends with the name None.
func (w *walker) labels() {
	for w.Err() == nil {
		name := unreal.NameIndex(w.index())
		w.skip(4)
		if w.Package.IsNone(name) {
			return
		}
	}
}

// text steps over characters of the given size up to and including a zero.
func (w *walker) text(size int) {
	b, n := w.Peek(w.Left()), 0
	for n+size <= len(b) && (b[n] != 0 || b[n+size-1] != 0) {
		n += size
	}
	layout := schema.LayoutText
	if size == 2 {
		layout = schema.LayoutWide
	}
	w.Data(n+size, layout, "string")
	w.memory += uint64(n + size)
}
