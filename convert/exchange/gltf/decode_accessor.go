package gltf

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"github.com/qmuntal/gltf"

	"github.com/usher-assets/usher/schema"
)

// elements is an accessor that was held against its view and buffer: element i of count begins at data[i·stride].
type elements struct {
	path   string
	data   []byte // nil for zeros
	stride int
	count  int
	comps  int
	comp   gltf.ComponentType
	norm   bool
	sparse *overrides
}

// overrides are the values of a sparse accessor.
type overrides struct {
	indices []uint32
	values  elements
}

var componentSizes = [...]int{gltf.ComponentFloat: 4, gltf.ComponentByte: 1, gltf.ComponentUbyte: 1, gltf.ComponentShort: 2, gltf.ComponentUshort: 2, gltf.ComponentUint: 4}

// locate checks an accessor. want is the number of elements it must have, negative when any will do. Nothing is
// allocated for the elements.
func (d *decoder) locate(path string, i, want int) (elements, error) {
	if err := refer(path, i, len(d.doc.Accessors)); err != nil {
		return elements{}, err
	}
	a := d.doc.Accessors[i]
	e := elements{path: path, count: a.Count, comps: a.Type.Components(), comp: a.ComponentType, norm: a.Normalized}
	if want >= 0 && a.Count != want {
		return e, pathError(path, schema.ErrMismatch, "%d elements, %d expected", a.Count, want)
	}
	if a.BufferView != nil {
		if err := d.view(&e, *a.BufferView, a.ByteOffset); err != nil {
			return e, err
		}
	} else if int64(a.Count) > d.budget/int64(4*e.comps) {
		return e, pathError(path, schema.ErrCount, "%d elements without data", a.Count)
	}
	if a.Sparse == nil {
		return e, nil
	}
	return e, d.sparse(&e, a)
}

// view finds the bytes of elements in a buffer view.
func (d *decoder) view(e *elements, i, offset int) error {
	if err := refer(e.path+"/bufferView", i, len(d.doc.BufferViews)); err != nil {
		return err
	}
	v := d.doc.BufferViews[i]
	b, err := d.viewBytes(e.path, i)
	if err != nil {
		return err
	}
	size := componentSizes[e.comp] * e.comps
	e.stride = size
	if v.ByteStride != 0 {
		e.stride = v.ByteStride
	}
	if e.stride < size || e.stride > 1<<16 {
		return pathError(e.path+"/byteStride", schema.ErrValue, "%d, an element has %d bytes", v.ByteStride, size)
	}
	if offset < 0 || offset > len(b) {
		return pathError(e.path+"/byteOffset", schema.ErrRange, "%d, the view has %d bytes", offset, len(b))
	}
	b = b[offset:]
	if len(b) < size || e.count-1 > (len(b)-size)/e.stride {
		return pathError(e.path+"/count", schema.ErrCount, "%d elements of %d bytes every %d, %d bytes left", e.count, size, e.stride, len(b))
	}
	e.data = b
	return nil
}

// viewBytes returns the bytes of a buffer view.
func (d *decoder) viewBytes(path string, i int) ([]byte, error) {
	if err := refer(path+"/bufferView", i, len(d.doc.BufferViews)); err != nil {
		return nil, err
	}
	if b, ok, err := d.unpacked(i); ok || err != nil {
		return b, err
	}
	v := d.doc.BufferViews[i]
	at := fmt.Sprintf("bufferViews/%d", i)
	if err := refer(at+"/buffer", v.Buffer, len(d.buffers)); err != nil {
		return nil, err
	}
	return d.slice(at, v.Buffer, v.ByteOffset, v.ByteLength)
}

// slice returns n bytes of a buffer. One that only stands for unpacked bytes is loaded when they are needed after all.
func (d *decoder) slice(at string, buffer, offset, n int) ([]byte, error) {
	x := d.buffers[buffer]
	if offset < 0 || n < 0 || int64(offset) > x.size || int64(n) > x.size-int64(offset) {
		return nil, pathError(at, schema.ErrRange, "bytes %d + %d of %d", offset, n, x.size)
	}
	if !x.present() && x.size > 0 {
		path := fmt.Sprintf("buffers/%d", buffer)
		b, err := d.load(path, d.doc.Buffers[buffer].URI)
		if err != nil {
			return nil, err
		}
		if int64(len(b)) < x.size {
			return nil, pathError(path+"/byteLength", schema.ErrTruncated, "%d bytes declared, %d present", x.size, len(b))
		}
		x = held(b).cut(x.size)
		d.buffers[buffer] = x
	}
	return x.bytes(int64(offset), n)
}

