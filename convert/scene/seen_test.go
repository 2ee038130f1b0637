package scene

import (
	"fmt"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema/asset"
)

// shape returns a node of a kind that shows a triangle.
func shape(name string, kind asset.NodeKind) *asset.Node {
	n := asset.NewNode(name)
	n.Kind = kind
	n.Mesh = &asset.Mesh{Primitives: []*asset.Primitive{{Positions: make([][3]float32, 3)}}}
	return n
}

// kindShows are what shows nodes of a kind; those of other kinds are always shown.
var kindShows = map[asset.NodeKind]Show{
	asset.Wire: ShowWires, asset.Hull: ShowHulls, asset.Mount: ShowMounts, asset.Hardpoint: ShowHardpoints,
}

// TestSeen: for every set of what is shown, the picture has the nodes of exactly those kinds, what stands below a node
// that is not shown, and levels where they are asked for.
func TestSeen(t *testing.T) {
	for show := Show(0); show <= ShowAll; show++ {
		for kind := asset.Plain; kind <= asset.Mount; kind++ {
			top, inner, level := shape("top", asset.Plain), shape("inner", kind), shape("level", asset.Plain)
			below := shape("below", asset.Plain)
			inner.Children, top.Children, top.LODs = []*asset.Node{below}, []*asset.Node{inner}, []*asset.Node{level}
			secret := shape("secret", asset.Plain)
			secret.Hidden, secret.Children = true, []*asset.Node{shape("within", asset.Plain)}
			want := "top inner below"
			if needs, ok := kindShows[kind]; ok && show&needs == 0 {
				want = "top below"
			}
			if show&ShowLevels != 0 {
				want += " level"
			}
			if got := seenNames(Seen(&asset.Scene{Roots: []*asset.Node{top, secret}}, show)); got != want {
				t.Errorf("kind %d, show %05b: %q is seen, want %q", kind, show, got, want)
			}
		}
	}
}

func seenNames(nodes []*asset.Node) string {
	var list []string
	for _, n := range nodes {
		list = append(list, n.Name)
	}
	return strings.Join(list, " ")
}

// TestSeenAlone: a scene of nothing but what is usually not shown is no empty picture, and one that refers to itself ends.
func TestSeenAlone(t *testing.T) {
	for kind, needs := range kindShows {
		n := shape("alone", kind)
		n.Children = []*asset.Node{n}
		for show := Show(0); show <= ShowAll; show++ {
			if got := seenNames(Seen(&asset.Scene{Roots: []*asset.Node{n}}, show)); got != "alone" {
				t.Errorf("kind %d (%05b), show %05b: %q", kind, needs, show, got)
			}
		}
	}
	if list := Seen(&asset.Scene{}, 0); len(list) > 0 {
		t.Errorf("%d nodes of an empty scene", len(list))
	}
}

// TestCount: primitives that share their vertices count them once, a mesh counts wherever it is shown.
func TestCount(t *testing.T) {
	shared := make([][3]float32, 4)
	for _, c := range []struct {
		what                string
		primitives          []*asset.Primitive
		nodes               int
		triangles, vertices int
	}{
		{"plain", []*asset.Primitive{{Positions: shared[:3]}}, 1, 1, 3},
		{"indexed", []*asset.Primitive{{Positions: shared, Indices: []uint32{0, 1, 2, 0, 2, 3}}}, 1, 2, 4},
		{"shared", []*asset.Primitive{{Positions: shared, Indices: []uint32{0, 1, 2}}, {Positions: shared, Indices: []uint32{0, 2, 3}}}, 1, 2, 4},
		{"apart", []*asset.Primitive{{Positions: shared[:3]}, {Positions: make([][3]float32, 3)}}, 1, 2, 6},
		{"twice", []*asset.Primitive{{Positions: shared[:3]}}, 2, 2, 6},
		{"lines", []*asset.Primitive{{Positions: shared, Mode: asset.Lines}}, 1, 0, 4},
		{"loaded", []*asset.Primitive{{Load: func() (*asset.Primitive, error) { return &asset.Primitive{Positions: shared[:3]}, nil }}}, 1, 1, 3},
		{"empty", []*asset.Primitive{{}}, 1, 0, 0},
	} {
		var nodes []*asset.Node
		for range c.nodes {
			n := asset.NewNode(c.what)
			n.Mesh = &asset.Mesh{Primitives: c.primitives}
			nodes = append(nodes, n)
		}
		triangles, vertices, err := Count(nodes)
		if err != nil || triangles != c.triangles || vertices != c.vertices {
			t.Errorf("%s: %d triangles, %d vertices, %v; want %d and %d", c.what, triangles, vertices, err, c.triangles, c.vertices)
		}
	}
	n := asset.NewNode("broken")
	n.Mesh = &asset.Mesh{Primitives: []*asset.Primitive{{Load: func() (*asset.Primitive, error) { return nil, fmt.Errorf("gone") }}}}
	if _, _, err := Count([]*asset.Node{n}); err == nil {
		t.Error("what cannot be loaded is counted")
	}
}
