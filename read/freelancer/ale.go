package freelancer

import (
	"bytes"

	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
)

// ALE reads an .ale file: the tree and its two libraries. If a library cannot be read, it stays in its leaf as bytes, a
// warning says why, and the other one is read all the same.
func ALE(b []byte, d *schema.Diagnostics) (*freelancer.ALE, error) {
	t, err := UTF(b, d)
	if err != nil {
		return nil, err
	}
	a := &freelancer.ALE{Tree: t}
	effects, nodes := a.Leaves()
	if effects != nil && len(effects.Data) > 0 {
		if l, err := EffectLibrary(effects.Data, d); err != nil {
			d.Warnf("kept-raw", freelancer.EffectLibraryName, "kept as bytes: %v", err)
		} else {
			a.Effects, effects.Data = l, nil
		}
	}
	if nodes != nil && len(nodes.Data) > 0 {
		if l, err := NodeLibrary(nodes.Data, d); err != nil {
			d.Warnf("kept-raw", freelancer.NodeLibraryName, "kept as bytes: %v", err)
		} else {
			a.Nodes, nodes.Data = l, nil
		}
	}
	return a, nil
}

// EffectLibrary reads an ALEffectLib payload (reference section 13). If pairs are counted but missing, it adds a warning
// and keeps their number.
func EffectLibrary(b []byte, d *schema.Diagnostics) (*freelancer.EffectLibrary, error) {
	c := read.NewCursor("ale", b, d)
	l := &freelancer.EffectLibrary{Version: c.F32("version")}
	n := c.Count(uint64(c.U32("effect count")), 10, "effects")
	l.Effects = make([]freelancer.Effect, 0, n)
	for i := range n {
		c.Enter("effect", i)
		l.Effects = append(l.Effects, effect(c, l.Version, d))
		c.Leave()
		if c.Err() != nil {
			return nil, c.Err()
		}
	}
	l.Tail = rest(c)
	return l, c.Err()
}

func effect(c *read.Cursor, version float32, d *schema.Diagnostics) (e freelancer.Effect) {
	e.Name = aleString(c)
	if version > 1 {
		v := c.Vec4("bounds")
		e.Bounds = &v
	}
	e.Instances = make([]freelancer.EffectInstance, c.Count(uint64(c.U32("instance count")), 16, "instances"))
	for i := range e.Instances {
		c.Enter("instance", i)
		e.Instances[i] = freelancer.EffectInstance{Flags: c.U32("flags"), Node: c.U32("node"), Parent: c.U32("parent"), ID: c.U32("id")}
		c.Leave()
	}
	count := c.U32("pair count")
	n := count
	if left := uint32(c.Left() / 8); n > left {
		d.WarnAtf("missing-pairs", c.Path(), c.Offset(), "%d pairs are counted, %d are there", count, left)
		n = left
	}
	if c.Err() != nil {
		return e
	}
	e.MissingPairs = count - n
	e.Pairs = make([]freelancer.EffectPair, n)
	for i := range e.Pairs {
		c.Enter("pair", i)
		e.Pairs[i] = freelancer.EffectPair{Source: c.U32("source"), Target: c.U32("target")}
		c.Leave()
	}
	return e
}

func aleString(c *read.Cursor) (s freelancer.ALEString) {
	n := int(c.U16("length"))
	b := c.Data(n, schema.LayoutText, "text")
	if n%2 == 1 {
		s.Pad = c.U8("pad")
	}
	zero := bytes.IndexByte(b, 0)
	if zero < 0 {
		s.Unterminated = true
		zero = len(b)
	} else if zero+1 < len(b) {
		s.Residue = b[zero+1:]
	}
	s.Value = schema.DecodeWindows1252(b[:zero])
	return s
}

