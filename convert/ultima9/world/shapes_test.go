package world

import (
	"errors"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/google/go-cmp/cmp"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
)

// leaf returns one triangle that faces up, and its corners.
func leaf() *asset.Primitive {
	return &asset.Primitive{
		Positions: [][3]float32{{0, 0, 0}, {1, 0, 0}, {0, 0, -1}}, Normals: [][3]float32{{0, 1, 0}, {0, 1, 0}, {0, 0, 0}},
		TexCoords: [][][2]float32{{{0, 0}, {1, 0}, {0, 1}}}, Indices: []uint32{0, 1, 2},
	}
}

// TestMoveTo: pieces of limbs are turned, moved and scaled into the model; what is mirrored keeps its face to the outside.
func TestMoveTo(t *testing.T) {
	for what, x := range map[string]struct {
		at     mgl64.Mat4
		places [][3]float32
		normal [3]float32
		order  []uint32
	}{
		"nowhere":            {mgl64.Ident4(), [][3]float32{{0, 0, 0}, {1, 0, 0}, {0, 0, -1}}, [3]float32{0, 1, 0}, []uint32{0, 1, 2}},
		"moved":              {mgl64.Translate3D(1, 2, 3), [][3]float32{{1, 2, 3}, {2, 2, 3}, {1, 2, 2}}, [3]float32{0, 1, 0}, []uint32{0, 1, 2}},
		"turned over":        {mgl64.HomogRotate3DX(math.Pi), [][3]float32{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}, [3]float32{0, -1, 0}, []uint32{0, 1, 2}},
		"mirrored":           {mgl64.Scale3D(-1, 1, 1), [][3]float32{{0, 0, 0}, {-1, 0, 0}, {0, 0, -1}}, [3]float32{0, 1, 0}, []uint32{0, 2, 1}},
		"mirrored, and tall": {mgl64.Scale3D(1, -4, 1), [][3]float32{{0, 0, 0}, {1, 0, 0}, {0, 0, -1}}, [3]float32{0, -1, 0}, []uint32{0, 2, 1}},
		"made flat":          {mgl64.Scale3D(1, 0, 1), [][3]float32{{0, 0, 0}, {1, 0, 0}, {0, 0, -1}}, [3]float32{0, 1, 0}, []uint32{0, 1, 2}},
	} {
		p := leaf()
		moveTo(p, x.at)
		for i, v := range p.Positions {
			for k := range v {
				if math.Abs(float64(v[k]-x.places[i][k])) > 1e-6 {
					t.Errorf("%s: %v, want %v", what, p.Positions, x.places)
				}
			}
		}
		for k, v := range p.Normals[0] {
			if math.Abs(float64(v-x.normal[k])) > 1e-6 {
				t.Errorf("%s: normal %v, want %v", what, p.Normals[0], x.normal)
			}
		}
		if p.Normals[2] != [3]float32{} || !cmp.Equal(p.Indices, x.order) {
			t.Errorf("%s: a normal without length is %v, the corners are %v", what, p.Normals[2], p.Indices)
		}
	}
}

// TestJoin: what is joined keeps its corners behind those that are there.
func TestJoin(t *testing.T) {
	to, p := leaf(), leaf()
	p.Positions[1] = [3]float32{5, 0, 0}
	join(to, p)
	join(to, leaf())
	want := &asset.Primitive{
		Positions: [][3]float32{{0, 0, 0}, {1, 0, 0}, {0, 0, -1}, {0, 0, 0}, {5, 0, 0}, {0, 0, -1}, {0, 0, 0}, {1, 0, 0}, {0, 0, -1}},
		Normals:   [][3]float32{{0, 1, 0}, {0, 1, 0}, {}, {0, 1, 0}, {0, 1, 0}, {}, {0, 1, 0}, {0, 1, 0}, {}},
		TexCoords: [][][2]float32{{{0, 0}, {1, 0}, {0, 1}, {0, 0}, {1, 0}, {0, 1}, {0, 0}, {1, 0}, {0, 1}}}, Indices: []uint32{0, 1, 2, 3, 4, 5, 6, 7, 8},
	}
	if d := cmp.Diff(want, to); d != "" {
		t.Error(d)
	}
}

