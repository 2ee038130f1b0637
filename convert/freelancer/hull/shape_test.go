package hull

import (
	"math"
	"slices"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
)

// TestFlatBodies makes bodies of flat meshes: one with two sides and a convex outline is one body, all others become triangles
// with two sides.
func TestFlatBodies(t *testing.T) {
	hexagon := [][3]float32{{2, 0, 0}, {1, 2, 0}, {-1, 2, 0}, {-2, 0, 0}, {-1, -2, 0}, {1, -2, 0}}
	dented := [][3]float32{{2, 0, 0}, {1, 2, 0}, {-1, 2, 0}, {-0.5, 0, 0}, {-1, -2, 0}, {1, -2, 0}}
	above, below := [][3]int{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}}, [][3]int{{1, 0, 5}, {1, 5, 4}, {1, 4, 3}, {1, 3, 2}}
	both := append(append([][3]int{}, above...), below...)
	for _, c := range []struct {
		name   string
		points [][3]float32
		faces  [][3]int
		bodies int // of so many faces in all
		of     int
		told   bool
	}{
		{"two sides", hexagon, both, 1, 8, false},
		{"one side", hexagon, above, 4, 8, true},
		{"an outline with a dent", dented, append([][3]int{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}}, [][3]int{{2, 1, 3}, {1, 0, 3}, {3, 0, 5}, {3, 5, 4}}...), 8, 16, true},
		{"a triangle with two sides", hexagon, [][3]int{{0, 1, 2}, {0, 2, 1}}, 1, 2, false},
		{"two sides and one face away", hexagon, both[:7], 7, 14, true},
		{"two sides, the first face of which is a line", [][3]float32{{-1, 0, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
			[][3]int{{0, 1, 2}, {0, 2, 3}, {1, 0, 3}, {2, 1, 3}}, 4, 8, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var mesh [][3][3]float32
			for _, f := range c.faces {
				mesh = append(mesh, [3][3]float32{c.points[f[0]], c.points[f[1]], c.points[f[2]]})
			}
			d := new(schema.Diagnostics)
			list, faces := bodies(d, "plate", mesh), 0
			for _, b := range list {
				faces += len(b.Faces)
			}
			if len(list) != c.bodies || faces != c.of || d.Has("hull-flat") != c.told {
				t.Errorf("%d bodies of %d faces, told %v; want %d of %d, %v", len(list), faces, d.Has("hull-flat"), c.bodies, c.of, c.told)
			}
			if _, err := newSurface(list, nil); err != nil {
				t.Error(err)
			}
		})
	}
}

// ball returns points spread evenly over a ball about a center.
func ball(n int, center [3]float32, radius float64) (points [][3]float32) {
	for i := range n {
		y := 1 - 2*(float64(i)+0.5)/float64(n)
		r, a := math.Sqrt(1-y*y), 2.4*float64(i)
		at := [3]float64{r * math.Cos(a), y, r * math.Sin(a)}
		var p [3]float32
		for k := range p {
			p[k] = center[k] + float32(radius*at[k])
		}
		points = append(points, p)
	}
	return points
}

// TestConvexHull makes hulls of points: of few all of them, of many those farthest out all around.
func TestConvexHull(t *testing.T) {
	cube := [][3]float32{{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {2, 2, 0}, {0, 0, 2}, {2, 0, 2}, {0, 2, 2}, {2, 2, 2}}
	for _, c := range []struct {
		name   string
		points [][3]float32
		corner int // so many corners, and twice as many faces less four; 0: no hull
		volume float64
	}{
		{"no points", nil, 0, 0},
		{"a point", cube[:1], 0, 0},
		{"a line", cube[:2], 0, 0},
		{"a triangle", cube[:3], 0, 0},
		{"a square", cube[:4], 0, 0},
		{"a cube with its middle", append([][3]float32{{1, 1, 1}}, cube...), 8, 8},
		{"a ball of few points", ball(100, [3]float32{40, -7, 3}, 5), 100, 490},
		{"a ball of many", ball(4000, [3]float32{40, -7, 3}, 5), 148, 500},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, ok := ConvexHull(c.points)
			if ok != (c.corner > 0) {
				t.Fatalf("a hull: %v", ok)
			}
			if !ok {
				return
			}
			whole := boxOf(b.Points)
			volume, _, _ := b.volume(whole.center())
			if len(b.Points) != c.corner || len(b.Faces) != 2*c.corner-4 || math.Abs(volume-c.volume) > 0.02*c.volume {
				t.Errorf("%d points, %d faces, volume %.1f; want %d, %d, %.1f", len(b.Points), len(b.Faces), volume, c.corner, 2*c.corner-4, c.volume)
			}
			if !b.convex() {
				t.Error("it is not convex")
			}
		})
	}
}

