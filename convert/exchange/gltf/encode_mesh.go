package gltf

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unsafe"

	"github.com/qmuntal/gltf"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// meshInfo is what nodes have to know of a mesh.
type meshInfo struct {
	targets  int
	skinned  bool
	maxJoint int
}

// flat views vectors as the floats that they are made of.
func flat2(v [][2]float32) []float32 {
	if len(v) == 0 {
		return nil
	}
	return unsafe.Slice(&v[0][0], 2*len(v))
}

func flat3(v [][3]float32) []float32 {
	if len(v) == 0 {
		return nil
	}
	return unsafe.Slice(&v[0][0], 3*len(v))
}

func flat4(v [][4]float32) []float32 {
	if len(v) == 0 {
		return nil
	}
	return unsafe.Slice(&v[0][0], 4*len(v))
}

func flat16(v [][16]float32) []float32 {
	if len(v) == 0 {
		return nil
	}
	return unsafe.Slice(&v[0][0], 16*len(v))
}

func (e *encoder) buildMeshes() {
	for i, m := range e.s.Meshes {
		e.mesh(i, m)
	}
	for _, n := range e.list {
		if n.Mesh == nil {
			continue
		}
		if _, known := e.meshLists[n.Mesh]; !known {
			e.failf(fmt.Sprintf("nodes/%d", e.nodes[n]), schema.ErrRange, "mesh", "%q is not in the scene's list", n.Mesh.Name)
		}
	}
	for i, m := range e.s.Meshes {
		if e.meshes[m] < 0 && !e.meshUsed(m) {
			e.put("meshes", i, e.emptyMesh(m))
		}
	}
}

func (e *encoder) meshUsed(m *asset.Mesh) bool {
	for _, n := range e.list {
		if n.Mesh == m {
			return true
		}
	}
	return false
}

func (e *encoder) mesh(i int, m *asset.Mesh) {
	if _, twice := e.meshes[m]; twice {
		e.failf(fmt.Sprintf("meshes/%d", i), schema.ErrMismatch, "", "%q is listed twice", m.Name)
		return
	}
	info := meshInfo{maxJoint: -1}
	drawn := 0
	for _, p := range m.Primitives {
		info.targets = max(info.targets, len(p.Targets))
		if len(p.Positions) > 0 || p.Load != nil {
			drawn++
		}
	}
	e.meshes[m] = -1
	if drawn == 0 {
		e.meshInfo[m] = info
		return
	}
	number := len(e.doc.Meshes)
	path := fmt.Sprintf("meshes/%d", number)
	g := &gltf.Mesh{Name: m.Name}
	prims := record{}
	for k, p := range m.Primitives {
		at := fmt.Sprintf("%s/primitives/%d", path, len(g.Primitives))
		gp, own := e.primitive(at, p, &info)
		if e.err != nil {
			return
		}
		e.keepPrimitive(at, prims, k, p, own)
		if gp != nil {
			gp.Extras = e.join(at, p.Extras, nil)
			g.Primitives = append(g.Primitives, gp)
		}
	}
	if len(m.Weights) > 0 {
		g.Weights = e.weights(path, m.Weights, info.targets)
	}
	own := record{}
	if len(prims) > 0 {
		own["primitives"] = prims
		own["count"] = len(m.Primitives)
	}
	foreign := m.Extras
	if len(m.TargetNames) > 0 {
		foreign = record{targetNames: m.TargetNames}
		for k, v := range m.Extras {
			if k != targetNames {
				foreign[k] = v
			}
		}
	}
	g.Extras = e.extras(path, foreign, m.Native, own)
	e.meshes[m], e.meshInfo[m] = number, info
	e.doc.Meshes = append(e.doc.Meshes, g)
}

// targetNames is the name in a mesh's extras that programs agree on for the names of morph targets.
const targetNames = "targetNames"

// keepPrimitive adds what a primitive has beside its data to its mesh's record.
func (e *encoder) keepPrimitive(path string, prims record, k int, p *asset.Primitive, own record) {
	if p.Native == nil && len(own) == 0 {
		return
	}
	if p.Material != nil {
		own["material"], own["materialName"] = e.materials[p.Material], p.Material.Name
	}
	if own["empty"] != nil {
		e.keepExtras(path, own, p.Extras)
	}
	u, err := pack(p.Native, own)
	e.fail(schema.In(path, err))
	prims[strconv.Itoa(k)] = u
}

