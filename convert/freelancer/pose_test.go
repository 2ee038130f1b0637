package freelancer_test

import (
	"math"
	"sort"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/corpus"
)

// sampled returns a channel's value at a time: linear, rotations along the arc.
func sampled(c *asset.Channel, t float64) []float64 {
	w := c.Width()
	key := func(i int) []float64 {
		v := make([]float64, w)
		for k := range v {
			v[k] = float64(c.Values[i*w+k])
		}
		return v
	}
	i := sort.Search(len(c.Times), func(i int) bool { return float64(c.Times[i]) >= t })
	if i == 0 || i == len(c.Times) {
		return key(min(i, len(c.Times)-1))
	}
	a, b := key(i-1), key(i)
	f := (t - float64(c.Times[i-1])) / float64(c.Times[i]-c.Times[i-1])
	if w == 4 {
		p, q := mgl64.Quat{W: a[3], V: mgl64.Vec3(a[:3])}, mgl64.Quat{W: b[3], V: mgl64.Vec3(b[:3])}
		if p.Dot(q) < 0 {
			p = p.Scale(-1)
		}
		r := mgl64.QuatSlerp(p, q, f)
		return []float64{r.V[0], r.V[1], r.V[2], r.W}
	}
	for k := range a {
		a[k] += (b[k] - a[k]) * f
	}
	return a
}

// locals returns where an animation puts every node in its parent at a time.
func locals(s *asset.Scene, a *asset.Animation, t float64) map[*asset.Node]mgl64.Mat4 {
	out := map[*asset.Node]mgl64.Mat4{}
	s.Walk(func(n, _ *asset.Node) {
		v := map[asset.Path][]float64{}
		for path, rest := range map[asset.Path][]float32{asset.Translation: n.Transform.Translation[:], asset.Rotation: n.Transform.Rotation[:], asset.Scale: n.Transform.Scale[:]} {
			for _, x := range rest {
				v[path] = append(v[path], float64(x))
			}
		}
		for _, c := range a.Channels {
			if c.Node == n && c.Path != asset.MorphWeights {
				v[c.Path] = sampled(c, t)
			}
		}
		q := mgl64.Quat{W: v[asset.Rotation][3], V: mgl64.Vec3(v[asset.Rotation][:3])}
		m := v[asset.Translation]
		k := v[asset.Scale]
		out[n] = mgl64.Translate3D(m[0], m[1], m[2]).Mul4(q.Mat4()).Mul4(mgl64.Scale3D(k[0], k[1], k[2]))
		if f := n.Transform.Matrix; f != nil {
			for i, x := range f {
				m := out[n]
				m[i] = float64(x)
				out[n] = m
			}
		}
	})
	return out
}

// worlds returns where an animation puts every node at a time.
func worlds(s *asset.Scene, a *asset.Animation, t float64) map[*asset.Node]mgl64.Mat4 {
	local, world := locals(s, a, t), map[*asset.Node]mgl64.Mat4{nil: mgl64.Ident4()}
	s.Walk(func(n, parent *asset.Node) { world[n] = world[parent].Mul4(local[n]) })
	return world
}

// corner returns the place of a vertex, and its number: index i of a primitive.
func corner(p *asset.Primitive, i int) (mgl64.Vec3, int) {
	if len(p.Indices) > 0 {
		i = int(p.Indices[i])
	}
	at := p.Positions[i]
	return mgl64.Vec3{float64(at[0]), float64(at[1]), float64(at[2])}, i
}

func cornerCount(p *asset.Primitive) int {
	if len(p.Indices) > 0 {
		return len(p.Indices)
	}
	return len(p.Positions)
}

// soup returns the corners of a node's triangles.
func soup(n *asset.Node, world mgl64.Mat4) (out []mgl64.Vec3) {
	for _, p := range n.Mesh.Primitives {
		for i := range cornerCount(p) {
			at, _ := corner(p, i)
			out = append(out, mgl64.TransformCoordinate(at, world))
		}
	}
	return out
}