func (d *decoder) sparse(e *elements, a *gltf.Accessor) error {
	s := a.Sparse
	path := e.path + "/sparse"
	if s.Count < 1 || s.Count > a.Count {
		return pathError(path+"/count", schema.ErrCount, "%d of %d elements", s.Count, a.Count)
	}
	at := elements{path: path + "/indices", count: s.Count, comps: 1, comp: s.Indices.ComponentType}
	if err := d.view(&at, s.Indices.BufferView, s.Indices.ByteOffset); err != nil {
		return err
	}
	o := &overrides{values: elements{path: path + "/values", count: s.Count, comps: e.comps, comp: e.comp, norm: e.norm}}
	if err := d.view(&o.values, s.Values.BufferView, s.Values.ByteOffset); err != nil {
		return err
	}
	if err := d.spend(path, 4*int64(s.Count)); err != nil {
		return err
	}
	var err error
	if o.indices, err = at.uints(); err != nil {
		return err
	}
	for k, x := range o.indices {
		if int64(x) >= int64(a.Count) || k > 0 && x <= o.indices[k-1] {
			return pathError(at.path, schema.ErrRange, "index %d at %d: they ascend and stay below %d", x, k, a.Count)
		}
	}
	e.sparse = o
	return nil
}

// floats converts all elements into dst, which has room for them.
func (e *elements) floats(dst []float32) error {
	if e.data != nil {
		if err := e.convert(dst); err != nil {
			return err
		}
	}
	if e.sparse == nil {
		return nil
	}
	one := e.sparse.values
	one.count = 1
	for k, x := range e.sparse.indices {
		one.data = e.sparse.values.data[k*one.stride:]
		if err := one.convert(dst[int(x)*e.comps : (int(x)+1)*e.comps]); err != nil {
			return err
		}
	}
	return nil
}

func (e *elements) convert(dst []float32) error {
	if e.comp == gltf.ComponentFloat {
		e.convertFloats(dst)
		return nil
	}
	var scale float32
	var read func(b []byte) float32
	switch e.comp {
	case gltf.ComponentUbyte:
		scale, read = 255, func(b []byte) float32 { return float32(b[0]) }
	case gltf.ComponentByte:
		scale, read = 127, func(b []byte) float32 { return float32(int8(b[0])) }
	case gltf.ComponentUshort:
		scale, read = 65535, func(b []byte) float32 { return float32(binary.LittleEndian.Uint16(b)) }
	case gltf.ComponentShort:
		scale, read = 32767, func(b []byte) float32 { return float32(int16(binary.LittleEndian.Uint16(b))) }
	default:
		return pathError(e.path, schema.ErrUnsupported, "32-bit integers are for indices only")
	}
	size := componentSizes[e.comp]
	for i := range e.count {
		b := e.data[i*e.stride:]
		for k := range e.comps {
			x := read(b[k*size:])
			if e.norm {
				x = max(x/scale, -1)
			}
			dst[i*e.comps+k] = x
		}
	}
	return nil
}

func (e *elements) convertFloats(dst []float32) {
	if e.stride == 4*e.comps {
		b := e.data[:4*len(dst)]
		for i := range dst {
			dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i : 4*i+4]))
		}
		return
	}
	for i := range e.count {
		b := e.data[i*e.stride:]
		for k := range e.comps {
			dst[i*e.comps+k] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*k:]))
		}
	}
}

// plain reports whether the elements are components of one type and nothing else, in the file as they are in memory.
func (e *elements) plain(c gltf.ComponentType) bool {
	return e.comp == c && e.data != nil && e.sparse == nil && !e.norm && e.stride == componentSizes[c]*e.comps
}

