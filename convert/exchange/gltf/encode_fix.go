package gltf

import (
	"fmt"
	"math"
	"slices"

	"github.com/qmuntal/gltf"

	"github.com/usher-assets/usher/schema/asset"
)

// finiteData returns v, or a copy with zeros where v holds what is no number.
func (e *encoder) finiteData(path string, v []float32) []float32 {
	if allFinite(v) {
		return v
	}
	return e.zeroed(path, v, slices.IndexFunc(v, notFinite))
}

func (e *encoder) zeroed(path string, v []float32, from int) []float32 {
	c := slices.Clone(v)
	count := 0
	for i := from; i < len(c); i++ {
		if notFinite(c[i]) {
			c[i] = 0
			count++
		}
	}
	e.o.Diagnostics.Warnf("not-finite", path, "values that are no finite number are written as 0: %d", count)
	return c
}

// clamped returns v, or a copy with all values brought into 0 … 1.
func (e *encoder) clamped(path string, v []float32) []float32 {
	for i, x := range v {
		if x >= 0 && x <= 1 {
			continue
		}
		c := slices.Clone(v)
		for k := i; k < len(c); k++ {
			c[k] = max(0, min(1, c[k]))
			if c[k] != c[k] {
				c[k] = 0
			}
		}
		e.o.Diagnostics.Warnf("color-range", path, "colours outside 0 … 1 are cut off")
		return c
	}
	return v
}

// lengthTolerance is how far the squared length of a unit vector may be from 1; the validator allows a little more.
const lengthTolerance = 0.01

func unit(v []float32) bool {
	sum := float64(v[0])*float64(v[0]) + float64(v[1])*float64(v[1]) + float64(v[2])*float64(v[2])
	return math.Abs(sum-1) <= lengthTolerance
}

// good reports whether a normal (3 values) or a tangent (4) is what it has to be.
func good(v []float32) bool { return unit(v) && (len(v) == 3 || v[3] == 1 || v[3] == -1) }

// quicklyUnit reports whether all normals are of unit length, in single precision, of two at a time and without a branch for
// each: they are many. It may doubt some that are. The bits of a float without its sign are ordered as the float is, NaN last.
func quicklyUnit(v []float32) bool {
	const sign = 1 << 31
	var odd, even uint32
	for ; len(v) >= 6; v = v[6:] {
		a := v[0]*v[0] + v[1]*v[1] + v[2]*v[2] - 1
		b := v[3]*v[3] + v[4]*v[4] + v[5]*v[5] - 1
		odd, even = max(odd, math.Float32bits(a)&^sign), max(even, math.Float32bits(b)&^sign)
	}
	return max(odd, even) <= math.Float32bits(lengthTolerance) && (len(v) == 0 || unit(v))
}

// notUnit returns where the first vector begins that is not good, -1 where all are.
func notUnit(v []float32, stride int) int {
	const none = math.MaxInt
	first := fold(len(v)/stride, func(from, to int) int {
		if stride == 3 && quicklyUnit(v[3*from:3*to]) {
			return none
		}
		for i := from * stride; i < to*stride; i += stride {
			if !good(v[i : i+stride]) {
				return i
			}
		}
		return none
	}, func(a, b int) int { return min(a, b) })
	if first == none {
		return -1
	}
	return first
}

// unitVectors returns normals (stride 3) or tangents (stride 4), or a mended copy.
func (e *encoder) unitVectors(path string, v []float32, stride int) []float32 {
	first := notUnit(v, stride)
	if first < 0 {
		return v
	}
	c := slices.Clone(v)
	count := 0
	for i := first; i < len(c); i += stride {
		if x := c[i : i+stride]; !good(x) {
			mendVector(x)
			count++
		}
	}
	e.o.Diagnostics.Warnf("not-unit", path, "%d vectors are brought to unit length", count)
	return c
}

func mendVector(v []float32) {
	if len(v) == 4 && v[3] != 1 && v[3] != -1 {
		v[3] = 1
	}
	length := math.Sqrt(float64(v[0])*float64(v[0]) + float64(v[1])*float64(v[1]) + float64(v[2])*float64(v[2]))
	if !(length > 1e-18) || math.IsInf(length, 0) {
		v[0], v[1], v[2] = 0, 1, 0
		return
	}
	for k := range 3 {
		v[k] = float32(float64(v[k]) / length)
	}
}

