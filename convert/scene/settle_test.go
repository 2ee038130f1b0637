package scene

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/schema/asset"
)

// tower is a root with a child with a child, each with a triangle, and an animation of the middle one.
func tower() (s *asset.Scene, nodes []*asset.Node) {
	s = &asset.Scene{}
	mesh := &asset.Mesh{Primitives: []*asset.Primitive{{
		Positions: [][3]float32{{0, 0, 0}, {1, 0, 0}, {0, 2, 3}}, Normals: [][3]float32{{0, 0, 1}, {0, 0, 1}, {0, 0, 1}},
	}}}
	s.Meshes = []*asset.Mesh{mesh}
	for i := range 3 {
		n := asset.NewNode(string(rune('a' + i)))
		n.Mesh = mesh
		n.Transform.Translation = [3]float32{1, float32(i), -2}
		n.Transform.Rotation = NarrowTurn(mgl64.QuatRotate(0.4*float64(i+1), mgl64.Vec3{1, 2, float64(i)}.Normalize()))
		if i > 0 {
			nodes[i-1].Children = []*asset.Node{n}
		}
		nodes = append(nodes, n)
	}
	nodes[0].Transform = asset.Identity
	s.Roots = nodes[:1]
	a := NarrowTurn(mgl64.QuatRotate(0.3, mgl64.Vec3{0, 1, 0}))
	b := NarrowTurn(mgl64.QuatRotate(1.9, mgl64.Vec3{0.6, 0.8, 0}))
	s.Animations = []*asset.Animation{{Channels: []*asset.Channel{
		{Node: nodes[1], Path: asset.Rotation, Times: []float32{0, 1}, Values: append(a[:], b[:]...)},
		{Node: nodes[1], Path: asset.Translation, Times: []float32{0, 0.5, 1}, Values: []float32{1, 1, 1, 2, 0, 1, 5, 5, 5}},
	}}}
	return s, nodes
}

// seen returns the corners of all triangles in the world at some moments of the first animation.
func seen(s *asset.Scene) (points []mgl64.Vec3) {
	m := MotionOf(s.Animations[0])
	parents := Parents(s)
	for _, time := range []float64{0, 0.25, 0.5, 0.8, 1} {
		s.Walk(func(n, _ *asset.Node) {
			if n.Mesh == nil {
				return
			}
			w := m.World(n, parents, time)
			joints := []mgl64.Mat4{w}
			if n.Skin != nil {
				joints = nil
				for i, j := range n.Skin.Joints {
					joints = append(joints, m.World(j, parents, time).Mul4(InverseBind(n.Skin, i)))
				}
			}
			for _, p := range n.Mesh.Primitives {
				for _, v := range p.Positions {
					for _, j := range joints {
						points = append(points, Point(&j, v))
					}
				}
			}
		})
	}
	return points
}

