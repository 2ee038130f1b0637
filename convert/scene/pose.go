package scene

import (
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/schema/asset"
)

// BindAtRest makes the pose in which the joints of a scene rest the one that its skins are bound in, for targets that
// know one such pose only: what is seen at rest stays, vertices and bind matrices change. Skins that rest as they are
// bound, wherever they are as a whole, stay as they are to the last bit. Meshes that change are replaced; the nodes that
// show them are returned.
func BindAtRest(s *asset.Scene) (changed []*asset.Node) {
	worlds, size := Worlds(s), Size(s)
	for _, skin := range s.Skins {
		if len(skin.Joints) == 0 {
			continue
		}
		whole := worlds[skin.Joints[0]].Mul4(InverseBind(skin, 0)) // from the skin to the world, as the first joint has it
		moves := make([]mgl64.Mat4, len(skin.Joints))              // what the pose does in the space of the skin
		if whole.Det() == 0 {
			continue
		}
		back, posed := whole.Inv(), false
		for i, j := range skin.Joints {
			now := worlds[j].Mul4(InverseBind(skin, i))
			moves[i] = back.Mul4(now)
			posed = posed || worlds[j].Det() != 0 && !SamePlace(whole, now, size)
		}
		if !posed {
			continue
		}
		binds := make([][16]float32, len(skin.Joints))
		for i, j := range skin.Joints {
			binds[i] = NarrowMatrix(InverseBind(skin, i))
			if w := worlds[j]; w.Det() != 0 {
				binds[i] = NarrowMatrix(w.Inv().Mul4(whole))
			}
		}
		skin.InverseBind = binds
		posedMeshes := map[*asset.Mesh]*asset.Mesh{}
		s.Walk(func(n, _ *asset.Node) {
			if n.Skin != skin || n.Mesh == nil {
				return
			}
			if posedMeshes[n.Mesh] == nil {
				posedMeshes[n.Mesh] = bent(n.Mesh, moves)
				s.Meshes = append(s.Meshes, posedMeshes[n.Mesh])
			}
			n.Mesh = posedMeshes[n.Mesh]
			changed = append(changed, n)
		})
	}
	if len(changed) == 0 {
		return nil
	}
	used := usedMeshes(s)
	s.Meshes = slices.DeleteFunc(s.Meshes, func(m *asset.Mesh) bool { return !used[m] })
	return changed
}

// bent returns a mesh whose vertices follow joints to where these have moved.
func bent(m *asset.Mesh, moves []mgl64.Mat4) *asset.Mesh {
	out := *m
	out.Primitives = nil
	for _, p := range m.Primitives {
		q := *p
		q.Positions, q.Normals, q.Tangents = slices.Clone(p.Positions), slices.Clone(p.Normals), slices.Clone(p.Tangents)
		q.Targets = slices.Clone(p.Targets)
		for k, t := range p.Targets {
			q.Targets[k].Positions, q.Targets[k].Normals = slices.Clone(t.Positions), slices.Clone(t.Normals)
		}
		for v := range p.Positions {
			by, ok := blend(p, v, moves)
			if !ok {
				continue
			}
			linear, normal := by.Mat3(), NormalMatrix(by)
			q.Positions[v] = Narrow3(Point(&by, p.Positions[v]))
			if v < len(q.Normals) {
				q.Normals[v] = unitOr(normal.Mul3x1(Wide3(p.Normals[v])), p.Normals[v])
			}
			if v < len(q.Tangents) {
				t := p.Tangents[v]
				d := unitOr(linear.Mul3x1(Wide3([3]float32(t[:3]))), [3]float32(t[:3]))
				copy(q.Tangents[v][:], d[:])
			}
			for k, t := range p.Targets {
				if v < len(t.Positions) {
					q.Targets[k].Positions[v] = Narrow3(linear.Mul3x1(Wide3(t.Positions[v])))
				}
				if v < len(t.Normals) {
					q.Targets[k].Normals[v] = Narrow3(normal.Mul3x1(Wide3(t.Normals[v])))
				}
			}
		}
		out.Primitives = append(out.Primitives, &q)
	}
	return &out
}

// blend returns what moves a vertex that follows joints; ok is false for one that follows none.
func blend(p *asset.Primitive, v int, moves []mgl64.Mat4) (m mgl64.Mat4, ok bool) {
	total := 0.0
	for set := range p.Joints {
		if set >= len(p.Weights) || v >= len(p.Joints[set]) || v >= len(p.Weights[set]) {
			continue
		}
		for k, w := range p.Weights[set][v] {
			if j := int(p.Joints[set][v][k]); w > 0 && j < len(moves) {
				m = m.Add(moves[j].Mul(float64(w)))
				total += float64(w)
			}
		}
	}
	if total == 0 {
		return m, false
	}
	return m.Mul(1 / total), true
}
