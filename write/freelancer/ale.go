package freelancer

import (
	"slices"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/write"
)

// ALE writes an .ale file: the tree with its two libraries in their leaves. It adds a
// library that the tree has no directory for.
func ALE(a *freelancer.ALE) ([]byte, error) {
	if a.Tree == nil || a.Tree.Root == nil {
		return nil, schema.Errorf("ale", schema.ErrValue, "tree", "there is no tree")
	}
	if a.Effects != nil {
		b, err := EffectLibrary(a.Effects)
		if err != nil {
			return nil, err
		}
		leaf, err := libraryLeaf(a.Tree.Root, freelancer.EffectLibraryName, b)
		if err != nil {
			return nil, err
		}
		defer func() { leaf.Data = nil }()
	}
	if a.Nodes != nil {
		b, err := NodeLibrary(a.Nodes)
		if err != nil {
			return nil, err
		}
		leaf, err := libraryLeaf(a.Tree.Root, freelancer.NodeLibraryName, b)
		if err != nil {
			return nil, err
		}
		defer func() { leaf.Data = nil }()
	}
	return UTF(a.Tree)
}

// libraryLeaf puts a library into its leaf, which is empty as long as the library is decoded.
func libraryLeaf(root *freelancer.Node, name string, b []byte) (*freelancer.Node, error) {
	if dir := root.Child(name); dir != nil && dir.Child(name) == nil {
		return nil, schema.Errorf("ale", schema.ErrMismatch, name, "the tree has a directory for the library, and no leaf in it")
	}
	dir := root.Dir(name)
	if old := dir.Child(name); old != nil && len(old.Data) > 0 {
		return nil, schema.Errorf("ale", schema.ErrMismatch, name, "%d bytes in the leaf, and a library that is decoded", len(old.Data))
	}
	return dir.Set(name, b), nil
}

// EffectLibrary writes an ALEffectLib payload. It fails with ErrMismatch for an effect with bounds in version 1.0 or
// without bounds in a later one.
func EffectLibrary(l *freelancer.EffectLibrary) ([]byte, error) {
	w := write.NewBuffer("ale", 64*len(l.Effects))
	w.F32(l.Version)
	w.Count32(len(l.Effects), "effect count")
	for i := range l.Effects {
		e := &l.Effects[i]
		aleString(w, &e.Name)
		if e.Bounds != nil {
			w.Floats(e.Bounds[:]...)
		}
		if (e.Bounds != nil) != (l.Version > 1) {
			w.Failf(schema.ErrMismatch, "bounds", "effect %q: bounds belong to versions after 1.0, and only there", e.Name.Value)
		}
		w.Count32(len(e.Instances), "instance count")
		for _, x := range e.Instances {
			w.U32s([]uint32{x.Flags, x.Node, x.Parent, x.ID})
		}
		w.Count32(len(e.Pairs)+int(e.MissingPairs), "pair count")
		for _, x := range e.Pairs {
			w.U32(x.Source)
			w.U32(x.Target)
		}
	}
	w.Bytes(l.Tail)
	return w.Finish()
}

func aleString(w *write.Buffer, s *freelancer.ALEString) {
	text, ok := schema.EncodeWindows1252(s.Value)
	if !ok || slices.Contains(text, 0) {
		w.Failf(schema.ErrValue, "text", "%q cannot be stored", s.Value)
	}
	n := len(text) + len(s.Residue)
	if !s.Unterminated {
		n++
	}
	w.Count16(n, "length")
	w.Bytes(text)
	if !s.Unterminated {
		w.U8(0)
	}
	w.Bytes(s.Residue)
	if n%2 == 1 {
		w.U8(s.Pad)
	}
}

// NodeLibrary writes an AlchemyNodeLibrary payload. It fails with ErrMismatch for a property without the value of its type.
func NodeLibrary(l *freelancer.NodeLibrary) ([]byte, error) {
	w := write.NewBuffer("ale", 256*len(l.Nodes))
	w.F32(l.Version)
	w.Count32(len(l.Nodes), "node count")
	for i := range l.Nodes {
		n := &l.Nodes[i]
		aleString(w, &n.Type)
		for k := range n.Properties {
			property(w, &n.Properties[k])
		}
		w.U16(0)
	}
	w.Bytes(l.Tail)
	return w.Finish()
}

