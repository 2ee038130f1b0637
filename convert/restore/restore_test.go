package restore

import (
	"math"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/google/go-cmp/cmp"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

// triangle returns the corners of a triangle at x.
func triangle(x float32) [][3]float32 {
	return [][3]float32{{x, 0, 0}, {x + 1, 0, 0}, {x, 1, 0}}
}

func shownBy(name string, primitives ...*asset.Primitive) *asset.Node {
	n := asset.NewNode(name)
	n.Mesh = &asset.Mesh{Name: name, Primitives: primitives}
	return n
}

func names(list []*asset.Node) (names []string) {
	for _, n := range list {
		names = append(names, n.Name)
	}
	return names
}

func square() *asset.Primitive {
	return &asset.Primitive{Positions: [][3]float32{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, Indices: []uint32{0, 1, 2, 0, 2, 3}}
}

func furthest(a, b mgl64.Mat4) (d float64) {
	for i := range a {
		d = max(d, math.Abs(a[i]-b[i]))
	}
	return d
}

// sheet returns a sheet of n × n squares.
func sheet(n int) *asset.Primitive {
	p := &asset.Primitive{TexCoords: make([][][2]float32, 1)}
	for y := range n + 1 {
		for x := range n + 1 {
			p.Positions = append(p.Positions, [3]float32{float32(x), float32(y), float32(x * y)})
			p.Normals = append(p.Normals, [3]float32{0, 0, 1})
			p.TexCoords[0] = append(p.TexCoords[0], [2]float32{float32(x), float32(y)})
		}
	}
	for y := range uint32(n) {
		for x := range uint32(n) {
			a := y*uint32(n+1) + x
			b := a + uint32(n) + 1
			p.Indices = append(p.Indices, a, a+1, b, b, a+1, b+1)
		}
	}
	return p
}

func animation(n *asset.Node) []*asset.Animation {
	return []*asset.Animation{{Channels: []*asset.Channel{{Node: n}}}}
}

// said returns what was reported, a line each.
func said(d *schema.Diagnostics) (lines []string) {
	for _, x := range d.All() {
		lines = append(lines, x.Code+": "+x.Msg)
	}
	return lines
}

// turns returns rotations about z, in degrees.
func turns(times []float32, degrees ...float64) *asset.Channel {
	c := channel(asset.Rotation, asset.LinearKeys, times)
	for _, d := range degrees {
		q := scene.NarrowTurn(mgl64.QuatRotate(d*math.Pi/180, mgl64.Vec3{0, 0, 1}))
		c.Values = append(c.Values, q[:]...)
	}
	return c
}

func channel(path asset.Path, kind asset.Interpolation, times []float32, values ...float32) *asset.Channel {
	return &asset.Channel{Node: asset.NewNode("n"), Path: path, Interpolation: kind, Times: times, Values: values}
}

// tree writes nodes with their children in round and their levels in square brackets.
func tree(nodes []*asset.Node) string {
	var all []string
	for _, n := range nodes {
		s := n.Name
		if len(n.Children) > 0 {
			s += "(" + tree(n.Children) + ")"
		}
		if len(n.LODs) > 0 {
			s += "[" + tree(n.LODs) + "]"
		}
		all = append(all, s)
	}
	return strings.Join(all, " ")
}
