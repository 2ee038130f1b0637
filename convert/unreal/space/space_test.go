package space

import (
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

func vector(v [3]float32) mgl64.Vec3 { return mgl64.Vec3{float64(v[0]), float64(v[1]), float64(v[2])} }

// TestAxes: points, rotations and rotators go the way of the basis, and points come back.
func TestAxes(t *testing.T) {
	v, q := [3]float32{1, 2, 3}, [4]float32{0.1, 0.2, 0.3, 0.9}
	for name, c := range map[string]struct {
		axes Axes
		want [3]float32
	}{"vertex": {Vertex, [3]float32{-2, 3, 1}}, "skeletal": {Skeletal, [3]float32{-2, 3, -1}}} {
		x := c.axes
		if got := x.Point(v); got != c.want || x.Basis.Mul3x1(vector(v)) != vector(c.want) || x.Back(got) != v {
			t.Errorf("%s: %v, by the basis %v, and back %v", name, got, x.Basis.Mul3x1(vector(v)), x.Back(got))
		}
		turn := func(q [4]float32) mgl64.Mat3 {
			return mgl64.Quat{W: float64(q[3]), V: mgl64.Vec3{float64(q[0]), float64(q[1]), float64(q[2])}}.Normalize().Mat4().Mat3()
		}
		if got, want := turn(x.Quat(q)), x.Basis.Mul3(turn(q)).Mul3(x.Basis.Transpose()); !got.ApproxEqualThreshold(want, 1e-6) {
			t.Errorf("%s: a rotation becomes %v, want %v", name, got, want)
		}
	}
}

// TestRotation: where a quarter turn of each kind has the engine's forward, right and up.
func TestRotation(t *testing.T) {
	const quarter = 16384
	for name, c := range map[string]struct {
		rotator [3]int32
		want    [3][3]float32 // of forward, right and up
	}{
		"none":           {[3]int32{}, [3][3]float32{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
		"pitch, nose up": {[3]int32{quarter, 0, 0}, [3][3]float32{{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}}},
		"yaw, to right":  {[3]int32{0, quarter, 0}, [3][3]float32{{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}}},
		"roll":           {[3]int32{0, 0, quarter}, [3][3]float32{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}},
		"yaw and pitch":  {[3]int32{quarter, quarter, 0}, [3][3]float32{{0, 0, 1}, {-1, 0, 0}, {0, -1, 0}}},
	} {
		for axes, x := range map[string]Axes{"vertex": Vertex, "skeletal": Skeletal} {
			m := x.Rotation(c.rotator)
			for i, want := range c.want {
				var axis [3]float32
				axis[i] = 1
				if got := m.Mul3x1(vector(x.Point(axis))); got.Sub(vector(x.Point(want))).Len() > 1e-9 {
					t.Errorf("%s, %s: axis %d is at %v, want %v", name, axes, i, got, vector(x.Point(want)))
				}
			}
		}
	}
}

// TestRotationOrder: an object rolls, then pitches, then yaws.
func TestRotationOrder(t *testing.T) {
	for name, x := range map[string]Axes{"vertex": Vertex, "skeletal": Skeletal} {
		for _, r := range [][3]int32{{3000, 7000, 11000}, {-5000, 20000, 40000}, {9000, -100, 65536 + 5000}} {
			got := x.Rotation(r)
			want := x.Rotation([3]int32{0, r[1], 0}).Mul3(x.Rotation([3]int32{r[0], 0, 0})).Mul3(x.Rotation([3]int32{0, 0, r[2]}))
			if !got.ApproxEqualThreshold(want, 1e-9) {
				t.Errorf("%s, %v: %v, want %v", name, r, got, want)
			}
		}
	}
}

// TestPlacement: a vertex is where the engine has it, turned after it was moved and scaled.
func TestPlacement(t *testing.T) {
	m := &unreal.Mesh{Scale: [3]float32{2, 3, 4}, Origin: [3]float32{10, 20, 30}, RotOrigin: [3]int32{0, 16384, 0}}
	v := [3]float32{11, 21, 31}
	want := [3]float32{-3, 2, 4} // (1, 1, 1) × scale, turned to the right
	for name, x := range map[string]Axes{"vertex": Vertex, "skeletal": Skeletal} {
		got := mgl64.TransformCoordinate(vector(x.Point(v)), Matrix(x.Placement(m)))
		if got.Sub(vector(x.Point(want))).Len() > 1e-4 {
			t.Errorf("%s: %v, want %v", name, got, vector(x.Point(want)))
		}
	}
}

// TestShown: the shapes of a scene, where all nodes above put them; the root scales units to metres.
func TestShown(t *testing.T) {
	root, part, below := RootNode("thing"), asset.NewNode("part"), asset.NewNode("below")
	part.Transform.Translation = [3]float32{UnitsPerMetre, 0, 0}
	below.Transform.Translation = [3]float32{0, 2 * UnitsPerMetre, 0}
	below.Mesh = &asset.Mesh{}
	root.Children, part.Children = []*asset.Node{part}, []*asset.Node{below}
	list := Shown(&asset.Scene{Roots: []*asset.Node{root}})
	if len(list) != 1 || list[0].Node != below {
		t.Fatalf("%d shapes", len(list))
	}
	at := list[0].World.Col(3).Vec3()
	if at.Sub(mgl64.Vec3{1, 2, 0}).Len() > 1e-5 || scene.ShownText(root.Native, "called") != "thing" {
		t.Errorf("it is at %v, and the root is called %q", at, root.Native.Values)
	}
	if near := mgl64.Translate3D(1e-9, 0, 0); Near(near) != mgl64.Ident4() || Near(mgl64.Translate3D(1e-3, 0, 0)) == mgl64.Ident4() {
		t.Error("what is next to the identity")
	}
}

// TestClose: what is equal is close whatever the tolerance.
func TestClose(t *testing.T) {
	for _, c := range []struct {
		a, b, tolerance float32
		want            bool
	}{{1, 1, 0, true}, {-3, -3, 0, true}, {1, 1.5, 0.5, true}, {1.5, 1, 0.5, true}, {1, 1.75, 0.5, false}, {-1, 1, 0.5, false}} {
		if got := Close(c.a, c.b, c.tolerance); got != c.want {
			t.Errorf("%v: %v", c, got)
		}
	}
}
