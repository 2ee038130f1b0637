package scene

import (
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/schema/asset"
)

// BindAtRest rebinds every skin to the scene's rest pose, for targets that have only one pose. What is seen at rest does
// not change; vertices and bind matrices do. A skin already bound at rest is not touched, wherever it is as a whole. Meshes
// that change are replaced. The result is the nodes whose vertices the pose bends; vertices between several joints then
// follow animations slightly differently.
func BindAtRest(s *asset.Scene) (changed []*asset.Node) {
	worlds := Worlds(s)
	return rebind(s, worlds, func(skin *asset.Skin, _ int) mgl64.Mat4 { // where the first joint has the skin
		return worlds[skin.Joints[0]].Mul4(InverseBind(skin, 0))
	})
}

// BindInPlace is [BindAtRest] for targets that have vertices in the space of the scene and not in that of a skin. stood
// returns the transform that a joint gave its vertices in the stored model, if the target states it. If stood is nil, that
// is the identity.
func BindInPlace(s *asset.Scene, stood func(joint *asset.Node) mgl64.Mat4) (changed []*asset.Node) {
	return rebind(s, Worlds(s), func(skin *asset.Skin, i int) mgl64.Mat4 {
		if stood == nil {
			return mgl64.Ident4()
		}
		return stood(skin.Joints[i])
	})
}

// rebind gives skins bind matrices with which their joints, at rest, have the vertices where stands says, and moves the
// vertices so that what is seen stays.
func rebind(s *asset.Scene, worlds map[*asset.Node]mgl64.Mat4, stands func(skin *asset.Skin, i int) mgl64.Mat4) (changed []*asset.Node) {
	size, rebound := Size(s), false
	for _, skin := range s.Skins {
		if len(skin.Joints) == 0 || stands(skin, 0).Det() == 0 {
			continue
		}
		moves, posed := make([]mgl64.Mat4, len(skin.Joints)), false // what the pose does in the space of the skin
		binds := make([][16]float32, len(skin.Joints))
		for i, j := range skin.Joints {
			at, now := stands(skin, i), worlds[j].Mul4(InverseBind(skin, i))
			moves[i], binds[i] = mgl64.Ident4(), NarrowMatrix(InverseBind(skin, i))
			if at.Det() == 0 {
				continue
			}
			moves[i] = at.Inv().Mul4(now)
			if w := worlds[j]; w.Det() != 0 {
				posed = posed || !SamePlace(at, now, size)
				binds[i] = NarrowMatrix(w.Inv().Mul4(at))
			}
		}
		if !posed {
			continue
		}
		skin.InverseBind = binds
		bends := slices.ContainsFunc(moves, func(m mgl64.Mat4) bool { return !SamePlace(moves[0], m, size) })
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
			rebound = true
			if bends {
				changed = append(changed, n)
			}
		})
	}
	if !rebound {
		return nil
	}
	used := UsedMeshes(s)
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
			q.Targets[k] = asset.Target{Positions: slices.Clone(t.Positions), Normals: slices.Clone(t.Normals), Tangents: slices.Clone(t.Tangents)}
		}
		for v := range p.Positions {
			by, ok := blend(p, v, moves)
			if !ok {
				continue
			}
			b := &baker{by: by, linear: by.Mat3(), normal: NormalMatrix(by)}
			q.Positions[v] = b.point(p.Positions[v])
			if v < len(q.Normals) {
				q.Normals[v] = b.direction(p.Normals[v])
			}
			if v < len(q.Tangents) {
				d := b.along(xyz(p.Tangents[v]))
				copy(q.Tangents[v][:], d[:])
			}
			for k := range q.Targets {
				b.targetOf(v, &q.Targets[k], p, &q)
			}
		}
		out.Primitives = append(out.Primitives, &q)
	}
	return &out
}

// targetOf maps what a morph target adds to a vertex.
func (b *baker) targetOf(v int, t *asset.Target, was, now *asset.Primitive) {
	if v < len(t.Positions) {
		t.Positions[v] = Narrow3(b.linear.Mul3x1(Wide3(t.Positions[v])))
	}
	if v < len(t.Normals) && v < len(was.Normals) {
		t.Normals[v] = difference(t.Normals[v], was.Normals[v], now.Normals[v], b.direction)
	}
	if v < len(t.Tangents) && v < len(was.Tangents) {
		t.Tangents[v] = difference(t.Tangents[v], xyz(was.Tangents[v]), xyz(now.Tangents[v]), b.along)
	}
}

// blend returns the transform of a vertex that follows joints; ok is false if it follows none.
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

// InverseBind returns the inverse bind matrix of joint i, or the identity if the skin has none.
func InverseBind(s *asset.Skin, joint int) mgl64.Mat4 {
	if joint >= len(s.InverseBind) {
		return mgl64.Ident4()
	}
	return WideMatrix(s.InverseBind[joint])
}
