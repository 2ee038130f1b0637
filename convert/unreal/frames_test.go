package unreal

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// waving is a pyramid of five frames, whose tops all stand elsewhere, with a sequence of all frames and one of the last three.
func waving() *asset.Scene {
	s := pyramid()
	n := s.Roots[0]
	p := n.Mesh.Primitives[0]
	p.Targets = nil
	for i := range 4 {
		p.Targets = append(p.Targets, asset.Target{Positions: [][3]float32{{}, {}, {}, {float32(i%2) - 0.5, float32(i + 1), 0}}})
	}
	wave := &asset.Channel{Node: n, Path: asset.MorphWeights, Times: []float32{0, 0.5, 1}, Values: make([]float32, 3*4)}
	for k := range 3 {
		wave.Values[k*4+k+1] = 1
	}
	s.Animations = []*asset.Animation{{Name: "Wave", Channels: []*asset.Channel{wave}}}
	return s
}

// withoutFrame takes a morph target out of all that a scene has, as editors do: its weights go too.
func withoutFrame(s *asset.Scene, frame int) {
	for _, m := range s.Meshes {
		for _, p := range m.Primitives {
			p.Targets = slices.Delete(slices.Clone(p.Targets), frame, frame+1)
		}
		m.Weights = make([]float32, len(m.Primitives[0].Targets))
	}
	for _, x := range s.Animations {
		for _, c := range x.Channels {
			w := c.Width()
			for k := len(c.Times) - 1; k >= 0; k-- {
				c.Values = slices.Delete(c.Values, k*w+frame, k*w+frame+1)
			}
		}
	}
}

// withFrame adds a morph target to the mesh of a scene: halfway back from its last one. The weights that animations have of it are last.
func withFrame(s *asset.Scene, weight float32) {
	for _, m := range s.Meshes {
		for _, p := range m.Primitives {
			last := slices.Clone(p.Targets[len(p.Targets)-1].Positions)
			for i := range last {
				for k := range last[i] {
					last[i][k] /= -2
				}
			}
			p.Targets = append(slices.Clone(p.Targets), asset.Target{Positions: last})
		}
		m.Weights = make([]float32, len(m.Primitives[0].Targets))
	}
	for _, x := range s.Animations {
		for _, c := range x.Channels {
			w := c.Width()
			for k := len(c.Times) - 1; k >= 0; k-- {
				c.Values = slices.Insert(c.Values, (k+1)*w, weight)
			}
		}
	}
}

// neighbour puts another shape with its own morph targets beside that of a scene, and returns it.
func neighbour(s *asset.Scene, targets int) *asset.Node {
	n := space.Shown(s)[0].Node
	twin := asset.NewNode("neighbour")
	twin.Transform = n.Transform
	p := *n.Mesh.Primitives[0]
	p.Positions, p.Targets, p.Normals = slices.Clone(p.Positions), slices.Clone(p.Targets[:targets]), nil
	for i := range p.Positions {
		p.Positions[i][0] += 300
	}
	twin.Mesh = &asset.Mesh{Name: "neighbour", Primitives: []*asset.Primitive{&p}, Weights: make([]float32, targets)}
	s.Meshes = append(s.Meshes, twin.Mesh)
	s.Roots[0].Children = append(s.Roots[0].Children, twin)
	return twin
}

// moving adds a channel for a node to an animation, in front of the others where first is set.
func movingNode(x *asset.Animation, n *asset.Node, first bool, values ...float32) {
	c := &asset.Channel{Node: n, Path: asset.MorphWeights, Values: values}
	for k := range len(values) / len(n.Mesh.Weights) {
		c.Times = append(c.Times, float32(k)/2)
	}
	if first {
		x.Channels = slices.Insert(x.Channels, 0, c)
	} else {
		x.Channels = append(x.Channels, c)
	}
}