// emptyMesh returns the record of a mesh without vertices: in full the first time, its position afterwards.
func (e *encoder) emptyMesh(m *asset.Mesh) record {
	at := e.meshLists[m]
	if e.told[m] {
		return record{"index": at}
	}
	e.told[m] = true
	own := record{"index": at, "name": m.Name}
	if len(m.Weights) > 0 {
		own["weights"] = e.finiteList("meshes", m.Weights)
	}
	if len(m.TargetNames) > 0 {
		own[targetNames] = strings.Join(m.TargetNames, "\n")
	}
	prims := record{}
	for k, p := range m.Primitives {
		if int(p.Mode) >= len(modes) {
			e.failf("meshes", schema.ErrValue, m.Name, "primitive %d is of no mode: %d", k, p.Mode)
			return nil
		}
		e.keepPrimitive("meshes", prims, k, p, record{"empty": 1, "mode": modeNames[p.Mode], "targets": len(p.Targets)})
	}
	if len(prims) > 0 {
		own["primitives"], own["count"] = prims, len(m.Primitives)
	}
	e.keepExtras("meshes", own, m.Extras)
	u, err := pack(m.Native, own)
	e.fail(err)
	return u
}

var modeNames = [...]string{asset.Triangles: "triangles", asset.Lines: "lines", asset.Points: "points"}

var modes = [...]struct {
	gltf gltf.PrimitiveMode
	size int
}{asset.Triangles: {gltf.PrimitiveTriangles, 3}, asset.Lines: {gltf.PrimitiveLines, 2}, asset.Points: {gltf.PrimitivePoints, 1}}

// primitive writes one primitive. It is nil when there are no vertices; own is then what is kept of it.
func (e *encoder) primitive(path string, p *asset.Primitive, info *meshInfo) (g *gltf.Primitive, own record) {
	if int(p.Mode) >= len(modes) {
		e.failf(path, schema.ErrValue, "mode", "no such mode")
		return nil, nil
	}
	if p.Load != nil {
		return e.loaded(path, p, info)
	}
	n := len(p.Positions)
	if !e.checkLengths(path, p) {
		return nil, nil
	}
	if n == 0 {
		return nil, record{"empty": 1, "mode": modeNames[p.Mode], "targets": len(p.Targets)}
	}
	own = record{}
	g = &gltf.Primitive{Mode: modes[p.Mode].gltf, Attributes: gltf.PrimitiveAttributes{}}
	e.attributes(path, p, g)
	e.skinData(path, p, g, info)
	e.custom(path, p, g)
	e.targets(path, p, g, info.targets)
	if p.Material != nil {
		m, ok := e.materials[p.Material]
		if !ok {
			e.failf(path, schema.ErrRange, "material", "%q is not in the scene's list", p.Material.Name)
			return nil, nil
		}
		g.Material = &m
		if sets := e.setsNeeded(p.Material); sets > len(p.TexCoords) {
			// glTF demands the coordinates that a material's textures name; these stand for none.
			own["texCoords"] = len(p.TexCoords)
			for k := len(p.TexCoords); k < sets; k++ {
				zeros := make([]float32, 2*n)
				g.Attributes[fmt.Sprintf("TEXCOORD_%d", k)] = e.floatAccessor(zeros, 2, gltf.TargetArrayBuffer, false)
			}
		}
	}
	count := n
	if p.Indices != nil {
		count = len(p.Indices)
	}
	size := modes[p.Mode].size
	if count%size != 0 {
		e.failf(path, schema.ErrMismatch, "indices", "%d indices are no whole number of %s", count, modeNames[p.Mode])
		return nil, nil
	}
	switch {
	case p.Indices == nil:
	case count == 0: // vertices of which nothing is drawn: points, so that they are not lost
		g.Mode = gltf.PrimitivePoints
		own["mode"], own["drawn"] = modeNames[p.Mode], 0
	default:
		g.Indices = e.indices(path, p.Indices, n)
	}
	return g, own
}

