// Package edits does to a GLB what people do to it in editors, and says whether what comes back shows the edit: for tests
// of the formats of models. It reads and writes GLB by itself, with few lines and without the program's own decoder and
// asset model, so that a mistake of those cannot hide in both sides of a comparison. Tests alone import it.
package edits

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
)

// Object is a JSON object.
type Object = map[string]any

// Doc is a GLB taken apart. What it holds is changed in place.
type Doc struct {
	JSON Object
	Bin  []byte

	follow map[int]mgl64.Mat4 // of nodes that an edit moved as objects: their world places before
}

// Parse takes a GLB apart.
func Parse(b []byte) (*Doc, error) {
	if len(b) < 20 || string(b[:4]) != "glTF" {
		return nil, fmt.Errorf("no GLB")
	}
	n := int(binary.LittleEndian.Uint32(b[12:]))
	d := &Doc{follow: map[int]mgl64.Mat4{}}
	if err := json.Unmarshal(b[20:20+n], &d.JSON); err != nil {
		return nil, err
	}
	if rest := b[20+n:]; len(rest) >= 8 {
		d.Bin = slices.Clone(rest[8:])
	}
	return d, nil
}

// Names returns the names of all nodes.
func (d *Doc) Names() (names []string) {
	for _, n := range d.nodes() {
		names = append(names, text(n, "name"))
	}
	return names
}

// Bytes puts the GLB together.
func (d *Doc) Bytes() []byte {
	for len(d.Bin)%4 != 0 {
		d.Bin = append(d.Bin, 0)
	}
	delete(d.JSON, "buffers")
	if len(d.Bin) > 0 {
		d.JSON["buffers"] = []any{Object{"byteLength": float64(len(d.Bin))}}
	}
	text, err := json.Marshal(d.JSON)
	if err != nil {
		panic(err) // it came from JSON
	}
	for len(text)%4 != 0 {
		text = append(text, ' ')
	}
	b := binary.LittleEndian.AppendUint32([]byte("glTF\x02\x00\x00\x00"), uint32(20+len(text)+8+len(d.Bin)))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(text)))
	b = append(append(b, "JSON"...), text...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(d.Bin)))
	return append(append(b, "BIN\x00"...), d.Bin...)
}

// copy returns the document as it is now.
func (d *Doc) copy() *Doc {
	return &Doc{JSON: clone(d.JSON), Bin: slices.Clone(d.Bin), follow: maps.Clone(d.follow)}
}

// all returns the objects of a list of the document.
func (d *Doc) all(list string) []Object { return objects(d.JSON[list]) }

func objects(v any) []Object {
	list, _ := v.([]any)
	out := make([]Object, len(list))
	for i, x := range list {
		out[i], _ = x.(Object)
	}
	return out
}

// add appends to a list of the document and returns the number of what was added.
func (d *Doc) add(list string, o Object) int {
	l, _ := d.JSON[list].([]any)
	d.JSON[list] = append(l, o)
	return len(l)
}

func (d *Doc) nodes() []Object { return d.all("nodes") }

// scene returns the default scene.
func (d *Doc) scene() Object {
	scenes := d.all("scenes")
	if i := number(d.JSON, "scene", 0); int(i) < len(scenes) {
		return scenes[int(i)]
	}
	return Object{}
}

// sub returns the object under a path of keys; it may be read even where there is none.
func sub(o Object, keys ...string) Object {
	for _, k := range keys {
		o, _ = o[k].(Object)
	}
	return o
}

// make returns the object under a path of keys, new where there is none.
func makeSub(o Object, keys ...string) Object {
	for _, k := range keys {
		next, ok := o[k].(Object)
		if !ok {
			next = Object{}
			o[k] = next
		}
		o = next
	}
	return o
}

func number(o Object, key string, usual float64) float64 {
	if x, ok := o[key].(float64); ok {
		return x
	}
	return usual
}

// ref returns the index under a key, −1 where there is none.
func ref(o Object, key string) int { return int(number(o, key, -1)) }

func text(o Object, key string) string {
	s, _ := o[key].(string)
	return s
}

func numbers(v any) []float64 {
	list, _ := v.([]any)
	out := make([]float64, len(list))
	for i, x := range list {
		out[i], _ = x.(float64)
	}
	return out
}

func ints(v any) []int {
	var out []int
	for _, x := range numbers(v) {
		out = append(out, int(x))
	}
	return out
}

// anys is the reverse of numbers and ints.
func anys[T int | float64](v []T) []any {
	out := make([]any, len(v))
	for i, x := range v {
		out[i] = float64(x)
	}
	return out
}