// skinData writes joints and weights.
func (e *encoder) skinData(path string, p *asset.Primitive, g *gltf.Primitive, info *meshInfo) {
	if len(p.Joints) == 0 {
		return
	}
	info.skinned = true
	joints, weights, mended := mendSkin(p.Joints, p.Weights)
	if mended > 0 {
		e.o.Diagnostics.Warnf("skin-weights", path, "the weights of %d vertices are brought into order", mended)
	}
	for k := range joints {
		n := len(joints[k])
		most := uint16(0)
		for _, j := range joints[k] {
			most = max(most, j[0], j[1], j[2], j[3])
		}
		info.maxJoint = max(info.maxJoint, int(most))
		g.Attributes[fmt.Sprintf("JOINTS_%d", k)] = e.once(accessorKey{&joints[k][0], n, "joints"}, func() int {
			bytes, comp := 1, gltf.ComponentUbyte
			if most > 255 {
				bytes, comp = 2, gltf.ComponentUshort
			}
			data := joints[k]
			view := e.view(int64(4*bytes*n), 0, gltf.TargetArrayBuffer, func(s *sink) { s.joints(data, bytes) })
			return e.accessor(&gltf.Accessor{BufferView: &view, ComponentType: comp, Type: gltf.AccessorVec4, Count: n})
		})
		g.Attributes[fmt.Sprintf("WEIGHTS_%d", k)] = e.once(accessorKey{&weights[k][0], n, "weights"}, func() int {
			return e.floatAccessor(flat4(weights[k]), 4, gltf.TargetArrayBuffer, false)
		})
	}
}

// mendSkin returns joints and weights as glTF wants them, and the number of vertices that had to be changed: weights
// that are positive and add up to 1, joint 0 where the weight is 0, and no joint twice at a vertex. Unchanged data is
// returned as it is.
func mendSkin(joints [][][4]uint16, weights [][][4]float32) ([][][4]uint16, [][][4]float32, int) {
	mended := 0
	for i := range joints[0] {
		if skinVertexGood(joints, weights, i) {
			continue
		}
		if mended == 0 {
			joints, weights = cloneSets(joints), cloneSets(weights)
		}
		mended++
		mendSkinVertex(joints, weights, i)
	}
	return joints, weights, mended
}

func cloneSets[T any](sets [][]T) [][]T {
	c := make([][]T, len(sets))
	for i := range sets {
		c[i] = slices.Clone(sets[i])
	}
	return c
}

func skinVertexGood(joints [][][4]uint16, weights [][][4]float32, i int) bool {
	var seen [16]uint16
	used := seen[:0]
	var sum float64
	for k := range joints {
		j, w := &joints[k][i], &weights[k][i]
		for c := range 4 {
			if w[c] == 0 && j[c] == 0 {
				continue
			}
			if !(w[c] > 0) || notFinite(w[c]) || slices.Contains(used, j[c]) {
				return false
			}
			used = append(used, j[c])
			sum += float64(w[c])
		}
	}
	return math.Abs(sum-1) <= 1e-7*float64(len(used)) // the specification allows twice as much
}

func mendSkinVertex(joints [][][4]uint16, weights [][][4]float32, i int) {
	first := map[uint16]*float32{}
	var sum float64
	for k := range joints {
		for c := range 4 {
			j, w := &joints[k][i][c], &weights[k][i][c]
			if !(*w > 0) || notFinite(*w) {
				*j, *w = 0, 0
				continue
			}
			sum += float64(*w)
			if f := first[*j]; f != nil {
				*f += *w
				*j, *w = 0, 0
				continue
			}
			first[*j] = w
		}
	}
	if sum == 0 || math.IsInf(sum, 0) {
		for k := range joints {
			joints[k][i], weights[k][i] = [4]uint16{}, [4]float32{}
		}
		weights[0][i][0] = 1
		return
	}
	var greatest *float32
	var rest float64
	for k := range joints {
		for c := range 4 {
			w := &weights[k][i][c]
			*w = float32(float64(*w) / sum)
			if *w == 0 {
				joints[k][i][c] = 0
			}
			rest += float64(*w)
			if greatest == nil || *w > *greatest {
				greatest = w
			}
		}
	}
	*greatest = float32(float64(*greatest) + 1 - rest)
}