// checkLengths holds every attribute against the number of vertices.
func (e *encoder) checkLengths(path string, p *asset.Primitive) bool {
	n, ok := len(p.Positions), true
	check := func(name string, have int, isNil bool) {
		if !isNil && have != n {
			e.failf(path, schema.ErrMismatch, name, "%d values for %d vertices", have, n)
			ok = false
		}
	}
	check("NORMAL", len(p.Normals), p.Normals == nil)
	check("TANGENT", len(p.Tangents), p.Tangents == nil)
	check("COLOR_0", len(p.Colors), p.Colors == nil)
	for k, t := range p.TexCoords {
		check(fmt.Sprintf("TEXCOORD_%d", k), len(t), t == nil)
	}
	if len(p.Joints) != len(p.Weights) {
		e.failf(path, schema.ErrMismatch, "JOINTS", "%d sets of joints, %d of weights", len(p.Joints), len(p.Weights))
		return false
	}
	for k := range p.Joints {
		check(fmt.Sprintf("JOINTS_%d", k), len(p.Joints[k]), false)
		check(fmt.Sprintf("WEIGHTS_%d", k), len(p.Weights[k]), false)
	}
	for _, a := range p.Custom {
		if a.Components < 1 || a.Components > 4 || a.Type > asset.Uint16 {
			e.failf(path, schema.ErrValue, a.Name, "%d components of type %d", a.Components, a.Type)
			return false
		}
		check(a.Name, len(a.Values)/a.Components, false)
		if len(a.Values)%a.Components != 0 {
			e.failf(path, schema.ErrMismatch, a.Name, "%d values of %d components", len(a.Values), a.Components)
			ok = false
		}
	}
	for k, t := range p.Targets {
		check(fmt.Sprintf("targets/%d/POSITION", k), len(t.Positions), t.Positions == nil)
		check(fmt.Sprintf("targets/%d/NORMAL", k), len(t.Normals), t.Normals == nil)
		check(fmt.Sprintf("targets/%d/TANGENT", k), len(t.Tangents), t.Tangents == nil)
	}
	return ok
}

// once returns the accessor for key, making it when it is new.
func (e *encoder) once(key accessorKey, make func() int) int {
	if i, ok := e.shared[key]; ok {
		return i
	}
	i := make()
	e.shared[key] = i
	return i
}

func (e *encoder) attributes(path string, p *asset.Primitive, g *gltf.Primitive) {
	n := len(p.Positions)
	g.Attributes[gltf.POSITION] = e.once(accessorKey{&p.Positions[0], n, "position"}, func() int {
		v := e.finiteData(path+"/POSITION", flat3(p.Positions))
		return e.floatAccessor(v, 3, gltf.TargetArrayBuffer, true)
	})
	if p.Normals != nil {
		g.Attributes[gltf.NORMAL] = e.once(accessorKey{&p.Normals[0], n, "normal"}, func() int {
			v := e.unitVectors(path+"/NORMAL", flat3(p.Normals), 3)
			return e.floatAccessor(v, 3, gltf.TargetArrayBuffer, false)
		})
	}
	if p.Tangents != nil && p.Normals == nil {
		e.o.Diagnostics.Lossf("tangents-without-normals", path, "glTF allows no tangents without normals")
	} else if p.Tangents != nil {
		g.Attributes[gltf.TANGENT] = e.once(accessorKey{&p.Tangents[0], n, "tangent"}, func() int {
			v := e.unitVectors(path+"/TANGENT", flat4(p.Tangents), 4)
			return e.floatAccessor(v, 4, gltf.TargetArrayBuffer, false)
		})
	}
	for k, t := range p.TexCoords {
		name := fmt.Sprintf("TEXCOORD_%d", k)
		if t == nil {
			e.o.Diagnostics.Warnf("texcoord-gap", path, "set %d is missing and written as zeros", k)
			t = make([][2]float32, n)
		}
		g.Attributes[name] = e.texCoords(path+"/"+name, t)
	}
	if p.Colors != nil {
		g.Attributes[gltf.COLOR_0] = e.once(accessorKey{&p.Colors[0], n, "color"}, func() int { return e.colors(path, p.Colors) })
	}
}

