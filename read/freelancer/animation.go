package freelancer

import (
	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
)

// Channel reads the two leaves of a Channel directory (reference section 8). It fails with ErrCount if there are fewer
// frames than the header says.
func Channel(header, frames []byte, d *schema.Diagnostics) (*freelancer.Channel, error) {
	h := read.NewCursor("channel", header, d)
	c := &freelancer.Channel{Count: h.U32("frame count"), Interval: h.F32("interval"), Type: freelancer.ChannelType(h.U32("type"))}
	if h.Err() != nil {
		return nil, schema.In("Header", h.Err())
	}
	c.HeaderTail = rest(h)
	f := read.NewCursor("channel", frames, d)
	stride := c.Type.Stride(c.Timed())
	n := 0
	if stride > 0 {
		n = f.Count(uint64(c.Count), stride, "frames")
	}
	raw := f.Elements(n, stride, frameLayout(c), "frames")
	if f.Err() != nil {
		return nil, schema.In("Frames", f.Err())
	}
	c.Tail = rest(f)
	frameData(c, raw, n, stride)
	return c, nil
}

// frameLayout is the layout of a frame, for a trace.
func frameLayout(c *freelancer.Channel) (layout string) {
	for _, f := range [...]struct {
		on   bool
		text string
	}{
		{c.Timed(), "time:f32 "},
		{c.Type&freelancer.ChannelScalar != 0, "value:f32 "},
		{c.Type&freelancer.ChannelPosition != 0, "position:3f32 "},
		{c.Type&freelancer.ChannelQuaternion != 0, "rotation:4f32 "},
		{c.Type&freelancer.ChannelVector != 0, "vector:3i16 "},
		{c.Type&freelancer.ChannelHalfAngle != 0, "half-angle:3i16 "},
	} {
		if f.on {
			layout += f.text
		}
	}
	return layout
}

func frameData(c *freelancer.Channel, raw []byte, n, stride int) {
	at := 0
	if c.Timed() {
		c.Times = singles(raw, n, stride, &at)
	}
	if c.Type&freelancer.ChannelScalar != 0 {
		c.Scalars = singles(raw, n, stride, &at)
	}
	if c.Type&freelancer.ChannelPosition != 0 {
		c.Positions = vec3s(raw, n, stride, &at)
	}
	if c.Type&freelancer.ChannelQuaternion != 0 {
		c.Quaternions = make([][4]float32, n)
		for i := range c.Quaternions {
			v := raw[i*stride+at:][:16]
			c.Quaternions[i] = [4]float32{f32(v, 0), f32(v, 4), f32(v, 8), f32(v, 12)}
		}
		at += 16
	}
	if c.Type&freelancer.ChannelVector != 0 {
		c.Vectors = fractions(raw, n, stride, &at)
	}
	if c.Type&freelancer.ChannelHalfAngle != 0 {
		c.HalfAngles = fractions(raw, n, stride, &at)
	}
}

func singles(raw []byte, n, stride int, at *int) []float32 {
	vs := make([]float32, n)
	for i := range vs {
		vs[i] = f32(raw, i*stride+*at)
	}
	*at += 4
	return vs
}

func fractions(raw []byte, n, stride int, at *int) [][3]int16 {
	vs := make([][3]int16, n)
	for i := range vs {
		v := raw[i*stride+*at:][:6]
		for k := range 3 {
			vs[i][k] = int16(uint16(v[2*k]) | uint16(v[2*k+1])<<8)
		}
	}
	*at += 6
	return vs
}

// Scripts reads the animations in Animation/Script of a tree's root.
func Scripts(root *freelancer.Node, d *schema.Diagnostics) ([]*freelancer.Script, error) {
	var scripts []*freelancer.Script
	dir := root.Find("Animation/Script")
	if dir == nil {
		return nil, nil
	}
	for _, n := range dir.Children {
		if !n.IsDir() {
			continue
		}
		f := fields{n: n}
		s := &freelancer.Script{Name: n.Name, RootHeight: f.float("Root height"), Node: n}
		if f.err != nil {
			return nil, schema.In(`Animation\Script`, f.err)
		}
		for _, m := range n.Children {
			am, err := animationMap(m, d)
			if err != nil {
				return nil, schema.In(`Animation\Script\`+n.Name+`\`+m.Name, err)
			}
			if am != nil {
				s.Maps = append(s.Maps, am)
			}
		}
		scripts = append(scripts, s)
	}
	return scripts, nil
}

// animationMap returns nil for an entry that is no map.
func animationMap(n *freelancer.Node, d *schema.Diagnostics) (*freelancer.AnimationMap, error) {
	isMap, object := freelancer.IsMap(n)
	if !isMap {
		return nil, nil
	}
	f := fields{n: n}
	m := &freelancer.AnimationMap{Object: object, Parent: f.text("Parent name"), Child: f.text("Child name"), Node: n}
	c := n.Child("Channel")
	if c == nil {
		d.Warnf("no-channel", n.Name, "an animation map without a channel")
		return m, nil
	}
	ch := fields{n: c}
	header, frames := ch.leaf("Header", 12), ch.leaf("Frames", 0)
	if ch.err != nil || header == nil {
		return m, ch.err
	}
	var err error
	m.Channel, err = Channel(header, frames, d)
	return m, err
}

// MaterialAnims reads the MaterialAnim directory of a tree's root (reference section 7.5).
func MaterialAnims(root *freelancer.Node, d *schema.Diagnostics) ([]*freelancer.MaterialAnim, error) {
	dir := root.Child("MaterialAnim")
	if dir == nil {
		return nil, nil
	}
	var list []*freelancer.MaterialAnim
	for _, n := range dir.Children {
		f := fields{n: n}
		m := &freelancer.MaterialAnim{Material: n.Name, Flags: f.word("MAFlags"), Node: n}
		count := int(f.word("MACount"))
		deltas, keys := f.floats("MADeltas"), f.floats("MAKeys")
		if f.err != nil {
			return nil, schema.In("MaterialAnim", f.err)
		}
		if len(deltas)/5 < count {
			return nil, &schema.FormatError{Format: freelancer.Format, Path: `MaterialAnim\` + n.Name, Offset: -1, Field: "MACount", Class: schema.ErrCount, Msg: "more segments than MADeltas holds"}
		}
		m.Segments = make([]freelancer.MaterialSegment, count)
		for i := range m.Segments {
			s := &m.Segments[i]
			s.Duration = deltas[5*i]
			copy(s.Speed[:], deltas[5*i+1:5*i+5])
			if 4*i+4 <= len(keys) {
				copy(s.Key[:], keys[4*i:])
			}
		}
		list = append(list, m)
	}
	return list, nil
}
