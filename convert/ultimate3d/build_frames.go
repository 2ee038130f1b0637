package ultimate3d

import (
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultimate3d"
)

// moment is a frame of the model to be: where in which animation it lies.
type moment struct {
	*posed
	time float64
}

// frames bakes the scene: each frame is a set of meshes in the places where the scene shows them.
func (b *builder) frames() error {
	moments := b.moments()
	if len(moments) > maxCount {
		return fail(schema.ErrLimit, "%d frames of meshes, at most 65,535", len(moments))
	}
	b.m.Frames = uint32(len(moments))
	b.m.VertexTweening = ultimate3d.BoolOf(len(moments) > 1 && !b.stepped())
	for _, n := range b.nodes {
		if n.Mesh == nil {
			continue
		}
		levels := make([][][]*ultimate3d.Mesh, b.levels)
		for k := range levels {
			levels[k] = b.baked(level(n, k), n, moments)
		}
		b.add(levels, len(moments))
		if (len(b.parts)+1)*b.levels*len(moments) > 4*maxCount {
			break // the count is refused below
		}
	}
	return b.order(len(moments))
}

func (b *builder) moments() (list []moment) {
	for _, c := range b.clips {
		for f := c.first; f <= c.last; f++ {
			list = append(list, moment{c.posed, float64(f-c.first) / b.fps})
		}
	}
	if len(list) == 0 {
		list = []moment{{pose(nil), 0}}
	}
	return list
}

// stepped tells whether everything that moves jumps.
func (b *builder) stepped() bool {
	for _, c := range b.clips {
		for _, list := range c.channels {
			for _, x := range list {
				if x.Interpolation != asset.StepKeys && !constant(x) {
					return false
				}
			}
		}
	}
	return true
}

// baked returns the parts of a mesh at a level of detail, each with all frames.
func (b *builder) baked(shown, n *asset.Node, moments []moment) (parts [][]*ultimate3d.Mesh) {
	if shown.Mesh == nil {
		return nil
	}
	base := b.join(shown.Mesh, n.Name)
	shapes := make([]frameShape, len(moments))
	mirrored := false
	for f, at := range moments {
		at.posed.time = at.time
		s := *base
		weights := at.posed.weights(n)
		if shown != n && at.posed.channels[shown] != nil {
			weights = at.posed.weights(shown)
		}
		s.Normals = append([][3]float32(nil), s.Normals...)
		s.morph(weights)
		switch {
		case shown.Skin != nil && len(s.Joints) > 0:
			b.bend(&s, shown.Skin, at.posed)
		default:
			s.Targets = nil
			m := b.world(shown, at.posed)
			if m.Determinant() < 0 && f == 0 {
				mirrored = true
			}
			if m != ultimate3d.IdentityMatrix {
				s.move(m)
			}
		}
		shapes[f] = frameShape{s.Positions, s.Normals}
	}
	name := b.name(meshName(shown), "mesh", nil)
	for _, p := range b.split(base, mirrored) {
		parts = append(parts, b.mesh(name, base, p, shapes, 1))
	}
	return parts
}

func meshName(n *asset.Node) string {
	if n.Mesh.Name != "" {
		return n.Mesh.Name
	}
	return n.Name
}

// bend moves the vertices of a surface with the joints of a skin.
func (b *builder) bend(s *surface, skin *asset.Skin, p *posed) {
	joints := make([]ultimate3d.Matrix, len(skin.Joints))
	normals := make([]ultimate3d.Matrix, len(joints))
	for i, j := range skin.Joints {
		joints[i] = b.world(j, p)
		if i < len(skin.InverseBind) {
			joints[i] = ultimate3d.MatrixOf(skin.InverseBind[i]).Mul(joints[i])
		}
		normals[i] = normalMatrix(joints[i])
	}
	positions, directions := make([][3]float32, len(s.Positions)), make([][3]float32, len(s.Normals))
	for v := range positions {
		list, _ := s.influences(v, func(j int) int {
			if j >= len(joints) {
				return -1
			}
			return j
		})
		var at, to [3]float64
		for _, x := range list {
			q, r := joints[x.bone].Apply(wide3(s.Positions[v])), normals[x.bone].Apply(wide3(s.Normals[v]))
			for k := range at {
				at[k] += float64(x.weight) * q[k]
				to[k] += float64(x.weight) * r[k]
			}
		}
		if len(list) == 0 {
			at, to = wide3(s.Positions[v]), wide3(s.Normals[v])
		}
		positions[v], directions[v] = narrow3(at), unit(narrow3(to))
	}
	s.Positions, s.Normals = positions, directions
}
