package unreal

import (
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/skeleton"
	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/schema/asset"
)

// worm is a skinned scene as other programs make them: joints below scaled and turned nodes, a node between two joints,
// keys of all kinds, and a hat that no skin binds.
func worm() *asset.Scene {
	armature, root, middle, between, tip := asset.NewNode("Armature"), asset.NewNode("Root"), asset.NewNode("Middle"), asset.NewNode("between"), asset.NewNode("Tip")
	armature.Transform.Scale = [3]float32{0.5, 0.5, 0.5}
	armature.Transform.Rotation = [4]float32{0, float32(math.Sin(0.4)), 0, float32(math.Cos(0.4))}
	root.Transform.Translation = [3]float32{0, 0.5, 0}
	middle.Transform.Translation = [3]float32{0, 1, 0}
	middle.Transform.Rotation = [4]float32{0, 0, float32(math.Sin(0.2)), float32(math.Cos(0.2))}
	between.Transform.Translation = [3]float32{0, 0.5, 0.1}
	tip.Transform.Translation = [3]float32{0, 0.75, 0}
	armature.Children, root.Children, middle.Children, between.Children = []*asset.Node{root}, []*asset.Node{middle}, []*asset.Node{between}, []*asset.Node{tip}
	p := &asset.Primitive{Material: asset.NewMaterial("Skin")}
	for ring := range 7 {
		for side := range 4 {
			x, z := math.Sincos(float64(side) * math.Pi / 2)
			p.Positions = append(p.Positions, [3]float32{float32(x) * 0.3, float32(ring) * 0.5, float32(z) * 0.3})
		}
		first := float32(min(1, max(0, float64(4-ring)/4)))
		last := float32(min(1, max(0, float64(ring-3)/3)))
		for range 4 {
			if len(p.Joints) == 0 {
				p.Joints, p.Weights = make([][][4]uint16, 1), make([][][4]float32, 1)
			}
			p.Joints[0] = append(p.Joints[0], [4]uint16{0, 1, 2, 0})
			p.Weights[0] = append(p.Weights[0], [4]float32{first, 1 - first - last, last, 0})
		}
	}
	uv := make([][2]float32, len(p.Positions))
	for i := range uv {
		uv[i] = [2]float32{float32(i%4) / 3, float32(i/4) / 6}
	}
	p.TexCoords = [][][2]float32{uv}
	for ring := range uint32(6) {
		for side := range uint32(4) {
			a, b := 4*ring+side, 4*ring+(side+1)%4
			p.Indices = append(p.Indices, a, b, a+4, b, b+4, a+4)
		}
	}
	board := checkerboard(8, 8)
	board.Name = "Scales"
	p.Material.BaseColorTexture = &asset.TextureRef{Texture: board}
	body := asset.NewNode("Body")
	body.Mesh = &asset.Mesh{Name: "Worm", Primitives: []*asset.Primitive{p}}
	hat := asset.NewNode("Hat")
	hat.Transform.Translation = [3]float32{0, 0.2, 0}
	hat.Mesh = &asset.Mesh{Name: "Hat", Primitives: []*asset.Primitive{{
		Positions: [][3]float32{{-0.2, 0, 0}, {0.2, 0, 0}, {0, 0.4, 0}}, TexCoords: [][][2]float32{{{0, 0}, {1, 0}, {0.5, 1}}},
		Indices: []uint32{0, 1, 2}, Material: p.Material,
	}}}
	tip.Children = []*asset.Node{hat}
	s := &asset.Scene{Name: "Worm", Roots: []*asset.Node{armature, body}, Meshes: []*asset.Mesh{body.Mesh, hat.Mesh}, Materials: []*asset.Material{p.Material}, Textures: []*asset.Texture{board}}
	body.Skin = &asset.Skin{Name: "Worm", Joints: []*asset.Node{root, middle, tip}}
	for _, j := range body.Skin.Joints {
		body.Skin.InverseBind = append(body.Skin.InverseBind, inverseOf(globalOf(s, j, nil, 0)))
	}
	s.Skins = []*asset.Skin{body.Skin}
	turn := func(x float64) []float32 { return []float32{0, 0, float32(math.Sin(x / 2)), float32(math.Cos(x / 2))} }
	s.Animations = []*asset.Animation{
		{Name: "Bend", Channels: []*asset.Channel{
			{Node: middle, Path: asset.Rotation, Times: []float32{0, 0.4, 1}, Values: slices.Concat(turn(0.4), turn(1.5), turn(0.4))},
			{Node: root, Path: asset.Translation, Times: []float32{0, 0.5, 0.8}, Values: []float32{0, 0.5, 0, 0.2, 0.9, 0.1, 0, 0.5, 0}},
		}},
		{Name: "Jump", Channels: []*asset.Channel{
			{Node: root, Path: asset.Translation, Interpolation: asset.StepKeys, Times: []float32{0, 0.5}, Values: []float32{0, 0.5, 0, 0, 1.5, 0}},
			{Node: between, Path: asset.Rotation, Times: []float32{0.25, 1}, Values: slices.Concat(turn(0), turn(1))},
			{Node: tip, Path: asset.Translation, Interpolation: asset.CubicKeys, Times: []float32{0, 1},
				Values: []float32{0, 0, 0, 0, 0.75, 0, 1, 0, 0, -1, 0, 0, 0, 0.95, 0, 0, 0, 0}},
		}},
	}
	return s
}

