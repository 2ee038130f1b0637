package mesh

import (
	"math"
	"slices"
	"testing"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
)

// TestUnstrip: the triangles of a strip turn by turns, and ones without a surface take no turn away.
func TestUnstrip(t *testing.T) {
	for _, c := range []struct {
		strip []uint16
		want  []uint32
	}{
		{nil, nil}, {[]uint16{1, 2}, nil}, {[]uint16{1, 2, 3}, []uint32{1, 2, 3}}, {[]uint16{1, 2, 3, 4}, []uint32{1, 2, 3, 3, 2, 4}}, {[]uint16{1, 2, 3, 4, 5}, []uint32{1, 2, 3, 3, 2, 4, 3, 4, 5}},
		{[]uint16{1, 1, 2, 3}, []uint32{2, 1, 3}}, {[]uint16{1, 2, 2, 3, 4}, []uint32{2, 3, 4}}, {[]uint16{1, 2, 1, 3}, []uint32{1, 2, 3}},
	} {
		if got := unstrip(c.strip); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.strip, got, c.want)
		}
	}
}

// TestVertexColors: every part of a stored colour comes back from the linear one that it becomes.
func TestVertexColors(t *testing.T) {
	for x := range uint32(256) {
		for _, argb := range []uint32{x << 24, x << 16, x << 8, x, x<<24 | (255-x)<<16 | x<<8 | (255 - x)} {
			if got := vertexARGB(vertexColor(argb)); got != argb {
				t.Errorf("%08x comes back as %08x", argb, got)
			}
		}
	}
	if c := vertexColor(0x80ff0033); c[0] != 1 || c[1] != 0 || math.Abs(float64(c[2])-0.0331) > 1e-4 || math.Abs(float64(c[3])-0.50196) > 1e-4 {
		t.Errorf("%v", c)
	}
	if got := vertexARGB([4]float32{2, -1, 0, 9}); got != 0xffff0000 {
		t.Errorf("out of range: %08x", got)
	}
}

// TestSmooth: a vertex has the normal of all triangles around its place, by their size; one of none looks up.
func TestSmooth(t *testing.T) {
	p := &asset.Primitive{Mode: asset.Triangles, Positions: [][3]float32{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}, {0, 1, 0}, {0, 0, 3}, {7, 7, 7}}, Indices: []uint32{0, 1, 2, 3, 4, 5}}
	s := smooth(p)
	both := [3]float32{float32(3 / math.Sqrt(10)), 0, float32(1 / math.Sqrt(10))}
	for i, want := range [][3]float32{both, {0, 0, 1}, both, both, both, {1, 0, 0}, {0, 1, 0}} {
		for k := range want {
			if !(math.Abs(float64(s.Normals[i][k]-want[k])) <= 1e-6) {
				t.Errorf("vertex %d: %v, want %v", i, s.Normals[i], want)
				break
			}
		}
	}
	if p.Normals != nil {
		t.Error("the scene's own has normals now")
	}
}

// TestInfluence: the four largest weights stay, scaled to a sum of 1; bones that the skin does not have count for nothing.
func TestInfluence(t *testing.T) {
	bones := make([]*asset.Node, 6)
	numbers, all := map[*asset.Node]uint32{}, map[*asset.Node]float32{}
	for i := range bones {
		bones[i] = asset.NewNode("bone")
		if i < 5 {
			numbers[bones[i]] = uint32(i + 10)
		}
		all[bones[i]] = []float32{1, 3, 2, 2, 0.5, 9}[i]
	}
	var pt skinPoint
	if dropped := pt.influence(all, numbers); dropped != 1 || pt.bones != [4]uint32{11, 12, 13, 10} || pt.weights != [4]float32{0.375, 0.25, 0.25, 0.125} {
		t.Errorf("%d dropped, bones %v, weights %v", dropped, pt.bones, pt.weights)
	}
	g := new(freelancer.SkinGeometry)
	addPoint(g, &pt)
	pt = skinPoint{at: [3]float32{1, 2, 3}}
	if dropped := pt.influence(map[*asset.Node]float32{bones[3]: 0.5}, numbers); dropped != 0 || pt.bones[0] != 13 || pt.weights != [4]float32{1} {
		t.Errorf("%d dropped, bones %v, weights %v", dropped, pt.bones, pt.weights)
	}
	addPoint(g, &pt)
	addPoint(g, &skinPoint{})
	if !slices.Equal(g.BoneFirst, []uint32{0, 4, 5}) || !slices.Equal(g.BoneCount, []uint32{4, 1, 1}) || !slices.Equal(g.BoneIDs, []uint32{11, 12, 13, 10, 13, 0}) || g.BoneWeights[5] != 1 || g.Points[1] != pt.at {
		t.Errorf("%+v", g)
	}
}

// TestWireShows: a stored wireframe is the lines of a scene when all its ends are where they are, but for what a save rounds.
func TestWireShows(t *testing.T) {
	v := &freelancer.VMesh{Positions: [][3]float32{{9, 9, 9}, {0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {float32(math.NaN()), 0, 0}}}
	lines := func(at ...[3]float32) *asset.Primitive {
		p := &asset.Primitive{Mode: asset.Lines, Positions: at}
		for i := range at {
			p.Indices = append(p.Indices, uint32(i))
		}
		return p
	}
	a, b, c := [3]float32{0, 0, 0}, [3]float32{1, 0, 0}, [3]float32{1, 1, 0}
	tiny := float32(scene.EditorTolerance.Position)
	for name, x := range map[string]struct {
		stored []uint16
		lines  *asset.Primitive
		want   bool
	}{
		"as stored": {[]uint16{0, 1, 1, 2}, lines(a, b, b, c), true}, "another order": {[]uint16{0, 1, 1, 2}, lines(b, a, b, c), false}, "a line less": {[]uint16{0, 1, 1, 2}, lines(a, b), false},
		"a line more": {[]uint16{0, 1}, lines(a, b, b, c), false}, "half a line stored": {[]uint16{0, 1, 1}, lines(a, b), true}, "rounded": {[]uint16{0, 1}, lines([3]float32{tiny, 0, -tiny}, b), true},
		"moved": {[]uint16{0, 1}, lines([3]float32{0, 0, 0.1}, b), false}, "moved back": {[]uint16{0, 1}, lines(a, [3]float32{0.9, 0, 0}), false}, "none": {nil, lines(), true},
	} {
		if got := WireShows(&freelancer.VWire{VertexStart: 1, Indices: x.stored}, v, x.lines); got != x.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
