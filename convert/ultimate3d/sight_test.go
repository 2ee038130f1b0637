package ultimate3d

import (
	"math"
	"testing"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
)

// strip takes away everything that a scene kept of its source, so that it is one from elsewhere.
func strip(s *asset.Scene) {
	s.Native = nil
	s.Walk(func(n, _ *asset.Node) { n.Native = nil })
	for _, m := range s.Meshes {
		m.Native = nil
		for _, p := range m.Primitives {
			p.Custom = nil
		}
	}
	for _, m := range s.Materials {
		m.Native = nil
	}
	for _, a := range s.Animations {
		a.Native = nil
	}
	for _, x := range s.Skins {
		x.Native = nil
	}
}

// seen is a corner of a triangle as the scene shows it at a moment.
type seen struct {
	position, normal [3]float32
	uv               [2]float32
}

// triangles returns what a scene shows at a time, in the order in which it comes.
func triangles(s *asset.Scene, at float64) (list [][3]seen) {
	var a *asset.Animation
	if len(s.Animations) > 0 {
		a = s.Animations[0]
	}
	b := &newModel{lowerer: &lowerer{s: s}, above: map[*asset.Node]*asset.Node{}}
	s.Walk(func(n, parent *asset.Node) { b.above[n] = parent })
	p := moment{scene.MotionOf(a), at}
	var walk func(n *asset.Node)
	walk = func(n *asset.Node) {
		if n.Mesh != nil {
			x := join(n.Mesh)
			x.morph(p.Weights(n, at))
			if n.Skin != nil && len(x.Joints) > 0 {
				b.bend(x, n.Skin, p)
			} else {
				x.Targets = nil
				x.move(b.world(n, p.Motion, at))
			}
			for i := range x.materials {
				var t [3]seen
				for k, v := range x.Indices[3*i : 3*i+3] {
					t[k] = seen{position: x.Positions[v], normal: x.Normals[v]}
					if len(x.TexCoords) > 0 {
						t[k].uv = x.TexCoords[len(x.TexCoords)-1][v]
					}
				}
				list = append(list, t)
			}
		}
		for _, c := range n.Children {
			walk(c)
		}
	}
	for _, n := range s.Roots {
		walk(n)
	}
	return list
}

// latticeError is the distance of a unit vector from its nearest normal (reference section 1.5: 2.13°).
const latticeError = 0.0373

// sameSight checks that two scenes show the same triangles at the same places.
func sameSight(t *testing.T, what string, got, want [][3]seen, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d triangles, want %d", what, len(got), len(want))
	}
	used := make([]bool, len(got))
	for _, w := range want {
		best := -1
		for i, g := range got {
			if !used[i] && sameTriangle(g, w, tolerance) {
				best = i
				break
			}
		}
		if best < 0 {
			t.Fatalf("%s: triangle %v is missing; first is %v", what, w, got[0])
		}
		used[best] = true
	}
}

func extent(t [3]seen) (e float64) {
	for _, c := range t {
		for _, x := range c.position {
			e = max(e, math.Abs(float64(x)))
		}
	}
	return e
}

func sameTriangle(a, b [3]seen, tolerance float64) bool {
next:
	for turn := range 3 {
		reach := tolerance * max(1, extent(b)/100)
		for k := range 3 {
			x, y := a[(k+turn)%3], b[k]
			for c := range 3 {
				if !(math.Abs(float64(x.position[c]-y.position[c])) <= reach) {
					continue next
				}
			}
			d := minus(x.normal, y.normal)
			if dot(d, d) > latticeError*latticeError || !sameUV(x.uv, y.uv) {
				continue next
			}
		}
		return true
	}
	return false
}
