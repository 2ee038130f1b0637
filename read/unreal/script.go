package unreal

import (
	"errors"
	"fmt"
	"math"

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

// Next reads a declaration as far as the one that follows it in a list.
func Next(b []byte, x *unreal.Context) (unreal.Ref, error) {
	r := objectReader(b, x, nil)
	var f unreal.Field
	r.base(&f.Object)
	r.field(&f)
	return f.Next, r.Err()
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

// Code lists the tokens of byte code in room, which it uses again and which may be nil. What cannot be read of it, from the
// first token that does not fit, is the rest.
func Code(b []byte, x *unreal.Context, room []unreal.Token) (tokens []unreal.Token, rest []byte) {
	tokens = room[:0]
	w := walker{reader: objectReader(b, x, nil), list: &tokens}
	if w.Err() != nil { // its package is missing
		return tokens, b
	}
	for w.Left() > 0 {
		at, whole := w.Pos(), len(tokens)
		if w.expression(0); w.Err() != nil {
			return tokens[:whole], b[at:]
		}
	}
	return tokens, nil
}

// maxExpression bounds the nesting of byte code.
const maxExpression = 1000

// walker steps over byte code, counts its size in memory, and lists it for those who ask.
type walker struct {
	*reader
	memory uint64
	list   *[]unreal.Token // nil for nobody
}

// expression steps over one token with its operands (table of reference section 13) and returns the token.
func (w *walker) expression(depth int) uint8 {
	if depth > maxExpression {
		w.Failf(schema.ErrLimit, "token", "expressions are nested more than %d deep", maxExpression)
		return unreal.EndOfParms
	}
	field := "token"
	if w.Noting() {
		if b := w.Peek(1); len(b) > 0 {
			field = unreal.Ops[b[0]].Name
		}
	}
	at := w.memory
	token := w.U8(field)
	w.memory++
	own := -1
	if w.list != nil {
		own = w.listed(unreal.Token{Offset: uint32(at), Depth: depth, Code: token})
	}
	operands := unreal.Ops[token].Operands
	for i := range len(operands) {
		w.operand(operands[i], depth+1, own)
	}
	return token
}

// listed appends a token to the list and returns its number. The room for operands that a token had in its place is used again.
func (w *walker) listed(t unreal.Token) int {
	n := len(*w.list)
	if n < cap(*w.list) {
		t.Operands = (*w.list)[:n+1][n].Operands[:0]
	}
	*w.list = append(*w.list, t)
	return n
}

// operand steps over one operand of the token that is number own of the list.
func (w *walker) operand(kind byte, depth, own int) {
	switch kind {
	case 'e':
		w.expression(depth)
	case 'o':
		if w.version >= unreal.LazyVersion {
			w.expression(depth)
		}
	case 'p':
		for w.Err() == nil && w.expression(depth) != unreal.EndOfParms {
		}
	case 'c':
		if w.offset(own) != unreal.NoCase {
			w.expression(depth)
		}
	case 'w':
		w.offset(own)
	case 'l':
		w.labels(own)
	case 's':
		w.text(1, own)
	case 'u':
		w.text(2, own)
	case 'r':
		v := unreal.Ref(w.index())
		w.note(v)
		if w.Noting() {
			w.explain(w.refText(v))
		}
		w.add(own, unreal.Operand{Kind: kind, Numbers: [3]uint32{uint32(v)}})
	case 'n':
		v := w.index()
		w.noteName(unreal.NameIndex(v))
		w.explain(w.Package.Name(unreal.NameIndex(v)))
		w.add(own, unreal.Operand{Kind: kind, Numbers: [3]uint32{uint32(v)}})
	default:
		w.numbers(kind, own)
	}
}

// numbers steps over an operand of bytes, ints or floats.
func (w *walker) numbers(kind byte, own int) {
	o := unreal.Operand{Kind: kind}
	switch kind {
	case 'b':
		o.Numbers[0] = uint32(w.U8("operand"))
		w.memory++
	case 'i':
		o.Numbers[0] = uint32(w.I32("operand"))
		w.memory += 4
	case 'f':
		o.Numbers[0] = math.Float32bits(w.F32("operand"))
		w.memory += 4
	default:
		for i := range o.Numbers {
			if kind == 'v' {
				o.Numbers[i] = math.Float32bits(w.F32("operand"))
			} else {
				o.Numbers[i] = uint32(w.I32("operand"))
			}
		}
		w.memory += 12
	}
	w.add(own, o)
}

func (w *walker) add(own int, o unreal.Operand) {
	if own >= 0 {
		t := &(*w.list)[own]
		t.Operands = append(t.Operands, o)
	}
}

// explain says in a trace what an index stands for.
func (w *walker) explain(means string) {
	if means != "" {
		w.Explain(means)
	}
}

func (w *walker) offset(own int) uint16 {
	v := w.U16("operand")
	w.memory += 2
	if w.Noting() {
		w.Explain(fmt.Sprintf("%04X", v))
	}
	w.add(own, unreal.Operand{Kind: 'w', Numbers: [3]uint32{uint32(v)}})
	return v
}

// index steps over a compact index and returns it. Those of byte code are not counted among the object's: the code is
// kept as bytes.
func (w *walker) index() int32 {
	v, _, _ := w.Compact("operand")
	w.memory += 4
	return v
}

// labels steps over a label table, which ends with the name None.
func (w *walker) labels(own int) {
	for w.Err() == nil {
		name := unreal.NameIndex(w.index())
		w.noteName(name)
		w.explain(w.Package.Name(name))
		offset := w.U32("operand")
		if w.memory += 4; w.Package.IsNone(name) {
			return
		}
		w.add(own, unreal.Operand{Kind: 'l', Numbers: [3]uint32{offset}, Text: w.Package.Name(name)})
	}
}

// text steps over characters of the given size up to and including a zero.
func (w *walker) text(size, own int) {
	b, n := w.Peek(w.Left()), 0
	for n+size <= len(b) && (b[n] != 0 || b[n+size-1] != 0) {
		n += size
	}
	layout := schema.LayoutText
	if size == 2 {
		layout = schema.LayoutWide
	}
	b = w.Data(n+size, layout, "string")
	w.memory += uint64(n + size)
	if own < 0 || w.Err() != nil {
		return
	}
	o := unreal.Operand{Kind: 's', Text: schema.DecodeWindows1252(b[:n])}
	if size == 2 {
		o.Kind = 'u'
		o.Text, _ = unreal.WideText(b[:n])
	}
	w.add(own, o)
}
