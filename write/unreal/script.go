package unreal

import (
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

func (w *writer) field(f *unreal.Field) {
	w.Ref(f.Super)
	w.Ref(f.Next)
}

// structure appends what follows the properties of structs, functions, states and classes.
func (w *writer) structure(s *unreal.Struct) {
	w.field(&s.Field)
	w.Ref(s.ScriptText)
	w.Ref(s.Children)
	w.Name(s.FriendlyName)
	w.U32(s.Line)
	w.U32(s.TextPos)
	w.U32(s.ScriptSize)
	w.Bytes(s.Code)
}

func scriptWriter(s *unreal.Struct) *writer { return objectWriter(&s.Object, 128+len(s.Code)) }

func structObject(s *unreal.Struct) ([]byte, error) {
	w := scriptWriter(s)
	w.base(&s.Object)
	w.structure(s)
	return w.finish(&s.Object)
}

func function(f *unreal.Function) ([]byte, error) {
	w := scriptWriter(&f.Struct)
	w.base(&f.Object)
	w.structure(&f.Struct)
	old := w.version < unreal.CountedVersion
	if !old && (f.OldParmSize != 0 || f.OldParms != 0 || f.OldReturnOffset != 0) {
		w.NoPlace("OldParms", "version %d", w.version)
	}
	if old {
		w.U16(f.OldParmSize)
	}
	w.U16(f.Native)
	if old {
		w.U8(f.OldParms)
	}
	w.U8(f.Precedence)
	if old {
		w.U16(f.OldReturnOffset)
	}
	w.U32(f.FuncFlags)
	if f.FuncFlags&unreal.FunctionNet != 0 {
		w.U16(f.RepOffset)
	} else if f.RepOffset != 0 {
		w.NoPlace("RepOffset", "a function without the flag FunctionNet")
	}
	return w.finish(&f.Object)
}

func (w *writer) state(s *unreal.State) {
	w.U64(s.Probe)
	w.U64(s.Ignore)
	w.U16(s.LabelTable)
	w.U32(s.StateFlags)
}

func stateObject(s *unreal.State) ([]byte, error) {
	w := scriptWriter(&s.Struct)
	w.base(&s.Object)
	w.structure(&s.Struct)
	w.state(s)
	return w.finish(&s.Object)
}

// Class writes a class (reference section 13).
func Class(c *unreal.Class) ([]byte, error) {
	w := scriptWriter(&c.Struct)
	if c.Frame != nil {
		w.NoPlace("Frame", "a class")
	}
	w.structure(&c.Struct)
	w.state(&c.State)
	if w.version < unreal.LazyVersion {
		w.U32(c.OldRecordSize)
		if c.Within != 0 || c.Config != 0 {
			w.NoPlace("Within", "version %d", w.version)
		}
	} else if c.OldRecordSize != 0 {
		w.NoPlace("OldRecordSize", "version %d", w.version)
	}
	w.U32(c.ClassFlags)
	w.Bytes(c.GUID[:])
	w.Index(int32(len(c.Dependencies)))
	for _, d := range c.Dependencies {
		w.Ref(d.Class)
		w.U32(d.Deep)
		w.U32(d.CRC)
	}
	w.Index(int32(len(c.PackageImports)))
	for _, n := range c.PackageImports {
		w.Name(n)
	}
	if w.version >= unreal.LazyVersion {
		w.Ref(c.Within)
		w.Name(c.Config)
	}
	w.properties(&c.Object)
	return w.finish(&c.Object)
}

func enum(e *unreal.Enum) ([]byte, error) {
	w := objectWriter(&e.Object, 64+2*len(e.Names))
	w.base(&e.Object)
	w.field(&e.Field)
	w.Index(int32(len(e.Names)))
	for _, n := range e.Names {
		w.Name(n)
	}
	return w.finish(&e.Object)
}

func constant(c *unreal.Const) ([]byte, error) {
	w := objectWriter(&c.Object, 64+len(c.Value.Text))
	w.base(&c.Object)
	w.field(&c.Field)
	w.Str(c.Value, "value")
	return w.finish(&c.Object)
}

func propertyDecl(p *unreal.PropertyDecl) ([]byte, error) {
	w := objectWriter(&p.Object, 64)
	w.base(&p.Object)
	w.field(&p.Field)
	w.I32(p.ArrayDim)
	w.U32(p.PropFlags)
	w.Name(p.Category)
	if p.PropFlags&unreal.PropertyNet != 0 {
		w.U16(p.RepOffset)
	} else if p.RepOffset != 0 {
		w.NoPlace("RepOffset", "a property without the flag PropertyNet")
	}
	if len(p.Refs) != unreal.PropertyRefs(w.Class) {
		w.Failf(schema.ErrMismatch, "type", "%s stores %d references, not %d", w.Class, unreal.PropertyRefs(w.Class), len(p.Refs))
	}
	for _, r := range p.Refs {
		w.Ref(r)
	}
	if w.Class == "FixedArrayProperty" {
		w.I32(p.Count)
	} else if p.Count != 0 {
		w.NoPlace("Count", "a %s", w.Class)
	}
	return w.finish(&p.Object)
}
