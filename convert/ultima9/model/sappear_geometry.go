package model

import (
	"math"

	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
)

// Primitives returns a primitive for each material that has faces.
func Primitives(l *ultima9.LOD) []*asset.Primitive {
	var list []*asset.Primitive
	for _, m := range l.Materials {
		if m.FaceCount > 0 {
			list = append(list, primitive(l.Faces[m.FirstFace:int(m.FirstFace)+int(m.FaceCount)], l.Vertices))
		}
	}
	return list
}

func mountPrimitive(l *ultima9.LOD) *asset.Primitive { return primitive(l.MountFaces, l.MountVertices) }

// cornerKey identifies corners that are one vertex in glTF.
type cornerKey struct {
	vertex uint32
	normal [3]uint32
	uv     [2]uint32
}

// primitive makes triangles of faces. Corners that agree in everything share a vertex. The winding changes: stored
// corners are clockwise seen from outside.
func primitive(faces []ultima9.Face, vertices [][3]float32) *asset.Primitive {
	p := &asset.Primitive{Mode: asset.Triangles, Indices: make([]uint32, 0, 3*len(faces)), TexCoords: make([][][2]float32, 1)}
	known := make(map[cornerKey]uint32, len(vertices)+len(faces))
	for i := range faces {
		f := &faces[i]
		for _, k := range [3]int{0, 2, 1} {
			c := &f.Corners[k]
			normal, uv := cleanNormal(c.Normal, f.Normal), cleanUV(c.UV)
			key := cornerKey{c.Vertex, [3]uint32{bits(normal[0]), bits(normal[1]), bits(normal[2])}, [2]uint32{bits(uv[0]), bits(uv[1])}}
			at, ok := known[key]
			if !ok {
				at = uint32(len(p.Positions))
				known[key] = at
				p.Positions = append(p.Positions, cleanPosition(vertices[c.Vertex]))
				p.Normals = append(p.Normals, normal)
				p.TexCoords[0] = append(p.TexCoords[0], uv)
			}
			p.Indices = append(p.Indices, at)
		}
	}
	return p
}

// cleanUV replaces what is no number by 0.
func cleanUV(uv [2]float32) [2]float32 {
	for k, x := range uv {
		if !isFinite(x) {
			uv[k] = 0
		}
	}
	return uv
}

func cleanPosition(p [3]float32) [3]float32 {
	for k, x := range p {
		if !isFinite(x) {
			p[k] = 0
		}
	}
	return p
}

// cleanNormal returns a normal as it is when its length is near enough to 1 for glTF. Others are brought to that length;
// one without length gives way to the face's, and that to straight up.
func cleanNormal(n, face [3]float32) [3]float32 {
	for _, v := range [2][3]float32{n, face} {
		sum := float64(v[0])*float64(v[0]) + float64(v[1])*float64(v[1]) + float64(v[2])*float64(v[2])
		if math.Abs(sum-1) <= 5e-3 {
			return v
		}
		if sum > 1e-12 && !math.IsInf(sum, 0) {
			length := math.Sqrt(sum)
			return [3]float32{float32(float64(v[0]) / length), float32(float64(v[1]) / length), float32(float64(v[2]) / length)}
		}
	}
	return [3]float32{0, 0, 1}
}