// targets writes morph targets, count of them, since all primitives of a mesh must have the same number.
func (e *encoder) targets(path string, p *asset.Primitive, g *gltf.Primitive, count int) {
	n := len(p.Positions)
	for k := range count {
		var t asset.Target
		if k < len(p.Targets) {
			t = p.Targets[k]
		}
		at := fmt.Sprintf("%s/targets/%d", path, k)
		a := gltf.PrimitiveAttributes{}
		if t.Positions != nil || t.Normals == nil && t.Tangents == nil {
			if t.Positions == nil {
				t.Positions = make([][3]float32, n)
			}
			a[gltf.POSITION] = e.displacement(at+"/POSITION", t.Positions, true)
		}
		if t.Normals != nil && p.Normals != nil {
			a[gltf.NORMAL] = e.displacement(at+"/NORMAL", t.Normals, false)
		} else if t.Normals != nil {
			e.o.Diagnostics.Lossf("target-without-base", at, "normals of a morph target whose mesh has none")
		}
		if t.Tangents != nil && p.Tangents != nil && p.Normals != nil {
			a[gltf.TANGENT] = e.displacement(at+"/TANGENT", t.Tangents, false)
		} else if t.Tangents != nil {
			e.o.Diagnostics.Lossf("target-without-base", at, "tangents of a morph target whose mesh has none")
		}
		if len(a) == 0 {
			a[gltf.POSITION] = e.displacement(at+"/POSITION", make([][3]float32, n), true)
		}
		g.Targets = append(g.Targets, a)
	}
}

// displacement writes displacements, as a sparse accessor where that is smaller.
func (e *encoder) displacement(path string, v [][3]float32, bounds bool) int {
	return e.once(accessorKey{&v[0], len(v), fmt.Sprint("displacement", bounds)}, func() int {
		data := e.finiteData(path, flat3(v))
		changed := changedVertices(data)
		indexBytes, comp := 2, gltf.ComponentUshort
		if len(v) > 65535 {
			indexBytes, comp = 4, gltf.ComponentUint
		}
		if len(changed)*(12+indexBytes)+256 >= len(data)*4 { // a sparse accessor takes some 256 bytes of JSON more
			return e.floatAccessor(data, 3, gltf.TargetArrayBuffer, bounds)
		}
		values := make([]float32, 0, 3*len(changed))
		for _, i := range changed {
			values = append(values, data[3*i:3*i+3]...)
		}
		put := func(s *sink) { s.uint16s(changed) }
		if indexBytes == 4 {
			put = func(s *sink) { s.uint32s(changed) }
		}
		a := &gltf.Accessor{ComponentType: gltf.ComponentFloat, Type: gltf.AccessorVec3, Count: len(v), Sparse: &gltf.Sparse{Count: len(changed)}}
		a.Sparse.Indices = gltf.SparseIndices{BufferView: e.view(int64(indexBytes*len(changed)), 0, 0, put), ComponentType: comp}
		a.Sparse.Values.BufferView = e.view(int64(4*len(values)), 0, 0, func(s *sink) { s.floats(values) })
		if bounds {
			a.Min, a.Max = extent(data, 3)
		}
		return e.accessor(a)
	})
}

// changedVertices returns the vertices that move, and so many of the others that their number is at least a 16th of
// all: the reader bounds its memory by the file's size.
func changedVertices(v []float32) []uint32 {
	n := len(v) / 3
	spare := max(1, n/maxRatio)
	for i := 0; i < n; i++ {
		if v[3*i] != 0 || v[3*i+1] != 0 || v[3*i+2] != 0 {
			spare--
		}
	}
	var changed []uint32
	for i := 0; i < n; i++ {
		moves := v[3*i] != 0 || v[3*i+1] != 0 || v[3*i+2] != 0
		if !moves && spare <= 0 {
			continue
		}
		if !moves {
			spare--
		}
		changed = append(changed, uint32(i))
	}
	return changed
}