// TestPruned: what is gone is gone at any depth and from levels of detail; the tree that was there stays as it is.
func TestPruned(t *testing.T) {
	node := func(name string, children ...*asset.Node) *asset.Node {
		n := asset.NewNode(name)
		n.Children = children
		return n
	}
	deep, low, other, child := node("deep"), node("low"), node("other"), node("child")
	child.Children, child.LODs = []*asset.Node{deep, node("stays")}, []*asset.Node{low, node("lower")}
	list := []*asset.Node{node("root", child), other, node("plain")}
	got := pruned(list, map[*asset.Node]bool{deep: true, low: true, other: true})
	var show func(list []*asset.Node) string
	show = func(list []*asset.Node) (text string) {
		for _, n := range list {
			text += n.Name + "(" + show(n.Children) + "|" + show(n.LODs) + ")"
		}
		return text
	}
	if is, want := show(got), "root(child(stays(|)|lower(|))|)plain(|)"; is != want {
		t.Errorf("%s, want %s", is, want)
	}
	if is, want := show(list), "root(child(deep(|)stays(|)|low(|)lower(|))|)other(|)plain(|)"; is != want {
		t.Errorf("what was there is now %s", is)
	}
	if got[1] != list[2] {
		t.Error("what has lost nothing was copied")
	}
}

// TestCheckPoints: a scene of a map has so many points as fit into the memory that a file may take.
func TestCheckPoints(t *testing.T) {
	const most = 104 // bytes of a point: four corners of 20 bytes and six indices of four
	n := uint32(schema.DefaultLimits.Decoded / most)
	for what, x := range map[string]struct {
		w, h uint32
		ok   bool
	}{"nothing": {0, 5, true}, "all": {n, 1, true}, "one more": {n + 1, 1, false}, "halves": {2, n/2 + 1, false}, "the most that there can be": {math.MaxUint32, math.MaxUint32, false}} {
		if err := checkPoints(x.w, x.h); (err == nil) != x.ok || err != nil && !errors.Is(err, schema.ErrLimit) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestVisible: the cells of a box that are drawn, each once, wherever the box lies among the tiles.
func TestVisible(t *testing.T) {
	const side = 2 * ultima9.TileSide
	x := &ultima9.Terrain{Width: side, Height: side, Tiles: []uint16{0, 1, 1, 0}, Chunks: make([]ultima9.Chunk, 2)}
	for c := range x.Chunks {
		for i := range x.Chunks[c] {
			x.Chunks[c][i] = ultima9.MakePoint(0, false, 0, (i+c)%7 == 0, 0, 1)
		}
	}
	grid := x.Grid()
	for _, box := range [][4]int{{0, 0, side, side}, {16, 0, side, 16}, {0, 16, 16, side}, {15, 15, 17, 17}, {3, 5, 3, 9}, {16, 16, 16, 16}, {31, 31, side, side}, {1, 2, 15, 14}} {
		want := map[uint32]int{}
		for cy := box[1]; cy < box[3]; cy++ {
			for cx := box[0]; cx < box[2]; cx++ {
				if at := cy*side + cx; grid[at].Visible() {
					want[uint32(at)] = 1
				}
			}
		}
		got := map[uint32]int{}
		g := &ground{Terrain: x, w: side, h: side, box: box}
		g.visible(func(at uint32, p ultima9.Point) {
			got[at]++
			if p != grid[at] {
				t.Errorf("box %v: cell %d is %v, and the map has %v there", box, at, p, grid[at])
			}
		})
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("box %v: %s", box, d)
		}
	}
}