// TestEditFrames: whatever is done to the frames of a mesh and to the shapes that show them, each animation of the result shows at
// each time what the scene shows, or a message says that it does not. Where nothing is lost nothing is said.
func TestEditFrames(t *testing.T) {
	a := made(t, 69)
	add(t, a, "Waving", waving(), format.Model)
	source := written(t, a)
	edits := map[string]func(s *asset.Scene, x *asset.Animation){
		"untouched":                 func(s *asset.Scene, x *asset.Animation) {},
		"no frame that it shows":    func(s *asset.Scene, x *asset.Animation) { withoutFrame(s, 0) },
		"a frame that it shows":     func(s *asset.Scene, x *asset.Animation) { withoutFrame(s, 2) },
		"its last frame":            func(s *asset.Scene, x *asset.Animation) { withoutFrame(s, 3) },
		"one frame is left":         func(s *asset.Scene, x *asset.Animation) { withoutFrame(s, 3); withoutFrame(s, 2); withoutFrame(s, 1) },
		"a frame more":              func(s *asset.Scene, x *asset.Animation) { withFrame(s, 0) },
		"a frame more, shown":       func(s *asset.Scene, x *asset.Animation) { withFrame(s, 0.1) },
		"a shape without frames":    func(s *asset.Scene, x *asset.Animation) { neighbour(s, 0) },
		"a shape with fewer frames": func(s *asset.Scene, x *asset.Animation) { neighbour(s, 1) },
		"a shape with as many":      func(s *asset.Scene, x *asset.Animation) { neighbour(s, 4) },
		"one that moves with it": func(s *asset.Scene, x *asset.Animation) {
			movingNode(x, neighbour(s, 4), false, x.Channels[0].Values...)
		},
		"one that moves otherwise": func(s *asset.Scene, x *asset.Animation) {
			movingNode(x, neighbour(s, 4), false, 1, 0, 0, 0, 0, 0, 0, 1)
		},
		"one that moves in front":    func(s *asset.Scene, x *asset.Animation) { movingNode(x, neighbour(s, 4), true, 1, 0, 0, 0, 0, 0, 0, 1) },
		"one that moves less":        func(s *asset.Scene, x *asset.Animation) { movingNode(x, neighbour(s, 1), false, 0, 1, 0) },
		"one that moves less, first": func(s *asset.Scene, x *asset.Animation) { movingNode(x, neighbour(s, 1), true, 0, 1, 0) },
		"only the other one moves": func(s *asset.Scene, x *asset.Animation) {
			x.Channels = nil
			movingNode(x, neighbour(s, 1), true, 0, 1, 0)
		},
		"it does not move any more": func(s *asset.Scene, x *asset.Animation) {
			for i := range x.Channels[0].Values {
				x.Channels[0].Values[i] = 0
			}
		},
		"of another name": func(s *asset.Scene, x *asset.Animation) {
			*x = asset.Animation{Name: "High wave", Channels: x.Channels}
			x.Channels[0].Values[1] = 0.5
		},
		"it loses its channel": func(s *asset.Scene, x *asset.Animation) { x.Channels = nil },
	}
	for name, edit := range edits {
		for way, put := range map[string]func(t *testing.T, a *archive, s *asset.Scene) *archive{
			"onto its mesh": func(t *testing.T, a *archive, s *asset.Scene) *archive { return replaced(t, a, "Waving", s) },
			"as a copy":     newWaving,
			"as a new mesh": func(t *testing.T, a *archive, s *asset.Scene) *archive {
				s.Native = nil
				return newWaving(t, a, s)
			},
		} {
			t.Run(name+" "+way, func(t *testing.T) {
				a := openBytes(t, "Made.u", source)
				s := through(t, lifted(t, a, "Waving")).(*asset.Scene)
				edit(s, animationNamed(s, "Wave"))
				want := through(t, s).(*asset.Scene)
				d := new(schema.Diagnostics)
				a.Env.Diagnostics = d
				tellsMotions(t, want, lifted(t, put(t, a, s), "Waving").(*asset.Scene), d)
			})
		}
	}
}

// newWaving puts a scene into a new package.
func newWaving(t *testing.T, a *archive, s *asset.Scene) *archive {
	x, err := Create(&format.Env{Name: "Made.u"})
	if err != nil {
		t.Fatal(err)
	}
	x.(*archive).Env.Diagnostics = a.Env.Diagnostics
	add(t, x.(*archive), "Waving", s, format.Model)
	return openBytes(t, "Made.u", written(t, x))
}

// tellsMotions holds the animations of a result against those that it was made of.
func tellsMotions(t *testing.T, want, got *asset.Scene, d *schema.Diagnostics) {
	t.Helper()
	told, worst := d.Has("animation-changed") || d.Has("animation"), 0.0
	for _, x := range want.Animations {
		far := apart(want, x, got, animationNamed(got, strings.ReplaceAll(x.Name, " ", "")))
		if far > 0.05 && !told {
			t.Errorf("%s shows what is %.2f m beside what it showed, and nobody says so: %v", x.Name, far, d.All())
		}
		worst = max(worst, far)
	}
	if worst <= 0.05 && told {
		t.Errorf("each shows what it is to show, and something is said to be lost: %v", d.All())
	}
}

func animationNamed(s *asset.Scene, name string) *asset.Animation {
	for _, x := range s.Animations {
		if x.Name == name {
			return x
		}
	}
	return nil
}

// apart returns how far at most a point of one animation is from the nearest one of another, at the times of its keys and between
// them.
func apart(a *asset.Scene, x *asset.Animation, b *asset.Scene, y *asset.Animation) (far float64) {
	end := 0.0
	for _, t := range scene.Times(x.Channels...) {
		end = max(end, t)
	}
	for k := range 21 {
		t := end * float64(k) / 20
		p, q := pointsAt(a, x, t), pointsAt(b, y, t)
		far = max(far, beside(p, q), beside(q, p))
	}
	return far
}

func beside(p, q [][3]float32) (far float64) {
	for _, v := range p {
		least := math.Inf(1)
		for _, w := range q {
			sum := 0.0
			for k := range v {
				sum += math.Pow(float64(v[k]-w[k]), 2)
			}
			least = min(least, math.Sqrt(sum))
		}
		far = max(far, least)
	}
	return far
}

// pointsAt returns where an animation has the points of a scene at a time.
func pointsAt(s *asset.Scene, x *asset.Animation, t float64) (all [][3]float32) {
	motion := scene.MotionOf(x)
	for _, n := range space.Shown(s) {
		w := motion.Weights(n.Node, t)
		for _, p := range n.Node.Mesh.Primitives {
			for i, v := range p.Positions {
				for f := range p.Targets {
					for k := range v {
						v[k] += float32(w[f]) * p.Targets[f].Positions[i][k]
					}
				}
				all = append(all, globalPoint(n, v))
			}
		}
	}
	return all
}
