package scene

import (
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// TestEither: a face is the same from both sides, and from whichever corner it begins at.
func TestEither(t *testing.T) {
	for _, f := range []Face{{1, 2, 3}, {1, 3, 2}, {2, 1, 3}, {2, 3, 1}, {3, 1, 2}, {3, 2, 1}} {
		if got := f.either(); got != (Face{1, 2, 3}) {
			t.Errorf("%v: %v", f, got)
		}
	}
	for _, tt := range []struct {
		f           Face
		flat, known bool
	}{{Face{0, 1, 2}, false, true}, {Face{0, 0, 2}, true, true}, {Face{0, 2, 2}, true, true}, {Face{2, 1, 2}, true, true}, {Face{-1, 1, 2}, false, false}, {Face{0, -1, 2}, false, false}, {Face{0, 1, -1}, false, false}} {
		if tt.f.flat() != tt.flat || tt.f.known() != tt.known {
			t.Errorf("%v: flat %v, known %v", tt.f, tt.f.flat(), tt.f.known())
		}
	}
}

// TestComplete: axes without a length become ones at right angles to the others, of length one.
func TestComplete(t *testing.T) {
	x, y, slanted := mgl64.Vec3{1, 0, 0}, mgl64.Vec3{0, 1, 0}, mgl64.Vec3{0.6, 0.8, 0}
	for _, axes := range [][3]mgl64.Vec3{{x, y, {}}, {x, {}, y}, {{}, x, y}, {x, slanted, {}}, {slanted, {}, x}, {x, x, {}}, {x, {}, {}}, {{}, {}, y}, {{}, slanted, {}}} {
		was := axes
		complete(&axes)
		for k, a := range axes {
			if was[k] != (mgl64.Vec3{}) {
				if a != was[k] {
					t.Errorf("%v: axis %d became %v", was, k, a)
				}
				continue
			}
			if math.Abs(a.Len()-1) > 1e-12 {
				t.Errorf("%v: axis %d is %v", was, k, a)
			}
			for i, b := range was {
				if i != k && math.Abs(a.Dot(b)) > 1e-12 {
					t.Errorf("%v: axis %d, %v, leans to axis %d", was, k, a, i)
				}
			}
		}
	}
}

// TestTellOf names what is left out once, with the first node that has it, and says nothing of what no node has.
func TestTellOf(t *testing.T) {
	s := &asset.Scene{Roots: []*asset.Node{asset.NewNode("a"), asset.NewNode("b"), asset.NewNode("c")}}
	for _, tt := range []struct {
		names []string
		want  string
	}{{nil, ""}, {[]string{"b"}, `1 lamp is left out, the first is "b"`}, {[]string{"b", "c"}, `2 lamps are left out, the first is "b"`}} {
		d := new(schema.Diagnostics)
		tellOf(s, d, "lamp", [2]string{"lamp is", "lamps are"}, func(n *asset.Node) bool { return slices.Contains(tt.names, n.Name) })
		got := ""
		for _, x := range d.All() {
			got += x.Msg
		}
		if got != tt.want {
			t.Errorf("%v: %q, want %q", tt.names, got, tt.want)
		}
	}
}

// TestMoves has every set of channels: which of them place a node, and what each does to its pose.
func TestMoves(t *testing.T) {
	values := map[asset.Path][]float32{asset.Translation: {1, 2, 3}, asset.Rotation: {0, 1, 0, 0}, asset.Scale: {4, 5, 6}, asset.MorphWeights: {1}}
	paths := []asset.Path{asset.Translation, asset.Rotation, asset.Scale, asset.MorphWeights}
	for set := range 1 << len(paths) {
		n, a := asset.NewNode("n"), new(asset.Animation)
		n.Mesh = &asset.Mesh{Weights: []float32{0}}
		n.Transform = asset.Transform{Translation: [3]float32{7, 8, 9}, Rotation: [4]float32{0, 0, 0, 1}, Scale: [3]float32{2, 2, 2}}
		want, _ := PoseOf(&n.Transform)
		for i, p := range paths {
			if set>>i&1 == 0 {
				continue
			}
			a.Channels = append(a.Channels, &asset.Channel{Node: n, Path: p, Times: []float32{0}, Values: values[p]})
			switch p {
			case asset.Translation:
				want.Place = mgl64.Vec3{1, 2, 3}
			case asset.Rotation:
				want.Turn = mgl64.Quat{V: mgl64.Vec3{0, 1, 0}}
			case asset.Scale:
				want.Scale = mgl64.Vec3{4, 5, 6}
			}
		}
		m := MotionOf(a)
		if got := m.Moves(n); got != (set&7 != 0) {
			t.Errorf("%v: moves %v", a.Channels, got)
		}
		if d := furthest(m.Pose(n, 0).Matrix(), want.Matrix()); d > 1e-12 {
			t.Errorf("set %d: the pose is %g off", set, d)
		}
		if d := furthest(m.World(n, nil, 0), want.Matrix()); d > 1e-12 {
			t.Errorf("set %d: the node is %g off", set, d)
		}
	}
}

// TestSettleKeepsMeshes: every mesh that a node has is one of the scene's afterwards, and no other is.
func TestSettleKeepsMeshes(t *testing.T) {
	s, nodes := tower()
	other := &asset.Mesh{Primitives: []*asset.Primitive{{Positions: [][3]float32{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}}}
	unused := &asset.Mesh{}
	stays := asset.NewNode("stays")
	stays.Mesh = other
	s.Roots, s.Meshes = append(slices.Clip(s.Roots), stays), append(s.Meshes, other, unused)
	nodes[1].Transform.Scale = [3]float32{2, 2, 2}
	Settle(s, func(*asset.Node) Room { return RigidRoom })
	used := map[*asset.Mesh]bool{unused: true} // what nobody had before stays as well
	s.Walk(func(n, _ *asset.Node) {
		if n.Mesh != nil {
			used[n.Mesh] = true
		}
	})
	for m := range used {
		if !slices.Contains(s.Meshes, m) {
			t.Errorf("a mesh of %d primitives is missing", len(m.Primitives))
		}
	}
	if len(s.Meshes) != len(used) || stays.Mesh != other {
		t.Errorf("%d meshes, %d are used", len(s.Meshes), len(used))
	}
}

// TestSamePlaceFlat: what has no size along an axis is where it is.
func TestSamePlaceFlat(t *testing.T) {
	for k := range 3 {
		flat := mgl64.Ident4()
		flat.SetCol(k, mgl64.Vec4{})
		if !SamePlace(flat, flat, 1) || SamePlace(flat, mgl64.Ident4(), 1) || SamePlace(mgl64.Ident4(), flat, 1) {
			t.Errorf("without axis %d", k)
		}
	}
}
