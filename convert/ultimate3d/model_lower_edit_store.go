package ultimate3d

import (
	"slices"

	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultimate3d"
)

// dropTangentSpace makes ordinary normals of tangent space matrices, which no editor keeps.
func (e *meshEdit) dropTangentSpace() {
	for f, c := range e.chunks {
		if !c.ValidInverseTangentSpace.True() {
			continue
		}
		e.r.d.Warnf("tangent-space", e.where, "the tangent space matrices of an edited mesh become normals")
		c.ValidInverseTangentSpace = ultimate3d.False
		sign := signOf(c)
		for i, n := range e.shapes[f].normals {
			c.Normals[i], _ = ultimate3d.NormalOf([3]float32{sign * n[0], sign * n[1], sign * n[2]})
		}
		for k := range c.TexCoordDimensions {
			if e.shapes[f].dimensions[k] == 0 {
				c.TexCoordDimensions[k], c.TexCoords[k] = 0, nil
			}
		}
	}
}

func signOf(c *ultimate3d.Mesh) float32 {
	if c.NormalScalar < 0 {
		return -1
	}
	return 1
}

// store writes the vertices and triangles into the chunks.
func (e *meshEdit) store() {
	structure := len(e.vertices) != len(e.was.Positions)
	moved := e.flip || structure || 3*len(e.triangles) != len(e.was.Indices)
	for i, v := range e.vertices {
		structure = structure || v.from != i
		moved = moved || v.from != i || len(v.mark) > 0 && v.mark[0] == 'p'
	}
	triangles := make([][3]uint16, len(e.triangles))
	for i, t := range e.triangles {
		if e.key.mirrored == e.flip {
			t[1], t[2] = t[2], t[1]
		}
		triangles[i] = [3]uint16{uint16(t[0]), uint16(t[1]), uint16(t[2])}
	}
	wasTriangles := e.chunks[0].Triangles
	moved = moved || !slices.Equal(triangles, wasTriangles)
	for f, c := range e.chunks {
		e.storeVertices(f, c)
		if e.flip {
			c.NormalScalar = -signOf(c)
			for i, n := range c.Normals {
				v := n.Vector()
				c.Normals[i], _ = ultimate3d.NormalOf([3]float32{-v[0], -v[1], -v[2]})
			}
		}
		switch {
		case !c.TrianglesOwned.True():
			c.SharedTriangles = uint16(len(triangles))
		case f == 0 || structure || slices.Equal(c.Triangles, wasTriangles):
			c.Triangles, c.TriangleMaterials = triangles, e.numbers
		}
		if moved && (c.Shadow.VertexCount > 0 || len(c.Shadow.Triangles) > 0) {
			e.r.d.Lossf("shadow-volume", e.where, "the shadow volume of an edited mesh is left out; the engine can make it again")
			c.Shadow = ultimate3d.ShadowVolume{}
		}
	}
}

func (e *meshEdit) storeVertices(f int, c *ultimate3d.Mesh) {
	positions := make([][3]float32, len(e.vertices))
	normals := make([]ultimate3d.Normal, len(e.vertices))
	sign := signOf(c)
	for i, v := range e.vertices {
		if v.from >= 0 {
			positions[i], normals[i] = c.Positions[v.from], c.Normals[v.from]
		}
		if v.place >= 0 && v.from >= 0 {
			if p := e.position(f, v.place); !e.near(e.stored(f, v.from), p) {
				positions[i] = mirror3(p)
			}
		}
		if v.by < 0 {
			continue
		}
		if p := e.position(f, v.by); v.from < 0 || !e.near(e.stored(f, v.from), p) {
			positions[i] = mirror3(p)
		}
		n, ok := e.normal(f, v.by)
		if !ok && v.from < 0 {
			n, _ = e.normal(0, v.by)
			ok = true
		}
		if ok && (v.from < 0 || !e.sameNormal(f, v.from, v.by, n)) {
			n = mirror3(n)
			normals[i], _ = ultimate3d.NormalOf([3]float32{sign * n[0], sign * n[1], sign * n[2]})
		}
	}
	if c.TextureCoordinatesOwned.True() {
		e.storeTexCoords(c)
	}
	if c.StoredWeights > 0 {
		e.storeWeights(c)
	}
	c.Positions, c.Normals = positions, normals
}

