package page

import (
	"encoding/binary"
	"math"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
)

// pageJoint is a record of Cons (reference section 7.2). Limits are radians, or metres.
type pageJoint struct {
	Parent, Child string
	Origin        [3]float32
	Offset        *[3]float32
	Rotation      [3][3]float32
	Axis          *[3]float32
	Min, Max      []float32 `json:",omitempty"`
	BehindParent  pageHex   // what follows the zero of the name
	BehindChild   pageHex
}

// pageChannel is the header of a channel (reference section 8).
type pageChannel struct {
	Count    *uint32 // of frames, where it is not that of those that are there
	Interval float32
	Type     freelancer.Hash
}

// Brief implements json.Brief.
func (pageChannel) Brief() {}

func rowsOf(v []float32, size int) [][]float32 {
	list := make([][]float32, 0, len(v)/size)
	for ; len(v) >= size; v = v[size:] {
		list = append(list, v[:size:size])
	}
	return list
}

func jointsOf(v *freelancer.Joints) []pageJoint {
	list := make([]pageJoint, 0, len(v.List))
	for i := range v.List {
		j := &v.List[i]
		p := pageJoint{Parent: j.Parent.Name, Child: j.Child.Name, BehindParent: tailOf(j.Parent.Residue), BehindChild: tailOf(j.Child.Residue), Origin: j.Origin}
		for k := range 9 {
			p.Rotation[k/3][k%3] = j.Rotation[k]
		}
		if v.Kind.HasOffset() {
			p.Offset = &j.Offset
		}
		if v.Kind.HasAxis() {
			p.Axis = &j.Axis
		}
		if n := v.Kind.Limits(); n > 0 {
			p.Min, p.Max = j.Min[:n:n], j.Max[:n:n]
		}
		list = append(list, p)
	}
	return list
}

func joints(name string, list []pageJoint, tail []byte) (*freelancer.Joints, error) {
	kind, ok := freelancer.JointKindOf(name)
	if !ok {
		return nil, schema.Errorf("json", schema.ErrValue, name, "there is no such kind of joint")
	}
	v := &freelancer.Joints{Kind: kind, Tail: tail}
	for _, p := range list {
		j := freelancer.Joint{Kind: kind, Parent: freelancer.PartName{Name: p.Parent, Residue: p.BehindParent}, Child: freelancer.PartName{Name: p.Child, Residue: p.BehindChild}, Origin: p.Origin}
		for k := range 9 {
			j.Rotation[k] = p.Rotation[k/3][k%3]
		}
		for _, x := range [...]struct {
			name       string
			there, has bool
		}{{"Offset", p.Offset != nil, kind.HasOffset()}, {"Axis", p.Axis != nil, kind.HasAxis()}} {
			if x.there && !x.has {
				return nil, schema.Errorf("json", schema.ErrMismatch, name, "%q has an %s, and joints of this kind have none", p.Child, x.name)
			}
		}
		if p.Offset != nil {
			j.Offset = *p.Offset
		}
		if p.Axis != nil {
			j.Axis = *p.Axis
		}
		if n := kind.Limits(); len(p.Min) != n || len(p.Max) != n {
			return nil, schema.Errorf("json", schema.ErrMismatch, name, "%q has %d and %d limits, and needs %d", p.Child, len(p.Min), len(p.Max), n)
		}
		copy(j.Min[:], p.Min)
		copy(j.Max[:], p.Max)
		v.List = append(v.List, j)
	}
	return v, nil
}

// channelHeader reads the header of a channel without the number of frames; nil if it is too short.
func channelHeader(b []byte) *pageChannel {
	if len(b) < 12 {
		return nil
	}
	return &pageChannel{Interval: math.Float32frombits(binary.LittleEndian.Uint32(b[4:])), Type: freelancer.Hash(binary.LittleEndian.Uint32(b[8:]))}
}

// parts lists the sizes of what a frame holds: whether singles or 16-bit fractions, and how many.
func (c *pageChannel) parts() (list []framePart) {
	kind := freelancer.ChannelType(c.Type)
	if c.Interval < 0 {
		list = append(list, framePart{4, 1})
	}
	for _, x := range [...]struct {
		bit  freelancer.ChannelType
		part framePart
	}{
		{freelancer.ChannelScalar, framePart{4, 1}}, {freelancer.ChannelPosition, framePart{4, 3}}, {freelancer.ChannelQuaternion, framePart{4, 4}},
		{freelancer.ChannelVector, framePart{2, 3}}, {freelancer.ChannelHalfAngle, framePart{2, 3}},
	} {
		if kind&x.bit != 0 {
			list = append(list, x.part)
		}
	}
	return list
}

type framePart struct{ size, count int }

func (c *pageChannel) stride() (n int) {
	for _, p := range c.parts() {
		n += p.size * p.count
	}
	return n
}

// rows cuts frames into numbers.
func (c *pageChannel) rows(b []byte) (list [][]float32, tail pageHex) {
	parts, stride := c.parts(), c.stride()
	if stride == 0 {
		return nil, nil
	}
	for ; len(b) >= stride; b = b[stride:] {
		var row []float32
		at := b
		for _, p := range parts {
			for range p.count {
				if p.size == 2 {
					row = append(row, float32(int16(binary.LittleEndian.Uint16(at))))
				} else {
					row = append(row, math.Float32frombits(binary.LittleEndian.Uint32(at)))
				}
				at = at[p.size:]
			}
		}
		list = append(list, row)
	}
	return list, tailOf(b)
}

// bytes is the inverse of rows.
func (c *pageChannel) bytes(list [][]float32) (b []byte, err error) {
	parts := c.parts()
	for i, row := range list {
		for _, p := range parts {
			if len(row) < p.count {
				return nil, schema.Errorf("json", schema.ErrMismatch, "Frames", "frame %d has too few numbers for a channel of type %s", i, c.Type)
			}
			for _, v := range row[:p.count] {
				if p.size == 4 {
					b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
					continue
				}
				if v != float32(int16(v)) {
					return nil, schema.Errorf("json", schema.ErrRange, "Frames", "frame %d: %g is no whole number of 16 bits", i, v)
				}
				b = binary.LittleEndian.AppendUint16(b, uint16(int16(v)))
			}
			row = row[p.count:]
		}
		if len(row) > 0 {
			return nil, schema.Errorf("json", schema.ErrMismatch, "Frames", "frame %d has too many numbers for a channel of type %s", i, c.Type)
		}
	}
	return b, nil
}
