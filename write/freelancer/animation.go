package freelancer

import (
	"fmt"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/write"
)

// Channel writes the two leaves of a Channel directory. ErrMismatch means frames that are not those of the type.
func Channel(c *freelancer.Channel) (header, frames []byte, err error) {
	h := write.NewBuffer("channel", 12+len(c.HeaderTail))
	h.U32(c.Count)
	h.F32(c.Interval)
	h.U32(uint32(c.Type))
	h.Bytes(c.HeaderTail)
	if header, err = h.Finish(); err != nil {
		return nil, nil, err
	}
	stride, n := c.Type.Stride(c.Timed()), 0
	if stride > 0 {
		n = int(c.Count)
	}
	for _, part := range [...]struct {
		stored bool
		have   int
	}{
		{c.Timed(), len(c.Times)},
		{c.Type&freelancer.ChannelScalar != 0, len(c.Scalars)},
		{c.Type&freelancer.ChannelPosition != 0, len(c.Positions)},
		{c.Type&freelancer.ChannelQuaternion != 0, len(c.Quaternions)},
		{c.Type&freelancer.ChannelVector != 0, len(c.Vectors)},
		{c.Type&freelancer.ChannelHalfAngle != 0, len(c.HalfAngles)},
	} {
		if part.stored && part.have != n || !part.stored && part.have != 0 {
			return nil, nil, schema.Errorf("channel", schema.ErrMismatch, "frames", "%d values for %d frames of type 0x%x", part.have, n, uint32(c.Type))
		}
	}
	w := write.NewBuffer("channel", n*stride+len(c.Tail))
	for i := range n {
		frame(w, c, i)
	}
	w.Bytes(c.Tail)
	frames, err = w.Finish()
	return header, frames, err
}

func frame(w *write.Buffer, c *freelancer.Channel, i int) {
	if c.Times != nil {
		w.F32(c.Times[i])
	}
	if c.Scalars != nil {
		w.F32(c.Scalars[i])
	}
	if c.Positions != nil {
		w.Floats(c.Positions[i][:]...)
	}
	if c.Quaternions != nil {
		w.Floats(c.Quaternions[i][:]...)
	}
	for _, fractions := range [...][][3]int16{c.Vectors, c.HalfAngles} {
		if fractions != nil {
			for _, v := range fractions[i] {
				w.I16(v)
			}
		}
	}
}

// Script writes a script below Animation/Script of a tree's root. A script, map or channel without a directory gets
// one; leaves that hold the same already are left as they are.
func Script(root *freelancer.Node, s *freelancer.Script) error {
	if s.Node == nil {
		s.Node = root.Dir("Animation").Dir("Script").Add(freelancer.NewDir(s.Name))
	}
	f := fields{n: s.Node}
	if f.has("Root height", s.RootHeight) {
		f.floats("Root height", s.RootHeight)
	}
	for i, m := range s.Maps {
		if m.Node == nil {
			kind := "Joint map"
			if m.Object {
				kind = "Object map"
			}
			m.Node = s.Node.Add(freelancer.NewDir(fmt.Sprintf("%s %d", kind, i)))
		}
		f := fields{n: m.Node}
		f.text("Parent name", m.Parent)
		f.text("Child name", m.Child)
		if f.err != nil {
			return f.err
		}
		if m.Channel == nil {
			continue
		}
		header, frames, err := Channel(m.Channel)
		if err != nil {
			return schema.In(s.Name+`\`+m.Node.Name, err)
		}
		c := fields{n: m.Node.Dir("Channel")}
		c.set("Header", header, 1)
		c.set("Frames", frames, 1)
	}
	return nil
}

// MaterialAnim writes a material animation below MaterialAnim of a tree's root.
func MaterialAnim(root *freelancer.Node, m *freelancer.MaterialAnim) {
	if m.Node == nil {
		m.Node = root.Dir("MaterialAnim").Add(freelancer.NewDir(m.Material))
	}
	var deltas, keys []float32
	for i, s := range m.Segments {
		deltas = append(append(deltas, s.Duration), s.Speed[:]...)
		if i+1 < len(m.Segments) {
			keys = append(keys, s.Key[:]...)
		}
	}
	f := fields{n: m.Node}
	f.words("MACount", uint32(len(m.Segments)))
	f.words("MAFlags", m.Flags)
	f.put("MADeltas", floatBytes(deltas))
	if len(keys) > 0 {
		f.put("MAKeys", floatBytes(keys))
	}
}