func (e *meshEdit) storeTexCoords(c *ultimate3d.Mesh) {
	for index := range max(len(e.sets), len(e.now.TexCoords)) {
		set := 0
		if index < len(e.sets) {
			set = e.sets[index]
		} else if set = e.freeSet(index); set < 0 {
			e.r.d.Lossf("texture-coordinates", e.where, "there is no room for another set of texture coordinates")
			continue
		}
		dimension := int(c.TexCoordDimensions[set])
		if dimension == 0 {
			if index < len(e.was.TexCoords) || index >= len(e.now.TexCoords) {
				continue // absent, and perhaps zeros in its place
			}
			dimension = 2
			c.TexCoordDimensions[set] = 2
		}
		old := c.TexCoords[set]
		values := make([]float32, dimension*len(e.vertices))
		for i, v := range e.vertices {
			x := values[i*dimension : (i+1)*dimension]
			if v.from >= 0 && len(old) > 0 {
				copy(x, old[v.from*dimension:])
			}
			if v.by >= 0 {
				e.editTexCoord(x, index, set, v)
			}
		}
		c.TexCoords[set] = values
	}
}

// freeSet returns the stored set for texture coordinates that an editor added.
func (e *meshEdit) freeSet(index int) int {
	n := index - len(e.sets)
	for k := range 8 {
		if !slices.Contains(e.sets, k) {
			if n == 0 {
				return k
			}
			n--
		}
	}
	return -1
}

// editTexCoord takes over the texture coordinates of a shown vertex where they differ.
func (e *meshEdit) editTexCoord(x []float32, index, set int, v vertex) {
	for _, c := range e.now.Custom {
		if c.Name != customName(set) || c.Components != len(x) {
			continue
		}
		now := c.Values[v.by*len(x) : (v.by+1)*len(x)]
		if i := slices.IndexFunc(e.was.Custom, func(o asset.Attribute) bool { return o.Name == c.Name }); v.from < 0 ||
			i >= 0 && !sameAttribute(e.was.Custom[i].Values[v.from*len(x):(v.from+1)*len(x)], now) {
			copy(x, now)
		}
	}
	if index >= len(e.now.TexCoords) {
		return
	}
	uv := e.now.TexCoords[index][v.by]
	if v.from < 0 || index >= len(e.was.TexCoords) || !sameUV(e.was.TexCoords[index][v.from], uv) {
		copy(x[:min(len(x), 2)], uv[:])
	}
}

func (e *meshEdit) storeWeights(c *ultimate3d.Mesh) {
	old := *c
	lists := make([][]influence, len(e.vertices))
	for i, v := range e.vertices {
		if v.by < 0 {
			continue
		}
		if list, ok := e.influences(v.by); ok && (v.from < 0 || !e.sameInfluences(e.shapes[0].influences[v.from], list)) {
			lists[i] = list
			if len(list) > c.Influences() {
				c.StoredWeights = 3
			}
		}
	}
	k := int(c.StoredWeights)
	c.Weights, c.WeightBones = make([]float32, k*len(e.vertices)), make([][4]uint8, len(e.vertices))
	for i, v := range e.vertices {
		switch {
		case lists[i] != nil:
			setInfluences(c, i, lists[i])
		case v.from < 0:
			setInfluences(c, i, []influence{{0, 1}})
		case c.StoredWeights == old.StoredWeights:
			copy(c.Weights[i*k:(i+1)*k], old.Weights[v.from*k:])
			c.WeightBones[i] = old.WeightBones[v.from]
		default:
			setInfluences(c, i, e.shapes[0].influences[v.from])
		}
	}
}