// surface returns the corners of all triangles, in the order of the scene, as an animation shows them at a time.
func surface(s *asset.Scene, a *asset.Animation, t float64) (out []mgl64.Vec3) {
	world := worlds(s, a, t)
	s.Walk(func(n, _ *asset.Node) {
		switch {
		case n.Mesh == nil:
		case n.Skin == nil:
			out = append(out, soup(n, world[n])...)
		default:
			for _, p := range n.Mesh.Primitives {
				for i := range cornerCount(p) {
					at, v := corner(p, i)
					out = append(out, skinned(n, p, v, at, world))
				}
			}
		}
	})
	return out
}

// skinned returns where the joints of a node's skin put a vertex.
func skinned(n *asset.Node, p *asset.Primitive, v int, at mgl64.Vec3, world map[*asset.Node]mgl64.Mat4) (sum mgl64.Vec3) {
	for set := range p.Joints {
		for k, j := range p.Joints[set][v] {
			var inverse mgl64.Mat4
			for e, x := range n.Skin.InverseBind[j] {
				inverse[e] = float64(x)
			}
			moved := mgl64.TransformCoordinate(at, world[n.Skin.Joints[j]].Mul4(inverse))
			sum = sum.Add(moved.Mul(float64(p.Weights[set][v][k])))
		}
	}
	return sum
}

func length(a *asset.Animation) (end float64) {
	for _, c := range a.Channels {
		end = max(end, float64(c.Times[len(c.Times)-1]))
	}
	return end
}

// TestFigureAtTimes makes a character and an animation file of foreign skinned figures, puts them together again, and
// looks at where every corner of every triangle is, 50 times during the animation.
func TestFigureAtTimes(t *testing.T) {
	dfm, anm := byName(t, "dfm"), byName(t, "anm")
	figures := map[string]*asset.Scene{
		"two bones":       fromGLB(t, glb(t, arm(), nil)),
		"one with a hat":  fromGLB(t, corpus.Bytes(t, corpus.Testdata(t, "ultimate3d", "foreign", "skinned.glb"))),
		"one on a stand":  fromGLB(t, glb(t, onStand(arm()), nil)),
		"two skins":       fromGLB(t, glb(t, twoSkins(), nil)),
		"one that slides": fromGLB(t, glb(t, sliding(), nil)),
	}
	for name, s := range figures {
		t.Run(name, func(t *testing.T) {
			figure := lower(t, dfm, "figure.dfm", s, nil)
			file := lower(t, anm, "figure.anm", s, nil)
			got := fromGLB(t, glb(t, liftWith(t, anm, file, on(figure, nil)), nil))
			if len(got.Animations) != 1 {
				t.Fatalf("%d animations", len(got.Animations))
			}
			worst, way := 0.0, 0.0
			first := surface(s, s.Animations[0], 0)
			for i := range 51 {
				at := length(s.Animations[0]) * float64(i) / 50
				a, b := surface(s, s.Animations[0], at), surface(got, got.Animations[0], at)
				if len(a) != len(b) {
					t.Fatalf("%d corners became %d", len(a), len(b))
				}
				for k := range a {
					worst = max(worst, a[k].Sub(b[k]).Len())
					way = max(way, a[k].Sub(first[k]).Len())
				}
			}
			t.Logf("%d corners, the farthest moves %.3f, the worst is %.6f off", len(first), way, worst)
			if worst > 1e-3 {
				t.Errorf("a corner is %v off", worst)
			}
			if math.IsNaN(worst) || way < 0.3 {
				t.Errorf("nothing moves by more than %v", way)
			}
		})
	}
}

// sliding is a figure of which two bones without a common one move apart, in place as well as in direction.
func sliding() *asset.Scene {
	s := arm()
	upper, n := s.Roots[0], s.Roots[1]
	lowerArm := upper.Children[0]
	upper.Children = nil
	lowerArm.Transform.Translation[1] = 1
	upper.Transform.Rotation = [4]float32{0, float32(math.Sin(0.3)), 0, float32(math.Cos(0.3))}
	for i, x := range mgl64.Translate3D(0, 0.1, 0).Mul4(mgl64.HomogRotate3DY(0.6)).Inv() {
		s.Skins[0].InverseBind[0][i] = float32(x)
	}
	hand := asset.NewNode("hand")
	hand.Transform.Translation = [3]float32{0, 1, 0}
	hand.Mesh = &asset.Mesh{Name: "hand", Primitives: []*asset.Primitive{box(s.Materials[0], [3]float32{-0.3, 0, -0.3}, [3]float32{0.3, 0.4, 0.3})}}
	s.Meshes = append(s.Meshes, hand.Mesh)
	lowerArm.Children = []*asset.Node{hand}
	s.Roots = []*asset.Node{upper, lowerArm, n}
	s.Animations[0].Channels = append(s.Animations[0].Channels,
		&asset.Channel{Node: lowerArm, Path: asset.Translation, Times: []float32{0, 0.5, 1}, Values: []float32{0, 1, 0, 0.5, 1.5, 0, 0, 2, 1}},
		&asset.Channel{Node: upper, Path: asset.Rotation, Times: []float32{0, 0.25, 1}, Values: []float32{0, 0, 0, 1, 0, 0.6, 0, 0.8, 0.6, 0, 0, 0.8}},
	)
	return s
}