func (e *encoder) texCoords(path string, t [][2]float32) int {
	return e.once(accessorKey{&t[0], len(t), "texcoord"}, func() int {
		return e.floatAccessor(e.finiteData(path, flat2(t)), 2, gltf.TargetArrayBuffer, false)
	})
}

// colors writes colours as bytes or 16-bit integers where these say the same.
func (e *encoder) colors(path string, c [][4]float32) int {
	v := e.clamped(path+"/COLOR_0", flat4(c))
	short := func(bytes int, scale float32, comp gltf.ComponentType) int {
		view := e.view(int64(len(v)*bytes), 0, gltf.TargetArrayBuffer, func(s *sink) { s.small(v, 4, bytes, scale) })
		return e.accessor(&gltf.Accessor{BufferView: &view, ComponentType: comp, Normalized: true, Type: gltf.AccessorVec4, Count: len(c)})
	}
	switch {
	case quantised(v, 255):
		return short(1, 255, gltf.ComponentUbyte)
	case isShort(v):
		return short(2, 65535, gltf.ComponentUshort)
	}
	return e.floatAccessor(v, 4, gltf.TargetArrayBuffer, false)
}

// quantised reports whether every value is a whole number of steps.
func quantised(v []float32, scale float32) bool {
	for _, x := range v {
		if float32(math.Round(float64(x*scale)))/scale != x {
			return false
		}
	}
	return true
}

func (e *encoder) custom(path string, p *asset.Primitive, g *gltf.Primitive) {
	if e.o.Slim {
		return
	}
	for _, a := range p.Custom {
		name := a.Name
		if !strings.HasPrefix(name, "_") {
			name = "_" + name
		}
		if _, taken := g.Attributes[name]; taken {
			e.failf(path, schema.ErrMismatch, name, "the attribute occurs twice")
			return
		}
		g.Attributes[name] = e.once(accessorKey{&a.Values[0], len(a.Values), fmt.Sprint(a.Type, a.Components)}, func() int {
			return e.customData(path+"/"+name, a)
		})
	}
}

func (e *encoder) customData(path string, a asset.Attribute) int {
	v := e.finiteData(path, a.Values)
	if a.Type == asset.Float32 {
		return e.floatAccessor(v, a.Components, gltf.TargetArrayBuffer, false)
	}
	bytes, comp, limit := 1, gltf.ComponentUbyte, float32(255)
	if a.Type == asset.Uint16 {
		bytes, comp, limit = 2, gltf.ComponentUshort, 65535
	}
	for _, x := range v {
		if x < 0 || x > limit || x != float32(math.Trunc(float64(x))) {
			e.failf(path, schema.ErrRange, "value", "%v is no integer from 0 to %v", x, limit)
			break
		}
	}
	stride := (a.Components*bytes + 3) &^ 3
	declared := stride
	if stride == a.Components*bytes {
		declared = 0
	}
	n := len(v) / a.Components
	view := e.view(int64(n*stride), declared, gltf.TargetArrayBuffer, func(s *sink) { s.small(v, a.Components, bytes, 1) })
	return e.accessor(&gltf.Accessor{BufferView: &view, ComponentType: comp, Type: vectors[a.Components], Count: n})
}

func (e *encoder) indices(path string, v []uint32, vertices int) *int {
	i := e.once(accessorKey{&v[0], len(v), "indices"}, func() int {
		bytes, comp := int64(4), gltf.ComponentUint
		put := func(s *sink) { s.uint32s(v) }
		if vertices < 65535 { // 65535 itself is the restart value
			bytes, comp = 2, gltf.ComponentUshort
			put = func(s *sink) { s.uint16s(v) }
		}
		view := e.view(bytes*int64(len(v)), 0, gltf.TargetElementArrayBuffer, put)
		return e.accessor(&gltf.Accessor{BufferView: &view, ComponentType: comp, Type: gltf.AccessorScalar, Count: len(v)})
	})
	if most := greatest(v); int64(most) >= int64(vertices) {
		e.failf(path, schema.ErrRange, "indices", "index %d, there are %d vertices", most, vertices)
	}
	return &i
}