// uints returns all components of unsigned integer elements.
func (e *elements) uints() ([]uint32, error) {
	if e.plain(gltf.ComponentUint) {
		if v := fromMemory[uint32](e.data, e.count*e.comps); v != nil {
			return v, nil
		}
	}
	dst := make([]uint32, e.count*e.comps)
	if err := e.fill(dst); err != nil || e.sparse == nil {
		return dst, err
	}
	one := e.sparse.values
	one.count = 1
	for k, x := range e.sparse.indices {
		one.data = e.sparse.values.data[k*one.stride:]
		if err := one.fill(dst[int(x)*e.comps : (int(x)+1)*e.comps]); err != nil {
			return nil, err
		}
	}
	return dst, nil
}

func (e *elements) fill(dst []uint32) error {
	if e.norm {
		return pathError(e.path, schema.ErrUnsupported, "normalised integers as indices")
	}
	if e.data == nil {
		return nil
	}
	switch e.comp {
	case gltf.ComponentUbyte:
		for i := range e.count {
			for k, x := range e.data[i*e.stride:][:e.comps] {
				dst[i*e.comps+k] = uint32(x)
			}
		}
	case gltf.ComponentUshort:
		for i := range e.count {
			b := e.data[i*e.stride:]
			for k := range e.comps {
				dst[i*e.comps+k] = uint32(binary.LittleEndian.Uint16(b[2*k:]))
			}
		}
	case gltf.ComponentUint:
		if e.stride == 4*e.comps { // the usual case, and the largest data
			b := e.data[:4*len(dst)]
			for i := range dst {
				dst[i] = binary.LittleEndian.Uint32(b[4*i : 4*i+4])
			}
			return nil
		}
		for i := range e.count {
			b := e.data[i*e.stride:]
			for k := range e.comps {
				dst[i*e.comps+k] = binary.LittleEndian.Uint32(b[4*k:])
			}
		}
	default:
		return pathError(e.path, schema.ErrUnsupported, "component type %d for indices", e.comp)
	}
	return nil
}

// readVectors reads an accessor of N components once; all who use it get the same slice.
func readVectors[V any](d *decoder, path string, i, want, comps int, flat func([]V) []float32) ([]V, error) {
	key := cacheKey{i, fmt.Sprint("float", comps)}
	if v, ok := d.cache[key].([]V); ok && (want < 0 || len(v) == want) {
		return v, nil
	}
	e, err := d.locate(path, i, want)
	if err != nil {
		return nil, err
	}
	if d.doc.Accessors[i].Type != vectors[comps] {
		return nil, pathError(path, schema.ErrMismatch, "type %s, %d components expected", d.doc.Accessors[i].Type, comps)
	}
	if err := d.spend(path, 4*int64(comps)*int64(e.count)); err != nil {
		return nil, err
	}
	var v []V
	if e.plain(gltf.ComponentFloat) {
		sound := false
		v = copyLooking(e.data, e.count, func(v []V) { sound = finite(flat(v)) })
		if sound {
			d.cache[cacheKey{i, "odd"}] = -1
		}
	}
	if v == nil {
		v = make([]V, e.count)
		if err := e.floats(flat(v)); err != nil {
			return nil, err
		}
	}
	d.cache[key] = v
	return v, nil
}

func (d *decoder) vec2(path string, i, want int) ([][2]float32, error) {
	return readVectors(d, path, i, want, 2, flat2)
}

func (d *decoder) vec3(path string, i, want int) ([][3]float32, error) {
	return readVectors(d, path, i, want, 3, flat3)
}

func (d *decoder) vec4(path string, i, want int) ([][4]float32, error) {
	return readVectors(d, path, i, want, 4, flat4)
}

func (d *decoder) mat4(path string, i int) ([][16]float32, error) {
	return readVectors(d, path, i, -1, 16, flat16)
}