// TestWeld joins points that are as good as in one place, whatever cells they lie in, and drops what is no triangle or is there
// twice.
func TestWeld(t *testing.T) {
	const near, far = 0.9e-4, 1.1e-4 // the mesh is 10 long, and points join within 1e-4
	a, b, c := [3]float32{0, 0, 0}, [3]float32{6, 0, 0}, [3]float32{0, 8, 0}
	for _, x := range []struct {
		name      string
		triangles [][3][3]float32
		points    int
		corners   [][3]int
	}{
		{"nothing", nil, 0, nil},
		{"one", [][3][3]float32{{a, b, c}}, 3, [][3]int{{0, 1, 2}}},
		{"one twice, begun elsewhere", [][3][3]float32{{a, b, c}, {b, c, a}, {c, a, b}}, 3, [][3]int{{0, 1, 2}}},
		{"one from both sides", [][3][3]float32{{a, b, c}, {b, a, c}}, 3, [][3]int{{0, 1, 2}, {1, 0, 2}}},
		{"a line", [][3][3]float32{{a, b, a}, {a, b, c}}, 3, [][3]int{{0, 1, 2}}},
		{"near along each axis", [][3][3]float32{{a, b, c}, {{near, 0, 0}, {6, near, 0}, {0, 8, near}}}, 3, [][3]int{{0, 1, 2}}},
		{"far along one axis", [][3][3]float32{{a, b, c}, {a, b, {0, 8, far}}}, 4, [][3]int{{0, 1, 2}, {0, 1, 3}}},
		{"far along another", [][3][3]float32{{a, b, c}, {a, {6, far, 0}, c}}, 4, [][3]int{{0, 1, 2}, {0, 3, 2}}},
	} {
		t.Run(x.name, func(t *testing.T) {
			points, corners := weld(x.triangles)
			if len(points) != x.points || !slices.Equal(corners, x.corners) {
				t.Errorf("%d points, %v; want %d, %v", len(points), corners, x.points, x.corners)
			}
		})
	}
}

// TestNameOf: what a node's name says the hull belongs to.
func TestNameOf(t *testing.T) {
	for _, c := range []struct{ node, want string }{
		{"Wing$hull", "Wing"},
		{"Wing.0$hull", "Wing"},
		{"Wing.12$hull", "Wing"},
		{"Wing.12$hull.001", "Wing"}, // a copy of Blender's
		{"Wing.x$hull", "Wing.x"},
		{"Wing.$hull", "Wing."},
		{".0$hull", ""},
	} {
		if got := nameOf(asset.NewNode(c.node)); got != c.want {
			t.Errorf("%q: %q, want %q", c.node, got, c.want)
		}
	}
}

// TestReport tells of parts without a hull: five by name, and how many more.
func TestReport(t *testing.T) {
	part := func(name string) *Part { return &Part{Name: name} }
	root := &freelancer.SurPart{ID: part("Root").ID, Surface: &freelancer.Surface{}}
	for _, c := range []struct {
		name string
		more int
		want []string
	}{
		{"none", 0, nil},
		{"one", 1, []string{"parts without a hull: a"}},
		{"five", 5, []string{"parts without a hull: a, b, c, d, e"}},
		{"seven", 7, []string{"parts without a hull: a, b, c, d, e and 2 more"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var d schema.Diagnostics
			e := &Editor{Diagnostics: &d, Parts: []*Part{part("Root"), part("")}}
			for i := range c.more {
				e.Parts = append(e.Parts, part(string(rune('a'+i))))
			}
			e.report(&freelancer.Sur{Parts: []*freelancer.SurPart{root}})
			var got []string
			for _, x := range d.All() {
				got = append(got, x.Msg)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