// NodeLibrary reads an AlchemyNodeLibrary payload (reference section 13). It fails with ErrUnsupported for a property of an
// unknown type, since the length of its value is unknown too.
func NodeLibrary(b []byte, d *schema.Diagnostics) (*freelancer.NodeLibrary, error) {
	c := read.NewCursor("ale", b, d)
	l := &freelancer.NodeLibrary{Version: c.F32("version")}
	n := c.Count(uint64(c.U32("node count")), 4, "nodes")
	l.Nodes = make([]freelancer.EffectNode, 0, n)
	for i := range n {
		c.Enter("node", i)
		node := freelancer.EffectNode{Type: aleString(c)}
		for typ := c.U16("property type"); typ != 0; typ = c.U16("property type") {
			node.Properties = append(node.Properties, property(c, typ))
		}
		c.Leave()
		if c.Err() != nil {
			return nil, c.Err()
		}
		l.Nodes = append(l.Nodes, node)
	}
	l.Tail = rest(c)
	return l, c.Err()
}

func property(c *read.Cursor, typ uint16) (p freelancer.EffectProperty) {
	p.Type, p.Bool = freelancer.EffectPropertyType(typ&^freelancer.EffectBoolSet), typ&freelancer.EffectBoolSet != 0
	hash := c.U32("property name")
	if p.Name = freelancer.EffectPropertyName(hash); p.Name == "" {
		p.Hash = hash
	}
	switch p.Type {
	case freelancer.EffectBool:
	case freelancer.EffectInt:
		v := c.I32("value")
		p.Int = &v
	case freelancer.EffectFloat:
		v := c.F32("value")
		p.Float = &v
	case freelancer.EffectText:
		v := aleString(c)
		p.Text = &v
	case freelancer.EffectBlend:
		p.Blend = &[2]uint32{c.U32("source"), c.U32("destination")}
	case freelancer.EffectTransform:
		p.Transform = &freelancer.NodeTransform{Flags: c.U32("flags")}
		if p.Transform.Flags&freelancer.TransformPresent != 0 {
			for range 9 {
				p.Transform.Curves = append(p.Transform.Curves, curves(c))
			}
		}
	case freelancer.EffectFloatAnim:
		p.Floats = &freelancer.FloatAnimation{Easing: freelancer.Easing(c.U8("easing"))}
		n := c.Count(uint64(c.U8("list count")), 6, "lists")
		for range n {
			k := freelancer.FloatKeys{Param: c.F32("sparam"), Easing: freelancer.Easing(c.U8("easing"))}
			k.Keys = c.Vec2s(c.Count(uint64(c.U8("key count")), 8, "keys"), "keys")
			p.Floats.Lists = append(p.Floats.Lists, k)
		}
	case freelancer.EffectColorAnim:
		p.Colors = &freelancer.ColorAnimation{Easing: freelancer.Easing(c.U8("easing"))}
		n := c.Count(uint64(c.U8("list count")), 6, "lists")
		for range n {
			k := freelancer.ColorKeys{Param: c.F32("sparam"), Easing: freelancer.Easing(c.U8("easing"))}
			k.Keys = vec4s(c, c.Count(uint64(c.U8("key count")), 16, "keys"))
			p.Colors.Lists = append(p.Colors.Lists, k)
		}
	case freelancer.EffectCurveAnim:
		v := curves(c)
		p.Curves = &v
	default:
		c.Failf(schema.ErrUnsupported, "property type", "type 0x%x of property 0x%08x", typ, hash)
	}
	return p
}

func curves(c *read.Cursor) (a freelancer.CurveAnimation) {
	a.Easing = freelancer.Easing(c.U8("easing"))
	n := c.Count(uint64(c.U8("curve count")), 12, "curves")
	for range n {
		k := freelancer.Curve{Param: c.F32("sparam"), Default: c.F32("default"), Wrap: c.U16("wrap flags")}
		k.Keys = vec4s(c, c.Count(uint64(c.U16("key count")), 16, "keys"))
		a.Curves = append(a.Curves, k)
	}
	return a
}

func vec4s(c *read.Cursor, n int) [][4]float32 {
	if n == 0 {
		return nil
	}
	v := make([][4]float32, n)
	for i := range v {
		v[i] = c.Vec4("keys")
	}
	return v
}