// scalars reads an accessor of any type as its components, one after the other.
func (d *decoder) scalars(path string, i int) ([]float32, error) {
	key := cacheKey{i, "scalars"}
	if v, ok := d.cache[key].([]float32); ok {
		return v, nil
	}
	e, err := d.locate(path, i, -1)
	if err != nil {
		return nil, err
	}
	if e.comps > 4 || d.doc.Accessors[i].Type == gltf.AccessorMat2 {
		return nil, pathError(path, schema.ErrMismatch, "type %s", d.doc.Accessors[i].Type)
	}
	if err := d.spend(path, 4*int64(e.comps)*int64(e.count)); err != nil {
		return nil, err
	}
	v := make([]float32, e.count*e.comps)
	if err := e.floats(v); err != nil {
		return nil, err
	}
	d.cache[key] = v
	return v, nil
}

// places reads positions. They must be finite, because there is no substitute for one that is not.
func (d *decoder) places(path string, i, want int) ([][3]float32, error) {
	v, err := d.vec3(path, i, want)
	if err != nil {
		return nil, err
	}
	if k := d.firstOdd(i, flat3(v)); k >= 0 {
		return nil, pathError(path, schema.ErrValue, "element %d of accessor %d is %v: not finite", k/3, i, v[k/3])
	}
	return v, nil
}

// firstOdd returns the first of the values of an accessor that is not finite, −1 when all are. Values that are shared
// are looked at once.
func (d *decoder) firstOdd(accessor int, v []float32) int {
	key := cacheKey{accessor, "odd"}
	if k, ok := d.cache[key].(int); ok {
		return k
	}
	odd := -1
	if !allFinite(v) {
		odd = slices.IndexFunc(v, notFinite)
	}
	d.cache[key] = odd
	return odd
}

func allFinite(v []float32) bool {
	return fold(len(v), func(from, to int) bool { return finite(v[from:to]) }, func(a, b bool) bool { return a && b })
}

// finite looks at two floats at a time: what is not finite has all bits of its exponent set, to which one more flows over
// into the bit above.
func finite(v []float32) bool {
	const exponents, lowest, over = 0x7F800000_7F800000, 0x00800000_00800000, 0x80000000_80000000
	var flown uint64
	if len(v) > 1 {
		for _, pair := range unsafe.Slice((*[2]uint32)(unsafe.Pointer(&v[0])), len(v)/2) {
			flown |= (uint64(pair[0])|uint64(pair[1])<<32)&exponents + lowest
		}
	}
	return flown&over == 0 && (len(v)%2 == 0 || !notFinite(v[len(v)-1]))
}

// mend puts zeros for values of an accessor that are not finite.
func (d *decoder) mend(path string, accessor int, v []float32) {
	first := d.firstOdd(accessor, v)
	if first < 0 {
		return
	}
	n := 0
	for k, x := range v[first:] {
		if notFinite(x) {
			v[first+k] = 0
			n++
		}
	}
	d.cache[cacheKey{accessor, "odd"}] = -1
	d.diag.Warnf("not-finite", path, "%d values of accessor %d are not finite and taken for 0", n, accessor)
}

// directions brings vectors that were stored as integers to unit length, which their rounding took from them
// (KHR_mesh_quantization). comps is 4 for tangents, whose last component is a sign.
func (d *decoder) directions(accessor int, v []float32, comps int) {
	key := cacheKey{accessor, "directions"}
	if d.doc.Accessors[accessor].ComponentType == gltf.ComponentFloat || d.cache[key] != nil {
		return
	}
	d.cache[key] = true
	for ; len(v) >= comps; v = v[comps:] {
		x, y, z := float64(v[0]), float64(v[1]), float64(v[2])
		if l := math.Sqrt(x*x + y*y + z*z); l > 0 {
			v[0], v[1], v[2] = float32(x/l), float32(y/l), float32(z/l)
		}
		if comps == 4 {
			v[3] = float32(math.Copysign(1, float64(v[3])))
		}
	}
}

// stepOf returns the grid that positions were rounded to: 0 for floats.
func (d *decoder) stepOf(accessor int) float32 {
	a := d.doc.Accessors[accessor]
	steps := map[gltf.ComponentType]float32{gltf.ComponentByte: 127, gltf.ComponentUbyte: 255, gltf.ComponentShort: 32767, gltf.ComponentUshort: 65535}
	most := steps[a.ComponentType]
	if most > 0 && a.Normalized {
		return 1 / most
	}
	return min(most, 1)
}
