package freelancer

import (
	"fmt"
	"strings"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/write"
)

// Channel writes the two leaves of a Channel directory. It fails with ErrMismatch if the frames do not have the parts that
// the type names.
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

// Script writes a script below Animation/Script of a tree's root. It adds directories for new scripts, maps and channels,
// and removes those of deleted maps and channels. Leaves with the right content are not touched.
func Script(root *freelancer.Node, s *freelancer.Script) error {
	if err := noHoles("maps", s.Maps); err != nil {
		return err
	}
	if s.Node == nil {
		s.Node = root.Dir("Animation").Dir("Script").Add(freelancer.NewDir(s.Name))
	} else if err := rename(s.Node, "script", s.Name); err != nil {
		return err
	}
	f := fields{n: s.Node}
	if f.has("Root height", s.RootHeight) {
		f.floats("Root height", s.RootHeight)
	}
	for i, m := range s.Maps {
		if err := animationMap(s, i, m); err != nil {
			return err
		}
	}
	keep(s.Node, s.Maps, func(m *freelancer.AnimationMap) *freelancer.Node { return m.Node }, func(n *freelancer.Node) bool {
		isMap, _ := freelancer.IsMap(n)
		return isMap
	})
	return nil
}

// animationMap writes map i of a script.
func animationMap(s *freelancer.Script, i int, m *freelancer.AnimationMap) error {
	kind := "Joint map"
	if m.Object {
		kind = "Object map"
	}
	if m.Node == nil {
		m.Node = s.Node.Add(freelancer.NewDir(fmt.Sprintf("%s %d", kind, i)))
	} else if isMap, object := freelancer.IsMap(m.Node); isMap && object != m.Object {
		m.Node.Name = kind + m.Node.Name[strings.IndexByte(m.Node.Name, ' ')+len(" map"):]
	}
	f := fields{n: m.Node}
	f.text("Parent name", m.Parent)
	f.text("Child name", m.Child)
	if f.err != nil {
		return f.err
	}
	if m.Channel == nil {
		if old := m.Node.Child("Channel"); old.Child("Header") != nil {
			m.Node.Remove(old)
		}
		return nil
	}
	header, frames, err := Channel(m.Channel)
	if err != nil {
		return schema.In(s.Name+`\`+m.Node.Name, err)
	}
	c := fields{n: m.Node.Dir("Channel")}
	c.set("Header", header, 1)
	c.set("Frames", frames, 1)
	return nil
}

// MaterialAnim writes a material animation below MaterialAnim of a tree's root, in a directory with the material's name.
func MaterialAnim(root *freelancer.Node, m *freelancer.MaterialAnim) error {
	if m.Node == nil {
		m.Node = root.Dir("MaterialAnim").Add(freelancer.NewDir(m.Material))
	} else if err := rename(m.Node, "material animation", m.Material); err != nil {
		return err
	}
	storedKeys := 0
	if c := m.Node.Child("MAKeys"); c != nil {
		storedKeys = len(c.Data) / 16
	}
	var deltas, keys []float32
	for i, s := range m.Segments {
		deltas = append(append(deltas, s.Duration), s.Speed[:]...)
		if i+1 < len(m.Segments) || s.Key != [4]float32{} || storedKeys > i {
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
	return nil
}
