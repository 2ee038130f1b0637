package model

import (
	"encoding/binary"

	"github.com/usher-assets/usher/schema/ultima9"
)

// unusualLayout returns where limbs and levels of a record lie and what no structure covers; nothing when that is the
// usual layout.
func unusualLayout(m *ultima9.Mesh) []byte {
	usual := withUsualLayout(m)
	same := len(m.Gaps) == 0
	var b []byte
	for i := range m.Limbs {
		l := &m.Limbs[i]
		same = same && l.Offset == usual.Limbs[i].Offset
		b = binary.LittleEndian.AppendUint32(b, l.Offset)
		for k := range l.LODs {
			same = same && l.LODs[k].Offset == usual.Limbs[i].LODs[k].Offset
			b = binary.LittleEndian.AppendUint32(b, l.LODs[k].Offset)
		}
	}
	if same {
		return nil
	}
	for _, g := range m.Gaps {
		b = binary.LittleEndian.AppendUint32(b, g.Offset)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(g.Data)))
		b = append(b, g.Data...)
	}
	return b
}

// withUsualLayout returns a copy of the mesh, of its limbs and of their levels, with the usual layout.
func withUsualLayout(m *ultima9.Mesh) *ultima9.Mesh {
	c := *m
	c.Limbs = append([]ultima9.Limb(nil), m.Limbs...)
	for i := range c.Limbs {
		c.Limbs[i].LODs = append([]ultima9.LOD(nil), m.Limbs[i].LODs...)
	}
	c.Layout()
	return &c
}

// lowerLayout puts limbs and levels where unusualLayout says; ok is false when b does not fit the mesh.
func lowerLayout(m *ultima9.Mesh, b []byte) (ok bool) {
	if len(b) < 4*len(m.Limbs)*(int(m.LODs)+1) {
		return false
	}
	next := func() uint32 {
		v := binary.LittleEndian.Uint32(b)
		b = b[4:]
		return v
	}
	for i := range m.Limbs {
		m.Limbs[i].Offset = next()
		for k := range m.Limbs[i].LODs {
			m.Limbs[i].LODs[k].Offset = next()
		}
	}
	m.Gaps = nil
	for len(b) >= 8 {
		g := ultima9.Gap{Offset: next()}
		n := next()
		if uint64(n) > uint64(len(b)) {
			return false
		}
		g.Data, b = b[:n:n], b[n:]
		m.Gaps = append(m.Gaps, g)
	}
	return len(b) == 0
}
