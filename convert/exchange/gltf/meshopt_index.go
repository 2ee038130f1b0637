package gltf

import (
	"encoding/binary"

	"github.com/usher-assets/usher/schema"
)

// indexSink takes unpacked indices of two or four bytes.
type indexSink struct {
	dst  []byte
	size int
}

func (s *indexSink) put(x uint32) {
	if s.size == 2 {
		binary.LittleEndian.PutUint16(s.dst, uint16(x))
	} else {
		binary.LittleEndian.PutUint32(s.dst, x)
	}
	s.dst = s.dst[s.size:]
}

// varints reads numbers of seven bits a byte, the lowest first. It keeps that the bytes ended early or a number is too
// long.
type varints struct {
	src []byte
	bad bool
}

func (v *varints) byte() byte {
	if len(v.src) == 0 {
		v.bad = true
		return 0
	}
	b := v.src[0]
	v.src = v.src[1:]
	return b
}

func (v *varints) next() uint32 {
	var x uint32
	for shift := 0; shift < 35; shift += 7 {
		b := v.byte()
		x |= uint32(b&0x7F) << shift
		if b < 0x80 {
			return x
		}
	}
	v.bad = true
	return 0
}

// unpackIndices reads indices of any kind: deltas from one of two that came before.
func unpackIndices(out indexSink, src []byte) error {
	const tail = 4
	if src[0] != headIndices {
		return packedError(schema.ErrUnsupported, "indices begin with %#02x", src[0])
	}
	v := varints{src: src[1 : len(src)-tail]}
	var last [2]uint32
	for len(out.dst) > 0 {
		x := v.next()
		base := &last[x&1]
		*base += unzigzag32(x >> 1)
		out.put(*base)
	}
	return v.done("indices")
}

func (v *varints) done(what string) error {
	if v.bad {
		return packedError(schema.ErrTruncated, "the %s end early", what)
	}
	if len(v.src) > 0 {
		return packedError(schema.ErrMismatch, "%d bytes after the %s", len(v.src), what)
	}
	return nil
}

// triangleTable is the table at the end of packed triangles: two numbers of four bits for each of its codes.
type triangleTable [16]byte

// recent holds the last sixteen of what was pushed.
type recent[T any] struct {
	ring   [16]T
	pushed int
}

func (r *recent[T]) push(x T) {
	r.ring[r.pushed&15] = x
	r.pushed++
}

// get returns what was pushed back pushes ago, 0 for the last; it is false when there were not so many.
func (r *recent[T]) get(back byte) (x T, ok bool) {
	if int(back) >= r.pushed || back > 15 {
		return x, false
	}
	return r.ring[(r.pushed-1-int(back))&15], true
}

// triangles is the state of unpacking triangles.
type triangles struct {
	next, last uint32 // the first vertex that was not yet used, and the last that was written out
	edges      recent[[2]uint32]
	vertices   recent[uint32]
	data       varints
	bad        bool // a code reached for what was never there
}

// unpackTriangles reads lists of triangles: a code for each, and what codes cannot say behind them.
func unpackTriangles(out indexSink, src []byte) error {
	if src[0] != headTriangles {
		return packedError(schema.ErrUnsupported, "triangles begin with %#02x", src[0])
	}
	n := len(out.dst) / (3 * out.size)
	table := triangleTable(src[len(src)-len(triangleTable{}):])
	for i, b := range table {
		if b>>4 == 15 || b&15 == 15 || i >= 14 && b != 0 {
			return packedError(schema.ErrValue, "%#02x in the table of triangles", b)
		}
	}
	codes := src[1 : 1+n]
	t := triangles{data: varints{src: src[1+n : len(src)-len(table)]}}
	for _, code := range codes {
		var v [3]uint32
		switch {
		case code < 0xF0:
			v = t.beside(code)
		case code < 0xFE:
			v = t.fresh(table[code&15])
		default:
			v = t.free(code)
		}
		out.put(v[0])
		out.put(v[1])
		out.put(v[2])
	}
	if t.bad {
		return packedError(schema.ErrRange, "a triangle refers to edges or vertices that did not yet come")
	}
	return t.data.done("triangles")
}

// beside returns a triangle at an edge that came before.
func (t *triangles) beside(code byte) [3]uint32 {
	e, ok := t.edges.get(code >> 4)
	t.bad = t.bad || !ok
	var c uint32
	switch low := code & 15; low {
	case 0:
		c = t.use()
	case 13:
		t.last--
		c = t.last
	case 14:
		t.last++
		c = t.last
	case 15:
		c = t.written()
	default:
		c = t.vertex(low)
	}
	if low := code & 15; low == 0 || low >= 13 {
		t.vertices.push(c)
	}
	t.edges.push([2]uint32{c, e[1]})
	t.edges.push([2]uint32{e[0], c})
	return [3]uint32{e[0], e[1], c}
}

// fresh returns a triangle with a vertex that is new and two that are new or came before.
func (t *triangles) fresh(pair byte) [3]uint32 {
	z, w := pair>>4, pair&15
	v := [3]uint32{t.use()}
	v[1] = t.corner(z)
	v[2] = t.corner(w)
	t.push(v, z == 0, w == 0)
	return v
}

// free returns a triangle any of whose vertices may be written out.
func (t *triangles) free(code byte) [3]uint32 {
	pair := t.data.byte()
	if pair == 0 {
		t.next = 0
	}
	z, w := pair>>4, pair&15
	var v [3]uint32
	if code == 0xFE {
		v[0] = t.use()
	} else {
		v[0] = t.written()
	}
	v[1] = t.corner(z)
	v[2] = t.corner(w)
	t.push(v, z == 0 || z == 15, w == 0 || w == 15)
	return v
}

func (t *triangles) push(v [3]uint32, second, third bool) {
	t.edges.push([2]uint32{v[1], v[0]})
	t.edges.push([2]uint32{v[2], v[1]})
	t.edges.push([2]uint32{v[0], v[2]})
	t.vertices.push(v[0])
	if second {
		t.vertices.push(v[1])
	}
	if third {
		t.vertices.push(v[2])
	}
}

// corner returns the vertex of four bits: 0 a new one, 15 one that is written out, else one that came before.
func (t *triangles) corner(bits byte) uint32 {
	switch bits {
	case 0:
		return t.use()
	case 15:
		return t.written()
	}
	return t.vertex(bits - 1)
}

func (t *triangles) use() uint32 {
	t.next++
	return t.next - 1
}

func (t *triangles) written() uint32 {
	t.last += unzigzag32(t.data.next())
	return t.last
}

func (t *triangles) vertex(back byte) uint32 {
	x, ok := t.vertices.get(back)
	t.bad = t.bad || !ok
	return x
}