// onStand puts what moves in a scene below a node that turns, moves and shrinks it.
func onStand(s *asset.Scene) *asset.Scene {
	stand := asset.NewNode("stand")
	stand.Transform.Translation, stand.Transform.Rotation = [3]float32{1, 2, 3}, [4]float32{0, 0.6, 0, 0.8}
	stand.Transform.Scale = [3]float32{0.5, 0.5, 0.5}
	stand.Children = []*asset.Node{s.Roots[0]}
	s.Roots[0] = stand
	return s
}

// TestShipAtTimes makes a compound of a ship that stands askew, and looks at where its corners are while its turret turns.
func TestShipAtTimes(t *testing.T) {
	for name, s := range map[string]*asset.Scene{"upright": ship(), "on a stand": onStand(ship())} {
		for _, c := range s.Animations[0].Channels {
			c.Node.Transform.Scale = [3]float32{1, 1, 1}
		}
		fm := byName(t, "cmp")
		got := fromGLB(t, glb(t, lift(t, fm, "ship.cmp", lower(t, fm, "ship.cmp", fromGLB(t, glb(t, s, nil)), nil), nil), nil))
		for i := range 21 {
			at := float64(i) / 10
			a, b := worlds(s, s.Animations[0], at), worlds(got, got.Animations[0], at)
			find := func(world map[*asset.Node]mgl64.Mat4, want string) (list []mgl64.Vec3) {
				for n, m := range world {
					if n != nil && n.Name == want {
						list = soup(n, m)
					}
				}
				return list
			}
			for _, part := range [...]string{"hull", "turret", "wing"} {
				x, y := find(a, part), find(b, part)
				if len(x) != len(y) || len(x) == 0 {
					t.Fatalf("%s, %s: %d corners became %d", name, part, len(x), len(y))
				}
				for k := range x {
					if x[k].Sub(y[k]).Len() > 1e-3 {
						t.Fatalf("%s, %s at %v s: corner %d is at %v, want %v", name, part, at, k, y[k], x[k])
					}
				}
			}
		}
	}
}

// twoSkins is a figure with a second mesh on the same bones, which was modelled elsewhere, twice as large.
func twoSkins() *asset.Scene {
	s := arm()
	first := s.Skins[0]
	second := &asset.Skin{Name: "second", Joints: first.Joints}
	for i := range first.InverseBind {
		var m mgl64.Mat4
		for k, x := range first.InverseBind[i] {
			m[k] = float64(x)
		}
		m = m.Mul4(mgl64.Translate3D(1, 0, 0)).Mul4(mgl64.Scale3D(0.5, 0.5, 0.5))
		var b [16]float32
		for k, x := range m {
			b[k] = float32(x)
		}
		second.InverseBind = append(second.InverseBind, b)
	}
	p := box(s.Materials[0], [3]float32{-2, 2, -0.4}, [3]float32{-1, 4, 0.4})
	p.Joints, p.Weights = [][][4]uint16{make([][4]uint16, len(p.Positions))}, [][][4]float32{make([][4]float32, len(p.Positions))}
	for i := range p.Positions {
		p.Joints[0][i], p.Weights[0][i] = [4]uint16{1}, [4]float32{1}
	}
	n := meshNode("sleeve", p)
	n.Skin = second
	s.Roots, s.Meshes, s.Skins = append(s.Roots, n), append(s.Meshes, n.Mesh), append(s.Skins, second)
	return s
}
