package ultimate3d

import (
	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultimate3d"
)

// moment is a frame of the model to be: where in which animation it lies.
type moment struct {
	*scene.Motion
	time float64
}

// frames bakes the scene: each frame is a set of meshes in the places where the scene shows them.
func (b *newModel) frames() error {
	moments := b.moments()
	if len(moments) > maxCount {
		return fail(schema.ErrLimit, "%d frames of meshes, at most 65,535", len(moments))
	}
	b.m.Frames = uint32(len(moments))
	for _, c := range b.clips {
		for n, list := range c.Motion.Channels {
			for path, x := range list {
				b.lowerer.frames(n, asset.Path(path), x, b.size, nil)
			}
		}
	}
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

func (b *newModel) moments() (list []moment) {
	for _, c := range b.clips {
		for f := c.first; f <= c.last; f++ {
			list = append(list, moment{c.Motion, float64(f-c.first) / b.fps})
		}
	}
	if len(list) == 0 {
		list = []moment{{b.still, 0}}
	}
	return list
}

// stepped reports whether everything that moves jumps.
func (b *newModel) stepped() bool {
	for _, c := range b.clips {
		for n, list := range c.Motion.Channels {
			for _, x := range list {
				if x != nil && x.Interpolation != asset.StepKeys && !scene.Constant(c.Curve(n, x.Path), b.size) {
					return false
				}
			}
		}
	}
	return true
}

// baked returns the parts of a mesh at a level of detail, each with all frames.
func (b *newModel) baked(shown, n *asset.Node, moments []moment) (parts [][]*ultimate3d.Mesh) {
	if shown.Mesh == nil {
		return nil
	}
	base := join(shown.Mesh)
	shapes := make([]frameShape, len(moments))
	mirrored := false
	for f, at := range moments {
		s := *base
		weights := at.Weights(n, at.time)
		if shown != n && at.Channels[shown] != nil {
			weights = at.Weights(shown, at.time)
		}
		s.Normals = append([][3]float32(nil), s.Normals...)
		s.morph(weights)
		switch {
		case shown.Skin != nil && len(s.Joints) > 0:
			b.bend(&s, shown.Skin, at)
		default:
			s.Targets = nil
			m := b.world(shown, at.Motion, at.time)
			if scene.Mirrored(m) && f == 0 {
				mirrored = true
			}
			s.move(m)
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
	renamed := number(n.Native, keyMesh) >= 0 && scene.Renamed(n.Mesh.Name, n.Name) // by a person, who sees that name
	if n.Mesh.Name != "" && !renamed {
		return n.Mesh.Name
	}
	return n.Name
}

// bend moves the vertices of a surface with the joints of a skin.
func (b *newModel) bend(s *surface, skin *asset.Skin, at moment) {
	joints := make([]mgl64.Mat4, len(skin.Joints))
	normals := make([]mgl64.Mat3, len(joints))
	for i, j := range skin.Joints {
		joints[i] = b.world(j, at.Motion, at.time).Mul4(scene.InverseBind(skin, i))
		normals[i] = scene.NormalMatrix(joints[i])
	}
	positions, directions := make([][3]float32, len(s.Positions)), make([][3]float32, len(s.Normals))
	for v := range positions {
		list := s.influences(v, func(j int) int {
			if j >= len(joints) {
				return -1
			}
			return j
		})
		var place, normal mgl64.Vec3
		for _, x := range list {
			w := float64(x.weight)
			place = place.Add(scene.Point(&joints[x.bone], s.Positions[v]).Mul(w))
			normal = normal.Add(normals[x.bone].Mul3x1(scene.Wide3(s.Normals[v])).Mul(w))
		}
		if len(list) == 0 {
			place, normal = scene.Wide3(s.Positions[v]), scene.Wide3(s.Normals[v])
		}
		positions[v], directions[v] = narrow3(place), unit(narrow3(normal))
	}
	s.Positions, s.Normals = positions, directions
}
