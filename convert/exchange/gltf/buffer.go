package gltf

import (
	"encoding/binary"
	"io"
	"math"

	"github.com/qmuntal/gltf"
)

// sink converts values to little-endian bytes and writes them in pieces. It keeps the first error and then stays quiet.
type sink struct {
	w   io.Writer
	buf []byte
	err error
}

// newSink makes a sink for about so many bytes.
func newSink(w io.Writer, size int64) *sink {
	const least, most = 64, 32 << 10 // an element has 64 bytes at most
	return &sink{w: w, buf: make([]byte, min(max(size, least), most))}
}

func (s *sink) bytes(b []byte) {
	if s.err != nil || len(b) == 0 {
		return
	}
	n, err := s.w.Write(b)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	s.err = err
}

func (s *sink) floats(v []float32) {
	if b := memory(v); b != nil {
		s.bytes(b)
		return
	}
	for len(v) > 0 && s.err == nil {
		n := min(len(v), len(s.buf)/4)
		b := s.buf[:4*n]
		for i, x := range v[:n] {
			binary.LittleEndian.PutUint32(b[4*i:], math.Float32bits(x))
		}
		s.bytes(b)
		v = v[n:]
	}
}

func (s *sink) uint32s(v []uint32) {
	if b := memory(v); b != nil {
		s.bytes(b)
		return
	}
	for len(v) > 0 && s.err == nil {
		n := min(len(v), len(s.buf)/4)
		b := s.buf[:4*n]
		for i, x := range v[:n] {
			binary.LittleEndian.PutUint32(b[4*i:], x)
		}
		s.bytes(b)
		v = v[n:]
	}
}

func (s *sink) uint16s(v []uint32) {
	for len(v) > 0 && s.err == nil {
		n := min(len(v), len(s.buf)/2)
		b := s.buf[:2*n]
		for i, x := range v[:n] {
			binary.LittleEndian.PutUint16(b[2*i:], uint16(x))
		}
		s.bytes(b)
		v = v[n:]
	}
}

// small writes integers that come as floats, comps an element, each element padded to four bytes.
func (s *sink) small(v []float32, comps, bytes int, scale float32) {
	stride := (comps*bytes + 3) &^ 3
	for len(v) > 0 && s.err == nil {
		n := min(len(v)/comps, len(s.buf)/stride)
		b := s.buf[:n*stride]
		clear(b)
		for i := range n {
			for k, x := range v[i*comps : (i+1)*comps] {
				u := uint16(math.Round(float64(x * scale)))
				if bytes == 1 {
					b[i*stride+k] = byte(u)
				} else {
					binary.LittleEndian.PutUint16(b[i*stride+2*k:], u)
				}
			}
		}
		s.bytes(b)
		v = v[n*comps:]
	}
}

func (s *sink) joints(v [][4]uint16, bytes int) {
	for len(v) > 0 && s.err == nil {
		n := min(len(v), len(s.buf)/(4*bytes))
		b := s.buf[:n*4*bytes]
		for i, j := range v[:n] {
			for k, x := range j {
				if bytes == 1 {
					b[4*i+k] = byte(x)
				} else {
					binary.LittleEndian.PutUint16(b[8*i+2*k:], x)
				}
			}
		}
		s.bytes(b)
		v = v[n:]
	}
}

// buffer is the one binary buffer of a file: views that write themselves, so that nothing is held twice in memory.
type buffer struct {
	size  int64
	parts []part
}

type part struct {
	size int64
	put  func(s *sink)
}

// align fills the last four bytes up.
func (b *buffer) align() {
	if pad := -b.size & 3; pad > 0 {
		b.parts = append(b.parts, part{pad, func(s *sink) { s.bytes(make([]byte, pad)) }})
		b.size += pad
	}
}

// add appends a part, aligned to four bytes, and returns its offset.
func (b *buffer) add(size int64, put func(s *sink)) int64 {
	b.align()
	at := b.size
	b.parts = append(b.parts, part{size, put})
	b.size += size
	return at
}

func (b *buffer) writeTo(s *sink) {
	for _, p := range b.parts {
		p.put(s)
	}
}

// accessorKey identifies the data of an accessor: primitives that share a slice share it in the file too.
type accessorKey struct {
	first any // pointer to the first element
	n     int
	use   string
}

// view adds a buffer view and returns its index.
func (e *encoder) view(size int64, stride int, target gltf.Target, put func(s *sink)) int {
	at := e.bin.add(size, put)
	e.doc.BufferViews = append(e.doc.BufferViews, &gltf.BufferView{
		ByteOffset: int(at), ByteLength: int(size), ByteStride: stride, Target: target,
	})
	return len(e.doc.BufferViews) - 1
}

func (e *encoder) accessor(a *gltf.Accessor) int {
	e.doc.Accessors = append(e.doc.Accessors, a)
	return len(e.doc.Accessors) - 1
}

var vectors = [...]gltf.AccessorType{1: gltf.AccessorScalar, 2: gltf.AccessorVec2, 3: gltf.AccessorVec3, 4: gltf.AccessorVec4, 16: gltf.AccessorMat4}

// floatAccessor adds float data with comps components an element.
func (e *encoder) floatAccessor(v []float32, comps int, target gltf.Target, bounds bool) int {
	view := e.view(4*int64(len(v)), 0, target, func(s *sink) { s.floats(v) })
	a := &gltf.Accessor{BufferView: &view, ComponentType: gltf.ComponentFloat, Type: vectors[comps], Count: len(v) / comps}
	if bounds {
		a.Min, a.Max = extent(v, comps)
	}
	return e.accessor(a)
}

// extent returns the least and the greatest value of each component.
func extent(v []float32, comps int) (lo, hi []float64) {
	if comps == 3 {
		return extent3(v)
	}
	lo, hi = make([]float64, comps), make([]float64, comps)
	for k := range comps {
		l, h := v[k], v[k]
		for i := k; i < len(v); i += comps {
			l, h = min(l, v[i]), max(h, v[i])
		}
		lo[k], hi[k] = float64(l), float64(h)
	}
	return lo, hi
}

// box is the least and the greatest value of three components.
type box struct{ x0, y0, z0, x1, y1, z1 float32 }

// extent3 is extent for positions, where it counts.
func extent3(v []float32) (lo, hi []float64) {
	b := fold(len(v)/3, func(from, to int) box { return boxOf(v[3*from : 3*to]) }, func(a, b box) box {
		return box{min(a.x0, b.x0), min(a.y0, b.y0), min(a.z0, b.z0), max(a.x1, b.x1), max(a.y1, b.y1), max(a.z1, b.z1)}
	})
	return []float64{float64(b.x0), float64(b.y0), float64(b.z0)}, []float64{float64(b.x1), float64(b.y1), float64(b.z1)}
}

func boxOf(v []float32) box {
	x0, y0, z0 := v[0], v[1], v[2]
	x1, y1, z1 := x0, y0, z0
	for ; len(v) >= 3; v = v[3:] {
		x, y, z := v[0], v[1], v[2]
		if x < x0 {
			x0 = x
		} else if x > x1 {
			x1 = x
		}
		if y < y0 {
			y0 = y
		} else if y > y1 {
			y1 = y
		}
		if z < z0 {
			z0 = z
		} else if z > z1 {
			z1 = z
		}
	}
	return box{x0, y0, z0, x1, y1, z1}
}