// clone copies a JSON value.
func clone[T any](v T) T {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // it came from JSON
	}
	var out T
	if err := json.Unmarshal(b, &out); err != nil {
		panic(err)
	}
	return out
}

var widths = map[string]int{"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}

// accessor returns the values of an accessor, flat, and how many belong together. Normalised integers are brought to
// 0 … 1 or −1 … 1.
func (d *Doc) accessor(i int) (values []float64, width int) {
	a := d.one("accessors", i)
	width = widths[text(a, "type")]
	values = make([]float64, int(number(a, "count", 0))*width)
	kind, normalized := int(number(a, "componentType", 5126)), a["normalized"] == true
	if ref(a, "bufferView") >= 0 {
		d.read(values, ref(a, "bufferView"), int(number(a, "byteOffset", 0)), width, kind, normalized)
	}
	if s := sub(a, "sparse"); s != nil {
		n := int(number(s, "count", 0))
		at, change := make([]float64, n), make([]float64, n*width)
		x, v := sub(s, "indices"), sub(s, "values")
		d.read(at, ref(x, "bufferView"), int(number(x, "byteOffset", 0)), 1, int(number(x, "componentType", 5125)), false)
		d.read(change, ref(v, "bufferView"), int(number(v, "byteOffset", 0)), width, kind, normalized)
		for k, i := range at {
			copy(values[int(i)*width:], change[k*width:(k+1)*width])
		}
	}
	return values, width
}

func (d *Doc) read(values []float64, view, offset, width, kind int, normalized bool) {
	v := d.all("bufferViews")[view]
	size := map[int]int{5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4}[kind]
	stride := int(number(v, "byteStride", float64(size*width)))
	b := d.Bin[int(number(v, "byteOffset", 0))+offset:]
	for i := range values {
		x := b[i/width*stride+i%width*size:]
		var most float64
		switch kind {
		case 5120:
			values[i], most = float64(int8(x[0])), 127
		case 5121:
			values[i], most = float64(x[0]), 255
		case 5122:
			values[i], most = float64(int16(binary.LittleEndian.Uint16(x))), 32767
		case 5123:
			values[i], most = float64(binary.LittleEndian.Uint16(x)), 65535
		case 5125:
			values[i] = float64(binary.LittleEndian.Uint32(x))
		case 5126:
			values[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(x)))
		}
		if normalized && most > 0 {
			values[i] = max(-1, values[i]/most)
		}
	}
}

// view appends bytes to the buffer and returns the number of their view.
func (d *Doc) view(b []byte) int {
	for len(d.Bin)%4 != 0 {
		d.Bin = append(d.Bin, 0)
	}
	at := len(d.Bin)
	d.Bin = append(d.Bin, b...)
	return d.add("bufferViews", Object{"buffer": 0.0, "byteOffset": float64(at), "byteLength": float64(len(b))})
}

// put adds an accessor of floats.
func (d *Doc) put(values []float64, kind string) int {
	var b []byte
	for _, x := range values {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(x)))
	}
	width := widths[kind]
	a := Object{"bufferView": float64(d.view(b)), "componentType": 5126.0, "type": kind, "count": float64(len(values) / width)}
	if kind == "VEC3" || kind == "SCALAR" {
		low, high := slices.Repeat([]float64{math.Inf(1)}, width), slices.Repeat([]float64{math.Inf(-1)}, width)
		for i, x := range values {
			x = float64(float32(x))
			low[i%width], high[i%width] = min(low[i%width], x), max(high[i%width], x)
		}
		a["min"], a["max"] = anys(low), anys(high)
	}
	return d.add("accessors", a)
}

// putInts adds an accessor of integers: indices (5125), joints (5123).
func (d *Doc) putInts(values []int, kind string, component int) int {
	var b []byte
	for _, x := range values {
		if component == 5123 {
			b = binary.LittleEndian.AppendUint16(b, uint16(x))
		} else {
			b = binary.LittleEndian.AppendUint32(b, uint32(x))
		}
	}
	return d.add("accessors", Object{"bufferView": float64(d.view(b)), "componentType": float64(component), "type": kind, "count": float64(len(values) / widths[kind])})
}

// change replaces an accessor of a holder (an attribute of a primitive, a sampler's output) by edited values.
func (d *Doc) change(holder Object, key string, edit func(values []float64, width int)) bool {
	i := ref(holder, key)
	if i < 0 {
		return false
	}
	values, width := d.accessor(i)
	edit(values, width)
	holder[key] = float64(d.put(values, text(d.one("accessors", i), "type")))
	return true
}

// one returns an object of a list of the document.
func (d *Doc) one(list string, i int) Object {
	l, _ := d.JSON[list].([]any)
	o, _ := l[i].(Object)
	return o
}
