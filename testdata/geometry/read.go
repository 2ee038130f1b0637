package main

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// document is what of glTF matters for where triangles are. It shares no code with convert/exchange/gltf: it is held against it.
type document struct {
	Scene              *int
	Scenes             []struct{ Nodes []int }
	Nodes              []node
	Meshes             []mesh
	Skins              []skin
	Accessors          []accessor
	BufferViews        []view
	Buffers            []struct{ URI string }
	Animations         []animation
	ExtensionsRequired []string

	bytes [][]byte
}

type node struct {
	Children    []int
	Mesh, Skin  *int
	Matrix      *mat
	Translation *[3]float64
	Rotation    *[4]float64
	Scale       *[3]float64
	Weights     []float64
	Extensions  struct {
		Visibility *struct{ Visible *bool } `json:"KHR_node_visibility"`
		Instances  *struct {
			Attributes map[string]int
		} `json:"EXT_mesh_gpu_instancing"`
	}
}

type mesh struct {
	Primitives []struct {
		Attributes map[string]int
		Targets    []map[string]int
		Indices    *int
		Mode       *int
		Extensions map[string]json.RawMessage
	}
	Weights []float64
}

type animation struct {
	Channels []struct {
		Sampler int
		Target  struct {
			Node *int
			Path string
		}
	}
	Samplers []struct {
		Input, Output int
		Interpolation string
	}
}

type skin struct {
	Joints              []int
	InverseBindMatrices *int
}

type accessor struct {
	BufferView, ByteOffset *int
	ComponentType, Count   int
	Normalized             bool
	Type                   string
	Sparse                 *struct {
		Count   int
		Indices struct{ BufferView, ByteOffset, ComponentType int }
		Values  struct{ BufferView, ByteOffset int }
	}
}

type view struct {
	Buffer, ByteOffset, ByteLength int
	ByteStride                     int
	Extensions                     map[string]json.RawMessage
}

// mat is a matrix in columns.
type mat [16]float64

var identity = mat{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}

func (a *mat) times(b *mat) (m mat) {
	for c := range 4 {
		for r := range 4 {
			for k := range 4 {
				m[4*c+r] += a[4*k+r] * b[4*c+k]
			}
		}
	}
	return m
}

func (a *mat) move(p vec) (q vec) {
	for r := range 3 {
		q[r] = a[r]*p[0] + a[4+r]*p[1] + a[8+r]*p[2] + a[12+r]
	}
	return q
}

type vec [3]float64

func placed(t *[3]float64, r *[4]float64, s *[3]float64) mat {
	m := identity
	if r != nil {
		x, y, z, w := r[0], r[1], r[2], r[3]
		l := math.Sqrt(x*x + y*y + z*z + w*w)
		if l > 0 {
			x, y, z, w = x/l, y/l, z/l, w/l
		}
		m = mat{1 - 2*(y*y+z*z), 2 * (x*y + z*w), 2 * (x*z - y*w), 0, 2 * (x*y - z*w), 1 - 2*(x*x+z*z), 2 * (y*z + x*w), 0, 2 * (x*z + y*w), 2 * (y*z - x*w), 1 - 2*(x*x+y*y), 0, 0, 0, 0, 1}
	}
	for c := range 3 {
		for k := range 3 {
			if s != nil {
				m[4*c+k] *= s[c]
			}
		}
		if t != nil {
			m[12+c] = t[c]
		}
	}
	return m
}

func (n *node) local() mat {
	if n.Matrix != nil {
		return *n.Matrix
	}
	return placed(n.Translation, n.Rotation, n.Scale)
}

// errUnread is the error of what this reader leaves out.
var errUnread = errors.New("not read by this tool")

// read reads a GLB or a .gltf with its files.
func read(name string) (*document, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	text, bin := b, []byte(nil)
	if len(b) > 20 && string(b[:4]) == "glTF" {
		n := binary.LittleEndian.Uint32(b[12:])
		text = b[20 : 20+n]
		if rest := b[20+n:]; len(rest) > 8 {
			bin = rest[8 : 8+binary.LittleEndian.Uint32(rest)]
		}
	}
	d := new(document)
	if err := json.Unmarshal(text, d); err != nil {
		return nil, err
	}
	for _, x := range d.Buffers {
		switch {
		case x.URI == "":
			d.bytes = append(d.bytes, bin)
			bin = nil
		case strings.HasPrefix(x.URI, "data:"):
			_, data, _ := strings.Cut(x.URI, ",")
			raw, err := base64.StdEncoding.DecodeString(data)
			if err != nil {
				return nil, err
			}
			d.bytes = append(d.bytes, raw)
		default:
			path, err := url.PathUnescape(x.URI)
			if err != nil {
				path = x.URI
			}
			raw, err := os.ReadFile(filepath.Join(filepath.Dir(name), path))
			if err != nil {
				return nil, err
			}
			d.bytes = append(d.bytes, raw)
		}
	}
	return d, nil
}

var widths = map[string]int{"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
var sizes = map[int]int{5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4}
var most = map[int]float64{5120: 127, 5121: 255, 5122: 32767, 5123: 65535}

// component reads one number.
func component(b []byte, kind int) float64 {
	switch kind {
	case 5120:
		return float64(int8(b[0]))
	case 5121:
		return float64(b[0])
	case 5122:
		return float64(int16(binary.LittleEndian.Uint16(b)))
	case 5123:
		return float64(binary.LittleEndian.Uint16(b))
	case 5125:
		return float64(binary.LittleEndian.Uint32(b))
	}
	return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
}

// numbers returns the numbers of an accessor, width a row.
func (d *document) numbers(i int) (out [][]float64, err error) {
	defer func() {
		if x := recover(); x != nil { // a damaged file is not the concern of this tool
			err = fmt.Errorf("accessor %d: %v", i, x)
		}
	}()
	a := d.Accessors[i]
	width, size := widths[a.Type], sizes[a.ComponentType]
	if a.Count > 1<<26 {
		return nil, errUnread
	}
	out = make([][]float64, a.Count)
	for k := range out {
		out[k] = make([]float64, width)
	}
	fill := func(row []float64, b []byte) {
		for c := range row {
			row[c] = component(b[c*size:], a.ComponentType)
			if a.Normalized {
				row[c] = max(row[c]/most[a.ComponentType], -1)
			}
		}
	}
	at := func(v view, offset, stride, k int) ([]byte, error) {
		if v.Extensions["EXT_meshopt_compression"] != nil || v.Extensions["KHR_meshopt_compression"] != nil {
			return nil, errUnread
		}
		if v.ByteStride != 0 {
			stride = v.ByteStride
		}
		return d.bytes[v.Buffer][v.ByteOffset+offset+k*stride:], nil
	}
	if a.BufferView != nil {
		offset := 0
		if a.ByteOffset != nil {
			offset = *a.ByteOffset
		}
		for k := range out {
			b, err := at(d.BufferViews[*a.BufferView], offset, width*size, k)
			if err != nil {
				return nil, err
			}
			fill(out[k], b)
		}
	}
	if s := a.Sparse; s != nil {
		for k := range s.Count {
			ib, err := at(d.BufferViews[s.Indices.BufferView], s.Indices.ByteOffset, sizes[s.Indices.ComponentType], k)
			if err != nil {
				return nil, err
			}
			vb, err := at(d.BufferViews[s.Values.BufferView], s.Values.ByteOffset, width*size, k)
			if err != nil {
				return nil, err
			}
			fill(out[int(component(ib, s.Indices.ComponentType))], vb)
		}
	}
	return out, nil
}
