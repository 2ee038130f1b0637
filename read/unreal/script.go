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