// inverseOf returns the inverse of a matrix as skins have it.
func inverseOf(m mgl64.Mat4) (out [16]float32) {
	for i, v := range m.Inv() {
		out[i] = float32(v)
	}
	return out
}

// globalOf returns where a node is at a time of an animation.
func globalOf(s *asset.Scene, n *asset.Node, x *asset.Animation, t float32) mgl64.Mat4 {
	at := space.Matrix(n.Transform)
	if x != nil {
		moved := n.Transform
		for _, c := range x.Channels {
			if c.Node != n {
				continue
			}
			switch v := skeleton.ValueAt(c, t); c.Path {
			case asset.Translation:
				copy(moved.Translation[:], v)
			case asset.Rotation:
				copy(moved.Rotation[:], v)
			}
		}
		at = space.Matrix(moved)
	}
	var parent *asset.Node
	s.Walk(func(c, p *asset.Node) {
		if c == n {
			parent = p
		}
	})
	if parent == nil {
		return at
	}
	return globalOf(s, parent, x, t).Mul4(at)
}

// corners returns where the corners of all triangles are at a time of an animation.
func corners(s *asset.Scene, x *asset.Animation, t float32) (all []mgl64.Vec3) {
	for _, n := range space.Shown(s) {
		place := globalOf(s, n.Node, x, t)
		var joints []mgl64.Mat4
		if n.Node.Skin != nil {
			for i, j := range n.Node.Skin.Joints {
				joints = append(joints, globalOf(s, j, x, t).Mul4(scene.InverseBind(n.Node.Skin, i)))
			}
		}
		for _, p := range n.Node.Mesh.Primitives {
			for _, i := range p.Indices {
				m := place
				if joints != nil {
					m = mgl64.Mat4{}
					for k, w := range p.Weights[0][i] {
						m = m.Add(joints[p.Joints[0][i][k]].Mul(float64(w)))
					}
				}
				v := p.Positions[i]
				all = append(all, mgl64.TransformCoordinate(mgl64.Vec3{float64(v[0]), float64(v[1]), float64(v[2])}, m))
			}
		}
	}
	return all
}

// sameShape holds the corners of two scenes against each other, at times of an animation of both.
func sameShape(t *testing.T, got, want *asset.Scene, name string, times ...float32) {
	t.Helper()
	find := func(s *asset.Scene) *asset.Animation {
		for _, x := range s.Animations {
			if x.Name == name {
				return x
			}
		}
		t.Fatalf("no animation %q", name)
		return nil
	}
	x, y := find(got), find(want)
	for _, at := range times {
		a, b := corners(got, x, at), corners(want, y, at)
		if len(a) != len(b) {
			t.Fatalf("%d corners, want %d", len(a), len(b))
		}
		worst := 0.0
		for i := range a {
			worst = max(worst, a[i].Sub(b[i]).Len())
		}
		if worst > 1e-3 {
			t.Errorf("%s at %v: corners are up to %v m from where they should be", name, at, worst)
		}
	}
}

// wormPackage is a new package with the worm in it, as read back.
func wormPackage(t testing.TB) *archive {
	x, err := Create(&format.Env{Name: "Worms.u"})
	if err != nil {
		t.Fatal(err)
	}
	add(t, x.(*archive), "Beasts/Worm", worm(), format.Model)
	return openBytes(t, "Worms.u", written(t, x))
}

// sampled are times on and between the keys of the worm; those right behind a key that is jumped to are left out.
var sampled = []float32{0, 0.1, 0.25, 0.4, 0.45, 0.52, 0.65, 0.8, 0.9, 1}

// resample gives an animation keys at whole frames only, as editors do.
func resample(x *asset.Animation, fps float32) {
	for _, c := range x.Channels {
		if len(c.Times) < 2 {
			continue
		}
		var times, values []float32
		for k := float32(0); k/fps <= c.Times[len(c.Times)-1]; k++ {
			times, values = append(times, k/fps), append(values, skeleton.ValueAt(c, k/fps)...)
		}
		c.Times, c.Values = times, values
	}
}