func property(w *write.Buffer, p *freelancer.EffectProperty) {
	typ := uint16(p.Type)
	if p.Bool {
		typ |= freelancer.EffectBoolSet
	}
	if p.Name != "" && p.Hash != 0 && p.Hash != p.ID() {
		w.Failf(schema.ErrMismatch, p.Name, "the hash 0x%08x is not that of the name", p.Hash)
	}
	w.U16(typ)
	w.U32(p.ID())
	for _, v := range [...]struct {
		typ freelancer.EffectPropertyType
		set bool
	}{
		{freelancer.EffectInt, p.Int != nil}, {freelancer.EffectFloat, p.Float != nil}, {freelancer.EffectText, p.Text != nil},
		{freelancer.EffectBlend, p.Blend != nil}, {freelancer.EffectTransform, p.Transform != nil},
		{freelancer.EffectFloatAnim, p.Floats != nil}, {freelancer.EffectColorAnim, p.Colors != nil}, {freelancer.EffectCurveAnim, p.Curves != nil},
	} {
		switch {
		case v.set && v.typ != p.Type:
			w.Failf(schema.ErrMismatch, p.Name, "a value of type 0x%x in a property of type 0x%x", uint16(v.typ), uint16(p.Type))
		case !v.set && v.typ == p.Type:
			w.Failf(schema.ErrMismatch, p.Name, "no value of type 0x%x", uint16(p.Type))
		}
	}
	if w.Err() == nil {
		propertyValue(w, p)
	}
}

// propertyValue writes the value of the property's type, which is there.
func propertyValue(w *write.Buffer, p *freelancer.EffectProperty) {
	switch p.Type {
	case freelancer.EffectBool:
	case freelancer.EffectInt:
		w.I32(*p.Int)
	case freelancer.EffectFloat:
		w.F32(*p.Float)
	case freelancer.EffectText:
		aleString(w, p.Text)
	case freelancer.EffectBlend:
		w.U32s(p.Blend[:])
	case freelancer.EffectTransform:
		transform(w, p.Transform)
	case freelancer.EffectFloatAnim:
		floatAnimation(w, p.Floats)
	case freelancer.EffectColorAnim:
		colorAnimation(w, p.Colors)
	case freelancer.EffectCurveAnim:
		curves(w, p.Curves)
	default:
		w.Failf(schema.ErrUnsupported, "property type", "type 0x%x", uint16(p.Type))
	}
}

func transform(w *write.Buffer, t *freelancer.NodeTransform) {
	w.U32(t.Flags)
	want := 0
	if t.Flags&freelancer.TransformPresent != 0 {
		want = 9
	}
	if len(t.Curves) != want {
		w.Failf(schema.ErrMismatch, "transform", "%d curves with flags 0x%08x, expected %d", len(t.Curves), t.Flags, want)
	}
	for i := range t.Curves {
		curves(w, &t.Curves[i])
	}
}

func floatAnimation(w *write.Buffer, a *freelancer.FloatAnimation) {
	w.U8(uint8(a.Easing))
	w.Count8(len(a.Lists), "list count")
	for _, k := range a.Lists {
		w.F32(k.Param)
		w.U8(uint8(k.Easing))
		w.Count8(len(k.Keys), "key count")
		w.Vec2s(k.Keys)
	}
}

func colorAnimation(w *write.Buffer, a *freelancer.ColorAnimation) {
	w.U8(uint8(a.Easing))
	w.Count8(len(a.Lists), "list count")
	for _, k := range a.Lists {
		w.F32(k.Param)
		w.U8(uint8(k.Easing))
		w.Count8(len(k.Keys), "key count")
		vec4s(w, k.Keys)
	}
}

func curves(w *write.Buffer, a *freelancer.CurveAnimation) {
	w.U8(uint8(a.Easing))
	w.Count8(len(a.Curves), "curve count")
	for _, k := range a.Curves {
		w.Floats(k.Param, k.Default)
		w.U16(k.Wrap)
		w.Count16(len(k.Keys), "key count")
		vec4s(w, k.Keys)
	}
}

func vec4s(w *write.Buffer, v [][4]float32) {
	for i := range v {
		w.Floats(v[i][:]...)
	}
}
