package mesh

import (
	"github.com/usher-assets/usher/convert/freelancer/space"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
)

// Skin returns the mesh of a level, using materials by the numbers of its groups. All groups share one vertex array, with
// one vertex for each element of the geometry.
func Skin(name string, level *freelancer.SkinMesh, material func(group int) *asset.Material) *asset.Mesh {
	g := &level.Geometry
	n := len(g.PointIndices)
	base := asset.Primitive{Positions: make([][3]float32, n)}
	if len(g.Normals) > 0 {
		base.Normals = make([][3]float32, n)
	}
	for i, p := range g.PointIndices {
		base.Positions[i] = g.Points[p]
		if base.Normals != nil {
			base.Normals[i] = g.Normals[p]
		}
	}
	for set, idx := range [...][]uint32{g.UV0Indices, g.UV1Indices} {
		if len(idx) == 0 {
			break
		}
		uv := make([][2]float32, n)
		for i, k := range idx {
			uv[i] = [...][][2]float32{g.UV0, g.UV1}[set][k]
		}
		base.TexCoords = append(base.TexCoords, space.FlipV(uv))
	}
	weigh(&base, g)
	mesh := &asset.Mesh{Name: name}
	for i, group := range level.Groups {
		p := base
		if group.Strip {
			p.Indices = unstrip(group.Indices)
		} else {
			p.Indices = widen(group.Indices[:len(group.Indices)/3*3])
		}
		p.Material = material(i)
		mesh.Primitives = append(mesh.Primitives, &p)
	}
	return mesh
}

// weigh gives the vertices joints and weights, in as many sets of four as they need.
func weigh(p *asset.Primitive, g *freelancer.SkinGeometry) {
	most := uint32(1)
	for _, c := range g.BoneCount {
		most = max(most, c)
	}
	n := len(g.PointIndices)
	for first := uint32(0); first < min(most, 64); first += 4 {
		joints, weights := make([][4]uint16, n), make([][4]float32, n)
		for i, pt := range g.PointIndices {
			for k := first; k < min(first+4, g.BoneCount[pt]); k++ {
				at := g.BoneFirst[pt] + k
				joints[i][k-first], weights[i][k-first] = uint16(g.BoneIDs[at]), g.BoneWeights[at]
			}
		}
		p.Joints, p.Weights = append(p.Joints, joints), append(p.Weights, weights)
	}
}