func TestSettle(t *testing.T) {
	x := mgl64.QuatRotate(0.7, mgl64.Vec3{0, 0.6, 0.8})
	edits := map[string]struct {
		edit func(s *asset.Scene, nodes []*asset.Node)
		room Room // of the root
		bent bool
	}{
		"root moved":            {func(_ *asset.Scene, n []*asset.Node) { n[0].Transform.Translation = [3]float32{3, 4, 5} }, NoRoom, false},
		"root turned":           {func(_ *asset.Scene, n []*asset.Node) { n[0].Transform.Rotation = NarrowTurn(x) }, NoRoom, false},
		"root scaled":           {func(_ *asset.Scene, n []*asset.Node) { n[0].Transform.Scale = [3]float32{2, 2, 2} }, NoRoom, false},
		"root mirrored":         {func(_ *asset.Scene, n []*asset.Node) { n[0].Transform.Scale = [3]float32{-1, 1, 1} }, NoRoom, false},
		"root mirrored along z": {func(_ *asset.Scene, n []*asset.Node) { n[0].Transform.Scale = [3]float32{1.5, 1.5, -1.5} }, RigidRoom, false},
		"root all": {func(_ *asset.Scene, n []*asset.Node) {
			n[0].Transform = asset.Transform{Translation: [3]float32{1, 2, 3}, Rotation: NarrowTurn(x), Scale: [3]float32{-3, 3, 3}}
		}, NoRoom, false},
		"root scaled unevenly": {func(_ *asset.Scene, n []*asset.Node) { n[0].Transform.Scale = [3]float32{1, 2, 3} }, NoRoom, true},
		"part scaled":          {func(_ *asset.Scene, n []*asset.Node) { n[1].Transform.Scale = [3]float32{2, 2, 2} }, NoRoom, false},
		"part mirrored":        {func(_ *asset.Scene, n []*asset.Node) { n[1].Transform.Scale = [3]float32{1, -1, 1} }, NoRoom, false},
		"part scaled unevenly": {func(_ *asset.Scene, n []*asset.Node) { n[1].Transform.Scale = [3]float32{2, 1, 1} }, NoRoom, false},
		"above": {func(s *asset.Scene, n []*asset.Node) {
			up := asset.NewNode("up")
			up.Transform = asset.Transform{Translation: [3]float32{9, 0, 0}, Rotation: NarrowTurn(x), Scale: [3]float32{0.01, 0.01, 0.01}}
			up.Children, s.Roots = s.Roots, []*asset.Node{up}
		}, NoRoom, false},
		"skin": {func(s *asset.Scene, n []*asset.Node) {
			skin := &asset.Skin{Joints: []*asset.Node{n[1], n[2]}, InverseBind: [][16]float32{NarrowMatrix(mgl64.Translate3D(1, 0, 2)), NarrowMatrix(mgl64.Ident4())}}
			s.Skins = []*asset.Skin{skin}
			n[0].Skin = skin
			n[0].Transform.Scale = [3]float32{4, 4, 4}
		}, NoRoom, false},
	}
	for name, c := range edits {
		t.Run(name, func(t *testing.T) {
			s, nodes := tower()
			c.edit(s, nodes)
			was := seen(s)
			done := Settle(s, func(n *asset.Node) Room {
				if n == s.Roots[0] {
					return c.room
				}
				return RigidRoom
			})
			if (len(done.Bent) > 0) != c.bent {
				t.Errorf("bent: %d nodes", len(done.Bent))
			}
			s.Walk(func(n, parent *asset.Node) {
				if parent == nil && c.room == NoRoom && n.Transform != asset.Identity || !isRigid(Matrix(&n.Transform)) {
					t.Errorf("%s has no room for %v", n.Name, n.Transform)
				}
			})
			if c.bent {
				return // the moments between keys differ: at rest nothing may
			}
			now := seen(s)
			if len(now) != len(was) {
				t.Fatalf("%d corners, %d before", len(now), len(was))
			}
			for i := range was {
				if d := was[i].Sub(now[i]).Len(); !(d <= 1e-5*math.Max(1, was[i].Len())) {
					t.Fatalf("corner %d: %v, was %v", i, now[i], was[i])
				}
			}
		})
	}
}

// What fits stays as it is to the last bit, and shares what it shared.
func TestSettleNothing(t *testing.T) {
	s, nodes := tower()
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range nodes[1:] {
		for k := range 3 {
			n.Transform.Translation[k] = r.Float32()
		}
	}
	was := []asset.Transform{nodes[0].Transform, nodes[1].Transform, nodes[2].Transform}
	mesh, channels := s.Meshes[0], s.Animations[0].Channels
	done := Settle(s, func(*asset.Node) Room { return RigidRoom })
	if len(done.Baked) != 0 || s.Meshes[0] != mesh || nodes[2].Mesh != mesh || s.Animations[0].Channels[0] != channels[0] {
		t.Errorf("%d nodes were settled", len(done.Baked))
	}
	for i, n := range nodes {
		if n.Transform != was[i] {
			t.Errorf("%s: %v, was %v", n.Name, n.Transform, was[i])
		}
	}
}
